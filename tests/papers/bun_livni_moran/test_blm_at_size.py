"""Runs of G and M at their size: by the law of one run, on a target, on given examples."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest

from pac_stability import SeededCoins, audit, errors, mechanisms, notions
from pac_stability.classes import FiniteClass, cube, singletons, thresholds
from pac_stability.data import Deterministic, Example, FiniteDistribution, Sample, enumerate_law
from pac_stability.papers.bun_livni_moran import (
    ByLevelPrivateLearner,
    ExampleStream,
    GloballyStableLearner,
    MonteCarloTournament,
    PrivateLearner,
    TournamentDistribution,
    at_size,
    tally_on_examples,
    tally_on_target,
    train_on_examples,
    train_on_target,
)
from shared_refusals import refuses

HALF = Fraction(1, 2)
QUARTER = Fraction(1, 4)


def uniform(H: FiniteClass, row: int) -> FiniteDistribution[Example[int]]:
    return FiniteDistribution.uniform([Example(x, H(row, x)) for x in range(len(H.domain))])


def stream(H: FiniteClass, row: int, count: int, seed: int) -> npt.NDArray[np.int64]:
    columns = np.random.default_rng(seed).integers(0, len(H.domain), size=count)
    codes: npt.NDArray[np.int64] = 2 * columns + H.table[row, columns]
    return codes


H = thresholds(4)
G = GloballyStableLearner(H, QUARTER, n=3, blocks=20)
TARGET = uniform(thresholds(4), 2)


class TestTallies:
    def test_the_same_for_a_seed(self) -> None:
        for by_law in (True, False):
            here = tally_on_target(G, TARGET, 50, seed=7, by_law=by_law)
            assert here.runs == sum(here.outputs.values()) == 50
            assert tally_on_target(G, TARGET, 50, seed=7, by_law=by_law) == here
            assert tally_on_target(G, TARGET, 50, seed=8, by_law=by_law) != here

    def test_examples_come_in_chunks_of_any_lengths(self) -> None:
        codes = stream(H, 2, 50 * G.sample_size, seed=1)
        read = tally_on_examples(G, ExampleStream([codes], G.H), 50, seed=7)
        cut = ExampleStream(np.array_split(codes, 17), G.H)
        assert tally_on_examples(G, cut, 50, seed=7) == read
        assert tally_on_examples(G, ExampleStream([codes[::-1]], G.H), 50, seed=7) != read

    def test_each_run_has_examples_of_its_own(self) -> None:
        codes, coins = stream(H, 2, 50 * G.sample_size, seed=1), at_size.coins_for(7, 0)
        runs = codes.reshape(50, -1)
        literal = Counter(G.run(at_size.decoded(run, H.domain.__getitem__), coins) for run in runs)
        assert tally_on_examples(G, ExampleStream([codes], G.H), 50, seed=7).outputs == literal

    def test_a_stream_that_is_too_short_loses_nothing(self) -> None:
        cut = ExampleStream([np.array([0, 3]), np.array([5, 1])], thresholds(3))
        assert cut.take(1).tolist() == [0]
        for _ in range(2):
            refuses("got 4 examples, want at least 10", cut.take, 9)
        assert cut.take(3).tolist() == [3, 5, 1]

    def test_too_few_examples(self) -> None:
        codes = stream(H, 2, 2 * G.sample_size - 1, seed=1)
        wanted = f"{len(codes)} examples, want at least {len(codes) + 1}"
        refuses(wanted, tally_on_examples, G, ExampleStream([codes[:5], codes[5:]], G.H), 2)

    def test_a_target_that_is_not_realizable(self) -> None:
        contradictory = FiniteDistribution.uniform([Example(1, 0), Example(1, 1)])
        with pytest.raises(errors.NotRealizable, match=r"\(1, 0\), \(1, 1\)"):
            tally_on_target(G, contradictory, 5)

    def test_a_law_that_is_too_large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        narrow = GloballyStableLearner(H, QUARTER, n=3, blocks=20, max_states=3)
        literal = tally_on_target(G, TARGET, 50, seed=7, by_law=False)
        assert tally_on_target(narrow, TARGET, 50, seed=7) == literal
        monkeypatch.setattr(at_size, "MOST_EXAMPLES", 50 * G.sample_size - 1)
        wanted = f"more than 3 states.*by_law=False takes {50 * G.sample_size} examples"
        with pytest.raises(errors.BudgetExhausted, match=wanted):
            tally_on_target(narrow, TARGET, 50, seed=7)
        assert tally_on_target(narrow, TARGET, 50, seed=7, by_law=False) == literal


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
    assert D.occurrences(10**9, SeededCoins(3)) == D.occurrences(10**9, SeededCoins(3))
    assert D.occurrences(0) == Counter()


@pytest.mark.parametrize("level", [None, 0, 1, 2])
def test_many_runs_are_near_the_law(level: int | None) -> None:
    H, runs = thresholds(3), 10**16
    target = uniform(H, 1)
    G = GloballyStableLearner(H, QUARTER, n=1, blocks=8, level=level)
    tally = tally_on_target(G, target, runs, seed=1)
    law = {int(f): p for f, p in G.law_of_output(target).items()}
    assert set(tally.outputs) == set(law)
    assert all(abs(tally.outputs[f] - p * runs) < 10**9 for f, p in law.items())
    failed = [G.tournaments(target, k).fail_probability for k in G.levels]
    assert abs(tally.failures - sum(failed, Fraction(0)) * runs / len(failed)) < 10**9
    assert tally == tally_on_target(G, target, runs, seed=1)
    assert tally != tally_on_target(G, target, runs, seed=2)


def test_all_runs_fail_where_no_match_is_decided() -> None:
    H = thresholds(3)
    G = GloballyStableLearner(H, QUARTER, n=1, blocks=2, level=1)
    one_point = FiniteDistribution.point_mass(Example(0, H(0, 0)))
    for runs, by_law in ((10**20, True), (20, False)):
        tally = tally_on_target(G, one_point, runs, by_law=by_law)
        assert tally.failures == tally.runs == runs
        assert dict(tally.outputs) == {int(G.default): runs}


def test_frequencies_are_those_of_the_exact_law() -> None:
    H = thresholds(4)
    G_unbounded = GloballyStableLearner(H, QUARTER, n=2, blocks=10**6)
    runs = 30_000
    tally = tally_on_target(G_unbounded, TARGET, runs, seed=3, by_law=False)
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
    histogram = mechanisms.StableHistogram(HALF, 1, 3)
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
            assert notions.losses.error(labels(f, 8), target) <= Fraction(1, 4)
        assert audit.statistics.upper_bound(0, 50, Fraction(1, 100)) < Fraction(1, 10)

    def test_by_level_at_dimension_three(self) -> None:
        H = thresholds(7)
        M = ByLevelPrivateLearner.of_class(H, "1/4", "1/10", 1, "1/1000000")
        trained = train_on_target(M, uniform(H, 3), seed=1)
        assert [tally.runs for tally in trained.tallies] == [runs for _, runs in M.levels]
        assert sum(trained.hypothesis(z.point) != z.label for z in uniform(H, 3).support) <= 1
        # The first level is often right, and fails never; at the last hardly a match is decided.
        assert trained.tallies[0].failures == 0
        assert trained.tallies[-1].failures == M.levels[-1][1]

    def test_on_examples(self) -> None:
        H = singletons(8)
        M = PrivateLearner.of_class(H, "1/4", "1/10", 1.0, "1/1000000", constants="proved")
        codes = stream(H, 2, M.sample_size, seed=5)
        trained = train_on_examples(M, ExampleStream([codes], H), seed=1)
        assert trained.hypothesis == 0b100
        assert trained.tallies[0].runs == 1728
        with pytest.raises(errors.InvalidInput, match="900820 examples, want at least 900821"):
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
        assert notions.losses.error(labels(f, 4), uniform(H, 2)) <= Fraction(1, 4)

    def test_audit_with_tournaments(self) -> None:
        stable = GloballyStableLearner(cube(1), QUARTER, n=1, blocks=2)
        histogram = mechanisms.StableHistogram(HALF, 1, 3)
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
        with pytest.raises(errors.InvalidInput, match="Littlestone dimension 0"):
            PrivateLearner.of_class(FiniteClass([[0, 1]]), HALF, HALF, 1.0, HALF)
        M = PrivateLearner.of_class(singletons(4), HALF, HALF, 1.0, HALF, constants="proved")
        other = replace(M, stable=Deterministic(len))
        refuses("learner", train_on_target, other, uniform(singletons(4), 1))
        with pytest.raises(errors.NotRealizable):
            train_on_target(M, FiniteDistribution.uniform([Example(0, 0), Example(0, 1)]))


def labels(f: int, points: int) -> dict[int, int]:
    return {x: f >> x & 1 for x in range(points)}


def _sample(codes: npt.NDArray[np.int64]) -> Sample[int]:
    return Sample((codes // 2).tolist(), (codes % 2).tolist())


def test_codes() -> None:
    H = FiniteClass([[0, 1, 1]], domain="abc")
    sample = Sample("cab", [1, 0, 1])
    assert at_size.example_codes(H, sample).tolist() == [5, 0, 3]
    assert at_size.decoded(at_size.example_codes(H, sample), H.domain.__getitem__) == sample
    refuses("codes from 0 to 6", at_size.as_codes, np.array([0, 6]), H)
    refuses("integers", at_size.as_codes, np.array([0.5]), H)
