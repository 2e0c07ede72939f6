"""The evidence of a run as a document for programs."""

from __future__ import annotations

from collections.abc import Iterable

from pac_stability.claims.evidence import Evidence

SCHEMA = "pac-stability/verify/2"


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
        "schema": SCHEMA,
        "version": version,
        "budget": found[0].budget.value if found else None,
        "as_expected": all(entry.as_expected for entry in found),
        "from_cache": sum(entry.kept > 0 for entry in found),
        "claims": [_claim(entry) for entry in found],
    }


def _claim(entry: Evidence) -> dict[str, object]:
    claim = entry.claim
    return {
        "key": claim.key,
        "kind": claim.kind.value,
        "title": claim.title,
        "statement": claim.statement,
        "whose": claim.whose.value,
        "place": claim.place or None,
        "method": claim.method.value,
        "expectation": claim.expectation.value,
        "status": entry.status.value,
        "as_expected": entry.as_expected,
        "instances": entry.instances,
        "counterexample": entry.counterexample,
        "misled": str(entry.misled),
        "repaired_by": claim.repaired_by,
        "explicit": claim.explicit,
        "uses": list(claim.uses),
        "code": list(claim.code),
        "note": claim.note,
        "trials": [
            {
                "name": trial.name,
                "universe": trial.universe,
                "exhaustive": trial.exhaustive,
                "status": trial.tally.status.value,
                "instances": trial.tally.instances,
                "refuting": None if trial.tally.refuting is None else trial.tally.refuting[1],
                "open": None if trial.tally.open is None else trial.tally.open[1],
            }
            for trial in entry.trials
        ],
    }
