"""What a run found about a claim."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from pac_stability._report import Reported
from pac_stability.claims.budget import Budget
from pac_stability.claims.claim import Claim, Expectation, Method
from pac_stability.claims.tallies import WORST_FIRST, Status, Tally


@dataclass(frozen=True, slots=True)
class TrialEvidence:
    """What was found in one trial.

    Attributes
    ----------
    name, universe, exhaustive
        Those of the trial.
    tally
        The findings.
    """

    name: str
    universe: str
    exhaustive: bool
    tally: Tally

    @property
    def status(self) -> Status:
        """What may be said of the trial: what survived all of a universe is settled."""
        found = self.tally.status
        return Status.SETTLED if self.exhaustive and found is Status.SURVIVED else found


class FoundInTrials:
    """What is read off the findings of a claim's trials."""

    __slots__ = ()

    trials: tuple[TrialEvidence, ...]

    @property
    def instances(self) -> int:
        """How many instances were examined."""
        return sum(trial.tally.instances for trial in self.trials)

    @property
    def active(self) -> int:
        """How many of them could have refuted the claim."""
        return sum(trial.tally.active for trial in self.trials)

    @property
    def tightest(self) -> float | None:
        """The largest tension of an instance; ``None`` where no numbers are compared."""
        found = (trial.tally.tightest for trial in self.trials)
        return max((tension for tension in found if tension is not None), default=None)

    @property
    def room(self) -> float | None:
        """What is allowed over what the tightest instance needs; see :func:`room_of`."""
        return room_of(self.tightest)

    @property
    def counterexample(self) -> str | None:
        """The first counterexample, if the claim is refuted."""
        found = (trial.tally.refuting for trial in self.trials)
        return next((place[1] for place in found if place is not None), None)


@dataclass(frozen=True, slots=True, repr=False)
class Evidence(Reported, FoundInTrials):
    """What a run found about a claim.

    Attributes
    ----------
    claim
        The claim.
    budget
        The budget of the run.
    trials
        What each trial found, in the order of the claim.
    parts, kept
        In how many parts the work was done, and how many of these came from the cache.
    oldest
        When the oldest of those was found, in seconds since 1970.
    """

    _face: ClassVar[str] = "pac_stability.claims.report.faces:evidence_face"

    claim: Claim
    budget: Budget
    trials: tuple[TrialEvidence, ...]
    parts: int = field(default=0, compare=False)
    kept: int = field(default=0, compare=False)
    oldest: float = field(default=math.inf, compare=False)

    @property
    def status(self) -> Status:
        """What may be said of the claim: the worst of its trials."""
        if not self.trials:
            return Status.OPEN if self.claim.method is Method.OPEN else Status.RECORDED
        found = {trial.status for trial in self.trials}
        return next(status for status in WORST_FIRST if status in found)

    @property
    def misled(self) -> Fraction:
        """A bound on the probability that draws misled."""
        return sum((trial.tally.misled for trial in self.trials), Fraction(0))

    @property
    def as_expected(self) -> bool:
        """Whether the run found what is known of the claim.

        A claim that holds must not be refuted, and in each trial some instance must not be idle;
        one that is known to fail must be refuted by each trial. So no trial is insensitive.
        """
        match self.claim.expectation:
            case Expectation.HOLDS:
                return self.status in WORST_FIRST[3:]
            case Expectation.RECORDED:
                return self.status in (Status.RECORDED, Status.OPEN)
            case _:
                # One that refutes does not stand for another that no longer does.
                found = [trial.status is Status.REFUTED for trial in self.trials]
                return all(found) and bool(found)

    @property
    def word(self) -> str:
        """The status, in one word or two; of what fails as it is known to, what it is that fails.

        Examples
        --------
        >>> from pac_stability import claims
        >>> claims.check(claims.get("DF20:definition-private-prediction.arxiv")).word
        'misprint'
        """
        return self.claim.expectation.word_for(self.status.value)


def room_of(tightest: float | None) -> float | None:
    """Return how much smaller what is allowed could be, rounded up: no instance leaves more.

    It is the inverse of the largest tension; ``None`` where no numbers are compared, nothing is
    needed, or the factor is beyond the range of a double.

    Examples
    --------
    >>> room_of(1.0), room_of(0.5), room_of(0.0), room_of(None)
    (1.0, 2.0, None, None)
    """
    if not tightest:
        return None
    exact = 1 / Fraction(tightest)
    if exact > sys.float_info.max:
        return None
    near = float(exact)
    return near if near >= exact else math.nextafter(near, math.inf)


@dataclass(frozen=True, slots=True, repr=False)
class EvidenceReport(Reported):
    """What a run found about several claims; its text is that of ``verify``.

    Attributes
    ----------
    found
        What was found, one entry a claim.

    Examples
    --------
    >>> from pac_stability import claims
    >>> chosen = claims.select(["DF20:appendix-a.mixtures"])
    >>> report = EvidenceReport(tuple(claims.verify(chosen)))
    >>> print(str(report).splitlines()[-1].partition(";")[0])
    1 claim: 1 survived
    """

    _face: ClassVar[str] = "pac_stability.claims.report.faces:run_face"

    found: tuple[Evidence, ...]

    @property
    def as_expected(self) -> bool:
        """Whether every claim was found as it is expected."""
        return all(entry.as_expected for entry in self.found)

    def __repr__(self) -> str:
        return f"<EvidenceReport: {len(self.found)} claims>"
