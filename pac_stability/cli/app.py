"""The entry point: options, and what becomes of every exception."""

from __future__ import annotations

import argparse
import io
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from pac_stability.cli.exits import Exit
from pac_stability.cli.parser import build_parser
from pac_stability.errors import BudgetExhausted, PacStabilityError, printable


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv
        Arguments after the program's name; by default those of the process.

    Returns
    -------
    int
        The exit code: 0 done or verified, 1 refuted, 2 bad input, 3 inconclusive, 4 internal error,
        130 interrupted, 141 the reader of the output went away.
    """
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us
            stream = Path(os.devnull).open("r" if name == "stdin" else "w")  # noqa: SIM115  # stays
            setattr(sys, name, stream)
    try:
        return _main(argv)
    except KeyboardInterrupt:
        _say("interrupted")
        return int(Exit.INTERRUPTED)


def _main(argv: Sequence[str] | None) -> int:
    if any("\0" in text for text in argv or ()):
        # No system passes one on, and functions that take a name of a file raise what they like.
        _say("error: an argument with a null character")
        return Exit.BAD_INPUT
    try:
        options = build_parser().parse_args(argv)
        options.argv = sys.argv[1:] if argv is None else argv
    except SystemExit as stop:
        return int(stop.code or 0)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A name that the terminal's encoding lacks must not end the program.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = _run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # The interpreter flushes once more at exit, which must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = Exit.BROKEN_PIPE
    return int(code)


def _run(options: argparse.Namespace) -> int:
    try:
        return int(options.run(options))
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except BudgetExhausted as error:
        _say(f"inconclusive: {error}")
        return Exit.INCONCLUSIVE
    except PacStabilityError as error:
        _say(f"error: {error}")
        return Exit.BAD_INPUT
    except OSError as error:
        _say(f"error: {error.filename or 'standard output'}: {error.strerror or error}")
        return Exit.BAD_INPUT
    except Exception as error:
        if options.debug:
            traceback.print_exc()
        hint = "" if options.debug else "; --debug shows where"
        _say(f"internal error: {type(error).__name__}: {error}{hint}")
        return Exit.INTERNAL
    except BaseException as stop:
        # Only an algorithm under audit ends the program, and not with our exit codes.
        _say(f"error: the algorithm ended the program, by {stop!r}")
        return Exit.BAD_INPUT


def _say(text: str) -> None:
    print(f"pac-stability: {printable(text)}", file=sys.stderr)
