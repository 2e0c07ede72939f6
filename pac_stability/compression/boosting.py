"""Compression by boosting: every class of finite VC dimension d, in O(d log n) examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import ClassVar

from pac_stability.arguments import AnyNumber, as_size, described
from pac_stability.classes import Family, FiniteClass, Hypothesis
from pac_stability.classes.exact import canonical_order
from pac_stability.classes.required import require_inhabited, require_patterns
from pac_stability.compression._weak_groups import WeakGroups, fitting_hypothesis
from pac_stability.compression.boosting_sizes import (
    THIRD,
    as_error,
    boosting_rounds,
    counting_group,
    least_integer,
    net_group,
)
from pac_stability.compression.scheme import ImproperScheme
from pac_stability.data import Example, Sample, all_examples, multisets
from pac_stability.data.required import require_sample
from pac_stability.dimensions import sauer_shelah_bound, vc_dimension
from pac_stability.errors import InvalidInput, NotRealizable


@dataclass(frozen=True, slots=True)
class MajorityVote:
    """The hypothesis that follows the strict majority of others: 1 when more than half say so.

    Attributes
    ----------
    hypotheses
        The voters, in order; equal ones vote several times.
    """

    hypotheses: tuple[Hypothesis, ...]

    def __call__(self, point: Hashable) -> int:
        """Label of a point of the domain."""
        return int(2 * sum(h(point) for h in self.hypotheses) > len(self.hypotheses))


class BoostingScheme(ImproperScheme[MajorityVote]):
    """Keep, for each round of boosting, a group of examples that teaches a weak hypothesis.

    In each of T(n) rounds the examples have weights, and m(n) of them are found such that the
    hypothesis that fits these (the representative that
    :func:`~pac_stability.classes.least_errors` takes) errs on at most the fraction eta by weight;
    the weights of what it gets wrong then grow by the factor (1 - eta) / eta. After the last round
    the majority of the T hypotheses is right about every example. The groups are kept one after the
    other, each filled up with copies of its first example, and nothing else is: the number of kept
    examples tells n, as far as T and m depend on it, and with it where the groups end.

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
        m, the examples in a group, for every n; by default :meth:`group_size` finds as many as
        always suffice.

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
    CLNRW16, Theorem 25 (from David, Moran & Yehudayoff 2016), without side information: sequences
    have an order, which is all that is needed to tell the groups apart. The hypothesis is a
    majority vote, as a rule outside H, so the scheme is improper where Definition 14 asks for a
    proper one.

    A group of an earlier round serves again when its hypothesis will do. Otherwise one is found
    greedily: of the patterns left whose weighted error exceeds eta, an example is taken that
    contradicts the most, which are more than the fraction eta of them. So with P patterns
    ``counting_group(P)`` examples always leave none, and then *every* hypothesis that fits the
    group will do. Only a ``group`` smaller than this may fail; then all groups are tried. No coins
    are tossed, and the order of the sample does not matter.

    Weights are integers throughout. A new group takes ``O(P m)`` for m distinct points with P
    patterns, besides the call of ``least_errors``.

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

    @property
    def family(self) -> Family:
        """The class H."""
        return self._family

    def rounds(self, n: int) -> int:
        """Return T(n): :func:`~pac_stability.compression.boosting_sizes.boosting_rounds`.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return boosting_rounds(n, self._eta)

    def group_size(self, n: int) -> int:
        """Return m(n), the number of examples of a group.

        By default :func:`~pac_stability.compression.boosting_sizes.counting_group` of the largest
        number of patterns on n points that the VC dimension allows, or from many millions of
        examples on :func:`~pac_stability.compression.boosting_sizes.net_group`.

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
        """Return T(n) m(n).

        Parameters
        ----------
        n
            The size of the samples.
        """
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
            The number of examples is no :meth:`size`, or a point is not of the domain.
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
        copies = Counter(sample)
        if len({z.point for z in copies}) < len(copies):
            raise NotRealizable(f"a point has both labels in {described(sample)}")
        points = canonical_order(z.point for z in copies)
        label_of = dict(zip(sample.points, sample.labels, strict=True))
        examples = [Example(point, label_of[point]) for point in points]
        first = {z: index for index, z in reversed(list(enumerate(sample)))}
        size = self.group_size(len(sample))
        weak = WeakGroups(self._family, Sample.from_examples(examples), size)
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
    Runs the scheme on every realizable multiset of at most n examples, for group = 1, 2, ...; it
    ends at :func:`~pac_stability.compression.boosting_sizes.counting_group` at the latest.

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
    group = 1
    while not all(BoostingScheme(H, eta=eta, group=group)._groups(S) for S in realizable):
        group += 1
    return group


def _vc_bound(family: Family) -> int:
    known = family.known.get("vc")
    if known is not None and isinstance(known.value, int):
        return known.value
    if isinstance(family, FiniteClass):
        return vc_dimension(family)
    what = "unknown" if known is None else "infinite"
    raise InvalidInput("vc_dimension", f"a class whose VC dimension is {what}", "a bound on it")
