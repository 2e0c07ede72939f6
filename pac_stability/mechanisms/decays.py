"""From a privacy parameter to a rational decay: the one place where rounding happens."""

from __future__ import annotations

from fractions import Fraction

from pac_stability.arguments import AnyNumber, as_open_unit, as_size
from pac_stability.arithmetic import Epsilon, floor_log2
from pac_stability.arithmetic.epsilon import as_epsilon

_SHORT = 32


def decay_for(epsilon: Epsilon | AnyNumber, changes: int = 2, *, bits: int = 16) -> Fraction:
    """Return a decay rho such that ``rho**-changes`` is at most ``e**epsilon``, and near it.

    The mechanisms here have weights that are powers of a *decay* rho, and their guarantee is the
    factor ``rho**-changes``. The rho that would spend all of epsilon, ``e**(-epsilon/changes)``, is
    irrational as a rule.

    Parameters
    ----------
    epsilon
        What may be spent: a number or an :class:`~pac_stability.arithmetic.Epsilon`.
    changes
        How many times the decay enters the guarantee: 2 for an exponential mechanism (once for the
        weight, once for the normaliser), 1 for discrete Laplace noise, times the sensitivity.
    bits
        Precision: rho and 1 - rho are each met up to a relative error of ``2**-bits``.

    Returns
    -------
    Fraction
        Above 0 and at most 1. When a rational rho of at most 32 bits spends epsilon entirely, that
        one; otherwise a multiple of a power of 1/2, rounded *up*, so that the guarantee is never
        weaker than asked. Short numerators make exact sampling fast.

    Raises
    ------
    InvalidInput
        Epsilon is no privacy parameter, or a count is not a positive integer.

    Notes
    -----
    With one more significant bit the guarantee comes about twice as close to the one asked for.

    Examples
    --------
    >>> decay_for(Epsilon.exactly(Fraction(9, 4)))
    Fraction(2, 3)
    >>> decay_for(Epsilon.exactly(2), bits=4)
    Fraction(23, 32)
    >>> Fraction(32, 23) ** 2 <= 2 < Fraction(33, 23) ** 2
    True
    """
    asked = as_epsilon(epsilon)
    changes = as_size(changes, "changes", least=1)
    bits = as_size(bits, "bits", least=1)
    root = (asked / changes).ratio
    if root == 1 or (root**changes == asked.ratio and root.numerator.bit_length() <= _SHORT):
        return 1 / root
    needed = 1 / root  # at least e**(-epsilon/changes), as the root is rounded down
    fine = bits + max(-floor_log2(needed), -floor_log2(1 - needed))
    return Fraction(-((-needed.numerator << fine) // needed.denominator), 1 << fine)


def as_decay(value: object, *, below_one: bool = False) -> Fraction:
    """Return a factor ``decay`` that is positive and at most one (below one, if so wanted)."""
    return as_open_unit(value, "decay", most=not below_one)
