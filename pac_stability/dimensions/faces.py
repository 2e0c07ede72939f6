"""What bounds, mistake trees and refutations say: the words of ``dims`` and ``tree``."""

from __future__ import annotations

from pac_stability._report import Face, aligned, html_table, latex_table
from pac_stability.data.display import shown
from pac_stability.dimensions.bounds import Bounds
from pac_stability.dimensions.decisions import Decision
from pac_stability.dimensions.refutations import Refutation
from pac_stability.dimensions.tree_formats import (
    tree_to_dot,
    tree_to_graph,
    tree_to_svg,
    tree_to_text,
    tree_to_tikz,
)
from pac_stability.dimensions.trees import MistakeTree, TreeFace
from pac_stability.dimensions.witnesses import TableWitness


def bounds_cells(bounds: Bounds[object]) -> tuple[str, str, str, str]:
    """Return the value, whether it is exact, the sub-problems and the time, as ``dims`` has them.

    Examples
    --------
    >>> bounds_cells(Bounds(3, 5, None, 1200, 0.25))
    ('3..5', 'bounds', '1,200', '0.250 s')
    """
    value = str(bounds.lower) if bounds.exact else f"{bounds.lower}..{bounds.upper}"
    state = "exact" if bounds.exact else "bounds"
    return value, state, f"{bounds.nodes:,}", f"{bounds.seconds:.3f} s"


def bounds_face(bounds: Bounds[object]) -> Face:
    """Return what certified bounds say."""
    value, state, nodes, time = bounds_cells(bounds)
    rows = [("value", f"{value} ({state})")]
    if isinstance(bounds.witness, TableWitness):
        rows += [(kind, shown(found)) for kind, found in bounds.witness._rows().items()]
    rows += [("sub-problems", nodes), ("time", time)]
    if bounds.note:
        rows.append(("note", bounds.note))
    return Face(
        lambda: aligned(rows), html=lambda: html_table(rows), latex=lambda: latex_table(rows)
    )


def decision_cells(decision: Decision) -> tuple[str, str, str, str]:
    """Return the answer, whether it is proved, the sub-problems and the time, as ``dims`` does."""
    answer = {True: "yes", False: "no", None: "open"}[decision.holds]
    state = "" if decision.holds is None else "proved" if decision.certificate else "found"
    _, _, nodes, time = bounds_cells(decision.bounds)
    return answer, state, nodes, time


def decision_face(decision: Decision) -> Face:
    """Return what was decided."""
    answer, state, nodes, time = decision_cells(decision)
    value = bounds_cells(decision.bounds)[0]

    def text() -> str:
        asked = f"{decision.dimension} {decision.asked} {decision.k}"
        told = f"{answer} ({state})" if state else answer
        return aligned([(asked, told), ("value", value), ("sub-problems", nodes), ("time", time)])

    return Face(text)


def tree_face(tree: MistakeTree) -> TreeFace:
    """Return a mistake tree, with the names of the class that it was found in."""
    domain, names = tree.labels()
    return TreeFace(
        text=lambda: tree_to_text(tree, domain, names),
        svg=lambda: tree_to_svg(tree, domain, names),
        latex=lambda: tree_to_tikz(tree, domain, names),
        graphviz=lambda: tree_to_dot(tree, domain, names),
        networkx=lambda: tree_to_graph(tree, domain, names),
    )


def refutation_face(refutation: Refutation) -> Face:
    """Return in two lines what a refutation proves, and how."""
    steps = len(refutation.steps)
    told = (
        f"no tree of depth {refutation.level} is shattered: the Littlestone dimension is at most "
        f"{refutation.level - 1}\n"
    )
    how = (
        f"{steps:,} step{'s' * (steps != 1)} about version spaces; refutes(H) checks them\n"
        if steps
        else f"because there are fewer than {2**refutation.level:,} hypotheses\n"
    )
    return Face(lambda: told + how)
