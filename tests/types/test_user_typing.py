"""A strict type checker takes reasonable programs of users, and refuses wrong ones."""

from __future__ import annotations

import contextlib
import math
import re
import sys
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

HERE = Path(__file__).parent

PREAMBLE = """\
from collections.abc import Sequence
from fractions import Fraction
import pac_stability as ps
from pac_stability import audit, data, mechanisms, notions
from pac_stability.randomness import Coins
labels = ps.FiniteDistribution.uniform([0, 1])
D = labels.map(lambda label: ps.Example("x", label))
def program(sample: ps.Sample[str], rng: Coins) -> int: return rng.below(2)
def predict(sample: ps.Sample[str], point: str, rng: Coins) -> int: return rng.below(2)
def black_box(sample: ps.Sample[str]) -> int: return 0
def float_law(sample: ps.Sample[str]) -> dict[int, float]: return {0: 0.5, 1: 0.5}
class FloatLaw:
    def law(self, sample: ps.Sample[str]) -> dict[int, float]: return {0: 0.5, 1: 0.5}
class FloatPredictor:
    def probabilities(self, sample: ps.Sample[str], points: Sequence[str]) -> list[float]:
        return [0.5]
class Learner:
    def law(self, sample: ps.Sample[str]) -> ps.FiniteDistribution[int]: return labels
"""

WRONG = {
    "floats as weights": "ps.FiniteDistribution({1: 0.5, 0: 0.5})",
    "a law function of floats": 'audit.differential_privacy(float_law, ["x"], 2)',
    "an object with a law of floats": 'audit.differential_privacy(FloatLaw(), ["x"], 2)',
    "float predictions": 'audit.private_prediction(FloatPredictor(), ["x"], 2)',
    "a black box": 'audit.differential_privacy(black_box, ["x"], 2)',
    "a black box that predicts": 'audit.private_prediction(black_box, ["x"], 2)',
    "a class in place of its instance": 'audit.differential_privacy(Learner, ["x"], 2)',
    "a predictor that has no output": 'audit.differential_privacy(predict, ["x"], 2)',
    "a misspelt option": 'audit.private_prediction(predict, ["x"], 2, symetric=True)',
    "an option of another audit": "audit.global_stability(program, D, 2, labelled=False)",
    "a domain for a distribution": "audit.global_stability(program, 2, 2)",
    "accuracy without labels": "audit.accuracy(program, labels, 2, 0)",
    "laws of two kinds": (
        "notions.closeness.total_variation(labels, data.EnclosedDistribution.exactly(labels))"
    ),
    "a float as an Epsilon": "notions.closeness.minimal_delta(D, D, 1.0)",
    "a float probability": "mechanisms.Flip(0.25)",
    "parts that do not fit": (
        "mechanisms.then(mechanisms.Flip(Fraction()), mechanisms.SoftMajorityVote(Fraction(1)))"
    ),
    "a black box with coins of ours": 'audit.privacy_bound(program, [("a", "b")], runs=1)',
    "a witness of another notion": ('audit.private_prediction(predict, ["x"], 2).witness.strategy'),
    "a witness that may not be there": (
        'audit.private_prediction(predict, ["x"], 2).witness.sample'
    ),
    "a notion that there is not": "audit.Notion.PRIVATE_PREDICTON",
    "an epsilon for a notion without delta": (
        'audit.uniform_stability(predict, ["x"], 2, epsilon=1)'
    ),
    "a misspelt name of the face": "ps.litlestone_dimension(ps.classes.thresholds(4))",
    "a misspelt room": "ps.adit.recheck",
    "two examples joined like tuples": 'ps.Example("x", 1) + ps.Example("x", 0)',
    "an example repeated like a tuple": '2 * ps.Example("x", 1)',
    "a part that an example has not": 'ps.Example("x", 1)[2]',
    "a value that may be infinite": (
        'factor: Fraction = audit.private_prediction(predict, ["x"], 2).value'
    ),
}

# What a strict checker says of an expression: numbers are of the kind of the laws they come from.
REVEALED = {
    "notions.closeness.minimal_delta(exact, exact, e)": "fractions.Fraction",
    "notions.closeness.minimal_delta(around, around, e)": "Interval",
    "notions.closeness.minimal_delta(either, either, e)": "fractions.Fraction | Interval",
    "notions.closeness.minimal_epsilon(exact, exact)": "fractions.Fraction | float",
    "notions.closeness.minimal_epsilon(around, around)": "Interval | float",
    "notions.closeness.hockey_stick(around, around, e)": "Interval",
    "notions.closeness.hockey_stick_at(exact, exact, 1)": "fractions.Fraction",
    "notions.closeness.one_sided_epsilon(exact, exact)": "fractions.Fraction | float",
    "notions.closeness.total_variation(around, around)": "Interval",
    "notions.closeness.frontier(exact, exact)": "Frontier",
    "notions.closeness.frontier(around, around)": "EnclosedFrontier",
    "notions.differential_privacy.minimal_delta(law, pairs, e)": "fractions.Fraction",
    "notions.differential_privacy.minimal_epsilon(enclosed, pairs)": "Interval | float",
    "notions.group_privacy.minimal_delta(enclosed, samples, 2, e)": "Interval",
    "notions.group_privacy.minimal_epsilon(law, samples, 2)": "fractions.Fraction | float",
    "notions.private_prediction.minimal_delta(at, pairs, [0], e)": "fractions.Fraction",
    "notions.private_prediction.minimal_epsilon(around_at, pairs, [0])": "Interval | float",
    "notions.uniform_stability.minimal_gamma(at, pairs, [0])": "fractions.Fraction",
    "notions.uniform_stability.minimal_gamma(around_at, pairs, [0])": "Interval",
    'tuple((x, y) for x, y in ps.Sample(["a"], [1]))': "tuple[tuple[str, int], ...]",
    'ps.Sample(["a"], [1])[0][0]': "str",
    'ps.Example("a", 1)[1]': "int",
    'len(ps.Example("a", 1))': "int",
}

PRELUDE = """\
from fractions import Fraction
import pac_stability as ps
from pac_stability import notions
from pac_stability.arithmetic import Interval
from pac_stability.data import EnclosedDistribution, Law
e, exact = ps.Epsilon(0), ps.FiniteDistribution.uniform([0, 1])
around = EnclosedDistribution.exactly(exact)
either: Law[int, Fraction | Interval] = exact
samples = [(0, 0), (0, 1)]
pairs = [(samples[0], samples[1])]
def law(sample: tuple[int, ...]) -> ps.FiniteDistribution[int]: return exact
def enclosed(sample: tuple[int, ...]) -> EnclosedDistribution[int]: return around
def at(sample: tuple[int, ...], point: int) -> ps.FiniteDistribution[int]: return exact
def around_at(sample: tuple[int, ...], point: int) -> EnclosedDistribution[int]: return around
"""


def readme_program() -> str:
    """The audit of an ordinary function in the tour, as a program."""
    text = (HERE.parents[1] / "docs/tutorials/tour.md").read_text(encoding="utf-8")
    block = text.split("An audit takes an ordinary function", 1)[1].split("```", 2)[1]
    lines = re.findall(r"^(?:>>>|\.\.\.) (.*)$", block, re.MULTILINE)
    return "\n".join(["import pac_stability as ps", *lines, ""])


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the checker says of the programs."""
    api = pytest.importorskip("mypy.api", reason="mypy is not installed")
    folder = tmp_path_factory.mktemp("typing")
    wrong = folder / "wrong.py"
    wrong.write_text(PREAMBLE + "\n".join(WRONG.values()) + "\n", encoding="utf-8")
    config = folder / "mypy.ini"
    config.write_text("[mypy]\nstrict = true\n", encoding="utf-8")
    arguments = ["--config-file", str(config), "--cache-dir", str(folder / "cache")]
    readme = folder / "readme.py"
    readme.write_text(readme_program(), encoding="utf-8")
    revealed = folder / "revealed.py"
    asked = [f"reveal_type({expression})\n" for expression in REVEALED]
    revealed.write_text(PRELUDE + "".join(asked), encoding="utf-8")
    # Away from the sources, where a checker finds the package that is installed.
    with contextlib.chdir(folder):
        report, trouble, _ = api.run(
            [*arguments, str(HERE / "programs.py"), str(wrong), str(readme), str(revealed)]
        )
    assert not trouble
    assert isinstance(report, str)
    return report


@pytest.fixture(scope="module")
def complaints(report: str) -> dict[str, list[str]]:
    """The errors that the checker finds, by file and line."""
    found: dict[str, list[str]] = {}
    for name, line, message in re.findall(r"(\w+\.py):(\d+): error: (.*)", report):
        found.setdefault(f"{name}:{line}", []).append(message)
    return found


def test_programs_of_users_are_taken(complaints: dict[str, list[str]]) -> None:
    assert {where: said for where, said in complaints.items() if "programs.py" in where} == {}


def test_the_audit_of_the_readme_is_taken(complaints: dict[str, list[str]]) -> None:
    assert "result.witness.sample" in readme_program()
    assert "isinstance" not in readme_program()
    assert {where: said for where, said in complaints.items() if "readme.py" in where} == {}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_programs_are_refused(name: str, complaints: dict[str, list[str]]) -> None:
    line = PREAMBLE.count("\n") + 1 + list(WRONG).index(name)
    assert f"wrong.py:{line}" in complaints


@pytest.mark.parametrize("expression", REVEALED)
def test_numbers_are_of_the_kind_of_the_laws(expression: str, report: str) -> None:
    line = PRELUDE.count("\n") + 1 + list(REVEALED).index(expression)
    (said,) = re.findall(rf'^revealed\.py:{line}: note: Revealed type is "(.*)"', report, re.M)
    assert re.sub(r"pac_stability\.[\w.]+\.", "", said) == REVEALED[expression]


def test_nothing_else_is_refused(complaints: dict[str, list[str]]) -> None:
    assert len(complaints) == len(WRONG)


@pytest.fixture(scope="module")
def programs() -> Iterator[ModuleType]:
    """The programs that the checker takes."""
    spec = spec_from_file_location("programs_of_users", HERE / "programs.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, module.__name__, module)  # its dataclasses look there
        spec.loader.exec_module(module)
        yield module


def test_every_shape_is_the_same_learner(programs: ModuleType) -> None:
    assert {result.value for result in programs.outputs()} == {Fraction(2)}
    assert {result.value for result in programs.predictions()} == {Fraction(2)}
    assert [result.value for result in programs.stability()] == [Fraction(1, 4), 1]
    assert programs.definitions() == (2, Fraction(1, 4), 2, Fraction(1, 4))


def test_witnesses_and_the_least_delta(programs: ModuleType) -> None:
    """On labels 0, 0 and 0, 1 the label 1 has probability 1/4 and 1/2, on 1, 1 it has 3/4."""
    labels, output, law = programs.witnesses()
    assert (labels, output) == ((0, 1), programs.Constant(0))
    assert law.support in {(0, 1), (1, 0)}
    pair, group, simulated, tests = (result.value for result in programs.least_delta())
    assert (pair, simulated) == (0, 0)
    assert 0.75 - math.exp(0.5) / 4 <= group <= 0.75 - math.exp(0.5) / 4 + 1e-9
    # On two samples of four the labels are equal, and the test of a label is off by 1/2.
    assert tests == Fraction(1, 2)


def test_the_other_notions(programs: ModuleType) -> None:
    half = Fraction(1, 2)
    values = [result.value for result in programs.on_fair_labels()]
    assert values == [half, 2, half, half, half, half, 0]


def test_what_follows_a_refutation(programs: ModuleType) -> None:
    shrunk, checked = programs.refutation()
    # One example: from 1/4 to 3/4.
    assert (shrunk.setting.n, shrunk.result.value) == (1, 3)
    assert checked.refutes


def test_draws_and_statistics(programs: ModuleType) -> None:
    bound, event = programs.statistics()
    assert bound > 1
    assert event in ((0,), (1,))
    label, word, pair = programs.choices()
    assert label in (0, 1)
    assert word in ("no", "yes")
    assert set(pair) <= {0, 1}
