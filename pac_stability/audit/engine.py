"""Every pair of neighbouring samples, exactly: ask about each sample once, then sweep."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from pac_stability.arithmetic import Interval
from pac_stability.audit.asking import Answers, Questions, Source
from pac_stability.audit.best_pair import BestPair
from pac_stability.audit.checkpoint import Checkpoint
from pac_stability.audit.claimed import Claim
from pac_stability.audit.enclosed_sweep import EnclosedSweep
from pac_stability.audit.failures import AuditStopped, SubjectFailure, shown
from pac_stability.audit.measures import Law, Measure
from pac_stability.audit.neighbour_ranks import Neighbourhood
from pac_stability.audit.options import Limits
from pac_stability.audit.parallel import ask_all, executor_of, sweep_all, sweep_known
from pac_stability.audit.progress import Clock
from pac_stability.audit.results import (
    AuditResult,
    Counts,
    Instance,
    PairWitness,
    Symmetry,
    Value,
    Verdict,
)
from pac_stability.audit.sweeps import label_law, sweep_of
from pac_stability.data import EnclosedDistribution, FiniteDistribution, Neighbouring
from pac_stability.errors import Undecided

_BYTES_A_NUMBER = 16  # a place in the table, and copies of it on the way
_BYTES_A_VALUE = 400  # a fraction and its entry in a dictionary


def audit_pairs(
    instance: Instance, source: Source, measure: Measure, claim: Claim, limits: Limits
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
    limits
        How the audit is run.
    """
    audit = _Audit(instance, source, measure, claim, limits)
    neighbourhood = audit.neighbourhood
    if not neighbourhood.pairs or not source.columns:
        what = "pair of neighbouring samples" if source.columns else "point to predict at"
        return AuditResult(
            instance, measure.floor, Verdict.SKIPPED, None,
            Counts(0, 0, 0, 0), claim.bound, f"there is no {what}",
        )  # fmt: skip
    return audit.run()


@dataclass(frozen=True)
class _Audit:
    instance: Instance
    source: Source
    measure: Measure
    claim: Claim
    limits: Limits

    @property
    def neighbourhood(self) -> Neighbourhood:
        return Neighbourhood(
            len(self.instance.universe),
            self.instance.n,
            self.instance.relation,
            self.instance.symmetry is not Symmetry.NONE,
            self.instance.group_size,
        )

    @property
    def questions(self) -> Questions:
        symmetric = self.instance.symmetry is not Symmetry.NONE
        return Questions(self.source, self.neighbourhood, self.instance.universe, symmetric)

    def run(self) -> AuditResult:
        """Ask, sweep, and ask about the witness once more."""
        neighbourhood, questions, limits = self.neighbourhood, self.questions, self.limits
        self._require_small(neighbourhood)
        clock = Clock(limits.time_limit, limits.progress)
        checkpoint = Checkpoint(limits.checkpoint, f"{self.source.name} on {self.instance!r}")
        answers = checkpoint.load(self.source.columns)
        resumed = answers.count
        best, compared = self._first_pair(neighbourhood), 0

        def asked() -> None:
            clock.report("asking", answers.count, neighbourhood.samples)
            checkpoint.save(answers)
            self._require_memory(answers)
            if clock.expired and answers.count < neighbourhood.samples:
                pace = clock.seconds / (answers.count - resumed)
                raise AuditStopped(
                    f"the time limit of {limits.time_limit:g} s was reached after "
                    f"{answers.count:,} of {neighbourhood.samples:,} samples; at this pace all "
                    f"take {pace * neighbourhood.samples:.3g} s"
                )

        def swept(done: int, found: BestPair) -> None:
            nonlocal best, compared
            best, compared = found, done * neighbourhood.pairs_in_a_unit
            clock.report("comparing", done, neighbourhood.units)
            if clock.expired and done < neighbourhood.units:
                raise AuditStopped(
                    f"the time limit of {limits.time_limit:g} s was reached when all "
                    f"{neighbourhood.samples:,} samples were asked about and "
                    f"{done / neighbourhood.units:.0%} of {neighbourhood.pairs:,} pairs compared"
                )

        try:
            with executor_of(limits, questions) as executor:
                if answers.count:
                    questions.require_same(answers.count - 1, answers.row(answers.count - 1))
                ask_all(questions, answers, executor, asked)
                sweep = sweep_of(answers, self.measure, limits.max_memory)
                best = sweep_all(sweep, neighbourhood, best, executor, swept)
        except (AuditStopped, SubjectFailure) as stop:
            stop.partial = self._partial(questions, answers, best, compared)
            raise
        finally:
            if answers.count:
                checkpoint.save(answers, now=True)
        if isinstance(sweep, EnclosedSweep):
            return self._enclosed(questions, answers, best, sweep.upper)
        for number in (best.first, best.second):
            questions.require_same(number, answers.row(number))
        verdict, bound = self.claim.judged(best.value)
        witness = self._witness(questions, answers, best)
        counts = self._counts(answers, neighbourhood.pairs)
        return AuditResult(self.instance, best.value, verdict, witness, counts, bound)

    def _require_small(self, neighbourhood: Neighbourhood) -> None:
        """Refuse, before anything is asked, what the limits do not allow."""
        size = f"the domain has {neighbourhood.samples:,} samples and {neighbourhood.pairs:,} pairs"
        if neighbourhood.pairs > self.limits.max_pairs:
            raise AuditStopped(
                f"{size} of neighbours, more than max_pairs={self.limits.max_pairs:,}; "
                f"max_pairs={neighbourhood.pairs} would do"
            )
        needed = _BYTES_A_NUMBER * neighbourhood.samples * self.source.columns
        if needed > self.limits.max_memory:
            raise AuditStopped(
                f"{size} of neighbours, whose answers take {needed:,} bytes, more than "
                f"max_memory={self.limits.max_memory:,}; max_memory={2 * needed} would do"
            )

    def _require_memory(self, answers: Answers) -> None:
        used = _BYTES_A_NUMBER * len(answers.places) + _BYTES_A_VALUE * len(answers.values)
        if used > self.limits.max_memory:
            needed = used * self.neighbourhood.samples // answers.count
            raise AuditStopped(
                f"the answers on {answers.count:,} of {self.neighbourhood.samples:,} samples take "
                f"about {used:,} bytes, more than max_memory={self.limits.max_memory:,}; "
                f"about max_memory={needed} would do"
            )

    def _first_pair(self, neighbourhood: Neighbourhood) -> BestPair:
        """Return the first pair, which attains the least value there is."""
        smallest = neighbourhood.rankings[0].size
        second = 1 if neighbourhood.relation is Neighbouring.REPLACE_ONE else smallest
        return BestPair(self.measure.floor, 0, second)

    def _witness(self, questions: Questions, answers: Answers, best: BestPair) -> PairWitness:
        # Outputs have one law a sample, whatever the outcome that is the column.
        column = best.column % answers.columns
        law, other = (
            _exact_law(answers.row(number)[column]) for number in (best.first, best.second)
        )
        sample, neighbour = questions.neighbours(best.first, best.second)
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
        )

    def _partial(
        self, questions: Questions, answers: Answers, best: BestPair, pairs: int
    ) -> AuditResult:
        """Return what the answers so far show."""
        neighbourhood = self.neighbourhood
        exact = all(isinstance(value, Fraction | FiniteDistribution) for value in answers.values)
        if answers.count < neighbourhood.samples and answers.count > best.second:
            sweep = sweep_of(answers, self.measure, self.limits.max_memory)
            best, pairs = sweep_known(sweep, neighbourhood, best, answers.count)
        witness = self._witness(questions, answers, best) if exact and pairs else None
        refuted = self.claim.judged(best.value)[0] is Verdict.REFUTED
        return AuditResult(
            self.instance,
            best.value,
            Verdict.REFUTED if refuted else Verdict.BOUNDED if pairs else Verdict.SKIPPED,
            witness,
            self._counts(answers, pairs),
            self.claim.bound,
            f"stopped after {answers.count:,} of {neighbourhood.samples:,} samples; "
            "the value is a lower bound",
        )

    def _enclosed(
        self, questions: Questions, answers: Answers, best: BestPair, upper: Fraction | float
    ) -> AuditResult:
        """Return the result for laws that are known up to intervals."""
        value: Value
        if best.value == upper:
            value = upper
        elif isinstance(best.value, Fraction) and isinstance(upper, Fraction):
            value = Interval(best.value, upper)
        else:
            raise Undecided(
                f"the value is at least {float(best.value):.6g}, and whether it is finite is open: "
                "some outcome is not known to be possible on all samples"
            )
        verdict, bound = self.claim.judged(value)
        sample, neighbour = map(shown, questions.neighbours(best.first, best.second))
        return AuditResult(
            self.instance,
            value,
            verdict,
            None,
            self._counts(answers, self.neighbourhood.pairs),
            bound,
            f"laws are known up to intervals; largest for {sample} and {neighbour}",
        )

    def _counts(self, answers: Answers, pairs: int) -> Counts:
        outcomes: set[object] = set()
        for value in answers.values:
            if isinstance(value, FiniteDistribution | EnclosedDistribution):
                outcomes.update(value.support)
            elif len(outcomes) < 2:
                outcomes.update(_possible_labels(cast("Fraction | Interval", value)))
        return Counts(answers.count, pairs, len(self.instance.points), len(outcomes))


def _exact_law(value: object) -> Law:
    return label_law(value) if isinstance(value, Fraction) else cast("Law", value)


def _possible_labels(probability: Fraction | Interval) -> tuple[int, ...]:
    low, high = (
        (probability.lower, probability.upper)
        if isinstance(probability, Interval)
        else (probability, probability)
    )
    return (0,) * (low < 1) + (1,) * (high > 0)
