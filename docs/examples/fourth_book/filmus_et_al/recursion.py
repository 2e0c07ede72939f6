"""The randomized and the k-Littlestone dimension of a finite class, as exact recursions.

What is left of a class after some examples is how many errors each hypothesis may still make: the
*budgets*, with -1 for one that has made too many. With k = 0 that is the version space. All values
of the randomized dimension are dyadic.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from pac_stability.classes import FiniteClass

Budgets = tuple[int, ...]


class Budgeted(NamedTuple):
    """A class, and the errors that each of its hypotheses may still make."""

    rows: tuple[tuple[int, ...], ...]
    budgets: Budgets

    def after(self, x: int, y: int) -> Budgeted:
        """Return what is left after an example."""
        left = (max(b - (row[x] != y), -1) for b, row in zip(self.budgets, self.rows, strict=True))
        return Budgeted(self.rows, tuple(left))

    @property
    def is_realizable(self) -> bool:
        """Whether some hypothesis is left."""
        return max(self.budgets) >= 0

    def splits(self) -> Iterator[tuple[Budgeted, Budgeted]]:
        """Give what is left after either label, for the points where both are possible."""
        for x in range(len(self.rows[0])):
            zero, one = self.after(x, 0), self.after(x, 1)
            if zero.is_realizable and one.is_realizable:
                yield zero, one


def budgeted(H: FiniteClass, k: int = 0) -> Budgeted:
    """Return a class of which the best hypothesis makes at most k errors."""
    rows = tuple(tuple(row) for row in H.table.tolist())
    return Budgeted(rows, (k,) * len(rows))


@cache
def randomized_dimension(V: Budgeted) -> Fraction:
    """Return half of the largest expected depth of a random walk in a shattered tree."""
    best = Fraction(0)
    for zero, one in V.splits():
        if V in (zero, one):  # all agree, so that one label changes nothing: R = (1 + R + less) / 2
            less = one if zero == V else zero
            best = max(best, 1 + randomized_dimension(less))
        else:
            best = max(best, (1 + randomized_dimension(zero) + randomized_dimension(one)) / 2)
    return best


@cache
def dimension(V: Budgeted) -> int:
    """Return the largest depth of a complete shattered tree."""
    best = 0
    for zero, one in V.splits():
        # Where all agree, the label that changes nothing has the larger one.
        best = max(best, 1 + min(dimension(left) for left in (zero, one) if left != V))
    return best


@cache
def dimension_within(V: Budgeted, horizon: int) -> int:
    """Return the largest depth of such a tree of at most so many levels."""
    if not horizon:
        return 0
    both = (
        (dimension_within(a, horizon - 1), dimension_within(b, horizon - 1)) for a, b in V.splits()
    )
    return max((1 + min(pair) for pair in both), default=0)


def optimal_prediction(V: Budgeted, x: int) -> Fraction:
    """Return with which probability the optimal learner predicts 1 at a point."""
    zero, one = V.after(x, 0), V.after(x, 1)
    if not (zero.is_realizable and one.is_realizable):
        return Fraction(one.is_realizable)
    p = (1 + randomized_dimension(one) - randomized_dimension(zero)) / 2
    return min(max(p, Fraction(0)), Fraction(1))
