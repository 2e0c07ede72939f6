"""Compression by boosting: every class of finite VC dimension d, in O(d log n) examples.

In each round few examples teach a hypothesis of small weighted error. Integer arithmetic decides
the number of rounds and the number of examples in each.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations, count
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import AnyNumber, as_number, as_size, described, in_words
from pac_stability.arithmetic import least_integer
from pac_stability.classes import Family, FiniteClass, Hypothesis, least_errors, validation
from pac_stability.classes.family import require_inhabited, require_patterns
from pac_stability.compression.scheme import ImproperScheme, OfOneFamily, subsample
from pac_stability.data import Sample, all_examples, multisets
from pac_stability.data.sample import require_sample
from pac_stability.dimensions import sauer_shelah_bound, vc_dimension
from pac_stability.errors import BudgetExhausted, InvalidInput, NotRealizable

THIRD = Fraction(1, 3)

MAX_DENOMINATOR = 1000
"""The largest denominator of a weighted error: it is an exponent in the comparisons."""


def boosting_rounds(n: int, eta: AnyNumber = THIRD) -> int:
    """Return T, the rounds after which every one of n examples has a majority on its side.

    The least ``T >= 1`` with ``n (2 sqrt(eta (1 - eta)))^T < 1``, which is
    ``floor(ln n / -ln(2 sqrt(eta (1 - eta)))) + 1``.

    Parameters
    ----------
    n
        Number of examples, at least 1.
    eta
        An upper bound on the weighted error of every round, exact, above 0 and below 1/2.

    Notes
    -----
    If all hypotheses get the same step, the vote errs on at most ``n (2 sqrt(eta (1 - eta)))^T``
    [Schapire & Freund 2012, Section 3.1]. The comparison is between integers: ``n^2 (4 eta (1 -
    eta))^T < 1``.

    Examples
    --------
    >>> [boosting_rounds(n) for n in (1, 16, 64, 256, 1024)]
    [1, 48, 71, 95, 118]
    """
    size = as_size(n, "n", least=1)
    error = as_error(eta)
    factor = 4 * error * (1 - error)
    p, q = factor.numerator, factor.denominator
    return least_integer(lambda rounds: size**2 * p**rounds < q**rounds, 1)


def counting_group(patterns: int, eta: AnyNumber = THIRD) -> int:
    """Return how many examples teach a class with so many patterns up to a weighted error eta.

    The least ``m >= 1`` with ``P (1 - eta)^m < 1``, which is ``floor(ln P / -ln(1 - eta)) + 1``:
    each of m well chosen examples contradicts more than the fraction eta of the remaining patterns
    with error above eta.

    Parameters
    ----------
    patterns
        P, at least 1.
    eta
        Exact, above 0 and below 1/2.

    Examples
    --------
    >>> [counting_group(patterns) for patterns in (1, 2, 257, 32897)]
    [1, 2, 14, 26]
    """
    count = as_size(patterns, "patterns", least=1)
    miss = 1 - as_error(eta)
    return least_integer(lambda m: count * miss.numerator**m < miss.denominator**m, 1)


def net_group(d: int, eta: AnyNumber = THIRD) -> int:
    """Return a number of examples that teach any class of VC dimension d up to an error eta.

    The least ``m >= 8 / eta`` with ``2 Sauer(2m, d) 2^(-eta m / 2) < 1``: this many examples, drawn
    by their weights, form an eta-net for the errors with positive probability, for any number of
    patterns [Haussler & Welzl 1987].

    Parameters
    ----------
    d
        VC dimension, at least 0.
    eta
        Exact, above 0 and below 1/2.

    Notes
    -----
    It does not depend on the number of examples, but below tens of millions of examples (d = 1, eta
    = 1/3) it exceeds :func:`counting_group` of the Sauer-Shelah bound.

    Examples
    --------
    >>> [net_group(d) for d in (1, 2, 3, 5)]
    [46, 90, 137, 230]
    """
    dimension, error = as_size(d, "d"), as_error(eta)
    a, b = error.numerator, error.denominator
    # The logarithm of the left side is concave in m and positive at 0: once negative, always so.
    return least_integer(
        lambda m: (2 * sauer_shelah_bound(2 * m, dimension)) ** (2 * b) < 2 ** (a * m),
        -(-8 * b // a),
    )


def as_error(eta: AnyNumber) -> Fraction:
    """Return a weighted error above 0 and below 1/2, or refuse it."""
    error = as_number(eta, "eta")
    if not 0 < 2 * error < 1 or error.denominator > MAX_DENOMINATOR:
        wanted = f"a fraction above 0 and below 1/2, its denominator at most {MAX_DENOMINATOR}"
        raise InvalidInput("eta", in_words(error), wanted)
    return error


# One round

MAX_GROUPS = 20_000
"""Groups that are tried when the greedy choice of one fails."""

Group = tuple[int, ...]
"""Indices of examples."""


class WeakGroups:
    """Search the groups of some examples for one that teaches a good enough hypothesis.

    Parameters
    ----------
    family
        The class.
    examples
        Distinct points with labels.
    size
        The largest size of a group.

    Raises
    ------
    NotRealizable
        No hypothesis of the class fits the examples.
    """

    def __init__(self, family: Family, examples: Sample[Hashable], size: int) -> None:
        self._family = family
        self._examples = examples
        self._size = size
        labels = np.array(examples.labels, dtype=np.uint8)
        self._wrong = family.restrict(examples.points).table ^ labels
        if self._wrong.any(axis=1).all():
            raise NotRealizable(f"no hypothesis of the class fits {described(examples)}")
        self._learned: dict[Group, list[int]] = {}

    def errs(self, group: Group) -> list[int]:
        """Return on which examples the hypothesis of a group errs, as 0 and 1."""
        if group not in self._learned:
            h = fitting_hypothesis(self._family, subsample(self._examples, group))
            self._learned[group] = [h(z.point) ^ z.label for z in self._examples]
        return self._learned[group]

    def find(self, weights: Sequence[int], allowed: int) -> Group | None:
        """Return a group whose hypothesis errs on examples of at most a given total weight.

        ``None`` when there is none.

        Raises
        ------
        BudgetExhausted
            The search has found none so far, and there are more groups than :data:`MAX_GROUPS`.
        """

        def first(candidates: Iterable[Group]) -> Group | None:
            return next((c for c in candidates if self._weigh(c, weights) <= allowed), None)

        return (
            first(list(self._learned))
            or self._greedy(weights, allowed)
            or first(self._all_groups())
        )

    def _weigh(self, group: Group, weights: Sequence[int]) -> int:
        errs = self.errs(group)
        return sum(weight for bit, weight in zip(errs, weights, strict=True) if bit)

    def _greedy(self, weights: Sequence[int], allowed: int) -> Group | None:
        """Contradict every pattern whose errors weigh more than allowed, most patterns first."""
        left = self._wrong[_weighted_errors(self._wrong, weights) > allowed]
        group: list[int] = []
        while len(left):
            if len(group) == self._size:
                return None
            column = int(np.argmax(left.sum(axis=0, dtype=np.int64)))
            group.append(column)
            left = left[left[:, column] == 0]
        return tuple(sorted(group)) or (0,)

    def _all_groups(self) -> Iterable[Group]:
        m = len(self._examples)
        sizes = range(1, min(m, self._size) + 1)
        if sum(math.comb(m, size) for size in sizes) > MAX_GROUPS:
            message = f"more than {MAX_GROUPS} groups of {self._size} out of {m} examples"
            raise BudgetExhausted(message)
        return chain.from_iterable(combinations(range(m), size) for size in sizes)


def fitting_hypothesis(family: Family, group: Sample[Hashable]) -> Hypothesis:
    """Return the first hypothesis that fits a group: the one that the group stands for."""
    h, errors = least_errors(family, group)
    if errors:
        raise NotRealizable(f"no hypothesis of the class fits {described(group)}")
    return h


def _weighted_errors(
    wrong: npt.NDArray[np.uint8], weights: Sequence[int]
) -> npt.NDArray[np.int64] | npt.NDArray[np.object_]:
    """Return the exact weight of the errors of each pattern, for weights of any size."""
    bits = 62 - len(weights).bit_length()  # sums of so many bits stay below 2**62
    total: npt.NDArray[np.int64] | npt.NDArray[np.object_] = np.zeros(len(wrong), dtype=np.int64)
    for shift in range(0, max(weights).bit_length(), bits):
        digits = [(weight >> shift) & ((1 << bits) - 1) for weight in weights]
        # A product of matrices of integers would be ten times slower.
        sums = np.einsum("ij,j->i", wrong, np.array(digits, dtype=np.int64))
        total = sums if shift == 0 else total.astype(object) + (sums.astype(object) << shift)
    return total


# The scheme


@dataclass(frozen=True, slots=True)
class MajorityVote:
    """The strict majority vote of other hypotheses: 1 when more than half of them are 1.

    Attributes
    ----------
    hypotheses
        The voters, in order; equal ones vote several times.
    """

    hypotheses: tuple[Hypothesis, ...]

    def __call__(self, point: Hashable) -> int:
        """Label of a point of the domain."""
        return int(2 * sum(h(point) for h in self.hypotheses) > len(self.hypotheses))


class BoostingScheme(OfOneFamily[Family], ImproperScheme[MajorityVote]):
    """Keep, for each round of boosting, a group of examples that teaches a weak hypothesis.

    In each of T(n) rounds the examples have weights. The scheme finds m(n) of them such that the
    hypothesis that fits these (the representative from :func:`~pac_stability.classes.least_errors`)
    errs on at most the fraction eta by weight. Then the weights of its errors grow by the factor (1
    - eta) / eta. After the last round the majority of the T hypotheses is right about every
    example. The scheme keeps only the groups, one after the other, each filled up with copies of
    its first example. The number of kept examples determines n as far as T and m depend on it, and
    hence where the groups end.

    Parameters
    ----------
    family
        The class H.
    vc_dimension
        A bound on its VC dimension; by default the known one, or that of a finite class.
    eta
        The weighted error allowed in a round, exact, above 0 and below 1/2, with a denominator of
        at most 1000.
    group
        m, the examples in a group, for every n; by default :meth:`group_size`, which always
        suffices.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or the VC dimension is not known or infinite. On use: a point
        is not of the domain, the sample has too many patterns, or ``group`` is too small for the
        sample.
    BudgetExhausted
        On use: ``group`` may be too small for the sample, but there are too many groups to try.
    NotRealizable
        On use: no hypothesis of the class fits the examples.

    Notes
    -----
    CLNRW16, Theorem 25 (from David, Moran & Yehudayoff 2016), without side information: the order
    of a sequence suffices to separate the groups. The hypothesis is a majority vote, usually
    outside H, so the scheme is improper, while Definition 14 requires a proper one.

    It uses a group of an earlier round again if its hypothesis is good enough. Otherwise it builds
    one greedily. It takes an example that contradicts the most of the remaining patterns with
    weighted error above eta, which is more than the fraction eta of them. So with P patterns,
    ``counting_group(P)`` examples always leave none, and then *every* hypothesis that fits the
    group is good enough. Only a smaller ``group`` may fail; then it tries all groups. It tosses no
    coins, and the order of the sample does not matter.

    Weights are integers throughout. A new group takes ``O(P m)`` for m distinct points with P
    patterns, plus the call of ``least_errors``.

    Examples
    --------
    >>> from pac_stability.classes import singletons
    >>> scheme = BoostingScheme(singletons(5), group=2)
    >>> S = Sample([0, 1, 2], [0, 0, 0])
    >>> scheme.rounds(3), scheme.size(3), S.count_errors(scheme.run(S))
    (19, 38, 0)
    """

    agnostic: ClassVar[bool] = False

    def __init__(
        self,
        family: Family,
        *,
        vc_dimension: int | None = None,
        eta: AnyNumber = THIRD,
        group: int | None = None,
    ) -> None:
        require_patterns(family, "family")
        if isinstance(family, FiniteClass) and len(family) == 0:
            raise InvalidInput("family", "the empty class", "at least one hypothesis")
        self._family = family
        self._vc = (
            _vc_bound(family) if vc_dimension is None else as_size(vc_dimension, "vc_dimension")
        )
        self._eta = as_error(eta)
        self._group = None if group is None else as_size(group, "group", least=1)

    def _parameters(self) -> object:
        return self._family, self._vc, self._eta, self._group

    @cached_property
    def _net(self) -> int:
        return net_group(self._vc, self._eta)

    def rounds(self, n: int) -> int:
        """Return T(n): :func:`~pac_stability.compression.boosting.boosting_rounds`.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return boosting_rounds(n, self._eta)

    def group_size(self, n: int) -> int:
        """Return m(n), the number of examples of a group.

        By default :func:`~pac_stability.compression.boosting.counting_group` of the largest number
        of patterns on n points that the VC dimension allows, or, for many millions of examples,
        :func:`~pac_stability.compression.boosting.net_group`.

        Parameters
        ----------
        n
            The size of the samples.
        """
        if self._group is not None:
            return self._group
        patterns = sauer_shelah_bound(as_size(n, "n", least=1), self._vc)
        if isinstance(self._family, FiniteClass):
            patterns = min(patterns, len(self._family))
        return min(counting_group(patterns, self._eta), self._net)

    def size(self, n: int) -> int:
        """Return T(n) m(n)."""
        return self.rounds(n) * self.group_size(n)

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        groups = self._groups(sample)
        if groups is None:
            size = self.group_size(len(sample))
            given = f"groups of {size}, too small for {described(sample)}"
            raise InvalidInput("group", given, "larger ones")
        return tuple(chain.from_iterable(groups))

    def reconstruct(self, kept: Sample[Hashable], /) -> MajorityVote:
        """Return the majority of the hypotheses that fit the groups.

        Raises
        ------
        InvalidInput
            The number of examples is not a :meth:`size`, or a point is not of the domain.
        NotRealizable
            No hypothesis fits a group.
        """
        require_sample(kept, 1, "kept")
        k = len(kept)
        n = least_integer(lambda size: self.size(size) >= k, 1)
        if self.size(n) != k:
            raise InvalidInput("kept", f"{k} examples", "as many as the scheme keeps of a sample")
        group = self.group_size(n)
        parts = (kept[start : start + group] for start in range(0, k, group))
        return MajorityVote(tuple(fitting_hypothesis(self._family, part) for part in parts))

    def _groups(self, sample: Sample[Hashable]) -> list[list[int]] | None:
        """Return the indices of the groups, or ``None`` when one of them cannot be found.

        Parameters
        ----------
        sample
            S.
        """
        drawn = list(zip(sample.points, sample.labels, strict=True))
        copies, label_of = Counter(drawn), dict(drawn)
        if len(label_of) < len(copies):
            raise NotRealizable(f"a point has both labels in {described(sample)}")
        examples = [(x, label_of[x]) for x in validation.canonical_order(label_of)]
        first = dict(zip(reversed(drawn), range(len(drawn) - 1, -1, -1), strict=True))
        size = self.group_size(len(sample))
        told = Sample([x for x, _ in examples], [y for _, y in examples])
        weak = WeakGroups(self._family, told, size)
        a, b = self._eta.numerator, self._eta.denominator
        mistakes = [0] * len(examples)
        groups = []
        for _ in range(self.rounds(len(sample))):
            low, high = min(mistakes), max(mistakes)
            weights = [
                copies[z] * (b - a) ** (count - low) * a ** (high - count)
                for z, count in zip(examples, mistakes, strict=True)
            ]
            group = weak.find(weights, a * sum(weights) // b)
            if group is None:
                return None
            mistakes = [count + bit for count, bit in zip(mistakes, weak.errs(group), strict=True)]
            indices = [first[examples[i]] for i in group]
            groups.append(indices + indices[:1] * (size - len(indices)))
        return groups


def smallest_group(H: FiniteClass, n: int, eta: AnyNumber = THIRD) -> int:
    """Return the least group with which boosting compresses every realizable sample up to n.

    Parameters
    ----------
    H
        A tiny class, not empty.
    n
        The largest number of examples, at least 1.
    eta
        As for :class:`BoostingScheme`.

    Returns
    -------
    int
        The ``group`` to give to :class:`BoostingScheme`.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    It runs the scheme on every realizable multiset of at most n examples, for group = 1, 2, ...,
    and ends at :func:`~pac_stability.compression.boosting.counting_group` at the latest.

    Examples
    --------
    >>> from pac_stability.classes import singletons
    >>> smallest_group(singletons(4), 3)
    2
    """
    require_inhabited(H)
    largest = as_size(n, "n", least=1)
    samples = [
        Sample.from_examples(multiset.elements())
        for size in range(1, largest + 1)
        for multiset in multisets(all_examples(H.domain), size)
    ]
    realizable = [S for S in samples if len(H.version_space(S.points, S.labels))]
    return next(
        group
        for group in count(1)
        if all(BoostingScheme(H, eta=eta, group=group)._groups(S) for S in realizable)
    )


def _vc_bound(family: Family) -> int:
    known = family.known.get("vc")
    if known is not None and isinstance(known.value, int):
        return known.value
    if isinstance(family, FiniteClass):
        return vc_dimension(family)
    what = "unknown" if known is None else "infinite"
    raise InvalidInput("vc_dimension", f"a class whose VC dimension is {what}", "a bound on it")
