"""What A^sta chooses and predicts, in certified bounds: which computation knows which class."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

from pac_stability.classes import Family, FiniteClass, Stumps
from pac_stability.data import Sample
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman.additive import (
    AdditiveSelection,
    IntervalPredictions,
    additive_selection,
    has_additive_normaliser,
    interval_predictions,
    stump_selection,
)
from pac_stability.papers.dagan_feldman.additive.intervals import has_two_walks
from pac_stability.papers.dagan_feldman.selection import EnclosedSelection, enclosed_selection


def enclosed_law(
    H: Family, sample: Sample[Hashable], subset_size: int, decay: Fraction
) -> EnclosedSelection | AdditiveSelection:
    """Return the law of the chosen hypothesis."""
    if has_additive_normaliser(H, sample):
        return additive_selection(H, sample, subset_size, decay)
    if type(H) is Stumps:
        return stump_selection(H, sample, subset_size, decay)
    if isinstance(H, FiniteClass):
        return enclosed_selection(H, sample, subset_size, decay)
    raise InvalidInput(
        "H",
        type(H).__name__,
        "thresholds, point functions, stumps, or a FiniteClass (restrict another family)",
    )


def enclosed_predictions(
    H: Family, sample: Sample[Hashable], subset_size: int, decay: Fraction
) -> EnclosedSelection | AdditiveSelection | IntervalPredictions:
    """Return what predicts as the chosen hypothesis does."""
    if has_two_walks(H):
        return interval_predictions(H, sample, subset_size, decay)
    return enclosed_law(H, sample, subset_size, decay)
