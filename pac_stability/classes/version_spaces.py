"""What a class has to answer so that learners run on it: about version spaces, and labellings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable


class VersionSpaces(ABC):
    """The answers about a class that the standard optimal algorithm and all that rests on it need.

    No table is needed to give them. Points are *columns*, the numbers from 0 to ``points - 1``;
    version spaces and labellings of all points are integers in a language of the class:

    - a *version space*, the hypotheses that agree with some examples, is an integer above 0, and
      equal version spaces are equal integers; 0 is the empty one;
    - a *labelling* is an integer from 0 on, and two labellings are equal integers exactly if they
      are the same function. Not every labelling is a hypothesis.

    For a table (:class:`~pac_stability.dimensions.TableSpaces`) these are sets of rows and of
    columns, one bit each. A class that no table holds answers by closed forms
    (:mod:`pac_stability.classes.implicit`).
    """

    @property
    @abstractmethod
    def points(self) -> int:
        """How many columns there are."""

    @property
    @abstractmethod
    def whole(self) -> int:
        """The version space before any example: the whole class."""

    @abstractmethod
    def point(self, column: int) -> Hashable:
        """Return the point of a column."""

    @abstractmethod
    def column(self, point: Hashable) -> int:
        """Return the column of a point.

        Raises
        ------
        InvalidInput
            The point is not in the domain.
        """

    @abstractmethod
    def part(self, space: int, column: int, label: int) -> int:
        """Return the hypotheses of a version space with this label at a column; 0 for none."""

    @abstractmethod
    def dimension(self, space: int) -> int:
        """Return the Littlestone dimension of a version space; -1 for the empty one."""

    @abstractmethod
    def size(self, space: int) -> int:
        """Return how many hypotheses a version space has."""

    @abstractmethod
    def optimal(self, space: int, tie: int) -> int:
        """Return the labelling ``argmax_b Ldim(V_x^b)`` of a version space that is not empty.

        Where both sides have the same dimension, -1 for an empty one, the label is ``tie``.
        """

    @abstractmethod
    def split(self, space: int) -> int | None:
        """Return the first column whose smaller side has the largest dimension there is.

        ``None`` if no column has two sides: there is one hypothesis, or none.
        """

    @abstractmethod
    def member(self, space: int) -> int:
        """Return the labelling of one hypothesis of a version space that is not empty."""

    @abstractmethod
    def is_labelling(self, f: int) -> bool:
        """Whether an integer is a labelling of the points."""

    @abstractmethod
    def label(self, f: int, column: int) -> int:
        """Return the label that a labelling has at a column."""

    @abstractmethod
    def flipped(self, f: int, column: int) -> int:
        """Return the labelling that differs from another one at this column alone."""

    @abstractmethod
    def first_difference(self, f: int, g: int) -> int:
        """Return the first column where two different labellings differ."""

    @abstractmethod
    def last_difference(self, f: int, g: int) -> int:
        """Return the last column where two different labellings differ."""

    def sides(self, space: int, column: int) -> tuple[int, int]:
        """Return the Littlestone dimensions of the two sides of a version space at a column."""
        zero, one = (self.dimension(self.part(space, column, label)) for label in (0, 1))
        return zero, one

    def wins(self, space: int, column: int, tie: int) -> int:
        """Return the label of the SOA at one column: that of the side of larger dimension."""
        zero, one = self.sides(space, column)
        return int(one > zero or (one == zero and tie == 1))

    def relabelled(self, f: int, column: int, label: int) -> int:
        """Return the labelling with this label at a column, and else unchanged."""
        return f if self.label(f, column) == label else self.flipped(f, column)


class OfParameters:
    """Equal to what is of the same type with equal parameters, as a copy is that was pickled."""

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), *vars(self).values()))
