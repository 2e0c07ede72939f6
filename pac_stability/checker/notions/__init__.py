"""What a certificate of each notion is about: a table of the checker's own, gathered from here.

The library says what a notion is where it measures it. That this is written down again is wanted:
whoever doubts the one can hold the other against the definitions.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import cast

from pac_stability.checker.fields import Asked

NOTIONS: Mapping[str, Asked] = {
    name: asked
    for module in iter_modules(__path__, f"{__name__}.")
    for name, asked in cast("Mapping[str, Asked]", import_module(module.name).NOTIONS).items()
}
"""Every notion that a module of this folder knows, by its name in certificates."""
