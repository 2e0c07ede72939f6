"""The options of ``audit``, ``recheck`` and ``explain``, and their help."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from pac_stability.cli import loading

RELATIONS = ("replace-one", "add-remove", "each-answer", "one-answer")

AUDIT_EXIT_CODES = """\
exit codes:
  0 verified, or no claim and the exact value   1 refuted: the witness is printed
  2 bad input   3 inconclusive (bounded, supported, skipped)   4 internal error   130 interrupted
"""

_SUBJECT = """\
what is audited:
  FILE.py::object or module:object, an object that is one of
    a mechanism        has law(sample) -> FiniteDistribution
    a law function     f(sample) -> FiniteDistribution
    a program          f(sample, rng) -> output, draws only by rng.choose(weights), rng.below(n),
                       rng.bernoulli(p), rng.choice(values) and the like
    a predictor        has probabilities(sample, points), or f(sample, point, rng) -> 0 or 1
    a black box        f(sample) -> output, or f(sample, point) -> label for predictions, with
                       coins of its own; with --black-box only
  or a class or function without arguments that returns one.
  The file is run: audit only code that you trust.
"""

_EXAMPLES = """\
examples:
  pac-stability audit learner.py::learn --notion private-prediction --domain 4 --n 5 --claim 1.0
  pac-stability audit learner.py::learn --notion uniform-stability --domain a,b --n 3
  pac-stability audit noise.py::count --notion differential-privacy --unlabelled --domain 2 --n 3
  pac-stability audit learner.py::learn --notion global-stability --n 3 --distribution "a:1=1"
"""

Add = Callable[[str, str, str], argparse.ArgumentParser]
"""Adds a command, given its name, a summary and the end of its help."""


NOTIONS = (
    *("uniform-stability", "private-prediction", "differential-privacy", "perfect-generalization"),
    *("robust-generalization", "global-stability", "generalization", "accuracy"),
    *("total-variation-stability", "zero-concentrated-privacy", "renyi-privacy"),
)
"""The names of all notions: the notions themselves take longest to load."""


def add_audit_commands(add: Add) -> None:
    """Add the three commands."""
    _add_audit(add)
    recheck = add(
        "recheck",
        "a certificate, with code that shares nothing with the search",
        "examples:\n  pac-stability recheck proof.json\n"
        "  pac-stability recheck proof.json --against learner.py::learn\n"
        "  pac-stability recheck dimensions.json --against table.csv\n"
        "  pac-stability recheck dimension.v --against table.csv\n\n"
        "exit codes:\n  0 the certificate proves its verdict   2 it is wrong, or cannot be read\n"
        "  3 it is consistent, but does not prove its verdict\n",
    )
    recheck.add_argument(
        "certificate", metavar="CERT",
        help="a file from audit or dims --certificate; or one in .v, from --rocq, which "
        "needs coqc",
    )  # fmt: skip
    recheck.add_argument(
        "--against", metavar="FILE.py::object", type=loading.as_subject,
        help="compute the laws again from this algorithm instead of trusting the file; "
        "for a certificate of dimensions, or a file in .v, the TABLE that it is about",
    )  # fmt: skip
    recheck.add_argument(
        "--grid", type=loading.whole(1), metavar="N",
        help="with --against: the grid that the audit had for real-valued noise",
    )  # fmt: skip
    _add_parameters(recheck)
    recheck.add_argument(
        "--json", action="store_true",
        help="print JSON (pac-stability/recheck/2, for a file in .v pac-stability/rocq/1)",
    )  # fmt: skip
    recheck.set_defaults(run=loading.run_by("recheck"))

    explain = add(
        "explain",
        "a certificate in words",
        "examples:\n  pac-stability explain proof.json\n"
        "  pac-stability explain proof.json --html proof.html\n\n"
        "exit codes:\n  0 done   2 the certificate is wrong, or cannot be read\n",
    )
    explain.add_argument(
        "certificate", metavar="CERT.json", help="a file from audit or dims --certificate"
    )
    explain.add_argument(
        "--html",
        metavar="FILE",
        help="write a page with pictures as well; for a certificate of an audit",
    )
    explain.set_defaults(run=loading.run_by("recheck", "run_explain"))


def _add_audit(add: Add) -> None:
    audit = add(
        "audit",
        "an algorithm: decide exactly whether it is what it claims to be",
        f"{_EXAMPLES}\n{_SUBJECT}\n{AUDIT_EXIT_CODES}",
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
        "--n", type=loading.sizes, required=True, metavar="N",
        help="the size of the samples; with --relation add-remove all sizes up to N, or 2..4",
    )  # fmt: skip

    instance = audit.add_argument_group("the instance")
    instance.add_argument(
        "--domain", metavar="POINTS",
        help="a number m for the points 0, ..., m - 1; a range 0..3; or the points, separated by "
        "commas, tuples in brackets; or a JSON file with a list, or a table with one a line",
    )  # fmt: skip
    instance.add_argument(
        "--unlabelled", action="store_true", default=None,
        help="samples hold points without labels",
    )  # fmt: skip
    instance.add_argument(
        "--points", metavar="POINTS",
        help="the points to predict at, given like --domain (default: the domain)",
    )  # fmt: skip
    instance.add_argument(
        "--distribution", metavar="LAW",
        help='"uniform" over the domain; or "a=1/2,b=1/2", with labels "a:0=1/2,b:1=1/2"; or a '
        "JSON file",
    )  # fmt: skip
    instance.add_argument(
        "--relation", choices=RELATIONS,
        help="which samples are neighbours (default: replace-one); for answers to N queries, "
        "each answer differs by at most 1 (each-answer), or only one does (one-answer)",
    )  # fmt: skip
    instance.add_argument(
        "--group", type=loading.whole(1), metavar="K",
        help="neighbours differ in up to K places (group privacy)",
    )  # fmt: skip
    instance.add_argument(
        "--symmetric", action="store_true", default=None,
        help="declare that the order of a sample does not matter",
    )  # fmt: skip
    instance.add_argument(
        "--deterministic", action="store_true", default=None,
        help="declare that the algorithm draws nothing; needed if it never uses its coins, or "
        "loads compiled code",
    )  # fmt: skip
    instance.add_argument(
        "--as-written", action="store_true", default=None,
        help="compare outputs by their full text instead of by ==",
    )  # fmt: skip
    instance.add_argument(
        "--method", choices=("predict", "predict_proba"),
        help="the method of an estimator to audit (default: predict, if it has one)",
    )  # fmt: skip
    instance.add_argument(
        "--on-error", choices=("stop", "outcome"),
        help="what to do with an error of an estimator: end the audit (stop, the default), or "
        "count it as an outcome beside the labels (outcome)",
    )  # fmt: skip

    parameters = audit.add_argument_group("the parameters")
    claim = parameters.add_mutually_exclusive_group()
    claim.add_argument(
        "--claim", type=loading.number_or_logarithm, metavar="VALUE",
        help='the claimed epsilon, gamma, eta, alpha or delta; 1.0, 3/2 or "ln 3", read exactly',
    )  # fmt: skip
    claim.add_argument(
        "--claim-ratio", type=loading.exact_number, metavar="RATIO",
        help="instead, the factor e^epsilon of the claimed epsilon, such as 3/2",
    )  # fmt: skip
    parameters.add_argument(
        "--delta", type=loading.probability, metavar="DELTA", help="0 by default"
    )
    fixed = parameters.add_mutually_exclusive_group()
    fixed.add_argument(
        "--epsilon", type=loading.number_or_logarithm, metavar="VALUE",
        help="compute the least delta at this epsilon; --claim is then a delta",
    )  # fmt: skip
    fixed.add_argument(
        "--epsilon-ratio", type=loading.exact_number, metavar="RATIO",
        help="the same, given the factor e^epsilon",
    )  # fmt: skip
    parameters.add_argument("--beta", type=loading.probability, metavar="BETA", help="0 by default")
    parameters.add_argument(
        "--fix", type=loading.named_number, action="append", metavar="NAME=VALUE",
        help="another parameter of the notion, such as the order of a divergence: order=3/2",
    )  # fmt: skip

    _add_parameters(parameters)

    limits = audit.add_argument_group("the work")
    limits.add_argument(
        "--time-limit",
        type=loading.seconds,
        metavar="SECONDS",
        help="stop after this long; default: none",
    )
    limits.add_argument(
        "--max-pairs",
        type=loading.whole(1),
        metavar="N",
        help="refuse an instance with more pairs of neighbours; default: 10^9",
    )
    limits.add_argument(
        "--max-memory",
        type=loading.memory,
        metavar="SIZE",
        help="memory for the tables of answers; default: 2G",
    )
    limits.add_argument(
        "--max-paths", type=loading.whole(1), metavar="N",
        help="follow at most N paths of the coins of a program; default: 10^6; if there "
        "are more, the 2,048 likeliest",
    )  # fmt: skip
    limits.add_argument(
        "--max-draws", type=loading.whole(1), metavar="N",
        help="follow at most N draws on a path; default: 1,000",
    )  # fmt: skip
    limits.add_argument(
        "--grid", type=loading.whole(1), metavar="N",
        help="round real-valued noise to a grid of N steps to the unit; default: 16, and more if "
        "its scale is small",
    )  # fmt: skip
    limits.add_argument(
        "--processes", type=loading.whole(1), metavar="N",
        help="the number of processes; default: one for each core, if the work is long",
    )  # fmt: skip
    limits.add_argument(
        "--scheduler", metavar="ADDRESS",
        help="work on a cluster of dask.distributed instead (extra: distributed)",
    )  # fmt: skip
    limits.add_argument(
        "--checkpoint", metavar="FILE", help="save progress in FILE, and resume from it"
    )
    limits.add_argument(
        "--check-cache", type=loading.how_many, metavar="N",
        help="compute N of the kept answers again, chosen at random, or a share of them: 1/10, 5%%",
    )  # fmt: skip
    limits.add_argument(
        "--fresh", action="store_true", default=None, help="ignore the answers in the checkpoint"
    )
    limits.add_argument(
        "--stop-at-first", action="store_true", default=None,
        help="stop at the first counterexample to the claim",
    )  # fmt: skip
    limits.add_argument(
        "--twice", action="store_true", default=None,
        help="compute all answers again in a second interpreter, with another hash seed and in "
        "reverse order",
    )  # fmt: skip
    limits.add_argument("--told-to", metavar="FILE", help=argparse.SUPPRESS)
    limits.add_argument(
        "--black-box", action="store_true", default=None,
        help="only run the algorithm, many times, and test the claim by statistics",
    )  # fmt: skip
    limits.add_argument(
        "--runs", type=loading.whole(1), metavar="N",
        help="runs on each sample; the first half chooses the event on which two samples differ "
        "most, the other half tests it; default: 1000",
    )  # fmt: skip
    limits.add_argument(
        "--confidence",
        type=loading.probability,
        metavar="LEVEL",
        help="the confidence in all bounds together; default: 0.99",
    )

    output = audit.add_argument_group("the answer")
    output.add_argument(
        "--shrink", action="store_true", default=None,
        help="when the claim fails, look for a smaller counterexample",
    )  # fmt: skip
    output.add_argument(
        "--certificate", metavar="FILE",
        help="write the witness as JSON (pac-stability/audit-certificate/2; where samples have "
        "several sizes, /3)",
    )  # fmt: skip
    output.add_argument(
        "--rocq", metavar="FILE.v",
        help="write the refutation as a theorem for the proof assistant Rocq (Coq)",
    )  # fmt: skip
    output.add_argument(
        "--json", action="store_true", help="print JSON, with everything that a certificate holds"
    )
    output.add_argument("--junit", metavar="FILE", help="write JUnit XML for a build server")
    output.add_argument("--html", metavar="FILE", help="write a page with pictures")
    audit.set_defaults(run=loading.run_by("audit"))


def _add_parameters(group: argparse._ActionsContainer) -> None:
    group.add_argument(
        "--param", type=loading.parameter, action="append", metavar="NAME=VALUE",
        help='a parameter of the algorithm, by its name: epsilon=1, epsilon=1/2, "epsilon=ln 3" '
        "(a float), several with one option each",
    )  # fmt: skip
