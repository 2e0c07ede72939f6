"""Stability and privacy of predictions (Sections 1 and 2)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product

from pac_stability.arithmetic import Epsilon
from pac_stability.books.dagan_feldman._questions import (
    AnySample,
    examples_on,
    factor_between,
    neighbours_of,
)
from pac_stability.claims.instances import all_labelled_samples
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    at_most,
    factor_at_most,
    fails,
    idle,
    kept_counterexample,
    settle,
    trial,
)
from pac_stability.classes import FiniteClass
from pac_stability.data import FiniteDistribution, Sample, neighbouring_pairs
from pac_stability.mechanisms import SoftMajorityVote
from pac_stability.notions import private_prediction, uniform_stability
from pac_stability.papers.dagan_feldman.implications import (
    private_to_stable,
    private_to_stable_as_printed,
    stable_to_private,
)
from pac_stability.papers.guarantees import PredictionGuarantee, StabilityGuarantee

Table = tuple[Fraction, ...]
"""Probabilities of label 1 at a point, given each sample of two examples there."""


@cache
def _places() -> tuple[Sample[Hashable], ...]:
    return tuple(all_labelled_samples(FiniteClass([[0]]), 2))


def _tables(budget: Budget) -> Iterator[Table]:
    q = budget.pick(3, 5, 9)
    yield from product([Fraction(k, q) for k in range(q + 1)], repeat=len(_places()))


Value = Callable[[Table], Fraction | float]


def _law_of(table: Table) -> Callable[[AnySample, Hashable], FiniteDistribution[int]]:
    def law(sample: AnySample, _: Hashable) -> FiniteDistribution[int]:
        p = table[_places().index(sample)]
        return FiniteDistribution({1: p, 0: 1 - p})

    return law


def _pairs(up_to_order: bool = False) -> list[tuple[AnySample, AnySample]]:
    return list(neighbouring_pairs(examples_on((0,)), 2, up_to_order=up_to_order))


def _stability_of(table: Table) -> Fraction:
    return uniform_stability.minimal_gamma(_law_of(table), _pairs(), (0,))


def _privacy_of(table: Table) -> Fraction | float:
    return private_prediction.minimal_epsilon(_law_of(table), _pairs(), (0,))


def _first_only(pair: tuple[AnySample, AnySample]) -> bool:
    return pair[0][1] == pair[1][1]


def _stability_at_one_place(table: Table) -> Fraction:
    pairs = [pair for pair in _pairs() if _first_only(pair)]
    return uniform_stability.minimal_gamma(_law_of(table), pairs, (0,))


def _privacy_at_one_place(table: Table) -> Fraction | float:
    pairs = [pair for pair in _pairs() if _first_only(pair)]
    return private_prediction.minimal_epsilon(_law_of(table), pairs, (0,))


def _neighbouring_values(table: Table) -> Iterator[tuple[Fraction, Fraction]]:
    for index, sample in enumerate(_places()):
        for other in neighbours_of(sample, (0,)):
            yield table[index], table[_places().index(other)]


def _stable(value: Value, table: Table) -> Finding:
    defined = max(abs(p - q) for p, q in _neighbouring_values(table))
    return settle(value(table) == defined, f"{table}: {value(table)}, by definition {defined}")


def _private(value: Value, table: Table) -> Finding:
    defined = max(factor_between(p, q) for p, q in _neighbouring_values(table))
    return settle(value(table) == defined, f"{table}: {value(table)}, by definition {defined}")


def _votes(budget: Budget) -> Iterator[int]:
    yield from range(1, budget.pick(4, 8, 12))


def _private_between_all(decay: Fraction, voters: int) -> Finding:
    vote = SoftMajorityVote(decay)
    t = vote.guarantee.factor
    chances = [
        vote.law((0,) * (voters - ones) + (1,) * ones).probability(1) for ones in range(voters + 1)
    ]
    worst = max(factor_between(p, q) for p, q in product(chances, repeat=2))
    return factor_at_most(
        worst,
        t,
        f"{voters} examples, soft majority of labels with e^epsilon = {t}: some two samples that "
        f"differ everywhere have the factor {worst}",
    )


Display = Callable[[Table], bool]
"""Whether predictions given by a table are private with the factor 2."""


def _same_sample_twice(table: Table) -> bool:
    return all(p <= 2 * p and 1 - p <= 2 * (1 - p) for p in table)


def _display(private: Display, table: Table) -> Finding:
    defined = max(factor_between(p, q) for p, q in _neighbouring_values(table)) <= 2
    return settle(
        private(table) == defined,
        f"predictions {', '.join(map(str, table))} on samples 00, 01, 10, 11: the display says "
        f"{private(table)}, the notion {defined}",
    )


Pair = tuple[Fraction, Fraction]


def _pairs_of_predictions(budget: Budget) -> Iterator[Pair]:
    q = budget.pick(12, 40, 200)
    grid = [Fraction(k, q) for k in range(q + 1)]
    yield from product(grid, grid)


def _zero_epsilon(delta_of: Callable[[Pair], Fraction], pair: Pair) -> Finding:
    defined = max(abs(pair[0] - pair[1]), Fraction(0))
    return settle(delta_of(pair) == defined, f"{pair}: {delta_of(pair)}, not {defined}")


def _delta_at(factor: Fraction) -> Callable[[Pair], Fraction]:
    def delta(pair: Pair) -> Fraction:
        def law(p: Fraction, _: int) -> FiniteDistribution[int]:
            return FiniteDistribution({1: p, 0: 1 - p})

        return private_prediction.minimal_delta(law, [pair], (0,), Epsilon.exactly(factor))

    return delta


StabilityFrom = Callable[[Fraction], Fraction]
"""From the factor e^epsilon to a stability."""


def _implied(stability: StabilityFrom, pair: Pair) -> Finding:
    p, q = pair
    factor = factor_between(p, q)
    if not isinstance(factor, Fraction):
        return idle()
    return at_most(
        abs(p - q),
        stability(factor),
        f"p = {p}, p' = {q}, e^epsilon = {factor}: they differ by more than {stability(factor)}",
    )


def _as_printed(t: Fraction) -> Fraction:
    if t > 2:
        return t - 1  # nothing is said
    return private_to_stable_as_printed(PredictionGuarantee(Epsilon.exactly(t))).gamma


StabilityWith = Callable[[Fraction, Fraction], Fraction]
"""From the factor and delta to a stability."""


def _with_delta(t: Fraction, delta: Fraction) -> Fraction:
    return private_to_stable(PredictionGuarantee(Epsilon.exactly(t), delta)).gamma


def _pairs_and_factors(budget: Budget) -> Iterator[tuple[Pair, Fraction]]:
    yield from product(_pairs_of_predictions(budget), (Fraction(1), Fraction(3, 2), Fraction(3)))


def _implied_with_delta(stability: StabilityWith, asked: tuple[Pair, Fraction]) -> Finding:
    (p, q), t = asked
    ends = ((p, q), (q, p), (1 - p, 1 - q), (1 - q, 1 - p))
    delta = max(Fraction(0), *(a - t * b for a, b in ends))
    text = f"p = {p}, p' = {q}, e^epsilon = {t}, delta = {delta}: they differ by more than"
    return at_most(abs(p - q), stability(t, delta), f"{text} {stability(t, delta)}", ceiling=1)


def _follows(rule: Callable[[StabilityGuarantee], PredictionGuarantee], pair: Pair) -> Finding:
    gamma = abs(pair[0] - pair[1])
    private = rule(StabilityGuarantee(gamma))
    text = f"{pair}: {private} is said to follow"
    if private.epsilon != Epsilon.exactly(1):
        return fails(text)
    return at_most(_delta_at(Fraction(1))(pair), private.delta, text)


def _attained(stability: StabilityFrom, t: Fraction) -> Finding:
    p, q = t / (t + 1), 1 / (t + 1)
    return settle(
        factor_between(p, q) == t and p - q == stability(t),
        f"e^epsilon = {t}: p = {p} and p' = {q} differ by {p - q}, not {stability(t)}",
    )


def _factors(budget: Budget) -> Iterator[Fraction]:
    for k in range(budget.pick(10, 40, 200)):
        yield 1 + Fraction(k, 8)


Kernel = tuple[Pair, Pair]
"""Two laws on two hypotheses (the chance of the first), and the labels' chances under them."""


def _kernels(budget: Budget) -> Iterator[Kernel]:
    q = budget.pick(5, 8, 16)
    grid = [Fraction(k, q) for k in range(q + 1)]
    yield from product(product(grid, grid), product(grid, grid))


def _postprocessed(prediction: Callable[[Fraction, Pair], Fraction], kernel: Kernel) -> Finding:
    (p, q), labels = kernel
    before = factor_between(p, q)
    after = factor_between(prediction(p, labels), prediction(q, labels))
    return factor_at_most(
        after, before, f"laws {p}, {q}, labels {labels}: {after} exceeds {before}"
    )


def _mixed(p: Fraction, labels: Pair) -> Fraction:
    return p * labels[0] + (1 - p) * labels[1]


def _squared(p: Fraction, labels: Pair) -> Fraction:
    return _mixed(p * p, labels)


TRIALS: Trials = {
    "DF20:definition-uniform-stability": (
        trial(
            "tables",
            _stable,
            _tables,
            subject=_stability_of,
            mutant=_stability_at_one_place,
            universe="all learners on one point and two examples with predictions in a grid",
        ),
    ),
    "DF20:definition-private-prediction": (
        trial(
            "soft majorities",
            _private_between_all,
            _votes,
            subject=Fraction(1, 2),
            universe="numbers of voters, from one on, with e^epsilon = 4",
        ),
        kept_counterexample("DF20:definition-private-prediction"),
    ),
    "DF20:definition-private-prediction.arxiv": (
        trial(
            "tables",
            _display,
            _tables,
            subject=_same_sample_twice,
            universe="all learners on one point and two examples with predictions in a grid",
        ),
    ),
    "DF20:definition-private-prediction.repaired": (
        trial(
            "tables",
            _private,
            _tables,
            subject=_privacy_of,
            mutant=_privacy_at_one_place,
            universe="all learners on one point and two examples with predictions in a grid",
        ),
    ),
    "DF20:fact-postprocessing": (
        trial(
            "two hypotheses",
            _postprocessed,
            _kernels,
            subject=_mixed,
            mutant=_squared,
            universe="two laws on two randomized hypotheses, all probabilities in a grid",
        ),
    ),
    "DF20:fact-private-is-stable": (
        trial(
            "two predictions",
            _implied,
            _pairs_of_predictions,
            subject=_as_printed,
            mutant=lambda t: (t - 1) / 4,
            universe="two predictions in a grid",
        ),
    ),
    "DF20:fact-private-is-stable.sharp": (
        trial(
            "two predictions",
            _implied,
            _pairs_of_predictions,
            subject=lambda t: _with_delta(t, Fraction(0)),
            mutant=lambda t: (t - 1) / (t + 2),
            universe="two predictions in a grid",
        ),
        trial(
            "two predictions, with a delta",
            _implied_with_delta,
            _pairs_and_factors,
            subject=_with_delta,
            mutant=lambda t, delta: _with_delta(t, delta / 2),
            universe="two predictions in a grid, three factors, the least delta",
        ),
        trial(
            "attained",
            _attained,
            _factors,
            subject=lambda t: private_prediction.implied_stability(Epsilon.exactly(t)),
            mutant=lambda t: t - 1,
            universe="factors e^epsilon from 1 on, in steps of 1/8",
        ),
    ),
    "DF20:fact-stability-is-privacy": (
        trial(
            "two predictions",
            _zero_epsilon,
            _pairs_of_predictions,
            subject=_delta_at(Fraction(1)),
            mutant=_delta_at(Fraction(11, 10)),
            universe="two predictions in a grid",
        ),
        trial(
            "what follows",
            _follows,
            _pairs_of_predictions,
            subject=stable_to_private,
            mutant=lambda stable: stable_to_private(StabilityGuarantee(stable.gamma / 2)),
            universe="two predictions in a grid, that are as stable as they are",
        ),
    ),
}
