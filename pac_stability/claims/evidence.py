"""What a run found about a claim."""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from pac_stability.arguments import described
from pac_stability.audit import Verdict
from pac_stability.claims.budget import Budget
from pac_stability.claims.claim import Claim, Expectation, Method
from pac_stability.claims.finding import Finding
from pac_stability.errors import InvalidInput
from pac_stability.reading import number_from


class Status(enum.Enum):
    """What may be said of a claim after a run.

    Attributes
    ----------
    VERIFIED
        It holds on every instance that was examined.
    REFUTED
        It fails on an instance, which is named.
    BOUNDED
        Certified bounds did not decide some instance, and none refutes it.
    SUPPORTED
        On some instances draws speak for it, and none refutes it.
    ASYMPTOTIC
        It is recorded; nothing was examined, as no finite computation can.
    OPEN
        It is recorded: neither a proof nor a counterexample is known here.
    EMPTY
        A trial had no instance. Never a success.
    """

    VERIFIED = "verified"
    REFUTED = "refuted"
    BOUNDED = "bounded"
    SUPPORTED = "supported"
    ASYMPTOTIC = "asymptotic"
    OPEN = "open"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Tally:
    """The findings on some instances of a trial; tallies of disjoint instances are added.

    Attributes
    ----------
    instances
        How many were examined.
    refuting, open
        The first instance that refutes, and the first that bounds do not decide: its position and
        the text of its finding.
    misled
        A bound on the probability that draws misled on any of them.
    supported
        How many findings rest on draws.
    """

    instances: int = 0
    refuting: tuple[int, str] | None = None
    open: tuple[int, str] | None = None
    misled: Fraction = Fraction(0)
    supported: int = 0

    def __post_init__(self) -> None:
        counts = (self.instances, self.supported)
        if not all(type(count) is int for count in counts):
            raise InvalidInput("instances", described(counts), "integers")
        if not 0 <= self.supported <= self.instances:
            raise InvalidInput("supported", described(counts), "from 0 to the instances")
        # Each finding that rests on draws misleads with a probability above 0 and below 1.
        if (self.misled == 0) != (self.supported == 0) or not 0 <= self.misled <= self.supported:
            given = f"{described(self.misled)} for {self.supported} findings"
            raise InvalidInput("misled", given, "above 0 and below their number, or 0 for none")
        for place in (self.refuting, self.open):
            if place is not None and not (self.instances and place[0] >= 0 and place[1]):
                raise InvalidInput("refuting", described(place), "a position and a text")

    @classmethod
    def of(cls, findings: Iterable[tuple[int, Finding]]) -> Tally:
        """Count findings, up to the first that refutes: the rest would not change the verdict."""
        count, drawn, misled = 0, 0, Fraction(0)
        refuting: tuple[int, str] | None = None
        unsettled: tuple[int, str] | None = None
        for position, finding in findings:
            count += 1
            if finding.verdict is Verdict.REFUTED:
                refuting = (position, finding.text)
                break
            if finding.verdict is Verdict.BOUNDED and unsettled is None:
                unsettled = (position, finding.text)
            elif finding.verdict is Verdict.SUPPORTED:
                drawn += 1
                misled += finding.misled
        return cls(count, refuting, unsettled, misled, drawn)

    def __add__(self, other: Tally) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        return Tally(
            self.instances + other.instances,
            _first(self.refuting, other.refuting),
            _first(self.open, other.open),
            self.misled + other.misled,
            self.supported + other.supported,
        )

    @property
    def status(self) -> Status:
        """What these findings amount to."""
        if self.refuting is not None:
            return Status.REFUTED
        if self.instances == 0:
            return Status.EMPTY
        if self.open is not None:
            return Status.BOUNDED
        return Status.SUPPORTED if self.supported else Status.VERIFIED

    def to_dict(self) -> dict[str, object]:
        """Return the tally as a dictionary that ``json.dumps`` accepts."""
        return {
            "instances": self.instances,
            "refuting": self.refuting,
            "open": self.open,
            "misled": str(self.misled),
            "supported": self.supported,
        }

    @classmethod
    def from_dict(cls, document: object) -> Tally:
        """Return the tally that :meth:`to_dict` wrote; ``ValueError`` if it is no such document."""
        if not isinstance(document, Mapping):
            raise ValueError("a tally is an object")
        count, drawn = document.get("instances"), document.get("supported")
        if not isinstance(count, int) or not isinstance(drawn, int):
            raise ValueError("counts of a tally are integers")
        return cls(
            count,
            _placed(document.get("refuting")),
            _placed(document.get("open")),
            number_from(str(document.get("misled")), "misled"),
            drawn,
        )


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


@dataclass(frozen=True, slots=True)
class Evidence:
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

    claim: Claim
    budget: Budget
    trials: tuple[TrialEvidence, ...]
    parts: int = field(default=0, compare=False)
    kept: int = field(default=0, compare=False)
    oldest: float = field(default=math.inf, compare=False)

    @property
    def instances(self) -> int:
        """How many instances were examined."""
        return sum(trial.tally.instances for trial in self.trials)

    @property
    def status(self) -> Status:
        """What may be said of the claim: the worst of its trials."""
        if not self.trials:
            return Status.OPEN if self.claim.method is Method.OPEN else Status.ASYMPTOTIC
        found = {trial.tally.status for trial in self.trials}
        order = (Status.REFUTED, Status.EMPTY, Status.BOUNDED, Status.SUPPORTED, Status.VERIFIED)
        return next(status for status in order if status in found)

    @property
    def counterexample(self) -> str | None:
        """The first counterexample, if the claim is refuted."""
        found = (trial.tally.refuting for trial in self.trials)
        return next((place[1] for place in found if place is not None), None)

    @property
    def misled(self) -> Fraction:
        """A bound on the probability that draws misled."""
        return sum((trial.tally.misled for trial in self.trials), Fraction(0))

    @property
    def as_expected(self) -> bool:
        """Whether the run found what is known of the claim.

        A claim that holds must not be refuted and must have instances; one that is known to fail
        must be refuted.
        """
        match self.claim.expectation:
            case Expectation.HOLDS:
                return self.status in (Status.VERIFIED, Status.SUPPORTED, Status.BOUNDED)
            case Expectation.RECORDED:
                return self.status in (Status.ASYMPTOTIC, Status.OPEN)
            case _:
                return self.status is Status.REFUTED

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


def _first(a: tuple[int, str] | None, b: tuple[int, str] | None) -> tuple[int, str] | None:
    return min((place for place in (a, b) if place is not None), default=None)


def _placed(value: object) -> tuple[int, str] | None:
    if value is None:
        return None
    if isinstance(value, list | tuple) and len(value) == 2:
        position, text = value
        if isinstance(position, int) and isinstance(text, str):
            return position, text
    raise ValueError("a finding of a tally is a position and a text")
