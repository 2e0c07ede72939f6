"""Proposition 5 and Lemma 13: a frequent output that is always consistent has small loss."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from pac_stability.arguments import (
    AnyNumber,
    as_number,
    as_probability,
    as_size,
    in_words,
)
from pac_stability.arithmetic import Interval, certified_ceiling
from pac_stability.errors import InvalidInput

_BITS = 192


@dataclass(frozen=True, slots=True)
class FrequentOutputLoss:
    """What the loss of an output f of frequency p can be, if outputs fit n fresh examples.

    Parameters
    ----------
    frequency
        p, above 0 and at most 1: the probability of f.
    n
        The number of examples, drawn from the target, that every output is consistent with; at
        least 1.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    f is consistent with the examples with probability (1 - loss)^n, and is output only then, so
    ``p <= (1 - loss)**n``. That is :meth:`allows`, and :meth:`sharp` is the largest loss it allows.
    Weaker, and simpler: ``ln(1/p)/n`` (Proposition 5) and ``log2(1/p)/n`` (Lemma 13, which has
    ``d/n`` for p = 2^-d). The last two differ by the factor 1/ln 2 only, which Lemma 13 gives away
    by ``1 - a <= 2**-a``.

    Proposition 5 is about consistent learners, Lemma 13 about S o T with T ~ D^n, whatever S is.
    Source: BLM20.

    Examples
    --------
    >>> bound = FrequentOutputLoss(Fraction(1, 4), 8)
    >>> [round(float(b), 4) for b in (bound.lemma_13(), bound.proposition_5(), bound.sharp())]
    [0.25, 0.1733, 0.1591]
    >>> bound.allows(Fraction(15, 100)), bound.allows(Fraction(16, 100))
    (True, False)
    """

    frequency: Fraction
    n: int

    def __post_init__(self) -> None:
        p = as_number(self.frequency, "frequency")
        if not 0 < p <= 1:
            raise InvalidInput("frequency", in_words(p), "above 0 and at most 1")
        object.__setattr__(self, "frequency", p)
        object.__setattr__(self, "n", as_size(self.n, "n", least=1))

    def allows(self, loss: AnyNumber) -> bool:
        """Whether an output of this frequency can have this loss: ``p <= (1 - loss)**n``."""
        return self.frequency <= (1 - as_probability(loss, "loss")) ** self.n

    def sharp(self, bits: int = 64) -> Interval:
        """Enclose ``1 - p**(1/n)``."""
        return 1 - Interval.exp(Interval.log(self.frequency, bits) / self.n, bits)

    def proposition_5(self, bits: int = 64) -> Interval:
        """Enclose ``ln(1/p) / n``."""
        return Interval.log(1 / self.frequency, bits) / self.n

    def lemma_13(self, bits: int = 64) -> Interval:
        """Enclose ``log2(1/p) / n``; exact for p = 2^-d, where it is d/n."""
        d = _exponent(self.frequency)
        if d is not None:
            return Interval.exactly(Fraction(d, self.n))
        return Interval.log2(1 / self.frequency, bits) / self.n


def fresh_examples(frequency: AnyNumber, alpha: AnyNumber) -> int:
    """Return the least n with ``log2(1/p) / n <= alpha``, at least 1.

    Parameters
    ----------
    frequency
        p, above 0 and at most 1.
    alpha
        The loss allowed, above 0.

    Returns
    -------
    int
        ``ceil(log2(1/p) / alpha)``; the ``ceil(d / alpha)`` of algorithm G for p = 2^-d.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Examples
    --------
    >>> fresh_examples("1/8", "1/4"), fresh_examples("1/10", "1/4")
    (12, 14)
    """
    p = as_number(frequency, "frequency")
    if not 0 < p <= 1:
        raise InvalidInput("frequency", in_words(p), "above 0 and at most 1")
    a = as_number(alpha, "alpha")
    if a <= 0:
        raise InvalidInput("alpha", in_words(a), "a number above 0")
    d = _exponent(p)
    if d is not None:
        return max(1, math.ceil(d / a))
    # The logarithm of another rational is irrational, so no integer is hit.
    return certified_ceiling(lambda bits: Interval.log2(1 / p, bits) / a)


def fewest_fresh_examples(frequency: AnyNumber, alpha: AnyNumber) -> int:
    """Return the least n with ``(1 - alpha)**n <= p``, at least 1.

    Parameters
    ----------
    frequency
        p, above 0 and at most 1.
    alpha
        The loss allowed, above 0.

    Returns
    -------
    int
        With so many fresh examples an output of frequency p has loss at most alpha: if it had a
        larger one, it would be consistent with them, and so output, less often than p. No smaller
        number says so (:class:`FrequentOutputLoss`), and :func:`fresh_examples` is no smaller.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Logarithms find n; where their enclosure holds an integer, exact powers decide.

    Examples
    --------
    >>> fewest_fresh_examples("1/8", "1/4"), fewest_fresh_examples("1/10", "1/4")
    (8, 9)
    """
    p = as_number(frequency, "frequency")
    if not 0 < p <= 1:
        raise InvalidInput("frequency", in_words(p), "above 0 and at most 1")
    a = as_number(alpha, "alpha")
    if a <= 0:
        raise InvalidInput("alpha", in_words(a), "a number above 0")
    if a >= 1 or p == 1:
        return 1
    quotient = Interval.log(p, _BITS) / Interval.log(1 - a, _BITS)
    least, enough = math.ceil(quotient.lower), math.ceil(quotient.upper)
    return least if least == enough or (1 - a) ** least <= p else enough


def _exponent(p: Fraction) -> int | None:
    """Return d when p = 2^-d."""
    d = p.denominator.bit_length() - 1
    return d if p == Fraction(1, 1 << d) else None
