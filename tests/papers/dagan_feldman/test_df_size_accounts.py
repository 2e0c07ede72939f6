"""What the steps of learners and lemmas lose at their sizes, added up anew, certified."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import NamedTuple, TypeAlias

import pytest

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.classes import cube
from pac_stability.papers.dagan_feldman import exponential_excess, sample_complexity

BITS = 128
Real: TypeAlias = int | Fraction | Interval


class SizeQuestion(NamedTuple):
    """A question to a size function: the goal, d, and the number of hypotheses if it is known."""

    alpha: Fraction
    beta: Fraction
    level: Fraction
    d: int
    hypotheses: int | None


def patterns(asked: SizeQuestion, m: int) -> int:
    """Bound the number of patterns on m points: Sauer's sum, or the number of hypotheses."""
    count = sum(comb(m, i) for i in range(min(asked.d, m) + 1))
    return count if asked.hypotheses is None else min(count, asked.hypotheses)


class Account(NamedTuple):
    """What is needed and what is allowed, by name."""

    items: tuple[tuple[str, Real, Real], ...]


def ln(value: int | Fraction | Interval) -> Interval:
    """Enclose a natural logarithm."""
    return Interval.log(value, BITS)


def _missed(tau: int, chosen: int) -> Interval:
    """Enclose what a random subset loses in expectation: (1 + ln(tau - 1))/n'."""
    return (1 + ln(tau - 1)) / chosen if tau > 2 else Interval.exactly(Fraction(1, chosen))


def deviates(asked: SizeQuestion, n: int, beta: Fraction) -> Interval:
    """Enclose by how much an excess on the sample may be smaller than that on the distribution."""
    root = Interval.sqrt(2 * ln(patterns(asked, n)), BITS) + Interval.sqrt(2 * ln(1 / beta), BITS)
    ways = [root / Interval.sqrt(n, BITS)]
    if asked.hypotheses is not None:
        N = asked.hypotheses
        ways.append(Interval.sqrt(2 * ln((N - 1) / beta) / n, BITS))
        by_each = Interval.sqrt(ln(2 * N / beta), BITS) + Interval.sqrt(ln(2 / beta), BITS)
        ways.append(by_each / Interval.sqrt(2 * n, BITS))
    return min(ways, key=lambda way: way.upper)


def theorem_1(asked: SizeQuestion) -> Account:
    """Add up what Theorem 1 loses."""
    size = _sized_theorem_1(asked)
    n, chosen = size.sample_size, size.subset_size
    rho = size.learner(cube(1)).decay
    lost = (
        _missed(patterns(asked, n), chosen)
        + exponential_excess(patterns(asked, chosen), rho) / n
        + deviates(asked, n, asked.beta)
    )
    share = Fraction(chosen, n)
    moved = share + (1 - share) * (1 - rho) / (1 + rho)
    return Account((("loss", lost, asked.alpha), ("stability", moved, asked.level)))


def _sized_theorem_1(asked: SizeQuestion) -> sample_complexity.StableSize:
    alpha, beta, gamma, d, hypotheses = asked
    return sample_complexity.theorem_1(alpha, beta, gamma, d, class_size=hypotheses)


def corollary_2(asked: SizeQuestion) -> Account:
    """Add up what Corollary 2 loses."""
    alpha, beta, epsilon, d, hypotheses = asked
    size = sample_complexity.corollary_2(alpha, beta, epsilon, d, class_size=hypotheses)
    n, chosen, z = size.sample_size, size.subset_size, size.flip_probability
    rho = size.learner(cube(1)).base.decay
    lost = (
        _missed(patterns(asked, n), chosen)
        + exponential_excess(patterns(asked, chosen), rho) / n
        + deviates(asked, n, beta)
    )
    t = Epsilon(epsilon).ratio
    return Account(
        (
            ("loss", z + (1 - 2 * z) * lost, alpha),
            ("factor before the flip", rho**-2, t),
            ("delta", Fraction(chosen, n), z * (t - 1) / (1 - 2 * z)),
        )
    )


def theorem_3(asked: SizeQuestion) -> Account:
    """Add up what Theorem 3 loses.

    Two hypotheses that agree on all indices of I but the replaced one differ on at most K examples,
    but for a fraction of the sets I; with t the step of Lemma 19 and q = n'/n, h_S is private with
    the factor t (1 + q (4 t^K - 1)) and a delta of q times that fraction.
    """
    alpha, beta, epsilon, d, hypotheses = asked
    size = sample_complexity.theorem_3(alpha, beta, epsilon, d, class_size=hypotheses)
    n, chosen, z, K = (
        size.sample_size,
        size.subset_size,
        size.flip_probability,
        size.disagreements,
    )
    learner = size.learner(cube(1)).at(n)
    rho, vote = learner.selector.decay, learner.private
    tau, q = patterns(asked, n), Fraction(chosen, n)
    spent = Interval.log(vote.factor, BITS) + Interval.log(rho**-2, BITS)
    factor = Interval.exp(spent, BITS) * (1 + q * (4 * Interval.exp(K * spent, BITS) - 1))
    unlucky = comb(tau, 2) * Interval.exp(
        (chosen - 1) * Interval.log(1 - Fraction(K, n - 1), BITS), BITS
    )
    t = Epsilon(epsilon).ratio
    block = n // size.blocks
    error = block_error(asked, block, beta / 2 / size.blocks)
    selected = (
        _missed(tau, chosen)
        + exponential_excess(tau, rho) / n
        + deviates(asked, n, beta / 2)
        + vote_loses(size.blocks, vote.vote.decay, error)
    )
    return Account(
        (
            ("loss", z + (1 - 2 * z) * selected, alpha),
            ("factor before the flip", factor, t),
            ("delta", q * unlucky, z * (t - 1) / (1 - 2 * z)),
        )
    )


def block_error(
    asked: SizeQuestion, m: int, failure: Fraction, *, one_target: bool = False
) -> Fraction:
    """Return how far from the target a consistent hypothesis of a block is, with that failure.

    By the double sample, 2 C(tau, 2) (j/(j+1))^(j a m) for a second sample j times as large, or by
    the union bound C(|H|, 2) (1 - a)^m.
    """

    def differences(count: int) -> int:
        return count - 1 if one_target else comb(count, 2)

    ways = []
    for j in (1, 2, 3, 4, 6, 8, 12, 16):
        hits = ln(2 * differences(patterns(asked, (j + 1) * m)) / failure) / ln(Fraction(j + 1, j))
        ways.append(Fraction(-(-hits.upper // 1)) / (j * m))
    if asked.hypotheses is not None:
        ratio = Interval.exp(-ln(differences(asked.hypotheses) / failure) / m, BITS)
        ways.append(1 - ratio.lower)
    return min(Fraction(1), *ways)


def vote_loses(r: int, sigma: Fraction, error: Fraction) -> Interval:
    """Bound the error of a soft majority of r voters that each have at most the given error.

    With a fraction u of the votes wrong it is l(u) = 1/(1 + e^(A (1/2 - u))), A = 2 r ln(1/sigma),
    which is below the line from l(0) with the slope of its steepest chord. Up to 1/2 it is convex,
    so that the steepest one ends beyond 1/4; there l is taken at the right end of each piece.
    """
    A = 2 * r * Interval.log(1 / sigma)

    def lost(u: Fraction) -> Interval:
        return 1 / (1 + Interval.exp(A * (Fraction(1, 2) - u)))

    pieces = 512
    slope = max(
        (lost(Fraction(k + 1, pieces)) - lost(Fraction(0))).upper * Fraction(pieces, k)
        for k in range(pieces // 4, pieces)
    )
    return lost(Fraction(0)) + slope * error


def _misses(asked: SizeQuestion, m: int, *, pairs: bool) -> Interval:
    """Bound how often m draws miss a difference heavier than alpha."""

    def differences(count: int) -> int:
        return comb(count, 2) if pairs else count - 1

    ways = []
    for j in (1, 2, 3, 4, 6, 8, 12, 16):
        count = 2 * differences(patterns(asked, (j + 1) * m))
        hits = j * asked.alpha * m // 1
        ways.append(Interval.exp(ln(count) + hits * ln(Fraction(j, j + 1)), BITS))
    if asked.hypotheses is not None:
        few = ln(differences(asked.hypotheses)) + m * ln(1 - asked.alpha)
        ways.append(Interval.exp(few, BITS))
    return min(ways, key=lambda way: way.upper)


def nets(asked: SizeQuestion) -> Account:
    """Bound how often as many draws, or as many indices, as make a net are none."""
    alpha, beta, _, d, hypotheses = asked
    drawn = sample_complexity.net_size(alpha, beta, d, class_size=hypotheses).subset_size
    items: list[tuple[str, Real, Real]] = [("draws", _misses(asked, drawn, pairs=True), beta)]
    n = 10 * drawn
    chosen = sample_complexity.net_size(
        alpha, beta, d, class_size=hypotheses, population=n
    ).subset_size
    heavy = alpha * n // 1 + 1
    missed = Fraction(comb(n - heavy, chosen), comb(n, chosen))
    items.append(("indices", comb(patterns(asked, n), 2) * missed, beta))
    return Account(tuple(items))


def convergence(asked: SizeQuestion) -> Account:
    """Enclose the largest deviation at the size of Lemma 6."""
    alpha, beta, _, d, hypotheses = asked
    n = sample_complexity.uniform_convergence_size(
        alpha, beta, d, class_size=hypotheses
    ).sample_size
    ways = [
        _two_sides(patterns(asked, n), n, 2 / beta),
        _two_sides(2 * patterns(asked, n), n, 1 / beta),
    ]
    if hypotheses is not None:
        ways.append(Interval.sqrt(ln(2 * hypotheses / beta) / (2 * n), BITS))
    stated = sample_complexity.uniform_convergence_size(
        alpha, beta, d, class_size=hypotheses, constants="printed"
    ).sample_size
    count = patterns(asked, stated)
    chained = Interval.sqrt(8 * ln(count), BITS) + Interval.sqrt(2 * ln(4 / beta), BITS)
    return Account(
        (
            ("deviation", min(ways, key=lambda way: way.upper), alpha),
            ("deviation by the printed bound", chained / Interval.sqrt(stated, BITS), alpha),
        )
    )


def _two_sides(count: int, n: int, inverse: Fraction) -> Interval:
    return Interval.sqrt(2 * ln(count) / n, BITS) + Interval.sqrt(ln(inverse) / (2 * n), BITS)


def realizable(asked: SizeQuestion) -> Account:
    """Add up what the soft majority of Lemma 9 loses, for one target and for all."""
    alpha, beta, epsilon, d, hypotheses = asked
    items: list[tuple[str, Real, Real]] = []
    for one in (True, False):
        size = sample_complexity.realizable_private_size(
            alpha, beta, epsilon, d, class_size=hypotheses, targets="one" if one else "all"
        )
        learner, r = size.learner(cube(1)), size.blocks
        error = block_error(asked, size.block_size, beta / r, one_target=one)
        items.append(("loss", vote_loses(r, learner.vote.decay, error), alpha))
        items.append(("factor", learner.factor, Epsilon(epsilon).ratio))
    stated = sample_complexity.realizable_private_size(
        alpha, beta, epsilon, d, class_size=hypotheses, constants="printed"
    )
    vote = stated.learner(cube(1)).vote
    lost = vote_loses(stated.blocks, vote.decay, Fraction(0))
    items.append(("loss of a vote without dissent, as printed", lost, alpha / 5))
    return Account(tuple(items))


# Averages, and the exponential mechanism over a whole class


def disjoint_average(asked: SizeQuestion) -> Account:
    """Add up what the average over disjoint parts loses."""
    alpha, beta, gamma, d, hypotheses = asked
    size = sample_complexity.disjoint_average_size(alpha, beta, gamma, d, class_size=hypotheses)
    k, m = size.blocks, size.sample_size // size.blocks
    together = _mean_deviates(asked, m, k * m)
    ways = [together, deviates(asked, m, beta / k)]
    return Account(
        (
            ("loss", min(ways, key=lambda way: way.upper), alpha),
            ("stability", Fraction(1, k), gamma),
        )
    )


def subset_average(asked: SizeQuestion) -> Account:
    """Add up what learning from a random subset loses."""
    alpha, beta, gamma, d, hypotheses = asked
    size = sample_complexity.subset_average_size(alpha, beta, gamma, d, class_size=hypotheses)
    m, n = size.subset_size, size.sample_size
    # A subset is enough by itself except with probability alpha beta / 2, or all are on average.
    apart = deviates(asked, m, alpha * beta / 2) + alpha / 2
    ways = [_mean_deviates(asked, m, n), apart]
    return Account(
        (
            ("loss", min(ways, key=lambda way: way.upper), alpha),
            ("stability", Fraction(m, n), gamma),
        )
    )


def _mean_deviates(asked: SizeQuestion, m: int, n: int) -> Interval:
    mean = Interval.sqrt(2 * ln(patterns(asked, m)) / m, BITS)
    return mean + Interval.sqrt(2 * ln(1 / asked.beta) / n, BITS)


def exponential_learner(asked: SizeQuestion) -> Account:
    """Add up what the exponential mechanism over a whole class loses."""
    alpha, beta, epsilon, d, hypotheses = asked
    if hypotheses is None:
        hypotheses = 3**d
        asked = asked._replace(hypotheses=hypotheses)
    size = sample_complexity.exponential_learner_size(alpha, beta, epsilon, d, hypotheses)
    n, rho = size.sample_size, size.learner(cube(1)).mechanism.decay
    lost = exponential_excess(hypotheses, rho) / n + deviates(asked, n, beta)
    return Account((("loss", lost, alpha), ("factor", rho**-2, Epsilon(epsilon).ratio)))


F = Fraction
GOALS = [(F(1, 4), F(1, 4), F(1, 2)), (F(1, 20), F(1, 100), F(1, 5))]
QUESTIONS = [
    SizeQuestion(*goal, d, known) for goal in GOALS for d in (1, 7) for known in (None, 2**d)
]
LOSSES: list[Callable[[SizeQuestion], Account]] = [
    theorem_1, corollary_2, theorem_3, nets, convergence, realizable,
    disjoint_average, subset_average, exponential_learner,
]  # fmt: skip
GENERALISATION = [
    SizeQuestion(F(1, 10**4), F(1, 10), F(3), 1, None),
    *(SizeQuestion(F(1, 1000), F(1, 10**6), F(3), 1, hypotheses) for hypotheses in (2, 2**7)),
]
"""So small an excess that no other step of Theorem 3 takes as many examples."""


@pytest.mark.parametrize(
    ("account", "asked"),
    [(account, asked) for account in LOSSES for asked in QUESTIONS]
    + [(theorem_3, asked) for asked in GENERALISATION],
)
def test_no_step_loses_more_than_it_may(
    account: Callable[[SizeQuestion], Account], asked: SizeQuestion
) -> None:
    for name, needed, allowed in account(asked).items:
        assert bool(Interval.exactly(0) + needed <= allowed), name


@pytest.mark.parametrize("account", [disjoint_average, subset_average, exponential_learner])
def test_two_thirds_would_not_be_enough(account: Callable[[SizeQuestion], Account]) -> None:
    items = [item for asked in QUESTIONS for item in account(asked).items]
    assert any(bool(Interval.exactly(0) + needed > F(2, 3) * most) for _, needed, most in items)


@pytest.mark.parametrize("d", [2, 1000])
def test_theorem_1_takes_no_less_than_every_learner(d: int) -> None:
    alpha, beta, gamma = F(1, 6), F(1, 20), F(1, 50)
    size = sample_complexity.theorem_1(alpha, beta, gamma, d).sample_size
    assert size >= sample_complexity.stable_lower_bound(alpha, gamma, d, beta=beta)
    assert size >= sample_complexity.agnostic_lower_bound(alpha, beta, d)


@pytest.mark.parametrize("alpha", [F(1, 10), F(1, 50)])
@pytest.mark.parametrize("d", [1, 3])
def test_theorem_1_takes_half_of_what_averaging_takes(d: int, alpha: Fraction) -> None:
    beta = F(1, 20)
    ours = sample_complexity.theorem_1(alpha, beta, alpha, d).sample_size
    assert 2 * ours <= sample_complexity.disjoint_average_size(alpha, beta, alpha, d).sample_size
