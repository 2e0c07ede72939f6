"""Thresholds on the line: one example says where the cut is."""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar

from pac_stability.arguments import described
from pac_stability.classes import SignedThresholds, Threshold, Thresholds, least_errors
from pac_stability.classes.exact import exact_number
from pac_stability.compression._kept import first_indices, require_kept
from pac_stability.compression.scheme import ProperScheme
from pac_stability.compression.selections import Selection
from pac_stability.data import Sample
from pac_stability.errors import InvalidInput


class ThresholdScheme(ProperScheme[Threshold]):
    """Thresholds on the reals, of one orientation or of both, from one example.

    The label of the kept example (x, y) says on which side of x the cut is, or which orientation
    the threshold has:

    ======  =============  ================
    kept    Thresholds     SignedThresholds
    ======  =============  ================
    (x, 1)  ``1[. >= x]``  ``1[. >= x]``
    (x, 0)  ``1[. > x]``   ``1[. < x]``
    ======  =============  ================

    where ``1[. > x]`` stands for ``1[. >= x + 1]``: it is rebuilt only from the largest point of
    the sample.

    Parameters
    ----------
    family
        ``Thresholds()``, by default, or ``SignedThresholds()``. A finite class of thresholds has a
        :class:`ChainScheme`.

    Raises
    ------
    InvalidInput
        The family is another one.

    Notes
    -----
    Why the example wanted is there. Let the threshold with the fewest errors be ``1[. >= x]`` with
    x a point of the sample. Without x it would label x with 0 and nothing else of the sample
    differently, and make no fewer errors, so at least half of the examples at x have the label 1,
    and (x, 1) is one. For the same reason (x, 0) is there when ``1[. < x]`` has the fewest errors.
    This leaves the constants. A threshold that is 0 on the sample is, with both orientations,
    ``1[. < x]`` with x the least point; with one orientation it is ``1[. > x]`` with x the largest
    point, and as ``1[. >= x]`` makes no fewer errors there is an example (x, 0) again.
    ``O(n log n)``, as :func:`~pac_stability.classes.least_errors`.

    CLNRW16, Theorem 24; its proof keeps the extreme positive example, which a sample need not have,
    and which gives the fewest errors only on realizable samples. With both orientations the VC
    dimension is 2 and the size is still 1: m points have 2m patterns, as many as there are
    examples.

    Examples
    --------
    >>> scheme = ThresholdScheme()
    >>> S = Sample([1, 2, 3, 4], [0, 1, 0, 1])
    >>> scheme.compress(S), scheme.run(S)
    ((1,), Threshold(cut=2, upward=True))
    >>> scheme.run(Sample([1, 2], [0, 0]))
    Threshold(cut=3, upward=True)
    """

    symmetric: ClassVar[bool] = True
    selection = Selection.SUBSET

    def __init__(self, family: Thresholds | SignedThresholds | None = None) -> None:
        if not isinstance(family, Thresholds | SignedThresholds | None):
            raise InvalidInput(
                "family",
                described(family),
                "Thresholds() or SignedThresholds(); ChainScheme takes finite classes",
            )
        self._family = Thresholds() if family is None else family

    @property
    def family(self) -> Thresholds | SignedThresholds:
        """The thresholds."""
        return self._family

    def size(self, n: int) -> int:  # noqa: ARG002  # the same for every n
        """Return 1.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return 1

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        best, _ = least_errors(self._family, sample)
        assert isinstance(best, Threshold)  # noqa: S101  # what both families consist of
        at_cut = first_indices(sample, int(best.upward)).get(best.cut)
        if at_cut is not None:
            return (at_cut,)
        # The constant of the other label.
        others = first_indices(sample, int(not best.upward))
        extreme = min if isinstance(self._family, SignedThresholds) else max
        return (others[extreme(others, key=exact_number)],)

    def reconstruct(self, kept: Sample[Hashable], /) -> Threshold:
        """Return the threshold at the kept example.

        Raises
        ------
        InvalidInput
            There is not one example, or it is no real number.

        Examples
        --------
        >>> ThresholdScheme(SignedThresholds()).reconstruct(Sample([2], [0]))
        Threshold(cut=2, upward=False)
        """
        require_kept(kept, 1)
        x, upward = exact_number(kept.points[0]), bool(kept.labels[0])
        if isinstance(self._family, SignedThresholds):
            return Threshold(x, upward)
        return Threshold(x if upward else x + 1)
