"""Every pair of neighbouring samples, exactly: ask about each sample once, then sweep."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from pac_stability.arithmetic import Interval
from pac_stability.audit.claimed import ClaimedBound
from pac_stability.audit.failures import AuditStopped, SubjectFailure, shown
from pac_stability.audit.notions.measures import Measure
from pac_stability.audit.notions.notion import Instance, Law, Symmetry
from pac_stability.audit.options import Chosen
from pac_stability.audit.results import (
    LOWER_BOUND,
    AuditResult,
    Counts,
    PairWitness,
    Value,
    Verdict,
)
from pac_stability.audit.search.asking import Source
from pac_stability.audit.search.diagrams import diagram_of
from pac_stability.audit.search.gathering import Gathering, require_countable
from pac_stability.audit.search.neighbour_ranks import Neighbourhood
from pac_stability.audit.search.parallel import sweep_all, sweep_known
from pac_stability.audit.search.sweep import BestPair, Sweep
from pac_stability.data import FiniteDistribution, Neighbouring
from pac_stability.data.distribution import label_law
from pac_stability.errors import InvalidInput


def audit_pairs(
    instance: Instance, source: Source, measure: Measure, claim: ClaimedBound, options: Chosen
) -> AuditResult:
    """Return the largest value that any pair of neighbours requires.

    Parameters
    ----------
    instance
        The samples, and what is fixed.
    source
        What is asked about each sample.
    measure
        What is measured on a pair of answers.
    claim
        What is claimed of the value.
    options
        How the audit is run.

    Raises
    ------
    InvalidInput
        An option is out of range, or the checkpoint is of another audit.
    SubjectFailure
        The algorithm did not answer as it must.
    AuditStopped
        A limit was reached, or there is more than the limits allow.
    """
    require_countable(instance)
    k, relation, distance = len(instance.universe), instance.relation, instance.group_size
    pairs = Neighbourhood(
        k, instance.n, relation, instance.symmetry is not Symmetry.NONE, distance
    ).pairs
    if not pairs or not source.columns:
        what = "pair of neighbouring samples" if source.columns else "point to predict at"
        return AuditResult(
            instance, measure.floor, Verdict.SKIPPED, None,
            Counts(0, 0, 0, 0), claim.bound, f"there is no {what}", understood=source.understood,
            subject=source.name,
        )  # fmt: skip
    if pairs > options.max_pairs:
        raise AuditStopped(
            f"the domain has {pairs:,} pairs of neighbours, more than "
            f"max_pairs={options.max_pairs}; max_pairs={pairs} would do"
        )
    if options.stop_at_first and claim.bound is None:
        raise InvalidInput("stop_at_first", "True without a claim", "a claim to refute")
    return _Audit(instance, measure, claim, options, Gathering(instance, source, options)).run()


class _Refuted(Exception):  # it is no error
    """A counterexample was found while asking."""

    def __init__(self, best: BestPair, pairs: int) -> None:
        super().__init__()
        self.best = best
        self.pairs = pairs


@dataclass(frozen=True)
class _Audit:
    instance: Instance
    measure: Measure
    claim: ClaimedBound
    limits: Chosen
    gathering: Gathering

    def run(self) -> AuditResult:
        """Ask, sweep, and ask about the witness once more."""
        gathering, limits = self.gathering, self.limits
        neighbourhood, answers = gathering.neighbourhood, gathering.answers
        best, compared = self._first_pair(neighbourhood), 0

        def swept(done: int, found: BestPair) -> None:
            nonlocal best, compared
            best, compared = found, done * neighbourhood.pairs_in_a_unit
            gathering.clock.report("comparing", done, neighbourhood.units)
            limit = limits.time_limit
            if (
                limit is not None
                and gathering.clock.seconds >= limit
                and done < neighbourhood.units
            ):
                raise AuditStopped(
                    f"the time limit of {limit:g} s was reached when all "
                    f"{neighbourhood.samples:,} samples were asked about and "
                    f"{done / neighbourhood.units:.0%} of {neighbourhood.pairs:,} pairs compared"
                )

        try:
            with gathering.workers() as workers:
                gathering.complete(workers, self._look if limits.stop_at_first else None)
                sweep = Sweep(answers, self.measure, limits.max_memory)
                best = sweep_all(sweep, neighbourhood, best, workers, swept)
        except _Refuted as found:
            gathering.finish()
            return self._refuted(found.best, found.pairs)
        except (AuditStopped, SubjectFailure) as stop:
            stop.partial = self._partial(best, compared)
            raise
        if sweep.enclosed and self.measure.exactly:
            result = self._enclosed(best)
        else:
            gathering.questions.require_all_same(
                {number: answers.row(number) for number in (best.first, best.second)}
            )
            result = self._exact(best)
        gathering.finish()
        return result

    def _exact(self, best: BestPair) -> AuditResult:
        """Return the result for exact laws; a divergence of two of them may still be enclosed."""
        gathering = self.gathering
        value, _ = enclosed_value(best.value, best.upper)
        verdict, bound = self.claim.judged(value)
        counts = self._counts(gathering.neighbourhood.pairs)
        # Two laws refute, or show that there is no bound; only all laws show that one holds.
        bounded = verdict is Verdict.VERIFIED and best.value != math.inf
        every = diagram_of(gathering.answers, gathering.neighbourhood) if bounded else None
        return AuditResult(
            self.instance, value, verdict, self._witness(best), counts, bound,
            gathering.remark, gathering.assumptions, gathering.kept, every, gathering.understood,
            gathering.name,
        )  # fmt: skip

    def _first_pair(self, neighbourhood: Neighbourhood) -> BestPair:
        """Return the first pair, which attains the least value there is."""
        smallest = neighbourhood.rankings[0].size
        second = 1 if neighbourhood.relation is Neighbouring.REPLACE_ONE else smallest
        return BestPair(self.measure.floor, 0, second, upper=self.measure.floor)

    def _witness(self, best: BestPair) -> PairWitness:
        answers = self.gathering.answers
        # Outputs have one law a sample, whatever the outcome that is the column.
        column = best.column % answers.columns
        law, other = (
            _exact_law(answers.row(number)[column]) for number in (best.first, best.second)
        )
        sample, neighbour = self.gathering.questions.neighbours(best.first, best.second)
        if max(self.measure.directed(law, other), self.measure.floor) != best.value:
            sample, neighbour, law, other = neighbour, sample, other, law
        return PairWitness(
            sample,
            neighbour,
            self.instance.points[column] if self.instance.points else None,
            law,
            other,
            self.measure.event(law, other),
            best.value,
            self.measure.order(law, other),
        )

    def _partial(self, best: BestPair, pairs: int) -> AuditResult:
        """Return what the answers so far show."""
        neighbourhood, answers = self.gathering.neighbourhood, self.gathering.answers
        exact = self._known_exactly()
        if answers.count < neighbourhood.samples and answers.count > best.second:
            sweep = Sweep(answers, self.measure, self.limits.max_memory)
            best, pairs = sweep_known(sweep, neighbourhood, best, answers.count)
        witness = self._witness(best) if exact and pairs else None
        refuted = self.claim.judged(best.value)[0] is Verdict.REFUTED
        note = (
            f"stopped after {answers.count:,} of {neighbourhood.samples:,} samples; {LOWER_BOUND}"
        )
        return AuditResult(
            self.instance,
            best.value,
            Verdict.REFUTED if refuted else Verdict.BOUNDED if pairs else Verdict.SKIPPED,
            witness,
            self._counts(pairs),
            self.claim.bound,
            _joined(note, self.gathering.remark),
            self.gathering.assumptions,
            self.gathering.kept,
            understood=self.gathering.understood,
            subject=self.gathering.name,
        )

    def _look(self) -> None:
        """Compare the samples that were asked about so far; raise at a counterexample."""
        gathering, neighbourhood = self.gathering, self.gathering.neighbourhood
        answers, best = gathering.answers, self._first_pair(neighbourhood)
        if not self._known_exactly() or answers.count <= best.second:
            return
        sweep = Sweep(answers, self.measure, self.limits.max_memory)
        best, pairs = sweep_known(sweep, neighbourhood, best, answers.count)
        if self.claim.judged(best.value)[0] is Verdict.REFUTED:
            numbers = (best.first, best.second)
            gathering.questions.require_all_same({k: answers.row(k) for k in numbers})
            raise _Refuted(best, pairs)

    def _known_exactly(self) -> bool:
        values = self.gathering.answers.values
        return all(isinstance(value, Fraction | FiniteDistribution) for value in values)

    def _refuted(self, best: BestPair, pairs: int) -> AuditResult:
        """Return a refutation by one of the pairs that were compared."""
        gathering = self.gathering
        note = (
            f"stopped at a counterexample, after {gathering.answers.count:,} of "
            f"{gathering.neighbourhood.samples:,} samples; {LOWER_BOUND}"
        )
        return AuditResult(
            self.instance, best.value, Verdict.REFUTED, self._witness(best), self._counts(pairs),
            self.claim.bound, _joined(note, gathering.remark), gathering.assumptions,
            gathering.kept, understood=gathering.understood, subject=gathering.name,
        )  # fmt: skip

    def _enclosed(self, best: BestPair) -> AuditResult:
        """Return the result for laws that are known up to intervals."""
        value, note = enclosed_value(best.value, best.upper)
        verdict, bound = self.claim.judged(value)
        if note and verdict is Verdict.VERIFIED:
            verdict = Verdict.BOUNDED
        samples = self.gathering.questions.neighbours(best.first, best.second)
        counts = self._counts(self.gathering.neighbourhood.pairs)
        where = "largest for {} and {}".format(*map(shown, samples))
        notes = _joined("laws are known up to intervals", where, note, self.gathering.remark)
        return AuditResult(
            self.instance, value, verdict, None, counts, bound, notes,
            self.gathering.assumptions, self.gathering.kept, understood=self.gathering.understood,
            subject=self.gathering.name,
        )  # fmt: skip

    def _counts(self, pairs: int) -> Counts:
        asked, points = self.gathering.answers.count, len(self.instance.points)
        return Counts(asked, pairs, points, self.gathering.outcomes())


def enclosed_value(lower: Fraction | float, upper: Fraction | float) -> tuple[Value, str]:
    """Return the value for two bounds, and a note where they cannot both be told."""
    if lower == upper:
        return lower, ""
    if isinstance(lower, Fraction) and isinstance(upper, Fraction):
        return Interval(lower, upper), ""
    return lower, f"{LOWER_BOUND}, and may be infinite"


def _joined(*notes: str) -> str:
    return "; ".join(filter(None, notes))


def _exact_law(value: object) -> Law:
    return label_law(value) if isinstance(value, Fraction) else cast("Law", value)
