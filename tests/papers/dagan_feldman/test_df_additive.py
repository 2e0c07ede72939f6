"""The stable learner's selection in polynomial time, against all index subsets."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pac_stability import classes
from pac_stability.arithmetic import Interval
from pac_stability.classes import Family, FiniteClass, Hypothesis
from pac_stability.data import Sample
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman.additive import (
    AdditiveSelection,
    additive_selection,
    has_walk,
)

NARROW = Fraction(1, 10**11)


def by_definition(
    H: Family, sample: Sample[Hashable], subset_size: int, decay: Fraction
) -> dict[Hypothesis, Fraction]:
    """The law of the hypothesis, index subset by index subset, in fractions."""
    law: Counter[Hypothesis] = Counter()
    subsets = Counter(
        frozenset(sample.points[i] for i in chosen)
        for chosen in combinations(range(len(sample)), subset_size)
    )
    for hit, times in subsets.items():
        weights = {
            h: decay ** sum(h(z.point) != z.label for z in sample)
            for h in H.representatives_on(hit)
        }
        for h, weight in weights.items():
            law[h] += Fraction(times, subsets.total()) * weight / sum(weights.values())  # type: ignore[assignment]  # fractions are counted
    return dict(law)  # type: ignore[arg-type]  # as above


def require_enclosure(
    H: Family, sample: Sample[Hashable], subset_size: int, decay: Fraction
) -> AdditiveSelection:
    """Compare everything that a selection says with the definition."""
    law = by_definition(H, sample, subset_size, decay)
    chosen = additive_selection(H, sample, subset_size, decay)
    assert len(set(chosen.hypotheses)) == len(chosen.hypotheses)
    assert set(law) <= set(chosen.hypotheses)
    for index, h in enumerate(chosen.hypotheses):
        assert law.get(h, 0) in chosen.probability(index)
        assert chosen.errors[index] == sum(h(z.point) != z.label for z in sample)
    assert chosen.width < NARROW
    assert 1 in chosen.total()
    points = list(dict.fromkeys(sample.points))
    for point, p in zip(points, chosen.probabilities(points), strict=True):
        assert sum(share * h(point) for h, share in law.items()) in p
    loss = sum(
        share * Fraction(sum(h(z.point) != z.label for z in sample), len(sample))
        for h, share in law.items()
    )
    assert loss in chosen.loss()
    return chosen


FAMILIES: dict[str, Callable[[int], Family]] = {
    "Thresholds()": lambda n: classes.Thresholds(),
    "SignedThresholds()": lambda n: classes.SignedThresholds(),
    "Singletons()": lambda n: classes.Singletons(),
    "Subsets(1)": lambda n: classes.Subsets(1),
    "Subsets(0)": lambda n: classes.Subsets(0),
    "thresholds": classes.thresholds,
    "signed_thresholds": classes.signed_thresholds,
    "singletons": classes.singletons,
    "subsets": lambda n: classes.subsets(n, 1),
    "thresholds backwards": lambda n: classes.thresholds(n).select_rows(range(n, -1, -1)),
    "complements of singletons": lambda n: classes.singletons(n).complement(),
    "centre inside": lambda n: classes.subsets(n, 1).select_rows(
        [1, 2, 0, *range(3, n + 1)][: n + 1]
    ),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_against_all_index_subsets(name: str) -> None:
    for seed in range(25):
        rng = random.Random(seed)
        domain = rng.randint(3, 6)
        H = FAMILIES[name](domain)
        n = rng.randint(1, 7)
        sample: Sample[Hashable] = Sample(
            [rng.randrange(domain) for _ in range(n)], [rng.randrange(2) for _ in range(n)]
        )
        decay = rng.choice([Fraction(1), Fraction(9, 10), Fraction(1, 2), Fraction(1, 1000)])
        require_enclosure(H, sample, rng.randint(1, n), decay)
