"""Examples, and samples: ordered sequences of examples."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Generic, NamedTuple, TypeAlias, TypeVar, final, overload

from pac_stability.data.labels import as_label
from pac_stability.errors import InvalidInput

P = TypeVar("P", bound=Hashable)
P_co = TypeVar("P_co", bound=Hashable, covariant=True)
Q = TypeVar("Q", bound=Hashable)

Hypothesis: TypeAlias = Callable[[P], object] | Mapping[P, object]
"""What gives each point a label: a function, or a mapping."""


class _Fields(NamedTuple, Generic[P_co]):
    point: P_co
    label: int


class Example(_Fields[P_co]):
    """A point with its label, 0 or 1; a named pair.

    Raises
    ------
    InvalidInput
        The label is not 0 or 1, or the point is not hashable.

    Examples
    --------
    >>> Example("a", 1)
    Example(point='a', label=1)
    """

    __slots__ = ()

    def __new__(cls, point: P_co, label: int) -> Example[P_co]:
        """Check the label and the point."""
        _require_hashable(point)
        return tuple.__new__(cls, (point, as_label(label)))


@final
class Sample(Sequence[Example[P_co]]):
    """An ordered sequence of examples, with repetitions; immutable.

    ``S + T`` is S followed by T (BLM20's ``S o T``); a slice is a sample.

    Parameters
    ----------
    points
        The points ``x_1, ..., x_n``, hashable.
    labels
        Their labels, 0 or 1.

    Raises
    ------
    InvalidInput
        Numbers of points and labels differ, a label is not 0 or 1, or a point is not hashable.

    Examples
    --------
    >>> sample = Sample(["a", "b", "a"], [1, 0, 1])
    >>> sample.count_errors(lambda point: 1), sample.loss({"a": 1, "b": 1})
    (1, Fraction(1, 3))
    >>> sample.replace(1, Example("c", 0)).points
    ('a', 'c', 'a')
    """

    __slots__ = ("_labels", "_points")

    def __init__(self, points: Iterable[P_co], labels: Iterable[int]) -> None:
        self._points: tuple[P_co, ...] = tuple(points)
        self._labels: tuple[int, ...] = tuple(as_label(label, "labels") for label in labels)
        if len(self._points) != len(self._labels):
            raise InvalidInput(
                "labels", f"{len(self._labels)}", f"one for each of {len(self._points)} points"
            )
        for point in self._points:
            _require_hashable(point)

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[Q, int]]) -> Sample[Q]:
        """Return the sample of some (point, label) pairs, examples among them."""
        rows = tuple(pairs)
        return Sample((point for point, _ in rows), (label for _, label in rows))

    @property
    def points(self) -> tuple[P_co, ...]:
        """The points in order."""
        return self._points

    @property
    def labels(self) -> tuple[int, ...]:
        """The labels in order."""
        return self._labels

    @property
    def points_set(self) -> tuple[P_co, ...]:
        """The distinct points, in order of first appearance."""
        return tuple(dict.fromkeys(self._points))

    def __len__(self) -> int:
        return len(self._points)

    def __iter__(self) -> Iterator[Example[P_co]]:
        return map(Example, self._points, self._labels)

    @overload
    def __getitem__(self, index: int) -> Example[P_co]: ...
    @overload
    def __getitem__(self, index: slice) -> Sample[P_co]: ...
    def __getitem__(self, index: int | slice) -> Example[P_co] | Sample[P_co]:
        if isinstance(index, slice):
            return Sample(self._points[index], self._labels[index])
        return Example(self._points[index], self._labels[index])

    def __add__(self, other: Sample[Q]) -> Sample[P_co | Q]:
        return Sample((*self._points, *other._points), (*self._labels, *other._labels))

    def replace(self, i: int, example: tuple[Q, int]) -> Sample[P_co | Q]:
        """Return the sample with another example in place ``i``.

        Raises
        ------
        IndexError
            There is no such place.
        """
        point, label = example
        points: list[P_co | Q] = list(self._points)
        labels = list(self._labels)
        points[i], labels[i] = point, label
        return Sample(points, labels)

    def count_errors(self, h: Hypothesis[P_co]) -> int:
        """Return the number of examples that a hypothesis labels otherwise, repetitions counted.

        Raises
        ------
        InvalidInput
            The hypothesis gives a point of the sample no label, or none of 0 and 1.
        """
        return sum(
            _evaluate(h, point) != label
            for point, label in zip(self._points, self._labels, strict=True)
        )

    def loss(self, h: Hypothesis[P_co]) -> Fraction:
        """Return the fraction of errors of a hypothesis; zero on the empty sample."""
        return Fraction(self.count_errors(h), len(self)) if self._points else Fraction(0)

    def is_labelled_by(self, h: Hypothesis[P_co]) -> bool:
        """Return whether a hypothesis makes no error."""
        return self.count_errors(h) == 0

    def to_json(self) -> dict[str, list[P_co] | list[int]]:
        """Return lists that fit in JSON when the points do (a tuple becomes a list there)."""
        return {"points": list(self._points), "labels": list(self._labels)}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sample):
            return NotImplemented
        return self._points == other._points and self._labels == other._labels

    def __hash__(self) -> int:
        return hash((Sample, self._points, self._labels))

    def __repr__(self) -> str:
        return f"Sample({list(self._points)!r}, {list(self._labels)!r})"


def _evaluate(h: Hypothesis[P], point: P) -> int:
    if isinstance(h, Mapping):
        if point not in h:
            raise InvalidInput("h", f"no label for {point!r}", "one for every point of the sample")
        return as_label(h[point], "h")
    return as_label(h(point), "h")


def _require_hashable(point: object) -> None:
    try:
        hash(point)
    except TypeError:
        raise InvalidInput(
            "points", f"a {type(point).__name__}", "hashable points (a tuple for a list)"
        ) from None
