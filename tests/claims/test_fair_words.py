"""Whose sentence each claim is, and what is said of those that are refuted: decided one by one."""

import re
from pathlib import Path

import pytest

from pac_stability import claims
from pac_stability.claims import Expectation, Kind, Whose
from pac_stability.claims.book import books

SAID = {
    Expectation.FAILS: {
        "DF20:section-1.1.lines",
        "BLM20:fact-affine-subspaces",
        "BLM20:remark-agnostic-rate",
        "BLM20:lemma-12",
    },
    Expectation.MISPRINT: {
        "DF20:definition-private-prediction",
        "DF20:definition-private-prediction.arxiv",
        "BLM20:lemma-14.indices",
        "BLM20:remark-sampling",
    },
    Expectation.RANGE: {
        "DF20:lemma-4", "DF20:lemma-4.redrawing", "DF20:definition-growth", "DF20:lemma-9",
        "DF20:section-3.flip-probability", "DF20:section-3.flip", "DF20:appendix-c.half",
        "BLM20:theorem-10.proof", "CLNRW16:theorem-21", "CLNRW16:theorem-30",
        "CLNRW16:theorem-40.proof",
    },
    Expectation.STEP: {
        "DF20:remark-16", "BLM20:lemma-12.independence", "BLM20:theorem-17.all-frequencies",
        "CLNRW16:theorem-24.proof", "CLNRW16:theorem-32.proof", "CLNRW16:theorem-38.proof",
    },
    Expectation.READING: {
        "DF20:lemma-8", "DF20:section-3.flip-error", "DF20:remark-14", "CLNRW16:lemma-16",
        "CLNRW16:theorem-25.proper", "CLNRW16:theorem-39.any-range",
    },
}  # fmt: skip

PROOFS_ELSEWHERE = {"BLM20:theorem-10.proof"}


def test_what_is_said_of_each_that_is_refuted() -> None:
    found = {
        said: {claim.key for claim in claims.all() if claim.expectation is said} for said in SAID
    }
    assert found == SAID
    assert set(SAID) == {each for each in Expectation if each.refuted}


@pytest.mark.parametrize("key", [
    # Section 1.1 of the paper says what was once reported here as a counterexample to it.
    "CLNRW16:composition-robust",
    # The existence that it states holds; it is the proof's choice that does not serve.
    "CLNRW16:theorem-38",
    # The display of the introduction, which has the words that Section 2 left out.
    "DF20:definition-private-prediction.repaired",
])  # fmt: skip
def test_what_is_printed_and_holds(key: str) -> None:
    claim = claims.get(key)
    assert (claim.whose, claim.expectation) == (Whose.PRINTED, Expectation.HOLDS)
    assert claims.check(claim).as_expected


def test_what_no_paper_says_is_ours_and_holds() -> None:
    for key in ("CLNRW16:definition-5.split", "BLM20:lemma-15.laplace"):
        claim = claims.get(key)
        assert (claim.whose, claim.expectation) == (Whose.OURS, Expectation.HOLDS)


def test_a_repair_is_ours_and_what_is_printed_is_not() -> None:
    printed = {"DF20:definition-private-prediction.repaired"}  # in another place of the paper
    for claim in claims.all():
        if claim.key in printed:
            assert (claim.whose, claim.place) == (Whose.PRINTED, "COLT 2020, Section 1")
        elif claim.kind is Kind.REPAIR or claim.item.endswith((".repaired", ".sharp", ".explicit")):
            assert claim.whose is Whose.OURS, claim.key
        assert (claim.place == "") == (claim.whose is Whose.OURS), claim.key


def test_each_numbered_item_of_a_paper_has_a_claim_that_is_not_ours() -> None:
    for paper, book in books().items():
        items = book.items
        assert [item.number for item in items] == list(range(1, len(items) + 1))
        for item in items:
            prefix = f"{paper}:{str(item).lower().replace(' ', '-')}"
            family = [c for c in claims.all() if c.key == prefix or c.key.startswith(f"{prefix}.")]
            assert any(claim.whose is not Whose.OURS for claim in family), prefix
            apart = PROOFS_ELSEWHERE & {c.key for c in family}
            here = [
                c for c in family if c.place and c.version == book.version and c.key not in apart
            ]
            assert all(item.section in c.place for c in here), prefix


def test_a_proof_in_another_section_than_its_statement_says_where() -> None:
    places = {key: claims.get(key).place for key in PROOFS_ELSEWHERE}
    assert places == {"BLM20:theorem-10.proof": "FOCS 2020, Section IV-C, proof of Theorem 10"}


def test_the_page_of_verdicts_that_changed_has_the_words_of_today() -> None:
    docs = Path(__file__).parents[2] / "docs"
    page, unproved = (docs / "explanation" / "verdicts.md").read_text("utf-8").split("\n## ")
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| ")][1:]
    said = {row[0].removeprefix("| "): row[2] for row in rows if row[0] != "| ---"}
    runs = (docs / "runs" / "quick.tsv").read_text("utf-8").splitlines()[1:]
    status = dict(line.split("\t")[:2] for line in runs)
    words = {claim.key: claim.expectation.word_for(status[claim.key]) for claim in claims.all()}
    assert len(said) > 30
    assert {key: words.get(key, "—") for key in said} == said
    for text, word in ((page, "settled"), (unproved, "exhausted")):
        named = {key.rstrip(".,;:") for key in re.findall(r"[A-Z]+[0-9]+:[a-z0-9.-]+", text)}
        assert {key for key, found in words.items() if found == word} <= named, word
