"""``pac-stability explain``: a certificate in words, and with pictures."""

from __future__ import annotations

import argparse

import pac_stability
from pac_stability.audit.certificates import load
from pac_stability.audit.html_report import audit_to_html
from pac_stability.audit.text_report import audit_to_text
from pac_stability.cli.exits import Exit
from pac_stability.cli.reports import check_output, emit


def run(options: argparse.Namespace) -> int:
    """Recheck the certificate, then tell it as the audit did."""
    check_output(options.html)
    result = load(options.certificate)
    if options.html is not None:
        emit(audit_to_html(result, options.certificate, pac_stability.__version__), options.html)
    emit(audit_to_text(result, options.certificate))
    return Exit.OK
