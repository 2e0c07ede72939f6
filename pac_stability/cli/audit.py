"""``pac-stability audit``: whether an algorithm is what it is claimed to be."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import pac_stability
from pac_stability import audit
from pac_stability.arithmetic import Epsilon
from pac_stability.audit import (
    AuditResult,
    AuditStopped,
    Notion,
    SubjectFailure,
    Verdict,
    certificates,
)
from pac_stability.audit.progress import ProgressCallback
from pac_stability.audit.reports.html_report import audit_to_html
from pac_stability.audit.reports.json_report import audit_to_dict
from pac_stability.audit.reports.junit import Case, case_of, cases_to_junit
from pac_stability.audit.reports.wording import PARAMETERS, answer_in_words, examined, title_of
from pac_stability.audit.shrinking import shrink_counterexample
from pac_stability.audit.subjects import LawSubject, PredictionSubject
from pac_stability.cli import black_box
from pac_stability.cli.audit_progress import watched_audit
from pac_stability.cli.exits import Exit
from pac_stability.cli.instances import distribution_from, points_from
from pac_stability.cli.loading import line_of, load_subject
from pac_stability.cli.reports import check_output, coloured, emit, to_json
from pac_stability.data import Neighbouring
from pac_stability.errors import InvalidInput, printable

_RUN = frozenset(
    {
        *("domain", "unlabelled", "symmetric", "time_limit", "max_memory", "processes"),
        *("checkpoint", "check_cache", "fresh"),
    }
)
_PAIRS = _RUN | {"relation", "max_pairs", "shrink"}
_LAWS = _RUN | {"distribution"}

OPTIONS: Mapping[Notion, frozenset[str]] = {
    Notion.UNIFORM_STABILITY: _PAIRS | {"points"},
    Notion.PRIVATE_PREDICTION: _PAIRS | {"points", "delta"},
    Notion.DIFFERENTIAL_PRIVACY: _PAIRS | {"delta", "group", "as_written"},
    Notion.PERFECT_GENERALIZATION: _LAWS | {"delta", "beta", "shrink", "as_written"},
    Notion.ROBUST_GENERALIZATION: _LAWS | {"delta", "shrink"},
    Notion.GLOBAL_STABILITY: _LAWS | {"shrink", "as_written"},
    Notion.GENERALIZATION: _LAWS | {"beta"},
    Notion.ACCURACY: _LAWS | {"beta"},
}
"""The options that mean something for a notion; another one is refused, never ignored."""

_ALWAYS = frozenset(
    {"run", "debug", "subject", "notion", "n", "claim", "claim_ratio", "json", "junit"}
)
_FILES = frozenset({"certificate", "html"})


@dataclass(frozen=True, slots=True)
class _Answer:
    """What is printed, in either form, and the exit code."""

    case: Case
    document: dict[str, object]
    code: Exit


def run(options: argparse.Namespace) -> int:
    """Audit, and print or write what was found."""
    notion = Notion(options.notion)
    _require_fitting(options, notion)
    _require_outputs(options)
    try:
        # What the user's code prints must not get into the report.
        with contextlib.redirect_stdout(sys.stderr):
            subject = load_subject(options.subject, travels=options.processes is not None)
            if options.as_written:
                subject = audit.as_written(cast("LawSubject", subject))
            answer = (_seen if options.black_box else _decided)(subject, notion, options)
    except KeyboardInterrupt:
        kept = options.checkpoint
        _say(f"interrupted; {kept} keeps what was done" if _exists(kept) else "interrupted")
        return Exit.INTERRUPTED
    if options.junit is not None:
        emit(cases_to_junit([answer.case]), options.junit)
    emit(to_json(answer.document) if options.json else _shown(answer.case))
    return answer.code


def _decided(subject: object, notion: Notion, options: argparse.Namespace) -> _Answer:
    """Return the exact answer, and write the files about it."""
    result, version = _result(subject, notion, options), pac_stability.__version__
    if options.certificate is not None:
        if result.witness is None:
            _say("no certificate was written: there is no witness")
        else:
            emit(certificates.to_json(result), options.certificate)
    if options.html is not None:
        emit(audit_to_html(result, options.subject, version), options.html)
    document = audit_to_dict(result, options.subject, version)
    return _Answer(case_of(options.subject, result), document, exit_code(result))


def _seen(subject: object, notion: Notion, options: argparse.Namespace) -> _Answer:
    """Return what statistics say of a black box."""
    found = black_box.audit_black_box(subject, notion, options)
    code = Exit.REFUTED if found.verdict is Verdict.REFUTED else Exit.INCONCLUSIVE
    case = black_box.result_to_case(found, options.subject)
    return _Answer(case, black_box.result_to_dict(found, options.subject), code)


def _shown(case: Case) -> str:
    """Return the report, on a terminal with the verdict in colour."""
    if not coloured():
        return case.report
    verdict = case.verdict
    colour = {Verdict.VERIFIED: 32, Verdict.REFUTED: 31}.get(verdict, 33)
    marked = f"\x1b[1;{colour}m{verdict.name}\x1b[0m: "
    return case.report.replace(f"{verdict.name}: ", marked, 1)


def exit_code(result: AuditResult) -> Exit:
    """Return what scripts are told: nothing examined is never a success."""
    if result.verdict is Verdict.REFUTED:
        return Exit.REFUTED
    if result.verdict is Verdict.VERIFIED and result.counts.datasets:
        return Exit.OK
    return Exit.INCONCLUSIVE


def _result(subject: object, notion: Notion, options: argparse.Namespace) -> AuditResult:
    """Audit; a budget that ends it leaves what it found, and a failure tells what it was."""
    try:
        with watched_audit(title_of(notion)) as progress:
            result = _audited(subject, notion, options, progress)
    except AuditStopped as stopped:
        if stopped.partial is None:
            raise
        _say(f"inconclusive: {stopped}")
        return stopped.partial
    except SubjectFailure as failure:
        _tell_of(failure, options)
        raise
    if options.shrink and result.verdict is Verdict.REFUTED:
        return _smaller(subject, result)
    return result


def _smaller(subject: object, result: AuditResult) -> AuditResult:
    """Return a smaller refutation, if the user does not lose patience."""
    try:
        small = shrink_counterexample(cast("PredictionSubject", subject), result).result
    except KeyboardInterrupt:
        _say("interrupted; the counterexample below is not made smaller")
        return result
    asked = f"n = {result.instance.n} and {len(result.instance.universe)} elements"
    return replace(small, note=f"made smaller; for {asked} as asked, {answer_in_words(result)}")


def _tell_of(failure: SubjectFailure, options: argparse.Namespace) -> None:
    """Say where the user's code raised, and what had been found by then."""
    path = options.subject.rpartition("::")[0]
    if failure.__cause__ is not None and path:
        line = line_of(failure.__cause__, path)
        if line is not None:
            _say(f"{path}, line {line} raised {type(failure.__cause__).__name__}")
    partial = failure.partial
    if partial is not None and partial.counts.pairs:
        counted = examined(partial.counts, partial.instance.symmetry)
        _say(f"until then: {answer_in_words(partial)} ({counted}); {partial.note}")
    if _exists(options.checkpoint):
        _say(f"{options.checkpoint} keeps what was done")


def _audited(
    subject: object,
    notion: Notion,
    options: argparse.Namespace,
    progress: ProgressCallback | None,
) -> AuditResult:
    """Call the library with what was asked for, by its names; the rest is default."""
    keywords: dict[str, object] = {"claim": _claim(options), "progress": progress}
    for name in (
        *("symmetric", "processes", "checkpoint", "check_cache", "fresh", "time_limit"),
        *("max_pairs", "max_memory"),
    ):
        if getattr(options, name) is not None:
            keywords[name] = getattr(options, name)
    for name in ("delta", "beta"):
        if name in OPTIONS[notion]:
            keywords[name] = getattr(options, name) or 0
    if notion in _ON_DISTRIBUTIONS:
        if options.distribution is None:
            raise InvalidInput("--distribution", "none", f"one: {notion.value} needs it")
        labelled = not options.unlabelled
        law = distribution_from(options.distribution, options.domain, labelled=labelled)
        return _ON_DISTRIBUTIONS[notion](subject, law, options.n, **keywords)
    if options.domain is None:
        raise InvalidInput("--domain", "none", f"the points: {notion.value} needs them")
    domain = points_from(options.domain, "--domain")
    if options.points is not None:
        keywords["points"] = points_from(options.points, "--points")
    if options.relation is not None:
        keywords["relation"] = Neighbouring(options.relation)
    if options.unlabelled:
        keywords["labelled"] = False
    if options.group is not None:
        return _ON_GROUPS(subject, domain, options.n, options.group, **keywords)
    return _ON_PAIRS[notion](subject, domain, options.n, **keywords)


def _claim(options: argparse.Namespace) -> object:
    if options.claim_ratio is None:
        return options.claim
    if not PARAMETERS[Notion(options.notion)].is_factor:
        raise InvalidInput("--claim-ratio", options.notion, "a notion whose parameter is epsilon")
    return Epsilon.exactly(options.claim_ratio)


# The library checks what it is given; the types of options are known only there.
_ON_PAIRS: Mapping[Notion, Callable[..., AuditResult]] = {
    Notion.UNIFORM_STABILITY: audit.uniform_stability,
    Notion.PRIVATE_PREDICTION: audit.private_prediction,
    Notion.DIFFERENTIAL_PRIVACY: audit.differential_privacy,
}
_ON_GROUPS: Callable[..., AuditResult] = audit.group_privacy
_ON_DISTRIBUTIONS: Mapping[Notion, Callable[..., AuditResult]] = {
    Notion.PERFECT_GENERALIZATION: audit.perfect_generalization,
    Notion.ROBUST_GENERALIZATION: audit.robust_generalization,
    Notion.GLOBAL_STABILITY: audit.global_stability,
    Notion.GENERALIZATION: audit.generalization,
    Notion.ACCURACY: audit.accuracy,
}


def _require_fitting(options: argparse.Namespace, notion: Notion) -> None:
    """Refuse an option that means nothing for the notion: it must not be thought to work."""
    fitting = OPTIONS[notion] | _FILES
    if options.black_box:
        if notion not in _ON_PAIRS:
            raise InvalidInput("--black-box", notion.value, "a notion about neighbouring samples")
        fitting = black_box.OPTIONS & (OPTIONS[notion] | black_box.OWN)
    for name, value in vars(options).items():
        if value is None or name in _ALWAYS or name in fitting:
            continue
        option, how = f"--{name.replace('_', '-')}", " --black-box" if options.black_box else ""
        others = ", ".join(other.value for other, known in OPTIONS.items() if name in known)
        if name in black_box.OWN:
            others = "--black-box"
        raise InvalidInput(
            option, f"it with {notion.value}{how}", f"it only with {others or 'exact audits'}"
        )


def _require_outputs(options: argparse.Namespace) -> None:
    """Refuse files that cannot be written, or that would overwrite one another."""
    for name in ("check_cache", "fresh"):
        if getattr(options, name) is not None and options.checkpoint is None:
            option = f"--{name.replace('_', '-')}"
            raise InvalidInput(option, "no --checkpoint", "--checkpoint with it")
    source, double, _ = options.subject.rpartition("::")
    owners = {Path(source).resolve(): "SUBJECT"} if double else {}
    for name in ("checkpoint", "certificate", "junit", "html"):
        output: str | None = getattr(options, name)
        check_output(output)
        if output is None or (Path(output).exists() and not Path(output).is_file()):
            continue  # devices may be shared
        owner = owners.setdefault(Path(output).resolve(), f"--{name}")
        if owner != f"--{name}":
            raise InvalidInput(f"--{name}", f"the file of {owner}", "a file of its own")


def _exists(path: str | None) -> bool:
    return path is not None and Path(path).exists()


def _say(text: str) -> None:
    print(f"pac-stability: {printable(text)}", file=sys.stderr)
