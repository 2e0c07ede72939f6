"""``audit --json`` follows the published schema, whatever was audited."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pac_stability.arithmetic import Interval
from pac_stability.audit import (
    AuditResult,
    Counts,
    Instance,
    LawsWitness,
    Notion,
    PairWitness,
    Verdict,
)
from pac_stability.audit.reports.json_report import audit_to_dict
from pac_stability.audit.results import Value, Witness
from pac_stability.data import FiniteDistribution, Multiset, Sample, all_examples

Validate = Callable[[str], dict[str, Any]]

LAW: FiniteDistribution[object] = FiniteDistribution({"h": Fraction(1, 3), (0, 1): Fraction(2, 3)})
COUNTS = Counts(datasets=10, pairs=0, points=0, outcomes=2)


def answer(value: Value, witness: Witness | None, notion: Notion) -> AuditResult:
    universe = all_examples(["a", 1])
    return AuditResult(
        Instance(notion, universe, 2, distribution=FiniteDistribution.uniform(universe)),
        value,
        Verdict.BOUNDED,
        witness,
        COUNTS,
        claim=Fraction(1, 2),
        note="a \x00 remark",
    )


def told(result: AuditResult, validate: Validate) -> dict[str, Any]:
    return validate(json.dumps(audit_to_dict(result, "f.py::g", "1.0"), allow_nan=False))


def test_all_laws(validate: Validate) -> None:
    universe = all_examples(["a", 1])
    witness = LawsWitness(
        laws=((Multiset.of(universe[:2]), LAW), (Sample(["a", "a"], [0, 0]), LAW)),
        strategy=(("h", Fraction(1, 3)), ((0, 1), (universe[0],))),
        value=Fraction(1, 3),
    )
    report = told(
        answer(Interval(Fraction(1, 4), Fraction(1, 3)), witness, Notion.GLOBAL_STABILITY), validate
    )
    assert report["value"] == {"lower": "1/4", "upper": "1/3", "exact": False, "epsilon": None}
    assert report["claim"] == {"bound": "at least", "value": "1/2", "epsilon": None}
    assert report["witness"]["laws"][0] == {
        "sample": [{"point": "'a'", "label": 0}, {"point": "'a'", "label": 1}],
        "law": [
            {"outcome": "'h'", "probability": "1/3"},
            {"outcome": "(0, 1)", "probability": "2/3"},
        ],
    }
    assert report["witness"]["strategy"] == [
        {"outcome": "'h'", "choice": "1/3"},
        {"outcome": "(0, 1)", "choice": [{"point": "'a'", "label": 0}]},
    ]
    assert report["instance"]["distribution"][3] == {
        "outcome": {"point": "1", "label": 1},
        "probability": "1/4",
    }


def test_nothing_examined(validate: Validate) -> None:
    assert told(answer(math.inf, None, Notion.ACCURACY), validate)["witness"] is None


def test_what_an_unfinished_audit_found_is_a_lower_bound(validate: Validate) -> None:
    assert told(answer(Fraction(3), None, Notion.PRIVATE_PREDICTION), validate)["value"] == {
        "lower": "3",
        "upper": "infinity",
        "exact": False,
        "epsilon": None,
    }


def test_numbers_of_thousands_of_digits(validate: Validate) -> None:
    exact = replace(
        answer(Fraction(2**20_000), None, Notion.DIFFERENTIAL_PRIVACY), verdict=Verdict.REFUTED
    )
    report = told(exact, validate)
    assert len(report["value"]["lower"]) == 6021  # 20,000 log10(2) = 6020.6
    assert report["value"]["epsilon"] == pytest.approx(20_000 * math.log(2))


@given(
    st.fractions(min_value=1, max_value=100),
    st.dictionaries(
        st.one_of(st.text(), st.integers(), st.booleans()), st.integers(1, 5), min_size=1
    ),
    st.sampled_from(Notion.all()),
)
def test_any_outcomes(
    validate: Validate, value: Fraction, weights: dict[object, int], notion: Notion
) -> None:
    total = sum(weights.values())
    law = FiniteDistribution({z: Fraction(weight, total) for z, weight in weights.items()})
    event = law.support[::2]
    witness = PairWitness(("x",), ("y",), 0, law, LAW, event, value)
    report = told(answer(value, witness, notion), validate)
    rows = report["witness"]["outcomes"]
    assert sum(Fraction(row["probability"]) for row in rows) == 1
    assert sum(Fraction(row["neighbour_probability"]) for row in rows) == 1
    assert sum(Fraction(row["probability"]) for row in rows if row["in_event"]) == sum(
        law.probability(z) for z in event
    )
