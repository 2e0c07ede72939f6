"""A walk over what a program holds takes containers together, and finds what it does one by one."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter, OrderedDict
from dataclasses import dataclass
from fractions import Fraction
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

import pytest
from pac_stability.randomness.hidden.identity import identity
from pac_stability.randomness.hidden.world import World

from pac_stability.randomness.hidden import world
from pac_stability.randomness.rewindable import Rewindable

if TYPE_CHECKING:
    from collections.abc import Callable

GENERATORS = [random.Random(seed) for seed in range(8)]


class Row(NamedTuple):
    """A tuple with names."""

    first: object
    second: object


class Named(str):
    """Text with attributes."""

    kept: object


class Listed(list[object]):
    """A list with attributes."""

    kept: object


class Stream(list[int], Rewindable):
    """A list that is a generator."""

    def state(self) -> object:
        return tuple(self)

    def rewind(self, state: object, /) -> None:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Slots:
    """An object without a dictionary."""

    held: object


def with_attribute() -> object:
    listed = Listed([1, (2, [GENERATORS[0]])])
    listed.kept = {3: GENERATORS[1]}
    return [listed, [GENERATORS[2]]]


def in_text() -> object:
    name = Named("n")
    name.kept = GENERATORS[0]
    return [1, [name, "text"]]


def of_itself() -> object:
    inner: list[object] = [GENERATORS[0]]
    inner += [inner, (inner, {"again": inner})]
    return inner, inner


def closure() -> Callable[[], object]:
    held = {frozenset([1, (2, 3)]): [GENERATORS[0], (GENERATORS[1],)]}

    def function(default: object = (Slots([GENERATORS[2]]),)) -> object:
        return held, default, os.sep, GENERATORS

    return function


def of_the_user() -> object:
    module = ModuleType("typed_in")
    vars(module)["coins"] = ([GENERATORS[3]],)
    return [module], (vars(module), [vars(random), [GENERATORS[4]]])


HELD = ["this list is sought"]
PROGRAMS: dict[str, object] = {
    "nested": [[GENERATORS[0], (GENERATORS[1],)], {1: {GENERATORS[2], 5}}, (), [], {}],
    "one": [GENERATORS[0]],
    "shared": of_itself(),
    "table": {(k, k % 3): [Fraction(k), (k, [GENERATORS[k]])] for k in range(8)},
    "text": {"a": {"b": {"c": GENERATORS[0]}}, "d": {1: GENERATORS[1]}},
    "attribute": with_attribute(),
    "named": in_text(),
    "derived": [
        OrderedDict(a=[GENERATORS[0]]),
        Counter({GENERATORS[1]: 2}),
        Row([GENERATORS[2]], Stream([1])),
        Row(GENERATORS[3], ({Stream([2, 3]).state()},)),
        Stream([1, 2]),
    ],
    "slots": [Slots([GENERATORS[0]]), {Slots((1,)): Slots({1: [GENERATORS[1]]})}],
    "closure": closure(),
    "modules": of_the_user(),
    "border": [vars(random), vars(os), [GENERATORS[0]]],
    "sought": ([[HELD]], [time.time], GENERATORS[0]),
    "long": [list(range(30)), [GENERATORS[0]], tuple(range(70)), {k: k for k in range(40)}],
}


def found(program: object) -> tuple[list[int], set[str], bool, bool]:
    walk = World(program, {identity(HELD): "", identity(time.time): ""})
    return [identity(each) for each in walk.generators], walk.names, walk.held, walk.whole


@pytest.mark.parametrize("name", PROGRAMS)
def test_containers_together_are_containers_one_by_one(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = [(looks, objects) for looks in range(90) for objects in (12, 5_000)]
    limits += [(50_000, objects) for objects in range(1, 40)]

    def everything() -> list[object]:
        answers: list[object] = []
        for looks, objects in limits:
            monkeypatch.setattr(world, "_MOST_LOOKS", looks)
            monkeypatch.setattr(world, "_MOST_OBJECTS", objects)
            answers.append(found(PROGRAMS[name]))
        return answers

    together = everything()
    monkeypatch.setattr(world, "_CONTAINERS", frozenset())
    assert together == everything()


@pytest.mark.parametrize(
    ("name", "count", "held"),
    [
        ("nested", 3, False), ("one", 1, False), ("shared", 1, False), ("table", 8, False),
        ("text", 2, False), ("attribute", 3, False), ("named", 1, False), ("derived", 6, False),
        ("slots", 2, False), ("closure", 8, False), ("modules", 2, False),
        ("border", 1, False), ("sought", 1, True),
        ("long", 1, False),
    ],
)  # fmt: skip
def test_all_generators_are_found(name: str, count: int, held: bool) -> None:
    generators, _, is_held, whole = found(PROGRAMS[name])
    assert (len(generators), is_held, whole) == (count, held, True)


def test_a_list_that_is_sought_is_found_among_others() -> None:
    assert World([[HELD], []], {identity(HELD): ""}).held
    assert not World([[], []], {identity(HELD): ""}).held


def test_no_two_objects_are_one() -> None:
    class Alike:
        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

    values: list[object] = [Alike() for _ in range(10_000)]
    values += [[] for _ in range(10_000)]
    values += [(k, k) for k in range(10_000)]
    assert len(set(map(identity, values))) == len(values)
    assert [identity(value) for value in values] == list(map(identity, values))


def test_nobody_hears_of_the_objects_that_a_walk_sees() -> None:
    # In a process of its own, since a hook stays.
    code = """
import sys
from pac_stability.randomness.hidden import Watch

held = [[k, (k,)] for k in range(100)]
heard = []
sys.addaudithook(lambda event, _: heard.append(event))
with Watch(lambda: held):
    pass
assert len(heard) < 100, len(heard)
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
