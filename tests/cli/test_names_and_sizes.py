"""Names of hypotheses, dropped rows and large files, on the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pac_stability.dimensions import MistakeTree, bounds
from pac_stability.dimensions.trees import TREE_FORMATS, tree_to_tikz

Command = Callable[..., Any]
Validate = Callable[[object], None]
NAMED = "name,hair,flies\nowl & co,0,1\nbat,1,1\nelf owl,0,1\n"


@pytest.fixture
def named(tmp_path: Path) -> Path:
    path = tmp_path / "named.csv"
    path.write_text(NAMED, encoding="utf-8")
    return path


@pytest.mark.parametrize("form", sorted(TREE_FORMATS))
def test_leaves_have_their_names_in_every_format(command: Command, named: Path, form: str) -> None:
    shown = command("tree", named, "--format", form)
    assert shown.code == 0
    escaped = {"svg": "owl &amp; co", "tikz": r"owl \& co"}
    assert escaped.get(form, "owl & co") in shown.out
    assert "bat" in shown.out
    assert "h0" not in shown.out
    assert "h_{" not in shown.out


def test_a_leaf_without_a_name_is_a_number_in_tikz() -> None:
    tree = MistakeTree.from_dict({"hypothesis": 7})
    assert "{$h_{7}$}" in tree_to_tikz(tree, [])
    assert "{h7}" in tree_to_tikz(tree, [], ["?"] * 7 + ["h7"])


def test_json_has_names_and_how_many_rows_were_dropped(
    command: Command, validate: Validate, named: Path, table: Path
) -> None:
    shown = command("tree", named, "--json").out
    validate(shown)
    tree = json.loads(shown)
    assert tree["names"] == ["owl & co", "bat"]
    assert tree["class"]["duplicates"] == 1
    plain = json.loads(command("tree", table, "--json").out)
    assert "names" not in plain
    assert "duplicates" not in plain["class"]


def test_a_report_says_how_many_rows_were_dropped(command: Command, named: Path) -> None:
    shown = command("dims", named, "--only", "vc")
    read = "2 hypotheses (names from column 1) on 2 points (names from line 1)"
    assert f"{read} (1 duplicate row dropped: elf owl as owl & co)\n" in shown.out
    many = "name,a\nx,0\n" + "".join(f"x{k},0\n" for k in range(5))
    named.write_text(many, encoding="utf-8")
    told = "(5 duplicate rows dropped: x0 as x, x1 as x, x2 as x, ...)"
    assert told in command("dims", named).out
    named.write_text("1,1\n" * 3, encoding="utf-8")
    assert "1 hypothesis on 2 points (2 duplicate rows dropped)" in command("dims", named).out


def test_the_game_ends_with_a_name(command: Command, named: Path) -> None:
    assert "Hypothesis bat agrees with every label" in command("play", "--auto", named).out or (
        "Hypothesis owl & co agrees with every label" in command("play", "--auto", named).out
    )


def test_numbers_can_be_names_and_text_can_be_no_name(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "numbers.csv"
    path.write_text("student,a\n7,0\n8,1\n", encoding="utf-8")
    assert "'7' in line 2, column 1, want --names, if" in command("dims", path).err
    assert "├─0─ 7\n" in command("tree", path, "--names").out
    path.write_text("name,a\nx,0\ny,1\n", encoding="utf-8")
    assert "├─0─ x\n" in command("tree", path).out
    left = command("tree", path, "--no-names")
    assert "├─0─ h0\n" in left.out


def test_options_of_a_file_want_a_file(command: Command) -> None:
    for option in ("--names", "--header", "--ones=1", "--delimiter=;"):
        refused = command("dims", "--family", "thresholds:3", option)
        assert refused.code == 2
        assert f"{option.partition('=')[0]}: got no file to read" in refused.err


def test_a_file_is_as_large_as_is_allowed(command: Command, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    np.save(tmp_path / "t.npy", rng.integers(0, 2, (40, 30), dtype=np.uint8))
    for name in ("t.npy", "t.csv"):
        path = tmp_path / name
        if name == "t.csv":
            path.write_text("1,1\n0,1\n" * 200)
        assert command("dims", path, "--only", "vc").code == 0
        refused = command("dims", path, "--max-bytes", "1K")
        assert refused.code == 2
        assert "a larger file, want at most 1024 bytes, or --max-bytes 4G" in refused.err
        assert command("dims", path, "--only", "vc", "--max-bytes", "2K").code == 0


def test_bounds_from_the_size_alone_are_said_to_be_so(
    command: Command, validate: Validate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.npy"
    np.save(path, np.random.default_rng(0).random((300, 90)) < 0.4)
    now = iter(range(0, 10**9, 1000))
    monkeypatch.setattr(bounds, "perf_counter", lambda: next(now))
    shown = command("dims", path, "--only", "vc")
    assert shown.code == 3
    assert "1..8" in shown.out
    assert shown.err == f"pac-stability: VC: {bounds.UNPREPARED}\n"
    shown = command("dims", path, "--only", "vc", "--json")
    validate(shown.out)
    report = json.loads(shown.out)
    assert report["dimensions"]["vc"]["note"] == bounds.UNPREPARED
