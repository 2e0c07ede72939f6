"""Samples: labelled examples in order."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Generic, SupportsIndex, TypeAlias, TypeVar, overload

from pac_stability.arguments import as_label, described, require_value
from pac_stability.data.example import Example, checked_example
from pac_stability.data.points_json import decode_point, encode_point
from pac_stability.errors import InvalidInput
from pac_stability.reading import require_shallow

P = TypeVar("P")
Q = TypeVar("Q")
P_co = TypeVar("P_co", covariant=True)

Hypothesis: TypeAlias = Callable[[P], int] | Mapping[P, int]
"""What assigns labels to points: a function, or a mapping from each point to its label."""


class Sample(Sequence[Example[P_co]], Generic[P_co]):
    """An ordered sample, possibly with repeated examples (S in the papers). Immutable.

    A sample is a sequence of :class:`Example`: it has a length, is iterated, indexed and sliced
    (a slice is a sample), and ``S + T`` is the concatenation that BLM20 writes S o T. Samples are
    equal when they hold the same examples in the same order.

    Parameters
    ----------
    points
        The n points, hashable values.
    labels
        The n labels, each 0 or 1, in the same order.

    Raises
    ------
    InvalidInput
        The lengths differ, a point is not hashable or not equal to itself, or a label is not
        0 or 1.

    Examples
    --------
    >>> S = Sample(["a", "b", "a"], [0, 1, 1])
    >>> len(S), S[1], S.distinct_points
    (3, Example(point='b', label=1), ('a', 'b'))
    >>> S.loss({"a": 1, "b": 1})
    Fraction(1, 3)
    >>> S[:1] + S[2:]
    Sample(points=('a', 'a'), labels=(0, 1))
    """

    __slots__ = ("_counted", "_labels", "_look", "_points")

    _look: Callable[[str], tuple[object, ...]]  # of a sample that has not been looked at
    _points: tuple[P_co, ...]
    _labels: tuple[int, ...]
    _counted: object  # what was counted of it: see label_counts

    def __init__(self, points: Iterable[P_co], labels: Iterable[SupportsIndex]) -> None:
        self._points = tuple(points)
        self._labels = tuple(as_label(label, "labels") for label in labels)
        if len(self._points) != len(self._labels):
            raise InvalidInput(
                "labels",
                f"{len(self._labels)} labels for {len(self._points)} points",
                "one label for each point",
            )
        for point in self._points:
            require_value(point, "points")

    @classmethod
    def from_examples(cls, examples: Iterable[Example[Q]]) -> Sample[Q]:
        """Return the sample of the given examples, in their order.

        Parameters
        ----------
        examples
            Examples; being checked already, they are not checked again.

        Examples
        --------
        >>> Sample.from_examples([Example(2, 0), Example(2, 1)])
        Sample(points=(2, 2), labels=(0, 1))
        """
        kept = tuple(examples)
        # Enumerations make millions of samples: no step of Python's for each example.
        if not {Example}.issuperset(map(type, kept)):
            for example in kept:
                if not isinstance(example, Example):
                    raise InvalidInput("examples", described(example), "Example objects")
        return _unchecked(tuple(map(_POINT, kept)), tuple(map(_LABEL, kept)))

    @property
    def points(self) -> tuple[P_co, ...]:
        """The points, in order, with repetitions."""
        return self._points

    @property
    def labels(self) -> tuple[int, ...]:
        """The labels, in order."""
        return self._labels

    @property
    def distinct_points(self) -> tuple[P_co, ...]:
        """The points without repetitions, in order of first appearance."""
        return tuple(dict.fromkeys(self._points))

    def replace(self, index: int, example: Example[Q]) -> Sample[P_co | Q]:
        """Return this sample with one example replaced: a neighbour of it, or itself.

        Parameters
        ----------
        index
            The position to change, 0 <= index < n.
        example
            What to put there.

        Raises
        ------
        InvalidInput
            The position is outside the sample.

        Examples
        --------
        >>> Sample("ab", [0, 1]).replace(0, Example("c", 1))
        Sample(points=('c', 'b'), labels=(1, 1))
        """
        if not 0 <= index < len(self):
            raise InvalidInput("index", described(index), f"a position below {len(self)}")
        if not isinstance(example, Example):
            raise InvalidInput("example", described(example), "an Example")
        after = index + 1
        return _unchecked(
            (*self._points[:index], example.point, *self._points[after:]),
            (*self._labels[:index], example.label, *self._labels[after:]),
        )

    def count_errors(self, hypothesis: Hypothesis[P_co]) -> int:
        """Return the number of examples (x, y) with h(x) != y, repetitions counted.

        Parameters
        ----------
        hypothesis
            h, a function on points or a mapping from points to labels.

        Returns
        -------
        int
            Between 0 and n.

        Raises
        ------
        InvalidInput
            h has no label for a point of the sample, or gives one that is not 0 or 1.

        Examples
        --------
        >>> Sample([1, 2, 3], [0, 0, 1]).count_errors(lambda x: int(x >= 2))
        1
        """
        predict = _function_of(hypothesis)
        return sum(
            as_label(predict(point), "hypothesis") != label
            for point, label in zip(self._points, self._labels, strict=True)
        )

    def loss(self, hypothesis: Hypothesis[P_co]) -> Fraction:
        """Return the empirical loss of h: the fraction of the examples that it gets wrong.

        Parameters
        ----------
        hypothesis
            h, a function on points or a mapping from points to labels.

        Returns
        -------
        Fraction
            :meth:`count_errors` over n; 0 for the empty sample, by convention.

        Raises
        ------
        InvalidInput
            As for :meth:`count_errors`.

        Examples
        --------
        >>> Sample([1, 2, 3], [0, 0, 1]).loss(lambda x: int(x >= 2))
        Fraction(1, 3)
        """
        return Fraction(self.count_errors(hypothesis), len(self) or 1)

    def to_dict(self) -> dict[str, object]:
        """Return the sample as a dictionary that ``json.dumps`` accepts.

        Returns
        -------
        dict
            ``{"points": [...], "labels": [...]}``. Tuples become lists, and a fraction p/q
            becomes ``{"fraction": "p/q"}``.

        Raises
        ------
        InvalidInput
            A point is not made of ``None``, booleans, integers, finite floats, fractions and
            strings, and tuples of these.

        Examples
        --------
        >>> Sample([(0, 1), (1, 1)], [0, 1]).to_dict()
        {'points': [[0, 1], [1, 1]], 'labels': [0, 1]}
        """
        return {
            "points": [encode_point(point) for point in self._points],
            "labels": list(self._labels),
        }

    @classmethod
    def from_dict(cls, document: object) -> Sample[object]:
        """Return the sample that :meth:`to_dict` wrote.

        Parameters
        ----------
        document
            What :meth:`to_dict` returned, possibly after a passage through JSON.

        Raises
        ------
        InvalidInput
            The dictionary has other keys or values than :meth:`to_dict` writes, or numbers that
            were chosen to have one hash.

        Examples
        --------
        >>> Sample.from_dict({"points": [[0, 1], [1, 1]], "labels": [0, 1]})
        Sample(points=((0, 1), (1, 1)), labels=(0, 1))
        """
        require_shallow(document, "document")
        if not isinstance(document, Mapping) or set(document) != {"points", "labels"}:
            raise InvalidInput(
                "document", described(document), 'a mapping with the keys "points" and "labels"'
            )
        points, labels = document["points"], document["labels"]
        if not isinstance(points, list) or not isinstance(labels, list):
            raise InvalidInput("document", described(document), "lists of points and of labels")
        return Sample([decode_point(point) for point in points], labels)

    if not TYPE_CHECKING:  # a type checker would take any name for one of these

        def __getattr__(self, name):
            # Only a part that is not there yet comes here: see unread_sample.
            if name in ("_points", "_labels"):
                part = self._look(name[1:-1])
                setattr(self, name, part)
                return part
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __reduce__(self) -> tuple[object, ...]:
        return _unchecked, (self._points, self._labels)

    def __len__(self) -> int:
        return len(self._labels)

    def __iter__(self) -> Iterator[Example[P_co]]:
        return map(checked_example, self._points, self._labels)

    @overload
    def __getitem__(self, index: int) -> Example[P_co]: ...
    @overload
    def __getitem__(self, index: slice) -> Sample[P_co]: ...
    def __getitem__(self, index: int | slice) -> Example[P_co] | Sample[P_co]:
        if isinstance(index, slice):
            return _unchecked(self._points[index], self._labels[index])
        return checked_example(self._points[index], self._labels[index])

    def __add__(self, other: Sample[Q]) -> Sample[P_co | Q]:
        if not isinstance(other, Sample):
            return NotImplemented
        return _unchecked((*self._points, *other._points), self._labels + other._labels)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sample):
            return NotImplemented
        return self._points == other._points and self._labels == other._labels

    def __hash__(self) -> int:
        return hash((self._points, self._labels))

    def __repr__(self) -> str:
        return f"Sample(points={self._points!r}, labels={self._labels!r})"


_POINT = operator.attrgetter("point")
_LABEL = operator.attrgetter("label")


def _unchecked(points: tuple[P, ...], labels: tuple[int, ...]) -> Sample[P]:
    """Build a sample from parts of checked ones: enumerations make millions of them."""
    sample: Sample[P] = Sample.__new__(Sample)
    sample._points = points
    sample._labels = labels
    return sample


PARTS = ("point", "label")
"""What a sample has of each example."""


def unread_sample(look: Callable[[str], tuple[object, ...]]) -> Sample[object]:
    """Return a sample that has no points and no labels until they are looked at.

    Parameters
    ----------
    look
        Called with one of :data:`PARTS` when the points, or the labels, are first looked at, and
        returns all of them, checked. Everything else that a sample does is made of these; its
        length is how many labels there are.

    Examples
    --------
    >>> def look(part: str) -> tuple[object, ...]:
    ...     print(part)
    ...     return ("a", "b") if part == "point" else (0, 1)
    >>> S = unread_sample(look)
    >>> len(S), S.labels
    label
    (2, (0, 1))
    >>> S.points[0]
    point
    'a'
    """
    unread: Sample[object] = Sample.__new__(Sample)
    unread._look = look
    return unread


def _function_of(hypothesis: Hypothesis[P]) -> Callable[[P], int]:
    """Return the hypothesis as a function that names the point it has no label for."""
    if not isinstance(hypothesis, Mapping):
        if not callable(hypothesis):
            raise InvalidInput(
                "hypothesis", described(hypothesis), "a function or a mapping from points to labels"
            )
        return hypothesis
    labels = hypothesis

    def look_up(point: P) -> int:
        try:
            return labels[point]
        except KeyError:
            raise InvalidInput(
                "hypothesis", f"no label for the point {described(point)}", "a label for each point"
            ) from None

    return look_up
