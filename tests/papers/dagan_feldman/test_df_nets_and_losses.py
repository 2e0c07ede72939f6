"""What a net is for: the loss that is left in H_{S_I} (the first half of Lemma 13)."""

from collections.abc import Hashable
from fractions import Fraction

from hypothesis import given, settings

from pac_stability import Epsilon, FiniteClass, Sample, testing
from pac_stability.papers.dagan_feldman.nets import IndexNets
from pac_stability.papers.dagan_feldman.stable import StableLearner, approximation_of


@settings(max_examples=40)
@given(testing.strategies.classes_with_samples(max_size=6), testing.strategies.probabilities(6))
def test_the_loss_of_a_subset_is_alpha_beyond_the_failures_of_nets(
    drawn: tuple[FiniteClass, Sample[Hashable]], alpha: Fraction
) -> None:
    H, sample = drawn
    nets = IndexNets(H, sample, alpha)
    for size in range(1, len(sample) + 1):
        learner = StableLearner(H, size, Epsilon.exactly(4))
        assert approximation_of(learner, sample).from_subset <= alpha + nets.failure(size)


def test_it_is_attained() -> None:
    # Two hypotheses, of which one is right, that differ on four of ten examples: a subset that
    # misses these keeps the first one, which is wrong on all four.
    H = FiniteClass([[0, 0], [0, 1]])
    sample: Sample[Hashable] = Sample([0] * 6 + [1] * 4, [0] * 6 + [1] * 4)
    missed = IndexNets(H, sample, Fraction(39, 100)).failure(2)
    learner = StableLearner(H, 2, Epsilon.exactly(4))
    assert approximation_of(learner, sample).from_subset == Fraction(4, 10) * missed
