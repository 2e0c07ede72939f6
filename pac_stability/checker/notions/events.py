"""Notions about events: one event, compared under the laws on two neighbouring samples."""

from __future__ import annotations

from collections.abc import Mapping

from pac_stability.checker.fields import Asked

NOTIONS: Mapping[str, Asked] = {
    "uniform-stability": Asked(points=True),
    "private-prediction": Asked(points=True, factor=True, fixed=("delta",)),
    "differential-privacy": Asked(factor=True, fixed=("delta",)),
    "total-variation-stability": Asked(),
    "private-prediction-at-epsilon": Asked(points=True, fixed=("epsilon_ratio",)),
    "differential-privacy-at-epsilon": Asked(fixed=("epsilon_ratio",)),
}
