"""Labelled examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import total_ordering
from typing import TYPE_CHECKING, Generic, Never, SupportsIndex, TypeAlias, TypeVar

from pac_stability.arguments import as_integer, as_label, described, distinct, require_value
from pac_stability.errors import InvalidInput

P = TypeVar("P")
P_co = TypeVar("P_co", covariant=True)


def label_from_sign(sign: SupportsIndex) -> int:
    """Return the label 0 for the sign -1, and 1 for +1.

    This is the one place where labels written as signs, as BLM20 writes them, meet the labels 0/1
    of the library.

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
    value = as_integer(sign, "sign", "-1 or +1")
    if value not in (-1, 1):
        raise InvalidInput("sign", described(sign), "-1 or +1")
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

    It is unpacked, indexed and ordered like a pair, and is none: it differs from the tuple
    ``(point, label)``.

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
        require_value(self.point, "point")
        object.__setattr__(self, "label", as_label(self.label, "label"))

    def __iter__(self) -> Iterator[P_co | int]:
        return iter((self.point, self.label))


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
    return tuple(Example(point, label) for point in distinct(points, "points") for label in (0, 1))


_NEW_EXAMPLE = object.__new__
_SET_POINT = Example.__dict__["point"].__set__
_SET_LABEL = Example.__dict__["label"].__set__


def checked_example(point: P, label: int) -> Example[P]:
    """Build an example from parts that were checked: a program may go through every sample."""
    example: Example[P] = _NEW_EXAMPLE(Example)
    _SET_POINT(example, point)
    _SET_LABEL(example, label)
    return example
