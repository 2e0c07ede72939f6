"""What the learners declare is checked; one of them does not keep to it."""

from fractions import Fraction

from coin_learners import LocalVoter, RandomVoter
from hypothesis import given

from pac_stability import FiniteClass, Sample, enumerate_law
from pac_stability.testing import parametrize_with_checks, strategies


@parametrize_with_checks([RandomVoter(), LocalVoter()], domain=2, sizes=[1, 2, 3])
def test_learners_are_what_they_declare(check):
    check()


@given(strategies.neighbouring_samples("ab"))
def test_one_example_moves_a_random_vote_by_little(pair):
    S, T = pair
    first, second = (enumerate_law(lambda rng, S=S: RandomVoter()(S, "a", rng)) for S in (S, T))
    assert abs(first.probability(1) - second.probability(1)) <= Fraction(1, 2 * len(S))


# hypothesis knows the types of pac_stability: the annotations are enough.
@given(...)
def test_what_a_hypothesis_labels_is_realizable(H: FiniteClass):
    S = Sample(H.domain, [H(0, x) for x in H.domain])
    assert S.count_errors(H[0]) == 0
