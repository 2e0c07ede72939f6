"""The largest of noisy numbers, and other choices of one of several, as their authors write them.

Each takes the answers to k queries, or one record for each of k people, the parameter epsilon, and
a generator like NumPy's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Answers = Sequence[int]


def noisymax1(q: Answers, epsilon: float, rng: Any) -> object:
    """Dwork and Roth 2014: the place of the largest, with Laplace noise."""
    return int(np.argmax([answer + rng.laplace(0, 2 / epsilon) for answer in q]))


def noisymax2(q: Answers, epsilon: float, rng: Any) -> object:
    """Dwork and Roth 2014: the same with exponential noise."""
    return int(np.argmax([answer + rng.exponential(2 / epsilon) for answer in q]))


def noisymax3(q: Answers, epsilon: float, rng: Any) -> object:
    """Ding et al. 2018: publishes the largest noisy answer and not its place."""
    return max(answer + rng.laplace(0, 2 / epsilon) for answer in q)


def noisymax4(q: Answers, epsilon: float, rng: Any) -> object:
    """Ding et al. 2018: the same with exponential noise."""
    return max(answer + rng.exponential(2 / epsilon) for answer in q)


def noisymaxgap(q: Answers, epsilon: float, rng: Any) -> object:
    """Ding et al. 2019: the place of the largest, and its gap to the second."""
    noisy = [answer + rng.laplace(0, 2 / epsilon) for answer in q]
    ordered = sorted(noisy)
    return noisy.index(ordered[-1]), ordered[-1] - ordered[-2] if len(q) > 1 else None


def loopmax(q: Answers, epsilon: float, rng: Any) -> object:
    """Wang et al. 2019: the place of the largest, in a loop."""
    best, where = None, 0
    for place, answer in enumerate(q):
        noisy = answer + rng.laplace(0, 2 / epsilon)
        if best is None or noisy > best:
            best, where = noisy, place
    return where


def gumbelmax(q: Answers, epsilon: float, rng: Any) -> object:
    """Kong et al. 2023: the place of the largest, with Gumbel noise."""
    return int(np.argmax([answer + rng.gumbel(0, 2 / epsilon) for answer in q]))


def permuteflip(q: Answers, epsilon: float, rng: Any) -> object:
    """McKenna and Sheldon 2020: in random order, each is accepted with a probability."""
    order = list(range(len(q)))
    rng.shuffle(order)
    for place in order:
        if rng.random() < np.exp(epsilon * (q[place] - max(q)) / 2):
            return place
    raise AssertionError("one has probability 1")


def expmech(q: Answers, epsilon: float, rng: Any) -> object:
    """McSherry and Talwar 2007: the exponential mechanism."""
    weights = np.exp(epsilon * np.array(q) / 2)
    return int(rng.choice(len(weights), p=weights / weights.sum()))


def pate(votes: Sequence[int], epsilon: float, rng: Any) -> object:
    """Papernot et al. 2017: the label that most teachers give, with noise."""
    counts = [votes.count(label) + rng.laplace(0, 2 / epsilon) for label in range(2)]
    return int(np.argmax(counts))


def median(rows: Sequence[int], epsilon: float, rng: Any) -> object:
    """Smith 2011, on four values: the exponential mechanism on ranks."""
    ranks = [-abs(sum(row < value for row in rows) - len(rows) / 2) for value in range(4)]
    weights = np.exp(epsilon * np.array(ranks) / 2)
    return int(rng.choice(4, p=weights / weights.sum()))


def best_of(rows: Sequence[int], epsilon: float, rng: Any) -> object:
    """Liu and Talwar 2019: the best of geometrically many runs, each private by epsilon / 3."""
    while True:
        towards = 2 * (sum(rows) > 0) - 1
        if rng.random() < 1 / (1 + np.exp(-epsilon / 6 * towards)):
            return 1  # no run is better
        if rng.random() < 0.5:
            return 0


def mwem_round(rows: Sequence[int], epsilon: float, rng: Any) -> object:
    """Hardt, Ligett and McSherry 2012, one round: the worst query, and its answer with noise."""
    errors = [abs(rows.count(value) - len(rows) / 2) for value in range(2)]
    weights = np.exp(epsilon / 2 * np.array(errors) / 2)
    worst = int(rng.choice(2, p=weights / weights.sum()))
    return worst, rows.count(worst) + rng.laplace(0, 2 / epsilon)
