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
from pac_stability.audit.notions.notion import Floats
from pac_stability.audit.search import asking, engine, sweep
from pac_stability.audit.search.neighbour_ranks import Ranks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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


class Scattered:
    """Probabilities of which hardly two are equal, and both ends."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def probabilities(self, sample: data.Sample[int], points: Sequence[int], /) -> list[Fraction]:
        """Return the probability of label 1 at each point."""
        coins = random.Random(f"{self._seed}{list(sample)}")
        ends = self._seed % 3 == 0
        return [
            Fraction(coins.randint(0, 9) * 9**6 if ends else coins.randint(1, 9**7 - 1), 9**7)
            for _ in points
        ]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("ask", [
    lambda of: audit.uniform_stability(of, 2, 3),
    lambda of: audit.private_prediction(of, 2, 3),
    lambda of: audit.private_prediction(of, 2, 3, Fraction(1, 7)),
    lambda of: audit.private_prediction(of, 2, 3, epsilon=Fraction(1, 3)),
    lambda of: audit.private_prediction(of, 3, 2, relation=data.Neighbouring.ADD_REMOVE),
])  # fmt: skip
def test_the_ends_of_a_clique_say_what_all_its_pairs_do(
    ask: Callable[[Scattered], audit.AuditResult], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = ask(Scattered(seed))
    monkeypatch.setattr(sweep, "_FEW", 10**9)
    plain = ask(Scattered(seed))
    assert (found.value, found.witness, found.counts) == (plain.value, plain.witness, plain.counts)


def test_few_pairs_of_many_values_are_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    scored, scores = [0], sweep.Sweep._scores

    def counted(of: sweep.Sweep, codes: Ranks, known: sweep.Number) -> Floats:
        scored[-1] += len(codes)
        return scores(of, codes, known)

    monkeypatch.setattr(sweep.Sweep, "_scores", counted)
    audit.private_prediction(Scattered(1), 3, 3)
    monkeypatch.setattr(sweep, "_FEW", 10**9)
    scored.append(0)
    audit.private_prediction(Scattered(1), 3, 3)
    assert 5 * scored[0] < scored[1]
