"""The agnostic learner over M: what is counted, drawn and relabelled, and a run at its size."""

from collections import Counter
from collections.abc import Hashable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from pac_stability import errors, learning, mechanisms, randomness
from pac_stability.classes import FiniteClass, singletons, thresholds
from pac_stability.data import Example, FiniteDistribution, FromLaw, Sample, enumerate_law
from pac_stability.notions import losses
from pac_stability.papers.bun_livni_moran import agnostic, at_size, private
from pac_stability.papers.bun_livni_moran.stable import GloballyStableLearner
from shared_laws import empirical
from shared_refusals import refuses

HALF = Fraction(1, 2)


def noisy(H: FiniteClass, row: int, flipped: Fraction) -> FiniteDistribution[Example[int]]:
    """A uniform point, with the label of a hypothesis or, sometimes, the other one."""
    points = len(H.domain)
    return FiniteDistribution(
        {
            Example(x, y): (1 - flipped if H(row, x) == y else flipped) / points
            for x in range(points)
            for y in (0, 1)
        }
    )


def small(H: FiniteClass, decay: Fraction) -> agnostic.AgnosticPrivateLearner[learning.Mask]:
    """A learner over M that takes 42 examples."""
    stable = GloballyStableLearner(H, HALF, n=1, blocks=2)
    histogram = mechanisms.StableHistogram(HALF, 1, 3)
    M: private.PrivateLearner[Hashable] = private.PrivateLearner(
        H.domain, stable, 3, 6, histogram, HALF, 3, stable.default
    )
    return agnostic.AgnosticPrivateLearner(H, M, M.sample_size, M.guarantee, ratio=1, decay=decay)


@pytest.mark.parametrize("H", [thresholds(3), singletons(3), FiniteClass([[0, 1, 0], [1, 0, 0]])])
def test_relabelling_has_the_law_of_the_learner(H: FiniteClass) -> None:
    # The point 1 is in T alone; the labels of T say something else, and do not matter.
    D = Sample([0, 0, 2, 0], [1, 0, 1, 1])
    T = Sample([0, 1, 2, 2], [0, 0, 0, 0])
    in_D, in_T = (
        np.array([[list(sample).count(Example(x, y)) for y in (0, 1)] for x in range(3)])
        for sample in (D, T)
    )
    base = mechanisms.exponential_learner(H, HALF)
    learner = agnostic.AgnosticPrivateLearner(H, base, 4, base.guarantee, ratio=1, decay=HALF)
    literal = learner.relabelling(Sample([*D.points, *T.points], [*D.labels, *T.labels]))
    law = enumerate_law(lambda rng: at_size.relabelled_target(H, in_D, in_T, HALF, rng))
    assert law == literal.map(empirical)


def test_over_m_by_level_runs_have_the_law_of_the_learner() -> None:
    H = thresholds(2)
    low = GloballyStableLearner(H, HALF, n=1, blocks=0, level=0)
    high = GloballyStableLearner(H, HALF, n=1, blocks=2, level=1, fresh=False)
    conclusion: private.PrivateLearner[Hashable] = private.PrivateLearner(
        H.domain, low, 1, 6, mechanisms.StableHistogram(HALF, 1, 3), HALF, 2, low.default
    )
    M = private.ByLevelPrivateLearner(((low, 3), (high, 3)), conclusion)
    learner = agnostic.AgnosticPrivateLearner(
        H, M, M.sample_size, M.guarantee, ratio=1, decay=HALF, second_half=False
    )
    assert learner.sample_size == M.sample_size == 3 + 3 * 2 + 2
    target, runs = noisy(H, 1, Fraction(1, 3)), 300
    coins = randomness.SeededCoins(4)
    literal, simulated = Counter[int](), Counter[int]()
    for seed in range(runs):
        sample = Sample[Hashable].from_examples(
            target.sample(coins) for _ in range(learner.sample_size)
        )
        literal[int(learner.run(sample, coins))] += 1
        simulated[int(at_size.train_on_target(learner, target, seed=seed).hypothesis)] += 1
    assert len(literal) > 2
    assert all(abs(literal[f] - simulated[f]) < 50 for f in literal | simulated)


def test_the_first_half_is_relabelled() -> None:
    H = singletons(4)
    learner = small(H, Fraction(1, 1000))
    half = learner.sample_size // 2
    assert half == 21
    first = Sample([0, 1, 2] * 7, [0, 1, 0] * 7)
    second = Sample([3] * half, [1] * half)
    codes = at_size.example_codes(
        H, Sample([*first.points, *second.points], first.labels + second.labels)
    )
    trained = at_size.train_on_examples(
        learner, at_size.ExampleStream(np.array_split(codes, 5), H), seed=1
    )
    third = Fraction(1, 3)
    assert trained.relabelled == FiniteDistribution(
        {Example(0, 0): third, Example(1, 1): third, Example(2, 0): third}
    )
    assert trained.tallies[0].runs == 6


def test_a_seed_repeats_it() -> None:
    H = singletons(3)
    learner, target = small(H, HALF), noisy(H, 1, Fraction(1, 3))
    same = [at_size.train_on_target(learner, target, seed=5) for _ in range(2)]
    assert same[0] == same[1]
    others = [at_size.train_on_target(learner, target, seed=seed) for seed in range(8)]
    assert len({trained.relabelled for trained in others}) > 1


def test_at_its_size_it_finds_the_best_hypothesis() -> None:
    H = singletons(8)
    learner = agnostic.AgnosticPrivateLearner.of_class(
        H, "1/4", "1/10", 1.0, "1/1000000", constants="proved"
    )
    base = learner.base
    assert isinstance(base, private.PrivateLearner)
    # 9 m for each half, where M spends beta/n of delta at most.
    assert learner.sample_size == 18 * base.sample_size == 22_804_218
    assert base.guarantee.delta <= Fraction(1, 10) / learner.sample_size
    assert learner.guarantee.delta < Fraction(1, 10**6)
    target = noisy(H, 2, Fraction(1, 5))
    trained = at_size.train_on_target(learner, target)
    f = trained.hypothesis
    excess = losses.error({x: f >> x & 1 for x in range(8)}, target) - Fraction(1, 5)
    assert excess <= Fraction(1, 4)
    assert trained.tallies[0].runs == base.runs


def test_on_given_examples_at_its_size() -> None:
    H = singletons(8)
    learner = agnostic.AgnosticPrivateLearner.of_class(
        H, "1/4", "1/10", 1.0, "1/1000000", constants="proved"
    )
    rng = np.random.default_rng(1)
    # Three bits are the column; two others flip one label in four.
    bits = rng.integers(0, 256, learner.sample_size, dtype=np.uint8)
    columns = bits & 7
    codes = 2 * columns + ((columns == 2) ^ (bits >= 192))
    trained = at_size.train_on_examples(learner, at_size.ExampleStream([codes], H))
    # Each point is relabelled as hypothesis 2 has it: with a quarter of the labels flipped, another
    # pattern has a million more errors.
    assert trained.relabelled is not None
    labelled = {z.point: z.label for z in trained.relabelled.support}
    assert labelled == {x: H(2, x) for x in range(8)}
    often = np.bincount(columns[: learner.sample_size // 2], minlength=8).tolist()
    assert [
        trained.relabelled.probability(Example(x, H(2, x))) * (learner.sample_size // 2)
        for x in range(8)
    ] == often


def test_what_is_refused() -> None:
    H = thresholds(2)
    proper = mechanisms.exponential_learner(H, HALF)
    other = agnostic.AgnosticPrivateLearner(H, FromLaw(proper.law), 1, proper.guarantee)
    with pytest.raises(errors.InvalidInput, match="learner"):
        at_size.train_on_target(other, noisy(H, 0, HALF))  # type: ignore[arg-type]  # rows, no masks
    learner = small(H, HALF)
    refuses("learner", at_size.train_on_target, replace(learner, base_size=20), noisy(H, 0, HALF))
    codes = np.zeros(41, dtype=np.uint8)
    with pytest.raises(errors.InvalidInput, match="examples: got 41 examples, want at least 42"):
        at_size.train_on_examples(learner, at_size.ExampleStream([codes], H))
    refuses("target", at_size.train_on_target, learner, noisy(thresholds(3), 0, HALF))
    with pytest.raises(errors.InvalidInput, match="Littlestone dimension 0"):
        agnostic.AgnosticPrivateLearner.of_class(FiniteClass([[0, 1]]), HALF, HALF, 1.0, HALF)
