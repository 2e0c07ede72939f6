"""How many examples private predictions need, from above and below: the tables of that page.

``python docs/examples/private_bounds.py`` prints them, in less than a minute. The VC dimension is
10, and all sizes are for an expected excess of at most alpha; those that are for probability 1 -
beta are taken for 9/10 alpha and beta = alpha/10, which makes their mean at most alpha. Then, for
some learners, how near the bound they come: their error on two points, averaged over the targets,
over what their exact epsilon permits.
"""

from fractions import Fraction

from pac_stability import Epsilon, audit, classes
from pac_stability.papers.dagan_feldman import (
    DworkFeldmanAggregation,
    ExponentialLearner,
    FlippedLearner,
    HardDistribution,
    PrivateVotingLearner,
    RealizablePrivateLearner,
    StableLearner,
    agnostic_least_sample_size,
    hard_average_error,
    private_average_error,
    private_least_sample_size,
    sample_complexity,
)

DIMENSION = 10
ALPHAS = [Fraction(1, k) for k in (5, 10, 20, 50, 100, 200)]
EPSILONS = [Fraction(1, 5), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4), Fraction(8)]
PANELS = {"bounds-alpha": (ALPHAS, [Fraction(1)]), "bounds-epsilon": ([Fraction(1, 50)], EPSILONS)}


def _high(size, constants="sharp"):
    """Return the size of a learner for an expected excess."""
    return lambda alpha, epsilon: (
        size(alpha * 9 / 10, alpha / 10, epsilon, DIMENSION, constants=constants).sample_size
    )


SIZES = {
    "theorem-3": _high(sample_complexity.theorem_3),
    "corollary-2": _high(sample_complexity.corollary_2),
    "lemma-9": _high(sample_complexity.realizable_private_size),
    # The papers' accounting with the best lemmas.
    "theorem-3-proved": _high(sample_complexity.theorem_3, "proved"),
    "corollary-2-proved": _high(sample_complexity.corollary_2, "proved"),
    "lemma-9-proved": _high(sample_complexity.realizable_private_size, "proved"),
    "private-exact": lambda alpha, epsilon: private_least_sample_size(DIMENSION, epsilon, 0, alpha),
    "private-closed": lambda alpha, epsilon: sample_complexity.private_lower_bound(
        alpha, epsilon, DIMENSION
    ),
    "agnostic-coins": lambda alpha, _: agnostic_least_sample_size(DIMENSION, alpha),
}


def sizes(alphas, epsilons):
    """Return rows of a name, alpha, epsilon and a number of examples."""
    return [
        (name, alpha, epsilon, size(alpha, epsilon))
        for name, size in SIZES.items()
        for alpha in alphas
        for epsilon in epsilons
    ]


def table(rows):
    """Return them as lines of Markdown: a line for each alpha or epsilon."""
    over_alpha = len({epsilon for _, _, epsilon, _ in rows}) == 1
    found = {(name, alpha if over_alpha else epsilon): n for name, alpha, epsilon, n in rows}
    yield "| " + " | ".join(["alpha" if over_alpha else "epsilon", *SIZES]) + " |"
    yield "| " + " | ".join(["---:"] * (len(SIZES) + 1)) + " |"
    for x in dict.fromkeys(x for _, x in found):
        yield "| " + " | ".join([str(x), *(in_figures(found[name, x]) for name in SIZES)]) + " |"


CUBE = classes.cube(2)
LEARNERS = {
    "voting": [PrivateVotingLearner(Epsilon.exactly(t)) for t in (2, 4)],
    "exponential mechanism": [ExponentialLearner(CUBE, Epsilon.exactly(t)) for t in (2, 4, 9)],
    "Corollary 2": [
        FlippedLearner(StableLearner(CUBE, 1, Epsilon.exactly(t)), z)
        for t in (4, 9)
        for z in (Fraction(1, 20), Fraction(1, 10))
    ],
    "Lemma 9": [RealizablePrivateLearner(CUBE, 2, Fraction(1, k)) for k in (2, 3)],
    "noisy aggregation": [DworkFeldmanAggregation(CUBE, 2, epsilon) for epsilon in (1, 2)],
}
ALPHA = [Fraction(1, 16), Fraction(1, 8), Fraction(1, 5)]


def tightest(name):
    """Return the number of instances, and error, bound, n and e**epsilon of the tightest one."""
    found = []
    for learner in LEARNERS[name]:
        for n in (2, 3, 4):
            factor = audit.private_prediction(learner, (0, 1), n).value
            for hard in (HardDistribution.shattered((0, 1), alpha) for alpha in ALPHA):
                error = hard_average_error(learner, hard, n)
                bound = private_average_error(hard.masses, n, Epsilon.exactly(factor))
                found.append((error / bound, error, bound, n, factor))
    return len(found), *min(found)


def tension_table():
    """Return them as lines of Markdown."""
    yield "| learner | instances | tightest: error / bound | error | bound | n | e^epsilon |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for name in LEARNERS:
        count, ratio, error, bound, n, factor = tightest(name)
        cells = [f"{float(x):.4f}" for x in (ratio, error, bound)]
        yield "| " + " | ".join([name, str(count), *cells, str(n), f"{float(factor):.4g}"]) + " |"


def in_figures(n):
    """Return an integer, to three figures when it is large."""
    return f"{n:,}" if n < 10**7 else f"{n:.2e}".replace("e+", "e")


def main():
    """Print all tables."""
    for panel in PANELS.values():
        print(*table(sizes(*panel)), "", sep="\n")
    print(*tension_table(), sep="\n")


if __name__ == "__main__":
    main()
