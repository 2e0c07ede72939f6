"""Every result has a face: its text is the command line's, and a notebook shows it."""

import dataclasses
import importlib
import inspect
import pkgutil
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import get_args, get_origin, get_type_hints

import pytest

import pac_stability as ps
from pac_stability import audit, claims, cli, data, dimensions, errors, estimators, learning, papers
from pac_stability._report import Reported, aligned, html_table, latex_table, tex
from pac_stability.arithmetic import Epsilon, Interval, interval
from pac_stability.classes import FiniteClass, thresholds
from pac_stability.compression import AdaptiveSession, ThresholdScheme, bounds, check_scheme
from pac_stability.data.display import shown
from pac_stability.mechanisms import Ledger, PrivacyGuarantee
from pac_stability.online import PlayedGame, Round, StandardOptimalAlgorithm, Transcript
from pac_stability.papers.bun_livni_moran import formulas
from pac_stability.papers.bun_livni_moran.tournaments import TournamentDistribution
from pac_stability.papers.cummings_et_al import implications
from pac_stability.papers.dagan_feldman import sample_complexity
from pac_stability.randomness import SeededCoins

NAMED = FiniteClass(
    [[0, 0], [0, 1], [1, 1]], domain=["wings", "beak"], names=["dog", "platypus", "owl"]
)


def first_label(sample: data.Sample[int], point: int) -> int:  # noqa: ARG001  # a predictor
    return sample.labels[0]


def record() -> Reported:
    H = thresholds(8)
    target = data.FiniteDistribution.uniform([data.Example(x, H(4, x)) for x in range(8)])
    return TournamentDistribution(H, target, k=2, n=2, threshold="1/2").run(SeededCoins(3))


def tournament() -> TournamentDistribution:
    return TournamentDistribution(NAMED, NAMED.target("platypus"), k=1, n=1, threshold=1)


def session() -> AdaptiveSession:
    begun = AdaptiveSession(data.Sample([2, 1, 1, 2], [1, 1, 0, 1]), Fraction(1, 20), budget=2)
    begun.ask(ThresholdScheme())
    return begun


RESULTS: dict[str, Callable[[], object]] = {
    "audit": lambda: audit.private_prediction(first_label, domain=1, n=2, claim=1),
    "statistics": lambda: audit.privacy_bound(lambda bits: bits, [(0, 1)], runs=100, claim=1),
    "dimension": lambda: dimensions.littlestone(NAMED),
    "tree": lambda: dimensions.shattered_tree(NAMED),
    "refutation": lambda: dimensions.LittlestoneSearch(NAMED).refutation(),
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
    "size": lambda: sample_complexity.theorem_1("1/5", "1/10", "1/5", 1),
    "session": session,
    "guarantee": lambda: PrivacyGuarantee(Epsilon("1/2"), Fraction(1, 10**6)),
    "frequency": lambda: papers.guarantees.FrequencyGuarantee(Fraction(1, 4)),
    "robust": lambda: implications.RobustGuarantee(Fraction(1, 4), Fraction(1, 50)),
    "promise": lambda: learning.Accuracy(Fraction(1, 10), Fraction(1, 20)),
    "law": lambda: data.FiniteDistribution.uniform("abc"),
    "enclosed law": lambda: data.EnclosedDistribution(
        {1: 1 / (1 + Interval.exp(-1)), 0: 1 - 1 / (1 + Interval.exp(-1))}
    ),
    "law of a tournament": lambda: tournament().law_of_output(),
    "law of a contest": lambda: papers.bun_livni_moran.RandomContest(
        NAMED, NAMED.target("owl"), n=1
    ).law_of_output(),
    "stability of G": lambda: papers.bun_livni_moran.GloballyStableLearner(
        NAMED, "1/4", n=1, blocks=2
    ).global_stability(NAMED.target("owl")),
    "sizes of M": lambda: formulas.PrivateLearnerSizes(
        1, Fraction(1, 4), Fraction(1, 10), Epsilon(1), Fraction(1, 1000)
    ),
    "theorem 3": lambda: papers.bun_livni_moran.equivalence(NAMED),
    "bound": lambda: bounds.ranked_bounds(100, 2, "1/20")[0].bound,
    "witness": lambda: audit.private_prediction(first_label, domain=1, n=2, claim=1).witness,
    "smaller": lambda: audit.shrink_counterexample(
        first_label, audit.private_prediction(first_label, domain=1, n=2, claim=1)
    ),
    "symmetry": lambda: audit.is_symmetric(first_label, domain=1, n=2),
    "shattered set": lambda: dimensions.vc(NAMED).witness,
    "dual": lambda: dimensions.dual_vc(NAMED).witness,
    "half graph": lambda: dimensions.threshold(NAMED).witness,
    "star": lambda: dimensions.star(NAMED).witness,
    "scheme": lambda: check_scheme(ThresholdScheme(), range(2), 2),
    "plan": lambda: estimators.Plan((estimators.PlannedAnswer(1.0, 100, 3, 0.9, 0.8, 12),)),
    "spent": lambda: estimators.PrivacyReport(
        PrivacyGuarantee(Epsilon(1)), "replace-one", "whole model", "pure", "DF20:lemma-7.privacy"
    ),
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


LISTED = {"law", "enclosed law", "law of a tournament", "law of a contest", "bound"}
"""Values: their ``repr`` is what makes them."""


@pytest.mark.parametrize("name", sorted(RESULTS.keys() - LISTED))
def test_its_repr_stays_short(name: str) -> None:
    told = repr(RESULTS[name]())
    assert len(told) < 130
    assert told.startswith("<")
    assert told.endswith(">")


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
    nothing = claims.what_follows(papers.guarantees.FrequencyGuarantee(Fraction(1, 4)), 8)
    assert str(nothing).endswith("  nothing\n")


def test_names_of_a_table_are_shown() -> None:
    tree = dimensions.shattered_tree(NAMED)
    assert {"owl", "dog", "platypus"} & set(str(tree).split())
    assert "beak" in str(tree) or "wings" in str(tree)
    assert "beak" in str(RESULTS["transcript"]())
    assert 'label="owl"' in tree.to_dot() or 'label="platypus"' in tree.to_dot()
    # They are no part of what trees are compared by.
    assert tree == type(tree)(tree.root)
    assert hash(tree) == hash(type(tree)(tree.root))


def test_a_tree_without_a_class_has_names_of_its_own() -> None:
    tree = type(dimensions.shattered_tree(NAMED))(dimensions.shattered_tree(NAMED).root)
    assert str(tree).startswith("x")


def test_the_command_line_prints_the_same(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("name,wings,beak\ndog,0,0\nplatypus,0,1\nowl,1,1\n")
    cli.main(["tree", str(path)])
    assert capsys.readouterr().out == str(dimensions.shattered_tree(FiniteClass.from_csv(path)))
    cli.main(["claims", "show", "DF20:lemma-7.privacy"])
    # Lines end elsewhere on a narrower terminal, also within a hyphened word.
    shown = capsys.readouterr().out
    assert "".join(shown.split()) == "".join(str(claims.get("DF20:lemma-7.privacy")).split())
    module = Path(__file__).resolve()
    cli.main(["audit", f"{module}::first_label", "--notion", "private-prediction", "--domain", "1",
          "--n", "2", "--claim", "1"])  # fmt: skip
    shown = capsys.readouterr().out.partition(": ")[2]
    assert shown == str(RESULTS["audit"]()).partition(": ")[2]


def test_explain_takes_a_result() -> None:
    found = audit.private_prediction(first_label, domain=1, n=2, claim=1)
    assert ps.audit.explain(found) == ps.audit.explain(audit.certificates.to_document(found))


def test_explain_takes_runs_and_any_other_result() -> None:
    found = audit.privacy_bound(lambda bits: bits[0], [((0,), (1,))], runs=200, claim=1)
    assert ps.audit.explain(found) == str(found)
    assert ps.audit.explain(dimensions.shattered_tree(NAMED)) == str(
        dimensions.shattered_tree(NAMED)
    )


def test_a_tree_as_a_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    nodes: dict[str, str] = {}
    edges: dict[tuple[str, str], int] = {}

    class DiGraph:
        def add_node(self, node: str, *, name: str) -> None:
            nodes[node] = name

        def add_edge(self, start: str, stop: str, *, label: int) -> None:
            edges[start, stop] = label

    monkeypatch.setitem(sys.modules, "networkx", SimpleNamespace(DiGraph=DiGraph))
    graph = dimensions.shattered_tree(NAMED).to_networkx()
    assert isinstance(graph, DiGraph)
    assert edges == {("", "0"): 0, ("", "1"): 1}
    assert nodes[""] in ("wings", "beak")
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(ImportError, match="pip install networkx"):
        dimensions.shattered_tree(NAMED).to_networkx()


def test_laws_are_tables() -> None:
    law = data.FiniteDistribution.uniform(["<a>", "b"])
    assert "<td>1/2 (0.5)</td>" in law._repr_html_()
    assert "&lt;a&gt;" in law._repr_html_()
    assert "and 10 more" in data.FiniteDistribution.uniform(range(60))._repr_html_()
    assert str(law) == "outcome  probability\n'<a>'    1/2 (0.5)\n'b'      1/2 (0.5)\n"
    assert str(data.FiniteDistribution.uniform(range(60))).endswith("\nand 10 more\n")


def test_laws_of_tournaments_name_points_and_are_integers() -> None:
    law = tournament().law_of_output()
    assert "<Mask 'wings': 1, 'beak': 1>" in str(law)
    assert law.probability(0b11) == Fraction(1, 4) == law.probability(0b10) / 3
    assert "<Row 'owl'" in str(tournament().law_of_hypothesis())
    contest = papers.bun_livni_moran.RandomContest(NAMED, NAMED.target("owl"), n=1)
    assert all(isinstance(f, learning.Mask) for f in contest.law_of_output().support)


def test_what_attains_a_dimension_has_the_names_of_the_class() -> None:
    assert str(dimensions.vc(NAMED)).splitlines()[1].split() == ["points", "beak"]
    assert "dog" in str(dimensions.threshold(NAMED).witness) or "owl" in str(
        dimensions.threshold(NAMED).witness
    )
    found = dimensions.star(NAMED).witness
    assert found is not None
    assert "center" in str(found)
    # They are no part of what is compared, or saved.
    assert found == dimensions.Star(found.center, found.points, found.hypotheses)
    assert set(found.to_dict()) == {"center", "points", "hypotheses"}
    assert str(dimensions.Star(0, (1,), (2,))).split()[1:] == [
        "center", "h0", "points", "x1", "hypotheses", "h2",
    ]  # fmt: skip


def test_a_class_is_a_table_in_a_notebook() -> None:
    page = NAMED._repr_html_()
    assert _balanced(page)
    assert '<th scope="row">platypus</th><td>0</td><td>1</td>' in page
    assert "<table>" not in thresholds(50)._repr_html_()
    assert NAMED["owl"] == NAMED.named("owl") == NAMED[2]
    with pytest.raises(errors.InvalidInput, match="such as owl"):
        NAMED["owls"]


def test_what_is_going_on_says_where_it_is() -> None:
    assert repr(StandardOptimalAlgorithm(NAMED)) == (
        "<StandardOptimalAlgorithm: 3 hypotheses left, 0 mistakes>"
    )
    ledger = Ledger(epsilon=2)
    ledger.reserve(1)
    assert str(ledger) == ledger.report()
    assert repr(ledger) == "<Ledger: budget epsilon 2>"


def test_a_record_says_what_it_holds() -> None:
    spent = PrivacyGuarantee(Epsilon("1/2"), Fraction(1, 10**6))
    assert str(spent).splitlines() == [
        "differential privacy",
        "epsilon  0.5 (a factor of 1.64872)",
        "delta    1/1000000 (0.000001)",
    ]
    assert repr(spent) == (
        "<PrivacyGuarantee: epsilon 0.5 (a factor of 1.64872), delta 1/1000000 (0.000001)>"
    )
    assert spent == PrivacyGuarantee(Epsilon("1/2"), Fraction(1, 10**6))
    latex = spent._repr_latex_()
    assert latex is not None
    assert r"epsilon & 0.5 (a factor of 1.64872) \\" in latex
    anew = implications.ResampledGuarantee(spent)
    assert str(anew).splitlines()[1:] == [
        "privacy  epsilon 0.5 (a factor of 1.64872), delta 1/1000000 (0.000001)"
    ]


def test_values_in_tables_are_short() -> None:
    assert shown(10**40) == "1E+40"
    assert shown("x" * 300).endswith("…")
    assert shown(first_label).startswith("<function first_label")
    assert shown(Fraction(1, 3**80)) == interval.decimal(Fraction(1, 3**80))
    assert [shown(x) for x in (True, None, 1.5, (), Interval(Fraction(0), Fraction(1)))] == [
        *("yes", "none", "1.5", "0 of them", "0 to 1")
    ]


OTHERWISE = {
    "TreeFace": "a face",
    "Face": "a face",
    "Interval": "a number",
    "Notion": "what is asked, not what is answered",
    "Parameter": "part of a notion",
    "Recheck": "the checker shares no code with the library",
    "KeptTally": "counts that the cache keeps",
    "Tally": "counts of a run, part of its evidence",
    "Finding": "one question of a trial",
    "Trial": "what is asked",
    "KnownValue": "a number with its source, and prints as that",
    "UniformTarget": "what is drawn from",
    "RankedBound": "a bound and its value, and prints as that",
    "Answer": "what a session passes on",
    "Example": "a point and its label",
    "Path": "a step of the tape",
    "RefutationTree": "part of a refutation",
    "RuleLists": "what is drawn from",
    "ExactEvaluation": "a number that says that it is not private",
    "Fingerprint": "a digest",
    "Rules": "what is played by",
    "RunTally": "counts that are kept between runs",
    "Match": "part of the record of a tournament",
    "RealizableTarget": "what is drawn from",
    "Experiment": "what is asked",
    "Matching": "part of a check",
    "SampleApproximation": "points, which stand for a sample",
    "WorstMasses": "what is drawn from",
    "HardDistribution": "what is drawn from",
    "HardChain": "what is drawn from",
    "RocqFile": "a file",
    "Table": "what tests draw",
    "Report": "has a text of its own, which pytest prints",
    "Exhibit": "a part of the museum, to be asked",
    "Specimen": "a part of the zoo, to be asked",
    "LearnerSpecimen": "a part of the zoo, to be asked",
    "Theorem26": "makes a learner",
}
"""Records that calls return and that have no face, and why."""

ASKED = ("__call__", "run", "law", "draw", "answer", "predict", "labels", "enumerate", "items")
"""What has one of these is no record: hypotheses, mechanisms, learners, laws."""


def returned() -> Iterator[type]:
    """The classes of the library that public functions and methods return."""
    for module in iter_modules(ps):
        for name in module.__all__ if hasattr(module, "__all__") else vars(module):
            shown_here = getattr(module, name, None)
            members = [shown_here]
            if isinstance(shown_here, type):
                members = [
                    member.fget
                    if isinstance(member, property)
                    else getattr(member, "__func__", member)
                    for key, member in inspect.getmembers_static(shown_here)
                    if not key.startswith("_")
                ]
            for member in members:
                if inspect.isfunction(member) and member.__module__.startswith("pac_stability"):
                    try:
                        yield from classes_in(get_type_hints(member).get("return"))
                    except NameError:  # of NumPy or of typing, for annotations alone
                        continue


def iter_modules(package: ModuleType) -> Iterator[ModuleType]:
    yield package
    for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        own = info.name.rpartition(".")[2]
        if info.ispkg and not own.startswith("_") and own not in ("cli", "checker"):
            yield from iter_modules(importlib.import_module(info.name))


def classes_in(hint: object) -> Iterator[type]:
    origin = get_origin(hint)
    if isinstance(hint, type):
        yield hint
    if isinstance(origin, type):
        yield origin
    for part in get_args(hint):
        yield from classes_in(part)


def test_every_record_that_a_call_returns_has_a_face() -> None:
    found = {
        each
        for each in returned()
        if each.__module__.startswith("pac_stability.") and dataclasses.is_dataclass(each)
    }
    assert len(found) > 100
    without = {
        each.__name__
        for each in found
        if not issubclass(each, Reported) and not any(hasattr(each, member) for member in ASKED)
    }
    assert without <= OTHERWISE.keys(), sorted(without - OTHERWISE.keys())
    named = {each.__name__: each for each in found}
    assert not [name for name in OTHERWISE if name in named and issubclass(named[name], Reported)]


def test_tables_escape() -> None:
    assert "&lt;" in html_table([("<", "b")], ("head",) * 2)
    assert latex_table([("a_b", "c")]).splitlines()[1] == r"a\_b & c \\"
    assert tex(r"\x") == r"\textbackslash{}x"
    assert aligned([]) == ""


def test_a_picture_styles_nothing_but_itself() -> None:
    # A style sheet inside a page is one of the whole page, whatever element holds it.
    shown = [dimensions.shattered_tree(thresholds(3)), audit.private_prediction(first_label, 1, 1)]
    pictures = [f"{each._repr_html_()}{each._repr_svg_() or ''}" for each in shown]
    assert "<line" in pictures[0]
    styles = re.findall("<style[^>]*>(.*?)</style>", "".join(pictures), re.DOTALL)
    assert [style.partition("{")[0] for style in styles] == [".pac-stability"]
