"""Which items of the tests run, and how many examples a property draws.

``PAC_STABILITY_EXAMPLES=nightly`` runs all, and draws ten times as many examples, anew each time.
Every other run leaves out the items of ``nightly.txt``, which are dear and hold no wrong line that
no other item holds; who names a test on the command line gets it.  In CI the same examples are
drawn each time, and the properties of ``slow_properties.txt`` draw a quarter of theirs.

Names of files differ from one another, so both lists name them without their folder.

While an item runs, the modules of all other test files are out of ``sys.modules``. An audit and a
law that is found by the tape ask every module of the user's what it holds, and four hundred that
are no part of the program would make such a question ten times as long.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import is_hypothesis_test, settings

HERE = Path(__file__).parent
NIGHTLY = os.environ.get("PAC_STABILITY_EXAMPLES") == "nightly"
os.environ.pop("GITHUB_ACTIONS", None)  # what commands print is compared, without marks
MORE, LESS = 10, 4


def _listed(name: str) -> Iterator[str]:
    """What a file lists: items of one test may share a line, and tests of one file behind it."""
    for line in (HERE / name).read_text("utf-8").splitlines():
        test, bracket, items = line.removesuffix("]").partition("[")
        file, *tests = test.split()
        one = (f"{test}[{item}]" for item in items.split("|")) if bracket else [test]
        yield from [f"{file}::{name}" for name in tests] or one


SLOW, LATER = map(frozenset, map(_listed, ("slow_properties.txt", "nightly.txt")))

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("nightly", deadline=None, print_blob=True)
PROFILE = "nightly" if NIGHTLY else "ci" if os.environ.get("CI") else "local"
settings.load_profile(PROFILE)


def _name(item: pytest.Item) -> str:
    """Its file and its own name, as the lists write it."""
    return f"{item.path.name}::{item.nodeid.partition('::')[2]}"


def pytest_collection_finish() -> None:
    """Take the modules of all test files out of sight."""
    for name, module in list(sys.modules.items()):
        file = Path(getattr(module, "__file__", None) or "")
        if file.name.startswith("test_") and HERE in file.parents:
            del sys.modules[name]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Have the module of an item in sight; the examples of a page have none."""
    module: Any = getattr(item, "module", None)
    if module is not None:
        sys.modules[module.__name__] = module


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Take it out again."""
    sys.modules.pop(getattr(getattr(item, "module", None), "__name__", ""), None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave what is for the night, and give each property the examples of the profile."""
    if not NIGHTLY and not any("::" in argument for argument in config.args):
        later = [item for item in items if _name(item) in LATER]
        config.hook.pytest_deselected(items=later)
        items[:] = [item for item in items if _name(item) not in LATER]
    if PROFILE == "local":
        return
    changed = set()
    for item in items:
        test: Any = getattr(item, "function", None)
        listed = _name(item).partition("[")[0] in SLOW
        if test in changed or not is_hypothesis_test(test) or not (NIGHTLY or listed):
            continue
        changed.add(test)
        # Hypothesis has no public name for the settings of a test that is made already.
        now: settings = test._hypothesis_internal_use_settings
        examples = now.max_examples * MORE if NIGHTLY else -(-now.max_examples // LESS)
        test._hypothesis_internal_use_settings = settings(now, max_examples=examples)
