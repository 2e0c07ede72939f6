"""Sparse vectors: which of many answers exceed a threshold, as their authors write them.

Each takes the answers to k queries, where a neighbour changes each by at most 1, the parameter
epsilon, and a generator like NumPy's. One positive answer is allowed (c = 1), and the threshold is
1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Answers = Sequence[int]


def svt1(q: Answers, epsilon: float, rng: Any) -> object:
    """Lyu, Su and Li 2017, algorithm 1."""
    bar, out = 1 + rng.laplace(0, 2 / epsilon), []
    for answer in q:
        out.append(bool(answer + rng.laplace(0, 4 / epsilon) >= bar))
        if out[-1]:
            break
    return out


def svt2(q: Answers, epsilon: float, rng: Any) -> object:
    """Dwork and Roth 2014: the threshold is drawn anew after a positive answer."""
    bar, out, count = 1 + rng.laplace(0, 2 / epsilon), [], 0
    for answer in q:
        out.append(bool(answer + rng.laplace(0, 4 / epsilon) >= bar))
        if out[-1]:
            count += 1
            if count == 1:
                break
            bar = 1 + rng.laplace(0, 2 / epsilon)
    return out


def svt3(q: Answers, epsilon: float, rng: Any) -> object:
    """Roth's lecture notes 2011: publishes the noisy answer that was compared."""
    bar, out = 1 + rng.laplace(0, 2 / epsilon), []
    for answer in q:
        noisy = answer + rng.laplace(0, 2 / epsilon)
        out.append(noisy if noisy >= bar else None)
        if out[-1] is not None:
            break
    return out


def svt4(q: Answers, epsilon: float, rng: Any) -> object:
    """Lee and Clifton 2014: the noise of a query ignores how often answers are positive."""
    bar, out = 1 + rng.laplace(0, 4 / epsilon), []
    for answer in q:
        out.append(bool(answer + rng.laplace(0, 4 / (3 * epsilon)) >= bar))
        if out[-1]:
            break
    return out


def svt5(q: Answers, epsilon: float, rng: Any) -> object:
    """Stoddard et al. 2014: no noise on the queries, and no bound on positive answers."""
    bar = 1 + rng.laplace(0, 2 / epsilon)
    return [bool(answer >= bar) for answer in q]


def svt6(q: Answers, epsilon: float, rng: Any) -> object:
    """Chen et al. 2015: no bound on positive answers."""
    bar = 1 + rng.laplace(0, 2 / epsilon)
    return [bool(answer + rng.laplace(0, 2 / epsilon) >= bar) for answer in q]


def isvt1(q: Answers, epsilon: float, rng: Any) -> object:
    """Ding et al. 2018: how far svt5 is from a pattern."""
    bar = 1 + rng.laplace(0, 2 / epsilon)
    above = [bool(answer >= bar) for answer in q]
    return sum(a != (i < len(q) // 2) for i, a in enumerate(above))


def isvt4(q: Answers, epsilon: float, rng: Any) -> object:
    """Ding et al. 2018: the number of negative answers of svt3, and the answer that ends it."""
    bar, below = 1 + rng.laplace(0, 2 / epsilon), 0
    for answer in q:
        noisy = answer + rng.laplace(0, 2 / epsilon)
        if noisy > bar:
            return below, noisy
        below += 1
    return below, None


def numsvt(q: Answers, epsilon: float, rng: Any) -> object:
    """Dwork and Roth 2014: publishes the answer with noise of its own."""
    bar, out = 1 + rng.laplace(0, 3 / epsilon), []
    for answer in q:
        if answer + rng.laplace(0, 6 / epsilon) >= bar:
            out.append(answer + rng.laplace(0, 3 / epsilon))
            break
        out.append(0)
    return out


def gapsvt(q: Answers, epsilon: float, rng: Any) -> object:
    """Wang et al. 2019: publishes by how much the threshold is exceeded."""
    bar, out = 1 + rng.laplace(0, 2 / epsilon), []
    for answer in q:
        noisy = answer + rng.laplace(0, 4 / epsilon)
        out.append(noisy - bar if noisy >= bar else None)
        if out[-1] is not None:
            break
    return out


def badgapsvt(q: Answers, epsilon: float, rng: Any) -> object:
    """Wang et al. 2020: publishes the noisy answer in place of the gap."""
    bar, out = 1 + rng.laplace(0, 2 / epsilon), []
    for answer in q:
        noisy = answer + rng.laplace(0, 4 / epsilon)
        out.append(noisy if noisy >= bar else None)
        if out[-1] is not None:
            break
    return out


def adaptivesvt(q: Answers, epsilon: float, rng: Any) -> object:
    """Ding et al. 2019: a positive answer far above the threshold costs half."""
    bar, left = 1 + rng.laplace(0, 2 / epsilon), 2
    out: list[object] = []
    for answer in q:
        top = answer + rng.laplace(0, 8 / epsilon) - bar
        if top >= 2:
            out.append(("top", top))
            left -= 1
        else:
            middle = answer + rng.laplace(0, 4 / epsilon) - bar
            out.append(("middle", middle) if middle >= 0 else None)
            left -= 2 * (out[-1] is not None)
        if left < 2:
            break
    return out
