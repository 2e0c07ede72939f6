"""The compiled tournaments on streams against their readable twin, on machines of any kind."""

from __future__ import annotations

import signal
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pytest

from pac_stability._core.soa_streams import SoaStream

FINISHED, FAILED, WORDS, EXAMPLES, STEP, MOVES, PREDICTOR, POINT, BORDER, SUCCESSOR, PAUSED = range(
    11
)
UNKNOWN = -1

Words: TypeAlias = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class Cells:
    """Borders of cells: the first word, and the last, that can lie on either side of each."""

    first: list[int]
    last: list[int]

    def of(self, take: Callable[[], int]) -> int:
        """The cell of the next word; what is open falls to the left for even words."""
        if not self.first:
            return 0
        word = take()
        after = sum(first <= word for first in self.first)
        return after - (after > 0 and self.last[after - 1] >= word and word % 2 == 0)


@dataclass(frozen=True)
class Chances:
    """How a state changes when examples are drawn: the wait, the move, the successors."""

    waiting: Cells
    moves: Cells
    successors: list[int]


@dataclass(frozen=True)
class Machine:
    """All that there is to know: the tables of the kernel, with nothing left open."""

    block: int
    budget: int
    steps: list[list[int]]
    predictors: list[int]
    chances: list[Chances]
    opening: Chances | None
    points: dict[tuple[int, int], int]
    fresh: int

    def run(self, top: int, take: Callable[[], int], codes: Iterator[int] | None) -> int | None:
        """The state in the end, or ``None`` for a failure: the recursion as the paper writes it."""
        players = 0

        def drawn(state: int, left: int) -> int:
            if codes is not None:
                for _ in range(left):
                    state = self.steps[state][next(codes)]
                return state
            while left:
                chances = self.chances[state]
                if not chances.successors:
                    break
                waited = chances.waiting.of(take)
                if waited >= left:
                    break
                left -= waited
                if waited and waited == len(chances.waiting.first):  # "so often at least"
                    continue
                left -= 1
                state = chances.successors[chances.moves.of(take)]
            return state

        def opened(opening: Chances) -> int:
            nonlocal players
            most = len(opening.waiting.first)
            while True:
                ties = opening.waiting.of(take)
                decided = ties < most or ties == 0
                players += 2 * (ties + decided)
                if players > self.budget:
                    raise OverflowError
                if decided:
                    return opening.successors[opening.moves.of(take)]

        def sample(k: int) -> int:
            nonlocal players
            if k == 0:
                return 0
            if k == 1 and codes is None and self.opening is not None:
                if not self.opening.successors:
                    raise OverflowError
                return opened(self.opening)
            while True:
                pair = []
                for _ in range(2):
                    before = sample(k - 1)
                    if players == self.budget:
                        raise OverflowError
                    players += 1
                    pair.append(drawn(before, self.block))
                one, other = (self.predictors[state] for state in pair)
                if one != other:
                    break
            place = self.points[one, other]
            label = take() & 1
            # The first predictor's label is the last bit; the loser takes the example in.
            return self.steps[pair[place & 1 == label]][place & ~1 | label]

        try:
            return drawn(sample(top), self.fresh)
        except OverflowError:
            return None


def sharing_a_slot() -> list[int]:
    """Predictors f, g, h such that the kernel has room for the point of (f, g) or of (f, h)."""
    seen: dict[int, int] = {}
    for other in range(2, 30_000):
        slot = (((1 << 32 | other) * 0x9E3779B97F4A7C15) & (2**64 - 1)) >> 50
        if slot in seen:
            return [1, seen[slot], other]
        seen[slot] = other
    raise AssertionError


def one_at_random(rng: np.random.Generator, given: bool) -> Machine:
    """A machine, with few predictors so that ties are common, and with likely borders."""
    states, columns, most = (int(rng.integers(1, high)) for high in (8, 4, 5))
    names = sharing_a_slot() if rng.random() < 0.3 else list(range(most))

    def cells(borders: int) -> Cells:
        first = sorted({int(word) for word in rng.integers(1, 2**63, borders, dtype=np.uint64) * 2})
        return Cells(first, [word + int(rng.integers(-1, 2)) for word in first])

    def chances(successors: int) -> Chances:
        return Chances(
            cells(int(rng.integers(0, 4))),
            moves := cells(successors - 1) if successors else Cells([], []),
            rng.integers(0, states, len(moves.first) + 1 if successors else 0).tolist(),
        )

    opening = chances(int(rng.integers(0, 4))) if rng.random() < 0.5 and not given else None
    return Machine(
        block=int(rng.integers(1, 6)),
        budget=int(rng.integers(0, 24)),
        steps=rng.integers(0, states, (states, 2 * columns)).tolist(),
        predictors=rng.choice(names, states).tolist(),
        chances=[chances(int(rng.integers(0, 4))) for _ in range(states)],
        opening=opening,
        points={(f, g): int(rng.integers(0, 2 * columns)) for f in names for g in names if f != g},
        fresh=int(rng.integers(0, 8)),
    )


@dataclass
class Driver:
    """The caller of the kernel, who says what is asked, an entry at a time."""

    machine: Machine
    rng: np.random.Generator
    asked: list[int] = field(default_factory=list)
    lengths: dict[int, int] = field(default_factory=dict)  # of cells, by where they begin

    def __post_init__(self) -> None:
        machine = self.machine
        self.stream = SoaStream(machine.block, machine.budget, machine.fresh)
        states = len(machine.steps)
        self.steps = np.full((states, len(machine.steps[0])), UNKNOWN, dtype=np.int32)
        self.predictors = np.full(states, UNKNOWN, dtype=np.int32)
        self.chances = np.full((states, 5), UNKNOWN, dtype=np.int64)
        self.first: list[int] = []
        self.last: list[int] = []
        self.successors: list[int] = []
        self.hidden: list[int] = []
        if machine.opening is not None:
            row = self._place(machine.opening) if machine.opening.successors else [-1, 0, 0, 0, 0]
            self.stream.open_with(np.array(row, dtype=np.int64))
        self._tell()

    def run(self, top: int, words: list[int], codes: list[int] | None) -> int | None:
        """What the kernel finds, with words and examples handed out in pieces."""
        stream = self.stream
        stream.start(top)
        left = np.zeros(0, dtype=np.uint64)
        read = np.zeros(0, dtype=np.uint8)
        while True:
            why = stream.sampled(left) if codes is None else stream.given(left, read)
            left, read = left[stream.used :], read[stream.read :]
            self.asked.append(why)
            if why == WORDS:
                assert not left.size
                count = int(self.rng.integers(1, 5))
                left = np.array(words[:count], dtype=np.uint64)
                del words[:count]
            elif why == EXAMPLES:
                assert codes is not None
                assert not read.size
                count = int(self.rng.integers(1, 9))
                read = np.array(codes[:count], dtype=np.uint8)
                del codes[:count]
            elif why in (FINISHED, FAILED):
                words[:0] = left.tolist()
                return stream.state if why == FINISHED else None
            else:
                self._answer(why)

    def _answer(self, why: int) -> None:
        stream, machine = self.stream, self.machine
        if why == STEP:
            after = machine.steps[stream.state][stream.code]
            self.steps[stream.state, stream.code] = after
        elif why == MOVES:
            chances = machine.chances[stream.state]
            row = self._place(chances) if chances.successors else [0, 0, 0, 0, -1]
            self.chances[stream.state] = row
            self._tell()
        elif why == PREDICTOR:
            self.predictors[stream.asked] = machine.predictors[stream.asked]
        elif why == POINT:
            place = machine.points[stream.asked, stream.other]
            stream.meet(stream.asked, stream.other, place)
        elif why == BORDER:
            begin = stream.asked
            borders = self.first[begin : begin + self.lengths[begin]]
            after = sum(first <= stream.word for first in borders)
            stream.settle(after - (stream.word % 2 == 0))
        else:
            assert why == SUCCESSOR
            self.successors[stream.asked] = self.hidden[stream.asked]
            self._tell()

    def _place(self, chances: Chances) -> list[int]:
        row = []
        for cells in (chances.waiting, chances.moves):
            row += [len(self.first), len(cells.first)]
            if cells.first:
                self.lengths[len(self.first)] = len(cells.first)
            self.first += cells.first
            self.last += cells.last
        self.hidden += chances.successors
        known = self.rng.random(len(chances.successors)) < 0.5
        self.successors += np.where(known, chances.successors, UNKNOWN).tolist()
        return [*row, len(self.hidden) - len(chances.successors)]

    def _tell(self) -> None:
        self.stream.know(
            self.steps,
            self.predictors,
            self.chances,
            np.array(self.first, dtype=np.uint64),
            np.array(self.last, dtype=np.uint64),
            np.array(self.successors, dtype=np.int32),
        )


def some_words(rng: np.random.Generator, machine: Machine, count: int) -> list[int]:
    """Words, a third of them on or beside a border."""
    borders = [0, 2**64 - 1]
    for chances in (*machine.chances, *filter(None, [machine.opening])):
        for first in (*chances.waiting.first, *chances.moves.first):
            borders += [first - 1, first, first + 1]
    near = rng.random(count) < 1 / 3
    anything = rng.integers(0, 2**64, count, dtype=np.uint64).tolist()
    return [
        borders[int(rng.integers(len(borders)))] if close else word
        for close, word in zip(near, anything, strict=True)
    ]


@pytest.mark.parametrize("given", [True, False], ids=["given", "drawn"])
def test_random_machines(given: bool) -> None:
    asked: set[int] = set()
    forgotten = failures = 0
    for seed in range(250):
        rng = np.random.default_rng(seed)
        machine = one_at_random(rng, given)
        driver = Driver(machine, rng)
        words = some_words(rng, machine, 1200)
        for top in (1, 0, 2, 3):
            codes = rng.integers(0, len(machine.steps[0]), 130).tolist() if given else None
            again = iter(list(words))
            want = machine.run(top, lambda: next(again), None if codes is None else iter(codes))  # noqa: B023
            assert driver.run(top, words, codes) == want
            # Not a word more was read, or less.
            assert words == list(again)
            failures += want is None
        asked |= set(driver.asked)
        forgotten += driver.asked.count(POINT) > len(machine.points)
    assert asked == {FINISHED, FAILED, WORDS, PREDICTOR, POINT, STEP} | (
        {EXAMPLES} if given else {MOVES, BORDER, SUCCESSOR}
    )
    assert failures > 100
    assert forgotten > 0 or not given


TIES = 1 << 62


def a_stream_of_ties(budget: int = TIES, block: int = 1) -> SoaStream:
    """One state, one predictor: a run with a tournament goes on until the budget is spent."""
    stream = SoaStream(block, budget)
    zero = np.zeros(1, dtype=np.int32)
    none = np.zeros(0, dtype=np.uint64)
    stream.know(np.zeros((1, 2), np.int32), zero, np.array([[0, 0, 0, 0, -1]]), none, none, zero)
    return stream


NONE: Words = np.zeros(0, dtype=np.uint64)


def test_long_work_comes_back_and_goes_on() -> None:
    stream = a_stream_of_ties(budget=10**6)
    stream.start(1)
    pauses = 0
    while (why := stream.sampled(NONE)) == PAUSED:
        pauses += 1
    assert (why, stream.players) == (FAILED, 10**6)
    assert pauses > 2
    # In the midst of a block too.
    codes = np.zeros(10**7, dtype=np.uint16)
    stream = a_stream_of_ties(block=len(codes))
    stream.start(0)
    reads = []
    while (why := stream.given(NONE, codes)) == PAUSED:
        reads.append(stream.read)
        codes = codes[stream.read :]
    assert why == FINISHED
    assert len(reads) > 1
    assert sum(reads) + stream.read == 10**7


class StopError(Exception):
    """What the handler of a signal raises."""


def to_its_end(stream: SoaStream) -> None:
    while stream.sampled(NONE) == PAUSED:
        pass


def test_a_signal_reaches_the_middle_of_a_run() -> None:
    # The run would never end; the alarm comes after 20 ms.
    def on_alarm(_number: int, _frame: object) -> None:
        raise StopError

    stream = a_stream_of_ties()
    stream.start(1)
    previous = signal.signal(signal.SIGALRM, on_alarm)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        with pytest.raises(StopError):
            to_its_end(stream)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    players = stream.players
    assert players > 0
    # It goes on where it was, and can begin anew.
    assert stream.sampled(NONE) == PAUSED
    assert stream.players > players
    stream.start(0)
    assert stream.sampled(NONE) == FINISHED


def test_another_thread_runs_while_the_kernel_does() -> None:
    # With this switch interval a thread gives the interpreter up only when it blocks or releases
    # it.  One call is far from over when this thread sees its players and is refused.
    stream = a_stream_of_ties(block=10**9)
    stream.start(0)
    codes = np.zeros(10**6, dtype=np.uint8)
    before = sys.getswitchinterval()
    ends: list[int] = []
    wanted = threading.Event()

    def work() -> None:
        while not wanted.is_set():
            with suppress(RuntimeError):  # this thread may be the one that comes second
                stream.given(NONE, codes)
        ends.append(1)

    calls: list[Callable[[], object]] = [
        lambda: stream.given(NONE, codes),
        lambda: stream.sampled(NONE),
        lambda: stream.start(0),
        lambda: stream.settle(0),
        lambda: stream.meet(0, 1, 0),
        lambda: stream.open_with(np.zeros(5, dtype=np.int64)),
    ]
    thread = threading.Thread(target=work)
    refused: dict[int, str] = {}
    try:
        sys.setswitchinterval(1000)
        thread.start()
        while len(refused) < len(calls):
            for index, call in enumerate(calls):
                try:
                    call()
                except RuntimeError as error:
                    refused[index] = str(error)
        wanted.set()
        thread.join()
    finally:
        wanted.set()
        sys.setswitchinterval(before)
    assert ends == [1]
    assert set(refused.values()) == {"the stream is running in another thread"}


def test_tables_are_kept_as_long_as_they_are_used() -> None:
    zero, row = np.zeros(1, dtype=np.int32), np.array([[0, 0, 0, 0, -1]])
    stream = SoaStream(1, 1)
    seen = []
    for _ in range(2):
        steps = np.zeros((1, 2), dtype=np.int32)
        seen.append(weakref.ref(steps))
        stream.know(steps, zero, row, NONE, NONE, zero)
        del steps
    assert seen[0]() is None
    assert seen[1]() is not None
    # A table that does not fit changes nothing.
    with pytest.raises(ValueError, match="shapes"):
        stream.know(np.zeros((2, 2), np.int32), zero, row, NONE, NONE, zero)
    stream.start(0)
    assert stream.sampled(NONE) == FINISHED
    del stream
    assert seen[1]() is None


def test_what_is_out_of_range() -> None:
    for block, budget in ((0, 1), (-1, 1), (1, -1)):
        with pytest.raises(ValueError, match="block"):
            SoaStream(block, budget)
    for more in (-2, 1 << 62):
        with pytest.raises(ValueError, match="fresh"):
            SoaStream(1, 1, more)
    with pytest.raises(OverflowError):
        SoaStream(1, 1 << 63)
    stream = SoaStream(1, 1)
    with pytest.raises(RuntimeError, match="no tables"):
        stream.sampled(NONE)
    stream.start(0)
    with pytest.raises(RuntimeError, match="no tables"):
        stream.given(NONE, np.zeros(1, dtype=np.uint8))
    with pytest.raises(ValueError, match="five"):
        stream.open_with(np.zeros(4, dtype=np.int64))
    for top in (-1, 64):
        with pytest.raises(ValueError, match="tournaments"):
            stream.start(top)
    zero, row = np.zeros(1, dtype=np.int32), np.zeros((1, 5), dtype=np.int64)
    one = np.zeros(1, dtype=np.uint64)
    steps = np.zeros((1, 2), dtype=np.int32)
    for tables in (
        (np.zeros((0, 2), np.int32), zero[:0], row[:0], one, one, zero),
        (np.zeros((1, 0), np.int32), zero, row, one, one, zero),
        (steps, zero[:0], row, one, one, zero),
        (steps, zero, np.zeros((2, 5), np.int64), one, one, zero),
        (steps, zero, np.zeros((1, 4), np.int64), one, one, zero),
        (steps, zero, row, one, NONE, zero),
    ):
        with pytest.raises(ValueError, match="shapes"):
            stream.know(*tables)
    fresh = a_stream_of_ties()
    with pytest.raises(RuntimeError, match="started"):
        fresh.sampled(NONE)
    # The deepest run that there is room for.
    fresh.start(63)
    assert fresh.sampled(NONE) == PAUSED
