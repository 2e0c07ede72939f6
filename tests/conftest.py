"""How thorough the property tests are: no deadlines, and the same examples in every CI run.

``PAC_STABILITY_EXAMPLES=nightly`` draws ten times as many, anew each time.  In CI the properties of
``slow_properties.txt`` draw a quarter of theirs; everywhere else they draw them all.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import is_hypothesis_test, settings

NIGHTLY = os.environ.get("PAC_STABILITY_EXAMPLES") == "nightly"
MORE, LESS = 10, 4
SLOW = frozenset(
    (Path(__file__).parent / "slow_properties.txt").read_text("utf-8").split("\n")[:-1]
)

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("nightly", deadline=None, print_blob=True)
PROFILE = "nightly" if NIGHTLY else "ci" if os.environ.get("CI") else "local"
settings.load_profile(PROFILE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each property as many examples as the profile wants."""
    if PROFILE == "local":
        return
    changed = set()
    for item in items:
        test: Any = getattr(item, "function", None)
        listed = item.nodeid.partition("[")[0] in SLOW
        if test in changed or not is_hypothesis_test(test) or not (NIGHTLY or listed):
            continue
        changed.add(test)
        # Hypothesis has no public name for the settings of a test that is made already.
        now: settings = test._hypothesis_internal_use_settings
        examples = now.max_examples * MORE if NIGHTLY else -(-now.max_examples // LESS)
        test._hypothesis_internal_use_settings = settings(now, max_examples=examples)
