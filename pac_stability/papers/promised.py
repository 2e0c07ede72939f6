"""What the hypothesis of a private learner keeps to besides, by notion."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias, TypeVar

from pac_stability.audit import Notion
from pac_stability.mechanisms import ExponentialMechanism, PrivacyGuarantee
from pac_stability.notions.private_prediction import implied_stability
from pac_stability.notions.zero_concentrated import implied_rho

X = TypeVar("X")
Y = TypeVar("Y")

Promised: TypeAlias = dict[Hashable, object]
"""Promises to which others can be added."""


def by_privacy(guarantee: PrivacyGuarantee) -> Promised:
    """Return what every learner keeps to whose hypothesis is private.

    Parameters
    ----------
    guarantee
        Of the hypothesis. What is computed from it, such as a prediction, has it as well; with
        delta = 0 it is concentrated, too.
    """
    # Of every event, as of a label: the proof is the same.
    spread = implied_stability(guarantee.epsilon, guarantee.delta)
    promised: Promised = {
        Notion.DIFFERENTIAL_PRIVACY: guarantee,
        Notion.PRIVATE_PREDICTION: guarantee,
        Notion.TOTAL_VARIATION_STABILITY: spread,
    }
    if not guarantee.delta:
        promised[Notion.ZERO_CONCENTRATED_PRIVACY] = implied_rho(guarantee.epsilon).upper
    return promised


def by_choice(mechanism: ExponentialMechanism[X, Y]) -> Promised:
    """Return what a learner keeps to whose hypothesis an exponential mechanism chooses: it is less.

    Parameters
    ----------
    mechanism
        The mechanism, on samples of the size that is asked about.
    """
    return by_privacy(mechanism.guarantee) | {
        Notion.TOTAL_VARIATION_STABILITY: mechanism.stability,
        Notion.ZERO_CONCENTRATED_PRIVACY: mechanism.concentration.upper,
    }
