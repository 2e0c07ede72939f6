"""Tournaments with a budget: their laws against all paths of the sampler, and against series."""

from __future__ import annotations

import math
import pickle
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import BudgetExhausted, InvalidInput, NotRealizable, classes, online, randomness
from pac_stability.data import Example, FiniteDistribution, Sample, enumerate_law
from pac_stability.online.soa import SoaStates
from pac_stability.papers.bun_livni_moran import (
    MonteCarloTournament as Budgeted,
    TournamentDistribution as Unlimited,
    tournament_laws,
)
from shared_refusals import refuses

# Dimension 2; no level is ended by the threshold 1/4.
A = classes.FiniteClass([[mask >> x & 1 for x in range(5)] for mask in (17, 22, 12, 9, 31, 29)])
ALL_ONES = FiniteDistribution.uniform(Example(x, 1) for x in range(5))

SMALL = classes.FiniteClass([[1, 0, 0], [0, 1, 0], [1, 1, 1], [0, 0, 1]])
SKEWED = FiniteDistribution(
    {Example(0, 1): Fraction(1, 2), Example(1, 0): Fraction(1, 3), Example(2, 0): Fraction(1, 6)}
)
EVEN = FiniteDistribution.uniform([Example(0, 1), Example(1, 0)])


def state_and_draws(D: Budgeted) -> FiniteDistribution[tuple[int, int] | None]:
    """The product that the laws of the output and of the draws rest on."""
    free = Unlimited(D.H, D.target, D.k, D.n, pick=D.pick, tie=D.tie, threshold=1).law_of_state()
    return D.law_of_draws().bind(lambda n: free.map(lambda s: None if n is None else (s, n)))


@pytest.mark.parametrize("D", [
    Budgeted(SMALL, SKEWED, 0, 2, 0),
    Budgeted(SMALL, SKEWED, 1, 1, 6),
    Budgeted(SMALL, SKEWED, 1, 1, 7, tie=0, pick="highest"),
    Budgeted(SMALL, SKEWED, 1, 2, 8),
    Budgeted(SMALL, SKEWED, 1, 2, 7, tie=0),
    Budgeted(SMALL, SKEWED, 2, 1, 7, pick="highest"),
    Budgeted(SMALL, EVEN, 2, 1, 8, tie=0),
])  # fmt: skip
def test_the_laws_are_those_of_all_runs(D: Budgeted) -> None:
    # The coins of the sampler are followed through every run; none draws more than the budget.

    def one_run(rng: randomness.Coins) -> tuple[Sample[object], int] | None:
        record = D.run(rng)
        return None if record is None else (record.sample, record.draws)

    runs = enumerate_law(one_run)
    states = SoaStates(SMALL, D.tie)

    def ended(run: tuple[Sample[object], int] | None) -> tuple[int, int] | None:
        if run is None:
            return None
        examples = ((SMALL.column(z.point), z.label) for z in run[0])
        return states.run(states.start, examples), run[1]

    def output(run: tuple[Sample[object], int] | None) -> FiniteDistribution[int | None]:
        if run is None:
            return FiniteDistribution.point_mass(None)
        return D.target.power(D.n).map(lambda T: predictor(run[0] + Sample.from_examples(T)))

    def predictor(sample: Sample[object]) -> int:
        soa = online.StandardOptimalAlgorithm(SMALL, D.tie)
        soa.replay(sample)
        return classes.bits.as_mask(soa.hypothesis())

    assert state_and_draws(D) == runs.map(ended)
    assert D.law_of_draws() == runs.map(lambda run: None if run is None else run[1])
    assert D.law_of_output() == runs.bind(output)
    assert D.fail_probability == runs.probability(None) < 1
    assert D.fail_probability in D.enclosed_fail_probability()
    assert D.enclosed_law_of_output().encloses(D.law_of_output())


@dataclass(frozen=True)
class Series:
    """A polynomial in z, one z for a block; what exceeds the budget is cut off."""

    terms: tuple[Fraction, ...]

    def __add__(self, other: Series) -> Series:
        return Series(tuple(a + b for a, b in zip(self.terms, other.terms, strict=True)))

    def __mul__(self, other: Series) -> Series:
        product = [Fraction(0)] * len(self.terms)
        for i, a in enumerate(self.terms):
            for j, b in enumerate(other.terms[: len(product) - i] if a else ()):
                product[i + j] += a * b
        return Series(tuple(product))

    def over_one_minus(self, other: Series) -> Series:
        """This times 1 + other + other**2 + ..., for a series without constant term."""
        total = power = self
        for _ in self.terms:
            power = power * other
            total = total + power
        return total


def joint_law(D: Budgeted) -> dict[tuple[int, int], Fraction]:
    """The law of state and draws with a series for each state: nothing is taken to be a product."""
    size = D.budget // D.n + 1
    z = Series(tuple(Fraction(i == 1) for i in range(size)))
    target = tournament_laws.require_realizable(D.H, D.target)
    states = SoaStates(D.H, D.tie)
    rule = tournament_laws.as_pick_rule(D.pick, states.spaces)
    constants = [Fraction(w, target.denominator) for w in target.weights]
    weights = tuple(Series((w,) + (Fraction(0),) * (size - 1)) for w in constants)
    chain = tournament_laws.TargetChain(states, target, weights)
    law = {states.start: Series((Fraction(1),) + (Fraction(0),) * (size - 1))}
    for _ in range(D.k):
        players = {state: weight * z for state, weight in chain.push(law, D.n).items()}
        outputs = tournament_laws.output_weights(states, players)
        ties = [weight * weight for weight in outputs.values()]
        again = sum(ties[1:], ties[0])
        decided = tournament_laws.play(states, players, rule.opponents(outputs))
        law = {state: weight.over_one_minus(again) for state, weight in decided.items()}
    return {
        (state, blocks * D.n): p
        for state, weight in law.items()
        for blocks, p in enumerate(weight.terms)
        if p
    }


@pytest.mark.parametrize(("k", "n", "blocks"), [(1, 2, 9), (2, 1, 14), (3, 1, 16)])
def test_state_and_draws_are_independent_as_in_the_series(k: int, n: int, blocks: int) -> None:
    D = Budgeted(A, ALL_ONES, k, n, blocks * n + n - 1, tie=0)
    found = dict(state_and_draws(D).items())
    assert found.pop(None) == D.fail_probability > 0
    assert found == joint_law(D)


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 3))
def test_a_budget_makes_no_difference_but_for_failing(seed: int, k: int, n: int) -> None:
    H = classes.random_class(8, 5, seed=seed)
    target = FiniteDistribution.uniform(Example(x, H(0, x)) for x in range(3))
    unlimited = Unlimited(H, target, k, n, threshold=1)
    D = Budgeted(H, target, k, n, 60 * n)
    if not unlimited.is_defined:
        assert D.law_of_output() == FiniteDistribution.point_mass(None)
        return
    assert D.fail_probability <= unlimited.expected_draws / D.budget  # Markov, as in Theorem 10
    for f, p in D.law_of_output().items():
        if f is not None:
            # The identity in the proof of Theorem 10, by the independence of f and M_k.
            assert p == unlimited.law_of_output().probability(f) * (1 - D.fail_probability)


def test_the_mean_number_of_draws_is_the_sum_of_the_tails() -> None:
    # E[M_k] = 2n (Pr[M_k > 0] + Pr[M_k > 2n] + ...), blocks coming in pairs; against the recursion
    # E[M_k] = 2 (E[M_{k-1}] + n) / theta.
    unlimited = Unlimited(A, ALL_ONES, 2, 2, tie=0, threshold=1)
    D = Budgeted(A, ALL_ONES, 2, 2, 400, tie=0)
    within, total = Fraction(0), Fraction(0)
    law = D.law_of_draws()
    for rounds in range(100):
        within += law.probability(4 * rounds)
        total += 4 * (1 - within)
    assert 0 < unlimited.expected_draws - total < Fraction(1, 10**10)


def test_runs_fail_and_draw_as_often_as_the_law_says() -> None:
    # By Hoeffding's inequality and a union bound over the numbers of draws and the states, a
    # frequency is further off than the margin for at most one seed in a million.
    D = Budgeted(A, ALL_ONES, 2, 2, 16, tie=0)
    rng, trials = randomness.SeededCoins("budgets"), 4000
    states = SoaStates(A, 0)
    draws: Counter[int | None] = Counter()
    after: Counter[int | None] = Counter()
    for _ in range(trials):
        record = D.run(rng)
        draws[None if record is None else record.draws] += 1
        if record is not None:
            examples = ((A.column(z.point), z.label) for z in record.sample)
            after[states.run(states.start, examples)] += 1
    after[None] = draws[None]
    laws = [(draws, D.law_of_draws()), (after, state_and_draws(D).map(lambda z: z and z[0]))]
    events = sum(len(law) for _, law in laws)
    margin = math.sqrt(math.log(2 * events * 10**6) / (2 * trials))
    assert Fraction(1, 20) < D.fail_probability < Fraction(1, 2)
    for counted, law in laws:
        assert set(counted) <= set(law.support)
        for value in law.support:
            assert abs(counted[value] / trials - law.probability(value)) < margin


def test_where_all_players_agree_every_run_fails() -> None:
    # One example, always the same: both players know it.
    H = classes.thresholds(4)
    D = Budgeted(H, FiniteDistribution.point_mass(Example(1, 1)), 1, 2, 40)
    assert D.fail_probability == 1
    assert D.enclosed_fail_probability() >= 1
    assert D.law_of_output() == D.law_of_draws() == FiniteDistribution.point_mass(None)
    assert D.enclosed_law_of_output().support == (None,)
    assert D.run(randomness.SeededCoins(1)) is None
    assert D.at(0).fail_probability == 0
    assert D.at(0).law_of_output().probability(None) == 0


def test_large_budgets_are_enclosed() -> None:
    H = classes.thresholds(8)
    target = FiniteDistribution.uniform(Example(x, H(4, x)) for x in range(8))
    D = Budgeted(H, target, 3, 12, 4096 * 12)
    with pytest.raises(BudgetExhausted, match="ask for an enclosure"):
        _ = D.fail_probability
    law = D.enclosed_law_of_output()
    exact = Unlimited(H, target, 3, 12, threshold=1)
    # Failing has probability at most E[M_k]/N, and all others lose by it.
    most = exact.expected_draws / D.budget
    assert law.probability(None) <= most
    for f, p in exact.law_of_output().items():
        assert law.probability(f) <= p
        assert law.probability(f) >= p * (1 - most)


def test_budgets_with_which_all_runs_fail_are_refused() -> None:
    message = "budget: got 17, want at least 18: 2 tournaments between players of 3 examples draw"
    refuses(message, Budgeted, A, ALL_ONES, 2, 3, 17)
    D = Budgeted(A, ALL_ONES, 2, 3, 18, tie=0)
    assert D.fail_probability < 1
    refuses("budget: got 18, want at least 42", D.at, 3)
    refuses("n: got 0, want at least 1: players without examples", Budgeted, A, ALL_ONES, 1, 0, 10)
    empty = Budgeted(A, ALL_ONES, 0, 0, 0)
    assert empty.law_of_output().support == (
        classes.bits.as_mask(online.StandardOptimalAlgorithm(A).hypothesis()),
    )
    assert empty.law_of_draws() == FiniteDistribution.point_mass(0)


def test_bad_input_is_named() -> None:
    for name, value in [("k", -1), ("n", -1), ("budget", -1), ("budget", 1.5), ("tie", 2)]:
        arguments = {"k": 1, "n": 1, "budget": 10, name: value}
        with pytest.raises(InvalidInput, match=f"{name}: got "):
            Budgeted(A, ALL_ONES, **arguments)  # type: ignore[arg-type]  # refused
    contradiction = FiniteDistribution.uniform([Example(0, 0), Example(0, 1)])
    with pytest.raises(NotRealizable, match=r"\(0, 0\), \(0, 1\)"):
        Budgeted(A, contradiction, 1, 1, 10)


def test_a_distribution_is_a_value() -> None:
    D = Budgeted(A, ALL_ONES, 2, 1, 30, tie=0, pick=[4, 3, 2, 1, 0])
    same = Budgeted(A, ALL_ONES, 1, 1, 30, tie=0, pick=(4, 3, 2, 1, 0)).at(2)
    assert same == D
    assert hash(same) == hash(D)
    assert D.at(1) != D
    returned = pickle.loads(pickle.dumps(D))  # noqa: S301  # our own bytes
    assert returned == D
    assert returned.law_of_output() == D.law_of_output()


def test_only_a_lack_of_draws_is_called_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def out_of_memory(*_: object) -> int:
        raise BudgetExhausted("the search may use no more memory")

    monkeypatch.setattr(SoaStates, "predictor", out_of_memory)
    D = Budgeted(A, ALL_ONES, 1, 1, 10)
    with pytest.raises(BudgetExhausted, match="no more memory"):
        D.run(randomness.SeededCoins(1))
