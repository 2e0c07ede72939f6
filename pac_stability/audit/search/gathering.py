"""All answers of an algorithm, within limits, and kept in a file while they are collected."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

from pac_stability.audit.assuming import DECLARED, from_a_file
from pac_stability.audit.failures import AuditStopped
from pac_stability.audit.notions.notion import Instance, Symmetry
from pac_stability.audit.options import Chosen
from pac_stability.audit.progress import Clock
from pac_stability.audit.search.asking import Answers, Questions, Source
from pac_stability.audit.search.checkpoint import Checkpoint
from pac_stability.audit.search.neighbour_ranks import Neighbourhood
from pac_stability.audit.search.parallel import Workers, ask_all, workers_of
from pac_stability.audit.watching.sameness import UNLIKE
from pac_stability.audit.watching.twice import Told, Twice
from pac_stability.data import Law
from pac_stability.keeping.fingerprint import chosen

_BYTES_A_PLACE = 16  # in the table, and in copies of it on the way
_MOST_BITS = 1000
_BYTES_A_VALUE = 400  # a fraction, and its entry in a dictionary


def require_countable(instance: Instance) -> None:
    """Refuse an instance with so many pairs of samples that their number is too long to work with.

    Raises
    ------
    AuditStopped
        There are more than 2**1000, certainly.
    """
    k, n = len(instance.universe), min(instance.n, 1 << 64)
    if k < 2:
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
        How the audit is run.

    Attributes
    ----------
    questions
        The samples, as they are put to the algorithm.
    answers
        What was answered so far.
    clock
        The time of the audit.
    kept
        How many answers came from a checkpoint.
    """

    def __init__(self, instance: Instance, source: Source, limits: Chosen) -> None:
        require_countable(instance)
        symmetric = instance.symmetry is not Symmetry.NONE
        self.neighbourhood: Neighbourhood = Neighbourhood(
            len(instance.universe), instance.n, instance.relation, symmetric, instance.group_size
        )
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
        self._total = self.neighbourhood.samples
        self._require_room(source.columns)
        self._checkpoint = Checkpoint(
            limits.checkpoint, f"{source.name} on {instance!r}", (source, instance), limits.fresh
        )
        self.answers: Answers = self._checkpoint.load(source.columns, self._total)
        self.kept: int = self.answers.count

    @contextmanager
    def workers(self) -> Iterator[Workers | None]:
        """Yield who helps with the work; however that ends, what was answered is written."""
        try:
            yield workers_of(self._limits, self.questions)
        finally:
            if self.answers.count:
                self._checkpoint.save(self.answers, now=True)

    def complete(self, workers: Workers | None, look: Callable[[], None] | None = None) -> None:
        """Ask about all samples that are not answered.

        Parameters
        ----------
        workers
            Who helps.
        look
            Called now and then, to look at the answers so far; what it raises ends the asking.

        Raises
        ------
        SubjectFailure, AuditStopped
            The algorithm failed, or a limit was reached; the answers before are kept.
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

        ask_all(self.questions, answers, workers, after)
        if isinstance(twice, Twice):
            self.questions.require_told(answers, twice)

    def outcomes(self) -> int:
        """Return how many distinct outcomes, or labels, the answers give some probability."""
        outcomes: set[object] = set()
        for value in self.answers.values:
            if isinstance(value, Law):
                outcomes.update(value.support)
            elif len(outcomes) < 2:
                outcomes.update(label for label in (0, 1) if value != 1 - label)
        return len(outcomes)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the answers rest on besides themselves, a sentence each."""
        declared = self._symmetry is Symmetry.DECLARED
        unlike = [sentence for sentence in self.answers.assumed if sentence.startswith(UNLIKE)]
        others = [sentence for sentence in self.answers.assumed if sentence not in unlike]
        return (
            *self.questions.source.assumes,
            *([DECLARED] if declared else []),
            *others,
            *unlike[:1],
            *from_a_file(self.kept, self.answers.count, self._checkpoint.unread),
        )

    @property
    def name(self) -> str:
        """What the algorithm is called."""
        return self.questions.source.name

    @property
    def understood(self) -> str:
        """What the algorithm was understood to be."""
        return self.questions.source.understood

    @property
    def remark(self) -> str:
        """What became of a checkpoint that was of no use; empty if there was none."""
        return self._checkpoint.remark

    def finish(self) -> None:
        """Remove the checkpoint, since the audit is finished."""
        self._checkpoint.remove()

    def _after(self) -> None:
        count, limit = self.answers.count, self._limits.time_limit
        self.clock.report("asking", count, self._total)
        self._checkpoint.save(self.answers)
        self._require_memory()
        if limit is not None and self.clock.seconds >= limit and count < self._total:
            seconds = self.clock.seconds / (count - self.kept) * self._total
            raise AuditStopped(
                f"the time limit of {limit:g} s was reached after {count:,} of {self._total:,} "
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
