"""A program that changes what it keeps at every question is refused; one that remembers is not."""

# ruff: noqa: ARG001, ARG002  # the arguments of a program, used or not

import functools
import importlib
import itertools
import math
import sys
import threading
from collections import Counter as Counts
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from pac_stability import Sample, audit, data, randomness
from pac_stability.audit.search import asking, neighbour_ranks

Predictor = Callable[[Sample[int], int, randomness.Coins], int]
RARELY = 701
CALLS = itertools.count(1)
REMEMBERED: dict[object, int] = {}


def leaks_after(calls: int, sample: Sample[int]) -> int:
    """The label of the first example, once in a while: epsilon is infinite."""
    return sample.labels[0] if calls % RARELY == 0 else 0


def counting() -> Predictor:
    calls = 0

    def closure(sample: Sample[int], point: int, rng: randomness.Coins) -> int:
        nonlocal calls
        calls += 1
        return leaks_after(calls, sample)

    return closure


def by_an_iterator(sample: Sample[int], point: int, rng: randomness.Coins) -> int:
    return leaks_after(next(CALLS), sample)


class Counter:
    def __init__(self) -> None:
        self.calls = 0

    def predict(self, sample: Sample[int], point: int, rng: randomness.Coins) -> int:
        self.calls += 1
        return leaks_after(self.calls, sample)


def remembering(sample: Sample[int], point: int, rng: randomness.Coins) -> int:
    return REMEMBERED.setdefault((sample, point), 0)


class Late:
    """It computes something when it is first asked."""

    def __init__(self) -> None:
        self.table: list[int] | None = None

    def predict(self, sample: Sample[int], point: int, rng: randomness.Coins) -> int:
        if self.table is None:
            self.table = [0, 0]
        return self.table[point]


@pytest.mark.parametrize(("program", "kept"), [
    (counting(), "the variable calls"),
    (by_an_iterator, "the global variable CALLS"),
    (Counter().predict, "the attribute calls of a Counter"),
])  # fmt: skip
def test_a_count_of_calls_is_named(program: Predictor, kept: str) -> None:
    # 16 samples of 2 points and labels, each asked about at 2 points: too few for the leak to show.
    with pytest.raises(audit.results.SubjectFailure, match=kept):
        audit.private_prediction(program, domain=2, n=2, claim="1/2")


def test_the_first_sample_of_a_piece_is_the_one_that_is_named() -> None:
    """Another process asks about samples number 5 to 8, and has no answers from before."""
    universe = data.all_examples(range(2))
    neighbourhood = neighbour_ranks.Neighbourhood(4, 2, up_to_order=False)
    source = audit.subjects.prediction_source(counting(), (0, 1))
    answers = asking.Answers(2)
    asking.Questions(source, neighbourhood, universe, False).ask(answers, 5, 9, math.inf)
    assert isinstance(answers.failure, audit.results.SubjectFailure)
    (places,) = neighbourhood.entries(5, 6)
    assert answers.failure.sample == Sample.from_examples(universe[place] for place in places)
    assert answers.count == 0


@pytest.mark.parametrize("program", [remembering, Late().predict])
def test_what_settles_is_no_failure(program: Predictor) -> None:
    REMEMBERED.clear()
    result = audit.private_prediction(program, domain=2, n=2, claim="1/2", deterministic=True)
    assert result.verdict is audit.Verdict.VERIFIED
    assert result.counts.datasets == 16


def telling(sample: Sample[int], rng: randomness.Coins) -> tuple[int, ...]:
    return sample.labels if rng.bernoulli(Fraction(1, 2)) else ()


ASKED: list[Sample[int]] = []
threading.main_thread().asked = ASKED  # type: ignore[attr-defined]


def noting(sample: Sample[int], rng: randomness.Coins) -> tuple[int, ...]:
    threading.main_thread().asked.append(sample)  # type: ignore[attr-defined]  # nothing follows it
    return telling(sample, rng)


class Warm:
    """Its first sample decides for ever, as with a model that starts where it was."""

    label: int | None = None

    def fit(self, sample: Sample[int], rng: randomness.Coins) -> tuple[int, int]:
        if self.label is None:
            self.label = sample.labels[0]
        return rng.below(2), self.label


def by_default(sample: Sample[int], rng: randomness.Coins, kept: list[int] = []) -> object:  # noqa: B006  # the bug
    kept.extend(sample.labels[:1] if not kept else ())
    return rng.below(2), kept[0]


@pytest.mark.parametrize("program", [Warm().fit, by_default])
def test_what_the_first_sample_leaves_decides_nothing(program: Callable[..., object]) -> None:
    for _ in range(2):
        with pytest.raises(audit.results.SubjectFailure, match="got two different answers from"):
            audit.differential_privacy(program, 2, 2, claim=1)


class Rule:
    """A hypothesis that compares by its labels alone."""

    def __init__(self, label: int) -> None:
        self.label = label

    def __call__(self, _: object) -> int:
        return self.label


@functools.cache
def made_once(labels: tuple[int, ...]) -> Rule:
    """What a cache keeps cannot be put back: the last sample stays in it."""
    return Rule(labels[0])


def from_a_cache(sample: Sample[int], rng: randomness.Coins) -> Rule:
    return made_once(sample.labels)


@pytest.mark.parametrize("seconds", [0.0, -1.0])
def test_a_slow_machine_asks_a_sample_at_a_time(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Each piece of work brings outcomes, and things to remember, that the one before did not.
    monkeypatch.setattr("pac_stability.audit.search.parallel.PIECE", seconds)
    REMEMBERED.clear()
    for program in (remembering, Late().predict):
        found = audit.private_prediction(program, domain=2, n=2, claim="1/2", deterministic=True)
        assert found.verdict is audit.Verdict.VERIFIED
    assert audit.differential_privacy(telling, [0], 3, claim=1).value == math.inf
    made_once.cache_clear()
    kept = audit.differential_privacy(from_a_cache, [0], 3, claim=1, deterministic=True)
    assert kept.value == math.inf


def test_a_program_that_keeps_nothing_is_asked_once() -> None:
    # Besides the doubling numbers and the witness, of eight samples.
    audit.differential_privacy(noting, [0], 3, claim=1)
    asked = Counts(ASKED)
    ASKED.clear()
    data.FromProgram(noting).law(Sample([0, 0, 0], [0, 1, 1]))
    assert min(asked.values()) == len(ASKED)


def test_what_an_import_draws_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "drawn_once.py").write_text(
        "import random, warnings\nrandom.random()\nwarnings.filterwarnings('ignore', 'drawn')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)

    def program(sample: Sample[int], point: int, rng: randomness.Coins) -> int:
        importlib.import_module("drawn_once")
        return rng.below(2)

    assert audit.private_prediction(program, 2, 2, claim="1/2").verdict is audit.Verdict.VERIFIED
    del sys.modules["drawn_once"]
