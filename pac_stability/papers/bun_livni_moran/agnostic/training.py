"""The agnostic learner over M from end to end at the size it states."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from pac_stability._report import Tabled
from pac_stability.arguments import described, require_instance
from pac_stability.audit.progress import Clock, ProgressCallback
from pac_stability.classes import FiniteClass
from pac_stability.data import Example, FiniteDistribution
from pac_stability.dimensions import version_spaces
from pac_stability.errors import InvalidInput
from pac_stability.learning import Mask
from pac_stability.mechanisms import exponential_choice, occurrences
from pac_stability.papers.bun_livni_moran.agnostic.learner import AgnosticPrivateLearner
from pac_stability.papers.bun_livni_moran.private.by_level import (
    ByLevelPrivateLearner,
    train_by_level_on_target,
)
from pac_stability.papers.bun_livni_moran.private.learner import PrivateLearner
from pac_stability.papers.bun_livni_moran.private.training import train_on_target
from pac_stability.papers.bun_livni_moran.streams.examples import ExampleStream
from pac_stability.papers.bun_livni_moran.streams.tally import (
    NO_RUNS,
    RunTally,
    Seed,
    coins_for,
)
from pac_stability.papers.bun_livni_moran.tournaments.target import example_columns
from pac_stability.randomness import Coins

P = TypeVar("P", bound=Hashable)

Counts: TypeAlias = npt.NDArray[np.int64]
"""How often each example occurs: one row a column of the class, one column a label."""

Checkpoints: TypeAlias = Callable[[tuple[RunTally, ...]], None]
"""Called with the tallies of the stages begun so far; what it got can be resumed."""

_CHUNK = 1 << 22


@dataclass(frozen=True, slots=True, repr=False)
class AgnosticTraining(Tabled):
    """What a run of the agnostic learner gave.

    Attributes
    ----------
    hypothesis
        The output, an integer whose bit ``x`` is the label at column ``x``. It alone is private.
    relabelled
        The relabelled D, as a target. Not private: for study only.
    tallies
        What the runs of G gave: one tally, or one for each level. Not private: for study only.
    """

    hypothesis: Mask
    relabelled: FiniteDistribution[Example[Hashable]]
    tallies: tuple[RunTally, ...]


def train_agnostic_on_examples(
    learner: AgnosticPrivateLearner[Mask],
    examples: ExampleStream,
    *,
    seed: Seed | None = None,
    executor: Executor | None = None,
    progress: ProgressCallback | None = None,
    checkpoint: Checkpoints | None = None,
    resume: Sequence[RunTally] = (),
) -> AgnosticTraining:
    """Run the agnostic learner once on the next ``learner.sample_size`` of given examples.

    Parameters
    ----------
    learner
        As :meth:`AgnosticPrivateLearner.with_promise` or ``of_class`` makes it.
    examples
        The examples, first those of D, then those of T.
    seed, executor, progress
        As for :func:`tally_on_target`. A seeded run is not private.
    checkpoint
        Called after each batch with the tallies so far, for instance a
        :class:`~pac_stability.papers.bun_livni_moran.streams.tally_file.TallyFile`.
    resume
        Tallies of the same run so far, which has to have a seed.

    Returns
    -------
    AgnosticTraining
        The output, and what led to it.

    Raises
    ------
    InvalidInput
        The learner's base is not M over a :class:`GloballyStableLearner`, or there are too few
        examples.

    Notes
    -----
    What matters of D is how often each example occurs, and of T which points do. A resample of the
    relabelled D is a sample of independent examples from its empirical distribution, which H
    realizes: M runs on that by the jump chain (:func:`train_on_target`). So an example costs a
    count, memory is flat, and the law is that of :meth:`AgnosticPrivateLearner.run`.
    """
    _over_tournaments(learner)
    require_instance(examples, ExampleStream, "examples")
    of_D, of_T, clock = *_sizes(learner), Clock(progress)

    def counted(size: int, already: int) -> Counts:
        counts = np.zeros(2 * len(learner.H.domain), dtype=np.int64)
        for read in range(0, size, _CHUNK):
            clock.report("counting", already + read, of_D + of_T)
            codes = examples.take(min(_CHUNK, size - read))
            counts += np.bincount(codes, minlength=len(counts))
        return counts.reshape(-1, 2)

    halves = counted(of_D, 0), counted(of_T, of_D)
    return _trained(
        learner,
        halves,
        seed=seed,
        executor=executor,
        progress=progress,
        checkpoint=checkpoint,
        resume=resume,
    )


def train_agnostic_on_target(
    learner: AgnosticPrivateLearner[Mask],
    target: FiniteDistribution[Example[P]],
    *,
    seed: Seed | None = None,
    executor: Executor | None = None,
    progress: ProgressCallback | None = None,
    checkpoint: Checkpoints | None = None,
    resume: Sequence[RunTally] = (),
) -> AgnosticTraining:
    """Run the agnostic learner once on ``learner.sample_size`` examples drawn from a target.

    Parameters
    ----------
    learner
        As :meth:`AgnosticPrivateLearner.with_promise` or ``of_class`` makes it.
    target
        Any distribution of examples over the domain.
    seed, executor, progress
        As for :func:`tally_on_target`. A seeded run is not private.
    checkpoint
        Called after each batch with the tallies so far, for instance a
        :class:`~pac_stability.papers.bun_livni_moran.streams.tally_file.TallyFile`.
    resume
        Tallies of the same run so far, which has to have a seed.

    Returns
    -------
    AgnosticTraining
        The output, and what led to it.

    Raises
    ------
    InvalidInput
        The learner's base is not M over a :class:`GloballyStableLearner`, or the target is no
        distribution of examples over the domain.

    Notes
    -----
    The numbers of occurrences are drawn exactly, by
    :func:`~pac_stability.mechanisms.many_draws.occurrences`; the rest is as in
    :func:`train_agnostic_on_examples`.

    Examples
    --------
    >>> from pac_stability.classes import singletons
    >>> H = singletons(4)
    >>> learner = AgnosticPrivateLearner.of_class(H, "1/4", "1/10", 1.0, "1/1000000")
    >>> learner.sample_size
    80244
    >>> noisy = FiniteDistribution({Example(x, y): Fraction(4 if H(2, x) == y else 1, 20)
    ...                             for x in H.domain for y in (0, 1)})
    >>> f"{train_agnostic_on_target(learner, noisy, seed=1).hypothesis:04b}"
    '0100'
    """
    _over_tournaments(learner)
    columns, labels = example_columns(version_spaces(learner.H), target)
    coins = coins_for(seed, "halves")

    def drawn(size: int) -> Counts:
        counts: Counts = np.zeros((len(learner.H.domain), 2), dtype=np.int64)
        counts[columns, labels] = occurrences(tuple(target.numerators.values()), size, coins)
        return counts

    D, T = map(drawn, _sizes(learner))
    return _trained(
        learner,
        (D, T),
        seed=seed,
        executor=executor,
        progress=progress,
        checkpoint=checkpoint,
        resume=resume,
    )


def relabelled_target(
    H: FiniteClass, D: Counts, T: Counts, decay: Fraction, coins: Coins
) -> FiniteDistribution[Example[Hashable]]:
    """Relabel D by a pattern drawn with weight ``decay**errors``, and return its distribution.

    Parameters
    ----------
    H
        The class.
    D, T
        How often each example occurs in the halves.
    decay
        r, what an error of a pattern on D multiplies its weight by.
    coins
        Where the coins come from.
    """
    often = D.sum(axis=1)
    seen = np.flatnonzero(often + T.sum(axis=1))
    patterns: npt.NDArray[np.int64] = np.unique(H.table[:, seen], axis=0).astype(np.int64)
    errors = patterns @ D[seen, 0] + (1 - patterns) @ D[seen, 1]
    drawn = patterns[exponential_choice(errors, decay, coins)]
    size = int(often.sum())
    return FiniteDistribution(
        {
            Example(H.domain[column], int(label)): Fraction(int(often[column]), size)
            for column, label in zip(seen.tolist(), drawn, strict=True)
            if often[column]
        }
    )


def _trained(
    learner: AgnosticPrivateLearner[Mask],
    halves: tuple[Counts, Counts],
    *,
    seed: Seed | None,
    executor: Executor | None,
    progress: ProgressCallback | None,
    checkpoint: Checkpoints | None,
    resume: Sequence[RunTally],
) -> AgnosticTraining:
    require_instance(resume, Sequence, "resume")
    if seed is None and any(tally != NO_RUNS for tally in resume):
        wanted = "a seed, so that the same examples are relabelled by the same pattern"
        raise InvalidInput("seed", "None, and tallies to resume", wanted)
    coins = coins_for(seed, "pattern")
    relabelled = relabelled_target(learner.H, *halves, learner.decay, coins)
    base = _over_tournaments(learner)
    if isinstance(base, ByLevelPrivateLearner):
        trained = train_by_level_on_target(
            base,
            relabelled,
            seed=seed,
            executor=executor,
            progress=progress,
            checkpoint=checkpoint,
            resume=resume,
        )
        return AgnosticTraining(trained.hypothesis, relabelled, trained.tallies)
    if len(resume) > 1:
        raise InvalidInput("resume", f"{len(resume)} tallies", "1 at most")
    training = train_on_target(
        base,
        relabelled,
        seed=seed,
        executor=executor,
        progress=progress,
        checkpoint=None if checkpoint is None else lambda tally: checkpoint((tally,)),
        resume=resume[0] if resume else NO_RUNS,
    )
    return AgnosticTraining(training.hypothesis, relabelled, (training.tally,))


def _sizes(learner: AgnosticPrivateLearner[Mask]) -> tuple[int, int]:
    """How many examples D and T have."""
    n = learner.sample_size
    return learner.relabelled_of(n), n - learner.relabelled_of(n)


def _over_tournaments(
    learner: AgnosticPrivateLearner[Mask],
) -> PrivateLearner[Hashable] | ByLevelPrivateLearner[Hashable]:
    """Return M, or refuse the learner."""
    require_instance(learner, AgnosticPrivateLearner, "learner")
    base = learner.base
    if isinstance(base, PrivateLearner | ByLevelPrivateLearner):
        M: PrivateLearner[Hashable] | ByLevelPrivateLearner[Hashable] = base
        if M.sample_size <= learner.base_size:
            return M
    given = f"one over {described(base)}"
    raise InvalidInput("learner", given, "one over M, as AgnosticPrivateLearner.of_class makes")
