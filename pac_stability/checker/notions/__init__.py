"""The checker's own table of notions: what a certificate of each is about.

The library defines each notion where it measures it. This table repeats the definitions on purpose:
readers who doubt one version can compare it with the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import cast

from pac_stability.checker.fields import Asked

_OF_EVENTS = {
    "uniform-stability": Asked(points=True),
    "private-prediction": Asked(points=True, factor=True, fixed=("delta",)),
    "differential-privacy": Asked(factor=True, fixed=("delta",)),
    "total-variation-stability": Asked(),
    "private-prediction-at-epsilon": Asked(points=True, fixed=("epsilon_ratio",)),
    "differential-privacy-at-epsilon": Asked(fixed=("epsilon_ratio",)),
}
"""Notions about one event, compared under the laws on two neighbouring samples."""

NOTIONS: Mapping[str, Asked] = _OF_EVENTS | {
    name: asked
    for module in iter_modules(__path__, f"{__name__}.")
    for name, asked in cast("Mapping[str, Asked]", import_module(module.name).NOTIONS).items()
}
"""Every notion, these and what a module of this folder knows, by its name in certificates."""
