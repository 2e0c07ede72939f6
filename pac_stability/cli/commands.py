"""The commands and their options, as ``--help`` shows them."""

from __future__ import annotations

import argparse
import functools
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pac_stability.cli import loading
from pac_stability.errors import near

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


RELATIONS = ("replace-one", "add-remove", "each-answer", "one-answer")


NOTIONS = (
    *("uniform-stability", "private-prediction", "differential-privacy", "perfect-generalization"),
    *("robust-generalization", "global-stability", "generalization", "accuracy"),
    *("total-variation-stability", "zero-concentrated-privacy", "renyi-privacy"),
)
"""The names of all notions: the notions themselves take longest to load."""

P = TypeVar("P", bound=argparse.ArgumentParser)
Add = Callable[..., argparse.ArgumentParser]
"""Adds a command: its name, a summary, and what runs it; its help ends as ``help/NAME.txt``."""

READ: Mapping[str, Callable[[str], object]] = {
    **dict.fromkeys(("N", "K", "NUMBER"), loading.whole(1)),
    **dict.fromkeys(("ALPHA", "BETA", "GAMMA", "DELTA", "ETA"), loading.probability),
    **dict.fromkeys(("SHARE", "LEVEL"), loading.probability),
    **dict.fromkeys(("EPSILON", "RATIO"), loading.exact_number),
    "VALUE": loading.number_or_logarithm,
    "SECONDS": loading.seconds,
    "SIZE": loading.memory,
}
"""How the value of an option is read, by the word that stands for it; by others as text."""


@functools.cache
def _written() -> Mapping[str, Mapping[str, str]]:
    """What ``help/options.txt`` says each option does, by command or group."""
    text = (Path(__file__).parent / "help" / "options.txt").read_text("utf-8")
    _, *parts = re.split(r"^\[(.+)\]\n", text, flags=re.M)
    return {
        title: {
            shown: " ".join(said.split()).replace("%", "%%")
            for shown, said in re.findall(r"^(-.+)\n((?: +.+\n)+)", part, flags=re.M)
        }
        for title, part in zip(parts[::2], parts[1::2], strict=True)
    }


def offer(
    group: argparse._ActionsContainer,
    title: str,
    read: Mapping[str, object] = {},  # nobody changes it
    *,
    unset: bool | None = False,
) -> None:
    """Add options as ``help/options.txt`` shows them.

    Parameters
    ----------
    group
        A command, or a group of its options.
    title
        The part of the file.  There ``--name`` is a switch, ``--name WORD`` has a value that is
        read as :data:`READ` says, and ``--name WORD...`` may be repeated.
    read
        Of some names how the value is read instead, an action, or a tuple of the possible values.
    unset
        What a switch is that was not given.
    """
    for shown, said in _written()[title].items():
        names, _, word = shown.partition(" ")
        how: dict[str, Any] = {"help": said}
        kind = read.get(names, READ.get(word))
        if isinstance(kind, tuple):
            how["choices"] = kind
        elif isinstance(kind, type):
            how["action"] = kind
        elif not word:
            how |= {"action": "store_true", "default": unset}
        else:
            how |= {"type": kind, "metavar": word.removesuffix("...")}
            how |= {"action": "append"} if word.endswith("...") else {}
        group.add_argument(*names.split(","), **how)


def add_commands(
    commands: "argparse._SubParsersAction[P]",  # noqa: UP037  # the class takes no parameter at run time
) -> None:
    """Add all commands, in the order of the help."""

    def add(
        name: str, summary: str, *, verb: str = "", run: str = "", of_class: bool = False
    ) -> argparse.ArgumentParser:
        said = f"{verb} {summary}.".lstrip()
        command = commands.add_parser(
            name,
            help=summary,
            description=said[0].upper() + said[1:],
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        offer(command, "every command")
        if of_class:
            command.add_argument(
                "table", metavar="TABLE", nargs="?", help="a 0/1 table, or a family"
            )
            _other_sources(command)
        module, _, function = (run or name).partition(".")
        command.set_defaults(run=loading.run_by(module, function or "run"))
        return command

    _add_of_classes(add)
    _add_audit(add)
    _add_of_certificates(add)
    _add_verify(add)
    _add_claims(add)
    _add_follows(add)
    _add_zoo(add)


def dimension_names(text: str) -> list[str]:
    """Read a list of dimensions, separated by commas."""
    names = [name.strip().lower() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in DIMENSIONS + ON_REQUEST]
    if unknown or not names:
        known, word = DIMENSIONS + ON_REQUEST, (unknown or [text])[0]
        other = near(word.removesuffix("dim").rstrip("-_"), known)
        said = f"got {word!r}{other}, want names out of {', '.join(known)}"
        raise argparse.ArgumentTypeError(said)
    return names


def _other_sources(command: argparse._ActionsContainer) -> None:
    found = argparse.BooleanOptionalAction
    read = {"--table-format": TABLE_FORMATS, "--header": found, "--names": found, "--ones": None}
    offer(command, "a class", read)


def _limits(command: argparse.ArgumentParser) -> None:
    offer(command, "limits")
    command.set_defaults(time_limit=TIME_LIMIT)


def _add_of_classes(add: Add) -> None:
    dims = add(
        "dims",
        "Littlestone, VC, dual VC and threshold dimension of a class",
        verb="compute",
        of_class=True,
    )
    _limits(dims)
    offer(dims, "dims", {"--only": dimension_names, "--at-least": loading.whole(0)})
    dims.set_defaults(only=list(DIMENSIONS), threads=1)

    tree = add(
        "tree",
        "a shattered mistake tree, as deep as the Littlestone dimension",
        verb="compute",
        run="dims.run_tree",
        of_class=True,
    )
    _limits(tree)
    offer(tree, "tree", {"--format": TREE_FORMATS})
    tree.add_argument(
        "--json", action="store_const", const="json", dest="format", help="short for --format json"
    )
    offer(tree, "tree: output")

    play = add("play", "the mistake-bound game, step by step", verb="play", of_class=True)
    _limits(play)
    play.add_argument(
        "--as", dest="role", choices=("learner", "adversary"), default="learner",
        help="your part (default: learner)",
    )  # fmt: skip
    offer(play, "play")

    sizes = add(
        "sizes",
        "how many examples each learner of the papers needs on a class",
        verb="compute",
        run="dims.run_sizes",
        of_class=True,
    )
    offer(sizes, "sizes")
    sizes.set_defaults(alpha="1/10", beta="1/20")


def _add_audit(add: Add) -> None:
    audit = add(
        "audit", "an algorithm: decide exactly whether it is what it claims to be", verb="audit"
    )
    audit.add_argument(
        "subject", metavar="FILE.py::object", type=loading.as_subject,
        help="the algorithm; see below",
    )  # fmt: skip
    audit.add_argument(
        "--notion", type=lambda text: text.replace("_", "-"), choices=NOTIONS, required=True,
        metavar="NOTION", help="%(choices)s",
    )  # fmt: skip
    audit.add_argument(
        "--n", "-n", type=loading.sizes, required=True, metavar="N",
        help="the size of the samples; with --relation add-remove all sizes up to N, or 2..4",
    )  # fmt: skip
    methods, errors = ("predict", "predict_proba"), ("stop", "outcome")
    read = {"--relation": RELATIONS, "--method": methods, "--on-error": errors}
    offer(audit.add_argument_group("the instance"), "audit: instance", read, unset=None)

    parameters = audit.add_argument_group("the parameters")
    offer(parameters.add_mutually_exclusive_group(), "audit: claim")
    offer(parameters, "audit: delta")
    offer(parameters.add_mutually_exclusive_group(), "audit: epsilon")
    offer(
        parameters,
        "audit: parameters",
        {"--fix": loading.named_number, "--param": loading.parameter},
    )

    limits = audit.add_argument_group("the work")
    offer(limits, "audit: work", {"--check-cache": loading.how_many}, unset=None)
    limits.add_argument("--told-to", metavar="FILE", help=argparse.SUPPRESS)
    offer(audit.add_argument_group("the answer"), "audit: answer", unset=None)


def _add_of_certificates(add: Add) -> None:
    recheck = add(
        "recheck", "a certificate, with code that shares nothing with the search", verb="recheck"
    )
    recheck.add_argument(
        "certificate", metavar="CERT",
        help="a file from audit or dims --certificate; or one in .v, from --rocq, which "
        "needs coqc",
    )  # fmt: skip
    offer(recheck, "recheck", {"--against": loading.as_subject, "--param": loading.parameter})
    explain = add("explain", "a certificate in words", verb="explain", run="recheck.run_explain")
    explain.add_argument(
        "certificate", metavar="CERT.json", help="a file from audit or dims --certificate"
    )
    offer(explain, "explain")


def _add_verify(add: Add) -> None:
    verify = add("verify", "the numbered statements of the three papers", verb="verify")
    offer(verify, "verify", {"--budget": BUDGETS, "--check-cache": loading.how_many})
    verify.set_defaults(budget=BUDGETS[0], check_cache=0)
    own = verify.add_argument_group(
        "a class of your own", "check on this class every statement that speaks of one finite class"
    )
    own.add_argument("--on", dest="table", metavar="TABLE", help="a 0/1 table")
    _other_sources(own)


def _add_claims(add: Add) -> None:
    parent = add("claims", "list, search and explain the statements that verify checks")
    actions = parent.add_subparsers(
        title="what to do", metavar="ACTION", required=True, dest="action"
    )
    listed = actions.add_parser("list", help="list all statements, one line each")
    offer(listed, "claims list")
    found = actions.add_parser("find", help="find statements by number or by words")
    found.add_argument("text", nargs="+", metavar="TEXT", help="'Lemma 12', 'DF20 Thm 3', words")
    shown = actions.add_parser("show", help="show everything about one statement")
    shown.add_argument("item", nargs="+", metavar="KEY", help="a key, or 'Lemma 12' in quotes")
    offer(shown, "claims show")
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
    new.set_defaults(run=loading.run_by("claims"))
    for action in (listed, found, shown, about):
        offer(action, "claims")
        action.set_defaults(run=loading.run_by("claims"), object="it", latex=False)
    for action in (listed, found, shown, about, new):
        offer(action, "every command")


def _add_follows(add: Add) -> None:
    follows = add(
        "follows",
        "what the three papers imply, given one guarantee",
        verb="show",
        run="verify.run_follows",
    )
    offer(follows.add_mutually_exclusive_group(required=True), "follows: given")
    offer(follows, "follows: delta")
    follows.add_argument(
        "--n", "-n", type=loading.whole(1), required=True, metavar="N", help="the size of samples"
    )
    choices = follows.add_argument_group("what else is given, or may be chosen")
    offer(choices, "follows: chosen", {"--group": loading.whole(1)})
    offer(follows, "follows")
    follows.set_defaults(failure="1/20")


def _add_zoo(add: Add) -> None:
    zoo = add("zoo", "list the algorithms of the benchmarks, with their exact epsilon")
    zoo.add_argument("what", choices=("algorithms",), nargs="?", default="algorithms")
    zoo.add_argument("names", nargs="*", metavar="NAME", help="the algorithms; by default all")
    offer(zoo, "zoo")
    zoo.set_defaults(queries=3)
