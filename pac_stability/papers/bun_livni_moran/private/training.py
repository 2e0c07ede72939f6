"""Algorithm M from end to end at the size it states: on a target, or on a stream of examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TypeVar

from pac_stability._report import Tabled
from pac_stability.arguments import described, require_instance
from pac_stability.audit.progress import ProgressCallback
from pac_stability.data import Sample
from pac_stability.dimensions import version_spaces
from pac_stability.errors import InvalidInput
from pac_stability.learning import Mask
from pac_stability.papers.bun_livni_moran._words import said
from pac_stability.papers.bun_livni_moran.private.learner import PrivateLearner
from pac_stability.papers.bun_livni_moran.stable.globally_stable import GloballyStableLearner
from pac_stability.papers.bun_livni_moran.streams.by_law import kept_for_choice, simulated
from pac_stability.papers.bun_livni_moran.streams.examples import ExampleStream, decoded
from pac_stability.papers.bun_livni_moran.streams.tally import (
    NO_RUNS,
    Checkpoint,
    RunTally,
    Seed,
    Target,
    coins_for,
    tally_on_examples,
)

P = TypeVar("P", bound=Hashable)


@dataclass(frozen=True, slots=True, repr=False)
class Training(Tabled):
    """What a run of M gave.

    Attributes
    ----------
    hypothesis
        The output, an integer whose bit ``x`` is the label at column ``x``, or one in the language
        of a class without a table. It alone is private.
    tally
        What the runs of G gave. Not private: for study only.
    """

    hypothesis: Mask
    tally: RunTally


@said
def train_on_target(
    learner: PrivateLearner[P],
    target: Target[P],
    *,
    seed: Seed | None = None,
    executor: Executor | None = None,
    progress: ProgressCallback | None = None,
    checkpoint: Checkpoint | None = None,
    resume: RunTally = NO_RUNS,
    by_law: bool = False,
) -> Training:
    """Run M once on examples drawn from a target, which are simulated by the jump chain.

    Parameters
    ----------
    target
        D, which some hypothesis of the class fits without loss; a
        :class:`~pac_stability.classes.implicit.UniformTarget` where its points are not listed.

    Returns
    -------
    Training
        The output and the tally of the runs.

    Raises
    ------
    InvalidInput
        M's stable learner is not a :class:`GloballyStableLearner`, or as for
        :func:`tally_on_target`.
    NotRealizable
        No hypothesis fits the target.

    Notes
    -----
    The law of the output is that on a sample of ``learner.sample_size`` independent examples. A
    seeded run is not private.

    Examples
    --------
    >>> from pac_stability.classes import singletons
    >>> from pac_stability.data import Example, FiniteDistribution
    >>> H = singletons(4)
    >>> M = PrivateLearner.of_class(H, "1/4", "1/10", 1.0, "1/1000000")
    >>> target = FiniteDistribution.uniform([Example(x, H(2, x)) for x in H.domain])
    >>> M.sample_size, f"{train_on_target(M, target, seed=1).hypothesis:04b}"
    (4458, '0100')
    """
    stable = _tournaments(learner)
    tally = simulated(
        stable,
        target,
        learner.runs,
        by_law=by_law,
        seed=seed,
        executor=executor,
        progress=progress,
        checkpoint=checkpoint,
        resume=resume,
    )
    drawn = coins_for(seed, "examples")
    kept = kept_for_choice(target, learner.choice_size, drawn, by_law=by_law)
    return _concluded(learner, tally, kept, seed)


@said
def train_on_examples(
    learner: PrivateLearner[Hashable],
    examples: ExampleStream,
    *,
    seed: Seed | None = None,
    executor: Executor | None = None,
    progress: ProgressCallback | None = None,
    checkpoint: Checkpoint | None = None,
    resume: RunTally = NO_RUNS,
) -> Training:
    """Run M once on given examples.

    Parameters
    ----------
    examples
        At least ``learner.sample_size`` examples; less those that ``resume`` has counted.

    Returns
    -------
    Training
        The output and the tally of the runs.

    Raises
    ------
    InvalidInput
        As for :func:`tally_on_examples`; also when there are fewer examples than M's size.
    """
    stable = _tournaments(learner)
    tally = tally_on_examples(
        stable,
        examples,
        learner.runs,
        seed=seed,
        executor=executor,
        progress=progress,
        checkpoint=checkpoint,
        resume=resume,
    )
    spaces = version_spaces(stable.H)
    kept = decoded(examples.take(learner.choice_size), spaces.point)
    return _concluded(learner, tally, kept, seed)


def _tournaments(learner: PrivateLearner[P]) -> GloballyStableLearner:
    require_instance(learner, PrivateLearner, "learner")
    stable = learner.stable
    if not isinstance(stable, GloballyStableLearner):
        raise InvalidInput("learner", f"M of {described(stable)}", "M of a GloballyStableLearner")
    return stable


def _concluded(
    learner: PrivateLearner[P], tally: RunTally, kept: Sample[P], seed: Seed | None
) -> Training:
    coins = coins_for(seed, "conclusion")
    return Training(learner.conclude(Counter(tally.outputs), kept, coins), tally)
