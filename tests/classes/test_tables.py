"""Every kind of export: read rightly, or refused with options that then read it.

The tables are written by hand as each tool writes them; what pandas, polars and SciPy write is
asked of them where they are installed.
"""

import csv
import gzip
import io
import itertools
import re
import shlex
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from pac_stability.classes import FiniteClass, TableOptions, read_points
from pac_stability.cli.commands import TABLE_FORMATS
from pac_stability.cli.loading import column_names
from pac_stability.errors import InvalidInput
from shared_refusals import refuses

TABLES = (
    np.array([[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 0]]),
    np.array([[0, 1], [1, 1], [0, 0]]),
    np.array([[1, 0, 0, 1], [0, 1, 0, 0]]),
    1 - np.eye(3, dtype=np.uint8),
)
NAMES = ("owl", "bat", "big cat", "do,g")
WORDS = (("0", "1"), ("False", "True"), ("0.0", "1.0"), ("no", "yes"), ("", "X"), ("-", "+"))
File = tuple[str, str, bytes]

_OPTION = re.compile(
    r"--(no-)?(header|names|ones|columns|table-format|delimiter)(?:[= ]('[^']*'|\S+))?"
)


def options_in(message: str) -> Iterator[dict[str, object]]:
    """Each option that a message offers, as the command would read it."""
    for no, name, value in _OPTION.findall(message):
        if name in ("header", "names"):
            yield {name: not no}
        else:
            text = shlex.split(value.rstrip(",;"))[0]
            yield {name.replace("-", "_"): column_names(text) if name == "columns" else text}


def reads(
    path: Path, table: np.ndarray[tuple[int, ...], np.dtype[np.generic]], **said: object
) -> str:
    """How a file is read as a table: at once, by an option, wrongly, or not at all."""
    try:
        H = FiniteClass.read(path, TableOptions(command=True, **said))  # type: ignore[arg-type] # as the command gives them
    except InvalidInput as error:
        if re.search(r"\n|(?<!-)\b(header|names|ones|columns)=", str(error)):
            return f"in words of Python: {error}"
        more = [option for option in options_in(str(error)) if not option.keys() & said.keys()]
        if len(said) < 3 and any(
            reads(path, table, **said, **option) in ("at once", "by an option") for option in more
        ):
            return "by an option"
        return f"refused: {error}"
    same = set(map(tuple, H.table.tolist())) == set(map(tuple, table.tolist()))
    return (
        "at once" if same and H.table.shape[1] == table.shape[1] else f"wrongly: {H.table.tolist()}"
    )


def lines(rows: list[list[str]], mark: str, end: str = "\n", quoting: int = 0) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=mark, lineterminator=end, quoting=quoting).writerows(rows)  # type: ignore[arg-type] # a constant of csv
    return text.getvalue()


def delimited(table: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> Iterator[File]:
    """Text in columns, as pandas, R and spreadsheets write it."""
    rows, width = table.shape
    headers = ("abcd"[:width], [f"{2001 + i}" for i in range(width)], list(map(str, range(width))))
    indices = (None, list(map(str, range(rows))), list(map(str, range(1, rows + 1))), NAMES[:rows])
    for words, header, index in itertools.product(WORDS, headers, indices):
        body = [[words[int(cell)] for cell in row] for row in table]
        if index is not None:
            body = [[name, *row] for name, row in zip(index, body, strict=True)]
        for corner in ("", "Unnamed: 0", "id") if index else (None,):
            top = [*([] if corner is None else [corner]), *header]
            marks = ((",", 0), (";", 0), ("\t", 0), ("|", 0), (",", csv.QUOTE_ALL))
            for mark, quoting in marks if header[0] == "a" and corner != "id" else marks[:1]:
                yield "columns", "csv", lines([top, *body], mark, quoting=quoting).encode()
        if index is not None and rows > 2:  # of two rows, 0 and 1 could be labels
            yield "no header", "csv", lines(body, ",").encode()
            if "" not in words:
                yield "R", "txt", lines([list(header), *body], " ").encode()
    plain = [list(map(str, row)) for row in table.tolist()]
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "latin-1"):
        for above in ("", "sep=;\r\n"):
            text = above + lines([["a", "ü", "c", "d"][:width], *plain], ";", "\r\n")
            yield f"Excel {encoding}", "csv", text.encode(encoding)
            yield f"Excel {encoding}, gzip", "csv.gz", gzip.compress(text.encode(encoding))
    wide = [[*row, "", ""] for row in [list("abcd"[:width]), *plain]]
    yield "empty at the end", "csv", lines([*wide, [""] * (width + 2)], ",").encode()
    comma = [[f"{cell},0" for cell in row] for row in plain]
    yield "decimal commas", "csv", lines([list("abcd"[:width]), *comma], ";").encode()
    yield "bit strings", "txt", "".join(f"{''.join(row)}\n" for row in plain).encode()


def arrays(table: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> Iterator[File]:
    """What NumPy and SciPy write."""
    for form, header, footer in itertools.product(
        ("%.18e", "%d", "%5.1f"), ("", "a b c d", "made today"), ("", "the end")
    ):
        for mark in (" ", ",", "\t", ";"):
            stream = io.BytesIO()
            np.savetxt(stream, table, fmt=form, delimiter=mark, header=header, footer=footer)
            yield f"savetxt {form}{mark}", "txt", stream.getvalue()
    for dtype, change in itertools.product(
        ("?", "u1", "<f8", ">i4"), (lambda a: a, lambda a: 2 * a - 1)
    ):
        array = change(table.astype(np.int8))
        array = array.astype(dtype) if array.min() >= 0 else array
        for save, extension in ((np.save, "npy"), (np.savez, "npz"), (np.savez_compressed, "npz")):
            stream = io.BytesIO()
            save(stream, array)
            yield "array", extension, stream.getvalue()
    sparse = pytest.importorskip("scipy.sparse")
    for make, packed in itertools.product(
        (sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix), (True, False)
    ):
        stream = io.BytesIO()
        sparse.save_npz(stream, make(table), compressed=packed)
        yield "sparse", "npz", stream.getvalue()


def contexts(table: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> Iterator[File]:
    """Formal contexts, and ARFF."""
    rows, width = table.shape
    crosses = "".join("".join(".X"[int(cell)] for cell in row) + "\n" for row in table)
    for title, names in itertools.product(("\n", "animals\n", ""), (True, False)):
        told = "".join(f"{name}\n" for name in (*NAMES[:rows], *"abcd"[:width])) if names else ""
        yield "cxt", "cxt", f"B\n{title}{rows}\n{width}\n\n{told}{crosses}".encode()
    kinds = (
        ("{0,1}", "01"),
        ("{f,t}", "ft"),
        ("{t, f}", "ft"),
        ("numeric", "01"),
        ("{no,yes}", ("no", "yes")),
    )
    for kind, words in kinds:
        top = "".join(f"@attribute {name} {kind}\n" for name in ("a", "'b c'", "c", "d")[:width])
        head = f"% Weka\n@RELATION 'r x'\n\n{top}\n@DATA\n"
        dense = "".join(",".join(words[int(cell)] for cell in row) + "\n" for row in table)
        yield "ARFF", "arff", (head + dense).encode()
        first = kind[1:].partition(",")[0] if kind[0] == "{" else "0"
        filled = [
            ", ".join(
                f"{at} {words[int(cell)]}"
                for at, cell in enumerate(row)
                if words[int(cell)] != first
            )
            for row in table
        ]
        yield "sparse ARFF", "arff", (head + "".join(f"{{{row}}}\n" for row in filled)).encode()


def frames(table: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> Iterator[File]:
    """What pandas and polars write."""
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    rows, width = table.shape
    for dtype, index in itertools.product(
        (int, bool, float), (None, NAMES[:rows], range(1, rows + 1))
    ):
        frame = pandas.DataFrame(table.astype(dtype), columns=list("abcd"[:width]), index=index)
        for orient in ("records", "split", "index", "columns", "values", "table"):
            yield f"pandas {orient}", "json", frame.to_json(orient=orient).encode()
        yield "pandas lines", "jsonl", frame.to_json(orient="records", lines=True).encode()
        for options in ({}, {"index": False}, {"encoding": "utf-16"}, {"lineterminator": "\r\n"}):
            stream = io.BytesIO()
            frame.to_csv(stream, **options)
            yield "pandas csv", "csv", stream.getvalue()
    frame = polars.DataFrame(table, schema=list("abcd"[:width]), orient="row")
    yield "polars", "csv", frame.write_csv().encode()
    yield "polars", "json", frame.write_json().encode()
    yield "polars", "ndjson", frame.write_ndjson().encode()
    for write, extension in ((frame.write_parquet, "parquet"), (frame.write_ipc, "feather")):
        stream = io.BytesIO()
        write(stream)
        yield "polars", extension, stream.getvalue()
    for names in (NAMES, range(9)):  # pandas writes the names of rows as the last column
        stream = io.BytesIO()
        indexed = frame.with_columns(id=polars.Series(list(names)[:rows]))
        indexed.write_parquet(stream, metadata={"pandas": '{"index_columns": ["id"]}'})
        yield "pandas", "parquet", stream.getvalue()


@pytest.mark.parametrize("kind", [delimited, arrays, contexts, frames])
def test_every_export_is_read_rightly_or_with_the_option_that_is_named(
    tmp_path: Path,
    kind: Callable[[np.ndarray[tuple[int, ...], np.dtype[np.generic]]], Iterator[File]],
) -> None:
    wrong, count = [], 0
    for table in TABLES:
        for name, extension, content in kind(table):
            path = tmp_path / f"table.{extension}"
            path.write_bytes(content)
            count += 1
            how = reads(path, table)
            if how not in ("at once", "by an option"):
                wrong.append((name, extension, content[:80], how))
    assert count > 20
    assert not wrong, wrong[:5]


SMALL = [
    np.array(cells).reshape(rows, width)
    for rows, width in itertools.product((1, 2, 3), repeat=2)
    if rows * width <= 4
    for cells in itertools.product((0, 1), repeat=rows * width)
]


def test_no_small_table_is_read_as_another_class(tmp_path: Path) -> None:
    """Every table of up to 4 cells, with all kinds of first lines and first columns, or none.

    Only crosses without a cross, and a blank line that may be a cell, have no way in.
    """
    path, bad, count = tmp_path / "t.csv", [], 0
    for table in SMALL:
        width = table.shape[1]
        tops = (None, "abc", "012", "123", ("V1", "V2", "V3"))
        sides = (None, "012", "123", ("owl", "bat", "cat"))
        for words, top, side in itertools.product(WORDS[:2] + WORDS[4:5], tops, sides):
            body = [[words[int(cell)] for cell in row] for row in table]
            named = [[side[r], *row] for r, row in enumerate(body)] if side else body
            corner = [""] if side else []
            above = [] if top is None else [[*corner, *top[:width]]]
            texts = [lines([*above, *named], ",", "\r\n").encode()]
            if "" not in words and top:
                texts.append(lines([list(top[:width]), *named], " ").encode())
            if "" in words and width == 1:
                texts = [text.replace(b'""', b"") for text in texts]  # as spreadsheets do
            for text in texts:
                path.write_bytes(text)
                count += 1
                how = reads(path, table)
                blank = "" in words and ("blank line" in how or not table.any())
                if how.startswith("wrong") or (how.startswith("refused") and not blank):
                    bad.append((text, how))
    assert count > 2000
    assert not bad, (len(bad), bad[:5])


ROWS = [[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 0]]


@pytest.mark.parametrize(
    ("text", "table", "names", "domain"),
    [
        (",a\n0,0\n1,1\n", [[0], [1]], ("0", "1"), ("a",)),
        (",a,b\n0,0,0\n1,0,0\n", [[0, 0]], ("0",), ("a", "b")),
        ("name,0,1\nowl,0,0\nbat,1,1\n", [[0, 0], [1, 1]], ("owl", "bat"), ("0", "1")),
        ("2001,2002\n0,1\n1,1\n", [[0, 1], [1, 1]], None, ("2001", "2002")),
        ('"V1" "V2"\n"1" 0 1\n"2" 1 1\n', [[0, 1], [1, 1]], ("1", "2"), ("V1", "V2")),
        ("id,a\n7,0\n8,1\n", [[0], [1]], ("7", "8"), ("a",)),
        ("student,a,b\n1,0,1\n2,1,1\n", [[0, 1], [1, 1]], ("1", "2"), ("a", "b")),
        ("0,0,1\n1,1,1\n2,0,0\n", [[0, 1], [1, 1], [0, 0]], ("0", "1", "2"), (0, 1)),
        ("001\n011\n101\n", [[0, 0, 1], [0, 1, 1], [1, 0, 1]], None, (0, 1, 2)),
        ("a,b\n-1,1\n1,1\n", [[0, 1], [1, 1]], None, ("a", "b")),
        ("a,b\n0,True\n1,False\n", [[0, 1], [1, 0]], None, ("a", "b")),
        ("#1 #2\n0 1\n1 1\n", [[0, 1], [1, 1]], None, ("#1", "#2")),
        ('x, "say ""a"""\n0, 1\n1, 1\n', [[0, 1], [1, 1]], None, ("x", 'say "a"')),
    ],
)
def test_what_is_a_name_and_what_is_data(
    tmp_path: Path,
    text: str,
    table: list[list[int]],
    names: tuple[str, ...] | None,
    domain: tuple[object, ...],
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    H = FiniteClass.from_file(path)
    assert (H.table.tolist(), H.names, H.domain) == (table, names, domain)


@pytest.mark.parametrize(
    ("text", "options", "table"),
    [
        ("c,d\nedible,poison\npoison,edible\n", {"ones": "poison"}, [[0, 1], [1, 0]]),
        ("c,d\n5,\n,5\n", {"ones": "5"}, [[1, 0], [0, 1]]),
        ('n,"x, cm",legs\nowl,1,2\nbat,0,4\n', {"columns": ["x, cm"]}, [[1], [0]]),
        ("n,x,legs,y\nowl,1,2,1\nbat,0,4,1\n", {"columns": [2, 4]}, [[1, 1], [0, 1]]),
        ("a@b\n0@1\n1@1\n", {"delimiter": "@"}, [[0, 1], [1, 1]]),
        ("a,b\na\nb\na,b\n", {"table_format": "sets", "header": True}, [[1, 0], [0, 1], [1, 1]]),
        ("00,01\n01,01\n00,00\n", {"ones": "01", "header": False}, [[0, 1], [1, 1], [0, 0]]),
    ],
)  # fmt: skip
def test_options_settle_what_is_open(
    tmp_path: Path, text: str, options: dict[str, object], table: list[list[int]]
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    H = FiniteClass.from_file(path, **options)  # type: ignore[arg-type] # of several types
    assert H.table.tolist() == table


@pytest.mark.parametrize(("text", "options", "points"), [
    (",x\n0,5\n1,5\n", {}, [(5,), (5,)]),
    ("0,1\n5,5\n", None, "header=True, .* or header=False"),
    ("0,1\n5,5\n", {"header": True}, [(5, 5)]),
    ("0,1\n5,5\n", {"header": False}, [(0, 1), (5, 5)]),
    ("0,5\n1,4\n2,4\n", None, "names=True, .* or names=False"),
    ("0,5\n1,4\n2,4\n", {"names": True}, [(5,), (4,), (4,)]),
    ('"x" "y"\n"1" 2 3\n"2" 4 5\n', {}, [(2, 3), (4, 5)]),
    ("x;y\n0,5;1\n", {}, [(0.5, 1)]),
    ('"x, cm",y\n7,2\n', {"columns": ["x, cm"]}, [(7,)]),
    ("0,1,2\n5,5,6\n", {}, [(5, 5, 6)]),
    ("x\n1,5\n2,7\n", None, "'1,5' in line 2, want delimiter=';', .* or delimiter=','"),
    ("x\n1,5\n2,7\n", {"delimiter": ";"}, [(1.5,), (Fraction(27, 10),)]),
    ("x\n1,5\n2,7\n", {"delimiter": ","}, [(5,), (7,)]),
    ("-0,5\n1,5\n", None, "'-0,5' in line 1, want delimiter=';', if the comma is a dec"),
    ("a -3,5\nb 2,25\n", {}, [(-3.5,), (2.25,)]),
    ("000;1\n001;2\n010;3\n100;3\n", None, "names=True, .* or names=False"),
    ("001 010\n4 5\n", None, "'001,010' as line 1, want header=True, .* or header=False"),
    ("2001,2002\n0.5,1.5\n", None, "'2001,2002' as line 1, want header=True"),
    ("name,x\n0.5,1\n1.0,2\n", None, "got 0.5, 1.0 as the first column, want names=True"),
    ("x\n#0 5\n#1 7\n", None, "comments alone below the first line, '#' in line 2"),
])  # fmt: skip
def test_points_of_a_table_of_numbers(
    tmp_path: Path, text: str, options: dict[str, object] | None, points: object
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    if options is None:
        refuses(str(points), read_points, path)
    else:
        assert read_points(path, **options) == points  # type: ignore[arg-type] # of several types


def test_frames_and_sparse_matrices_keep_their_names() -> None:
    pandas, sparse = pytest.importorskip("pandas"), pytest.importorskip("scipy.sparse")
    frame = pandas.DataFrame(ROWS, columns=list("abc"), index=["w", "x", "y", "z"])
    H = FiniteClass(frame)
    assert (H.domain, H.names, H.table.tolist()) == (("a", "b", "c"), ("w", "x", "y", "z"), ROWS)
    assert FiniteClass(frame.astype("boolean")) == H
    assert FiniteClass(pandas.DataFrame(ROWS)) == FiniteClass(sparse.csr_matrix(ROWS))
    for missing, column in itertools.product((None, pandas.NA, float("nan")), (0, 2)):
        holed = frame.astype(object)
        holed.iloc[1, column] = missing
        refuses(f"no value in line 2, column {column + 1}", FiniteClass, holed)


def test_what_a_refused_frame_names_can_be_written() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": ["A", "B"], "b": ["A", "A"]})
    names = r"names=frame\[NAME\] beside frame\[OTHERS\], if .* or frame == VALUE, if it is data"
    refuses(names, FiniteClass, frame)
    assert FiniteClass(frame == "A").table.tolist() == [[1, 1], [0, 1]]
    assert FiniteClass(frame[["b"]] == "B", names=frame["a"]).names == ("A",)
    with pytest.raises(InvalidInput, match="or frame == 'A' or frame == 'B', which of the two is"):
        FiniteClass(frame.assign(b=["B", "A"]))
    refuses(r"or frame == 2.0, which of the two is 1", FiniteClass, pandas.DataFrame([[0, 2]]))


def test_a_masked_value_is_missing() -> None:
    table = np.ma.masked_array([[0, 0], [0, 1]], mask=[[False, True], [False, False]])
    refuses("a masked value at row 0, column 1", FiniteClass, table)
    assert len(FiniteClass(np.ma.masked_array([[0, 0], [0, 1]]))) == 2


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_large_text_is_read_as_a_small_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: bool, end: str
) -> None:
    from pac_stability.classes.tables import whole  # its limit is made small

    rng = np.random.default_rng(1)
    rows = rng.integers(0, 2, (500, 30)).astype(str).tolist()
    if named:
        rows = [[f"r{number}", *row] for number, row in enumerate(rows)]
    top = [["name", *map(str, range(30))][not named :]]
    path = tmp_path / "t.csv"
    for start, strange, place in itertools.product(
        (top, []), (None, "2", "True", "", "NA", "0"), (0, 7)
    ):
        body = [list(row) for row in rows]
        if strange is not None:
            body[400][place] = strange
        path.write_text(lines([*start, *body], ",", end))
        told: list[object] = []
        for limit in (1, 1 << 40):
            monkeypatch.setattr(whole, "_LARGE", limit)
            try:
                H = FiniteClass.from_csv(path)
                told.append((H, H.names, H.reading))
            except InvalidInput as error:
                told.append(str(error))
        assert told[0] == told[1]


def test_the_command_knows_the_formats() -> None:
    from pac_stability import classes  # the list of the library

    assert TABLE_FORMATS == classes.TABLE_FORMATS
