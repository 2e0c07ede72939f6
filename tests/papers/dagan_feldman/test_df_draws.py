"""One draw of the stable learner: its exact law on small samples, and large samples."""

from collections import defaultdict
from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from pac_stability import Coins, InvalidInput, SeededCoins, classes
from pac_stability.classes import ErrorCounter, Family, Hypothesis
from pac_stability.data import ArraySample, FiniteDistribution, Sample, enumerate_law
from pac_stability.papers.dagan_feldman.answers import random_subset, stable_draw

Given = Sample[Hashable] | ArraySample | ErrorCounter
TWO_THIRDS = Fraction(2, 3)


def literal_law(
    H: Family, sample: Sample[Hashable], subset_size: int, decay: Fraction
) -> FiniteDistribution[Hypothesis]:
    """The average over all index subsets of the exponential mechanism on H_T."""
    masses: defaultdict[Hypothesis, Fraction] = defaultdict(Fraction)
    for indices in combinations(range(len(sample)), subset_size):
        candidates = H.representatives_on([sample.points[i] for i in indices])
        weights = [decay ** sample.count_errors(h) for h in candidates]
        for h, weight in zip(candidates, weights, strict=True):
            masses[h] += weight / sum(weights) / comb(len(sample), subset_size)
    return FiniteDistribution(dict(masses))


ON_LINE: Sample[Hashable] = Sample([1, 0, 1, 3, 2], [0, 0, 1, 1, 1])
IN_PLANE: Sample[Hashable] = Sample([(0, 1), (2, 0), (1, 1), (0, 1)], [0, 1, 1, 1])


@pytest.mark.parametrize(
    ("H", "sample"),
    [
        (classes.Thresholds(), ON_LINE),
        (classes.Intervals(), ON_LINE),
        (classes.Singletons(), ON_LINE),
        (classes.subsets(4, 2), ON_LINE),
        (classes.Stumps(2), IN_PLANE),
        (classes.Boxes(2), IN_PLANE),
        (classes.Halfspaces(2), IN_PLANE),
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize("subset_size", [1, 2])
def test_law_of_the_program_is_the_average_over_subsets(
    H: Family, sample: Sample[Hashable], subset_size: int
) -> None:
    expected = literal_law(H, sample, subset_size, TWO_THIRDS)
    arrays = ArraySample(np.array(sample.points), sample.labels)
    for given in (sample, arrays, ErrorCounter(sample)):

        def program(
            rng: Coins, given: Sample[Hashable] | ArraySample | ErrorCounter = given
        ) -> Hypothesis:
            return stable_draw(H, given, subset_size, TWO_THIRDS, rng)

        assert enumerate_law(program) == expected


@pytest.mark.parametrize("size", [1, 2, 4, 5])
def test_subsets_are_uniform(size: int) -> None:
    sample = Sample("abcde", [0, 1, 0, 1, 1])
    law = enumerate_law(lambda rng: random_subset(sample, size, rng))
    subsets = [
        Sample([sample.points[i] for i in chosen], [sample.labels[i] for i in chosen])
        for chosen in combinations(range(5), size)
    ]
    assert law == FiniteDistribution({subset: Fraction(1, comb(5, size)) for subset in subsets})


def noisy(n: int) -> ArraySample:
    """Points 0, ..., n - 1 in random order, 1 from the middle on, a fifth of them mislabelled."""
    choice = np.random.default_rng(7)
    points = choice.permutation(n)
    return ArraySample(points, (points >= n // 2) ^ (choice.random(n) < 0.2))


def test_one_draw_from_a_million_noisy_examples() -> None:
    sample, m = noisy(10**6), 400
    rng = SeededCoins(3)
    counter = ErrorCounter(sample)
    for _ in range(3):
        chosen = stable_draw(classes.Thresholds(), counter, m, Fraction(63, 64), rng)
        assert isinstance(chosen, classes.Threshold)
        # Were it k errors worse than another candidate, it would have at most 401 (63/64)**k of
        # the probability: less than 2**-100 for k = 5000. One of 400 random points is within 4 % of
        # the middle unless with probability 0.92**400 < 2**-48, and costs about 0.6 * 40,000.
        assert abs(int(chosen.cut) - 500_000) < 60_000
        assert sample.points.dtype == np.int64


def test_a_draw_at_a_decay_whose_weights_would_have_millions_of_bits() -> None:
    sample = noisy(10**5)
    decay = 1 - Fraction(1, 1 << 20)
    cuts = {
        int(h.cut)
        for seed in range(8)
        for h in [stable_draw(classes.Thresholds(), sample, 50, decay, SeededCoins(seed))]
        if isinstance(h, classes.Threshold)
    }
    # The range of errors is about 30,000, so that no weight is below e**-0.03: nearly uniform.
    # Eight uniform cuts are all on one side of the middle with probability 2**-7 (and are not).
    assert min(cuts) < 50_000 < max(cuts)


@pytest.mark.parametrize(("attempt", "argument"), [
    (lambda: stable_draw(classes.Thresholds(), ON_LINE, 6, TWO_THIRDS), "sample"),
    (lambda: stable_draw(classes.Thresholds(), ON_LINE, 0, TWO_THIRDS), "subset_size"),
    (lambda: stable_draw(classes.Thresholds(), ON_LINE, 1, Fraction(2)), "decay"),
    (lambda: stable_draw(classes.thresholds(2), ON_LINE, 5, TWO_THIRDS), "point"),
    (lambda: stable_draw(classes.FiniteClass([], [0, 1, 2, 3]), ON_LINE, 1, TWO_THIRDS), "H"),
    (lambda: stable_draw(classes.Thresholds(), [1], 1, TWO_THIRDS), "sample"),  # type: ignore[arg-type]  # refused
])  # fmt: skip
def test_bad_input(attempt: Callable[[], object], argument: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        attempt()
    assert caught.value.argument == argument
