"""The runs of algorithm M all at once, from the exact law of one of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from concurrent.futures import Executor
from dataclasses import replace
from typing import TypeVar, cast

from pac_stability.arguments import as_size, described, require_instance
from pac_stability.audit.progress import Clock, ProgressCallback
from pac_stability.classes.implicit import ExampleSource, UniformTarget
from pac_stability.data import Example, FiniteDistribution, Sample
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import occurrences
from pac_stability.papers.bun_livni_moran._words import said
from pac_stability.papers.bun_livni_moran.stable.globally_stable import GloballyStableLearner
from pac_stability.papers.bun_livni_moran.streams.tally import (
    NO_RUNS,
    Checkpoint,
    RunTally,
    Seed,
    Target,
    begun_from,
    coins_for,
    tally_on_target,
)
from pac_stability.randomness import Coins

P = TypeVar("P", bound=Hashable)


@said
def tally_by_law(
    learner: GloballyStableLearner,
    target: FiniteDistribution[Example[P]],
    runs: int,
    *,
    seed: Seed | None = None,
    resume: RunTally = NO_RUNS,
) -> RunTally:
    """Draw how often G gives which hypothesis in many runs, from the exact law of one run.

    Parameters
    ----------
    learner
        G.
    target
        D, which some hypothesis of the class fits without loss.

    Returns
    -------
    RunTally
        All the runs, as one batch.

    Raises
    ------
    NotRealizable
        No hypothesis fits the target.
    BudgetExhausted
        The law of a run has more than ``learner.max_states`` states.
    InvalidInput
        A parameter is of another kind, or ``resume`` is not of such runs.

    Notes
    -----
    The law of the answer is that of :func:`tally_on_target`. Time goes into the law of one run,
    which grows with the points of the target and with the tournaments, and hardly depends on the
    number of runs: for targets on a few points, and for more runs than anybody waits for.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> H = thresholds(2)
    >>> target = FiniteDistribution.uniform([Example(x, H(0, x)) for x in H.domain])
    >>> G = GloballyStableLearner(H, "1/4", n=10, blocks=32)
    >>> tally_by_law(G, target, 10**12, seed=1).runs
    1000000000000
    """
    require_instance(learner, GloballyStableLearner, "learner")
    if not isinstance(target, FiniteDistribution):
        raise InvalidInput("target", described(target), "a FiniteDistribution of examples")
    count = as_size(runs, "runs", least=1)
    begun = begun_from(resume, learner, target, count, seed, "by law")
    if begun.runs:
        return _whole(begun, count)
    coins, levels = coins_for(seed, "by law"), learner.levels
    top = learner.tournaments(target, levels[-1])
    outputs: Counter[int] = Counter()
    failures = 0
    for k, share in zip(levels, occurrences([1] * len(levels), count, coins), strict=True):
        if not share:
            continue
        found = top.at(k).occurrences(share, coins)
        failures += found[None]
        for f, often in found.items():
            outputs[learner.default if f is None else f] += often
    return replace(begun, runs=count, outputs=outputs, failures=failures, batches=1)


def simulated(
    learner: GloballyStableLearner,
    target: Target[P],
    runs: int,
    *,
    by_law: bool,
    seed: Seed | None,
    executor: Executor | None,
    progress: ProgressCallback | None,
    checkpoint: Checkpoint | None,
    resume: RunTally,
) -> RunTally:
    """Run G many times on a target, one run after the other or all at once."""
    if not by_law:
        return tally_on_target(
            learner,
            target,
            runs,
            seed=seed,
            executor=executor,
            progress=progress,
            checkpoint=checkpoint,
            resume=resume,
        )
    if isinstance(target, UniformTarget):
        raise InvalidInput("by_law", "a target whose points are not listed", "one that lists them")
    clock = Clock(progress)
    clock.report("running", 0, runs)
    tally = tally_by_law(learner, target, runs, seed=seed, resume=resume)
    if checkpoint is not None:
        checkpoint(tally)
    clock.report("running", runs, runs)
    return tally


def kept_for_choice(target: Target[P], size: int, coins: Coins, *, by_law: bool) -> Sample[P]:
    """Draw the examples of the choice, one after the other or how often each occurs."""
    if by_law and isinstance(target, FiniteDistribution):
        often = occurrences(tuple(target.numerators.values()), size, coins)
        each = zip(target.numerators, often, strict=True)
        return Sample.from_examples(z for z, count in each for _ in range(count))
    # Points that are not listed are those of M's class.
    source = cast("ExampleSource[P]", target)
    return Sample.from_examples(source.sample(coins) for _ in range(size))


def _whole(tally: RunTally, runs: int) -> RunTally:
    if (tally.runs, tally.batches) != (runs, 1):
        raise InvalidInput(
            "resume", f"{tally.runs} runs in {tally.batches} batches", f"{runs} in 1"
        )
    return tally
