"""The exceptions of the library: one hierarchy under :class:`PacStabilityError`."""

from __future__ import annotations

import re
from collections.abc import Iterable

_PART = 320  # characters that it quotes of one of its three parts, if together they are too long
LONGEST = 3 * _PART
"""Characters that a message of :class:`InvalidInput` quotes, at most."""


def printable(text: str) -> str:
    r"""Return ``text`` on one line, with ``?`` for characters unsafe in a terminal or an XML file.

    Examples
    --------
    >>> printable("two\nlines"), printable("\x1b[31mred")
    ('two lines', '?[31mred')
    """
    return "".join(letter if letter.isprintable() else "?" for letter in " ".join(text.split()))


def legible(text: str) -> str:
    r"""Return ``text``, line by line, with ``?`` for characters unsafe in a terminal.

    Examples
    --------
    >>> legible("a name\x1b[31m\nand more")
    'a name?[31m\nand more'
    """
    if text.replace("\n", "").isprintable():
        return text
    return "".join(each if each == "\n" or each.isprintable() else "?" for each in text)


def shortened(text: str, longest: int = _PART) -> str:
    """Return ``text``, with part of its middle omitted if it is too long.

    Examples
    --------
    >>> shortened("0123456789" * 1000, 20)
    '01234567 ... 3456789'
    """
    if len(text) <= longest:
        return text
    end = (longest - 5) // 2
    return f"{text[: longest - 5 - end]} ... {text[-end:]}"


def near(word: str, known: Iterable[str], cutoff: float = 0.5) -> str:
    """Return near matches in brackets, or nothing: by letters, by initials, or as a part.

    Examples
    --------
    >>> near("lern", ["learn", "audit"]), near("dp", ["differential-privacy"]), near("vc", ["a"])
    (' (near it: learn)', ' (near it: differential-privacy)', '')
    """
    import difflib  # noqa: PLC0415  # for messages alone

    names, low = list(dict.fromkeys(known)), word.lower()
    initial = re.compile(r"(?:^|[-_ ]|(?=[A-Z]))(\w)")
    close = [
        name for name in names if low in ("".join(initial.findall(name)).lower(), name.lower())
    ]
    close += [name for name in names if len(low) > 1 and low in re.split("[-_ ]", name.lower())]
    lower = {name.lower(): name for name in names}
    close += [lower[at] for at in difflib.get_close_matches(low, lower, n=3, cutoff=cutoff)]
    return f" (near it: {', '.join(list(dict.fromkeys(close))[:3])})" if close else ""


class PacStabilityError(Exception):
    """Root of every exception that the library raises on purpose."""

    def __str__(self) -> str:
        return legible(super().__str__())


class InvalidInput(PacStabilityError, ValueError):
    """An argument has an invalid value.

    Parameters
    ----------
    argument
        Name of the argument (or file, or option) at fault.
    given
        The given value, in words short enough for one line.
    wanted
        Description of the accepted values.

    Notes
    -----
    Each of the three may quote untrusted text. So the exception stores them as :func:`printable`
    returns them, and :func:`shortened` if together they exceed :data:`LONGEST`: a message is one
    line of at most a thousand characters.

    Examples
    --------
    >>> raise InvalidInput("n", "-1", "a non-negative integer")
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: n: got -1, want a non-negative integer
    """

    def __init__(self, argument: str, given: str, wanted: str) -> None:
        parts = [
            text if text.isprintable() else printable(text) for text in (argument, given, wanted)
        ]
        if sum(map(len, parts)) > LONGEST:
            parts = [shortened(text) for text in parts]
        self.argument: str = parts[0]
        self.given: str = parts[1]
        self.wanted: str = parts[2]
        super().__init__(f"{self.argument}: got {self.given}, want {self.wanted}")

    def __reduce__(self) -> tuple[type[InvalidInput], tuple[str, str, str]]:
        return type(self), (self.argument, self.given, self.wanted)


class NotBuilt(PacStabilityError, ImportError):
    """Python imports this library from its sources, and its compiled core was not built."""


class NotRealizable(PacStabilityError):
    """No hypothesis of the class agrees with the examples."""


class Unanswerable(PacStabilityError):
    """The requested answer does not exist, or the library cannot compute it.

    Parameters
    ----------
    asked
        The request.
    reason
        Why there is no answer.

    Examples
    --------
    >>> raise Unanswerable("law of a vote", "each point has coins of its own")
    Traceback (most recent call last):
        ...
    pac_stability.errors.Unanswerable: law of a vote: each point has coins of its own
    """

    def __init__(self, asked: str, reason: str = "") -> None:
        super().__init__(*filter(None, (asked, reason)))

    def __str__(self) -> str:
        return legible(": ".join(self.args))


class BudgetExhausted(Unanswerable):
    """A limit on time, memory or size ended the work before an exact answer.

    Attributes
    ----------
    lower, upper
        The certified bounds reached so far (``upper`` may be ``None`` when nothing is known).
    """

    def __init__(self, message: str, lower: int | None = None, upper: int | None = None) -> None:
        super().__init__(message)
        self.lower = lower
        self.upper = upper


class Undecided(PacStabilityError):
    """The allowed precision did not settle a comparison of irrational quantities."""
