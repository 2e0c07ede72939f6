"""A private learner of thresholds."""

from pac_stability import Coins, Epsilon, Sample
from pac_stability.testing import Declares


class PrivateThreshold:
    """Draw a threshold below 3: each example that it labels rightly makes it likelier."""

    symmetric = True
    declares = Declares(differential_privacy=Epsilon.exactly(4))

    def __call__(self, sample: Sample[int], rng: Coins) -> int:
        """Return the threshold."""
        right = [sum((x >= t) == y for x, y in sample) for t in range(3)]
        return rng.choose([2**count for count in right])  # their sum moves, too
