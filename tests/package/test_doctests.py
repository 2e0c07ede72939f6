"""Every example in every docstring runs, in Python modules and compiled ones alike."""

import doctest
import importlib
import pkgutil

import pytest

import pac_stability


def modules() -> list[str]:
    """Names of all modules of the installed package."""
    found = pkgutil.walk_packages(pac_stability.__path__, "pac_stability.")
    # Importing __main__ would start the command line.
    return ["pac_stability", *(m.name for m in found if not m.name.endswith("__main__"))]


@pytest.mark.parametrize("name", modules())
def test_examples_of_module(name: str) -> None:
    if name.startswith("pac_stability.plots"):
        pytest.importorskip("matplotlib", reason="the extra plots is not installed")
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0


def test_examples_exist() -> None:
    finder = doctest.DocTestFinder()
    examples = sum(
        len(test.examples)
        for name in modules()
        for test in finder.find(importlib.import_module(name))
    )
    assert examples > 100
