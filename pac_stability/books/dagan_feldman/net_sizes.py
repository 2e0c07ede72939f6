"""How many points are a net, explicitly (Section 2.1, Lemma 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import comb

from pac_stability.books.dagan_feldman import lemma_accounts, size_accounts
from pac_stability.books.dagan_feldman.nets import drawn_failure, index_failure
from pac_stability.claims.trials import Budget, Finding, Trials, at_most, settle, trial
from pac_stability.classes import FiniteClass, cube, intervals, thresholds
from pac_stability.dimensions import vc_dimension
from pac_stability.papers.dagan_feldman import (
    sample_complexity,
    threshold_net_failure,
)

SizeInstance = tuple[FiniteClass, Fraction, Fraction]

Size = Callable[[FiniteClass, Fraction, Fraction], int]


def _size_instances(budget: Budget) -> Iterator[SizeInstance]:
    tables = [FiniteClass([[0, 0], [1, 0]]), thresholds(3), intervals(3), cube(3), thresholds(9)]
    alphas = [Fraction(1, 20), Fraction(1, 10), Fraction(1, 3), Fraction(9, 10)]
    yield from product(tables[: budget.pick(4, 5, 5)], alphas, (Fraction(1, 2), Fraction(1, 100)))


def _sharp_size(H: FiniteClass, alpha: Fraction, beta: Fraction) -> int:
    d = max(1, vc_dimension(H))
    return sample_complexity.net_size(alpha, beta, d, class_size=len(H)).subset_size


def _enough(size: Size, instance: SizeInstance) -> Finding:
    H, alpha, beta = instance
    # A distribution that makes the lightest heavy difference just heavier than alpha.
    m = len(H.domain)
    unit = 10**6
    light = alpha.numerator * unit // alpha.denominator + 1
    counts = (light, *((unit - light) // (m - 1) + 1,) * (m - 1)) if m > 1 else (unit,)
    n = size(H, alpha, beta)
    failure = drawn_failure((H, counts, alpha, n))
    return at_most(
        failure,
        beta,
        f"{len(H)} hypotheses, alpha = {alpha}: {n} draws fail with {float(failure):.4g} > {beta}",
    )


Line = tuple[int, int, Fraction]


def _lines(budget: Budget) -> Iterator[Line]:
    for n in range(1, budget.pick(7, 11, 14)):
        for size in range(n + 1):
            yield from product([n], [size], [Fraction(0), Fraction(1, 5), Fraction(1, 2)])


def _on_a_line(failure: Callable[[int, int, Fraction], Fraction], line: Line) -> Finding:
    n, size, alpha = line
    exact = index_failure((thresholds(n), (1,) * n, alpha, size))
    return settle(
        failure(n, size, alpha) == exact, f"{line}: {failure(n, size, alpha)}, not {exact}"
    )


def _one_gap_too_long(n: int, size: int, alpha: Fraction) -> Fraction:
    g = int(alpha * n)
    nets = comb(n, size) - (size + 1) * comb(max(0, n - g - 1), size)
    return 1 - Fraction(nets, comb(n, size))


TRIALS: Trials = {
    "DF20:lemma-4.explicit": (
        trial(
            "sizes",
            _enough,
            _size_instances,
            subject=_sharp_size,
            mutant=lambda H, alpha, beta: _sharp_size(H, alpha, beta) // 2,
            universe="classes on few points, with a point just heavier than alpha",
        ),
        size_accounts.steps(lemma_accounts.nets, lemma_accounts.half_of_a_net),
        trial(
            "thresholds",
            _on_a_line,
            _lines,
            subject=threshold_net_failure,
            mutant=_one_gap_too_long,
            universe="all sizes n' <= n on a short line, three alphas",
            exhaustive=True,
        ),
    ),
}
