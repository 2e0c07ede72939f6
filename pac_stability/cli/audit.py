"""``pac-stability audit``: whether an algorithm is what it is claimed to be."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Mapping

import pac_stability
from pac_stability import audit
from pac_stability.arithmetic import Epsilon
from pac_stability.audit import AuditResult, AuditStopped, Notion, Verdict
from pac_stability.audit.certificates import save
from pac_stability.audit.html_report import audit_to_html
from pac_stability.audit.json_report import audit_to_dict
from pac_stability.audit.junit import audits_to_junit
from pac_stability.audit.text_report import audit_to_text
from pac_stability.audit.wording import PARAMETERS
from pac_stability.cli.exits import Exit
from pac_stability.cli.instances import points_from
from pac_stability.cli.loading import load_subject
from pac_stability.cli.reports import check_output, emit, to_json
from pac_stability.data import Neighbouring
from pac_stability.errors import InvalidInput

_PAIRS = frozenset({"domain", "relation", "symmetric", "unlabelled"})
_LAWS = frozenset({"domain", "distribution", "symmetric", "unlabelled"})

OPTIONS: Mapping[Notion, frozenset[str]] = {
    Notion.UNIFORM_STABILITY: _PAIRS | {"points"},
    Notion.PRIVATE_PREDICTION: _PAIRS | {"points", "delta"},
    Notion.DIFFERENTIAL_PRIVACY: _PAIRS | {"delta", "group"},
}
"""The options that mean something for a notion; another one is refused, never ignored."""


def run(options: argparse.Namespace) -> int:
    """Audit, and print or write what was found."""
    notion = Notion(options.notion)
    _require_fitting(options, notion)
    for output in (options.certificate, options.junit, options.html):
        check_output(output)
    # What the user's code prints must not get into the report.
    with contextlib.redirect_stdout(sys.stderr):
        subject = load_subject(options.subject)
        try:
            result = _audited(subject, notion, options)
        except AuditStopped as stopped:
            if stopped.partial is None:
                raise
            result = stopped.partial
    _write(result, options)
    return exit_code(result)


def exit_code(result: AuditResult) -> Exit:
    """Return what scripts are told: nothing examined is never a success."""
    if result.verdict is Verdict.REFUTED:
        return Exit.REFUTED
    if result.verdict is Verdict.VERIFIED and result.counts.datasets:
        return Exit.OK
    return Exit.INCONCLUSIVE


def _audited(subject: object, notion: Notion, options: argparse.Namespace) -> AuditResult:
    keywords = _keywords(options)
    if notion in _OVER_PAIRS:
        if options.domain is None:
            raise InvalidInput("--domain", "none", f"the points: {notion.value} needs them")
        domain = points_from(options.domain, "--domain")
        return _OVER_PAIRS[notion](subject, domain, options.n, **keywords)
    raise NotImplementedError(notion)


def _keywords(options: argparse.Namespace) -> dict[str, object]:
    """Return what was asked for, by the names that the library gives it; the rest is default."""
    keywords: dict[str, object] = {"claim": _claim(options)}
    if options.points is not None:
        keywords["points"] = points_from(options.points, "--points")
    if options.relation is not None:
        keywords["relation"] = Neighbouring(options.relation)
    if options.unlabelled:
        keywords["labelled"] = False
    same = ("delta", "beta", "symmetric")
    given = {name: getattr(options, name) for name in same}
    return keywords | {name: value for name, value in given.items() if value is not None}


def _claim(options: argparse.Namespace) -> object:
    if options.claim_ratio is None:
        return options.claim
    if not PARAMETERS[Notion(options.notion)].is_factor:
        raise InvalidInput("--claim-ratio", options.notion, "a notion whose parameter is epsilon")
    return Epsilon.exactly(options.claim_ratio)


_OVER_PAIRS: Mapping[Notion, Callable[..., AuditResult]] = {
    Notion.UNIFORM_STABILITY: audit.uniform_stability,
    Notion.PRIVATE_PREDICTION: audit.private_prediction,
    Notion.DIFFERENTIAL_PRIVACY: audit.differential_privacy,
}

_ALWAYS = frozenset(
    {"run", "debug", "subject", "notion", "n", "claim", "claim_ratio"}
    | {"certificate", "json", "junit", "html"}
)


def _require_fitting(options: argparse.Namespace, notion: Notion) -> None:
    """Refuse an option that means nothing for the notion: it must not be thought to work."""
    for name, value in vars(options).items():
        if value is None or name in _ALWAYS or name in OPTIONS[notion]:
            continue
        others = ", ".join(other.value for other, known in OPTIONS.items() if name in known)
        option = f"--{name.replace('_', '-')}"
        raise InvalidInput(option, f"it with {notion.value}", f"it only with {others or 'others'}")


def _write(result: AuditResult, options: argparse.Namespace) -> None:
    subject, version = options.subject, pac_stability.__version__
    if options.certificate is not None:
        save(result, options.certificate)
    if options.junit is not None:
        emit(audits_to_junit([(subject, result)]), options.junit)
    if options.html is not None:
        emit(audit_to_html(result, subject, version), options.html)
    if options.json:
        emit(to_json(audit_to_dict(result, subject, version)))
    else:
        emit(audit_to_text(result, subject))
