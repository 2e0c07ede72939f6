"""What is found on one instance of a claim."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pac_stability.arguments import AnyNumber, as_number
from pac_stability.audit import Verdict
from pac_stability.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer on one instance.

    Made by :func:`holds`, :func:`fails`, :func:`undecided` and :func:`supported`.

    Attributes
    ----------
    verdict
        ``VERIFIED``, ``REFUTED``, ``BOUNDED`` (the bounds do not decide) or ``SUPPORTED``.
    text
        The numbers, as a reader would want them: the instance and both sides.
    misled
        How likely draws are to speak for a statement that fails by what the text says; 0 where
        nothing is drawn.
    """

    verdict: Verdict
    text: str = ""
    misled: Fraction = Fraction(0)


_HOLDS = Finding(Verdict.VERIFIED)


def holds() -> Finding:
    """Return the finding that the statement holds on this instance."""
    return _HOLDS


def fails(text: str) -> Finding:
    """Return the finding that it fails; the text is the counterexample, with both sides."""
    if not text:
        raise InvalidInput("text", "no text", "the counterexample")
    return Finding(Verdict.REFUTED, text)


def settle(truth: bool, text: str) -> Finding:
    """Return :func:`holds` or, with the text, :func:`fails`.

    Examples
    --------
    >>> settle(1 + 1 == 2, "1 + 1 is not 2").verdict.value
    'verified'
    """
    return _HOLDS if truth else fails(text)


def undecided(text: str) -> Finding:
    """Return the finding that certified bounds do not decide; the text has the bounds."""
    return Finding(Verdict.BOUNDED, text)


def supported(misled: AnyNumber, text: str = "") -> Finding:
    """Return the finding that draws speak for it.

    Parameters
    ----------
    misled
        The probability that they would if it failed, above 0 and below 1.
    text
        What was drawn.
    """
    chance = as_number(misled, "misled")
    if not 0 < chance < 1:
        raise InvalidInput("misled", str(chance), "a probability above 0 and below 1")
    return Finding(Verdict.SUPPORTED, text, chance)
