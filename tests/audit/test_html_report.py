"""The HTML page of an audit: true pictures, any strings, nothing from elsewhere."""

import math
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from pac_stability.arithmetic import Interval
from pac_stability.audit.notions.notion import Instance, Notion
from pac_stability.audit.reports.html import audit_to_html
from pac_stability.audit.results import AuditResult, Counts, LawsWitness, PairWitness, Verdict
from pac_stability.data import Example, FiniteDistribution, Sample, all_examples
from shared_subjects import Awkward

COUNTS = Counts(datasets=16, pairs=96, points=2, outcomes=3)


def prediction(p: FiniteDistribution[object], q: FiniteDistribution[object]) -> AuditResult:
    """A refuted claim of private prediction, with laws on any outcomes."""
    sample = Sample.from_examples([Example("a", 0), Example("b", 1)])
    return AuditResult(
        Instance(Notion.PRIVATE_PREDICTION, all_examples("ab"), 2, ("a", "b")),
        Fraction(4),
        Verdict.REFUTED,
        PairWitness(
            sample, sample.replace(1, Example("b", 0)), "a", p, q, p.support[:1], Fraction(4)
        ),
        COUNTS,
        claim=Fraction(2),
    )


P: FiniteDistribution[object] = FiniteDistribution(
    {0: Fraction(1, 8), 1: Fraction(1, 2), 2: Fraction(3, 8)}
)
Q: FiniteDistribution[object] = FiniteDistribution(
    {0: Fraction(1, 32), 1: Fraction(1, 4), 2: Fraction(23, 32)}
)


def pictures(page: str) -> dict[str, ET.Element]:
    found = {}
    for text in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        element = ET.fromstring(text)  # noqa: S314  # our own
        title = element.find("title")
        assert title is not None
        found[str(title.get("id"))] = element
    return found


class Page(HTMLParser):
    """What a browser would make of the page: its tags, balanced, and its text."""

    EMPTY = frozenset({"meta", "rect", "circle", "path", "polyline"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_the_page_says_what_was_found() -> None:
    page = Page(audit_to_html(prediction(P, Q), "learner.py::learn", "1.2"))
    assert not page.open
    text = "".join(page.words)
    for words in (
        "learner.py::learn: private prediction",
        "REFUTED: the claim fails, as the witness shows",
        "e^epsilon = 4, epsilon = 1.38629",
        "epsilon at most 0.693147 (a factor of 2)",
        "16 samples, 96 pairs of neighbours, 2 points, 3 outcomes",
        "pac-stability 1.2",
    ):
        assert words in text


def test_nothing_is_loaded_and_nothing_runs() -> None:
    page = Page(audit_to_html(prediction(P, Q), "learner.py::learn", "1.2"))
    tags = {tag for tag, _ in page.seen}
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "use", "image"}
    names = {name for _, attributes in page.seen for name in attributes}
    assert not {name for name in names if name.startswith("on")} | (
        names & {"src", "href", "style"}
    )
    style = "".join(page.words)
    assert "url(" not in style
    assert "@import" not in style


def test_it_follows_the_reader_into_the_dark() -> None:
    style = audit_to_html(prediction(P, Q), "learner.py::learn", "1.2")
    light, dark = re.findall(r":root\{[^}]*\}", style)
    variables = [set(re.findall(r"--(\w+):", part)) for part in (light, dark)]
    assert variables[0] == variables[1] == set(re.findall(r"var\(--(\w+)\)", style))
    assert style.index("prefers-color-scheme:dark") < style.index(dark)


def test_every_picture_is_described_in_words() -> None:
    page = audit_to_html(prediction(P, Q), "learner.py::learn", "1.2")
    found = pictures(page)
    assert set(found) == {"samples-title", "laws-title", "frontier-title"}
    for picture in found.values():
        assert picture.get("role") == "img"
        labels = str(picture.get("aria-labelledby")).split()
        assert labels == [str(picture[0].get("id")), str(picture[1].get("id"))]
        assert all(child.text for child in picture[:2])
    identifiers = re.findall(r' id="([^"]*)"', page)
    assert len(identifiers) == len(set(identifiers)) == 6


def test_the_bars_are_as_long_as_the_probabilities() -> None:
    picture = pictures(audit_to_html(prediction(P, Q), "it", "1"))["laws-title"]
    for kind, law in (("first", P), ("second", Q)):
        # The first one is the legend's.
        bars = [r for r in picture.iter("rect") if r.get("class") == kind][1:]
        lengths = [float(str(bar.get("width"))) for bar in bars]
        assert [length / 300 for length in lengths] == pytest.approx(
            [float(law.probability(z)) for z in (0, 1, 2)], abs=1e-4
        )
    marked = [r for r in picture.iter("rect") if r.get("class") == "event"]
    assert len(marked) == 1


def test_the_outcomes_left_out_are_those_on_which_the_laws_agree_most() -> None:
    # 30 outcomes; on the first two pairs of them the laws differ, on the others they do not.
    weights: dict[object, Fraction] = dict.fromkeys(range(30), Fraction(1, 30))
    moved = weights | {28: Fraction(1, 60), 29: Fraction(1, 20)}
    page = audit_to_html(
        prediction(FiniteDistribution(weights), FiniteDistribution(moved)), "it", "1"
    )
    picture = pictures(page)["laws-title"]
    labels = {text.text for text in picture.iter("text")}
    assert {"28", "29"} <= labels
    assert "6 outcomes on which the laws differ less are left out" in str(picture[1].text)


def brute_force_delta(t: Fraction) -> Fraction:
    """The largest of P(E) - t Q(E) and Q(E) - t P(E) over all events E."""
    events = [set(e) for size in range(4) for e in combinations((0, 1, 2), size)]

    def of(law: FiniteDistribution[object], event: set[int]) -> Fraction:
        return sum((law.probability(z) for z in event), Fraction())

    return max(max(of(P, e) - t * of(Q, e), of(Q, e) - t * of(P, e)) for e in events)


def test_the_frontier_is_the_smallest_delta() -> None:
    picture = pictures(audit_to_html(prediction(P, Q), "it", "1"))["frontier-title"]
    axis = next(iter(picture.iter("path"))).get("d")
    match = re.fullmatch(r"M(\d+) 24V(\d+)H\d+", str(axis))
    assert match is not None
    zero = (float(match[1]), float(match[2]))  # where the factor is 1 and delta is 0
    claim, value = (
        (float(str(c.get("cx"))), float(str(c.get("cy")))) for c in picture.iter("circle")
    )
    assert claim[1] == value[1] == zero[1]
    per_factor = (value[0] - zero[0]) / 3  # the value is the factor 4
    assert (claim[0] - zero[0]) / per_factor == pytest.approx(1, abs=0.001)
    line = next(iter(picture.iter("polyline")))
    corners = [tuple(map(float, pair.split(","))) for pair in str(line.get("points")).split()]
    per_delta = (zero[1] - corners[0][1]) / float(brute_force_delta(Fraction(1)))
    # delta is max(20 - 9t, 4 - t, 0) / 32: it bends at 2 and at 4.
    assert len(corners) == 4
    for x, y in corners:
        t = 1 + (x - zero[0]) / per_factor
        assert (zero[1] - y) / per_delta == pytest.approx(
            float(brute_force_delta(Fraction(t))), abs=0.002
        )


def test_a_value_without_a_claim_is_no_claim() -> None:
    page = audit_to_html(replace(prediction(P, Q), claim=None), "it", "1")
    circles = pictures(page)["frontier-title"].iter("circle")
    assert [circle.get("class") for circle in circles] == ["value"]


def test_the_claim_of_stability_is_a_delta_at_the_factor_one() -> None:
    stable = prediction(P, Q)
    assert isinstance(stable.witness, PairWitness)
    gap = Fraction(11, 32)  # 1/8 + 1/2 - 1/32 - 1/4
    page = audit_to_html(
        replace(
            stable,
            instance=replace(stable.instance, notion=Notion.UNIFORM_STABILITY),
            value=gap,
            claim=gap / 2,
            witness=replace(stable.witness, value=gap),
        ),
        "it",
        "1",
    )
    picture = pictures(page)["frontier-title"]
    claim, value = (
        (float(str(c.get("cx"))), float(str(c.get("cy")))) for c in picture.iter("circle")
    )
    start = str(next(iter(picture.iter("polyline"))).get("points")).split()[0]
    assert f"{value[0]:.2f},{value[1]:.2f}" == start
    assert claim[0] == value[0]
    assert 2 * claim[1] == pytest.approx(value[1] + 270, abs=0.02)  # 270 is where delta is 0


def test_long_numbers_fit_into_the_picture() -> None:
    tiny = Fraction(1, 3**200)
    law: FiniteDistribution[object] = FiniteDistribution({0: tiny, 1: 1 - tiny})
    picture = pictures(audit_to_html(prediction(law, P), "it", "1"))["laws-title"]
    for text in picture.iter("text"):
        if text.get("class") is None:
            end = float(str(text.get("x"))) + 7.9 * len(str(text.text))
            assert end <= float(str(picture.get("width")))


def test_the_changed_element_is_framed_in_both_samples() -> None:
    picture = pictures(audit_to_html(prediction(P, Q), "it", "1"))["samples-title"]
    framed = [r.get("x") for r in picture.iter("rect") if r.get("class") == "changed"]
    plain = [r.get("x") for r in picture.iter("rect") if r.get("class") == "box"]
    assert (len(framed), len(plain)) == (2, 2)
    assert framed[0] == framed[1]
    assert "differ at position 2" in str(picture[1].text)


def test_an_infinite_value_is_drawn_without_its_point() -> None:
    sure: FiniteDistribution[object] = FiniteDistribution({0: Fraction(1)})
    bad = prediction(sure, P)
    assert isinstance(bad.witness, PairWitness)
    page = audit_to_html(
        replace(bad, value=math.inf, witness=replace(bad.witness, value=math.inf)), "it", "1"
    )
    assert len(list(pictures(page)["frontier-title"].iter("circle"))) == 1
    assert "epsilon infinite: no finite one is enough" in page


def test_the_laws_of_all_samples_are_listed() -> None:
    witness = LawsWitness(
        laws=((("a",), P), (("b",), Q)), strategy=((0, Fraction(5, 16)),), value=Fraction(5, 16)
    )
    page = audit_to_html(
        AuditResult(
            Instance(
                Notion.GLOBAL_STABILITY,
                ("a", "b"),
                1,
                distribution=FiniteDistribution.uniform("ab"),
            ),
            Interval(Fraction(1, 4), Fraction(5, 16)),
            Verdict.BOUNDED,
            witness,
            COUNTS,
        ),
        "it",
        "1",
    )
    assert not Page(page).open
    assert "eta between 1/4 (0.25) and 5/16 (0.3125)" in page
    assert list(pictures(page)) == ["strategy-title"]
    assert "0: 1/32 (0.03125), 1: 1/4 (0.25), 2: 23/32 (0.71875)" in page


@given(st.text(), st.text(st.sampled_from("<>&\"'\x00\x1b\ud800/svg>script")))
def test_any_strings_give_a_balanced_page(subject: str, outcome: str) -> None:
    law: FiniteDistribution[object] = FiniteDistribution({Awkward(outcome): Fraction(1)})
    text = audit_to_html(replace(prediction(law, P), note=outcome), subject, "1")
    text.encode("utf-8")
    page = Page(text)
    assert not page.open
    assert len(pictures(text)) == 3
    assert {tag for tag, _ in page.seen} <= {
        *("html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "p", "table"),
        *("tr", "th", "td", "figure", "figcaption", "footer", "svg", "desc", "text", "rect"),
        *("circle", "path", "polyline"),
    }
