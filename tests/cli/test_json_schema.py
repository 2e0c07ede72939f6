"""The check of the schema itself, which must notice departures; and what only Python writes."""

import json
from collections.abc import Callable, Hashable
from fractions import Fraction
from pathlib import Path

import pytest

from pac_stability.compression import AdaptiveSession, Selection, ThresholdScheme
from pac_stability.data import Sample

Validate = Callable[[str], dict[str, object]]

GOOD: dict[str, object] = {
    "schema": "pac-stability/transcript/1",
    "class": "sha256:" + 64 * "0",
    "learner": "SOA",
    "mistakes": 1,
    "realizable": True,
    "rounds": [{"point": 0, "prediction": 0, "label": 1}],
}


def test_a_good_document_passes(validate: Validate) -> None:
    assert validate(json.dumps(GOOD)) == GOOD


@pytest.mark.parametrize("change", [
    {"schema": "pac-stability/transcript/2"}, {"class": "sha256:0"}, {"learner": 3},
    {"mistakes": -1}, {"mistakes": True}, {"realizable": 1}, {"rounds": {}},
    {"rounds": [{"point": 0, "prediction": 0}]},
    {"rounds": [{"point": 0, "prediction": 0, "label": 2}]},
    {"rounds": [{"point": 0, "prediction": 0, "label": 1, "more": 0}]}, {"more": 0},
])  # fmt: skip
def test_a_departure_is_noticed(validate: Validate, change: dict[str, object]) -> None:
    with pytest.raises(AssertionError):
        validate(json.dumps(GOOD | change))


def test_a_saved_session_is_described(validate: Validate, tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    points: list[Hashable] = [Fraction(1, 3), 2, 3, 1]
    sample = Sample(points, [0, 1, 1, 0])
    session = AdaptiveSession(sample, Fraction(1, 20), budget=3, bits=2)
    session.ask(ThresholdScheme())
    session.ask(ThresholdScheme(), where=lambda z: z.point == 4)
    session.query(lambda S: len(S) % 2)
    session.save(path)
    document = validate(path.read_text())
    rounds = document["rounds"]
    assert isinstance(rounds, list)
    assert [set(entry) for entry in rounds] == [
        {"indices", "kept", "size", "selection", "filtered"},
        {"indices", "kept", "size", "selection", "filtered"},
        {"answer", "bits"},
    ]
    for kind in Selection:
        rounds[0]["selection"] = kind.value
        validate(json.dumps(document))
    with pytest.raises(AssertionError):
        validate(json.dumps(document | {"digest": "sha256:" + 64 * "0"}))
