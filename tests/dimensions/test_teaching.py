"""Star number; teaching sets and the teaching dimension."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability import FiniteClass, classes, dimensions, errors, testing
from pac_stability._core.star import find_star
from pac_stability.classes.bits import pack
from pac_stability.dimensions import Star, star, star_number, teaching, vc_dimension
from shared_classes import random_class
from shared_dimensions import patterns, star_by_definition, teaching_by_definition
from shared_refusals import refuses

small_classes = testing.strategies.finite_classes(max_points=6, max_hypotheses=20)


def test_star_definition_on_many_random_classes() -> None:
    for seed in range(500):
        rng = np.random.default_rng(seed)
        H = FiniteClass(
            rng.random((rng.integers(1, 20), rng.integers(1, 7))) < rng.choice([0.3, 0.5])
        )
        bounds = star(H)
        assert bounds.value == star_by_definition(H.table)
        assert bounds.witness is not None
        assert len(bounds.witness.points) == bounds.value
        assert bounds.witness.is_realized_by(H)


def turned(row: list[int]) -> list[list[int]]:
    return [row[at:] + row[:at] for at in range(len(row))]


def squares(p: int) -> list[int]:
    known = {x * x % p for x in range(1, p)}
    return [int(x in known) for x in range(p)]


@pytest.mark.parametrize("seed", range(12))
def test_one_center_of_those_that_a_symmetry_joins_is_enough(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cyclic = [each for row in rng.integers(0, 2, (2, 6)).tolist() for each in turned(row)]
    code = np.array(list(np.ndindex(2, 2))) @ rng.integers(0, 2, (2, 5)) % 2
    cosets = np.vstack([code, code ^ rng.integers(0, 2, 5), code ^ rng.integers(0, 2, 5)])
    for rows in (cyclic, cosets, turned(squares(7)), [*turned(squares(5)), [1, 0, 0, 0, 0]]):
        H = FiniteClass(np.unique(np.array(rows, dtype=np.uint8), axis=0))
        assert star_number(H) == star_by_definition(H.table)


def test_stars_of_squares_take_one_center_of_43() -> None:
    found = star(FiniteClass(turned(squares(43))), max_nodes=40_000)
    assert found.value == 6  # around every center 40,000 sets leave 6 to 8 or more
    assert found.witness is not None
    assert found.witness.is_realized_by(FiniteClass(turned(squares(43))))


def test_star_closed_forms() -> None:
    assert star_number(FiniteClass([[0, 0, 0], [0, 1, 1], [1, 0, 1]])) == 2
    # Hanneke and Yang 2015: thresholds have star number 2; here only the two cuts next to the
    # center's differ from it in one of the points.
    assert star_number(classes.thresholds(9)) == 2
    # The empty set and every singleton.
    assert star_number(classes.singletons(9)) >= 8
    assert star_number(classes.subsets(8, 1)) == 8
    assert star_number(classes.cube(5)) == 5
    assert star_number(FiniteClass(np.zeros((0, 2)))) == -1
    assert star(FiniteClass([[0, 1]])).witness == Star(0, (), ())


@given(H=small_classes, seed=st.integers(0, 2**32 - 1))
def test_star_invariances_and_at_least_the_vc_dimension(H: FiniteClass, seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = H.table[rng.permutation(len(H))][:, rng.permutation(H.table.shape[1])]
    table = table ^ rng.integers(0, 2, H.table.shape[1], dtype=np.uint8)
    assert star_number(FiniteClass(table)) == star_number(H) >= vc_dimension(H)


def test_corrupted_witnesses_are_rejected() -> None:
    H = classes.subsets(6, 1)
    good = star(H).witness
    assert good is not None
    assert good.is_realized_by(H)
    for wrong in (
        Star(good.center, good.points[1:], good.hypotheses),
        Star(good.center, good.points[::-1], good.hypotheses),
        Star(good.hypotheses[0], good.points, good.hypotheses),
        Star(good.center - len(H), good.points, good.hypotheses),
        Star(good.center, (good.points[0] - 6, *good.points[1:]), good.hypotheses),
    ):
        assert not wrong.is_realized_by(H)


def test_star_a_budget_gives_certified_bounds() -> None:
    H = FiniteClass(np.random.default_rng(1).random((30, 12)) < 0.5)
    bounds = star(H, max_nodes=5)
    assert bounds.witness is not None
    assert bounds.witness.is_realized_by(H)
    assert bounds.nodes == 5
    assert len(bounds.witness.points) == bounds.lower <= star_number(H) <= bounds.upper <= 12
    assert not bounds.exact
    refuses(r"^max_nodes: got 0, want", star, H, max_nodes=0)


@pytest.mark.parametrize(
    ("rows", "points", "density", "k"),
    [(20, 7, 0.5, 4), (60, 8, 0.5, 5), (90, 9, 0.3, 6), (200, 20, 0.1, 3), (40, 30, 0.04, 2)],
)
def test_the_kernel_of_stars_beside_all_sets(
    rows: int, points: int, density: float, k: int
) -> None:
    """Within any limits and around any centers, left and resumed after every set of points."""
    before, seen = 50, set[int]()
    for seed in range(8):
        rng = np.random.default_rng(seed)
        table = random_class(seed, rows, points, density).table
        n = len(table)
        limits = np.minimum(np.sort(rng.integers(1, points + 2, k)) + before, before + points)
        centers = (rng.random(n) < (0, 0.1, 1)[seed % 3]).astype(np.uint8)
        stars = {
            columns
            for columns in combinations(range(points), k)
            if all(x + before < limit for x, limit in zip(columns, limits, strict=True))
            for found in [patterns(table, columns)]
            for center in patterns(table[centers == 1], columns)
            if all((*center[:i], 1 - center[i], *center[i + 1 :]) in found for i in range(k))
        }
        wide = np.zeros((n + 1, 256), dtype=np.uint8)
        wide[:n, before : before + points] = table
        for shared in range(1, k):
            ended = set[tuple[int, int]]()
            for work in (1, 10**12):
                place, visited, answer = np.zeros(k + 2, dtype=np.int64), 0, -1
                place[0] = before
                while answer < 0:
                    answer, chosen, center, more, _ = find_star(
                        pack(wide), centers, limits, place, shared, work
                    )
                    assert more <= work
                    visited += more
                ended.add((answer, visited))
                seen.add(answer)
                assert answer == bool(stars)
                if answer:
                    columns = tuple(x - before for x in chosen)
                    owners = table[:, columns] ^ table[center, columns]
                    assert columns in stars
                    assert centers[center]
                    assert {*range(k)} == {*owners[owners.sum(axis=1) == 1].argmax(axis=1)}
            assert len(ended) == 1
    assert seen == {0, 1}


def test_star_numbers_of_dense_tables_and_bounds_of_large_ones() -> None:
    dense, wide = random_class(3, 120, 40, 0.5), random_class(7, 372, 67, 0.5)
    found = star(dense)
    assert found.witness is not None
    assert found.witness.is_realized_by(dense)
    assert (found.value, found.nodes) == (10, 411_100)
    search = teaching.star_search(wide, max_nodes=200_000)
    for limit in (1e-6, 1e-6, None):  # left after a piece, and continued
        found = search.run(time_limit=limit)
    assert (found.lower, found.upper, found.nodes) == (11, 52, 200_000)
    found = star(random_class(7, 372, 67, 0.05), max_nodes=200_000)
    assert (found.lower, found.upper) == (50, 63)
    assert star_number(classes.singletons(500)) == 499
    equal = np.repeat(classes.cube(4).table, 50, axis=1)  # columns that no star has together
    assert star_number(FiniteClass(np.hstack((equal, 1 - equal)))) == 4


# Teaching sets


def test_teaching_definition_on_many_random_classes() -> None:
    for seed in range(250):
        rng = np.random.default_rng(seed)
        H = random_class(
            seed, int(rng.integers(1, 24)), int(rng.integers(1, 8)), rng.choice([0.3, 0.5])
        )
        sizes = []
        for h in range(len(H)):
            points = dimensions.minimum_teaching_set(H, h)
            assert points == tuple(sorted(set(points)))
            assert len(points) == teaching_by_definition(H.table, h)
            assert dimensions.teaches(H, h, points)
            # No point is idle.
            for x in points:
                assert not dimensions.teaches(H, h, [y for y in points if y != x])
            sizes.append(len(points))
        assert dimensions.teaching_dimension(H) == max(sizes)


def test_teaching_closed_forms() -> None:
    # Every point must be shown of the cube, and of the empty set among singletons.
    assert dimensions.teaching_dimension(classes.cube(5)) == 5
    assert dimensions.teaching_dimension(classes.subsets(9, 1)) == 9
    assert dimensions.minimum_teaching_set(classes.singletons(9), 4) == (4,)
    # A cut is taught by its two neighbours [Goldman and Kearns 1995].
    assert dimensions.teaching_dimension(classes.thresholds(9)) == 2
    # k independent inputs determine a parity, and fewer leave a whole subspace.
    assert dimensions.teaching_dimension(classes.parities(4)) == 4
    assert dimensions.teaching_dimension(classes.FiniteClass([[0, 1]])) == 0
    assert dimensions.teaching_dimension(classes.FiniteClass(np.zeros((1, 0)))) == 0
    assert dimensions.teaching_dimension(classes.FiniteClass(np.zeros((0, 3)))) == -1


def test_teaching_a_budget_gives_certified_bounds() -> None:
    H = random_class(1, 80, 14)
    size = len(dimensions.minimum_teaching_set(H, 0))
    with pytest.raises(errors.BudgetExhausted, match="more than 3 sets") as caught:
        dimensions.minimum_teaching_set(H, 0, max_nodes=3)
    assert caught.value.lower is not None
    assert caught.value.upper is not None
    assert caught.value.lower <= size <= caught.value.upper
    with pytest.raises(errors.BudgetExhausted) as whole:
        dimensions.teaching_dimension(H, max_nodes=3)
    assert whole.value.lower is not None
    assert whole.value.upper is not None
    assert whole.value.lower <= dimensions.teaching_dimension(H) <= whole.value.upper


def test_teaching_bad_input() -> None:
    H = classes.thresholds(3)
    for row in (-1, 4):
        with pytest.raises(
            errors.InvalidInput, match=rf"^hypothesis: got {row}, want a row index below 4$"
        ):
            dimensions.minimum_teaching_set(H, row)
    refuses(r"^points: got 3, want column indices below 3$", dimensions.teaches, H, 0, [3])
    refuses(r"^max_nodes: got 0, want", dimensions.minimum_teaching_set, H, 0, max_nodes=0)
