"""``audit --json`` prints what ``recheck`` reads, whatever was audited."""

import json
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pac_stability import Interval, audit, checker
from pac_stability.audit import certificates
from pac_stability.audit.results import Value, Witness
from pac_stability.data import FiniteDistribution, Multiset, Sample, all_examples
from shared_refusals import refuses

Validate = Callable[[str], dict[str, Any]]

LAW: FiniteDistribution[object] = FiniteDistribution({"h": Fraction(1, 3), (0, 1): Fraction(2, 3)})
COUNTS = audit.Counts(datasets=10, pairs=0, points=0, outcomes=2)


def answer(value: Value, witness: Witness | None, notion: audit.Notion) -> audit.AuditResult:
    universe = all_examples(["a", 1])
    return audit.AuditResult(
        audit.Instance(notion, universe, 2, distribution=FiniteDistribution.uniform(universe)),
        value,
        audit.Verdict.BOUNDED,
        witness,
        COUNTS,
        claim=Fraction(1, 2),
        note="a \x00 remark",
        subject="f.py::g",
    )


def told(result: audit.AuditResult, validate: Validate) -> dict[str, Any]:
    document = validate(certificates.pretty(certificates.to_report(result, "1.0")))
    assert (document["subject"], document["version"]) == ("f.py::g", "1.0")
    assert document["sha256"] == certificates.digest(document)
    return document


def first_label(sample: Sample[int], point: int) -> int:
    return sample.labels[0] if point else 0


def test_it_is_rechecked_as_its_certificate_is(validate: Validate) -> None:
    found = replace(audit.private_prediction(first_label, 2, 1, claim=1), subject="f.py::g")
    document = told(found, validate)
    assert checker.recheck(document) == checker.recheck(certificates.to_document(found))
    assert certificates.from_document(document) == replace(found, subject="", understood="")
    beside = ("version", "subject", "understood", "kept")
    rest = {key: value for key, value in document.items() if key not in beside}
    assert {**rest, "sha256": certificates.digest(rest)} == certificates.to_document(found)
    assert audit.recheck(document, against=first_label).refutes


@pytest.mark.parametrize("name", ["version", "subject", "understood", "kept"])
def test_what_stands_beside_it_is_read_too(name: str) -> None:
    document = certificates.to_report(audit.private_prediction(first_label, 2, 1, claim=1), "1.0")
    for wrong in ({**document, name: []}, {k: v for k, v in document.items() if k != name}):
        refuses("", checker.recheck, {**wrong, "sha256": certificates.digest(wrong)})
    refuses("it was altered", checker.recheck, {**document, name: 3 if name == "kept" else "other"})


def test_all_laws(validate: Validate) -> None:
    universe = all_examples(["a", 1])
    witness = audit.LawsWitness(
        laws=((Multiset.of(universe[:2]), LAW), (Sample(["a", "a"], [0, 0]), LAW)),
        strategy=(("h", Fraction(1, 3)), ((0, 1), (universe[0],))),
        value=Fraction(1, 3),
    )
    result = answer(Interval(Fraction(1, 4), Fraction(1, 3)), witness, audit.Notion.GENERALIZATION)
    report = told(result, validate)
    assert report["value"] == {"lower": "1/4", "upper": "1/3"}
    assert report["claim"] == "1/2"
    assert report["witness"]["laws"][1]["sample"] == [["a", 0], ["a", 1]]
    assert ["h", "1/3"] in report["witness"]["laws"][0]["law"]
    assert report["instance"]["distribution"][3] == [[1, 1], "1/4"]


def test_nothing_examined(validate: Validate) -> None:
    report = told(answer(math.inf, None, audit.Notion.ACCURACY), validate)
    assert report["witness"] is None
    refuses("witness", checker.recheck, report)


def test_numbers_of_thousands_of_digits(validate: Validate) -> None:
    exact = replace(
        answer(Fraction(2**20_000), None, audit.Notion.DIFFERENTIAL_PRIVACY),
        verdict=audit.Verdict.REFUTED,
    )
    assert int(told(exact, validate)["value"], 16) == 2**20_000


@given(
    st.fractions(min_value=1, max_value=100),
    st.dictionaries(
        st.one_of(st.text(), st.integers(), st.booleans()), st.integers(1, 5), min_size=1
    ),
    st.sampled_from([notion for notion in audit.Notion.all() if notion.about.pairs]),
)
def test_any_outcomes(
    validate: Validate, value: Fraction, weights: dict[object, int], notion: audit.Notion
) -> None:
    total = sum(weights.values())
    law = FiniteDistribution({z: Fraction(weight, total) for z, weight in weights.items()})
    event = law.support[::2]
    witness = audit.PairWitness(("x",), ("y",), None, law, LAW, event, value)
    witnessed = told(answer(value, witness, notion), validate)["witness"]
    assert sum(Fraction(p) for _, p in witnessed["law"]) == 1
    assert sum(Fraction(p) for _, p in witnessed["neighbour_law"]) == 1
    in_event = [json.dumps(outcome) for outcome in witnessed["event"]]
    assert sum(Fraction(p) for y, p in witnessed["law"] if json.dumps(y) in in_event) == sum(
        law.probability(z) for z in event
    )
