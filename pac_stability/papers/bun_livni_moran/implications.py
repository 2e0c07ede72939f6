"""What BLM20 concludes from global stability, and from few outputs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from pac_stability._report import Tabled
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.papers.bun_livni_moran.formulas.generalization import FrequentOutputLoss
from pac_stability.papers.bun_livni_moran.formulas.privacy import PrivateFromStable
from pac_stability.papers.guarantees import (
    FrequencyGuarantee,
    Implication,
    OutputCount,
    Rule,
    at_once,
    itself,
)

_GRID = 1 << 64  # rounded parameters are multiples of one over this


@dataclass(frozen=True, slots=True, repr=False)
class AccurateOutput(Tabled):
    """On every realizable distribution some output has this frequency, and at most this loss."""

    _kind: ClassVar[str] = "an accurate frequent output"

    eta: Fraction
    loss: Fraction


def few_outputs_to_frequent(count: OutputCount) -> FrequencyGuarantee:
    """Return the global stability of few outputs: one over their number, by averaging.

    Examples
    --------
    >>> few_outputs_to_frequent(OutputCount(3)).eta
    Fraction(1, 3)
    """
    return FrequencyGuarantee(Fraction(1, count.outputs))


def frequent_to_accurate(guarantee: FrequencyGuarantee, n: int) -> AccurateOutput:
    """Return the loss of the frequent output of a learner that is consistent with its sample.

    Parameters
    ----------
    guarantee
        The global stability of a learner that is consistent on realizable samples.
    n
        The size of the samples, at least 1.

    Raises
    ------
    InvalidInput
        n is no positive integer.

    Notes
    -----
    ``1 - eta**(1/n)``, rounded up; Proposition 5 prints ``ln(1/eta)/n``, which is more.

    Examples
    --------
    >>> found = frequent_to_accurate(FrequencyGuarantee(Fraction(1, 4)), 8)
    >>> found.eta, round(float(found.loss), 4)
    (Fraction(1, 4), 0.1591)
    """
    bound = FrequentOutputLoss(guarantee.eta, n).sharp().upper
    return AccurateOutput(guarantee.eta, min(Fraction(1), Fraction(-(-bound * _GRID // 1), _GRID)))


def stable_to_private_learner(
    frequent: AccurateOutput, n: int, beta: Fraction, privacy: PrivacyGuarantee
) -> PrivateFromStable:
    """Return the sizes of a private learner (algorithm M) that runs a stable one.

    Parameters
    ----------
    frequent
        What is known of the stable learner on samples of size n.
    n
        At least 1.
    beta
        The probability of failure of the private learner, whose error is at most twice the loss of
        the frequent output.
    privacy
        What the private learner may spend; its delta is above 0.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or twice the loss is not above 0 and below 1.

    Examples
    --------
    >>> from pac_stability.arithmetic import Epsilon
    >>> spent = PrivacyGuarantee(Epsilon(1), Fraction(1, 10**6))
    >>> found = AccurateOutput(Fraction(1, 8), Fraction(1, 8))
    >>> stable_to_private_learner(found, 520, Fraction(1, 10), spent).sample_size
    900821
    """
    return PrivateFromStable(
        n, frequent.eta, 2 * frequent.loss, beta, privacy.epsilon, privacy.delta, "proved"
    )


RULES: tuple[Rule, ...] = (
    at_once("BLM20:remark-averaging", OutputCount, FrequencyGuarantee, few_outputs_to_frequent),
    Implication(
        claim="BLM20:proposition-5",
        premise=FrequencyGuarantee,
        conclusion=AccurateOutput,
        bound=frequent_to_accurate,
        into=itself,
        given=lambda rule, stable, n, wanted: rule(stable, n) if wanted.consistent else None,
    ),
    Implication(
        claim="BLM20:theorem-17.explicit",
        premise=AccurateOutput,
        conclusion=PrivateFromStable,
        bound=stable_to_private_learner,
        into=itself,
        given=lambda rule, frequent, n, wanted: (
            None if wanted.private is None else rule(frequent, n, wanted.failure, wanted.private)
        ),
    ),
)
"""In the order in which they are tried."""
