"""Figures as files: small, and the same whenever they are drawn again."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from pac_stability.keeping import write_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def save_svg(figure: Figure, path: str | Path, *, description: str = "") -> None:
    """Write a figure as SVG, under a temporary name first.

    Parameters
    ----------
    figure
        What a function of this room returned, or any other figure.
    path
        Where to.
    description
        Goes into the metadata of the file: what it shows, or the numbers themselves.

    Raises
    ------
    InvalidInput
        The file cannot be written.

    Notes
    -----
    Text stays text, in the reader's sans-serif font, and the file has no date, no version and no
    random names: one version of matplotlib writes the same bytes for the same figure.

    Examples
    --------
    >>> import tempfile
    >>> from pac_stability.plots import sample_sizes
    >>> from pac_stability.papers.dagan_feldman.sample_complexity import compare
    >>> rows = compare(["disjoint-average"], ["1/4", "1/8"], ["1/10"], beta="1/20", vc_dimension=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_svg(sample_sizes(rows), Path(folder) / "sizes.svg", description="two sizes")
    ...     "two sizes" in (Path(folder) / "sizes.svg").read_text(encoding="utf-8")
    True
    """
    from matplotlib import rc_context  # noqa: PLC0415  # an optional library

    metadata = {"Date": None, "Creator": None, "Description": description or None}
    stream = io.StringIO()
    with rc_context({"svg.hashsalt": "pac_stability", "svg.fonttype": "none"}):
        figure.savefig(stream, format="svg", metadata=metadata)
    lines = (line.rstrip() for line in stream.getvalue().splitlines())
    write_text(path, "\n".join(lines) + "\n")
