"""What is found on one instance of a claim."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from pac_stability.arguments import AnyNumber, as_number, described
from pac_stability.audit import Verdict
from pac_stability.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer on one instance.

    Made by :func:`holds`, :func:`idle`, :func:`fails`, :func:`undecided` and :func:`supported`, and
    by the comparisons of :mod:`pac_stability.claims.comparing`.

    Attributes
    ----------
    verdict
        ``VERIFIED``, ``REFUTED``, ``BOUNDED`` (the bounds do not decide) or ``SUPPORTED``.
    text
        The numbers, as a reader would want them: the instance and both sides.
    misled
        How likely draws are to speak for a statement that fails by what the text says; 0 where
        nothing is drawn.
    idle
        Whether the instance could not have refuted the statement: a hypothesis is not met, or what
        is allowed is allowed to everything, or nothing is needed.
    tension
        What the instance needs over what the statement allows, from 0 to 1, or something below it;
        ``None`` where no numbers are compared.
    """

    verdict: Verdict
    text: str = ""
    misled: Fraction = Fraction(0)
    idle: bool = False
    tension: Fraction | None = None

    def __post_init__(self) -> None:
        if self.idle and (self.verdict is not Verdict.VERIFIED or self.tension is not None):
            raise InvalidInput("idle", described(self), "nothing found on an idle instance")
        if self.tension is not None and not 0 <= self.tension <= 1:
            raise InvalidInput("tension", described(self.tension), "a number from 0 to 1")


class AskedInstance(NamedTuple):
    """What was found on one instance of a trial, which can be asked about again.

    Attributes
    ----------
    position
        Of the instance among all.
    finding
        What was found.
    again
        Asks the same question of the same instance.
    """

    position: int
    finding: Finding
    again: Callable[[], Finding]


_HOLDS = Finding(Verdict.VERIFIED)
_IDLE = Finding(Verdict.VERIFIED, idle=True)


def holds() -> Finding:
    """Return the finding that the statement holds on this instance, which could have refuted it."""
    return _HOLDS


def idle() -> Finding:
    """Return the finding that this instance could not have refuted the statement.

    Examples
    --------
    >>> idle().idle, holds().idle
    (True, False)
    """
    return _IDLE


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


def all_of(findings: Iterable[Finding]) -> Finding:
    """Return the worst of the findings on the parts of one instance, up to the first that refutes.

    It is idle if all of them are, and so if there is none; its tension is the largest.

    Examples
    --------
    >>> all_of([]).idle, all_of([idle(), holds()]).idle
    (True, False)
    """
    whole = _IDLE
    for finding in findings:
        if finding.verdict is Verdict.REFUTED:
            return finding
        whole = _both(whole, finding)
    return whole


def _both(a: Finding, b: Finding) -> Finding:
    if a.idle and b.idle:
        return a
    first, second = sorted((a, b), key=lambda finding: _WORST.index(finding.verdict))
    tension = max((f.tension for f in (a, b) if f.tension is not None), default=None)
    return Finding(first.verdict, first.text or second.text, a.misled + b.misled, tension=tension)


_WORST = (Verdict.BOUNDED, Verdict.SUPPORTED, Verdict.VERIFIED)
