"""What the lemmas and the learners of the introduction lose at their sizes, added up anew."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.dagan_feldman.size_accounts import (
    BITS,
    Account,
    Accounts,
    SizeQuestion,
    block_error,
    deviates,
    ln,
    patterns,
    vote_loses,
)
from pac_stability.claims.trials import Real
from pac_stability.classes import cube
from pac_stability.papers.dagan_feldman import exponential_excess, sample_complexity


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


def half_of_a_net(asked: SizeQuestion) -> Account:
    """Halve the draws: a wrong account."""
    alpha, beta, _, d, hypotheses = asked
    drawn = sample_complexity.net_size(alpha, beta, d, class_size=hypotheses).subset_size
    return Account((("draws", _misses(asked, drawn // 2, pairs=True), beta),))


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


def of_one_pattern(asked: SizeQuestion) -> Account:
    """Forget that there are several patterns, at a quarter of the size: a wrong account."""
    alpha, beta, _, d, hypotheses = asked
    n = sample_complexity.uniform_convergence_size(
        alpha, beta, d, class_size=hypotheses
    ).sample_size
    return Account((("deviation", _two_sides(2, n // 4, 4 / beta), alpha),))


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


def without_votes(asked: SizeQuestion) -> Account:
    """Ask for half of the loss: a wrong account."""
    name, needed, allowed = realizable(asked).items[0]
    return Account(((name, needed, Fraction(1, 2) * allowed),))


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


def at_two_thirds(account: Accounts) -> Accounts:
    """Allow two thirds of everything: a wrong account."""

    def of(asked: SizeQuestion) -> Account:
        return Account(
            tuple(
                (name, needed, Fraction(2, 3) * most) for name, needed, most in account(asked).items
            )
        )

    return of
