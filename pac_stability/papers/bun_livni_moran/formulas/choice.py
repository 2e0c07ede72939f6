"""Lemma 16: how many examples a choice from a list takes, and its decay."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from pac_stability.arguments import (
    AnyNumber,
    as_number,
    as_open_unit,
    as_size,
    described,
    in_words,
)
from pac_stability.arithmetic import Epsilon, Interval, certified_ceiling
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import decay_for
from pac_stability.mechanisms.weights import as_decay


def generic_size(hypotheses: int, alpha: AnyNumber, beta: AnyNumber, decay: Fraction) -> int:
    """Return a sample size from which on the generic private learner is accurate.

    Parameters
    ----------
    hypotheses
        How many there are, at least 1.
    alpha, beta
        If some hypothesis has loss at most alpha, the output has loss at most 2 alpha with
        probability at least 1 - beta; both above 0 and below 1.
    decay
        r, what one more error multiplies the weight by; ``e**(-epsilon/2)`` in the paper.

    Returns
    -------
    int
        The least n with ``n >= (36/alpha) ln(4 |H|/beta)``, ``n >= (27/alpha) ln(4/beta)`` and
        ``n >= 3 ln(2 |H|/beta) / (alpha ln(1/r))``, decided by certified enclosures.

    Notes
    -----
    Proof. Let h* have loss at most alpha, and call h bad if its loss is above 2 alpha.

    1. A bad h has an empirical loss of at most 5 alpha/3, which is at most 5/6 of its mean, with
       probability at most ``exp(-(1/6)**2 2 alpha n / 2) = exp(-alpha n / 36)``: for all bad h
       together at most beta/4.
    2. h* has an empirical loss above 4 alpha/3 with probability at most ``exp(-(1/3)**2 alpha n /
       3) = exp(-alpha n / 27)``, at most beta/4. A smaller mean makes this less likely.
    3. Otherwise the weight of h* is at least ``r**(4 alpha n / 3)`` and that of a bad h below
       ``r**(5 alpha n / 3)``, so that a bad one is drawn with probability at most
       ``|H| r**(alpha n / 3)``, at most beta/2.

    For epsilon above 1/6 the first condition decides, so that n is of order ``1/(alpha epsilon)``,
    as stated in the paper, for bounded epsilon only. Source: BLM20 Lemma 16.

    Examples
    --------
    >>> generic_size(32, "1/8", "1/20", decay_for(1.0))
    2261
    """
    count = as_size(hypotheses, "hypotheses", least=1)
    a, b = as_open_unit(alpha, "alpha"), as_open_unit(beta, "beta")
    r = as_decay(decay, below_one=True)
    # The second condition asks for less than the first, whatever |H|.
    return max(
        certified_ceiling(lambda bits: Interval.log(4 * count / b, bits) * (36 / a)),
        certified_ceiling(
            lambda bits: Interval.log(2 * count / b, bits) / Interval.log(1 / r, bits) * (3 / a)
        ),
    )


def selection_size(
    others: int, alpha: AnyNumber, loss: AnyNumber, beta: AnyNumber, decay: Fraction
) -> int:
    """Return from how many examples on a good hypothesis of a list wins against all bad ones.

    Parameters
    ----------
    others
        How many hypotheses there are beside the good one.
    alpha
        A hypothesis is bad if its loss is above alpha; above 0 and below 1.
    loss
        The loss of the good one, at most; from 0 on and below alpha.
    beta
        How likely a bad one may be chosen; above 0 and below 1.
    decay
        r, what one more error multiplies the weight by.

    Returns
    -------
    int
        The least n with ``others * mu**n <= beta``, decided by certified enclosures; 0 for none.
        Here ``mu = 1 - (sqrt(alpha) - sqrt(loss))**2`` if r is at most ``sqrt(loss/alpha)``, and
        otherwise ``mu = 1 - (1 - r) (alpha - loss/r)``.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Proof. Let g be the good hypothesis and h a bad one, and let X be 1 on an example where h alone
    errs, -1 where g alone errs, and else 0. Given the sample, h is chosen with probability at most
    ``min(1, r**sum(X)) <= z**sum(X)`` for every z from r to 1, whatever else is in the list. Let g
    and h both err with probability b. Then ``E[z**X] = 1 - (1 - z) (L(h) - b - (L(g) - b)/z)``,
    which is at most ``1 - (1 - z) (alpha - loss/z)``, and the power of n of that after n examples.
    It is least at ``z = sqrt(loss/alpha)``, or at the least z allowed, which is r. The sum over
    the bad hypotheses is at most beta.

    No loss is estimated, so that neither 1/alpha**2 nor a logarithm for the estimates comes in;
    :func:`generic_size` goes the way of the paper. Source: ours, for BLM20 Lemma 16.

    Examples
    --------
    >>> [selection_size(31, "1/4", loss, "1/20", decay_for(1.0)) for loss in (0, "1/8", "6/25")]
    [63, 297, 63002]
    """
    count, r = as_size(others, "others"), as_decay(decay, below_one=True)
    a, b, least = as_open_unit(alpha, "alpha"), as_open_unit(beta, "beta"), as_number(loss, "loss")
    if not 0 <= least < a:
        raise InvalidInput("loss", in_words(least), f"from 0 on, and below {in_words(a)}")
    if not count or count <= b:
        return 0

    return certified_ceiling(lambda bits: Interval.log(count / b, bits) / _rate(a, least, r, bits))


@lru_cache(maxsize=1024)
def _rate(alpha: Fraction, loss: Fraction, r: Fraction, bits: int) -> Interval:
    """Enclose ``-ln mu``."""
    if r * r * alpha > loss:
        mean = Interval.exactly(1 - (1 - r) * (alpha - loss / r))
    else:
        mean = 1 - (alpha + loss - 2 * Interval.sqrt(alpha * loss, bits))
    return -Interval.log(mean, bits)


@lru_cache(maxsize=256)
def private_decay(epsilon: Epsilon | AnyNumber) -> Fraction:
    """Return the decay of an exponential mechanism that spends at most epsilon, below 1."""
    decay = decay_for(epsilon)
    if decay == 1:
        raise InvalidInput("epsilon", described(epsilon), "a privacy parameter above 0")
    return decay
