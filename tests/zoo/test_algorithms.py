"""The algorithms of the benchmarks: their exact values, against closed forms and literal sums."""

from __future__ import annotations

import json
import math
import os
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from pac_stability import Verdict, zoo
from pac_stability.cli.app import main
from pac_stability.randomness.laws import grid_decay
from shared_refusals import refuses

E = zoo.algorithms.EPSILON


@pytest.mark.parametrize(("name", "k", "epsilon"), [
    ("svt3", 2, E),  # k epsilon / 2: equal to the claim at k = 2, and beyond it from 3 on
    ("svt5", 1, E / 2),
    ("svt5", 2, math.inf),  # one answer above, and one of the same size below
    ("isvt1", 2, math.inf),
    ("noisymax3", 2, E),  # all numbers move together: k epsilon / 2
    ("noisymax4", 1, math.inf),  # noise that is never negative
    ("gumbelmax", 2, E / 2),  # e**(1/20) to 1, against 1 to e**(1/20)
    ("expmech", 2, E / 2),
    # Laplace's and exponential noise of scale 20: 1 - e**(-1/20) / 2 against its half
    ("permuteflip", 2, math.log(2 * math.exp(E / 2) - 1)),
    ("hist1", 1, E),
    ("parallel", 2, E),
    ("noisysum", 2, E),
    ("badpartialsum", 2, 2 * E),
    ("prefixsum", 2, E),
    ("smartsum", 2, 2 * E),
    ("badsmartsum", 2, math.inf),
    ("rappor1", 1, 4 * math.log((1 - 0.95 / 2) / (0.95 / 2))),  # four bits differ
    ("response", 1, math.log(3)),
    ("shuffled_response", 1, math.log(3)),
    ("roundedmean", 3, E),  # a third is a point of the grid
    ("subsampled_response", 2, math.log(2)),  # 3/4 against 1/2; and 1/2 against 1/4
    ("kary_response", 1, E),
    ("best_of", 1, None),
    ("mwem_round", 1, E / 2),
])  # fmt: skip
def test_values_of_the_gallery(name: str, k: int, epsilon: float | None) -> None:
    found = zoo.algorithms.get(name).audit(k)
    value = found.value
    if epsilon is None:  # a loop that ends with probability 1: between bounds
        assert found.verdict is Verdict.BOUNDED
        return
    assert (math.inf if value == math.inf else math.log(value)) == pytest.approx(epsilon, rel=2e-6)


def _above(answers: tuple[int, ...], out: tuple[bool, ...], decays: tuple[float, float]) -> float:
    """Add up over the noise of the threshold what svt6's answers weigh, given it."""
    bars = np.arange(-3000, 3001)
    one, other = decays
    weights = (1 - one) / (1 + one) * one ** np.abs(bars)
    total = np.ones(len(bars))
    for answer, said in zip(answers, out, strict=True):
        least = (1 - answer + bars).astype(float)  # the noise is at least so much
        tail = np.where(least > 0, other ** np.maximum(least, 0) / (1 + other),
                        1 - other ** np.maximum(1 - least, 0) / (1 + other))  # fmt: skip
        total = total * (tail if said else 1 - tail)
    return float((weights * total).sum())


@pytest.mark.parametrize("k", [1, 2, 3])
def test_a_sparse_vector_has_the_value_of_a_literal_sum(k: int) -> None:
    """Of svt6, whose answers are all asked, on a grid of steps of 1."""

    decay = float(grid_decay(Fraction(1, 20)))
    worst = max(
        _above(d, out, (decay, decay)) / _above(e, out, (decay, decay))
        for d, e in product(product((0, 1), repeat=k), repeat=2)
        for out in product((False, True), repeat=k)
    )
    found = zoo.algorithms.get("svt6").audit(k, grid=1).value
    assert float(found) == pytest.approx(worst, rel=1e-9)


def test_the_table_tells_when_a_claim_is_exceeded(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(zoo.algorithms.algorithms()) >= 47
    found = {(e.algorithm.name, e.k): e.breaks for e in zoo.algorithms.table(["svt4", "svt6"], 2)}
    assert found == {("svt4", 1): False, ("svt4", 2): True, ("svt6", 1): False, ("svt6", 2): False}
    assert main(["zoo", "algorithms", "svt5", "--queries", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "infinite*" in lines[-1]
    assert lines[-1].endswith("0  1 / 0  0")
    assert main(["zoo", "algorithms", "laplace1", "--queries", "1", "--json"]) == 0
    (line,) = json.loads(capsys.readouterr().out)["algorithms"]
    assert (line["name"], line["claimed"], line["worst_pair"]) == ("laplace1", 0.1, "0 / 1")
    assert line["epsilon"] == pytest.approx(0.1)
    assert main(["zoo", "algorithms", "svt1", "svt9"]) == 2
    assert not capsys.readouterr().out  # no table is begun
    refuses("grid: got 0, want an integer", zoo.algorithms.get("laplace1").audit, 1, grid=0)
    refuses("one of svt1, svt2", zoo.algorithms.get, "svt9")


PAGE = (Path(__file__).parents[2] / "docs/explanation/the-truth-beside-the-testers.md").read_text()
ROWS = {row[0].strip("`"): row[1:] for row in
        ([cell.strip() for cell in line.split("|")[1:-1]]
         for line in PAGE.splitlines() if line.startswith("| `"))}  # fmt: skip
BY_DAY = dict.fromkeys(("noisymax3", "noisymax4", "noisymaxgap", "hist1", "prefixsum", "smartsum",
                        "gapsvt", "badsmartsum", "best_of", "parallel"), 2)  # fmt: skip
BY_DAY |= dict.fromkeys(("svt3", "isvt4", "badgapsvt", "adaptivesvt"), 1)
BY_DAY |= dict.fromkeys(("truncgeo", "rapporlong", "rappor"), 0)
"""Up to how many queries a row takes a third of a second or less: more are for the night."""
FULL = os.environ.get("PAC_STABILITY_EXAMPLES") == "nightly"


def test_the_page_has_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert [*ROWS] == [algorithm.name for algorithm in zoo.algorithms.algorithms()]
    for algorithm in zoo.algorithms.algorithms():
        assert algorithm.printed.replace(", .", " | .").replace("), ", ") | ") in (
            PAGE.replace("| 0.", "| .")
        )
        *values, claimed, pair = ROWS[algorithm.name]
        most = algorithm.most if FULL else BY_DAY.get(algorithm.name, algorithm.most)
        assert [*map(bool, values)] == [k < algorithm.most for k in range(3)]
        if not most:
            continue
        command = ["zoo", "algorithms", algorithm.name, "--queries", str(most), "--json"]
        assert main(command) == 0
        found = json.loads(capsys.readouterr().out)["algorithms"]
        for said, shown in zip(found, values, strict=False):
            epsilon = said["epsilon"]
            value = epsilon if epsilon == "infinite" else f"{epsilon:.4f}"
            value = f"**{value}**" if said["exceeds_its_claim"] else value
            assert shown.removeprefix("at least ") == value, said
            assert claimed == ("" if said["claimed"] is None else f"{said['claimed']:g}")
        if most == algorithm.most:
            assert " ".join(found[-1]["worst_pair"].split()) == pair
