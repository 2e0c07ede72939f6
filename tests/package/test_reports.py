"""Every result has a face: its text is the command line's, and a notebook shows it."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import pytest

import pac_stability as ps
from pac_stability import audit, claims
from pac_stability._report import Reported, aligned, html_table, latex_table, tex
from pac_stability.arithmetic import Epsilon
from pac_stability.classes import FiniteClass, thresholds
from pac_stability.cli import main
from pac_stability.compression import AdaptiveSession, ThresholdScheme
from pac_stability.data import Example, FiniteDistribution, Sample
from pac_stability.dimensions import LittlestoneSearch, littlestone, shattered_tree
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.online import PlayedGame, Round, Transcript
from pac_stability.papers.bun_livni_moran.tournaments.distribution import TournamentDistribution
from pac_stability.papers.cummings_et_al import implications
from pac_stability.papers.dagan_feldman.sample_complexity import theorem_1
from pac_stability.papers.guarantees import FrequencyGuarantee
from pac_stability.randomness import SeededCoins

NAMED = FiniteClass(
    [[0, 0], [0, 1], [1, 1]], domain=["wings", "beak"], names=["dog", "platypus", "owl"]
)


def first_label(sample: Sample[int], point: int) -> int:  # noqa: ARG001  # a predictor
    return sample.labels[0]


def record() -> Reported:
    H = thresholds(8)
    target = FiniteDistribution.uniform([Example(x, H(4, x)) for x in range(8)])
    return TournamentDistribution(H, target, k=2, n=2, threshold="1/2").run(SeededCoins(3))


def session() -> AdaptiveSession:
    begun = AdaptiveSession(Sample([2, 1, 1, 2], [1, 1, 0, 1]), Fraction(1, 20), budget=2)
    begun.ask(ThresholdScheme())
    return begun


RESULTS = {
    "audit": lambda: audit.private_prediction(first_label, domain=1, n=2, claim=1),
    "statistics": lambda: audit.privacy_bound(lambda bits: bits, [(0, 1)], runs=100, claim=1),
    "dimension": lambda: littlestone(NAMED),
    "tree": lambda: shattered_tree(NAMED),
    "refutation": lambda: LittlestoneSearch(NAMED).refutation(),
    "transcript": lambda: Transcript.of(NAMED, "SOA", [Round(1, 0, 1), Round(0, 1, 1)]),
    "tournament": record,
    "claim": lambda: claims.get("DF20:lemma-7.privacy"),
    "evidence": lambda: next(iter(claims.verify(claims.select(["DF20:appendix-a.mixtures"])))),
    "run": lambda: claims.EvidenceReport(
        tuple(claims.verify(claims.select(["DF20:appendix-a.mixtures"])))
    ),
    "game": lambda: PlayedGame(
        NAMED, Transcript.of(NAMED, "SOA", [Round(1, 0, 1), Round(0, 1, 0)]), 1
    ),
    "consequences": lambda: claims.what_follows(PrivacyGuarantee(Epsilon("1/10")), 1000),
    "implication": lambda: implications.private_to_robust,
    "size": lambda: theorem_1("1/5", "1/10", "1/5", 1),
    "session": session,
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_has_a_face(name: str) -> None:
    result = RESULTS[name]()
    assert isinstance(result, Reported)
    text = str(result)
    assert text.strip()
    assert "object at 0x" not in text
    html, svg = result._repr_html_(), result._repr_svg_()
    assert html
    if svg is not None:
        ET.fromstring(svg)  # noqa: S314  # our own
    if html is not None:
        assert _balanced(html)
    latex = result._repr_latex_()
    assert latex is None or latex.count(r"\begin") == latex.count(r"\end{")


def _balanced(html: str) -> bool:
    """Whether each part that is opened is closed, in this order."""
    opened: list[str] = []

    class Parser(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
            opened.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert opened.pop() == tag

        def handle_startendtag(self, tag: str, attrs: object) -> None:
            pass

    Parser().feed(html)
    return not opened


SHORT = [
    *("audit", "statistics", "dimension", "tree", "claim", "run", "consequences", "implication"),
    "size",
]


@pytest.mark.parametrize("name", SHORT)
def test_its_repr_stays_short(name: str) -> None:
    told = repr(RESULTS[name]())
    assert len(told) < 130
    assert told.startswith("<")
    assert told.endswith(">")


def test_a_tournament_is_a_picture() -> None:
    drawn = record()._repr_svg_()
    assert drawn is not None
    assert "<title>A sample of D_2 and its tournaments</title>" in drawn
    assert record()._repr_html_() == drawn


def test_a_game_ends_with_a_hypothesis_that_agrees() -> None:
    game = PlayedGame(NAMED, Transcript.of(NAMED, "SOA", [Round(1, 0, 1), Round(0, 1, 0)]), 1)
    assert str(game) == (
        "2 mistakes in 2 rounds; Littlestone dimension 1. "
        "Hypothesis platypus agrees with every label: 01\n"
    )
    contradicted = Transcript.of(NAMED, "SOA", [Round(1, 0, 1), Round(1, 0, 0)])
    assert "No hypothesis agrees" in str(PlayedGame(NAMED, contradicted, 1))
    assert "right" in PlayedGame(NAMED, contradicted, 1)._repr_html_()


def test_what_follows_is_a_sequence() -> None:
    found = claims.what_follows(PrivacyGuarantee(Epsilon("1/10")), 1000)
    assert list(found) == list(found[:]) == list(found.found)
    assert found[0] in found
    assert str(found).splitlines()[0] == (
        "from differential privacy: epsilon = 0.1000, delta = 0, on samples of 1,000 examples:"
    )
    nothing = claims.what_follows(FrequencyGuarantee(Fraction(1, 4)), 8)
    assert str(nothing).endswith("  nothing\n")


def test_names_of_a_table_are_shown() -> None:
    tree = shattered_tree(NAMED)
    assert {"owl", "dog", "platypus"} & set(str(tree).split())
    assert "beak" in str(tree) or "wings" in str(tree)
    assert "beak" in str(RESULTS["transcript"]())
    assert 'label="owl"' in tree.to_dot() or 'label="platypus"' in tree.to_dot()
    # They are no part of what trees are compared by.
    assert tree == type(tree)(tree.root)
    assert hash(tree) == hash(type(tree)(tree.root))


def test_a_tree_without_a_class_has_names_of_its_own() -> None:
    tree = type(shattered_tree(NAMED))(shattered_tree(NAMED).root)
    assert str(tree).startswith("x")


def test_the_command_line_prints_the_same(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("name,wings,beak\ndog,0,0\nplatypus,0,1\nowl,1,1\n")
    main(["tree", str(path)])
    assert capsys.readouterr().out == str(shattered_tree(FiniteClass.from_csv(path)))
    main(["claims", "show", "DF20:lemma-7.privacy"])
    # Lines end elsewhere on a narrower terminal, also within a hyphened word.
    shown = capsys.readouterr().out
    assert "".join(shown.split()) == "".join(str(claims.get("DF20:lemma-7.privacy")).split())
    module = Path(__file__).resolve()
    main(["audit", f"{module}::first_label", "--notion", "private-prediction", "--domain", "1",
          "--n", "2", "--claim", "1"])  # fmt: skip
    shown = capsys.readouterr().out.partition(": ")[2]
    assert shown == str(RESULTS["audit"]()).partition(": ")[2]


def test_explain_takes_a_result() -> None:
    found = audit.private_prediction(first_label, domain=1, n=2, claim=1)
    assert ps.audit.explain(found) == ps.audit.explain(audit.certificates.to_document(found))


def test_explain_takes_runs_and_any_other_result() -> None:
    found = audit.privacy_bound(lambda bits: bits[0], [((0,), (1,))], runs=200, claim=1)
    told = ps.audit.explain(found)
    assert told == ps.audit.explain(audit.run_certificates.to_document(found))
    assert told.startswith("What runs show of differential privacy. The claim: epsilon at most 1 (")
    assert "That contradicts the claim, so the claim fails." in told
    assert ps.audit.explain(shattered_tree(NAMED)) == str(shattered_tree(NAMED))


def test_a_tree_as_a_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    nodes: dict[str, str] = {}
    edges: dict[tuple[str, str], int] = {}

    class DiGraph:
        def add_node(self, node: str, *, name: str) -> None:
            nodes[node] = name

        def add_edge(self, start: str, stop: str, *, label: int) -> None:
            edges[start, stop] = label

    monkeypatch.setitem(sys.modules, "networkx", SimpleNamespace(DiGraph=DiGraph))
    graph = shattered_tree(NAMED).to_networkx()
    assert isinstance(graph, DiGraph)
    assert edges == {("", "0"): 0, ("", "1"): 1}
    assert nodes[""] in ("wings", "beak")
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(ImportError, match="pip install networkx"):
        shattered_tree(NAMED).to_networkx()


def test_laws_are_tables() -> None:
    law = FiniteDistribution.uniform(["<a>", "b"])
    assert "<td>1/2</td>" in law._repr_html_()
    assert "&lt;a&gt;" in law._repr_html_()
    assert "and 10 more" in FiniteDistribution.uniform(range(60))._repr_html_()


def test_tables_escape() -> None:
    assert "&lt;" in html_table([("<", "b")], ("head",) * 2)
    assert latex_table([("a_b", "c")]).splitlines()[1] == r"a\_b & c \\"
    assert tex(r"\x") == r"\textbackslash{}x"
    assert aligned([]) == ""
