"""Runs of algorithm G by the compiled kernel: tables that are filled when they are asked for."""

from __future__ import annotations

import copy
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Generic, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from pac_stability._core.soa_streams import SoaStream
from pac_stability.mechanisms.lazy_coins import words
from pac_stability.papers.bun_livni_moran.streams.cells import Cells
from pac_stability.papers.bun_livni_moran.streams.rules import Chain, Rules
from pac_stability.randomness import Coins

Codes: TypeAlias = npt.NDArray[np.uint8] | npt.NDArray[np.uint16]
"""Examples as integers: twice the column plus the label."""

MOST_POINTS = 1 << 15
"""On how many points given examples are run by the kernel."""

Number = TypeVar("Number", bound=np.generic)

# Why the kernel stopped: the names are those of its source.
_FINISHED, _FAILED, _WORDS, _EXAMPLES, _STEP, _MOVES, _PREDICTOR, _POINT, _BORDER, _SUCCESSOR = (
    range(10)
)

_NO_WORDS = np.zeros(0, dtype=np.uint64)
_FIRST_WORDS = 64
_begin = itemgetter(0)
_MOST_WORDS = 4096
_MOST_STEPS = 1 << 24


class Words:
    """Fair bits, 64 at a time, from any coins.

    Parameters
    ----------
    coins
        Where they come from.
    """

    def __init__(self, coins: Coins) -> None:
        self._coins = coins
        self._size = _FIRST_WORDS
        self.left: npt.NDArray[np.uint64] = _NO_WORDS

    def refill(self) -> None:
        """Get more, when there are none left."""
        self.left = words(self._size, self._coins)
        self._size = min(2 * self._size, _MOST_WORDS)

    def take(self) -> int:
        """Return one word."""
        if not self.left.size:
            self.refill()
        word, self.left = int(self.left[0]), self.left[1:]
        return word


class StreamEngine:
    """Runs of G, one after the other, on given examples or on a target's.

    Parameters
    ----------
    rules
        What is the same in all runs.
    chain
        The jump chain of a target; without it the engine takes given examples only.

    Notes
    -----
    What is known of a state is looked up in tables: where each example leads, or the chances of
    change. They are filled when first asked for; between runs they are emptied should they exceed
    some 100 MB, so that memory stays flat whatever the examples are. One thread at a time.
    """

    _steps: npt.NDArray[np.int32]
    _predictor_of: npt.NDArray[np.int32]
    _chances: npt.NDArray[np.int64]

    def __init__(self, rules: Rules, chain: Chain | None = None) -> None:
        self._rules = rules
        self._chain = chain
        self._opening = chain.opening() if chain is not None else None
        self._empty()

    def predictor(self, state: int) -> int:
        """Return the hypothesis of a state, a labelling of the points."""
        return self._rules.states.predictor(state)

    def sampled(self, top: int, words: Words) -> int | None:
        """Run once with ``top`` tournaments on drawn examples.

        Returns the state after S o T, or ``None`` for Fail.
        """
        self._start(top)
        while True:
            why = self._stream.sampled(words.left)
            words.left = words.left[self._stream.used :]
            if why <= _FAILED:
                return self._states[self._stream.state] if why == _FINISHED else None
            self._answer(why, words)

    def given(self, top: int, words: Words, chunks: Iterator[Codes]) -> int | None:
        """Run once on given examples, in chunks that hold enough of them.

        Returns what :meth:`sampled` does; what is not needed of the chunks is not asked for.
        """
        self._start(top)
        codes = next(chunks)
        while True:
            why = self._stream.given(words.left, codes)
            words.left = words.left[self._stream.used :]
            codes = codes[self._stream.read :]
            if why <= _FAILED:
                return self._states[self._stream.state] if why == _FINISHED else None
            if why == _EXAMPLES:
                codes = next(chunks)
            else:
                self._answer(why, words)

    def _start(self, top: int) -> None:
        if self._steps.size + len(self._successors.values) > _MOST_STEPS:
            fresh = copy.copy(self._rules.states)  # a copy remembers nothing
            self._rules = replace(self._rules, states=fresh)
            if self._chain is not None:
                self._chain.rules = self._rules
            self._empty()
        self._stream.start(top)

    def _answer(self, why: int, words: Words) -> None:
        """Find out what the kernel does not know."""
        stream = self._stream
        if why == _WORDS:
            words.refill()
        elif why == _STEP:
            number, label = divmod(stream.code, 2)
            column = self._columns[number]
            after = self._rules.states.step(self._states[stream.state], column, label)
            self._steps[stream.state, stream.code] = self._number(after)
        elif why == _MOVES and self._chain is not None:
            chances = self._chain.chances(self._states[stream.state])
            row = (0, 0, 0, 0, -1)
            if chances.moves is not None:
                row = self._row(chances.waiting, chances.moves, chances.successors)
            self._chances[stream.state] = row
            self._tell()
        elif why == _PREDICTOR:
            predictor = self._rules.states.predictor(self._states[stream.asked])
            number = self._predictor_numbers.setdefault(predictor, len(self._predictors))
            if number == len(self._predictors):
                self._predictors.append(predictor)
            self._predictor_of[stream.asked] = number
        elif why == _POINT:
            f, g = self._predictors[stream.asked], self._predictors[stream.other]
            column = self._rules.rule.point(f, g)
            label = self._rules.states.spaces.label(f, column)
            stream.meet(stream.asked, stream.other, 2 * self._column(column) + label)
        elif why == _BORDER:
            stream.settle(self._cells[stream.asked].settle(stream.word, words.take))
        elif why == _SUCCESSOR:
            begin, successors = self._rows[bisect_right(self._rows, stream.asked, key=_begin) - 1]
            number = self._number(successors[stream.asked - begin])
            self._successors.values[stream.asked] = number
        # Otherwise it has paused, and signals have been looked at by now.

    def _row(
        self, waiting: Cells | None, moves: Cells, successors: Sequence[int]
    ) -> tuple[int, int, int, int, int]:
        """Put cells and successors into the tables; return where they are."""
        unknown = self._successors.extend(np.full(len(successors), -1))
        self._rows.append((unknown, successors))
        return (*self._place(waiting), *self._place(moves), unknown)

    def _place(self, cells: Cells | None) -> tuple[int, int]:
        """Return where the borders of cells begin in the tables, and how many there are."""
        if cells is None or cells.size == 1:
            return 0, 0
        if id(cells) not in self._begins:
            first, last = cells.words()
            begin = self._first.extend(first)
            self._last.extend(last)
            self._cells[begin] = cells  # which also keeps the id from being used again
            self._begins[id(cells)] = begin, len(first)
        return self._begins[id(cells)]

    def _column(self, column: int) -> int:
        """Return the number of a column in the tables."""
        number = self._column_numbers.setdefault(column, len(self._columns))
        if number == len(self._columns):
            self._columns.append(column)
            if 2 * number == self._steps.shape[1]:
                self._steps = np.concatenate([self._steps, np.full_like(self._steps, -1)], axis=1)
                self._tell()
        return number

    def _number(self, state: int) -> int:
        """Return the number of a state."""
        number = self._numbers.get(state)
        if number is None:
            number = self._numbers[state] = len(self._states)
            self._states.append(state)
            if number == len(self._steps):
                self._steps = _doubled(self._steps)
                self._predictor_of = _doubled(self._predictor_of)
                self._chances = _doubled(self._chances)
                self._tell()
        return number

    def _empty(self) -> None:
        """Begin with empty tables."""
        rules = self._rules
        self._stream = SoaStream(rules.block, rules.blocks, rules.fresh)
        self._cells: dict[int, Cells] = {}
        self._begins: dict[int, tuple[int, int]] = {}
        self._first = _Growing(np.zeros(16, dtype=np.uint64))
        self._last = _Growing(np.zeros(16, dtype=np.uint64))
        self._successors = _Growing(np.zeros(16, dtype=np.int32))
        self._rows: list[tuple[int, Sequence[int]]] = []
        self._states: list[int] = []
        self._numbers: dict[int, int] = {}
        self._predictors: list[int] = []
        self._predictor_numbers: dict[int, int] = {}
        # Given examples are codes of columns; of a target's few columns have tournaments.
        columns = range(self._rules.points if self._chain is None else 0)
        self._columns: list[int] = list(columns)
        self._column_numbers: dict[int, int] = {column: column for column in columns}
        self._steps = np.full((16, 2 * max(1, len(columns))), -1, dtype=np.int32)
        self._predictor_of = np.full(16, -1, dtype=np.int32)
        self._chances = np.full((16, 5), -1, dtype=np.int64)
        self._number(self._rules.states.start)
        if self._opening is not None:
            row = (-1, 0, 0, 0, 0)
            if self._opening.moves is not None:
                row = self._row(self._opening.ties, self._opening.moves, self._opening.successors)
            self._stream.open_with(np.array(row, dtype=np.int64))
        self._tell()

    def _tell(self) -> None:
        """Show the kernel the tables, which may have moved."""
        self._stream.know(
            self._steps,
            self._predictor_of,
            self._chances,
            self._first.values,
            self._last.values,
            self._successors.values,
        )


class _Growing(Generic[Number]):
    """An array that is extended at its end."""

    def __init__(self, values: npt.NDArray[Number]) -> None:
        self.values = values
        self._size = 0

    def extend(self, values: npt.ArrayLike) -> int:
        """Append values; return where they begin."""
        added = np.asarray(values, dtype=self.values.dtype)
        begin, self._size = self._size, self._size + len(added)
        while self._size > len(self.values):
            self.values = np.concatenate([self.values, np.zeros_like(self.values)])
        self.values[begin : self._size] = added
        return begin


def _doubled(table: npt.NDArray[Number]) -> npt.NDArray[Number]:
    return np.concatenate([table, np.full_like(table, -1)])
