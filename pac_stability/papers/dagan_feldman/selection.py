"""The law of the hypothesis that the stable learner chooses (Appendix B).

Two ways to the same numbers: exact rationals for small samples and any class, and certified bounds
from a compiled walk over the sets of points that a random subset hits, for finite classes.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from time import perf_counter

import numpy as np
import numpy.typing as npt

from pac_stability._core.weighted_sums import SelectionWalk
from pac_stability.arguments import as_size, described, require_hashable, require_instance
from pac_stability.classes import Family, FiniteClass, Hypothesis, Row
from pac_stability.classes.family import require_patterns
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.data.distribution import reduced_law
from pac_stability.errors import BudgetExhausted, InvalidInput
from pac_stability.mechanisms import error_counts
from pac_stability.papers.dagan_feldman import additive_walks


def hit_sets(multiplicities: Sequence[int], size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """List the sets of distinct points that some index subset of a given size hits exactly.

    Parameters
    ----------
    multiplicities
        c, the multiplicity of each of the m distinct points in the sample: positive integers of sum
        n.
    size
        n', the number of indices, from 1 to n.

    Yields
    ------
    members, count
        A set A of points, as increasing positions below m, and the number N(A) of index subsets I
        of size n' such that the points of S_I are those of A. Only sets with N(A) > 0 come, each
        once; the counts sum to C(n, n').

    Raises
    ------
    InvalidInput
        A multiplicity is not positive, or the size is out of range.

    Notes
    -----
    N(A) is the coefficient of z**n' in the product over j in A of (1 + z)**c_j - 1. The polynomials
    are carried down a walk that takes each point or leaves it, cut to the powers from which n' can
    still be reached, so that no branch is empty: O(m) steps a set.

    Examples
    --------
    >>> sorted(hit_sets([2, 1, 1], 2))
    [((0,), 1), ((0, 1), 2), ((0, 2), 2), ((1, 2), 1)]
    """
    copies = [as_size(copies, "multiplicities", least=1) for copies in multiplicities]
    n = sum(copies)
    size = as_size(size, "size", least=1)
    if size > n:
        raise InvalidInput("size", str(size), f"at most {n}, the size of the sample")
    return _walk(copies, size)


def _walk(copies: list[int], size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    later = [*accumulate(reversed(copies), initial=0)][::-1]  # copies from this point on
    # Entries: the next point, the set so far, in how many ways so many indices hit it exactly.
    stack: list[tuple[int, tuple[int, ...], dict[int, int]]] = [(0, (), {0: 1})]
    while stack:
        point, members, ways = stack.pop()
        if point == len(copies):
            yield members, ways[size]
            continue
        least = size - later[point + 1]
        left = {used: count for used, count in ways.items() if used >= least}
        if left:
            stack.append((point + 1, members, left))
        taken: dict[int, int] = {}
        for used, count in ways.items():
            for more in range(max(1, least - used), min(copies[point], size - used) + 1):
                choices = count * math.comb(copies[point], more)
                taken[used + more] = taken.get(used + more, 0) + choices
        if taken:
            stack.append((point + 1, (*members, point), taken))


# The compiled walk over sets of points, prepared for a class and a sample

Labels = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.uint32]

SCALE_BITS = 126
"""Probabilities are integers in units of ``2**-SCALE_BITS``."""

_NEGLIGIBLE = 90  # a point missed with probability at most 2**-90 counts as always hit
_PRECISION = 128  # more bits than are kept, while a number is being computed
_MANTISSA = 63  # bits of a weight
_FEW = 512  # examples: tables of so many are remembered, as samples differ in labels only
_SMALL = 1 << 12  # cells: what such a class is like on some points is remembered


@dataclass(frozen=True, slots=True)
class PreparedWalk:
    """A prepared walk, and the meaning of its sums.

    Attributes
    ----------
    walk
        The kernel.
    rows
        The rows of the class that can be chosen: one for each pattern on the whole sample.
    mantissas
        A lower bound of each one's weight, without its exponent.
    missed
        Bounds the probability that a point is missed that counts as always hit.
    """

    walk: SelectionWalk
    rows: tuple[int, ...]
    mantissas: tuple[int, ...]
    missed: int

    def lower_bounds(self) -> tuple[int, ...]:
        """A lower bound of the probability of each row, in units of ``2**-SCALE_BITS``."""
        high, low = self.walk.sums
        return tuple(
            max(0, (mantissa * (upper << 64 | lower) >> _MANTISSA - 1) - self.missed)
            for mantissa, upper, lower in zip(
                self.mantissas, high.tolist(), low.tolist(), strict=True
            )
        )


def prepare(
    H: FiniteClass, sample: Sample[Hashable], size: int, decay: Fraction, max_memory: int | None
) -> PreparedWalk:
    """Prepare the walk for checked arguments.

    Points on which all hypotheses agree never matter. Points that separate them alike become one
    point with all the copies. Points that are almost always hit come first, undecided.
    """
    copies = Counter(sample.points)
    n = len(sample)
    few = H.table.size <= _SMALL
    rows, changes = (_remembered_patterns if few else _patterns)(H, tuple(map(H.column, copies)))
    columns: dict[bytes, int] = {}
    for key, count in zip(changes, copies.values(), strict=True):
        columns[key] = columns.get(key, 0) + count
    columns.pop(bytes(len(rows)), None)
    certain: list[bytes] = []
    open_: list[bytes] = []
    missed = 0
    for key, count in columns.items():
        rarity = _rarity(count, size, n)
        if count > n - size:
            certain.append(key)
        elif rarity >= _NEGLIGIBLE:
            certain.append(key)
            missed += 1 << max(0, SCALE_BITS - rarity)
        else:
            open_.append(key)
    # Later points are decided on most often: few copies make short sums, and the points before
    # should have told most rows apart.
    open_.sort(key=lambda key: (-columns[key], abs(2 * key.count(1) - len(key))))
    arranged = (_remembered_cells if few else _cells_and_codes)(
        tuple(certain), tuple(open_), len(rows)
    )
    errors = error_counts(H, sample)[rows]
    least = int(errors.min())
    weights = {k: _power(decay, k - least) for k in set(errors.tolist())}
    weighed = [weights[k] for k in errors.tolist()]
    tabulated = _remembered_steps if n <= _FEW else _steps
    start, steps, begins, fewest = tabulated(n, tuple(columns[key] for key in open_), size)
    try:
        walk = SelectionWalk(
            *arranged,
            np.array([upper for _, upper, _ in weighed], dtype=np.uint64),
            np.array([exponent for _, _, exponent in weighed], dtype=np.int64),
            start,
            steps,
            begins,
            fewest,
            2**62 if max_memory is None else max_memory,
        )
    except MemoryError as error:
        raise BudgetExhausted(f"selection: {error}") from None
    mantissas = tuple(lower for lower, _, _ in weighed)
    return PreparedWalk(walk, tuple(rows.tolist()), mantissas, missed)


def _rarity(copies: int, size: int, n: int) -> int:
    """Return k such that a point of c copies is missed with probability at most ``2**-k``.

    That is at most ``(1 - c/n)**n' < 2**-(1.44 c n'/n)``.
    """
    return 144 * copies * size // (100 * n)


def _patterns(
    H: FiniteClass, columns: tuple[int, ...]
) -> tuple[npt.NDArray[np.intp], tuple[bytes, ...]]:
    """Return the rows that represent the patterns, and where they differ from the first of them."""
    rows = np.array(H.representative_rows(H.domain[x] for x in columns), dtype=np.intp)
    if not len(rows):
        raise InvalidInput("H", "the empty class", "at least one hypothesis")
    table = H.table[rows][:, columns]
    return rows, tuple(column.tobytes() for column in (table ^ table[0]).T)


_remembered_patterns = lru_cache(maxsize=128)(_patterns)


def _cells_and_codes(
    certain: tuple[bytes, ...], open_: tuple[bytes, ...], rows: int
) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Return the codes of the points to decide on, and the cells that the others leave."""
    return _codes(_stacked(open_, rows)), *_cells(_stacked(certain, rows))


_remembered_cells = lru_cache(maxsize=128)(_cells_and_codes)


def _stacked(columns: tuple[bytes, ...], rows: int) -> Labels:
    return np.frombuffer(b"".join(columns), dtype=np.uint8).reshape(len(columns), rows)


def _cells(columns: Labels) -> tuple[Numbers, Numbers, Numbers]:
    """Partition the rows: the first of each cell, the others, and for these the first of theirs."""
    cell = np.zeros(columns.shape[1], dtype=np.int64)
    for column in columns:
        cell = np.unique(2 * cell + column, return_inverse=True)[1]
    _, first, inverse = np.unique(cell, return_index=True, return_inverse=True)
    head = first[inverse]
    others = np.flatnonzero(head != np.arange(len(head)))
    return first.astype(np.uint32), others.astype(np.uint32), head[others].astype(np.uint32)


def _codes(labels: Labels) -> Numbers:
    """Number, for each point, the patterns of the rows from it on; the last bit is the label."""
    codes = np.zeros(labels.shape, dtype=np.uint32)
    after = np.zeros(labels.shape[1], dtype=np.int64)
    for point in reversed(range(len(labels))):
        codes[point] = 2 * after + labels[point]
        after = np.unique(codes[point], return_inverse=True)[1]
    return codes


def _steps(
    n: int, copies: tuple[int, ...], size: int
) -> tuple[
    npt.NDArray[np.uint64], npt.NDArray[np.uint64], npt.NDArray[np.int64], npt.NDArray[np.int64]
]:
    """Tabulate how many of the chosen indices fall on each point, given how many fell before.

    What the walk calls s used indices is s more than the fewest that can fall on the points that
    are not decided on, of which there are ``n - sum(copies)`` copies.
    """
    hypergeometric = _remembered_chances if n <= _FEW else _hypergeometric
    left = sum(copies)
    base, start = hypergeometric(n, n - left, size, 63)
    width = size - base + 1
    begins = np.zeros((len(copies), width + 1), dtype=np.int64)
    fewest = np.zeros((len(copies), width), dtype=np.int64)
    steps: list[int] = []
    low, high = 0, len(start) - 1
    for point, count in enumerate(copies):
        following = []
        begins[point, : low + 1] = len(steps)
        for used in range(low, high + 1):
            least, chances = hypergeometric(left, count, size - base - used, 64)
            fewest[point, used] = least
            steps += chances
            begins[point, used + 1 :] = len(steps)
            following += [used + least, used + least + len(chances) - 1]
        low, high = min(following), max(following)
        left -= count
    return (
        np.array([*start, *[0] * (width - len(start))], dtype=np.uint64),
        np.array(steps, dtype=np.uint64),
        begins,
        fewest,
    )


_remembered_steps = lru_cache(maxsize=128)(_steps)


_comb = lru_cache(maxsize=1 << 12)(math.comb)  # samples near one another share many


def _hypergeometric(total: int, marked: int, draws: int, bits: int) -> tuple[int, list[int]]:
    """Return ``t`` and lower bounds of the chances of t, t + 1, ... marked ones among the drawn.

    In units of ``2**-bits``, below ``2**64``; chances of less than a unit at either end are left
    out. From the likeliest number outwards, in longer integers that are rounded down.
    """
    likeliest = (draws + 1) * (marked + 1) // (total + 2)
    rest = total - marked
    ways = _comb(marked, likeliest) * _comb(rest, draws - likeliest)
    largest = (ways << bits + _PRECISION) // _comb(total, draws)
    chances: list[int] = []
    chance, t = largest, likeliest
    while chance >> _PRECISION:
        chances.append(min(chance >> _PRECISION, (1 << 64) - 1))
        chance = chance * (marked - t) * (draws - t) // ((t + 1) * (rest - draws + t + 1))
        t += 1
    below: list[int] = []
    chance, t = largest, likeliest
    while True:
        chance = chance * t * (rest - draws + t) // ((marked - t + 1) * (draws - t + 1))
        if not chance >> _PRECISION:
            return t, below[::-1] + chances
        t -= 1
        below.append(chance >> _PRECISION)


_remembered_chances = lru_cache(maxsize=1 << 12)(_hypergeometric)


@lru_cache(maxsize=1 << 12)
def _power(decay: Fraction, exponent: int) -> tuple[int, int, int]:
    """Enclose ``decay**exponent``: ``(lower, upper, e)`` means lower * 2**e to upper * 2**e.

    The lower one has 63 bits; the upper one is at most ``2**63``.
    """
    shift = _PRECISION + decay.denominator.bit_length()
    scaled = decay.numerator << shift
    base = (scaled // decay.denominator, -(-scaled // decay.denominator), -shift)
    result = (1 << _PRECISION, 1 << _PRECISION, -_PRECISION)
    for bit in f"{exponent:b}":
        result = _cut(_product(result, result), _PRECISION)
        if bit == "1":
            result = _cut(_product(result, base), _PRECISION)
    return _cut(result, _MANTISSA)


def _product(x: tuple[int, int, int], y: tuple[int, int, int]) -> tuple[int, int, int]:
    return x[0] * y[0], x[1] * y[1], x[2] + y[2]


def _cut(x: tuple[int, int, int], bits: int) -> tuple[int, int, int]:
    """Keep so many bits, rounding outwards."""
    lower, upper, exponent = x
    surplus = lower.bit_length() - bits
    return lower >> surplus, -(-upper >> surplus), exponent + surplus


# The selection distribution: which hypothesis the stable learner chooses, and how likely

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
        The class. Its representatives must be a function of the *set* of points; they are computed
        once for each set, and cached for small ones.
    sample
        S, not empty.
    subset_size
        n', from 1 to n.
    decay
        rho, above 0 and at most 1.
    max_sets
        The most sets of distinct points to enumerate.

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
    private learner (Appendix C) replaces each h by another learner on the sample labelled by h.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> law = exact_selection(H, Sample([0, 1, 1], [0, 1, 1]), 1, Fraction(1, 2))
    >>> [(h.index, str(p)) for h, p in law.items()]
    [(0, '11/45'), (2, '2/9'), (1, '8/15')]
    """
    require_patterns(H)
    size, decay = additive_walks.as_selection(sample, subset_size, decay)
    max_sets = as_size(max_sets, "max_sets", least=1)
    weights = _Weights(sample, decay)
    # For each normaliser, how many index subsets have it and offer a hypothesis.
    chances: dict[int, dict[Hypothesis, int]] = {}
    for gone, (chosen, count) in enumerate(_offers(H, sample, size)):
        if gone == max_sets:
            raise BudgetExhausted(
                f"exact selection: more than {max_sets} sets of points can be hit; allow more, "
                "or ask for an enclosure"
            )
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


def _offers(
    H: Family, sample: Sample[Hashable], size: int
) -> Iterator[tuple[Sequence[Hypothesis], int]]:
    """Give the representatives on each set of points, and how many index subsets hit it."""
    copies = Counter(sample.points)
    points = tuple(copies)
    for members, count in hit_sets(list(copies.values()), size):
        yield _representatives(H, frozenset(points[index] for index in members)), count


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
) -> additive_walks.EnclosedLaw:
    """Return the law of the hypothesis that the stable learner chooses, in certified bounds.

    Parameters
    ----------
    H
        A finite class; its representatives are its first rows.
    sample, subset_size, decay
        As for :func:`exact_selection`.
    time_limit
        Seconds, checked about every 10 ms, not counting preparations; ``None`` for no limit. if it
        ends the walk, the bounds are still certified, and the unreached part is slack.
    max_memory
        The most bytes for the compiled walk; ``None`` for no limit.

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
    require_instance(H, FiniteClass, "H")
    size, decay = additive_walks.as_selection(sample, subset_size, decay)
    if time_limit is not None:
        _require_seconds(time_limit)
    if max_memory is not None:
        max_memory = min(as_size(max_memory, "max_memory", least=1), sys.maxsize)
    prepared = prepare(H, sample, size, decay, max_memory)
    begun = perf_counter()
    while prepared.walk.advance(_PIECE):
        if time_limit is not None and perf_counter() - begun >= time_limit:
            prepared.walk.stop()
    return additive_walks.EnclosedLaw(
        tuple(Row(H, row) for row in prepared.rows),
        np.array(prepared.lower_bounds(), dtype=object),
        SCALE_BITS,
        additive_walks.LabelledByTable(H, prepared.rows),
    )


def family_selection(
    H: Family, sample: Sample[Hashable], subset_size: int, decay: Fraction
) -> additive_walks.EnclosedLaw:
    """Return the same for any family and its own representatives, set by set, without a limit."""
    size, decay = additive_walks.as_selection(sample, subset_size, decay)
    weights = _Weights(sample, decay)
    subsets = math.comb(len(sample), size)
    lowers: dict[Hypothesis, int] = {}
    for chosen, count in _offers(H, sample, size):
        every = sum(map(weights.of, chosen)) * subsets
        for h in chosen:
            lower = (count * weights.of(h) << SCALE_BITS) // every
            lowers[h] = lowers.get(h, 0) + lower
    labels = additive_walks.LabelledOneByOne(H, tuple(lowers))
    return additive_walks.EnclosedLaw(
        tuple(lowers), np.array([*lowers.values()], dtype=object), SCALE_BITS, labels
    )


def _require_seconds(limit: object) -> None:
    if not (isinstance(limit, float | int) and limit > 0):
        raise InvalidInput("time_limit", described(limit), "a positive number of seconds")
