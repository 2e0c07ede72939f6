"""The commands, their help, and the handling of every exception."""

from __future__ import annotations

import argparse
import codecs
import functools
import importlib
import io
import os
import re
import sys
import traceback
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import ClassVar, NoReturn

from pac_stability import __version__
from pac_stability.cli import loading
from pac_stability.cli.commands import add_commands
from pac_stability.errors import BudgetExhausted, PacStabilityError, near, printable

_WORDS = (
    "sep/delimiter index-col/names index/names usecols/columns timeout/time-limit size/n eps/claim "
    "samples/n vc/only dimension/only format/json o/output jobs/processes"
)
_ELSEWHERE = dict(pair.split("/") for pair in _WORDS.split())
"""What other tools call some of our options."""


def _inserted(place: re.Match[str]) -> str:
    """Return the words of ``verify``, or where classes come from."""
    if place[1] == "SOURCES":
        return (Path(__file__).parent / "help" / "sources.txt").read_text("utf-8")
    from pac_stability.claims.claim import MEANING  # noqa: PLC0415  # it takes time to load

    return "".join(f"  {word:<12}  {said}\n" for word, said in MEANING.items())


class _Parser(argparse.ArgumentParser):
    """Reports a wrong option in one line, and has the words of ``verify`` in its help."""

    def format_help(self) -> str:
        # Read for this alone: a wrong option is to be reported at once.
        end = Path(__file__).parent / "help" / f"{self.prog.split()[-1]}.txt"
        if end.is_file():
            self.epilog = re.sub(
                "^(WORDS|SOURCES)\n", _inserted, end.read_text("utf-8"), flags=re.M
            )
        return super().format_help()

    given: ClassVar[Sequence[str]] = ()
    """The arguments of this run."""

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            known = [str(choice) for choice in action.choices]
            said = f"got {printable(str(value))!r}{near(str(value), known)}, "
            said += f"want one of {', '.join(known)}"
            raise argparse.ArgumentError(action, said)

    def error(self, message: str) -> NoReturn:
        option = re.fullmatch(r"argument (--\w[\w-]*): expected one argument", message)
        for before, given in pairwise(self.given):
            if option is not None and before == option[1] and re.match(r"-[\d.]", given):
                message += f"; write {before}={printable(given)}"
        unknown, command = (
            re.match(r"unrecognized arguments: (?:-+(\w[\w-]*)|(\S+))", message),
            self,
        )
        if unknown is not None:
            command = self._asked()
        if unknown is not None and (word := unknown[2]):
            place = list(self.given).index(word) if word in self.given else 0
            before, value = ["", "", *self.given][place : place + 2]
            if before.startswith("--"):
                message += f"; several values go between commas: {before} {value},{word}"
            elif command.prog.endswith(" verify"):
                message += f"; write --only {word}"
        elif unknown is not None:
            known = [option.lstrip("-") for option in command._option_string_actions]
            word = _ELSEWHERE.get(unknown[1], unknown[1])
            near_it = f" (near it: {word})" if word in known else near(word, known, 0.6)
            message += re.sub(r"(?<=: |, )(?=\w)", "--", near_it)
        self.exit(2, f"pac-stability: error: {message} (see '{command.prog} --help')\n")

    def _asked(self) -> _Parser:
        """The command that these arguments are for: it is the program that misses an option."""
        groups = [a for a in self._actions if isinstance(a, argparse._SubParsersAction)]
        found = [a.choices[word] for a in groups for word in self.given if word in a.choices]
        return found[0]._asked() if found else self


@functools.cache  # building it takes longer than a small command
def build_parser() -> argparse.ArgumentParser:
    """Return the parser; the attribute ``run`` of its result is the function that does the work."""
    parser = _Parser(
        prog="pac-stability",
        description="Dimensions of finite hypothesis classes, exactly and with certificates; the "
        "mistake-bound game; and audits: is a learner what it claims to be?",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--version", action="version", version=f"pac-stability {__version__}",
        help="print the version and stop",
    )  # fmt: skip
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    add_commands(commands)
    return parser


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
        loading.say("interrupted")
        return int(loading.Exit.INTERRUPTED)


def _main(argv: Sequence[str] | None) -> int:
    if any("\0" in text for text in argv or ()):
        # No system passes one on, and functions that take a name of a file raise what they like.
        loading.say("error: an argument has a null character")
        return loading.Exit.BAD_INPUT
    parser = build_parser()
    if "_ARGCOMPLETE" in os.environ:  # a shell asks what may come next, and the program ends here
        importlib.import_module("argcomplete").autocomplete(parser)
    argv = sys.argv[1:] if argv is None else argv
    if not argv:
        parser.print_help(sys.stderr)
        return loading.Exit.BAD_INPUT
    if argv[0] == "help":
        argv = [*argv[1:], "--help"]
    _Parser.given = argv
    try:
        options = parser.parse_args(argv)
        options.argv = _Parser.given
    except SystemExit as stop:
        return int(stop.code or 0)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # What the terminal's encoding lacks must not end the program.
        codecs.register_error("plain_lines", _plain_lines)
        sys.stdout.reconfigure(errors="plain_lines")
    try:
        code = _run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # The interpreter flushes once more at exit, which must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = loading.Exit.BROKEN_PIPE
    return int(code)


_LINES = {"\u2502": "|", "\u251c": "|", "\u2514": "`", "\u2500": "-"}


def _plain_lines(error: UnicodeError) -> tuple[str, int]:
    """Write the lines of a tree in ASCII, and other characters by their numbers."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    escaped = (
        _LINES.get(mark) or mark.encode("ascii", "backslashreplace").decode() for mark in lost
    )
    return "".join(escaped), error.end


def _run(options: argparse.Namespace) -> int:
    try:
        return int(options.run(options))
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except BudgetExhausted as error:
        # Limits are named as in Python, where they are arguments.
        said = re.sub(
            r"\b(max_\w+)=(\d+)", lambda at: f"--{at[1].replace('_', '-')} {at[2]}", str(error)
        )
        loading.say(f"inconclusive: {said.replace('(symmetric)', '(--symmetric)')}")
        return loading.Exit.INCONCLUSIVE
    except PacStabilityError as error:
        # What Python calls the mechanism is here what was given to be audited.
        named, said = getattr(options, "subject", "mechanism"), str(error)
        loading.say(f"error: {re.sub('^mechanism(?=: )', lambda _: named, said)}")
        return loading.Exit.BAD_INPUT
    except OSError as error:
        loading.say(f"error: {error.filename or 'standard output'}: {error.strerror or error}")
        return loading.Exit.BAD_INPUT
    except Exception as error:
        if isinstance(error, ImportError) and "pip install" in str(error):  # an extra is missing
            loading.say(f"error: {error}")
            return loading.Exit.BAD_INPUT
        if options.debug:
            traceback.print_exc()
        hint = "" if options.debug else "; --debug shows where"
        loading.say(f"internal error: {type(error).__name__}: {error}{hint}")
        return loading.Exit.INTERNAL
    except BaseException as stop:
        # Only an algorithm under audit ends the program, and not with our exit codes.
        loading.say(f"error: the algorithm ended the program: {stop!r}")
        return loading.Exit.BAD_INPUT
