"""Where a tournament asks: the point at which two different predictors are told apart."""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import reduce
from typing import Literal, Protocol, Self, TypeAlias, TypeVar

from pac_stability.arguments import described
from pac_stability.classes import FiniteClass
from pac_stability.errors import InvalidInput

Pick: TypeAlias = Literal["lowest", "highest"] | Sequence[Hashable] | Callable[[int, int], int]
"""How the point of step (iv) is chosen among those where two predictors f and g differ.

``"lowest"`` or ``"highest"`` column; the first of all points listed in order of preference; or a
function of ``f < g``, given as integers whose bit ``x`` is the label at column ``x``, that returns
a column. The label of the tournament example has no part in it.
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
    columns
        All columns, in order of preference.

    Notes
    -----
    ``opponents`` splits the predictors by their labels at one point after the other: ``O(|F| |X|)``
    for |F| predictors, where pairs would take ``O(|F|^2)``.

    Examples
    --------
    >>> lowest = FirstInOrder((0, 1))
    >>> lowest.point(0b10, 0b01)
    0
    >>> lowest.opponents({0b00: 5, 0b10: 2, 0b01: 1})
    {0: {0: 1, 1: 2}, 2: {0: 1, 1: 5}, 1: {0: 7}}
    """

    def __init__(self, columns: tuple[int, ...]) -> None:
        self._columns = columns

    def point(self, f: int, g: int) -> int:  # noqa: D102  # as the protocol says
        return next(x for x in self._columns if (f ^ g) >> x & 1)

    def opponents(self, outputs: Mapping[int, W]) -> dict[int, dict[int, W]]:  # noqa: D102  # as the protocol says
        faced: dict[int, dict[int, W]] = {f: {} for f in outputs}
        alike = [list(outputs)]
        for x in self._columns:
            split = []
            for group in alike:
                zeros = [f for f in group if not f >> x & 1]
                ones = [f for f in group if f >> x & 1]
                for side, other in ((zeros, ones), (ones, zeros)):
                    if side and other:
                        mass = reduce(operator.add, [outputs[g] for g in other])
                        for f in side:
                            faced[f][x] = mass
                split += [side for side in (zeros, ones) if len(side) > 1]
            alike = split
        return faced


class ByPairs(PickRule):
    """Any function of the pair, asked with the smaller predictor first.

    Parameters
    ----------
    function
        Takes the two predictors and returns a column where they differ; it must be deterministic.

    Examples
    --------
    >>> ByPairs(lambda f, g: (f ^ g).bit_length() - 1).point(0b10, 0b01)
    1
    """

    def __init__(self, function: Callable[[int, int], int]) -> None:
        self._function = function

    def point(self, f: int, g: int) -> int:  # noqa: D102  # as the protocol says
        column = self._function(min(f, g), max(f, g))
        try:
            right = (f ^ g) >> operator.index(column) & 1
        except (TypeError, ValueError):
            right = 0
        if not right:
            raise InvalidInput(
                "pick",
                f"{described(column)} for the predictors {min(f, g):#b} and {max(f, g):#b}",
                "a column where they differ",
            )
        return operator.index(column)

    def opponents(self, outputs: Mapping[int, W]) -> dict[int, dict[int, W]]:  # noqa: D102  # as the protocol says
        faced: dict[int, dict[int, W]] = {f: {} for f in outputs}
        for i, f in enumerate(order := sorted(outputs)):
            for g in order[:i]:
                x = self.point(f, g)
                for one, other in ((f, g), (g, f)):
                    met = faced[one]
                    met[x] = met[x] + outputs[other] if x in met else outputs[other]
        return faced


def as_pick_rule(pick: Pick, H: FiniteClass) -> PickRule:
    """Return the rule that the argument ``pick`` of the tournaments stands for.

    Raises
    ------
    InvalidInput
        It is neither a name, nor a list of all points, nor a function.

    Examples
    --------
    >>> H = FiniteClass([[0, 0], [1, 1]], domain=["a", "b"])
    >>> as_pick_rule(["b", "a"], H).point(0b00, 0b11)
    1
    """
    columns = range(len(H.domain))
    if isinstance(pick, str):
        if pick == "lowest":
            return FirstInOrder(tuple(columns))
        if pick == "highest":
            return FirstInOrder(tuple(reversed(columns)))
    elif callable(pick):
        return ByPairs(pick)
    elif isinstance(pick, Sequence):
        order = tuple(H.column(point) for point in pick)
        if sorted(order) != list(columns):
            raise InvalidInput("pick", described(pick), "every point of the domain once")
        return FirstInOrder(order)
    raise InvalidInput(
        "pick",
        described(pick),
        '"lowest", "highest", the points in order of preference, or a function of two predictors',
    )
