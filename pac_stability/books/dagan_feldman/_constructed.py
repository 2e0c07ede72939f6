"""How far one example moves the predictions of a learner that is made for a stability."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction

from pac_stability.books.dagan_feldman._questions import AnySample, examples_on
from pac_stability.books.dagan_feldman.learning_tasks import delicate
from pac_stability.claims.trials import Budget, Finding, at_most
from pac_stability.classes import Family, FiniteClass, cube, thresholds
from pac_stability.data import Sample
from pac_stability.papers.dagan_feldman import ChosenRepresentatives, StableLearner

Constructed = Callable[[Family, Fraction, int], StableLearner]
Promised = tuple[Family, tuple[Hashable, ...], Fraction, AnySample]
"""A class on some points, gamma, and a sample of at least 1/gamma examples."""


def concentrated(budget: Budget) -> Iterator[Promised]:
    """Give samples with gamma n = 2 and 3 of which one example matters."""
    sizes = [(Fraction(1, 10), 20), (Fraction(1, 4), 12), (Fraction(3, 10), 11)]
    sizes += [(Fraction(1, 6), 13), (Fraction(1, 20), 61)][: budget.pick(0, 1, 2)]
    for gamma, n in sizes:
        yield ATTAINING, (0, 1, 2, 3, 4), gamma, balanced(n, 1 - n % 2)
        for H in (cube(2), thresholds(3), cube(3)):
            yield from ((H, tuple(H.domain), gamma, sample) for sample in delicate(H, n))


CONCENTRATED = "gamma n = 2 and 3, four classes: samples of which one example matters"


def _chosen_by_x(points: frozenset[Hashable], rows: tuple[int, ...]) -> int:
    """Prefer the label of 4 that the point 2 or 3 decides, or else that of the point 0."""
    wanted = 1 if 2 in points else 0 if 3 in points else int(_MOVED.table[rows[0]][0])
    return next((row for row in rows if _MOVED.table[row][4] == wanted), rows[0])


# On the points 0 to 4: 0 and 1 have most examples, 2 and 3 the one that is replaced, 4 is asked.
_MOVED = FiniteClass([[1, 0, 1, 1, 1], [0, 0, 0, 0, 0], [0, 0, 0, 0, 1], [1, 0, 1, 1, 0]])

ATTAINING = ChosenRepresentatives(_MOVED, _chosen_by_x)
"""A class on five points that moves as far as any: see :func:`balanced`."""


def balanced(n: int, extra: int) -> AnySample:
    """Return a sample whose first example decides, if it is in T, all labels of the point 4.

    If it is not, two hypotheses are equally good, but for that example; ``extra`` examples, at a
    point where all agree, are left over.
    """
    half = (n - 1 - extra) // 2
    points: list[Hashable] = [2, *[0] * (2 * half), *[1] * extra]
    return Sample(points, [1, *[0] * half, *[1] * half, *[0] * extra])


def moves(multiple: int, construct: Constructed, promise: Promised) -> Finding:
    """Settle that a learner's predictions are stable up to a multiple of gamma, on one sample."""
    H, points, gamma, sample = promise
    learner = construct(H, gamma, len(sample))
    here = learner.probabilities(sample, points)
    moved = max(
        abs(p - q)
        for other in neighbours_of_types(sample, points)
        for p, q in zip(here, learner.probabilities(other, points), strict=True)
    )
    return at_most(
        moved,
        multiple * gamma,
        f"{H}, {sample}, gamma = {gamma}: a prediction moves by {moved}",
        ceiling=1,
    )


def neighbours_of_types(sample: AnySample, points: tuple[Hashable, ...]) -> Iterator[AnySample]:
    """Give one neighbour of each type."""
    places = {z: index for index, z in enumerate(sample)}
    for z, index in places.items():
        yield from (sample.replace(index, w) for w in examples_on(points) if w != z)


def of_all_indices(H: Family, gamma: Fraction, n: int) -> StableLearner:
    """Construct without a random subset: a wrong learner."""
    return StableLearner(H, n, gamma)


def from_stability(H: Family, gamma: Fraction, n: int) -> StableLearner:
    """Construct with nothing given away."""
    return StableLearner.from_stability(H, gamma, n)
