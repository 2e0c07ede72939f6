"""The tools and parts of the site that tests import; the library stays the installed one."""

import sys
from pathlib import Path

sys.path.extend(str(Path(__file__).parents[2] / name) for name in ("", "docs/_extensions"))

import citations
import claim_graph
import claim_pages
import figures
import how_tight
import kept_runs
import notebooks
import site_check
import statement_figures
import tournament_tree
from pac_stability import claims
from pac_stability.claims.report import evidence_document
from tools import examined
from tools.bench import __main__ as bench, job, measure, page
from tools.bench.jobs import JOBS

__all__ = [
    "JOBS", "bench", "citations", "claim_graph", "claim_pages", "examined", "figures", "how_tight",
    "job", "keep_a_run", "kept_runs", "measure", "notebooks", "page", "site_check",
    "statement_figures", "tournament_tree",
]  # fmt: skip


def keep_a_run(every: tuple[claims.Claim, ...], folder: Path) -> Path:
    """Run these claims at the quick budget, keep in a folder what was found, and return it."""
    document = evidence_document([claims.check(claim) for claim in every], "1")
    kept_runs.record(document, every, folder)
    return folder
