"""Writing tables that the reader reads back."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Hashable, Sequence

from pac_stability.classes.tables import values
from pac_stability.classes.tables.text import mark_of


def text_of_table(
    rows: list[list[int]], domain: Sequence[Hashable], names: Sequence[str] | None
) -> str:
    """Write a table as comma-separated text, with a comment on how to read it if necessary."""
    top = tuple(domain) != tuple(range(len(domain))) or not rows
    header = [str(point) for point in domain]
    called = [*(header if top else ()), *(names or ())]
    first = list(names or ()) or [str(row[0]) for row in rows if row]
    like_names = not top and (rows[0] in ([0], [1], [0, 1]) or values.only_counts(first))
    corner = header[:1] if top and names is None else [] if top else list(names or ())[:1]
    index = any(map(values.is_index, corner))
    text = io.StringIO(newline="")
    odd = like_names or index or any(map(_is_odd, called))
    if odd:
        text.write(f"{mark_of(header=top, names=names is not None)}\n")
    writer = csv.writer(text, lineterminator="\n")
    if odd:
        writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    if top:
        writer.writerow(header if names is None else ["name", *header])
    if names is None:
        writer.writerows(rows)
    else:
        writer.writerows([name, *row] for name, row in zip(names, rows, strict=True))
    return text.getvalue()


def _is_odd(name: str) -> bool:
    """Whether a name could be taken for a value, a comment or several cells."""
    plain = name.strip().casefold()
    special = re.search(r"[,;\t|\\\"\r\n]|^[#%\ufeff]|^sep=", name)
    return (
        name != name.strip()
        or values.is_number(name)
        or plain in values.WORDS | values.ABSENT
        or bool(special)
    )
