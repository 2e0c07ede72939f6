"""The check of the schema itself: it must notice a departure of every kind."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

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


@pytest.mark.parametrize(
    "change",
    [
        {"schema": "pac-stability/transcript/2"},
        {"class": "sha256:0"},
        {"learner": 3},
        {"mistakes": -1},
        {"mistakes": True},
        {"realizable": 1},
        {"rounds": {}},
        {"rounds": [{"point": 0, "prediction": 0}]},
        {"rounds": [{"point": 0, "prediction": 0, "label": 2}]},
        {"rounds": [{"point": 0, "prediction": 0, "label": 1, "more": 0}]},
        {"more": 0},
    ],
)
def test_a_departure_is_noticed(validate: Validate, change: dict[str, object]) -> None:
    with pytest.raises(AssertionError):
        validate(json.dumps(GOOD | change))
