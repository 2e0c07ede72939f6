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
from pac_stability import audit, mechanisms, notions
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
    "a float delta": 'audit.differential_privacy(program, ["x"], 2, 0.1)',
    "a float gamma": 'audit.uniform_stability(predict, ["x"], 2, claim=0.1)',
    "a misspelt option": 'audit.private_prediction(predict, ["x"], 2, symetric=True)',
    "an option of another audit": "audit.global_stability(program, D, 2, labelled=False)",
    "a domain for a distribution": "audit.global_stability(program, 2, 2)",
    "accuracy without labels": "audit.accuracy(program, labels, 2, 0)",
    "a float as an Epsilon": "notions.closeness.minimal_delta(D, D, 1.0)",
    "a float probability": "mechanisms.Flip(0.25)",
    "parts that do not fit": (
        "mechanisms.then(mechanisms.Flip(Fraction()), mechanisms.SoftMajorityVote(Fraction(1)))"
    ),
    "a black box with coins of ours": 'audit.privacy_bound(program, [("a", "b")], runs=1)',
    "a misspelt name of the face": "ps.litlestone_dimension(ps.classes.thresholds(4))",
    "a misspelt room": "ps.adit.recheck",
    "a value that may be infinite": (
        'factor: Fraction = audit.private_prediction(predict, ["x"], 2).value'
    ),
}


def readme_program() -> str:
    """The audit of an ordinary function in the README, as a program."""
    text = (HERE.parents[1] / "README.md").read_text(encoding="utf-8")
    block = text.split("An audit of an ordinary function", 1)[1].split("```", 2)[1]
    lines = re.findall(r"^(?:>>>|\.\.\.) (.*)$", block, re.MULTILINE)
    return "\n".join(["import pac_stability as ps", *lines, ""])


@pytest.fixture(scope="module")
def complaints(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What the checker says of the two programs, by file and line."""
    api = pytest.importorskip("mypy.api", reason="mypy is not installed")
    folder = tmp_path_factory.mktemp("typing")
    wrong = folder / "wrong.py"
    wrong.write_text(PREAMBLE + "\n".join(WRONG.values()) + "\n", encoding="utf-8")
    config = folder / "mypy.ini"
    config.write_text("[mypy]\nstrict = true\n", encoding="utf-8")
    arguments = ["--config-file", str(config), "--cache-dir", str(folder / "cache")]
    readme = folder / "readme.py"
    readme.write_text(readme_program(), encoding="utf-8")
    # Away from the sources, where a checker finds the package that is installed.
    with contextlib.chdir(folder):
        report, trouble, _ = api.run(
            [*arguments, str(HERE / "programs.py"), str(wrong), str(readme)]
        )
    assert not trouble
    found: dict[str, list[str]] = {}
    for name, line, message in re.findall(r"(\w+\.py):(\d+): error: (.*)", report):
        found.setdefault(f"{name}:{line}", []).append(message)
    return found


def test_programs_of_users_are_taken(complaints: dict[str, list[str]]) -> None:
    assert {where: said for where, said in complaints.items() if "programs.py" in where} == {}


def test_the_audit_of_the_readme_is_taken(complaints: dict[str, list[str]]) -> None:
    assert "PairWitness" in readme_program()
    assert {where: said for where, said in complaints.items() if "readme.py" in where} == {}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_programs_are_refused(name: str, complaints: dict[str, list[str]]) -> None:
    line = PREAMBLE.count("\n") + 1 + list(WRONG).index(name)
    assert f"wrong.py:{line}" in complaints


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


def test_the_other_notions(programs: ModuleType) -> None:
    half = Fraction(1, 2)
    values = [result.value for result in programs.on_fair_labels()]
    assert values == [half, 2, half, half, half, half, 0]


def test_what_follows_a_refutation(programs: ModuleType) -> None:
    shrunk, checked, tightness = programs.refutation()
    # One example: from 1/4 to 3/4.
    assert (shrunk.setting.n, shrunk.result.value) == (1, 3)
    assert checked.refutes
    assert tightness.used.lower > 1  # ln 2 of a claim of 0.5
    assert math.isclose(math.log(2) / 0.5, float(tightness.used))


def test_draws_and_statistics(programs: ModuleType) -> None:
    bound, event = programs.statistics()
    assert bound > 1
    assert event in ((0,), (1,))
    label, word, pair = programs.choices()
    assert label in (0, 1)
    assert word in ("no", "yes")
    assert set(pair) <= {0, 1}
