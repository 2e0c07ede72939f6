"""What a size says: how many examples, with which parameters, and what was spent on what."""

from __future__ import annotations

from fractions import Fraction
from typing import cast

from pac_stability._report import Face, aligned, html_table, latex_table
from pac_stability.papers.dagan_feldman.sample_complexity.asking import LeastSize, Size


def size_face(size: LeastSize) -> Face:
    """Return a size as a table."""
    rows = [
        ("examples", f"{size.sample_size:,}"),
        ("binding", size.binding),
        ("constants", size.constants.value),
    ]
    if isinstance(size, Size):
        whole = cast("Size[object]", size)
        rows += [(name, _number(value)) for name, value in whole.parameters.items()]
    return Face(
        lambda: aligned(rows),
        html=lambda: html_table(rows),
        latex=lambda: latex_table(rows, ("parameter", "value")),
    )


def _number(value: object) -> str:
    if isinstance(value, Fraction) and value.denominator > 1000:
        return f"{float(value):.6g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
