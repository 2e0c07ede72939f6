"""A private learner of thresholds, with a bug that was planted."""

from pac_stability import Coins, Epsilon, Sample
from pac_stability.testing import Declares


class PrivateThreshold:
    """Draw a threshold below 3: each example that it labels rightly makes it likelier."""

    symmetric = True
    declares = Declares(differential_privacy=Epsilon.exactly(4))

    def __call__(self, sample: Sample[int], rng: Coins) -> int:
        """Return the threshold."""
        right = [sum((x >= t) == y for x, y in sample) for t in range(3)]
        return rng.choose([4**count for count in right])  # the bug: their sum moves, too
