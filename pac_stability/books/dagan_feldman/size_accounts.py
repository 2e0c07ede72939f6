"""Add up again what the steps of a learner lose at its size, and compare with the allowed loss."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import NamedTuple

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.claims.kit import Budget, Comparison, Real, universe, within
from pac_stability.classes import cube
from pac_stability.papers.dagan_feldman import exponential_excess, sample_complexity

BITS = 128


class SizeQuestion(NamedTuple):
    """A question to a size function: the goal, d, and the number of hypotheses if it is known."""

    alpha: Fraction
    beta: Fraction
    level: Fraction
    d: int
    hypotheses: int | None


@universe(
    "d = 1 and 7 (2: standard, 60: deep), with and without the number of hypotheses, two goals"
)
def questions(budget: Budget) -> Iterator[SizeQuestion]:
    """Give goals, dimensions and numbers of hypotheses."""
    goals = [
        (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)),
        (Fraction(1, 20), Fraction(1, 100), Fraction(1, 5)),
    ]
    if budget is not Budget.QUICK:
        goals.append((Fraction(1, 100), Fraction(1, 10), Fraction(9, 10)))
        goals.append((Fraction(2, 5), Fraction(1, 2), Fraction(1, 20)))
    for goal in goals:
        for d in (1, 7, 2, 60)[: budget.pick(2, 3, 4)]:
            yield SizeQuestion(*goal, d, None)
            yield SizeQuestion(*goal, d, 2**d)


class Account(NamedTuple):
    """The needed and the allowed amounts, by name."""

    items: tuple[tuple[str, Real, Real], ...]


Accounts = Callable[[SizeQuestion], Account]


def balanced(account: Accounts, asked: SizeQuestion) -> Iterator[Comparison]:
    """Check that no item of an account needs more than the allowed amount."""
    return (within(needed, allowed) for _, needed, allowed in account(asked).items)


def patterns(asked: SizeQuestion, m: int) -> int:
    """Bound the number of patterns on m points: Sauer's sum, or the number of hypotheses."""
    count = sum(comb(m, i) for i in range(min(asked.d, m) + 1))
    return count if asked.hypotheses is None else min(count, asked.hypotheses)


def ln(value: int | Fraction | Interval) -> Interval:
    """Enclose a natural logarithm."""
    return Interval.log(value, BITS)


def missed(tau: int, chosen: int) -> Interval:
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


def corollary_2(asked: SizeQuestion) -> Account:
    """Add up what Corollary 2 loses."""
    alpha, beta, epsilon, d, hypotheses = asked
    size = sample_complexity.corollary_2(alpha, beta, epsilon, d, class_size=hypotheses)
    n, chosen, z = size.sample_size, size.subset_size, size.flip_probability
    rho = size.learner(cube(1)).base.decay
    lost = (
        missed(patterns(asked, n), chosen)
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
    n = size.sample_size
    chosen = size.subset_size
    z = size.flip_probability
    K = size.disagreements
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
        missed(tau, chosen)
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
    none, slope = _steepest_chord(r, sigma)
    return none + slope * error


@lru_cache
def _steepest_chord(r: int, sigma: Fraction) -> tuple[Interval, Fraction]:
    A = 2 * r * Interval.log(1 / sigma)

    def lost(u: Fraction) -> Interval:
        return 1 / (1 + Interval.exp(A * (Fraction(1, 2) - u)))

    pieces, none = 512, lost(Fraction(0))
    slope = max(
        (lost(Fraction(k + 1, pieces)) - none).upper * Fraction(pieces, k)
        for k in range(pieces // 4, pieces)
    )
    return none, slope


def for_all_targets(asked: SizeQuestion) -> Account:
    """Add up what each block loses when every hypothesis may have labelled the sample."""
    size = sample_complexity.realizable_private_size(
        asked.alpha, asked.beta, asked.level, asked.d, class_size=asked.hypotheses, targets="all"
    )
    vote = size.learner(cube(1)).vote
    error = block_error(asked, size.block_size, asked.beta / size.blocks)
    return Account((("loss", vote_loses(size.blocks, vote.decay, error), asked.alpha),))


def _misses(asked: SizeQuestion, m: int) -> Interval:
    """Bound how often m draws miss a difference heavier than alpha."""
    ways = []
    for j in (1, 2, 3, 4, 6, 8, 12, 16):
        count = 2 * comb(patterns(asked, (j + 1) * m), 2)
        hits = j * asked.alpha * m // 1
        ways.append(Interval.exp(ln(count) + hits * ln(Fraction(j, j + 1)), BITS))
    if asked.hypotheses is not None:
        few = ln(comb(asked.hypotheses, 2)) + m * ln(1 - asked.alpha)
        ways.append(Interval.exp(few, BITS))
    return min(ways, key=lambda way: way.upper)


def nets(asked: SizeQuestion) -> Account:
    """Bound how often as many draws, or as many indices, as make a net are none."""
    alpha, beta, _, d, hypotheses = asked
    drawn = sample_complexity.net_size(alpha, beta, d, class_size=hypotheses).subset_size
    items: list[tuple[str, Real, Real]] = [("draws", _misses(asked, drawn), beta)]
    n = 10 * drawn
    chosen = sample_complexity.net_size(
        alpha, beta, d, class_size=hypotheses, population=n
    ).subset_size
    heavy = alpha * n // 1 + 1
    missed = Fraction(comb(n - heavy, chosen), comb(n, chosen))
    items.append(("indices", comb(patterns(asked, n), 2) * missed, beta))
    return Account(tuple(items))


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


# Wrong accounts


def for_one_target(asked: SizeQuestion) -> Account:
    """Take the size for one target for that for all of them."""
    size = sample_complexity.realizable_private_size(
        asked.alpha, asked.beta, asked.level, asked.d, class_size=asked.hypotheses
    )
    vote = size.learner(cube(1)).vote
    error = block_error(asked, size.block_size, asked.beta / size.blocks)
    return Account((("loss", vote_loses(size.blocks, vote.decay, error), asked.alpha),))


def unflipped(asked: SizeQuestion) -> Account:
    """Take the delta of Corollary 2 for none."""
    items = corollary_2(asked).items
    return Account(tuple((name, needed, Fraction(0)) for name, needed, _ in items[-1:]))


def matched_more_often(asked: SizeQuestion) -> Account:
    """Count the factor of Theorem 3 twice."""
    name, needed, allowed = theorem_3(asked).items[1]
    return Account(((name, needed * needed, allowed),))


def half_of_a_net(asked: SizeQuestion) -> Account:
    """Halve the draws."""
    alpha, beta, _, d, hypotheses = asked
    drawn = sample_complexity.net_size(alpha, beta, d, class_size=hypotheses).subset_size
    return Account((("draws", _misses(asked, drawn // 2), beta),))


def at_two_thirds(account: Accounts) -> Accounts:
    """Allow two thirds of everything."""

    def of(asked: SizeQuestion) -> Account:
        items = account(asked).items
        return Account(tuple((name, needed, Fraction(2, 3) * most) for name, needed, most in items))

    return of
