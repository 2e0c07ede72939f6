"""Compiled kernels, built from ``ext/``.

``NAME.pyi`` gives the types of a kernel, ``NAME.pxd`` lets other Cython code ``cimport`` it.
"""

from __future__ import annotations

import pkgutil
from pathlib import Path

from pac_stability.errors import NotBuilt

# In a clone the sources hide what ``pip install .`` put elsewhere.
if not any(pkgutil.iter_modules(__path__)):
    clone = Path(__file__).parents[2]
    message = (
        f"the sources in {clone} were not built: type `pip install -e .` there, or start Python"
        " in another folder to use what is installed"
    )
    raise NotBuilt(message, name=__name__)
