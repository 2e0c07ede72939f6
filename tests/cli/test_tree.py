import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from pac_stability import FiniteClass, MistakeTree
from pac_stability.cli.app import main

Command = Callable[..., Any]
Validate = Callable[[str], dict[str, Any]]

THRESHOLDS = FiniteClass([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]])

# The only tree of depth 2: the middle point first, then a neighbour on either side.
TEXT = """\
middle
├─0─ high
│    ├─0─ h0
│    └─1─ h1
└─1─ low
     ├─0─ h2
     └─1─ h3
"""


def test_the_tree_is_printed(command: Command, table: Path) -> None:
    result = command("tree", table)
    assert (result.code, result.out, result.err) == (0, TEXT, "")


def test_json_holds_a_tree_that_is_shattered(
    command: Command, validate: Validate, table: Path
) -> None:
    result = command("tree", table, "--json")
    assert result.out == command("tree", table, "--format", "json").out
    report = validate(result.out)
    assert MistakeTree.from_dict(report["tree"]).is_shattered_by(THRESHOLDS)
    assert report["dimension"] == {"lower": 2, "upper": 2, "exact": True}
    assert report["domain"] == ["low", "middle", "high"]


def test_svg_is_a_document_that_shows_every_node(command: Command, table: Path) -> None:
    svg = ET.fromstring(command("tree", table, "--format", "svg").out)  # noqa: S314
    space = "{http://www.w3.org/2000/svg}"
    texts = [element.text for element in svg.iter(f"{space}text")]
    assert sorted(text for text in texts if text and text not in "01") == [
        *("h0", "h1", "h2", "h3"),
        *("high", "low", "middle"),
    ]
    assert len(list(svg.iter(f"{space}line"))) == 6


def test_dot_and_tikz_name_every_edge(command: Command, table: Path) -> None:
    dot = command("tree", table, "--format", "dot").out
    assert dot.startswith("digraph")
    assert dot.count("->") == 6
    tikz = command("tree", table, "--format", "tikz").out
    assert tikz.count(r"\draw") == 6
    assert tikz.count(r"\node") == 7


@pytest.mark.parametrize("form", ["text", "dot", "svg", "tikz", "json"])
def test_a_file_holds_what_would_be_printed(
    command: Command, table: Path, tmp_path: Path, form: str
) -> None:
    output = tmp_path / "tree.out"
    result = command("tree", table, "--format", form, "--output", output)
    assert (result.code, result.out) == (0, "")
    assert output.read_text() == command("tree", table, "--format", form).out
    assert {path.name for path in tmp_path.iterdir()} == {"table.csv", "tree.out"}


@pytest.mark.parametrize(
    ("name", "form"), [("t.svg", "svg"), ("t.DOT", "dot"), ("t.tex", "tikz"), ("t.json", "json")]
)
def test_the_extension_of_the_output_tells_the_format(
    command: Command, table: Path, tmp_path: Path, name: str, form: str
) -> None:
    command("tree", table, "--output", tmp_path / name)
    assert (tmp_path / name).read_text() == command("tree", table, "--format", form).out
    command("tree", table, "--output", tmp_path / name, "--format", "text")
    assert (tmp_path / name).read_text().startswith("middle\n")


@pytest.mark.parametrize(("name", "begins"), [("t.pdf", b"%PDF-"), ("t.PNG", b"\x89PNG")])
def test_a_picture_is_a_picture(
    command: Command, table: Path, tmp_path: Path, name: str, begins: bytes
) -> None:
    pytest.importorskip("matplotlib")
    result = command("tree", table, "--output", tmp_path / name)
    assert (result.code, result.out, result.err) == (0, "", "")
    assert (tmp_path / name).read_bytes().startswith(begins)


@pytest.mark.parametrize("words", [
    ("tree", "TABLE", "--output", "tree.jpg"),
    ("verify", "--only", "BLM20:lemma-14", "--html", "r.pdf"),
    ("verify", "--only", "BLM20:lemma-14", "--latex", "r.html"),
    ("explain", "TABLE", "--html", "r.png"),
])  # fmt: skip
def test_no_text_under_the_name_of_another_kind(
    command: Command, table: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    output = tmp_path / words[-1]
    named = [str(table) if word == "TABLE" else word for word in words[:-1]]
    result = command(*named, output)
    assert (result.code, result.out) == (2, "")
    assert f"got a file of the kind {output.suffix}, want a name that ends in ." in result.err
    assert not output.exists()


def test_a_directory_or_a_missing_one_is_no_output(
    command: Command, table: Path, tmp_path: Path
) -> None:
    for output in (tmp_path, tmp_path / "nowhere" / "tree.svg"):
        result = command("tree", table, "--output", output)
        assert (result.code, result.out) == (2, "")
        assert str(output) in result.err
        assert result.err.count("\n") == 1


def test_names_from_the_table_are_harmless_in_every_format(
    command: Command, tmp_path: Path
) -> None:
    path = tmp_path / "names.json"
    path.write_text(json.dumps({"table": [[0], [1]], "domain": ['a"<&\\_{%\x1b\n']}))
    assert ET.fromstring(  # noqa: S314
        command("tree", path, "--format", "svg").out
    ).findtext(
        "//".join([".", *["{http://www.w3.org/2000/svg}g"] * 2])
        + "/{http://www.w3.org/2000/svg}text"
    ) == ('a"<&\\_{%?')
    assert r'label="a\"<&\\_{%?"' in command("tree", path, "--format", "dot").out
    tikz = command("tree", path, "--format", "tikz").out
    assert r'{a"\textless{}\&\textbackslash{}\_\{\%?}' in tikz
    assert command("tree", path).out.startswith('a"<&\\_{%?\n')


def test_a_class_of_one_hypothesis_is_a_leaf_and_the_empty_class_no_tree(
    command: Command, tmp_path: Path
) -> None:
    path = tmp_path / "class.json"
    path.write_text("[[0, 1]]")
    assert command("tree", path).out == "h0\n"
    result = command("tree", "--family", "random:0x2")
    assert result.code == 2
    assert "got a class without hypotheses" in result.err


def test_a_limit_leaves_a_tree_of_the_lower_bound(command: Command, validate: Validate) -> None:
    result = command("tree", "--family", "random:4096x256:1/4:1", "--time-limit", "0.001", "--json")
    report = validate(result.out)
    assert (result.code, report["status"]) == (3, "bounds")
    depth = MistakeTree.from_dict(report["tree"]).depth
    assert depth == report["dimension"]["lower"] < report["dimension"]["upper"]
    assert "inconclusive: a tree of depth" in result.err


def test_a_pipe_without_the_lines_gets_them_in_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr("sys.stdout", stream)
    assert main(["tree", "--family", "cube:1"]) == 0
    stream.seek(0)
    assert stream.read() == "0\n|-0- h0\n`-1- h1\n"
