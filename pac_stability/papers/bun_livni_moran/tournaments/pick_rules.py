"""Where a tournament asks: the point at which two different predictors are told apart."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import reduce
from typing import Literal, Protocol, Self, TypeAlias, TypeVar

from pac_stability.arguments import described
from pac_stability.classes import VersionSpaces
from pac_stability.errors import InvalidInput

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
        """Return the column at which ``f`` and ``g`` are told apart."""

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
            For each predictor f and each column x, the total weight of the predictors that are told
            apart from f at x; columns where there are none are left out.
        """


class FirstInOrder(PickRule):
    """The first point, in a fixed order, where the two differ.

    Parameters
    ----------
    spaces
        The language of the predictors.
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

    def point(self, f: int, g: int) -> int:  # noqa: D102  # as the protocol says
        return self._differ(f, g)

    def opponents(self, outputs: Mapping[int, W]) -> dict[int, dict[int, W]]:  # noqa: D102  # as the protocol says
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
    """Any function of the pair, asked with the smaller predictor first.

    Parameters
    ----------
    spaces
        The language of the predictors.
    function
        Takes the two predictors and returns a column where they differ; it must be deterministic.

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

    def point(self, f: int, g: int) -> int:  # noqa: D102  # as the protocol says
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

    def opponents(self, outputs: Mapping[int, W]) -> dict[int, dict[int, W]]:  # noqa: D102  # as the protocol says
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
