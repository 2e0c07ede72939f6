"""Section III-B: Figure 1."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import product
from typing import TypeAlias

from pac_stability.claims.budget import Budget
from pac_stability.claims.bun_livni_moran.literal import Hypotheses, dimension, hypotheses_of, side
from pac_stability.claims.finding import Finding, settle
from pac_stability.claims.trials import Trials, trial
from pac_stability.dimensions import Leaf, MistakeTree, Node
from pac_stability.papers.bun_livni_moran import figure_1, figure_1_class

Way: TypeAlias = tuple[int, ...]
"""The labels of the path from the root to a node."""

_DEPTH = 3

Drawing: TypeAlias = Callable[[], MistakeTree]


@cache
def _thresholds() -> Hypotheses:
    return hypotheses_of(figure_1_class())


@cache
def _questions(drawing: Drawing) -> Mapping[Way, int]:
    """The column asked at each node."""
    tree = drawing()
    found: dict[Way, int] = {}
    pending: list[tuple[Way, Node | Leaf]] = [((), tree.root)]
    while pending:
        way, place = pending.pop()
        if isinstance(place, Node):
            found[way] = place.point
            pending += [((*way, 0), place.zero), ((*way, 1), place.one)]
    return found


def _mirrored(place: Node | Leaf) -> Node | Leaf:
    if isinstance(place, Leaf):
        return place
    return Node(place.point, _mirrored(place.one), _mirrored(place.zero))


def _mirror_image() -> MistakeTree:
    return MistakeTree(_mirrored(figure_1().root))


def _places(_: Budget) -> Iterator[tuple[Way, int]]:
    ways = [way for depth in range(_DEPTH) for way in product((0, 1), repeat=depth)]
    yield from product(ways, range(8))


def _only_one(drawing: Drawing, instance: tuple[Way, int]) -> Finding:
    """Whether a point can be asked at a place of a tree of depth 3 if and only if it is drawn."""
    way, x = instance
    asked = _questions(drawing)
    rows = _thresholds()
    for depth, y in enumerate(way):
        rows = side(rows, asked[way[:depth]], y)
    left = _DEPTH - len(way) - 1
    possible = min(dimension(side(rows, x, 0)), dimension(side(rows, x, 1))) >= left
    return settle(
        possible == (asked[way] == x),
        f"after the labels {way} the tree asks point {asked[way] + 1}; point {x + 1} can "
        f"{'' if possible else 'not '}be asked",
    )


TRIALS: Trials = {
    "BLM20:figure-1": (
        trial(
            "every point at every place",
            _only_one,
            _places,
            subject=figure_1,
            mutant=_mirror_image,
            universe="all points at all places of the tree",
            exhaustive=True,
        ),
    ),
}
