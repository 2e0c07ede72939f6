"""Settling claims: in this process, over many, or on a cluster, with the same result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass

from pac_stability.audit.progress import Clock, ProgressCallback
from pac_stability.claims import registry
from pac_stability.claims.budget import Budget
from pac_stability.claims.cache import Cache
from pac_stability.claims.claim import Claim
from pac_stability.claims.evidence import Evidence, Tally, TrialEvidence

_AT_ONCE = 64  # tasks that an executor holds: what is lost when a run is interrupted stays small


@dataclass(frozen=True, slots=True)
class Task:
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


def run_task(task: Task) -> Tally:
    """Go through the instances of a task."""
    trial = registry.get(task.key).trials[task.trial]
    return Tally.of(trial.findings(task.budget, start=task.chunk, step=task.budget.chunks))


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
        TrialEvidence(t.name, t.universe, t.exhaustive, Tally.of(t.findings(budget)))
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

    Yields
    ------
    Evidence
        In the order in which they are complete.
    """
    chosen = tuple(claims)
    tasks = [
        Task(claim.key, index, chunk, budget)
        for claim in chosen
        for index, _ in enumerate(claim.trials)
        for chunk in range(budget.chunks)
    ]
    clock = Clock(progress)
    waiting = {claim.key: len(claim.trials) * budget.chunks for claim in chosen}
    tallies: dict[tuple[str, int], Tally] = {}
    for claim in chosen:
        if not claim.trials:
            yield Evidence(claim, budget, ())
    by_key = {claim.key: claim for claim in chosen}
    clock.report("verifying", 0, len(tasks))
    for done, (task, tally) in enumerate(_results(tasks, executor, cache), 1):
        place = (task.key, task.trial)
        tallies[place] = tallies.get(place, Tally()) + tally
        waiting[task.key] -= 1
        clock.report("verifying", done, len(tasks))
        if waiting[task.key] == 0:
            yield _evidence(by_key[task.key], budget, tallies)


def _evidence(claim: Claim, budget: Budget, tallies: dict[tuple[str, int], Tally]) -> Evidence:
    return Evidence(
        claim,
        budget,
        tuple(
            TrialEvidence(t.name, t.universe, t.exhaustive, tallies[claim.key, index])
            for index, t in enumerate(claim.trials)
        ),
    )


def _results(
    tasks: list[Task], executor: Executor | None, cache: Cache | None
) -> Iterator[tuple[Task, Tally]]:
    left: list[Task] = []
    for task in tasks:
        known = None if cache is None else cache.load(_name(task))
        if known is None:
            left.append(task)
        else:
            yield task, known
    for task, tally in _run(left, executor):
        if cache is not None:
            cache.store(_name(task), tally)
        yield task, tally


def _run(tasks: list[Task], executor: Executor | None) -> Iterator[tuple[Task, Tally]]:
    if executor is None:
        for task in tasks:
            yield task, run_task(task)
        return
    coming = iter(tasks)
    running: dict[Future[Tally], Task] = {}
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
    finally:
        for future in running:
            future.cancel()


def _name(task: Task) -> str:
    trial = registry.get(task.key).trials[task.trial].name
    return f"{task.key}/{trial}/{task.budget.value}/{task.chunk}"
