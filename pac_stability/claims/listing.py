"""Claims as they are, whatever a run finds: as text, in LaTeX, and as a document in JSON.

No trial is imported here, so a list of claims appears at once.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from html import escape
from typing import TYPE_CHECKING

from pac_stability._report import Face, tex
from pac_stability.claims.claim import Claim, Expectation
from pac_stability.claims.search import every

if TYPE_CHECKING:
    from pac_stability.claims.kit import Trial

CLAIMS_SCHEMA = "pac-stability/claims/2"


def claims_to_text(claims: Iterable[Claim], width: int = 100) -> str:
    """Return a line for each claim: its key, its source, its known status, and its title.

    A title that would be mostly cut gets a line of its own.
    """
    chosen = tuple(claims)
    keys = max((len(claim.key) for claim in chosen), default=0)
    between = "  " if keys + 50 <= width else f"\n{4 * ' '}"
    rows = (
        f"{claim.key:<{keys}}  {claim.whose.value:<7}  {_known(claim):<12}{between}{claim.title}"
        for claim in chosen
    )
    return "".join(f"{fitted(line, width)}\n" for row in rows for line in row.splitlines())


def claim_to_text(claim: Claim, width: int = 100) -> str:
    """Return everything about a claim.

    Examples
    --------
    >>> from pac_stability import claims
    >>> print(claim_to_text(claims.get("DF20:appendix-a.mixtures")).splitlines()[1])
    source      proof: COLT 2020, Appendix A
    """
    lines = [f"{claim.key}: {claim.title}"]
    for label, text in _fields(claim):
        first, indent = f"{label:<12}", 12 * " "
        lines += textwrap.wrap(
            text, width, initial_indent=first, subsequent_indent=indent, break_long_words=False
        )
    return "\n".join([*lines, ""])


def claims_to_latex(claims: Iterable[Claim]) -> str:
    r"""Return a paragraph in LaTeX for each claim, with its key and place.

    Examples
    --------
    >>> from pac_stability import claims
    >>> print(claims_to_latex([claims.get("DF20:appendix-d.equality")]).splitlines()[0])
    % DF20:appendix-d.equality (ours)
    """
    return "\n".join(
        f"% {claim.key} ({claim.place or claim.whose.value})\n"
        f"\\paragraph{{{tex(claim.title)}.}} {claim.latex}\n"
        for claim in claims
    )


def claims_document(claims: Iterable[Claim], version: str) -> dict[str, object]:
    """Return claims as a dictionary that ``json.dumps`` accepts."""
    return {
        "schema": CLAIMS_SCHEMA,
        "version": version,
        "claims": [
            claim_fields(claim)
            | {
                "used_by": list(_used_by(claim)),
                "trials": [
                    {
                        "name": trial.name,
                        "universe": trial.universe,
                        "exhaustive": bool(trial.extent),
                        "on_class": None if trial.of_class is None else trial.of_class.universe,
                    }
                    for trial in claim.trials
                ],
            }
            for claim in claims
        ],
    }


def _known(claim: Claim) -> str:
    if claim.expectation is Expectation.RECORDED:
        return str(claim.method.value)
    return claim.expectation.word_for("refuted" if claim.expectation.refuted else "holds")


def _fields(claim: Claim) -> Iterator[tuple[str, str]]:
    yield "source", f"{claim.whose.value}: {claim.place}" if claim.place else claim.whose.value
    yield "statement", claim.statement
    yield "known", f"{claim.expectation.value} ({claim.method.value})"
    if claim.repaired_by is not None:
        yield "instead", claim.repaired_by
    if claim.explicit is not None:
        yield "explicit", claim.explicit
    for trial in claim.trials:
        yield "instances", _instances(trial)
        if trial.of_class is not None:
            yield "on a class", f"{trial.name}: {trial.of_class.universe}"
    for label, names in (
        ("in Rocq", claim.rocq),
        ("examined", claim.code),
        ("see also", claim.see),
        ("uses", claim.uses),
        ("used by", tuple(_used_by(claim))),
    ):
        if names:
            yield label, ", ".join(names)
    if claim.note:
        yield "note", claim.note
    if claim.erratum is not None:
        yield "literally", claim.erratum.literally
        yield "true is", claim.erratum.instead
        yield "changes", claim.erratum.changes
    for slip in claim.corrections:
        yield "a slip", f"{slip.where}: printed {slip.printed}; meant {slip.meant}"


def _instances(trial: Trial) -> str:
    return f"{trial.name}: {'all of ' if trial.extent else ''}{trial.universe}"


def _used_by(claim: Claim) -> Iterator[str]:
    return (other.key for other in every() if claim.key in other.uses)


def claim_fields(claim: Claim) -> dict[str, object]:
    """Return the fields of a claim for a document, without its trials."""
    return words_of(claim) | relations_of(claim)


def words_of(claim: Claim) -> dict[str, object]:
    """Return its words, for a document."""
    return {
        "key": claim.key,
        "kind": claim.kind.value,
        "title": claim.title,
        "statement": claim.statement,
        "whose": claim.whose.value,
        "place": claim.place or None,
        "method": claim.method.value,
        "expectation": claim.expectation.value,
    }


def relations_of(claim: Claim) -> dict[str, object]:
    """Return what it is tied to, for a document."""
    return {
        "repaired_by": claim.repaired_by,
        "explicit": claim.explicit,
        "uses": list(claim.uses),
        "code": list(claim.code),
        "see": list(claim.see),
        "rocq": list(claim.rocq),
        "basis": None if claim.basis is None else claim.basis.value,
        "note": claim.note,
    }


def fitted(line: str, width: int) -> str:
    """Return a line of at most a given width, with dots for words that are cut off.

    Examples
    --------
    >>> fitted("one two three", 13), fitted("one two three", 12), fitted("onetwothree", 6)
    ('one two three', 'one two...', 'one...')
    """
    if len(line) <= width:
        return line.rstrip()
    cut = line[: width - 3]
    return f"{(cut if line[width - 3] == ' ' else cut.rpartition(' ')[0] or cut).rstrip()}..."


def claim_face(claim: Claim) -> Face:
    """Return everything about a claim."""
    return Face(
        lambda: claim_to_text(claim),
        html=lambda: (
            f"<p><b>{escape(claim.key)}: {escape(claim.title)}</b></p>\n"
            f"<pre>{escape(claim_to_text(claim).partition(chr(10))[2])}</pre>"
        ),
        latex=lambda: claims_to_latex([claim]),
    )
