"""The reports of a run, and the command that prints them."""

import json
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

from pac_stability import claims
from pac_stability.claims import Claim, Expectation, Kind, Whose, trial
from pac_stability.claims.claim import Status
from pac_stability.claims.kit import settle
from pac_stability.claims.pages import (
    COLOURS,
    converter,
    evidence_to_html,
)
from pac_stability.claims.report import (
    evidence_document,
    evidence_to_latex,
    evidence_to_text,
    summary,
)
from shared_tools import claim_graph


def claim(item: str, *uses: str, bound: int = 10) -> Claim:
    asked = trial(
        "numbers",
        lambda limit, x: settle(x < limit, f"{x} >= {limit} & <b>"),
        lambda budget: range(budget.pick(5, 6, 7)),
        subject=bound,
        mutant=1,
        universe="integers",
    )
    used = tuple(f"DF20:{other}" for other in uses)
    return Claim(
        f"DF20:{item}",
        Kind.LEMMA,
        item,
        "x < 10",
        ("claims",),
        (asked,),
        whose=Whose.PRINTED,
        where="Section 2",
        version="COLT 2020",
        uses=used,
    )


def printed(expectation: Expectation = Expectation.FAILS) -> Claim:
    return replace(
        claim("fact-9", bound=3), expectation=expectation, repaired_by="DF20:fact-9.repaired"
    )


def test_text_marks_what_is_not_as_expected() -> None:
    good, bad = claims.check(claim("lemma-1")), claims.check(claim("lemma-2", bound=3))
    text = evidence_to_text([good, bad, claims.check(printed())])
    lines = text.splitlines()
    assert lines[:3] == [
        "DF20  PAC learning with stable and private predictions",
        "Section 2",
        f"  survived     Lemma 1: lemma-1{48 * ' '}5",
    ]
    assert lines[3].startswith("! refuted      Lemma 2: lemma-2 ")
    assert lines[4].strip() == "COUNTEREXAMPLE: 3 >= 3 & <b>"
    assert lines[6].strip() == "fails as printed (COLT 2020, Section 2, Fact 9): 3 >= 3 & <b>"
    known = [Expectation.FAILS, Expectation.FAILS, Expectation.MISPRINT, Expectation.RANGE]
    assert summary([claims.check(printed(each)) for each in known]) == (
        "4 claims: 2 fail as printed; 1 misprint; 1 note; all as expected"
    )
    assert summary([good]) == "1 claim: 1 survived; all as expected"
    assert summary([good, bad]).endswith("NOT as expected: DF20:lemma-2")


def test_the_document_is_json_and_complete() -> None:
    document = evidence_document([claims.check(printed())], "1.2.3")
    assert json.loads(json.dumps(document)) == document
    assert (document["version"], document["budget"], document["as_expected"]) == (
        "1.2.3",
        "quick",
        True,
    )
    (entry,) = json.loads(json.dumps(document))["claims"]
    assert (entry["whose"], entry["place"]) == ("printed", "COLT 2020, Section 2, Fact 9")


class Reader(HTMLParser):
    """The ids of a page, what its links lead to, and what it loads from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.targets: set[str] = set()
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag != "link"
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            if name == "href" and value:
                self.targets.add(value)
            if name == "src" and value:
                self.loaded.append(value)


def test_words_of_a_misprint_are_not_those_of_a_failure() -> None:
    found = [claims.check(printed(Expectation.MISPRINT))]
    text, page, table = (
        evidence_to_text(found), evidence_to_html(found, "1"), evidence_to_latex(found)
    )  # fmt: skip
    assert "a misprint (COLT 2020, Section 2, Fact 9): 3 >= 3" in text
    assert "<dt>a misprint</dt><dd>3 &gt;= 3" in page
    assert '<article class="aside"' in page
    assert "<dd>printed: COLT 2020, Section 2, Fact 9</dd>" in page
    assert "& misprint &" in table
    for each in (text, page.partition("<article")[2], table):
        assert "refuted" not in each
        assert "fails" not in each


def test_the_page_links_only_to_itself_and_escapes() -> None:
    chosen = [claim("lemma-1"), claim("lemma-2", "lemma-1"), printed()]
    repaired = claim("fact-9.repaired")
    page = evidence_to_html([claims.check(c) for c in (*chosen, repaired)], "1.2.3")
    reader = Reader()
    reader.feed(page)
    assert reader.targets == {"#DF20:lemma-1", "#DF20:fact-9.repaired"}
    assert {"DF20:lemma-1", "DF20:fact-9.repaired"} <= set(reader.ids)
    assert reader.loaded == []
    assert "&lt;b&gt;" in page
    assert "<b>" not in page


def test_latex_escapes() -> None:
    table = evidence_to_latex([claims.check(printed())])
    assert r"3 \textgreater{}= 3 \& \textless{}b\textgreater{} \\" in table


def test_layers_put_what_is_used_above() -> None:
    chosen = [claim("c", "b", "a"), claim("b", "a"), claim("a"), claim("alone")]
    placed = {key: place.layer for key, place in claim_graph.layers(chosen).items()}
    assert placed == {"DF20:a": 0, "DF20:b": 1, "DF20:c": 2}


def test_the_picture_has_a_box_for_each_and_a_line_for_each_use() -> None:
    chosen = [claim("c", "b", "a"), claim("b", "a"), claim("a")]
    keys = [c.key for c in chosen]
    links = {key: f"#{key}" for key in keys}
    svg = claim_graph.graph_to_svg(chosen, dict.fromkeys(keys, "survived"), links)
    root = ET.fromstring(svg)  # noqa: S314  # our own
    space = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f".//{space}rect")) == 3
    assert len(root.findall(f".//{space}path")) == 3


def test_an_empty_page() -> None:
    assert "0 claims: none; all as expected" in evidence_to_html([], "1")


def test_a_table_of_no_claims_has_no_rows() -> None:
    assert evidence_to_text([]) == ""
    assert evidence_to_latex([]).splitlines()[-2:] == [r"\endhead", r"\end{longtable}"]


def test_a_wide_graph_goes_on_below() -> None:
    chosen = [claim("a"), *(claim(f"b{i}", "a") for i in range(9))]
    keys = [c.key for c in chosen]
    links = {key: f"#{key}" for key in keys}
    svg = claim_graph.graph_to_svg(chosen, dict.fromkeys(keys, "survived"), links)
    root = ET.fromstring(svg)  # noqa: S314  # our own
    rects = root.findall(".//{http://www.w3.org/2000/svg}rect")
    corners = {(float(box.attrib["x"]), float(box.attrib["y"])) for box in rects}
    assert len(corners) == 10
    heights = sorted({y for _, y in corners})
    assert [sum(y == height for _, y in corners) for height in heights] == [1, 4, 4, 1]
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for x, y in corners:
        assert 0 < x <= width - 176
        assert 0 < y <= height - 30
    assert width < 800


def test_every_status_has_a_colour_and_a_graph_its_legend() -> None:
    assert {status.value for status in Status} <= COLOURS.keys()
    chosen = [claim("a"), claim("b", "a")]
    drawn = claim_graph.picture(
        chosen, {"DF20:a": "survived", "DF20:b": "aside"}, {c.key: f"#{c.key}" for c in chosen}
    )
    assert "survived: holds on all instances tried" in drawn
    assert "not as printed: a misprint" in drawn
    assert "settled" not in drawn
    assert drawn.count("aria-label") == 3 + 1 + len(chosen)  # tools, the graph, its boxes


def test_statements_are_set_in_the_page_and_in_the_table() -> None:
    lemma = replace(claim("lemma-1"), latex=r"$x < 10^1$")
    found = [claims.check(lemma)]
    assert r"& lemma-1. $x < 10^1$ \\" in evidence_to_latex(found)
    page = evidence_to_html(found, "1")
    assert ("<math>" in page) == (converter() is not None)
    assert ("<p>x &lt; 10</p>" in page) == (converter() is None)
