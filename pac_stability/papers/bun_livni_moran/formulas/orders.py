"""What stands inside the O(...) of the printed sample sizes, as certified numbers.

The paper states sizes up to a constant factor. These are the terms without that factor, with binary
logarithms; a size divided by its term is the constant that a proof has hidden.
"""

from __future__ import annotations

from fractions import Fraction

from pac_stability.arguments import AnyNumber, as_open_unit, as_size
from pac_stability.arithmetic import Constants, ConstantsLike, Epsilon, Interval
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.papers.bun_livni_moran.formulas.frequency import FrequencyThreshold


def lemma_15_order(
    eta: AnyNumber,
    beta: AnyNumber,
    epsilon: Epsilon | AnyNumber,
    delta: AnyNumber,
    bits: int = 64,
) -> Interval:
    """Enclose ``log(1/(eta beta delta)) / (eta epsilon)``, the size of the stable histogram.

    Parameters
    ----------
    eta, beta, epsilon, delta
        The parameters of the lemma.
    bits
        Working precision.

    Notes
    -----
    With Laplace noise the usual proof needs ``log(1/(eta epsilon beta delta))``, as all items may
    be distinct and each gets noise. Bounded noise needs ``log(1/delta) / (eta epsilon)`` only.

    Examples
    --------
    >>> round(float(lemma_15_order("1/8", "1/10", 1.0, "1/1000000")), 1)
    210.0
    """
    e, b, d = as_open_unit(eta, "eta", most=True), as_open_unit(beta, "beta"), _delta(delta)
    return Interval.log2(1 / (e * b * d), bits) / (e * _epsilon(epsilon, bits))


def lemma_16_order(
    hypotheses: int,
    alpha: AnyNumber,
    beta: AnyNumber,
    epsilon: Epsilon | AnyNumber,
    bits: int = 64,
) -> Interval:
    """Enclose ``(log |H| + log(1/beta)) / (alpha epsilon)``, the size of the generic learner.

    Parameters
    ----------
    hypotheses
        |H|, at least 1.
    alpha, beta, epsilon
        The parameters of the lemma. The order is right for bounded epsilon: however large it is,
        some ``log(|H|/beta) / alpha`` examples are needed.
    bits
        Working precision.
    """
    count = as_size(hypotheses, "hypotheses", least=1)
    a, b = as_open_unit(alpha, "alpha"), as_open_unit(beta, "beta")
    return Interval.log2(count / b, bits) / (a * _epsilon(epsilon, bits))


def theorem_17_order(
    m: int,
    eta: AnyNumber,
    *,
    alpha: AnyNumber,
    beta: AnyNumber,
    epsilon: Epsilon | AnyNumber,
    delta: AnyNumber,
    bits: int = 64,
) -> Interval:
    """Enclose ``m log(1/(eta beta delta)) / (eta epsilon) + log(1/(eta beta)) / (alpha epsilon)``.

    Parameters
    ----------
    m
        The sample size of the globally stable learner.
    eta, alpha, beta, epsilon, delta
        The parameters of the theorem.
    bits
        Working precision.
    """
    size = as_size(m, "m", least=1)
    e, a, b = as_open_unit(eta, "eta", most=True), as_open_unit(alpha, "alpha"), beta
    choice = Interval.log2(1 / (e * as_open_unit(b, "beta")), bits) / a
    return lemma_15_order(e, b, epsilon, delta, bits) * size + choice / _epsilon(epsilon, bits)


def theorem_1_order(
    dimension: int,
    alpha: AnyNumber,
    beta: AnyNumber,
    epsilon: Epsilon | AnyNumber,
    delta: AnyNumber,
    *,
    constants: ConstantsLike = Constants.SHARP,
    bits: int = 64,
) -> Interval:
    """Enclose the order of the size of the private learner.

    Parameters
    ----------
    dimension
        d, at least 1.
    alpha, beta, epsilon, delta
        The parameters of the theorem.
    constants
        Which frequency tau of Lemma 12.
    bits
        Working precision.

    Returns
    -------
    Interval
        ``4**d d log(1/tau) (log(1/tau) + log(1/(beta delta))) / (tau**2 alpha epsilon)``. With the
        printed tau = 2^-d this is ``16**d d**2 (d + log(1/(beta delta))) / (alpha epsilon)``, the
        term of Theorem 1. The proved tau is between ``2**-(2**d)`` and ``2**-(2**d - 1)``, so
        that the order is doubly exponential in d.

    Notes
    -----
    From Theorem 17 with ``m`` of order ``4**d log(1/tau) / (tau alpha)`` and ``1/eta = 2 (d+1) /
    tau``.

    Examples
    --------
    >>> quarter, tenth, millionth = Fraction(1, 4), Fraction(1, 10), Fraction(1, 10**6)
    >>> printed = theorem_1_order(2, quarter, tenth, 1.0, millionth, constants="printed")
    >>> round(float(printed))
    103438
    """
    d = as_size(dimension, "dimension", least=1)
    tau = FrequencyThreshold(d, constants).value
    a, b = as_open_unit(alpha, "alpha"), as_open_unit(beta, "beta")
    needed = Interval.log2(1 / tau, bits)
    sure = Interval.log2(1 / (b * _delta(delta)), bits)
    factor = Fraction(4**d * d) / (tau**2 * a)
    return factor * needed * (needed + sure) / _epsilon(epsilon, bits)


def corollary_2_order(
    dimension: int,
    vc_dimension: int,
    *,
    alpha: AnyNumber,
    beta: AnyNumber,
    epsilon: Epsilon | AnyNumber,
    delta: AnyNumber,
    constants: ConstantsLike = Constants.SHARP,
    bits: int = 64,
) -> Interval:
    """Enclose the order of the size of the agnostic learner.

    Parameters
    ----------
    dimension
        d, at least 1.
    vc_dimension
        The VC dimension of the class.
    alpha, beta, epsilon, delta
        The parameters of the corollary.
    constants
        Which frequency tau of Lemma 12.
    bits
        Working precision.

    Returns
    -------
    Interval
        :func:`theorem_1_order` and ``(VC + log(1/beta)) / (alpha**2 epsilon)``.

    Notes
    -----
    The transformation behind it fails with probability of order ``beta + n delta``; so the bound is
    as good as printed where ``delta <= beta/n``.
    """
    vc = as_size(vc_dimension, "vc_dimension")
    a, b = as_open_unit(alpha, "alpha"), as_open_unit(beta, "beta")
    realizable = theorem_1_order(
        dimension, alpha, beta, epsilon, delta, constants=constants, bits=bits
    )
    agnostic = (Interval.log2(1 / b, bits) + vc) / (a**2 * _epsilon(epsilon, bits))
    return realizable + agnostic


def theorem_6_weak_delta(n0: int, c: AnyNumber, bits: int = 64) -> Interval:
    """Enclose the largest delta_0 of a weak learner that Theorem 6 starts from.

    Parameters
    ----------
    n0
        The sample size of the weak learner, at least 2.
    c
        The constant of the theorem, above 0; its value is not given.
    bits
        Working precision.

    Returns
    -------
    Interval
        ``c / (n0**2 log n0)``. The other parameters of the weak learner are :data:`THEOREM_6_WEAK`.

    Notes
    -----
    The conclusion, a learner for all parameters from ``C log(1/(beta delta)) / (alpha epsilon)``
    examples on, has a C that depends on the class through its Littlestone dimension only. The proof
    goes through the finiteness of that dimension and makes no use of the weak learner's code.
    """
    n = as_size(n0, "n0", least=2)
    return as_open_unit(c, "c", most=True) / (Interval.log2(n, bits) * n**2)


THEOREM_6_WEAK = {
    "epsilon_0": Fraction(1, 10),
    "alpha_0": Fraction(1, 16),
    "beta_0": Fraction(1, 16),
}
"""The parameters of the weak learner of Theorem 6, as printed."""


def _delta(delta: AnyNumber) -> Fraction:
    return as_open_unit(delta, "delta")


def _epsilon(epsilon: Epsilon | AnyNumber, bits: int) -> Interval:
    return as_epsilon(epsilon).interval(bits)
