"""How many examples stable and private predictions need: the tables of "What it costs".

``python docs/examples/what_it_costs.py`` prints them, in a minute or two. The class is thresholds
on a line, of VC dimension 1; only the exponential mechanism needs a finite class, and gets one of
2**64 thresholds. The probability of failure, beta, is 1/20 throughout.

Measured losses are those of the stable learner on samples of the size that Theorem 1 computes, with
sharp constants: uniform points out of 2**20, a threshold in their middle, and labels that are wrong
with probability 1/5. The seeds make them repeatable. Seeded coins carry no privacy.
"""

import math
from fractions import Fraction
from statistics import median

from pac_stability.classes import Thresholds
from pac_stability.data import Sample
from pac_stability.papers.dagan_feldman.sample_complexity import compare, theorem_1
from pac_stability.randomness import SeededCoins

BETA = Fraction(1, 20)
ALPHAS = [Fraction(1, part * 10**zeros) for zeros in range(5) for part in (2, 5, 10)]
GAMMAS = [Fraction(1, part) for part in (100, 50, 20, 10, 5, 3, 2)] + [Fraction(9, 10)]
EPSILONS = [Fraction(1, part) for part in (100, 50, 20, 10, 5, 2)] + [1, 2, 4, 8]

STABLE = ("theorem-1", "subset-average", "disjoint-average")
PRIVATE = ("corollary-2", "theorem-3", "aggregation", "exponential")
PANELS = {
    "stable-alpha": (STABLE, ALPHAS[:9], ["1/10"]),
    "stable-gamma": (STABLE, ["1/10"], GAMMAS),
    "private-alpha": (PRIVATE, ALPHAS, [1]),
    "private-epsilon": (PRIVATE, ["1/100"], EPSILONS),
}
CLASS_SIZE = 2**64

GAMMA = Fraction(1, 5)
MEASURED = [Fraction(1, part) for part in (2, 3, 4, 5, 6, 8, 10)]
POINTS, CUT, NOISE = 2**20, 2**19, Fraction(1, 5)
TRIALS = 20


def sizes(learners, alphas, levels):
    """Return rows of ``compare``; only the exponential mechanism is told the size of the class."""
    return [
        row
        for learner in learners
        for row in compare(
            [learner],
            alphas,
            levels,
            beta=BETA,
            vc_dimension=1,
            class_size=CLASS_SIZE if learner == "exponential" else None,
        )
    ]


def stable_size(alpha):
    """Return the size of Theorem 1 for thresholds."""
    return theorem_1(alpha, BETA, GAMMA, 1)


def noisy_sample(n, rng):
    """Draw examples: uniform points, labels of the threshold, each wrong with the same chance."""
    points = [rng.below(POINTS) for _ in range(n)]
    return Sample(points, [(x >= CUT) ^ rng.bernoulli(NOISE) for x in points])


def excess(h):
    """Return the loss of an upward threshold on that distribution over the least one, exactly."""
    first = min(max(math.ceil(h.cut), 0), POINTS)
    return (1 - 2 * NOISE) * Fraction(abs(first - CUT), POINTS)


def excesses(alpha, trials=TRIALS):
    """Return the excess loss of the stable learner on some samples, averaged over its coins."""
    size = stable_size(alpha)
    learner = size.learner(Thresholds())
    return [
        learner.enclosed(
            noisy_sample(size.sample_size, SeededCoins(1000 * place + trial))
        ).expectation(excess)
        for place in [MEASURED.index(alpha)]
        for trial in range(trials)
    ]


def table(rows):
    """Return sizes as lines of Markdown: a line for each alpha or level."""
    over_alpha = len({row.level for row in rows}) == 1
    at = {row: row.alpha if over_alpha else row.level for row in rows}
    columns = list(dict.fromkeys((row.learner, row.constants) for row in rows))
    columns.sort(key=lambda column: column[1], reverse=True)  # sharp, proved, printed
    found = {(at[row], row.learner, row.constants): row.sample_size for row in rows}
    name = "alpha" if over_alpha else {"stable": "gamma", "private": "epsilon"}[rows[0].goal]
    yield "| " + " | ".join([name, *(f"{learner}, {kind}" for learner, kind in columns)]) + " |"
    yield "| " + " | ".join(["---:"] * (len(columns) + 1)) + " |"
    for x in dict.fromkeys(at.values()):
        cells = [str(x), *(in_figures(found[x, *column]) for column in columns)]
        yield "| " + " | ".join(cells) + " |"


def in_figures(n):
    """Return an integer, to three figures when it is large."""
    return f"{n:,}" if n < 10**7 else f"{n:.2e}".replace("e+", "e")


def measured_table(measured):
    """Return measured losses, as floats, as lines of Markdown."""
    yield "| alpha | n | n' | stability | excess: median | largest |"
    yield "| ---: | ---: | ---: | ---: | ---: | ---: |"
    for alpha, values in measured.items():
        size = stable_size(alpha)
        stability = float(size.learner(Thresholds()).stability(size.sample_size))
        numbers = [f"{value:.4f}" for value in (stability, median(values), max(values))]
        cells = [str(alpha), f"{size.sample_size:,}", str(size.subset_size), *numbers]
        yield "| " + " | ".join(cells) + " |"


def main():
    """Print all tables."""
    for panel in PANELS.values():
        print(*table(sizes(*panel)), "", sep="\n")
    measured = {alpha: [float(excess) for excess in excesses(alpha)] for alpha in MEASURED}
    print(*measured_table(measured), sep="\n")


if __name__ == "__main__":
    main()
