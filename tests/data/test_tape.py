"""The tape against closed forms, and against a recursive evaluation of random programs."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from math import comb
from typing import TypeAlias, cast

import pytest
from hypothesis import given, strategies as st

from pac_stability import Coins, InvalidInput, SeededCoins, data, randomness, testing
from pac_stability.randomness.watch import Watch
from shared_coins import FixedBits, OutOfBits
from shared_refusals import refuses

HALF = Fraction(1, 2)
small_fractions = st.builds(Fraction, st.integers(0, 3), st.integers(1, 4))


@dataclass(frozen=True)
class Ask:
    """A random program: ask one question, go on with the branch that the answer selects."""

    kind: str
    weights: tuple[Fraction, ...]
    branches: tuple[Program, ...]


Program: TypeAlias = Ask | int


def run(program: Program, rng: Coins) -> int:
    while isinstance(program, Ask):
        if program.kind == "below":
            answer = rng.below(len(program.branches))
        elif program.kind == "bernoulli":
            answer = rng.bernoulli(program.weights[1])
        else:
            answer = rng.choose(program.weights)
        program = program.branches[answer]
    return program


def paths_of(
    program: Program, probability: Fraction = Fraction(1), answers: tuple[int, ...] = ()
) -> Iterator[tuple[int, Fraction, tuple[int, ...]]]:
    """The paths of positive probability, by recursion over the program itself."""
    if isinstance(program, int):
        yield program, probability, answers
        return
    total = sum(program.weights)
    for answer, (weight, branch) in enumerate(zip(program.weights, program.branches, strict=True)):
        if weight:
            yield from paths_of(branch, probability * weight / total, (*answers, answer))


@st.composite
def questions(draw: st.DrawFn, inner: st.SearchStrategy[Program]) -> Program:
    kind = draw(st.sampled_from(["below", "choose", "bernoulli"]))
    if kind == "bernoulli":
        p = draw(testing.strategies.probabilities(9))
        weights = [1 - p, p]
    else:
        size = draw(st.integers(1, 4))
        weight = st.just(Fraction(1)) if kind == "below" else small_fractions
        weights = draw(st.lists(weight, min_size=size, max_size=size).filter(any))
    branches = draw(st.lists(inner, min_size=len(weights), max_size=len(weights)))
    return Ask(kind, tuple(weights), tuple(branches))


leaves: st.SearchStrategy[Program] = st.integers(0, 3)
programs = st.recursive(leaves, questions, max_leaves=12)


@given(programs)
def test_law_of_random_programs(program: Program) -> None:
    expected: dict[int, Fraction] = {}
    for outcome, probability, _ in paths_of(program):
        expected[outcome] = expected.get(outcome, Fraction()) + probability
    assert data.enumerate_law(lambda rng: run(program, rng)).items() == tuple(expected.items())


@given(programs)
def test_paths_of_random_programs(program: Program) -> None:
    paths = [
        (path.outcome, path.probability, tuple(draw.answer for draw in path.draws))
        for path in data.enumerate_paths(lambda rng: run(program, rng))
    ]
    assert paths == list(paths_of(program))


@given(programs, st.integers(0, 8))
def test_settled_mass_is_that_of_the_finished_paths(program: Program, limit: int) -> None:
    expected = list(paths_of(program))
    if len(expected) <= limit:
        assert len(
            list(data.enumerate_paths(lambda rng: run(program, rng), max_paths=limit))
        ) == len(expected)
        return
    with pytest.raises(data.TapeExhausted, match=f"more than max_paths={limit} paths") as caught:
        data.enumerate_law(lambda rng: run(program, rng), max_paths=limit)
    assert caught.value.settled == sum(probability for _, probability, _ in expected[:limit])
    begun = tuple(draw.answer for draw in caught.value.path)
    assert begun == expected[limit][2][: len(begun)]


def test_binomial_law() -> None:
    p, n = Fraction(2, 7), 9
    law = data.enumerate_law(lambda rng: sum(rng.bernoulli(p) for _ in range(n)))
    assert law == data.FiniteDistribution(
        {k: comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(10)}
    )


def test_shuffling_is_uniform() -> None:
    def shuffled(rng: Coins) -> str:
        left = list("abcde")
        return "".join(left.pop(rng.below(len(left))) for _ in range(5))

    law = data.enumerate_law(shuffled)
    assert len(law) == 120
    assert law == data.FiniteDistribution.uniform(law.support)


def test_law_of_a_program_without_draws() -> None:
    assert data.enumerate_law(lambda _: "x") == data.FiniteDistribution.point_mass("x")


def test_branches_of_weight_zero_are_not_followed() -> None:
    def program(rng: Coins) -> tuple[int, int, int]:
        return rng.choose([0, 3, 0, 3]), rng.bernoulli(0), rng.bernoulli(1)

    paths = list(data.enumerate_paths(program))
    assert [(path.outcome, path.probability) for path in paths] == [
        ((1, 0, 1), HALF),
        ((3, 0, 1), HALF),
    ]
    assert paths[0].draws == (
        data.Draw("choose", (0, 3, 0, 3), 1),
        data.Draw("bernoulli", 0, 0),
        data.Draw("bernoulli", 1, 1),
    )


def test_many_outcomes_of_one_draw_are_streamed() -> None:
    first = next(data.enumerate_paths(lambda rng: rng.below(10**30)))
    assert (first.outcome, first.probability) == (0, Fraction(1, 10**30))


def until_five(rng: Coins) -> int:
    """Roll until the die shows no five: ends with probability one, after any number of rolls."""
    rolls = 1
    while rng.below(6) == 5:
        rolls += 1
    return rolls


def test_a_program_without_longest_path_is_stopped() -> None:
    with pytest.raises(data.TapeExhausted, match="more than max_draws=20 draws") as caught:
        data.enumerate_law(until_five, max_draws=20)
    assert caught.value.settled == 1 - Fraction(1, 6) ** 20
    assert caught.value.path == (data.Draw("below", 6, 5),) * 20
    assert "\n" not in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301  # our own bytes
    assert (str(again), again.path, again.settled) == (
        str(caught.value),
        caught.value.path,
        caught.value.settled,
    )


def test_a_program_that_never_ends_is_stopped_though_it_catches_exceptions() -> None:
    def stubborn(rng: Coins) -> int:
        while True:
            try:
                rng.below(1)
            except Exception:  # noqa: S112  # what is tested
                continue

    with pytest.raises(data.TapeExhausted) as caught:
        data.enumerate_law(stubborn, max_draws=5)
    assert caught.value.settled == 0


def test_a_limit_that_is_just_enough() -> None:
    def program(rng: Coins) -> int:
        return rng.below(3) + rng.below(3)

    assert len(data.enumerate_law(program, max_paths=9, max_draws=2)) == 5
    with pytest.raises(data.TapeExhausted):
        data.enumerate_law(program, max_paths=8)
    with pytest.raises(data.TapeExhausted):
        data.enumerate_law(program, max_draws=1)


def test_swallowing_the_end_of_the_tape_gives_no_law() -> None:
    def swallowing(rng: Coins) -> int:
        try:
            return rng.below(2) + rng.below(2)
        except BaseException:  # what is tested
            return 7

    with pytest.raises(data.TapeExhausted):
        data.enumerate_law(swallowing, max_draws=1)


@pytest.mark.parametrize("asks", [
    [lambda rng: rng.below(2), lambda rng: rng.below(3)],
    [lambda rng: rng.below(2), lambda rng: rng.bernoulli(HALF)],
    [lambda rng: rng.choose([1, 1]), lambda rng: rng.choose([1, 2])],
    [lambda rng: rng.bernoulli(HALF), lambda rng: rng.bernoulli(Fraction(1, 3))],
    [lambda rng: rng.below(1) + rng.below(2), lambda rng: rng.bernoulli(1) + rng.below(2)],
    [lambda rng: rng.below(2), lambda _: 0],
])  # fmt: skip
def test_a_program_with_a_memory_is_refused(asks: list[Callable[[Coins], int]]) -> None:
    runs = iter([*asks, *asks])
    with pytest.raises(InvalidInput, match=r"program: got .* another run made .* its coins"):
        data.enumerate_law(lambda rng: next(runs)(rng))  # noqa: PLW0108  # another one at each run


@pytest.mark.parametrize("rare", [0, 4])
def test_an_outcome_that_varies_after_the_same_draws_is_refused(rare: int) -> None:
    runs = count()

    def program(rng: Coins) -> int:
        answer = rng.below(9)
        return next(runs) if answer == rare else -1

    refuses(rf"outcomes \d+ and \d+ of .* below\(9\)={rare}", data.enumerate_law, program)


def test_of_many_laws_under_one_watch_some_are_run_again() -> None:
    runs = count()

    def program(coins: Coins) -> int:
        next(runs)
        return coins.below(2)

    with Watch():
        for _ in range(40):
            data.enumerate_law(program)
    again = 16 + len((16, 24, 32))  # the first ones, and one of eight
    assert next(runs) == 2 * (40 + again)


def test_outcomes_that_do_not_compare_by_value_are_refused() -> None:
    def hypothesis(rng: Coins) -> Callable[[int], int]:
        label = rng.below(2)
        return lambda _: label

    refuses("compare by value", data.enumerate_law, hypothesis)
    assert len(list(data.enumerate_paths(hypothesis))) == 2


def test_prepared_weights_are_weights_like_others() -> None:
    table = randomness.WeightedChoice([Fraction(1, 2), 0, Fraction(1, 4)])
    law = data.enumerate_law(lambda rng: (rng.choose(table), rng.choose(table)))
    part = data.FiniteDistribution({0: Fraction(2, 3), 2: Fraction(1, 3)})
    assert law == part.product(part)
    first = next(data.enumerate_paths(lambda rng: rng.choose(table)))
    assert first.draws == (data.Draw("choose", (2, 0, 1), 0),)


def test_a_list_of_weights_may_change_after_the_draw() -> None:
    def program(rng: Coins) -> int:
        weights = [1, 1, 1]
        first = rng.choose(weights)
        weights[first] = 0
        return rng.choose(weights)

    assert data.enumerate_law(program) == data.FiniteDistribution.uniform(range(3))


@given(programs)
def test_the_law_is_what_every_string_of_bits_gives(program: Program) -> None:
    # What strings of ten bits settle bounds each probability from below; since probabilities sum to
    # one, none is then further above than the share of the strings that settle nothing.
    length = 10
    settled: Counter[int] = Counter()
    for value in range(1 << length):
        try:
            settled[run(program, FixedBits(value, length))] += 1
        except OutOfBits:
            continue
    law = data.enumerate_law(lambda rng: run(program, rng))
    assert all(law.probability(k) >= Fraction(settled[k], 1 << length) for k in range(4))
    assert set(settled) <= set(law.support)


@pytest.mark.parametrize("seed", range(5))
def test_seeded_runs_have_the_law(seed: int) -> None:
    program = Ask(
        "choose",
        (Fraction(1, 2), Fraction(0), Fraction(1, 3)),
        (Ask("below", (Fraction(1),) * 3, (0, 1, 2)), 3, Ask("bernoulli", (HALF, HALF), (2, 3))),
    )
    law = data.enumerate_law(lambda rng: run(program, rng))
    coins, size = SeededCoins(seed), 3000
    seen = Counter(run(program, coins) for _ in range(size))
    # Four cells: P(chi^2_3 > 40) is about 1e-8; the seeds are fixed.
    expected = {outcome: size * probability for outcome, probability in law.items()}
    assert set(seen) <= set(expected)
    assert sum((seen[k] - mean) ** 2 / mean for k, mean in expected.items()) < 40


def test_a_draw_after_the_end_is_refused() -> None:
    kept: list[Coins] = []

    def program(rng: Coins) -> int:
        kept.append(rng)
        return rng.below(2)

    data.enumerate_law(program)
    refuses("a draw after the program had returned", kept[0].below, 2)


def test_what_the_program_raises_is_passed_on_with_the_path() -> None:
    def program(rng: Coins) -> float:
        return 1 / rng.below(2) / (rng.below(2) - 1)

    with pytest.raises(ZeroDivisionError) as caught:
        data.enumerate_law(program)
    assert caught.value.__notes__ == ["raised by the program after below(2)=0"]


def test_programs_may_enumerate_programs() -> None:
    def outer(rng: Coins) -> tuple[int, Fraction]:
        k = rng.below(2)
        return k, data.enumerate_law(lambda inner: inner.below(2 + k)).probability(0)

    law = data.enumerate_law(outer)
    assert law == data.FiniteDistribution.uniform([(0, HALF), (1, Fraction(1, 3))])


def test_the_end_of_an_outer_tape_passes_through_an_inner_one() -> None:
    def outer(rng: Coins) -> int:
        return len(data.enumerate_law(lambda inner: inner.below(2) + until_five(rng)))

    with pytest.raises(data.TapeExhausted, match="max_draws=3") as caught:
        data.enumerate_law(outer, max_draws=3, max_paths=10**6)
    assert len(caught.value.path) == 3


@pytest.mark.parametrize(("ask", "argument"), [
    (lambda rng: rng.below(0), "n"),
    (lambda rng: rng.below(2.0), "n"),
    (lambda rng: rng.below(True), "n"),
    (lambda rng: rng.choose([]), "weights"),
    (lambda rng: rng.choose(3), "weights"),
    (lambda rng: rng.choose([0, 0]), "weights"),
    (lambda rng: rng.choose([1, -1]), "weights[1]"),
    (lambda rng: rng.choose([1, 0.5]), "weights[1]"),
    (lambda rng: rng.bernoulli(Fraction(3, 2)), "p"),
    (lambda rng: rng.bernoulli(-1), "p"),
    (lambda rng: rng.bernoulli(0.5), "p"),
    (lambda _: slice(0), "program"),
    (lambda _: float("nan"), "program"),
])  # fmt: skip
def test_bad_questions_and_answers_are_named(ask: Callable[[Coins], object], argument: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        data.enumerate_law(ask)
    assert caught.value.argument == argument


def test_a_bad_question_is_refused_even_if_the_program_goes_on() -> None:
    def lenient(rng: Coins) -> int:
        try:
            return rng.below(2) + rng.below(0)
        except InvalidInput:
            return rng.below(2)

    with pytest.raises(InvalidInput, match="n: got 0") as caught:
        data.enumerate_law(lenient)
    assert caught.value.__notes__ == ["asked by the program after below(2)=0"]


@pytest.mark.parametrize("limit", [-1, 1.5])
def test_bad_limits_are_refused(limit: float) -> None:
    refuses("max_paths", data.enumerate_law, until_five, max_paths=cast("int", limit))
    refuses("max_draws", data.enumerate_law, until_five, max_draws=cast("int", limit))
    refuses("a function of its coins", data.enumerate_law, cast("Callable[[Coins], int]", 3))


@dataclass
class Answer:
    """An output that people make of one."""

    entries: list[int]


def _frame(bit: int, library: str) -> object:
    return pytest.importorskip(library).DataFrame({"a": [bit, 1], "b": [0, 2]})


@pytest.mark.parametrize("made", [
    lambda bit: {bit, 2}, lambda bit: [bit, {"a": [2]}], lambda bit: Answer([bit]),
    lambda bit: _frame(bit, "pandas"), lambda bit: _frame(bit, "polars"),
])  # fmt: skip
def test_what_is_returned_is_an_outcome_by_value(made: Callable[[int], object]) -> None:
    law = data.enumerate_law(lambda rng: made(rng.bernoulli(Fraction(1, 3)) * rng.below(2)))
    assert sorted(law.probability(outcome) for outcome in law.support) == [
        Fraction(1, 6),
        Fraction(5, 6),  # in two ways, that are one value
    ]
