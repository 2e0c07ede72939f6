"""Theorem 26: what boosting keeps is what is stated, and what follows from it."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from pac_stability import FiniteClass, Interval, InvalidInput, Sample, classes, vc_dimension
from pac_stability.compression import BoostingScheme, agnostic
from pac_stability.compression.bounds import HoeffdingBound
from pac_stability.papers.cummings_et_al import Theorem26

F = Fraction


@pytest.mark.parametrize("n", [1, 2, 10, 1000, 10**6])
@pytest.mark.parametrize("d", [1, 2, 5])
def test_it_keeps_what_the_scheme_keeps(n: int, d: int) -> None:
    """For a class of which only the dimension is known."""
    scheme = BoostingScheme(classes.Thresholds(), vc_dimension=d)
    assert Theorem26(n, d, F(1, 20)).kept == scheme.size(n)


@pytest.mark.parametrize("H", [classes.thresholds(4), classes.intervals(4)])
def test_samples_that_no_hypothesis_fits(H: FiniteClass) -> None:
    sample = Sample([0, 0, 1, 2, 3, 3, 2], [0, 1, 1, 0, 1, 0, 0])
    scheme, stated = agnostic(BoostingScheme(H)), Theorem26(7, vc_dimension(H), F(1, 20))
    assert len(scheme.compress(sample)) <= stated.kept
    least = min(sample.count_errors(h) for h in H)
    assert sample.count_errors(scheme.run(sample)) <= least


def test_what_follows() -> None:
    """n = 10^7, d = 1: T = 274 as (9/8)^136.8 = 10^7, m = 40 for the 10^7 + 1 patterns."""
    stated = Theorem26(10**7, 1, F(1, 20))
    assert (F(9, 8) ** 273) < 10**14 < (F(9, 8) ** 274)
    assert (stated.rounds, stated.group) == (274, 40)
    assert F(3, 2) ** 39 < 10**7 + 1 <= F(3, 2) ** 40
    robust = HoeffdingBound(10**7, 274 * 40, F(1, 20)).value()
    fixed = Interval.sqrt(Interval.log(20) / (2 * 10**7))
    assert float(stated.learner.robust.value()) == pytest.approx(float(robust))
    assert float(stated.learner.value()) == pytest.approx(float(robust + fixed))
    assert stated.learner.failure == F(1, 10)


def test_enough_examples() -> None:
    for d in (1, 4):
        found = Theorem26.least("1/10", d, "1/20")
        assert found.n & (found.n - 1) == 0
        assert found.learner.value() <= F(1, 10)
        fewer = Theorem26(found.n // 2, d, F(1, 20))
        assert fewer.learner.value() > F(1, 10)


def test_bad_input() -> None:
    wrong: list[tuple[str, Callable[[], object]]] = [
        ("n: got 0", lambda: Theorem26(0, 1, F(1, 20))),
        ("vc_dimension: got 0", lambda: Theorem26(1, 0, F(1, 20))),
        ("delta: got 1", lambda: Theorem26(1, 1, F(1))),
        ("epsilon: got 0", lambda: Theorem26.least(0, 1, "1/20")),
    ]
    for message, call in wrong:
        with pytest.raises(InvalidInput, match=message):
            call()
