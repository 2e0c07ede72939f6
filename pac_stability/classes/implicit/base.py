"""Implicit classes, their labellings, and targets on points that are not listed.

First the interface that learners need of a class: version spaces, and labellings.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from pac_stability.arguments import as_size, described
from pac_stability.classes.finite_class import FiniteClass, Mask
from pac_stability.data import Example, FiniteDistribution
from pac_stability.errors import InvalidInput
from pac_stability.randomness import SYSTEM_COINS, Coins


class VersionSpaces(ABC):
    """The interface of a class for the standard optimal algorithm, and all that builds on it.

    It needs no table. Points are *columns*, the numbers from 0 to ``points - 1``; version spaces
    and labellings of all points are integers in an encoding of the class:

    - a *version space*, the hypotheses that agree with some examples, is an integer above 0, and
      equal version spaces are equal integers; 0 is the empty one;
    - a *labelling* is an integer from 0 on, and two labellings are equal integers exactly if they
      are the same function. Not every labelling is a hypothesis.

    For a table (:class:`~pac_stability.dimensions.TableSpaces`) these are sets of rows and of
    columns, one bit each. An implicit class answers by closed forms
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

        If both sides have the same dimension (-1 for an empty one), the label is ``tie``.
        """

    @abstractmethod
    def split(self, space: int) -> int | None:
        """Return the first column whose smaller side has the largest dimension there is.

        ``None`` if no column has two sides, so that there is at most one hypothesis.
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
        """Return the labelling that differs from another one only at this column."""

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
        """Return the labelling with this label at a column, otherwise unchanged."""
        return f if self.label(f, column) == label else self.flipped(f, column)


class OfParameters:
    """Equal to objects of the same type with equal parameters, such as an unpickled copy."""

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), *vars(self).values()))


# Classes that answer without a table, their labellings, and targets on unlisted points


class Labelling(Mask):
    """The labels of all points of an implicit class, in an integer that can be called.

    It is the integer that encodes the labelling in the class: it equals that integer and has its
    hash. It has no bit for each point, and no list of points.

    Parameters
    ----------
    code
        The integer.
    of
        The class of the encoding.

    Raises
    ------
    InvalidInput
        The integer does not encode a labelling of the points; on use, a point is not in the domain.

    Examples
    --------
    >>> from pac_stability.classes import implicit
    >>> h = implicit.thresholds(2**64).hypothesis(2**40)
    >>> h(2**40 - 1), h(2**64 - 1), h
    (0, 1, <Labelling 1 at 1099511627776..18446744073709551615>)
    """

    of: ImplicitClass

    def __new__(cls, code: int, of: ImplicitClass) -> Labelling:
        """Return the labelling."""
        if not of.is_labelling(code):
            raise InvalidInput("code", described(code), f"a labelling of the points of {of.spec}")
        made = int.__new__(cls, code)
        made.of = of
        return made

    def __call__(self, point: Hashable, /) -> int:
        return self.of.label(self, self.of.column(point))

    def __repr__(self) -> str:
        return f"<Labelling {self.of.shown(self)}>"

    def __reduce__(self) -> tuple[type[Labelling], tuple[int, ImplicitClass]]:  # type: ignore[override]  # of a class, not of points
        return type(self), (int(self), self.of)


def hypothesis_of(domain: tuple[Hashable, ...] | FiniteClass | ImplicitClass, f: int) -> Mask:
    """Return a labelling as a callable, whether points are listed or not.

    Parameters
    ----------
    domain
        The points, or the class.
    f
        The labelling: a bit for each point, or in the encoding of an implicit class.
    """
    if isinstance(domain, tuple):
        return Mask(f, domain)
    return Mask(f, domain.domain) if isinstance(domain, FiniteClass) else Labelling(f, domain)


# Targets: drawn uniformly, labelled by a hypothesis

P_co = TypeVar("P_co", bound=Hashable, covariant=True)


class ExampleSource(Protocol[P_co]):
    """A source of examples: a finite distribution, or one without a list."""

    def sample(self, rng: Coins = SYSTEM_COINS) -> Example[P_co]:
        """Return an example, independently of all others."""
        ...


@dataclass(frozen=True, slots=True)
class UniformTarget:
    """The law of an example whose point is uniform on the whole domain of an implicit class.

    Parameters
    ----------
    of
        The class.
    concept
        A hypothesis of the class, which labels the point.

    Raises
    ------
    InvalidInput
        The hypothesis is not in the class.

    Examples
    --------
    >>> from pac_stability.classes import implicit
    >>> from pac_stability.randomness import SeededCoins
    >>> H = implicit.thresholds(2**64)
    >>> UniformTarget(H, H.hypothesis(2**63)).sample(SeededCoins(1)).label
    1
    """

    of: ImplicitClass
    concept: Labelling

    def __post_init__(self) -> None:
        concept = self.concept
        if concept.of != self.of:
            raise InvalidInput("hypothesis", described(concept), f"a hypothesis of {self.of.spec}")
        if not self.of.contains(concept):
            raise InvalidInput("hypothesis", described(concept), f"one that is in {self.of.spec}")

    def labelled(self, column: int) -> Example[Hashable]:
        """Return the example at a column."""
        return Example(self.of.point(column), self.of.label(self.concept, column))

    def sample(self, rng: Coins = SYSTEM_COINS) -> Example[Hashable]:
        """Return an example.

        Parameters
        ----------
        rng
            The source of coins; by default the operating system's entropy.
        """
        return self.labelled(rng.below(self.of.points))


# The base of the classes


class ImplicitClass(OfParameters, VersionSpaces):
    """A hypothesis class given by closed forms instead of a table.

    It holds only its parameters, so it is as small for 2^64 points as for two. It agrees with the
    finite class of the same name, where that fits into memory: the same points in the same order,
    the same Littlestone dimensions, the same predictions.

    Notes
    -----
    A subclass defines its parameters and the methods of
    :class:`~pac_stability.classes.VersionSpaces`.
    """

    def __init__(self, n: int) -> None:
        self._points = as_size(n, "n", least=1)

    @property
    def points(self) -> int:
        """How many points there are."""
        return self._points

    @property
    @abstractmethod
    def spec(self) -> str:
        """The name and parameters of the class, as for the command line."""

    @property
    def _size_word(self) -> str:
        """The number of points, as a power of two where that is shorter."""
        n = self._points
        return f"2^{n.bit_length() - 1}" if n & n - 1 == 0 and n >= 1 << 16 else str(n)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.spec}>"

    def point(self, column: int) -> Hashable:
        """Return the point of a column: the number itself."""
        if not 0 <= column < self._points:
            raise InvalidInput("column", described(column), f"a column below {self._points}")
        return column

    def column(self, point: Hashable) -> int:
        """Return the column of a point, a number below :attr:`points`: itself."""
        try:
            return as_size(point, "point", most=self._points - 1)
        except InvalidInput as error:
            wanted = f"one of the {self._points} points, from 0 on"
            raise InvalidInput("point", described(point), wanted) from error

    def labelling(self, code: int) -> Labelling:
        """Return a labelling as a hypothesis that can be called at every point."""
        return Labelling(code, self)

    def contains(self, f: int) -> bool:
        """Whether a labelling is a hypothesis of the class."""
        return self.is_labelling(f) and self._contains(f)

    @abstractmethod
    def _contains(self, f: int) -> bool:
        """Whether a labelling is a hypothesis of the class."""

    @abstractmethod
    def shown(self, f: int) -> str:
        """Describe in a few words the points that a labelling labels 1."""

    def target(
        self, hypothesis: Labelling, points: Iterable[Hashable] | None = None
    ) -> FiniteDistribution[Example[Hashable]] | UniformTarget:
        """Return a target: a uniform point, labelled by a hypothesis of the class.

        Parameters
        ----------
        hypothesis
            A hypothesis of this class.
        points
            The points to draw from; by default the whole domain, without listing it.

        Returns
        -------
        FiniteDistribution or UniformTarget
            The law of the example if points are given; otherwise a source of examples.

        Raises
        ------
        InvalidInput
            The hypothesis is not in this class, or a point is not in the domain.

        Examples
        --------
        >>> from pac_stability.classes import implicit
        >>> H = implicit.singletons(2**64)
        >>> H.target(H.hypothesis(7), [7, 2**60]).support
        (Example(point=7, label=1), Example(point=1152921504606846976, label=0))
        """
        everywhere = UniformTarget(self, hypothesis)
        if points is None:
            return everywhere
        return FiniteDistribution.uniform([everywhere.labelled(self.column(x)) for x in points])
