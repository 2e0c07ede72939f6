"""Rows of fractions are kept, and put in order, as if they were compared value by value."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability import audit, data
from pac_stability.audit.search import asking, engine, sweep

if TYPE_CHECKING:
    from collections.abc import Sequence

NEAR = Fraction(1, 1 << 90)


class Named(Fraction):
    """A fraction of a type of its own."""


VALUES = st.sampled_from([
    Fraction(1, 2), Fraction(2, 4), Fraction(1), Fraction(0), Named(1, 2), 1, True, 0.5,
    data.FiniteDistribution({0: Fraction(1)}), data.FiniteDistribution({False: Fraction(1)}),
])  # fmt: skip


@given(st.lists(st.tuples(VALUES, VALUES, VALUES), max_size=8))
def test_a_row_has_the_places_of_its_values(rows: list[tuple[object, object, object]]) -> None:
    kept, one_by_one = asking.Answers(3), asking.Answers(3)
    for row in rows:
        kept.add(row)
        one_by_one.places.extend([one_by_one.place(value) for value in row])
    assert (kept.values, kept.places) == (one_by_one.values, one_by_one.places)
    # Which of two equal laws came first is seen in what is assumed.
    laws = [value for row in rows for value in row if isinstance(value, data.FiniteDistribution)]
    outcomes = {repr(outcome) for law in laws for outcome in law.support}
    assert len(kept.assumed) == (len(outcomes) == 2)


@given(
    st.lists(
        st.builds(
            lambda k, near: Fraction(k, 3) + near * NEAR, st.integers(0, 4), st.integers(-2, 2)
        ),
        unique=True,
    )
)
def test_fractions_that_floats_do_not_tell_apart_are_in_order(values: list[Fraction]) -> None:
    ordered, places = sweep.in_order(values)
    assert ordered == tuple(sorted(values))
    assert [ordered[place] for place in places] == values


@given(st.integers(1, 4).flatmap(lambda w: st.lists(st.tuples(*[st.integers(-3, 3)] * w))))
def test_rows_are_numbered_in_lexicographic_order(rows: list[tuple[int, ...]]) -> None:
    table = np.array(rows, dtype=np.int64).reshape(len(rows), len(rows[0]) if rows else 1)
    distinct, numbers = engine.distinct_rows(table)
    assert list(map(tuple, distinct.tolist())) == sorted(set(rows))
    assert [tuple(distinct[number].tolist()) for number in numbers] == rows


class Near:
    """Probabilities that floats do not tell apart, the larger ones first."""

    def probabilities(self, sample: data.Sample[int], points: Sequence[int], /) -> list[Fraction]:
        """Return the probability of label 1 at each point."""
        return [Fraction(1, 3) - (sum(sample.labels) + point) * NEAR for point in points]


def test_the_probabilities_of_a_certificate_increase() -> None:
    every = audit.private_prediction(Near(), 2, 2, epsilon=1).answers
    assert every is not None
    assert every.values == tuple(Fraction(1, 3) - k * NEAR for k in (3, 2, 1, 0))


@pytest.mark.parametrize("seed", range(12))
def test_the_first_of_the_worst_pairs_among_many_alike(seed: int) -> None:
    """All members of a domain are neighbours: the largest share of an outcome, and the smallest."""
    rng = random.Random(seed)
    weights = [[rng.randint(seed % 2, 3) for _ in range(4)] for _ in range(6)]
    laws = [
        data.FiniteDistribution({y: Fraction(w, sum(row)) for y, w in enumerate(row) if w})
        for row in ([a, b, c, d or 1] for a, b, c, d in weights)
    ]
    result = audit.differential_privacy(
        lambda rows: laws[rows[0]], 6, 1, labelled=False, processes=1
    )

    def ratio(one: int, other: int) -> float | Fraction:
        shares = [(laws[one].probability(y), laws[other].probability(y)) for y in range(4)]
        return max(max(p / q if q else math.inf, q / p if p else math.inf)
                   for p, q in shares if p or q)  # fmt: skip

    worst = max(ratio(*pair) for pair in combinations(range(6), 2))
    first = next(pair for pair in combinations(range(6), 2) if ratio(*pair) == worst)
    assert result.value == worst
    assert result.witness is not None
    assert {result.witness.sample, result.witness.neighbour} == {(k,) for k in first}
