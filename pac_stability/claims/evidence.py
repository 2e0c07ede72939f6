"""The result of a run for a claim: tallies of findings, and the evidence that they make."""

from __future__ import annotations

import math
import sys
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import ClassVar

from pac_stability._report import Reported
from pac_stability.arguments import described
from pac_stability.audit import Verdict
from pac_stability.claims.claim import Basis, Claim, Expectation, Method, Status
from pac_stability.claims.kit import AskedInstance, Budget, Finding, tightened
from pac_stability.errors import InvalidInput

FAILURES = (Status.REFUTED, Status.BROKEN, Status.INSENSITIVE, Status.EMPTY)
"""What a claim that should hold must not be found."""

WORST_FIRST = (
    *FAILURES,
    Status.BOUNDED,
    Status.SUPPORTED,
    Status.SURVIVED,
    Status.EXHAUSTED,
    Status.SETTLED,
)
"""The words for what was examined."""

REPRODUCTION = {
    Status.SETTLED: "verified",
    Status.EXHAUSTED: "toy",
    Status.SURVIVED: "toy",
    Status.REFUTED: "falsified",
}
"""For who collects verdicts claim by claim: *verified*, *falsified*, *toy*; else *inconclusive*.

*Toy* means that it holds on the instances examined, which are small ones.
"""

_JUST_BELOW = Fraction(999, 1000)  # what is allowed in the second run, of what is needed


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
        A bound on the probability that random draws misled on any of them.
    supported
        The number of findings that rest on random draws.
    active
        The number of instances that were not idle.
    tightest
        The largest tension, rounded down; ``None`` if no numbers are compared, or some instance
        refutes.
    insensitive
        The tightest instance, if it did not refute the tightened statement: its position, and the
        finding.
    broken
        The instance at which the trial failed with an error, if any: its position, and the error.
    seconds
        The seconds of processor time; 0 for kept answers.
    """

    instances: int = 0
    refuting: tuple[int, str] | None = None
    open: tuple[int, str] | None = None
    misled: Fraction = Fraction(0)
    supported: int = 0
    active: int = 0
    tightest: float | None = None
    insensitive: tuple[int, str] | None = None
    broken: tuple[int, str] | None = None
    seconds: float = field(default=0.0, compare=False)

    def __post_init__(self) -> None:
        counts = (self.instances, self.active, self.supported)
        if not all(type(count) is int for count in counts):
            raise InvalidInput("instances", described(counts), "integers")
        if not 0 <= self.supported <= self.active <= self.instances:
            raise InvalidInput("supported", described(counts), "from 0 to those that are not idle")
        if self.tightest is not None and not (
            self.active and self.refuting is None and 0 <= self.tightest <= 1
        ):
            given = described(self.tightest)
            raise InvalidInput("tightest", given, "from 0 to 1, of instances that do not refute")
        # Each finding that rests on draws misleads with a probability above 0 and below 1.
        if (self.misled == 0) != (self.supported == 0) or not 0 <= self.misled <= self.supported:
            given = f"{described(self.misled)} for {self.supported} findings"
            raise InvalidInput("misled", given, "above 0 and below their number, or 0 for none")
        if self.insensitive is not None and not self.tightest:
            raise InvalidInput("insensitive", described(self.insensitive), "a tightest instance")
        for place in (self.refuting, self.open, self.insensitive, self.broken):
            counted = self.active or place is self.broken
            if place is not None and not (counted and place[0] >= 0 and place[1]):
                raise InvalidInput("refuting", described(place), "a position and a text")

    @classmethod
    def of(cls, findings: Iterable[tuple[int, Finding]]) -> Tally:
        """Count findings, up to the first that refutes: the rest would not change the verdict."""
        count, active, drawn, misled = 0, 0, 0, Fraction(0)
        tightest: Fraction | None = None
        refuting: tuple[int, str] | None = None
        unsettled: tuple[int, str] | None = None
        for position, finding in findings:
            count += 1
            active += not finding.idle
            if finding.tension is not None:
                tightest = max(finding.tension, tightest or Fraction(0))
            if finding.verdict is Verdict.REFUTED:
                refuting = (position, finding.text)
                break
            if finding.verdict is Verdict.BOUNDED and unsettled is None:
                unsettled = (position, finding.text)
            elif finding.verdict is Verdict.SUPPORTED:
                drawn += 1
                misled += finding.misled
        reached = None if refuting is not None else _rounded_down(tightest)
        return cls(count, refuting, unsettled, misled, drawn, active, reached)

    @classmethod
    def asking(cls, instances: Iterable[AskedInstance]) -> Tally:
        """Count the findings, and check the tightest instance again on the tightened statement.

        It must refute then: the tension that a trial reports is not trusted blindly. An error ends
        the trial and is its finding.
        """
        tightest: AskedInstance | None = None
        broken: tuple[int, str] | None = None

        def findings() -> Iterator[tuple[int, Finding]]:
            nonlocal tightest, broken
            position = -1
            try:
                for asked in instances:
                    position = asked.position
                    if _tension(asked) > _tension(tightest):
                        tightest = asked
                    yield position, asked.finding
            except (Exception, SystemExit) as error:  # whatever it is, it is the answer
                broken = (position + 1, error_in_words(error))

        found = cls.of(findings())
        if broken is not None:
            return replace(found, broken=broken)
        if found.refuting is not None or not found.tightest or tightest is None:
            return found
        try:
            with tightened(_tension(tightest) * _JUST_BELOW):
                verdict = tightest.again().verdict
        except (Exception, SystemExit) as error:  # as above
            return replace(found, broken=(tightest.position, error_in_words(error)))
        if verdict is Verdict.REFUTED:
            return found
        return replace(found, insensitive=(tightest.position, f"{verdict.value} again"))

    def __add__(self, other: Tally) -> Tally:
        if not isinstance(other, Tally):
            return NotImplemented
        refuting = _first(self.refuting, other.refuting)
        reached = [t for t in (self.tightest, other.tightest) if t is not None]
        return Tally(
            self.instances + other.instances,
            refuting,
            _first(self.open, other.open),
            self.misled + other.misled,
            self.supported + other.supported,
            self.active + other.active,
            max(reached) if reached and refuting is None else None,
            None if refuting is not None else _first(self.insensitive, other.insensitive),
            _first(self.broken, other.broken),
            self.seconds + other.seconds,
        )

    @property
    def status(self) -> Status:
        """The status that these findings give."""
        if self.refuting is not None:
            return Status.REFUTED
        if self.broken is not None:
            return Status.BROKEN
        if self.insensitive is not None:
            return Status.INSENSITIVE
        if self.active == 0:
            return Status.EMPTY
        if self.open is not None:
            return Status.BOUNDED
        return Status.SUPPORTED if self.supported else Status.SURVIVED


def error_in_words(error: BaseException) -> str:
    """Describe an error in a line, with the file and line that raised it.

    Examples
    --------
    >>> error_in_words(InvalidInput("n", "0", "an integer from 1 on"))
    'InvalidInput: n: got 0, want an integer from 1 on'
    """
    said = " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return said
    return f"{said} (line {frames[-1].lineno} of {Path(frames[-1].filename).name})"


def _tension(asked: AskedInstance | None) -> Fraction:
    found = None if asked is None else asked.finding.tension
    return Fraction(0) if found is None else found


def _rounded_down(tension: Fraction | None) -> float | None:
    """Return a double that is not above, so that 1 is said of what is 1 only."""
    if tension is None:
        return None
    near = float(tension)
    return near if near <= tension else math.nextafter(near, 0)


def _first(a: tuple[int, str] | None, b: tuple[int, str] | None) -> tuple[int, str] | None:
    return min((place for place in (a, b) if place is not None), default=None)


# What a run found about a claim


@dataclass(frozen=True, slots=True)
class TrialEvidence:
    """The findings of one trial.

    Attributes
    ----------
    name, universe
        Those of the trial.
    extent
        In a few words, the universe that this budget exhausted; empty if there is none.
    tally
        The findings.
    """

    name: str
    universe: str
    extent: str
    tally: Tally

    @property
    def status(self) -> Status:
        """The status of the trial: if it survived all of a universe it is exhausted."""
        found = self.tally.status
        return Status.EXHAUSTED if self.extent and found is Status.SURVIVED else found


class FoundInTrials:
    """Summaries of the findings of a claim's trials."""

    __slots__ = ()

    trials: tuple[TrialEvidence, ...]

    @property
    def instances(self) -> int:
        """The number of examined instances."""
        return sum(trial.tally.instances for trial in self.trials)

    @property
    def seconds(self) -> float:
        """The time that it took now, in seconds of processor time."""
        return sum(trial.tally.seconds for trial in self.trials)

    @property
    def active(self) -> int:
        """The number of instances that could have refuted the claim."""
        return sum(trial.tally.active for trial in self.trials)

    @property
    def tightest(self) -> float | None:
        """The largest tension of an instance; ``None`` if no numbers are compared."""
        found = (trial.tally.tightest for trial in self.trials)
        return max((tension for tension in found if tension is not None), default=None)

    @property
    def slack(self) -> float | None:
        """The allowed value over the need of the tightest instance; see :func:`slack_of`."""
        return slack_of(self.tightest)

    @property
    def extent(self) -> str:
        """The universe that was exhausted; empty if some trial exhausted none."""
        found = {trial.extent: None for trial in self.trials}
        return "" if "" in found else "; ".join(found)

    @property
    def broken(self) -> str | None:
        """The first error that ended a trial."""
        found = ((trial.name, trial.tally.broken) for trial in self.trials)
        return next((f"{name}: {at[1]}" for name, at in found if at is not None), None)

    @property
    def counterexample(self) -> str | None:
        """The first counterexample, if the claim is refuted."""
        found = (trial.tally.refuting for trial in self.trials)
        return next((place[1] for place in found if place is not None), None)


@dataclass(frozen=True, slots=True, repr=False)
class Evidence(Reported, FoundInTrials):
    """The result of a run for a claim.

    Attributes
    ----------
    claim
        The claim.
    budget
        The budget of the run.
    trials
        The findings of each trial, in the order of the claim.
    parts, kept
        The number of parts of the work, and how many of these came from the cache.
    oldest
        The time of the oldest of those, in seconds since 1970.
    """

    _face: ClassVar[str] = "pac_stability.claims.report:evidence_face"

    claim: Claim
    budget: Budget
    trials: tuple[TrialEvidence, ...]
    parts: int = field(default=0, compare=False)
    kept: int = field(default=0, compare=False)
    oldest: float = field(default=math.inf, compare=False)

    @property
    def status(self) -> Status:
        """The status of the claim: the worst of its trials."""
        if not self.trials:
            return Status.OPEN if self.claim.method is Method.OPEN else Status.RECORDED
        found = {trial.status for trial in self.trials}
        worst = next(status for status in WORST_FIRST if status in found)
        match self.claim.basis:
            case Basis.ROCQ if worst in (Status.EXHAUSTED, Status.SURVIVED):
                return Status.SETTLED
            case Basis.FINITE if worst is Status.EXHAUSTED:
                return Status.SETTLED
            case _:
                return worst

    @property
    def reproduction(self) -> str:
        """The word for it in claim-by-claim reproductions; see :data:`REPRODUCTION`."""
        return REPRODUCTION.get(self.status, "inconclusive")

    @property
    def misled(self) -> Fraction:
        """A bound on the probability that random draws misled."""
        return sum((trial.tally.misled for trial in self.trials), Fraction(0))

    @property
    def as_expected(self) -> bool:
        """Whether the run confirmed the known status of the claim.

        A claim that holds must not be refuted, and each trial needs an instance that is not idle.
        Each trial of a claim that is known to fail must refute it, so no trial is insensitive.
        """
        match self.claim.expectation:
            case Expectation.HOLDS:
                return self.status in WORST_FIRST and self.status not in FAILURES
            case Expectation.RECORDED:
                return self.status in (Status.RECORDED, Status.OPEN)
            case _:
                # One that refutes does not stand for another that no longer does.
                found = [trial.status is Status.REFUTED for trial in self.trials]
                return all(found) and bool(found)

    @property
    def word(self) -> str:
        """The status, in a word or two; for an expected refutation, the kind of statement.

        Examples
        --------
        >>> from pac_stability import claims
        >>> claims.check(claims.get("DF20:definition-private-prediction.arxiv")).word
        'misprint'
        """
        return self.claim.expectation.word_for(self.status.value)


def slack_of(tightest: float | None) -> float | None:
    """Return the factor by which the allowed value could be smaller, rounded up.

    It is the inverse of the largest tension; ``None`` if no numbers are compared, nothing is
    needed, or the factor exceeds the range of a double.

    Examples
    --------
    >>> slack_of(1.0), slack_of(0.5), slack_of(0.0), slack_of(None)
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
    """The result of a run for several claims; its text is that of ``verify``.

    Attributes
    ----------
    found
        The results, one entry a claim.

    Examples
    --------
    >>> from pac_stability import claims
    >>> chosen = claims.select(["DF20:appendix-a.mixtures"])
    >>> report = EvidenceReport(tuple(claims.verify(chosen)))
    >>> print(str(report).splitlines()[-1].partition(";")[0])
    1 claim: 1 survived
    """

    _face: ClassVar[str] = "pac_stability.claims.report:run_face"

    found: tuple[Evidence, ...]

    @property
    def as_expected(self) -> bool:
        """Whether every claim has its expected status."""
        return all(entry.as_expected for entry in self.found)

    def __repr__(self) -> str:
        return f"<EvidenceReport: {len(self.found)} claims>"
