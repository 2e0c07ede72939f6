"""The standard optimal algorithm of Littlestone, and its extension to every sequence."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import as_label
from pac_stability.classes import FiniteClass, ImplicitClass, bits
from pac_stability.classes.family import require_inhabited
from pac_stability.classes.finite_class import Mask
from pac_stability.classes.implicit import hypothesis_of
from pac_stability.data import Example, Sample
from pac_stability.dimensions import LittlestoneSearch
from pac_stability.errors import InvalidInput, Unanswerable
from pac_stability.online.machine import CompiledMachine, SoaMachine, SoaStates


class StandardOptimalAlgorithm:
    """Predict the label whose side of the version space has the larger Littlestone dimension.

    While some hypothesis agrees with the examples, the hypothesis of the algorithm is
    ``h(x) = argmax_b Ldim(V_x^b)`` where ``V_x^b`` are the hypotheses of the version space ``V``
    with label ``b`` at ``x``, Ldim of the empty set is -1, and equal values give ``tie``. An
    example that no hypothesis of ``V`` agrees with ends that: from then on only the label at the
    point of each example is overwritten, and the algorithm never returns to version spaces
    [BLM20, Section II and Definition 8].

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
        A search of ``H`` to go on with, so that what it knows is not searched for again; by
        default a new one, with ``max_memory``. Without a table nothing is searched for, and neither
        argument has a use.

    Raises
    ------
    InvalidInput
        The class is empty, ``tie`` is no label, ``search`` is of another class, or comes together
        with ``max_memory``.
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
        H: FiniteClass | ImplicitClass,
        tie: int = 1,
        *,
        max_memory: int | None = None,
        search: LittlestoneSearch | None = None,
    ) -> None:
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

        What an adversary needs to know before it chooses a label.

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

    def labelling(self) -> Mask:
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
            A :class:`~pac_stability.data.Sample`, or pairs of a point of the domain and its
            label. When one of them is bad, none is taken in.

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
