"""Claims on one finite class, such as a user's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pac_stability._report import Tabled
from pac_stability.audit.progress import Clock, ProgressCallback
from pac_stability.claims.claim import Claim, Expectation
from pac_stability.claims.evidence import FoundInTrials, TrialEvidence
from pac_stability.claims.tallies import WORST_FIRST, Status, Tally
from pac_stability.classes import FiniteClass


@dataclass(frozen=True, slots=True, repr=False)
class ClassEvidence(Tabled, FoundInTrials):
    """What a run found about a claim on one class.

    Attributes
    ----------
    claim
        The claim.
    trials
        What the trials found that take a class of this size.
    skipped
        For the other trials that take a class, the name and why this one is too large.
    """

    claim: Claim
    trials: tuple[TrialEvidence, ...]
    skipped: tuple[tuple[str, str], ...]

    @property
    def status(self) -> Status | None:
        """What may be said of it on this class; ``None`` if nothing there could refute it."""
        found = {trial.status for trial in self.trials} - {Status.EMPTY}
        return next((status for status in WORST_FIRST if status in found), None)

    @property
    def as_expected(self) -> bool:
        """Whether a claim that should hold is not refuted; on one class others may hold or not."""
        if self.status is Status.REFUTED:
            return self.claim.expectation is not Expectation.HOLDS
        return self.status is not Status.INSENSITIVE

    @property
    def not_run(self) -> str | None:
        """Why nothing is said of the claim, or ``None``."""
        if self.status is not None:
            return None
        if self.skipped:
            return "; ".join(f"{name}: {why}" for name, why in self.skipped)
        if self.instances:
            return "it cannot fail on this class"
        if any(trial.of_class is not None for trial in self.claim.trials):
            return "what it is about does not occur in this class"
        if not self.claim.trials:
            return f"{self.claim.method.value}: no instance settles it"
        return f"not about a class; asked of: {self.claim.trials[0].universe}"


def check_on(claim: Claim, H: FiniteClass, *, mutant: bool = False) -> ClassEvidence:
    """Settle on a class of one's own what of a claim can be asked of a class.

    Parameters
    ----------
    claim
        Any claim. Trials that take no finite class are left out.
    H
        A class. Its points are taken as 0, 1, ... in the order of its columns, and counterexamples
        speak of them so.
    mutant
        Whether the questions are asked of the wrong subjects instead.

    Returns
    -------
    ClassEvidence
        With the reason where a trial does not take a class as large.

    Examples
    --------
    >>> from pac_stability import claims, classes
    >>> found = claims.check_on(claims.get("BLM20:lemma-12"), classes.thresholds(3))
    >>> found.status.value, found.instances
    ('survived', 8)
    >>> claims.check_on(claims.get("DF20:appendix-a.mixtures"), classes.thresholds(3)).not_run
    'not about a class; asked of: two pairs of predictions in a grid, two factors, two weights'
    """
    plain = FiniteClass(H.table)  # the table alone: no names, no closed forms
    found, skipped = [], []
    for trial in claim.trials:
        if trial.of_class is None:
            continue
        why = trial.of_class.refusal(plain)
        if why is not None:
            skipped.append((trial.name, why))
        else:
            tally = Tally.asking(trial.of_class.ask(plain, mutant))
            found.append(TrialEvidence(trial.name, trial.of_class.universe, False, tally))
    return ClassEvidence(claim, tuple(found), tuple(skipped))


def verify_on(
    claims: Iterable[Claim], H: FiniteClass, *, progress: ProgressCallback | None = None
) -> Iterator[ClassEvidence]:
    """Settle claims on a class of one's own, in this process, in their order.

    Parameters
    ----------
    claims
        Any claims; those that are not about a class come out with the reason.
    H
        A class, as in :func:`check_on`.
    progress
        Called with the number of claims done.
    """
    chosen = tuple(claims)
    clock = Clock(progress)
    clock.report("verifying", 0, len(chosen))
    for done, claim in enumerate(chosen, 1):
        yield check_on(claim, H)
        clock.report("verifying", done, len(chosen))
