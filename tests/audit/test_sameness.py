"""When two outcomes are the same, by the rule of the page on what an audit assumes."""

from __future__ import annotations

import enum
import functools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from pac_stability import FiniteDistribution, Sample, audit, data
from pac_stability.audit.certificates import from_json, to_document, to_json
from pac_stability.audit.watching.program import UNLIKE, Forms, comparable, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from pac_stability.randomness import Coins


class Rule:
    """A hypothesis without an equality of its own."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __call__(self, _: object) -> int:
        return self.value


@functools.cache
def made_once(labels: tuple[int, ...]) -> Rule:
    assert labels
    return Rule(0)


@dataclass(frozen=True)
class Model:
    cut: int
    trained_on: tuple[int, ...] = field(default=(), compare=False)


class Colour(enum.Enum):
    RED = 1


def test_functions_count_as_their_tables() -> None:
    def cached(sample: Sample[int], rng: Coins) -> Rule:
        assert rng is not None
        return made_once(sample.labels)

    result = audit.differential_privacy(cached, 2, 2, claim=1, deterministic=True)
    assert (result.verdict, result.value) == (audit.Verdict.VERIFIED, 1)

    def fresh(sample: Sample[int], rng: Coins) -> Callable[[int], int]:
        label = sample.labels[0] ^ rng.bernoulli(Fraction(1, 4))
        return lambda _: label

    for mechanism in (fresh, data.FromProgram(fresh)):
        result = audit.differential_privacy(mechanism, 2, 1, claim=2)
        assert result.value == 3
        assert from_json(to_json(result)).value == 3
        checked = audit.recheck(to_document(result), against=mechanism)
        assert checked.proved[-1].startswith("the laws are those of the given mechanism")


def test_so_they_do_in_laws() -> None:
    def copied(sample: Sample[int]) -> FiniteDistribution[Rule]:
        return FiniteDistribution.point_mass(Rule(sample.labels[0]))

    def constant(_: Sample[int]) -> FiniteDistribution[Rule]:
        return FiniteDistribution.point_mass(Rule(0))

    assert audit.differential_privacy(copied, 1, 1).counts.outcomes == 2
    assert audit.differential_privacy(constant, 1, 1, claim=0).value == 1


@pytest.mark.parametrize("make", [object, lambda: Rule(3)])
def test_what_equals_only_itself_is_refused(make: Callable[[], object]) -> None:
    def program(sample: Sample[int], rng: Coins) -> object:
        assert sample.labels is not None
        assert rng is not None
        return make()

    with pytest.raises(audit.SubjectFailure, match="which equals only itself"):
        audit.differential_privacy(program, 1, 1)


@pytest.mark.parametrize("outcome", [None, Colour.RED, int, (None, Colour.RED), "a", 1.5])
def test_what_is_there_only_once_is_itself(outcome: object) -> None:
    assert comparable(outcome, [0]) is outcome
    audit.differential_privacy(data.Deterministic(lambda _: outcome), 1, 1)


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        (1, True, "1 and True"), (1, 1.0, "1 and 1.0"), (1, Fraction(1), "1 and Fraction(1, 1)"),
        (0.0, -0.0, "0.0 and -0.0"), ((1, "a"), (True, "a"), "(1, 'a') and (True, 'a')"),
        (
            Model(0, (0,)),
            Model(0, (1,)),
            "Model(cut=0, trained_on=(0)) and Model(cut=0, trained_on=(1))",
        ),
    ],
)  # fmt: skip
def test_equal_outcomes_that_are_not_written_alike_are_an_assumption(
    first: object, second: object, told: str
) -> None:
    def program(sample: Sample[int], rng: Coins) -> object:
        assert rng is not None
        return second if sample.labels[0] else first

    def one_law(sample: Sample[int], rng: Coins) -> object:
        return second if rng.below(2) and sample.labels else first

    def law(sample: Sample[int]) -> FiniteDistribution[object]:
        return FiniteDistribution.point_mass(second if sample.labels[0] else first)

    for mechanism in (program, one_law, law):
        result = audit.differential_privacy(
            mechanism, 1, 1, claim=1, deterministic=mechanism is not one_law
        )
        assert result.verdict is audit.Verdict.VERIFIED
        assert result.assumptions[2:] == (f"{UNLIKE}: {told}.",)


@pytest.mark.parametrize("value", [1, "a", (1, 2), Fraction(1, 3), frozenset("abc"), Model(1)])
def test_outcomes_that_are_written_alike_are_none(value: object) -> None:
    def program(sample: Sample[int], rng: Coins) -> object:
        assert rng.below(2) < 2, sample
        kept = {"frozenset": lambda: frozenset(sorted("abc", reverse=bool(rng.below(2))))}
        return kept.get(type(value).__name__, lambda: value)()

    assert len(audit.differential_privacy(program, 1, 1).assumptions) == 2


def test_forms_are_noticed_across_processes() -> None:
    def law(sample: Sample[int]) -> FiniteDistribution[object]:
        return FiniteDistribution.point_mass(True if sample.labels == (1, 1, 1) else 1)

    with ThreadPoolExecutor(2) as executor:
        result = audit.differential_privacy(law, 2, 3, executor=executor)
    assert result.assumptions[2:] == (f"{UNLIKE}: 1 and True.",)


def test_what_is_written() -> None:
    class Plain:
        def __init__(self) -> None:
            self.inside = {"b": 1, "a": {2, 1}}

    assert written(Plain()).endswith("Plain()dict{'inside': dict{'a': set{1, 2}, 'b': 1}}")
    assert written([1, (True, None)]) == "list(1, (True, None))"
    assert Forms().note(1) == ""


@dataclass(frozen=True)
class Quiet:
    """An outcome that does not show what it holds."""

    inside: int

    def __repr__(self) -> str:
        return "Quiet"


def test_a_certificate_tells_apart_what_is_described_alike() -> None:
    def law(sample: Sample[int]) -> FiniteDistribution[Quiet]:
        return FiniteDistribution.point_mass(Quiet(sample.labels[0]))

    document = to_document(audit.differential_privacy(law, 1, 1, claim=1))
    assert document["objects"] == [{"repr": "Quiet(inside=0)"}, {"repr": "Quiet(inside=1)"}]
    checked = audit.recheck(document, against=law)
    assert checked.refutes
