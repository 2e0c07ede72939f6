"""An interrupt, as Ctrl-C or an alarm are one, at a chosen line of the library."""

import sys
from collections.abc import Callable, Iterator
from random import Random
from types import FrameType
from typing import Any


def interrupted(act: Callable[[], object], at: int) -> int:
    """Act, with a KeyboardInterrupt at a line of the library, the at-th that is come to.

    Returns how many lines were come to: fewer than ``at`` if there was no interrupt.
    """
    seen = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:  # a trace function
        nonlocal seen
        if "pac_stability" not in frame.f_code.co_filename or "/tests/" in frame.f_code.co_filename:
            return None
        if event == "line":
            seen += 1
            if seen == at:
                sys.settrace(None)
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(before)
    return seen


def moments(lines: int, most: int, seed: int) -> Iterator[int]:
    """Return the numbers of lines at which to interrupt: all, or so many at random."""
    everything = range(1, lines + 1)
    return iter(everything if lines <= most else sorted(Random(seed).sample(everything, most)))
