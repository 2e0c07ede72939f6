"""Every pair of neighbouring samples, exactly: query each sample once, then sweep.

:func:`over_pairs` makes the instance from the arguments of an audit. A :class:`Gathering` collects
all answers, within limits and with a checkpoint. The sweep finds the pair that is furthest apart.
If the claim is verified, the certificate gets the answers on all samples as a diagram that shares
equal parts. A node of depth r lists, for each element of the universe, the next node, of depth r -
1; a node of depth 0 is a row of answers. If the order of a sample or most elements make no
difference, there are few nodes even for many samples.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from numbers import Rational
from typing import Never, TypeVar, cast

import numpy as np

from pac_stability import data
from pac_stability._alarm import TimeIsUp, backstop, reached
from pac_stability.arguments import AnyNumber, as_probability, as_size, described, require_hashable
from pac_stability.arithmetic import Epsilon, Interval, as_epsilon
from pac_stability.audit.labels import ANSWERED, ERRORS
from pac_stability.audit.notions.notion import About, Instance, Law, Measure, Notion, Symmetry
from pac_stability.audit.options import Chosen, Clock, Options, symmetry_of
from pac_stability.audit.results import (
    DECLARED,
    LOWER_BOUND,
    NOT_ASKED,
    ON_GRID,
    AllAnswers,
    AuditInterrupted,
    AuditResult,
    AuditStopped,
    ClaimedBound,
    Counts,
    LawsWitness,
    PairWitness,
    SubjectFailure,
    Value,
    Verdict,
    compiled,
    from_a_file,
    shown,
)
from pac_stability.audit.search.asking import Answers, Questions
from pac_stability.audit.search.checkpoint import Checkpoint
from pac_stability.audit.search.neighbour_ranks import (
    Listed,
    Neighbourhood,
    Ranks,
    neighbourhood_of,
)
from pac_stability.audit.search.parallel import Workers, ask_all, sweep_all, sweep_known, workers_of
from pac_stability.audit.search.sweep import BestPair, Sweep, in_order
from pac_stability.audit.subjects import (
    LawSource,
    LawSubject,
    PredictionSubject,
    Source,
    Widened,
    law_source,
    points_in,
    points_of,
    prediction_source,
    universe_of,
)
from pac_stability.audit.watching.program import UNLIKE, Told, Twice
from pac_stability.data import Adjacency, FiniteDistribution, Neighbouring
from pac_stability.data.distribution import label_law
from pac_stability.data.tape import ASKED, ASKED_FOR_ONE
from pac_stability.errors import InvalidInput
from pac_stability.keeping.fingerprint import chosen, compiled_code_of
from pac_stability.randomness.exact_generator import REAL
from pac_stability.randomness.horizon import Horizon, Known, grid_now, on_grid
from pac_stability.randomness.watch import READ

W = TypeVar("W", bound="PairWitness | LawsWitness")

MOST_ANSWERS = 1 << 22
"""Answers, or places in the diagram's widest level before sharing, at most."""

MOST_PLACES = 1 << 20
"""Entries of the finished diagram, at most: some five megabytes of a certificate."""

_OUT_OF_REACH = 10**13
"""Pairs beyond which a message names no budget: they take days."""


def diagram_of(answers: Answers, neighbourhood: Neighbourhood) -> AllAnswers | None:
    """Return the diagram of all answers; nothing if it would be too large.

    Parameters
    ----------
    answers
        The exact answers on all samples.
    neighbourhood
        The samples, as numbers.

    Notes
    -----
    Equal answers have equal diagrams: probabilities increase, laws come in the order of the
    samples, and nodes in lexicographic order. Time and memory are those of sorting the answers once
    for each element of a sample.
    """
    k, largest = neighbourhood.k, neighbourhood.rankings[-1].size
    if (
        isinstance(neighbourhood, Listed)
        or max(answers.count * answers.columns, largest * k) > MOST_ANSWERS
    ):
        return None
    values, cells = _in_order(answers)
    sizes = dict(zip(neighbourhood.sizes, neighbourhood.rankings, strict=True))
    nodes, numbers = distinct_rows(cells)
    levels = [nodes]
    ends = np.cumsum([ranking.size for ranking in sizes.values()])
    # For each size, the nodes that the samples lead to, all but the last r elements of them read.
    below = dict(zip(sizes, np.split(numbers, ends[:-1]), strict=True))
    roots = {size: below.pop(size) for size in sizes if size == 0}
    for depth in range(1, max(sizes) + 1):
        rows = {
            size: places[_longer(neighbourhood, size - depth)] for size, places in below.items()
        }
        nodes, numbers = distinct_rows(np.concatenate(list(rows.values())))
        levels.append(nodes)
        ends = np.cumsum([len(places) for places in rows.values()])
        below = dict(zip(rows, np.split(numbers, ends[:-1]), strict=True))
        if depth in below:
            roots[depth] = below.pop(depth)
    if sum(level.size for level in levels) > MOST_PLACES:
        return None
    tables = [tuple(map(tuple, level.tolist())) for level in levels]
    return AllAnswers(values, tables[0], tuple(tables[1:]), tuple(int(roots[s][0]) for s in sizes))


def _in_order(answers: Answers) -> tuple[tuple[Fraction | FiniteDistribution[object], ...], Ranks]:
    """Return the distinct answers, probabilities in order, and where each answer is among them."""
    values: list[Hashable] = answers.values
    fractions = [value for value in values if isinstance(value, Fraction)]
    if len(fractions) < len(values):
        return tuple(values), answers.cells.astype(np.int64)  # type: ignore[arg-type]  # exact answers
    ordered, places = in_order(fractions)
    return ordered, places.astype(np.int64)[answers.cells]


def distinct_rows(table: Ranks) -> tuple[Ranks, Ranks]:
    """Return the distinct rows in lexicographic order, and for each row its index among them.

    ``numpy.unique`` does the same along an axis, with a slower comparison of whole rows.
    """
    order = np.lexsort(table.T[::-1])
    ordered = table[order]
    new = np.ones(len(ordered), dtype=np.bool_)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    numbers = np.empty(len(ordered), dtype=np.int64)
    numbers[order] = np.cumsum(new) - 1
    return ordered[new], numbers


def _longer(neighbourhood: Neighbourhood, size: int) -> Ranks:
    """Return the numbers of the samples that go on from each of one size with each element."""
    ranking = neighbourhood.ranking(size)
    if neighbourhood.up_to_order:
        return ranking.inserted(0, ranking.size, 1)[1]
    return np.arange(ranking.size * neighbourhood.k, dtype=np.int64).reshape(-1, neighbourhood.k)


# All answers of an algorithm, within limits, and kept in a file while they are collected

_BYTES_A_PLACE = 16  # in the table, and in copies of it on the way
_MOST_BITS = 1000
_BYTES_A_VALUE = 400  # a fraction, and its entry in a dictionary


def require_countable(instance: Instance) -> None:
    """Refuse an instance with too many pairs of samples even to count.

    Raises
    ------
    AuditStopped
        There are certainly more than 2**1000.
    """
    k, n = len(instance.universe), min(instance.n, 1 << 64)
    if k < 2 or instance.listed:
        return
    if instance.symmetry is Symmetry.NONE:
        samples = n * math.log2(k)
    else:
        samples = _bits_of_choices(n + k - 1, min(n, k - 1))
    if samples + _bits_of_choices(n, instance.group_size) > _MOST_BITS:
        raise AuditStopped(
            f"the domain has more than 2^{_MOST_BITS} samples and pairs of them, for which no "
            "budget would do; take fewer points or smaller samples"
        )


def _bits_of_choices(n: int, most: int) -> float:
    """Bound from below the binary logarithm of how many sets of up to ``most`` out of n there are.

    For they include the C(n, r) >= (n / r)**r sets of r, for r <= n / 2.
    """
    few = min(most, n // 2)
    return few * math.log2(n / few) if few else 0.0


class Gathering:
    """The answers on all samples of an instance.

    Parameters
    ----------
    instance
        The samples.
    source
        What is asked.
    limits
        The options of the run.

    Attributes
    ----------
    questions
        The samples, as queries to the algorithm.
    answers
        The answers so far.
    clock
        The time of the audit.
    kept
        How many answers came from a checkpoint.
    """

    def __init__(self, instance: Instance, source: Source, limits: Chosen) -> None:
        require_countable(instance)
        symmetric = instance.symmetry is not Symmetry.NONE
        self.neighbourhood: Neighbourhood = neighbourhood_of(instance)
        stock = (ThreadPoolExecutor, ProcessPoolExecutor, type(None))  # of others threads may draw
        self.questions: Questions = Questions(
            source,
            self.neighbourhood,
            instance.universe,
            symmetric,
            isinstance(limits.executor, stock),
        )
        self.clock: Clock = Clock(limits.progress)
        self._limits = limits
        self._symmetry = instance.symmetry
        self._of_ratios = instance.is_of_ratios
        if isinstance(source, LawSource):
            source.widen(Horizon(ratios=self._of_ratios))
        self._total = self.neighbourhood.samples
        self._require_room(source.columns)
        self._checkpoint: Checkpoint | None = None
        self.answers: Answers = Answers(source.columns)
        if limits.checkpoint is not None:
            asked = f"{source.name} on {instance!r}"
            kept = Checkpoint(limits.checkpoint, asked, (source, instance), limits.fresh)
            self._checkpoint, self.answers = kept, kept.load(source.columns, self._total)
            if Known.of(self.answers.assumed):  # how far out numbers were told apart is not written
                self.answers.begin_again()
                kept.remark = "numbers with noise are told apart anew: all was asked again"
        self.kept: int = self.answers.count

    @contextmanager
    def workers(self) -> Iterator[Workers | None]:
        """Yield the workers; however that ends, the answers are written to the checkpoint."""
        try:
            yield workers_of(self._limits, self.questions)
        finally:
            if self.answers.count:
                self._save(now=True)

    def complete(self, workers: Workers | None, look: Callable[[], None] | None = None) -> None:
        """Query all samples without an answer.

        Parameters
        ----------
        workers
            Who helps.
        look
            Called now and then with the answers so far; an exception from it ends the queries.

        Raises
        ------
        SubjectFailure, AuditStopped
            The algorithm failed, or a limit was reached; earlier answers are kept.
        """
        answers, twice = self.answers, self._limits.twice
        if isinstance(twice, Told):
            self.questions.tell(twice)
        if answers.count:
            # What the algorithm depends on may have changed, although its code has not.
            doubled = (1 << power >> 1 for power in range((answers.count - 1).bit_length() + 1))
            again = chosen(self._limits.check_cache, answers.count)
            self.questions.require_all_same(
                {number: answers.row(number) for number in (*doubled, answers.count - 1, *again)},
                kept=str(self._limits.checkpoint),
            )
        looked = answers.count

        def after() -> None:
            nonlocal looked
            self._after()
            # Each time there are twice as many: looking costs no more than asking in all.
            if look is not None and answers.count >= 2 * looked:
                looked = answers.count
                look()

        source = self.questions.source
        while True:
            try:
                ask_all(self.questions, answers, workers, after)
                if isinstance(source, LawSource) and not source.monotone():
                    answers.assumed[Known.FROM_BELOW.value] = None
                break
            except Widened as further:
                if isinstance(source, LawSource):  # which raised it
                    source.widen(further.horizon)
                self.questions.watching.forget()
                answers.begin_again()
                workers = None  # whose sources are copies
        if ERRORS in source.assumes and ANSWERED not in answers.assumed:
            given = f"an error of {self.name} on every sample"
            raise InvalidInput("on_error", given, "an estimator that answers on some")
        if isinstance(twice, Twice):
            self.questions.require_told(answers, twice)

    def outcomes(self) -> int:
        """Return how many distinct outcomes, or labels, have positive probability somewhere."""
        outcomes: set[object] = set()
        for place in set(self.answers.places):
            value = self.answers.values[place]
            if isinstance(value, data.Law):
                outcomes.update(value.support)
            elif len(outcomes) < 2:
                outcomes.update(label for label in (0, 1) if value != 1 - label)
        return len(outcomes)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """The assumptions of the answers, a sentence each."""
        declared = self._symmetry is Symmetry.DECLARED
        idle = {ASKED, ASKED_FOR_ONE, ANSWERED} | (
            {Known.RATIOS.value} if not self._approximate else set()
        )
        said = [s for s in self.answers.assumed if s not in idle and not s.startswith(READ)]
        unlike = [sentence for sentence in said if sentence.startswith(UNLIKE)]
        others = [sentence for sentence in said if sentence not in unlike]
        return (
            *filter(None, [self.unseen]),
            *self.questions.source.assumes,
            *([DECLARED] if declared else []),
            *others,
            *unlike[:1],
            *from_a_file(
                self.kept, self.answers.count, self._checkpoint.unread if self._checkpoint else ()
            ),
        )

    @cached_property
    def unseen(self) -> str:
        """A sentence if it is unknown whether the algorithm draws; otherwise nothing."""
        coins, asked = self.questions.source.coins, ASKED in self.answers.assumed
        if self._limits.deterministic:
            if asked:
                given = f"True, but {self.name} used its coins"
                raise InvalidInput("deterministic", given, "what draws nothing")
            return ""
        if coins is None or asked or not self.answers.count:
            return ""
        if not all(map(_is_certain, self.answers.values)):
            return ""
        # Noise that was drawn, and is not looked at, was asked for.
        if coins and {ASKED_FOR_ONE, REAL, Known.ON_A_GRID.value}.isdisjoint(self.answers.assumed):
            return NOT_ASKED
        packages = compiled_code_of(self.questions.source)
        if coins:
            return NOT_ASKED if packages else ""
        return compiled(packages) if packages else ""

    def judged(self, verdict: Verdict, *, claimed: bool = True) -> Verdict:
        """Return a verdict that claims no more than is known about the algorithm's draws.

        For noise on a grid, a claim is also judged on a finer grid; a value alone is that of the
        grid.
        """
        nearly = self._known & {Known.ON_A_GRID, Known.ROUNDED, Known.ENCLOSED}
        if verdict is Verdict.VERIFIED and not claimed and nearly:
            return Verdict.BOUNDED
        if verdict is Verdict.VERIFIED and (self.unseen or Known.FROM_BELOW in self._known):
            return Verdict.BOUNDED
        if verdict in (Verdict.VERIFIED, Verdict.REFUTED) and self._approximate:
            return Verdict.BOUNDED
        return verdict

    def hangs_on_rounding(self, value: Value, claim: Value | None) -> bool:
        """Return whether a value is so near its claim that the rounding of weights decides."""
        if not (isinstance(value, Fraction) and isinstance(claim, Fraction)):
            return False
        rounded = self._known & {Known.ROUNDED, Known.ENCLOSED}
        return bool(rounded) and abs(value - claim) * 2**50 < claim

    @property
    def _known(self) -> frozenset[Known]:
        return Known.of(self.answers.assumed)

    @property
    def _approximate(self) -> bool:
        """Whether the laws are not those of the algorithm, so that no claim is settled."""
        counted_together = Known.RATIOS in self._known and not self._of_ratios
        return counted_together or Known.BESIDE_THE_GRID in self._known

    @property
    def name(self) -> str:
        """The name of the algorithm."""
        return self.questions.source.name

    def result(  # noqa: PLR0917  # those of a result
        self,
        instance: Instance,
        value: Value,
        verdict: Verdict,
        witness: W | None,
        counts: Counts,
        claim: Fraction | None,
        *notes: str,
        every: AllAnswers | None = None,
    ) -> AuditResult[W]:
        """Return the result with what is known of the algorithm and its answers.

        The last note says what happened to an unusable checkpoint, if there was one.
        """
        remark = "" if self._checkpoint is None else self._checkpoint.remark
        note = "; ".join(filter(None, (*notes, remark)))
        return AuditResult(
            instance, value, verdict, witness, counts, claim, note, self.assumptions, self.kept,
            every, self.questions.source.understood, self.name,
        )  # fmt: skip

    def finish(self) -> None:
        """Remove the checkpoint, since the audit is finished."""
        if self._checkpoint is not None:
            self._checkpoint.remove()

    def _save(self, *, now: bool = False) -> None:
        if self._checkpoint is not None:
            self._checkpoint.save(self.answers, now=now)

    def _after(self) -> None:
        count, limit = self.answers.count, self._limits.time_limit
        self.clock.report("asking", count, self._total)
        self._save()
        self._require_memory()
        if limit is not None and self.clock.seconds >= limit and count < self._total:
            seconds = self.clock.seconds / (count - self.kept) * self._total
            raise AuditStopped(
                f"{reached(limit)} after {count:,} of {self._total:,} "
                f"samples; at this pace all take {seconds:.3g} s{self._fewer()}"
            )

    def _fewer(self) -> str:
        """Return how many samples there are up to order, if they are asked about in each."""
        if self._symmetry is not Symmetry.NONE:
            return ""
        samples = replace(self.neighbourhood, up_to_order=True).samples
        return f"; up to order, if that does not matter to it (symmetric), there are {samples:,}"

    def _require_room(self, columns: int) -> None:
        """Refuse, before anything is asked, what is certain not to fit."""
        needed = _BYTES_A_PLACE * self._total * columns
        if needed > self._limits.max_memory:
            raise AuditStopped(
                f"the domain has {self._total:,} samples, whose answers take {needed:,} bytes, "
                f"more than max_memory={self._limits.max_memory}; "
                f"max_memory={2 * needed} would do"
            )

    def _require_memory(self) -> None:
        answers = self.answers
        used = _BYTES_A_PLACE * len(answers.places) + _BYTES_A_VALUE * len(answers.values)
        if used > self._limits.max_memory:
            raise AuditStopped(
                f"the answers on {answers.count:,} of {self._total:,} samples take about {used:,} "
                f"bytes, more than max_memory={self._limits.max_memory}; "
                f"about max_memory={used * self._total // answers.count} would do"
            )


# Every pair of neighbouring samples, exactly: ask about each sample once, then sweep


def audit_pairs(
    instance: Instance, source: Source, measure: Measure, claim: ClaimedBound, options: Chosen
) -> AuditResult:
    """Return the largest value that any pair of neighbours requires.

    Parameters
    ----------
    instance
        The samples, and what is fixed.
    source
        The source of the answer on each sample.
    measure
        The measure of a pair of answers.
    claim
        The claim about the value.
    options
        The options of the run.

    Raises
    ------
    InvalidInput
        An option is out of range, or the checkpoint is of another audit.
    SubjectFailure
        The algorithm did not give valid answers.
    AuditStopped
        A limit was reached, or the instance exceeds the limits.
    """
    require_countable(instance)
    pairs = neighbourhood_of(instance).pairs
    if not pairs or not source.columns:
        what = "pair of neighbouring samples" if source.columns else "point to predict at"
        return AuditResult(
            instance, measure.floor, Verdict.SKIPPED, None,
            Counts(0, 0, 0, 0), claim.bound, f"there is no {what}", understood=source.understood,
            subject=source.name,
        )  # fmt: skip
    if pairs > options.max_pairs:
        remedy = f"max_pairs={pairs} would do"
        if pairs > _OUT_OF_REACH:
            remedy = "no budget would do; take fewer points or smaller samples"
        raise AuditStopped(
            f"the domain has {pairs:,} pairs of neighbours, more than "
            f"max_pairs={options.max_pairs}; {remedy}"
        )
    if options.stop_at_first and claim.bound is None:
        raise InvalidInput("stop_at_first", "True without a claim", "a claim to refute")
    result = _Audit(instance, measure, claim, options, Gathering(instance, source, options)).run()
    if Known.ON_A_GRID not in Known.of(result.assumptions):
        return result
    grid = source.grid if isinstance(source, LawSource) else grid_now()
    told = f"{ON_GRID} of 1/{grid}"
    if grid < grid_now():
        why = "numbers that hang together are published"
        told += f", since {why}: --grid {grid_now()} takes longer"
    judged = result.verdict in (Verdict.VERIFIED, Verdict.REFUTED)
    if not judged or claim.bound is None:
        told += " (a finer one may change the value a little)"
    else:  # what is said of noise on a grid must not hang on the grid
        alone = replace(options, checkpoint=None, processes=1, executor=None)
        with on_grid(2 * grid):
            finer = Gathering(instance, source, alone)
            other = _Audit(instance, measure, claim, alone, finer).run()
        told += f" (on one of 1/{2 * grid} {_change(result, other)})"
        if other.verdict is not result.verdict:
            hangs = "the claim is so near to the value that the grid decides"
            note = f"{told}; on a finer grid the verdict is another: {hangs}"
            return replace(result, verdict=Verdict.BOUNDED, note=note)
    return replace(result, note="; ".join(filter(None, (told, result.note))))


def _change(result: AuditResult, other: AuditResult) -> str:
    """Return by how much a value changes, as people state it."""
    parameter, values = result.instance.notion.parameter, (result.value, other.value)
    if not all(isinstance(value, Fraction) for value in values):
        return f"{parameter.name} is {'infinite' if other.value == math.inf else 'between bounds'}"
    one, two = cast("tuple[Fraction, Fraction]", values)
    by = math.log(two / one) if parameter.is_factor else float(two - one)
    return f"{parameter.name} changes by {by:.2g}"


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
        limit = self.limits.time_limit
        seen = [(self._first_pair(self.gathering.neighbourhood), 0)]
        try:
            with backstop(limit):
                return self._run(seen)
        except TimeIsUp as stop:
            doing = self._doing(stop)
            raise AuditStopped(f"{reached(limit)} {doing}", self._partial(*seen[0])) from None

    def _doing(self, stop: BaseException) -> str:
        """Return what an interrupt ended: which answer, and how far it had come."""
        if self.gathering.answers.count == self.gathering.neighbourhood.samples:
            return "while what was answered was compared"
        where = "".join(reversed(getattr(stop, "__notes__", ())))
        return f"while {self.gathering.name} was asked{where}"

    def _run(self, seen: list[tuple[BestPair, int]]) -> AuditResult:
        """Do so; keep in ``seen`` the best pair so far, and how many were compared."""
        gathering, limits = self.gathering, self.limits
        neighbourhood, answers = gathering.neighbourhood, gathering.answers

        def swept(done: int, found: BestPair) -> None:
            seen[0] = found, min(done * neighbourhood.pairs_in_a_unit, neighbourhood.pairs)
            gathering.clock.report("comparing", done, neighbourhood.units)
            limit = limits.time_limit
            if (
                limit is not None
                and gathering.clock.seconds >= limit
                and done < neighbourhood.units
            ):
                raise AuditStopped(
                    f"{reached(limit)} when all "
                    f"{neighbourhood.samples:,} samples were asked about and "
                    f"{done / neighbourhood.units:.0%} of {neighbourhood.pairs:,} pairs compared"
                )

        try:
            with gathering.workers() as workers:
                gathering.complete(workers, self._look if limits.stop_at_first else None)
                sweep = Sweep(answers, self.measure, limits.max_memory)
                best = sweep_all(sweep, neighbourhood, seen[0][0], workers, swept)
        except _Refuted as found:
            gathering.finish()
            return self._refuted(found.best, found.pairs)
        except (AuditStopped, SubjectFailure) as stop:
            stop.partial = self._partial(*seen[0])
            raise
        except KeyboardInterrupt as stop:
            said = f"interrupted {self._doing(stop)}"
            raise AuditInterrupted(self._partial(*seen[0]), said) from stop
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
        if gathering.hangs_on_rounding(value, bound):
            verdict = Verdict.BOUNDED
        # Two laws refute, or show that there is no bound; only all laws show that one holds.
        bounded = verdict is Verdict.VERIFIED and best.value != math.inf
        every = diagram_of(gathering.answers, gathering.neighbourhood) if bounded else None
        verdict = gathering.judged(verdict, claimed=self.claim.bound is not None)
        counts = self._counts(gathering.neighbourhood.pairs)
        witness = self._witness(best)
        return gathering.result(self.instance, value, verdict, witness, counts, bound, every=every)

    def _first_pair(self, neighbourhood: Neighbourhood) -> BestPair:
        """Return the first pair, which attains the least value there is."""
        return BestPair(self.measure.floor, *neighbourhood.first_pair, upper=self.measure.floor)

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
            with suppress(TimeIsUp), backstop(self.limits.time_limit):
                sweep = Sweep(answers, self.measure, self.limits.max_memory)
                best, pairs = sweep_known(sweep, neighbourhood, best, answers.count)
        witness = self._witness(best) if exact and pairs else None
        refuted = self.gathering.judged(self.claim.judged(best.value)[0]) is Verdict.REFUTED
        verdict = Verdict.REFUTED if refuted else Verdict.BOUNDED if pairs else Verdict.SKIPPED
        note = f"stopped after {answers.count:,} of {neighbourhood.samples:,} samples"
        return self.gathering.result(
            self.instance, best.value, verdict, witness, self._counts(pairs), self.claim.bound,
            note, LOWER_BOUND if pairs else "",
        )  # fmt: skip

    def _look(self) -> None:
        """Compare the samples that were asked about so far; raise at a counterexample."""
        gathering, neighbourhood = self.gathering, self.gathering.neighbourhood
        answers, best = gathering.answers, self._first_pair(neighbourhood)
        if not self._known_exactly() or answers.count <= best.second:
            return
        sweep = Sweep(answers, self.measure, self.limits.max_memory)
        best, pairs = sweep_known(sweep, neighbourhood, best, answers.count)
        if self.gathering.judged(self.claim.judged(best.value)[0]) is Verdict.REFUTED:
            numbers = (best.first, best.second)
            gathering.questions.require_all_same({k: answers.row(k) for k in numbers})
            raise _Refuted(best, pairs)

    def _known_exactly(self) -> bool:
        values = self.gathering.answers.values
        return all(isinstance(value, Fraction | FiniteDistribution) for value in values)

    def _refuted(self, best: BestPair, pairs: int) -> AuditResult:
        """Return a refutation by one of the pairs that were compared."""
        gathering = self.gathering
        asked = f"{gathering.answers.count:,} of {gathering.neighbourhood.samples:,} samples"
        return gathering.result(
            self.instance, best.value, Verdict.REFUTED, self._witness(best), self._counts(pairs),
            self.claim.bound, f"stopped at a counterexample, after {asked}", LOWER_BOUND,
        )  # fmt: skip

    def _enclosed(self, best: BestPair) -> AuditResult:
        """Return the result for laws that are known up to intervals."""
        value, note = enclosed_value(best.value, best.upper)
        verdict, bound = self.claim.judged(value)
        if note and verdict is Verdict.VERIFIED:
            verdict = Verdict.BOUNDED
        verdict = self.gathering.judged(verdict)
        samples = self.gathering.questions.neighbours(best.first, best.second)
        counts = self._counts(self.gathering.neighbourhood.pairs)
        where = "largest for {} and {}".format(*map(shown, samples))
        known = "laws are known up to intervals"
        return self.gathering.result(
            self.instance, value, verdict, None, counts, bound, known, where, note
        )

    def _counts(self, pairs: int) -> Counts:
        asked, points = self.gathering.answers.count, len(self.instance.points)
        return Counts(asked, pairs, points, self.gathering.outcomes())


def enclosed_value(lower: Fraction | float, upper: Fraction | float) -> tuple[Value, str]:
    """Return the value for two bounds, and a note if only one of them can be reported."""
    if lower == upper:
        return lower, ""
    if isinstance(lower, Fraction) and isinstance(upper, Fraction):
        return Interval(lower, upper), ""
    return lower, f"{LOWER_BOUND}, and may be infinite"


def _is_certain(answer: object) -> bool:
    """Return whether nothing of an answer is left to chance."""
    return (
        answer in (0, 1) if isinstance(answer, Fraction) else len(cast("Law", answer).support) == 1
    )


def _exact_law(value: object) -> Law:
    return label_law(value) if isinstance(value, Fraction) else cast("Law", value)


# What audits over neighbouring samples have in common: the instance, the subject, the claim


def over_pairs(
    notion: Notion,
    mechanism: PredictionSubject,
    domain: int | Iterable[object],
    n: int | range,
    *,
    claim: Epsilon | AnyNumber | None,
    options: Options,
    points: Iterable[object] | None = None,
    delta: AnyNumber = 0,
    epsilon: Epsilon | AnyNumber | None = None,
    own: tuple[tuple[str, Fraction], ...] = (),
) -> AuditResult[PairWitness[Never]]:
    """Audit an algorithm on all neighbouring samples.

    Parameters
    ----------
    notion
        What is asked.
    mechanism, domain, n, claim, points, delta, options
        As for the audit of the notion.
    epsilon
        The parameter that is fixed in place of delta, if any.
    own
        Further fixed parameters of the notion, by name.

    Returns
    -------
    AuditResult
        Its witness has the type of the caller's samples.

    Raises
    ------
    InvalidInput, SubjectFailure, AuditStopped
        As for the audit of the notion.
    """
    allowed, factor = as_probability(delta, "delta"), Fraction(1)
    if epsilon is not None:
        notion = at_epsilon(notion, allowed)
        factor = as_epsilon(epsilon).ratio
    claimed = ClaimedBound.of(claim, notion.parameter)
    elements = points_of(domain)
    predicts = notion.about is About.PREDICTIONS
    asked: tuple[object, ...] = ()
    if predicts:
        asked = elements if points is None else points_of(points, "points")
    chosen = Chosen.of(options, Options, ["claim", *(["points"] if predicts else [])])
    relation = chosen.relation if chosen.pairs is None else Adjacency.LISTED
    if relation in (Adjacency.EACH_ANSWER, Adjacency.ONE_ANSWER):
        chosen = _of_answers(chosen, elements, labelled="labelled" in options)
    universe = universe_of(elements, chosen.labelled)
    least, size = _sizes(n, relation)
    if "group_size" in options and relation is not Neighbouring.REPLACE_ONE:
        raise InvalidInput("relation", "another relation", "Neighbouring.REPLACE_ONE for groups")
    if chosen.pairs is not None and "relation" in options:
        raise InvalidInput("pairs", "a relation as well", "pairs, or a relation")
    if relation is Adjacency.LISTED and chosen.pairs is None:
        raise InvalidInput("relation", "LISTED without pairs", "pairs=[(sample, neighbour), ...]")
    instance = Instance(
        notion, universe, size, asked, factor, allowed,
        relation=relation, group_size=chosen.group_size, own=own, least=least,
        listed=_couples(chosen.pairs or (), universe, size),
    )  # fmt: skip
    if isinstance(relation, Neighbouring):
        points_asked, said = asked if predicts else None, chosen.symmetric
        symmetry = symmetry_of(mechanism, instance.sizes, universe, points_asked, said)
        instance = replace(instance, symmetry=symmetry)
    elif chosen.symmetric:
        raise InvalidInput("symmetric", "True with such neighbours", "False: the order matters")
    source = (
        prediction_source(mechanism, asked)
        if predicts
        else law_source(cast("LawSubject", mechanism), points_in(elements))
    )
    found = audit_pairs(instance, source, notion.measured(instance), claimed, chosen)
    return cast("AuditResult[PairWitness[Never]]", found)


def _of_answers(chosen: Chosen, domain: tuple[object, ...], *, labelled: bool) -> Chosen:
    """Return the options for samples of answers, which are numbers, and have no labels."""
    for value in domain:
        if not isinstance(value, Rational):
            raise InvalidInput("domain", described(value), "exact numbers: answers to queries")
    if labelled and chosen.labelled:
        raise InvalidInput("labelled", "True", "False: answers to queries have no labels")
    return replace(chosen, labelled=False)


def _couples(
    pairs: Iterable[object], universe: Sequence[object], n: int
) -> tuple[tuple[tuple[object, ...], tuple[object, ...]], ...]:
    """Return pairs of samples as tuples of elements; refuse those that are not of this domain."""
    couples, known = [], set(universe)
    for pair in pairs:
        if not isinstance(pair, Sequence) or len(pair) != 2:
            raise InvalidInput("pairs", described(pair), "pairs (sample, neighbour)")
        couple = []
        for sample in pair:
            elements = tuple(sample) if isinstance(sample, Iterable) else None
            if elements is None or len(elements) != n:
                raise InvalidInput("pairs", described(sample), f"samples of size {n}")
            for element in elements:
                require_hashable(element, "pairs")
                if element not in known:
                    one = described(universe[0])
                    wanted = f"elements of the domain, such as {one}"
                    raise InvalidInput("pairs", described(element), wanted)
            couple.append(elements)
        if couple[0] == couple[1]:
            raise InvalidInput("pairs", described(sample), "two samples that differ")
        couples.append((couple[0], couple[1]))
    return tuple(couples)


def _sizes(n: int | range, relation: Neighbouring | Adjacency) -> tuple[int, int]:
    """Return the least and the largest size of samples: all up to n, where n may be a range."""
    if not isinstance(n, range):
        return 0, as_size(n, "n")
    if relation is not Neighbouring.ADD_REMOVE:
        wanted = "one size: samples in which an element is replaced are of one size"
        raise InvalidInput("n", described(n), wanted)
    if n.step != 1 or not n or n[0] < 0:
        raise InvalidInput("n", described(n), "sizes without a gap, such as range(2, 5)")
    return n[0], n[-1]


def at_epsilon(notion: Notion, delta: Fraction) -> Notion:
    """Return the notion with the least delta as its value; refuse a fixed delta."""
    if delta:
        raise InvalidInput("delta", str(delta), "none beside an epsilon: the least one is sought")
    if notion.at_epsilon is None:
        raise InvalidInput("epsilon", "one", f"none: {notion.name} has no delta beside it")
    return notion.at_epsilon
