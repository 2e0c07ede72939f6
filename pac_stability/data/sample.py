"""Labelled examples, and samples of them in order: as Python values, or in arrays.

This module writes points as JSON, counts labels once for each sample, and checks arguments that
must be samples.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering
from types import FrameType
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    NamedTuple,
    Never,
    SupportsIndex,
    TypeAlias,
    TypeVar,
    cast,
    overload,
)

import numpy as np
import numpy.typing as npt

from pac_stability import arguments
from pac_stability.errors import InvalidInput
from pac_stability.randomness.watch import Owner, assume, owner_of_frame
from pac_stability.reading import MAX_DIGITS, number_from, require_shallow

P = TypeVar("P")
P_co = TypeVar("P_co", covariant=True)


BARE = "labelled=False (--unlabelled) for bare points in place of labelled examples"
UNEQUAL = (
    "The algorithm compares a labelled example with something else, such as a point, and they are "
    f"never equal; {BARE}."
)


def label_from_sign(sign: SupportsIndex) -> int:
    """Return the label 0 for the sign -1, and 1 for +1.

    BLM20 writes labels as signs; this function alone converts them to the labels 0 and 1 of the
    library.

    Parameters
    ----------
    sign
        -1 or +1.

    Returns
    -------
    int
        0 or 1.

    Raises
    ------
    InvalidInput
        ``sign`` is neither -1 nor +1.

    Examples
    --------
    >>> [label_from_sign(s) for s in (-1, +1)]
    [0, 1]
    """
    value = arguments.as_integer(sign, "sign", "-1 or +1")
    if value not in (-1, 1):
        raise InvalidInput("sign", arguments.described(sign), "-1 or +1")
    return (value + 1) // 2


if TYPE_CHECKING:
    # Only of a tuple does a type checker know that the parts have different types.
    class _TypedPair(tuple[P_co, int], Generic[P_co]):
        # What tuples have besides and examples have not, so that a type checker refuses it.
        def __add__(self, _: Never, /) -> Never: ...  # type: ignore[override]  # on purpose
        def __mul__(self, _: Never, /) -> Never: ...  # type: ignore[override]  # on purpose
        def __rmul__(self, _: Never, /) -> Never: ...  # type: ignore[override]  # on purpose
        def count(self, _: Never, /) -> Never: ...
        def index(self, *_: Never) -> Never: ...  # type: ignore[override]  # on purpose

    _Pair: TypeAlias = _TypedPair[P_co]
else:

    @total_ordering
    class _Pair(Generic[P_co]):
        __slots__ = ()

        def __len__(self) -> int:
            return 2

        def __getitem__(self, index):
            return (self.point, self.label)[index]

        def __lt__(self, other):
            return tuple(self) < tuple(other) if isinstance(other, Example) else NotImplemented


@dataclass(frozen=True, slots=True)
class Example(_Pair[P_co]):
    """A point of the domain together with its label: ``point, label = example``.

    It can be unpacked, indexed and ordered like a pair, but does not equal the tuple ``(point,
    label)``.

    Parameters
    ----------
    point
        Any hashable value.
    label
        0 or 1. Signs are converted by :func:`label_from_sign`.

    Raises
    ------
    InvalidInput
        The point is not hashable or not equal to itself, or the label is not 0 or 1.

    Examples
    --------
    >>> Example(3, 1)
    Example(point=3, label=1)
    >>> [x for x, y in all_examples("ab") if y]
    ['a', 'b']
    """

    point: P_co
    label: int

    def __post_init__(self) -> None:
        arguments.require_value(self.point, "point")
        object.__setattr__(self, "label", arguments.as_label(self.label, "label"))

    def __iter__(self) -> Iterator[P_co | int]:
        return iter((self.point, self.label))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Example):
            return bool(self.point == other.point) and self.label == other.label
        asking: FrameType | None = sys._getframe(1)
        while asking is not None and owner_of_frame(asking) is Owner.STANDARD:
            asking = asking.f_back
        if owner_of_frame(asking) is Owner.USER:
            assume(UNEQUAL)
        return NotImplemented

    def __hash__(self) -> int:
        return hash((self.point, self.label))


def all_examples(points: Iterable[P]) -> tuple[Example[P], ...]:
    """Return every example over the given points: each point with label 0, then with label 1.

    Parameters
    ----------
    points
        The domain X, without repetitions.

    Returns
    -------
    tuple of Example
        The 2|X| examples, a *universe* for neighbours and multisets.

    Raises
    ------
    InvalidInput
        A point is not hashable or is repeated.

    Examples
    --------
    >>> [(z.point, z.label) for z in all_examples("ab")]
    [('a', 0), ('a', 1), ('b', 0), ('b', 1)]
    """
    return tuple(
        Example(point, label) for point in arguments.distinct(points, "points") for label in (0, 1)
    )


_NEW_EXAMPLE = object.__new__
_SET_POINT = Example.__dict__["point"].__set__
_SET_LABEL = Example.__dict__["label"].__set__


def checked_example(point: P, label: int) -> Example[P]:
    """Build an example from checked parts, fast: a program may enumerate all samples."""
    example: Example[P] = _NEW_EXAMPLE(Example)
    _SET_POINT(example, point)
    _SET_LABEL(example, label)
    return example


# Points as JSON

_FRACTION = "fraction"
_TOO_LONG = 10**MAX_DIGITS
_DEEPEST = 32  # half of what the reader allows: a point stands inside lists and objects


def encode_point(point: object, name: str = "points", depth: int = _DEEPEST) -> object:
    """Return the JSON form of a point; ``name`` is what it is called in a message.

    The reader accepts whatever this writes: integers are short, and tuples are not deep.
    """
    if type(point).__module__ == "numpy" and getattr(point, "ndim", None) == 0:
        # NumPy's scalars are not known to every JSON writer; their item is Python's, and equal.
        point = point.item()  # type: ignore[attr-defined]  # every scalar of NumPy has one
    if point is None or isinstance(point, bool | str):
        return point
    if isinstance(point, tuple):
        if not depth:
            given = "tuples nested too deeply"
            raise InvalidInput(name, given, f"tuples nested at most {_DEEPEST} deep")
        return [encode_point(part, name, depth - 1) for part in point]
    if isinstance(point, Fraction):
        _require_short(max(abs(point.numerator), point.denominator), name)
        return {_FRACTION: str(point)}
    if isinstance(point, float) and math.isfinite(point):
        return float(point)
    try:
        number = operator.index(point)  # type: ignore[arg-type]  # NumPy's integers have an index
    except TypeError:
        wanted = "None, booleans, integers, finite floats, fractions, strings and tuples of these"
        raise InvalidInput(name, arguments.described(point), wanted) from None
    _require_short(abs(number), name)
    return number


def decode_point(value: object, name: str = "points") -> object:
    """Return the point whose JSON form is given; ``name`` is what it is called in a message."""
    if isinstance(value, list):
        return tuple(decode_point(part, name) for part in value)
    if not isinstance(value, dict):
        return value
    wanted = f'a point, or {{"{_FRACTION}": "p/q"}}'
    text = value.get(_FRACTION)
    if isinstance(text, str) and len(value) == 1:
        return number_from(text, name, wanted)
    raise InvalidInput(name, arguments.described(value), wanted)


def _require_short(size: int, name: str) -> None:
    if size >= _TOO_LONG:
        given = f"an integer of {size.bit_length()} bits"
        raise InvalidInput(name, given, f"integers of at most {MAX_DIGITS} digits")


# Samples

Q = TypeVar("Q")

_INTEGERS, _LABELS = frozenset([int]), frozenset([0, 1])
_PLAIN = frozenset([int, bool, str, bytes, Fraction])
"""Types whose values have a hash and equal themselves."""

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

    __slots__ = ("_counted", "_labels", "_points")

    _points: tuple[P_co, ...]
    _labels: tuple[int, ...]
    _counted: object  # what was counted of it: see numbered

    def __init__(self, points: Iterable[P_co], labels: Iterable[SupportsIndex]) -> None:
        self._points = tuple(points)
        given = tuple(labels)
        # Samples are long: no step of Python's for each example where the types say enough.
        if _INTEGERS.issuperset(map(type, given)) and _LABELS.issuperset(given):
            self._labels = cast("tuple[int, ...]", given)
        else:
            self._labels = tuple(arguments.as_label(label, "labels") for label in given)
        if len(self._points) != len(self._labels):
            raise InvalidInput(
                "labels",
                f"{len(self._labels)} labels for {len(self._points)} points",
                "one label for each point",
            )
        if not _PLAIN.issuperset(map(type, self._points)):
            for point in self._points:
                arguments.require_value(point, "points")

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
                    raise InvalidInput("examples", arguments.described(example), "Example objects")
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
            raise InvalidInput("index", arguments.described(index), f"a position below {len(self)}")
        if not isinstance(example, Example):
            raise InvalidInput("example", arguments.described(example), "an Example")
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
            arguments.as_label(predict(point), "hypothesis") != label
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
            wanted = 'a mapping with the keys "points" and "labels"'
            raise InvalidInput("document", arguments.described(document), wanted)
        points, labels = document["points"], document["labels"]
        if not isinstance(points, list) or not isinstance(labels, list):
            raise InvalidInput(
                "document", arguments.described(document), "lists of points and of labels"
            )
        return Sample([decode_point(point) for point in points], labels)

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


def _function_of(hypothesis: Hypothesis[P]) -> Callable[[P], int]:
    """Return the hypothesis as a function that names the point it has no label for."""
    if not isinstance(hypothesis, Mapping):
        if not callable(hypothesis):
            raise InvalidInput(
                "hypothesis",
                arguments.described(hypothesis),
                "a function or a mapping from points to labels",
            )
        return hypothesis
    labels = hypothesis

    def look_up(point: P) -> int:
        try:
            return labels[point]
        except KeyError:
            given = f"no label for the point {arguments.described(point)}"
            raise InvalidInput("hypothesis", given, "a label for each point") from None

    return look_up


# Samples in arrays

Numbers: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.float64]
"""Each entry is one exact number; a float is the dyadic rational that it stores."""

LARGEST_INTEGER = 1 << 62


class ArraySample:
    """An ordered sample of real numbers, or of real vectors, in arrays. Immutable.

    A sample for a million examples and more: it takes 8 bytes a number and one a label, where
    Python's objects take some 50. It has no examples to iterate over; :meth:`subset` makes a
    :class:`Sample` of a few, and a slice is an array sample.

    Parameters
    ----------
    points
        Shape (n,), numbers, or (n, p), vectors; integers below 2**62 in size, or finite floats of
        at most 64 bits, which are taken at their exact values. Copied.
    labels
        Shape (n,), each 0 or 1, of any integer or truth type. Copied.

    Raises
    ------
    InvalidInput
        A shape or a type is another one, a point is not a finite number, or a label not 0 or 1.

    Examples
    --------
    >>> S = ArraySample([[0.5, 2.0], [1.5, 2.0], [0.5, 3.0]], [0, 1, 1])
    >>> len(S), S
    (3, ArraySample(3 points of R^2, float64))
    >>> S.subset([2, 0])
    Sample(points=((0.5, 3.0), (0.5, 2.0)), labels=(1, 0))
    """

    __slots__ = ("_labels", "_points")

    _points: Numbers
    _labels: npt.NDArray[np.uint8]

    def __init__(self, points: npt.ArrayLike, labels: npt.ArrayLike) -> None:
        self._points = _numbers(_array(points, "points"))
        self._labels = _labels(_array(labels, "labels"))
        if len(self._labels) != len(self._points):
            given = f"{len(self._labels)} labels for {len(self._points)} points"
            raise InvalidInput("labels", given, "one label for each point")

    @property
    def points(self) -> Numbers:
        """The points in order, shape (n,) or (n, p), read-only."""
        return self._points

    @property
    def labels(self) -> npt.NDArray[np.uint8]:
        """The labels in order, shape (n,), read-only."""
        return self._labels

    def subset(self, indices: Iterable[int]) -> Sample[Any]:
        """Return the examples at some positions, in the order given, as a Sample.

        Parameters
        ----------
        indices
            Positions, each at least 0 and below n; repetitions are kept.

        Returns
        -------
        Sample
            Its points are ``int`` or ``float``, or tuples of these.

        Raises
        ------
        InvalidInput
            A position is not an integer, or outside the sample.
        """
        places = np.asarray(list(indices))
        wanted = f"positions from 0 to {len(self) - 1}"
        if places.size == 0:
            return Sample((), ())
        if places.dtype.kind not in "iu" or places.ndim != 1:
            raise InvalidInput("indices", arguments.described(places.tolist()), wanted)
        if places.min() < 0 or places.max() >= len(self):
            raise InvalidInput("indices", f"{places.min()} to {places.max()}", wanted)
        chosen = self._points[places].tolist()
        points = chosen if self._points.ndim == 1 else map(tuple, chosen)
        return Sample(points, self._labels[places].tolist())

    def __getitem__(self, part: slice) -> ArraySample:
        if not isinstance(part, slice):
            raise InvalidInput(
                "part", arguments.described(part), "a slice; subset() takes single positions"
            )
        return ArraySample(self._points[part], self._labels[part])

    def __len__(self) -> int:
        return len(self._labels)

    def __repr__(self) -> str:
        space = "R" if self._points.ndim == 1 else f"R^{self._points.shape[1]}"
        return f"ArraySample({len(self)} points of {space}, {self._points.dtype})"


AnySample: TypeAlias = Sample[Hashable] | ArraySample
"""What algorithms that run on samples of any size take."""


def _array(values: npt.ArrayLike, argument: str) -> npt.NDArray[Any]:
    arguments.refuse_masked(values, argument)
    try:
        return np.asarray(values)
    except (TypeError, ValueError, OverflowError):
        raise InvalidInput(argument, arguments.described(values), "an array of numbers") from None


def _numbers(array: npt.NDArray[Any]) -> Numbers:
    """Copy points as int64 or float64, whichever holds them exactly."""
    if array.ndim not in (1, 2) or 0 in array.shape[1:]:
        raise InvalidInput("points", f"an array of shape {array.shape}", "shape (n,) or (n, p)")
    numbers: Numbers
    if array.dtype.kind in "iu":
        if array.size and not -LARGEST_INTEGER < int(array.min()) <= int(array.max()) < (
            LARGEST_INTEGER
        ):
            raise InvalidInput("points", "an integer of 63 bits or more", "integers below 2**62")
        numbers = array.astype(np.int64)
    elif array.dtype.kind == "f" and array.dtype.itemsize <= 8:
        numbers = array.astype(np.float64)
        if not np.isfinite(numbers).all():
            raise InvalidInput("points", "a number that is not finite", "finite numbers")
    else:
        wanted = "integers, or floats of at most 64 bits"
        raise InvalidInput("points", f"an array of type {array.dtype}", wanted)
    numbers.flags.writeable = False
    return numbers


def _labels(array: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    if array.ndim != 1:
        raise InvalidInput("labels", f"an array of shape {array.shape}", "shape (n,)")
    if array.size and (array.dtype.kind not in "iub" or array.min() < 0 or array.max() > 1):
        wanted = "labels 0 and 1, as integers"
        raise InvalidInput("labels", arguments.described(array.tolist()), wanted)
    labels = array.astype(np.uint8)
    labels.flags.writeable = False
    return labels


# How often each point has each label

_FEW = 64
"""So many examples are counted one by one, each time: arrays would take longer."""


class LabelCounts(NamedTuple):
    """The distinct points of a sample, each with its surplus of one label over the other.

    Attributes
    ----------
    points
        In order of first appearance.
    surplus
        For each point, how many more of its examples have label 0 than label 1; int64, may be
        read-only.
    ones
        How many examples have the label 1.
    """

    points: tuple[Hashable, ...]
    surplus: npt.NDArray[np.int64]
    ones: int


class _Numbers(dict[Hashable, int]):
    """Points, numbered as they are met."""

    def __missing__(self, point: Hashable) -> int:
        number = self[point] = len(self)
        return number


class Numbered(NamedTuple):
    """A long sample, counted.

    Attributes
    ----------
    counts
        Its label counts.
    codes
        For each example twice the number of its point, and its label.
    first
        For each code the first index that has it; n if none has.
    """

    counts: LabelCounts
    codes: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]


def label_counts_of(sample: Sample[Hashable]) -> LabelCounts:
    """Return the label counts of a sample, which keeps them if it is long: O(n) the first time.

    Examples
    --------
    >>> label_counts_of(Sample("abaa", [0, 1, 1, 0]))
    LabelCounts(points=('a', 'b'), surplus=array([ 1, -1]), ones=2)
    """
    return _one_by_one(sample) if len(sample.labels) <= _FEW else numbered(sample).counts


def first_indices(sample: Sample[P], label: int) -> dict[P, int]:
    """Return for each point that has the label in the sample the first index where it does."""
    first: dict[P, int] = {}
    if len(sample.labels) > _FEW:
        found = numbered(sample).first[label::2]
        found = np.sort(found[found < len(sample.labels)])
        return {sample.points[index]: index for index in found.tolist()}
    for index, (point, given) in enumerate(zip(sample.points, sample.labels, strict=True)):
        if given == label:
            first.setdefault(point, index)
    return first


def numbered(sample: Sample[Hashable]) -> Numbered:
    """Return how the points of a sample are numbered and counted, which it keeps."""
    known: Numbered | None = getattr(sample, "_counted", None)
    if known is None:
        labels = np.frombuffer(bytes(sample.labels), dtype=np.uint8)
        points, places = numbers_of(sample.points)
        known = _counted(points, 2 * places + labels)
        sample._counted = known
    return known


def numbers_of(points: Sequence[Hashable]) -> tuple[tuple[Hashable, ...], npt.NDArray[np.int64]]:
    """Return different points, in order of first appearance, and the number of each that is given.

    No step of Python's for each, but for one that is new.
    """
    numbers = _Numbers()
    places = np.fromiter(map(numbers.__getitem__, points), dtype=np.int64, count=len(points))
    return tuple(numbers), places


def _counted(points: tuple[Hashable, ...], codes: npt.NDArray[np.int64]) -> Numbered:
    counts = np.bincount(codes, minlength=2 * len(points)).astype(np.int64)
    surplus = counts[::2] - counts[1::2]
    surplus.setflags(write=False)
    label_counts = LabelCounts(points, surplus, int(counts[1::2].sum()))
    return Numbered(label_counts, codes, first_of(codes, len(counts)))


def first_of(codes: npt.NDArray[np.int64], size: int) -> npt.NDArray[np.int64]:
    """Return for each code below a size the first index that has it; their number if none has."""
    first = np.full(size, len(codes), dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # of several, the last assignment stays
    return first


def gathered(examples: Sequence[Example[P]], places: npt.NDArray[np.int64]) -> Sample[P]:
    """Return a sample of some examples, repeated as their places say, which appear in their order.

    Examples
    --------
    >>> gathered([Example("b", 0), Example("a", 1)], np.array([0, 1, 0]))
    Sample(points=('b', 'a', 'b'), labels=(0, 1, 0))
    """
    points = np.empty(len(examples), dtype=np.object_)
    for place, example in enumerate(examples):
        points[place] = example.point
    labels = np.fromiter((example.label for example in examples), np.uint8, len(examples))
    sample = _unchecked(tuple(points[places].tolist()), tuple(labels[places].tobytes()))
    distinct, numbers = numbers_of(tuple(points))
    sample._counted = _counted(distinct, (2 * numbers + labels)[places])
    return sample


def _one_by_one(sample: Sample[Hashable]) -> LabelCounts:
    ones = sum(sample.labels)
    surplus = dict.fromkeys(sample.points, 0)
    for point, label in zip(sample.points, sample.labels, strict=True):
        surplus[point] += 1 - 2 * label
    values = np.fromiter(surplus.values(), dtype=np.int64, count=len(surplus))
    return LabelCounts(tuple(surplus), values, ones)


# Arguments


def require_sample(sample: object, least: int = 0, argument: str = "sample") -> None:
    """Refuse a value that is not a sample, and a sample with fewer examples than are needed.

    Parameters
    ----------
    sample
        What came.
    least
        How many examples it must have.
    argument
        What it is called in the message.

    Raises
    ------
    InvalidInput
        It is not a :class:`~pac_stability.data.Sample`, or it is too small.

    Examples
    --------
    >>> require_sample(Sample([1], [0]), 2)
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: sample: got 1 examples, want at least 2 examples
    """
    arguments.require_instance(sample, Sample, argument)
    assert isinstance(sample, Sample)  # noqa: S101  # just seen
    arguments.require_size(sample, least, argument)


def require_any_sample(sample: object, least: int = 0, argument: str = "sample") -> None:
    """The same, where a sample may be in arrays.

    Parameters
    ----------
    sample, least, argument
        As for :func:`require_sample`.

    Raises
    ------
    InvalidInput
        It is neither a :class:`~pac_stability.data.Sample` nor an
        :class:`~pac_stability.data.ArraySample`, or too small.
    """
    arguments.require_instance(sample, (Sample, ArraySample), argument)
    assert isinstance(sample, Sample | ArraySample)  # noqa: S101  # just seen
    arguments.require_size(sample, least, argument)
