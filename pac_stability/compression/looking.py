"""Looking at the sample of a session: what goes wrong there is told by one bit, and no more."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pac_stability.errors import InvalidInput

T = TypeVar("T")


def looked(look: Callable[[], T], argument: str, wanted: str) -> T:
    """Run what looks at the sample, and replace what it raises.

    Parameters
    ----------
    look
        Calls functions of the analyst on examples of the sample.
    argument, wanted
        For the message: what was asked, and what it should have been.

    Raises
    ------
    InvalidInput
        It raised. What, and where, is not told: neither the message nor ``__cause__`` nor
        ``__context__`` have it, since any of these may hold what was seen.
    KeyboardInterrupt
        It was interrupted; a new exception, for the same reason.

    Examples
    --------
    >>> def tell():
    ...     raise ValueError("the labels are 0, 1, 1")
    >>> looked(tell, "statistic", "an answer for every sample")
    Traceback (most recent call last):
        ...
    pac_stability.errors.InvalidInput: statistic: got a failure on the sample (of which no more is \
told), want an answer for every sample
    """
    try:
        return look()
    except KeyboardInterrupt:
        interrupted = True
    except BaseException:  # SystemExit, too, can carry what was seen
        interrupted = False
    # Raised here and not above, where it would have the other exception as its context.
    if interrupted:
        raise KeyboardInterrupt
    raise InvalidInput(argument, "a failure on the sample (of which no more is told)", wanted)
