"""Littlestone dimension against the definition, closed forms and invariances."""

import itertools

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given

from pac_stability import FiniteClass, dimensions, errors
from pac_stability.testing import strategies
from shared_dimensions import (
    bitset_search,
    informed_search,
    littlestone_by_definition,
    plain_recursion,
)
from shared_refusals import refuses

Rows = tuple[tuple[int, ...], ...]

CLASSES = strategies.finite_classes(max_points=7, max_hypotheses=24)
FACTORS = strategies.finite_classes(max_points=7, max_hypotheses=12)


def rows_of(H: FiniteClass) -> Rows:
    return tuple(tuple(row) for row in H.table.tolist())


def random_class(rng: np.random.Generator, hypotheses: int, points: int) -> FiniteClass:
    shape = (rng.integers(1, hypotheses + 1), rng.integers(1, points + 1))
    return FiniteClass((rng.random(shape) < rng.random()).astype(np.uint8))


def field_points(p: int, n: int) -> npt.NDArray[np.int64]:
    return np.array(list(itertools.product(range(p), repeat=n)))


@pytest.mark.parametrize("seed", range(10))
def test_thousands_of_small_classes_against_the_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(250):
        H = random_class(rng, 12, 6)
        want = littlestone_by_definition(rows_of(H))
        bounds = dimensions.littlestone(H)
        assert (bounds.lower, bounds.upper) == (want, want)
        assert bounds.tree is not None
        assert bounds.tree.depth == want
        assert bounds.tree.is_shattered_by(H)
        proof = dimensions.refutation(H)
        assert proof.level == want + 1
        assert proof.refutes(H)


@pytest.mark.parametrize("search", [plain_recursion, informed_search, bitset_search])
def test_the_readable_twins_against_the_definition(search: object) -> None:
    assert callable(search)
    rng = np.random.default_rng(99)
    for _ in range(200):
        H = random_class(rng, 10, 6)
        assert search(H.table) == littlestone_by_definition(rows_of(H))
    assert search(np.zeros((0, 2), dtype=np.uint8)) == -1


@pytest.mark.parametrize("density", [0.1, 0.25, 0.5, 0.8])
def test_the_core_against_the_readable_twins_on_larger_classes(density: float) -> None:
    rng = np.random.default_rng(7)
    for _ in range(25):
        H = FiniteClass((rng.random((rng.integers(20, 150), 10)) < density).astype(np.uint8))
        want = dimensions.littlestone_dimension(H)
        assert bitset_search(H.table) == want
        assert informed_search(H.table) == want


def test_conventions() -> None:
    empty = FiniteClass(np.zeros((0, 3), dtype=np.uint8))
    assert dimensions.littlestone_dimension(empty) == -1
    assert dimensions.littlestone(empty) == dimensions.LittlestoneBounds(-1, -1, None)
    refuses(r"^H: got the empty class", dimensions.shattered_tree, empty)
    one = FiniteClass([[1, 0, 1]])
    assert dimensions.littlestone_dimension(one) == 0
    assert dimensions.shattered_tree(one).depth == 0
    assert dimensions.littlestone_dimension(FiniteClass([[0, 0], [1, 1]])) == 1


@pytest.mark.parametrize("n", [1, 2, 3, 4, 7, 8, 15, 16, 30, 31, 32, 255, 256])
def test_thresholds(n: int) -> None:
    H = FiniteClass((np.arange(n) < np.arange(n + 1)[:, None]).astype(np.uint8))
    assert dimensions.littlestone_dimension(H) == (n + 1).bit_length() - 1


@pytest.mark.parametrize("n", [2, 3, 10, 65, 300])
def test_singletons(n: int) -> None:
    assert dimensions.littlestone_dimension(FiniteClass(np.eye(n, dtype=np.uint8))) == 1


@pytest.mark.parametrize(("n", "k"), [(4, 1), (6, 2), (9, 3), (12, 3), (9, 4)])
def test_subsets_of_bounded_size(n: int, k: int) -> None:
    # k mistakes exhaust a subset; asking new points and answering 1 forces them.
    rows = [
        [int(i in chosen) for i in range(n)]
        for size in range(k + 1)
        for chosen in itertools.combinations(range(n), size)
    ]
    assert dimensions.littlestone_dimension(FiniteClass(rows)) == k


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_the_cube(n: int) -> None:
    rows = list(itertools.product((0, 1), repeat=n))
    assert dimensions.littlestone_dimension(FiniteClass(rows)) == n


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 6])
def test_parities(k: int) -> None:
    # The 2^k parities contain k independent columns, so the dimension is log2 |H|.
    codes = np.arange(2**k)
    table = np.array([[(a & x).bit_count() % 2 for x in codes.tolist()] for a in codes.tolist()])
    assert dimensions.littlestone_dimension(FiniteClass(table)) == k


@pytest.mark.parametrize("p", [3, 5])
def test_affine_lines_have_dimension_two(p: int) -> None:
    # Two points fix a line; the answers 1, 1 leave one, and a 0 leaves at most dimension 1 once
    # a point of the line is known.
    points = field_points(p, 2)
    rows = [
        (points @ normal % p == c)
        for normal in [(1, b) for b in range(p)] + [(0, 1)]
        for c in range(p)
    ]
    assert dimensions.littlestone_dimension(FiniteClass(np.array(rows, dtype=np.uint8))) == 2


def test_affine_planes_have_dimension_three() -> None:
    points = field_points(3, 3)
    normals = [v for v in itertools.product(range(3), repeat=3) if next(filter(None, v), 0) == 1]
    rows = [(points @ np.array(normal) % 3 == c) for normal in normals for c in range(3)]
    assert len(rows) == 39
    assert dimensions.littlestone_dimension(FiniteClass(np.array(rows, dtype=np.uint8))) == 3


@given(CLASSES)
def test_names_of_points_labels_and_hypotheses_do_not_matter(H: FiniteClass) -> None:
    want = dimensions.littlestone_dimension(H)
    points = len(H.domain)
    rng = np.random.default_rng(int(H.table.sum()))
    shuffled = H.table[rng.permutation(len(H))][:, rng.permutation(points)]
    assert dimensions.littlestone_dimension(FiniteClass(shuffled)) == want
    flipped = H.table ^ (rng.random(points) < 0.5)
    assert dimensions.littlestone_dimension(FiniteClass(flipped)) == want
    repeated = np.hstack([H.table, H.table[:, ::-1]])
    assert dimensions.littlestone_dimension(FiniteClass(repeated)) == want


@given(CLASSES)
def test_bounds_by_size_and_by_removing_one_hypothesis(H: FiniteClass) -> None:
    want = dimensions.littlestone_dimension(H)
    assert want <= len(H).bit_length() - 1
    search = dimensions.LittlestoneSearch(H)
    for row in range(len(H)):
        smaller = search.dimension_of(i for i in range(len(H)) if i != row)
        assert want - 1 <= smaller <= want


@given(FACTORS, FACTORS)
def test_products_add_and_unions_cost_one(A: FiniteClass, B: FiniteClass) -> None:
    a, b = dimensions.littlestone_dimension(A), dimensions.littlestone_dimension(B)
    product = [np.concatenate([first, second]) for first in A.table for second in B.table]
    assert dimensions.littlestone_dimension(FiniteClass(np.array(product))) == a + b
    m = min(len(A.domain), len(B.domain))
    union = np.vstack([A.table[:, :m], B.table[:, :m]])
    a, b = (dimensions.littlestone_dimension(FiniteClass(part.table[:, :m])) for part in (A, B))
    assert max(a, b) <= dimensions.littlestone_dimension(FiniteClass(union)) <= a + b + 1


def test_a_budget_leaves_bounds_and_a_tree_and_the_search_resumes() -> None:
    rng = np.random.default_rng(3)
    H = FiniteClass((rng.random((1200, 30)) < 0.25).astype(np.uint8))
    want = dimensions.littlestone_dimension(H)
    search = dimensions.LittlestoneSearch(H)
    bounds = search.run(time_limit=1e-9)
    assert not bounds.exact
    assert bounds.lower <= want <= bounds.upper
    assert bounds.tree is not None
    assert bounds.tree.depth == bounds.lower
    assert bounds.tree.is_shattered_by(H)
    with pytest.raises(errors.BudgetExhausted) as caught:
        _ = bounds.value
    assert (caught.value.lower, caught.value.upper) == (bounds.lower, bounds.upper)
    again = search.run()
    assert again.value == want
    assert again.tree is not None
    assert again.tree.is_shattered_by(H)
    assert again.nodes >= bounds.nodes


def test_an_exception_in_a_callback_comes_out_and_the_search_goes_on() -> None:
    rng = np.random.default_rng(3)
    H = FiniteClass((rng.random((1200, 30)) < 0.25).astype(np.uint8))
    search = dimensions.LittlestoneSearch(H)
    seen: list[dimensions.SearchProgress] = []

    def stop_at_five(progress: dimensions.SearchProgress) -> None:
        seen.append(progress)
        if progress.lower == 5:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        search.run(progress=stop_at_five)
    assert search.lower == seen[-1].lower == 5
    assert search.tree() is not None
    assert search.run().value == dimensions.littlestone_dimension(H)


def test_too_little_memory_gives_the_trivial_bounds() -> None:
    H = FiniteClass(np.eye(100, dtype=np.uint8))
    with pytest.raises(errors.BudgetExhausted) as caught:
        dimensions.littlestone(H, max_memory=1000)
    assert (caught.value.lower, caught.value.upper) == (1, 6)


@pytest.mark.parametrize("limit", [0, -1.0, float("nan")])
def test_time_limits_must_be_positive(limit: float) -> None:
    refuses(r"^time_limit: got", dimensions.littlestone, FiniteClass([[0], [1]]), time_limit=limit)


def test_other_bad_arguments() -> None:
    H = FiniteClass([[0], [1]])
    refuses(r"^max_memory: got 0", dimensions.littlestone, H, max_memory=0)
    refuses(r"^rows: got", dimensions.LittlestoneSearch(H).dimension_of, [2])
    refuses(r"^rows: got", dimensions.LittlestoneSearch(H).dimension_of, [-1])
    with pytest.raises(errors.InvalidInput, match=r"^rows: got"):
        dimensions.LittlestoneSearch(H).dimension_of([0.5])  # type: ignore[list-item]  # wrong on purpose
    assert dimensions.LittlestoneSearch(H).dimension_of([]) == -1
