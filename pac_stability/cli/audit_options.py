"""What can be asked of ``audit``, ``recheck`` and ``explain``, and their help."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from pac_stability.cli import loading

RELATIONS = ("replace-one", "add-remove")

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
  or a class, or a function, without arguments that makes one.
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


class _Notions:
    """The names of all notions, which are loaded when they are first asked for."""

    def __iter__(self) -> Iterator[str]:
        from pac_stability.audit import Notion  # noqa: PLC0415  # a command is imported when it runs

        return (notion.name for notion in Notion.all())

    def __contains__(self, name: object) -> bool:
        return name in tuple(self)


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
        "  3 nothing in it is wrong, and it does not prove its verdict\n",
    )
    recheck.add_argument(
        "certificate", metavar="CERT",
        help="written by audit or dims with --certificate; or a file in .v, written with --rocq,"
        " which needs coqc",
    )  # fmt: skip
    recheck.add_argument(
        "--against", metavar="FILE.py::object",
        help="ask this algorithm for the two laws again, instead of trusting the file's; "
        "for a certificate of dimensions, and a file in .v, the TABLE that it is about",
    )  # fmt: skip
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
        "exit codes:\n  0 done   2 the certificate is no good\n",
    )
    explain.add_argument("certificate", metavar="CERT.json", help="written by audit --certificate")
    explain.add_argument("--html", metavar="FILE", help="write a page with pictures as well")
    explain.set_defaults(run=loading.run_by("recheck", "run_explain"))


def _add_audit(add: Add) -> None:
    audit = add(
        "audit",
        "an algorithm: decide exactly whether it is what it is claimed to be",
        f"{_EXAMPLES}\n{_SUBJECT}\n{AUDIT_EXIT_CODES}",
    )
    audit.add_argument("subject", metavar="FILE.py::object", help="what is audited; see below")
    audit.add_argument(
        "--notion", choices=_Notions(), required=True, metavar="NOTION", help="%(choices)s"
    )
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
        help="samples are made of the points themselves, without labels",
    )  # fmt: skip
    instance.add_argument(
        "--points", metavar="POINTS",
        help="where predictions are made, given like --domain (default: the domain)",
    )  # fmt: skip
    instance.add_argument(
        "--distribution", metavar="LAW",
        help='"uniform" over the domain; or "a=1/2,b=1/2", with labels "a:0=1/2,b:1=1/2"; or a '
        "JSON file",
    )  # fmt: skip
    instance.add_argument(
        "--relation", choices=RELATIONS, help="which samples are neighbours (default: replace-one)"
    )
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
        help="say that it draws nothing, where coins are never asked or compiled code is loaded",
    )  # fmt: skip
    instance.add_argument(
        "--as-written", action="store_true", default=None,
        help="tell outputs apart by how they are written in all their parts, not by ==",
    )  # fmt: skip
    instance.add_argument(
        "--method", choices=("predict", "predict_proba"),
        help="which method of an estimator to ask (default: predict, if it has one)",
    )  # fmt: skip

    parameters = audit.add_argument_group("the parameters")
    claim = parameters.add_mutually_exclusive_group()
    claim.add_argument(
        "--claim", type=loading.exact_number, metavar="VALUE",
        help="what is claimed: epsilon, gamma, eta, alpha or delta; 1.0 or 3/2, read exactly",
    )  # fmt: skip
    claim.add_argument(
        "--claim-ratio", type=loading.exact_number, metavar="RATIO",
        help="a claimed epsilon by its factor e^epsilon instead: 3/2, say",
    )  # fmt: skip
    parameters.add_argument(
        "--delta", type=loading.probability, metavar="DELTA", help="0 by default"
    )
    fixed = parameters.add_mutually_exclusive_group()
    fixed.add_argument(
        "--epsilon", type=loading.exact_number, metavar="VALUE",
        help="in place of delta: the least delta at this epsilon is sought, and claimed",
    )  # fmt: skip
    fixed.add_argument(
        "--epsilon-ratio", type=loading.exact_number, metavar="RATIO",
        help="the same, by its factor e^epsilon",
    )  # fmt: skip
    parameters.add_argument("--beta", type=loading.probability, metavar="BETA", help="0 by default")
    parameters.add_argument(
        "--fix", type=loading.named_number, action="append", metavar="NAME=VALUE",
        help="another parameter of the notion, such as the order of a divergence: order=3/2",
    )  # fmt: skip

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
        help="refuse an instance with more pairs; default: 10^9",
    )
    limits.add_argument(
        "--max-memory",
        type=loading.memory,
        metavar="SIZE",
        help="for tables of answers; default: 2G",
    )
    limits.add_argument(
        "--processes", type=loading.whole(1), metavar="N",
        help="work in so many processes; default: as many as there are cores, for long work",
    )  # fmt: skip
    limits.add_argument(
        "--scheduler", metavar="ADDRESS",
        help="work on a cluster of dask.distributed instead (extra: distributed)",
    )  # fmt: skip
    limits.add_argument(
        "--checkpoint", metavar="FILE", help="keep what is done in FILE, and go on from there"
    )
    limits.add_argument(
        "--check-cache", type=loading.how_many, metavar="N",
        help="ask N of the kept answers again, drawn at random, or a share of them: 1/10, 5%%",
    )  # fmt: skip
    limits.add_argument(
        "--fresh", action="store_true", default=None, help="ignore what the checkpoint has kept"
    )
    limits.add_argument(
        "--stop-at-first", action="store_true", default=None,
        help="end with the first counterexample to the claim",
    )  # fmt: skip
    limits.add_argument(
        "--twice", action="store_true", default=None,
        help="ask again in a second interpreter, with another hash seed and in the other order",
    )  # fmt: skip
    limits.add_argument("--told-to", metavar="FILE", help=argparse.SUPPRESS)
    limits.add_argument(
        "--black-box", action="store_true", default=None,
        help="run the algorithm, and say what statistics can",
    )  # fmt: skip
    limits.add_argument(
        "--runs", type=loading.whole(1), metavar="N", help="runs on each sample; default: 1000"
    )
    limits.add_argument(
        "--confidence",
        type=loading.probability,
        metavar="LEVEL",
        help="of all bounds together; default: 0.99",
    )

    output = audit.add_argument_group("the answer")
    output.add_argument(
        "--shrink", action="store_true", default=None,
        help="look for a smaller witness, when the claim fails",
    )  # fmt: skip
    output.add_argument(
        "--certificate", metavar="FILE",
        help="write the witness as JSON (pac-stability/audit-certificate/2; where samples have "
        "several sizes, /3)",
    )  # fmt: skip
    output.add_argument(
        "--rocq", metavar="FILE.v",
        help="write what refutes the claim as a theorem for the proof assistant Rocq (Coq)",
    )  # fmt: skip
    output.add_argument(
        "--json", action="store_true", help="print it as JSON, with all that a certificate has"
    )
    output.add_argument("--junit", metavar="FILE", help="write JUnit XML for a build server")
    output.add_argument("--html", metavar="FILE", help="write a page with pictures")
    audit.set_defaults(run=loading.run_by("audit"))
