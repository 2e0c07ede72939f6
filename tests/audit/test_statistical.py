"""Statistical audits: their bounds from exact tails, and their error probability by enumeration."""

import math
import pickle
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import count
from math import comb
from typing import Any

import numpy as np
import pytest

from pac_stability import BudgetExhausted, Epsilon, InvalidInput, Sample, SeededCoins
from pac_stability.audit import black_box, statistics
from pac_stability.audit.notions.notion import Notion
from pac_stability.audit.results import Verdict
from pac_stability.audit.statistics import (
    OutcomeCounts,
    RunFailed,
    RunsInterrupted,
    RunsUnfinished,
    StatisticalResult,
    privacy_bound,
    stability_bound,
)
from shared_interrupts import interrupted, moments
from shared_refusals import refuses

HALF = Fraction(1, 2)
GRAIN = Fraction(1, 1 << 40)


def script(**outcomes: Iterable[object]) -> Callable[[str], object]:
    """A black box that returns prepared outcomes, input by input."""
    prepared: dict[str, Iterator[object]] = {name: iter(o) for name, o in outcomes.items()}
    return lambda name: next(prepared[name])


def tail(k: int, n: int, p: Fraction) -> Fraction:
    return sum((comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1)), Fraction(0))


def is_yes(outcome: object) -> bool:
    return outcome == "yes"


def answers(yes: int, n: int) -> list[str]:
    return ["yes"] * yes + ["no"] * (n - yes)


def test_the_bound_follows_from_the_counts() -> None:
    result = privacy_bound(
        script(S=answers(19, 20), T=answers(2, 20)),
        [("S", "T")],
        runs=20,
        confidence="0.9",
        delta=Fraction(1, 100),
        events=[is_yes, lambda outcome: outcome == "never"],
    )
    assert result.multiplicity == 8  # one pair, two directions, two events, two inputs
    assert (result.runs, result.confidence) == (40, Fraction(9, 10))
    found = result.evidence
    assert found is not None
    assert (found.sample, found.neighbour, found.event) == ("S", "T", ("yes",))
    assert (found.runs, found.successes, found.neighbour_successes) == (20, 19, 2)
    low, high = found.probability_above, found.neighbour_probability_below
    error = Fraction(1, 80)
    assert tail(19, 20, low) <= error < tail(19, 20, low + GRAIN)
    # 2 or fewer of yes are 18 or more of no.
    assert tail(18, 20, 1 - high) <= error < tail(18, 20, 1 - high + GRAIN)
    assert result.bound == found.bound == (low - Fraction(1, 100)) / high
    assert (result.notion, result.claim, result.delta) == (
        Notion.DIFFERENTIAL_PRIVACY,
        None,
        Fraction(1, 100),
    )


def test_both_directions_and_all_pairs_are_tried() -> None:
    result = stability_bound(
        script(S=answers(5, 10), T=answers(5, 10), U=answers(0, 10), V=answers(10, 10)),
        [("S", "T"), ("U", "V")],
        runs=10,
        events=[is_yes],
    )
    assert result.multiplicity == 8
    assert result.evidence is not None
    assert (result.evidence.sample, result.evidence.neighbour) == ("V", "U")
    # No failure in ten tries, no success in ten: both bounds are the tenth root of the error.
    low = result.evidence.probability_above
    assert low**10 <= Fraction(1, 160) < (low + GRAIN) ** 10
    assert result.bound == low - (1 - low)


def test_the_same_frequencies_show_nothing() -> None:
    def box() -> Callable[[str], object]:
        return script(S=answers(5, 10), T=answers(5, 10))

    private = privacy_bound(box(), [("S", "T")], runs=10, events=[is_yes], claim=0)
    assert private.bound == 1
    assert private.evidence is None
    assert private.verdict is Verdict.SUPPORTED
    stable = stability_bound(box(), [("S", "T")], runs=10, events=[is_yes], claim=0)
    assert stable.bound == 0
    assert stable.evidence is None
    assert stable.verdict is Verdict.SUPPORTED


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 10)])
@pytest.mark.parametrize("confidence", [Fraction(1, 10), Fraction(4, 5)])
def test_the_error_probability_is_at_most_what_is_stated(
    confidence: Fraction, delta: Fraction
) -> None:
    # Over all outcomes of 7 runs on each input, with Pr[yes] = 3/4 and 1/4.
    n, p, q = 7, Fraction(3, 4), Fraction(1, 4)
    factor = (p - delta) / q
    wrong_privacy = wrong_stability = Fraction(0)
    for k in range(n + 1):
        for j in range(n + 1):
            chance = comb(n, k) * p**k * (1 - p) ** (n - k) * comb(n, j) * q**j * (1 - q) ** (n - j)
            for name in ("privacy", "stability"):
                box = script(S=answers(k, n), T=answers(j, n))
                result: StatisticalResult[str, object]
                if name == "privacy":
                    result = privacy_bound(
                        box,
                        [("S", "T")],
                        runs=n,
                        confidence=confidence,
                        delta=delta,
                        events=[is_yes],
                    )
                    wrong_privacy += chance * (result.bound > factor)
                else:
                    result = stability_bound(
                        box, [("S", "T")], runs=n, confidence=confidence, events=[is_yes]
                    )
                    wrong_stability += chance * (result.bound > p - q)
    assert wrong_privacy <= 1 - confidence
    assert wrong_stability <= 1 - confidence
    if confidence < HALF:
        assert wrong_privacy > 0  # the enumeration does reach wrong bounds
        assert wrong_stability > 0


def randomized_response(truth: Fraction, seed: int) -> Callable[[int], int]:
    coins = SeededCoins(seed)
    return lambda bit: bit if coins.bernoulli(truth) else 1 - bit


def test_a_false_claim_is_refuted_and_a_true_one_is_not() -> None:
    # Randomized response that is truthful with probability 3/4 has factor exactly 3.
    for seed in range(5):
        result = privacy_bound(
            randomized_response(Fraction(3, 4), seed),
            [(0, 1)],
            runs=3000,
            claim=Epsilon.exactly(2),
            notion=Notion.PRIVATE_PREDICTION,
        )
        assert result.verdict is Verdict.REFUTED
        assert result.claim == 2
        assert result.notion is Notion.PRIVATE_PREDICTION
        assert 2 < result.bound <= 3
    true_claim = privacy_bound(
        randomized_response(Fraction(3, 4), 7), [(0, 1)], runs=1000, claim=math.log(3) + 1e-9
    )
    assert true_claim.verdict is Verdict.SUPPORTED
    stable = stability_bound(
        randomized_response(Fraction(3, 4), 8), [(0, 1)], runs=1000, claim=HALF
    )
    assert stable.verdict is Verdict.SUPPORTED
    assert Fraction(2, 5) < stable.bound <= HALF
    unstable = stability_bound(
        randomized_response(Fraction(3, 4), 8), [(0, 1)], runs=1000, claim="0.4"
    )
    assert unstable.verdict is Verdict.REFUTED


def test_an_event_is_learned_on_one_half_and_tested_on_the_other() -> None:
    # In the first half "x" is what tells S from T; in the second half "x" is as frequent on both,
    # and "y" would tell them apart, but nobody looked.
    half = 40
    result = stability_bound(
        script(S=["x"] * half + ["x"] * 20 + ["y"] * 20, T=["z"] * half + ["x"] * 20 + ["z"] * 20),
        [("S", "T")],
        runs=2 * half,
    )
    assert result.evidence is not None
    # On T the event {z} was learned; it has 20 of 40 there and none on S.
    assert (result.evidence.sample, result.evidence.event) == ("T", ("z",))
    assert (result.evidence.successes, result.evidence.neighbour_successes) == (20, 0)
    assert result.evidence.runs == half
    assert result.multiplicity == 4
    private = privacy_bound(
        script(S=["x"] * half + ["y"] * half, T=["z"] * half + ["w"] * half),
        [("S", "T")],
        runs=2 * half,
    )
    assert private.bound == 1
    assert private.evidence is None


def test_learned_events_join_outcomes_of_large_ratio() -> None:
    # Outcomes 0 to 4 come on S only, ten times each; 5 comes as often on both.
    half = [k for k in range(5) for _ in range(10)] + [5] * 50
    other = [6] * 50 + [5] * 50
    result = privacy_bound(script(S=half * 2, T=other * 2), [("S", "T")], runs=200)
    assert result.evidence is not None
    assert result.evidence.event in ((0, 1, 2, 3, 4), (6,))
    assert result.evidence.successes == 50


def test_an_odd_number_of_runs_is_used_to_the_last() -> None:
    result = stability_bound(script(S=["x"] * 21, T=["y"] * 21), [("S", "T")], runs=21)
    assert result.runs == 42
    assert result.evidence is not None
    assert result.evidence.runs == 11


def failing(outcome: Callable[[], object]) -> Callable[[str], object]:
    calls = count(1)
    return lambda name: outcome() if next(calls) == 8 else f"{name}!"


def test_a_run_that_raises_keeps_what_came_before() -> None:
    def broken() -> object:
        raise ZeroDivisionError("no such luck")

    with pytest.raises(RunFailed, match="on 'T' raised ZeroDivisionError: 'no such") as caught:
        privacy_bound(failing(broken), [("S", "T")], runs=5)
    assert caught.value.tallies == (
        OutcomeCounts("S", 5, {"S!": 5}),
        OutcomeCounts("T", 2, {"T!": 2}),
    )
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301  # our own
    assert (str(again), again.tallies) == (str(caught.value), caught.value.tallies)


@pytest.mark.parametrize(("outcome", "words"), [
    (type("Mutable", (), {"__hash__": None})(), "the unhashable value"),
    (math.nan, "nan, want values equal to themselves"),
])  # fmt: skip
def test_an_outcome_that_cannot_be_compared_is_refused(outcome: object, words: str) -> None:
    with pytest.raises(RunFailed, match=f"run 8 of 10 on 'T' returned {words}") as caught:
        stability_bound(failing(lambda: outcome), [("S", "T")], runs=5)
    assert [tally.runs for tally in caught.value.tallies] == [5, 2]


def test_outcomes_are_values_and_coins_are_given_by_name() -> None:
    assert privacy_bound(lambda bit: [bit, {bit: {bit}}], [(0, 1)], runs=9, claim=0).errors == 0
    # A fair bit, or of each language one draw; the same coins each time, so the same answer.
    programs: list[Any] = [
        lambda rows, rng: int(rng.random() + rows) + rng.integers(2),
        lambda rng, rows: int(rng.uniform(0, 1) + rows) + rng.randint(0, 1) + 0 * (rng.rand() < 0),
        lambda rows, *, rng: rows + rng.below(2) + 0 * (rng.standard_cauchy() > rng.gauss(0, 1)),
    ]
    for program in programs:
        first, again = (privacy_bound(program, [(0, 1)], runs=200, claim=1) for _ in range(2))
        assert first == again
        assert first.verdict is Verdict.REFUTED
        assert first.evidence is not None
        assert first.evidence.event in {(0,), (2,)}
        assert 0 < first.evidence.successes < 100
    pairs = [(("S", 1), ("T", 1))]
    predictors: list[Any] = [
        lambda pair: pair[0],
        lambda sample, point: sample * point,
        lambda rng, sample, x: sample * x + rng.choice([""]),
    ]
    for predict in predictors:
        assert stability_bound(predict, pairs, runs=200, claim="1/2").verdict is Verdict.REFUTED
    wrong: list[tuple[Any, str]] = [
        (3, "a function"),
        (pow, r"got pow\(base, exp, mod\), want .* rng\)"),
    ]
    for run, words in wrong:
        refuses(words, privacy_bound, run, [(0, 1)], runs=200)


class FirstLabels:
    """Learns by heart, if there is a one; asked for labels, it has them as a library would."""

    def fit(self, rows: Any, labels: Any = ()) -> None:
        if not sum(labels):
            raise ValueError("one class alone")
        self.coef_ = np.array([rows.shape, labels[:1]], dtype=object)

    def predict(self, rows: Any) -> Any:
        return np.zeros(len(rows), dtype=int)


def test_adapters_of_other_libraries() -> None:
    fits = black_box.estimator(FirstLabels, [0, 1])
    zeros, mixed = Sample([5, 6], [0, 0]), Sample([5, 6], [0, 1])
    assert fits(mixed) == (0, 0)
    assert black_box.estimator(FirstLabels, release=lambda model: model.coef_.shape)(mixed) == (2,)
    assert (repr(fits(zeros)), repr(fits([1, 2]))) == ("ValueError raised",) * 2
    # An error on one of two tables is an outcome, and is said so; one on both is no answer.
    found = privacy_bound(fits, [(zeros, mixed)], runs=200, claim=1)
    assert (found.verdict, found.errors) == (Verdict.REFUTED, 200)
    assert "errors      200 runs raised one: an error is an outcome\n" in str(found)
    with pytest.raises(RunFailed, match="each run raised an error, the first ValueError: 'one cl"):
        privacy_bound(fits, [(zeros, Sample([5, 5], [0, 0]))], runs=20, claim=1)
    sums = black_box.measurement(np.cumsum, takes=np.array, release=lambda sums: sums[1:])
    assert sums((1, 2, 3)) == (3, 6)
    with pytest.raises(MemoryError):
        black_box.measurement(np.zeros, takes=sum)((1 << 57,))
    instance: Any = FirstLabels()
    for adapter, given in (("estimator", instance), ("estimator", list), ("measurement", instance)):
        refuses(r"want (a function|points)", getattr(black_box, adapter), given)


def test_the_time_allowed_ends_between_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = count()
    monkeypatch.setattr(statistics, "monotonic", lambda: float(next(seconds)))
    with pytest.raises(RunsUnfinished, match="the time ended after 6 of 10 runs") as caught:
        stability_bound(lambda name: name, [("S", "T")], runs=5, time_limit=9)
    assert isinstance(caught.value, BudgetExhausted)
    assert caught.value.tallies == (
        OutcomeCounts("S", 5, {"S": 5}),
        OutcomeCounts("T", 1, {"T": 1}),
    )
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301  # our own
    assert again.tallies == caught.value.tallies


def test_an_interrupt_at_any_line_loses_no_run() -> None:
    done = 0

    def run(bit: int) -> int:
        nonlocal done
        done += 1
        return bit

    def ask() -> None:
        try:
            privacy_bound(run, [(0, 1)], runs=3)
        except RunsInterrupted as stop:
            told.append((sum(tally.runs for tally in stop.tallies), str(stop)))
            raise

    told: list[tuple[int, str]] = []
    counts = set[int]()
    for moment in moments(ask, 300, seed=1):
        done = 0
        told.clear()
        interrupted(ask, moment)
        assert told in ([], [(done, f"interrupted after {done} of 6 runs")])
        counts.update(runs for runs, _ in told)
    assert counts >= {0, 1, 6}


def test_a_budget_is_checked_before_the_first_run() -> None:
    def never(_: str) -> object:
        raise AssertionError("was run")

    with pytest.raises(InvalidInput, match="5 on each of 4 inputs, 20 in all, want at most 4"):
        privacy_bound(never, [("S", "T"), ("T", "U")], runs=5, max_runs=19)
    refuses("pairs: got none", privacy_bound, never, [], runs=5)
    with pytest.raises(InvalidInput, match="pairs: got 'ST', want tuples of two inputs"):
        privacy_bound(never, ["ST"], runs=5)  # type: ignore[list-item]  # what is refused
    with pytest.raises(InvalidInput, match="runs: got 1, want an integer that is at least 2"):
        privacy_bound(never, [("S", "T")], runs=1)
    refuses("events: got none", privacy_bound, never, [("S", "T")], runs=5, events=[])
    refuses("confidence: got 1", stability_bound, never, [("S", "T")], runs=5, confidence=1)
    refuses("delta: got 2", privacy_bound, never, [("S", "T")], runs=5, delta=2)
    refuses("claim: got 3/2", stability_bound, never, [("S", "T")], runs=5, claim="3/2")
    refuses("epsilon: got -1", privacy_bound, never, [("S", "T")], runs=5, claim=-1)
    refuses("time_limit: got 0", privacy_bound, never, [("S", "T")], runs=5, time_limit=0)
    with pytest.raises(InvalidInput, match=r"notion: got <Notion\.ACCURACY"):
        privacy_bound(never, [("S", "T")], runs=5, notion=Notion.ACCURACY)


def _noisy(scale: float, shape: str) -> Callable[[int], object]:
    """A count with Laplace noise, alone or beside what tells nothing."""
    rng = np.random.default_rng(7)

    def run(ones: int) -> object:
        noisy = ones + rng.laplace(0, scale)
        return {
            "a number": noisy,
            "NumPy's": np.float64(noisy),
            "a tuple": (None, noisy, ones < 9),
            "two": (rng.random(), noisy),
            "seldom there": (noisy,) if rng.random() < 0.9 else ("none", rng.random(), True),
        }[shape]

    return run


CONTINUOUS = ("a number", "NumPy's", "a tuple", "two", "seldom there")


@pytest.mark.parametrize("shape", CONTINUOUS)
def test_regions_refute_continuous_outcomes(shape: str) -> None:
    """Noise of the scale 1/2 costs 2 on counts that differ by one, and of the scale 1 costs 1."""
    for scale, verdict, least in ((0.5, Verdict.REFUTED, 1.5), (1.0, Verdict.SUPPORTED, 0.7)):
        found = privacy_bound(_noisy(scale, shape), [(0, 1)], runs=8000, claim=1)
        assert found.verdict is verdict
        assert math.log(found.bound) > least
        assert found.evidence is not None
        assert " <= " in found.evidence.rule or " >= " in found.evidence.rule
        assert found.evidence.rule in str(found)


def test_what_cannot_learn_is_not_supported() -> None:
    """Every outcome is another text, so that no event comes again."""
    texts = map(str, count())
    for claim in (None, 1):
        found = privacy_bound(lambda _: next(texts), [(0, 1)], runs=100, claim=claim)
        assert (found.verdict, found.bound) == (Verdict.SKIPPED, Fraction(1))
        assert "no event was learned" in str(found)
    # One pair of which nothing is known is enough; and a constant is known.
    mixed = privacy_bound(
        lambda x: next(texts) if x > 1 else 0, [(0, 1), (2, 3)], runs=100, claim=1
    )
    assert mixed.verdict is Verdict.SKIPPED
    assert privacy_bound(lambda _: 0, [(0, 1)], runs=100, claim=1).verdict is Verdict.SUPPORTED


def test_numbers_beyond_floats_and_none_at_all_are_outcomes() -> None:
    numbers = iter([10**400, -(10**400), math.inf, True, None, "a", Fraction(1, 3)] * 900)
    drawn = count()
    found = privacy_bound(lambda _: (next(numbers), next(drawn)), [(0, 1)], runs=700, claim=1)
    assert found.verdict in (Verdict.SUPPORTED, Verdict.SKIPPED, Verdict.REFUTED)
    assert found.bound >= 1
