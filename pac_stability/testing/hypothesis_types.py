"""The entry point of hypothesis: strategies for the types of the library.

It loads nothing itself: a type gets its strategy when the module that defines it is imported, or at
once if it already is. The strategies are created on first use.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import spec_from_loader
from types import ModuleType
from typing import TYPE_CHECKING, get_args, get_origin

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

TYPES = {
    "pac_stability.arithmetic.epsilon": ("Epsilon",),
    "pac_stability.classes.finite_class": ("FiniteClass",),
    "pac_stability.data.distribution": ("FiniteDistribution",),
    "pac_stability.data.mechanisms": ("FromLaw", "FromProgram", "Mechanism"),
    "pac_stability.data.neighbouring": ("Multiset",),
    "pac_stability.data.sample": ("Example", "Sample"),
    "pac_stability.dimensions.trees": ("MistakeTree",),
}
"""The types that have a strategy, by the module that defines them."""

STRATEGIES = "pac_stability.testing.strategies.labelled"


def register() -> None:
    """Give the types of the library to hypothesis, now or when they are imported."""
    for module in TYPES:
        if module in sys.modules:
            _register_types_of(sys.modules[module])
    # In front, and once.
    sys.meta_path[:] = [_WHEN_IMPORTED, *(f for f in sys.meta_path if f is not _WHEN_IMPORTED)]


def _register_types_of(module: ModuleType) -> None:
    from hypothesis import strategies as st  # noqa: PLC0415  # it is what imports this module

    for name in TYPES[module.__name__]:
        custom: type = getattr(module, name)
        st.register_type_strategy(custom, _strategy_for(custom))


def _strategy_for(custom: type) -> Callable[[type], SearchStrategy[object]]:
    def made(thing: type) -> SearchStrategy[object]:
        # Asked for a supertype, such as Sequence, too: these stay as they were without us.
        if (get_origin(thing) or thing) is not custom:
            return NotImplemented  # type: ignore[no-any-return]  # hypothesis then looks further
        arguments: tuple[object, ...] = get_args(thing)
        by_type = importlib.import_module(STRATEGIES)
        found: SearchStrategy[object] = by_type.strategy_for(custom, arguments)
        return found

    return made


class _Registering(SourceFileLoader):
    """Loads a module as usual, and registers its types."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        _register_types_of(module)


class _WhenImported(MetaPathFinder):
    """Finds the modules of the types where they would be found without it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in TYPES:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or not isinstance(spec.loader, SourceFileLoader):
            return spec
        return spec_from_loader(fullname, _Registering(fullname, spec.loader.path))


_WHEN_IMPORTED = _WhenImported()
