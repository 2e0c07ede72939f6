"""From realizable samples to all of them."""

from collections.abc import Hashable
from fractions import Fraction
from typing import assert_type

import pytest

from pac_stability import compression, data, errors
from pac_stability.classes import FiniteClass, Row, intervals, subsets, thresholds
from pac_stability.compression import geometric
from pac_stability.compression.any_class import MaximumClassScheme, agnostic
from pac_stability.compression.scheme import check_scheme
from pac_stability.randomness import SYSTEM_COINS, Coins
from shared_refusals import refuses

Points = data.Sample[Hashable]


class KeepAll(compression.ProperScheme[Row]):
    """Keeps everything, for realizable samples: its size grows with n."""

    agnostic = False
    selection = compression.Selection.SUBSET

    def __init__(self, H: FiniteClass) -> None:
        self._class = H

    @property
    def family(self) -> FiniteClass:
        return self._class

    def size(self, n: int) -> int:
        return n

    def _compress(self, sample: Points) -> tuple[int, ...]:
        return tuple(range(len(sample)))

    def reconstruct(self, kept: Points, /) -> Row:
        for h in self._class:
            if kept.count_errors(h) == 0:
                return h
        raise errors.NotRealizable("no hypothesis fits")


class ImproperKeepAll(compression.ImproperScheme[Row]):
    """The same, said to be improper."""

    agnostic = False
    family = KeepAll.family
    size = KeepAll.size
    _compress = KeepAll._compress
    reconstruct = KeepAll.reconstruct

    def __init__(self, H: FiniteClass) -> None:
        self._class = H


# All label the first point with 0, so that no hypothesis fits (0, 1), and each is best for it.
FIXED = FiniteClass([[0, 1, 0], [0, 0, 1], [0, 1, 1]])


@pytest.mark.parametrize("H", [FIXED, thresholds(3), intervals(3).select_rows([1, 3, 5])])
def test_every_sample_is_compressed(H: FiniteClass) -> None:
    found = check_scheme(agnostic(KeepAll(H)), range(3), 3)
    assert found.counterexample is None
    assert found.examined == {1: 6, 2: 36, 3: 216}


@pytest.mark.parametrize("H", [subsets(4, 2), subsets(4, 1), thresholds(4), intervals(4)])
def test_maximum_classes_with_any_labels(H: FiniteClass) -> None:
    scheme = agnostic(MaximumClassScheme(H))
    found = check_scheme(scheme, range(4), 4, symmetric=True)
    assert found.counterexample is None
    # Multisets of 8 examples: 8 + 36 + 120 + 330.
    assert sum(found.examined.values()) == 494
    assert check_scheme(scheme, range(3), 3).valid
    assert scheme.size(7) == MaximumClassScheme(H).size(7)


def test_no_example_that_any_hypothesis_gets_right() -> None:
    scheme = agnostic(KeepAll(FIXED))
    sample: Points = data.Sample([0, 0], [1, 1])
    assert scheme.compress(sample) == (0, 0)
    assert scheme.run(sample) in list(FIXED)
    assert scheme.law(sample) == data.FiniteDistribution.point_mass(scheme.run(sample))


def test_proper_stays_proper() -> None:
    proper = agnostic(KeepAll(FIXED))
    assert_type(proper, compression.ProperScheme[Row])
    assert isinstance(proper, compression.ProperScheme)
    improper = agnostic(ImproperKeepAll(FIXED))
    assert_type(improper, compression.ImproperScheme[Row])
    assert isinstance(improper, compression.ImproperScheme)
    assert improper.agnostic
    assert check_scheme(improper, range(3), 3).valid
    # Indices repeat, so that what is kept is no longer a subset, but its order still is nothing.
    assert proper.selection is compression.Selection.MULTISET
    assert improper.selection is compression.Selection.SEQUENCE


def test_nothing_to_do() -> None:
    scheme = geometric.ChainScheme(thresholds(3))
    assert agnostic(scheme) is scheme


class RandomNeighbour(geometric.ThresholdScheme):
    """For realizable samples: one of the examples next to the cut, at random."""

    agnostic = False

    def compress(self, sample: Points, rng: Coins = SYSTEM_COINS) -> tuple[int, ...]:
        fitting = [
            index
            for index in range(len(sample))
            if sample.count_errors(self.reconstruct(sample[index : index + 1])) == 0
        ]
        if not fitting:
            raise errors.NotRealizable("no threshold fits")
        return (fitting[rng.choose([1 + (index > 0) for index in range(len(fitting))])],)

    def law(self, sample: Points, /) -> data.FiniteDistribution[object]:  # type: ignore[override]  # any outcome will do
        return data.enumerate_law(lambda rng: self.run(sample, rng))


def test_coins_are_passed_on() -> None:
    scheme = agnostic(RandomNeighbour())
    assert check_scheme(scheme, range(3), 3).valid
    # The best threshold is 1[x >= 2]. The examples that it gets right, with the first again in the
    # place of (0, 1): (1, 0), (2, 1), (1, 0), (5, 1), (1, 0), all but (5, 1) next to the cut.
    sample: Points = data.Sample([1, 0, 2, 1, 5], [0, 1, 1, 0, 1])
    law = data.enumerate_law(lambda rng: scheme.compress(sample, rng))
    assert law == data.FiniteDistribution(
        {(0,): Fraction(1 + 2, 7), (2,): Fraction(2, 7), (3,): Fraction(2, 7)}
    )
    assert scheme.law(sample) == data.enumerate_law(lambda rng: scheme.run(sample, rng))


def test_bad_input() -> None:
    refuses("scheme", agnostic, thresholds(3))  # type: ignore[arg-type]  # that is the point
    refuses("got 0 examples", agnostic(KeepAll(FIXED)).compress, data.Sample([], []))
