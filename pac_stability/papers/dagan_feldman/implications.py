"""How private models, private predictions and stable ones relate in DF20, for one learner."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from pac_stability._report import Tabled
from pac_stability.arithmetic import Epsilon
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import Flip, PrivacyGuarantee
from pac_stability.notions.private_prediction import implied_stability
from pac_stability.papers import guarantees


@dataclass(frozen=True, slots=True, repr=False)
class FlippedGuarantee(Tabled):
    """Predictions are private when each label is flipped with a probability afterwards."""

    _kind: ClassVar[str] = "private prediction after a flip"

    probability: Fraction
    privacy: guarantees.PredictionGuarantee


def private_model_to_prediction(guarantee: PrivacyGuarantee) -> guarantees.PredictionGuarantee:
    """Return the privacy of predictions of a private model: the same, by post-processing.

    Examples
    --------
    >>> private_model_to_prediction(PrivacyGuarantee(Epsilon.exactly(2))).epsilon.ratio
    Fraction(2, 1)
    """
    return guarantees.PredictionGuarantee(guarantee.epsilon, guarantee.delta)


def private_to_stable(guarantee: guarantees.PredictionGuarantee) -> guarantees.StabilityGuarantee:
    """Return the stability of private predictions: (t - 1 + 2 delta)/(t + 1) for t = e^epsilon.

    Examples
    --------
    >>> private_to_stable(guarantees.PredictionGuarantee(Epsilon.exactly(3))).gamma
    Fraction(1, 2)
    """
    return guarantees.StabilityGuarantee(implied_stability(guarantee.epsilon, guarantee.delta))


def private_to_stable_as_printed(
    guarantee: guarantees.PredictionGuarantee,
) -> guarantees.StabilityGuarantee:
    """Return e^epsilon - 1, for delta = 0 and epsilon up to ln 2; never less than the sharp form.

    Raises
    ------
    InvalidInput
        delta is not 0, or epsilon is more than ln 2.

    Examples
    --------
    >>> private = guarantees.PredictionGuarantee(Epsilon.exactly(Fraction(3, 2)))
    >>> private_to_stable_as_printed(private).gamma
    Fraction(1, 2)
    """
    if guarantee.delta or guarantee.epsilon.ratio > 2:
        raise InvalidInput("guarantee", repr(guarantee), "delta = 0 and epsilon up to ln 2")
    return guarantees.StabilityGuarantee(guarantee.epsilon.ratio - 1)


def stable_to_private(guarantee: guarantees.StabilityGuarantee) -> guarantees.PredictionGuarantee:
    """Return the privacy of stable predictions: (0, gamma).

    Examples
    --------
    >>> stable_to_private(guarantees.StabilityGuarantee(Fraction(1, 10))).delta
    Fraction(1, 10)
    """
    return guarantees.PredictionGuarantee(Epsilon.exactly(1), guarantee.gamma)


def flipped(guarantee: guarantees.PredictionGuarantee, probability: Fraction) -> FlippedGuarantee:
    """Return the privacy, with delta = 0, of private predictions that are flipped.

    Parameters
    ----------
    guarantee
        (0, gamma) for gamma-stable predictions.
    probability
        That of a flip, above 0 and at most 1/2.

    Raises
    ------
    InvalidInput
        The probability is out of range.

    Notes
    -----
    The exact factor: :meth:`pac_stability.mechanisms.Flip.factor_after`. DF20 Section 3.

    Examples
    --------
    >>> private = guarantees.PredictionGuarantee(Epsilon.exactly(1), Fraction(1, 100))
    >>> found = flipped(private, Fraction(1, 10))
    >>> found.privacy.epsilon.ratio
    Fraction(27, 25)
    """
    factor = Flip(probability).factor_after(guarantee.delta, guarantee.epsilon)
    if not isinstance(factor, Fraction):
        raise InvalidInput("probability", "0", "above 0 and at most 1/2")
    return FlippedGuarantee(probability, guarantees.PredictionGuarantee(Epsilon.exactly(factor)))


RULES: tuple[guarantees.Rule, ...] = (
    guarantees.at_once(
        "DF20:fact-postprocessing",
        PrivacyGuarantee,
        guarantees.PredictionGuarantee,
        private_model_to_prediction,
    ),
    guarantees.at_once(
        "DF20:fact-private-is-stable.sharp",
        guarantees.PredictionGuarantee,
        guarantees.StabilityGuarantee,
        private_to_stable,
    ),
    guarantees.at_once(
        "DF20:fact-private-is-stable",
        guarantees.PredictionGuarantee,
        guarantees.StabilityGuarantee,
        private_to_stable_as_printed,
    ),
    guarantees.at_once(
        "DF20:fact-stability-is-privacy",
        guarantees.StabilityGuarantee,
        guarantees.PredictionGuarantee,
        stable_to_private,
    ),
    guarantees.Implication(
        claim="DF20:section-3.flip.repaired",
        premise=guarantees.PredictionGuarantee,
        conclusion=FlippedGuarantee,
        bound=flipped,
        into=guarantees.itself,
        given=lambda rule, private, n, wanted: (
            None if wanted.flip is None else rule(private, wanted.flip)
        ),
    ),
)
"""In the order in which they are tried."""
