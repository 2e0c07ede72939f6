"""``pac-stability recheck``: does a certificate prove its content? And ``explain``.

It takes certificates of audits, and of dimensions, which it checks against their table.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

import pac_stability
from pac_stability import classes, dimensions, rocq
from pac_stability.arithmetic.interval import digits
from pac_stability.audit import About, Notion
from pac_stability.audit.again import explain, recheck
from pac_stability.audit.certificates import load
from pac_stability.audit.reports.html import audit_to_html
from pac_stability.checker import Recheck
from pac_stability.cli.dims import DIMENSIONS, header
from pac_stability.cli.loading import Exit, class_from_file, load_subject
from pac_stability.cli.output import HTML, check_output, emit, to_json
from pac_stability.errors import InvalidInput, printable
from pac_stability.online import class_digest
from pac_stability.randomness.horizon import on_grid
from pac_stability.reading import read_json

OF_DIMENSIONS = "pac-stability/certificate/1"


def run(options: argparse.Namespace) -> int:
    """Recheck, and print what the certificate proves and what it only states."""
    if options.certificate.endswith(".v"):
        return _judged(options)
    document = read_json(options.certificate)
    if isinstance(document, dict) and document.get("schema") == OF_DIMENSIONS:
        return _dimensions(document, options)
    # What the user's code prints must not get into the report.
    with contextlib.redirect_stdout(sys.stderr), on_grid(options.grid):
        against = None
        if options.against is not None:
            about = document.get("notion") if isinstance(document, dict) else None
            predicts = about is not None and Notion.named(about).about is About.PREDICTIONS
            against = load_subject(options.against, given=options.param, predicts=predicts)
        found = recheck(options.certificate, against=against)
    if options.json:
        emit(to_json(_document(found, options.certificate)))
    else:
        emit(_text(found, options.certificate))
    return Exit.OK if found.proven else Exit.INCONCLUSIVE


def _dimensions(document: Mapping[str, object], options: argparse.Namespace) -> int:
    """Check a certificate of dimensions against the table that it is about."""
    about, stated = document.get("class"), document.get("source")
    if options.against is None:
        wanted = f"--against TABLE, the class that it is about: {stated}"
        raise InvalidInput(options.certificate, "a certificate of dimensions alone", wanted)
    family = options.against.partition(":")[0] in classes.SPECS
    if family and not Path(options.against).exists():
        H = classes.from_spec(options.against)
    else:
        H = class_from_file(options.against)
    if not isinstance(about, dict) or about.get("id") != class_digest(H):
        raise InvalidInput("--against", options.against, f"the class of {stated}, bit for bit")
    found = dimensions.check_bounds(document.get("dimensions"), H)
    proved: list[str] = []
    trusted: list[str] = []
    for name, bounds in found.items():
        title = f"the {DIMENSIONS[name].title} dimension is"
        (proved if bounds.lower_proved else trusted).append(f"{title} at least {bounds.lower}")
        if bounds.upper is not None:
            (proved if bounds.upper_proved else trusted).append(f"{title} at most {bounds.upper}")
    if options.json:
        fields = {name: asdict(bounds) for name, bounds in found.items()}
        emit(to_json(header("recheck-dimensions", options.certificate, H) | {"dimensions": fields}))
    else:
        lines = [f"{printable(options.certificate)}: dimensions of {printable(options.against)}"]
        for word, sentences in (("proved", proved), ("not proved", trusted)):
            lines += [f"\n{word}", *(f"  - {sentence}" for sentence in sentences or ["nothing"])]
        emit("\n".join([*lines, ""]))
    return Exit.INCONCLUSIVE if trusted else Exit.OK


def _judged(options: argparse.Namespace) -> int:
    """Ask Rocq, if it is there."""
    about = None if options.against is None else class_from_file(options.against)
    found = rocq.check(options.certificate, about=about)
    if found.verdict == "rejected":
        raise InvalidInput(options.certificate, found.reason, "a proof that Rocq accepts")
    if options.json:
        document = {
            "schema": "pac-stability/rocq/1",
            "version": pac_stability.__version__,
            "source": options.certificate,
            **asdict(found),
        }
        emit(to_json(document))
    else:
        said = found.words if found.proved else f"NOT PROVED, {found.reason}: that {found.words}"
        told = "proved in Rocq, without axioms: " if found.proved else ""
        emit(f"{printable(options.certificate)}: {told}{printable(said)}\n")
    return Exit.OK if found.proved else Exit.INCONCLUSIVE


def _text(found: Recheck, name: str) -> str:
    notion, verdict = found.notion, found.verdict.upper()
    lines = [f"{printable(name)}: a sound certificate of {notion}, {verdict}"]
    if not found.proven:
        lines = [f"{printable(name)}: {notion}, {verdict} is NOT PROVED by this certificate"]
    for title, sentences in (
        *((("about", found.about),) if found.about else ()),
        ("proved", found.proved),
        ("not proved", found.trusted),
    ):
        lines += [f"\n{title}", *(f"  - {printable(sentence)}" for sentence in sentences)]
    return "\n".join([*lines, ""])


def _document(found: Recheck, name: str) -> dict[str, object]:
    value = found.value
    return {
        "schema": "pac-stability/recheck/2",
        "version": pac_stability.__version__,
        "source": name,
        "notion": found.notion,
        "verdict": found.verdict,
        "value": digits(value) if not isinstance(value, float) else "infinity",
        "claim": None if found.claim is None else digits(found.claim),
        "refutes": found.refutes,
        "exact": found.exact,
        "proven": found.proven,
        "about": list(found.about),
        "proved": list(found.proved),
        "trusted": list(found.trusted),
    }


# ``pac-stability explain``: a certificate in words, and with pictures

_WITNESSES = {
    "littlestone": "a mistake tree: an adversary calls each prediction wrong and goes down the "
    "other side, and each leaf is a hypothesis that agrees with all answers",
    "vc": "points on which all patterns of labels occur, with a hypothesis for each pattern",
    "dual-vc": "hypotheses that points label in all patterns, with a point for each pattern",
    "threshold": "a staircase: hypotheses h_1, h_2, ... and points x_1, x_2, ... with "
    "h_i(x_j) = 1 exactly if i <= j",
}


def _story_of_dimensions(document: Mapping[str, object], path: str) -> str:
    """Return what a certificate of dimensions says, and what in it proves that."""
    about, entries = document.get("class"), document.get("dimensions")
    if not isinstance(about, dict) or not isinstance(entries, dict):
        raise InvalidInput(path, "a damaged file", "a certificate that dims wrote")
    size = f"{about.get('hypotheses')} hypotheses on {about.get('points')} points"
    lines = [f"This certificate is about the class of {document.get('source')}: {size}."]
    for name, entry in entries.items():
        if name not in DIMENSIONS or not isinstance(entry, dict):
            raise InvalidInput(path, f"the dimension {name}", ", ".join(DIMENSIONS))
        lower, upper = entry.get("lower"), entry.get("upper")
        lines += ["", f"The {DIMENSIONS[name].title} dimension:"]
        if entry.get("witness") is None:
            lines.append(f"- It is at least {lower}. The file has no proof of this.")
        else:
            lines.append(f"- It is at least {lower}. The proof is {_WITNESSES[name]}.")
        if upper is not None and entry.get("refutation") is None:
            lines.append(f"- It is at most {upper}. The file has no proof of this.")
        elif upper is not None:
            lines.append(
                f"- It is at most {upper}. The proof is a refutation of any larger tree or set."
            )
    check = f"pac-stability recheck {path} --against TABLE checks the proofs."
    return "\n".join([*map(printable, lines), "", printable(check), ""])


def run_explain(options: argparse.Namespace) -> int:
    """Recheck the certificate, then explain it."""
    check_output(options.html, HTML)
    document = read_json(options.certificate)
    if isinstance(document, dict) and document.get("schema") == OF_DIMENSIONS:
        if options.html is not None:
            raise InvalidInput("--html", "a certificate of dimensions", "one of an audit")
        emit(_story_of_dimensions(document, options.certificate))
        return Exit.OK
    story = explain(options.certificate)
    if options.html is not None:
        page = audit_to_html(
            load(options.certificate), options.certificate, pac_stability.__version__
        )
        emit(page, options.html)
    emit(story)
    return Exit.OK
