"""Every test that the page on soundness names exists."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "explanation" / "soundness.md"
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def test_every_promise_names_tests_that_exist() -> None:
    # The tables below the first heading are of other things, such as the runs of a fuzzer.
    promised = PAGE.read_text(encoding="utf-8").split("\n## ")[0]
    rows = [line for line in promised.splitlines() if line.startswith("| ")]
    promises = rows[2:]
    assert len(promises) > 10
    for promise in promises:
        named = NAMED.findall(promise)
        assert named, promise
        for file, name in named:
            source = (ROOT / file).read_text(encoding="utf-8")
            assert re.search(rf"^ *def {name}\(", source, re.MULTILINE), f"{file}::{name}"
