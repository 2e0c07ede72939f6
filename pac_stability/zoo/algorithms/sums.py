# ruff: noqa: ARG001  # each takes what all take
"""Histograms, sums and responses, as their authors write them.

Each takes one record for each of k people, the parameter epsilon, and a generator like NumPy's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Rows = Sequence[int]


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
