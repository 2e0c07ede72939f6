"""The selection distribution: which hypothesis the stable learner chooses, and how likely."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from functools import lru_cache

from pac_stability.arithmetic import as_size
from pac_stability.classes import Family, Hypothesis
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.data._values import described
from pac_stability.data.distribution import reduced_law
from pac_stability.errors import BudgetExhausted, InvalidInput
from pac_stability.mechanisms._checks import as_decay
from pac_stability.papers.dagan_feldman.hit_sets import hit_sets

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
    size, decay = _checked(sample, subset_size, decay)
    max_sets = as_size(max_sets, "max_sets", least=1)
    copies = Counter(sample.points)
    points = tuple(copies)
    errors = _ErrorCounts(sample)
    # For each normaliser, how many index subsets have it and offer a hypothesis.
    chances: dict[int, dict[Hypothesis, int]] = {}
    for gone, (members, count) in enumerate(hit_sets(list(copies.values()), size)):
        if gone == max_sets:
            raise BudgetExhausted(
                f"exact selection: more than {max_sets} sets of points can be hit; allow more, "
                "or ask for an enclosure"
            )
        chosen = _representatives(H, frozenset(points[index] for index in members))
        normaliser = sum(errors.weight(h, decay) for h in chosen)
        offered = chances.setdefault(normaliser, {})
        for h in chosen:
            offered[h] = offered.get(h, 0) + count
    common = math.lcm(*chances)
    total: dict[Hypothesis, int] = {}
    for normaliser, offered in chances.items():
        share = common // normaliser
        for h, count in offered.items():
            total[h] = total.get(h, 0) + count * share
    return reduced_law({h: chance * errors.weight(h, decay) for h, chance in total.items()})


def _checked(sample: object, subset_size: object, decay: object) -> tuple[int, Fraction]:
    """Check what all three selections are given; return n' and rho."""
    if not isinstance(sample, Sample):
        raise InvalidInput("sample", described(sample), "a Sample")
    if not len(sample):
        raise InvalidInput("sample", "no examples", "at least one")
    size = as_size(subset_size, "subset_size", least=1)
    if size > len(sample):
        raise InvalidInput(
            "subset_size", str(size), f"at most {len(sample)}, the size of the sample"
        )
    return size, as_decay(decay)


class _ErrorCounts:
    """Weights of hypotheses on one sample: integers, of one scale, each computed once."""

    def __init__(self, sample: Sample[Hashable]) -> None:
        wrong: dict[Hashable, list[int]] = {}
        for point, label in zip(sample.points, sample.labels, strict=True):
            wrong.setdefault(point, [0, 0])[1 - label] += 1
        self._wrong = wrong
        self._least = sum(min(counts) for counts in wrong.values())
        self._most = sum(max(counts) for counts in wrong.values())
        self._weights: dict[Hypothesis, int] = {}

    def weight(self, h: Hypothesis, decay: Fraction) -> int:
        """Return ``decay**k_h`` times a number that is the same for all hypotheses."""
        weight = self._weights.get(h)
        if weight is None:
            errors = sum(counts[h(point)] for point, counts in self._wrong.items())
            weight = decay.numerator ** (errors - self._least)
            weight *= decay.denominator ** (self._most - errors)
            self._weights[h] = weight
        return weight


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
