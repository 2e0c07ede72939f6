"""From a scheme for realizable samples to one for all samples, of the same size."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar, overload

from pac_stability.arguments import described
from pac_stability.classes import Family, Hypothesis, least_errors
from pac_stability.compression.scheme import (
    CompressionScheme,
    ImproperScheme,
    ProperScheme,
    subsample,
)
from pac_stability.compression.selections import Selection
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.data.required import require_sample
from pac_stability.errors import InvalidInput
from pac_stability.randomness import SYSTEM_COINS, Coins

H = TypeVar("H", bound=Hypothesis)
H_co = TypeVar("H_co", bound=Hypothesis, covariant=True)


@overload
def agnostic(scheme: ProperScheme[H]) -> ProperScheme[H]: ...
@overload
def agnostic(scheme: ImproperScheme[H]) -> ImproperScheme[H]: ...
def agnostic(scheme: CompressionScheme[H]) -> CompressionScheme[H]:
    """Return a scheme that compresses every sample, from one for realizable samples.

    A hypothesis of the class with the fewest errors is found, and the examples that it gets right
    are compressed: they are realizable, and what fits them makes no more errors on the whole
    sample. Proper schemes stay proper.

    Parameters
    ----------
    scheme
        A proper or an improper scheme. One that compresses every sample is returned as it is.

    Returns
    -------
    ProperScheme or ImproperScheme
        Of the same class and the same size.

    Raises
    ------
    InvalidInput
        It is no such scheme.

    Notes
    -----
    The scheme is shown a sample of n examples again, the first right one being repeated in place of
    the wrong ones, so that it keeps as many as ``size(n)`` says. Where the best hypothesis is wrong
    on every example, so is every hypothesis: no h has h(x) = y for any example (x, y) of the
    sample. Then the first example is kept over and over; that shows, as no realizable sample has
    it, and what the scheme rebuilds from as many copies of (x, 1 - y) will do.

    The cost is that of :func:`~pac_stability.classes.least_errors` besides. David, Moran &
    Yehudayoff (2016) state the reduction; size in the sense of CLNRW16, Definition 14.

    Examples
    --------
    >>> from pac_stability.classes import subsets
    >>> from pac_stability.compression.maximum_classes import MaximumClassScheme
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
    def family(self) -> Family:
        """The class."""
        return self.scheme.family

    def size(self, n: int) -> int:
        """Return the size of the scheme for realizable samples.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return self.scheme.size(n)

    def _right(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        """Return n indices of examples that a best hypothesis gets right; none if there are not.

        Parameters
        ----------
        sample
            S.
        """
        best, _ = least_errors(self.family, sample)
        examples = zip(sample.points, sample.labels, strict=True)
        right = [index for index, (point, label) in enumerate(examples) if best(point) == label]
        return tuple(right + right[:1] * (len(sample) - len(right))) if right else ()

    def compress(self, sample: Sample[Hashable], rng: Coins = SYSTEM_COINS) -> tuple[int, ...]:
        """Return the indices of the examples to keep.

        Parameters
        ----------
        sample
            S.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        require_sample(sample, 1, "sample")
        right = self._right(sample)
        if not right:
            return (0,) * self.size(len(sample))
        return tuple(right[i] for i in self.scheme.compress(subsample(sample, right), rng))

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        return self.compress(sample)

    def law(self, sample: Sample[Hashable], /) -> FiniteDistribution[H_co]:
        """Return the law of the hypothesis: that of the scheme on the examples got right.

        Parameters
        ----------
        sample
            S.
        """
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
