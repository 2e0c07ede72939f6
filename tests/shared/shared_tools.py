"""The tools that the tests import; the library stays the installed one, as it comes first."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))

from pac_stability import claims
from pac_stability.claims import Claim
from pac_stability.claims.report import evidence_document
from tools import blueprint, claim_pages, notebooks, site_check
from tools.bench import __main__ as bench, job, measure, page

__all__ = [
    "bench",
    "blueprint",
    "claim_pages",
    "job",
    "keep_a_run",
    "measure",
    "notebooks",
    "page",
    "site_check",
]


def keep_a_run(every: tuple[Claim, ...], folder: Path) -> Path:
    """Run these claims at the quick budget, keep in a folder what was found, and return it."""
    document = evidence_document([claims.check(claim) for claim in every], "1")
    blueprint.record(document, every, folder)
    return folder
