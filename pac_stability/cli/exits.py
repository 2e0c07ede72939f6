"""Exit codes of the command line."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes; scripts rely on them."""

    OK = 0
    REFUTED = 1
    BAD_INPUT = 2
    INCONCLUSIVE = 3
    INTERNAL = 4
    INTERRUPTED = 130  # 128 + SIGINT, as a shell reports it
    BROKEN_PIPE = 141  # 128 + SIGPIPE
