"""One run of algorithm G, on examples that come one by one: what it does, in plain Python.

The compiled kernel does the same (:mod:`~pac_stability.papers.bun_livni_moran.streams.engine`).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Protocol, overload

from pac_stability.classes.implicit import ExampleSource
from pac_stability.errors import BudgetExhausted
from pac_stability.online.states import SoaStates
from pac_stability.papers.bun_livni_moran.streams.cells import Cells, WaitingCells, WeightedCells
from pac_stability.papers.bun_livni_moran.tournaments.law import (
    TargetChain,
    output_weights,
    play,
)
from pac_stability.papers.bun_livni_moran.tournaments.pick_rules import PickRule
from pac_stability.papers.bun_livni_moran.tournaments.target import RealizableTarget
from pac_stability.randomness import Coins

MOST_CELLS = 1024
MOST_STATES = 5000
LARGE_SUPPORT = 32
"""From how many examples of a target on it may be cheaper to draw them than to look at them all."""

_DRAWS_EACH = 16
"""Draws that cost as much as to find out where one example of the support leads."""


class Chooser(Protocol):
    """Where a run takes its coins from."""

    def fair(self) -> int:
        """Return 0 or 1, each with probability 1/2."""
        ...

    def cell(self, cells: Cells, /) -> int:
        """Return one of the cells."""
        ...


class Feed(Protocol):
    """Where a run takes its examples from."""

    @property
    def opens(self) -> bool:
        """Whether first tournaments are played as a whole, by :meth:`opening`."""
        ...

    def block(self, state: int, n: int, /) -> int:
        """Return the state of the SOA after n more examples."""
        ...

    def opening(self, blocks: int, /) -> tuple[int, int] | None:
        """Play until a first tournament is decided, at once.

        Returns the number of players it took and the state after it, or ``None`` when this takes
        more than ``blocks`` players. Asked only where :attr:`opens` is true.
        """
        ...


@dataclass(frozen=True, slots=True)
class FromCoins:
    """Coins as a :class:`Chooser`, with exact weights: what the tape enumerates."""

    rng: Coins

    def fair(self) -> int:
        """Return 0 or 1, each with probability 1/2."""
        return self.rng.below(2)

    def cell(self, cells: Cells, /) -> int:
        """Return one of the cells."""
        return self.rng.choose(cells.weights)


@dataclass(frozen=True, slots=True)
class Rules:
    """What is the same in all runs.

    Attributes
    ----------
    states
        The SOA.
    rule
        Where two predictors are told apart.
    block
        n, the examples that each player draws.
    blocks
        B, so that N = B n examples may be drawn for a sample S.
    fresh
        |T|, the examples that are drawn after S.
    """

    states: SoaStates
    rule: PickRule
    block: int
    blocks: int
    fresh: int

    @property
    def points(self) -> int:
        """How many columns the class has."""
        return self.states.spaces.points

    def run(self, top: int, feed: Feed, coins: Chooser) -> int | None:
        """Return the state after S o T for S from the k-th Monte-Carlo distribution, k = ``top``.

        ``None`` stands for Fail: more than the budget of blocks would be drawn for S.
        """
        spaces = self.states.spaces
        waiting: dict[int, int] = {}  # by level: a player whose rival is still to come
        state, level, drawn = self.states.start, 0, 0
        while True:  # `state` is that of a sample which has won `level` tournaments
            if level == 0 < top and feed.opens:
                opened = feed.opening(self.blocks - drawn)
                if opened is None:
                    return None
                drawn, state, level = drawn + opened[0], opened[1], 1
            if level == top:
                return feed.block(state, self.fresh)
            if drawn == self.blocks:
                return None
            drawn += 1
            state = feed.block(state, self.block)
            if level not in waiting:
                waiting[level] = state
                state, level = self.states.start, 0
                continue
            rival = waiting.pop(level)
            f, g = self.states.predictor(rival), self.states.predictor(state)
            if f == g:
                state, level = self.states.start, 0
                continue
            column = self.rule.point(f, g)
            label = coins.fair()
            loser = rival if spaces.label(f, column) != label else state
            state = self.states.step(loser, column, label)
            level += 1


@dataclass(frozen=True, slots=True)
class Literal:
    """Examples that are drawn one by one, from a target that may be listed or not.

    Attributes
    ----------
    states
        The states of the SOA.
    source
        The target.
    rng
        Where the coins come from.
    """

    opens: ClassVar[bool] = False

    states: SoaStates
    source: ExampleSource[Hashable]
    rng: Coins

    def block(self, state: int, n: int, /) -> int:
        """Return the state of the SOA after n more examples."""
        column = self.states.spaces.column
        for _ in range(n):
            example = self.source.sample(self.rng)
            state = self.states.step(state, column(example.point), example.label)
        return state

    def opening(self, blocks: int, /) -> tuple[int, int] | None:
        """Examples are not skipped, so this is not asked."""
        raise NotImplementedError


class Given:
    """Given examples, as pairs of a column and a label.

    Parameters
    ----------
    states
        The SOA.
    examples
        The examples, enough of them.
    """

    opens = False

    def __init__(self, states: SoaStates, examples: list[tuple[int, int]]) -> None:
        self._states = states
        self._examples = examples
        self._read = 0

    def block(self, state: int, n: int, /) -> int:
        """Return the state of the SOA after n more examples."""
        begin, self._read = self._read, self._read + n
        return self._states.run(state, self._examples[begin : self._read])

    def opening(self, blocks: int, /) -> tuple[int, int] | None:
        """Given examples are not skipped, so this is not asked."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Chances:
    """How the state of the SOA changes when examples are drawn from a target.

    Attributes
    ----------
    waiting
        How many examples change nothing before one does; ``None`` when every one does.
    moves
        Which of the successors follows; ``None`` when no example changes anything.
    successors
        The states that can follow, or the state itself where examples are drawn one by one.
    """

    waiting: WaitingCells | None
    moves: WeightedCells | None
    successors: Sequence[int]


class Successors(Sequence[int]):
    """Where each example of a target leads from a state, found when it is asked for.

    Parameters
    ----------
    states
        The states of the SOA.
    target
        The target.
    state
        The state.
    """

    def __init__(self, states: SoaStates, target: RealizableTarget, state: int) -> None:
        self._states, self._target, self._state = states, target, state

    def __len__(self) -> int:
        return len(self._target.columns)

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        target = self._target
        return self._states.step(self._state, target.columns[index], target.labels[index])


@dataclass(frozen=True, slots=True)
class Opening:
    """How a first tournament between players who draw from a target ends.

    Attributes
    ----------
    ties
        How many ties there are before a match is decided; ``None`` when no match can be a tie.
    moves
        Which of the successors follows; ``None`` when all matches are ties.
    successors
        The states after the tournament example.
    """

    ties: WaitingCells | None
    moves: WeightedCells | None
    successors: tuple[int, ...]


class Chain:
    """The jump chain: the SOA on examples of a target, from one change of its state to the next.

    Parameters
    ----------
    rules
        What is the same in all runs.
    target
        The target.
    most_states
        First tournaments are drawn as a whole if n examples lead to at most so many states, whose
        law is then found once and exactly.
    most_cells
        A draw of a waiting time is one of at most so many cells and "longer".
    large
        Draw examples one by one on a support of at least so many, unless blocks are far longer
        than it.

    Notes
    -----
    The examples that leave a state unchanged are skipped together: their number is geometric. To
    know it takes a look at the whole support for each state; on a large support and in short blocks
    each example is drawn by itself instead, and only the states that come up are made. The law is
    the same. So
    are the ties before the first match that is decided: a pair of players from scratch has a law of
    its own, the same for each pair, so that the number of ties is geometric and independent of how
    the decided match ends.
    """

    def __init__(
        self,
        rules: Rules,
        target: RealizableTarget,
        *,
        most_states: int = MOST_STATES,
        most_cells: int = MOST_CELLS,
        large: int = LARGE_SUPPORT,
    ) -> None:
        self.rules = rules
        self._target = target
        examples = len(target.columns)
        self._one_by_one: WeightedCells | None = None
        if examples >= large and rules.block <= _DRAWS_EACH * examples:
            self._one_by_one = WeightedCells(target.weights)
        self._most_states = most_states
        self._most_cells = most_cells
        self._waiting: dict[tuple[Fraction, int], WaitingCells] = {}

    def chances(self, state: int) -> Chances:
        """Return how a state changes, or where each single example leads."""
        if self._one_by_one is not None:
            successors = Successors(self.rules.states, self._target, state)
            return Chances(None, self._one_by_one, successors)
        moves: dict[int, int] = {}
        target = self._target
        for column, label, weight in zip(
            target.columns, target.labels, target.weights, strict=True
        ):
            successor = self.rules.states.step(state, column, label)
            moves[successor] = moves.get(successor, 0) + weight
        stay = Fraction(moves.pop(state, 0), target.denominator)
        if not moves:
            return Chances(None, None, ())
        waiting = self._cells(stay, self.rules.block) if stay else None
        return Chances(waiting, WeightedCells(tuple(moves.values())), tuple(moves))

    def opening(self) -> Opening | None:
        """Return how a first tournament ends, or ``None`` if that takes too many states.

        Notes
        -----
        Exact: ``O(n |states| |support|)`` integer operations, for the states that n examples reach.
        """
        rules = self.rules
        weights = self._target.weights
        chain = TargetChain(rules.states, self._target, weights, self._most_states)
        try:
            players = chain.push({rules.states.start: 1}, rules.block)
        except BudgetExhausted:
            return None
        outputs = output_weights(rules.states, players)
        if len(outputs) == 1:
            return Opening(None, None, ())
        after = play(rules.states, players, rules.rule.opponents(outputs))
        total = sum(outputs.values())
        tie = Fraction(sum(weight * weight for weight in outputs.values()), total * total)
        ties = self._cells(tie, max(1, rules.blocks))
        return Opening(ties, WeightedCells(tuple(after.values())), tuple(after))

    def _cells(self, stay: Fraction, most: int) -> WaitingCells:
        """Return cells for a probability, as many as are worth while; the same ones each time."""
        enough = round(4 / (1 - stay))
        limit = min(most, self._most_cells, enough)
        return self._waiting.setdefault((stay, limit), WaitingCells(stay, limit))


class Drawn:
    """Examples drawn from a target, by the jump chain.

    Parameters
    ----------
    chain
        The chain.
    coins
        What decides.
    """

    def __init__(self, chain: Chain, coins: Chooser) -> None:
        self._chain = chain
        self._coins = coins
        self._opening = chain.opening()
        self.opens: bool = self._opening is not None

    def block(self, state: int, n: int, /) -> int:
        """Return the state of the SOA after n more examples."""
        while n:
            chances = self._chain.chances(state)
            if chances.moves is None:
                break
            waited = self._coins.cell(chances.waiting) if chances.waiting else 0
            if waited >= n:
                break
            if chances.waiting and waited == chances.waiting.limit:
                n -= waited
                continue
            n -= waited + 1
            move = self._coins.cell(chances.moves) if chances.moves.size > 1 else 0
            state = chances.successors[move]
        return state

    def opening(self, blocks: int, /) -> tuple[int, int] | None:
        """Play until a first tournament is decided, at once."""
        if self._opening is None or self._opening.moves is None:
            return None
        ties, players = self._opening.ties, 0
        while True:
            tied = self._coins.cell(ties) if ties else 0
            decided = ties is None or tied < ties.limit
            players += 2 * (tied + decided)
            if players > blocks:
                return None
            if decided:
                break
        moves = self._opening.moves
        move = self._coins.cell(moves) if moves.size > 1 else 0
        return players, self._opening.successors[move]
