"""The command ``pac-stability``."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Sequence

from pac_stability.errors import NotBuilt


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; see :func:`pac_stability.cli.app.main`.

    An interrupt during loading waits until loading is done: in the middle of an import it would
    show a traceback, or be lost in a clean-up of Python. After that, SIGTERM is also an interrupt:
    if SIGINT is ignored, as in a background job, it stops the program and prints the results so
    far.

    Parameters
    ----------
    argv
        The words after the command; by default those of the call of the program.
    """
    pressed: list[int] = []
    # Handlers can be set in the main thread only; and an ignored interrupt stays ignored.
    foremost = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT)
    waits = foremost and before is signal.default_int_handler
    if waits:
        signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        from pac_stability.cli.app import main as run  # noqa: PLC0415  # what takes its time
    except NotBuilt as error:
        print(f"pac-stability: error: {error}", file=sys.stderr)
        return 2
    finally:
        if waits:
            signal.signal(signal.SIGINT, before)
    if pressed:
        print("pac-stability: interrupted", file=sys.stderr)
        return 130  # 128 + SIGINT, as a shell reports it
    ends = foremost and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if ends:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return run(argv)
    finally:
        if ends:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
