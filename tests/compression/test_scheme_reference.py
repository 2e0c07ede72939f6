"""The table of the schemes in the reference says what the schemes are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pac_stability import compression
from pac_stability.classes import Hypothesis, Thresholds, singletons, subsets, thresholds
from pac_stability.compression import (
    BoostingScheme,
    BoxScheme,
    ChainScheme,
    CompressionScheme,
    HalfspaceScheme,
    ImproperScheme,
    IntervalScheme,
    LittlestoneScheme,
    MaximumClassScheme,
    ProperScheme,
    SubsamplingScheme,
    ThresholdScheme,
    UnionOfIntervalsScheme,
)

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "compression.md"
ROW = re.compile(
    r"^\|[^|]*\| `(?P<scheme>\w+)` \| (?P<size>[^|]*) \| (?P<samples>[^|]*)"
    r" \| (?P<hypothesis>[^|]*) \| (?P<selection>[^|]*) \|",
    re.MULTILINE,
)
ROWS = {row["scheme"]: row for row in ROW.finditer(PAGE.read_text(encoding="utf-8"))}

# One of each, and what its size is on 100 examples by the words of the table.
EACH: list[tuple[CompressionScheme[Hypothesis], str, int | None]] = [
    (ThresholdScheme(), "1", 1),
    (ChainScheme(thresholds(5)), "1", 1),
    (IntervalScheme(), "2", 2),
    (UnionOfIntervalsScheme(3), "2j", 6),
    (BoxScheme(4), "2p", 8),
    (MaximumClassScheme(subsets(6, 2)), "d", 2),
    (HalfspaceScheme(3), "p + 1", 4),
    (LittlestoneScheme(thresholds(7)), "Ldim(H)", 3),
    (BoostingScheme(singletons(5)), "O(d log n), explicit", None),
    (SubsamplingScheme(Thresholds(), 9), "as many as you say", 9),
]


@pytest.mark.parametrize(("scheme", "words", "size"), EACH, ids=lambda value: type(value).__name__)
def test_the_row_of_a_scheme(
    scheme: CompressionScheme[Hypothesis], words: str, size: int | None
) -> None:
    row = ROWS[type(scheme).__name__]
    assert row["size"] == words
    assert size is None or scheme.size(100) == size
    assert row["samples"] == ("all" if scheme.agnostic else "realizable")
    assert row["hypothesis"].startswith("proper") == isinstance(scheme, ProperScheme)
    assert row["hypothesis"].startswith("improper") == isinstance(scheme, ImproperScheme)
    assert row["selection"] == f"`{scheme.selection.name}`"


def test_every_scheme_has_a_row() -> None:
    offered = {name for name in vars(compression) if name.endswith("Scheme")}
    bases = {"CompressionScheme", "ProperScheme", "ImproperScheme", "ApproximateScheme"}
    assert set(ROWS) == offered - bases | {"smallest_scheme"}
    assert {type(scheme).__name__ for scheme, _, _ in EACH} == offered - bases
