"""Lemma 23: all classes of outputs on few points, and the condition that it needs."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

import pytest

from pac_stability import Example, FiniteDistribution, InvalidInput
from pac_stability.papers.cummings_et_al.algorithm_1 import FiniteRangeThresholds
from shared_refusals import refuses

HALF = Fraction(1, 2)
MISSING = [(m, c) for m in range(2, 8) for k in range(1, m) for c in combinations(range(m), k)]


def labelled(m: int, target: int, total: int) -> Iterator[FiniteDistribution[Example[int]]]:
    """Distributions on m points in multiples of 1/total, with the labels of a threshold."""

    def weights(places: int, left: int) -> Iterator[tuple[int, ...]]:
        if places == 1:
            yield (left,)
            return
        for first in range(left + 1):
            for rest in weights(places - 1, left - first):
                yield (first, *rest)

    for found in weights(m, total):
        yield FiniteDistribution(
            {Example(x, int(x <= target)): Fraction(w, total) for x, w in enumerate(found)}
        )


@pytest.mark.parametrize(("m", "outputs"), MISSING)
def test_all_outputs_are_wrong_half_of_the_time(m: int, outputs: tuple[int, ...]) -> None:
    learner = FiniteRangeThresholds(m, outputs)
    worst, target = learner.worst, learner.target
    assert target is not None
    assert target not in outputs
    assert len(worst) <= 2
    # The labels are those of the target, which is never wrong.
    assert all(z.label == int(z.point <= target) for z in worst.support)
    errors = []
    for x in outputs:
        wrong = (p for z, p in worst.items() if z.label != int(z.point <= x))
        errors.append(sum(wrong, Fraction()))
        assert learner.error(x, worst) == errors[-1]
    assert learner.least_error == min(errors)
    assert set(errors) == {HALF if {0, m - 1} <= set(outputs) else Fraction(1)}


@pytest.mark.parametrize("m", range(1, 6))
def test_with_all_thresholds_as_outputs_there_is_no_such_distribution(m: int) -> None:
    learner = FiniteRangeThresholds(m, range(m))
    assert learner.target is None
    with pytest.raises(InvalidInput, match="all thresholds"):
        _ = learner.worst
    with pytest.raises(InvalidInput, match="all thresholds"):
        _ = learner.least_error
    for target in range(m):
        for distribution in labelled(m, target, 4):
            assert min(learner.error(x, distribution) for x in range(m)) == 0


@pytest.mark.parametrize(("m", "outputs"), [case for case in MISSING if case[0] < 5])
def test_no_distribution_is_worse(m: int, outputs: tuple[int, ...]) -> None:
    learner = FiniteRangeThresholds(m, outputs)
    worst = max(
        min(learner.error(x, distribution) for x in outputs)
        for target in range(m)
        for distribution in labelled(m, target, 4)
    )
    assert worst == learner.least_error


def test_the_points_of_the_printed_proof_may_be_missing() -> None:
    # No two points between outputs 0 and 2; one output alone; and where there are some.
    for outputs in ([0, 2], [1], [0, 1, 3]):
        learner = FiniteRangeThresholds(4, outputs)
        assert learner.printed_points is None
        assert learner.least_error >= HALF
    learner = FiniteRangeThresholds(6, [4, 1])
    assert learner.printed_points == (2, 3)
    printed = FiniteDistribution.uniform([Example(2, 1), Example(3, 0)])
    assert all(learner.error(x, printed) >= HALF for x in learner.outputs)


def test_bad_input_is_refused() -> None:
    refuses("m: got 0", FiniteRangeThresholds, 0, [0])
    refuses("outputs: got none", FiniteRangeThresholds, 3, [])
    refuses("outputs: got 3", FiniteRangeThresholds, 3, [1, 3])
    refuses("outputs: got 1 twice", FiniteRangeThresholds, 3, [1, 1])
    learner = FiniteRangeThresholds(3, [0, 1])
    with pytest.raises(InvalidInput, match="output: got nan"):
        learner.error(float("nan"), learner.worst)  # type: ignore[arg-type]  # what is tested
    refuses("output: got 3, want a point below 3", learner.error, 3, learner.worst)


def test_a_missing_threshold_is_found_without_listing_the_domain() -> None:
    m = 10**18
    assert FiniteRangeThresholds(m, [0, 1, m - 1]).target == 2
