"""Numbers with noise, drawn lazily, against all their values in a wide window."""

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from pac_stability.data.tape import explored_law
from pac_stability.randomness import ExactGenerator

F = Fraction


def _pmf(kind: str, decay: Fraction, reach: int) -> tuple[np.ndarray[Any, Any], int]:
    r = float(decay)
    if kind == "one":
        return (1 - r) * r ** np.arange(reach + 1), 0
    return (1 - r) / (1 + r) * r ** np.abs(np.arange(-reach, reach + 1)), -reach


# Programs of comparisons: a list of steps, each a signed sum of noises compared with a number


def _program(rng: random.Random) -> tuple[list[tuple[str, Fraction]], list[tuple[list[int], int]]]:
    noises = [
        (rng.choice(["two", "two", "one"]), rng.choice([F(1, 64), F(1, 81), F(1, 128)]))
        for _ in range(rng.choice([1, 2, 2, 3]))
    ]
    steps = []
    for _ in range(rng.randint(1, 4)):
        signs = [rng.choice([-1, 0, 0, 1]) for _ in noises]
        if rng.random() < 0.5 and len(noises) > 1:
            first, second = rng.sample(range(len(noises)), 2)
            signs = [(k == first) - (k == second) for k in range(len(noises))]
        steps.append((signs, rng.randint(-2, 2)))
    return noises, steps


def _literally(
    noises: list[tuple[str, Fraction]], steps: list[tuple[list[int], int]]
) -> dict[tuple[bool, ...], float]:
    """Add up the weights of all values of the noises in a wide window."""
    reach = {1: 40, 2: 20, 3: 10}[len(noises)]
    tables = [_pmf(kind, decay, reach) for kind, decay in noises]
    values = np.meshgrid(*(np.arange(len(table)) + start for table, start in tables), indexing="ij")
    weights = np.ones(values[0].shape)
    for axis, (table, _) in enumerate(tables):
        shape = [1] * len(tables)
        shape[axis] = -1
        weights = weights * table.reshape(shape)
    answers = [sum(s * v for s, v in zip(signs, values, strict=True)) >= c for signs, c in steps]
    code = sum(
        (
            np.broadcast_to(answer, weights.shape).astype(int) << k
            for k, answer in enumerate(answers)
        ),
        np.zeros(weights.shape, dtype=int),
    )
    mass = np.bincount(code.ravel(), weights.ravel(), minlength=1 << len(steps))
    return {
        tuple(bool(number >> k & 1) for k in range(len(steps))): float(share)
        for number, share in enumerate(mass)
    }


@pytest.mark.parametrize("seed", range(20))
def test_random_programs_of_comparisons_have_the_law_of_all_values(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(5):  # 100 make two thousand programs in all
        noises, steps = _program(rng)

        def program(
            coins: ExactGenerator,
            noises: list[tuple[str, Fraction]] = noises,
            steps: list[tuple[list[int], int]] = steps,
        ) -> tuple[bool, ...]:
            drawn: list[Any] = [
                (coins.one_sided if kind == "one" else coins.two_sided)(decay, 0)
                for kind, decay in noises
            ]
            return tuple(
                sum(s * z for s, z in zip(signs, drawn, strict=True) if s) >= c
                for signs, c in steps
            )

        law, wanted = explored_law(program), _literally(noises, steps)
        for outcome, share in wanted.items():
            found = law.probability(outcome)
            middle = found if isinstance(found, Fraction) else (found.lower + found.upper) / 2
            assert float(middle) == pytest.approx(share, abs=1e-12), (noises, steps, outcome)
