"""Closed forms against dimensions computed from their definitions.

``TABLES`` lists finite classes with literal values (so that any other way to compute dimensions can
be held against the same list); ``test_every_claim`` compares what classes say of themselves with
brute force over ranges of parameters, the smallest included.
"""

import math
from collections.abc import Sequence
from functools import cache
from itertools import combinations, product

import pytest
from hypothesis import given, strategies as st

from pac_stability import classes
from pac_stability.classes import Family, FiniteClass, from_spec

TABLES: list[tuple[str, dict[str, int]]] = [
    ("thresholds:0", {"littlestone": 0, "vc": 0, "threshold": 0}),
    ("thresholds:1", {"littlestone": 1, "vc": 1, "threshold": 1, "dual_vc": 0}),
    ("thresholds:2", {"littlestone": 1, "vc": 1, "threshold": 2, "dual_vc": 1}),
    ("thresholds:3", {"littlestone": 2, "vc": 1, "threshold": 3, "dual_vc": 1}),
    ("thresholds:6", {"littlestone": 2, "vc": 1, "threshold": 6, "dual_vc": 1}),
    ("thresholds:7", {"littlestone": 3, "vc": 1, "threshold": 7, "dual_vc": 1}),
    ("thresholds:15", {"littlestone": 4, "vc": 1, "threshold": 15, "dual_vc": 1}),
    ("signed_thresholds:1", {"vc": 1, "threshold": 1}),
    ("signed_thresholds:2", {"vc": 2, "threshold": 2}),
    ("signed_thresholds:7", {"vc": 2, "threshold": 7}),
    ("intervals:1", {"vc": 1, "threshold": 1}),
    ("intervals:6", {"vc": 2, "threshold": 6}),
    ("unions_of_intervals:6,2", {"vc": 4, "threshold": 6}),
    ("unions_of_intervals:3,2", {"vc": 3, "threshold": 3}),
    ("singletons:0", {"littlestone": -1}),
    ("singletons:1", {"littlestone": 0, "vc": 0, "threshold": 1, "dual_vc": 0}),
    ("singletons:2", {"littlestone": 1, "vc": 1, "threshold": 1, "dual_vc": 1}),
    ("singletons:9", {"littlestone": 1, "vc": 1, "threshold": 1, "dual_vc": 1}),
    ("subsets:6,0", {"littlestone": 0, "vc": 0, "threshold": 0}),
    ("subsets:6,2", {"littlestone": 2, "vc": 2, "threshold": 2}),
    ("subsets:3,5", {"littlestone": 3, "vc": 3, "threshold": 3}),
    ("cube:0", {"littlestone": 0, "vc": 0, "threshold": 0}),
    ("cube:1", {"littlestone": 1, "vc": 1, "threshold": 1, "dual_vc": 0}),
    ("cube:4", {"littlestone": 4, "vc": 4, "threshold": 4, "dual_vc": 2}),
    ("parities:0", {"littlestone": 0, "vc": 0, "threshold": 0, "dual_vc": 0}),
    ("parities:1", {"littlestone": 1, "vc": 1, "threshold": 1, "dual_vc": 1}),
    ("parities:3", {"littlestone": 3, "vc": 3, "threshold": 3, "dual_vc": 3}),
    ("monotone_conjunctions:0", {"littlestone": 0, "vc": 0, "threshold": 1}),
    ("monotone_conjunctions:1", {"littlestone": 1, "vc": 1, "threshold": 2}),
    ("monotone_conjunctions:3", {"littlestone": 3, "vc": 3, "threshold": 4}),
    ("conjunctions:1", {"vc": 2}),
    ("conjunctions:3", {"vc": 3}),
    ("affine_lines:2", {"littlestone": 2, "vc": 2, "threshold": 2}),
    ("affine_lines:3", {"littlestone": 2, "vc": 2, "threshold": 2}),
    ("affine_lines:5", {"littlestone": 2, "vc": 2, "threshold": 2}),
    ("affine_planes:2", {"littlestone": 3, "vc": 3, "threshold": 3}),
    ("affine_subspaces:2,3,0", {"littlestone": 1, "vc": 1, "threshold": 1}),
    ("affine_subspaces:2,2,2", {"littlestone": 0, "vc": 0, "threshold": 1, "dual_vc": 0}),
    ("boxes:1,2", {"vc": 1}),
    ("boxes:2,1", {"vc": 2}),
    ("boxes:2,3", {"vc": 3}),
    ("boxes:3,2", {"vc": 4}),
    ("halfspaces:1,2", {"vc": 1}),
    ("halfspaces:3,2", {"vc": 3}),
    ("halfspaces:2,3", {"vc": 4}),
]

RANGES: list[str] = [
    *(f"{name}:{n}" for name in ("thresholds", "signed_thresholds", "intervals") for n in range(7)),
    *(f"unions_of_intervals:{n},{k}" for n in range(7) for k in range(4)),
    *(f"singletons:{n}" for n in range(7)),
    *(f"subsets:{n},{k}" for n in range(6) for k in range(5)),
    *(f"cube:{n}" for n in range(5)),
    *(f"parities:{k}" for k in range(4)),
    *(f"{name}:{n}" for name in ("monotone_conjunctions", "conjunctions") for n in range(4)),
    *(f"affine_subspaces:2,{n},{d}" for n in range(4) for d in range(n + 1)),
    *(f"affine_subspaces:3,{n},{d}" for n in range(3) for d in range(n + 1)),
    *(f"boxes:{side},{p}" for side, p in [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (4, 2)]),
    *(f"halfspaces:{side},{p}" for side, p in [(1, 1), (1, 2), (2, 1), (3, 1), (2, 2), (4, 2)]),
]


# Brute force, from the definitions.


def littlestone(H: FiniteClass) -> int:
    """Depth of the deepest complete mistake tree; -1 for the empty class."""
    ones = [sum(1 << i for i, bit in enumerate(column) if bit) for column in H.table.T.tolist()]

    @cache
    def shatters(version_space: int, depth: int) -> bool:
        if version_space.bit_count() < 2**depth:
            return False
        if depth == 0:
            return True
        return any(
            shatters(version_space & column, depth - 1)
            and shatters(version_space & ~column, depth - 1)
            for column in ones
        )

    depth = -1
    while shatters((1 << len(H)) - 1, depth + 1):
        depth += 1
    return depth


def vc(H: FiniteClass) -> int:
    """Size of the largest set of points on which every labelling occurs."""
    columns = list(zip(*H.table.tolist(), strict=True))
    size = 0
    while any(
        len(set(zip(*chosen, strict=True))) == 2 ** (size + 1)
        for chosen in combinations(columns, size + 1)
    ):
        size += 1
    return size


def threshold(H: FiniteClass) -> int:
    """Largest k with h_i(x_j) = 1 exactly when i <= j, grown from the last pair to the first.

    Prepending (h, x): h is 1 at x and at every later point, the later hypotheses are 0 at x.
    """
    rows = H.table.tolist()
    ones = [sum(1 << j for j, bit in enumerate(row) if bit) for row in rows]

    @cache
    def longest(points: int, zeros: int) -> int:
        """Add pairs in front; ``zeros`` are the points where all later hypotheses are 0."""
        best = 0
        for row in ones:
            if row & points == points:
                for x in range(len(H.domain)):
                    if row >> x & 1 and zeros >> x & 1:
                        best = max(best, 1 + longest(points | 1 << x, zeros & ~row))
        return best

    return longest(0, (1 << len(H.domain)) - 1)


def dual_vc(H: FiniteClass) -> int:
    return vc(H.dual())


BY_DEFINITION = {"littlestone": littlestone, "vc": vc, "threshold": threshold, "dual_vc": dual_vc}


def test_the_definitions_on_a_class_done_by_hand() -> None:
    """{000, 011, 101}: one point is shattered, no two; h = 011 and 101 differ on two points."""
    H = FiniteClass([[0, 0, 0], [0, 1, 1], [1, 0, 1]])
    assert [littlestone(H), vc(H), threshold(H)] == [1, 1, 2]
    constants = FiniteClass([[0, 0], [1, 1]])
    assert [littlestone(constants), vc(constants), threshold(constants)] == [1, 1, 1]


@pytest.mark.parametrize(("spec", "expected"), TABLES)
def test_literal_values(spec: str, expected: dict[str, int]) -> None:
    H = from_spec(spec)
    assert {name: known.value for name, known in H.known.items()} == expected
    assert {name: BY_DEFINITION[name](H) for name in expected} == expected
    assert all(known.source for known in H.known.values())


@pytest.mark.parametrize("spec", RANGES)
def test_every_claim(spec: str) -> None:
    H = from_spec(spec)
    claimed = {name: known.value for name, known in H.known.items()}
    assert claimed == {name: BY_DEFINITION[name](H) for name in claimed}


@pytest.mark.parametrize(
    ("p", "n", "d"), [(2, 0, 0), (2, 1, 0), (2, 1, 1), (2, 2, 1), (2, 2, 2), (2, 3, 2), (3, 2, 1)]
)
def test_affine_subspaces_of_dimension_at_most(p: int, n: int, d: int) -> None:
    H = classes.affine_subspaces(p, n, d, at_most=True)
    assert "threshold" in H.known
    assert all(known.value == BY_DEFINITION[name](H) for name, known in H.known.items())


@pytest.mark.parametrize("k", [1, 2, 3])
def test_affine_parities(k: int) -> None:
    family = classes.Parities(k, affine=True)
    H = family.restrict(product((0, 1), repeat=k))
    assert set(family.known) == {"littlestone", "vc", "threshold"}
    assert all(known.value == BY_DEFINITION[name](H) for name, known in family.known.items())


def test_products_add() -> None:
    H = classes.product(classes.thresholds(3), classes.singletons(3), classes.cube(1))
    assert {name: known.value for name, known in H.known.items()} == {"littlestone": 4, "vc": 3}
    assert (littlestone(H), vc(H)) == (4, 3)
    nothing = classes.product(classes.thresholds(3), classes.singletons(0))
    assert nothing.known["littlestone"].value == littlestone(nothing) == -1
    infinite = classes.Product(classes.Thresholds(), classes.Intervals())
    assert infinite.known["littlestone"].value == math.inf
    assert infinite.known["vc"].value == 3


Point = int | tuple[int, ...]

LINE = [(x,) for x in range(6)]
SQUARE = list(product(range(3), repeat=2))
OCTAHEDRON = [tuple(s * (i == j) for j in range(3)) for i in range(3) for s in (1, -1)]
# Of four points, the three orders split off every pair, and put each point first or last.
THREE_ORDERS = [(0, 3, 0), (1, 0, 2), (2, 2, 3), (3, 1, 1)]

# A family, its VC dimension, and points among which that many are shattered.
FAMILIES: list[tuple[Family, int, Sequence[Point]]] = [
    (classes.Thresholds(), 1, range(5)),
    (classes.SignedThresholds(), 2, range(5)),
    (classes.Intervals(), 2, range(5)),
    (classes.UnionsOfIntervals(0), 0, range(5)),
    (classes.UnionsOfIntervals(2), 4, range(6)),
    (classes.Singletons(), 1, range(5)),
    (classes.Subsets(2), 2, range(5)),
    (classes.Parities(2), 2, list(product((0, 1), repeat=2))),
    (classes.MonotoneConjunctions(3), 3, list(product((0, 1), repeat=3))),
    (classes.Conjunctions(3), 3, list(product((0, 1), repeat=3))),
    (classes.AffineSubspaces(3, 2, 1), 2, SQUARE),
    (classes.Stumps(1), 2, LINE),
    (classes.Stumps(2), 3, SQUARE),
    (classes.Stumps(3), 4, [*THREE_ORDERS, (4, 4, 4)]),
    (classes.Stumps(4), 4, [*((*x, 0) for x in THREE_ORDERS), (4, 4, 4, 4)]),
    (classes.Boxes(1), 2, LINE),
    (classes.Boxes(2), 4, SQUARE),
    (classes.Boxes(3), 6, [*OCTAHEDRON, (0, 0, 0)]),
    (classes.Halfspaces(1), 2, LINE),
    (classes.Halfspaces(2), 3, SQUARE),
    (classes.Halfspaces(3), 4, OCTAHEDRON),
]


@pytest.mark.parametrize(("family", "dimension", "points"), FAMILIES)
def test_vc_dimension_of_a_family(family: Family, dimension: int, points: Sequence[Point]) -> None:
    assert family.known["vc"].value == dimension
    assert vc(family.restrict(points)) == dimension


@given(st.lists(st.permutations(range(5)), min_size=4, max_size=4))
def test_four_orders_do_not_shatter_five_points(orders: list[list[int]]) -> None:
    assert len(classes.Stumps(4).restrict(zip(*orders, strict=True))) < 2**5


@pytest.mark.parametrize(("family", "coordinates"), [
    (classes.Thresholds(), 0), (classes.SignedThresholds(), 0), (classes.UnionsOfIntervals(2), 0),
    (classes.AllSubsets(), 0), (classes.Stumps(2), 2), (classes.Boxes(2), 2),
    (classes.Halfspaces(2), 2),
])  # fmt: skip
def test_infinite_dimensions_grow_with_the_points(family: Family, coordinates: int) -> None:
    """On 2^k - 1 points in a row there are a tree of depth k and a half graph of all of them."""
    assert family.known["littlestone"].value == family.known["threshold"].value == math.inf
    for k in (1, 2, 3):
        row = range(2**k - 1)
        points: Sequence[Point] = [(t,) * coordinates for t in row] if coordinates else row
        H = family.restrict(points)
        assert littlestone(H) >= k
        assert threshold(H) == 2**k - 1
