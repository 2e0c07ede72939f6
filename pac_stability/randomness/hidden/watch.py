"""A watch over a program: everything that it draws besides its coins is found."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import TypeAlias, TypeVar

from pac_stability.errors import InvalidInput
from pac_stability.randomness.corrections import corrected, correction
from pac_stability.randomness.hidden import gates
from pac_stability.randomness.hidden.places import Owner, blamed, owner_of_frame, place, place_of
from pac_stability.randomness.hidden.world import (
    World,
    global_generators,
    restore,
    same_state,
    state_of,
)

T = TypeVar("T")

TraceFunction: TypeAlias = Callable[[FrameType, str, object], object]
"""What ``sys.settrace`` takes, and what its calls return."""

_MOST_LINES = 20_000
TOO_MUCH = (
    "What it can reach is too much to look through for generators: it keeps none but those seen."
)
"""What is assumed of a program that holds very many objects."""


class HiddenDraw(InvalidInput):
    """A program drew from something besides its coins; the message names it and the line.

    Attributes
    ----------
    place
        The file, the line and its text; empty when they are not known.
    """

    def __init__(self, argument: str, given: str, wanted: str, place: str = "") -> None:
        super().__init__(argument, given, wanted)
        self.place = place

    def __reduce__(self) -> tuple[type[HiddenDraw], tuple[str, str, str, str]]:  # type: ignore[override]  # an argument more
        return type(self), (self.argument, self.given, self.wanted, self.place)


class Watch:
    """A watch over what this thread runs, as a context manager.

    Parameters
    ----------
    program
        Whose generators are watched, and functions that it holds; found by following references. By
        default only those of ``random`` and ``numpy.random`` are, and the gates.
    assumed
        Where to keep what is assumed; a dictionary of its own by default.

    Attributes
    ----------
    assumed
        What was done that is no draw by itself, in sentences: the answers rest on these.

    Raises
    ------
    HiddenDraw
        When it ends: something was drawn that did not come through the coins. It takes the place
        of another exception of the program.

    Notes
    -----
    Beginning and ending one takes a fraction of a millisecond, mostly for reading the states of
    generators, and more for a program from which very much is reachable.

    Examples
    --------
    >>> import random
    >>> with Watch():
    ...     _ = random.random()
    Traceback (most recent call last):
        ...
    pac_stability.randomness.hidden.watch.HiddenDraw: program: got a draw from random, want one \
that depends on nothing but its coins
    """

    def __init__(self, program: object = None, assumed: dict[str, None] | None = None) -> None:
        self.assumed: dict[str, None] = {} if assumed is None else assumed
        self._program = program
        self._found: HiddenDraw | None = None
        self._outer: gates.Listener | None = None
        self._before: list[tuple[str, object, object]] = []
        self._profiling: Callable[..., object] | None = None
        self._profiled = False
        self._addresses = False

    def found(self, culprit: str, frame: FrameType | None) -> None:
        """Keep what was found first; called by the gates."""
        if self._found is None:
            who = blamed(frame)
            self._found = _draw(culprit, place_of(who), correction(who))

    def assume(self, sentence: str) -> None:
        """Keep what the answers rest on; called by the gates."""
        self.assumed[sentence] = None

    def require_clean(self) -> None:
        """Raise what was found at a gate so far."""
        if self._found is not None:
            raise self._found

    def __enter__(self) -> Watch:
        self._outer = gates.listener()
        if "numpy" in sys.modules:
            import numpy.random  # noqa: F401, PLC0415  # else a first use would look like a draw
        gates.DOORS.open()
        known = list(global_generators().items())
        if self._program is not None:
            named = gates.DOORS.sought()
            world = World(self._program, named)
            globally = [generator for _, generator in known]
            for generator in world.generators:
                if all(generator is not other for other in globally):
                    known.append((f"a {type(generator).__name__} that it keeps", generator))
            self._addresses = not gates.ADDRESSES.isdisjoint(world.names)
            if self._addresses:
                gates.ADDRESS_DOORS.open()
            if not world.whole:
                self.assume(TOO_MUCH)
            if world.held:
                self._profiled, self._profiling = True, sys.getprofile()
                sys.setprofile(gates.profiler(named))
        self._before = [(name, generator, state_of(generator)) for name, generator in known]
        gates.listen(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        gates.listen(self._outer)
        if self._profiled:
            sys.setprofile(self._profiling)
        if self._addresses:
            gates.ADDRESS_DOORS.close()
        gates.DOORS.close()
        if error is not None and not isinstance(error, Exception):
            return
        self._found = self._found or self._moved() or self._made()
        if self._found is not None and not _tells_of(error, self._found):
            raise self._found from error

    def _moved(self) -> HiddenDraw | None:
        for name, generator, state in self._before:
            if not same_state(state, state_of(generator)):
                return _draw(f"a draw from {name}")
        return None

    def _made(self) -> HiddenDraw | None:
        """Return what is wrong with a generator that was made and kept: it will be drawn from."""
        if self._program is not None:
            known = [generator for _, generator, _ in self._before]
            for generator in World(self._program, {}).generators:
                if all(generator is not other for other in known):
                    return _draw(f"a {type(generator).__name__} that it made, and keeps")
        return None

    def rewind(self) -> None:
        """Put the generators back to where they were at the beginning."""
        for _, generator, state in self._before:
            restore(generator, state)


def watched(question: Callable[[], T], program: object = None) -> T:
    """Ask a question of a program, and raise if it drew from anything but its coins.

    Parameters
    ----------
    question
        What is called.
    program
        As for :class:`Watch`.

    Raises
    ------
    HiddenDraw
        It did; the question is then asked again, line by line, to name the line. Within another
        watch only what passes a gate is raised here, and the rest when that one ends.

    Examples
    --------
    >>> watched(lambda: 3)
    3
    """
    outer = gates.listener()
    if isinstance(outer, Watch):
        try:
            return question()
        finally:
            outer.require_clean()
    watch = Watch(program)
    try:
        with watch:
            return question()
    except HiddenDraw as found:
        if found.place:
            raise
        line = _line_of_draw(question, watch)
        if line is None:
            raise
        better = corrected(linecache.getlines(line[0]), line[1])
        raise _draw(found.given, place(*line), better) from found.__cause__


def watched_in_parts(
    work: Callable[[], T], program: object, assumed: dict[str, None] | None = None
) -> T:
    """Do work that asks many questions of a program under one watch, by :func:`watched` each.

    Parameters
    ----------
    work
        What is called; a second time if a generator has moved, then question by question, to find
        the one that moved it.
    program
        As for :class:`Watch`.
    assumed
        Where to add :attr:`Watch.assumed`.

    Raises
    ------
    HiddenDraw
        Something was drawn that did not come through the coins.
    """
    if isinstance(gates.listener(), Watch):
        return work()
    watch = Watch(program, assumed)
    try:
        with watch:
            return work()
    except HiddenDraw as found:
        if not found.place:
            watch.rewind()
            work()
        raise


def is_watched() -> bool:
    """Return whether this thread is watched."""
    return gates.listener() is not None


def assume(sentence: str) -> None:
    """State what the answers rest on, if this thread is watched."""
    told = gates.listener()
    if told is not None:
        told.assume(sentence)


def report(culprit: str) -> None:
    """Say that something was drawn on that is no coin, if this thread is watched.

    Whatever the program does next, the watch raises when it ends.
    """
    told = gates.listener()
    if told is not None:
        told.found(culprit, sys._getframe(1))


def _tells_of(error: BaseException | None, found: HiddenDraw) -> bool:
    return error is found or (error is not None and error.__cause__ is found)


def _draw(culprit: str, where: str = "", better: str = "") -> HiddenDraw:
    given = f"{culprit} at {where}" if where else culprit
    wanted = "one that depends on nothing but its coins"
    return HiddenDraw("program", given, f"{wanted}; write: {better}" if better else wanted, where)


def _line_of_draw(question: Callable[[], T], watch: Watch) -> tuple[str, int] | None:
    """Ask again from the same states, and return the line after which a generator has moved."""
    watch.rewind()
    last: list[tuple[str, int]] = []
    found: list[tuple[str, int]] = []
    lines = 0

    def line(frame: FrameType, _event: str, _argument: object) -> TraceFunction | None:
        nonlocal lines
        lines += 1
        if found or lines > _MOST_LINES:
            return None
        if last and watch._moved() is not None:
            found.append(last[-1])
            return None
        who = blamed(frame)
        if who is not None:
            last[:] = [(who.f_code.co_filename, who.f_lineno)]
        return line

    def call(frame: FrameType, _event: str, _argument: object) -> TraceFunction | None:
        return line if owner_of_frame(frame) in (Owner.USER, Owner.LIBRARY) else None

    before = sys.gettrace()
    sys.settrace(call)  # type: ignore[arg-type]  # what it returns is of the same kind, for ever
    try:
        question()
    except Exception:  # the program's; it is not about that now  # noqa: S110
        pass
    finally:
        sys.settrace(before)
    if not found and last and lines <= _MOST_LINES and watch._moved() is not None:
        found = last
    return found[0] if found else None
