"""Whether each object that a claim names is entered by its trials, which would notice a wrong one.

``python -m tools.examined``           every claim with trials; exit code 1 if one falls short
``python -m tools.examined 'DF20:*'``  some claims; ``--entered`` leaves out what they would notice
``python -m tools.examined --sample 6``  every sixth, others for another commit, and some that name
                                       what the commit changes

An object is *entered* when a trial of the claim, with the quick budget, runs a line of it.  It is
*noticed* when the claim is no longer found as expected after every result of the object is made
larger, or after every one is made smaller: numbers by a factor of 64, or of 2, answers turned
round, tables and samples short of a half or of one, lists of a half or wrong in each item, laws
moved on by an outcome.  Of what is known to fail only the first is asked, as a wrong line seldom
makes it hold.

To be quick, the trials of a claim are run once to see where each object is entered first; a wrong
one is asked about from there on, until it is noticed.  Each question has a process of its own, a
copy of one that has read the books and asked nothing, so that nothing is found in a cache of
another.

What needs no examination has a line in ``tools/examined.toml``, with the reason.
"""

from __future__ import annotations

import argparse
import copy
import dataclasses
import json
import os
import resource
import signal
import tomllib
import traceback
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import suppress
from enum import Enum
from fractions import Fraction
from functools import cached_property, partial
from itertools import count, islice, product
from math import ceil
from pathlib import Path
from time import process_time
from typing import Any, TypeAlias

from pac_stability import claims
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.claims import Budget, Claim, Expectation, Status
from pac_stability.claims.search import path_to
from pac_stability.classes import FiniteClass
from pac_stability.data import FiniteDistribution, Sample
from tools.mutator.source import ROOT, changed_files, sampled

_FIRST = 250  # instances of each trial that are looked at
_FEW = 6  # where every object has been entered in some trial
_PATIENCE = 2  # times as long as with right results: a run that does not end is noticed, too
REASONS = Path(__file__).with_suffix(".toml")


class Unchanged(Exception):
    """There is no wrong value of this kind."""


def functions_of(thing: object) -> list[types.FunctionType]:
    """Return the functions that are written in Python and make up an object."""
    found = getattr(thing, "__wrapped__", thing)
    for name in ("__func__", "fget", "func"):
        found = getattr(found, name, found) if not isinstance(found, type) else found
    if isinstance(found, types.FunctionType):
        return [found]
    if isinstance(found, type):
        home = [each for each in found.__mro__ if each.__module__.startswith("pac_stability")]
        members = [member for each in home for member in vars(each).values()]
    elif isinstance(found, types.ModuleType):
        members = [
            m for m in vars(found).values() if getattr(m, "__module__", "") == found.__name__
        ]
    elif dataclasses.is_dataclass(found):
        members = [getattr(found, field.name) for field in dataclasses.fields(found)]
        members += vars(type(found)).values()
    else:
        members = [*vars(type(found)).values()]
    kinds = (types.FunctionType, classmethod, staticmethod, property, cached_property)
    return [f for m in members if isinstance(m, kinds) for f in functions_of(m)]


Original: TypeAlias = Callable[..., Any]
Entries = dict[str, dict[str, int]]
"""For the name of an object, and of a trial that enters it: the first instance that does."""


def entered_by(claim: Claim, wanted: dict[str, object]) -> tuple[Entries, float]:
    """Return which trials enter the objects, and where, and how many seconds they took."""
    began = process_time()
    found: Entries = {name: {} for name in wanted}
    names: dict[types.FunctionType, list[str]] = {}
    for name, thing in wanted.items():
        for function in functions_of(thing):
            names.setdefault(function, []).append(name)
    for trial in claim.trials:
        position = 0

        def first_call(function: types.FunctionType, original: Original) -> Original:
            def call(*args: Any, **options: Any) -> Any:  # as the original
                marks[function].undo()  # noqa: B023  # it is called in this turn
                for name in names[function]:
                    found[name].setdefault(trial.name, position)  # noqa: B023
                return original(*args, **options)

            return call

        marks = {each: Replaced([each], partial(first_call, each)) for each in names}
        for asked in islice(trial.ask(Budget.QUICK, False, 0, 1), _FIRST):
            position = asked.position + 1
            here = all(trial.name in places for places in found.values())
            if here or (position >= _FEW and all(found.values())):
                break
        for mark in marks.values():
            mark.undo()
    return found, process_time() - began


class Replaced:
    """Functions for which others are called, from wherever, until that is undone."""

    _number = count()

    def __init__(
        self, functions: Iterable[types.FunctionType], instead: Callable[[Original], Original]
    ) -> None:
        self._before = [(function, function.__code__) for function in functions]
        for function, code in self._before:
            original = types.FunctionType(
                code, function.__globals__, function.__name__,
                function.__defaults__, function.__closure__,
            )  # fmt: skip
            original.__kwdefaults__ = function.__kwdefaults__
            key = f"_replaced_{next(self._number)}"
            function.__globals__[key] = instead(original)
            function.__code__ = _calling(key, code.co_freevars)

    def undo(self) -> None:
        """Let the functions do what they did before."""
        for function, code in self._before:
            function.__code__ = code


# Wrong results


def changed(value: Any, up: bool, times: int = 2) -> Any:  # whatever it is, one of its kind
    """Return another value of the kind, larger or smaller where that means something.

    Examples
    --------
    >>> changed(True, True), changed(3, True), changed((1, 2), False), changed(Fraction(1, 2), True)
    (False, 7, (1,), Fraction(1, 1))
    """
    match value:
        case bool():
            return not value
        case int():
            return value * times + 1 if up else value // times - (value == 0)
        case Interval():
            return times * value if up else value / times
        case Fraction() | float():
            return value * times + (value == 0) if up else value / times - (value == 0)
        case Epsilon():
            return Epsilon.exactly(value.ratio**2 if up else 1 + (value.ratio - 1) / 2)
        case FiniteClass() if len(value) > 1:
            rows = value.table[: _left(value, times)] if up else value.table[-_left(value, times) :]
            return FiniteClass(rows, domain=value.domain)
        case Sample() if value:
            return value[: _left(value, times)] if up else value[-_left(value, times) :]
        case FiniteDistribution() if len(value) > 1:
            items = list(value.items())
            weights = [w for _, w in items[1:]] + [items[0][1]]
            if up and weights != [w for _, w in items]:
                return FiniteDistribution(dict(zip((x for x, _ in items), weights, strict=True)))
            return FiniteDistribution.point_mass(items[0][0])
        case tuple() if hasattr(value, "_replace"):
            named: Any = value
            return named._replace(**field_changed(named._asdict(), up, times))
        case str() | bytes():
            raise Unchanged
        case tuple() | list() | frozenset() | set() if value:
            kept, left = list(value), _left(value, times)
            with suppress(Unchanged):
                if times == 2:
                    return type(value)(changed(each, up, times) for each in kept)
            return type(value)(kept[:left] if up else kept[len(kept) - left :])
        case dict() if value:
            return dict(list(value.items())[:-1] if up else list(value.items())[1:])
        case Iterator():
            return iter(changed(list(value), up))
        case _ if type(value).__module__.startswith("pac_stability") and not isinstance(
            value, Enum
        ):
            names = [*getattr(value, "__dict__", ())]
            names += [n for c in type(value).__mro__ for n in getattr(c, "__slots__", ())]
            wrong = copy.copy(value)
            fields = {name: getattr(value, name) for name in names if hasattr(value, name)}
            for name, changed_field in field_changed(fields, up, times).items():
                object.__setattr__(wrong, name, changed_field)
            return wrong
        case _:
            raise Unchanged


def _left(value: Sized, times: int) -> int:
    """Return how many of several are left: all but one, or a half."""
    return len(value) - 1 if times == 2 else len(value) // 2


def field_changed(fields: dict[str, Any], up: bool, times: int) -> dict[str, Any]:
    """Return wrong values of all fields that have some, or of the numbers if there are any."""
    numbers = int | Fraction | Interval | Epsilon | float
    found: dict[str, Any] = {}
    for name, value in fields.items():
        with suppress(Unchanged):
            found[name] = changed(value, up, times)
    if not found:
        raise Unchanged
    only = {name: value for name, value in found.items() if isinstance(fields[name], numbers)}
    return only if only and times == 2 else found


class Sabotage:
    """Gives wrong results in place of those of some functions."""

    def __init__(self, functions: Iterable[types.FunctionType], up: bool, times: int) -> None:
        self.worked, self._change = False, (up, times)
        Replaced(functions, self._wrong)

    def _wrong(self, original: Original) -> Original:
        def call(*args: Any, **options: Any) -> Any:  # as the original
            found = original(*args, **options)
            try:
                wrong = changed(found, *self._change)
            except Unchanged:
                return found
            except Exception:  # no value of its kind can be made like that
                return found
            self.worked = True
            return wrong

        return call


def _calling(key: str, free: Sequence[str]) -> types.CodeType:
    """Return code that calls a global, with the free variables that are asked for."""
    names = ", ".join(free) or "_unused"
    lines = (
        "def outer():", f"    {' = '.join([*free, '_unused'])} = None",
        "    def inner(*args, **options):", *([f"        ({names},)"] if free else []),
        f"        return {key}(*args, **options)", "    return inner",
    )  # fmt: skip
    space: dict[str, Any] = {}
    exec("\n".join(lines), space)  # noqa: S102  # these lines
    inner: types.FunctionType = space["outer"]()
    return inner.__code__


def notices(
    claim: Claim, thing: object, places: Mapping[str, int], seconds: float = 1
) -> bool | None:
    """Whether the claim notices wrong results of an object; None where there are none.

    Parameters
    ----------
    claim, thing
        The two.
    places
        The first instance to ask about, for each trial that is to be asked.
    seconds
        How long the trials take with right results.
    """
    limit = _PATIENCE * (0.5 + seconds)
    functions = [
        f for f in functions_of(thing)
        if not f.__name__.startswith("__") or f.__name__ == "__call__"
    ]  # fmt: skip
    if not functions:
        return None
    worked = False
    for wrong in product((64, 2), (True, False)):
        found = in_a_process(partial(_found_otherwise, claim, functions, places, limit, wrong))
        if found[0]:
            return True
        worked = worked or found[1]
    return False if worked else None


def _found_otherwise(
    claim: Claim,
    functions: Collection[types.FunctionType],
    places: Mapping[str, int],
    limit: float,
    wrong: tuple[int, bool],
) -> list[bool]:
    times, up = wrong
    sabotage = Sabotage(functions, up, times)
    # Not by a handler: a number that is too large can keep a single step of C going.
    resource.setrlimit(resource.RLIMIT_CPU, (ceil(limit), ceil(limit) + 1))
    for trial in claim.trials:
        if trial.name in places:
            start = places[trial.name]
            asked = islice(trial.ask(Budget.QUICK, False, start, 1), _FIRST - start)
            if claims.Tally.asking(asked).status in (Status.REFUTED, Status.BROKEN):
                return [True, True]
    return [False, sabotage.worked]


def in_a_process(ask: Callable[[], Any]) -> Any:  # what JSON has of it
    """Ask in a copy of this process, and return the answer."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            try:
                answer = ask()
            except Exception:
                traceback.print_exc()
                raise
            with os.fdopen(writer, "w") as stream:
                json.dump(answer, stream)
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as stream:
        text = stream.read()
    _, status = os.waitpid(child, 0)
    if os.waitstatus_to_exitcode(status) in (-signal.SIGXCPU, -signal.SIGKILL):
        return [True, True]
    if not text:
        raise SystemExit("a process ended without an answer")
    return json.loads(text)


def shortcomings(claim: Claim, excused: Collection[str], *, entered: bool) -> Iterator[str]:
    """Say which objects of a claim its trials do not enter, or would not notice."""
    wanted = {name: path_to(name)[-1] for name in claim.code if name not in excused}
    entries, seconds = in_a_process(lambda: entered_by(claim, wanted)) if wanted else ({}, 0)
    for name, thing in wanted.items():
        if not entries[name]:
            yield f"{claim.key}: {name} is not entered"
        elif not entered and claim.expectation is Expectation.HOLDS:
            noticed = notices(claim, thing, entries[name], seconds)
            if not noticed:
                why = "has no results to be wrong" if noticed is None else "could be wrong"
                yield f"{claim.key}: {name} {why}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask the claims chosen, and say what falls short."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("claims", nargs="*", metavar="PATTERN")
    parser.add_argument("--entered", action="store_true", help="only whether they are entered")
    parser.add_argument("--sample", type=int, default=1, help="ask one part of so many")
    options = parser.parse_args(arguments)
    excused = tomllib.loads(REASONS.read_text(encoding="utf-8"))
    chosen: Sequence[Claim]
    chosen = claims.select(options.claims) if options.claims else claims.all()
    if options.sample > 1:
        changed = {str(ROOT / file) for file in changed_files()}

        def touched(claim: Claim) -> bool:
            functions = (f for name in claim.code for f in functions_of(path_to(name)[-1]))
            return any(one.__code__.co_filename in changed for one in functions)

        chosen = sampled(chosen, options.sample, touched)
    found = 0
    for claim in chosen:
        if claim.trials:
            for line in shortcomings(claim, excused.get(claim.key, {}), entered=options.entered):
                found += 1
                print(line, flush=True)
    print(f"{len(chosen)} claims: {found} objects that a claim names and does not examine")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
