"""How a search moves among the instances of the claims about DF20."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from pac_stability.books.dagan_feldman._questions import AnyExample, AnySample
from pac_stability.claims.trials import Climb, Genes
from pac_stability.classes import FiniteClass, cube, thresholds
from pac_stability.data import Example, FiniteDistribution, Sample

Case = tuple[FiniteClass, int, AnySample, int, Fraction]
"""A class, a choice of representatives, a sample, n' and rho."""

_CLASSES: tuple[Callable[[], FiniteClass], ...] = (
    lambda: FiniteClass([[0, 0], [0, 1]]),
    lambda: thresholds(2),
    lambda: cube(2),
    lambda: thresholds(3),
)


def sampled_cases(name: str, *, n: range, sizes: range, decays: Sequence[Fraction]) -> Climb[Case]:
    """Describe a case by its class, the choice of representatives, n, n', rho and n examples."""

    def instance(genes: Genes) -> Case | None:
        which, seed, count, size, decay, *codes = genes
        H = _CLASSES[which]()
        examples = [Example(code // 2 % len(H.domain), code % 2) for code in sorted(codes[:count])]
        if size > count:
            return None
        return H, seed, Sample.from_examples(examples), size, decays[decay]

    genes = (range(len(_CLASSES)), range(3), n, sizes, range(len(decays)))
    return Climb(name, (*genes, *(range(6) for _ in range(n[-1]))), instance)


Deviation = tuple[FiniteClass, FiniteDistribution[AnyExample], int, Fraction]
"""A class on two points, a distribution of examples, n and alpha."""


def deviations(name: str, most: int) -> Climb[Deviation]:
    """Describe a deviation by three rows, four weights, n and the twentieths of alpha."""

    def instance(genes: Genes) -> Deviation | None:
        rows, (*weights, n, twentieths) = sorted(set(genes[:3])), genes[3:]
        total = sum(weights)
        if not total:
            return None
        examples = (Example(x, y) for x in (0, 1) for y in (0, 1))
        law = {z: Fraction(w, total) for z, w in zip(examples, weights, strict=True) if w}
        H = FiniteClass([[row & 1, row >> 1] for row in rows])
        return H, FiniteDistribution(law), n, Fraction(twentieths, 20)

    few = range(4), range(4), range(4)
    weights = (range(7), range(7), range(7), range(7))
    return Climb(name, (*few, *weights, range(1, most + 1), range(1, 20)), instance)


Sampled = tuple[FiniteClass, tuple[int, ...], Fraction, int]
"""A class, how often each point is in the sample, alpha and n'."""


def sampled_nets(name: str) -> Climb[Sampled]:
    """Describe a sample by up to six rows on up to four points, counts, alpha and n'."""

    def instance(genes: Genes) -> Sampled | None:
        points, twentieths, size, *more = genes
        rows, counts = sorted({row % (1 << points) for row in more[:6]}), more[6 : 6 + points]
        if size > sum(counts):
            return None
        H = FiniteClass([[row >> x & 1 for x in range(points)] for row in rows])
        return H, tuple(counts), Fraction(twentieths, 20), size

    rows = tuple(range(16) for _ in range(6))
    counts = tuple(range(4) for _ in range(4))
    return Climb(name, (range(1, 5), range(1, 20), range(1, 10), *rows, *counts), instance)


Errors = tuple[tuple[int, ...], Fraction]
"""The numbers of errors of the candidates, the least of them 0, and the decay."""


def errors(name: str) -> Climb[Errors]:
    """Describe numbers of errors by two groups of candidates beside the best, and a decay."""

    def instance(genes: Genes) -> Errors:
        places, some, few, others, many = genes
        return (0, *sorted([few] * some + [many] * others)), 1 - Fraction(1, places)

    groups = range(1, 61), range(121), range(61), range(121)
    return Climb(name, (range(2, 61), *groups), instance)


Parameters = tuple[int, int, Fraction]
"""n, n' and eta."""


def parameters(name: str) -> Climb[Parameters]:
    """Describe parameters by hundreds of n, thousandths of n'/n and hundredths of eta."""

    def instance(genes: Genes) -> Parameters | None:
        hundreds, share, eta = genes
        n = 100 * hundreds
        if eta * n < 100 or not share * n >= 1000:
            return None
        return n, share * n // 1000, Fraction(eta, 100)

    return Climb(name, (range(1, 41), range(1, 1000, 1), range(1, 100)), instance)
