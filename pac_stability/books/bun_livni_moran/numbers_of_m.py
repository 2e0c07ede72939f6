"""What algorithm M does, in numbers: the subject of what is asked about its sizes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pac_stability.papers.bun_livni_moran.formulas import PrivateFromStable


@dataclass(frozen=True)
class Numbers:
    """What algorithm M does: k runs, noise up to A, release from a count on, then n' examples."""

    runs: int
    noise: int
    cutoff: int
    decay: Fraction
    choice_size: int


def numbers_of(sizes: PrivateFromStable) -> Numbers:
    """Return what the library does."""
    return Numbers(sizes.runs, sizes.noise, sizes.cutoff, sizes.decay, sizes.choice_size)


def never_released(sizes: PrivateFromStable) -> Numbers:
    """Return numbers with which no output of G is ever released: a wrong learner."""
    k = sizes.runs
    return Numbers(k, sizes.noise, k + sizes.noise + 1, sizes.decay, sizes.choice_size)


def half_the_noise(sizes: PrivateFromStable) -> Numbers:
    """Return numbers that give too little privacy."""
    return Numbers(sizes.runs, sizes.noise // 2, sizes.cutoff, sizes.decay, sizes.choice_size)


def few_runs(sizes: PrivateFromStable) -> Numbers:
    """Return numbers with so few runs that the stable output is often missed."""
    runs = -(-sizes.runs // 8)
    cutoff = max(sizes.noise + 2, -(-3 * sizes.eta * runs // 8))
    return Numbers(runs, sizes.noise, cutoff, sizes.decay, sizes.choice_size)
