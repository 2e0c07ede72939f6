"""The sizes of Lemma 16 and Theorems 17 and 1, written out from their conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import ceil, floor
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.bun_livni_moran.numbers_of_m import Numbers
from pac_stability.books.bun_livni_moran.two_stages import stable_outputs
from pac_stability.claims.trials import Budget, Finding, settle
from pac_stability.papers.bun_livni_moran.formulas import PrivateFromStable, PrivateLearnerSizes

Choice: TypeAlias = tuple[int, Fraction, Fraction, Fraction]
"""The number of hypotheses, alpha, beta and the decay."""


def choices(_: Budget) -> Iterator[Choice]:
    """Give a grid."""
    alphas, betas = (Fraction(1, 2), Fraction(1, 100)), (Fraction(1, 10), Fraction(1, 1000))
    decays = (Fraction(4, 9), Fraction(19, 20), Fraction(999, 1000))
    yield from product((1, 2, 32, 1000), alphas, betas, decays)


def is_least(size: Callable[[int, Fraction, Fraction, Fraction], int], it: Choice) -> Finding:
    """Whether a size is the least with the conditions of Lemma 16 with constants."""
    n = size(*it)
    return settle(
        _enough(n, *it) and not _enough(n - 1, *it),
        f"{it[0]} hypotheses, alpha = {it[1]}, beta = {it[2]}, r = {it[3]}: n = {n} is not the "
        "least that meets both conditions",
    )


def _enough(n: int, count: int, alpha: Fraction, beta: Fraction, r: Fraction) -> bool:
    log = Interval.log
    return (
        log(4 * count / beta) * 36 / alpha <= n
        and log(2 * count / beta) * 3 / log(1 / r) / alpha <= n
    )


def all_sizes(budget: Budget) -> Iterator[PrivateFromStable]:
    """Give algorithms M over a G that takes 520 examples."""
    for eta, beta, epsilon, delta in stable_outputs(budget):
        yield PrivateFromStable(520, eta, Fraction(1, 4), beta, epsilon, delta, "proved")


def are_stated(
    numbers: Callable[[PrivateFromStable], Numbers], sizes: PrivateFromStable
) -> Finding:
    """Whether M runs G as often as stated, releases from where it may, and chooses from enough."""
    M, eta = numbers(sizes), sizes.eta

    def often(k: int) -> bool:
        return Interval.log(2 / sizes.beta) * 8 / eta <= k and Fraction(8 * M.noise) / eta <= k

    few = floor(4 / eta), sizes.alpha / 2, sizes.beta / 2, M.decay
    right = (
        often(M.runs) and not often(M.runs - 1),
        M.cutoff == ceil(3 * eta * M.runs / 8) >= M.noise + 2,
        _enough(M.choice_size, *few) and not _enough(M.choice_size - 1, *few),
        sizes.sample_size == M.runs * sizes.run_size + M.choice_size,
    )
    return settle(all(right), f"{sizes}: {M} is as stated in {right}")


Parameters: TypeAlias = tuple[int, Fraction, Fraction]
"""d, alpha and beta."""

_FREQUENCIES = {1: 2, 2: 10, 3: 140, 4: 32920}
"""1/tau_d, as BLM20:lemma-12.repaired states it."""


def parameters(_: Budget) -> Iterator[Parameters]:
    """Give a grid."""
    alphas = (Fraction(1, 4), Fraction(1, 3), Fraction(2, 100))
    yield from product((1, 2, 3, 4), alphas, (Fraction(1, 10), Fraction(1, 1000)))


def sizes_of_theorem_1(d: int, alpha: Fraction, beta: Fraction) -> PrivateLearnerSizes:
    """Return the sizes of the library for epsilon = 1 and delta = 10^-6."""
    return PrivateLearnerSizes(d, alpha, beta, Epsilon(1.0), Fraction(1, 10**6), "proved")


def printed_sizes(d: int, alpha: Fraction, beta: Fraction) -> PrivateLearnerSizes:
    """Return sizes with the printed frequency: wrong numbers for d >= 2."""
    return PrivateLearnerSizes(d, alpha, beta, Epsilon(1.0), Fraction(1, 10**6), "printed")


def follows(
    sizes: Callable[[int, Fraction, Fraction], PrivateLearnerSizes], it: Parameters
) -> Finding:
    """Whether M is over algorithm G for alpha/2, as Theorem 10 with constants has it."""
    d, alpha, beta = it
    found, inverse = sizes(d, alpha, beta), _FREQUENCIES[d]
    n = ceil((Interval.log2(inverse) * 2 / alpha).lower) if d > 1 else ceil(2 / alpha)
    m = (2 * 4 ** (d + 1) * inverse + 1) * n
    eta = Fraction(1, inverse * 2 * (d + 1))
    M = PrivateFromStable(m, eta, alpha, beta, Epsilon(1.0), Fraction(1, 10**6), "proved")
    return settle(
        found.private == M and found.sample_size == M.sample_size,
        f"d = {d}, alpha = {alpha}, beta = {beta}: {found.private}, not {M}",
    )
