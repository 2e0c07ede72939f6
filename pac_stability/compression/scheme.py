"""Compression schemes (CLNRW16, Definition 14): keep k examples, rebuild a hypothesis from them.

A scheme says how it may choose what it keeps. The generalization bounds of compression are union
bounds over the choices, so fewer of them give a better bound.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Hashable, Iterator
from enum import Enum
from typing import ClassVar, Generic, TypeVar

from pac_stability.arguments import as_size, described
from pac_stability.classes import Family, Hypothesis
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.data.sample import require_sample
from pac_stability.errors import InvalidInput
from pac_stability.learning import LawfulLearner
from pac_stability.randomness import SYSTEM_COINS, Coins


class Selection(Enum):
    """What is known of the indices that a scheme keeps, from the least to the most."""

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
            ``n`` or ``k`` is no such integer.

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
            ``n`` or ``k`` is no such integer.

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
    if not isinstance(kept, Sample):
        raise InvalidInput("kept", described(kept), "a Sample of the kept examples")
    if len(kept) != size:
        raise InvalidInput("kept", f"{len(kept)} examples", f"{size}, as many as are kept")


def first_indices(sample: Sample[Hashable], label: int) -> dict[Hashable, int]:
    """Return for each point that has the label in the sample the first index where it does."""
    first: dict[Hashable, int] = {}
    for index, (point, given) in enumerate(zip(sample.points, sample.labels, strict=True)):
        if given == label:
            first.setdefault(point, index)
    return first


# Schemes

H_co = TypeVar("H_co", bound=Hypothesis, covariant=True)


class CompressionScheme(LawfulLearner[Hashable], Generic[H_co]):
    """A pair (A, B): A keeps examples of a sample, B rebuilds a hypothesis from them alone.

    On every sample of n examples A names exactly ``size(n)`` *indices* of the sample, in an order
    that B may use, with repetitions if it likes. B sees the kept examples, in that order, and
    nothing else: neither the other examples nor the indices nor n. The hypothesis then makes as few
    errors on the sample as any of the family does.

    A subclass is a :class:`ProperScheme`, an :class:`ImproperScheme`, or an
    :class:`~pac_stability.compression.ApproximateScheme`, which alone may make more errors. It
    defines :meth:`size`, :meth:`_compress` and :meth:`reconstruct`. A scheme is a
    :class:`pac_stability.learning.Learner`.

    Attributes
    ----------
    agnostic
        Whether every sample is compressed, as Definition 14 wants, or only those that some
        hypothesis of the family fits.
    selection
        What is known of the indices, which the bounds profit from.
    """

    agnostic: ClassVar[bool] = True
    selection: Selection = Selection.SEQUENCE

    @property
    @abstractmethod
    def family(self) -> Family:
        """The class H whose best hypothesis is matched."""

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
            Coins, for the schemes that toss any.

        Returns
        -------
        tuple of int
            ``size(n)`` indices from 0 to n - 1.

        Raises
        ------
        InvalidInput
            It is no sample, or empty, or a point is not of the domain.
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
            Where the coins come from; the operating system's entropy by default.
        """
        return subsample(sample, self.compress(sample, rng))

    def run(self, sample: Sample[Hashable], /, rng: Coins = SYSTEM_COINS) -> H_co:
        """Return the hypothesis of the scheme on a sample: B(A(S)).

        Parameters
        ----------
        sample
            S.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        return self.reconstruct(self.keep(sample, rng))

    def law(self, sample: Sample[Hashable], /) -> FiniteDistribution[H_co]:
        """Return the law of the hypothesis; one without coins is certain of it.

        Parameters
        ----------
        sample
            S.
        """
        return FiniteDistribution.point_mass(self.run(sample))


class ProperScheme(CompressionScheme[H_co]):
    """A compression scheme whose hypotheses belong to its class, as Definition 14 asks."""


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
