"""Section V-B: algorithm M is private, and what it outputs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon
from pac_stability.books.bun_livni_moran.literal import class_string
from pac_stability.claims.instances import all_classes
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    all_of,
    at_most,
    factor_at_most,
    fails,
    settle,
    trial,
)
from pac_stability.classes import FiniteClass
from pac_stability.data import Example, FiniteDistribution, FromLaw, Sample
from pac_stability.dimensions import littlestone_dimension
from pac_stability.mechanisms import PrivacyGuarantee, StableHistogram
from pac_stability.notions import closeness
from pac_stability.papers.bun_livni_moran import GloballyStableLearner, PrivateLearner

Coin: TypeAlias = tuple[Fraction, Fraction]
"""How likely G outputs 1 on the label 0, and on the label 1."""
Runs: TypeAlias = tuple[Coin, int, int, int]
"""G, the number of runs, how many of them see the label 1, and the label kept for the choice."""

_HISTOGRAM = StableHistogram(Fraction(1, 2), 1, 3)
_SURE: Coin = (Fraction(0), Fraction(1))


def _runs(budget: Budget) -> Iterator[Runs]:
    for k in (3, 8):
        for ones, kept in product(range(k + 1), (0, 1)):
            yield _SURE, k, ones, kept
    for coin in ((Fraction(1, 4), Fraction(1)), (Fraction(1, 3), Fraction(2, 3))):
        for ones, kept in product(range(budget.pick(4, 5, 6)), (0, 1)):
            yield coin, budget.pick(4, 5, 6), ones, kept


def _learner(coin: Coin, k: int) -> PrivateLearner[Hashable]:
    def law(S: Sample[Hashable]) -> FiniteDistribution[int]:
        p = coin[S.labels[0]]
        return FiniteDistribution({f: q for f, q in ((1, p), (0, 1 - p)) if q})

    return PrivateLearner(("x",), FromLaw(law), 1, k, _HISTOGRAM, Fraction(1, 2), 1, default=0)


def _sample(k: int, ones: int, kept: int) -> Sample[Hashable]:
    return Sample("x" * (k + 1), [1] * ones + [0] * (k - ones) + [kept])


def _private(
    guarantee: Callable[[PrivateLearner[Hashable]], PrivacyGuarantee], it: Runs
) -> Finding:
    coin, k, ones, kept = it
    M = _learner(coin, k)
    allowed, law = guarantee(M), M.law(_sample(k, ones, kept))
    neighbours = [(ones, 1 - kept)]
    neighbours += [(ones + step, kept) for step in (-1, 1) if 0 <= ones + step <= k]

    def beside(other: tuple[int, int]) -> Finding:
        needed = closeness.minimal_delta(law, M.law(_sample(k, *other)), allowed.epsilon)
        return at_most(
            needed,
            allowed.delta,
            f"G outputs 1 with probabilities {coin[0]}, {coin[1]} on the labels 0, 1; {k} runs, "
            f"{ones} with label 1, label {kept} for the choice: delta {needed} is needed for "
            f"{other}, {allowed.delta} allowed",
            ceiling=1,
        )

    return all_of(map(beside, neighbours))


Over: TypeAlias = tuple[FiniteClass, Sample[Hashable], int, Example[Hashable]]
"""A class, a sample, a place in it, and the example that takes this place."""


def _over_algorithm_g(budget: Budget) -> Iterator[Over]:
    some = [H for m in (1, 2) for H in all_classes(m) if littlestone_dimension(H) == 1]
    for index in range(budget.pick(40, 400, 4000)):
        coins = Random(f"algorithm-m/{index}")  # instances, not secrets
        H = coins.choice(some)
        M = _over_g(H)
        # Two runs see a label that is not predicted on "Fail": their output is listed if the noise
        # is large, and never if one of them outputs something else.
        x, runs = coins.randrange(len(H.domain)), coins.randint(1, 2)
        label = 1 - (M.default >> x & 1)
        drawn = [
            Example(H.domain[x], label if i < runs * M.run_size else 1 - label)
            for i in range(M.sample_size)
        ]
        place = coins.randrange(M.sample_size)
        for i in coins.sample(range(M.sample_size), coins.randrange(3)):
            drawn[i] = Example(coins.choice(H.domain), coins.getrandbits(1))
        other = Example(drawn[place].point, 1 - drawn[place].label)
        yield H, Sample.from_examples(drawn), place, other


def _over_g(H: FiniteClass) -> PrivateLearner[Hashable]:
    G = GloballyStableLearner(H, 1, n=1, blocks=2)
    return PrivateLearner(
        H.domain, G, G.sample_size, 3, _HISTOGRAM, Fraction(1, 2), 1, default=G.default
    )


def _private_over_g(
    guarantee: Callable[[PrivateLearner[Hashable]], PrivacyGuarantee], it: Over
) -> Finding:
    H, sample, place, other = it
    M = _over_g(H)
    allowed = guarantee(M)
    first, second = M.law(sample), M.law(sample.replace(place, other))
    needed = closeness.minimal_delta(first, second, allowed.epsilon)
    return at_most(
        needed,
        allowed.delta,
        f"class {class_string(H)}, {sample}, place {place} replaced by {other}: delta {needed} is "
        f"needed, {allowed.delta} allowed",
        ceiling=1,
    )


Choosing: TypeAlias = tuple[int, int]
"""The examples kept for the choice, and how many of them are for the output that is no default."""


def _choices(budget: Budget) -> Iterator[Choosing]:
    for size in budget.pick((3, 10), (3, 10, 20), (3, 10, 20, 40)):
        yield from ((size, ones) for ones in range(size))


def _private_choice(
    guarantee: Callable[[PrivateLearner[Hashable]], PrivacyGuarantee], it: Choosing
) -> Finding:
    """Both outputs are surely released, each seen by half of the runs, and delta is small."""
    size, ones = it
    histogram = StableHistogram(Fraction(1, 2), 8, 10)
    runs = 2 * histogram.certain_count
    M = replace(_learner(_SURE, runs), histogram=histogram, choice_size=size)

    def law(k: int) -> FiniteDistribution[int]:
        labels = [0, 1] * (runs // 2) + [1] * k + [0] * (size - k)
        return M.law(Sample("x" * len(labels), labels)).map(int)

    allowed, one = guarantee(M), 1 / (1 + M.decay ** (2 * ones - size))
    text = f"both labels are listed, {ones} of {size} examples have label 1"
    if law(ones).probability(1) != one:
        return fails(f"{text}: law {law(ones)}, not {one} for 1")
    needed = closeness.minimal_epsilon(law(ones), law(ones + 1), allowed.delta)
    return factor_at_most(
        needed,
        allowed.factor,
        f"{text}, and one more: e^epsilon = {needed}, {allowed.factor} allowed",
    )


def _law_of_library(M: PrivateLearner[Hashable], sample: Sample[Hashable]) -> dict[int, Fraction]:
    return dict(M.law(sample).items())


def _law_without_the_choice(
    M: PrivateLearner[Hashable], sample: Sample[Hashable]
) -> dict[int, Fraction]:
    return dict(replace(M, decay=Fraction(1)).law(sample).items())


def listed_law(
    M: PrivateLearner[Hashable], chances: Sequence[Fraction], kept: int
) -> dict[int, Fraction]:
    """List votes, noises and choices: from how likely each run outputs 1 to the law of the output.

    There is one point, and a label is kept for the choice.
    """
    meant, zero, votes = {0: Fraction(0), 1: Fraction(0)}, Fraction(0), [Fraction(1)]
    for p in chances:
        votes = [a * (1 - p) + b * p for a, b in zip([*votes, zero], [zero, *votes], strict=True)]
    r, noise = M.histogram.decay, range(-M.histogram.truncation, M.histogram.truncation + 1)
    total = sum((r ** abs(z) for z in noise), zero)
    weights = {z: r ** abs(z) / total for z in noise}
    for (count, p), (y, a), (z, b) in product(enumerate(votes), weights.items(), weights.items()):
        seen = ((0, len(chances) - count, y), (1, count, z))
        listed = [f for f, c, off in seen if c and c + off >= M.histogram.threshold]
        shares = {f: M.decay ** int(f != kept) for f in listed or [int(M.default)]}
        for f, share in shares.items():
            meant[f] += p * a * b * share / sum(shares.values())
    return {f: p for f, p in meant.items() if p}


def _as_listed(
    law: Callable[[PrivateLearner[Hashable], Sample[Hashable]], dict[int, Fraction]], it: Runs
) -> Finding:
    """On one point: the runs that output 1, the noises of both counts, and the choice."""
    coin, k, ones, kept = it
    M = _learner(coin, k)
    meant = listed_law(M, [coin[int(run < ones)] for run in range(k)], kept)
    found = law(M, _sample(k, ones, kept))
    return settle(
        found == meant,
        f"G outputs 1 with probabilities {coin[0]}, {coin[1]} on the labels 0, 1; {k} runs, {ones} "
        f"with label 1, label {kept} for the choice: law {found}, by listing {meant}",
    )


def _choice_only(M: PrivateLearner[Hashable]) -> PrivacyGuarantee:
    return PrivacyGuarantee(Epsilon.exactly(M.decay**-2))


TRIALS: Trials = {
    "BLM20:algorithm-m": (
        trial(
            "neighbouring samples",
            _private,
            _runs,
            subject=lambda M: M.guarantee,
            mutant=_choice_only,
            universe="one point, three learners G on single labels, up to 8 runs, noise up to "
            "1; every sample up to the order of the runs",
            exhaustive=True,
        ),
        trial(
            "the law of the output",
            _as_listed,
            _runs,
            subject=_law_of_library,
            mutant=_law_without_the_choice,
            universe="the same learners and samples; votes, noises and choices listed",
            exhaustive=True,
        ),
        trial(
            "over algorithm G",
            _private_over_g,
            _over_algorithm_g,
            subject=lambda M: M.guarantee,
            mutant=_choice_only,
            universe="classes of dimension 1 on up to 2 points, three runs of algorithm G on three "
            "examples each, one example for the choice; seeded samples with one example replaced, "
            "all coins",
        ),
        trial(
            "the choice alone",
            _private_choice,
            _choices,
            subject=lambda M: M.guarantee,
            mutant=lambda _: PrivacyGuarantee(Epsilon.exactly(2)),
            universe="two outputs that are surely listed, 3 and 10 examples for the choice (more "
            "with the budget), all numbers of labels 1",
        ),
    ),
}
