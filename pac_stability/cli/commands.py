"""The commands and their options, as ``--help`` shows them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
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


def offer(
    group: argparse._ActionsContainer,
    told: Mapping[str, str],
    read: Mapping[str, object] = {},  # nobody changes it
    *,
    unset: bool | None = False,
) -> None:
    """Add options as their help shows them.

    Parameters
    ----------
    group
        A command, or a group of its options.
    told
        What each does.  ``--name`` is a switch, ``--name WORD`` has a value that is read as
        :data:`READ` says, and ``--name WORD...`` may be repeated.
    read
        Of some names how the value is read instead, an action, or a tuple of the possible values.
    unset
        What a switch is that was not given.
    """
    for shown, said in told.items():
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
        offer(command, {"--debug": "show tracebacks"})
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
    told = {
        "--table-format": "the format of the file (default: by extension and content); csv: any "
        "text in columns; sets: a line lists the points that are labelled 1",
        "--header": "the first line names the points (default: when it cannot be data)",
        "--names": "the first column names the hypotheses (default: when it is text or an index)",
        "--ones VALUE": "which of the two values is 1 (default: 1, True, yes, X)",
        "--columns COLUMNS": "read only these columns: names, or numbers from 1, separated by "
        "commas; 2-5 means four columns; quote a name that has a comma",
        "--delimiter MARK": "the character between cells (default: found)",
        "--max-bytes SIZE": "the largest file to read, such as 4G (default: 256M)",
        "--family NAME[:N,...]": "a named family, instead of TABLE",
        "--points FILE": "restrict --family to the rows of this numeric table",
    }
    found = argparse.BooleanOptionalAction
    read = {"--table-format": TABLE_FORMATS, "--header": found, "--names": found, "--ones": None}
    offer(command, told, read)


def _limits(command: argparse.ArgumentParser) -> None:
    told = {
        "--time-limit SECONDS": "stop the search for a dimension after this long and report its "
        f"bounds; none: no limit (default: {TIME_LIMIT:g})",
        "--max-memory SIZE": "memory for the tables of a search, such as 512M",
    }
    offer(command, told)
    command.set_defaults(time_limit=TIME_LIMIT)


def _add_of_classes(add: Add) -> None:
    dims = add(
        "dims",
        "Littlestone, VC, dual VC and threshold dimension of a class",
        verb="compute",
        of_class=True,
    )
    _limits(dims)
    told = {
        "--only NAMES": "compute only these dimensions, separated by commas: "
        f"{', '.join(DIMENSIONS)} (the default), {', '.join(ON_REQUEST)}",
        "--threads N": "threads for a long VC or dual VC search; the answer does not depend on it "
        "(default: 1)",
        "--at-least K": "only decide whether each dimension is at least K (faster, but near its "
        "value)",
        "--json": "print JSON (pac-stability/dims/1)",
        "--certificate FILE": "write the witnesses of the lower bounds as JSON "
        "(pac-stability/certificate/1)",
        "--rocq FILE.v": "write the Littlestone dimension as a theorem for the proof assistant "
        "Rocq (Coq)",
    }
    offer(dims, told, {"--only": dimension_names, "--at-least": loading.whole(0)})
    dims.set_defaults(only=list(DIMENSIONS), threads=1)

    tree = add(
        "tree",
        "a shattered mistake tree, as deep as the Littlestone dimension",
        verb="compute",
        run="dims.run_tree",
        of_class=True,
    )
    _limits(tree)
    told = {"--format": "how to draw it (default: by the extension of --output, else text)"}
    offer(tree, told, {"--format": TREE_FORMATS})
    tree.add_argument(
        "--json", action="store_const", const="json", dest="format", help="short for --format json"
    )
    offer(tree, {"--output FILE": "write to a file instead of the terminal"})

    play = add("play", "the mistake-bound game, step by step", verb="play", of_class=True)
    _limits(play)
    play.add_argument(
        "--as", dest="role", choices=("learner", "adversary"), default="learner",
        help="your part (default: learner)",
    )  # fmt: skip
    told = {
        "--auto": "watch SOA against the greedy adversary instead",
        "--transcript FILE": "save the game as JSON",
        "--json": "print JSON (pac-stability/play/1) at the end; the dialogue goes to standard "
        "error",
    }
    offer(play, told)

    sizes = add(
        "sizes",
        "how many examples each learner of the papers needs on a class",
        verb="compute",
        of_class=True,
    )
    told = {
        "--alpha ALPHA": "the allowed excess loss (default: 1/10)",
        "--beta BETA": "the allowed probability of a larger one (default: 1/20)",
        "--epsilon EPSILON": "the privacy of predictions, or of the output",
        "--gamma GAMMA": "the stability of predictions",
        "--delta DELTA": "the delta of BLM20's learner M, with --epsilon",
        "--json": "print JSON (pac-stability/sizes/1)",
        "--figure FILE": "draw the sizes: .svg, .pdf or .png",
    }
    offer(sizes, told)
    sizes.set_defaults(alpha="1/10", beta="1/20")


_PARAMETER = {
    "--param NAME=VALUE...": "a parameter of the algorithm, by its name: epsilon=1, epsilon=1/2, "
    '"epsilon=ln 3" (a float), several with one option each'
}


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
    told = {
        "--domain POINTS": "a number m for the points 0, ..., m - 1; a range 0..3; or the points, "
        "separated by commas, tuples in brackets; or a JSON file with a list, or a table with one "
        "a line",
        "--unlabelled": "samples hold points without labels",
        "--points POINTS": "the points to predict at, given like --domain (default: the domain)",
        "--distribution LAW": '"uniform" over the domain; or "a=1/2,b=1/2", with labels '
        '"a:0=1/2,b:1=1/2"; or a JSON file',
        "--relation": "which samples are neighbours (default: replace-one); for answers to N "
        "queries, each answer differs by at most 1 (each-answer), or only one does (one-answer)",
        "--group K": "neighbours differ in up to K places (group privacy)",
        "--symmetric": "declare that the order of a sample does not matter",
        "--deterministic": "declare that the algorithm draws nothing; needed if it never uses its "
        "coins, or loads compiled code",
        "--as-written": "compare outputs by their full text instead of by ==",
        "--method": "the method of an estimator to audit (default: predict, if it has one)",
        "--on-error": "what to do with an error of an estimator: end the audit (stop, the "
        "default), or count it as an outcome beside the labels (outcome)",
    }
    methods, errors = ("predict", "predict_proba"), ("stop", "outcome")
    read = {"--relation": RELATIONS, "--method": methods, "--on-error": errors}
    offer(audit.add_argument_group("the instance"), told, read, unset=None)

    parameters = audit.add_argument_group("the parameters")
    told = {
        "--claim VALUE": 'the claimed epsilon, gamma, eta, alpha or delta; 1.0, 3/2 or "ln 3", '
        "read exactly",
        "--claim-ratio RATIO": "instead, the factor e^epsilon of the claimed epsilon, such as 3/2",
    }
    offer(parameters.add_mutually_exclusive_group(), told)
    offer(parameters, {"--delta DELTA": "0 by default"})
    told = {
        "--epsilon VALUE": "compute the least delta at this epsilon; --claim is then a delta",
        "--epsilon-ratio RATIO": "the same, given the factor e^epsilon",
    }
    offer(parameters.add_mutually_exclusive_group(), told)
    told = {
        "--beta BETA": "0 by default",
        "--fix NAME=VALUE...": "another parameter of the notion, such as the order of a "
        "divergence: order=3/2",
        **_PARAMETER,
    }
    offer(parameters, told, {"--fix": loading.named_number, "--param": loading.parameter})

    told = {
        "--time-limit SECONDS": "stop after this long; default: none",
        "--max-pairs N": "refuse an instance with more pairs of neighbours; default: 10^9",
        "--max-memory SIZE": "memory for the tables of answers; default: 2G",
        "--max-paths N": "follow at most N paths of the coins of a program; default: 10^6; if "
        "there are more, the 2,048 likeliest",
        "--max-draws N": "follow at most N draws on a path; default: 1,000",
        "--grid N": "round real-valued noise to a grid of N steps to the unit; default: 16, and "
        "more if its scale is small",
        "--processes N": "the number of processes; default: one for each core, if the work is long",
        "--scheduler ADDRESS": "work on a cluster of dask.distributed instead (extra: distributed)",
        "--checkpoint FILE": "save progress in FILE, and resume from it",
        "--check-cache N": "compute N of the kept answers again, chosen at random, or a share of "
        "them: 1/10, 5%%",
        "--fresh": "ignore the answers in the checkpoint",
        "--stop-at-first": "stop at the first counterexample to the claim",
        "--twice": "compute all answers again in a second interpreter, with another hash seed and "
        "in reverse order",
        "--told-to FILE": argparse.SUPPRESS,
        "--black-box": "only run the algorithm, many times, and test the claim by statistics",
        "--runs N": "runs on each sample; the first half chooses the event on which two samples "
        "differ most, the other half tests it; default: 1000",
        "--confidence LEVEL": "the confidence in all bounds together; default: 0.99",
    }
    limits = audit.add_argument_group("the work")
    offer(limits, told, {"--check-cache": loading.how_many}, unset=None)
    told = {
        "--shrink": "when the claim fails, look for a smaller counterexample",
        "--certificate FILE": "write the witness as JSON (pac-stability/audit-certificate/2; where "
        "samples have several sizes, /3)",
        "--rocq FILE.v": "write the refutation as a theorem for the proof assistant Rocq (Coq)",
        "--json": "print JSON, with everything that a certificate holds",
        "--junit FILE": "write JUnit XML for a build server",
        "--html FILE": "write a page with pictures",
    }
    offer(audit.add_argument_group("the answer"), told, unset=None)


def _add_of_certificates(add: Add) -> None:
    recheck = add(
        "recheck", "a certificate, with code that shares nothing with the search", verb="recheck"
    )
    recheck.add_argument(
        "certificate", metavar="CERT",
        help="a file from audit or dims --certificate; or one in .v, from --rocq, which "
        "needs coqc",
    )  # fmt: skip
    told = {
        "--against FILE.py::object": "compute the laws again from this algorithm instead of "
        "trusting the file; for a certificate of dimensions, or a file in .v, the TABLE that it is "
        "about",
        "--grid N": "with --against: the grid that the audit had for real-valued noise",
        **_PARAMETER,
        "--json": "print JSON (pac-stability/recheck/2, for a file in .v pac-stability/rocq/1)",
    }
    offer(recheck, told, {"--against": loading.as_subject, "--param": loading.parameter})
    explain = add("explain", "a certificate in words", verb="explain", run="recheck.run_explain")
    explain.add_argument(
        "certificate", metavar="CERT.json", help="a file from audit or dims --certificate"
    )
    told = {"--html FILE": "write a page with pictures as well; for a certificate of an audit"}
    offer(explain, told)


def _add_verify(add: Add) -> None:
    verify = add("verify", "the numbered statements of the three papers", verb="verify")
    told = {
        "--budget": "how many instances to examine: a minute, some minutes or hours of work "
        "(default: quick)",
        "--only PATTERN...": "only these: 'Lemma 12', BLM20:theorem-3, or a pattern of keys, "
        "BLM20:lemma-1*; can be repeated",
        "--processes N": "check N statements at a time (default: one for each core)",
        "--scheduler ADDRESS": "run on a cluster of dask.distributed instead (extra: distributed)",
        "--cache FOLDER": "the folder that keeps counts between runs, or none (default: the "
        "user's cache)",
        "--check-cache N": "compute N of the kept counts again, chosen at random, or a share of "
        "them: 1/10, 5%%",
        "--fresh": "ignore the kept counts, and write new ones",
        "-v,--verbose": "also show the key, the source and the slack of each statement",
        "--durations N": "also which N took longest, and with --json how long each took",
        "--json": "print JSON (pac-stability/verify/5)",
        "--html FILE": "write a page with pictures and a search",
        "--latex FILE": "write a table for a paper",
    }
    offer(verify, told, {"--budget": BUDGETS, "--check-cache": loading.how_many})
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
    offer(listed, {"--paper KEY...": "only of this paper; can be repeated"})
    found = actions.add_parser("find", help="find statements by number or by words")
    found.add_argument("text", nargs="+", metavar="TEXT", help="'Lemma 12', 'DF20 Thm 3', words")
    shown = actions.add_parser("show", help="show everything about one statement")
    shown.add_argument("item", nargs="+", metavar="KEY", help="a key, or 'Lemma 12' in quotes")
    offer(shown, {"--latex": "show only the statement, in LaTeX"})
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
        offer(action, {"--json": "print JSON (pac-stability/claims/2)"})
        action.set_defaults(run=loading.run_by("claims"), object="it", latex=False)
    for action in (listed, found, shown, about, new):
        offer(action, {"--debug": "show tracebacks"})


def _add_follows(add: Add) -> None:
    follows = add(
        "follows",
        "what the three papers imply, given one guarantee",
        verb="show",
        run="verify.run_follows",
    )
    told = {
        "--differential-privacy EPSILON": "given: outputs are private",
        "--private-prediction EPSILON": "given: predictions are private",
        "--uniform-stability GAMMA": "given: predictions are stable",
        "--global-stability ETA": "given: an output has probability ETA or more",
        "--few-outputs NUMBER": "given: at most NUMBER outputs are possible",
    }
    offer(follows.add_mutually_exclusive_group(required=True), told)
    offer(follows, {"--delta DELTA": "0 by default"})
    follows.add_argument(
        "--n", "-n", type=loading.whole(1), required=True, metavar="N", help="the size of samples"
    )
    told = {
        "--outputs NUMBER": "the number of possible outputs",
        "--elements NUMBER": "the number of elements in the domain, for samples whose order is "
        "ignored",
        "--group SIZE": "the number of examples that may differ",
        "--flip SHARE": "the probability with which each label is flipped afterwards",
        "--failure BETA": "the probability of failure (default: 1/20)",
        "--consistent": "the learner fits every realizable sample",
    }
    choices = follows.add_argument_group("what else is given, or may be chosen")
    offer(choices, told, {"--group": loading.whole(1)})
    offer(follows, {"--all": "also show the weaker conclusions of each kind"})
    follows.set_defaults(failure="1/20")


def _add_zoo(add: Add) -> None:
    zoo = add("zoo", "list the algorithms of the benchmarks, with their exact epsilon")
    zoo.add_argument("what", choices=("algorithms",), nargs="?", default="algorithms")
    zoo.add_argument("names", nargs="*", metavar="NAME", help="the algorithms; by default all")
    told = {
        "--queries K": "for 1, 2, ..., K queries or people (default: 3)",
        "--json": "print JSON (pac-stability/algorithms/1)",
    }
    offer(zoo, told)
    zoo.set_defaults(queries=3)
