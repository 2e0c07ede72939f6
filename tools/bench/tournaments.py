"""Algorithm G and algorithm M of BLM20: runs, the exact law of a run, and M at its size."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

from pac_stability.arithmetic import ConstantsLike
from pac_stability.classes import FiniteClass, singletons, thresholds
from pac_stability.data import Example, FiniteDistribution
from pac_stability.online import StandardOptimalAlgorithm
from pac_stability.online.soa import SoaStates
from pac_stability.papers.bun_livni_moran import (
    ByLevelPrivateLearner,
    GloballyStableLearner,
    TournamentDistribution,
    train_on_target,
)
from pac_stability.papers.bun_livni_moran.at_size import tally_on_target
from pac_stability.papers.bun_livni_moran.tournament_laws import (
    FirstInOrder,
    ListedLaw,
    require_realizable,
)
from tools.bench.job import Baseline, Job, Program, definition, informed
from tools.bench.measure import Run

SEED = 11


def target_of(
    H: FiniteClass, row: int, points: range | None = None
) -> FiniteDistribution[Example[int]]:
    """A uniform target with the labels of a row."""
    return FiniteDistribution.uniform(
        [Example(x, H(row, x)) for x in points or range(len(H.domain))]
    )


# Runs of G: the class, the constants, and how many runs are timed.
RUNS: dict[str, tuple[Callable[[int], FiniteClass], int, ConstantsLike, int]] = {
    "singletons(8), d=1": (singletons, 8, "repaired", 200),
    "thresholds(4), d=2 printed": (thresholds, 4, "paper", 200),
    "thresholds(4), d=2 repaired": (thresholds, 4, "repaired", 200),
    "thresholds(8), d=3 printed": (thresholds, 8, "paper", 20),
}
ROW = 2


def _learner(name: str) -> tuple[FiniteClass, GloballyStableLearner, int]:
    make, size, constants, runs = RUNS[name]
    H = make(size)
    # For a loss of alpha = 1/4, M asks its learner for half of that.
    return H, GloballyStableLearner(H, "1/8", constants=constants), runs


def runs_of_g(*, by_law: bool) -> Program:
    """The outputs of all runs from the law of one, or run by run."""

    def program(name: str) -> Run:
        H, learner, runs = _learner(name)
        target = target_of(H, ROW)
        return lambda: (tally_on_target(learner, target, runs, seed=SEED, by_law=by_law).runs, runs)

    return program


def read_aloud(name: str) -> Run:
    """The paper read aloud: lists of examples, and the SOA run anew on every one of them."""
    H, learner, runs = _learner(name)
    labels = H.table[ROW].tolist()

    def output(examples: list[tuple[int, int]]) -> list[int]:
        algorithm = StandardOptimalAlgorithm(H)
        algorithm.replay(examples)
        return [int(label) for label in algorithm.hypothesis()]

    def play(rng: random.Random) -> list[int] | None:
        left = learner.blocks

        def draw() -> list[tuple[int, int]]:
            return [(x, labels[x]) for x in (rng.randrange(len(labels)) for _ in range(learner.n))]

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


# Laws: points, tournaments, examples a draw.
LAWS = {
    "thresholds(16), k=2 n=2": (16, 2, 2),
    "thresholds(16), k=4 n=1": (16, 4, 1),
    "thresholds(32), k=3 n=2": (32, 3, 2),
    "thresholds(64), k=2 n=2": (64, 2, 2),
}


def law(name: str) -> Run:
    """The frequency of the most frequent output; the work is states."""
    size, k, n = LAWS[name]
    H = thresholds(size)
    target = target_of(H, size // 2)

    def run() -> tuple[Fraction, int]:
        # A class keeps what its search found.
        D = TournamentDistribution(thresholds(size), target, k=k, n=n, threshold=1)
        return D.highest_frequency, D.state_count

    return run


def dictionaries(name: str) -> Run:
    """The same recursion, a dictionary of weights a level."""
    size, k, n = LAWS[name]
    target = target_of(thresholds(size), size // 2)

    def run() -> tuple[Fraction, int]:
        H = thresholds(size)
        states = SoaStates(H)
        labels = sum(H(size // 2, x) << x for x in range(size))
        rule = FirstInOrder(states.spaces, "lowest")
        found = ListedLaw(
            states, require_realizable(H, target), n, rule, concept=labels, max_states=1 << 30
        )
        return found.level(k).highest, found.level(k).state_count

    return run


# M by level: the points of the class and of the target.
SIZED: dict[str, tuple[int, range]] = {
    "thresholds(7), d=3": (7, range(7)),
    "thresholds(15), d=4": (15, range(15)),
    "thresholds(31) on 5 points, d=5": (31, range(3, 28, 6)),
}


def sized(*, by_law: bool) -> Program:
    """M at the size that keeps its promise; nodes are the examples that it takes."""

    def program(name: str) -> Run:
        size, points = SIZED[name]
        H = thresholds(size)
        M = ByLevelPrivateLearner.of_class(H, "1/4", "1/10", 1, "1/1000000")
        target = target_of(H, size // 2, points)

        def run() -> tuple[int, int]:
            f = train_on_target(M, target, seed=SEED, by_law=by_law).hypothesis
            return sum(f(x) != H(size // 2, x) for x in points), M.sample_size

        return run

    return program


JOBS = {
    "tournaments": Job(
        "Runs of algorithm G at the sizes for which the private learner runs it (alpha = 1/4), on "
        "a simulated target: their outputs drawn at once from the exact law of one; nodes are "
        "runs. Definition: the paper read aloud, lists of examples, the SOA run anew on each. One "
        "by one: runs on fresh examples, the states of the SOA remembered.",
        RUNS,
        runs_of_g(by_law=True),
        (
            definition(read_aloud, [name for name in RUNS if "printed" in name or "d=1" in name]),
            Baseline("one by one", runs_of_g(by_law=False)),
        ),
    ),
    "tournament-laws": Job(
        "The exact law of k tournaments of n examples each on a uniform target; the value is the "
        "frequency of the most frequent output, nodes are states. Informed: the same recursion, a "
        "dictionary of integers for each level (the library's readable twin).",
        LAWS,
        law,
        (informed(dictionaries, list(LAWS)[:3]),),
    ),
    "by-law": Job(
        "Algorithm M by level at its size (alpha 1/4, beta 1/10, epsilon 1, delta 10^-6), all runs "
        "at once from the exact law of one, against the same runs one after the other. The value "
        "is on how many points its output is wrong, nodes are the examples that it takes.",
        SIZED,
        sized(by_law=True),
        (Baseline("run by run", sized(by_law=False), list(SIZED)[:1]),),
    ),
}
