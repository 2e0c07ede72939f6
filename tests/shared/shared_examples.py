"""Programs that are in no package, as modules: those of docs/examples, and tools."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def loaded(path: Path) -> Any:
    """The program in a file, as a module, where dataclasses and pickles look for it.

    It is loaded once: doctest takes what stands in another module of the name for foreign.
    """
    known = sys.modules.get(path.stem)
    if known is not None and known.__file__ == str(path):
        return known
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[path.stem] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def example(name: str) -> Any:
    """A program of the pages by its name."""
    return loaded(EXAMPLES / f"{name}.py")
