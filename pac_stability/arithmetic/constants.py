"""Whose constants a size or a bound is computed with: as printed, as proved, or the sharpest."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal, TypeAlias

from pac_stability.errors import InvalidInput


class Constants(StrEnum):
    """Whose constants a size or a bound is computed with.

    Attributes
    ----------
    PRINTED
        As the paper prints them, with the explicit constants of what it cites. Not all of it is
        right: where no proof is known, the function says so.
    PROVED
        The paper's own accounting (its steps, and what it lets each of them spend), with the best
        lemmas for the steps that we can prove.
    SHARP
        The best that is proved here, whatever the accounting. This is the default everywhere.

    Notes
    -----
    ``PROVED`` and ``SHARP`` are proved, always; so is ``PRINTED`` wherever it is no smaller than
    one of them. From printed to proved is what better lemmas save, from proved to sharp what a
    better division of alpha, beta and gamma saves. Where there is nothing to choose, words give the
    same number, and the function says which.

    Each is a string and can be given as one. The words of earlier versions are read as well:
    ``"paper"`` and ``"statement"`` are printed, ``"repaired"`` and ``"proof"`` are proved.

    Examples
    --------
    >>> Constants("printed") is Constants("paper") is Constants.PRINTED
    True
    >>> Constants.SHARP == "sharp", f"{Constants.SHARP}"
    (True, 'sharp')
    """

    PRINTED = "printed"
    PROVED = "proved"
    SHARP = "sharp"

    @classmethod
    def _missing_(cls, value: object) -> Constants | None:
        return cls(_EARLIER[value]) if isinstance(value, str) and value in _EARLIER else None

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


_EARLIER: Final = {
    "paper": "printed",
    "statement": "printed",
    "repaired": "proved",
    "proof": "proved",
}

ConstantsLike: TypeAlias = (
    Constants | Literal["printed", "proved", "sharp", "paper", "statement", "repaired", "proof"]
)
"""What :func:`as_constants` takes: a member of the enumeration, or a word for one."""


def as_constants(value: object, argument: str = "constants") -> Constants:
    """Return whose constants are asked for, or refuse what names none.

    Parameters
    ----------
    value
        A member of :class:`Constants`, or a word for one.
    argument
        Name of the argument, for the message.

    Raises
    ------
    InvalidInput
        The value is none of the words.

    Examples
    --------
    >>> as_constants("repaired")
    Constants.PROVED
    """
    try:
        if isinstance(value, str):  # an array compares with a word entry by entry
            return Constants(value)
    except ValueError:
        pass
    given = repr(value) if isinstance(value, str) else f"a value of type {type(value).__name__}"
    raise InvalidInput(argument, given, "'printed', 'proved' or 'sharp'")
