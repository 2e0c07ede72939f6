"""What the learner declares is checked."""

from private_threshold import PrivateThreshold

from pac_stability.testing import parametrize_with_checks


@parametrize_with_checks([PrivateThreshold()], domain=3, sizes=[1, 2])
def test_the_learner_is_what_it_declares(check):
    check()
