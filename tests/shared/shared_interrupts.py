"""An interrupt, as Ctrl-C or an alarm are one, at a chosen line of the library."""

import os
import sys
from collections import Counter
from collections.abc import Callable
from random import Random
from types import FrameType
from typing import Any

NEVER = 10**9
TIMES = 10 if os.environ.get("PAC_STABILITY_EXAMPLES") == "nightly" else 1


def interrupted(act: Callable[[], object], at: int) -> list[tuple[str, int]]:
    """Act, with a KeyboardInterrupt at a line of the library, the at-th that is come to.

    Returns the lines that were come to: fewer than ``at`` if there was no interrupt.
    """
    seen: list[tuple[str, int]] = []

    def trace(frame: FrameType, event: str, _: object) -> Any:  # a trace function
        file = frame.f_code.co_filename
        if "pac_stability" not in file or "/tests/" in file:
            return None
        if event == "line":
            seen.append((file, frame.f_lineno))
            if len(seen) == at:
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


def moments(act: Callable[[], object], most: int, seed: int) -> list[int]:
    """Return when to interrupt what acts: at every line it comes to, or at so many of them.

    Of these, each line of the code is there once, at any of its times, before one is there twice.
    """
    lines, times = interrupted(act, NEVER), Counter[tuple[str, int]]()
    chosen = []
    for moment in Random(seed).sample(range(len(lines)), len(lines)):
        chosen.append((times[lines[moment]], moment + 1))
        times[lines[moment]] += 1
    chosen.sort(key=lambda each: each[0])
    return sorted(moment for _, moment in chosen[: most * TIMES])
