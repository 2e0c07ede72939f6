"""``pac-stability tree``: the deepest shattered mistake tree, drawn."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pac_stability.cli.exits import Exit
from pac_stability.cli.progress import MOMENT, watched
from pac_stability.cli.reports import check_output, emit, header, to_json
from pac_stability.cli.source import load_class
from pac_stability.dimensions import LittlestoneSearch
from pac_stability.dimensions.tree_formats import TREE_FORMATS, point_name
from pac_stability.errors import InvalidInput

_BY_EXTENSION = {".dot": "dot", ".gv": "dot", ".svg": "svg", ".tex": "tikz", ".json": "json"}


def run_tree(options: argparse.Namespace) -> int:
    """Search for the tree and draw it, whatever depth was reached."""
    check_output(options.output)
    H, source = load_class(options)
    search = LittlestoneSearch(H, max_memory=options.max_memory)
    interrupted = False
    try:
        with watched("Littlestone dimension", options.time_limit) as progress:
            bounds = search.run(time_limit=options.time_limit, progress=progress)
    except KeyboardInterrupt:
        bounds, interrupted = search.run(time_limit=MOMENT), True
    tree = bounds.tree
    if tree is None:
        raise InvalidInput(source, "a class without hypotheses", "at least one: nothing to draw")
    extension = Path(options.output or "").suffix.lower()
    form = options.format or _BY_EXTENSION.get(extension, "text")
    if form == "json":
        text = to_json(
            header("tree", source, H)
            | {
                "status": "interrupted" if interrupted else "exact" if bounds.exact else "bounds",
                "dimension": {"lower": bounds.lower, "upper": bounds.upper, "exact": bounds.exact},
                "domain": [point_name(point) for point in H.domain],
                **({} if H.names is None else {"names": list(H.names)}),
                "tree": tree.to_dict(),
            }
        )
    else:
        text = TREE_FORMATS[form](tree, H.domain, H.names)
    emit(text, options.output)
    if not bounds.exact:
        print(
            f"pac-stability: {'interrupted' if interrupted else 'inconclusive'}: "
            f"a tree of depth {bounds.lower}; the Littlestone dimension is at most {bounds.upper}",
            file=sys.stderr,
        )
    if interrupted:
        return Exit.INTERRUPTED
    return Exit.OK if bounds.exact else Exit.INCONCLUSIVE
