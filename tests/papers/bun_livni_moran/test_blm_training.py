"""M from end to end: batches, checkpoints, executors, and what it promises at d = 1."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest

from pac_stability import audit
from pac_stability.audit.clopper_pearson import upper_bound
from pac_stability.classes import FiniteClass, cube, singletons, thresholds
from pac_stability.data import Deterministic, Example, FiniteDistribution, Sample
from pac_stability.errors import InvalidInput, NotRealizable
from pac_stability.mechanisms import StableHistogram
from pac_stability.notions.losses import error
from pac_stability.papers.bun_livni_moran import run_tally
from pac_stability.papers.bun_livni_moran.example_stream import ExampleStream
from pac_stability.papers.bun_livni_moran.globally_stable import GloballyStableLearner
from pac_stability.papers.bun_livni_moran.private_learner import PrivateLearner
from pac_stability.papers.bun_livni_moran.private_training import (
    train_on_examples,
    train_on_target,
)
from pac_stability.papers.bun_livni_moran.run_tally import (
    RunTally,
    tally_on_examples,
    tally_on_target,
)
from pac_stability.papers.bun_livni_moran.tournament_distribution import TournamentDistribution
from pac_stability.randomness import SeededCoins

HALF = Fraction(1, 2)
QUARTER = Fraction(1, 4)


def uniform(H: FiniteClass, row: int) -> FiniteDistribution[Example[int]]:
    return FiniteDistribution.uniform([Example(x, H(row, x)) for x in range(len(H.domain))])


def stream(H: FiniteClass, row: int, count: int, seed: int) -> npt.NDArray[np.int64]:
    columns = np.random.default_rng(seed).integers(0, len(H.domain), size=count)
    codes: npt.NDArray[np.int64] = 2 * columns + H.table[row, columns]
    return codes


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_tally, "RUNS_IN_A_BATCH", 8)
    monkeypatch.setattr(run_tally, "EXAMPLES_IN_A_BATCH", 500)


G = GloballyStableLearner(thresholds(4), QUARTER, n=3, blocks=20)
TARGET = uniform(thresholds(4), 2)


@pytest.mark.usefixtures("small_batches")
class TestTallies:
    def test_the_same_for_a_seed_whatever_the_executor(self) -> None:
        here = tally_on_target(G, TARGET, 50, seed=7)
        assert here.runs == 50
        assert sum(here.outputs.values()) == 50
        codes = stream(G.H, 2, 50 * G.sample_size, seed=1)
        read = tally_on_examples(G, ExampleStream([codes], G.H), 50, seed=7)
        with ThreadPoolExecutor(3) as executor:
            assert tally_on_target(G, TARGET, 50, seed=7, executor=executor) == here
            cut = ExampleStream(np.array_split(codes, 17), G.H)
            assert tally_on_examples(G, cut, 50, seed=7, executor=executor) == read
        assert tally_on_target(G, TARGET, 50, seed=8) != here

    def test_resumed_it_ends_the_same(self) -> None:
        seen: list[RunTally] = []
        whole = tally_on_target(G, TARGET, 50, seed=7, checkpoint=seen.append)
        assert [tally.runs for tally in seen] == [8, 16, 24, 32, 40, 48, 50]
        half = RunTally.from_dict(json.loads(json.dumps(seen[2].to_dict())))
        assert tally_on_target(G, TARGET, 50, seed=7, resume=half) == whole

        codes = stream(G.H, 2, 50 * G.sample_size, seed=1)
        seen.clear()
        read = tally_on_examples(G, ExampleStream([codes], G.H), 50, seed=7, checkpoint=seen.append)
        rest = ExampleStream([codes[seen[1].runs * G.sample_size :]], G.H)
        assert tally_on_examples(G, rest, 50, seed=7, resume=seen[1]) == read

    def test_interrupted_it_leaves_a_tally_to_resume(self) -> None:
        seen: list[RunTally] = []

        def interrupt(tally: RunTally) -> None:
            seen.append(tally)
            if len(seen) == 3:
                raise KeyboardInterrupt

        with ThreadPoolExecutor(2) as executor, pytest.raises(KeyboardInterrupt):
            tally_on_target(G, TARGET, 50, seed=7, executor=executor, checkpoint=interrupt)
        whole = tally_on_target(G, TARGET, 50, seed=7)
        assert tally_on_target(G, TARGET, 50, seed=7, resume=seen[-1]) == whole

    def test_progress_counts_the_runs(self) -> None:
        seen: list[audit.Progress] = []
        tally_on_target(G, TARGET, 50, seed=7, progress=seen.append)
        assert (seen[0].done, seen[-1].done, seen[-1].total) == (0, 50, 50)

    def test_a_tally_of_other_runs_is_refused(self) -> None:
        with pytest.raises(InvalidInput, match="9 runs in 1 batches"):
            tally_on_target(G, TARGET, 50, resume=RunTally(9, {0: 9}, 0, 1))
        for wrong in ({}, {"runs": 1, "outputs": {"0": 2}, "failures": 0, "batches": 1}):
            with pytest.raises(InvalidInput):
                RunTally.from_dict(wrong)

    def test_too_few_examples(self) -> None:
        codes = stream(G.H, 2, 2 * G.sample_size - 1, seed=1)
        wanted = f"{len(codes)} examples, want at least {len(codes) + 1}"
        with pytest.raises(InvalidInput, match=wanted):
            tally_on_examples(G, ExampleStream([codes[:5], codes[5:]], G.H), 2)

    def test_a_target_that_is_not_realizable(self) -> None:
        contradictory = FiniteDistribution.uniform([Example(1, 0), Example(1, 1)])
        with pytest.raises(NotRealizable, match=r"\(1, 0\), \(1, 1\)"):
            tally_on_target(G, contradictory, 5)


def test_processes_give_the_same() -> None:
    here = tally_on_target(G, TARGET, 1500, seed=7)
    with ProcessPoolExecutor(1) as executor:
        assert tally_on_target(G, TARGET, 1500, seed=7, executor=executor) == here


def test_frequencies_are_those_of_the_exact_law() -> None:
    H = thresholds(4)
    G_unbounded = GloballyStableLearner(H, QUARTER, n=2, blocks=10**6)
    runs = 30_000
    tally = tally_on_target(G_unbounded, TARGET, runs, seed=3)
    assert tally.failures == 0
    # With so large a budget, G is the average of D_0, D_1, D_2, whether "defined" or not.
    laws = [TournamentDistribution(H, TARGET, k, 2, threshold=1).law_of_output() for k in range(3)]
    for f in set().union(*(law.support for law in laws)):
        p = sum((law.probability(f) for law in laws), Fraction(0)) / 3
        deviation = tally.outputs.get(f, 0) - runs * p
        assert deviation**2 <= 25 * runs * p * (1 - p)  # five standard deviations


class TestPrivateLearnerOfClass:
    def test_dimension_one_keeps_its_promise(self) -> None:
        # alpha = 1/4, beta = 1/10: no failure in 50 runs refutes a failure probability above 1/10
        # with confidence 99 %, as 0.9**50 < 0.01.
        H = singletons(8)
        M = PrivateLearner.of_class(H, "1/4", "1/10", 1.0, "1/1000000")
        assert M.sample_size == 900_821
        target = uniform(H, 2)
        for seed in range(50):
            f = train_on_target(M, target, seed=seed).hypothesis
            assert error(labels(f, 8), target) <= Fraction(1, 4)
        assert upper_bound(0, 50, Fraction(1, 100)) < Fraction(1, 10)

    def test_on_examples(self) -> None:
        H = singletons(8)
        M = PrivateLearner.of_class(H, "1/4", "1/10", 1.0, "1/1000000")
        codes = stream(H, 2, M.sample_size, seed=5)
        trained = train_on_examples(M, ExampleStream([codes], H), seed=1)
        assert trained.hypothesis == 0b100
        assert trained.tally.runs == 1728
        with pytest.raises(InvalidInput, match="900820 examples, want at least 900821"):
            train_on_examples(M, ExampleStream([codes[1:]], H), seed=1)

    def test_the_mechanism_itself_at_its_size(self) -> None:
        H = singletons(8)
        M = PrivateLearner.of_class(H, "1/4", "1/10", 1.0, "1/1000000")
        assert M.run(_sample(stream(H, 2, M.sample_size, seed=5)), SeededCoins(1)) == 0b100

    def test_dimension_two_at_its_size(self) -> None:
        H = thresholds(4)
        M = PrivateLearner.of_class(H, "1/4", "1/10", 1.0, "1/1000000")
        assert M.sample_size == 448_250_361
        f = train_on_target(M, uniform(H, 2), seed=1).hypothesis
        assert error(labels(f, 4), uniform(H, 2)) <= Fraction(1, 4)

    def test_audit_with_tournaments(self) -> None:
        stable = GloballyStableLearner(cube(1), QUARTER, n=1, blocks=2)
        histogram = StableHistogram(HALF, 1, 3)
        M = PrivateLearner((0,), stable, 3, 3, histogram, HALF, 1, stable.default)
        # All samples that begin with these six examples: two runs are fixed.
        assert M.sample_size == 10
        fixed = [0, 0, 0, 1, 0, 0]
        guarantee = M.guarantee
        result = audit.differential_privacy(
            lambda labels: M.law(Sample([0] * 10, [*fixed, *labels])),
            (0, 1),
            4,
            guarantee.delta,
            claim=guarantee.epsilon,
            labelled=False,
        )
        assert result.verdict is audit.Verdict.VERIFIED

    def test_what_is_refused(self) -> None:
        with pytest.raises(InvalidInput, match="Littlestone dimension 0"):
            PrivateLearner.of_class(FiniteClass([[0, 1]]), HALF, HALF, 1.0, HALF)
        M = PrivateLearner.of_class(singletons(4), HALF, HALF, 1.0, HALF)
        other = replace(M, stable=Deterministic(len))
        with pytest.raises(InvalidInput, match="learner"):
            train_on_target(other, uniform(singletons(4), 1))
        with pytest.raises(NotRealizable):
            train_on_target(M, FiniteDistribution.uniform([Example(0, 0), Example(0, 1)]))


def labels(f: int, points: int) -> dict[int, int]:
    return {x: f >> x & 1 for x in range(points)}


def _sample(codes: npt.NDArray[np.int64]) -> Sample[int]:
    return Sample((codes // 2).tolist(), (codes % 2).tolist())
