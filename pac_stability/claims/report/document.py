"""The evidence of a run as a document for programs."""

from __future__ import annotations

from collections.abc import Iterable

from pac_stability.claims.claim import Claim
from pac_stability.claims.evidence import Evidence, TrialEvidence, room_of

VERIFY_SCHEMA = "pac-stability/verify/3"


def evidence_document(evidence: Iterable[Evidence], version: str) -> dict[str, object]:
    """Return the evidence as a dictionary that ``json.dumps`` accepts.

    Parameters
    ----------
    evidence
        One entry a claim.
    version
        Of the library.

    Returns
    -------
    dict
        It has no times, so equal runs give equal documents; ``from_cache`` is how many claims rest
        on the answers of an earlier run, at least in part.
    """
    found = tuple(evidence)
    return {
        "schema": VERIFY_SCHEMA,
        "version": version,
        "budget": found[0].budget.value if found else None,
        "as_expected": all(entry.as_expected for entry in found),
        "from_cache": sum(entry.kept > 0 for entry in found),
        "claims": [_claim(entry) for entry in found],
    }


def claim_fields(claim: Claim) -> dict[str, object]:
    """Return what a claim says of itself, for a document; its trials are left out."""
    return _words(claim) | _relations(claim)


def trial_fields(trial: TrialEvidence) -> dict[str, object]:
    """Return what a trial found, for a document."""
    return {"name": trial.name, "universe": trial.universe} | _found(trial)


def _claim(entry: Evidence) -> dict[str, object]:
    return {
        **_words(entry.claim),
        "status": entry.status.value,
        "as_expected": entry.as_expected,
        "instances": entry.instances,
        "active": entry.active,
        "tightest": entry.tightest,
        "room": entry.room,
        "counterexample": entry.counterexample,
        "misled": str(entry.misled),
        **_relations(entry.claim),
        "trials": [
            {
                "name": trial.name,
                "universe": trial.universe,
                "exhaustive": trial.exhaustive,
                **_found(trial),
            }
            for trial in entry.trials
        ],
    }


def _words(claim: Claim) -> dict[str, object]:
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


def _relations(claim: Claim) -> dict[str, object]:
    return {
        "repaired_by": claim.repaired_by,
        "explicit": claim.explicit,
        "uses": list(claim.uses),
        "code": list(claim.code),
        "rocq": list(claim.rocq),
        "note": claim.note,
    }


def _found(trial: TrialEvidence) -> dict[str, object]:
    tally = trial.tally
    return {
        "status": trial.status.value,
        "instances": tally.instances,
        "active": tally.active,
        "tightest": tally.tightest,
        "room": room_of(tally.tightest),
        "insensitive": None if tally.insensitive is None else tally.insensitive[1],
        "refuting": None if tally.refuting is None else tally.refuting[1],
        "open": None if tally.open is None else tally.open[1],
    }
