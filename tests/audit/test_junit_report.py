"""JUnit XML of audits: what a build server is told."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from pac_stability.audit.calling import written_at
from pac_stability.audit.notions.notion import Instance, Notion
from pac_stability.audit.reports.text import annotation, case_of, cases_to_junit
from pac_stability.audit.results import AuditResult, Counts, PairWitness, Verdict
from pac_stability.data import FiniteDistribution, FromProgram
from shared_subjects import Awkward


def result(
    verdict: Verdict = Verdict.REFUTED, outcome: object = "yes", note: str = ""
) -> AuditResult:
    """Randomised response on one bit, with ``outcome`` as its first answer."""
    law = FiniteDistribution({outcome: Fraction(3, 4), "no": Fraction(1, 4)})
    other = FiniteDistribution({outcome: Fraction(1, 4), "no": Fraction(3, 4)})
    return AuditResult(
        Instance(Notion.DIFFERENTIAL_PRIVACY, (0, 1), 1),
        Fraction(3),
        verdict,
        PairWitness((0,), (1,), None, law, other, (outcome,), Fraction(3)),
        Counts(datasets=2, pairs=2, points=0, outcomes=2),
        claim=Fraction(2),
        note=note,
    )


def suite_of(*results: tuple[str, AuditResult]) -> ET.Element:
    document = cases_to_junit([case_of(*result) for result in results]).encode()
    found = ET.fromstring(document).find("testsuite")  # noqa: S314  # our own
    assert found is not None
    return found


@pytest.mark.parametrize(("verdict", "tag"), [
    (Verdict.VERIFIED, "system-out"), (Verdict.REFUTED, "failure"), (Verdict.BOUNDED, "error"),
    (Verdict.SUPPORTED, "error"), (Verdict.SKIPPED, "error"),
])  # fmt: skip
def test_only_a_verified_claim_passes(verdict: Verdict, tag: str) -> None:
    suite = suite_of(("noise.py::answer", result(verdict)))
    case = suite.find("testcase")
    assert case is not None
    assert [child.tag for child in case] == [tag]
    counted = {"failure": "failures", "error": "errors"}
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "1",
        "failures": "0",
        "errors": "0",
        "skipped": "0",
        **({counted[tag]: "1"} if tag in counted else {}),
    }


def test_the_failure_holds_the_witness() -> None:
    case = suite_of(("noise.py::answer", result())).find("testcase")
    assert case is not None
    assert case.get("classname") == "noise.py::answer"
    assert case.get("name") == (
        "differential-privacy, n = 1, epsilon at most 0.693147 (a factor of 2)"
    )
    failure = case.find("failure")
    assert failure is not None
    assert failure.get("type") == "REFUTED"
    assert failure.text is not None
    assert "{'yes'}: probability 3/4 (0.75) on the sample, 1/4 (0.25) on its neighbour" in (
        failure.text
    )


def test_every_audit_is_a_test_case() -> None:
    suite = suite_of(("a", result()), ("b", result(Verdict.VERIFIED)), ("c", result()))
    assert [case.get("classname") for case in suite] == ["a", "b", "c"]
    assert (suite.get("tests"), suite.get("failures")) == ("3", "2")


STRINGS = st.text(
    st.one_of(st.characters(), st.sampled_from("\x00\x1b\ud800\ufffe\uffff<>&\"']]>\t\r\n"))
)


@given(STRINGS, STRINGS, STRINGS)
def test_any_strings_give_well_formed_xml(subject: str, note: str, outcome: str) -> None:
    bad = replace(result(outcome=Awkward(outcome)), note=note)
    suite = suite_of((subject, bad))
    case = suite.find("testcase")
    assert case is not None
    assert case.find("failure") is not None


def test_what_xml_cannot_hold_is_still_told_apart() -> None:
    names = [
        suite_of((subject, result()))[0].get("classname") for subject in ("a\x00", "a\x01", "a")
    ]
    assert names == [r"a\x00", r"a\x01", "a"]


def test_an_annotation_marks_the_first_place_in_the_repository(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GITHUB_WORKSPACE", str(Path(__file__).parent))
    held = written_at(FromProgram(partial(result, Verdict.REFUTED)))  # written in this file
    elsewhere = written_at(FiniteDistribution), written_at(len), None
    line = result.__code__.co_firstlineno
    shown = annotation([*elsewhere, held], "100 %", "a: b,\nc\x1b")
    assert shown == f"::error file={Path(__file__).name},line={line},title=100 %25::a: b,%0Ac?"
    assert annotation(elsewhere, "x", "y") == "::error title=x::y"
