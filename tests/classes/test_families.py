"""Every family against its definition, on small and degenerate sets of points."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import classes
from shared_refusals import refuses

Pattern = tuple[int, ...]
Oracle = Callable[[Sequence[tuple[int, ...]]], set[Pattern]]
"""From distinct points (as tuples of coordinates) to all patterns, columns in that order."""


def all_patterns(m: int) -> list[Pattern]:
    return list(product((0, 1), repeat=m))


# Oracles: the definition, by search.


def by_runs(k: int) -> Oracle:
    """At most k maximal runs of ones along the line."""

    def patterns(points: Sequence[tuple[int, ...]]) -> set[Pattern]:
        order = sorted(range(len(points)), key=lambda i: points[i])
        found = set()
        for pattern in all_patterns(len(points)):
            line = "".join(str(pattern[i]) for i in order)
            if len(line.replace("0", " ").split()) <= k:
                found.add(pattern)
        return found

    return patterns


def upward_closed(points: Sequence[tuple[int, ...]]) -> set[Pattern]:
    """Labels never fall along the line."""
    order = sorted(range(len(points)), key=lambda i: points[i])
    return {
        pattern
        for pattern in all_patterns(len(points))
        if [pattern[i] for i in order] == sorted(pattern)
    }


def monotone_either_way(points: Sequence[tuple[int, ...]]) -> set[Pattern]:
    up = upward_closed(points)
    return up | {tuple(1 - bit for bit in pattern) for pattern in up}


def one_coordinate_decides(points: Sequence[tuple[int, ...]]) -> set[Pattern]:
    """Some coordinate of every point labelled 1 is beyond that of every point labelled 0."""
    dimension = len(points[0]) if points else 1
    found = set()
    for pattern in all_patterns(len(points)):
        for i in range(dimension):
            ones = [x[i] for x, bit in zip(points, pattern, strict=True) if bit]
            zeros = [x[i] for x, bit in zip(points, pattern, strict=True) if not bit]
            if not ones or not zeros or min(ones) > max(zeros) or max(ones) < min(zeros):
                found.add(pattern)
    return found


def of_size_at_most(k: int) -> Oracle:
    return lambda points: {p for p in all_patterns(len(points)) if sum(p) <= k}


def box_holds_no_other_point(points: Sequence[tuple[int, ...]]) -> set[Pattern]:
    found = set()
    for pattern in all_patterns(len(points)):
        inside = [x for x, bit in zip(points, pattern, strict=True) if bit]
        low, high = [list(map(f, zip(*inside, strict=True))) for f in (min, max)]
        others = [x for x, bit in zip(points, pattern, strict=True) if not bit]
        if not inside or not any(
            all(a <= c <= b for a, c, b in zip(low, x, high, strict=True)) for x in others
        ):
            found.add(pattern)
    return found


def by_functionals(k: int, constants: tuple[int, ...]) -> Oracle:
    return lambda points: {
        tuple((sum(w * c for w, c in zip(weights, x, strict=True)) + constant) % 2 for x in points)
        for weights in product((0, 1), repeat=k)
        for constant in constants
    }


def by_requirements(n: int, allowed: str) -> Oracle:
    """A conjunction as a word over 0, 1 (required values), * (free) and ! (contradiction)."""
    return lambda points: {
        tuple(
            int(all(w == "*" or w == str(c) for w, c in zip(word, x, strict=True))) for x in points
        )
        for word in product(allowed, repeat=n)
    }


def by_affine_maps(p: int, n: int, dimensions: Sequence[int]) -> Oracle:
    """Images of all affine maps from GF(p)^d whose image has p^d points."""
    space = list(product(range(p), repeat=n))
    subspaces = set()
    for d in dimensions:
        for base in space:
            for directions in product(space, repeat=d):
                image = frozenset(
                    tuple(
                        (b + sum(s * v[i] for s, v in zip(scalars, directions, strict=True))) % p
                        for i, b in enumerate(base)
                    )
                    for scalars in product(range(p), repeat=d)
                )
                if len(image) == p**d:
                    subspaces.add(image)
    return lambda points: {tuple(int(x in s) for x in points) for s in subspaces}


def separable(points: Sequence[tuple[int, ...]]) -> set[Pattern]:
    """Patterns whose two sides have disjoint convex hulls.

    Hulls of two finite sets meet exactly when some minimal affine dependency has its positive
    coefficients on one of them and its negative ones on the other (Radon, Caratheodory).
    """
    dependencies = []
    for size in range(2, (len(points[0]) if points else 0) + 3):
        for chosen in combinations(range(len(points)), size):
            kernel = affine_kernel([points[i] for i in chosen])
            if len(kernel) == 1 and all(kernel[0]):
                positive = {i for i, c in zip(chosen, kernel[0], strict=True) if c > 0}
                dependencies.append((positive, set(chosen) - positive))
    found = set()
    for pattern in all_patterns(len(points)):
        ones = {i for i, bit in enumerate(pattern) if bit}
        zeros = set(range(len(points))) - ones
        if not any(
            (a <= ones and b <= zeros) or (a <= zeros and b <= ones) for a, b in dependencies
        ):
            found.add(pattern)
    return found


def affine_kernel(points: Sequence[tuple[int, ...]]) -> list[list[Fraction]]:
    """Basis of the coefficients c with sum c_i = 0 and sum c_i x_i = 0, by Gauss-Jordan."""
    equations = [[Fraction(c) for c in row] for row in zip(*points, strict=True)]
    equations.append([Fraction(1)] * len(points))
    pivots: list[int] = []
    for column in range(len(points)):
        row = next((r for r in range(len(pivots), len(equations)) if equations[r][column]), None)
        if row is None:
            continue
        top = len(pivots)
        equations[top], equations[row] = equations[row], equations[top]
        equations[top] = [entry / equations[top][column] for entry in equations[top]]
        for other in range(len(equations)):
            if other != top:
                factor = equations[other][column]
                equations[other] = [
                    a - factor * b for a, b in zip(equations[other], equations[top], strict=True)
                ]
        pivots.append(column)
    basis = []
    for free in set(range(len(points))) - set(pivots):
        vector = [Fraction(int(i == free)) for i in range(len(points))]
        for row, pivot in enumerate(pivots):
            vector[pivot] = -equations[row][free]
        basis.append(vector)
    return basis


def choices(sizes: range, extra: int = 0) -> Callable[[int], int]:
    return lambda m: sum(comb(m + extra, size) for size in sizes)


def two_per_gap(p: int) -> Callable[[int], int]:
    return lambda m: 2 * p * (m - 1) + 2 if m else 1


def cover(p: int) -> Callable[[int], int]:
    return lambda m: 2 * sum(comb(m - 1, i) for i in range(p + 1)) if m else 1


@dataclass(frozen=True)
class Case:
    name: str
    family: classes.Family
    oracle: Oracle
    coordinates: int
    values: int  # coordinates are 0, ..., values - 1
    most_points: int = 6
    scalar: bool = False  # points are numbers, not tuples
    growth: Callable[[int], int] | None = None  # the bound the family must state
    exact: bool = False  # whether that bound is the number of patterns on every set


def on_the_line(
    name: str, family: classes.Family, oracle: Oracle, growth: Callable[[int], int], values: int = 9
) -> Case:
    """One whose points are numbers, and whose bound is the number of patterns."""
    return Case(name, family, oracle, 1, values, 8 if values > 9 else 7, True, growth, True)


def cases() -> Iterator[Case]:
    yield on_the_line("thresholds", classes.Thresholds(), upward_closed, lambda m: m + 1)
    signed = classes.SignedThresholds()
    yield on_the_line("signed thresholds", signed, monotone_either_way, lambda m: max(2 * m, 1))
    yield on_the_line("intervals", classes.Intervals(), by_runs(1), lambda m: 1 + comb(m + 1, 2))
    for k in range(4):
        even = choices(range(0, 2 * k + 1, 2), extra=1)
        yield on_the_line(f"unions of {k}", classes.UnionsOfIntervals(k), by_runs(k), even, 12)
    yield on_the_line("singletons", classes.Singletons(), of_size_at_most(1), lambda m: m + 1)
    for k in (0, 1, 2, 7):
        subsets, growth = classes.Subsets(k), choices(range(k + 1))
        yield Case(f"subsets of {k}", subsets, of_size_at_most(k), 2, 4, growth=growth, exact=True)
    everything = classes.AllSubsets()
    shattered = of_size_at_most(9)
    yield Case("all subsets", everything, shattered, 2, 3, growth=lambda m: 2**m, exact=True)
    for k in (1, 2, 3, 4):
        yield Case(f"parities {k}", classes.Parities(k), by_functionals(k, (0,)), k, 2, 7)
        monotone, words = classes.MonotoneConjunctions(k), by_requirements(k, "1*")
        yield Case(f"monotone conjunctions {k}", monotone, words, k, 2, 8)
        yield Case(f"halfspaces {k}", classes.Halfspaces(k), separable, k, 4, 7, growth=cover(k))
    for k in (1, 2, 3):
        affine, words = classes.Parities(k, affine=True), by_requirements(k, "01*!")
        yield Case(f"affine parities {k}", affine, by_functionals(k, (0, 1)), k, 2, 7)
        yield Case(f"conjunctions {k}", classes.Conjunctions(k), words, k, 2, 8)
        stumps, boxes, growth = classes.Stumps(k), classes.Boxes(k), choices(range(2 * k + 1))
        yield Case(f"stumps {k}", stumps, one_coordinate_decides, k, 4, growth=two_per_gap(k))
        yield Case(f"boxes {k}", boxes, box_holds_no_other_point, k, 4, growth=growth)
    for at_most, (p, n, d) in product(
        (False, True), [(2, 1, 0), (2, 2, 1), (2, 3, 1), (2, 3, 2), (2, 2, 2), (3, 2, 1), (5, 2, 1)]
    ):
        flats = classes.AffineSubspaces(p, n, d, at_most=at_most)
        images = by_affine_maps(p, n, range(0 if at_most else d, d + 1))
        yield Case(f"affine {p} {n} {d} {at_most}", flats, images, n, p, 9)
    planes = classes.AffineSubspaces(3, 3, 2)
    yield Case("planes 3", planes, by_affine_maps(3, 3, [2]), 3, 3, 7)


CASES = [*cases()]
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name.replace(" ", "-"))


def as_given(case: Case, points: Sequence[tuple[int, ...]]) -> list[Hashable]:
    return [x[0] if case.scalar else x for x in points]


def points_of(case: Case, most: int) -> st.SearchStrategy[list[tuple[int, ...]]]:
    coordinate = st.integers(0, case.values - 1)
    point = st.tuples(*[coordinate] * case.coordinates)
    return st.lists(point, max_size=most, unique=True)


def rows(restriction: classes.Restriction) -> list[Pattern]:
    return [tuple(row) for row in restriction.table.tolist()]


@every_case
@settings(max_examples=25)
@given(data=st.data())
def test_patterns_are_those_of_the_definition(case: Case, data: st.DataObject) -> None:
    points = data.draw(points_of(case, case.most_points))
    restriction = case.family.restrict(as_given(case, points))
    assert restriction.domain == tuple(as_given(case, points))
    found = rows(restriction)
    assert len(set(found)) == len(found)
    assert set(found) == case.oracle(points)
    if case.growth is not None:
        bound = case.growth(len(points))
        assert len(found) == bound if case.exact else len(found) <= bound
        assert isinstance(case.family, classes.EnumeratingFamily)
        assert case.family.growth_bound(len(points)) == bound


@every_case
@settings(max_examples=15)
@given(data=st.data())
def test_representatives_are_hypotheses_of_the_class(case: Case, data: st.DataObject) -> None:
    """Each has its pattern, and with further points its labels still are a pattern."""
    points = data.draw(points_of(case, case.most_points))
    known = as_given(case, points[: len(points) // 2])
    restriction = case.family.restrict(known)
    everywhere = case.oracle(points)
    assert len(restriction.representatives) == len(restriction)
    for row, hypothesis in zip(rows(restriction), restriction.representatives, strict=True):
        assert tuple(hypothesis(x) for x in known) == row
        assert tuple(hypothesis(x) for x in as_given(case, points)) in everywhere


@every_case
@settings(max_examples=15)
@given(data=st.data())
def test_representatives_depend_on_the_set_of_points_only(case: Case, data: st.DataObject) -> None:
    points = as_given(case, data.draw(points_of(case, case.most_points)))
    mixed = data.draw(st.permutations(points + [x for x in points if hash(x) % 2]))
    one, other = case.family.restrict(points), case.family.restrict(mixed)
    assert one.representatives == other.representatives
    assert tuple(case.family.representatives_on(mixed)) == one.representatives
    for point in points:
        column, moved = one.column(point), other.column(point)
        assert one.table[:, column].tolist() == other.table[:, moved].tolist()


@pytest.mark.parametrize("p", [2, 3])
def test_halfspaces_in_general_position_reach_covers_count(p: int) -> None:
    curve = [tuple(t**i for i in range(1, p + 1)) for t in range(10)]
    patterns = classes.Halfspaces(p).restrict(curve)
    assert len(patterns) == 2 * sum(comb(9, i) for i in range(p + 1))


@pytest.mark.parametrize(("side", "count"), [(1, 2), (2, 14), (3, 58), (4, 174), (5, 402)])
def test_halfspaces_on_grids(side: int, count: int) -> None:
    """OEIS A114043 counts each split of the grid once; side 3 is in reach of the oracle."""
    grid = list(product(range(side), repeat=2))
    assert len(classes.Halfspaces(2).restrict(grid)) == count
    if side <= 3:
        assert len(separable(grid)) == count


@pytest.mark.parametrize(("n", "count"), [(1, 4), (2, 14), (3, 104), (4, 1882)])
def test_threshold_functions_of_boolean_variables(n: int, count: int) -> None:
    """Muroga's counts of Boolean threshold functions."""
    assert len(classes.Halfspaces(n).restrict(product((0, 1), repeat=n))) == count


def test_halfspaces_of_many_points_on_few_lines_or_planes() -> None:
    line = [(t, 2 * t + 1, -t) for t in range(8)]
    assert len(classes.Halfspaces(3).restrict(line)) == 16
    plane = [(s, t, s + t) for s in range(3) for t in range(3)]
    assert len(classes.Halfspaces(3).restrict(plane)) == 58


def test_halfspaces_beyond_machine_words() -> None:
    """The same configuration, scaled by 10^30 and by a third, has the same patterns."""
    base = [(0, 0), (1, 0), (2, 0), (0, 1), (3, 5), (1, 1)]
    scaled = [(x * 10**30 + 7, Fraction(y, 3) - 10**25) for x, y in base]
    plain, large = classes.Halfspaces(2).restrict(base), classes.Halfspaces(2).restrict(scaled)
    assert set(rows(plain)) == set(rows(large)) == separable(base)
    for row, hypothesis in zip(rows(large), large.representatives, strict=True):
        assert tuple(hypothesis(x) for x in scaled) == row


def test_nearly_collinear_points_are_told_apart() -> None:
    """The middle point is 10^-20 above the segment: floats could not tell."""
    tiny = Fraction(1, 10**20)
    points = [(0, 0), (1, tiny), (2, 0)]
    assert len(classes.Halfspaces(2).restrict(points)) == 8
    assert len(classes.Halfspaces(2).restrict([(0, 0), (1, 0), (2, 0)])) == 6


def test_floats_are_taken_exactly() -> None:
    patterns = classes.Thresholds().restrict([0.1, Fraction(1, 10), 0.5])
    assert len(patterns.domain) == 3  # the float 0.1 is a little more than a tenth
    assert patterns.column(Fraction(1, 2)) == 2
    assert patterns.representatives[0](0.1) == 1


def test_thresholds_without_a_table() -> None:
    cuts = classes.Thresholds().representatives_on(range(20_000))
    assert len(cuts) == 20_001
    assert [cuts[5](4), cuts[5](5)] == [0, 1]
    refuses("at most 1073741824 table entries", classes.Thresholds().restrict, range(40_000))


def test_finite_classes_are_families() -> None:
    family: classes.Family = classes.intervals(5)
    on_points = family.restrict([3, 1, 3])
    again = family.restrict([1, 3])
    assert on_points.representatives == again.representatives
    assert tuple(family.representatives_on([3, 1])) == on_points.representatives


@settings(max_examples=30)
@given(
    st.lists(st.tuples(st.just(0), st.integers(0, 5)), max_size=4),
    st.lists(st.tuples(st.just(1), st.integers(0, 5)), max_size=4),
)
def test_products_are_all_combinations(
    first: list[tuple[int, int]], second: list[tuple[int, int]]
) -> None:
    points = first + second[::-1] + first[:1]
    family = classes.Product(classes.Thresholds(), classes.Intervals())
    restriction = family.restrict(points)
    left = list(dict.fromkeys(x for _, x in first))
    right = list(dict.fromkeys(x for _, x in second[::-1]))
    assert restriction.domain == tuple([(0, x) for x in left] + [(1, x) for x in right])
    expected = {
        a + b
        for a in upward_closed([(x,) for x in left])
        for b in by_runs(1)([(x,) for x in right])
    }
    assert set(rows(restriction)) == expected
    assert len(restriction) == len(expected)
    for row, hypothesis in zip(rows(restriction), restriction.representatives, strict=True):
        assert tuple(hypothesis(x) for x in restriction.domain) == row
        assert hypothesis((1, 100)) == 0
    assert family.restrict(points[::-1]).representatives == restriction.representatives


@settings(max_examples=30)
@given(st.lists(st.integers(0, 9), max_size=6))
def test_unions_hold_the_patterns_of_each(points: list[int]) -> None:
    family = classes.Union(classes.Intervals(), classes.SignedThresholds(), classes.Subsets(2))
    restriction = family.restrict(points)
    vectors = [(x,) for x in restriction.domain if isinstance(x, int)]
    expected = by_runs(1)(vectors) | monotone_either_way(vectors) | of_size_at_most(2)(vectors)
    assert set(rows(restriction)) == expected
    assert len(restriction) == len(expected)
    for row, hypothesis in zip(rows(restriction), restriction.representatives, strict=True):
        assert tuple(hypothesis(x) for x in restriction.domain) == row
    assert family.restrict(points[::-1]).representatives == restriction.representatives


def test_finite_product_and_union() -> None:
    H, G = classes.thresholds(2), classes.singletons(2)
    assert classes.product(H, G).table.tolist() == [
        [1, 1, 1, 0], [1, 1, 0, 1], [0, 1, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0], [0, 0, 0, 1],
    ]  # fmt: skip
    assert classes.union(H, G).table.tolist() == [[1, 1], [0, 1], [0, 0], [1, 0]]
    swapped = classes.FiniteClass([[0, 1]], domain=[1, 0])
    assert classes.union(H, swapped).table.tolist() == [[1, 1], [0, 1], [0, 0], [1, 0]]
    refuses("want one domain", classes.union, H, classes.thresholds(3))
    refuses("at least one", classes.union)
    assert len(classes.product(H, classes.singletons(0))) == 0
    assert classes.product().table.shape == (1, 0)


@pytest.mark.parametrize(("family", "point", "message"), [
    (classes.Thresholds(), "a", "point: got 'a', want a real number"),
    (classes.Thresholds(), float("nan"), "point: got nan, want a finite number"),
    (classes.Intervals(), float("inf"), "point: got inf, want a finite number"),
    (classes.Stumps(2), (1, 2, 3), "want a tuple of 2 numbers"),
    (classes.Boxes(2), "ab", "want a tuple of 2 numbers"),
    (classes.Halfspaces(2), (1, None), "want a real number"),
    (classes.Halfspaces(2), 3, "want a tuple of 2 numbers"),
    (classes.Parities(2), (0, 2), "integers from 0 to 1"),
    (classes.Conjunctions(2), (0, Fraction(1, 2)), "integers from 0 to 1"),
    (classes.AffineSubspaces(3, 2, 1), (0, 3), "integers from 0 to 2"),
    (classes.Subsets(1), [1], "want hashable values"),
    (classes.Product(classes.Subsets(1)), (1, 0), "a pair"),
    (classes.Product(classes.Subsets(1)), 7, "a pair"),
])  # fmt: skip
def test_points_outside_the_domain(family: classes.Family, point: Hashable, message: str) -> None:
    refuses(message, family.restrict, [point])


@pytest.mark.parametrize(("build", "message"), [
    (lambda: classes.UnionsOfIntervals(-1), "k: got -1"),
    (lambda: classes.Subsets(True), "k: got the boolean True"),
    (lambda: classes.Stumps(0), "dimension: got 0, want an integer that is at least 1"),
    (lambda: classes.AffineSubspaces(4, 2, 1), "p: got 4, want a prime"),
    (lambda: classes.AffineSubspaces(1, 2, 1), "p: got 1"),
    (lambda: classes.AffineSubspaces(2**31 - 1, 2, 1), "a prime below"),
    (lambda: classes.AffineSubspaces(3, 2, 3), "dimension: got 3, want at most n = 2"),
    (classes.Union, "at least one"),
])  # fmt: skip
def test_families_that_do_not_exist(build: Callable[[], classes.Family], message: str) -> None:
    refuses(message, build)


@pytest.mark.parametrize("build", [
    lambda: classes.thresholds(10**9), lambda: classes.signed_thresholds(10**9),
    lambda: classes.intervals(10**5), lambda: classes.unions_of_intervals(1000, 500),
    lambda: classes.singletons(10**6), lambda: classes.subsets(10**4, 10**4),
    lambda: classes.cube(40), lambda: classes.cube(10**12), lambda: classes.parities(30),
    lambda: classes.monotone_conjunctions(20), lambda: classes.conjunctions(30),
    lambda: classes.affine_lines(1009), lambda: classes.affine_subspaces(2, 10**9, 1),
    lambda: classes.boxes(100, 4), lambda: classes.stumps(1000, 9),
    lambda: classes.halfspaces(50, 3), lambda: classes.random_class(10**6, 10**6),
    lambda: classes.AllSubsets().restrict(range(60)),
])  # fmt: skip
def test_absurd_sizes_are_refused_before_anything_is_allocated(
    build: Callable[[], classes.FiniteClass],
) -> None:
    refuses("", build)


def test_singletons_have_a_representative_elsewhere() -> None:
    empty, *_ = classes.Singletons().restrict([0, 1, 3]).representatives
    assert [empty(x) for x in (0, 1, 2, 3)] == [0, 0, 1, 0]


def test_points_of_many_types_have_an_order() -> None:
    points: list[Hashable] = [(1, "a"), "b", 2, b"c", frozenset([1]), frozenset([2]), 0.5, None]
    one = classes.Subsets(2).restrict(points)
    assert one.representatives == classes.Subsets(2).restrict(points[::-1]).representatives
