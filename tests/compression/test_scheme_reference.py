"""The table of the schemes in the reference says what the schemes are."""

import re
from pathlib import Path

import pytest

from pac_stability import classes, compression

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "compression.md"
ROW = re.compile(
    r"^\|[^|]*\| `(?P<scheme>\w+)` \| (?P<size>[^|]*) \| (?P<samples>[^|]*)"
    r" \| (?P<hypothesis>[^|]*) \| (?P<selection>[^|]*) \|",
    re.MULTILINE,
)
ROWS = {row["scheme"]: row for row in ROW.finditer(PAGE.read_text(encoding="utf-8"))}

# One of each, and what its size is on 100 examples by the words of the table.
EACH: list[tuple[compression.CompressionScheme[classes.Hypothesis], str, int | None]] = [
    (compression.ThresholdScheme(), "1", 1),
    (compression.ChainScheme(classes.thresholds(5)), "1", 1),
    (compression.IntervalScheme(), "2", 2),
    (compression.UnionOfIntervalsScheme(3), "$2j$", 6),
    (compression.BoxScheme(4), "$2p$", 8),
    (compression.MaximumClassScheme(classes.subsets(6, 2)), "$d$", 2),
    (compression.HalfspaceScheme(3), "$p + 1$", 4),
    (compression.LittlestoneScheme(classes.thresholds(7)), r"$\mathrm{Ldim}(H)$", 3),
    (compression.BoostingScheme(classes.singletons(5)), r"$O(d \log n)$, explicit", None),
    (compression.SubsamplingScheme(classes.Thresholds(), 9), "as many as you say", 9),
]


@pytest.mark.parametrize(("scheme", "words", "size"), EACH, ids=lambda value: type(value).__name__)
def test_the_row_of_a_scheme(
    scheme: compression.CompressionScheme[classes.Hypothesis], words: str, size: int | None
) -> None:
    row = ROWS[type(scheme).__name__]
    assert row["size"] == words
    assert size is None or scheme.size(100) == size
    assert row["samples"] == ("all" if scheme.agnostic else "realizable")
    assert row["hypothesis"].startswith("proper") == isinstance(scheme, compression.ProperScheme)
    assert row["hypothesis"].startswith("improper") == isinstance(
        scheme, compression.ImproperScheme
    )
    assert row["selection"] == f"`{scheme.selection.name}`"


def test_every_scheme_has_a_row() -> None:
    offered = {name for name in vars(compression) if name.endswith("Scheme")}
    bases = {"CompressionScheme", "ProperScheme", "ImproperScheme", "ApproximateScheme"}
    assert set(ROWS) == offered - bases | {"smallest_scheme"}
    assert {type(scheme).__name__ for scheme, _, _ in EACH} == offered - bases
