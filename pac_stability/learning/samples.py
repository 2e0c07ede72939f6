"""What every learner asks of a sample and of points."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from pac_stability.data import AnySample, ArraySample, Sample
from pac_stability.data._values import described
from pac_stability.errors import InvalidInput

P = TypeVar("P")


def require_sample(sample: object, least: int = 0, argument: str = "sample") -> None:
    """Refuse what is no sample, and one with fewer examples than are needed.

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
        It is no :class:`~pac_stability.data.Sample`, or too small.

    Examples
    --------
    >>> require_sample(Sample([1], [0]), 2)
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: sample: got 1 examples, want at least 2 examples
    """
    if not isinstance(sample, Sample):
        raise InvalidInput(argument, described(sample), "a Sample")
    _require_size(sample, least, argument)


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
    if not isinstance(sample, Sample | ArraySample):
        raise InvalidInput(argument, described(sample), "a Sample or an ArraySample")
    _require_size(sample, least, argument)


def as_points(points: Iterable[P], argument: str = "points") -> tuple[P, ...]:
    """Return points as a tuple, or refuse what is not several of them.

    Parameters
    ----------
    points
        What came.
    argument
        What it is called in the message.

    Raises
    ------
    InvalidInput
        It cannot be gone through.

    Examples
    --------
    >>> as_points("ab")
    ('a', 'b')
    """
    try:
        return tuple(points)
    except TypeError:
        wanted = "several points: a list of them, for one point too"
        raise InvalidInput(argument, described(points), wanted) from None


def _require_size(sample: AnySample, least: int, argument: str) -> None:
    if len(sample) < least:
        raise InvalidInput(argument, f"{len(sample)} examples", f"at least {least} examples")
