"""The best private predictions at a point, by exact linear programmes from the definition."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, product

from pac_stability.notions.simulation.exact_lp import LinearProgram

Privacy = tuple[Fraction, Fraction]
"""e**epsilon and delta."""
Type = tuple[tuple[int, int], ...]
"""A sample up to order: pairs of point and label, sorted."""
Weights = dict[tuple[Type, int], Fraction]
"""How much an error counts, by sample and true label."""


def least_error(points: int, n: int, weights: Weights, privacy: Privacy) -> Fraction:
    """Return the least weighted error at one point of all private predictions from n examples.

    The variables are the probabilities of label 1 and of label 0, for every sample up to order.
    """
    factor, delta = privacy
    kinds: list[Type] = list(
        combinations_with_replacement(product(range(points), (0, 1)), n),
    )
    size = 2 * len(kinds)
    costs = [Fraction(0)] * size
    for place, kind in enumerate(kinds):
        costs[2 * place] = weights.get((kind, 0), Fraction(0))
        costs[2 * place + 1] = weights.get((kind, 1), Fraction(0))
    program = LinearProgram(costs)
    for place in range(len(kinds)):
        both = [Fraction(index // 2 == place) for index in range(size)]
        program.require(both, 1)
        program.require([-entry for entry in both], -1)
    for (i, one), (j, other) in product(enumerate(kinds), repeat=2):
        if (Counter(one) - Counter(other)).total() == 1:
            for side in (0, 1):
                row = [Fraction(0)] * size
                row[2 * i + side], row[2 * j + side] = Fraction(-1), factor
                program.require(row, -delta)
    if not program.solve():
        raise AssertionError
    return program.value
