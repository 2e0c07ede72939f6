"""Samples that agree in all that was looked at share an answer; nothing else does."""

# ruff: noqa: ARG001, ARG005  # the arguments of a program, used or not

from __future__ import annotations

import copy
import functools
import itertools
import math
import pickle
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from pac_stability import Sample, audit
from pac_stability.audit.failures import SubjectFailure
from pac_stability.audit.search import sharing
from pac_stability.audit.search.sharing import Sharing, Unlike
from pac_stability.data import Example, FiniteDistribution, all_examples
from pac_stability.data.sample import unread_sample
from pac_stability.randomness import Coins, ExactGenerator

Learner = Callable[[Sample[int], int, ExactGenerator], object]


@pytest.fixture(autouse=True)
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Share after a few samples, and trust what was shared: the tests look at it themselves."""
    monkeypatch.setattr(sharing, "ASKED_FIRST", 6)
    monkeypatch.setattr(sharing, "ASKED_AGAIN", 10**6)


def by_labels(sample: Sample[int], point: int, rng: ExactGenerator) -> int:
    return rng.choice(sample.labels) if len(sample) else 0


def by_points_if_a_one_is_first(sample: Sample[int], point: int, rng: ExactGenerator) -> int:
    return int(sample.labels[0] == 1 and sample.points[-1] == point)


def by_points_on_one_path(sample: Sample[int], point: int, rng: ExactGenerator) -> int:
    return int(point in sample.points) if rng.below(3) == 2 else sample.labels[-1]


def by_iteration(sample: Sample[int], point: int, rng: ExactGenerator) -> int:
    return next((y for x, y in sample if x == point), 0)


def by_a_generator(sample: Sample[int], point: int, rng: ExactGenerator) -> int:
    def seen() -> Iterator[int]:
        for place in range(len(sample)):
            yield sample[place].label * (sample[place].point + 1)

    return max(seen(), default=0) % 2


def by_a_slice(sample: Sample[int], point: int, rng: ExactGenerator) -> int:
    return int(len(set(sample[1:].points)) == 1)


def by_membership(sample: Sample[int], point: int, rng: ExactGenerator) -> int:
    return int(Example(point, 1) in sample)


def by_sorting(sample: Sample[int], point: int, rng: ExactGenerator) -> int:
    return sorted(sample)[0].label


def by_an_array(sample: Sample[int], point: int, rng: ExactGenerator) -> int:
    pairs = np.array([tuple(each) for each in sample])
    return int(pairs[:, 0].max() == point)


def by_a_copy(sample: Sample[int], point: int, rng: ExactGenerator) -> int:
    twin = copy.deepcopy(pickle.loads(pickle.dumps(copy.copy(sample))))  # noqa: S301  # ours
    return int(twin == sample and twin.points[0] == point)


def by_its_loss(sample: Sample[int], point: int, rng: ExactGenerator) -> Fraction:
    return sample.loss(lambda x: int(x > point))


def by_its_text(sample: Sample[int], point: int, rng: ExactGenerator) -> int:
    return int(f"({point}," in repr(sample))


def by_one_label(sample: Sample[int], point: int, rng: ExactGenerator) -> int:
    return getattr(sample, "labels")[1] if hasattr(sample, "labels") else 0  # noqa: B009  # on purpose


@functools.cache
def remembered(sample: Sample[int]) -> int:
    return sample.points[0] % 2


def by_memory(sample: Sample[int], point: int, rng: ExactGenerator) -> int:
    return remembered(sample)


LEARNERS: list[Learner] = [
    *(by_labels, by_points_if_a_one_is_first, by_points_on_one_path, by_iteration),
    *(by_a_generator, by_a_slice, by_membership, by_sorting, by_an_array, by_a_copy),
    *(by_its_loss, by_its_text, by_one_label, by_memory),
]


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("symmetric", [False, True])
def test_shared_answers_are_those_of_each_sample(
    learner: Learner, symmetric: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found() -> object:
        try:
            return audit.private_prediction(learner, 3, 3, symmetric=symmetric)
        except SubjectFailure as failure:
            assert symmetric
            return failure.args

    shared = found()
    monkeypatch.setattr(sharing, "ASKED_FIRST", 10**6)
    assert shared == found()


ASKED: list[tuple[int, ...]] = []


def largest(sample: Sample[int], point: int, rng: ExactGenerator) -> int:
    kept = sys.modules[__name__].__dict__["ASKED"]  # nothing that a reading would follow
    kept.append(sample.labels)
    return max(sample.labels)


@pytest.mark.parametrize(("symmetric", "samples", "asked"), [(False, 4096, 27), (True, 816, 34)])
def test_few_samples_are_asked_about(symmetric: bool, samples: int, asked: int) -> None:
    ASKED.clear()
    result = audit.uniform_stability(largest, 8, 3, symmetric=symmetric, points=[0])
    assert (result.value, result.counts.datasets) == (1, samples)
    # Six; one for each sequence of labels (8, or 4 up to order) that is new; the doubling numbers
    # (13 and 10, up to order with the reverse) and the two of the witness. Each run is made twice.
    assert len(ASKED) == 2 * asked


def test_pieces_of_work_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pac_stability.audit.search.parallel.PIECE", -1.0)  # a sample at a time
    ASKED.clear()
    audit.uniform_stability(largest, 3, 2, points=[0], processes=1)
    assert len(ASKED) == 2 * (6 + 2 + 7 + 2)


TABLE: list[int] = []


def late(sample: Sample[int], point: int, rng: ExactGenerator) -> int:
    if not TABLE:
        TABLE.append(0)
    return largest(sample, point, rng)


def test_when_all_is_asked_again_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps something since the first question, after which the same were put again."""
    monkeypatch.setattr("pac_stability.audit.search.parallel.PIECE", math.inf)
    TABLE.clear()
    ASKED.clear()
    audit.uniform_stability(late, 8, 3, points=[0], processes=1)
    assert len(ASKED) == 2 * (2 * 27 - 2)  # the two of the witness once


def asked_of(
    learner: Callable[[Sample[Any]], object], universe: tuple[Example[Any], ...], n: int
) -> tuple[list[object], int]:
    """Return the answers on all samples, and on how many the learner was asked."""
    asked = 0
    shared = Sharing(universe)

    def ask(sample: Sample[object]) -> tuple[object, ...]:
        nonlocal asked
        asked += 1
        return (learner(sample),)

    answers = []
    for places in itertools.product(range(len(universe)), repeat=n):
        (answer,) = shared.row(places, ask)
        assert answer == learner(Sample.from_examples(universe[place] for place in places))
        answers.append(answer)
    return answers, asked


@pytest.mark.parametrize(
    ("learner", "asked"),
    [
        (lambda sample: 0, 6),
        (len, 6 + 2),
        (lambda sample: sample.labels[0], 6 + 2),
        (lambda sample: sample.points[0], 6 + 6),
        (lambda sample: sample.labels and sample.distinct_points, 36),
    ],
)
def test_what_is_asked_is_what_is_looked_at(
    learner: Callable[[Sample[Any]], object], asked: int
) -> None:
    """Of 36 samples with 4 sequences of labels and 9 of points, the first six have 2 and 3."""
    universe = all_examples(range(3))
    assert asked_of(learner, universe, 2)[1] == asked


def test_equal_points_that_can_be_told_apart_are_two() -> None:
    points = ((1,), (2,), (3,), (True,))  # the last is met when answers are shared
    universe = tuple(Example(point, y) for point in points for y in (0, 1))

    def looks(sample: Sample[Any]) -> str:
        return repr(sample.points)

    answers, asked = asked_of(looks, universe, 2)
    assert len(set(answers)) == 16
    assert asked < 64


class Lazy:
    """An outcome that looks at its sample when it is compared."""

    def __init__(self, sample: Sample[int]) -> None:
        self.sample = sample

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lazy) and self.sample == other.sample

    def __hash__(self) -> int:
        return 0


def test_a_sample_that_is_kept_counts_as_looked_at() -> None:
    def law(sample: Sample[int]) -> FiniteDistribution[Lazy]:
        return FiniteDistribution.point_mass(Lazy(sample))

    assert asked_of(law, all_examples(range(2)), 2)[1] == 16
    result = audit.differential_privacy(law, 2, 2, labelled=True)
    assert result.counts.outcomes == 16


def test_one_that_is_kept_later_does_too() -> None:
    def outcome(sample: Sample[int]) -> object:
        return Lazy(sample) if sample.labels[0] else 0

    answers, _ = asked_of(outcome, all_examples(range(3)), 2)
    assert len(set(answers)) == 19


def test_one_that_changes_its_mind_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its count is where no digest finds it; answers are shared, but for some that tell."""
    monkeypatch.setattr(sharing, "ASKED_AGAIN", 7)
    ASKED.clear()

    def learner(sample: Sample[int], point: int, rng: Coins) -> int:
        kept = sys.modules[__name__].__dict__["ASKED"]
        kept.append(())
        return int(len(kept) > 60)

    with pytest.raises(SubjectFailure, match="two different answers from") as caught:
        audit.private_prediction(learner, 3, 4, points=[0])
    assert caught.value.sample is not None


def test_an_answer_that_is_asked_for_again_has_to_be_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sharing, "ASKED_AGAIN", 5)
    shared = Sharing(all_examples([0]))
    answers = iter([0] * 7 + [1])

    def ask(sample: Sample[object]) -> tuple[int]:
        return (next(answers),)

    places = [(0,)] * 14
    assert [shared.row(each, ask) for each in places] == [(0,)] * 14  # asked: 1 to 6, 10
    with pytest.raises(Unlike) as caught:  # the fifteenth
        shared.row((1,), ask)
    assert (caught.value.kept, caught.value.row) == ((0,), (1,))


def looks_more_at_first(first: list[int], sample: Sample[int]) -> int:
    return sample.labels[0] if first else len({*sample.labels, *sample.points})


def looks_elsewhere_at_first(first: list[int], sample: Sample[int]) -> int:
    return len(sample.labels if first else sample.points)


@pytest.mark.parametrize(
    ("looks", "begin", "times"),
    [
        (looks_more_at_first, [], 36),
        (looks_elsewhere_at_first, [], 36),
        # Met again at (1, 3), after six and (1, 0), and before 26 others.
        (looks_more_at_first, [(1, 1)], 34),
    ],
)
def test_one_that_looks_at_something_else_shares_nothing(
    looks: Callable[[list[int], Sample[int]], int], begin: list[tuple[int, int]], times: int
) -> None:
    """As what fills a table at its first question does."""
    asked: list[int] = []
    shared = Sharing(all_examples(range(3)))

    def ask(sample: Sample[Any]) -> tuple[int]:
        looks(asked, sample)
        asked.append(0)
        return (0,)

    for places in [*begin, *itertools.product(range(6), repeat=2)]:
        assert shared.row(places, ask) == (0,)
    assert len(asked) == times


def test_what_differs_at_first_shares_nothing() -> None:
    shared = Sharing(all_examples([0]))
    answers = itertools.count()
    rows = [shared.row((0,), lambda sample: (next(answers),)) for _ in range(20)]
    assert rows == [(k,) for k in range(20)]


def test_one_that_looks_at_everything_is_not_remembered() -> None:
    universe = all_examples(range(3))
    looked = Sharing(universe)
    asked: list[object] = []

    def ask(sample: Sample[object]) -> tuple[object, ...]:
        asked.append(sample.points + sample.labels)
        return ()

    for _ in range(2):
        for place in range(6):
            looked.row((place,), ask)
    assert len(asked) == 12


def test_what_was_seen_does_not_travel() -> None:
    shared = Sharing(all_examples([0]))
    shared.row((0,), lambda sample: (lambda: 0,))
    arrived = pickle.loads(pickle.dumps(shared))  # noqa: S301  # ours
    assert arrived.row((0,), lambda sample: (1,)) == (1,)


def test_threads_share(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = audit.private_prediction(by_labels, 3, 4)
    with ThreadPoolExecutor(3) as pool:
        assert audit.private_prediction(by_labels, 3, 4, executor=pool) == alone


def counting(sample: Sample[int], point: int, rng: Coins) -> int:
    COUNTS[0] += 1
    return sample.labels[0] if COUNTS[0] % 701 == 0 else 0


COUNTS = [0]


def test_what_counts_its_calls_is_refused_where_answers_are_shared() -> None:
    with pytest.raises(SubjectFailure, match="the global variable COUNTS"):
        audit.private_prediction(counting, 3, 4)


def test_an_unread_sample_is_one() -> None:
    def look(part: str) -> tuple[object, ...]:
        looks.append(part)
        return ("a", "b") if part == "point" else (0, 1)

    for read, wanted in (
        (repr, ["point", "label"]),
        (hash, ["point", "label"]),
        (list, ["point", "label"]),
        (lambda sample: sample[:1], ["point", "label"]),
        (len, ["label"]),
        (lambda sample: sample.distinct_points, ["point"]),
    ):
        looks: list[str] = []
        sample = unread_sample(look)
        assert type(sample) is Sample
        assert read(sample) == read(Sample("ab", [0, 1]))
        assert looks == wanted
    arrived = pickle.loads(pickle.dumps(unread_sample(look)))  # noqa: S301  # ours
    assert arrived == Sample("ab", [0, 1])
    for other in (unread_sample(look), Sample("ab", [0, 1])):
        with pytest.raises(AttributeError, match="'Sample' object has no attribute 'point'"):
            other.point  # type: ignore[attr-defined]  # noqa: B018  # asking is what fails
