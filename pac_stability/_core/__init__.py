"""Compiled kernels, built from ``ext/``.

``NAME.pyi`` gives the types of a kernel, ``NAME.pxd`` lets other Cython code ``cimport`` it.
"""

from __future__ import annotations

import pkgutil
from pathlib import Path

from pac_stability.errors import NotBuilt


def _unbuilt() -> NotBuilt:
    said = (
        f"the sources in {Path(__file__).parents[2]} were not built: type `pip install -e .` there,"
        " or start Python in another folder to use what is installed"
    )
    return NotBuilt(said, name=__name__)


# In a clone the sources hide what ``pip install .`` put elsewhere.
if not any(pkgutil.iter_modules(__path__)):
    raise _unbuilt()
