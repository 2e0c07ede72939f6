"""How many examples every stable learner needs: Theorem 11."""

from __future__ import annotations

from math import ceil

from pac_stability.arithmetic import ExactNumber, as_open_unit, as_size
from pac_stability.arithmetic.exact import as_probability, in_words
from pac_stability.errors import InvalidInput


def stable_lower_bound(
    alpha: ExactNumber,
    gamma: ExactNumber,
    vc_dimension: int,
    *,
    beta: ExactNumber = 0,
) -> int:
    """Return a number of examples below which no stable learner is accurate (Theorem 11).

    Parameters
    ----------
    alpha
        The loss, above 0 and at most ``(1 - 2 beta) / (4 (1 - beta))``, which is 1/4 for beta = 0.
    gamma
        The uniform stability, above 0 and below 1.
    vc_dimension
        d, at least 1. For d = 1 the bound is that of classes with two hypotheses that agree at one
        point and differ at another.
    beta
        0 for learners whose *expected* loss is at most alpha for every realizable distribution; or
        else, below 1/2, for those whose loss is at most alpha with probability at least 1 - beta.

    Returns
    -------
    int
        The least n with ``n >= (1 - 2 beta)**2 max(d - 1, 1) / (8 (1 - beta) gamma alpha)``.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    Theorem 11 is the case of beta = 0 and ``d >= 2``; it speaks of expectations. A learner that is
    only accurate with probability 1 - beta has an expected loss up to alpha + beta, so for it the
    mass on the d - 1 points is taken to be ``c alpha`` with ``c = 4 (1 - beta) / (1 - 2 beta)``
    in place of 4. Exact: no real number is rounded.

    Examples
    --------
    >>> stable_lower_bound("1/10", "1/100", 5), stable_lower_bound("1/10", "1/100", 1)
    (500, 125)
    >>> stable_lower_bound("1/10", "1/100", 5, beta="1/4")
    167
    """
    d, g = as_size(vc_dimension, "vc_dimension", least=1), as_open_unit(gamma, "gamma")
    a, b = as_open_unit(alpha, "alpha"), as_probability(beta, "beta")
    if 2 * b >= 1:
        raise InvalidInput("beta", in_words(b), "an exact number from 0 on and below 1/2")
    largest = (1 - 2 * b) / (4 * (1 - b))
    if a > largest:
        raise InvalidInput("alpha", in_words(a), f"at most {largest}")
    return ceil((1 - 2 * b) ** 2 * max(d - 1, 1) / (8 * (1 - b) * g * a))
