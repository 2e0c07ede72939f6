"""Claims as they are, whatever a run finds: lists, and one in full."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from pac_stability._report import tex
from pac_stability.claims.claim import Claim, Expectation
from pac_stability.claims.report.document import claim_fields
from pac_stability.claims.report.text import fitted
from pac_stability.claims.search import every
from pac_stability.claims.trials import Trial

CLAIMS_SCHEMA = "pac-stability/claims/1"


def claims_to_text(claims: Iterable[Claim], width: int = 100) -> str:
    """Return a line for each claim: its key, whose sentence it is, what is known, its title."""
    chosen = tuple(claims)
    keys = max((len(claim.key) for claim in chosen), default=0)
    rows = (
        f"{claim.key:<{keys}}  {claim.whose.value:<7}  {_known(claim):<12}  {claim.title}"
        for claim in chosen
    )
    return "".join(f"{fitted(row, width)}\n" for row in rows)


def claim_to_text(claim: Claim, width: int = 100) -> str:
    """Return everything about a claim.

    Examples
    --------
    >>> from pac_stability import claims
    >>> print(claim_to_text(claims.get("DF20:appendix-a.mixtures")).splitlines()[1])
    whose       proof: COLT 2020, Appendix A
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
                        "exhaustive": trial.exhaustive,
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
    yield "whose", f"{claim.whose.value}: {claim.place}" if claim.place else claim.whose.value
    yield "statement", claim.statement
    yield "known", f"{claim.expectation.value} ({claim.method.value})"
    if claim.repaired_by is not None:
        yield "instead", claim.repaired_by
    if claim.explicit is not None:
        yield "explicit", claim.explicit
    for trial in claim.trials:
        yield "asked of", _instances(trial)
        if trial.of_class is not None:
            yield "on a class", f"{trial.name}: {trial.of_class.universe}"
    for label, names in (
        ("in Rocq", claim.rocq),
        ("code", claim.code),
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
    return f"{trial.name}: {'all of ' if trial.exhaustive else ''}{trial.universe}"


def _used_by(claim: Claim) -> Iterator[str]:
    return (other.key for other in every() if claim.key in other.uses)
