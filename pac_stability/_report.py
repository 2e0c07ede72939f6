"""Forms of a result: text for the command line, HTML, a picture, a table.

A result is a :class:`Reported`: ``str(result)`` is what the command line prints, and a notebook
shows the result as HTML or as a picture. The writers belong to a higher layer than the result, so
the result names its writer and loads it on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from html import escape
from importlib import import_module
from typing import ClassVar, cast

from pac_stability.errors import legible

_LONGEST_LINE = 100
_SPECIAL = {
    **{mark: f"\\{mark}" for mark in "{}_&%#$"},
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}


@dataclass(frozen=True, slots=True)
class Face:
    """The forms of a result; each is written on first use.

    Attributes
    ----------
    text
        For a terminal: what the command line prints.
    html
        A part of a page; the text by default.
    svg
        A picture, where there is one.
    latex
        A table for a paper, where there is one.
    """

    text: Callable[[], str]
    html: Callable[[], str] | None = None
    svg: Callable[[], str] | None = None
    latex: Callable[[], str] | None = None


class Reported:
    """A result that can be shown as text, HTML, a picture or LaTeX."""

    __slots__ = ()

    _face: ClassVar[str]
    """``"module:function"``: the function makes a :class:`Face` of the result."""

    def report(self) -> Face:
        """Return this result as text, HTML, a picture and LaTeX."""
        module, _, name = self._face.partition(":")
        make = cast("Callable[[object], Face]", getattr(import_module(module), name))
        return make(self)

    def __str__(self) -> str:
        return legible(self.report().text())

    def __repr__(self) -> str:
        return _in_line(self, str(self).partition("\n")[0])

    def _repr_html_(self) -> str:
        # Always: some notebooks would rather set LaTeX, which may be a figure of TikZ, than show
        # a picture, but none would rather than HTML.
        face = self.report()
        if face.html is not None:
            return legible(face.html())
        return f"<pre>{escape(str(self))}</pre>" if face.svg is None else legible(face.svg())

    def _repr_svg_(self) -> str | None:
        svg = self.report().svg
        return None if svg is None else legible(svg())

    def _repr_latex_(self) -> str | None:
        latex = self.report().latex
        return None if latex is None else latex()


class Tabled(Reported):
    """A record that is shown as a table, with a line for each field.

    ``repr`` is the beginning of that table, so a record of this kind is a dataclass with
    ``repr=False``. ``f"{record}"``, for use in a sentence, is the same line.
    """

    __slots__ = ()

    _face: ClassVar[str] = "pac_stability.data.display:record_face"
    _kind: ClassVar[str] = ""
    """What stands above the table; by default the words of the name of the class."""

    def _rows(self) -> Mapping[str, object]:
        """Return what the table has, by name; by default the fields that have a public name."""
        own = fields(self)  # type: ignore[arg-type]  # a dataclass, as is said above
        return {
            each.name.replace("_", " "): getattr(self, each.name)
            for each in own
            if not each.name.startswith("_")
        }

    def __repr__(self) -> str:
        return _in_line(self, ", ".join(str(self).splitlines()[1:]))

    def __format__(self, spec: str) -> str:
        return format(repr(self), spec)


def _in_line(result: Reported, words: str) -> str:
    told = f"{type(result).__name__}: {' '.join(words.split())}"
    return f"<{told}>" if len(told) <= _LONGEST_LINE else f"<{told[: _LONGEST_LINE - 1]}…>"


def tex(text: str) -> str:
    r"""Return text with the special characters of LaTeX escaped.

    Examples
    --------
    >>> print(tex("50 % of h_1"))
    50 \% of h\_1
    """
    return "".join(_SPECIAL.get(character, character) for character in text)


def aligned(rows: Iterable[Sequence[str]], least: int = 0) -> str:
    """Return rows as lines with aligned columns.

    Examples
    --------
    >>> print(aligned([("n", "12"), ("binding", "none")]), end="")
    n        12
    binding  none
    """
    kept = [tuple(row) for row in rows]
    if not kept:
        return ""
    widths = [max(least, *(len(row[i]) for row in kept)) for i in range(len(kept[0]) - 1)]
    return "".join(
        "  ".join(
            [*(cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=True)), row[-1]]
        ).rstrip()
        + "\n"
        for row in kept
    )


def html_table(rows: Iterable[Sequence[str]], head: Sequence[str] = ()) -> str:
    """Return rows as a table of HTML; the first cell of a row names it.

    Examples
    --------
    >>> html_table([("n", "12")]).splitlines()
    ['<table>', '<tr><th scope="row">n</th><td>12</td></tr>', '</table>']
    """
    lines = [
        "".join(
            f'<th scope="row">{escape(cell)}</th>' if i == 0 else f"<td>{escape(cell)}</td>"
            for i, cell in enumerate(row)
        )
        for row in rows
    ]
    if head:
        lines.insert(0, "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head))
    body = "\n".join(f"<tr>{line}</tr>" for line in lines)
    return legible(f"<table>\n{body}\n</table>")


def latex_table(rows: Iterable[Sequence[str]], head: Sequence[str] = ()) -> str:
    r"""Return rows as a table of LaTeX.

    Examples
    --------
    >>> print(latex_table([("n", "12")], ("parameter", "value")))
    \begin{tabular}{ll}
    parameter & value \\
    \hline
    n & 12 \\
    \end{tabular}
    """
    kept = [tuple(map(tex, row)) for row in rows]
    columns = "l" * len(kept[0] if kept else head)
    top = [" & ".join(map(tex, head)) + r" \\", r"\hline"] if head else []
    lines = [" & ".join(row) + r" \\" for row in kept]
    return "\n".join([rf"\begin{{tabular}}{{{columns}}}", *top, *lines, r"\end{tabular}"])
