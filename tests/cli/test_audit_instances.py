"""Points and distributions, as the options of an audit give them."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pac_stability import Example, FiniteDistribution
from pac_stability.cli.black_box import distribution_from, points_from
from shared_refusals import refuses


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("1", (0,)), ("4", (0, 1, 2, 3)), ("4,", (4,)), ("-1,1", (-1, 1)), ("a,b", ("a", "b")),
        (" a , b ", ("a", "b")), ("0.5,1/3,2", (Fraction(1, 2), Fraction(1, 3), 2)),
        ("0.5,1/3,x", ("0.5", "1/3", "x")), ("1,00", ("1", "00")), ("1,1.0", ("1", "1.0")),
        ("+1,2/4,-0", ("+1", "2/4", "-0")), ("0..3", (0, 1, 2, 3)), ("-1..1,5", (-1, 0, 1, 5)),
        ("(0,1),(2,3)", ((0, 1), (2, 3))), ("[a, (0,1)],", (("a", ("0", "1")),)),
        ("'a','b c'", ("a", "b c")), ("('1', 2),\"x, y\"", (("1", "2"), "x, y")),
        ("'1','2'", ("1", "2")), ("O'Brien,x", ("O'Brien", "x")), ("(0,1),x", (("0", "1"), "x")),
        ("f(x,y),z", ("f(x,y)", "z")), ("1/0,1e5", ("1/0", "1e5")), ("1_000,", ("1_000",)),
    ],
)  # fmt: skip
def test_points(text: str, points: tuple[object, ...]) -> None:
    found = points_from(text, "--domain")
    assert found == points
    assert [type(point) for point in found] == [type(point) for point in points]


def test_points_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "points.json"
    path.write_text('[[0, 1], "a", {"fraction": "1/3"}, 2]')
    assert points_from(str(path), "--domain") == ((0, 1), "a", Fraction(1, 3), 2)


@pytest.mark.parametrize(("text", "words"), [
    ("", "no point"),
    (",", "no point"),
    ("1,,2", "no point between two commas"),
    ("((0,1),,(2,3))", "no point between two commas"),
    (",1", "no point between two commas"),
    ("01", "'01,' for one"),
    ("+3", "3 for so many points"),
    ("1;2", "commas between points"),
    ("0.5 1/3", "commas between points"),
    ("1 ; 2,3", "commas between points"),
    ("0", "at least one point"),
    ("-3", "at least one point"),
    ("1000000", "at most 10,000"),
    ("a,b,a", "a point twice"),
    ("2,1,2", "a point twice"),
    ("1-4", "1..4 for a range"),
    ("0:3", "0..3 for a range"),
    ("3..1", "a range upwards"),
    ("0..99999999999", "at most 10,000"),
    ("(0,1", "brackets and quotes that close"),
    ("0,1)", "brackets and quotes that close"),
    ("'a,b", "brackets and quotes that close"),
    ("[0,1,2]", r"0,1,2 for several points, or \(0,1,2\) for one"),
    *(
        (text, "1 for True and 0 for False, a text without brackets, or a JSON file")
        for text in ("True,False", "{0,1}", "range(3)", "None,1", "nan,1")
    ),
    ("none.json", "no such file"),
    ("none.csv", "no such file, want a file of points, or 'none.csv,' for one text"),
    ("points/none.txt", "no such file"),
])  # fmt: skip
def test_no_points(text: str, words: str) -> None:
    refuses(words, points_from, text, "--domain")


def test_points_of_a_table(tmp_path: Path) -> None:
    """A point a line, as the one reader of tables reads it: an index of pandas is no coordinate."""
    path = tmp_path / "points.csv"
    for text, points in (
        (",x\n0,5\n1,1/2\n", None),
        (",x\n0,5\n1,0.5\n2,5\n", (5, Fraction(1, 2))),
        ("x;y\n1;0,5\n2;3\n", ((1, Fraction(1, 2)), (2, 3))),
        ("0,5\n1,7\n", None),
    ):
        path.write_text(text)
        if points is None:
            refuses("a table of exact numbers in one reading", points_from, str(path), "--domain")
        else:
            assert points_from(str(path), "--domain") == points
    bare = tmp_path / "points"
    bare.write_text("x,y\n1,2\n")
    assert points_from(str(bare), "--domain") == ((1, 2),)


def test_points_of_a_file_that_holds_none(tmp_path: Path) -> None:
    path = tmp_path / "points.json"
    for text in ('{"a": 1}', "[]", "[1, 1]", "[1", '[{"x": 1}]'):
        path.write_text(text)
        refuses("", points_from, str(path), "--domain")


def test_a_uniform_distribution() -> None:
    assert distribution_from("uniform", "a,b", labelled=False) == FiniteDistribution.uniform("ab")
    assert distribution_from("uniform", "2", labelled=True) == FiniteDistribution.uniform(
        [Example(point, label) for point in (0, 1) for label in (0, 1)]
    )


def test_weights_on_records_and_on_examples() -> None:
    assert distribution_from("a=1/3, b = 2/3", None, labelled=False) == FiniteDistribution(
        {"a": Fraction(1, 3), "b": Fraction(2, 3)}
    )
    assert distribution_from("0:1=0.25,x=y:0=0.75", None, labelled=True) == FiniteDistribution(
        {Example(0, 1): Fraction(1, 4), Example("x=y", 0): Fraction(3, 4)}
    )


def test_a_distribution_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "law.json"
    path.write_text(
        json.dumps(
            [
                {"point": [0, 1], "label": 1, "probability": "1/3"},
                {"point": "a", "label": 0, "probability": "2/3"},
            ]
        )
    )
    assert distribution_from(str(path), None, labelled=True) == FiniteDistribution(
        {Example((0, 1), 1): Fraction(1, 3), Example("a", 0): Fraction(2, 3)}
    )
    path.write_text('[{"point": 5, "probability": "1"}]')
    assert distribution_from(str(path), None, labelled=False) == FiniteDistribution({5: 1})


@pytest.mark.parametrize(("text", "domain", "words"), [
    ("uniform", None, "the points with --domain"),
    ("a:0=1", "a", "one of the two"),
    ("a=1", None, "point:label=probability"),
    ("a:2=1", None, "point:label=probability"),
    ("a:0", None, "uniform, a JSON file, or"),
    ("a:0=0.5e0", None, "the weight '0.5e0'"),
    ("a:0=x", None, "the weight 'x'"),
    ("a:0=1/0", None, "the weight '1/0'"),
    ("a:0=1/2", None, "the sum 1/2"),
    ("a:0=-1,b:0=2", None, "non-negative"),
    ("a:0=1/2,a:0=1/2", None, "two weights"),
    ("", None, "the sum 0"),
    ("none.json", None, "no such file"),
])  # fmt: skip
def test_no_distribution(text: str, domain: str | None, words: str) -> None:
    refuses(words, distribution_from, text, domain, labelled=True)


@pytest.mark.parametrize("document", [
    {"point": 1},
    [1],
    [{"point": 1, "probability": "1"}],
    [{"point": 1, "label": 0, "probability": 1}],
    [{"point": 1, "label": 0, "probability": "0.5x"}],
    [{"point": 1, "label": 2, "probability": "1"}],
    [{"point": 1, "label": 0, "probability": "1", "more": 0}],
])  # fmt: skip
def test_a_file_with_no_distribution(tmp_path: Path, document: object) -> None:
    path = tmp_path / "law.json"
    path.write_text(json.dumps(document))
    refuses("", distribution_from, str(path), None, labelled=True)


def test_a_list_that_begins_with_a_minus_says_what_to_write(
    command: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "a.py").write_text("def a(sample, point, rng):\n    return rng.below(2)\n")
    asked = ("audit", f"{tmp_path / 'a.py'}::a", "--notion", "private-prediction", "--n", "1")
    done = command(*asked, "--domain", "-1,1")
    assert (done.code, done.out) == (2, "")
    assert "write --domain=-1,1 (see" in done.err
    assert command(*asked, "--domain=-1,1").code == 0


PROGRAMS = """\
from fractions import Fraction

def noisy(rows, rng):
    return sum(rows) + rng.laplace(0, 20)

def heads(rows, rng):
    count = 0
    while rng.bernoulli(Fraction(1, 2 + sum(rows))):
        count += 1
    return count

def told(rows, rng):
    return rows[0] if rng.random() < 0.75 else 1 - rows[0]

def both(rows, rng):
    return tuple(told((row,), rng) for row in rows)

def flipped(prng, queries, epsilon, kind="law"):
    wrong = prng.bernoulli(1 / (1 + Fraction(epsilon)))
    return (queries[0] ^ wrong) if kind == "law" else 0

class Flips:
    def __init__(self, odds):
        self.odds = odds

    def __call__(self, rows, rng):
        return flipped(rng, rows, self.odds)

def made(odds):
    return Flips(odds)
"""
ASKED = ("--notion", "differential-privacy", "--unlabelled", "--domain", "2", "--n", "1")


@pytest.mark.parametrize(("name", "more", "code", "words"), [
    ("told", ("--claim", "ln 3"), 0, "(a factor of 3)"),
    ("told", ("--claim", "ln3"), 0, "(a factor of 3)"),
    ("told", ("--claim", "ln(5/2)"), 1, "(a factor of 5/2"),
    ("told", ("--claim", "ln 1/2"), 2, "the logarithm of 1 or more"),
    ("told", ("--claim", "ln three"), 2, "a number such as 1.0 or 1/4"),
    ("noisy", (), 3, "noise on a grid of 1/16 (a finer one"),
    ("noisy", ("--grid", "64"), 3, "noise on a grid of 1/64"),
    ("noisy", ("--grid", "2", "--claim", "1"), 0, "(on one of 1/4 epsilon changes by"),
    ("noisy", ("--grid", "0"), 2, "--grid"),
    ("heads", ("--max-paths", "20"), 3, "21 outcomes"),
    ("heads", ("--max-draws", "5"), 3, "at least: e^epsilon"),
    ("told", ("--max-paths", "1"), 3, "known up to intervals"),
    ("both", ("--n", "2", "--relation", "each-answer"), 0, "e^epsilon = 9"),
    ("both", ("--n", "2", "--relation", "one-answer"), 0, "e^epsilon = 3"),
    (
        "both",
        ("--n", "2", "--relation", "one-answer", "--group", "2"),
        2,
        "--group: got it with --relation one-answer, want --relation replace-one",
    ),
    (
        "both",
        ("--n", "2", "--relation", "each-answer", "--group", "2", "--black-box"),
        2,
        "--group: got it with --relation each-answer",
    ),
    ("both", ("--param", "epsilon=1"), 2, "want none: what it takes is given by the audit"),
    ("both", ("--domain", "0,2", "--relation", "one-answer"), 3, "no pair of neighbouring"),
    ("both", ("--domain", "a,b", "--relation", "one-answer"), 2, "exact numbers"),
    ("flipped", ("--param", "epsilon=5/2"), 0, "called as flipped(prng, queries, epsilon=5/2)"),
    ("flipped", ("--param", "epsilon=2", "--param", "kind=none"), 0, "e^epsilon = 1"),
    ("flipped", ("--param", "epsilon=ln 3"), 0, "epsilon=1.0986122886681098"),
    ("flipped", (), 2, "epsilon has no value, want --param epsilon=..."),
    (
        "flipped",
        ("--param", "eps=1"),
        2,
        "got eps for flipped(prng, queries, epsilon, kind), want one of epsilon, kind",
    ),
    ("flipped", ("--param", "prng=1"), 2, "got prng for flipped"),
    ("flipped", ("--param", "epsilon"), 2, "want NAME=VALUE"),
    ("flipped", ("--param", "epsilon=1..2"), 2, "a number such as 1.0 or 1/4"),
    ("flipped", ("--param", "epsilon=1", "--param", "epsilon=2"), 2, "each parameter once"),
    ("Flips", ("--param", "odds=4"), 0, "e^epsilon = 4"),
    ("made", ("--param", "odds=4"), 0, "e^epsilon = 4"),
    ("Flips", (), 2, "--param odds=..., an instance"),
])  # fmt: skip
def test_limits_grids_and_logarithms(  # noqa: PLR0917  # a table
    command: Any, tmp_path: Path, name: str, more: tuple[str, ...], code: int, words: str
) -> None:
    path = tmp_path / "programs_with_limits.py"
    path.write_text(PROGRAMS)
    result = command("audit", f"{path}::{name}", *ASKED, *more)
    assert result.code == code, result.err
    assert words in result.out + result.err
    if code in (0, 3) and name == "noisy":
        assert result.out.splitlines()[1].startswith("noise on a grid")


def test_a_certificate_is_rechecked_with_its_parameters(command: Any, tmp_path: Path) -> None:
    path, written = tmp_path / "with_parameters.py", tmp_path / "written.json"
    path.write_text(PROGRAMS)
    subject = f"{path}::flipped"
    made = command("audit", subject, *ASKED, "--param", "epsilon=3", "--certificate", str(written))
    assert made.code == 0
    for value, code in (("3", 0), ("4", 2)):
        asked = ("--against", subject, "--param", f"epsilon={value}")
        assert command("recheck", str(written), *asked).code == code
