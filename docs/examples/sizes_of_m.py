"""How many examples algorithm M takes, by three accountings, and the learner without runs.

``python docs/examples/sizes_of_m.py`` prints them in a few seconds. Loss 1/4 with probability 9/10,
epsilon 1, delta 10^-6.
"""

from fractions import Fraction

from pac_stability import Epsilon
from pac_stability.papers.bun_livni_moran.formulas import PrivateLearnerSizes
from pac_stability.papers.bun_livni_moran.formulas.sizes import private_decay, selection_size

ASKED = Fraction(1, 4), Fraction(1, 10), Epsilon(1), Fraction(1, 10**6)
DIMENSIONS = (1, 2, 3, 4)
BITS = (1, 4, 16, 64, 256, 1024, 4096, 16384, 65536)


def by_dimension():
    """Return rows of an accounting, d, and the examples of M."""
    return [
        [shown, d, PrivateLearnerSizes(d, *ASKED, name).sample_size]
        for name, shown in (("printed", "printed"), ("proved", "proved"), ("sharp", "by-level"))
        for d in DIMENSIONS
    ]


def listed():
    """Return rows of the bits of a class, and the examples of the exponential mechanism over it."""
    alpha, beta, epsilon, _ = ASKED
    decay = private_decay(epsilon)
    return [[bits, selection_size(2**bits - 1, alpha, 0, beta, decay)] for bits in BITS]


if __name__ == "__main__":
    for name, d, n in by_dimension():
        print(f"M, {name}, d = {d}: {n:,}")
    for bits, n in listed():
        print(f"2^{bits} hypotheses listed: {n:,}")
