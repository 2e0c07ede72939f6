"""The mutator: which lines it makes wrong, which roundings it turns, and what its judge says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = '''\
"""A docstring with 1 + 1 and a < b."""

from math import ceil, floor


def rounded(x: int = 3, *, up: bool = True) -> int:
    """Two // two."""
    if up and x > 0:
        raise ValueError(f"{x} // {2}")
    return -(-x // 2) if up else x // 2 + (x >> 1) + (x >> 2 & 1)


def ends(y, common):
    middle = (y.lower + y.upper) // 2
    return floor(y.lower), ceil(y.upper), y.text.lower(), common // 3, middle
'''
# What is done at import, what a function does, and the same in other words.
LIST = """\
[[mutant]]
file = "pac_stability/data/sample.py"
line = '_POINT = operator.attrgetter("point")'
wrong = "pass"
tests = ["tests/data/test_sample.py::test_examples_round_trip"]

[[mutant]]
file = "pac_stability/data/sample.py"
line = "return self._points == other._points and self._labels == other._labels"
wrong = "return self._points == other._points and self._labels != other._labels"
tests = ["tests/data/test_sample.py::test_examples_round_trip"]

[[mutant]]
file = "pac_stability/data/sample.py"
line = "return hash((self._points, self._labels))"
wrong = "return hash((self._labels, self._points))"
tests = ["tests/data/test_sample.py::test_examples_round_trip"]
"""


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(ROOT)
    (tmp_path / "it.py").write_text(SOURCE, encoding="utf-8")
    return tmp_path


def test_what_is_drawn_compiles_and_is_never_a_docstring_a_message_or_a_type(
    written: Path,
) -> None:
    from tools.mutator.changes import Source
    from tools.mutator.operators import changes, draw

    source = Source("it.py", written)
    every = changes(source)
    kinds = {change.kind for change in every}
    assert {"comparison", "constant", "flag", "arithmetic", "connective"} <= kinds
    assert {"dropped condition", "dropped sign", "dropped statement", "direction"} <= kinds
    for change in every:
        compile(source.with_change(change), "it.py", "exec")
        assert change.wrong != change.line
        assert '"""' not in change.line
        assert change.wrong == "pass" or "raise" not in change.line
    assert draw(["it.py"], 4, 7, written) == draw(["it.py"], 4, 7, written)
    assert len({change.number for change in draw(["it.py"], 4, 7, written)}) == 4
    assert {(c.line, c.wrong) for c in every} >= {
        ("if up and x > 0:", "if up and x >= 0:"),
        ("if up and x > 0:", "if up or x > 0:"),
        ('raise ValueError(f"{x} // {2}")', "pass"),
    }


def test_every_rounding_is_turned_and_nothing_else(written: Path) -> None:
    from tools.mutator.changes import Source
    from tools.mutator.roundings import places

    found = [(place.number, place.wrong) for place in places(Source("it.py", written))]
    line = "return -(-x // 2) if up else x // 2 + (x >> 1) + (x >> 2 & 1)"
    assert sorted(found) == sorted(
        [
            (10, line.replace("-(-x // 2)", "(x // 2)")),
            (10, line.replace("else x // 2", "else -(-x // 2)")),
            (10, line.replace("(x >> 1)", "(-(-x >> 1))")),
            (14, "middle = (y.upper + y.upper) // 2"),
            (14, "middle = (y.lower + y.lower) // 2"),
            *(
                (15, f"return {ends}, y.text.lower(), common // 3, middle")
                for ends in (
                    "ceil(y.lower), ceil(y.upper)",
                    "floor(y.upper), ceil(y.upper)",
                    "floor(y.lower), floor(y.upper)",
                    "floor(y.lower), ceil(y.lower)",
                )
            ),
        ]
    )


def test_a_record_is_known_again_where_its_line_has_moved(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tools.mutator import records
    from tools.mutator.changes import Source
    from tools.mutator.roundings import places

    file = written / "kept.toml"
    monkeypatch.setitem(records._ABOUT, file, "About.")
    before = records.numbered(places(Source("it.py", written)))
    records.write(file, before)
    (written / "it.py").write_text("\n\n" + SOURCE, encoding="utf-8")
    after = records.numbered(places(Source("it.py", written)))
    assert [one.key for one in records.read(file)] == [one.key for one in after]
    assert len(records.complaints(before)) == len(before)


def test_the_judge_tells_a_wrong_line_from_a_right_one(tmp_path: Path) -> None:
    if "PAC_STABILITY_EXPECT_INSTALLED" in os.environ:
        pytest.skip("it judges the source tree, and the wheel is tested; .ci/run does so apart")
    listed = tmp_path / "list.toml"
    listed.write_text(LIST, encoding="utf-8")
    command = [sys.executable, "-m", "tools.mutator", "judge", str(listed)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "3 mutants, 2 noticed, 1 survived" in done.stdout
    assert done.stderr.count("SURVIVED") == 1


def test_a_comprehension_outside_of_functions_is_what_an_import_does() -> None:
    from tools.mutator.replacing import changes_imports
    from tools.mutator.roundings import all_places

    # A mark for what tests reach must not be put into a module, or all others of its file are lost.
    found = {
        place.line: changes_imports(place)
        for place in all_places(["pac_stability/classes/bits.py"])
    }
    assert [line for line, changes in found.items() if changes] == [
        line for line in found if "for shift in (32, 16, 8, 4, 2, 1)" in line
    ]
    assert len(found) > 1


def test_of_every_change_what_survives_has_a_reason_and_nothing_else_has(written: Path) -> None:
    from tools.mutator.__main__ import unexplained
    from tools.mutator.changes import Source
    from tools.mutator.operators import changes
    from tools.mutator.records import Record, place

    pool = changes(Source("it.py", written))
    known, new, noticed = pool[:3]
    listed = [Record(known, reason="it is the same")]
    assert unexplained(pool, [known], listed) == []
    assert unexplained(pool, [known, new], listed) == [place(Record(new))]
    # Without a reason it is not explained, and what a test notices needs none.
    assert unexplained(pool, [known], [Record(known)]) == [place(Record(known))]
    complaints = unexplained(pool, [known], [*listed, Record(noticed, reason="nobody looks")])
    assert complaints == [f"a test notices what is listed as a survivor: {noticed}"]
    # Of other files, and of lines that were not asked about, nothing is known.
    assert unexplained([new], [], listed) == []
