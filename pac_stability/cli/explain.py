"""``pac-stability explain``: a certificate in words, and with pictures."""

from __future__ import annotations

import argparse

import pac_stability
from pac_stability.audit.certificates import load
from pac_stability.audit.reports.explaining import explain
from pac_stability.audit.reports.html_report import audit_to_html
from pac_stability.cli.exits import Exit
from pac_stability.cli.reports import check_output, emit


def run_explain(options: argparse.Namespace) -> int:
    """Recheck the certificate, then tell its story."""
    check_output(options.html)
    story = explain(options.certificate)
    if options.html is not None:
        page = audit_to_html(
            load(options.certificate), options.certificate, pac_stability.__version__
        )
        emit(page, options.html)
    emit(story)
    return Exit.OK
