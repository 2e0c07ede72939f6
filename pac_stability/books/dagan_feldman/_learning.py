"""Predictions for the constants on one point, the smallest class."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import TypeAlias

from pac_stability.books.dagan_feldman._questions import AnySample, factor_between
from pac_stability.claims.trials import Finding, all_of, factor_at_most
from pac_stability.classes import FiniteClass
from pac_stability.data import Sample
from pac_stability.learning import Predictor

CONSTANTS = FiniteClass([[0], [1]])


Predicts: TypeAlias = Predictor[Hashable, Fraction]
"""A learner with exact predictions."""


def counted(n: int, ones: int) -> AnySample:
    """Return the sample of n examples at one point with some labels 1."""
    return Sample([0] * n, [1] * ones + [0] * (n - ones))


def private_up_to(
    learner: Predicts, n: int, factor: Fraction | float, places: Sequence[int]
) -> Finding:
    """Settle private prediction on samples at one point, next to the given numbers of ones."""

    def at(k: int) -> Finding:
        p, q = (learner.probabilities(counted(n, ones), [0])[0] for ones in (k, k + 1))
        found = factor_between(p, q)
        return factor_at_most(
            found,
            factor,
            f"both constants on one point, n = {n}: between {k} and {k + 1} ones the factor is "
            f"{float(found):.5g} > {float(factor):.5g}",
        )

    return all_of(map(at, places))
