"""Algorithm M with its runs given to levels: the learner, and its runs on a target."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber, as_size, require_instance
from pac_stability.arithmetic import Epsilon
from pac_stability.audit.progress import ProgressCallback
from pac_stability.classes import FiniteClass
from pac_stability.data import Example, FiniteDistribution, Sample
from pac_stability.errors import InvalidInput
from pac_stability.learning import LawfulLearner, Mask, Promises
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.papers.bun_livni_moran._words import said
from pac_stability.papers.bun_livni_moran.formulas import ByLevelSizes
from pac_stability.papers.bun_livni_moran.private.learner import PrivateLearner, private_sizes
from pac_stability.papers.bun_livni_moran.stable.globally_stable import GloballyStableLearner
from pac_stability.papers.bun_livni_moran.streams.by_law import kept_for_choice, simulated
from pac_stability.papers.bun_livni_moran.streams.tally import NO_RUNS, RunTally, Seed, coins_for
from pac_stability.papers.bun_livni_moran.tournaments.pick_rules import Pick
from pac_stability.papers.promised import by_privacy
from pac_stability.randomness import SYSTEM_COINS, Coins

P = TypeVar("P", bound=Hashable)


@dataclass(frozen=True, slots=True)
class ByLevelPrivateLearner(LawfulLearner[P], Generic[P]):
    """Algorithm M with a number of runs for each level: see :class:`ByLevelSizes`.

    A sample holds first the examples of the runs, those of level 0 first, then those of the choice.

    Parameters
    ----------
    levels
        For each level algorithm G at that level, and how often it runs, at least once.
    conclusion
        M, for the histogram and the choice; its ``runs`` are those of all levels. What it runs is
        not looked at.

    Raises
    ------
    InvalidInput
        There is no level, or the numbers of runs do not add up; on use, the sample is smaller than
        :attr:`sample_size`.

    Notes
    -----
    Privacy is that of M: an example is one of one run, or of the choice. It does not depend on what
    the runs do.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> M = ByLevelPrivateLearner.of_class(thresholds(4), "1/4", "1/10", 1, "1/1000000")
    >>> [(G.level, G.blocks, runs) for G, runs in M.levels], M.sample_size
    ([(0, 0, 173), (1, 2, 218), (2, 8, 604)], 43611)
    """

    levels: tuple[tuple[GloballyStableLearner, int], ...]
    conclusion: PrivateLearner[P]

    def __post_init__(self) -> None:
        levels = tuple(self.levels)
        for stable, runs in levels:
            require_instance(stable, GloballyStableLearner, "levels")
            as_size(runs, "levels", least=1)
        require_instance(self.conclusion, PrivateLearner, "conclusion")
        runs = sum(runs for _, runs in levels)
        if runs != self.conclusion.runs:
            raise InvalidInput("levels", f"{runs} runs", f"{self.conclusion.runs}, as in M")
        object.__setattr__(self, "levels", levels)

    @staticmethod
    def of_class(
        H: FiniteClass,
        alpha: AnyNumber,
        beta: AnyNumber,
        epsilon: Epsilon | AnyNumber,
        delta: AnyNumber,
        *,
        pick: Pick = "lowest",
        tie: int = 1,
    ) -> ByLevelPrivateLearner[Hashable]:
        """Return the learner for a class, with the sizes of :class:`ByLevelSizes`.

        Parameters
        ----------
        H
            The class, of Littlestone dimension at least 1.
        alpha, beta, epsilon, delta
            As for :class:`PrivateFromStable`.
        pick, tie
            As for :class:`GloballyStableLearner`.

        Raises
        ------
        InvalidInput
            The class has dimension 0: its one hypothesis needs no learner; or a parameter is out
            of range.
        """
        asked = private_sizes(H, alpha, beta, epsilon, delta)
        sizes = ByLevelSizes(asked.dimension, asked.alpha, asked.beta, asked.epsilon, asked.delta)
        G = partial(GloballyStableLearner, H, sizes.loss, pick=pick, tie=tie, n=sizes.n)
        levels = tuple(
            (G(level=each.level, blocks=each.blocks, fresh=each.fresh > 0), each.runs)
            for each in sizes.levels
        )
        stable = levels[0][0]
        conclusion = PrivateLearner(
            domain=H.domain,
            stable=stable,
            run_size=stable.sample_size,
            runs=sizes.runs,
            histogram=sizes.histogram,
            decay=sizes.decay,
            choice_size=sizes.choice_size,
            default=stable.default,
        )
        return ByLevelPrivateLearner(levels, conclusion)

    @property
    def sample_size(self) -> int:
        """The size of the sample: all runs, and the choice."""
        runs = sum(runs * stable.sample_size for stable, runs in self.levels)
        return runs + self.conclusion.choice_size

    @property
    def guarantee(self) -> PrivacyGuarantee:
        """The privacy guarantee for one example replaced."""
        return self.conclusion.guarantee

    @property
    def least_examples(self) -> int:
        """The fewest examples that a sample may have: :attr:`sample_size`."""
        return self.sample_size

    def promises(self, n: int, /) -> Promises:  # noqa: ARG002  # the same for every n
        """Return what is proved of the learner on samples of n examples, by notion."""
        return by_privacy(self.guarantee)

    def law(self, sample: Sample[P], /) -> FiniteDistribution[Mask]:
        """Return the law of the output.

        Parameters
        ----------
        sample
            The sample, of at least :attr:`sample_size` examples.

        Notes
        -----
        As for :meth:`PrivateLearner.law`: for instances small enough to enumerate.
        """
        self.require(sample)
        laws = (stable.law(part).map(int) for stable, part in self._runs(sample))
        return self.conclusion.concluded_law(laws, self._kept(sample))

    def run(self, sample: Sample[P], /, rng: Coins = SYSTEM_COINS) -> Mask:
        """Return a hypothesis.

        Parameters
        ----------
        sample
            The sample, of at least :attr:`sample_size` examples.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        self.require(sample)
        outputs = Counter(int(stable.run(part, rng)) for stable, part in self._runs(sample))
        return self.conclusion.conclude(outputs, self._kept(sample), rng)

    def _runs(self, sample: Sample[P]) -> Iterator[tuple[GloballyStableLearner, Sample[Hashable]]]:
        start = 0
        for stable, runs in self.levels:
            for _ in range(runs):
                yield (
                    stable,
                    Sample[Hashable].from_examples(sample[start : start + stable.sample_size]),
                )
                start += stable.sample_size

    def _kept(self, sample: Sample[P]) -> Sample[P]:
        return sample[self.sample_size - self.conclusion.choice_size : self.sample_size]


@dataclass(frozen=True, slots=True, repr=False)
class ByLevelTraining(Tabled):
    """What a run of M by level gave.

    Attributes
    ----------
    hypothesis
        The output, an integer whose bit ``x`` is the label at column ``x``. It alone is private.
    tallies
        What the runs of each level gave. Not private: for study only.
    """

    hypothesis: Mask
    tallies: tuple[RunTally, ...]


@said
def train_by_level_on_target(
    learner: ByLevelPrivateLearner[P],
    target: FiniteDistribution[Example[P]],
    *,
    seed: Seed | None = None,
    executor: Executor | None = None,
    progress: ProgressCallback | None = None,
    checkpoint: Callable[[tuple[RunTally, ...]], None] | None = None,
    resume: Sequence[RunTally] = (),
    by_law: bool = False,
) -> ByLevelTraining:
    """Run M by level once on examples drawn from a target, which are simulated by the jump chain.

    Parameters
    ----------
    learner
        As :meth:`ByLevelPrivateLearner.of_class` makes it.
    target
        D, which some hypothesis of the class fits without loss.
    checkpoint
        Called after each batch with the tallies of the levels begun so far, for instance a
        :class:`~pac_stability.papers.bun_livni_moran.streams.tally_file.TallyFile`.
    resume
        Tallies that it was called with, in a run of the same learner, target and seed, by the same
        version of the library; any other are refused.

    Returns
    -------
    ByLevelTraining
        The output and the tallies of the runs.

    Raises
    ------
    InvalidInput
        As for :func:`tally_on_target`.
    NotRealizable
        No hypothesis fits the target.

    Notes
    -----
    The law of the output is that on a sample of ``learner.sample_size`` independent examples. A
    seeded run is not private.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> H = thresholds(7)
    >>> M = ByLevelPrivateLearner.of_class(H, "1/4", "1/10", 1, "1/1000000")
    >>> target = FiniteDistribution.uniform([Example(x, H(3, x)) for x in H.domain])
    >>> M.sample_size, f"{train_by_level_on_target(M, target, seed=1).hypothesis:07b}"
    (1778714, '1111000')
    """
    require_instance(learner, ByLevelPrivateLearner, "learner")
    require_instance(resume, Sequence, "resume")
    if len(resume) > len(learner.levels):
        raise InvalidInput("resume", f"{len(resume)} tallies", f"{len(learner.levels)} at most")
    tallies: tuple[RunTally, ...] = ()
    for place, (stable, runs) in enumerate(learner.levels):
        tally = simulated(
            stable,
            target,
            runs,
            by_law=by_law,
            seed=None if seed is None else f"{seed!r}, level {stable.level}",
            executor=executor,
            progress=progress,
            checkpoint=None if checkpoint is None else partial(_noted, checkpoint, tallies),
            resume=resume[place] if place < len(resume) else NO_RUNS,
        )
        tallies = (*tallies, tally)
    drawn, M = coins_for(seed, "examples"), learner.conclusion
    kept = kept_for_choice(target, M.choice_size, drawn, by_law=by_law)
    outputs: Counter[int] = Counter()
    for tally in tallies:
        outputs.update(tally.outputs)
    return ByLevelTraining(M.conclude(outputs, kept, coins_for(seed, "conclusion")), tallies)


def _noted(
    checkpoint: Callable[[tuple[RunTally, ...]], None], done: tuple[RunTally, ...], tally: RunTally
) -> None:
    checkpoint((*done, tally))
