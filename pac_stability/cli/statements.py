"""``pac-stability claims``: which statements there are, and what they say."""

from __future__ import annotations

import argparse
import shutil

import pac_stability
from pac_stability import claims
from pac_stability.claims.report import (
    claim_to_text,
    claims_document,
    claims_to_latex,
    claims_to_text,
)
from pac_stability.cli.exits import Exit
from pac_stability.cli.reports import emit, to_json
from pac_stability.errors import InvalidInput


def run(options: argparse.Namespace) -> int:
    """List, find or show claims."""
    chosen = _chosen(options)
    width = max(shutil.get_terminal_size((100, 24)).columns, 60)
    if options.json:
        emit(to_json(claims_document(chosen, pac_stability.__version__)))
    elif options.latex:
        emit(claims_to_latex(chosen))
    elif options.action == "show":
        emit("\n".join(claim_to_text(claim, width) for claim in chosen))
    else:
        emit(claims_to_text(chosen, width) or f"no claim is about {options.object}\n")
    return Exit.OK


def _chosen(options: argparse.Namespace) -> tuple[claims.Claim, ...]:
    match options.action:
        case "find":
            return claims.find(" ".join(options.text))
        case "show":
            return claims.select(options.item)
        case "about":
            return claims.about(options.object)
        case _:
            wanted = options.paper or tuple(claims.books())
            for key in wanted:
                if key not in claims.books():
                    raise InvalidInput("--paper", repr(key), f"one of {', '.join(claims.books())}")
            return tuple(claim for claim in claims.all() if claim.paper in wanted)
