"""Private algorithms as papers and posts write them: each value is derived above it."""

import math
from collections import Counter, deque, namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest

from pac_stability import audit

EPS = 1.0
E, HALF = math.e, math.sqrt(math.e)
WORTH: list[Any] = []


def worth(ratio: float) -> Callable[[Any], Any]:
    """Say what ``e**epsilon`` of a program is."""

    def keep(program: Any) -> Any:
        WORTH.append(pytest.param(program, ratio, id=program.__name__))
        return program

    return keep


@dataclass
class Report:
    count: float
    above: bool


Out = namedtuple("Out", "a b")  # as it is written


# One more or one less, at scale 1: a factor of e, however the number is published.


@worth(E)
def two_geometric_numbers(data: Any, rng: Any) -> object:
    p = 1 - math.exp(-EPS)
    return sum(data) + rng.geometric(p) - rng.geometric(p)


@worth(E)
def record(data: Any, rng: Any) -> object:
    noisy = sum(data) + rng.laplace(0, 1 / EPS)
    return Report(noisy, noisy > 1)


@worth(E)
def named_tuple(data: Any, rng: Any) -> object:
    noisy = sum(data) + rng.laplace(0, 1 / EPS)
    return Out(a=noisy > 1, b=len(data))


@worth(E)
def clamped(data: Any, rng: Any) -> object:
    noisy = sum(data) + rng.laplace(0, 1 / EPS)
    return min(max(noisy, 0), len(data))


@worth(E)
def interval(data: Any, rng: Any) -> object:
    noisy = sum(data) + rng.laplace(0, 1 / EPS)
    return (noisy - 1 > 0, noisy + 1 > 2)


@worth(E)
def words(data: Any, rng: Any) -> object:
    noisy = sum(data) + rng.laplace(0, 1 / EPS)
    if (z := noisy) > 1:
        return "high"
    match z < 0:
        case True:
            return "negative"
        case _:
            return "low"


@worth(E)
def mean(data: Any, rng: Any) -> object:
    x = np.clip(np.asarray(data, dtype=float), 0, 1)
    return x.mean() + rng.laplace(0, 1 / (len(x) * EPS))


@worth(E)
def blocks(data: Any, rng: Any) -> object:
    parts = np.array_split(np.array(data)[rng.permutation(len(data))], 2)
    votes = [int(b.mean() > 0.5) for b in parts]
    return sum(votes) + rng.laplace(0, 1 / EPS) > 1


@worth(E**2)
def local_name(data: Any, rng: Any) -> object:
    def count(data: Any, rng: Any, eps: float) -> object:
        return sum(data) + rng.laplace(0, 1 / eps)

    return partial(count, eps=2)(data, rng)


@worth(E)
def signed(data: Any, rng: Any) -> object:
    return sum(data) + rng.choice([-1, 1]) * rng.exponential(1 / EPS)


@worth(E)
def a_generator_of_its_own(data: Any, rng: Any = None) -> object:
    if not isinstance(rng, np.random.Generator):
        rng = np.random.default_rng()
    return sum(data) + np.random.default_rng(rng).laplace(0, 1 / EPS)


@worth(E)
def children(data: Any, rng: Any) -> object:
    first, second = rng.spawn(2)
    return [sum(data) + each.laplace(0, 2 / EPS) for each in (first, second)]


@worth(E)
def is_a_number(data: Any, rng: Any) -> object:
    noisy = sum(data) + rng.laplace(0, 1 / EPS)
    return noisy if np.isfinite(noisy) and not np.isnan(noisy) else None


# The median moves by 1/2; the sum of the first noises by 1, at scale 2.


@worth(HALF)
def median(data: Any, rng: Any) -> object:
    return np.median(data) + rng.laplace(0, 1) > 0.5


@worth(HALF)
def sums_so_far(data: Any, rng: Any) -> object:
    return np.cumsum(np.array(data) + rng.laplace(0, 2, len(data))) > 1


# Two counts move by 1, each with a factor of sqrt(e).


@worth(E)
def chosen_set(data: Any, rng: Any) -> object:
    return {v for v in (0, 1) if data.count(v) + rng.laplace(0, 2) > 1}


@worth(E)
def array(data: Any, rng: Any) -> object:
    return (np.array([data.count(0), data.count(1)]) + rng.laplace(0, 2, 2)) > 1


# Utilities 2 and 0 become 1 and 1: 1/2 against 1/(1 + e).


@worth((1 + E) / 2)
def choices(data: Any, rng: Any) -> object:
    u = [data.count(v) for v in (0, 1)]
    return rng.choices([0, 1], weights=[math.exp(EPS * x / 2) for x in u])[0]


@worth((1 + E) / 2)
def softmax(data: Any, rng: Any) -> object:
    p = np.exp(EPS * np.array([data.count(0), data.count(1)], dtype=float) / 2)
    p /= p.sum()
    return rng.choice(2, p=p)


@worth((1 + E) / 2)
def gumbel(data: Any, rng: Any) -> object:
    u = np.array([data.count(0), data.count(1)]) * EPS / 2
    return int(np.argmax(u + rng.gumbel(size=2)))


# Of 0 and 0, with the bounds 0 and 3, there is one gap. Of 0 and 1 there are two: that from 0 to 1,
# in the middle, weighs 1, and the other, of length 2, weighs 2 / sqrt(e).


@worth(3 / (1 + 2 / HALF))
def quantile(data: Any, rng: Any) -> object:
    ends = np.array([0, *sorted(data), 3])
    away = abs(np.arange(len(data) + 1) - len(data) / 2)
    weights = np.diff(ends) * np.exp(-EPS * away / 2)
    i = rng.choice(len(weights), p=weights / weights.sum())
    return rng.uniform(ends[i], ends[i + 1])


# The truth with 3/4, the other with 1/4.


@worth(3)
def strings(data: Any, rng: Any) -> object:
    names, out = {0: "no", 1: "yes"}, []
    for d in data:
        out.append(names[d] if rng.random() < 0.5 else "yes" if rng.random() < 0.5 else "no")
    return ",".join(out)


@worth(3)
def where(data: Any, rng: Any) -> object:
    a = np.array(data)
    return np.where(rng.random(len(a)) < 0.75, a, 1 - a)


@worth(3)
def shuffled(data: Any, rng: Any) -> object:
    out = [d if rng.random() < 0.75 else 1 - d for d in data]
    rng.shuffle(out)
    return out


@worth(3)
def largest(data: Any, rng: Any) -> object:
    return max(data) if rng.random() < 0.5 else rng.integers(0, 2)


# Two bits turn, each 1 with 5/8 or 3/8.


@worth(25 / 9)
def rappor(data: Any, rng: Any) -> object:
    out = []
    for d in data:
        bits = [int(d == v) for v in range(2)]
        kept = [b if rng.random() > 0.5 else int(rng.random() < 0.5) for b in bits]
        out.append(tuple(int(rng.random() < (0.75 if b else 0.25)) for b in kept))
    return out


@worth(E)
def hadamard(data: Any, rng: Any) -> object:
    H, out = np.array([[1, 1], [1, -1]]), []
    for d in data:
        j = rng.integers(2)
        b = H[d, j]
        out.append((int(j), int(b if rng.random() < math.exp(EPS) / (1 + math.exp(EPS)) else -b)))
    return out


# Duchi's one-bit mean: the larger of two values with e / (e + 1), or with 1 / (e + 1).


@worth(E)
def one_bit(data: Any, rng: Any) -> object:
    e = math.exp(EPS)
    rates = (0.5 + (2 * x - 1) * (e - 1) / (2 * (e + 1)) for x in data)
    return [(e + 1) / (e - 1) * (1 if rng.uniform() < rate else -1) for rate in rates]


@worth(E)
def unary_encoding(data: Any, rng: Any) -> object:
    rates = np.where(np.eye(2)[list(data)] == 1, 0.5, 1 / (np.exp(EPS) + 1))
    return (rng.random(rates.shape) < rates).astype(int)


# Each step away from 0 is 1/e as likely; from 0 to 1 it is (1 + 1/e) / 2.


@worth(E)
def staircase(data: Any, rng: Any) -> object:
    sign = 1 if rng.random() < 0.5 else -1
    return sum(data) + sign * (rng.geometric(1 - math.exp(-EPS)) - 1 + (rng.random() >= 0.5))


# A posterior above 1/2: 1/8, 1/2 or 7/8.


@worth(4)
def posterior(data: Any, rng: Any) -> object:
    return rng.beta(1 + sum(data), 1 + len(data) - sum(data)) > 0.5


# One below the bar it is passed with 1 / (1 + e), or 1/4; at the bar with 1/2.


@worth((1 + E) / 2)
def logistic(data: Any, rng: Any) -> object:
    noisy = sum(data) + rng.logistic(0, 1 / EPS)
    return noisy > 1


@worth(2)
def cauchy(data: Any, rng: Any) -> object:
    return bool(np.any(np.array([sum(data)]) + rng.standard_cauchy(size=1) > 1))


# Something has probability 0 for one of two neighbours.


@worth(math.inf)
def partitions(data: Any, rng: Any) -> object:
    return frozenset(k for k, v in Counter(data).items() if v + rng.laplace(0, 1) > 2)


@worth(math.inf)
def binomial_noise(data: Any, rng: Any) -> object:
    return sum(data) + rng.binomial(10, 0.5) - 5


@worth(math.inf)
def the_truth_at_times(data: Any, rng: Any) -> object:
    return [sum(data) if rng.random() < 0.001 else sum(data) + rng.laplace(0, 1 / EPS), len(data)]


@worth(math.inf)
def no_noise_at_times(data: Any, rng: Any) -> object:
    return sum(data) + rng.integers(2) * rng.laplace(0, 1 / EPS)


@worth(math.inf)
def an_end_of_the_range(data: Any, rng: Any) -> object:
    return max(data) if rng.random() < 0.5 else rng.uniform(0, 2)


@worth(math.inf)
def even_noise(data: Any, rng: Any) -> object:
    return sum(data) + rng.uniform(-3, 3)


@worth(math.inf)
def signs(data: Any, rng: Any) -> object:
    return [d * (1 if rng.uniform() < 0.75 else -1) for d in data]


@worth(math.inf)
def queue(data: Any, rng: Any) -> object:
    q = deque(data)
    q.append(int(rng.random() < 0.5))
    q.popleft()
    return list(q)


@worth(math.inf)
def member(data: Any, rng: Any) -> object:
    i = rng.choice(len(data), size=1, replace=False)
    return int(data[i[0]]) if rng.random() < 0.5 else 0


@pytest.mark.parametrize(("program", "ratio"), WORTH)
def test_a_program_has_its_epsilon(program: Any, ratio: float) -> None:
    found = audit.differential_privacy(program, 2, 2, labelled=False)
    assert float(found.value) == pytest.approx(ratio, rel=1e-5)


def test_noise_that_was_forgotten_refutes_a_claim() -> None:
    def forgotten(data: Any, rng: Any) -> object:
        rng.laplace(0, 1 / EPS)
        return sum(data)

    found = audit.differential_privacy(forgotten, 2, 1, claim=1, labelled=False)
    assert found.verdict.name == "REFUTED"
