"""What a target distribution must be."""

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import Example, FiniteClass, FiniteDistribution, classes, testing
from pac_stability.errors import InvalidInput, NotRealizable
from pac_stability.papers.bun_livni_moran.tournament_laws import require_realizable

PAIRS = [(x, y) for x in range(4) for y in (0, 1)]


@settings(max_examples=40)
@given(
    testing.strategies.finite_classes(min_points=4, max_points=4, max_hypotheses=5),
    st.sets(st.sampled_from(PAIRS), min_size=1),
)
def test_a_target_is_taken_when_some_hypothesis_fits_it(
    H: FiniteClass, pairs: set[tuple[int, int]]
) -> None:
    rows: list[list[int]] = H.table.tolist()

    def fitting(examples: set[tuple[int, int]]) -> tuple[int, ...]:
        return tuple(i for i, row in enumerate(rows) if all(row[x] == y for x, y in examples))

    law = FiniteDistribution.uniform(Example(x, y) for x, y in sorted(pairs))
    if fitting(pairs):
        found = require_realizable(H, law)
        assert found.concepts == sum(1 << row for row in fitting(pairs))
        assert set(zip(found.columns, found.labels, strict=True)) == pairs
        return
    with pytest.raises(NotRealizable) as caught:
        require_realizable(H, law)
    named = {(int(x), int(y)) for x, y in re.findall(r"\((\d), (\d)\)", str(caught.value))}
    assert named <= pairs
    assert not fitting(named)
    assert all(fitting(named - {one}) for one in named)


def test_points_become_columns_and_probabilities_integers() -> None:
    H = FiniteClass([[0, 1], [1, 1]], domain=["a", "b"])
    law = FiniteDistribution({Example("b", 1): Fraction(1, 3), Example("a", 1): Fraction(2, 3)})
    found = require_realizable(H, law)
    assert (found.columns, found.labels, found.weights) == ((1, 0), (1, 1), (1, 2))
    assert (found.denominator, found.concepts) == (3, 0b10)


def test_bad_input_is_named() -> None:
    law = FiniteDistribution.point_mass(Example(0, 1))
    with pytest.raises(InvalidInput, match="H: got the empty class"):
        require_realizable(FiniteClass(np.zeros((0, 2))), law)
    with pytest.raises(InvalidInput, match="target: got the outcome 3, want Example objects"):
        require_realizable(
            classes.thresholds(2),
            FiniteDistribution.point_mass(3),  # type: ignore[arg-type]  # what is refused
        )
    with pytest.raises(InvalidInput, match="target: got 3, want a FiniteDistribution"):
        require_realizable(
            classes.thresholds(2),
            3,  # type: ignore[arg-type]  # what is refused
        )
    with pytest.raises(InvalidInput, match="target: got an example at 9, want points of the dom"):
        require_realizable(classes.thresholds(2), FiniteDistribution.point_mass(Example(9, 1)))
