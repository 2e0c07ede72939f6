"""The exceptions of the library: one hierarchy under :class:`PacStabilityError`."""

from __future__ import annotations


class PacStabilityError(Exception):
    """Root of every exception that the library raises on purpose."""


class InvalidInput(PacStabilityError, ValueError):
    """An argument is not what it must be.

    Parameters
    ----------
    argument
        Name of the argument (or file, or option) at fault.
    given
        What came, in words short enough for one line.
    wanted
        What would have been accepted.

    Examples
    --------
    >>> raise InvalidInput("n", "-1", "a non-negative integer")
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: n: got -1, want a non-negative integer
    """

    def __init__(self, argument: str, given: str, wanted: str) -> None:
        super().__init__(f"{argument}: got {given}, want {wanted}")
        self.argument = argument
        self.given = given
        self.wanted = wanted

    def __reduce__(self) -> tuple[type[InvalidInput], tuple[str, str, str]]:
        return type(self), (self.argument, self.given, self.wanted)


class NotRealizable(PacStabilityError):
    """No hypothesis of the class agrees with the examples."""


class BudgetExhausted(PacStabilityError):
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
    """A comparison of irrational quantities could not be settled at the precision allowed."""
