"""The evidence of a run as a table for a paper."""

from __future__ import annotations

from collections.abc import Iterable

from pac_stability.claims.evidence import Evidence
from pac_stability.claims.report.text import counted, from_cache, how_much_room, how_tight

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "$": r"\$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}


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
        text = escaped(entry.claim.title)
        if entry.claim.latex:
            text += f". {entry.claim.latex}"
        if entry.counterexample is not None:
            text += f" Counterexample: {escaped(entry.counterexample)}"
        examined = counted(entry.active, entry.instances)
        strained = (how_tight(entry.tightest), how_much_room(entry.room))
        row = (entry.claim.key, entry.word, examined, *strained)
        lines.append(" & ".join([*map(escaped, row), text]) + r" \\")
    return "\n".join([*lines, r"\end{longtable}", ""])


def escaped(text: str) -> str:
    """Return a text as LaTeX that prints it."""
    return "".join(_SPECIAL.get(character, character) for character in text)
