"""Kinds of files that other tools write: read at once, or refused with what to do."""

import bz2
import io
import itertools
import lzma
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pac_stability import FiniteClass, InvalidInput
from pac_stability.classes import read_points
from shared_refusals import refuses

ROWS = [[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 0]]
NAMES = ("owl", "bat", "cat", "dog")


def _lines(
    mark: str, words: tuple[str, str] = ("0", "1"), before: str = "", after: str = ""
) -> str:
    return "".join(f"{before}{mark.join(words[v] for v in row)}{after}\n" for row in ROWS)


def _named(mark: str, before: str = "", after: str = "") -> str:
    rows = zip(NAMES, ROWS, strict=True)
    return "".join(f"{before}{mark.join([n, *map(str, row)])}{after}\n" for n, row in rows)


def _counted(start: int | str) -> str:
    """Return the rows with running names before them."""
    names = (start + i if isinstance(start, int) else f"{start}{i}" for i in range(len(ROWS)))
    return "".join(f"{n},{','.join(map(str, row))}\n" for n, row in zip(names, ROWS, strict=True))


PLAIN = "a,b,c\n" + _lines(",")
READ = {
    "orange.tab": "a\tb\tc\nd\td\td\n\t\tclass\n" + _lines("\t"),
    "orange_values.tab": "a\tb\tc\n0 1\t0 1\t0 1\n\t\t\n" + _lines("\t"),
    "orange_meta.tab": "n\ta\tb\tc\nstring\td\td\td\nmeta\t\t\t\n" + _named("\t"),
    "spss.dat": "".join("  ".join(f"{v:8.2f}" for v in row) + "\n" for row in ROWS),
    "libreoffice.csv": '"a","b","c"\n' + _lines('","', before='"', after='"'),
    "matlab.txt": "".join("".join(f"   {v:.7e}" for v in row) + "\n" for row in ROWS),
    "matlab_rows.csv": "Row,a,b,c\n" + _named(","),
    "julia.csv": "x1,x2,x3\n" + _lines(",", ("false", "true")),
    "psql.txt": " a | b | c \n---+---+---\n" + _lines(" | ", ("f", "t"), " ") + "(4 rows)\n\n",
    "psql_index.txt": " id | a | b | c \n----+---+---+---\n"
    + "".join(f"  {i} | {' | '.join(map(str, row))}\n" for i, row in enumerate(ROWS, 1))
    + "(4 rows)\n",
    "mysql.txt": "+---+---+---+\n| a | b | c |\n+---+---+---+\n"
    + _lines(" | ", before="| ", after=" |")
    + "+---+---+---+\n4 rows in set (0.00 sec)\n",
    "sqlite.txt": "a  b  c\n-  -  -\n" + _lines("  "),
    "sqlite_list.txt": "a|b|c\n" + _lines("|"),
    "markdown.md": "| a | b | c |\n|---|:-:|--:|\n" + _lines(" | ", before="| ", after=" |"),
    "markdown_names.md": "|   | a | b | c |\n|:--|---|---|---|\n" + _named(" | ", "| ", " |"),
    "markdown_bare.md": "a | b | c\n--- | --- | ---\n" + _lines(" | "),
    "org.org": "| a | b | c |\n|---+---+---|\n" + _lines(" | ", before="| ", after=" |"),
    "rst.rst": "=  =  =\na  b  c\n=  =  =\n" + _lines("  ") + "=  =  =\n",
    "polars.txt": "shape: (4, 3)\n\u250c\u2500\u2500\u252c\u2500\u2500\u2510\n"
    "\u2502 a \u2506 b \u2506 c \u2502\n\u2502 --- \u2506 --- \u2506 --- \u2502\n"
    "\u2502 i64 \u2506 i64 \u2506 i64 \u2502\n\u255e\u2550\u2550\u256a\u2550\u2550\u2561\n"
    + _lines(" \u2506 ", before="\u2502 ", after=" \u2502")
    + "\u2514\u2500\u2500\u2534\u2500\u2500\u2518\n",
    "pandas.txt": "     a  b  c\n" + _named("  "),
    "r.txt": "     [,1] [,2] [,3]\n"
    + "".join(f"[{i},]    {'    '.join(map(str, row))}\n" for i, row in enumerate(ROWS, 1)),
    "numpy_print.txt": f"{np.array(ROWS)}\n",
    "numpy_repr.txt": f"{np.array(ROWS)!r}\n",
    "list.txt": f"{ROWS}\n",
    "bools.txt": f"X = {[[bool(v) for v in row] for row in ROWS]}\n",
    "rows_in_brackets.txt": "".join(f"[{' '.join(map(str, row))}]\n" for row in ROWS),
    "tuples.txt": "".join(f"{tuple(row)},\n" for row in ROWS),
    "mathematica.txt": f"{{{', '.join(f'{{{str(row)[1:-1]}}}' for row in ROWS)}}}",
    "matlab_literal.m": "A = [0 0 1; 0 1 1; 1 0 1; 1 1 0];\n",
    "rows.yaml": "".join(f"- {row}\n" for row in ROWS),
    "comments.csv": "# made by us\n# 2024-01-01\n" + PLAIN,
    "slashes.csv": "// made by us\n" + PLAIN,
    "comment_between.csv": PLAIN.replace("0,1,1\n", "# half\n0,1,1\n"),
    "quoted_numbers.csv": "a,b,c\n" + _lines('","', before='"', after='"'),
    "single_quotes.csv": "'a','b','c'\n" + _lines("','", before="'", after="'"),
    "decimal_commas.csv": "a;b;c\n" + _lines(";", ("0,0", "1,0")),
    "trailing.csv": "a,b,c,\n" + _lines(",", after=","),
    "trailing_data.csv": "a,b,c\n" + _lines(",", after=","),
    "cr.csv": PLAIN.replace("\n", "\r"),
    "sep_tab.csv": "sep=\t\r\n" + PLAIN.replace(",", "\t").replace("\n", "\r\n"),
    "dos.csv": PLAIN.replace("\n", "\r\n") + "\x1a",
    "padded.csv": "a , b , c\n" + _lines(" , "),
    "spanish.csv": "a;b;c\n" + _lines(";", ("FALSO", "VERDADERO")),
    "german.csv": "a;b;c\n" + _lines(";", ("FALSCH", "WAHR")),
    "ticks.csv": "a,b,c\n" + _lines(",", ("", "\u2713")),
    "signs_in_bars.txt": "a|b|c\n" + _lines("|", ("-", "+")),
    "signs_first.txt": _lines("|", ("-", "+")),
    "dates.csv": "day,a,b,c\n" + _named(",", "2024-"),
    "quoted_with_blanks.csv": '"a", "b", "c"\n' + _lines('", "', before='"', after='"'),
    "quoted_tuples.txt": '"(0, 1)", "(1, 2)", "(2, 3)"\n' + _lines(", "),
    "years_over_words.csv": "2001,2002,2003\n" + _lines(",", ("nein", "ja")),
    "numbers_over_crosses.csv": "73,26,5\n" + _lines(",", ("", "x")),
    "numbers_over_signs.txt": "0 10 20\n" + _lines(" ", ("-", "+")),
    "words_as_names.csv": f"id,a,b,c\ny{_named(',')[3:].replace('bat', 'no').replace('cat', 'n')}",
    "round.txt": "╭───┬───┬───╮\n│ a │ b │ c │\n├───┼───┼───┤\n"
    + _lines(" │ ", before="│ ", after=" │")
    + "╰───┴───┴───╯\n",
    "heavy.txt": "┏━━━┳━━━┳━━━┓\n┃ a ┃ b ┃ c ┃\n┡━━━╇━━━╇━━━┩\n"
    + _lines(" │ ", before="│ ", after=" │"),
    "duck.txt": "┌───┬───┬───┐\n│ a │ b │ c │\n│ int32 │ int32 │ boolean │\n├───┼───┼───┤\n"
    + _lines(" │ ", before="│ ", after=" │"),
    "oracle.txt": "  a    b    c\n---  ---  ---\n" + _lines(" ") + "\n4 rows selected.\n",
    "matlab_lines.m": "% ours\nA = [\n0 0 1\n0 1 1;\n1 0 1; 1 1 ...\n0];\n",
    "logical.m": "A = logical([0 0 1; 0 1 1; 1 0 1; 1 1 0]);\n",
    "bool.jl": "A = Bool[0 0 1; 0 1 1; 1 0 1; 1 1 0]\n",
    "array.py": f"X = np.array({ROWS})\n",
    "sqlite_json.txt": str([dict(zip("abc", r, strict=True)) for r in ROWS]).replace("'", '"'),
    "rows.jsonl": "".join(f"{row}\n" for row in ROWS),
    "header.json": str([["a", "b", "c"], *ROWS]).replace("'", '"'),
    "data.json": f'{{"data": {ROWS}}}',
    "context.txt": "B\n\n4\n3\n\no\nb\nc\nd\nx\ny\nz\n..X\n.XX\nX.X\nXX.\n",
    "minus.csv": "a,b,c\n" + _lines(",", ("\u22121", "1")),
    **{
        f"{no}.csv": "a;b;c\n" + _lines(";", (no, yes))
        for no, yes in (("no", "sí"), ("NÃO", "SIM"), ("NEPRAVDA", "PRAVDA"), ("否", "是"))
    },
    "numbers_of_rows.csv": "h,5,6,7\n" + _counted(2001),
    "hashes_before.csv": "a,b,c\n" + _counted("#"),
    "bars.txt": "| |a|b|c|\n" + _named("|", "|", "|"),
    "bool_alone.jl": "Bool[0 0 1; 0 1 1; 1 0 1; 1 1 0]\n",
    "numpy_2.txt": str([[f"np.int64({v})" for v in row] for row in ROWS]).replace("'", ""),
    "numpy_2_bools.txt": str([[f"np.{v > 0}_" for v in row] for row in ROWS]).replace("'", ""),
    "torch.txt": f"tensor({ROWS}, dtype=torch.int32, device='cuda:0')\n",
    "noted.py": "X = np.array([\n" + "".join(f"    {row},  # a row\n" for row in ROWS) + "])\n",
    "ends.csv": "n,a,b,c\n" + _named(",", after=","),
    "user_id.csv": "user_id,a,b,c\n" + _counted(101),
    "camel.csv": "AnimalId,a,b,c\n" + _counted(101),
    "by_hand.txt": "a b  c\n0  0 1\n0 1 1\n1 0  1\n1 1 0\n",
    "right.txt": " a   b   c\n" + _lines("  ", ("-1", " 1")),
    "yes.txt": "a     b    c\n" + _lines("  ", ("no", "yes")),
}


@pytest.mark.parametrize("name", READ)
def test_read_at_once(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(READ[name].encode())
    assert FiniteClass.from_file(path).table.tolist() == ROWS


def test_packed_files_are_unpacked(tmp_path: Path) -> None:
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("folder/t.csv", PLAIN)
        archive.writestr("__MACOSX/folder/._t.csv", "x")
    packed = {"t.zip": zipped.getvalue(), "t.csv.bz2": bz2.compress(PLAIN.encode())}
    for name, content in {**packed, "t.csv.xz": lzma.compress(PLAIN.encode())}.items():
        (tmp_path / name).write_bytes(content)
        assert FiniteClass.from_file(tmp_path / name).table.tolist() == ROWS
        (tmp_path / name).write_bytes(content[: len(content) // 2])
        refuses("damaged", FiniteClass.from_file, tmp_path / name)


def _book(member: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(member, "x")
        archive.writestr("xl/more.xml", "x")
    return made.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("book.xlsx", _book("[Content_Types].xml"), "got a workbook, want a sheet of it, saved"),
        ("book.csv", _book("mimetype"), "got a workbook, want a sheet of it, saved as CSV"),
        ("old.xls", b"\xd0\xcf\x11\xe0" + bytes(600), "got a workbook of Excel"),
        ("data.sav", b"$FL2@(#) SPSS DATA FILE" + bytes(99), "got a file of SPSS"),
        ("data.mat", b"MATLAB 5.0 MAT-file" + bytes(99), "got a file of MATLAB"),
        ("data.txt", b"%PDF-1.4\n0 0 0\n0 0 0\n", "got a PDF"),
        ("page.csv", b"<!DOCTYPE html>\n", "got a page in HTML"),
        ("page.xml", b"<?xml version='1.0'?>\n", "got a file in XML"),
        ("t.tex", b"\\begin{tabular}{ll}\n", "got a table in LaTeX"),
        ("t.zst", b"\x28\xb5\x2f\xfd..", "got a file packed by zstd"),
        ("a1a.txt", b"+1 3:1 11:1\n-1 5:1\n", "got a file of LIBSVM"),
        ("t.mtx", b"%%MatrixMarket matrix coordinate integer general\n1 1 0\n", "Matrix Market"),
        ("t.csv", b"My table\n\na,b,c\n0,1,1\n", "a title above the table is none of its lines"),
        ("sets.txt", b"{0,1}\n{1,0}\n", "want rows of 0 and 1, or table_format='sets', if"),
        ("sets.txt", b"[{1, 2}, {3}, set()]\n", "want rows of 0 and 1, or table_format='sets', if"),
        # One cell of the first column has no value, which does not make it a column of names.
        ("t.csv", b"a,b\n0,1\nNA,1\n1,0\n", "got 'NA' in line 3 beside '0' in column 1, want n"),
        ("t.csv", b"a,b\nyes,no\nno,yes\n?,no\n", "got '\\?' in line 4 beside 'yes' in column 1"),
        ("t.txt", b"0 1 1\n- 1 0\n1 0 0\n", "got '-' in line 2 beside '1' in column 1, want n"),
        ("t.csv", b"name,a\ny,y\nn,n\n", "got 'name' above the first column, want names=True"),
        ("t.csv", b"h,5,6\n0,0,1\n1,1,0\n", "got 'h' above the first column, want names=True"),
        ("t.txt", b"a b\n# 0 1\n", "got comments alone below the first line, '#' in line 2, w"),
        ("t.json", b"[[0,1],[null,1]]", "got no value in line 2, column 1, want a value"),
        # A title above a table is no header that is one cell short.
        (
            "t.txt",
            b"A =\n0 0 1\n0 1 1\n1 0 1\n",
            "3 cells in line 2, want 2, as .* or names=True, if",
        ),
        (
            "t.txt",
            b"3 4 5\n7 0 1 1\n7 1 0 1\n",
            "want 3, as in the first line .* or names=True, if",
        ),
        (
            "t.csv",
            b"a,b\n0,1\n0,2\n1,1\n",
            "want two values; .*take out line 3 if it is no hypothesis",
        ),
        (
            "t.csv",
            b"a,b\n0,1\n1,NA\n1,1\n",
            r"every cell; columns=\['1'\] reads .*; take out line 3",
        ),
        ("t.txt", b"0^1\n1^1\n1^0\n", r"delimiter='\^', if it separates cells"),
        (
            "t.json",
            b'{"f": [0, 1], "g": [1, 1]}',
            "table_format='json-columns', as pandas writes by",
        ),
        ("t.json", b'{"f": ["c"], "g": ["b", "c"]}', "table_format='sets', if lists are sets"),
        ("t.txt", b"structure(list(a = 0:1))", "got a value of R, want a table: save or export"),
        ("t.txt", b"# c\n1 qid:3 1:1\n0 qid:3 2:1\n", "got a file of LIBSVM"),
        ("t.txt", b"{'a': [0, 1], 'b': [1, 1]}", "got a value of Python \\(json.dumps"),
        ("t.txt", b"[{'a': 0, 'b': 1}]", "got a value of Python"),
        ("t.slf", b"[Lattice]\n1\n1\n[Objects]\na\n", "got sections in brackets, want a table"),
        ("t.txt", b"pd.DataFrame([[0, 1], [1, 1]], columns=['a', 'b'])", "want rows of 0 and 1"),
        ("t.txt", b"rbind(c(0,1),c(1,1))\n", "got 'rbind.*', want rows of 0 and 1, or"),
        ("t.sql", b"VALUES (0,1),\n (1,1);\n", "got 'VALUES .*', want rows of 0 and 1, or"),
        (
            "t.txt",
            b"<Compressed Sparse Row sparse matrix of dtype 'int64'\n",
            "save_npz writes one",
        ),
        # Blanks that are cells, where by chance all lines have as many others.
        ("t.txt", b"     a  b  c\nowl  X     X\nbat     X  X\n", "got blanks of different"),
        ("t.txt", b"     a  b  c\nowl  0     1\nbat     1  1\n", "got blanks of different"),
        ("t.txt", b"X   X\n  X X\nX X\n", "got blanks of different widths .*delimiter=' ', if n"),
        ("t.txt", b"     a  b\nowl  1\nbat     1\n", "got blanks of different widths"),
        ("t.txt", b"owl     X  X\nbat  X  X\n", "got blanks of different widths"),
        ("t.txt", b"a  b\nX\n   X\n", "got blanks of different widths"),
        (
            "t.txt",
            b"a b | f\n0 0 | 0\n0 1 | 1\n",
            "'0 0' in line 2 as one cell in column 1, want names=T",
        ),
        # What stands below or above a table in some lines.
        ("t.csv", b"Our table,,\nname,a,b\nowl,0,1\nbat,1,1\ncat,1,0\n", "take out line 1 abo"),
        ("t.csv", b"n,Senses,\n,a,b\nowl,0,1\nbat,1,1\ncat,0,0\n", "take out line 1 above the"),
        ("t.dat", b"3\n2 3\n1 3\n", "names=True, if column 1 .* table_format='sets', if a line"),
    ],
)
def test_refused_with_what_to_do(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(content)
    refuses(said, FiniteClass.from_file, tmp_path / name)


SETS = [
    ("{a, b}\n{c}\n{}\n", None),
    ("{{a,b},{c},{}}", None),
    ("H = [{'a', 'b'}, {'c'}, set()]", None),
    ("{frozenset({'a', 'b'}), frozenset({'c'}), frozenset()}", None),
    ("[a b]\n[c]\n[]\n", None),
    ("{a, b};\n{c};\n\u2205\n", None),
    ("f: {a, b}\ng = {c}\nh := {}\n", ("f", "g", "h")),
    ("f: a, b\ng: c\nh:\n", ("f", "g", "h")),
    ("f: a b\ng: c\nh: \n", ("f", "g", "h")),
    ("f: a b;\ng: c;\nh: ;\n", ("f", "g", "h")),
]


@pytest.mark.parametrize(("text", "names"), SETS)
def test_sets_as_programs_and_papers_write_them(
    tmp_path: Path, text: str, names: tuple[str, ...] | None
) -> None:
    path = tmp_path / "sets.txt"
    path.write_text(text)
    H = FiniteClass.from_file(path, table_format="sets")
    assert (H.domain, H.names) == (("a", "b", "c"), names)
    assert H.table.tolist() == [[1, 1, 0], [0, 0, 1], [0, 0, 0]]
    path.write_text(text.replace("c", "(c, d)") + "{x")  # no set, and no point with a brace
    with pytest.raises(InvalidInput, match=r"want sets such as \{a, b\} and nothing else, or no"):
        FiniteClass.from_file(path, table_format="sets")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("s.txt", "1 3 5\n2\n3\n", [[1, 1, 1, 0], [0, 0, 0, 1], [0, 1, 0, 0]]),
        ("s.json", '{"f": [1, 2], "g": [2]}', [[1, 1], [0, 1]]),
        ("s.txt", "1 3 #SUP: 7\n2 #SUP: 9\n1 #SUP: 2\n", [[1, 1, 0], [0, 0, 1], [1, 0, 0]]),
        ("s.txt", "1 -2\n-2 3\n", [[1, 1, 0], [0, 1, 1]]),
        (
            "s.txt",
            "1 2 -1 3 -1 -2\n2 -1 -2\n",
            "sequences, which end with -2, want sets: the points",
        ),
        (
            "s.txt",
            "1 2 ==> 3 #SUP: 4\n",
            r"got rules \(==>\), want sets: the points of one in each",
        ),
        ("s.txt", "a b\n\nc\n", "a blank line, want no such line, or sets in braces"),
        ("s.hgr", "2 3\n1 2\n2 3\n", "no such line, if it counts sets and points, or header=False"),
    ],
)
def test_sets_a_line(tmp_path: Path, name: str, text: str, said: str | list[list[int]]) -> None:
    (tmp_path / name).write_text(text)
    if isinstance(said, list):
        H = FiniteClass.from_file(tmp_path / name, table_format="sets")
        assert (H.table.tolist(), H.names) == (said, ("f", "g") if "json" in name else None)
    else:
        with pytest.raises(InvalidInput, match=said):
            FiniteClass.from_file(tmp_path / name, table_format="sets")


def test_sums_are_told_of(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("name,a,Total\nowl,0,0\nbat,1,1\nSum,1,1\n")
    notes = FiniteClass.from_file(tmp_path / "t.csv").reading.notes
    assert [note.split(":")[0] for note in notes] == [
        "'Sum' is read as a hypothesis",
        "'Total' is read as a point",
    ]
    (tmp_path / "t.csv").write_text("name,a,,b\nowl,X,,\nbat,X,,X\nSource: our own,,,\n")
    H = FiniteClass.from_file(tmp_path / "t.csv")
    assert [note.split(":")[0] for note in H.reading.notes] == ["'Source"]
    assert H.domain == ("a", "b")  # a column of nothing at all is none


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A =\n1.5 2 3\n2.5 3 4\n", "want 2, as in the first line, or names=True, if"),
        ("w,h\n1,000,2\n3,000,4\n", "want 2, as in the first line, or names=True, if"),
        ("w,h\nTrue,1\nFalse,2\n", "names=False, if it is a coordinate"),
        ("1,2,3\n1,5.1,3\n2,4.9,3.5\n", "header=True, if the first line names the coordinates"),
        ("    x  y\na  1.5\nb      2.5\n", "got blanks of different widths"),
        ("1.5       2.5\n     3.5  4.5\n", "got blanks of different widths"),
        ("x,y\n0x1F,1\n0x2F,2\n", "names=False, if it is a coordinate"),
        ("user_id,x\n107,1\n101,2\n", "names=False, if it is a coordinate"),
        ("x,y,kind,z\n1,2,owl,3\n3,NaN,bat,4\n", r"columns=\['1', '4'\] reads the columns that"),
    ],
)
def test_points_with_two_readings(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "p.txt").write_text(text)
    with pytest.raises(InvalidInput, match=said):
        read_points(tmp_path / "p.txt")


@pytest.mark.parametrize("corner", ["PassengerId", "subject", "user_id", "Case ID", "case.nr"])
def test_numbers_of_rows_are_no_coordinate(tmp_path: Path, corner: str) -> None:
    (tmp_path / "p.csv").write_text(f"{corner},x\n1,5\n2,6\n3,9\n")
    assert read_points(tmp_path / "p.csv") == [(5,), (6,), (9,)]


@pytest.mark.parametrize(
    "given", [{"header": 0}, {"names": "name"}, {"ones": 2}, {"columns": "12"}, {"path": None}]
)
def test_words_of_other_libraries(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=f"{next(iter(given))}: got"):
        FiniteClass.from_file(**{"path": "animals", **given})
    with pytest.raises(
        InvalidInput, match=r"got 'animals.csv', want a table \(a file: FiniteClass.f"
    ):
        FiniteClass("animals.csv")
    with pytest.raises(
        InvalidInput, match=r"row: got \(0, 1\), want a number or a name; H\[row\]\(point\)"
    ):
        FiniteClass([[0, 1]])[0, 1]  # type: ignore[index]  # as with arrays


def test_what_is_drawn_takes_time_of_its_length(tmp_path: Path) -> None:
    """Dashes, brackets and blanks without an end, which an expression could try in all ways."""
    drawings = ("-" * 9000 + "x\n0\n", "[" * 9000, "= " * 9000 + "x\n", "A = " + " " * 9000)
    for text, how in itertools.product((*drawings, "a" * 9000 + "{"), (None, "sets")):
        (tmp_path / "t.txt").write_text(text)
        try:
            FiniteClass.from_file(tmp_path / "t.txt", table_format=how)
        except InvalidInput as error:
            assert len(str(error)) < 600  # noqa: PT017  # either is an answer, at once


@pytest.mark.parametrize("words", [("--", "++"), ("--", "xx"), ("==", "++")])
def test_values_that_look_like_rules_are_values(tmp_path: Path, words: tuple[str, str]) -> None:
    path = tmp_path / "t.tsv"
    path.write_text("a\tb\tc\n" + _lines("\t", words) + "\t".join(words[0] for _ in "abc") + "\n")
    H = FiniteClass.from_file(path, ones=words[1])
    assert H.table.tolist() == [*ROWS, [0, 0, 0]]


def test_a_million_columns_are_counted_before_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    for first in (",".join(map(str, range(10**6))), "0," * (10**6 - 1) + "1"):
        path.write_text(f"{first}\n{'0,' * (10**6 - 1)}1\n")
        refuses("got 1000000 cells in line 1, want at most 262144", FiniteClass.from_file, path)
