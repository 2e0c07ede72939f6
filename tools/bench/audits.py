"""Private prediction of a tabulated predictor: the library, and a loop over all pairs in Python."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement

from pac_stability import audit
from pac_stability.data import Neighbouring, Sample, all_examples, neighbouring_pairs

SEED = 5
DENOMINATOR = 1000


class TabulatedPredictor:
    """Random probabilities, looked up by the type of the sample.

    Parameters
    ----------
    points
        How many points there are.
    n
        The size of the samples.
    """

    symmetric = True

    def __init__(self, points: int, n: int) -> None:
        choice = random.Random(SEED)  # noqa: S311 - which predictor it is is no secret
        pairs = [(z.point, z.label) for z in all_examples(range(points))]
        self.table = {
            kind: [Fraction(choice.randrange(1, DENOMINATOR), DENOMINATOR) for _ in range(points)]
            for kind in combinations_with_replacement(pairs, n)
        }

    def probabilities(self, sample: Sample[int], _points: Sequence[int], /) -> list[Fraction]:
        """Return the probability of label 1 at each point."""
        return self.table[tuple(sorted(zip(sample.points, sample.labels, strict=True)))]


def library_private_prediction(predictor: TabulatedPredictor, points: int, n: int) -> Fraction:
    """Return the factor e**epsilon by the library."""
    value = audit.private_prediction(predictor, points, n).value
    if not isinstance(value, Fraction):
        raise SystemExit("the value should be a fraction")
    return value


def plain_private_prediction(predictor: TabulatedPredictor, points: int, n: int) -> Fraction:
    """Return the factor e**epsilon by the definition: pair by pair, point by point."""
    domain = range(points)
    best = Fraction(1)
    for sample, neighbour in neighbouring_pairs(
        all_examples(domain), n, Neighbouring.REPLACE_ONE, up_to_order=True
    ):
        ours = predictor.probabilities(sample, domain)
        theirs = predictor.probabilities(neighbour, domain)
        for p, q in zip(ours, theirs, strict=True):
            best = max(best, p / q, (1 - p) / (1 - q))
    return best


def pairs(points: int, n: int) -> int:
    """Return how many ordered pairs of neighbours are examined: C(n + k - 1, n) n (k - 1)."""
    k = 2 * points
    return math.comb(n + k - 1, n) * n * (k - 1)
