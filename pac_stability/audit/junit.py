"""The answers of audits as JUnit XML, which build servers show as tests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from pac_stability.audit.results import AuditResult, Verdict
from pac_stability.audit.text_report import audit_to_text
from pac_stability.audit.wording import claim_in_words, conclusion, value_in_words

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def audits_to_junit(results: Sequence[tuple[str, AuditResult]]) -> str:
    """Return a JUnit report with one test case for each audit.

    Parameters
    ----------
    results
        Pairs (what was audited, what the audit returned).

    Returns
    -------
    str
        An XML document. ``VERIFIED`` passes, ``REFUTED`` is a failure whose text holds the
        witness, and all else is an error: what is not settled must not look like a success.
        Characters that XML 1.0 cannot hold are written as Python escapes.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from pac_stability.audit.results import Counts, Instance, Notion
    >>> instance = Instance(Notion.GLOBAL_STABILITY, ("a",), 1)
    >>> counts = Counts(datasets=0, pairs=0, points=0, outcomes=0)
    >>> result = AuditResult(instance, Fraction(0), Verdict.SKIPPED, None, counts)
    >>> audits_to_junit([("learner", result)]).splitlines()[2]
    '<testsuite name="pac-stability audit" tests="1" failures="0" errors="1" skipped="0">'
    """
    verdicts = [result.verdict for _, result in results]
    failures = verdicts.count(Verdict.REFUTED)
    errors = len(verdicts) - failures - verdicts.count(Verdict.VERIFIED)
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            "<testsuites>",
            f'<testsuite name="pac-stability audit" tests="{len(verdicts)}" '
            f'failures="{failures}" errors="{errors}" skipped="0">',
            *(_testcase(subject, result) for subject, result in results),
            "</testsuite>",
            "</testsuites>",
            "",
        ]
    )


def _testcase(subject: str, result: AuditResult) -> str:
    instance = result.instance
    name = f"{instance.notion.value}, n = {instance.n}"
    if result.claim is not None:
        name += f", {claim_in_words(instance.notion, result.claim)}"
    report = xml_text(audit_to_text(result, subject))
    if result.verdict is Verdict.VERIFIED:
        inside = f"<system-out>{report}</system-out>"
    else:
        tag = "failure" if result.verdict is Verdict.REFUTED else "error"
        message = f"{value_in_words(instance.notion, result.value)}: {conclusion(result)}"
        kind = result.verdict.name
        inside = f'<{tag} type="{kind}" message="{xml_text(message)}">{report}</{tag}>'
    return (
        f'<testcase classname="{xml_text(subject)}" name="{xml_text(name)}">\n{inside}\n</testcase>'
    )


def xml_text(text: str) -> str:
    r"""Return text as XML 1.0 can hold it, in an element or in a quoted attribute.

    Examples
    --------
    >>> print(xml_text('a < "b" & \x1b[0m'))
    a &lt; &quot;b&quot; &amp; \x1b[0m
    """
    return escape(_NOT_IN_XML.sub(lambda match: ascii(match[0])[1:-1], text))
