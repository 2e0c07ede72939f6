"""The law of the tournaments on a table, with the states of contradicted pasts compiled."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pac_stability._core.patched_laws import PatchedLaw, PatchedTournament
from pac_stability.dimensions import TableSpaces
from pac_stability.errors import BudgetExhausted
from pac_stability.online.soa import SoaStates
from pac_stability.papers.bun_livni_moran import tournament_laws
from pac_stability.papers.bun_livni_moran.tournament_laws import TournamentLaw

MAX_MEMORY = 1 << 30

_Words = npt.NDArray[np.uint64]
_Faced = dict[int, dict[int, int]]

# Fewer points are as quick, and easier to follow, in dictionaries.
_FEWEST_POINTS = 7
# Steps of the core between two looks at Ctrl-C: about a hundredth of a second.
_WORK = 300_000
# Labellings that are turned into Python's integers at once.
_BLOCK = 1 << 14


@dataclass
class _Law:
    """Weights of states: version spaces in a dictionary, patched predictors in the core."""

    spaces: dict[int, int]
    patched: PatchedLaw

    def take(self, weights: Mapping[int, int]) -> dict[int, int]:
        """Add the patched predictors among some states to the core; return the others."""
        gone = {~state: weight for state, weight in weights.items() if state < 0}
        if gone:
            with _booked():
                self.patched.add(
                    _as_words(gone, self.patched.words),
                    _as_words(gone.values(), self.patched.limbs),
                )
        return {state: weight for state, weight in weights.items() if state > 0}

    def listed(self) -> Iterator[tuple[int, int]]:
        """Yield all patched predictors with their weights above 0."""
        for begin in range(0, self.patched.size, _BLOCK):
            keys, weights = self.patched.entries(begin, min(begin + _BLOCK, self.patched.size))
            pairs = zip(_as_numbers(keys), _as_numbers(weights), strict=True)
            yield from ((f, weight) for f, weight in pairs if weight)


class CompiledLevel(tournament_laws.TournamentLevel):
    """A level of a :class:`CompiledLaw`.

    Parameters
    ----------
    law
        What it is a level of.
    below
        The level from which ``start`` is played; ``None`` for level 0.
    end
        The weights after S o T.
    started
        The sum of the weights after S.
    total
        The sum of the weights after S o T.
    agreeing, expected_draws
        As for :class:`TournamentLevel`.
    """

    def __init__(
        self,
        law: CompiledLaw,
        below: CompiledLevel | None,
        end: _Law,
        *,
        started: int,
        total: int,
        agreeing: Mapping[int, int],
        expected_draws: Fraction,
    ) -> None:
        self._law, self._below = law, below
        self.end = end
        self._started, self._total = started, total
        self.agreeing = agreeing
        self.expected_draws = expected_draws

    @property
    def total(self) -> int:  # as the base says
        return self._total

    @property
    def started(self) -> int:  # as the base says
        return self._started

    @cached_property
    def alive(self) -> dict[int, int]:
        """The weight of each predictor of a version space, without that of the same one patched."""
        return tournament_laws.output_weights(self._law.states, self.end.spaces)

    @property
    def start(self) -> dict[int, int]:  # as the base says
        if self._below is None:
            return {self._law.states.start: 1}
        return self._law.start_above(self._below)

    @property
    def outputs(self) -> dict[int, int]:  # as the base says
        outputs = dict(self.alive)
        for f, weight in self.end.listed():
            outputs[f] = outputs.get(f, 0) + weight
        return outputs

    @cached_property
    def _summary(self) -> tuple[int, int, int]:
        """How many patched predictors there are, the largest weight, and the sum of squares."""
        patched, positive, largest, squares = self.end.patched, 0, 0, 0
        step = max(1, _WORK // patched.limbs**2)
        for begin in range(0, patched.size, step):
            found = patched.summary(begin, min(begin + step, patched.size))
            positive += found[0]
            largest = max(largest, *_as_numbers(found[1][None]))
            squares += _as_numbers(found[2][None])[0]
        return positive, largest, squares

    @cached_property
    def _twice(self) -> tuple[tuple[int, int], ...]:
        """For each predictor of a version space its weight there, and as a patched one."""
        patched = self.end.patched
        weights = patched.weights(_as_words(self.alive, patched.words))
        return tuple(zip(self.alive.values(), _as_numbers(weights), strict=True))

    @property
    def state_count(self) -> int:  # as the base says
        return len(self.end.spaces) + self._summary[0]

    @property
    def largest(self) -> int:  # as the base says
        return max(self._summary[1], *(one + other for one, other in self._twice), 0)

    @property
    def squares(self) -> int:  # as the base says
        return self._summary[2] + sum(one * (one + 2 * other) for one, other in self._twice)


class CompiledLaw(TournamentLaw[CompiledLevel]):
    """The levels on a table, with most of the work in the core.

    The examples of a target never contradict each other: tournament examples do that, and what the
    SOA remembers from then on is a labelling. These are most states. They stay in the core, each
    with a weight of as many limbs as the sum of all weights needs; nothing is rounded. The
    samples that always agreed with the concept have a version space.

    Parameters
    ----------
    states
        The states of the SOA on a table.
    target
        The target; its denominator is below 2^64.
    n
        Examples that each player draws.
    rule
        The rule for the point at which two predictors are separated.
    concept
        The labelling that tournament labels are compared with.
    max_states
        Refuse laws on more states; ``None`` for ``MAX_STATES`` version spaces, and as many patched
        predictors as fit.
    max_memory
        The most bytes for the law of one level in the core.

    Notes
    -----
    ``O(n |states| |support|)`` steps a level, of some 50 nanoseconds where weights have few limbs.
    A state takes 8 bytes for each 64 points, 8 a limb, and 12 to 24 to be found: two draws a player
    from 64 points, 2.8 million states at k = 2, take 1.2 s and .2 GB.
    """

    def __init__(
        self,
        states: SoaStates,
        target: tournament_laws.RealizableTarget,
        n: int,
        rule: tournament_laws.FirstInOrder,
        *,
        concept: int,
        max_states: int | None = None,
        max_memory: int = MAX_MEMORY,
    ) -> None:
        listed = tournament_laws.MAX_STATES if max_states is None else max_states
        super().__init__(states, target, n, rule, concept=concept, max_states=listed)
        self._order = np.array(rule.order, dtype=np.int64)
        self._limits = max_states, max_memory

    def __getstate__(self) -> dict[str, object]:
        # Levels can be found again, and the core's memory does not travel.
        return {**self.__dict__, "_levels": []}

    def _above(self, below: CompiledLevel | None) -> CompiledLevel:
        factor = self._target.denominator**self._n
        if below is None:
            started, draws = 1, Fraction(0)
            agreeing = {self.states.start: 1}
            law = _Law({self.states.start: 1}, self._empty(factor))
        else:
            started = below.total**2 - below.squares
            draws = self._draws_above(below)
            agreed = self._chain.push(below.agreeing, self._n)
            law, faced = self.played(below, started * factor)
            agreeing = tournament_laws.play(self.states, agreed, faced, self._concept)
        for _ in range(self._n):
            # What is contradicted now joins the patched after they had the same example.
            spaces = self._chain.push(law.spaces, 1)
            with _booked():
                while law.patched.draw(_WORK):
                    pass
            law.spaces = law.take(spaces)
            self._watch(law)
        return CompiledLevel(
            self,
            below,
            law,
            started=started,
            total=started * factor,
            agreeing=agreeing,
            expected_draws=draws,
        )

    def start_above(self, below: CompiledLevel) -> dict[int, int]:  # as the base says
        start, _ = self.played(below, below.total**2 - below.squares)
        return start.spaces | {~f: weight for f, weight in start.listed()}

    def played(self, below: CompiledLevel, most: int) -> tuple[_Law, _Faced]:
        """Return the law after a tournament, and whom the predictors of version spaces met.

        Parameters
        ----------
        below
            The level of the players.
        most
            An upper bound on the weights of the law.
        """
        law, players = _Law({}, self._empty(most)), below.end.patched
        outputs = list(below.alive)
        with _booked():
            tournament = PatchedTournament(
                players,
                law.patched,
                _as_words(outputs, players.words),
                _as_words(below.alive.values(), players.limbs),
                self._order,
            )
            while tournament.advance(_WORK):
                pass
        faced: _Faced = {f: {} for f in outputs}
        places, points, masses = tournament.met
        met = zip(places.tolist(), points.tolist(), _as_numbers(masses), strict=True)
        for place, point, mass in met:
            faced[outputs[place]][point] = mass
        law.spaces = law.take(tournament_laws.play(self.states, below.end.spaces, faced))
        self._watch(law)
        return law, faced

    def _empty(self, most: int) -> PatchedLaw:
        target = self._target
        with _booked():
            return PatchedLaw(
                self.states.spaces.points,
                -(-most.bit_length() // 64),
                np.array(target.columns, dtype=np.int64),
                np.array(target.labels, dtype=np.uint8),
                np.array(target.weights, dtype=np.uint64),
                self._limits[1],
            )

    def _watch(self, law: _Law) -> None:
        most, size = self._limits[0], law.patched.size
        if most is not None and len(law.spaces) + size > most:
            counted = len(law.spaces) + law.patched.summary(0, size)[0]
            if counted > most:
                raise BudgetExhausted(
                    f"the law has more than {most} states; "
                    "try fewer examples, a smaller support, or a larger max_states"
                )


def tournament_law(
    states: SoaStates,
    target: tournament_laws.RealizableTarget,
    n: int,
    rule: tournament_laws.PickRule,
    *,
    concept: int,
    max_states: int | None,
    max_memory: int,
) -> TournamentLaw[tournament_laws.ListedLevel] | TournamentLaw[CompiledLevel]:
    """Return the law of the tournaments, compiled where the core supports it and it pays.

    That is on tables of some points, where these are preferred in a fixed order, and with a
    denominator of the target below 2^64. Elsewhere states are listed.
    """
    known = isinstance(states.spaces, TableSpaces) and states.spaces.points >= _FEWEST_POINTS
    if known and isinstance(rule, tournament_laws.FirstInOrder) and target.denominator < 1 << 64:
        return CompiledLaw(
            states, target, n, rule, concept=concept, max_states=max_states, max_memory=max_memory
        )
    listed = tournament_laws.MAX_STATES if max_states is None else max_states
    return tournament_laws.ListedLaw(states, target, n, rule, concept=concept, max_states=listed)


class _booked:  # noqa: N801  # read as a word
    """What the core cannot hold is more than the law may take."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, MemoryError):
            raise BudgetExhausted(
                "the law needs more than max_memory; "
                "try fewer examples, a smaller support, or a larger max_memory"
            ) from error


def _as_words(numbers: Collection[int], words: int) -> _Words:
    """Return numbers as rows of words, the lowest first."""
    rows = b"".join(number.to_bytes(8 * words, "little") for number in numbers)
    return np.frombuffer(rows, dtype="<u8").astype(np.uint64).reshape(len(numbers), words)


def _as_numbers(rows: _Words) -> list[int]:
    """Return what rows of words stand for."""
    if rows.shape[1] == 1:
        return [int(number) for number in rows[:, 0].tolist()]
    length, data = 8 * rows.shape[1], rows.astype("<u8").tobytes()
    begins = range(0, len(data), length)
    return [int.from_bytes(data[i : i + length], "little") for i in begins]
