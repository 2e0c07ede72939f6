"""Random programs of comparisons of numbers with noise, against all that may happen in a window."""

from __future__ import annotations

import operator
import os
import random
from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from itertools import count, product
from typing import Any

import numpy as np
import pytest

from pac_stability import Interval, data, randomness

NIGHTLY = os.environ.get("PAC_STABILITY_EXAMPLES") == "nightly"
DECAYS = (Fraction(1, 8), Fraction(1, 10), Fraction(1, 16))
WINDOW = np.arange(-17, 18)  # all but 1e-15
COMPARISONS = (operator.ge, operator.gt, operator.le, operator.lt, operator.eq)

Question = Callable[[list[Any], Any], Any]
"""A question about numbers, or about arrays of them, given who is the larger of two."""


def question(choice: random.Random, several: int) -> Question:
    """Return a random one."""
    signs = [choice.choice((-1, -1, 0, 1, 1, 1, 2)) for _ in range(several)]
    bound, compare = choice.randint(-2, 3), choice.choice(COMPARISONS)
    kind, one = (
        choice.choice(("sum", "sum", "largest", "place", "size", "half", "spread")),
        signs.index(max(signs)),
    )

    def ask(z: list[Any], larger: Any) -> Any:
        if kind == "sum":
            return compare(sum(s * x for s, x in zip(signs, z, strict=True) if s), bound)
        if kind == "largest":
            return compare(reduce(larger, z), bound)
        if kind == "spread":
            return compare(reduce(larger, z) + reduce(larger, [-x for x in z]), bound)
        if kind == "place":
            return z[one] > z[-1]
        return compare(abs(z[one]) if kind == "size" else z[one] // 2, bound)

    return ask


def programs(seed: int) -> tuple[Any, dict[object, float]]:
    """Return a random program, and its law by enumeration."""
    choice = random.Random(seed)  # which program it is
    several = choice.randint(1, 3)
    decays = [choice.choice(DECAYS) for _ in range(several)]
    sided = [choice.random() < 0.3 for _ in range(several)]
    shifts = [choice.randint(0, 2) for _ in range(several)]
    # The first question, and the next ones by the answer before.
    first, *later = [question(choice, several) for _ in range(5)]

    def run(rng: randomness.ExactGenerator) -> object:
        z = [
            (rng.one_sided if one else rng.two_sided)(r, q)
            for r, one, q in zip(decays, sided, shifts, strict=True)
        ]
        answers = [bool(first(z, max))]
        for yes, no in (later[:2], later[2:]):
            answers.append(bool((yes if answers[-1] else no)(z, max)))
        return tuple(answers)

    at = [WINDOW.reshape([-1 if i == k else 1 for i in range(several)]) for k in range(several)]
    weights, z = np.ones(1), [x + q for x, q in zip(at, shifts, strict=True)]
    for x, r, one in zip(at, decays, sided, strict=True):
        share = float((1 - r) if one else (1 - r) / (1 + r))
        weights = weights * share * float(r) ** abs(x) * ((x >= 0) if one else 1)
    asked = [np.broadcast_to(ask(z, np.maximum), weights.shape) for ask in (first, *later)]
    second = np.where(asked[0], asked[1], asked[2])
    rows = (asked[0], second, np.where(second, asked[3], asked[4]))
    found: dict[object, float] = {}
    for outcome in product((False, True), repeat=3):
        alike = np.logical_and.reduce([row == o for row, o in zip(rows, outcome, strict=True)])
        found[outcome] = float(weights[alike].sum())
    return run, found


def _middle(p: Any) -> float:
    return float(p.lower if isinstance(p, Interval) else p)


@pytest.mark.parametrize("part", range(400 if NIGHTLY else 4))
def test_random_programs_of_comparisons_have_the_law_that_enumeration_gives(part: int) -> None:
    answered = 0
    for seed in count(1000 * part):
        run, wanted = programs(seed)
        try:
            law = data.explored_law(run)
        except randomness.InexactDraw as refused:
            assert "used as it is after it was rounded" in str(refused)  # noqa: PT017
            continue
        for outcome, share in wanted.items():
            assert _middle(law.probability(outcome)) == pytest.approx(share, abs=1e-12), seed
        answered += 1
        if answered == 5:
            break


SEVERAL = (Fraction(1, 4), Fraction(1, 3), Fraction(2, 5))


def _spread(z: list[Any]) -> Any:
    return max(z) - min(z) > 2


def _steps(z: list[Any]) -> Any:
    return z[0] - z[1] <= 1, z[1] - z[2] <= 2, z[2] - z[0] <= 3


def _twice(z: list[Any]) -> Any:
    return z[0] + z[1] + z[1] + z[0] + z[2] + z[2] >= 3, z[0] > z[1]


def _many_times(z: list[Any]) -> Any:
    return (2 * z[0] - 3 * z[1] >= 1,)


@pytest.mark.parametrize(
    ("ask", "exactly"), [(_spread, True), (_steps, True), (_twice, False), (_many_times, False)]
)
def test_rings_and_multiples_are_decided_as_far_as_they_must_be(ask: Any, exactly: bool) -> None:
    law = data.explored_law(lambda rng: ask([rng.two_sided(r, 0) for r in SEVERAL]))
    assert isinstance(law, data.FiniteDistribution) is exactly
    wanted: dict[object, float] = {}
    weigh = [
        {z: (1 - r) / (1 + r) * r ** abs(z) for z in range(-34, 35)} for r in map(float, SEVERAL)
    ]
    for z in product(range(-34, 35), repeat=3):
        outcome = ask(list(z))
        wanted[outcome] = wanted.get(outcome, 0) + weigh[0][z[0]] * weigh[1][z[1]] * weigh[2][z[2]]
    assert {outcome: _middle(law.probability(outcome)) for outcome in wanted} == pytest.approx(
        wanted, abs=1e-11
    )


def test_sums_and_differences_of_two_numbers_are_published_exactly() -> None:
    def run(rng: randomness.ExactGenerator) -> object:
        one, other = rng.two_sided(SEVERAL[0], 0), rng.two_sided(SEVERAL[1], 0)
        return one + other, one - other

    law = data.enumerate_law(run)
    first, second = ((1 - r) / (1 + r) for r in SEVERAL[:2])
    assert law.probability((0, 0)) == first * second
    assert law.probability((0, 1)) == 0  # both are even, or both odd


def test_what_is_left_open_of_noise_on_a_fine_grid_is_nothing_to_speak_of() -> None:
    law = data.explored_law(lambda rng: bool(rng.laplace(0, 2) >= rng.laplace(0, 1) / 2))
    half = law.probability(True)
    assert isinstance(half, Interval)
    assert 0 < half.upper - half.lower < Fraction(1, 2**60)
    assert half.lower.denominator.bit_length() < 1 << 11  # not as long as the tails
