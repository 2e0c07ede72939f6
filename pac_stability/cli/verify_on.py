"""``pac-stability verify --on TABLE``: the papers' statements on a class of one's own."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence

from pac_stability import claims
from pac_stability.claims.report import (
    class_evidence_document,
    class_evidence_to_text,
    class_summary,
)
from pac_stability.cli.exits import Exit
from pac_stability.cli.progress import watched_audit
from pac_stability.cli.reports import emit, header, headline, to_json
from pac_stability.cli.source import load_class
from pac_stability.errors import InvalidInput


def run_on_class(options: argparse.Namespace, chosen: Sequence[claims.Claim]) -> int:
    """Settle on the class of the options what of the claims can be asked of a class."""
    for name in ("html", "latex", "scheduler"):
        if getattr(options, name) is not None:
            raise InvalidInput(f"--{name}", "a class", "it only without --on and --family")
    H, source = load_class(options)
    with watched_audit("verify") as progress:
        found = list(claims.verify_on(chosen, H, progress=progress))
    if options.json:
        emit(to_json(class_evidence_document(found, header("verify-on", source, H, edition=2))))
    else:
        width = max(shutil.get_terminal_size((100, 24)).columns, 60)
        emit(f"{headline(source, H)}\n\n{class_evidence_to_text(found, width)}\n")
        emit(f"{class_summary(found)}\n")
    if not all(entry.as_expected for entry in found):
        return Exit.REFUTED
    # Nothing examined is no success.
    return Exit.OK if any(entry.status for entry in found) else Exit.INCONCLUSIVE
