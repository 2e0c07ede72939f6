"""Algorithm M with its runs given to levels: the learner, and its runs on a target."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from pac_stability.arguments import AnyNumber, as_size, require_instance
from pac_stability.arithmetic import Epsilon
from pac_stability.classes import FiniteClass
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.errors import InvalidInput
from pac_stability.learning import LawfulLearner, Mask, Promises
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.papers.bun_livni_moran.formulas import ByLevelSizes
from pac_stability.papers.bun_livni_moran.private.learner import PrivateLearner, private_sizes
from pac_stability.papers.bun_livni_moran.stable.globally_stable import GloballyStableLearner
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
        """Return what is proved of the learner on samples of n examples, by notion.

        Parameters
        ----------
        n
            The size of the samples.
        """
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
