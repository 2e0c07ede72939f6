"""What docstrings cite of the papers is there: each numbered item has a claim."""

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

import pac_stability
from pac_stability import claims
from shared_tools import citations


def docstrings(file: Path) -> Iterator[tuple[int, str]]:
    """Every text that stands as a statement, with its line."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            text = node.value.value
            if isinstance(text, str):
                yield node.lineno, text


def dangling(root: Path, papers: Collection[str], keys: Collection[str]) -> list[str]:
    """Citations of these papers in docstrings below a folder that name none of the keys."""
    return [
        f"{file.relative_to(root)}:{line + text.count(chr(10), 0, cited.start)}: {cited.key}"
        for file in sorted(root.rglob("*.py"))
        for line, text in docstrings(file)
        for cited in citations.references(text)
        if cited.key.partition(":")[0] in papers and not cited.is_among(keys)
    ]


@pytest.mark.parametrize(("text", "keys"), [
    ("the bound of DF20 Theorem 11", ["DF20:theorem-11"]),
    ("(CLNRW16, Definitions 2 and 3).", ["CLNRW16:definition-2", "CLNRW16:definition-3"]),
    ("Source: BLM20 Theorem 10 and algorithm G.", ["BLM20:theorem-10"]),
    ("[BLM20, Section IV-B and\n    Definition 8]", ["BLM20:definition-8"]),
    ("DF20 (Section 2.1, Corollaries 2, 3, and 5)", [f"DF20:corollary-{n}" for n in (2, 3, 5)]),
    ("CLNRW16 Lemmas 9 to 11 or 13", [f"CLNRW16:lemma-{n}" for n in (9, 10, 11, 13)]),
    ("DF20's Lemma 4, BLM20's Lemma 5", ["DF20:lemma-4", "BLM20:lemma-5"]),
    ("BLM20:lemma-12.repaired; BLM20:lemma-1* say", ["BLM20:lemma-12.repaired"]),
    ("Theorem 3 of the book; DF20. Lemma 4; BLM2 Lemma 1; DF2012 Lemma 7", []),
    ("CLNRW16 is a paper, with Lemma 29", []),
])  # fmt: skip
def test_citations_are_read(text: str, keys: list[str]) -> None:
    found = citations.references(text)
    assert [cited.key for cited in found] == keys
    assert all(text[cited.start : cited.end].endswith(tuple("0123456789d")) for cited in found)


def test_an_item_that_is_not_there_is_found(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text(
        '"""About BLM20 Lemma 12."""\n\n\n'
        'class A:\n    """Short.\n\n    DF20 Lemma 99\n    and 8.\n    """\n\n'
        '    x: int\n    """As BLM20 Lemma 1."""\n\n\n'
        'S = "BLM20 Lemma 7"\n'
    )
    keys = ["BLM20:lemma-12.repaired", "DF20:lemma-8"]
    assert dangling(tmp_path, {"BLM20", "DF20"}, keys) == [
        "module.py:7: DF20:lemma-99",
        "module.py:12: BLM20:lemma-1",
    ]
    assert dangling(tmp_path, {"DF20"}, keys) == ["module.py:7: DF20:lemma-99"]


@pytest.mark.parametrize("paper", claims.books())
def test_every_citation_names_a_claim(paper: str) -> None:
    root = Path(pac_stability.__file__).parent
    assert dangling(root, {paper}, [claim.key for claim in claims.all()]) == []
