"""Algorithm G on a given sample: the globally stable learner as a mechanism."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from pac_stability.arithmetic import as_size
from pac_stability.classes import FiniteClass
from pac_stability.data import FiniteDistribution, Sample, enumerate_law
from pac_stability.dimensions import littlestone_dimension
from pac_stability.errors import InvalidInput
from pac_stability.papers.bun_livni_moran.pick_rules import Pick, as_pick_rule
from pac_stability.papers.bun_livni_moran.stable_histogram import require_size
from pac_stability.papers.bun_livni_moran.states import SoaStates
from pac_stability.papers.bun_livni_moran.streams import FromCoins, Given, Rules
from pac_stability.randomness import SYSTEM_COINS, Coins

P = TypeVar("P", bound=Hashable)


@dataclass(frozen=True)
class TournamentLearner(Generic[P]):
    """Draw k, play the tournaments of the k-th Monte-Carlo distribution, output SOA(S o T).

    All draws from the target are the examples of the given sample, in their order; what is left
    over is not looked at. On Fail the output is :attr:`default`, the prediction of the SOA before
    any example. So there is an output for every sample, realizable or not.

    Parameters
    ----------
    H
        The class, not empty.
    block
        n, the examples that each player draws.
    blocks
        B; the budget for S is N = B n examples.
    pick, tie
        As for :class:`TournamentDistribution`.

    Raises
    ------
    InvalidInput
        A parameter is out of range; the budget is so small that Fail is certain for some k; on use,
        the sample is smaller than :attr:`run_size`.

    Notes
    -----
    Outputs are integers: bit ``x`` is the label of the point of column ``x``. Source: BLM20
    Section IV-C, with what it leaves open settled: the output on Fail, and that N bounds the draws
    and not the length of S.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> G = TournamentLearner(thresholds(2), block=1, blocks=2)
    >>> G.run_size, G.law(Sample([0, 1, 1], [0, 0, 0]))
    (3, FiniteDistribution({2: 1/2, 0: 1/2}))
    """

    H: FiniteClass
    block: int
    blocks: int
    pick: Pick = "lowest"
    tie: int = 1

    def __post_init__(self) -> None:
        if len(self.H) == 0:
            raise InvalidInput("H", "an empty class", "at least one hypothesis")
        object.__setattr__(self, "block", as_size(self.block, "block", least=1))
        object.__setattr__(self, "blocks", as_size(self.blocks, "blocks"))
        needed = 2 ** (self.dimension + 1) - 2
        if self.blocks < needed:
            wanted = f"at least {needed}, the players of {self.dimension} tournaments without ties"
            raise InvalidInput("blocks", str(self.blocks), wanted)
        self.rules()  # refuses a pick or a tie that is none

    @cached_property
    def dimension(self) -> int:
        """The Littlestone dimension d of H; k is drawn from 0 .. d."""
        return littlestone_dimension(self.H)

    @property
    def run_size(self) -> int:
        """The size of the sample, m = (B + 1) n."""
        return (self.blocks + 1) * self.block

    @cached_property
    def default(self) -> int:
        """The output on Fail: the prediction of the SOA before any example."""
        states = SoaStates(self.H, self.tie)
        return states.predictor(states.start)

    def rules(self) -> Rules:
        """Return what is the same in all runs, with nothing remembered."""
        rule = as_pick_rule(self.pick, self.H)
        return Rules(SoaStates(self.H, self.tie), len(self.H.domain), rule, self.block, self.blocks)

    def law(self, x: Sample[P], /) -> FiniteDistribution[int]:
        """Return the law of the output, over k and the labels of the tournaments.

        Parameters
        ----------
        x
            The sample, of at least :attr:`run_size` examples.

        Notes
        -----
        Every outcome of the coins is followed: up to two to the power of the number of matches.
        """
        examples = self._examples(x)
        rules = self.rules()
        return enumerate_law(lambda rng: self._run(rules, examples, rng))

    def run(self, x: Sample[P], /, rng: Coins = SYSTEM_COINS) -> int:
        """Return a hypothesis.

        Parameters
        ----------
        x
            The sample, of at least :attr:`run_size` examples.
        rng
            Where the coins come from; the operating system's entropy by default.
        """
        return self._run(self.rules(), self._examples(x), rng)

    def _run(self, rules: Rules, examples: list[tuple[int, int]], rng: Coins) -> int:
        top = rng.below(self.dimension + 1)
        state = rules.run(top, Given(rules.states, examples), FromCoins(rng))
        return self.default if state is None else rules.states.predictor(state)

    def _examples(self, x: Sample[P]) -> list[tuple[int, int]]:
        require_size(x, self.run_size, "x")
        kept = x[: self.run_size]
        columns = map(self.H.column, kept.points)
        return list(zip(columns, kept.labels, strict=True))
