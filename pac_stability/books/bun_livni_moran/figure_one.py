"""Section III-B: Figure 1."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import product
from typing import TypeAlias

from pac_stability.books.bun_livni_moran.literal import (
    Hypotheses,
    class_string,
    dimension,
    hypotheses_of,
    side,
)
from pac_stability.claims.instances import all_classes
from pac_stability.claims.trials import Budget, Finding, Trials, settle, trial
from pac_stability.classes import FiniteClass
from pac_stability.dimensions import Leaf, MistakeTree, Node
from pac_stability.papers.bun_livni_moran import count_shattered_trees, figure_1, figure_1_class

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


# How many trees are shattered

Counting: TypeAlias = tuple[FiniteClass, int]
"""A class and a depth."""


def _counted(_: Budget) -> Iterator[Counting]:
    for m in (1, 2, 3):
        yield from product(all_classes(m), (0, 1, 2))


def _by_listing(count: Callable[[FiniteClass, int], int], it: Counting) -> Finding:
    """All trees with a point at each inner place, of which every path has a hypothesis."""
    H, depth = it
    rows = hypotheses_of(H)
    ways = [way for left in range(depth) for way in product((0, 1), repeat=left)]
    shattered = 0
    for points in product(range(len(H.domain)), repeat=len(ways)):
        asked = dict(zip(ways, points, strict=True))
        shattered += all(
            any(all(h >> asked[path[:i]] & 1 == y for i, y in enumerate(path)) for h in rows)
            for path in product((0, 1), repeat=depth)
        )
    found = count(H, depth)
    text = f"class {class_string(H)}: {found} trees of depth {depth}, by listing {shattered}"
    return settle(found == shattered, text)


def _paths(H: FiniteClass, depth: int) -> int:
    return int(count_shattered_trees(H, depth) * 2**depth)


def _how_many(number: int, _: None) -> Finding:
    found = count_shattered_trees(figure_1_class(), _DEPTH)
    return settle(found == number, f"{found} trees of depth {_DEPTH} are shattered, not {number}")


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
        trial(
            "how many trees there are",
            _how_many,
            lambda _: [None],
            subject=1,
            mutant=2,
            universe="the class of the figure",
            exhaustive=True,
        ),
        trial(
            "counting shattered trees",
            _by_listing,
            _counted,
            subject=count_shattered_trees,
            mutant=_paths,
            universe="every class on up to 3 points, depth up to 2; all trees",
            exhaustive=True,
        ),
    ),
}
