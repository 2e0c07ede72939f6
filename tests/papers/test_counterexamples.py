"""The catalogue: every file is settled by the checker, names a claim, and is missed when edited."""

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterable
from fractions import Fraction
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import FunctionType

import pytest

from pac_stability import Interval, InvalidInput, audit, checker, claims, classes, mechanisms
from pac_stability.cli.app import main
from pac_stability.data import FiniteDistribution, FromLaw, Sample
from pac_stability.papers import counterexamples
from pac_stability.papers.bun_livni_moran import COUNTEREXAMPLES, reached_frequencies
from shared_certificates import sealed
from shared_refusals import refuses

NAMES = counterexamples.names()


def changed(name: str, **fields: object) -> dict[str, object]:
    return sealed({**counterexamples.read(name), **fields})


def claim_of(name: str) -> claims.Claim:
    keys = {claim.key: claim for claim in claims.all()}
    return next(keys[key] for key in (name, name.rpartition(".")[0]) if key in keys)


NOTES = {"DF20:lemma-4.source", "DF20:definition-h-t.arbitrary"}
"""What shows why a word of the notes is needed; no sentence of a paper says otherwise."""


def test_how_many_there_are() -> None:
    assert len(NAMES) == 19
    assert {name.partition(":")[0] for name in NAMES} == set(claims.books())


@pytest.mark.parametrize("name", NAMES)
def test_each_is_settled_by_the_checker_and_is_of_a_claim_that_fails(name: str) -> None:
    document = counterexamples.read(name)
    found = checker.recheck(document)
    assert found.refutes
    assert found.proven
    if name not in NOTES:
        claim = claim_of(name)
        assert claim.expectation.refuted
        assert document.get("claim") == claim.key or "notion" in document
    if name.startswith("BLM20:lemma-12"):
        assert found.exact
        assert found.claim is not None
        assert found.value < found.claim
        it = COUNTEREXAMPLES[name.removeprefix("BLM20:lemma-12.")]
        assert found.claim == Fraction(1, 2**it.dimension)


class SoftMajority:
    """Three labels vote, and each moves the odds by a factor of 2: e^epsilon = 4 for one."""

    def probabilities(self, sample: Sample[object], points: Iterable[object]) -> list[Fraction]:
        odds = Fraction(2) ** (2 * sum(sample.labels) - len(sample))
        return [odds / (1 + odds) for _ in points]


class Flipped:
    """The predictions 0 and 1/25, which are 1/25-stable, after a flip with probability 4/5."""

    def probabilities(self, sample: Sample[object], points: Iterable[object]) -> list[Fraction]:
        p = Fraction(sample.labels[0], 25)
        return [p * Fraction(1, 5) + (1 - p) * Fraction(4, 5) for _ in points]


class BestOfEachPattern:
    """H_T for one random example T, each pattern of {00, 01} represented by its best on S."""

    def probabilities(self, sample: Sample[object], points: Iterable[object]) -> list[Fraction]:
        rows = [(0, 0), (0, 1)]
        errors = {h: sum(h[int(str(z.point))] != z.label for z in sample) for h in rows}
        mean = [Fraction(0), Fraction(0)]
        for kept in sample.points:
            groups: dict[int, list[tuple[int, int]]] = {}
            for h in rows:
                groups.setdefault(h[int(str(kept))], []).append(h)
            best = [min(group, key=lambda h: errors[h]) for group in groups.values()]
            total = sum((Fraction(1, 1 << errors[h]) for h in best), Fraction(0))
            for x in (0, 1):
                ones = sum((Fraction(h[x], 1 << errors[h]) for h in best), Fraction(0))
                mean[x] += ones / total / len(sample)
        return [mean[int(str(x))] for x in points]


def early_places(part: tuple[int, ...]) -> FiniteDistribution[object]:
    """Label 1 for examples that stand early; e^epsilon = 27/10 for one of three replaced."""
    places = ({0}, {1, 2}, {1, 2, 3, 4, 5, 6})
    held = sum(x in early for x, early in zip(part, places, strict=True))
    p = Fraction(27, 10) ** (held - 3) / 2
    return FiniteDistribution({1: p, 0: 1 - p})


def nothing(_: object) -> FiniteDistribution[object]:
    return FiniteDistribution.point_mass("nothing")


@pytest.mark.parametrize(("name", "mechanism"), [
    ("DF20:definition-private-prediction", SoftMajority()),
    ("DF20:section-3.flip", Flipped()),
    ("DF20:definition-h-t.arbitrary", BestOfEachPattern()),
    ("DF20:lemma-8", mechanisms.Subsampled(FromLaw(early_places), 3, order="index")),
    ("CLNRW16:theorem-21", nothing),
])  # fmt: skip
def test_certificates_are_about_what_the_paper_speaks_of(name: str, mechanism: object) -> None:
    found = audit.recheck(dict(counterexamples.read(name)), against=mechanism)
    assert found.refutes
    assert "it was not asked" not in " ".join(found.trusted)


def test_the_claims_of_certificates_are_what_the_statements_allow() -> None:
    allowed = {name: checker.recheck(counterexamples.read(name)).claim for name in NAMES}
    assert allowed["DF20:definition-private-prediction"] == 4
    flip = allowed["DF20:section-3.flip"]
    assert flip is not None
    needed = Interval.exp(Fraction(1, 10))
    assert needed.lower - Fraction(1, 10**6) <= flip <= needed.upper
    # The proof of Lemma 13 has n'/n + (1 - n'/n) (1 - rho)/(1 + rho), for n' = 1, n = 2, rho = 1/2.
    assert allowed["DF20:definition-h-t.arbitrary"] == Fraction(1, 2) + Fraction(1, 2) / 3
    # e^(2 epsilon eta) for e^epsilon = 27/10 and eta = 3/12
    lemma_8 = allowed["DF20:lemma-8"]
    assert lemma_8 is not None
    assert Fraction(27, 10) <= lemma_8**2 <= Fraction(27, 10) + Fraction(1, 1000)
    # sqrt(ln(|R|/beta)/(2 n)) for one output, beta = 61/100 and n = 1
    theorem_21 = allowed["CLNRW16:theorem-21"]
    assert theorem_21 is not None
    assert bool(Interval.log(Fraction(100, 61)) / 2 < theorem_21**2)


def test_work_is_bounded() -> None:
    rows = ["".join(str(int(x == y)) for x in range(16)) for y in range(16)]
    fields = {"table": rows, "concept": rows[0], "weights": [1] * 16, "n": 16, "dimension": 1}
    with pytest.raises(InvalidInput, match="4096 states of the learner, or more"):
        checker.recheck(changed("BLM20:lemma-12.pairs", **fields))


def test_tables_are_those_of_the_library() -> None:
    tables = {
        "DF20:section-1.1.lines": classes.affine_lines(5),
        "BLM20:fact-affine-subspaces": classes.affine_subspaces(2, 2, 1, at_most=True),
    }
    for name, H in tables.items():
        rows = ["".join(map(str, row)) for row in H.table.tolist()]
        assert counterexamples.read(name)["table"] == rows


def test_the_program_of_lemma_12_stands_alone() -> None:
    file = Path(checker.lemma_12.__file__)
    text = file.read_text(encoding="utf-8")
    assert text.count("\n") <= 60
    imported = {n.module for n in ast.walk(ast.parse(text)) if isinstance(n, ast.ImportFrom)}
    assert imported == {"collections", "fractions", "functools", "itertools"}
    command = [sys.executable, "-I", "-S", str(file)]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    assert ran.stdout == "2 4/17 33/136 14124/61387 True\n"
    five = counterexamples.read("BLM20:lemma-12.five-hypotheses")
    assert five["frequencies"] == ran.stdout.split()[1:4]
    table = five["table"]
    assert isinstance(table, list)
    assert all(row in text for row in table)


def test_the_program_says_no_where_an_output_is_frequent(tmp_path: Path) -> None:
    text = Path(checker.lemma_12.__file__).read_text(encoding="utf-8")
    file = tmp_path / "lemma_12.py"
    file.write_text(text.replace("{0: 4, 1: 4,", "{0: 3, 1: 4,"), encoding="utf-8")
    command = [sys.executable, "-I", "-S", str(file)]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    assert ran.stdout == "2 1/4 193/792 29193713/133874272 False\n"


@pytest.mark.parametrize(
    ("name", "printed"),
    [("__main__", "2 4/17 33/136 14124/61387 True\n"), ("pac_stability.checker.lemma_12", "")],
)
def test_the_program_is_run_and_not_imported(
    name: str, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    loader = SourceFileLoader(checker.lemma_12.__name__, checker.lemma_12.__file__)
    code = loader.get_code(checker.lemma_12.__name__)
    assert code is not None
    FunctionType(code, {"__name__": name})()
    assert capsys.readouterr().out == printed


def test_nothing_has_the_dimension_minus_one() -> None:
    assert checker.lemma_12.dimension(frozenset()) == -1


def test_the_program_ends_at_4096_states() -> None:
    # What is left is the constant and the points that were not seen; the last point tells nothing.
    # After six examples up to six of 13 points were seen: 1 + 13 + ... + 1716 = 4096 sets.
    points = range(13)
    rows = [[0] * 14, *([int(x == y) for y in range(14)] for x in points)]
    H, c = frozenset(map(tuple, rows)), (0,) * 14
    with pytest.raises(ValueError, match="empty"):
        checker.lemma_12.frequencies(H, c, dict.fromkeys(range(14), 1), 6, 0)


@pytest.mark.parametrize("tie", [0, 1])
@pytest.mark.parametrize("name", ["five-hypotheses", "both-ties", "five-examples", "theorem-10"])
def test_the_program_and_the_library_agree(name: str, tie: int) -> None:
    it = COUNTEREXAMPLES[name]
    found = checker.lemma_12.frequencies(
        frozenset(tuple(row) for row in it.H.table.tolist()),
        tuple(int(x in it.concept) for x in range(it.points)),
        dict(it.weights),
        it.n,
        tie,
    )
    known = reached_frequencies(it.H, it.target, it.n, tie=tie, constants="printed").frequencies
    assert tuple(found[: len(known)]) == known  # the library ends with the first that is frequent


def test_the_rounds_end_where_no_two_players_differ() -> None:
    one = frozenset({(0, 1)})
    assert checker.lemma_12.frequencies(one, (0, 1), {0: 1}, 1, 1) == [1]
    both = frozenset({(0, 0), (1, 0)})  # every player knows the target
    assert checker.lemma_12.frequencies(both, (1, 0), {0: 1}, 2, 0) == [1]


WRONG: dict[str, list[tuple[dict[str, object], str]]] = {
    "BLM20:lemma-12.pairs": [
        ({"weights": [1, 1, 1, 1, 2]}, "frequencies: got ['1/5', '6/25'"),
        ({"frequencies": ["1/5", "6/25"]}, "frequencies: got ['1/5', '6/"),
        ({"frequencies": ["1/5", "6/25", "1/5"]}, "frequencies: got ['1/5"),
        ({"dimension": 3}, "dimension: got 3, want the Littlestone"),
        ({"concept": "11111"}, "concept: got '11111', want a hypothesis"),
        ({"weights": [0] * 5}, "concept: got '00000', want a hypothesis"),
        ({"weights": [1] * 4}, "weights: got [1, 1, 1, 1], want a list"),
        ({"weights": [1, 1, 1, 1, -1]}, "weights: got -1, want an int"),
        ({"tie": 2}, "tie: got 2, want 0 or 1"),
        ({"n": 21}, "table: got 7 hypotheses on 5 points, n = 21, want"),
        ({"table": ["0" * 21, "1" * 21]}, "table: got 2 hypotheses on 21"),
        ({"kind": "other"}, "kind: got 'other', want one of tournaments"),
        ({"points": [0]}, "counterexample: got 'points', want only the"),
        ({"n": 0}, "n: got 0, want an integer"),
        ({"about": 3}, "about: got 3, want text"),
        ({"claim": None}, "claim: got None, want text"),
        (
            {"table": ["01"], "concept": "01", "weights": [0, 1], "dimension": 0}
            | {"frequencies": ["1"]},
            "frequencies: got ['1'], want all below 2^-0",
        ),
    ],
    "DF20:section-1.1.lines": [
        ({"points": [0, 1, 2]}, "points: got [0, 1, 2], want points with"),
        ({"points": [0]}, "points: got [0], want more than 1 of them"),
        (
            {"table": ["01"], "points": [0], "at_most": 0},
            "points: got [0], want points with all labellings",
        ),
        ({"table": [f"{i:013b}" for i in range(4097)]}, "table: got ['0000000000000', "),
        ({"points": [0, 0]}, "points: got [0, 0], want different"),
        ({"points": [0, 25]}, "points: got [0, 25], want different"),
        ({"table": ["01", "01"]}, "table: got ['01', '01'], want from 1"),
        ({"table": []}, "table: got [], want from 1 to 4096 different"),
        ({"table": ["01", "1"]}, "table: got ['01', '1'], want a label"),
        ({"table": [""]}, "table: got [''], want a label for each"),
        ({"table": ["02"]}, "table: got '02', want a text of labels"),
    ],
    "DF20:lemma-4.source": [
        ({"alpha": "2/5"}, "points: got [], want points on each hypothesis"),
        ({"alpha": "1"}, "alpha: got '1', want less than two hypotheses"),
        ({"alpha": "2"}, "alpha: got '2', want above 0 and at most 1"),
        ({"alpha": "-1", "points": [0, 1]}, "alpha: got '-1', want above 0 and at most 1"),
        ({"alpha": "2/5", "points": [0]}, "points: got [0], want points on each hypothesis"),
        ({"points": [0]}, "alpha: got '1/2', want less than two hypotheses"),
        ({"weights": [0, 0]}, "points: got [], want points on each hypo"),
    ],
    "DF20:remark-14": [
        ({"cover": ["0000000", "0011111"]}, "alpha: got '1/3', want less than 0"),
        ({"cover": ["1111111"]}, "cover: got ['1111111'], want hypotheses of"),
        ({"cover": []}, "cover: got [], want one near each hypothesis"),
        ({"alpha": "1/4"}, "cover: got ['0000000'], want one near each"),
        ({"points": [0, 1]}, "points: got [0, 1], want an alpha-net"),
        ({"points": []}, "points: got [], want some"),
        ({"weights": [0] * 7}, "points: got [0, 1, 2], want some"),
        ({"alpha": "0"}, "alpha: got '0', want above 0 and at most 1"),
        (
            {"table": ["100", "000"], "cover": ["000"], "points": [0, 1], "weights": [1, 0, 0]}
            | {"alpha": "1/2"},
            "alpha: got '1/2', want less than 1/2",
        ),
        ({"weights": [1] * 5 + [0] * 2}, "alpha: got '1/3', want less than 3"),
    ],
}


@pytest.mark.parametrize(
    ("name", "fields", "said"), [(name, *row) for name, rows in WRONG.items() for row in rows]
)
def test_what_shows_nothing_is_refused(name: str, fields: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        checker.recheck(changed(name, **fields))
    assert str(caught.value).startswith(said)


def test_lemma_12_holds_where_one_of_the_outputs_is_frequent() -> None:
    fields = {"table": ["010", "111", "100"], "concept": "010", "weights": [2, 3, 3]}
    with pytest.raises(InvalidInput, match=r"want all below 2\^-1"):
        checker.recheck(
            changed(
                "BLM20:lemma-12.pairs",
                **fields,
                dimension=1,
                n=1,
                tie=1,
                frequencies=["3/8", "4/7"],
            )
        )


def test_other_instances_of_the_same_kinds_are_settled() -> None:
    every = [f"{i:012b}" for i in range(4096)]
    lines = {"table": every, "points": list(range(12)), "at_most": 11}
    found = checker.recheck(changed("DF20:section-1.1.lines", **lines))
    assert (found.value, found.claim) == (Fraction(12), Fraction(11))
    # Both heavy hypotheses are hit; two that agree differ where no weight is.
    net = {"table": ["1100", "1010", "1011"], "weights": [1, 2, 2, 0], "points": [0]}
    found = checker.recheck(changed("DF20:lemma-4.source", **net, alpha="1/2"))
    assert (found.value, found.claim) == (Fraction(4, 5), Fraction(1, 2))
    # Two that agree on the points differ by alpha, no more.
    cover = {
        "table": ["0000000", "0011111", "0000001"],
        "cover": ["0000000"],
        "weights": [1, 1, 1, 1, 1, 1, 3],
    }
    found = checker.recheck(changed("DF20:remark-14", **cover))
    assert (found.value, found.claim) == (Fraction(7, 9), Fraction(2, 3))


@pytest.mark.parametrize("frequencies", [["1/2", "1/2"], ["1/2", "1/3"]])
def test_a_frequency_of_exactly_2_to_the_minus_d_shows_nothing(frequencies: list[str]) -> None:
    fields = {"table": ["00", "01", "10"], "concept": "00", "weights": [1, 1], "dimension": 1}
    with pytest.raises(InvalidInput) as caught:
        checker.recheck(changed("BLM20:lemma-12.pairs", **fields, frequencies=frequencies))
    exact = frequencies[1] == "1/2"
    wanted = "all below 2^-1" if exact else "those of k = 0, ..., 1 found anew"
    assert str(caught.value).endswith(f"want {wanted}")


@pytest.mark.parametrize("name", ["BLM20:lemma-12.pairs", "DF20:section-3.flip"])
def test_an_edited_file_is_noticed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = shutil.copytree(counterexamples.FOLDER, tmp_path / "copy")
    monkeypatch.setattr(counterexamples, "FOLDER", folder)
    paper, _, item = name.partition(":")
    file = folder / paper / f"{item}.json"
    assert main(["recheck", str(file)]) == 0
    assert f"a sound certificate of {name[:12]}" in capsys.readouterr().out or "notion" in name + (
        file.read_text()
    )
    text = file.read_text()
    file.write_text(text.replace('"n": 1', '"n": 2'))
    with pytest.raises(InvalidInput) as caught:
        counterexamples.read(name)
    said = "sha256: got another digest, want that of the other fields: it was altered"
    assert str(caught.value) == f"{file}: {said}"
    assert main(["recheck", str(file)]) == 2
    assert said in capsys.readouterr().err
    file.write_text("[]")
    refuses("no object", counterexamples.read, name)


def test_a_name_that_is_not_there() -> None:
    refuses("want one of BLM20:fact-affine-subspaces, ", counterexamples.read, "BLM20:lemma-13")
    with pytest.raises(KeyError):
        COUNTEREXAMPLES["no such"]
    assert len(COUNTEREXAMPLES) == 10
