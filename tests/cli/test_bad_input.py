"""Whatever is wrong with the input: one line that names it, exit code 2, no traceback."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pac_stability.classes import thresholds
from pac_stability.errors import InvalidInput

Command = Callable[..., Any]

CSV = {
    "nothing": ("", "no data"),
    "blank": ("\n\n", "no data"),
    "ragged": ("0,1\n1\n", "1 cells in line 2"),
    "words": ("a,b\n0,1\n0,x\n", "'x' in line 3, column 2"),
    "two": ("0,1\n2,1\n", "'2' in line 2, column 1"),
    "half": ("a,b\n0,0.5\n", "'0.5' in line 2, column 2"),
    "nan": ("a,b\n0,nan\n", "'nan' in line 2, column 2"),
    "two ways": ("0,1\n1,1\n", "--header, if the first line names the points, or --no-header"),
    "three": ("a,b\n0,7\n7,1\n", "3 values: '7' in line 2, column 2 (2 times), '0' in line"),
    "names only": ("a,b\n", "an empty table (0 rows"),
    "one bad line": ("0,2\n", "an empty table (0 rows"),
    "hole": ("a,b\n0,\n", "'' in line 2, column 2"),
}

ARRAYS: dict[str, tuple[object, str]] = {
    "line": (np.array([0, 1]), "1 dimension"),
    "block": (np.zeros((2, 2, 2)), "3 dimension"),
    "nan": (np.array([[0, np.nan]]), "no value at row 0, column 1"),
    "three": (np.array([[0, 1], [3, 1]]), "3 values: 3 at row 1, column 0 (once), 0 at row 0"),
    "two": (np.array([[5, 1], [1, 1]]), "--ones 1 or --ones 5, which of the two is 1"),
    "no rows": (np.zeros((0, 3)), "an empty table (0 rows of 0 and 1, 3 columns)"),
    "no columns": (np.zeros((3, 0)), "an empty table"),
    "pickled": (np.array([[None, "x"]], dtype=object), "entries of type '|O'"),
    "words": (np.array([["a", "b"]]), "entries of type"),
}

JSONS = {
    "broken": ("[[0, 1], [", "no JSON"),
    "no rows": ("[]", "an empty table"),
    "no columns": ("[[]]", "an empty table"),
    "number": ("3", "another JSON value"),
    "ragged": ("[[0, 1], [1]]", "1 cells in line 2"),
    "nan": ("[[0, NaN]]", "NaN"),
    "words": ('[["a"]]', "'a'"),
    "twice": ('{"table": [[0, 1]], "domain": ["a", "a"]}', "twice"),
    "short": ('{"table": [[0, 1]], "domain": ["a"]}', "1 points"),
}


def refused(result: Any, *named: object) -> None:
    """One line on standard error with the names, and nothing else."""
    assert result.code == 2
    assert result.out == ""
    assert result.err.count("\n") == 1
    assert result.err.startswith("pac-stability: error: ")
    for name in named:
        assert str(name) in result.err


@pytest.mark.parametrize("name", CSV)
@pytest.mark.parametrize("verb", ["dims", "tree", "play"])
def test_csv(command: Command, tmp_path: Path, verb: str, name: str) -> None:
    content, message = CSV[name]
    path = tmp_path / f"{name}.csv"
    path.write_text(content)
    refused(command(verb, path), path, message)


@pytest.mark.parametrize("name", ARRAYS)
def test_npy(command: Command, tmp_path: Path, name: str) -> None:
    content, message = ARRAYS[name]
    path = tmp_path / f"{name}.npy"
    np.save(path, np.asarray(content), allow_pickle=True)
    refused(command("dims", path), path, message)


@pytest.mark.parametrize("name", JSONS)
def test_json(command: Command, tmp_path: Path, name: str) -> None:
    content, message = JSONS[name]
    path = tmp_path / f"{name}.json"
    path.write_text(content)
    refused(command("dims", path), path, message)


def test_a_truncated_array(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "table.npy"
    np.save(path, np.eye(8, dtype=np.uint8))
    content = path.read_bytes()
    for length in (0, 5, 40, len(content) - 1):
        path.write_bytes(content[:length])
        refused(command("dims", path), path)


def test_files_that_are_none(command: Command, tmp_path: Path) -> None:
    refused(command("dims", tmp_path / "missing.csv"), "missing.csv", "no such file")
    (tmp_path / "folder.csv").mkdir()
    refused(command("dims", tmp_path / "folder.csv"), "folder.csv", "directory")
    binary = tmp_path / "binary.csv"
    for content, message in (
        (b"\xff\xfe\x00", "damaged UTF-16"),
        (b"0,1\n\x00\x7f", "bytes that are no text (at byte 4)"),
        (b"PK\x03\x04...", "a ZIP archive (a workbook of Excel?), want text; from a workbook"),
        (b"\x93NUMPY\x01", "an array of NumPy, want text, or --table-format npy"),
        (b"\x1f\x8b\x08", "damaged gzip"),
    ):
        binary.write_bytes(content)
        refused(command("dims", binary), binary, message)


def test_a_huge_file_is_refused_before_it_is_parsed(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "huge.csv"
    with path.open("wb") as file:
        file.truncate(2**28 + 1)  # sparse: takes no room on the disk
    refused(command("dims", path), path, "a larger file")


def test_points_that_are_no_numbers(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_text("x,y\n1,2\n3,tall\n")
    refused(command("dims", "--family", "stumps", "--points", path), path, "'tall' in line 3")
    path.write_text("x,y\n")
    refused(command("dims", "--family", "stumps", "--points", path), path)
    path.write_text("x,y\n1,2\n")
    refused(command("dims", "--family", "thresholds", "--points", path), "2 columns")
    refused(
        command("dims", "--family", "stumps", "--points", path, "--columns", "z"),
        path,
        "columns",
        "'z'",
    )


@pytest.mark.parametrize(("family", "message"), [
    ("triangles", "'triangles'"), ("thresholds", "--family thresholds"),
    ("thresholds:", "--family thresholds:"), ("thresholds:a", "'a'"), ("thresholds:-1", "got -1"),
    ("random:9x9:-1/2", "-1/2"), ("thresholds:" + 5000 * "9", "999...: n: got"),
    ("intervals:3,4,5", "3 parameter"), ("affine-lines:4", "4"),
])  # fmt: skip
def test_families(command: Command, family: str, message: str) -> None:
    refused(command("dims", "--family", family), message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["dim"], "got 'dim' (near it: dims, "),
        (["dims"], "TABLE or --family: got neither"),
        (["dims", "t.csv", "--family", "cube:2"], "got both"),
        (["dims", "t.csv", "--points", "p.csv"], "--points: got no --family"),
        (["dims", "--family", "cube:2", "--columns", "a"], "--columns: got no file"),
        (["dims", "--family", "cube:2", "--table-format", "csv"], "--table-format: got no file"),
        (["dims", "t.csv", "--only", "vapnik"], "'vapnik'"),
        (["dims", "t.csv", "--only", ","], "','"),
        (["dims", "t.csv", "--time-limit", "soon"], "'soon'"),
        (["dims", "t.csv", "--time-limit", "0"], "'0'"),
        (["dims", "t.csv", "--time-limit", "nan"], "'nan'"),
        (["dims", "t.csv", "--max-memory", "lots"], "'lots'"),
        (["dims", "t.csv", "--max-memory", "0"], "'0'"),
        (["tree", "t.csv", "--format", "gif"], "'gif'"),
        (["play", "t.csv", "--as", "judge"], "'judge'"),
        (["dims", "t.csv", "--onyl", "vc"], "--onyl vc (near it: --only)"),
        (["dims", "t.csv", "--sep", ";"], "--sep ; (near it: --delimiter)"),
        (["dims", "t.csv", "--format", "json"], "--format json (near it: --json)"),
        (["dims", "t.csv", "--no-index"], "--no-index (near it: --no-names"),
        (["dims", "t.csv", "--only", "LDim"], "got 'ldim' (near it: littlestone), want names"),
        (["dims", "thresholds"], "got 'thresholds' with 0 parameter(s), want thresholds:n"),
        (["dims", "threshold:8"], "got 'threshold' (near it: thresholds"),
        (["dims", f"{Path(__file__).with_suffix('.yp')}"], "(near it: test_bad_input.py)"),
        (
            ["audit", "f.py::f", "-n", "1", "--notion", "dp"],
            "(near it: differential-privacy), want",
        ),
        (["audit", __file__, "-n", "1", "--notion", "accuracy"], ".py has refused, "),
        (
            ["dims", "animals", "--only", "vc", "star"],
            "between commas: --only vc,star (see 'pac-stability dims",
        ),
        (
            ["verify", "DF20"],
            "unrecognized arguments: DF20; write --only DF20 (see 'pac-stability verify",
        ),
        (["dims", "animals", "mine.csv"], "arguments: mine.csv (see 'pac-stability dims --help')"),
        (["dims", ""], "got a directory, want a file that can be read"),
        (
            ["verify", "--only", "DF20:lemma-5", "more", "words"],
            "between commas: --only DF20:lemma-5,more",
        ),
        (["claims", "show", "x", "--latx"], "--latex) (see 'pac-stability claims show --help')"),
    ],
)
def test_options(command: Command, arguments: list[str], message: str) -> None:
    refused(command(*arguments), message)


def test_no_command_and_help_print_the_help(command: Command) -> None:
    nothing, whole, helped = command(), command("--help"), command("help", "dims")
    assert (nothing.code, nothing.out, nothing.err) == (2, "", whole.out)
    assert (helped.code, helped.out) == (0, command("dims", "--help").out)


@pytest.mark.parametrize(
    ("verb", "option"), [("dims", "--certificate"), ("tree", "--output"), ("play", "--transcript")]
)
def test_an_output_that_cannot_be_written_is_refused_before_the_work(
    command: Command, table: Path, tmp_path: Path, verb: str, option: str
) -> None:
    missing = tmp_path / "nowhere" / "file.json"
    refused(command(verb, table, option, missing, stdin="1\n1\n"), missing)
    refused(command(verb, table, option, tmp_path, stdin="1\n1\n"), tmp_path, "directory")
    refused(command(verb, table, option, "", stdin="1\n1\n"), "''")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
def test_a_full_disk_is_named(command: Command, table: Path) -> None:
    refused(command("tree", table, "--output", "/dev/full"), "/dev/full: got no space left")


def test_a_message_cannot_command_the_terminal(command: Command) -> None:
    refused(command("dims", "\x1b[31mred\n\a.csv"), "?[31mred ?.csv")


def test_a_device_is_written_to_and_not_replaced(
    command: Command, table: Path, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert command("tree", table, "--output", pipe).code == 0
        assert os.read(reader, 6) == b"middle"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_an_error_of_our_own_is_one_line_unless_debugging(
    command: Command, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("two\nlines")

    monkeypatch.setattr("pac_stability.cli.dims.load_class", broken)
    result = command("dims", table)
    assert (result.code, result.out) == (4, "")
    assert result.err == (
        "pac-stability: internal error: ZeroDivisionError: two lines; --debug shows where\n"
    )
    result = command("dims", table, "--debug")
    assert result.code == 4
    assert result.err.startswith("Traceback")


@pytest.mark.parametrize("subject", ["\0::x", "a.py\0::x", "a\0.py::x", "\0:x", "os:path.\0"])
def test_a_null_character_is_in_no_name(command: Command, subject: str) -> None:
    result = command(
        "audit", subject, "--notion", "differential-privacy", "--domain", "2", "--n", "1"
    )
    assert result.code == 2
    assert result.err == "pac-stability: error: an argument has a null character\n"


def test_no_file_is_written_under_a_name_with_a_null_character() -> None:
    with pytest.raises(InvalidInput, match="no file name, want a file that can be written"):
        thresholds(2).to_json("a\0b")
