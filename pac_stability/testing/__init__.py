"""For the tests of other projects: strategies, checks of what a learner declares, a pytest plugin.

=============================== ===================================================================
:func:`check_learner`           is a learner what it declares? exact checks, smallest instances
                                first; the first that fails shows its counterexample in words
:func:`parametrize_with_checks` the same as tests of pytest, one a notion
:class:`Declares`               what a learner says of itself
:mod:`strategies`               classes, samples, neighbours, distributions, trees and mechanisms
                                for hypothesis (the extra ``testing``)
=============================== ===================================================================

Where the package is installed, hypothesis finds the strategies by itself (``st.from_type(Sample)``)
and pytest the plugin: the option ``--pac-stability-budget``, the marker ``pac_stability``, and a
line that says how many checks ran. Neither loads more of the library than a test asks for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pac_stability.testing import strategies
    from pac_stability.testing.checks import Check, Checked, CheckFailed
    from pac_stability.testing.declarations import (
        Accuracy,
        Declares,
        PerfectGeneralization,
        RobustGeneralization,
    )
    from pac_stability.testing.suite import Report, check_learner, parametrize_with_checks

__all__ = [
    "Accuracy",
    "Check",
    "CheckFailed",
    "Checked",
    "Declares",
    "PerfectGeneralization",
    "Report",
    "RobustGeneralization",
    "check_learner",
    "parametrize_with_checks",
    "strategies",
]

# Loaded when first asked for, so that the plugins beside this file start without the rooms.
_MODULE_OF = {
    "Accuracy": "declarations",
    "Check": "checks",
    "CheckFailed": "checks",
    "Checked": "checks",
    "Declares": "declarations",
    "PerfectGeneralization": "declarations",
    "Report": "suite",
    "RobustGeneralization": "declarations",
    "check_learner": "suite",
    "parametrize_with_checks": "suite",
}


def __getattr__(name: str) -> object:
    if name == "strategies":
        return importlib.import_module(f"{__name__}.strategies")
    if name in _MODULE_OF:
        return getattr(importlib.import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
