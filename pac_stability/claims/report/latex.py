"""The evidence of a run as a table for a paper."""

from __future__ import annotations

from collections.abc import Iterable

from pac_stability._report import tex
from pac_stability.claims.evidence import Evidence
from pac_stability.claims.report.text import counted, from_cache, how_much_room, how_tight


def evidence_to_latex(evidence: Iterable[Evidence]) -> str:
    r"""Return a ``longtable`` with a row for each claim, its statement set.

    It needs ``\usepackage{longtable, amsmath, amssymb}``. A comment says how many rest on answers
    of an earlier run.

    Examples
    --------
    >>> print(evidence_to_latex([]))
    \begin{longtable}{llrrrp{.4\linewidth}}
    claim & status & instances & tightest & room & \\
    \hline
    \endhead
    \end{longtable}
    <BLANKLINE>
    """
    lines = [
        r"\begin{longtable}{llrrrp{.4\linewidth}}",
        r"claim & status & instances & tightest & room & \\",
        r"\hline",
        r"\endhead",
    ]
    found = tuple(evidence)
    kept = from_cache(found)
    lines[:0] = [f"% {kept.removeprefix('; ')}"] if kept else []
    for entry in found:
        text = tex(entry.claim.title)
        if entry.claim.latex:
            text += f". {entry.claim.latex}"
        if entry.counterexample is not None:
            text += f" Counterexample: {tex(entry.counterexample)}"
        examined = counted(entry.active, entry.instances)
        strained = (how_tight(entry.tightest), how_much_room(entry.room))
        row = (entry.claim.key, entry.word, examined, *strained)
        lines.append(" & ".join([*map(tex, row), text]) + r" \\")
    return "\n".join([*lines, r"\end{longtable}", ""])
