"""Runs of algorithm G at the sizes that M states, by the library and by plain draws."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import cast

import numpy as np
import numpy.typing as npt
from pac_stability.papers.bun_livni_moran.streams.tally import (
    tally_on_examples,
    tally_on_target,
)

from pac_stability.arithmetic import ConstantsLike
from pac_stability.classes import FiniteClass, singletons, thresholds
from pac_stability.data import Example, FiniteDistribution
from pac_stability.online import StandardOptimalAlgorithm
from pac_stability.online.states import SoaStates
from pac_stability.papers.bun_livni_moran.stable.globally_stable import GloballyStableLearner
from pac_stability.papers.bun_livni_moran.streams.examples import ExampleStream
from pac_stability.papers.bun_livni_moran.tournaments.pick_rules import FirstInOrder
from tools.bench.measure import Run

ROW, SEED = 2, 11

# The class, the constants, and how many runs are timed.
Recipe = tuple[Callable[[], FiniteClass], ConstantsLike, int]
DRAWN: dict[str, Recipe] = {
    "singletons(8), d=1": (lambda: singletons(8), "repaired", 200),
    "thresholds(4), d=2 printed": (lambda: thresholds(4), "paper", 200),
    "thresholds(4), d=2 repaired": (lambda: thresholds(4), "repaired", 200),
    "thresholds(8), d=3 printed": (lambda: thresholds(8), "paper", 20),
    "thresholds(8), d=3 repaired": (lambda: thresholds(8), "repaired", 10),
}
GIVEN: dict[str, Recipe] = {
    "given: thresholds(4), d=2 printed": (lambda: thresholds(4), "paper", 200)
}
INSTANCES: dict[str, Recipe] = {**DRAWN, **GIVEN}


def _table(learner: GloballyStableLearner) -> FiniteClass:
    return cast("FiniteClass", learner.H)  # a recipe has a table


def _learner(name: str) -> tuple[GloballyStableLearner, int]:
    make, constants, runs = INSTANCES[name]
    # For a loss of alpha = 1/4, M asks its learner for half of that.
    return GloballyStableLearner(make(), "1/8", constants=constants), runs


def _codes(learner: GloballyStableLearner, runs: int) -> npt.NDArray[np.uint8]:
    H = _table(learner)
    columns = np.random.default_rng(SEED).integers(0, len(H.domain), runs * learner.sample_size)
    codes: npt.NDArray[np.int64] = 2 * columns + H.table[ROW, columns]
    return codes.astype(np.uint8)


def library(name: str) -> Run:
    """The jump chain, or the table walk on given examples; the work is the runs."""
    learner, runs = _learner(name)
    if name in GIVEN:
        codes = _codes(learner, runs)
        return lambda: (
            tally_on_examples(learner, ExampleStream([codes], learner.H), runs, seed=SEED).runs,
            runs,
        )
    H = _table(learner)
    target = FiniteDistribution.uniform([Example(x, H(ROW, x)) for x in range(len(H.domain))])
    return lambda: (tally_on_target(learner, target, runs, seed=SEED).runs, runs)


def literal(name: str) -> Run:
    """Example by example, with the states of the SOA and their predictors remembered."""
    learner, runs = _learner(name)
    H = _table(learner)
    states = SoaStates(H)
    rule = FirstInOrder(states.spaces, "lowest")
    labels = H.table[ROW].tolist()
    given = [divmod(code, 2) for code in _codes(learner, runs).tolist()] if name in GIVEN else []
    remembered: dict[tuple[int, int, int], int] = {}

    def play(rng: random.Random, examples: list[tuple[int, int]]) -> int | None:
        drawn = 0

        def block(state: int) -> int:
            nonlocal drawn
            for i in range(drawn * learner.n, (drawn + 1) * learner.n):
                if examples:
                    x, y = examples[i]
                else:
                    x = rng.randrange(len(labels))
                    y = labels[x]
                after = remembered.get((state, x, y))
                if after is None:
                    after = remembered[state, x, y] = states.step(state, x, y)
                state = after
            drawn += 1
            return state

        def sample(k: int) -> int | None:
            if k == 0:
                return states.start
            while True:
                players = []
                for _ in range(2):
                    before = sample(k - 1)
                    if before is None or drawn == learner.blocks:
                        return None
                    players.append(block(before))
                f, g = (states.predictor(state) for state in players)
                if f != g:
                    x, y = rule.point(f, g), rng.randrange(2)
                    return states.step(players[0] if f >> x & 1 != y else players[1], x, y)

        state = sample(rng.randrange(learner.dimension + 1))
        return None if state is None else states.predictor(block(state))

    def run() -> tuple[int, int]:
        rng = random.Random(SEED)  # noqa: S311  # nothing here is private
        m = learner.sample_size
        for i in range(runs):
            play(rng, given[i * m : (i + 1) * m])
        return runs, runs

    return run


def straightforward(name: str) -> Run:
    """The paper read aloud: lists of examples, and the SOA run anew on every one of them."""
    learner, runs = _learner(name)
    H, n = _table(learner), learner.n
    labels = H.table[ROW].tolist()

    def output(examples: list[tuple[int, int]]) -> list[int]:
        algorithm = StandardOptimalAlgorithm(H)
        algorithm.replay(examples)
        return [int(label) for label in algorithm.hypothesis()]

    def play(rng: random.Random) -> list[int] | None:
        left = learner.blocks

        def draw() -> list[tuple[int, int]]:
            return [(x, labels[x]) for x in (rng.randrange(len(labels)) for _ in range(n))]

        def sample(k: int) -> list[tuple[int, int]] | None:
            nonlocal left
            if k == 0:
                return []
            while True:
                players = []
                for _ in range(2):
                    before = sample(k - 1)
                    if before is None or left == 0:
                        return None
                    left -= 1
                    players.append(before + draw())
                f, g = (output(player) for player in players)
                if f != g:
                    x = next(x for x in range(len(labels)) if f[x] != g[x])
                    y = rng.randrange(2)
                    return [*(players[0] if f[x] != y else players[1]), (x, y)]

        winner = sample(rng.randrange(learner.dimension + 1))
        return None if winner is None else output(winner + draw())

    def run() -> tuple[int, int]:
        rng = random.Random(SEED)  # noqa: S311  # nothing here is private
        for _ in range(runs):
            play(rng)
        return runs, runs

    return run
