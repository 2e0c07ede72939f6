"""Teaching sets and teaching dimension."""

import numpy as np
import pytest

from pac_stability import classes, dimensions, errors
from shared_classes import random_class
from shared_dimensions import teaching_by_definition


def test_definition_on_many_random_classes() -> None:
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


def test_closed_forms() -> None:
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


def test_a_budget_gives_certified_bounds() -> None:
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


def test_bad_input() -> None:
    H = classes.thresholds(3)
    for row in (-1, 4):
        with pytest.raises(
            errors.InvalidInput, match=rf"^hypothesis: got {row}, want a row index below 4$"
        ):
            dimensions.minimum_teaching_set(H, row)
    with pytest.raises(errors.InvalidInput, match=r"^points: got 3, want column indices below 3$"):
        dimensions.teaches(H, 0, [3])
    with pytest.raises(errors.InvalidInput, match=r"^max_nodes: got 0, want"):
        dimensions.minimum_teaching_set(H, 0, max_nodes=0)
