"""Classes by name."""

from fractions import Fraction
from pathlib import Path

import pytest

from pac_stability import classes, dimensions
from pac_stability.classes import FiniteClass, Restriction, from_spec, random_class, read_points
from pac_stability.classes.specs import outline_of
from shared_refusals import refuses

SIZES = {
    "thresholds:4": (5, 4),
    "signed_thresholds:4": (8, 4),
    "intervals:4": (11, 4),
    "unions_of_intervals:6,2": (57, 6),
    "singletons:4": (4, 4),
    "subsets:5,2": (16, 5),
    "cube:4": (16, 4),
    "parities:3": (8, 8),
    "monotone_conjunctions:3": (8, 8),
    "conjunctions:3": (28, 8),
    "affine_lines:3": (12, 9),
    "affine_planes:3": (39, 27),
    "affine_subspaces:2,3,1": (28, 8),
    "boxes:3,2": (37, 9),
    "stumps:3,2": (10, 9),
    "halfspaces:3,2": (58, 9),
    "random:20x50:0.5:7": (20, 50),
}


def test_every_name_is_tried() -> None:
    assert {spec.partition(":")[0] for spec in SIZES} == set(classes.SPECS)


@pytest.mark.parametrize(("spec", "shape"), SIZES.items())
def test_tables(spec: str, shape: tuple[int, int]) -> None:
    H = from_spec(spec)
    assert type(H) is FiniteClass
    assert H.table.shape == shape


ON_POINTS = {
    "thresholds": (1, 6),
    "signed_thresholds": (1, 10),
    "intervals": (1, 16),
    "unions_of_intervals:1": (1, 16),
    "singletons": (1, 6),
    "subsets:1": (1, 6),
    "cube": (1, 32),
    "stumps": (1, 10),
    "boxes": (1, 16),
    "halfspaces": (1, 10),
    "parities": (2, 4),
    "monotone_conjunctions": (2, 4),
    "conjunctions": (2, 10),
    "affine_lines:5": (2, 11),
    "affine_planes:5": (2, 1),
    "affine_subspaces:5,0": (2, 5),
}


def test_every_family_is_tried() -> None:
    names = {name for name, spec in classes.SPECS.items() if spec.family is not None}
    assert {spec.partition(":")[0] for spec in ON_POINTS} == names


@pytest.mark.parametrize(("spec", "expected"), ON_POINTS.items())
def test_families_on_points(spec: str, expected: tuple[int, int]) -> None:
    coordinates, count = expected
    points = [(x,) for x in range(5)] if coordinates == 1 else [(0, 0), (0, 1), (1, 0), (1, 1)]
    H = from_spec(spec, [*points, points[0]])
    assert isinstance(H, Restriction)
    assert (len(H), len(H.domain)) == (count, len(points))


def test_a_family_on_the_rows_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("age,income\n31,2.5\n45,2.25\n31,2.5\n28,9\n")
    H = from_spec("stumps", read_points(tmp_path / "data.csv"))
    assert H.domain == ((31, Fraction(5, 2)), (45, Fraction(9, 4)), (28, 9))
    # Incomes order the points against their ages: both columns give the same six patterns.
    assert len(H) == 6
    ages = from_spec("thresholds", read_points(tmp_path / "data.csv", columns=["age"]))
    assert ages.domain == (31, 45, 28)


def test_no_points_at_all() -> None:
    assert from_spec("stumps", []).table.shape == (1, 0)
    assert from_spec("thresholds", []).table.shape == (1, 0)


@pytest.mark.parametrize(("spec", "message"), [
    ("lines:3", r"family: got 'lines' \(near it: .*\), want one of thresholds, .*, random"),
    ("threshold:3", r"family: got 'threshold' \(near it: thresholds, .*\), want one of"),
    ("q:3", "family: got 'q', want one of thresholds, .*, random"),
    ("", "family: got '', want one of"),
    ("thresholds", r"got 'thresholds' with 0 parameter\(s\), want thresholds:n"),
    ("intervals:3,4", "want intervals:n"),
    ("subsets:3", "want subsets:n,k"),
    ("thresholds:many", "n: got 'many', want an integer"),
    ("thresholds:2.5", "n: got '2.5', want an integer"),
    ("thresholds:-1", "n: got -1, want a non-negative integer"),
    ("affine_lines:6", "p: got 6, want a prime"),
    ("random:5", "want random:hypotheses,points,density,seed"),
    ("random:5x5:2", "density: got 2, want a probability"),
    ("random:5x5:x", "density: got 'x', want a number"),
    ("thresholds:x", "n: got 'x', want an integer"),
])  # fmt: skip
def test_bad_specs(spec: str, message: str) -> None:
    refuses(message, from_spec, spec)


@pytest.mark.parametrize(("spec", "points", "message"), [
    ("random", [(0,)], "family: got 'random' with points"),
    ("thresholds", [(0, 1)], "points: got 2 columns, want one, for thresholds"),
    ("thresholds:5", [(0,)], r"got 'thresholds' with 1 parameter\(s\), want thresholds$"),
    ("stumps", [(0, 1), (0,)], "want a tuple of 2 numbers"),
    ("parities", [(0, 2)], "integers from 0 to 1"),
])  # fmt: skip
def test_bad_points_for_a_family(spec: str, points: list[tuple[int, ...]], message: str) -> None:
    refuses(message, from_spec, spec, points)


def test_random_classes_are_reproducible() -> None:
    """The first words of PCG64(7): an entry is 1 when its word is below density * 2^64."""
    assert from_spec("random:20x50:0.5:7") == random_class(20, 50, Fraction(1, 2), 7)
    assert random_class(20, 50, seed=7) != random_class(20, 50, seed=8)
    assert random_class(20, 50, 0).table.tolist() == [[0] * 50]
    assert random_class(20, 50, 1).table.tolist() == [[1] * 50]
    sparse = random_class(100, 100, Fraction(1, 10), 3)
    assert 800 < int(sparse.table.sum()) < 1200
    refuses("seed: got -1", random_class, 2, 2, seed=-1)


@pytest.mark.parametrize("spec", [
    *("thresholds:1", "thresholds:7", "signed_thresholds:5", "intervals:1", "intervals:6"),
    *("unions_of_intervals:6,2", "singletons:1", "singletons:5", "subsets:5,2", "cube:3"),
    *("parities:3", "monotone_conjunctions:3", "conjunctions:1", "conjunctions:3"),
    *("affine_lines:3", "affine_planes:2", "affine_subspaces:2,3,1", "boxes:1,2", "boxes:2,2"),
    *("boxes:3,2", "stumps:2,1", "stumps:3,2", "stumps:2,3", "halfspaces:1,2"),
    *("halfspaces:2,2", "halfspaces:3,2"),
])  # fmt: skip
def test_an_outline_holds_for_the_table_of_the_same_name(spec: str) -> None:
    H, outline = from_spec(spec), outline_of(spec)
    assert outline.points == len(H.domain)
    assert len(H) <= 2**outline.bits
    for name in ("littlestone", "vc", "dual_vc", "threshold"):
        lower, upper = outline.bounds(name)
        assert lower <= getattr(dimensions, f"{name}_dimension")(H) <= upper
        assert H.known.get(name) in (None, outline.known.get(name))
