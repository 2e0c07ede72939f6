"""Few outputs: robust generalization by a union bound (Theorem 21)."""

from __future__ import annotations

from fractions import Fraction

from pac_stability.arguments import AnyNumber, as_open_unit, as_size
from pac_stability.arithmetic import Constants, ConstantsLike, Interval, as_constants
from pac_stability.compression.bounds import Reading
from pac_stability.notions.two_point_generalization import failure_over_two_points
from pac_stability.papers.cummings_et_al.implications.guarantees import (
    RobustGuarantee,
    joint_failure,
    rounded_up,
)
from pac_stability.papers.guarantees import Implication, OutputCount


def finite_range_deviation(
    outputs: int,
    n: int,
    delta: AnyNumber,
    *,
    reading: Reading = "joint",
    constants: ConstantsLike = Constants.SHARP,
) -> Interval:
    """Enclose the deviation that a mechanism with few outputs exceeds with probability <= delta.

    Parameters
    ----------
    outputs
        How many outputs there are, at least 1.
    n
        The size of the samples, at least 1.
    delta
        The probability of failure, above 0 and below 1.
    reading
        Of Definition 5.
    constants
        Printed: ``sqrt(ln(R / delta) / (2 n))`` for R outputs, which fails. Proved and sharp:
        ``sqrt(ln(2 R / delta) / (2 n))``, and ``sqrt(ln(4 R / delta**2) / (2 n))`` for the split
        reading.

    Returns
    -------
    Interval

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    *The statement as printed fails.* Hoeffding's inequality is used for deviations of both signs,
    so there is a factor of 2. Let D be uniform on pairs of bits, n = 2, and M say which of the two
    bits is constant on the sample (the second when the first is not). That bit is off by 1/2 with
    probability 3/4, while the printed deviation is below 1/2 from delta = 2/e = 0.7358 on. With one
    output, a fair coin and odd n, every sample is off by ``1/(2 n)`` at least, and the printed
    deviation is less for delta above ``exp(-1/(2 n))``. For small delta the slack in Hoeffding's
    inequality hides the missing factor.

    *Proof of the repaired one.* The adversary names one test h for each output. ``|h(S) - h(D)| >
    alpha`` for one of R fixed tests has probability at most ``2 R exp(-2 n alpha**2)``. An
    adversary that tosses coins is a mixture of such. The split reading follows from
    :meth:`RobustGuarantee.as_split`.

    Source: CLNRW16 Theorem 21, which cites Dwork et al. 2015.

    Examples
    --------
    >>> printed = finite_range_deviation(2, 2, "37/50", constants="printed")
    >>> repaired = finite_range_deviation(2, 2, "37/50")
    >>> printed < Fraction(1, 2) < repaired
    True
    """
    size = as_size(n, "n", least=1)
    count = as_size(outputs, "outputs", least=1)
    whose = as_constants(constants)
    failure = joint_failure(delta, reading)
    ratio = 2 * count / failure
    if whose is Constants.PRINTED:
        ratio = count / as_open_unit(delta, "delta")
    return Interval.sqrt(Interval.log(ratio) / (2 * size))


def _robust(
    deviation: Interval,
    outputs: int,
    n: int,
    delta: AnyNumber,
    *,
    reading: Reading = "joint",
    constants: ConstantsLike = Constants.SHARP,
) -> RobustGuarantee:
    return RobustGuarantee(rounded_up(deviation), as_open_unit(delta, "delta"), reading)


finite_range_to_robust = Implication(
    claim="CLNRW16:theorem-21.repaired",
    premise=OutputCount,
    conclusion=RobustGuarantee,
    bound=finite_range_deviation,
    into=_robust,
    given=lambda rule, few, n, wanted: rule(few.outputs, n, wanted.failure, reading=wanted.reading),
)
"""The robust generalization of every mechanism with few outputs, on all distributions and against
all adversaries (not so with the printed constants)."""


def finite_range_failure(outputs: int, n: int, epsilon: AnyNumber) -> Fraction:
    """Return how often, at most, a mechanism with few outputs fails by more than epsilon.

    Parameters
    ----------
    outputs, n
        As for :func:`finite_range_deviation`.
    epsilon
        The deviation that is tolerated, an exact number of at least 0.

    Returns
    -------
    Fraction
        At most 1, in the joint reading. For one output it is the supremum over distributions of
        what the best adversary reaches, up to the rounding of an irrational number.

    Raises
    ------
    InvalidInput
        A parameter is out of range.

    Notes
    -----
    The union bound of Theorem 21 with the exact worst case of one test in place of Hoeffding's
    inequality: R times the supremum over p of ``Pr[|K/n - p| > epsilon]`` for K binomial
    (:func:`~pac_stability.notions.two_point_generalization.failure_over_two_points`).

    Examples
    --------
    >>> finite_range_failure(1, 2, "1/4"), finite_range_failure(3, 20, "2/5") < Fraction(1, 400)
    (Fraction(5, 8), True)
    """
    count = as_size(outputs, "outputs", least=1)
    worst = failure_over_two_points(n, epsilon).value
    return min(Fraction(1), count * (worst.upper if isinstance(worst, Interval) else worst))
