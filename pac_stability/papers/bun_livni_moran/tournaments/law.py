"""The exact law of the tournaments D_k, carried over the states of the SOA."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import Generic, TypeVar

from pac_stability.errors import BudgetExhausted, InvalidInput
from pac_stability.online.machine import SoaStates
from pac_stability.papers.bun_livni_moran.tournaments.pick_rules import PickRule, W
from pac_stability.papers.bun_livni_moran.tournaments.target import RealizableTarget

MAX_STATES = 300_000


class TargetChain(Generic[W]):
    """Examples of a target as steps of a Markov chain on the states of the SOA.

    Parameters
    ----------
    states
        The states.
    target
        The target.
    weights
        What each example of the target counts, in numbers of the kind that laws are made of: its
        integer weights, its probabilities, or these times a variable.
    max_states
        Refuse laws on more states.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> from pac_stability.data import Example, FiniteDistribution
    >>> from pac_stability.papers.bun_livni_moran.tournaments.target import require_realizable
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> law = FiniteDistribution({Example(0, 0): Fraction(1, 3), Example(1, 1): Fraction(2, 3)})
    >>> states, target = SoaStates(H), require_realizable(H, law)
    >>> TargetChain(states, target, target.weights).push({states.start: 1}, 2)
    {3: 1, 2: 4, 6: 4}
    >>> TargetChain(states, target, (1 / 3, 2 / 3)).push({states.start: 1.0}, 1)
    {3: 0.3333333333333333, 6: 0.6666666666666666}
    """

    def __init__(
        self,
        states: SoaStates,
        target: RealizableTarget,
        weights: tuple[W, ...],
        max_states: int = MAX_STATES,
    ) -> None:
        self._states = states
        self._max_states = max_states
        self._examples = tuple(zip(target.columns, target.labels, weights, strict=True))
        self._moves: dict[int, tuple[tuple[int, W], ...]] = {}

    def push(self, law: Mapping[int, W], n: int) -> dict[int, W]:
        """Return the law of the state after n more examples.

        Parameters
        ----------
        law
            The weight of each state before them.
        n
            The number of examples.

        Raises
        ------
        BudgetExhausted
            The law has more than ``max_states`` states.

        Notes
        -----
        ``O(n |states| |support|)``. The successors of a state are remembered.
        """
        current = dict(law)
        for _ in range(n):
            after: dict[int, W] = {}
            for state, weight in current.items():
                for successor, factor in self._moves.get(state) or self._found(state):
                    moved = weight * factor
                    after[successor] = after[successor] + moved if successor in after else moved
                if len(after) > self._max_states:
                    raise BudgetExhausted(
                        f"the law has more than {self._max_states} states; "
                        "try fewer examples, a smaller support, or a larger max_states"
                    )
            current = after
        return current

    def _found(self, state: int) -> tuple[tuple[int, W], ...]:
        """Find the successors of a state, each once, with its weight."""
        found: dict[int, W] = {}
        for point, label, weight in self._examples:
            successor = self._states.step(state, point, label)
            found[successor] = found[successor] + weight if successor in found else weight
        self._moves[state] = moves = tuple(found.items())
        return moves


def output_weights(states: SoaStates, law: Mapping[int, W]) -> dict[int, W]:
    """Return the weight of each predictor, given that of each state."""
    outputs: dict[int, W] = {}
    for state, weight in law.items():
        f = states.predictor(state)
        outputs[f] = outputs[f] + weight if f in outputs else weight
    return outputs


def play(
    states: SoaStates,
    law: Mapping[int, W],
    faced: Mapping[int, Mapping[int, W]],
    concept: int | None = None,
) -> dict[int, W]:
    """Return the weights of the states after a tournament between two independent players.

    Both players have the same law, and the point is picked without regard to who is first. A fair
    label then makes either of them err with probability 1/2, so the weight of "this one is kept,
    after a match at x" is its own weight times that of the opponents it meets at x: twice, for the
    two seats, one half. Matches without a decision weigh nothing, and the total is the weight of
    the pairs of players with different predictors.

    Parameters
    ----------
    states
        The states.
    law
        The weight of each state of a player, S_b o T_b in the paper.
    faced
        Whom each predictor meets where, from :meth:`PickRule.opponents`.
    concept
        Count only the matches whose label is that of this labelling at the point.
    """
    after: dict[int, W] = {}
    read = states.spaces.label
    for state, weight in law.items():
        f = states.predictor(state)
        for point, mass in faced[f].items():
            label = 1 - read(f, point)
            if concept is not None and read(concept, point) != label:
                continue
            successor = states.step(state, point, label)
            won = weight * mass
            after[successor] = after[successor] + won if successor in after else won
    return after


class TournamentLevel(ABC):
    """The law of one D_k, in integer weights.

    Attributes
    ----------
    agreeing
        The part of ``start`` where all k tournament labels are those of the concept.
    expected_draws
        E[M_k], the expected number of examples drawn from the target.
    """

    agreeing: Mapping[int, int]
    expected_draws: Fraction

    @property
    @abstractmethod
    def total(self) -> int:
        """The sum of the weights after S o T."""

    @property
    @abstractmethod
    def started(self) -> int:
        """The sum of the weights after S."""

    @property
    @abstractmethod
    def start(self) -> Mapping[int, int]:
        """Weight of each state after S, for S ~ D_k."""

    @property
    @abstractmethod
    def outputs(self) -> Mapping[int, int]:
        """Weight of each predictor SOA(S o T), for T ~ D^n besides: a labelling of the points."""

    @property
    @abstractmethod
    def state_count(self) -> int:
        """How many states after S o T have a weight."""

    @property
    @abstractmethod
    def largest(self) -> int:
        """The weight of the most frequent predictor."""

    @property
    @abstractmethod
    def squares(self) -> int:
        """The sum of the squares of the weights of the predictors."""

    @property
    def collision(self) -> Fraction:
        """Probability that two independent players have the same predictor, 1 - theta."""
        return Fraction(self.squares, self.total**2)

    @property
    def highest(self) -> Fraction:
        """Probability of the most frequent predictor."""
        return Fraction(self.largest, self.total)

    @property
    def all_labels_agree(self) -> Fraction:
        """Probability that all tournament labels are those of the concept."""
        return Fraction(sum(self.agreeing.values()), self.started)


L = TypeVar("L", bound=TournamentLevel)


class TournamentLaw(ABC, Generic[L]):
    """The levels D_0, D_1, ... of the tournaments on one target, found one after the other.

    Whether the paper calls a level defined is not asked here.

    Parameters
    ----------
    states
        The states of the SOA.
    target
        The target.
    n
        Examples that each player draws.
    rule
        Where two predictors are told apart.
    concept
        The labelling that tournament labels are compared with.
    max_states
        Refuse laws on more states.
    """

    def __init__(
        self,
        states: SoaStates,
        target: RealizableTarget,
        n: int,
        rule: PickRule,
        *,
        concept: int,
        max_states: int = MAX_STATES,
    ) -> None:
        self.states = states
        self._target = target
        self._chain = TargetChain(states, target, target.weights, max_states)
        self._n = n
        self._rule = rule
        self._concept = concept
        self._levels: list[L] = []

    def level(self, k: int) -> L:
        """Return level k.

        Raises
        ------
        InvalidInput
            At a level below, all players have the same predictor, so that no match is decided.
        BudgetExhausted
            The law has more than ``max_states`` states.
        """
        while len(self._levels) <= k:
            self._levels.append(self._above(self._below(len(self._levels))))
        return self._levels[k]

    def started(self, k: int) -> Mapping[int, int]:
        """Return the weight of each state after S, for S ~ D_k: level k without its T.

        Raises
        ------
        InvalidInput, BudgetExhausted
            As for :meth:`level`.
        """
        below = self._below(k)
        return {self.states.start: 1} if below is None else self.start_above(below)

    def _below(self, k: int) -> L | None:
        """Return the level that level k is played from, if matches there are ever decided."""
        if not k:
            return None
        below = self.level(k - 1)
        if below.squares == below.total**2:
            most = f"at most {k - 1}, where all players have the same predictor"
            raise InvalidInput("k", f"{k}", most)
        return below

    @abstractmethod
    def _above(self, below: L | None) -> L:
        """Find the next level; without one below, level 0."""

    @abstractmethod
    def start_above(self, below: L) -> Mapping[int, int]:
        """Find the weight of each state after a tournament between the players of a level."""

    def _draws_above(self, below: L) -> Fraction:
        return 2 * (below.expected_draws + self._n) / (1 - below.collision)


class ListedLevel(TournamentLevel):
    """A level with all its states in a dictionary.

    Parameters
    ----------
    states
        The states.
    start, end
        Weight of each state after S, and after S o T.
    agreeing, expected_draws
        As for :class:`TournamentLevel`.
    """

    def __init__(
        self,
        states: SoaStates,
        start: Mapping[int, int],
        end: Mapping[int, int],
        agreeing: Mapping[int, int],
        expected_draws: Fraction,
    ) -> None:
        self.end = end
        self.agreeing = agreeing
        self.expected_draws = expected_draws
        self._start = start
        self._outputs = output_weights(states, end)

    @property
    def start(self) -> Mapping[int, int]:  # noqa: D102  # as the base says
        return self._start

    @property
    def outputs(self) -> Mapping[int, int]:  # noqa: D102  # as the base says
        return self._outputs

    @property
    def started(self) -> int:  # noqa: D102  # as the base says
        return sum(self._start.values())

    @property
    def total(self) -> int:  # noqa: D102  # as the base says
        return sum(self.end.values())

    @property
    def state_count(self) -> int:  # noqa: D102  # as the base says
        return len(self.end)

    @property
    def largest(self) -> int:  # noqa: D102  # as the base says
        return max(self._outputs.values())

    @property
    def squares(self) -> int:  # noqa: D102  # as the base says
        return sum(p * p for p in self._outputs.values())


class ListedLaw(TournamentLaw[ListedLevel]):
    """The levels as dictionaries, for every kind of class, and readable.

    Notes
    -----
    All weights are integers. The next level has about twice the digits, plus those of n weights of
    the target; common factors are taken out.
    """

    def _above(self, below: ListedLevel | None) -> ListedLevel:
        start = agreeing = {self.states.start: 1}
        draws = Fraction(0)
        if below is not None:
            faced = self._rule.opponents(below.outputs)
            start = play(self.states, below.end, faced)
            agreed = self._chain.push(below.agreeing, self._n)
            agreeing = play(self.states, agreed, faced, self._concept)
            common = math.gcd(*start.values(), *agreeing.values())
            start = {state: weight // common for state, weight in start.items()}
            agreeing = {state: weight // common for state, weight in agreeing.items()}
            draws = self._draws_above(below)
        end = self._chain.push(start, self._n)
        return ListedLevel(self.states, start, end, agreeing, draws)

    def start_above(self, below: ListedLevel) -> dict[int, int]:  # noqa: D102  # as the base says
        return play(self.states, below.end, self._rule.opponents(below.outputs))
