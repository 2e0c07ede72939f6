"""Sections I-A and III-B: mistake trees, the SOA, Figure 1, and classes of known dimension."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from typing import NamedTuple

from pac_stability import classes, dimensions
from pac_stability.arithmetic import floor_log2
from pac_stability.books.bun_livni_moran import literal
from pac_stability.books.bun_livni_moran.literal import Hypotheses, Sequence
from pac_stability.books.bun_livni_moran.settings import SMALL_CLASSES, TINY_CLASSES
from pac_stability.claims import kit
from pac_stability.claims.instances import all_classes
from pac_stability.claims.kit import kept_counterexample
from pac_stability.classes import FiniteClass
from pac_stability.dimensions import MistakeTree
from pac_stability.online import StandardOptimalAlgorithm
from pac_stability.online.soa import SoaStates
from pac_stability.papers import bun_livni_moran as blm

TRIALS = kit.Table("BLM20")
Dimension = Callable[[FiniteClass], int]
Path = Sequence
"""Points with the labels on the edges that leave them."""


def realized(rows: Hypotheses, path: Path) -> bool:
    """Whether a hypothesis has all labels on a path."""
    return any(all(h >> x & 1 == y for x, y in path) for h in rows)


# The dimension


@cache
def _shatters(rows: Hypotheses, points: int, depth: int) -> bool:
    """Whether some complete tree is shattered: its root, and a subtree on each side."""
    if depth == 0:
        return bool(rows)
    return any(
        all(_shatters(literal.side(rows, x, y), points, depth - 1) for y in (0, 1))
        for x in range(points)
    )


def _largest_depth(dimension_of: Dimension, H: FiniteClass) -> kit.Comparison:
    rows, points = literal.hypotheses_of(H), len(H.domain)
    deepest = max(depth for depth in range(points + 1) if _shatters(rows, points, depth))
    return kit.same(dimension_of(H), deepest)


def _tree_realized(tree_of: Callable[[FiniteClass], MistakeTree], H: FiniteClass) -> kit.Finding:
    rows, depth = literal.hypotheses_of(H), literal.dimension(literal.hypotheses_of(H))
    paths = [path for path, _ in tree_of(H).leaves()]
    labels = sorted(tuple(y for _, y in path) for path in paths)
    return kit.settle(
        all(realized(rows, path) for path in paths)
        and labels == list(product((0, 1), repeat=depth)),
        f"class {literal.class_string(H)}: the paths {paths} are not all realized, or not all of "
        f"depth {depth}",
    )


def _half(H: FiniteClass) -> FiniteClass:
    return H.select_rows(range((len(H) + 1) // 2))


_LITTLESTONE = "definition-littlestone-dimension"
TRIALS.add(
    _LITTLESTONE, "the largest depth", _largest_depth, SMALL_CLASSES,
    dimensions.littlestone_dimension, dimensions.vc_dimension,
)  # fmt: skip
TRIALS.add(
    _LITTLESTONE, "every path of the tree is realized", _tree_realized, SMALL_CLASSES,
    dimensions.shattered_tree, lambda H: dimensions.shattered_tree(_half(H)),
)  # fmt: skip

# Mistakes


@cache
def _game(rows: Hypotheses, points: int) -> int:
    """The mistakes of the best deterministic learner against the worst realizable adversary."""
    worst = 0
    for x in range(points):
        sides = literal.side(rows, x, 0), literal.side(rows, x, 1)
        if all(sides):  # elsewhere every learner may predict the label that is left
            values = [_game(left, points) for left in sides]
            worst = max(worst, min(max(values[0], 1 + values[1]), max(1 + values[0], values[1])))
    return worst


def _game_value(dimension_of: Dimension, H: FiniteClass) -> kit.Comparison:
    return kit.same(dimension_of(H), _game(literal.hypotheses_of(H), len(H.domain)))


def _most_mistakes(predictor: Callable[[Hypotheses, int], int], H: FiniteClass) -> kit.Comparison:
    points, d = len(H.domain), literal.dimension(literal.hypotheses_of(H))

    # For a rule that may be wrong for ever on one side this is a lower bound, which is enough.
    @cache
    def most(rows: Hypotheses) -> int:
        f = predictor(rows, points)
        sides = ((x, y, literal.side(rows, x, y)) for x in range(points) for y in (0, 1))
        costs = [
            (f >> x & 1 != y) + (0 if left == rows else most(left)) for x, y, left in sides if left
        ]
        return max(costs, default=0)

    return kit.within(most(literal.hypotheses_of(H)), d)


def _soa_rule(rows: Hypotheses, points: int) -> int:
    H = FiniteClass([[h >> x & 1 for x in range(points)] for h in sorted(rows)])
    return _predictor_after(H, 1, ())


def _contrary_rule(rows: Hypotheses, points: int) -> int:
    return ~_soa_rule(rows, points) & (1 << points) - 1


def _predictor_after(H: FiniteClass, tie: int, sequence: Sequence) -> int:
    soa = StandardOptimalAlgorithm(H, tie)
    soa.replay(sequence)
    return sum(int(y) << x for x, y in enumerate(soa.hypothesis()))


_MISTAKES = "fact-optimal-mistakes"
TRIALS.add(
    _MISTAKES, "the value of the game", _game_value, SMALL_CLASSES,
    dimensions.littlestone_dimension, dimensions.vc_dimension,
)  # fmt: skip
TRIALS.add(
    _MISTAKES, "the SOA on all realizable sequences", _most_mistakes,
    replace(TINY_CLASSES, words=f"{TINY_CLASSES.words}, all realizable sequences"),
    _soa_rule, _contrary_rule,
)  # fmt: skip

# The SOA, and Definition 8 where nothing fits


class Run(NamedTuple):
    """A class, the label at ties, and the examples."""

    H: FiniteClass
    tie: int
    sequence: Sequence


def _runs(H: FiniteClass, most: int, *, realizable: bool) -> Iterator[Run]:
    rows = literal.hypotheses_of(H)
    for length in range(most + 1):
        for sequence in product(product(range(len(H.domain)), (0, 1)), repeat=length):
            if realized(rows, sequence) == realizable:
                yield Run(H, 0, sequence)
                yield Run(H, 1, sequence)


@kit.universe(
    "every class on up to 3 points, both ties, all realizable sequences of up to 3 examples (one "
    "on 3 points with the quick budget)",
    extent="classes on up to 3 points, up to 3 examples",
)
def _realizable(budget: kit.Budget) -> Iterator[Run]:
    for m in (1, 2, 3):
        for H in all_classes(m):
            yield from _runs(H, budget.pick(1, 3, 3) if m == 3 else 3, realizable=True)


@kit.universe(
    "every class on up to 2 points (3 from the standard budget on), both ties, all sequences that "
    "no hypothesis fits of up to 3 examples (more, on 2 points, with the budget)",
    extent="classes on up to {2, 3, 3} points",
)
def _not_realizable(budget: kit.Budget) -> Iterator[Run]:
    for m in budget.pick((1, 2), (1, 2, 3), (1, 2, 3)):
        for H in all_classes(m):
            yield from _runs(H, budget.pick(3, 4, 5) if m < 3 else 3, realizable=False)


def _own(words: str, *, realizable: bool) -> kit.OnClass[Run]:
    return kit.OnClass(lambda H: _runs(H, 2, realizable=realizable), words, points=8, hypotheses=64)


_OWN_REALIZABLE = _own("all realizable sequences of up to 2 examples, both ties", realizable=True)
_OWN_OTHERS = _own(
    "all sequences of up to 2 examples that no hypothesis fits, both ties", realizable=False
)


def _as_written(predictor: Callable[[FiniteClass, int, Sequence], int], it: Run) -> kit.Finding:
    H, tie, sequence = it
    m = len(H.domain)
    meant, found = literal.Soa(literal.hypotheses_of(H), m, tie)(sequence), predictor(*it)
    return kit.settle(
        meant == found,
        f"class {literal.class_string(H)}, tie {tie}, examples {sequence}: predictor "
        f"{literal.label_string(found, m)}, by the definition {literal.label_string(meant, m)}",
    )


def _consistent(empty: int, it: Run) -> kit.Finding:
    H, tie, sequence = it
    space, m = literal.hypotheses_of(H), len(H.domain)
    for x, y in sequence:
        space = literal.side(space, x, y)
    f = literal.optimal_predictor(space, m, tie, empty)
    return kit.settle(
        realized(frozenset({f}), sequence),
        f"class {literal.class_string(H)}, tie {tie}, Ldim of the empty class {empty}: after "
        f"{sequence} the predictor is {literal.label_string(f, m)}",
    )


def _unpatched(H: FiniteClass, tie: int, sequence: Sequence) -> int:
    return literal.Soa(literal.hypotheses_of(H), len(H.domain), tie, patches=False)(sequence)


def _machine(H: FiniteClass, tie: int, sequence: Sequence) -> int:
    states = SoaStates(H, tie)
    return states.predictor(states.run(states.start, sequence))


TRIALS.add(
    "algorithm-soa", "the predictor", _as_written, _realizable.and_on(_OWN_REALIZABLE),
    _predictor_after, lambda H, tie, sequence: _predictor_after(H, 1 - tie, sequence),
)  # fmt: skip
TRIALS.add(
    "algorithm-soa", "the empty side has dimension -1", _consistent,
    _realizable.and_on(_OWN_REALIZABLE), -1, 0,
)  # fmt: skip
TRIALS.add(
    "definition-8", "the algorithm", _as_written, _not_realizable.and_on(_OWN_OTHERS),
    _predictor_after, _unpatched,
)  # fmt: skip
TRIALS.add(
    "definition-8", "the machine of states", _as_written, _not_realizable, _machine, _unpatched
)

# Figure 1

Way = tuple[int, ...]
"""The labels of the path from the root to a node."""
Drawing = Callable[[], MistakeTree]
_DEPTH = 3


@cache
def _asked(drawing: Drawing) -> Mapping[Way, int]:
    """The column asked at each node."""
    found: dict[Way, int] = {}
    pending: list[tuple[Way, dimensions.Node | dimensions.Leaf]] = [((), drawing().root)]
    while pending:
        way, place = pending.pop()
        if isinstance(place, dimensions.Node):
            found[way] = place.point
            pending += [((*way, 0), place.zero), ((*way, 1), place.one)]
    return found


def _mirrored(place: dimensions.Node | dimensions.Leaf) -> dimensions.Node | dimensions.Leaf:
    if isinstance(place, dimensions.Leaf):
        return place
    return dimensions.Node(place.point, _mirrored(place.one), _mirrored(place.zero))


def _mirror_image() -> MistakeTree:
    return MistakeTree(_mirrored(blm.figure_1().root))


def _ways(depth: int) -> list[Way]:
    return [way for above in range(depth) for way in product((0, 1), repeat=above)]


@kit.universe("all points at all places of the tree", extent="the figure")
def _places(_: kit.Budget) -> Iterator[tuple[Way, int]]:
    yield from product(_ways(_DEPTH), range(8))


def _only_one(drawing: Drawing, it: tuple[Way, int]) -> kit.Finding:
    """Whether a point can be asked at a place of a tree of depth 3 if and only if it is drawn."""
    way, x = it
    asked, rows = _asked(drawing), literal.hypotheses_of(blm.figure_1_class())
    for depth, y in enumerate(way):
        rows = literal.side(rows, asked[way[:depth]], y)
    left = _DEPTH - len(way) - 1
    possible = (
        min(
            literal.dimension(literal.side(rows, x, 0)), literal.dimension(literal.side(rows, x, 1))
        )
        >= left
    )
    return kit.settle(
        possible == (asked[way] == x),
        f"after the labels {way} the tree asks point {asked[way] + 1}; point {x + 1} can "
        f"{'' if possible else 'not '}be asked",
    )


@kit.universe("the class of the figure", extent="the figure")
def _the_figure(_: kit.Budget) -> Iterator[FiniteClass]:
    yield blm.figure_1_class()


def _how_many(number: int, H: FiniteClass) -> kit.Comparison:
    return kit.same(blm.count_shattered_trees(H, _DEPTH), number)


@kit.universe(
    "every class on up to 3 points, depth up to 2; all trees",
    extent="trees of depth up to 2, 3 points",
)
def _depths(_: kit.Budget) -> Iterator[tuple[FiniteClass, int]]:
    for m in (1, 2, 3):
        yield from product(all_classes(m), (0, 1, 2))


def _by_listing(
    counted: Callable[[FiniteClass, int], int], it: tuple[FiniteClass, int]
) -> kit.Comparison:
    """All trees with a point at each inner place, of which every path has a hypothesis."""
    H, depth = it
    rows, ways, shattered = literal.hypotheses_of(H), _ways(depth), 0
    for points in product(range(len(H.domain)), repeat=len(ways)):
        asked = dict(zip(ways, points, strict=True))
        shattered += all(
            realized(rows, tuple((asked[path[:i]], y) for i, y in enumerate(path)))
            for path in product((0, 1), repeat=depth)
        )
    return kit.same(counted(H, depth), shattered)


TRIALS.add(
    "figure-1", "every point at every place", _only_one, _places, blm.figure_1, _mirror_image
)
TRIALS.add("figure-1", "how many trees there are", _how_many, _the_figure, 1, 2)
TRIALS.add(
    "figure-1", "counting shattered trees", _by_listing, _depths,
    blm.count_shattered_trees, lambda H, depth: int(blm.count_shattered_trees(H, depth) * 2**depth),
)  # fmt: skip

# Classes of finite dimension


@kit.universe("d from 1 on")
def _dimensions(budget: kit.Budget) -> Iterator[int]:
    yield from range(1, budget.pick(5, 6, 7) + 1)


def _of_thresholds(dimension_of: Dimension, d: int) -> list[kit.Comparison]:
    H = classes.thresholds(2**d)
    found = dimension_of(FiniteClass(H.table))
    return [kit.same(found, d), kit.same(found, literal.dimension(literal.hypotheses_of(H)))]


TRIALS.add(
    "remark-thresholds", "the dimension", _of_thresholds, _dimensions,
    dimensions.littlestone_dimension, dimensions.vc_dimension,
)  # fmt: skip


def _at_most(bound: Callable[[int], int], H: FiniteClass) -> kit.Comparison:
    return kit.within(literal.dimension(literal.hypotheses_of(H)), bound(len(H)))


TRIALS.add(
    "fact-finite-classes", "small classes", _at_most, SMALL_CLASSES,
    floor_log2, lambda size: floor_log2(size) - 1,
)  # fmt: skip

_SHORT = 50
"""Up to how many hypotheses the recursion for the dimension is gone through as well."""


@kit.universe(
    "points and lines of GF(2)^2, then other subspaces of small spaces over GF(2), GF(3), GF(5)"
)
def _subspaces(budget: kit.Budget) -> Iterator[tuple[int, int, int]]:
    """The field GF(p), the dimension n of the space, the largest dimension d of the subspaces."""
    yield from ((2, 2, 1), (2, 1, 0), (2, 2, 0), (3, 1, 0), (2, 3, 1), (2, 3, 2), (3, 2, 1))
    if budget is not kit.Budget.QUICK:
        yield from ((2, 4, 1), (5, 2, 1))


def _affine(formula: Callable[[int], int], it: tuple[int, int, int]) -> kit.Finding:
    p, n, d = it
    H = classes.affine_subspaces(p, n, d, at_most=True)
    found = dimensions.littlestone_dimension(
        FiniteClass(H.table)
    )  # the table alone: no closed form
    written_out = literal.dimension(literal.hypotheses_of(H)) if len(H) <= _SHORT else found
    return kit.settle(
        found == written_out == formula(d),
        f"affine subspaces of dimension at most {d} of GF({p})^{n}, {len(H)} of them: Littlestone "
        f"dimension {found}, not {formula(d)}",
    )


TRIALS.add("fact-affine-subspaces", "small fields", _affine, _subspaces, lambda d: d)
TRIALS.keeps("fact-affine-subspaces", kept_counterexample("BLM20:fact-affine-subspaces"))
TRIALS.add(
    "fact-affine-subspaces.repaired", "small fields", _affine, _subspaces,
    lambda d: d + 1, lambda d: d,
)  # fmt: skip
