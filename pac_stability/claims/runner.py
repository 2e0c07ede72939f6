"""Settling claims: in this process, over many, or on a cluster, with the same result."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass

from pac_stability.audit.progress import Clock, ProgressCallback
from pac_stability.claims.budget import Budget
from pac_stability.claims.cache import Cache, KeptTally
from pac_stability.claims.claim import Claim
from pac_stability.claims.evidence import Evidence, TrialEvidence
from pac_stability.claims.search import get
from pac_stability.claims.tallies import Tally
from pac_stability.errors import BudgetExhausted, InvalidInput
from pac_stability.keeping.checking import HowMany, chosen as chosen_at_random, require_how_many

_AT_ONCE = 64  # tasks that an executor holds: what is lost when a run is interrupted stays small


@dataclass(frozen=True, slots=True)
class TrialTask:
    """A part of the instances of one trial: what one process does at a time.

    Attributes
    ----------
    key
        The claim.
    trial
        The position of the trial in it.
    chunk
        Which part, of as many as ``budget`` makes.
    budget
        The budget.
    """

    key: str
    trial: int
    chunk: int
    budget: Budget


def run_task(task: TrialTask) -> Tally:
    """Go through the instances of a task."""
    trial = get(task.key).trials[task.trial]
    return Tally.asking(trial.ask(task.budget, False, task.chunk, task.budget.chunks))


def check(claim: Claim, budget: Budget = Budget.QUICK) -> Evidence:
    """Settle one claim in this process.

    Parameters
    ----------
    claim
        Any claim, registered or not.
    budget
        How much work.

    Examples
    --------
    >>> from pac_stability import claims
    >>> claims.check(claims.all()[0]).as_expected
    True
    """
    trials = tuple(
        TrialEvidence(t.name, t.universe, t.exhaustive, Tally.asking(t.ask(budget, False, 0, 1)))
        for t in claim.trials
    )
    return Evidence(claim, budget, trials)


def notices_mutants(claim: Claim) -> tuple[str, ...]:
    """Return the names of the trials that do *not* notice the wrong subject made for them.

    A trial that could not fail would show nothing; this is empty for every claim of the library.
    """
    return tuple(
        t.name
        for t in claim.trials
        if t.has_mutant and Tally.of(t.findings(Budget.QUICK, mutant=True)).refuting is None
    )


def verify(
    claims: Iterable[Claim],
    budget: Budget = Budget.QUICK,
    *,
    executor: Executor | None = None,
    cache: Cache | None = None,
    progress: ProgressCallback | None = None,
    check_cache: HowMany = 0,
) -> Iterator[Evidence]:
    """Settle registered claims, and give the evidence of each as soon as it is complete.

    Parameters
    ----------
    claims
        Registered claims.
    budget
        How much work.
    executor
        Where tasks run: any ``concurrent.futures.Executor``, or that of a ``dask.distributed``
        client; in this process when there is none. The evidence is the same.
    cache
        Where tallies are kept, so that an interrupted run goes on where it was, and an unchanged
        library is not asked twice.
    progress
        Called with the number of tasks done.
    check_cache
        Of the tallies in the cache, how many are asked for again and must agree: a number, or a
        share as a ``Fraction``; drawn at random.

    Yields
    ------
    Evidence
        In the order in which they are complete. Each says how much of it came from the cache.

    Raises
    ------
    InvalidInput
        A tally of the cache is another one when it is asked for again.
    BudgetExhausted
        A process of the executor ended before its work was done.
    """
    chosen = tuple(claims)
    tasks = [
        TrialTask(claim.key, index, chunk, budget)
        for claim in chosen
        for index, _ in enumerate(claim.trials)
        for chunk in range(budget.chunks)
    ]
    clock = Clock(progress)
    found = {claim.key: _Found(claim, budget) for claim in chosen}
    for claim in chosen:
        if not claim.trials:
            yield Evidence(claim, budget, ())
    clock.report("verifying", 0, len(tasks))
    results = _results(tasks, executor, cache, require_how_many(check_cache, "check_cache"))
    for done, (task, tally, written) in enumerate(results, 1):
        clock.report("verifying", done, len(tasks))
        whole = found[task.key].add(task, tally, written)
        if whole is not None:
            yield whole


class _Found:
    """What was found about a claim so far."""

    def __init__(self, claim: Claim, budget: Budget) -> None:
        self._claim, self._budget = claim, budget
        self._tallies = [Tally() for _ in claim.trials]
        self._parts = len(claim.trials) * budget.chunks
        self._waiting = self._parts
        self._written: list[float] = []

    def add(self, task: TrialTask, tally: Tally, written: float | None) -> Evidence | None:
        """Add a part, and return the evidence if it was the last."""
        self._tallies[task.trial] += tally
        self._written += [] if written is None else [written]
        self._waiting -= 1
        if self._waiting:
            return None
        trials = zip(self._claim.trials, self._tallies, strict=True)
        return Evidence(
            self._claim,
            self._budget,
            tuple(TrialEvidence(t.name, t.universe, t.exhaustive, tally) for t, tally in trials),
            self._parts,
            len(self._written),
            min(self._written, default=math.inf),
        )


def _results(
    tasks: list[TrialTask], executor: Executor | None, cache: Cache | None, check: HowMany
) -> Iterator[tuple[TrialTask, Tally, float | None]]:
    """Yield each task with its tally, and when that was found if it was not now."""
    kept: dict[TrialTask, KeptTally] = {}
    if cache is not None:
        for task in tasks:
            known = cache.load(_name(task))
            if known is not None:
                kept[task] = known
    again = {list(kept)[number] for number in chosen_at_random(check, len(kept))}
    for task, known in kept.items():
        if task not in again:
            yield task, known.tally, known.written
    left = [task for task in tasks if task not in kept or task in again]
    for task, tally in _run(left, executor):
        if task in again and tally != kept[task].tally:
            raise InvalidInput(
                "cache",
                f"another answer to {_name(task)} than the one that was kept",
                "a fresh start (--fresh), without the kept answers",
            )
        if cache is not None:
            cache.store(_name(task), tally)
        yield task, tally, None


def _run(tasks: list[TrialTask], executor: Executor | None) -> Iterator[tuple[TrialTask, Tally]]:
    if executor is None:
        for task in tasks:
            yield task, run_task(task)
        return
    coming = iter(tasks)
    running: dict[Future[Tally], TrialTask] = {}
    try:
        while True:
            for task in coming:
                running[executor.submit(run_task, task)] = task
                if len(running) >= _AT_ONCE:
                    break
            if not running:
                return
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                yield running.pop(future), future.result()
    except BrokenExecutor as error:
        raise BudgetExhausted(
            "a process ended before its work was done: it was killed, or ran out of memory; "
            "what was found until then is in the cache, if there is one"
        ) from error
    finally:
        for future in running:
            future.cancel()


def _name(task: TrialTask) -> str:
    trial = get(task.key).trials[task.trial].name
    return f"{task.key}/{trial}/{task.budget.value}/{task.chunk}"
