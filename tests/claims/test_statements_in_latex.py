"""The statements in LaTeX: every claim has one, each parses, and what is not LaTeX is refused."""

import re
from xml.etree import ElementTree as ET

import pytest

from pac_stability import InvalidInput, claims
from pac_stability.claims.listing import claims_to_latex
from pac_stability.claims.pages import converter, latex_to_html, statement_to_html

needs_converter = pytest.mark.skipif(
    converter() is None, reason="latex2mathml is not installed (the extra html)"
)


def test_every_claim_has_its_statement_in_latex() -> None:
    assert [claim.key for claim in claims.all() if not claim.latex] == []


def test_what_is_outside_of_formulas_is_words_and_braces_match() -> None:
    for claim in claims.all():
        pieces = claim.latex.split("$")
        assert len(pieces) % 2 == 1, claim.key
        assert not re.search(r"[\\&%#_^{}~]", "".join(pieces[::2])), claim.key
        for formula in pieces[1::2]:
            assert formula.strip() == formula != "", claim.key
            bare = re.sub(r"\\[{}]", "", formula)
            assert bare.count("{") == bare.count("}"), claim.key
            assert len(re.findall(r"\\left\b", bare)) == len(re.findall(r"\\right\b", bare))


def test_numbers_of_the_words_are_those_of_the_latex() -> None:
    """Decimals and long numbers are where a slip of the pen would be."""
    for claim in claims.all():
        numbers = set(re.findall(r"\d+\.\d+|\d{3,}", claim.latex.replace("{,}", "")))
        words = claim.statement.replace(",", "") + claim.title
        missing = {number for number in numbers if number not in words}
        assert not missing, (claim.key, missing)


@needs_converter
def test_every_statement_is_set() -> None:
    for claim in claims.all():
        page = statement_to_html(claim)
        formulas = claim.latex.count("$") // 2
        assert page.count("<math>") == page.count("</math>") == formulas, claim.key
        read = "".join(ET.fromstring(f"<p>{page}</p>").itertext())  # noqa: S314  # our own
        assert "\\" not in read, claim.key
        assert "$" not in read, claim.key


@needs_converter
@pytest.mark.parametrize("wrong", ["$", "a $x", "50 % of $x$", r"$\frac$", r"$\nosuch x$", r"\le"])
def test_what_is_not_latex_is_refused(wrong: str) -> None:
    with pytest.raises(InvalidInput, match="latex"):
        latex_to_html(wrong)


@needs_converter
def test_letters_of_other_alphabets_are_characters() -> None:
    page = latex_to_html(r"$\mathcal H$ and $\mathcal D$, $\mathbb E$; $x \sim D$ ")
    assert "ℋ" in page
    assert "𝒟" in page
    assert "𝔼" in page
    assert "mathvariant" not in page
    assert "&#x0223C;" in page


@needs_converter
def test_functions_stand_close_to_what_they_are_applied_to() -> None:
    page = latex_to_html(r"$\operatorname{Ldim}(H) \le \ln n$")
    assert '<mo lspace="0.1em" rspace="0em">Ldim</mo>' in page
    assert '<mo lspace="0.1em" rspace="0.16em">ln</mo>' in page


def test_without_the_converter_a_page_has_the_words(monkeypatch: pytest.MonkeyPatch) -> None:
    module = "pac_stability.claims.pages.converter"
    monkeypatch.setattr(module, lambda: None)
    claim = claims.get("BLM20:lemma-12")
    assert statement_to_html(claim).startswith(
        "For every class of dimension d, realizable D, n &gt;"
    )
    with pytest.raises(ModuleNotFoundError, match="latex2mathml"):
        latex_to_html("$x$")


def test_statements_for_a_paper() -> None:
    text = claims_to_latex(claims.meant("Lemma 12"))
    first, second = text.splitlines()[:2]
    assert first == "% BLM20:lemma-12 (FOCS 2020, Section IV-B, Lemma 12)"
    assert second.startswith(r"\paragraph{A frequent hypothesis: as printed.} Let $d =")
    assert r"2\textasciicircum{}d" in claims_to_latex([claims.get("BLM20:remark-thresholds")])
