"""Exact laws of tournaments: compiled, and as dictionaries of integers."""

from __future__ import annotations

from fractions import Fraction

from pac_stability.classes import thresholds
from pac_stability.data import Example, FiniteDistribution
from pac_stability.online.states import SoaStates
from pac_stability.papers.bun_livni_moran import TournamentDistribution
from pac_stability.papers.bun_livni_moran.tournaments.law import ListedLaw
from pac_stability.papers.bun_livni_moran.tournaments.pick_rules import FirstInOrder
from pac_stability.papers.bun_livni_moran.tournaments.target import require_realizable
from tools.bench.measure import Run

# Points, tournaments, examples a draw.
INSTANCES = {
    "thresholds(16), k=2 n=2": (16, 2, 2),
    "thresholds(16), k=4 n=1": (16, 4, 1),
    "thresholds(32), k=3 n=2": (32, 3, 2),
    "thresholds(64), k=2 n=2": (64, 2, 2),
}


def _target(size: int) -> FiniteDistribution[Example[int]]:
    H = thresholds(size)
    return FiniteDistribution.uniform([Example(x, H(size // 2, x)) for x in range(size)])


def library(name: str) -> Run:
    """The frequency of the most frequent output; the work is states."""
    size, k, n = INSTANCES[name]
    target = _target(size)

    def run() -> tuple[Fraction, int]:
        D = TournamentDistribution(thresholds(size), target, k=k, n=n, threshold=1)
        return D.highest_frequency, D.state_count

    return run


def dictionaries(name: str) -> Run:
    """The same recursion, a dictionary of weights a level."""
    size, k, n = INSTANCES[name]
    target = _target(size)

    def run() -> tuple[Fraction, int]:
        H = thresholds(size)
        states = SoaStates(H)
        realizable = require_realizable(H, target)
        labels = sum(H(size // 2, x) << x for x in range(size))
        rule = FirstInOrder(states.spaces, "lowest")
        law = ListedLaw(states, realizable, n, rule, concept=labels, max_states=1 << 30)
        return law.level(k).highest, law.level(k).state_count

    return run
