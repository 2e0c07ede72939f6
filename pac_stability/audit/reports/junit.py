"""The answers of audits as JUnit XML, which build servers show as tests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape

from pac_stability.audit.reports.wording import answer_in_words, claim_in_words, conclusion
from pac_stability.audit.results import AuditResult, Verdict

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class JUnitCase:
    """One test case of a report.

    Attributes
    ----------
    subject
        What was audited.
    name
        What was asked.
    verdict
        ``VERIFIED`` passes, ``REFUTED`` is a failure, and all else is an error: what is not settled
        must not look like a success.
    message
        The answer in one line.
    report
        All of the answer.
    """

    subject: str
    name: str
    verdict: Verdict
    message: str
    report: str


def case_of(subject: str, result: AuditResult) -> JUnitCase:
    """Return the test case of an audit; the report of a refuted claim holds the witness.

    Parameters
    ----------
    subject
        How the user calls what was audited.
    result
        What the audit returned.
    """
    instance = result.instance
    name = f"{instance.notion.name}, n = {instance.n}"
    if result.claim is not None:
        name += f", {claim_in_words(instance.notion, result.claim)}"
    message = f"{answer_in_words(result)}: {conclusion(result)}"
    return JUnitCase(subject, name, result.verdict, message, str(replace(result, subject=subject)))


def cases_to_junit(cases: Sequence[JUnitCase]) -> str:
    """Return a JUnit report.

    Parameters
    ----------
    cases
        The test cases, one for each audit.

    Returns
    -------
    str
        An XML document. Characters that XML 1.0 cannot hold are written as Python escapes.

    Examples
    --------
    >>> case = JUnitCase("f.py::learn", "accuracy, n = 3", Verdict.SKIPPED, "nothing", "")
    >>> cases_to_junit([case]).splitlines()[2]
    '<testsuite name="pac-stability audit" tests="1" failures="0" errors="1" skipped="0">'
    """
    verdicts = [case.verdict for case in cases]
    failures = verdicts.count(Verdict.REFUTED)
    errors = len(verdicts) - failures - verdicts.count(Verdict.VERIFIED)
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            "<testsuites>",
            f'<testsuite name="pac-stability audit" tests="{len(cases)}" '
            f'failures="{failures}" errors="{errors}" skipped="0">',
            *map(_testcase, cases),
            "</testsuite>",
            "</testsuites>",
            "",
        ]
    )


def _testcase(case: JUnitCase) -> str:
    report = xml_text(case.report)
    if case.verdict is Verdict.VERIFIED:
        inside = f"<system-out>{report}</system-out>"
    else:
        tag = "failure" if case.verdict is Verdict.REFUTED else "error"
        kind, message = case.verdict.name, xml_text(case.message)
        inside = f'<{tag} type="{kind}" message="{message}">{report}</{tag}>'
    return (
        f'<testcase classname="{xml_text(case.subject)}" name="{xml_text(case.name)}">\n'
        f"{inside}\n</testcase>"
    )


def xml_text(text: str) -> str:
    r"""Return text as XML 1.0 can hold it, in an element or in a quoted attribute.

    Examples
    --------
    >>> print(xml_text('a < "b" & \x1b[0m'))
    a &lt; &quot;b&quot; &amp; \x1b[0m
    """
    return escape(_NOT_IN_XML.sub(lambda match: ascii(match[0])[1:-1], text))
