"""Section V-B: algorithm M and Theorem 17."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import comb
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.bun_livni_moran.generic_learner import beaten, exponential_bound
from pac_stability.books.bun_livni_moran.literal import TournamentSetting
from pac_stability.books.bun_livni_moran.nearly_right import accuracies, few_kept, listed_both
from pac_stability.books.bun_livni_moran.numbers_of_m import (
    Numbers,
    few_runs,
    half_the_noise,
    never_released,
    numbers_of,
)
from pac_stability.books.bun_livni_moran.settings import random_settings
from pac_stability.books.bun_livni_moran.stated_numbers import all_sizes, are_stated
from pac_stability.books.bun_livni_moran.two_stages import (
    needs_runs,
    sizes_to_measure,
    spends,
    stable_outputs,
)
from pac_stability.claims.instances import random_laws
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    at_least,
    at_most,
    fails,
    settle,
    trial,
    undecided,
)
from pac_stability.errors import Undecided
from pac_stability.papers.bun_livni_moran.formulas import (
    PrivateFromStable,
    theorem_17_order,
)

# All frequencies at once, and that of the stable output


def _etas(budget: Budget) -> Iterator[Fraction]:
    etas = [Fraction(1, q) for q in (8, 24, 60)]
    yield from etas[: budget.pick(2, 3, 3)]


def _every_frequency(constant: int, eta: Fraction) -> Finding:
    beta = Fraction(1, 10)
    k = int((Interval.log(1 / beta) * constant / eta).upper) + 1
    near = [i for i in range(k + 1) if abs(Fraction(i, k) - Fraction(1, 2)) <= eta / 8]
    off = 1 - Fraction(sum(comb(k, i) for i in near), 2**k)
    return at_most(
        off,
        beta / 3,
        f"eta = {eta}, beta = {beta}, k = {k}: the frequency of an output of probability 1/2 is "
        f"off by more than eta/8 with probability {float(off):.4f}",
    )


Frequency: TypeAlias = tuple[Fraction, Fraction]
"""eta and beta."""


def _frequencies(budget: Budget) -> Iterator[Frequency]:
    betas = (Fraction(1, 10), Fraction(1, 1000), Fraction(1, 10**6))
    yield from product(_etas(budget), betas)


def _one_frequency(constant: int, it: Frequency) -> Finding:
    eta, beta = it
    stated = int((Interval.log(2 / beta) * constant / eta).upper) + 1

    def rarely(k: int) -> Fraction:
        p, q = eta.numerator, eta.denominator
        rare = [comb(k, i) * p**i * (q - p) ** (k - i) for i in range(k + 1) if 2 * i < eta * k]
        return Fraction(sum(rare), q**k)

    # With almost no noise it is this condition that decides the runs of the library.
    runs = PrivateFromStable(
        1, eta, Fraction(1, 4), beta, Epsilon.exactly(10**4), Fraction(1, 2), "proved"
    )
    low, high = 0, stated
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if rarely(middle) > beta / 2 else (low, middle)
    text = (
        f"eta = {eta}, beta = {beta}: with {low} runs an output of probability eta is seen less "
        f"than eta k/2 times too often, {stated} are said to be enough; the library takes "
        f"{runs.runs}"
    )
    if rarely(stated) > beta / 2 or runs.runs < stated:
        return fails(text)
    return at_most(low + 1, stated, text)


def _sizes(eta: Fraction, beta: Fraction) -> PrivateFromStable:
    return PrivateFromStable(
        1, eta, Fraction(1, 4), beta, Epsilon(1.0), Fraction(1, 10**6), "proved"
    )


# Algorithm M is accurate


def failure(
    numbers: Numbers, setting: TournamentSetting, frequencies: dict[int, Fraction], alpha: Fraction
) -> tuple[Fraction, Fraction]:
    """Enclose the probability that M over a G with these output frequencies has loss above alpha.

    From above: the most frequent output of loss at most alpha/2 is not surely released, or some bad
    one is chosen over it. From below: no output of loss at most alpha is released at all, if the
    default is bad.
    """
    good = {f: p for f, p in frequencies.items() if setting.loss(f) <= alpha / 2}
    stable = max(good, key=lambda f: good[f])
    law = _example_law(setting)
    missed = tail_bound(numbers.runs, good[stable], numbers.cutoff + numbers.noise - 1)
    bad = [f for f in frequencies if setting.loss(f) > alpha]
    beaten_by = (beaten(stable, f, law, numbers.decay, numbers.choice_size) for f in bad)
    most = missed + sum(beaten_by, Fraction(0))
    impossible = numbers.cutoff - numbers.noise > numbers.runs
    default_is_bad = setting.loss(setting.soa(())) > alpha
    return Fraction(int(impossible and default_is_bad)), min(Fraction(1), most)


def tail_bound(k: int, p: Fraction, most: int) -> Fraction:
    """Bound Pr[Bin(k, p) <= most], by the exponential moment."""
    if p >= 1:
        return Fraction(int(most >= k))
    if most >= p * k:
        return Fraction(1)
    s = (most * (1 - p) / (p * (k - most))).limit_denominator(10**4)
    if s <= 0:
        return exponential_bound(Interval.log(1 - p) * k)
    return exponential_bound(Interval.log(1 - p + p * s) * k - Interval.log(s) * most)


def _example_law(setting: TournamentSetting) -> tuple[Fraction, ...]:
    """The probabilities of the examples (x, y) in lexicographic order."""
    total = sum(setting.weights)
    return tuple(
        Fraction(w, total) if setting.concept >> x & 1 == y else Fraction(0)
        for x, w in enumerate(setting.weights)
        for y in (0, 1)
    )


Given: TypeAlias = tuple[TournamentSetting, dict[int, Fraction], Fraction]
"""A setting, the frequencies of the outputs of some G, and alpha."""


def _learners(budget: Budget) -> Iterator[Given]:
    count = budget.pick(40, 600, 6000)
    settings = random_settings(count, points=3, rows=6, seed="theorem-17")
    laws = random_laws(count, outcomes=6, laws=1, seed="theorem-17", zeros=False)
    for setting, (law,) in zip(settings, laws, strict=True):
        # The stable output is the target; the others are any predictors.
        outputs = [setting.concept, *(f for f in range(8) if f < 1 << setting.points)]
        found: dict[int, Fraction] = {}
        for f, (_, p) in zip(outputs, law.items(), strict=False):
            found[f] = found.get(f, Fraction(0)) + p
        yield setting, found, Fraction(1, 4)


def _accurate(numbers: Callable[[PrivateFromStable], Numbers], it: Given) -> Finding:
    setting, frequencies, alpha = it
    beta = Fraction(1, 10)
    eta = max(p for f, p in frequencies.items() if setting.loss(f) <= alpha / 2)
    sizes = PrivateFromStable(1, eta, alpha, beta, Epsilon(1.0), Fraction(1, 10**6), "proved")
    low, high = failure(numbers(sizes), setting, frequencies, alpha)
    return within(low, high, beta, f"{setting}, G outputs {frequencies}, alpha = {alpha}")


def within(low: Fraction, high: Fraction, beta: Fraction, text: str) -> Finding:
    """Settle that a probability, enclosed by two bounds, is at most beta."""
    shown = f"{text}: M fails with probability from {float(low):.4g} to {float(high):.4g}"
    return at_most(Interval(low, high), beta, f"{shown}, above {beta}", ceiling=1)


def _list_sizes(sizes: Callable[[PrivateFromStable], int], eta: Fraction) -> Finding:
    M = _sizes(eta, Fraction(1, 10))
    # What is released occurs at least cutoff - noise times among the runs.
    most = M.runs // (M.cutoff - M.noise)
    surely = M.cutoff + M.noise <= -(-eta * M.runs // 2)
    return settle(
        most <= sizes(M) and surely,
        f"eta = {eta}: {most} outputs can be released, not at most {sizes(M)}; or half of eta k is "
        "not enough to be released",
    )


def _many_etas(budget: Budget) -> Iterator[Fraction]:
    yield from (Fraction(1, q) for q in range(1, budget.pick(30, 400, 2000)))


# The order of the size

Point: TypeAlias = tuple[int, Fraction, Fraction, Fraction, Fraction]
"""d, alpha, beta, epsilon and delta."""


def points(budget: Budget) -> Iterator[Point]:
    """Give parameters in a grid, all but d at most 1/2, epsilon at most 1."""
    powers = budget.pick((1, 8), (1, 4, 12), (1, 2, 4, 8, 16))
    epsilons = (Fraction(1), Fraction(1, 4))[: budget.pick(1, 2, 2)]
    for d, i, j, epsilon in product((1, 2, 3, 4), powers, powers, epsilons):
        yield d, Fraction(1, 2**i), Fraction(1, 2**j), epsilon, Fraction(1, 2**j)


def _order_of_theorem_17(constant: int, it: Point) -> Finding:
    d, alpha, beta, epsilon, delta = it
    m, eta = 10**d, Fraction(1, 2 ** (d + 1))
    n = PrivateFromStable(m, eta, alpha, beta, Epsilon(epsilon), delta, "proved").sample_size
    order = theorem_17_order(m, eta, alpha=alpha, beta=beta, epsilon=epsilon, delta=delta)
    text = f"m = {m}, eta = {eta}, alpha = {alpha}, beta = {beta}, epsilon = {epsilon}"
    try:
        return at_least(order * constant, n, f"{text}: n = {n}, above {constant} * {order}")
    except Undecided:
        return undecided(text)


TRIALS: Trials = {
    "BLM20:theorem-17.all-frequencies": (
        trial(
            "an output of probability 1/2",
            _every_frequency,
            _etas,
            subject=128,
            universe="eta = 1/8, 1/24, 1/60, beta = 1/10, a G that outputs something with "
            "probability 1/2",
        ),
    ),
    "BLM20:theorem-17.stable-frequency": (
        trial(
            "exact tails, and how many runs are needed",
            _one_frequency,
            _frequencies,
            subject=8,
            mutant=4,
            universe="eta = 1/8, 1/24 (1/60 from the standard budget on), beta = 1/10, 1/1000 and "
            "10^-6",
        ),
    ),
    "BLM20:theorem-17.list": (
        trial(
            "counts",
            _list_sizes,
            _many_etas,
            subject=lambda sizes: sizes.list_size,
            mutant=lambda sizes: sizes.list_size // 4,
            universe="eta = 1, 1/2, 1/3, ..., beta = 1/10, epsilon = 1, delta = 10^-6",
        ),
    ),
    "BLM20:theorem-17.explicit": (
        trial(
            "accuracy at the stated size",
            _accurate,
            _learners,
            subject=numbers_of,
            mutant=never_released,
            universe="seeded settings on up to 3 points, seeded frequencies of the outputs of "
            "G, alpha = 1/4, beta = 1/10, epsilon = 1, delta = 10^-6",
        ),
        trial(
            "the numbers as stated",
            are_stated,
            all_sizes,
            subject=numbers_of,
            mutant=few_runs,
            universe="the same eta, beta, epsilon and delta as for the runs that are needed, m = "
            "520; the conditions are written out",
        ),
        trial(
            "privacy at the stated numbers",
            spends,
            sizes_to_measure,
            subject=numbers_of,
            mutant=half_the_noise,
            universe="four epsilon and delta (five from the standard budget on), eta = 1 "
            "and 1/60: the laws of two items at counts around the cutoff, and of a choice of two, "
            "written out",
        ),
        trial(
            "how many runs are needed",
            needs_runs,
            stable_outputs,
            subject=numbers_of,
            mutant=few_runs,
            universe="a G with one output of probability eta = 1/8, 1/24 (1/60 from the standard "
            "budget on) that is right, all others seen once; beta = 1/10, 1/1000 and 10^-6; exact "
            "tails",
        ),
        trial(
            "the order",
            _order_of_theorem_17,
            points,
            subject=400,
            mutant=1,
            universe="powers of two for alpha, beta = delta, epsilon and eta",
        ),
        trial(
            "the loss that is left",
            listed_both,
            accuracies,
            subject=numbers_of,
            mutant=few_kept,
            universe="two hypotheses that differ at a point whose mass is chosen, alpha = 1/4 (and "
            "1/16), three betas, epsilon about 1 and 1/10",
        ),
    ),
}
