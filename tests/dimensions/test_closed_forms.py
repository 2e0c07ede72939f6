"""What the families know in closed form is what the compiled searches find."""

import pytest

from pac_stability import FiniteClass, classes, dimensions

SEARCHES = {
    "littlestone": dimensions.littlestone_dimension,
    "vc": dimensions.vc_dimension,
    "dual_vc": dimensions.dual_vc_dimension,
    "threshold": dimensions.threshold_dimension,
}

# Larger than the definition can be tried on, which tests/classes does; then what is degenerate.
TABLES = [
    *("thresholds:31", "thresholds:100", "signed_thresholds:15", "intervals:12"),
    *(f"unions_of_intervals:9,{k}" for k in range(4)),
    *("singletons:10", "singletons:70"),
    *(f"subsets:6,{k}" for k in range(7)),
    *("cube:6", "cube:7", "parities:5", "parities:6", "monotone_conjunctions:5", "conjunctions:4"),
    *("affine_lines:7", "affine_planes:3", "affine_planes:5"),
    *(f"affine_subspaces:{p},3,{d}" for p in (2, 3) for d in range(4)),
    *("boxes:3,2", "boxes:2,3", "stumps:3,2", "stumps:2,3", "halfspaces:4,2", "halfspaces:2,3"),
    *("thresholds:0", "intervals:0", "subsets:0,0", "cube:0", "parities:0", "conjunctions:0"),
]


@pytest.mark.parametrize("spec", TABLES)
def test_known_values_are_found(spec: str) -> None:
    H = classes.from_spec(spec)
    found = {name: SEARCHES[name](H) for name in H.known}
    assert found == {name: known.value for name, known in H.known.items()}
    assert all(known.source for known in H.known.values())


def test_every_dimension_is_known_of_some_table() -> None:
    assert {name for spec in TABLES for name in classes.from_spec(spec).known} == set(SEARCHES)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 6, 7, 8, 14, 15, 16, 1000])
def test_thresholds_have_one_hypothesis_more_than_points(n: int) -> None:
    H = classes.thresholds(n)
    assert len(H) == n + 1
    assert dimensions.littlestone_dimension(H) == (n + 1).bit_length() - 1  # floor(log2(n + 1))


def test_conventions() -> None:
    empty = FiniteClass([[0, 1]]).select_rows([])
    assert dimensions.littlestone_dimension(empty) == -1
    assert dimensions.vc_dimension(empty) == -1
    assert dimensions.littlestone_dimension(FiniteClass([[0, 1, 1]])) == 0
    assert dimensions.vc_dimension(FiniteClass([[0, 1, 1]])) == 0
    assert dimensions.littlestone_dimension(FiniteClass([[0, 0, 0], [1, 1, 1]])) == 1


@pytest.mark.parametrize("spec", [spec for spec in TABLES if not spec.endswith(":0")])
def test_inequalities_between_dimensions(spec: str) -> None:
    H = classes.from_spec(spec)
    littlestone = dimensions.littlestone_dimension(H)
    assert dimensions.vc_dimension(H) <= littlestone
    assert 2**littlestone <= len(H)
    assert dimensions.threshold_dimension(H) < 2 ** (littlestone + 1)
