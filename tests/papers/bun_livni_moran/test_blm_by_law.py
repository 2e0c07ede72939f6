"""Runs of G all at once, by their law: beside the law itself, and M at sizes nobody waits for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from fractions import Fraction

import pytest

from pac_stability.audit import Progress
from pac_stability.classes import FiniteClass, implicit, singletons, thresholds
from pac_stability.data import Example, FiniteDistribution, enumerate_law
from pac_stability.errors import InvalidInput
from pac_stability.papers.bun_livni_moran import (
    ByLevelPrivateLearner,
    GloballyStableLearner,
    MonteCarloTournament,
    PrivateLearner,
    RunTally,
    tally_by_law,
    train_by_level_on_target,
    train_on_target,
)
from pac_stability.randomness import SeededCoins

QUARTER = Fraction(1, 4)


def uniform(
    H: FiniteClass, row: int, points: tuple[int, ...] = ()
) -> FiniteDistribution[Example[Hashable]]:
    return FiniteDistribution.uniform([Example(x, H(row, x)) for x in points or H.domain])


def test_few_runs_have_the_law_of_single_ones() -> None:
    H = thresholds(2)
    D = MonteCarloTournament(H, uniform(H, 1), k=0, n=2, budget=0)
    once = D.law_of_output()
    assert len(once.support) > 1
    both = once.product(once).map(lambda pair: frozenset(Counter(pair).items()))
    assert enumerate_law(lambda rng: frozenset(D.occurrences(2, rng).items())) == both
    # With tournaments probabilities are thirds, which no tape lists.
    H, rng, draws = thresholds(3), SeededCoins(1), 1000
    D = MonteCarloTournament(H, uniform(H, 1), k=1, n=1, budget=4)
    found: Counter[int | None] = Counter()
    for _ in range(draws):
        found.update(D.occurrences(1, rng))
    law = D.law_of_output()
    assert set(found) <= set(law.support)
    assert all(abs(found[f] - p * draws) < 75 for f, p in law.items())  # 4.7 deviations at most


@pytest.mark.parametrize("level", [None, 0, 1, 2])
def test_many_runs_are_near_the_law(level: int | None) -> None:
    H, runs = thresholds(3), 10**16
    target = uniform(H, 1)
    G = GloballyStableLearner(H, QUARTER, n=1, blocks=8, level=level)
    tally = tally_by_law(G, target, runs, seed=1)
    law = {int(f): p for f, p in G.law_of_output(target).items()}
    assert set(tally.outputs) == set(law)
    assert all(abs(tally.outputs[f] - p * runs) < 10**9 for f, p in law.items())
    failed = [G.tournaments(target, k).fail_probability for k in G.levels]
    assert abs(tally.failures - sum(failed, Fraction(0)) * runs / len(failed)) < 10**9
    assert tally == tally_by_law(G, target, runs, seed=1)
    assert tally != tally_by_law(G, target, runs, seed=2)


def test_all_runs_fail_where_no_match_is_decided() -> None:
    H = thresholds(3)
    G = GloballyStableLearner(H, QUARTER, n=1, blocks=2, level=1)
    tally = tally_by_law(G, uniform(H, 0, (0,)), 10**20)
    assert tally.failures == tally.runs == 10**20
    assert dict(tally.outputs) == {int(G.default): 10**20}


def test_what_is_resumed_is_whole_and_of_these_runs() -> None:
    H = thresholds(3)
    target = uniform(H, 1)
    G = GloballyStableLearner(H, QUARTER, n=1, blocks=8)
    tally = tally_by_law(G, target, 50, seed=1)
    assert tally_by_law(G, target, 50, seed=1, resume=tally) is tally
    with pytest.raises(InvalidInput, match="resume"):
        tally_by_law(G, target, 51, seed=1, resume=tally)
    half = RunTally(25, {0: 25}, 0, 1, tally.of)
    with pytest.raises(InvalidInput, match="25 runs in 1 batches"):
        tally_by_law(G, target, 50, seed=1, resume=half)


def test_m_at_its_size_by_law() -> None:
    H, seen = singletons(4), list[Progress]()
    M = PrivateLearner.of_class(H, "1/4", "1/10", 1, "1/1000000")
    noted: list[RunTally] = []
    trained = train_on_target(
        M, uniform(H, 2), seed=1, by_law=True, checkpoint=noted.append, progress=seen.append
    )
    assert [trained.hypothesis(x) for x in range(4)] == [0, 0, 1, 0]
    assert [tally.runs for tally in noted] == [M.runs]
    assert seen[-1].done == seen[-1].total == M.runs
    keys = implicit.singletons(2**64)
    large = PrivateLearner.of_class(keys, "1/4", "1/10", 1, "1/1000000")
    with pytest.raises(InvalidInput, match="by_law"):
        train_on_target(large, keys.target(keys.hypothesis(7)), seed=1, by_law=True)


def test_m_of_dimension_3_by_level_and_by_law() -> None:
    H = thresholds(7)
    M = ByLevelPrivateLearner.of_class(H, "1/4", "1/10", 1, "1/1000000")
    target = uniform(H, 3)
    trained = train_by_level_on_target(M, target, seed=1, by_law=True)
    assert [tally.runs for tally in trained.tallies] == [runs for _, runs in M.levels]
    assert sum(trained.hypothesis(z.point) != z.label for z in target.support) <= 1
    # The first level is often right, and fails never; at the last hardly a match is decided.
    assert trained.tallies[0].failures == 0
    assert trained.tallies[-1].failures == M.levels[-1][1]


def test_a_counter_of_the_tournaments_repeats() -> None:
    H = thresholds(4)
    D = MonteCarloTournament(H, uniform(H, 2), k=1, n=1, budget=6)
    assert D.occurrences(10**9, SeededCoins(3)) == D.occurrences(10**9, SeededCoins(3))
    assert D.occurrences(0) == Counter()
