"""Tables and points from files, good and bad."""

import io
import json
import os
import pickle
import stat
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings, strategies as st

from pac_stability.classes import FiniteClass, Intervals, random_class, read_points, thresholds
from pac_stability.errors import InvalidInput
from shared_draws import plain_values
from shared_refusals import refuses

one_directory = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    def write_file(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write_file


Write = Callable[[str, str | bytes], Path]


@pytest.mark.parametrize(("text", "domain"), [
    ("# made by savetxt\n0,1\n1,1\n", (0, 1)),
    ("a,b\n0,1\n1,1\n", ("a", "b")),
    ("\ufeffa,b\r\n0,1\r\n\r\n1,1\r\n", ("a", "b")),
    ("a;b\n0;1\n1;1", ("a", "b")),
    ("a\tb\n 0 \t1\n1\t1.0\n0\t1", ("a", "b")),
    ('"x, y",b\n"0",1\n1,1\n', ("x, y", "b")),
    ("x;y,b\n0,1\n1,1e0\n", ("x;y", "b")),
    ("x,\n0,1\n1,1\n", ("x", "")),
])  # fmt: skip
def test_csv(write: Write, text: str, domain: tuple[object, ...]) -> None:
    H = FiniteClass.from_csv(write("t.csv", text))
    assert H.table.tolist() == [[0, 1], [1, 1]]
    assert H.domain == domain


@pytest.mark.parametrize("first", ["0,x", "0,nan", "0,\u0661", "0,1", "3,b"])
def test_a_first_line_that_can_be_both_is_refused_with_the_arguments(
    write: Write, first: str
) -> None:
    path = write("t.csv", f"{first}\n1,0\n")
    if first == "3,b":  # neither is a value
        assert FiniteClass.from_csv(path).domain == ("3", "b")
        return
    refuses(r"in line 1|line 1, want header=True.* header=False", FiniteClass.from_csv, path)
    named = FiniteClass.from_csv(path, header=True)
    assert (named.domain, named.table.tolist()) == (tuple(first.split(",")), [[1, 0]])


def test_csv_with_one_column_and_with_a_header_only(write: Write) -> None:
    assert FiniteClass.from_csv(write("t.csv", "1\n0\n"), header=False).table.tolist() == [[1], [0]]
    empty = FiniteClass.from_csv(write("t.csv", "a,b\n"))
    assert (len(empty), empty.domain) == (0, ("a", "b"))


def test_a_header_of_numbers(write: Write) -> None:
    path = write("t.csv", "0,1,2\n1,0,1\n")
    assert FiniteClass.from_csv(path).domain == ("0", "1", "2")
    refuses("'2' in line 1, column 3", FiniteClass.from_csv, path, header=False)
    with pytest.raises(InvalidInput, match="'b' in line 1, column 2"):
        FiniteClass.from_csv(write("t.csv", "a,b\n0,1\n"), header=False)


@pytest.mark.parametrize(("text", "message"), [
    ("", "no data, want a table with at least one line"),
    ("\n\n", "no data"),
    ("0,1\n1\n", "1 cells in line 2, want 2, as in the first line"),
    ("a,b\n\n0,1,1,1\n", "4 cells in line 3, want 2"),
    ("0,1\n0,x\n", "'x' in line 2, column 2"),
    ("0,1\n0,\n", "'' in line 2, column 2"),
    (
        "0,1\n0,2\n",
        "3 values: '2' in line 2, column 2 .once., '0' in line 1, column 1 .2 times.",
    ),
    ("1,-1\n0,1\n", r"3 values: '-1' in line 1, column 2"),
    ("0,1\n0,nan\n", "'nan' in line 2, column 2"),
    ("0,1\n0,0.5\n", "'0.5' in line 2, column 2"),
    ("0,1\n0,1e999999999\n", "'1e999999999' in line 2, column 2"),
    ("0,1\n0," + "7" * 5000 + "\n", r"'7{37}\.\.\.' in line 2, column 2"),
    ('0,1\n0,"1\n', "line 2: unexpected end of data"),
    (b"\xff\xfe0,1", "damaged UTF-16|0 and 1 only"),
    (b"0,\x001\n", "at byte 2"),
])  # fmt: skip
def test_bad_csv(write: Write, text: str | bytes, message: str) -> None:
    path = write("bad.csv", text)
    with pytest.raises(InvalidInput, match=message) as caught:
        FiniteClass.from_csv(path, header=None if "a,b" in str(text) else False)
    assert str(caught.value).startswith(f"{path}: got ")
    assert "\n" not in str(caught.value)


READERS = [FiniteClass.from_csv, FiniteClass.from_npy, FiniteClass.from_json, read_points]


@pytest.mark.parametrize("read", READERS)
def test_files_that_cannot_be_read(read: Callable[..., object], tmp_path: Path) -> None:
    refuses(r"missing\.csv: got no such file or directory", read, tmp_path / "missing.csv")
    refuses("got a directory", read, tmp_path)
    refuses("no file name", read, "a\0b")
    large = tmp_path / "large"
    large.write_bytes(b"0,1\n" * 10)
    refuses("a larger file, want at most 39 bytes", read, large, max_bytes=39)


def npy(array: object, **options: bool) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.asarray(array), **options)
    return stream.getvalue()


@pytest.mark.parametrize("dtype", ["uint8", "bool", "int64", "float32", ">i4"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_npy(write: Write, dtype: str, order: str) -> None:
    array = np.array([[0, 1, 1], [1, 1, 0]], dtype=dtype)
    path = write("t.npy", npy(np.asfortranarray(array) if order == "F" else array))
    assert FiniteClass.from_npy(path).table.tolist() == [[0, 1, 1], [1, 1, 0]]


def test_npy_of_the_second_version(write: Write) -> None:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.array([[0, 1]]), version=(2, 0))
    assert FiniteClass.from_npy(write("t.npy", stream.getvalue())).table.tolist() == [[0, 1]]


@pytest.mark.parametrize(("content", "message"), [
    (b"", "no such header, want an array of numbers in NumPy's .npy format"),
    (b"0,1\n", "no such header"),
    (b"\x93NUMPY", "no such header"),
    (b"\x93NUMPY\x01\x00\x10\x00{'descr': nonsen", "no such header"),
    (b"\x93NUMPY\x09\x00" + b" " * 100, "no such header"),
    (npy([[0, 1]])[:20], "no such header"),
    (npy([[0, 1]])[:-1], r"15 bytes of data for shape \(1, 2\), want 16 .*truncated"),
    (npy([[0, 1]]) + b"x", "17 bytes of data"),
    (npy(np.array([[0, None]], dtype=object), allow_pickle=True), r"entries of type '\|O'"),
    (npy([["a", "b"]]), "entries of type '<U1'"),
    (npy(np.zeros((1, 2), dtype=[("a", "u1")])), "entries of type"),
    (npy([[1j]]), "entries of type '<c16'"),
    (pickle.dumps([[0, 1]]), "no such header"),
    (npy([0, 1]), "1 dimension"),
    (npy([[[0]]]), "3 dimension"),
    (npy([[0, 2]]), "got 2 at row 0, column 1 .*ones='0' or ones='2'"),
    (npy([[0, float("nan")]]), "got no value at row 0, column 1"),
    (npy([[-1, 1, 0]]), "3 values: -1 at row 0, column 0"),
    (npy([[0]]).replace(b"(1, 1)", b"(9, 9)"), "want 648"),
    (npy([[0]]).replace(b"(1, 1), }   ", b"(9**9**9), }"), "no such header"),
    (npy([[0]]).replace(b"(1, 1), }  ", b"(-1, -1), }"), "dimension|bytes|header|row"),
])  # fmt: skip
def test_bad_npy(write: Write, content: bytes, message: str) -> None:
    path = write("bad.npy", content)
    with pytest.raises(InvalidInput, match=message) as caught:
        FiniteClass.from_npy(path)
    assert str(caught.value).startswith(f"{path}: got ")
    assert "\n" not in str(caught.value)


def test_an_npz_archive_is_no_table(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", table=np.eye(2))
    refuses("no such header", FiniteClass.from_npy, tmp_path / "a.npz")


def test_json(write: Write) -> None:
    assert FiniteClass.from_json(write("t.json", "[[0, 1], [1, 1], [0, 1]]")) == FiniteClass(
        [[0, 1], [1, 1]]
    )
    text = '{"domain": ["a", [1, [2, 3]], {"fraction": "1/3"}, 0.5], "table": [[0, 1, 1, 0]]}'
    H = FiniteClass.from_json(write("t.json", text))
    assert H.domain == ("a", (1, (2, 3)), Fraction(1, 3), 0.5)
    assert FiniteClass.from_json(write("t.json", '{"table": [], "domain": [1, 2]}')).domain == (
        1,
        2,
    )


@pytest.mark.parametrize(("text", "message"), [
    ("", r"no JSON \(line 1, column 1: Expecting value\)"),
    ("[[0, 1],\n [1, ]]", r"no JSON \(line 2, column \d"),
    ("7", "another JSON value, want rows of 0 and 1"),
    ('{"tabel": []}', "another JSON value"),
    ('{"table": [], "domain": [], "more": 1}', "another JSON value"),
    ('{"table": 1}', "another JSON value"),
    ('{"table": [[0]], "domain": "a"}', "another JSON value"),
    ("[[0, NaN]]", r"NaN \(line 1, column 6\), want JSON without NaN and Infinity"),
    ("[[0, 1], [0]]", "1 cells in line 2"),
    ("[[0, 2]]", "got '2' in line 1, column 2"),
    ("[[true, null]]", "got no value in line 1, column 2"),
    ('[{"a": [1]}]', "two dimensions"),
    ('{"table": [[0]], "domain": [{"a": 1}]}', "want a point, or"),
    ('{"table": [[0]], "domain": [{"fraction": "1/0"}]}', "got '1/0', want a point"),
    ("[" * 100_000, "nested too deeply"),
    ("[[" + "1" * 5000 + "]]", "an enormous integer"),
    ('{"table": [[0]], "table": [[1]]}', "the key 'table' twice"),
])  # fmt: skip
def test_bad_json(write: Write, text: str, message: str) -> None:
    path = write("bad.json", text)
    with pytest.raises(InvalidInput, match=message) as caught:
        FiniteClass.from_json(path)
    assert str(caught.value).startswith(f"{path}: got ")
    assert "\n" not in str(caught.value)


@one_directory
@given(domain=st.lists(plain_values(), max_size=5, unique=True), seed=st.integers(0, 99))
def test_json_round_trip(tmp_path: Path, domain: list[int], seed: int) -> None:
    H = FiniteClass(random_class(4, len(domain), seed=seed).table, domain)
    H.to_json(tmp_path / "t.json")
    back = FiniteClass.from_json(tmp_path / "t.json")
    assert back == H
    assert [type(point) for point in back.domain] == [type(point) for point in H.domain]


odd_names = st.lists(
    st.one_of(
        st.sampled_from(
            [
                *("0", "1", "00", "-1", "1e3", "2001", "True", "yes", "x", "X", "+", "-", "."),
                *("name", "id", "NaN", "Unnamed: 0", "index", "\ufeffa", "# a", "#a", "% a"),
                *("sep=;", "a,b", 'q"q', '"', "é", " a", "a ", "a b", "a;b;c", "a|b", "a\tb"),
                *("a\\", 'a\\"b', "a\nb", "'", "@data"),
            ]
        ),
        st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=4).filter(
            str.strip
        ),
    ),
    min_size=4,
    max_size=4,
    unique=True,
)


@settings(one_directory, phases=[Phase.explicit, Phase.generate], max_examples=100)
@given(odd_names, st.none() | odd_names, st.integers(1, 4), st.integers(1, 4), st.integers(0, 99))
def test_csv_round_trip(  # noqa: PLR0917  # a table and its names
    tmp_path: Path, points: list[str], names: list[str] | None, rows: int, width: int, seed: int
) -> None:
    table = random_class(rows, width, seed=seed).table
    for domain in (points[:width], None):
        H = FiniteClass(table, domain, names=None if names is None else names[: len(table)])
        H.to_csv(tmp_path / "t.csv")
        back = FiniteClass.from_csv(tmp_path / "t.csv")
        assert (back, back.names) == (H, H.names), (tmp_path / "t.csv").read_bytes()


def test_csv_of_numeric_points_round_trips_as_text(tmp_path: Path) -> None:
    Intervals().restrict([2, 5]).to_csv(tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == (
        "# pac-stability: the first line is names, the first column is data\n"
        '"2","5"\n0,0\n1,0\n1,1\n0,1\n'
    )
    assert FiniteClass.from_csv(tmp_path / "t.csv").domain == ("2", "5")


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    try:
        thresholds(2).to_json(pipe)
        assert json.loads(os.read(reader, 1000))["table"] == [[1, 1], [0, 1], [0, 0]]
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_writing_leaves_nothing_half_written(tmp_path: Path) -> None:
    target = tmp_path / "t.json"
    target.write_text("kept")
    refuses("domain: got frozenset", FiniteClass([[0]], [frozenset()]).to_json, target)
    assert target.read_text() == "kept"
    thresholds(2).to_json(target)
    assert json.loads(target.read_text())["table"] == [[1, 1], [0, 1], [0, 0]]
    assert [path.name for path in tmp_path.iterdir()] == ["t.json"]
    assert stat.S_IMODE(target.stat().st_mode) & stat.S_IRUSR
    (tmp_path / "folder").mkdir()
    refuses("folder: got a directory", thresholds(2).to_csv, tmp_path / "folder")
    refuses("no such file or directory", thresholds(2).to_csv, tmp_path / "absent" / "t.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "t.json"]


def test_points_are_read_exactly(write: Write) -> None:
    text = "x,y,label\n0.1,-2,a\n1e-3,.5,b\n+3.,1E2,c\n0.1,-2,d\n"
    assert read_points(write("d.csv", text), columns=["y", "x"]) == [
        (-2, Fraction(1, 10)),
        (Fraction(1, 2), Fraction(1, 1000)),
        (100, 3),
        (-2, Fraction(1, 10)),
    ]
    assert read_points(write("d.csv", "1,2\n3,4\n")) == [(1, 2), (3, 4)]
    assert read_points(write("d.csv", "x;y\n1;2\n")) == [(1, 2)]
    assert read_points(write("d.npy", npy([[0.1, 2.0]]))) == [(Fraction(0.1), 2)]
    assert read_points(write("d.npy", npy([[True, False]]))) == [(1, 0)]
    assert read_points(write("d.csv", "x,y\n")) == []


@pytest.mark.parametrize(
    ("name", "content", "columns", "message"),
    [
        ("d.csv", "x,y\n1,two\n", None, "'two' in line 2, column 2, want finite decimal numbers"),
        ("d.csv", "1,2\n1,inf\n", None, "'inf' in line 2, column 2"),
        ("d.csv", "1,2\n1,nan\n", None, "'nan' in line 2, column 2"),
        ("d.csv", "1,2\n1,1/2\n", None, "'1/2' in line 2, column 2"),
        ("d.csv", "1,2\n1,1e5000\n", None, "'1e5000' in line 2, column 2"),
        # Numbers that are written otherwise, and numbers under "id", are no names in silence.
        *(
            ("d.csv", f"x;y\n{cell};1\n{other};2\n", None, f"got {cell}, {other} as the first col")
            for cell, other in (
                ("1/3", "1/2"), ("50%", "20%"), ("5 cm", "6 cm"), ("1.234.567", "2.000.000"),
                ("\u20ac5", "\u20ac6"), ("1.0D3", "2.0D1"), ("\u22121", "\u22122"),
            )
        ),
        ("d.csv", "id,x\n107,1\n103,2\n", None, "got 107, 103 as the first column, want names="),
        ("d.csv", "1,2\n1\n", None, "1 cells in line 2"),
        ("d.csv", "x,y\n1,2\n", ["z"], "columns: got 'z', want one of x, y"),
        ("d.csv", "", None, "no data"),
        ("d.npy", npy([[1.0, float("inf")]]), None, "got inf at row 0, column 1"),
        ("d.npy", npy([1.0]), None, "1 dimension"),
        ("d.npy", npy([[1.0]]), ["x"], "columns: got 'x', want a number from 1 to 1"),
    ],
)  # fmt: skip
def test_bad_points(
    write: Write, name: str, content: str | bytes, columns: list[str] | None, message: str
) -> None:
    with pytest.raises(InvalidInput, match=message) as caught:
        read_points(write(name, content), columns=columns)
    assert "\n" not in str(caught.value)
