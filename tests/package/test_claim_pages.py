"""The pages that the site writes from the book: claims, maps, tables of notes; and what is kept."""

import dataclasses
import re
from pathlib import Path

import pytest

from pac_stability import claims, papers
from pac_stability.claims import Budget, Claim, Expectation
from pac_stability.claims.claim import Correction, Erratum
from pac_stability.claims.report import evidence_document
from shared_claims import made_up, squares, squares_of_negative
from shared_tools import claim_pages, keep_a_run, kept_runs

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PARTS = ("reference", "errata")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the quick run of the made-up claims."""
    return keep_a_run(made_up(), tmp_path)


def kept(part: str, paper: str) -> tuple[str, str]:
    """The name of a page that is kept, and its text."""
    name = f"{part}/{claims.books()[paper].name.replace('_', '-')}"
    return name, (DOCS / f"{name}.md").read_text(encoding="utf-8")


def of(paper: str) -> list[Claim]:
    return [claim for claim in claims.all() if claim.paper == paper]


def test_a_page_has_statement_code_tests_and_evidence(folder: Path) -> None:
    pages = claim_pages.pages(made_up(), kept_runs.read_runs(folder))
    lemma = pages["bun-livni-moran/lemma-1.md"]
    assert "# BLM20 Lemma 1\n" in lemma
    assert "**Squares grow**" in lemma
    assert r"For all x\_0, x\_0\*x\_0 \>= \|x\_0\|." in lemma
    assert (
        "- status: **exhausted** (exact)\n"
        "- source: printed (FOCS 2020, Section 1, Lemma 1)" in lemma
    )
    assert "`pac-stability verify --only 'BLM20:lemma-1'`" in lemma
    assert f"- `dimensions.littlestone`: {claim_pages.purpose('dimensions.littlestone')}\n" in lemma
    assert "(../../../tests/dimensions/test_littlestone.py)" in lemma
    assert "- used by: [Theorem 2](../bun-livni-moran/theorem-2.md) (Squares grow)\n" in lemma
    assert "- quick: **exhausted** on 2 instances\n" in lemma
    assert r"- instances: squares \| numbers: all of integers from 1 on" in lemma


def test_a_page_tells_what_is_related(folder: Path) -> None:
    pages = claim_pages.pages(made_up(), kept_runs.read_runs(folder))
    theorem = pages["bun-livni-moran/theorem-2.md"]
    assert "- uses: [Lemma 1](../bun-livni-moran/lemma-1.md)" in theorem
    assert "- with explicit constants: [Theorem 2, explicit](" in theorem
    assert 'href="../bun-livni-moran/lemma-1.html"' in theorem
    explicit = pages["bun-livni-moran/theorem-2-explicit.md"]
    assert "[DF20 Remark 3](../dagan-feldman/remark-3.md)" in explicit
    assert "- has the constants of: [Theorem 2](" in explicit
    remark = pages["dagan-feldman/remark-3.md"]
    assert "- status: **recorded** (asymptotic, recorded)" in remark
    assert r"See \# 4." in remark
    assert (
        "| [Bun, Livni and Moran 2020](bun-livni-moran.md) | 3 | 3 exhausted | 0 |"
        in pages["index.md"]
    )


def test_the_page_of_a_paper_leads_to_each_item(folder: Path) -> None:
    page = claim_pages.pages(made_up(), kept_runs.read_runs(folder))["bun-livni-moran.md"]
    for item in ("lemma-1", "theorem-2", "theorem-2-explicit"):
        assert f'href="bun-livni-moran/{item}.html"' in page
        assert f"](bun-livni-moran/{item}.md) | Squares grow | printed | exhausted |" in page
    assert "### Section 1\n" in page
    assert "dagan-feldman/" not in page


def test_counterexamples_are_shown_for_each_budget(folder: Path) -> None:
    failing = dataclasses.replace(
        made_up()[0],
        trials=(dataclasses.replace(squares(1), has_mutant=False), squares_of_negative()),
        expectation=Expectation.FAILS,
        repaired_by="BLM20:lemma-1",
        erratum=Erratum("squares", "it fails", "x * x", "none"),
        corrections=(Correction("Lemma 1, proof", "x_0", "x"),),
    )
    for budget in (Budget.QUICK, Budget.STANDARD):
        document = evidence_document([claims.check(failing, budget)], "1")
        kept_runs.record(document, [failing], folder)
    pages = claim_pages.pages([failing], kept_runs.read_runs(folder))
    page = pages["bun-livni-moran/lemma-1.md"]
    assert page.count(r"  - counterexample: 1\*\*-1 is not 0") == 2
    assert page.index("- quick: **fails** on 3") < page.index("- standard: **fails** on 30")
    assert "- status: **fails** (exact, fails as printed)" in page
    assert r"Consequence: it fails. Correct statement: x \* x. What changes: none." in page
    assert "(../../errata/bun-livni-moran.md#squares)" in page
    assert "- Lemma 1, proof: printed is x<sub>0</sub>; meant is x" in page


def test_a_theorem_of_rocq_has_a_link_and_is_counted() -> None:
    known = dataclasses.replace(made_up()[0], rocq=("Ldim.ge_S", "Soa.SOA_mistakes"))
    page = claim_pages.pages([known], {})["bun-livni-moran/lemma-1.md"]
    theories = "../../../pac_stability/rocq/theories"
    assert (
        f"- proved in Rocq: [`ge_S`]({theories}/Ldim.v), [`SOA_mistakes`]({theories}/Soa.v)\n"
        in page
    )
    failing = dataclasses.replace(known, expectation=Expectation.FAILS, repaired_by="BLM20:lemma-1")
    page = claim_pages.pages([failing], {})["bun-livni-moran/lemma-1.md"]
    assert "- refuted in Rocq: [" in page
    assert "| 1 | 1 not run | 1 |" in claim_pages.pages([known], {})["index.md"]


def test_the_index_has_a_table_of_what_is_refuted() -> None:
    page = claim_pages.index_page({claim.key: claim for claim in claims.all()}, {})
    rows = [line for line in page.splitlines() if line.startswith("| [")]
    refuted = sum(claim.expectation.refuted for claim in claims.all())
    assert len(rows) == refuted + len(claims.books())
    assert (
        "| [BLM20 Lemma 12](bun-livni-moran/lemma-12.md) | FOCS 2020, Section IV-B, Lemma 12 |"
        " fails as printed | [BLM20 Lemma 12, repaired](bun-livni-moran/lemma-12-repaired.md) |"
    ) in rows


def test_two_claims_need_two_pages() -> None:
    lemma = made_up()[0]
    twin = dataclasses.replace(lemma, key="BLM20:lemma.1")
    with pytest.raises(ValueError, match="pages of more than one"):
        claim_pages.pages([lemma, twin], {})


def test_tests_are_found_where_the_package_is_mirrored(tmp_path: Path) -> None:
    for file, text in {
        "notions/test_a.py": "Domination(1, 2).then(x)\n",
        "notions/test_b.py": "# Domination is here\nq.then(x)\n",
        "data/test_c.py": "Domination(1, 2).then(x)\n",
        "notions/test_z.py": "Domination(1, 2).then(mixture(x))\n",
        "papers/dagan_feldman/deep/test_d.py": "from x import hard_chain\n",
    }.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    found = claim_pages.files_of_tests(
        (
            "notions.domination.Domination.then",
            "notions.domination.mixture",
            "papers.dagan_feldman.hard_chain",
        ),
        tmp_path,
    )
    assert [file.name for file in found] == ["test_z.py", "test_a.py", "test_d.py"]


# Every item is in what is written, and nothing of it is written by hand.


@pytest.mark.parametrize("paper", claims.books())
def test_every_claim_is_in_the_map_once(paper: str) -> None:
    name, text = kept("reference", paper)
    filled = claim_pages.filled(name, text)
    assert "<!-- book" not in filled
    for claim in of(paper):
        assert filled.count(f"(../blueprint/{claim_pages.place_of(claim)}.md)") == 1, claim.key
        for code in claim.objects:
            assert f"`{code}`" in filled


@pytest.mark.parametrize(("key", "words"), [
    ("BLM20:lemma-12.repaired", "Lemma 12, repaired"),
    ("DF20:section-1.1.lines.repaired", "Section 1.1, lines, repaired"),
    ("DF20:section-1.averaging", "Section 1, averaging"),
    ("DF20:appendix-c.half", "Appendix C, half"),
    ("DF20:algorithm-appendix-b", "Algorithm Appendix B"),
    ("DF20:definition-h-t", "Definition H_T"),
    ("DF20:definition-pac", "Definition PAC"),
    ("BLM20:algorithm-soa", "Algorithm SOA"),
    ("BLM20:algorithm-g", "Algorithm G"),
])  # fmt: skip
def test_a_heading_spells_sections_and_letters(key: str, words: str) -> None:
    assert claim_pages.heading(claims.get(key)) == words


@pytest.mark.parametrize(("key", "known"), [
    ("DF20:lemma-4", "fails outside the intended range"), ("DF20:lemma-5", "stands"),
    ("BLM20:theorem-10", "open"), ("BLM20:lemma-15", "recorded"),
])  # fmt: skip
def test_what_a_table_of_notes_says_that_a_claim_is(key: str, known: str) -> None:
    assert claim_pages.known_as(claims.get(key)) == known


@pytest.mark.parametrize("paper", claims.books())
def test_the_notes_open_with_what_stands_and_have_a_row_for_all_that_is_refuted(paper: str) -> None:
    name, text = kept("errata", paper)
    assert text.split("\n\n")[2].startswith("**What stands: ")
    headings = {
        re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^##+ (.*)$", text, re.MULTILINE)
    }
    filled = claim_pages.filled(name, text)
    for claim in of(paper):
        assert claim.erratum is not None or not claim.expectation.refuted, claim.key
        if claim.erratum is not None:
            assert claim.erratum.section in headings, claim.key
            row = f"| [{claim_pages.heading(claim)}](#{claim.erratum.section}): "
            assert row in filled
        for slip in claim.corrections:
            assert f"| [{claim_pages.plain(slip.where)}](../blueprint/" in filled
            assert (
                f"| {claim_pages.typeset(slip.printed)} | {claim_pages.typeset(slip.meant)} |"
                in filled
            )


@pytest.mark.parametrize("paper", claims.books())
@pytest.mark.parametrize("part", PARTS)
def test_no_table_of_items_is_written_by_hand(part: str, paper: str) -> None:
    _, text = kept(part, paper)
    assert [line for line in text.splitlines() if line.startswith("|")] == []
    assert claim_pages.MARKER.search(text) is not None


def test_a_marker_that_means_nothing_is_refused() -> None:
    for marker in ("<!-- book: tables -->", "<!-- book: map Section 99 -->"):
        with pytest.raises(KeyError):
            claim_pages.filled("reference/dagan-feldman", marker)


def test_each_counterexample_is_on_the_page_of_a_claim() -> None:
    shown = {file for claim in claims.all() for file in claim_pages.counterexamples_of(claim)}
    assert len(shown) == len(papers.counterexamples.names())
