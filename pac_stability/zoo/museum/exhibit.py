"""A wrong mechanism, the claim that it breaks, and what shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, cast

from pac_stability.arithmetic import Epsilon
from pac_stability.audit import About, AuditResult, Notion, PairWitness, subjects
from pac_stability.data import FiniteDistribution

Dataset: TypeAlias = Sequence[object]
"""A ``Sample`` for notions of prediction, a tuple of records for differential privacy."""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A wrong mechanism on a finite instance, beside the right one. Immutable.

    Attributes
    ----------
    name
        What :func:`pac_stability.zoo.museum.get` knows it by.
    bug
        What is wrong.
    temptation
        Why one would write it.
    remedy
        What the right one does.
    notion
        What is claimed: of predictions, where samples are of labelled examples, or of outputs,
        where data sets are of the elements of the domain.
    domain, n, delta
        The instance. Neighbours have one element replaced.
    claim
        The claimed value, in the units of an audit's value: the factor e**epsilon, or gamma.
    wrong, right
        The two mechanisms.
    value
        The exact value of the wrong one; of one that is irrational, a number that the audit's
        enclosure holds.
    sample, neighbour, point, event
        Its counterexample: neighbouring data sets on which the probabilities of the event attain
        the value; for concentrated privacy, for which no single event does, differ. The point is
        where a prediction is made, or ``None``.
    found
        For a bug that was found in the wild, the address of its public report.

    Examples
    --------
    >>> from pac_stability.zoo import museum
    >>> exhibit = museum.get("half-the-noise")
    >>> exhibit.audit().verdict, exhibit.audit().value, exhibit.claim
    (<Verdict.REFUTED: 'refuted'>, Fraction(4, 1), Fraction(2, 1))
    >>> exhibit.audit_right().verdict
    <Verdict.VERIFIED: 'verified'>
    """

    name: str
    bug: str
    temptation: str
    remedy: str
    notion: Notion
    domain: tuple[object, ...]
    n: int
    claim: Fraction
    wrong: subjects.PredictionSubject
    right: subjects.PredictionSubject
    value: Fraction | float
    sample: Dataset
    neighbour: Dataset
    event: tuple[object, ...]
    point: object | None = None
    delta: Fraction = Fraction(0)
    found: str = ""

    def audit(self) -> AuditResult:
        """Return what an audit says of the wrong mechanism: refuted."""
        return self._audit(self.wrong)

    def audit_right(self) -> AuditResult:
        """Return what the same audit says of the right mechanism: verified."""
        return self._audit(self.right)

    def counterexample(self) -> PairWitness:
        """Return the minimal counterexample with its two exact laws.

        Examples
        --------
        >>> from pac_stability.zoo import museum
        >>> shown = museum.get("half-the-noise").counterexample()
        >>> shown.sample, shown.law
        ((0,), FiniteDistribution({0: 4/5, 1: 1/5}))
        >>> shown.neighbour, shown.neighbour_law
        ((1,), FiniteDistribution({0: 1/5, 1: 4/5}))
        """
        return PairWitness(
            self.sample,
            self.neighbour,
            self.point,
            self._law(self.sample),
            self._law(self.neighbour),
            self.event,
            self.value,
        )

    def _law(self, data: Dataset) -> FiniteDistribution[object]:
        # No exhibit has an irrational law.
        if self.notion.about is About.OUTPUTS:
            (law,) = subjects.law_source(cast("subjects.LawSubject", self.wrong)).row(data)
            return cast("FiniteDistribution[object]", law)
        (one,) = subjects.prediction_source(self.wrong, (self.point,)).row(data)
        probability = cast("Fraction", one)
        return FiniteDistribution({1: probability, 0: 1 - probability})

    def _audit(self, mechanism: subjects.PredictionSubject) -> AuditResult:
        is_factor = self.notion.parameter.is_factor
        options: dict[str, object] = {
            "claim": Epsilon.exactly(self.claim) if is_factor else self.claim,
            "labelled": self.notion.about is About.PREDICTIONS,
        }
        if "delta" in self.notion.fixed:
            options["delta"] = self.delta
        return self.notion.ask(mechanism, self.domain, self.n, **options)
