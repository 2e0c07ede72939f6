"""``pac-stability claims``: which statements there are, and what they say.

It runs none, and waits for nothing that runs one.
"""

from __future__ import annotations

import argparse

import pac_stability
from pac_stability import claims
from pac_stability.claims import listing
from pac_stability.claims.book import write_skeleton
from pac_stability.cli.loading import Exit
from pac_stability.cli.output import emit, to_json, width
from pac_stability.errors import InvalidInput


def run(options: argparse.Namespace) -> int:
    """List, find or show claims, or write the skeleton of a book."""
    if options.action == "new":
        emit(f"{write_skeleton(options.key, options.folder)}\n")
        return Exit.OK
    chosen = _chosen(options)
    if options.json:
        emit(to_json(listing.claims_document(chosen, pac_stability.__version__)))
    elif options.latex:
        emit(listing.claims_to_latex(chosen))
    elif options.action == "show":
        emit("\n".join(listing.claim_to_text(claim, width()) for claim in chosen))
    else:
        emit(listing.claims_to_text(chosen, width()) or f"no claim is about {options.object}\n")
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
