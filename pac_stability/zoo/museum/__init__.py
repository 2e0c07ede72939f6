"""Deliberately wrong mechanisms, each with its story, its claim, and its refutation."""

from __future__ import annotations

from dataclasses import replace

from pac_stability.arguments import described
from pac_stability.errors import InvalidInput
from pac_stability.zoo.museum.answering import PREDICTIONS, SAMPLING, SELECTION, PatternResponse
from pac_stability.zoo.museum.exhibit import FITS, Exhibit
from pac_stability.zoo.museum.noisy import FOUND, NOISE
from pac_stability.zoo.specimens import TOLD

__all__ = ["Exhibit", "PatternResponse", "all", "get"]

_EXHIBITS = tuple(
    replace(each, **TOLD["exhibits"][each.name])
    for each in (*PREDICTIONS, *NOISE, *SELECTION, *SAMPLING, *FITS, *FOUND)
)


def all() -> tuple[Exhibit, ...]:  # noqa: A001  # read as museum.all()
    """Return every exhibit.

    Examples
    --------
    >>> from pac_stability.zoo import museum
    >>> {exhibit.audit().verdict.value for exhibit in museum.all()}
    {'refuted'}
    """
    return _EXHIBITS


def get(name: str) -> Exhibit:
    """Return an exhibit by its name.

    Parameters
    ----------
    name
        Such as ``"half-the-noise"``.

    Raises
    ------
    InvalidInput
        There is none with this name.

    Examples
    --------
    >>> get("half-the-noise").remedy
    'Decay e**-epsilon = 1/2 for sensitivity 1.'
    """
    for exhibit in _EXHIBITS:
        if exhibit.name == name:
            return exhibit
    names = ", ".join(exhibit.name for exhibit in _EXHIBITS)
    raise InvalidInput("name", described(name), f"one of {names}")
