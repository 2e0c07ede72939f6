"""Section IV-C: runs of algorithm G as the library makes them, player after player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TypeAlias

from pac_stability.books.bun_livni_moran.literal import TournamentSetting
from pac_stability.books.bun_livni_moran.settings import (
    counterexample,
    random_settings,
    uniform_settings,
)
from pac_stability.claims.budget import Budget
from pac_stability.claims.finding import Finding, settle
from pac_stability.data import enumerate_law
from pac_stability.papers.bun_livni_moran import GloballyStableLearner
from pac_stability.papers.bun_livni_moran.streams.cells import Cells
from pac_stability.papers.bun_livni_moran.streams.engine import Words
from pac_stability.papers.bun_livni_moran.streams.rules import Chain, Chooser, Drawn, FromCoins
from pac_stability.papers.bun_livni_moran.streams.tally import (
    RunTally,
    coins_for,
    tally_on_target,
)
from pac_stability.papers.bun_livni_moran.tournaments.target import require_realizable
from pac_stability.randomness import Coins

Run: TypeAlias = tuple[TournamentSetting, int]
"""A setting with its n, and the number of blocks."""


def learner_of(it: Run) -> GloballyStableLearner:
    """Return algorithm G of a setting, with few blocks."""
    setting, blocks = it
    return GloballyStableLearner(
        setting.H,
        1,
        n=setting.n,
        blocks=blocks,
        tie=setting.tie,
        pick="highest" if setting.highest else "lowest",
    )


def short_runs(budget: Budget) -> Iterator[Run]:
    """Give runs whose coins can all be followed."""
    for setting in uniform_settings((1, 2), (1, 3), least=1):
        d = setting.dimension
        yield setting, 2 * (2**d - 1) + (4 if d == 1 else 0)
    for setting in random_settings(budget.pick(20, 100, 500), points=3, rows=4, n=2, seed="jumps"):
        if setting.dimension == 1:
            yield setting, 5


def law_of_jumps(it: Run) -> dict[int, Fraction]:
    """The law of a run on a target: from change to change of the state, over all coins."""
    setting, _ = it
    G = learner_of(it)
    chain = _chain(setting, G)

    def run(rng: Coins) -> int:
        coins = FromCoins(rng)
        return _one(G, chain, rng.below(G.dimension + 1), coins)

    return dict(enumerate_law(run).items())


def _chain(setting: TournamentSetting, G: GloballyStableLearner) -> Chain:
    # With few cells, waiting times are drawn in several parts.
    return Chain(G.rules(), require_realizable(setting.H, setting.target), most_cells=2)


def _one(G: GloballyStableLearner, chain: Chain, top: int, coins: Chooser) -> int:
    state = chain.rules.run(top, Drawn(chain, coins), coins)
    return G.default if state is None else chain.rules.states.predictor(state)


def long_runs(budget: Budget) -> Iterator[Run]:
    """Give runs that the compiled program makes; some of them fail."""
    for name in ("equal-weights", "pairs"):
        yield counterexample(name), 40
    settings = random_settings(budget.pick(12, 60, 600), points=5, rows=8, n=3, seed="kernel")
    for setting in settings:
        if setting.dimension >= 1:
            yield setting, 2 * (2**setting.dimension - 1) + 3


class _FromWords:
    """Choices by the words that the compiled program reads."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def fair(self) -> int:
        return self._words.take() & 1

    def cell(self, cells: Cells, /) -> int:
        return cells.settle(self._words.take(), self._words.take)


_RUNS = 60


def compiled(it: Run) -> RunTally:
    """Return the outputs of some runs of the compiled program, with the coins of a seed."""
    return tally_on_target(learner_of(it), it[0].target, _RUNS, seed="runs")


def other_coins(it: Run) -> RunTally:
    """Return the outputs of as many runs with other coins."""
    return tally_on_target(learner_of(it), it[0].target, _RUNS, seed="others")


def same_on_the_same_coins(tally: Callable[[Run], RunTally], it: Run) -> Finding:
    """Settle that runs end as those of the program that is written out, with the same words."""
    setting, blocks = it
    G = learner_of(it)
    coins = coins_for("runs", 0)
    words = Words(coins)
    chain = Chain(G.rules(), require_realizable(setting.H, setting.target))
    outputs, failures = Counter[int](), 0
    for _ in range(_RUNS):
        chosen = _FromWords(words)
        state = chain.rules.run(coins.below(G.dimension + 1), Drawn(chain, chosen), chosen)
        failures += state is None
        outputs[G.default if state is None else chain.rules.states.predictor(state)] += 1
    found = tally(it)
    return settle(
        (dict(outputs), failures) == (dict(found.outputs), found.failures),
        f"{setting}, {blocks} blocks: {dict(found.outputs)} with {found.failures} failures, but "
        f"{dict(outputs)} with {failures} as written",
    )
