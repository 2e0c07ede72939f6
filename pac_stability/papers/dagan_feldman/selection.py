"""The selection distribution: which hypothesis the stable learner chooses, and how likely.

Three ways to the same numbers: exact rationals for small samples and any class, certified bounds
from a compiled walk for finite classes, and floats made from these.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from functools import lru_cache
from time import perf_counter

import numpy as np

from pac_stability.arguments import as_size, described, require_hashable
from pac_stability.classes import Family, FiniteClass, Hypothesis, Row
from pac_stability.classes.family import require_patterns
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.data.distribution import reduced_law
from pac_stability.errors import BudgetExhausted, InvalidInput
from pac_stability.papers.dagan_feldman._checks import as_selection
from pac_stability.papers.dagan_feldman._walks import SCALE_BITS, prepare
from pac_stability.papers.dagan_feldman.additive._labelling import LabelledByTable
from pac_stability.papers.dagan_feldman.enclosed_law import EnclosedLaw
from pac_stability.papers.dagan_feldman.hit_sets import hit_sets

_PIECE = 2e6  # row operations between two looks at the clock: about 10 ms
_FEW_POINTS = 8  # a set of so few has at most 256 representatives, which are kept


def exact_selection(
    H: Family,
    sample: Sample[Hashable],
    subset_size: int,
    decay: Fraction,
    *,
    max_sets: int = 10_000,
) -> FiniteDistribution[Hypothesis]:
    """Return the law of the hypothesis that the stable learner chooses, in exact rationals.

    The learner draws a set I of n' indices uniformly, and then one of the representatives of the
    class on the points of S_I, h with weight ``decay**k_h`` where k_h counts the errors of h on the
    whole sample.

    Parameters
    ----------
    H
        The class. Its representatives must be a function of the *set* of points; they are asked for
        once for each set, and remembered for small ones.
    sample
        S, not empty.
    subset_size
        n', from 1 to n.
    decay
        rho, above 0 and at most 1.
    max_sets
        How many sets of distinct points may be gone through.

    Returns
    -------
    FiniteDistribution
        P_S, on the hypotheses that can be chosen.

    Raises
    ------
    InvalidInput
        A parameter is out of range, the class is empty, or a point is not in its domain.
    BudgetExhausted
        More sets can be hit: there are up to 2**m - 1 for m distinct points, and C(m, n') when all
        are distinct.

    Notes
    -----
    P_S(h) is the sum, over the sets A of distinct points that S_I can be, of N(A)/C(n, n') times
    ``decay**k_h / Z_A`` if h represents a pattern on A; Z_A is the sum of the weights of all
    representatives on A, and N(A) as in :func:`~.hit_sets.hit_sets`. The result has a denominator
    of up to as many times the bits of one Z_A as there are different ones.

    The stable learner of DF20 (Appendix B) predicts with the mixture of the h under P_S; its
    private learner (Appendix C) replaces each h by what another learner makes of the sample
    labelled by h.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> law = exact_selection(H, Sample([0, 1, 1], [0, 1, 1]), 1, Fraction(1, 2))
    >>> [(h.index, str(p)) for h, p in law.items()]
    [(0, '11/45'), (2, '2/9'), (1, '8/15')]
    """
    require_patterns(H)
    size, decay = as_selection(sample, subset_size, decay)
    max_sets = as_size(max_sets, "max_sets", least=1)
    copies = Counter(sample.points)
    points = tuple(copies)
    weights = _Weights(sample, decay)
    # For each normaliser, how many index subsets have it and offer a hypothesis.
    chances: dict[int, dict[Hypothesis, int]] = {}
    for gone, (members, count) in enumerate(hit_sets(list(copies.values()), size)):
        if gone == max_sets:
            raise BudgetExhausted(
                f"exact selection: more than {max_sets} sets of points can be hit; allow more, "
                "or ask for an enclosure"
            )
        chosen = _representatives(H, frozenset(points[index] for index in members))
        normaliser = sum(map(weights.of, chosen))
        offered = chances.setdefault(normaliser, {})
        for h in chosen:
            offered[h] = offered.get(h, 0) + count
    common = math.lcm(*chances)
    total: dict[Hypothesis, int] = {}
    for normaliser, offered in chances.items():
        share = common // normaliser
        for h, count in offered.items():
            total[h] = total.get(h, 0) + count * share
    return reduced_law({h: chance * weights.of(h) for h, chance in total.items()})


class _Weights:
    """Integer weights of hypotheses on one sample, each computed once."""

    def __init__(self, sample: Sample[Hashable], decay: Fraction) -> None:
        wrong: dict[Hashable, list[int]] = {}
        for point, label in zip(sample.points, sample.labels, strict=True):
            wrong.setdefault(point, [0, 0])[1 - label] += 1
        self._wrong = wrong
        self._least = sum(map(min, wrong.values()))
        self._most = sum(map(max, wrong.values()))
        self._decay = decay
        self._known: dict[Hypothesis, int] = {}

    def of(self, h: Hypothesis) -> int:
        """Return ``decay**k_h`` times a number that is the same for all hypotheses."""
        require_hashable(h, "H")
        if h not in self._known:
            labels = [h(point) for point in self._wrong]
            if not {0, 1}.issuperset(labels):
                raise InvalidInput("H", f"labels {described(labels)}", "labels 0 and 1")
            errors = sum(
                wrong[label] for wrong, label in zip(self._wrong.values(), labels, strict=True)
            )
            weight = self._decay.numerator ** (errors - self._least)
            self._known[h] = weight * self._decay.denominator ** (self._most - errors)
        return self._known[h]


def _representatives(H: Family, points: frozenset[Hashable]) -> Sequence[Hypothesis]:
    """Ask a class for its representatives on a set of points, or remember the answer."""
    if len(points) <= _FEW_POINTS and isinstance(H, Hashable):
        chosen = _remembered(H, points)
    else:
        chosen = H.representatives_on(points)
    if not chosen:
        raise InvalidInput("H", "the empty class", "at least one hypothesis")
    return chosen


@lru_cache(maxsize=1024)  # audits ask about many samples of the same few points
def _remembered(H: Family, points: frozenset[Hashable]) -> Sequence[Hypothesis]:
    return H.representatives_on(points)


def enclosed_selection(
    H: FiniteClass,
    sample: Sample[Hashable],
    subset_size: int,
    decay: Fraction,
    *,
    time_limit: float | None = None,
    max_memory: int | None = None,
) -> EnclosedLaw:
    """Return the law of the hypothesis that the stable learner chooses, in certified bounds.

    Parameters
    ----------
    H
        A finite class; its representatives are its first rows.
    sample, subset_size, decay
        As for :func:`exact_selection`.
    time_limit
        Seconds, looked at about every 10 ms, preparations apart; ``None`` for no limit. When it
        ends the walk, the bounds are certified all the same, with what was not reached as slack.
    max_memory
        Bytes that the compiled walk may allocate; ``None`` for no limit.

    Returns
    -------
    EnclosedLaw
        After a full walk the slack is at most ``(e + m + 8) 2**-62`` for m distinct points and e
        tabulated transition probabilities: 2**-55 as a rule. ``ext/README.md`` has the proof.

    Raises
    ------
    InvalidInput
        As for :func:`exact_selection`.
    BudgetExhausted
        The walk would need more memory.

    Notes
    -----
    At most 2**m sets of points are visited, C(m, n') of them when no point is repeated, for m
    points that tell rows apart differently. A set costs one step for each row that shares its
    pattern on the set with another, and one for each representative new on it.

    Examples
    --------
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> found = enclosed_selection(H, Sample([0, 1, 1], [0, 1, 1]), 1, Fraction(1, 2))
    >>> [h.index for h in found.hypotheses], [float(p) for _, p in found.law().items()]
    ([0, 1, 2], [0.24444444444444444, 0.5333333333333333, 0.2222222222222222])
    >>> found.slack < Fraction(1, 2**56)
    True
    >>> Fraction(2, 9) in found.probabilities([0])[0]
    True
    """
    if not isinstance(H, FiniteClass):
        raise InvalidInput("H", described(H), "a FiniteClass")
    size, decay = as_selection(sample, subset_size, decay)
    if time_limit is not None:
        _require_seconds(time_limit)
    if max_memory is not None:
        max_memory = min(as_size(max_memory, "max_memory", least=1), sys.maxsize)
    prepared = prepare(H, sample, size, decay, max_memory)
    begun = perf_counter()
    while prepared.walk.advance(_PIECE):
        if time_limit is not None and perf_counter() - begun >= time_limit:
            prepared.walk.stop()
    return EnclosedLaw(
        tuple(Row(H, row) for row in prepared.rows),
        np.array(prepared.lower_bounds(), dtype=object),
        SCALE_BITS,
        LabelledByTable(H, prepared.rows),
    )


def _require_seconds(limit: object) -> None:
    if not (isinstance(limit, float | int) and limit > 0):
        raise InvalidInput("time_limit", described(limit), "a positive number of seconds")
