"""What a program keeps is read place by place, and a change of it has a name."""

import copy
import functools
import re
from collections.abc import Callable

import numpy as np
import pytest

from pac_stability.audit.watching.memory import StateReader
from pac_stability.audit.watching.program import changed, memory_of
from pac_stability.data import FromProgram
from pac_stability.randomness import Coins

SEEN: dict[int, int] = {}


def counting() -> Callable[[int], int]:
    calls = 0

    def count(x: int) -> int:
        nonlocal calls
        calls += 1
        return x

    return count


def remembering(x: int) -> int:
    return SEEN.setdefault(x, x)


def through_another(x: int) -> int:
    return remembering(x)


def with_an_attribute(x: int) -> int:
    with_an_attribute.calls = getattr(with_an_attribute, "calls", 0) + 1  # type: ignore[attr-defined]  # a place to keep something
    return x


class Counter:
    def __init__(self) -> None:
        self.calls = 0

    def count(self, x: int) -> int:
        self.calls += 1
        return x

    def __call__(self, x: int) -> int:
        return self.count(x)


@functools.cache
def cached(x: int) -> int:
    return x


def pure(x: int) -> int:
    return x + len(SEEN.__class__.__name__)


@pytest.mark.parametrize(("program", "name"), [
    (counting(), "the variable calls"),
    (remembering, "the global variable SEEN"),
    (through_another, "the global variable SEEN"),
    (with_an_attribute, "the attribute calls of with_an_attribute"),
    (Counter().count, "the attribute calls of a Counter"),
    (Counter(), "the attribute calls of a Counter"),
])  # fmt: skip
def test_what_a_call_changes_is_named(program: Callable[[int], int], name: str) -> None:
    SEEN.clear()
    before = memory_of(program)
    assert memory_of(program) == before
    assert not changed(before, memory_of(program))
    program(3)
    assert name in changed(before, memory_of(program))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([1, {"a": [2]}], [1, {"a": [3]}]), ([1], [True]), ([1], [1.0]), ([[1]], [(1,)]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}), ([b"x"], ["x"]), ([0.0], [-0.0]),
        ([re.compile("a")], [re.compile("a", re.IGNORECASE)]), ([np.zeros(1)], [np.zeros(1, int)]),
    ],
)  # fmt: skip
def test_values_that_differ_are_read_as_others(one: object, other: object) -> None:
    codes = [StateReader().digest_of(value) for value in (one, copy.deepcopy(one), other)]
    assert codes[0] == codes[1] != codes[2]


def test_what_is_held_many_times_is_read_once() -> None:
    held: list[object] = [0]
    for _ in range(40):
        held = [held, held]
    assert StateReader().digest_of(held) == StateReader().digest_of(copy.deepcopy(held))


def test_a_program_in_a_wrapper_is_read_too() -> None:
    calls = 0

    def program(x: int, rng: Coins) -> int:
        nonlocal calls
        calls += 1
        return x + rng.below(2)

    wrapped = FromProgram(program)
    before = memory_of(wrapped)
    wrapped.law(0)
    assert changed(before, memory_of(wrapped)) == ("the variable calls",)


@pytest.mark.parametrize("program", [cached, pure])
def test_nothing_is_said_of_what_keeps_nothing(program: Callable[[int], int]) -> None:
    before = memory_of(program)
    program(5)
    assert not changed(before, memory_of(program))
