"""The stable learner on classes whose normaliser is additive, in polynomial time."""

from __future__ import annotations

from pac_stability.papers.dagan_feldman.additive.selection import (
    AdditiveSelection as AdditiveSelection,
)
from pac_stability.papers.dagan_feldman.additive.selection import (
    additive_selection as additive_selection,
)
from pac_stability.papers.dagan_feldman.additive.walks import has_walk as has_walk
