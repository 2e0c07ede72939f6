"""What A^sta chooses and predicts, in certified bounds: which computation knows which class."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

from pac_stability.classes import Family, FiniteClass
from pac_stability.data import Sample
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman.additive import additive_selection, has_additive_normaliser
from pac_stability.papers.dagan_feldman.enclosed_law import EnclosedLaw
from pac_stability.papers.dagan_feldman.selection import enclosed_selection


def enclosed_law(
    H: Family, sample: Sample[Hashable], subset_size: int, decay: Fraction
) -> EnclosedLaw:
    """Return the law of the chosen hypothesis."""
    if has_additive_normaliser(H, sample):
        return additive_selection(H, sample, subset_size, decay)
    if isinstance(H, FiniteClass):
        return enclosed_selection(H, sample, subset_size, decay)
    raise InvalidInput(
        "H",
        type(H).__name__,
        "thresholds, point functions, or a FiniteClass (restrict another family)",
    )
