"""The exact law of the tournaments D_k, carried over the states of the SOA.

First its two ingredients: the point that separates two different predictors, and the target, a law
of examples that some hypothesis of the class fits with no loss.
"""

from __future__ import annotations

import math
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Generic, Literal, Protocol, Self, TypeAlias, TypeVar

from pac_stability.arguments import described, require_instance
from pac_stability.classes import FiniteClass, ImplicitClass, VersionSpaces
from pac_stability.data import Example, FiniteDistribution
from pac_stability.dimensions import version_spaces
from pac_stability.errors import BudgetExhausted, InvalidInput, NotRealizable
from pac_stability.online.soa import SoaStates

Pick: TypeAlias = Literal["lowest", "highest"] | Sequence[Hashable] | Callable[[int, int], int]
"""How the point of step (iv) is chosen among those where two predictors f and g differ.

``"lowest"`` or ``"highest"`` column; the first of all points listed in order of preference; or a
function of ``f < g``, given as integers whose bit ``x`` is the label at column ``x``, that returns
a column. The label of the tournament example has no part in it. On a class without a table the
function is given labellings in its language, and points are not listed.
"""


class Weight(Protocol):
    """A number of some kind: an integer, a float, a polynomial."""

    def __add__(self, other: Self, /) -> Self: ...
    def __mul__(self, other: Self, /) -> Self: ...


W = TypeVar("W", bound=Weight)


class PickRule(ABC):
    """A fixed choice of one point for each pair of different predictors."""

    @abstractmethod
    def point(self, f: int, g: int) -> int:
        """Return the column that separates ``f`` and ``g``."""

    @abstractmethod
    def opponents(self, outputs: Mapping[int, W]) -> dict[int, dict[int, W]]:
        """Return whom each predictor meets at each point.

        Parameters
        ----------
        outputs
            The weight of each predictor.

        Returns
        -------
        dict
            For each predictor f and each column x, the total weight of the predictors that are
            separated from f at x; columns without any are omitted.
        """


class FirstInOrder(PickRule):
    """The first point, in a fixed order, where the two differ.

    Parameters
    ----------
    spaces
        The encoding of the predictors.
    order
        All columns, in order of preference; or ``"lowest"`` or ``"highest"``.

    Notes
    -----
    ``opponents`` splits the predictors where the first of them differ, over and over: each of |F|
    predictors is in at most ``min(|F|, |X|)`` splits, where pairs would take ``O(|F|^2)``.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> from pac_stability.dimensions import TableSpaces
    >>> lowest = FirstInOrder(TableSpaces(FiniteClass([[0, 0], [1, 1]])), "lowest")
    >>> lowest.point(0b10, 0b01)
    0
    >>> lowest.opponents({0b00: 5, 0b10: 2, 0b01: 1})
    {0: {0: 1, 1: 2}, 2: {0: 1, 1: 5}, 1: {0: 7}}
    """

    def __init__(
        self, spaces: VersionSpaces, order: Literal["lowest", "highest"] | tuple[int, ...]
    ) -> None:
        self._label = spaces.label
        self._named = order
        self._points = spaces.points
        # The less the earlier.
        self._rank: Callable[[int], int]
        self._differ: Callable[[int, int], int]
        if isinstance(order, str):
            lowest = order == "lowest"
            self._differ = spaces.first_difference if lowest else spaces.last_difference
            self._rank = operator.pos if lowest else operator.neg
        else:
            self._differ = self._first_of_all
            self._rank = {column: rank for rank, column in enumerate(order)}.__getitem__

    @property
    def order(self) -> Sequence[int]:
        """All columns, in order of preference."""
        if isinstance(self._named, str):
            columns = range(self._points)
            return columns if self._named == "lowest" else columns[::-1]
        return self._named

    def _first_of_all(self, f: int, g: int) -> int:
        return next(x for x in self.order if self._label(f, x) != self._label(g, x))

    def point(self, f: int, g: int) -> int:
        return self._differ(f, g)

    def opponents(self, outputs: Mapping[int, W]) -> dict[int, dict[int, W]]:
        faced: dict[int, dict[int, W]] = {f: {} for f in outputs}
        alike = [list(outputs)]
        while alike:
            group = alike.pop()
            if len(group) < 2:
                continue
            x = min((self._differ(group[0], g) for g in group[1:]), key=self._rank)
            sides = [[f for f in group if self._label(f, x) == label] for label in (0, 1)]
            for side, other in (sides, sides[::-1]):
                mass = reduce(operator.add, [outputs[g] for g in other])
                for f in side:
                    faced[f][x] = mass
            alike += sides
        return faced


class ByPairs(PickRule):
    """Any function of the pair, called with the smaller predictor first.

    Parameters
    ----------
    spaces
        The encoding of the predictors.
    function
        A function from two predictors to a column where they differ; it must be deterministic.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> from pac_stability.dimensions import TableSpaces
    >>> spaces = TableSpaces(FiniteClass([[0, 0], [1, 1]]))
    >>> ByPairs(spaces, lambda f, g: (f ^ g).bit_length() - 1).point(0b10, 0b01)
    1
    """

    def __init__(self, spaces: VersionSpaces, function: Callable[[int, int], int]) -> None:
        self._spaces = spaces
        self._function = function

    def point(self, f: int, g: int) -> int:
        column = self._function(min(f, g), max(f, g))
        try:
            x = operator.index(column)
        except TypeError:
            x = -1
        label = self._spaces.label
        if not 0 <= x < self._spaces.points or label(f, x) == label(g, x):
            raise InvalidInput(
                "pick",
                f"{described(column)} for the predictors {min(f, g):#b} and {max(f, g):#b}",
                "a column where they differ",
            )
        return x

    def opponents(self, outputs: Mapping[int, W]) -> dict[int, dict[int, W]]:
        faced: dict[int, dict[int, W]] = {f: {} for f in outputs}
        for i, f in enumerate(order := sorted(outputs)):
            for g in order[:i]:
                x = self.point(f, g)
                for one, other in ((f, g), (g, f)):
                    met = faced[one]
                    met[x] = met[x] + outputs[other] if x in met else outputs[other]
        return faced


def as_pick_rule(pick: Pick, spaces: VersionSpaces) -> PickRule:
    """Return the rule that the argument ``pick`` of the tournaments stands for.

    Raises
    ------
    InvalidInput
        It is neither a name, nor a list of all points, nor a function.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> from pac_stability.dimensions import TableSpaces
    >>> spaces = TableSpaces(FiniteClass([[0, 0], [1, 1]], domain=["a", "b"]))
    >>> as_pick_rule(["b", "a"], spaces).point(0b00, 0b11)
    1
    """
    if isinstance(pick, str):
        if pick in ("lowest", "highest"):
            return FirstInOrder(spaces, "highest" if pick == "highest" else "lowest")
    elif callable(pick):
        return ByPairs(spaces, pick)
    elif isinstance(pick, Sequence):
        order = tuple(spaces.column(point) for point in pick)
        if len(set(order)) != len(order) or len(order) != spaces.points:
            raise InvalidInput("pick", described(pick), "every point of the domain once")
        return FirstInOrder(spaces, order)
    raise InvalidInput(
        "pick",
        described(pick),
        '"lowest", "highest", the points in order of preference, or a function of two predictors',
    )


# Target distributions: laws of examples that some hypothesis of the class fits with no loss

P = TypeVar("P", bound=Hashable)


@dataclass(frozen=True, slots=True)
class RealizableTarget:
    """A realizable distribution over a class, in the columns of its points.

    Attributes
    ----------
    columns, labels, weights
        The support, one entry an example: column of its point, its label, and its probability
        times ``denominator``.
    denominator
        The sum of the weights.
    concepts
        The version space of the hypotheses of loss zero, not empty; for a table, bit ``i`` is set
        when row ``i`` is one of them.
    """

    columns: tuple[int, ...]
    labels: tuple[int, ...]
    weights: tuple[int, ...]
    denominator: int
    concepts: int


def require_realizable(
    H: FiniteClass | ImplicitClass, target: FiniteDistribution[Example[P]]
) -> RealizableTarget:
    """Return a target in the columns of H, or refuse it.

    Parameters
    ----------
    H
        The class, not empty.
    target
        The distribution D of the paper: examples over the domain of H.

    Returns
    -------
    RealizableTarget
        The support in columns, and the hypotheses of loss zero.

    Raises
    ------
    InvalidInput
        The class is empty, or the target is not a distribution of examples over its domain.
    NotRealizable
        Every hypothesis errs with positive probability. The message names examples of the support
        that no hypothesis fits together, none of which could be left out.

    Notes
    -----
    m steps of version spaces for a support of m examples, ``O(m^2)`` to name a witness [BLM20,
    Section II].

    Examples
    --------
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> require_realizable(H, FiniteDistribution.uniform([Example(0, 0)])).concepts
    3
    >>> require_realizable(H, FiniteDistribution.uniform([Example(0, 1), Example(1, 0)]))
    Traceback (most recent call last):
        ...
    pac_stability.errors.NotRealizable: no hypothesis fits the examples (0, 1), (1, 0) of the target
    """
    spaces = version_spaces(H)
    columns, labels = example_columns(spaces, target)
    examples = list(zip(columns, labels, strict=True))
    concepts = _agreeing(spaces, examples)
    if not concepts:
        named = (target.support[index] for index in _contradiction(spaces, examples))
        shown = ", ".join(f"({described(z.point)}, {z.label})" for z in named)
        raise NotRealizable(f"no hypothesis fits the examples {shown} of the target")
    return RealizableTarget(
        tuple(columns),
        tuple(labels),
        tuple(target.numerators.values()),
        target.denominator,
        concepts,
    )


def example_columns(
    spaces: VersionSpaces, target: FiniteDistribution[Example[P]]
) -> tuple[list[int], list[int]]:
    """Return the columns and the labels of a target's examples, realizable or not.

    Raises
    ------
    InvalidInput
        The target is not a distribution of examples over the domain.
    """
    require_instance(target, FiniteDistribution, "target", "a FiniteDistribution of examples")
    columns, labels = [], []
    for example in target.support:
        if not isinstance(example, Example):
            raise InvalidInput("target", f"the outcome {described(example)}", "Example objects")
        try:
            column = spaces.column(example.point)
        except InvalidInput as error:
            raise InvalidInput(
                "target", f"an example at {described(example.point)}", "points of the domain of H"
            ) from error
        columns.append(column)
        labels.append(example.label)
    return columns, labels


def _agreeing(spaces: VersionSpaces, examples: Iterable[tuple[int, int]]) -> int:
    """Return the version space of the hypotheses that agree with some examples."""
    space = spaces.whole
    for column, label in examples:
        space = spaces.part(space, column, label)
    return space


def _contradiction(spaces: VersionSpaces, examples: list[tuple[int, int]]) -> list[int]:
    """Return indices of examples that no hypothesis fits, none of which can be left out."""
    kept = list(range(len(examples)))
    for index in range(len(examples)):
        rest = [other for other in kept if other != index]
        if not _agreeing(spaces, (examples[other] for other in rest)):
            kept = rest
    return kept


# The exact law of the tournaments D_k, carried over the states of the SOA

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
    >>> from pac_stability.papers.bun_livni_moran.tournament_laws import require_realizable
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

    Both players have the same law, and the choice of the point is symmetric. A fair label then
    makes either of them err with probability 1/2, so the weight of "this one is kept, after a match
    at x" is its own weight times that of the opponents it meets at x: twice, for the two seats, one
    half. Matches without a decision weigh nothing, and the total is the weight of the pairs of
    players with different predictors.

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

    It does not check whether the paper calls a level defined.

    Parameters
    ----------
    states
        The states of the SOA.
    target
        The target.
    n
        Examples that each player draws.
    rule
        The rule for the point at which two predictors are separated.
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
            At some lower level all players have the same predictor, so no match is decided.
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
    def start(self) -> Mapping[int, int]:  # as the base says
        return self._start

    @property
    def outputs(self) -> Mapping[int, int]:  # as the base says
        return self._outputs

    @property
    def started(self) -> int:  # as the base says
        return sum(self._start.values())

    @property
    def total(self) -> int:  # as the base says
        return sum(self.end.values())

    @property
    def state_count(self) -> int:  # as the base says
        return len(self.end)

    @property
    def largest(self) -> int:  # as the base says
        return max(self._outputs.values())

    @property
    def squares(self) -> int:  # as the base says
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

    def start_above(self, below: ListedLevel) -> dict[int, int]:  # as the base says
        return play(self.states, below.end, self._rule.opponents(below.outputs))
