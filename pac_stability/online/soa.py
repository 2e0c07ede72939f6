"""The standard optimal algorithm (SOA) of Littlestone, as a state machine and as an online learner.

The machine remembers one integer. Its states and its steps come first, with the compiled walks
through them; then a machine at a state, which goes from one example to the next and counts its
mistakes; the learner comes last, with its extension to sequences that no hypothesis fits.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import cached_property
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from pac_stability._core.soa import SoaMemo, SoaWalk
from pac_stability.arguments import as_label
from pac_stability.classes import FiniteClass, ImplicitClass, VersionSpaces, bits, finite_class
from pac_stability.classes.bits import as_mask
from pac_stability.classes.family import PlayableLike, as_playable, require_inhabited
from pac_stability.classes.implicit import hypothesis_of
from pac_stability.data import Example, Sample
from pac_stability.dimensions import LittlestoneSearch, TableSpaces, version_spaces
from pac_stability.errors import InvalidInput, Unanswerable

Codes = npt.NDArray[np.uint32]
"""Examples as twice the column plus the label."""

_FEW = 5
"""Fewer examples take longer to hand over than to go through."""


class SoaStates:
    """The states of the SOA on a class, and its steps from one to the next.

    While some hypothesis agrees with the examples, the SOA knows the *version space* of those that
    do, and its predictor is a function of that set. After a contradiction it knows its predictor
    only, patched at one point by each further example [BLM20, Definition 8]. A state is
    therefore one integer ``s``:

    - ``s > 0`` is a version space: for a table, bit ``i`` is set when row ``i`` is in it;
    - ``s < 0`` is a patched predictor: for a table, ``~s`` has bit ``x`` set when point ``x`` has
      label 1.

    The future depends on the past only through the state, and equal states are equal integers. A
    class without a table encodes both in its own way, see
    :class:`~pac_stability.classes.VersionSpaces`, and lists nothing.

    Parameters
    ----------
    H
        The class, not empty. Points are columns of its table.
    tie
        The label predicted where both sides have the same Littlestone dimension. An empty side has
        dimension -1, so the SOA agrees with every example of a realizable past.
    search
        A search of ``H`` to continue, if it is a table.

    Raises
    ------
    InvalidInput
        The class is empty, or ``tie`` is not a label.

    Notes
    -----
    The class determines the cost of a step and of a predictor. An object belongs to one thread.

    Examples
    --------
    >>> soa = SoaStates(FiniteClass([[0, 0], [0, 1], [1, 1]]))
    >>> soa.start, soa.predictor(soa.start)
    (7, 2)
    >>> after_one = soa.step(soa.start, 0, 1)
    >>> after_one, soa.predictor(after_one)
    (4, 3)
    >>> contradicted = soa.step(after_one, 1, 0)
    >>> contradicted, soa.predictor(contradicted)
    (-2, 1)
    """

    def __init__(
        self, H: PlayableLike, tie: int = 1, search: LittlestoneSearch | None = None
    ) -> None:
        H = as_playable(H)
        self._H = H
        self.spaces: VersionSpaces = version_spaces(H, search)
        self.tie = as_label(tie, "tie")
        self._start, self._points = self.spaces.whole, self.spaces.points

    @property
    def start(self) -> int:
        """The state before the first example: the whole class."""
        return self._start

    @property
    def dimension(self) -> int:
        """The Littlestone dimension of the class."""
        return self.spaces.dimension(self._start)

    def step(self, state: int, point: int, label: int) -> int:
        """Return the state after one more example.

        Parameters
        ----------
        state
            A state of this machine.
        point
            The column of the point.
        label
            0 or 1.

        Raises
        ------
        InvalidInput
            There is no such column or label.
        """
        if not 0 <= point < self._points:
            raise InvalidInput("point", repr(point), f"a column below {self._points}")
        if label not in (0, 1):
            raise InvalidInput("label", repr(label), "0 or 1")
        if state > 0:
            part = self.spaces.part(state, point, label)
            if part:
                return part
        return ~self.spaces.relabelled(self.predictor(state), point, label)

    def predict(self, state: int, column: int) -> int:
        """Return the label that the predictor of a state has at a column."""
        if state < 0:
            return self.spaces.label(~state, column)
        return self.spaces.wins(state, column, self.tie)

    def run(self, state: int, examples: Iterable[tuple[int, int]]) -> int:
        """Return the state after a sequence of pairs (column, label)."""
        for point, label in examples:
            state = self.step(state, point, label)
        return state

    def run_codes(self, state: int, codes: npt.NDArray[Any]) -> int:
        """Return the same for an array of codes; compiled on a table, and very fast.

        Parameters
        ----------
        state
            A state of this machine.
        codes
            Twice the column plus the label of each example, in an array of any integers.
        """
        if len(codes) < _FEW or not isinstance(self.spaces, TableSpaces):
            return self.run(state, (divmod(code, 2) for code in codes.tolist()))
        kept: Codes = np.ascontiguousarray(codes, dtype=np.uint32)
        if state > 0:
            walk = self.walks.at(state)
            self.walks.follow(walk, kept)
            return self.walks.state(walk)
        labels = np.full(self._points, 255, dtype=np.uint8)
        labels[kept >> 1] = kept & 1  # of several examples the last counts
        return ~_patched(~state, labels)

    @cached_property
    def walks(self) -> SoaWalks:
        """The compiled steps; the class is a table."""
        return SoaWalks(self)

    def predictor(self, state: int) -> int:
        """Return the labelling of a state: for a table, bit ``x`` is the label at column ``x``."""
        return ~state if state < 0 else self.spaces.optimal(state, self.tie)

    def __reduce__(self) -> tuple[type[SoaStates], tuple[FiniteClass | ImplicitClass, int]]:
        # What is remembered can be found again, and the search does not travel.
        return SoaStates, (self._H, self.tie)

    def __repr__(self) -> str:
        return f"SoaStates({self._H!r}, tie={self.tie})"


class SoaWalks:
    """The steps of a machine on a table, compiled: each step is computed once and then looked up.

    Parameters
    ----------
    states
        The machine; this object numbers its version spaces and passes their steps to the compiled
        core.
    """

    def __init__(self, states: SoaStates) -> None:
        self._states = states
        self._memo = SoaMemo(states.spaces.points)
        spaces = cast("TableSpaces", states.spaces)
        self._cut, self._favours_one = spaces.cut, spaces.favours_one
        self._columns = {states.spaces.point(x): x for x in range(states.spaces.points)}
        self.spaces: list[int] = []
        self._numbers: dict[int, int] = {}

    def _number(self, space: int) -> int:
        number = self._numbers.setdefault(space, len(self.spaces))
        if number == len(self.spaces):
            self.spaces.append(space)
        return number

    def at(self, space: int) -> SoaWalk:
        """Begin at a version space that is not empty."""
        return SoaWalk(self._memo, self._number(space))

    def state(self, walk: SoaWalk) -> int:
        """Return the state of the machine at which a walk has arrived."""
        space = self.spaces[walk.space]
        if walk.realizable:
            return space
        labels = np.frombuffer(walk.patched(), dtype=np.uint8)
        return ~_patched(self._states.predictor(space), labels)

    def teach(self, walk: SoaWalk, column: int, *, predicted: bool = True) -> None:
        """Pass to the core, for one column, the next states and the prediction."""
        number, label = walk.space, -1
        zero, one = self._cut(self.spaces[number], column)
        if not (zero and one):
            sides, label = (-1 if one else number, number if one else -1), 1 if one else 0
        else:
            sides = self._number(zero), self._number(one)
            if predicted:
                label = int(self._favours_one(zero, one, self._states.tie))
        self._memo.teach(number, column, *sides, label)

    def follow(
        self, walk: SoaWalk, codes: Codes, predictions: npt.NDArray[np.uint8] | None = None
    ) -> None:
        """Take in all examples; predictions are written if an array for them is given."""
        read = 0
        while (read := walk.walk(codes, predictions, read)) < len(codes):
            self.teach(walk, int(codes[read]) >> 1, predicted=predictions is not None)

    def codes(self, examples: list[tuple[Hashable, int] | Example[Hashable]]) -> Codes:
        """Return the codes of examples; refuse a value that is not a code."""
        codes = np.empty(len(examples), dtype=np.uint32)
        try:
            read = self._memo.read(cast("list[object]", examples), self._columns, codes)
        except TypeError:  # a point that is not hashable
            read = 0
        if read < len(examples):
            column = self._states.spaces.column
            codes[:] = [2 * column(x) + as_label(y, "y") for x, y in as_pairs(examples)]
        return codes


def _patched(f: int, labels: npt.NDArray[np.uint8]) -> int:
    """Return a labelling with some other labels; 255 where there is none."""
    return f & ~as_mask((labels < 2).astype(np.uint8)) | as_mask((labels == 1).astype(np.uint8))


def as_pairs(
    examples: Iterable[tuple[Hashable, int] | Example[Hashable]],
) -> Iterator[tuple[Hashable, int]]:
    """Points and labels of examples, in any of the accepted forms."""
    for number, example in enumerate(examples):
        if isinstance(example, Example):
            yield example.point, example.label
            continue
        try:
            point, label = example
        except (TypeError, ValueError):
            raise InvalidInput(
                f"examples[{number}]", repr(example), "a point and its label"
            ) from None
        yield point, label


# Machines at a state


class SoaMachine:
    """A state of the SOA, with a count of its mistakes.

    In Python, on any class; :class:`CompiledMachine` does the same on tables.

    Parameters
    ----------
    states
        What it goes through.

    Examples
    --------
    >>> from pac_stability.classes import implicit
    >>> soa = SoaMachine(SoaStates(implicit.thresholds(2**64)))
    >>> soa.predict(2**63)
    1
    >>> soa.update(2**63, 0)
    >>> soa.mistakes, soa.predict(2**63)
    (1, 0)
    """

    def __init__(self, states: SoaStates) -> None:
        self.states = states
        self._state = states.start
        self._mistakes = 0

    @property
    def mistakes(self) -> int:
        """The number of labels that differed from the prediction."""
        return self._mistakes

    @property
    def state(self) -> int:
        """The state, as :class:`SoaStates` has it."""
        return self._state

    @property
    def realizable(self) -> bool:
        """Whether some hypothesis agrees with every example so far."""
        return self._state > 0

    def predict(self, column: int) -> int:
        """Return the label at a column."""
        return self.states.predict(self._state, column)

    def update(self, column: int, label: int) -> None:
        """Take in an example."""
        wrong = self.predict(column) != label
        self._state = self.states.step(self._state, column, label)
        self._mistakes += wrong

    def replay(self, examples: list[tuple[Hashable, int] | Example[Hashable]]) -> list[int]:
        """Predict and take in a sequence; return the predictions."""
        column = self.states.spaces.column
        predictions = []
        for x, y in [(column(x), as_label(y, "y")) for x, y in as_pairs(examples)]:
            predictions.append(self.predict(x))
            self.update(x, y)
        return predictions

    def copy(self) -> SoaMachine:
        """Return an independent one in the same state."""
        twin = SoaMachine(self.states)
        twin._state, twin._mistakes = self._state, self._mistakes
        return twin


class CompiledMachine(SoaMachine):
    """The same on a table, where the compiled core looks up earlier steps."""

    def __init__(self, states: SoaStates) -> None:
        self.states = states
        self._walks = states.walks
        self._walk = self._walks.at(states.start)

    @property
    def mistakes(self) -> int:  # as the base says
        return self._walk.mistakes

    @property
    def state(self) -> int:  # as the base says
        return self._walks.state(self._walk)

    @property
    def realizable(self) -> bool:  # as the base says
        return self._walk.realizable

    def predict(self, column: int) -> int:  # as the base says
        label = self._walk.predict(column)
        if label < 0:
            self._walks.teach(self._walk, column)
            label = self._walk.predict(column)
        return label

    def update(self, column: int, label: int) -> None:  # as the base says
        if self._walk.update(column, label == 1) < 0:
            self._walks.teach(self._walk, column)
            self._walk.update(column, label == 1)

    def replay(  # as the base says
        self, examples: list[tuple[Hashable, int] | Example[Hashable]]
    ) -> list[int]:
        codes = self._walks.codes(examples)
        predictions = np.empty(len(codes), dtype=np.uint8)
        self._walks.follow(self._walk, codes, predictions)
        return predictions.tolist()

    def copy(self) -> CompiledMachine:  # as the base says
        twin = CompiledMachine.__new__(CompiledMachine)
        twin.states, twin._walks, twin._walk = self.states, self._walks, self._walk.copy()
        return twin


# The learner, and its extension to every sequence


class StandardOptimalAlgorithm:
    """Predict the label whose side of the version space has the larger Littlestone dimension.

    While some hypothesis agrees with the examples, the hypothesis of the algorithm is ``h(x) =
    argmax_b Ldim(V_x^b)`` where ``V_x^b`` are the hypotheses of the version space ``V`` with label
    ``b`` at ``x``, Ldim of the empty set is -1, and equal values give ``tie``. After an example
    that no hypothesis of ``V`` fits, the algorithm only overwrites the label at the point of each
    further example, and never returns to version spaces [BLM20, Section II and Definition 8].

    Parameters
    ----------
    H
        The class, not empty: a table, or one that answers without
        (:mod:`pac_stability.classes.implicit`).
    tie
        The label predicted when both sides have the same dimension.
    max_memory
        Bytes that the search for dimensions may use; ``None`` for no limit.
    search
        A search of ``H`` to continue, whose results are reused; by default a new one, with
        ``max_memory``. Without a table there is no search, and neither argument has an effect.

    Raises
    ------
    InvalidInput
        The class is empty, ``tie`` is not a label, ``search`` is of another class, or comes
        together with ``max_memory``.
    BudgetExhausted
        Here and in every method: ``max_memory`` is too small.

    Notes
    -----
    On a realizable sequence there are at most Ldim(H) mistakes, and no deterministic algorithm
    does better. A prediction takes the exact dimension of the smaller side and one decision about
    the larger one; all questions share the table of one search, and predictions are kept until
    the version space changes. Copies share that table too, so they belong to one thread.

    Ctrl-C in a method leaves the state after the last example that was taken in whole.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> soa = StandardOptimalAlgorithm(FiniteClass([[0, 0], [0, 1], [1, 1]]))
    >>> soa.predict(0), soa.predict(1)
    (0, 1)
    >>> soa.update(0, 1)
    >>> soa.mistakes, soa.version_space, soa.hypothesis().tolist()
    (1, (2,), [1, 1])
    """

    def __init__(
        self,
        H: PlayableLike,
        tie: int = 1,
        *,
        max_memory: int | None = None,
        search: LittlestoneSearch | None = None,
    ) -> None:
        H = as_playable(H)
        self._H = H
        if isinstance(H, ImplicitClass):
            if search is not None or max_memory is not None:
                given = "search" if search is not None else "max_memory"
                raise InvalidInput(given, "one", f"none, as {H.spec} needs no search")
        else:
            require_inhabited(H)
            if search is None:
                search = LittlestoneSearch(H, max_memory)
            elif search.H is not H:
                raise InvalidInput("search", "a search of another class", "a search of H")
            elif max_memory is not None:
                raise InvalidInput("max_memory", "a search too", "one of them")
            _ = search.solver  # now, as memory may be too small
        states = SoaStates(H, as_label(tie, "tie"), search)
        self._machine: SoaMachine
        if isinstance(H, ImplicitClass):
            self._machine = SoaMachine(states)
        else:
            self._machine = CompiledMachine(states)

    @property
    def tie(self) -> int:
        """The label predicted when both sides have the same dimension."""
        return self._machine.states.tie

    @property
    def mistakes(self) -> int:
        """Examples so far whose label was not the one predicted just before.

        Also counted after the sequence has stopped being realizable.
        """
        return self._machine.mistakes

    @property
    def realizable(self) -> bool:
        """Whether some hypothesis agrees with every example so far."""
        return self._machine.realizable

    @property
    def version_space(self) -> tuple[int, ...]:
        """Rows of the hypotheses that agree with every example so far.

        ``Unanswerable`` is raised where there is no table; see :attr:`size`.
        """
        if isinstance(self._H, ImplicitClass):
            raise Unanswerable(f"the rows of the version space of {self._H!r}", "it has no table")
        return bits.ones_of(self.space)

    @property
    def space(self) -> int:
        """The version space as one integer; 0 when it is empty.

        For a table, bit ``i`` is set when row ``i`` is in it; otherwise see
        :class:`~pac_stability.classes.VersionSpaces`.
        """
        return self._machine.state if self.realizable else 0

    @property
    def size(self) -> int:
        """How many hypotheses agree with every example so far."""
        return self._machine.states.spaces.size(self.space)

    @property
    def dimension(self) -> int:
        """Littlestone dimension of the version space, -1 when it is empty."""
        return self._machine.states.spaces.dimension(self.space)

    def side_dimensions(self, x: Hashable) -> tuple[int, int]:
        """Ldim(V_x^0) and Ldim(V_x^1) for the version space ``V``, -1 for an empty side.

        An adversary needs these before it chooses a label.

        Parameters
        ----------
        x
            A point of the domain.

        Examples
        --------
        >>> from pac_stability.classes import FiniteClass
        >>> StandardOptimalAlgorithm(FiniteClass([[0, 0], [0, 1], [1, 1]])).side_dimensions(0)
        (1, 0)
        """
        return self._machine.states.spaces.sides(self.space, self._H.column(x))

    def __repr__(self) -> str:
        mistakes = f"{self.mistakes} mistake{'s' * (self.mistakes != 1)}"
        return f"<StandardOptimalAlgorithm: {self.size:,} hypotheses left, {mistakes}>"

    @property
    def _predictor(self) -> int:
        return self._machine.states.predictor(self._machine.state)

    def predict(self, x: Hashable) -> int:
        """Return the label of the current hypothesis at a point of the domain."""
        return self._machine.predict(self._H.column(x))

    def update(self, x: Hashable, y: int) -> None:
        """Take in an example: a point of the domain and its label."""
        self._machine.update(self._H.column(x), as_label(y, "y"))

    def hypothesis(self) -> npt.NDArray[np.uint8]:
        """Return the labels of the current hypothesis on the whole domain, in a new array.

        Raises
        ------
        Unanswerable
            There is no table; see :meth:`labelling`.
        """
        if isinstance(self._H, ImplicitClass):
            raise Unanswerable(f"all labels of a hypothesis of {self._H!r}", "it has no table")
        points = len(self._H.domain)
        words = bits.from_masks([self._predictor], points)
        return np.asarray(bits.unpack(words, points)[0])

    def labelling(self) -> finite_class.Mask:
        """Return the current hypothesis, which can be called at every point.

        Examples
        --------
        >>> from pac_stability.classes import implicit
        >>> soa = StandardOptimalAlgorithm(implicit.singletons(2**64))
        >>> soa.update(2**40, 1)
        >>> soa.labelling(), soa.labelling()(2**40)
        (<Labelling 1 at 1099511627776>, 1)
        """
        return hypothesis_of(self._H, self._predictor)

    def replay(
        self, examples: Iterable[tuple[Hashable, int] | Example[Hashable]]
    ) -> tuple[int, ...]:
        """Predict and take in a whole sequence.

        Parameters
        ----------
        examples
            A :class:`~pac_stability.data.Sample`, or pairs of a point of the domain and its label.
            If one of them is invalid, none is taken in.

        Returns
        -------
        tuple of int
            The prediction made before each example was taken in.

        Examples
        --------
        >>> from pac_stability.classes import FiniteClass
        >>> soa = StandardOptimalAlgorithm(FiniteClass([[0, 0], [0, 1], [1, 1]]))
        >>> soa.replay([(1, 0), (0, 1)]), soa.mistakes, soa.realizable
        ((1, 0), 2, False)
        """
        if isinstance(examples, Sample):
            listed = list(zip(examples.points, examples.labels, strict=True))
        else:
            listed = list(examples)
        return tuple(self._machine.replay(listed))

    def copy(self) -> StandardOptimalAlgorithm:
        """Return an independent algorithm in the same state."""
        twin = object.__new__(StandardOptimalAlgorithm)
        twin._H = self._H
        twin._machine = self._machine.copy()
        return twin
