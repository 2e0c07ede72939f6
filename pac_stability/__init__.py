"""Stable and private learning theory, exactly.

The names that most programs need are here; the rooms hold the rest.

========================  =========================================================================
``ps.audit``              is an algorithm what it claims to be? exact answers, with certificates
``ps.notions``            the definitions: stability, privacy, generalization, learning
``ps.mechanisms``         randomised building blocks with exact laws and exact samplers
``ps.papers``             the papers' own algorithms: ``papers.dagan_feldman`` and two more
``ps.compression``        compression schemes, their bounds, adaptive sessions
``ps.testing``            strategies and checks for the tests of other projects
``ps.zoo``                mechanisms with known curves, and a museum of wrong ones
``ps.classes``            hypothesis classes: finite tables, families that enumerate restrictions
``ps.dimensions``         Littlestone, VC, dual VC and threshold dimension, with certificates
``ps.online``             the mistake-bound game: SOA, adversaries, transcripts, experts
``ps.data``               samples, neighbours, types, finite distributions, mechanisms, the tape
``ps.arithmetic``         exact rationals, e^eps as a rational, certified intervals
``ps.randomness``         coins from the operating system or from a seed
========================  =========================================================================

Examples
--------
>>> import pac_stability as ps
>>> H = ps.classes.thresholds(8)
>>> len(H), ps.vc_dimension(H), ps.littlestone_dimension(H)
(9, 1, 3)
>>> ps.shattered_tree(H).is_shattered_by(H)
True
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from pac_stability.errors import (
    BudgetExhausted,
    InvalidInput,
    NotRealizable,
    PacStabilityError,
    Undecided,
)

if TYPE_CHECKING:
    from pac_stability import (
        arithmetic,
        audit,
        classes,
        compression,
        data,
        dimensions,
        mechanisms,
        notions,
        online,
        papers,
        randomness,
        testing,
        zoo,
    )
    from pac_stability.arithmetic import Epsilon, Interval
    from pac_stability.audit import AuditResult, Verdict
    from pac_stability.classes import FiniteClass
    from pac_stability.data import (
        Example,
        FiniteDistribution,
        Mechanism,
        Multiset,
        Neighbouring,
        Sample,
        enumerate_law,
    )
    from pac_stability.dimensions import (
        Bounds,
        HalfGraph,
        MistakeTree,
        Refutation,
        ShatteredSet,
        dual_vc_dimension,
        littlestone_dimension,
        shattered_tree,
        threshold_dimension,
        vc_dimension,
    )
    from pac_stability.online import StandardOptimalAlgorithm
    from pac_stability.randomness import Coins, SeededCoins, SystemCoins

__version__ = "0.1.0"

__all__ = [
    "AuditResult",
    "Bounds",
    "BudgetExhausted",
    "Coins",
    "Epsilon",
    "Example",
    "FiniteClass",
    "FiniteDistribution",
    "HalfGraph",
    "Interval",
    "InvalidInput",
    "Mechanism",
    "MistakeTree",
    "Multiset",
    "Neighbouring",
    "NotRealizable",
    "PacStabilityError",
    "Refutation",
    "Sample",
    "SeededCoins",
    "ShatteredSet",
    "StandardOptimalAlgorithm",
    "SystemCoins",
    "Undecided",
    "Verdict",
    "arithmetic",
    "audit",
    "classes",
    "compression",
    "data",
    "dimensions",
    "dual_vc_dimension",
    "enumerate_law",
    "littlestone_dimension",
    "mechanisms",
    "notions",
    "online",
    "papers",
    "randomness",
    "shattered_tree",
    "testing",
    "threshold_dimension",
    "vc_dimension",
    "zoo",
]

# Loaded when first asked for: the plugins of pytest and hypothesis live in this package, and every
# run of those tools would otherwise wait for NumPy and for all rooms.
_ROOMS = {
    *("arithmetic", "audit", "classes", "compression", "data", "dimensions", "mechanisms"),
    *("notions", "online", "papers", "randomness", "testing", "zoo"),
}
_NAMES = {
    "arithmetic": ("Epsilon", "Interval"),
    "audit": ("AuditResult", "Verdict"),
    "classes": ("FiniteClass",),
    "data": (
        *("Example", "FiniteDistribution", "Mechanism", "Multiset", "Neighbouring", "Sample"),
        "enumerate_law",
    ),
    "dimensions": (
        *("Bounds", "HalfGraph", "MistakeTree", "Refutation", "ShatteredSet", "dual_vc_dimension"),
        *("littlestone_dimension", "shattered_tree", "threshold_dimension", "vc_dimension"),
    ),
    "online": ("StandardOptimalAlgorithm",),
    "randomness": ("Coins", "SeededCoins", "SystemCoins"),
}
_ROOM_OF = {name: room for room, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name in _ROOMS:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _ROOM_OF:
        found = getattr(importlib.import_module(f"{__name__}.{_ROOM_OF[name]}"), name)
        globals()[name] = found  # so that the next look-up is an ordinary one
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
