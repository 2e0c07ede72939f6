"""One exact draw with exponential weights, however long the weights would be in full."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from pac_stability.mechanisms.decays import as_decay
from pac_stability.mechanisms.enclosed_draws import Enclosures, enclosed_choice
from pac_stability.mechanisms.weights import (
    Prior,
    Scores,
    as_counts,
    as_masses,
    as_prior,
    levels_of,
)
from pac_stability.randomness import SYSTEM_COINS, Coins, WeightedChoice

_SHORT = 1 << 16
"""Weights of so many bits in all are written out."""

_GUARD = 32
"""Bits of the weights beyond those of the uniform number."""


def exponential_choice(
    errors: Scores,
    decay: Fraction,
    rng: Coins = SYSTEM_COINS,
    *,
    prior: Prior | None = None,
) -> int:
    """Return the index of a candidate, drawn with probability in proportion to ``decay**errors``.

    Parameters
    ----------
    errors
        One integer for each candidate, at least one candidate; lower is better.
    decay
        rho, an exact number above 0 and at most 1.
    rng
        Where the coins come from; the operating system's entropy by default.
    prior
        What else multiplies the weights: a positive exact number for each candidate, or an array of
        integers. Only their proportions matter. It must not depend on private data.

    Returns
    -------
    int
        The index i has exactly the probability ``prior[i] * decay**errors[i]`` over the sum of
        these; without a prior it is as if all were equal.

    Raises
    ------
    InvalidInput
        The errors are no integers below 2**63 in size, there are none, the decay is out of range,
        or the prior is not one positive exact number for each.

    Notes
    -----
    Candidates with equal errors form a level. First a level is drawn, then one of its members, by
    their prior. Where the weights are short, the level is chosen among these integers, otherwise
    among certified enclosures: :func:`~pac_stability.mechanisms.enclosed_choice`. For 10,000
    candidates and a range of a million errors, 64 bits of the uniform number leave the level open
    with a probability below ``2**-40``.

    O(N log N) on machine integers for N candidates; for L levels that are not negligible and a
    range of K errors, O(L log K) products of about 100 bits.

    Examples
    --------
    >>> from pac_stability.randomness import SeededCoins
    >>> decay = 1 - Fraction(1, 10**6)
    >>> draws = [exponential_choice([0, 10**6], decay, SeededCoins(seed)) for seed in range(1000)]
    >>> sum(draws)  # 1 has the probability 1 / (1 + e), nearly: 0.269
    269
    """
    counts = as_counts(errors)
    rho = as_decay(decay)
    masses = None if prior is None else as_masses(as_prior(prior, len(counts)))
    levels = levels_of(counts, masses)
    excesses = [value - levels.errors[0] for value in levels.errors]
    if excesses[-1] * len(excesses) * rho.denominator.bit_length() <= _SHORT:
        weights = zip(levels.masses, levels.weights(rho), strict=True)
        level = rng.choose(WeightedChoice([mass * weight for mass, weight in weights]))
    else:

        def enclosed(bits: int) -> Enclosures:
            floors, ceilings = enclosed_powers(excesses, rho, bits + _GUARD)
            return (
                [mass * low for mass, low in zip(levels.masses, floors, strict=True)],
                [mass * high for mass, high in zip(levels.masses, ceilings, strict=True)],
            )

        level = enclosed_choice(enclosed, rng)
    members = np.flatnonzero(counts == levels.errors[level])
    if masses is None:
        return int(members[rng.below(len(members))])
    return int(members[rng.choose(WeightedChoice(masses[members].tolist()))])


def enclosed_powers(
    exponents: Sequence[int], decay: Fraction, bits: int
) -> tuple[list[int], list[int]]:
    """Enclose powers of a decay between integers.

    Parameters
    ----------
    exponents
        Non-negative and increasing.
    decay
        rho, above 0 and at most 1.
    bits
        The unit of the results is ``2**-bits``.

    Returns
    -------
    floors, ceilings : list of int
        ``floors[i] <= 2**bits * decay**exponents[i] <= ceilings[i]``, at most ``3 exponents[i]``
        apart, until a floor is 0; what comes after shares its ceiling.

    Examples
    --------
    >>> enclosed_powers([0, 1, 5], Fraction(2, 3), 10)
    ([1024, 682, 133], [1024, 683, 137])
    """
    unit = 1 << bits
    low = decay.numerator * unit // decay.denominator
    squares = [(low, -(-decay.numerator * unit // decay.denominator))]
    for _ in range(1, exponents[-1].bit_length() if exponents else 0):
        low, high = squares[-1]
        squares.append((low * low >> bits, -(-high * high >> bits)))
    floors: list[int] = []
    ceilings: list[int] = []
    for exponent in exponents:
        if floors and floors[-1] == 0:
            # Later powers are smaller still.
            floors.append(0)
            ceilings.append(ceilings[-1])
            continue
        low = high = unit
        for place, (low_square, high_square) in enumerate(squares):
            if exponent >> place & 1:
                low, high = low * low_square >> bits, -(-high * high_square >> bits)
        floors.append(low)
        ceilings.append(high)
    return floors, ceilings
