"""Schemes for every class of small dimension, and for samples that no hypothesis fits.

Finite Littlestone dimension: the mistakes of the standard optimal algorithm rebuild its hypothesis.
Maximum classes: as many examples as the VC dimension (Floyd & Warmuth 1995). A random subsample,
with the best hypothesis on it, compresses approximately (CLNRW16, Remark 15). A scheme for
realizable samples becomes one of the same size for all samples. Boosting, finally: every class of
finite VC dimension d, in O(d log n) examples; in each round few examples teach a hypothesis of
small weighted error, and integer arithmetic decides how many rounds and how many examples.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain, combinations, count, cycle, repeat
from typing import ClassVar, TypeVar, overload

import numpy as np
import numpy.typing as npt

from pac_stability import classes, dimensions
from pac_stability.arguments import AnyNumber, as_number, as_size, described, in_words
from pac_stability.arithmetic import least_integer
from pac_stability.classes import (
    Family,
    FiniteClass,
    Hypothesis,
    finite_class,
    least_errors,
    validation,
)
from pac_stability.classes.bits import columns_of
from pac_stability.classes.family import require_inhabited, require_patterns
from pac_stability.compression.scheme import (
    CompressionScheme,
    H_co,
    ImproperScheme,
    OfOneFamily,
    ProperScheme,
    Selection,
    require_kept,
    subsample,
)
from pac_stability.data import (
    Example,
    FiniteDistribution,
    Multiset,
    Sample,
    all_examples,
    distribution,
    multisets,
)
from pac_stability.data.sample import require_sample
from pac_stability.dimensions import sauer_shelah_bound, vc_dimension
from pac_stability.errors import BudgetExhausted, InvalidInput, NotRealizable, Unanswerable
from pac_stability.online import StandardOptimalAlgorithm
from pac_stability.randomness import SYSTEM_COINS, Coins


class LittlestoneScheme(ImproperScheme[classes.Hypothesis]):
    """Keep the mistakes of the standard optimal algorithm (SOA) on a realizable sample.

    The SOA passes through the sample repeatedly and learns only from the examples that it gets
    wrong, until it gets none wrong. There are at most Ldim(H) of these. Feeding them to a new SOA,
    in their order, brings it to the same state. Its predictions are the hypothesis, which may be
    outside H. Copies of the last mistake, or of the first example when there was none, fill the
    remaining places: the SOA gets them right and does not change.

    Parameters
    ----------
    H
        The class, not empty: a table, or an implicit class (:mod:`pac_stability.classes.implicit`).
    max_memory
        Bytes that the search for Littlestone dimensions may use; ``None`` for no limit.

    Raises
    ------
    InvalidInput
        The class is empty; on use, a point is not of its domain.
    NotRealizable
        On use: no hypothesis of the class fits the examples.
    BudgetExhausted
        Here and on use: ``max_memory`` is too small.

    Notes
    -----
    The hypothesis is a :class:`~pac_stability.classes.FiniteSet`: the points of the domain that it
    labels 1; without a table, a :class:`~pac_stability.classes.implicit.Labelling`. It passes
    through a sample of n examples at most Ldim(H) + 1 times. A scheme keeps the results of its
    search for dimensions, so it belongs to one thread.

    The scheme is the classical one from a mistake-bounded learner [Floyd & Warmuth 1995].

    Examples
    --------
    >>> from pac_stability.classes import singletons
    >>> scheme = LittlestoneScheme(singletons(4))
    >>> S = Sample([0, 2, 3, 0], [0, 0, 1, 0])
    >>> scheme.size(len(S)), scheme.compress(S), scheme.run(S)
    (1, (2,), FiniteSet(points=frozenset({3})))
    >>> scheme.run(S[:2])  # no singleton at all
    FiniteSet(points=frozenset())
    """

    agnostic: ClassVar[bool] = False

    def __init__(
        self, H: classes.FiniteClass | classes.ImplicitClass, *, max_memory: int | None = None
    ) -> None:
        self._H = H
        self._max_memory = max_memory
        self._search: dimensions.LittlestoneSearch | None = None
        if isinstance(H, classes.ImplicitClass):
            self._size = max(1, H.dimension(H.whole))
            return
        require_inhabited(H)
        self._search = dimensions.LittlestoneSearch(H, max_memory)
        self._search.advance()
        self._size = max(1, self._search.lower)

    def _parameters(self) -> object:
        return self._H, self._max_memory

    def __reduce__(self) -> tuple[object, ...]:
        # The search is made again: what it remembers belongs to one thread.
        return partial(type(self), max_memory=self._max_memory), (self._H,)

    @property
    def family(self) -> classes.Family:
        """The class H.

        It raises ``Unanswerable`` for a class without a table, which does not list its patterns.
        """
        if isinstance(self._H, classes.ImplicitClass):
            raise Unanswerable(f"the patterns of {self._H!r}", "it answers without a list of them")
        return self._H

    def __hash__(self) -> int:
        return hash((type(self), self._H))

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other)

    def size(self, n: int) -> int:  # noqa: ARG002  # the same for every n
        """Return Ldim(H), or 1 when that is 0."""
        return self._size

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        self._require_realizable(sample)
        soa = StandardOptimalAlgorithm(self._H, search=self._search)
        mistakes: list[int] = []
        right = 0
        for index in cycle(range(len(sample))):
            example = sample[index]
            if soa.predict(example.point) == example.label:
                right += 1
            else:
                soa.update(example.point, example.label)
                mistakes.append(index)
                right = 0
            if right == len(sample):
                break
        padding = mistakes[-1] if mistakes else 0
        return (*mistakes, *[padding] * (self._size - len(mistakes)))

    def reconstruct(self, kept: Sample[Hashable], /) -> classes.FiniteSet | finite_class.Mask:
        """Return the predictions of the SOA after its mistakes among the kept examples.

        Raises
        ------
        InvalidInput
            There are no examples, or a point is not of the domain.
        NotRealizable
            No hypothesis of the class fits the examples.
        """
        require_sample(kept, 1, "kept")
        self._require_realizable(kept)
        soa = StandardOptimalAlgorithm(self._H, search=self._search)
        for example in kept:
            if soa.predict(example.point) != example.label:
                soa.update(example.point, example.label)
        if isinstance(self._H, classes.ImplicitClass):
            return soa.labelling()
        labels = soa.hypothesis().tolist()
        return classes.FiniteSet(
            frozenset(x for x, y in zip(self._H.domain, labels, strict=True) if y)
        )

    def _require_realizable(self, sample: Sample[Hashable]) -> None:
        spaces = dimensions.version_spaces(self._H)
        space = spaces.whole
        for example in sample:
            space = spaces.part(space, spaces.column(example.point), example.label)
        if not space:
            raise NotRealizable(f"no hypothesis of the class fits {described(sample)}")


# Maximum classes


class MaximumClassScheme(OfOneFamily[classes.FiniteClass], ProperScheme[classes.Row]):
    """A maximum class of VC dimension d, from d examples of a realizable sample.

    A class of VC dimension d on m points is *maximum* when it has as many hypotheses as Sauer's
    lemma allows, ``sum_{i <= d} C(m, i)``: the sets of at most d points, say, or the unions of at
    most k intervals of ``0, ..., m - 1``.

    A *cube* with directions A is a set of 2^|A| hypotheses that differ on A only, in all possible
    ways. A maximum class has exactly one cube for each set A of d points. The scheme keeps examples
    at the directions of a cube, among the points of the sample, that contains the labels of the
    sample. It rebuilds the hypothesis with these labels in the cube with these directions in the
    whole class. It keeps samples of fewer than d points whole, with one example repeated, and
    rebuilds the first hypothesis that fits.

    Parameters
    ----------
    H
        A maximum class on a finite domain.

    Raises
    ------
    InvalidInput
        The class is not maximum.

    Notes
    -----
    The restriction of a maximum class to at least d points is maximum, of the same dimension (Welzl
    1987). Let A be the kept points. The cube with directions A in the class, restricted to the
    points of the sample, is a cube with directions A there, and there is only one: the one that
    holds the labels of the sample. So the rebuilt hypothesis fits the sample.

    That every hypothesis h of a maximum class on at least d points lies in a cube of d directions
    is a theorem of Floyd & Warmuth (1995). On d points the class is the cube. On more, leave out a
    point x. By induction the restriction of h lies in a cube without x, and this is the restriction
    of the cube with the same directions in the class, where x has one label. If it is h(x), then h
    is in that cube. If not, the restriction of h extends in the class by both labels of x. All such
    restrictions form a maximum class of dimension d - 1; there it lies in a cube, and x is one
    further direction.

    Keeping takes ``O(|H| m)`` and at most ``C(b, d) 2^d`` look-ups, where b points of the sample
    can change their label alone; rebuilding takes ``O(|H| m)``.

    It compresses only realizable samples: :func:`~pac_stability.compression.agnostic` does the
    others. Size in the sense of CLNRW16, Definition 14.

    Examples
    --------
    >>> from pac_stability.classes import subsets
    >>> scheme = MaximumClassScheme(subsets(6, 2))
    >>> S = Sample([0, 1, 2, 3, 4], [0, 1, 0, 0, 0])
    >>> scheme.size(len(S)), scheme.compress(S), S.loss(scheme.run(S))
    (2, (0, 1), Fraction(0, 1))
    """

    agnostic = False
    selection = Selection.MULTISET

    def __init__(self, H: classes.FiniteClass) -> None:
        require_inhabited(H)
        self._family = H
        self._size = dimensions.vc_dimension(H)
        m = len(H.domain)
        most = dimensions.sauer_shelah_bound(m, self._size)
        if len(H) < most:
            given = f"{len(H)} hypotheses of VC dimension {self._size} on {m} points"
            raise InvalidInput("H", given, f"a maximum class: {most} of them, Sauer's number")

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        examples = dict.fromkeys(zip(sample.points, sample.labels, strict=True))
        first = {point: sample.points.index(point) for point, _ in examples}
        if len(first) < len(examples):
            raise NotRealizable("a point of the sample has both labels")
        patterns = frozenset(columns_of(self._family.restrict(first).table.T))
        labels = sum(label << place for place, (_, label) in enumerate(examples))
        if labels not in patterns:
            raise NotRealizable("no hypothesis of the class fits the sample")
        indices = tuple(first.values())
        if len(indices) < self._size:
            return indices + indices[-1:] * (self._size - len(indices))
        free = [place for place in range(len(indices)) if labels ^ 1 << place in patterns]
        directions = next(
            chosen
            for chosen in combinations(free, self._size)
            if all(labels ^ flipped in patterns for flipped in _sums(chosen))
        )
        return tuple(indices[place] for place in directions)

    def reconstruct(self, kept: Sample[Hashable], /) -> classes.Row:
        """Return the hypothesis of the cube at the kept points that has their labels.

        Raises
        ------
        InvalidInput
            There are not d examples, or a point is not in the domain.
        NotRealizable
            No hypothesis has these labels.
        """
        require_kept(kept, self._size)
        columns = [self._family.column(point) for point in kept.points]
        fitting = np.flatnonzero((self._family.table[:, columns] == kept.labels).all(axis=1))
        if not len(fitting):
            raise NotRealizable("no hypothesis of the class has the labels of what was kept")
        if len(set(columns)) < self._size:
            return self._family[int(fitting[0])]
        elsewhere = columns_of(np.delete(self._family.table, columns, axis=1).T)
        times = Counter(elsewhere)
        return self._family[max(fitting.tolist(), key=lambda row: times[elsewhere[row]])]


def _sums(places: Iterable[int]) -> list[int]:
    """Return every set of these bits."""
    sums = [0]
    for place in places:
        sums += [bits | 1 << place for bits in sums]
    return sums


# A subsample

MAX_SUBSAMPLES = 100_000
"""Different subsamples of which a law is made, at most."""


class ApproximateScheme(CompressionScheme[H_co]):
    """A scheme with a hypothesis in the class that may make more errors than necessary.

    It keeps examples and rebuilds a hypothesis from them alone, as in Definition 14, so the bounds
    on generalization hold for it. It only drops the promise of the fewest errors.
    """


class SubsamplingScheme(OfOneFamily[classes.Family], ApproximateScheme[classes.Hypothesis]):
    """Keep a random subsample; rebuild a hypothesis with the fewest errors on it.

    It draws the k examples without replacement and independently of their values: all k-element
    sets of indices are equally probable. It keeps a sample of at most k examples whole. The
    hypothesis is that of :func:`~pac_stability.classes.least_errors`.

    Parameters
    ----------
    family
        The class H, not empty.
    k
        The number of examples to keep, at least 1.

    Raises
    ------
    InvalidInput
        ``k`` is not such an integer; on use, the sample or the class is empty, or a point is not of
        its domain.

    Notes
    -----
    When k is of the order ``d / e^2`` for the VC dimension d, the subsample is likely to be an
    e-approximation: the loss of every hypothesis on it is within e of its loss on the sample. Then
    the hypothesis errs at most 2e more than the best. CLNRW16, Remarks 15 and 27; as the indices
    are chosen independently of the examples, no union bound over them is needed.

    Examples
    --------
    >>> from pac_stability.classes import Thresholds
    >>> scheme = SubsamplingScheme(Thresholds(), 2)
    >>> scheme.law(Sample([1, 2, 3], [0, 1, 1])).map(lambda h: h.cut)
    FiniteDistribution({2: 2/3, 3: 1/3})
    """

    symmetric: ClassVar[bool] = True
    selection: Selection = Selection.OBLIVIOUS

    def __init__(self, family: classes.Family, k: int) -> None:
        require_patterns(family, "family")
        self._family = family
        self._k = as_size(k, "k", least=1)

    def size(self, n: int) -> int:
        """Return k, or n when that is less."""
        return min(as_size(n, "n"), self._k)

    def compress(self, sample: Sample[Hashable], rng: Coins = SYSTEM_COINS) -> tuple[int, ...]:
        """Return the indices of the subsample, increasing.

        Parameters
        ----------
        sample
            The n examples, at least one.
        rng
            The source of coins; by default the operating system's entropy.

        Raises
        ------
        InvalidInput
            The sample is empty.
        """
        n = _length(sample)
        chosen: set[int] = set()
        # Floyd's method: each set is as probable as any other, and no candidate is thrown away.
        for last in range(n - self.size(n), n):
            index = rng.below(last + 1)
            chosen.add(last if index in chosen else index)
        return tuple(sorted(chosen))

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        return self.compress(sample)

    def reconstruct(self, kept: Sample[Hashable], /) -> classes.Hypothesis:
        """Return the first of the hypotheses that err least on the kept examples."""
        require_sample(kept, 1, "kept")
        return classes.least_errors(self._family, kept)[0]

    def law(self, sample: Sample[Hashable], /) -> FiniteDistribution[classes.Hypothesis]:
        """Return the exact law of the hypothesis.

        Parameters
        ----------
        sample
            S.

        Raises
        ------
        InvalidInput
            As for :meth:`compress` and :meth:`reconstruct`.
        BudgetExhausted
            There are more than :data:`MAX_SUBSAMPLES` different subsamples.

        Notes
        -----
        It enumerates the subsamples up to the order of their examples: a multiset with t_i of the
        c_i copies of each example comes from ``prod C(c_i, t_i)`` sets of indices.
        """
        kept = self.size(_length(sample))
        examples, copies = zip(*Multiset.of(sample).items(), strict=True)
        if _count_parts(copies, kept) > MAX_SUBSAMPLES:
            raise BudgetExhausted(f"more than {MAX_SUBSAMPLES} different subsamples of {kept}")
        weights: dict[classes.Hypothesis, int] = {}
        for taken in _parts(copies, kept):
            h = self.reconstruct(_sample_of(examples, taken))
            weights[h] = weights.get(h, 0) + math.prod(map(math.comb, copies, taken))
        return distribution.reduced_law(weights)


def _parts(copies: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """List the multiplicities, each at most the number of copies, that sum to a size."""
    if not copies:
        if size == 0:
            yield ()
        return
    first, *rest = copies
    for taken in range(max(0, size - sum(rest)), min(first, size) + 1):
        for others in _parts(rest, size - taken):
            yield (taken, *others)


def _count_parts(copies: Sequence[int], size: int) -> int:
    """Count what :func:`_parts` lists: a coefficient of ``prod (1 + x + ... + x^c)``."""
    counts = [1] + [0] * size
    for most in copies:
        counts = [sum(counts[max(0, total - most) : total + 1]) for total in range(size + 1)]
    return counts[size]


def _sample_of(examples: Sequence[Example[Hashable]], taken: Sequence[int]) -> Sample[Hashable]:
    return Sample.from_examples(chain.from_iterable(map(repeat, examples, taken)))


def _length(sample: Sample[Hashable]) -> int:
    require_sample(sample, 1, "sample")
    return len(sample)


# From realizable samples to all samples

H = TypeVar("H", bound=classes.Hypothesis)


@overload
def agnostic(scheme: ProperScheme[H]) -> ProperScheme[H]: ...
@overload
def agnostic(scheme: ImproperScheme[H]) -> ImproperScheme[H]: ...
def agnostic(scheme: CompressionScheme[H]) -> CompressionScheme[H]:
    """Return a scheme that compresses every sample, from one for realizable samples.

    It finds a hypothesis of the class with the fewest errors and compresses the examples that this
    hypothesis gets right. They are realizable, and a hypothesis that fits them makes no more errors
    on the whole sample. Proper schemes stay proper.

    Parameters
    ----------
    scheme
        A proper or an improper scheme. A scheme that already compresses every sample is returned
        unchanged.

    Returns
    -------
    ProperScheme or ImproperScheme
        Of the same class and the same size.

    Raises
    ------
    InvalidInput
        It is not such a scheme.

    Notes
    -----
    The inner scheme again gets a sample of n examples, with copies of the first right one in place
    of the wrong ones, so that it keeps ``size(n)`` examples. If the best hypothesis is wrong on
    every example, so is every hypothesis: no h has h(x) = y for any example (x, y) of the sample.
    Then the scheme keeps copies of the first example. No realizable sample contains it, which marks
    the case, and the hypothesis rebuilt from as many copies of (x, 1 - y) will do.

    The additional cost is that of :func:`~pac_stability.classes.least_errors`. David, Moran &
    Yehudayoff (2016) state the reduction; size in the sense of CLNRW16, Definition 14.

    Examples
    --------
    >>> from pac_stability.classes import subsets
    >>> from pac_stability.compression.any_class import MaximumClassScheme
    >>> scheme = agnostic(MaximumClassScheme(subsets(4, 1)))
    >>> S = Sample([0, 1, 2, 2], [1, 1, 0, 1])
    >>> scheme.compress(S), S.count_errors(scheme.run(S))
    ((0,), 2)
    """
    if not isinstance(scheme, ProperScheme | ImproperScheme):
        raise InvalidInput("scheme", described(scheme), "a ProperScheme or an ImproperScheme")
    if scheme.agnostic:
        return scheme
    if isinstance(scheme, ProperScheme):
        return _AgnosticProper(scheme)
    return _AgnosticImproper(scheme)


class _Agnostic(CompressionScheme[H_co]):
    """What both kinds share."""

    def __init__(self, scheme: CompressionScheme[H_co]) -> None:
        self.scheme = scheme
        # Repetitions come in, and the examples decide which are right.
        orderless = scheme.selection in (Selection.MULTISET, Selection.SUBSET)
        self.selection = Selection.MULTISET if orderless else Selection.SEQUENCE

    @property
    def family(self) -> classes.Family:
        """The class."""
        return self.scheme.family

    def size(self, n: int) -> int:
        return self.scheme.size(n)

    def _right(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        """Return n indices of examples that a best hypothesis gets right; none if there are not.

        Parameters
        ----------
        sample
            S.
        """
        best, _ = classes.least_errors(self.family, sample)
        examples = zip(sample.points, sample.labels, strict=True)
        right = [index for index, (point, label) in enumerate(examples) if best(point) == label]
        return tuple(right + right[:1] * (len(sample) - len(right))) if right else ()

    def compress(self, sample: Sample[Hashable], rng: Coins = SYSTEM_COINS) -> tuple[int, ...]:
        require_sample(sample, 1, "sample")
        right = self._right(sample)
        if not right:
            return (0,) * self.size(len(sample))
        return tuple(right[i] for i in self.scheme.compress(subsample(sample, right), rng))

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        return self.compress(sample)

    def law(self, sample: Sample[Hashable], /) -> FiniteDistribution[H_co]:
        require_sample(sample, 1, "sample")
        right = self._right(sample)
        if right:
            return self.scheme.law(subsample(sample, right))
        return FiniteDistribution.point_mass(self.run(sample))

    def reconstruct(self, kept: Sample[Hashable], /) -> H_co:
        """Return the hypothesis rebuilt from the kept examples."""
        require_sample(kept, 0, "kept")
        if len(set(kept)) == 1:
            point, label = kept.points[0], kept.labels[0]
            if label not in self.family.restrict([point]).table:
                return self.scheme.reconstruct(Sample(kept.points, [1 - label] * len(kept)))
        return self.scheme.reconstruct(kept)


class _AgnosticProper(_Agnostic[H_co], ProperScheme[H_co]):
    """Proper, as the scheme that it is made of."""


class _AgnosticImproper(_Agnostic[H_co], ImproperScheme[H_co]):
    """Improper, as the scheme that it is made of."""


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
        """Return T(n): :func:`~pac_stability.compression.any_class.boosting_rounds`.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return boosting_rounds(n, self._eta)

    def group_size(self, n: int) -> int:
        """Return m(n), the number of examples of a group.

        By default :func:`~pac_stability.compression.any_class.counting_group` of the largest number
        of patterns on n points that the VC dimension allows, or, for many millions of examples,
        :func:`~pac_stability.compression.any_class.net_group`.

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
    and ends at :func:`~pac_stability.compression.any_class.counting_group` at the latest.

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
