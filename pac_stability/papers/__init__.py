"""The papers: one package each, with the paper's objects under the paper's own names.

=====================  ============================================================================
``bun_livni_moran``    BLM20: what is learned online can be learned privately
``cummings_et_al``     CLNRW16: generalization that survives post-processing and adaptivity
``dagan_feldman``      DF20: predictions that hardly depend on any one example
=====================  ============================================================================
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pac_stability.papers import bun_livni_moran, cummings_et_al, dagan_feldman

__all__ = ["bun_livni_moran", "cummings_et_al", "dagan_feldman"]


def __getattr__(name: str) -> object:
    if name in __all__:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
