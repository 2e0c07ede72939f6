"""Compression schemes (CLNRW16, Definition 14): keep k examples, rebuild a hypothesis from them.

A scheme declares how it may choose the kept examples. The generalization bounds of compression are
union bounds over the choices, so fewer choices give a better bound. :func:`check_scheme` decides
whether a scheme is one, on every sample of a finite domain.
"""

from __future__ import annotations

import math
import operator
from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import comb
from typing import ClassVar, Generic, TypeVar

import numpy as np

from pac_stability._report import Tabled
from pac_stability.arguments import as_size, require_instance
from pac_stability.classes import Family, Hypothesis
from pac_stability.data import Example, FiniteDistribution, Sample, all_examples, enumerate_paths
from pac_stability.data.sample import require_sample
from pac_stability.errors import BudgetExhausted, InvalidInput
from pac_stability.learning import LawfulLearner
from pac_stability.randomness import SYSTEM_COINS, Coins


class Selection(Enum):
    """The kinds of selection of indices, from the least to the most restrictive."""

    SEQUENCE = "sequence"
    """Any sequence of indices, repetitions allowed: n**k. CLNRW16, Definition 14."""

    DISTINCT = "distinct"
    """A sequence of distinct indices: n! / (n - k)!."""

    MULTISET = "multiset"
    """The hypothesis does not depend on the order of what is kept: C(n + k - 1, k)."""

    SUBSET = "subset"
    """Distinct indices, in an order that does not matter: C(n, k)."""

    OBLIVIOUS = "oblivious"
    """The indices are chosen without looking at the examples: no union bound is needed, 1."""

    def count(self, n: int, k: int) -> int:
        """Return how many selections of k examples out of n there are.

        Parameters
        ----------
        n
            Sample size, at least 1.
        k
            Number of examples kept, at least 0.

        Returns
        -------
        int
            0 when k distinct indices are wanted and k exceeds n.

        Raises
        ------
        InvalidInput
            ``n`` or ``k`` is not such an integer.

        Examples
        --------
        >>> {kind.value: kind.count(10, 2) for kind in Selection}
        {'sequence': 100, 'distinct': 90, 'multiset': 55, 'subset': 45, 'oblivious': 1}
        """
        size, kept = as_size(n, "n", least=1), as_size(k, "k", least=0)
        match self:
            case Selection.SEQUENCE:
                return int(size**kept)
            case Selection.DISTINCT:
                return math.perm(size, kept)
            case Selection.MULTISET:
                return math.comb(size + kept - 1, kept)
            case Selection.SUBSET:
                return math.comb(size, kept)
            case Selection.OBLIVIOUS:
                return 1

    def counts(self, n: int, k: int) -> Iterator[int]:
        """Yield how many selections of 0, 1, ..., k examples out of n there are.

        Each is computed from the one before.

        Parameters
        ----------
        n
            Sample size, at least 1.
        k
            The largest number of examples kept, at least 0.

        Raises
        ------
        InvalidInput
            ``n`` or ``k`` is not such an integer.

        Examples
        --------
        >>> list(Selection.SUBSET.counts(4, 5))
        [1, 4, 6, 4, 1, 0]
        """
        size, most = as_size(n, "n", least=1), as_size(k, "k", least=0)
        count = 1
        for kept in range(most + 1):
            yield count
            match self:
                case Selection.SEQUENCE:
                    count *= size
                case Selection.DISTINCT:
                    count *= size - kept
                case Selection.MULTISET:
                    count = count * (size + kept) // (kept + 1)
                case Selection.SUBSET:
                    count = count * (size - kept) // (kept + 1)


# Checks of what comes in, and looking for examples to keep


def require_kept(kept: Sample[Hashable], size: int) -> None:
    """Raise :class:`InvalidInput` unless it is a sample of as many examples as the scheme keeps."""
    require_instance(kept, Sample, "kept", "a Sample of the kept examples")
    if len(kept) != size:
        raise InvalidInput("kept", f"{len(kept)} examples", f"{size}, as many as are kept")


# Schemes

H_co = TypeVar("H_co", bound=Hypothesis, covariant=True)
F_co = TypeVar("F_co", bound=Family, covariant=True)


class CompressionScheme(LawfulLearner[Hashable], Generic[H_co]):
    """A pair (A, B): A keeps examples of a sample, B rebuilds a hypothesis from them alone.

    On every sample of n examples A names exactly ``size(n)`` *indices* of the sample, in an order
    that B may use, possibly with repetitions. B sees only the kept examples, in that order: neither
    the other examples nor the indices nor n. The hypothesis then makes as few errors on the sample
    as any member of the family.

    A subclass is a :class:`ProperScheme`, an :class:`ImproperScheme`, or an
    :class:`~pac_stability.compression.ApproximateScheme`, which alone may make more errors. It
    defines :meth:`size`, :meth:`_compress` and :meth:`reconstruct`. A scheme is a
    :class:`pac_stability.learning.Learner`.

    Attributes
    ----------
    agnostic
        Whether it compresses every sample, as Definition 14 requires, or only those that some
        hypothesis of the family fits.
    selection
        The kind of selection; more restrictive kinds have better bounds.
    """

    agnostic: ClassVar[bool] = True
    selection: Selection = Selection.SEQUENCE

    @property
    @abstractmethod
    def family(self) -> Family:
        """The class H to compete with."""

    @abstractmethod
    def size(self, n: int) -> int:
        """Return k(n), the number of examples kept out of n: it depends on n alone.

        Parameters
        ----------
        n
            The size of the samples.
        """

    @abstractmethod
    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        """Name the indices to keep of a sample that is not empty.

        Parameters
        ----------
        sample
            S.
        """

    @abstractmethod
    def reconstruct(self, kept: Sample[Hashable], /) -> H_co:
        """Return the hypothesis rebuilt from the kept examples (B in the paper)."""

    def compress(
        self,
        sample: Sample[Hashable],
        rng: Coins = SYSTEM_COINS,  # noqa: ARG002  # randomised schemes toss them
    ) -> tuple[int, ...]:
        """Return the indices of the examples to keep (A in the paper).

        Parameters
        ----------
        sample
            The n examples, at least one.
        rng
            Coins, for the schemes that use any.

        Returns
        -------
        tuple of int
            ``size(n)`` indices from 0 to n - 1.

        Raises
        ------
        InvalidInput
            It is not a sample, it is empty, or a point is not of the domain.
        NotRealizable
            The scheme is not agnostic and no hypothesis fits the sample.
        """
        require_sample(sample, 1, "sample")
        return self._compress(sample)

    def _parameters(self) -> object:
        """What makes two schemes of one type equal: all that they were made of."""
        return vars(self)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._parameters() == other._parameters()

    def __hash__(self) -> int:
        return hash((type(self), self.family))

    def keep(self, sample: Sample[Hashable], rng: Coins = SYSTEM_COINS) -> Sample[Hashable]:
        """Return the kept examples themselves, in the order of :meth:`compress`.

        Parameters
        ----------
        sample
            S.
        rng
            The source of coins; by default the operating system's entropy.
        """
        return subsample(sample, self.compress(sample, rng))

    def run(self, sample: Sample[Hashable], /, rng: Coins = SYSTEM_COINS) -> H_co:
        """Return the hypothesis of the scheme on a sample: B(A(S)).

        Parameters
        ----------
        sample
            S.
        rng
            The source of coins; by default the operating system's entropy.
        """
        return self.reconstruct(self.keep(sample, rng))

    def law(self, sample: Sample[Hashable], /) -> FiniteDistribution[H_co]:
        """Return the law of the hypothesis; without coins it is a point mass.

        Parameters
        ----------
        sample
            S.
        """
        return FiniteDistribution.point_mass(self.run(sample))


class OfOneFamily(Generic[F_co]):
    """What a scheme is for, and how many examples it keeps: as many of every sample, mostly."""

    _family: F_co
    _size: int

    @property
    def family(self) -> F_co:
        """The class that the scheme is for."""
        return self._family

    def size(self, n: int) -> int:  # noqa: ARG002  # the same for every n
        """Return the number of kept examples.

        Parameters
        ----------
        n
            The number of examples, any.
        """
        return self._size


class ProperScheme(CompressionScheme[H_co]):
    """A compression scheme with hypotheses in its class, as Definition 14 requires."""


class ImproperScheme(CompressionScheme[H_co]):
    """A compression scheme that may rebuild hypotheses from outside its class."""


def subsample(sample: Sample[Hashable], indices: tuple[int, ...]) -> Sample[Hashable]:
    """Return the examples of a sample at the given indices, in that order.

    Parameters
    ----------
    sample
        The n examples.
    indices
        Each from 0 to n - 1, repetitions allowed.

    Raises
    ------
    InvalidInput
        An index is out of range.

    Examples
    --------
    >>> subsample(Sample("abc", [0, 1, 1]), (2, 0, 2))
    Sample(points=('c', 'a', 'c'), labels=(1, 0, 1))
    """
    require_sample(sample, 0, "sample")
    for index in indices:
        if as_size(index, "indices", least=0) >= len(sample):
            raise InvalidInput("indices", str(index), f"indices below {len(sample)}")
    return Sample.from_examples(sample[index] for index in indices)


# Whether a scheme is one

MAX_SAMPLES = 10**6
"""Samples that are examined unless more are asked for."""

Labels = tuple[int, ...]
"""What a hypothesis says of each point of the domain."""

Indices = tuple[int, ...]

Chosen = tuple[int, ...]
"""Examples by their numbers."""


class Problem(Enum):
    """What can be wrong with a scheme."""

    RAISED = "the scheme raised an exception"
    SIZE = "it does not keep as many examples as its size says"
    RANGE = "an index is outside the sample"
    LABELS = "the hypothesis does not label every point 0 or 1"
    ERRORS = "a hypothesis of the class makes fewer errors"
    IMPROPER = "the hypothesis is not in the class"
    REPEATED = "an index is kept twice, although the selection says that they are distinct"
    ORDER = "the hypothesis depends on the order of what is kept, although the selection denies it"
    OBSERVANT = "the indices depend on the examples, although the selection denies it"
    MEMORY = "the same kept examples give different hypotheses"


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A sample on which a scheme fails.

    Attributes
    ----------
    sample
        It has the fewest examples, and is the first such in the order of the domain.
    problem
        What is wrong.
    detail
        The same in numbers.
    indices
        The kept examples, if the scheme came so far.
    """

    sample: Sample[Hashable]
    problem: Problem
    detail: str
    indices: Indices | None = None

    def __str__(self) -> str:
        return f"{self.problem.value}: {self.detail}, on {self.sample!r}"


@dataclass(frozen=True, slots=True, repr=False)
class SchemeCheck(Tabled):
    """What :func:`check_scheme` found.

    Attributes
    ----------
    examined
        How many samples of each length were examined, at least one in all.
    failing
        The number of samples on which the scheme fails.
    counterexample
        The smallest of these.
    """

    examined: dict[int, int]
    failing: dict[int, int]
    counterexample: Counterexample | None

    @property
    def valid(self) -> bool:
        """Whether the scheme fails on no examined sample."""
        return self.counterexample is None


def check_scheme(
    scheme: CompressionScheme[Hypothesis],
    domain: Iterable[Hashable],
    n: int,
    *,
    symmetric: bool = False,
    max_samples: int = MAX_SAMPLES,
) -> SchemeCheck:
    """Check a compression scheme on every sample of 1 to n examples over a finite domain.

    For each sample, and each outcome of the coins if the scheme tosses any: exactly ``size``
    indices are kept, each in range; the hypothesis rebuilt makes as few errors as any of the class;
    when the scheme is proper, some hypothesis of the class has its labels on the whole domain; and
    the scheme's ``selection`` is true. For a scheme that is not agnostic, it examines only the
    realizable samples.

    Parameters
    ----------
    scheme
        The scheme.
    domain
        Distinct points of the domain of its class; they occur in the samples with both labels.
    n
        Largest number of examples, at least 1.
    symmetric
        Examine one ordering of each multiset of examples only. This proves nothing about the other
        orderings, unless the hypothesis does not depend on the order of the sample.
    max_samples
        The most samples to examine.

    Returns
    -------
    SchemeCheck

    Raises
    ------
    InvalidInput
        The domain is empty, a point is repeated or not of the domain of the class, the class is
        empty, or there are too many samples.
    BudgetExhausted
        The scheme gave up, or has too many outcomes of its coins, which
        :func:`pac_stability.data.enumerate_paths` enumerates.

    Notes
    -----
    It calls B once for each sequence of kept examples and uses the result for every sample that
    keeps it again, so B cannot use anything else that it may remember. For m points there are
    ``(2m)^i`` samples of i examples, ``C(2m + i - 1, i)`` up to order. A sample takes some 25
    microseconds plus the scheme's own time. Counting errors takes ``O(P i)`` for P patterns, once
    for each multiset. If the order of the k kept examples must not matter, it tries all ``k!``
    orders, once for each multiset of them.

    Examples
    --------
    >>> from pac_stability.compression.geometric import ThresholdScheme
    >>> check_scheme(ThresholdScheme(), range(3), 3)
    <SchemeCheck: examined 1: 6, 2: 36, 3: 216, failing 1: 0, 2: 0, 3: 0, counterexample none>
    >>> class Forgetful(ThresholdScheme):
    ...     def _compress(self, sample):
    ...         return (0,)
    >>> found = check_scheme(Forgetful(), range(3), 3)
    >>> found.failing
    {1: 0, 2: 6, 3: 74}
    >>> found.counterexample.sample, found.counterexample.detail
    (Sample(points=(0, 1), labels=(0, 0)), 'errors: 1, where 0 would do')
    """
    require_instance(scheme, CompressionScheme, "scheme")
    examples = all_examples(domain)
    if not examples:
        raise InvalidInput("domain", "no points", "at least one point")
    longest = as_size(n, "n", least=1)
    kinds = len(examples)
    _require_few(kinds, longest, symmetric, as_size(max_samples, "max_samples", least=1))
    check = _Check(scheme, examples)
    examined: dict[int, int] = {}
    failing: dict[int, int] = {}
    smallest = None
    for length in range(1, longest + 1):
        examined[length] = failing[length] = 0
        each_kind = range(kinds)
        orderings = product(each_kind, repeat=length)
        for chosen in combinations_with_replacement(each_kind, length) if symmetric else orderings:
            least = check.least_errors(chosen)
            if least > 0 and not scheme.agnostic:
                continue
            examined[length] += 1
            failure = check.failure(chosen, least)
            if failure is not None:
                failing[length] += 1
                smallest = smallest or failure
    if not any(examined.values()):
        raise InvalidInput("scheme", "no realizable sample", "at least one sample to examine")
    return SchemeCheck(examined, failing, smallest)


def _require_few(kinds: int, longest: int, symmetric: bool, most: int) -> None:
    """Refuse more samples than the caller has time for."""
    count = 0
    for length in range(1, longest + 1):
        count += comb(kinds + length - 1, length) if symmetric else kinds**length
        if count > most:
            given = f"{count} samples of at most {length} examples"
            raise InvalidInput("n", given, f"at most {most}, the limit of max_samples")


class _Failure(Exception):
    """A problem with the sample that is examined."""

    def __init__(self, problem: Problem, detail: str) -> None:
        super().__init__(problem, detail)
        self.problem = problem
        self.detail = detail


class _Check:
    """A scheme, the patterns of its class on the domain, and what B was seen to make of what.

    Samples and kept examples are tuples of numbers of examples: 2i for the i-th point with the
    label 0, and 2i + 1 with the label 1.
    """

    def __init__(
        self, scheme: CompressionScheme[Hypothesis], examples: tuple[Example[Hashable], ...]
    ) -> None:
        self._scheme = scheme
        self._examples = examples
        self._points = [example.point for example in examples[::2]]
        table = scheme.family.restrict(self._points).table
        if not len(table):
            raise InvalidInput("scheme", "a scheme for the empty class", "at least one hypothesis")
        self._patterns = set(map(tuple, table.tolist()))
        self._wrong = np.repeat(table, 2, axis=1) != np.tile([0, 1], len(self._points))
        self._least: dict[Chosen, int] = {}
        self._rebuilt: dict[Chosen, Labels] = {}
        self._orderless: set[Chosen] = set()
        self._laws: dict[int, dict[Indices, Fraction]] = {}

    def least_errors(self, chosen: Chosen) -> int:
        """Return the fewest errors of the class on a sample."""
        multiset = tuple(sorted(chosen))
        if multiset not in self._least:
            errors = self._wrong[:, list(multiset)].sum(axis=1, dtype=np.int64)
            self._least[multiset] = int(errors.min())
        return self._least[multiset]

    def failure(self, chosen: Chosen, least: int) -> Counterexample | None:
        """Examine one sample."""
        sample = Sample.from_examples(self._examples[i] for i in chosen)
        indices = None
        try:
            law = self._law(sample)
            for indices in law:
                self._examine(chosen, indices, least)
            if self._scheme.selection is Selection.OBLIVIOUS:
                expected = self._laws.setdefault(len(chosen), law)
                if law != expected:
                    raise _Failure(
                        Problem.OBSERVANT, f"{_shown(law)} here and {_shown(expected)} elsewhere"
                    )
        except _Failure as failure:
            return Counterexample(sample, failure.problem, failure.detail, indices)
        return None

    def _law(self, sample: Sample[Hashable]) -> dict[Indices, Fraction]:
        """Return the probability of each outcome of A."""
        law: dict[Indices, Fraction] = {}
        try:
            for path in enumerate_paths(lambda rng: self._scheme.compress(sample, rng)):
                indices = tuple(map(operator.index, path.outcome))
                law[indices] = law.get(indices, Fraction(0)) + path.probability
        except BudgetExhausted:
            raise
        except Exception as error:  # a stranger's scheme may raise anything
            raise _Failure(Problem.RAISED, f"compress: {type(error).__name__}: {error}") from error
        return law

    def _examine(self, chosen: Chosen, indices: Indices, least: int) -> None:
        """Raise a failure unless these indices are as they should be."""
        size = as_size(self._scheme.size(len(chosen)), "scheme.size(n)")
        if len(indices) != size:
            raise _Failure(Problem.SIZE, f"{len(indices)} indices where the size is {size}")
        outside = [i for i in indices if not 0 <= i < len(chosen)]
        if outside:
            raise _Failure(Problem.RANGE, f"index {outside[0]} of {len(chosen)} examples")
        selection = self._scheme.selection
        if selection in (Selection.DISTINCT, Selection.SUBSET) and len(set(indices)) < size:
            raise _Failure(Problem.REPEATED, f"the indices {indices}")
        kept = tuple(chosen[i] for i in indices)
        labels = self._hypothesis(kept)
        if isinstance(self._scheme, ProperScheme) and labels not in self._patterns:
            raise _Failure(Problem.IMPROPER, f"the labels {labels} of the domain")
        errors = sum(labels[i // 2] != i % 2 for i in chosen)
        if errors > least:
            now = self._rebuild(kept)
            if now != labels:
                raise _Failure(Problem.MEMORY, f"labels {now} here and {labels} elsewhere")
            raise _Failure(Problem.ERRORS, f"errors: {errors}, where {least} would do")
        if selection in (Selection.MULTISET, Selection.SUBSET):
            self._require_no_order(kept, labels)

    def _hypothesis(self, kept: Chosen) -> Labels:
        """Return what B makes of the kept examples: the same whenever it is asked."""
        if kept not in self._rebuilt:
            self._rebuilt[kept] = self._rebuild(kept)
        return self._rebuilt[kept]

    def _rebuild(self, kept: Chosen) -> Labels:
        try:
            h = self._scheme.reconstruct(Sample.from_examples(self._examples[i] for i in kept))
            labels = tuple(h(point) for point in self._points)
        except BudgetExhausted:
            raise
        except Exception as error:
            detail = f"reconstruct: {type(error).__name__}: {error}"
            raise _Failure(Problem.RAISED, detail) from error
        if any(label not in (0, 1) for label in labels):
            raise _Failure(Problem.LABELS, f"the labels {labels} of the domain")
        return labels

    def _require_no_order(self, kept: Chosen, labels: Labels) -> None:
        multiset = tuple(sorted(kept))
        if multiset in self._orderless:
            return
        for order in set(permutations(multiset)):
            other = self._hypothesis(order)
            if other != labels:
                raise _Failure(Problem.ORDER, f"labels {labels}, in another order {other}")
        self._orderless.add(multiset)


def _shown(law: dict[Indices, Fraction]) -> str:
    """Show the indices, or the first few of their outcomes."""
    return " or ".join(map(str, list(law)[:3])) + (" or others" if len(law) > 3 else "")
