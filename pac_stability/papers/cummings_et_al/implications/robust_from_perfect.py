"""Perfect generalization gives robust generalization (Lemma 36)."""

from __future__ import annotations

from fractions import Fraction

from pac_stability.arguments import AnyNumber, as_open_unit, as_size, in_words
from pac_stability.arithmetic import Constants, ConstantsLike, Epsilon, Interval, as_constants
from pac_stability.compression.bounds import Reading, require_reading
from pac_stability.errors import InvalidInput
from pac_stability.papers.cummings_et_al.implications.guarantees import (
    PerfectGuarantee,
    RobustGuarantee,
    require_guarantee,
    rounded_up,
)
from pac_stability.papers.guarantees import Implication


def perfect_deviation(
    guarantee: PerfectGuarantee,
    n: int,
    delta: AnyNumber | None = None,
    *,
    reading: Reading = "joint",
    constants: ConstantsLike = Constants.SHARP,
) -> Interval:
    """Enclose a deviation that is exceeded with probability at most delta.

    Parameters
    ----------
    guarantee
        The (beta, epsilon, delta')-perfect generalization of the mechanism.
    n
        The size of the samples, at least 1.
    delta
        The probability of failure of robust generalization, below 1; ``2 (beta + delta')`` when it
        is left out. It must exceed what perfect generalization leaves open: ``beta + (1 - beta)
        delta'``, or ``beta + delta'`` in the split reading.
    reading
        Of Definition 5.
    constants
        Printed: ``sqrt((2/n) ln(2 (2 epsilon + 1) / (beta + delta')))``, as printed, which
        needs epsilon <= 1, ``beta + delta' > 0`` and no other delta; it serves both readings.
        Proved and sharp: with s for the excess of delta over what is left open, and t = e**epsilon,
        ``sqrt(ln(2 t / s) / (2 n))``, and ``sqrt(ln(4 t / s**2) / (2 n))`` for the split reading.

    Returns
    -------
    Interval

    Raises
    ------
    InvalidInput
        A parameter is out of range, or there is no deviation for this delta.

    Notes
    -----
    *Proof.* Let q_S be the probability that a test named by the adversary from the *simulator's*
    output is off on S by alpha or more. The simulator does not see S, so Hoeffding's inequality
    gives ``E[q_S] <= 2 exp(-2 n alpha**2)``. When the law on S is close to the simulator's, the
    probability of failure on S is ``p_S <= t q_S + delta'``; other samples have probability at most
    beta. So ``E[p_S] <= beta + (1 - beta) delta' + 2 t exp(-2 n alpha**2)``.

    In the split reading, for every g take ``gamma = delta' + t g`` and for zeta the probability
    that the law is not close or ``q_S > g``: their sum is ``beta + delta' + (t g + Pr[q_S > g])``.
    Let d be the smallest value of the bracket. As ``Pr[q_S > g] >= d - t g``, the mean of q_S is at
    least the integral of that over ``[0, d/t]``, which is ``d**2 / (2 t)``. So
    ``d <= sqrt(2 t E[q_S]) <= 2 sqrt(t) exp(-n alpha**2)``.

    *The printed alpha* is twice as large as its proof needs, since ``exp(-2 n alpha**2)`` is the
    fourth power of what is written there. That makes the split reading true as well: with
    ``b = beta + delta'``, ``2 sqrt(t) (b / (2 (1 + 2 epsilon)))**2 <= b`` because ``b < 2`` and
    ``sqrt(t) <= 1 + 2 epsilon``.

    The deviation hardly depends on epsilon: it is the sampling error of a fixed test, and closeness
    multiplies the probability of failure.

    Source: CLNRW16 Lemma 36.

    Examples
    --------
    >>> perfect = PerfectGuarantee(Fraction(1, 100), Epsilon(1))
    >>> for constants in ("printed", "sharp"):
    ...     print(f"{float(perfect_deviation(perfect, 1000, constants=constants)):.4f}")
    0.1131
    0.0561
    """
    require_guarantee(guarantee, PerfectGuarantee)
    require_reading(reading)
    whose = as_constants(constants)
    size = as_size(n, "n", least=1)
    beta, lost = guarantee.beta, guarantee.delta
    if whose is Constants.PRINTED:
        if guarantee.epsilon > Epsilon(1) or beta + lost == 0:
            raise InvalidInput(
                "guarantee", repr(guarantee), "epsilon at most 1 and a positive beta + delta"
            )
        if delta is not None:
            raise InvalidInput("delta", str(delta), "None with the printed constants")
        ratio = 2 * (2 * guarantee.epsilon.interval() + 1) / (beta + lost)
        return Interval.sqrt(Interval.log(ratio) * 2 / size)
    open_share = beta + lost - (beta * lost if reading == "joint" else 0)
    slack = _target(guarantee, delta) - open_share
    if slack <= 0:
        raise InvalidInput("delta", in_words(slack + open_share), f"more than {open_share}")
    t = guarantee.epsilon.ratio
    needed = 2 * t / slack if reading == "joint" else 4 * t / slack**2
    return Interval.sqrt(Interval.log(needed) / (2 * size))


def _target(guarantee: PerfectGuarantee, delta: AnyNumber | None) -> Fraction:
    return as_open_unit(2 * (guarantee.beta + guarantee.delta) if delta is None else delta, "delta")


def _robust(
    deviation: Interval,
    guarantee: PerfectGuarantee,
    n: int,
    delta: AnyNumber | None = None,
    *,
    reading: Reading = "joint",
    constants: ConstantsLike = Constants.SHARP,
) -> RobustGuarantee:
    return RobustGuarantee(rounded_up(deviation), _target(guarantee, delta), reading)


perfect_to_robust = Implication(
    claim="CLNRW16:lemma-36",
    premise=PerfectGuarantee,
    conclusion=RobustGuarantee,
    bound=perfect_deviation,
    into=_robust,
    given=lambda rule, perfect, n, wanted: rule(perfect, n, wanted.failure, reading=wanted.reading),
)
"""The robust generalization of a mechanism that generalizes perfectly, against all adversaries; on
the distributions on which it does."""
