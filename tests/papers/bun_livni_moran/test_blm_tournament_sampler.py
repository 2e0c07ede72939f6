"""The recursive sampler of D_k: its law, and the record that it keeps."""

import dataclasses
import math
from collections import Counter
from collections.abc import Hashable
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import classes, data, errors, online, randomness
from pac_stability.papers.bun_livni_moran.tournaments import (
    TournamentDistribution,
    TournamentRecord,
)

HALF = Fraction(1, 2)

# Dimension 2; D_0, D_1 and D_2 are all defined for one draw a player.
A = classes.FiniteClass([[mask >> x & 1 for x in range(5)] for mask in (17, 22, 12, 9, 31, 29)])
ALL_ONES = data.FiniteDistribution.uniform(data.Example(x, 1) for x in range(5))


def output(D: TournamentDistribution, sample: data.Sample[Hashable]) -> int:
    soa = online.StandardOptimalAlgorithm(D.H, D.tie)
    soa.replay(sample)
    return classes.bits.as_mask(soa.hypothesis())


@pytest.mark.parametrize(("k", "n"), [(0, 2), (1, 1), (1, 2), (2, 1)])
@pytest.mark.parametrize("pick", ["lowest", "highest"])
def test_runs_without_ties_have_exactly_the_law(k: int, n: int, pick: str) -> None:
    # A sample is independent of the rounds that were thrown away before it. So its law is D_k also
    # when no round is thrown away, which is when 2 (2^k - 1) n examples are drawn: all these runs
    # are enumerated.
    H = classes.FiniteClass([[1, 0, 0], [0, 1, 0], [1, 1, 1], [0, 0, 1]])
    target = data.FiniteDistribution(
        {data.Example(0, 1): HALF, data.Example(1, 0): HALF / 2, data.Example(2, 0): HALF / 2}
    )
    assert pick in ("lowest", "highest")
    D = TournamentDistribution(
        H, target, k, n, pick="lowest" if pick == "lowest" else "highest", threshold=1
    )

    def one_run(rng: randomness.Coins) -> int | None:
        try:
            record = D.run(rng, max_draws=2 * (2**k - 1) * n)
        except errors.BudgetExhausted:
            return None
        last = data.Sample.from_examples(target.sample(rng) for _ in range(n))
        return output(D, record.sample + last)

    law = data.enumerate_law(one_run)
    finished = 1 - law.probability(None)
    found = {f: p / finished for f, p in law.items() if f is not None}
    assert found == dict(D.law_of_output().items())
    assert len(found) > 1


def test_frequencies_are_those_of_the_law() -> None:
    # By Hoeffding's inequality and a union bound over the outputs, some frequency is further than
    # the margin from its probability for at most one seed in a million.
    D = TournamentDistribution(A, ALL_ONES, 2, 1, tie=0)
    rng, trials = randomness.SeededCoins("tournaments"), 3000
    found: Counter[int] = Counter()
    draws = agreed = 0
    for _ in range(trials):
        record = D.run(rng)
        found[output(D, record.sample + data.Sample.from_examples([ALL_ONES.sample(rng)]))] += 1
        draws += record.draws
        agreed += all(label == 1 for label in record.sample.labels)
    law = D.law_of_output()
    assert set(found) <= set(law.support)
    margin = math.sqrt(math.log(2 * (len(law) + 1) * 10**6) / (2 * trials))
    for f in law.support:
        assert abs(found[f] / trials - law.probability(f)) < margin
    assert abs(agreed / trials - D.all_labels_agree) < margin
    # Six standard deviations of the mean. A round of level 2 draws Z = 2 + M_1 + M_1' examples,
    # with M_1 = 2 R, R geometric of parameter 4/5: E[Z] = 7 and Var[Z] = 5/2. There are R'
    # rounds, R' geometric of parameter theta, and Var[M_2] = E[R'] Var[Z] + Var[R'] E[Z]^2.
    theta = float(1 - D.at(1).collision)
    variance = 2.5 / theta + 49 * (1 - theta) / theta**2
    assert abs(draws / trials - D.expected_draws) < 6 * math.sqrt(variance / trials)


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(0, 2), st.integers(1, 3), st.integers(0, 1))
def test_the_record_tells_how_the_sample_came_about(seed: int, k: int, n: int, tie: int) -> None:
    D = TournamentDistribution(A, ALL_ONES, k, n, tie=tie, threshold=Fraction(9, 10))
    record = D.run(randomness.SeededCoins(seed))
    check(D, record, k)
    assert record.path == tuple(
        match.kept for place, match in record.matches() if place == record.path[: len(place)]
    )
    assert len(list(record.matches())) == 2**k - 1
    assert D.run(randomness.SeededCoins(seed)) == record
    assert hash(D.run(randomness.SeededCoins(seed))) == hash(record)


def check(D: TournamentDistribution, record: TournamentRecord, k: int) -> None:
    n, match = D.n, record.match
    assert len(record.sample) == k * (n + 1)
    if match is None:
        assert (k, record.draws) == (0, 0)
        return
    for player in match.players:
        check(D, player.record, k - 1)
        assert len(player.drawn) == n
        assert set(player.drawn) <= set(D.target.support)
        assert player.predictor == output(D, player.record.sample + player.drawn)
    first, second = match.players
    x, y = D.H.column(match.example.point), match.example.label
    difference = first.predictor ^ second.predictor
    assert difference & -difference == 1 << x
    winner = match.players[match.kept]
    assert winner.predictor >> x & 1 != y
    last = data.Sample.from_examples([match.example])
    assert record.sample == winner.record.sample + winner.drawn + last
    decisive = first.record.draws + second.record.draws + 2 * n
    assert record.draws >= decisive + 2 * n * len(match.ties)
    if k == 1:
        assert record.draws == 2 * n * (1 + len(match.ties))
    assert set(match.ties) <= set(D.at(k - 1).law_of_output().support)


def test_a_record_is_printed_as_the_tree_of_its_matches() -> None:
    record = TournamentDistribution(A, ALL_ONES, 2, 1, tie=0).run(randomness.SeededCoins(1))
    assert str(record) == "\n".join(
        [
            "(0, 0) after 1 tie",
            "├─* T_0 = (1, 1)",
            "│    └─ (0, 1)",
            "│       ├─* T_00 = (2, 1)",
            "│       └─  T_01 = (3, 1)",
            "└─  T_1 = (2, 1)",
            "     └─ (0, 0)",
            "        ├─* T_10 = (3, 1)",
            "        └─  T_11 = (2, 1)",
        ]
    )
    assert record.sample == data.Sample((2, 0, 1, 0), (1, 1, 1, 0))
    assert record.path == (0, 0)
    assert str(TournamentDistribution(A, ALL_ONES, 0, 1).run()) == "empty"


def test_a_record_cannot_be_changed() -> None:
    record = TournamentDistribution(A, ALL_ONES, 1, 1, tie=0).run(randomness.SeededCoins(2))
    assert record.match is not None
    with pytest.raises(dataclasses.FrozenInstanceError):
        record.draws = 0  # type: ignore[misc]  # what is refused
    with pytest.raises(dataclasses.FrozenInstanceError):
        record.match.kept = 1  # type: ignore[misc]  # what is refused


def test_a_budget_too_small_for_one_match_is_refused() -> None:
    H = classes.thresholds(4)
    target = data.FiniteDistribution.uniform(data.Example(x, H(2, x)) for x in range(4))
    D = TournamentDistribution(H, target, 2, 3, threshold=1)
    with pytest.raises(errors.BudgetExhausted, match="D_2 needs more than 17 draws"):
        D.run(randomness.SeededCoins(1), max_draws=17)  # two players of two players, and two: 18
