"""M from end to end: batches, checkpoints, executors, and what it promises at d = 1."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from pac_stability.papers.bun_livni_moran.private.training import (
    train_on_examples,
    train_on_target,
)
from pac_stability.papers.bun_livni_moran.streams.tally import (
    RunTally,
    tally_on_examples,
    tally_on_target,
)

from pac_stability import audit
from pac_stability.audit.clopper_pearson import upper_bound
from pac_stability.classes import FiniteClass, cube, singletons, thresholds
from pac_stability.data import Deterministic, Example, FiniteDistribution, Sample
from pac_stability.errors import InvalidInput, NotRealizable
from pac_stability.mechanisms import StableHistogram
from pac_stability.notions.losses import error
from pac_stability.papers.bun_livni_moran.private.learner import PrivateLearner
from pac_stability.papers.bun_livni_moran.stable.globally_stable import GloballyStableLearner
from pac_stability.papers.bun_livni_moran.streams import tally as run_tally
from pac_stability.papers.bun_livni_moran.streams.examples import ExampleStream
from pac_stability.papers.bun_livni_moran.tournaments.distribution import TournamentDistribution
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


H = thresholds(4)
G = GloballyStableLearner(H, QUARTER, n=3, blocks=20)
TARGET = uniform(thresholds(4), 2)


def replaced(learner: GloballyStableLearner, **changes: Any) -> GloballyStableLearner:
    """The learner with other parameters."""
    fields = {"pick": learner.pick, "tie": learner.tie, "n": learner.n, "blocks": learner.blocks}
    return GloballyStableLearner(learner.H, learner.parameters.alpha, **{**fields, **changes})


@pytest.mark.usefixtures("small_batches")
class TestTallies:
    def test_the_same_for_a_seed_whatever_the_executor(self) -> None:
        here = tally_on_target(G, TARGET, 50, seed=7)
        assert here.runs == 50
        assert sum(here.outputs.values()) == 50
        codes = stream(H, 2, 50 * G.sample_size, seed=1)
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

        codes = stream(H, 2, 50 * G.sample_size, seed=1)
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
        seen: list[RunTally] = []
        tally_on_target(G, TARGET, 50, seed=7, checkpoint=seen.append)
        tally = seen[1]
        H = thresholds(4)
        others: list[Callable[[], object]] = [
            lambda: tally_on_target(G, TARGET, 50, seed=8, resume=tally),
            lambda: tally_on_target(G, TARGET, 50, seed="7", resume=tally),
            lambda: tally_on_target(G, TARGET, 50, resume=tally),
            lambda: tally_on_target(G, TARGET, 49, seed=7, resume=tally),
            lambda: tally_on_target(G, uniform(H, 1), 50, seed=7, resume=tally),
            lambda: tally_on_target(replaced(G, n=G.n + 1), TARGET, 50, seed=7, resume=tally),
            lambda: tally_on_target(replaced(G, tie=1 - G.tie), TARGET, 50, seed=7, resume=tally),
            lambda: tally_on_target(
                replaced(G, pick=lambda *_: 0), TARGET, 50, seed=7, resume=tally
            ),
            lambda: tally_on_examples(
                G, ExampleStream([np.zeros(9, dtype=int)], G.H), 50, seed=7, resume=tally
            ),
        ]
        for other in others:
            with pytest.raises(InvalidInput, match="resume: got a tally of other runs"):
                other()
        with pytest.raises(InvalidInput, match="a tally that does not say what it is of"):
            tally_on_target(G, TARGET, 50, resume=RunTally(8, {0: 8}, 0, 1))
        assert tally_on_target(replaced(G), TARGET, 50, seed=7, resume=tally).runs == 50

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            ({"runs": 15, "outputs": {0: 15}, "failures": 0}, "15 runs in 2 batches"),
            ({"outputs": {1 << 40: 16}, "failures": 0}, "outputs beyond the domain"),
            ({"outputs": {3: 16}, "failures": 9}, "9 failures, want as many defaults"),
        ],
    )
    def test_an_edited_tally_is_refused(self, change: dict[str, Any], reason: str) -> None:
        seen: list[RunTally] = []
        tally_on_target(G, TARGET, 50, seed=7, checkpoint=seen.append)
        assert G.default != 3
        with pytest.raises(InvalidInput, match=reason):
            tally_on_target(G, TARGET, 50, seed=7, resume=replace(seen[1], **change))

    @pytest.mark.parametrize(
        "fields",
        [
            {"runs": -1},
            {"runs": 1, "batches": 1},
            {"runs": 1, "outputs": {0: 2}, "batches": 1},
            {"runs": 1, "outputs": {-1: 1}, "batches": 1},
            {"runs": 1, "outputs": {0: 2, 1: -1}, "batches": 1},
            {"runs": 1, "outputs": {0: True}, "batches": 1},
            {"runs": 1, "outputs": [0], "batches": 1},
            {"runs": 1, "outputs": {0: 1}, "batches": 0},
            {"runs": 1, "outputs": {0: 1}, "batches": 2},
            {"runs": 1, "outputs": {0: 1}, "failures": 2, "batches": 1},
            {"runs": 2, "outputs": {0: 1, 1: 1}, "failures": 2, "batches": 1},
            {"batches": 1},
            {"of": "G"},
            {"of": None},
        ],
    )
    def test_numbers_that_are_no_tally(self, fields: dict[str, Any]) -> None:
        with pytest.raises(InvalidInput):
            RunTally(**fields)
        document = {**RunTally().to_dict(), **fields}
        with pytest.raises(InvalidInput):
            RunTally.from_dict(document)

    def test_documents_that_are_none(self) -> None:
        good = RunTally(3, {5: 2, 0: 1}, 1, 1).to_dict()
        assert RunTally.from_dict(good) == RunTally(3, {5: 2, 0: 1}, 1, 1)
        edits: list[dict[str, object]] = [
            {"outputs": {"5": 2, "05": 1}}, {"outputs": {"9" * 9999: 3}}, {"outputs": {"x": 3}},
            {"outputs": 3}, {"runs": "3"}, {"more": 1},
        ]  # fmt: skip
        documents: list[object] = [{}, None, [], *({**good, **edit} for edit in edits)]
        for document in documents:
            with pytest.raises(InvalidInput):
                RunTally.from_dict(document)

    def test_tallies_of_different_runs_are_not_added(self) -> None:
        ours, theirs = (tally_on_target(G, TARGET, 8, seed=seed) for seed in (1, 2))
        with pytest.raises(InvalidInput, match="two tallies of different runs"):
            ours + theirs
        assert (ours + RunTally(1, {0: 1}, 0, 1)).of == ours.of
        assert pickle.loads(pickle.dumps(ours)) == ours  # noqa: S301  # our own bytes

    def test_no_batch_has_more_examples_than_it_may(self, monkeypatch: pytest.MonkeyPatch) -> None:
        m = G.sample_size
        codes = stream(H, 2, 5 * m, seed=1)
        for most, runs in ((2 * m, [2, 4, 5]), (3 * m - 1, [2, 4, 5]), (m - 1, [1, 2, 3, 4, 5])):
            monkeypatch.setattr(run_tally, "EXAMPLES_IN_A_BATCH", most)
            seen: list[RunTally] = []
            tally_on_examples(G, ExampleStream([codes], G.H), 5, checkpoint=seen.append)
            assert [tally.runs for tally in seen] == runs

    def test_too_few_examples(self) -> None:
        codes = stream(H, 2, 2 * G.sample_size - 1, seed=1)
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


def test_the_choice_is_made_on_the_examples_after_those_of_the_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    points = FiniteClass([[0, 0], [0, 1]], "ab")
    stable = GloballyStableLearner(points, QUARTER, n=1, blocks=2)
    histogram = StableHistogram(HALF, 1, 3)
    M = PrivateLearner(points.domain, stable, 3, 3, histogram, HALF, 2, stable.default)
    chosen_on: list[object] = []

    def conclude(*arguments: object) -> int:
        chosen_on.append(arguments[2])
        return 0

    monkeypatch.setattr(PrivateLearner, "conclude", conclude)
    train_on_examples(M, ExampleStream([np.array([0, 2] * 4 + [0, 1, 3])], stable.H), seed=1)
    assert chosen_on == [Sample("ab", [1, 1])]


class TestPrivateLearnerOfClass:
    def test_dimension_one_keeps_its_promise(self) -> None:
        # alpha = 1/4, beta = 1/10: no failure in 50 runs refutes a failure probability above 1/10
        # with confidence 99 %, as 0.9**50 < 0.01.
        H = singletons(8)
        M = PrivateLearner.of_class(H, "1/4", "1/10", 1.0, "1/1000000", constants="proved")
        assert M.sample_size == 900_821
        target = uniform(H, 2)
        for seed in range(50):
            f = train_on_target(M, target, seed=seed).hypothesis
            assert error(labels(f, 8), target) <= Fraction(1, 4)
        assert upper_bound(0, 50, Fraction(1, 100)) < Fraction(1, 10)

    def test_on_examples(self) -> None:
        H = singletons(8)
        M = PrivateLearner.of_class(H, "1/4", "1/10", 1.0, "1/1000000", constants="proved")
        codes = stream(H, 2, M.sample_size, seed=5)
        trained = train_on_examples(M, ExampleStream([codes], H), seed=1)
        assert trained.hypothesis == 0b100
        assert trained.tally.runs == 1728
        with pytest.raises(InvalidInput, match="900820 examples, want at least 900821"):
            train_on_examples(M, ExampleStream([codes[1:]], H), seed=1)

    def test_the_mechanism_itself_at_its_size(self) -> None:
        H = singletons(8)
        M = PrivateLearner.of_class(H, "1/4", "1/10", 1.0, "1/1000000", constants="proved")
        assert M.run(_sample(stream(H, 2, M.sample_size, seed=5)), SeededCoins(1)) == 0b100

    def test_dimension_two_at_its_size(self) -> None:
        H = thresholds(4)
        M = PrivateLearner.of_class(H, "1/4", "1/10", 1.0, "1/1000000", constants="proved")
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
