"""The base of the classes that answer without a table."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable

from pac_stability.arguments import as_size, described
from pac_stability.classes.family import OfParameters
from pac_stability.classes.implicit.labelling import Labelling
from pac_stability.classes.implicit.targets import UniformTarget
from pac_stability.classes.version_spaces import VersionSpaces
from pac_stability.data import Example, FiniteDistribution
from pac_stability.errors import InvalidInput


class ImplicitClass(OfParameters, VersionSpaces):
    """A hypothesis class that is given by its answers, and not by a table.

    It holds its parameters alone, so that it is as small for 2^64 points as for two. The answers
    are those of the finite class of the same name, where that has room: the same points in the same
    order, the same Littlestone dimensions, the same predictions.

    Notes
    -----
    A subclass says what its parameters are, and answers the questions of
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
        """The class in a word, as the command line takes it."""

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
        """Say in a few words which points a labelling labels 1."""

    def target(
        self, hypothesis: Labelling, points: Iterable[Hashable] | None = None
    ) -> FiniteDistribution[Example[Hashable]] | UniformTarget:
        """Return a target: a point is drawn uniformly, and a hypothesis of the class labels it.

        Parameters
        ----------
        hypothesis
            A hypothesis of this class.
        points
            The points that are drawn; by default all of the domain, which are not listed.

        Returns
        -------
        FiniteDistribution or UniformTarget
            The law of the example, where points are given; else what draws examples.

        Raises
        ------
        InvalidInput
            The hypothesis is none of this class, or a point is not in the domain.

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
