"""What the families know in closed form is what the compiled searches find."""

from __future__ import annotations

import pytest

from pac_stability import classes, dimensions
from pac_stability.classes import FiniteClass

SEARCHES = {
    "littlestone": dimensions.littlestone_dimension,
    "vc": dimensions.vc_dimension,
    "dual_vc": dimensions.dual_vc_dimension,
    "threshold": dimensions.threshold_dimension,
}

TABLES = [
    *(f"thresholds:{n}" for n in (0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 100)),
    *(f"signed_thresholds:{n}" for n in (0, 1, 2, 3, 6, 15)),
    *(f"intervals:{n}" for n in (0, 1, 2, 3, 6, 12)),
    *(f"unions_of_intervals:{n},{k}" for n in (1, 2, 3, 4, 5, 9) for k in (0, 1, 2, 3)),
    *(f"singletons:{n}" for n in (1, 2, 3, 10, 70)),
    *(f"subsets:{n},{k}" for n in (0, 1, 2, 3, 6) for k in range(n + 1)),
    *(f"cube:{n}" for n in range(8)),
    *(f"parities:{k}" for k in range(7)),
    *(f"monotone_conjunctions:{n}" for n in range(6)),
    *(f"conjunctions:{n}" for n in range(5)),
    *(f"affine_lines:{p}" for p in (2, 3, 5, 7)),
    *(f"affine_planes:{p}" for p in (2, 3, 5)),
    *(f"affine_subspaces:{p},{n},{d}" for p in (2, 3) for n in (1, 2, 3) for d in range(n + 1)),
    *(f"boxes:{side},{p}" for side, p in ((1, 1), (2, 1), (3, 1), (2, 2), (3, 2), (2, 3))),
    *(f"stumps:{side},{p}" for side, p in ((1, 1), (2, 1), (2, 2), (3, 2), (2, 3))),
    *(f"halfspaces:{side},{p}" for side, p in ((1, 1), (2, 1), (2, 2), (4, 2), (2, 3))),
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


@pytest.mark.parametrize("left", ["thresholds:7", "affine_lines:3", "cube:2", "singletons:4"])
@pytest.mark.parametrize("right", ["thresholds:3", "parities:2", "subsets:4,2"])
def test_dimensions_of_products_add(left: str, right: str) -> None:
    first, second = classes.from_spec(left), classes.from_spec(right)
    both = classes.product(first, second)
    for name in ("littlestone", "vc"):
        dimension = SEARCHES[name]
        assert dimension(both) == dimension(first) + dimension(second)


@pytest.mark.parametrize("spec", [spec for spec in TABLES if not spec.endswith(":0")])
def test_inequalities_between_dimensions(spec: str) -> None:
    H = classes.from_spec(spec)
    littlestone = dimensions.littlestone_dimension(H)
    assert dimensions.vc_dimension(H) <= littlestone
    assert 2**littlestone <= len(H)
    assert dimensions.threshold_dimension(H) < 2 ** (littlestone + 1)
