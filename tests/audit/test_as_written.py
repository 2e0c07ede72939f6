"""Outcomes told apart by how they are written: what ``==`` hides shows, and nothing is guessed."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import pytest

from pac_stability import Coins, FiniteDistribution, InvalidInput, Sample, audit, data
from pac_stability.audit.watching.program import written


@dataclass(frozen=True)
class Hiding:
    shown: int
    hidden: tuple[int, ...] = field(compare=False)


class Noted(tuple[int, ...]):
    """Equal to a tuple, and keeps more."""

    def __init__(self, _: object) -> None:
        self.note = "nothing"


def typed(sample: Sample[int], rng: Coins) -> object:
    return bool(rng.below(2)) if sample.labels[0] else rng.below(2)


def hiding(sample: Sample[int], rng: Coins) -> object:
    return Hiding(rng.below(2), sample.labels)


def in_a_set(sample: Sample[int], rng: Coins) -> object:
    return frozenset({rng.below(2), Hiding(1, sample.labels)})


@pytest.mark.parametrize("program", [typed, hiding, in_a_set])
def test_what_equality_hides_is_told_apart(program: Callable[[Sample[int], Coins], object]) -> None:
    assert audit.differential_privacy(program, 1, 1).value == 1
    assert audit.differential_privacy(audit.as_written(program), 1, 1).value == math.inf


def test_coins_count_as_before() -> None:
    def flipped(sample: Sample[int], rng: Coins) -> object:
        return sample.labels[0] ^ rng.bernoulli(Fraction(1, 4))

    for mechanism in (flipped, data.FromProgram(flipped)):
        result = audit.differential_privacy(audit.as_written(mechanism), 1, 1, claim="2")
        assert result.value == 3
        assert result.assumptions == audit.differential_privacy(flipped, 1, 1).assumptions


def test_a_law_is_one_of_texts() -> None:
    def law(sample: Sample[int]) -> FiniteDistribution[object]:
        return FiniteDistribution.uniform([1, 2] if sample.labels[0] else [True, 2])

    assert audit.differential_privacy(law, 1, 1).value == 1
    assert audit.differential_privacy(audit.as_written(law), 1, 1).value == math.inf


def test_a_symmetric_algorithm_stays_one() -> None:
    class Sum:
        symmetric = True

        def law(self, sample: Sample[int]) -> FiniteDistribution[int]:
            return FiniteDistribution.point_mass(sum(sample.labels))

    result = audit.differential_privacy(audit.as_written(Sum()), 1, 3)
    assert result.counts.datasets == 4


@pytest.mark.parametrize("outcome", [lambda x: x, [len], iter([1])])
def test_what_could_only_be_described_is_refused(outcome: object) -> None:
    with pytest.raises(InvalidInput, match="written in full"):
        written((1, outcome), exactly=True)


def test_items_and_attributes_are_both_written() -> None:
    one, other = Noted((1, 2)), Noted((1, 2))
    assert one == other
    assert written(one, exactly=True) == written(other, exactly=True)
    other.note = "something"
    assert written(one, exactly=True) != written(other, exactly=True)
    assert written(one, exactly=True) != written((1, 2), exactly=True)


def test_a_program_that_returns_functions_is_refused() -> None:
    def learner(sample: Sample[int], rng: Coins) -> object:  # noqa: ARG001  # as asked
        return lambda x: x

    with pytest.raises(audit.SubjectFailure, match="written in full"):
        audit.differential_privacy(audit.as_written(learner), 1, 1)
