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
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import ClassVar, NoReturn

from pac_stability import __version__
from pac_stability.cli import loading
from pac_stability.cli.audit_options import add_audit_commands
from pac_stability.errors import BudgetExhausted, PacStabilityError, printable

DIMENSIONS = ("littlestone", "vc", "dual-vc", "threshold")
ON_REQUEST = ("star", "recursive-teaching")
TREE_FORMATS = ("text", "dot", "svg", "tikz", "json")
TABLE_FORMATS = (
    *("csv", "json", "json-columns", "json-index", "npy", "npz"),
    *("cxt", "arff", "parquet", "feather", "sets"),
)
BUDGETS = ("quick", "standard", "deep")
TIME_LIMIT = 60.0
"""Seconds for a search, unless the user says otherwise: nothing goes on in silence for hours."""

_EXIT_CODES = """\
exit codes:
  0 done   2 bad input   3 inconclusive (bounds only)   4 internal error   130 interrupted
"""

_SOURCES = """\
where the class comes from:
  TABLE                      one row a hypothesis, one column a point, two values: CSV and
                             other text in columns, JSON, NPY, NPZ, formal contexts (CXT),
                             ARFF, Parquet, Feather, also packed by gzip; or animals, iris
  --family NAME[:N[,N...]]   a named family, thresholds:64 for example
  --family NAME --points F   the family restricted to the rows of a numeric table
"""


class _Parser(argparse.ArgumentParser):
    """Reports a wrong option in one line, and has the words of ``verify`` in its help."""

    def format_help(self) -> str:
        if self.epilog is not None and "\nWORDS\n" in self.epilog:
            # Imported for this alone: a wrong option is to be reported at once.
            from pac_stability.claims.claim import MEANING  # noqa: PLC0415

            words = "".join(f"  {word:<12}  {said}\n" for word, said in MEANING.items())
            self.epilog = self.epilog.replace("WORDS\n", words)
        return super().format_help()

    given: ClassVar[Sequence[str]] = ()
    """The arguments of this run."""

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is not None and value not in action.choices:
            known = [str(choice) for choice in action.choices]
            near = loading.near(str(value), known)
            said = f"got {printable(str(value))!r}{near}, want one of {', '.join(known)}"
            raise argparse.ArgumentError(action, said)

    def error(self, message: str) -> NoReturn:
        option = re.fullmatch(r"argument (--\w[\w-]*): expected one argument", message)
        for before, given in pairwise(self.given):
            if option is not None and before == option[1] and re.match(r"-[\d.]", given):
                message += f"; write {before}={printable(given)}"
        unknown, command = re.match(r"unrecognized arguments: (--\w[\w-]*)", message), self
        if unknown is not None:
            command = self._asked()
            message += loading.near(unknown[1], command._option_string_actions)
        self.exit(2, f"pac-stability: error: {message} (see '{command.prog} --help')\n")

    def _asked(self) -> _Parser:
        """The command that these arguments are for: it is the program that misses an option."""
        groups = [a for a in self._actions if isinstance(a, argparse._SubParsersAction)]
        found = [a.choices[word] for a in groups for word in self.given if word in a.choices]
        return found[0]._asked() if found else self


def dimension_names(text: str) -> list[str]:
    """Read a list of dimensions, separated by commas."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in DIMENSIONS + ON_REQUEST]
    if unknown or not names:
        known = ", ".join(DIMENSIONS + ON_REQUEST)
        raise argparse.ArgumentTypeError(
            f"got {(unknown or [text])[0]!r}, want names out of {known}"
        )
    return names


@functools.cache  # building it takes longer than a small command
def build_parser() -> argparse.ArgumentParser:
    """Return the parser; the attribute ``run`` of its result is the function that does the work."""
    parser = _Parser(
        prog="pac-stability",
        description="Dimensions of finite hypothesis classes, exactly and with certificates; the "
        "mistake-bound game; and audits: is a learner what it claims to be?",
        epilog="""\
examples:
  pac-stability dims table.csv
  pac-stability tree table.csv --format svg --output tree.svg
  pac-stability play --family thresholds:16
  pac-stability audit learner.py::learn --notion private-prediction --domain 4 --n 5 --claim 1.0

exit codes:
  0 done, or verified   1 refuted   2 bad input   3 inconclusive   4 internal error
  130 interrupted
""",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--version", action="version", version=f"pac-stability {__version__}",
        help="print the version and stop",
    )  # fmt: skip
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    dims = _command(
        commands,
        "dims",
        "Littlestone, VC, dual VC and threshold dimension of a class",
        """\
examples:
  pac-stability dims table.csv
  pac-stability dims table.npy --only littlestone,vc --time-limit 60
  pac-stability dims table.npy --only littlestone --at-least 9 --certificate proof.json
  pac-stability dims --family thresholds:64 --json
  pac-stability dims --family stumps --points patients.csv --certificate proof.json
""",
    )
    _limits(dims)
    dims.add_argument(
        "--only", type=dimension_names, metavar="NAMES", default=list(DIMENSIONS),
        help=f"compute only these dimensions, separated by commas: {', '.join(DIMENSIONS)} (the "
        f"default), {', '.join(ON_REQUEST)}",
    )  # fmt: skip
    dims.add_argument(
        "--threads", type=loading.whole(1), metavar="N", default=1,
        help="threads for a long VC or dual VC search; the answer does not depend on it "
        "(default: 1)",
    )  # fmt: skip
    dims.add_argument(
        "--at-least", type=loading.whole(0), metavar="K",
        help="only decide whether each dimension is at least K (faster, but near its value)",
    )  # fmt: skip
    dims.add_argument("--json", action="store_true", help="print JSON (pac-stability/dims/1)")
    dims.add_argument(
        "--certificate", metavar="FILE",
        help="write the witnesses of the lower bounds as JSON (pac-stability/certificate/1)",
    )  # fmt: skip
    dims.add_argument(
        "--rocq", metavar="FILE.v",
        help="write the Littlestone dimension as a theorem for the proof assistant Rocq (Coq)",
    )  # fmt: skip
    dims.set_defaults(run=loading.run_by("dims"))

    tree = _command(
        commands,
        "tree",
        "a shattered mistake tree, as deep as the Littlestone dimension",
        """\
examples:
  pac-stability tree table.csv
  pac-stability tree --family intervals:8 --format svg --output tree.svg
""",
    )
    _limits(tree)
    tree.add_argument(
        "--format", choices=TREE_FORMATS,
        help="how to draw it (default: by the extension of --output, else text)",
    )  # fmt: skip
    tree.add_argument(
        "--json", action="store_const", const="json", dest="format", help="short for --format json"
    )
    tree.add_argument("--output", metavar="FILE", help="write to a file instead of the terminal")
    tree.set_defaults(run=loading.run_by("dims", "run_tree"))

    play = _command(
        commands,
        "play",
        "the mistake-bound game, step by step",
        """\
examples:
  pac-stability play table.csv                 you predict against the greedy adversary
  pac-stability play table.csv --as adversary  you choose points and labels against SOA
  pac-stability play --family cube:3 --auto    SOA against the greedy adversary

During the game: 0 or 1 answers, ? explains the position, q stops.
""",
    )
    _limits(play)
    play.add_argument(
        "--as", dest="role", choices=("learner", "adversary"), default="learner",
        help="your part (default: learner)",
    )  # fmt: skip
    play.add_argument(
        "--auto", action="store_true", help="watch SOA against the greedy adversary instead"
    )
    play.add_argument("--transcript", metavar="FILE", help="save the game as JSON")
    play.add_argument(
        "--json", action="store_true",
        help="print JSON (pac-stability/play/1) at the end; the dialogue goes to standard error",
    )  # fmt: skip
    play.set_defaults(run=loading.run_by("play"))

    sizes = _command(
        commands,
        "sizes",
        "how many examples each learner of the papers needs on a class",
        """\
examples:
  pac-stability sizes table.csv --epsilon 1
  pac-stability sizes --family thresholds:7 --alpha 1/10 --gamma 1/10 --figure sizes.svg
""",
    )
    for name, read, default, what in (
        ("alpha", loading.probability, "1/10", "the allowed excess loss"),
        ("beta", loading.probability, "1/20", "the allowed probability of a larger one"),
        ("epsilon", loading.exact_number, None, "the privacy of predictions, or of the output"),
        ("gamma", loading.probability, None, "the stability of predictions"),
        ("delta", loading.probability, None, "the delta of BLM20's learner M, with --epsilon"),
    ):
        sizes.add_argument(
            f"--{name}", type=read, metavar=name.upper(), default=default,
            help=f"{what} (default: {default})" if default else what,
        )  # fmt: skip
    sizes.add_argument("--json", action="store_true", help="print JSON (pac-stability/sizes/1)")
    sizes.add_argument("--figure", metavar="FILE", help="draw the sizes: .svg, .pdf or .png")
    sizes.set_defaults(run=loading.run_by("sizes"))

    def add(name: str, summary: str, end: str) -> argparse.ArgumentParser:
        verb = {"claims": "", "zoo": "", "follows": "show "}.get(name, f"{name} ")
        said = f"{verb}{summary}."
        return _bare_command(commands, name, said[0].upper() + said[1:], summary, end)

    add_audit_commands(add)

    verify = add(
        "verify",
        "the numbered statements of the three papers",
        """\
examples:
  pac-stability verify
  pac-stability verify --budget standard --processes 2 --html report.html
  pac-stability verify --only 'BLM20:*' --only 'DF20 Theorem 11'
  pac-stability verify --on table.csv --only 'Lemma 12'

A line has a word for the result, the statement, and the number of instances
that could have refuted it. The words:
WORDS
Ctrl-C prints the results so far; the next run goes on from there (--cache).

exit codes:
  0 as known: statements that should hold do, those known to fail fail
  1 a statement that should hold is refuted, one known to fail is not,
    or a trial is broken
  2 bad input   3 a process was killed, or --on: the class is too large for all of it
  4 internal error   130 interrupted
""",
    )
    verify.add_argument(
        "--budget", choices=BUDGETS, default=BUDGETS[0],
        help="how many instances to examine: a minute, some minutes or hours of work "
        "(default: quick)",
    )  # fmt: skip
    verify.add_argument(
        "--only", action="append", metavar="PATTERN",
        help="only these: 'Lemma 12', BLM20:theorem-3, or a pattern of keys, BLM20:lemma-1*; "
        "can be repeated",
    )  # fmt: skip
    verify.add_argument(
        "--processes", type=loading.whole(1), metavar="N",
        help="check N statements at a time (default: one for each core)",
    )  # fmt: skip
    verify.add_argument(
        "--scheduler", metavar="ADDRESS",
        help="run on a cluster of dask.distributed instead (extra: distributed)",
    )  # fmt: skip
    verify.add_argument(
        "--cache", metavar="FOLDER",
        help="the folder that keeps counts between runs, or none (default: the user's cache)",
    )  # fmt: skip
    verify.add_argument(
        "--check-cache", type=loading.how_many, metavar="N", default=0,
        help="compute N of the kept counts again, chosen at random, or a share of them: 1/10, 5%%",
    )  # fmt: skip
    verify.add_argument(
        "--fresh", action="store_true", help="ignore the kept counts, and write new ones"
    )
    verify.add_argument(
        "-v", "--verbose", action="store_true",
        help="also show the key, the source and the slack of each statement",
    )  # fmt: skip
    verify.add_argument(
        "--durations", metavar="N", type=loading.whole(1),
        help="also which N took longest, and with --json how long each took",
    )  # fmt: skip
    verify.add_argument("--json", action="store_true", help="print JSON (pac-stability/verify/5)")
    verify.add_argument("--html", metavar="FILE", help="write a page with pictures and a search")
    verify.add_argument("--latex", metavar="FILE", help="write a table for a paper")
    own = verify.add_argument_group(
        "a class of your own", "check on this class every statement that speaks of one finite class"
    )
    own.add_argument("--on", dest="table", metavar="TABLE", help="a 0/1 table")
    _other_sources(own)
    verify.set_defaults(run=loading.run_by("verify"))

    _add_claims_command(add)
    _add_follows_command(add)
    _add_zoo_command(add)
    return parser


def _add_zoo_command(add: Callable[[str, str, str], argparse.ArgumentParser]) -> None:
    zoo = add(
        "zoo",
        "list the algorithms of the benchmarks, with their exact epsilon",
        """examples:
  pac-stability zoo algorithms
  pac-stability zoo algorithms svt1 svt3 --queries 4

exit codes:
  0 done   2 bad input   130 interrupted
""",
    )
    zoo.add_argument("what", choices=("algorithms",), nargs="?", default="algorithms")
    zoo.add_argument("names", nargs="*", metavar="NAME", help="the algorithms; by default all")
    zoo.add_argument(
        "--queries", type=loading.whole(1), metavar="K", default=3,
        help="for 1, 2, ..., K queries or people (default: 3)",
    )  # fmt: skip
    zoo.add_argument("--json", action="store_true", help="print JSON (pac-stability/algorithms/1)")
    zoo.set_defaults(run=loading.run_by("zoo"))


def _add_follows_command(add: Callable[[str, str, str], argparse.ArgumentParser]) -> None:
    follows = add(
        "follows",
        "what the three papers imply, given one guarantee",
        """examples:
  pac-stability follows --differential-privacy 0.01 --n 1000 --outputs 16
  pac-stability follows --uniform-stability 1/100 --n 500 --flip 1/10 --all

exit codes:
  0 done   2 bad input
""",
    )
    known = follows.add_mutually_exclusive_group(required=True)
    for name, read, metavar, what in (
        ("differential-privacy", loading.exact_number, "EPSILON", "outputs are private"),
        ("private-prediction", loading.exact_number, "EPSILON", "predictions are private"),
        ("uniform-stability", loading.probability, "GAMMA", "predictions are stable"),
        ("global-stability", loading.probability, "ETA", "an output has probability ETA or more"),
        ("few-outputs", loading.whole(1), "NUMBER", "at most NUMBER outputs are possible"),
    ):
        known.add_argument(f"--{name}", type=read, metavar=metavar, help=f"given: {what}")
    follows.add_argument("--delta", type=loading.probability, metavar="DELTA", help="0 by default")
    follows.add_argument(
        "--n", type=loading.whole(1), required=True, metavar="N", help="the size of the samples"
    )
    choices = follows.add_argument_group("what else is given, or may be chosen")
    choices.add_argument(
        "--outputs", type=loading.whole(1), metavar="NUMBER", help="the number of possible outputs"
    )
    choices.add_argument(
        "--elements", type=loading.whole(1), metavar="NUMBER",
        help="the number of elements in the domain, for samples whose order is ignored",
    )  # fmt: skip
    choices.add_argument(
        "--group", type=loading.whole(1), metavar="SIZE",
        help="the number of examples that may differ",
    )  # fmt: skip
    choices.add_argument(
        "--flip", type=loading.probability, metavar="SHARE",
        help="the probability with which each label is flipped afterwards",
    )  # fmt: skip
    choices.add_argument(
        "--failure", type=loading.probability, default="1/20", metavar="BETA",
        help="the probability of failure (default: 1/20)",
    )  # fmt: skip
    choices.add_argument(
        "--consistent", action="store_true", help="the learner fits every realizable sample"
    )
    follows.add_argument(
        "--all", action="store_true", help="also show the weaker conclusions of each kind"
    )
    follows.set_defaults(run=loading.run_by("verify", "run_follows"))


def _add_claims_command(add: Callable[[str, str, str], argparse.ArgumentParser]) -> None:
    parent = add(
        "claims",
        "list, search and explain the statements that verify checks",
        """\
examples:
  pac-stability claims list --paper BLM20
  pac-stability claims find "Lemma 12"
  pac-stability claims find thresholds
  pac-stability claims show BLM20:lemma-12
  pac-stability claims about TournamentDistribution
  pac-stability claims new XYZ26
""",
    )
    actions = parent.add_subparsers(
        title="what to do", metavar="ACTION", required=True, dest="action"
    )
    listed = actions.add_parser("list", help="list all statements, one line each")
    listed.add_argument(
        "--paper", action="append", metavar="KEY", help="only of this paper; can be repeated"
    )
    found = actions.add_parser("find", help="find statements by number or by words")
    found.add_argument("text", nargs="+", metavar="TEXT", help="'Lemma 12', 'DF20 Thm 3', words")
    shown = actions.add_parser("show", help="show everything about one statement")
    shown.add_argument("item", nargs="+", metavar="KEY", help="a key, or 'Lemma 12' in quotes")
    shown.add_argument("--latex", action="store_true", help="show only the statement, in LaTeX")
    about = actions.add_parser("about", help="list the statements about an object of the library")
    about.add_argument("object", metavar="OBJECT", help="its name, or the last part of it")
    new = actions.add_parser(
        "new", help="write the skeleton of a book: the statements of another paper, as a package"
    )
    new.add_argument("key", metavar="KEY", help="the key of the book, such as XYZ26")
    new.add_argument(
        "folder", nargs="?", metavar="FOLDER",
        help="where to write it (default: a folder named by the key)",
    )  # fmt: skip
    new.add_argument("--debug", action="store_true", help="show tracebacks")
    new.set_defaults(run=loading.run_by("claims"))
    for action in (listed, found, shown, about):
        action.add_argument(
            "--json", action="store_true", help="print JSON (pac-stability/claims/2)"
        )
        action.add_argument("--debug", action="store_true", help="show tracebacks")
        action.set_defaults(run=loading.run_by("claims"), object="it", latex=False)


def _command(
    commands: "argparse._SubParsersAction[_Parser]",  # noqa: UP037  # the class takes no parameter at run time
    name: str,
    summary: str,
    examples: str,
) -> argparse.ArgumentParser:
    description = f"Compute {summary}." if name != "play" else f"Play {summary}."
    end = f"{examples}\n{_SOURCES}\n{_EXIT_CODES}"
    command = _bare_command(commands, name, description, summary, end)
    command.add_argument("table", metavar="TABLE", nargs="?", help="a 0/1 table, or a family")
    _other_sources(command)
    return command


def _other_sources(command: argparse._ActionsContainer) -> None:
    command.add_argument(
        "--table-format", choices=TABLE_FORMATS,
        help="the format of the file (default: by extension and content); csv: any text in "
        "columns; sets: a line lists the points that are labelled 1",
    )  # fmt: skip
    command.add_argument(
        "--header", action=argparse.BooleanOptionalAction,
        help="the first line names the points (default: when it cannot be data)",
    )  # fmt: skip
    command.add_argument(
        "--names", action=argparse.BooleanOptionalAction,
        help="the first column names the hypotheses (default: when it is text or an index)",
    )  # fmt: skip
    command.add_argument(
        "--ones", metavar="VALUE", help="which of the two values is 1 (default: 1, True, yes, X)"
    )
    command.add_argument(
        "--columns", metavar="COLUMNS",
        help="read only these columns: names, or numbers from 1, separated by commas; 2-5 means "
        "four columns; quote a name that has a comma",
    )  # fmt: skip
    command.add_argument(
        "--delimiter", metavar="MARK", help="the character between cells (default: found)"
    )
    command.add_argument(
        "--max-bytes", type=loading.memory, metavar="SIZE",
        help="the largest file to read, such as 4G (default: 256M)",
    )  # fmt: skip
    command.add_argument(
        "--family", metavar="NAME[:N,...]", help="a named family, instead of TABLE"
    )
    command.add_argument(
        "--points", metavar="FILE", help="restrict --family to the rows of this numeric table"
    )


def _bare_command(
    commands: "argparse._SubParsersAction[_Parser]",  # noqa: UP037  # the class takes no parameter at run time
    name: str,
    description: str,
    summary: str,
    end: str,
) -> argparse.ArgumentParser:
    command = commands.add_parser(
        name,
        help=summary,
        description=description,
        epilog=end,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("--debug", action="store_true", help="show tracebacks")
    return command


def _limits(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--time-limit", type=loading.seconds, metavar="SECONDS", default=TIME_LIMIT,
        help="stop the search for a dimension after this long and report its bounds; "
        f"none: no limit (default: {TIME_LIMIT:g})",
    )  # fmt: skip
    command.add_argument(
        "--max-memory", type=loading.memory, metavar="SIZE",
        help="memory for the tables of a search, such as 512M",
    )  # fmt: skip


# The entry point


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
        return int(loading.Exit.INTERRUPTED)


def _main(argv: Sequence[str] | None) -> int:
    if any("\0" in text for text in argv or ()):
        # No system passes one on, and functions that take a name of a file raise what they like.
        _say("error: an argument has a null character")
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
        _say(f"inconclusive: {said.replace('(symmetric)', '(--symmetric)')}")
        return loading.Exit.INCONCLUSIVE
    except PacStabilityError as error:
        # What Python calls the mechanism is here what was given to be audited.
        named, said = getattr(options, "subject", "mechanism"), str(error)
        _say(f"error: {re.sub('^mechanism(?=: )', lambda _: named, said)}")
        return loading.Exit.BAD_INPUT
    except OSError as error:
        _say(f"error: {error.filename or 'standard output'}: {error.strerror or error}")
        return loading.Exit.BAD_INPUT
    except Exception as error:
        if isinstance(error, ImportError) and "pip install" in str(error):  # an extra is missing
            _say(f"error: {error}")
            return loading.Exit.BAD_INPUT
        if options.debug:
            traceback.print_exc()
        hint = "" if options.debug else "; --debug shows where"
        _say(f"internal error: {type(error).__name__}: {error}{hint}")
        return loading.Exit.INTERNAL
    except BaseException as stop:
        # Only an algorithm under audit ends the program, and not with our exit codes.
        _say(f"error: the algorithm ended the program: {stop!r}")
        return loading.Exit.BAD_INPUT


def _say(text: str) -> None:
    print(f"pac-stability: {printable(text)}", file=sys.stderr)
