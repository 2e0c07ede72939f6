# ruff: noqa: ARG001  # each takes what all take
"""The algorithms as their authors write them: sparse vectors, selection, sums and responses.

Each takes the answers to k queries, where a neighbour changes each by at most 1, or one record for
each of k people; the parameter epsilon; and a generator like NumPy's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Answers = Sequence[int]
Rows = Sequence[int]

# Sparse vectors: which of many answers exceed a threshold, 1; one positive answer is allowed


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


# The largest of noisy numbers, and other choices of one of several


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


# Histograms, sums and responses


def hist1(rows: Rows, epsilon: float, rng: Any) -> object:
    """Dwork 2006: each count with noise."""
    return [count + rng.laplace(0, 1 / epsilon) for count in rows]


def hist2(rows: Rows, epsilon: float, rng: Any) -> object:
    """Ding et al. 2018: the scale of the noise is epsilon, and not 1 / epsilon."""
    return [count + rng.laplace(0, epsilon) for count in rows]


def laplace1(rows: Rows, epsilon: float, rng: Any) -> object:
    """Dwork et al. 2006: one count with noise."""
    return rows[0] + rng.laplace(0, 1 / epsilon)


def parallel(rows: Rows, epsilon: float, rng: Any) -> object:
    """Bichsel et al. 2021: one count, as often as there are people, each time with noise."""
    return [rows[0] + rng.laplace(0, len(rows) / epsilon) for _ in rows]


def noisysum(rows: Rows, epsilon: float, rng: Any) -> object:
    """Dwork et al. 2006: a sum with noise."""
    return sum(rows) + rng.laplace(0, 1 / epsilon)


def partialsum(rows: Rows, epsilon: float, rng: Any) -> object:
    """Wang et al. 2019: a sum in a loop, with noise."""
    total = 0
    for row in rows:
        total = total + row
    return total + rng.laplace(0, 1 / epsilon)


def badpartialsum(rows: Rows, epsilon: float, rng: Any) -> object:
    """Wang et al. 2020: with half of the noise."""
    return sum(rows) + rng.laplace(0, 1 / (2 * epsilon))


def prefixsum(rows: Rows, epsilon: float, rng: Any) -> object:
    """Wang et al. 2019: all sums of the first people, with noise for each."""
    total, out = 0, []
    for row in rows:
        total = total + row + rng.laplace(0, 1 / epsilon)
        out.append(total)
    return out


def smartsum(rows: Rows, epsilon: float, rng: Any, block: int = 2) -> object:
    """Chan, Shi and Song 2011: sums of blocks, and of what is left; twice epsilon is claimed."""
    done, total, out = 0, 0, []
    for place, row in enumerate(rows, 1):
        if place % block == 0:
            done = done + total + row + rng.laplace(0, 1 / epsilon)
            total = 0
            out.append(done)
        else:
            total = total + row
            out.append(done + total + rng.laplace(0, 1 / epsilon))
    return out


def badsmartsum(rows: Rows, epsilon: float, rng: Any, block: int = 2) -> object:
    """Wang et al. 2020: the sum of a block has no noise."""
    done, total, out = 0, 0, []
    for place, row in enumerate(rows, 1):
        if place % block == 0:
            done, total = done + total + row, 0
            out.append(done)
        else:
            total = total + row
            out.append(done + total + rng.laplace(0, 1 / epsilon))
    return out


def roundedmean(rows: Rows, epsilon: float, rng: Any) -> object:
    """A mean with noise, rounded to one digit."""
    return round(sum(rows) / len(rows) + rng.laplace(0, 1 / (len(rows) * epsilon)), 1)


def truncgeo(rows: Rows, epsilon: float, rng: Any) -> object:
    """Balcer and Vadhan 2018: a geometric sample in integers, for ln(9/8)."""
    c, n, k = sum(rows), 5, 3
    d = (2 ** (k + 1) + 1) * (2**k + 1) ** (n - 1)
    below = [2 ** (k * (c - z)) * (2**k + 1) ** (n - (c - z)) for z in range(c)]
    above = [d - 2 ** (k * (z - c + 1)) * (2**k + 1) ** (n - 1 - (z - c)) for z in range(c, n)]
    u = rng.integers(1, d + 1)
    return next(z for z, least in enumerate([*below, *above, d]) if least >= u)


_BLOOM = ((0, 2), (1, 2), (0, 3))


def _kept(rows: Rows, f: float, rng: Any) -> list[int]:
    bits = [int(place in _BLOOM[rows[0]]) for place in range(4)]
    for place in range(4):
        u = rng.random()
        bits[place] = 1 if u < f / 2 else 0 if u < f else bits[place]
    return bits


def rappor1(rows: Rows, epsilon: float, rng: Any) -> object:
    """Erlingsson et al. 2014: bits of a Bloom filter, changed once and permanently."""
    return _kept(rows, 0.95, rng)


def rappor(rows: Rows, epsilon: float, rng: Any) -> object:
    """Erlingsson et al. 2014: a report of these."""
    return [int(rng.binomial(1, 0.55 if bit else 0.45)) for bit in _kept(rows, 0.75, rng)]


def rapporlong(rows: Rows, epsilon: float, rng: Any) -> object:
    """Erlingsson et al. 2014: two reports."""
    kept = _kept(rows, 0.75, rng)
    return [[int(rng.binomial(1, 0.55 if bit else 0.45)) for bit in kept] for _ in range(2)]


def response(rows: Rows, epsilon: float, rng: Any) -> object:
    """Warner 1965: each tells the truth with probability 3/4."""
    return [row if rng.random() < 0.75 else 1 - row for row in rows]


def shuffled_response(rows: Rows, epsilon: float, rng: Any) -> object:
    """Erlingsson et al. 2019: the responses in random order."""
    said = [row if rng.random() < 0.75 else 1 - row for row in rows]
    rng.shuffle(said)
    return said


def subsampled_response(rows: Rows, epsilon: float, rng: Any) -> object:
    """The response of one person, drawn at random."""
    row = rng.choice(rows)
    return int(row) if rng.random() < 0.75 else 1 - int(row)


def kary_response(rows: Rows, epsilon: float, rng: Any) -> object:
    """Kairouz et al. 2014: one of three values, the truth e**epsilon times as likely."""
    truth = np.exp(epsilon) / (np.exp(epsilon) + 2)
    others = [value for value in range(3) if value != rows[0]]
    return rows[0] if rng.random() < truth else rng.choice(others)


def partition(rows: Rows, epsilon: float, rng: Any) -> object:
    """Korolova et al. 2009: a group is published if its noisy count is large; delta is needed."""
    noisy = sum(rows) + rng.laplace(0, 1 / epsilon)
    return noisy if sum(rows) and noisy > 20 else None


def propose_test_release(rows: Rows, epsilon: float, rng: Any) -> object:
    """Dwork and Lei 2009: the mode, if it is stable by a noisy margin; delta is needed."""
    margin = abs(2 * sum(rows) - len(rows))
    if margin / 2 + rng.laplace(0, 1 / epsilon) > 20:
        return int(2 * sum(rows) > len(rows))
    return None


def clipped_mean(rows: Rows, epsilon: float, rng: Any) -> object:
    """A mean with noise, kept between 0 and 1."""
    return np.clip(sum(rows) / len(rows) + rng.laplace(0, 1 / (len(rows) * epsilon)), 0, 1)
