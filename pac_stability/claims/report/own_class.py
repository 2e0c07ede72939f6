"""What was found on a class of one's own, for readers and for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pac_stability.claims.claim import Expectation
from pac_stability.claims.own_class import ClassEvidence
from pac_stability.claims.report.document import claim_fields, trial_fields
from pac_stability.claims.report.text import fitted, not_compared, row
from pac_stability.claims.tallies import Status


def class_evidence_to_text(evidence: Iterable[ClassEvidence], width: int = 100) -> str:
    """Return a line for each claim that was not run, with the reason, and a table of the others.

    Parameters
    ----------
    evidence
        One entry a claim.
    width
        Columns of the terminal.
    """
    found = tuple(evidence)
    keys = max((len(entry.claim.key) for entry in found), default=0)
    lines = [
        fitted(f"- {entry.claim.key:<{keys}}  not run: {entry.not_run}", width)
        for entry in found
        if entry.not_run is not None
    ]
    lines += [""] if lines else []
    for entry in found:
        if entry.status is None:
            continue
        lines += row(entry, f"{entry.status.value:<9}", _remarks_on_class(entry), keys, width)
    return "\n".join([*lines, ""])


def class_summary(evidence: Sequence[ClassEvidence]) -> str:
    """Return in one line what was found, and how much was not run and why.

    Examples
    --------
    >>> from pac_stability import claims, classes
    >>> chosen = claims.select(["Lemma 12", "DF20:appendix-a.mixtures"])
    >>> print(class_summary([claims.check_on(claim, classes.thresholds(3)) for claim in chosen]))
    2 claims on this class: 1 survived; not run: 1 not about a class
    """
    count = Counter(entry.status for entry in evidence)
    parts = [f"{count[status]} {status.value}" for status in Status if count[status]]
    why = {
        "too large a class": sum(bool(entry.skipped) for entry in evidence if not entry.status),
        "cannot fail on it": sum(
            entry.instances > 0 and not entry.skipped for entry in evidence if not entry.status
        ),
        "recorded only": sum(not entry.claim.trials for entry in evidence),
    }
    why["not about a class"] = count[None] - sum(why.values())
    left = [f"{number} {reason}" for reason, number in why.items() if number]
    said = [", ".join(parts) or "nothing examined"]
    said += [f"not run: {', '.join(left)}"] if left else []
    for status, word in (
        (Status.REFUTED, "REFUTED, though it should hold"),
        (Status.INSENSITIVE, "NOT compared"),
    ):
        wrong = [e.claim.key for e in evidence if e.status is status and not e.as_expected]
        said += [f"{word}: {', '.join(wrong)}"] if wrong else []
    noun = "claim" if len(evidence) == 1 else "claims"
    return f"{len(evidence)} {noun} on this class: {'; '.join(said)}"


def class_evidence_document(
    evidence: Iterable[ClassEvidence], header: Mapping[str, object]
) -> dict[str, object]:
    """Return the evidence as a dictionary that ``json.dumps`` accepts.

    Parameters
    ----------
    evidence
        One entry a claim.
    header
        The schema, the version, and which class it is about.
    """
    found = tuple(evidence)
    return {
        **header,
        "as_expected": all(entry.as_expected for entry in found),
        "claims": [
            claim_fields(entry.claim)
            | {
                "status": None if entry.status is None else entry.status.value,
                "instances": entry.instances,
                "active": entry.active,
                "tightest": entry.tightest,
                "room": entry.room,
                "counterexample": entry.counterexample,
                "not_run": entry.not_run,
                "skipped": [{"trial": name, "reason": why} for name, why in entry.skipped],
                "trials": [trial_fields(trial) for trial in entry.trials],
            }
            for entry in found
        ],
    }


def _remarks_on_class(entry: ClassEvidence) -> Iterator[str]:
    claim = entry.claim
    if entry.counterexample is not None:
        known = claim.expectation is not Expectation.HOLDS
        yield f"{'on this class' if known else 'COUNTEREXAMPLE'}: {entry.counterexample}"
    if claim.expectation.refuted:
        place = f" ({claim.place})" if claim.place else ""
        yield f"in general: {claim.expectation.value}{place}; repaired: {claim.repaired_by}"
    for name, why in entry.skipped:
        yield f"skipped: {name}: {why}"
    for trial in entry.trials:
        yield from not_compared(trial)
