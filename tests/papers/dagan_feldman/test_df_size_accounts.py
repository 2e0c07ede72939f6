"""What the steps of learners and lemmas lose at their sizes, added up anew, certified."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.dagan_feldman.size_accounts import (
    BITS,
    Account,
    SizeQuestion,
    block_error,
    corollary_2,
    deviates,
    exponential_learner,
    ln,
    missed,
    nets,
    patterns,
    theorem_3,
    vote_loses,
)
from pac_stability.claims.kit import Real
from pac_stability.classes import cube
from pac_stability.papers.dagan_feldman import exponential_excess, sample_complexity


def theorem_1(asked: SizeQuestion) -> Account:
    """Add up what Theorem 1 loses."""
    size = _sized_theorem_1(asked)
    n, chosen = size.sample_size, size.subset_size
    rho = size.learner(cube(1)).decay
    lost = (
        missed(patterns(asked, n), chosen)
        + exponential_excess(patterns(asked, chosen), rho) / n
        + deviates(asked, n, asked.beta)
    )
    share = Fraction(chosen, n)
    moved = share + (1 - share) * (1 - rho) / (1 + rho)
    return Account((("loss", lost, asked.alpha), ("stability", moved, asked.level)))


def _sized_theorem_1(asked: SizeQuestion) -> sample_complexity.StableSize:
    alpha, beta, gamma, d, hypotheses = asked
    return sample_complexity.theorem_1(alpha, beta, gamma, d, class_size=hypotheses)


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


def paper_net(asked: SizeQuestion, alpha: Fraction, beta: Fraction) -> Interval:
    """Enclose what Theorem 28.3 of Shalev-Shwartz and Ben-David asks for, of the differences."""
    D = sample_complexity.asking.difference_dimension(asked.d)
    return (8 / alpha) * (2 * D * (1 + ln(16 / alpha)) + ln(2 / beta))


def _next(size: int, needed: Real) -> tuple[str, Real, Real]:
    """A size is the least: one less is not enough."""
    return ("least", size - 1, needed)


def printed_theorem_1(asked: SizeQuestion) -> Account:
    """Ask for each of the three conditions, and whether the size is the least that has them."""
    size = sample_complexity.theorem_1(
        asked.alpha, asked.beta, asked.level, asked.d,
        class_size=asked.hypotheses, constants="printed",
    )  # fmt: skip
    a, g, n, chosen = asked.alpha / 5, asked.level / 3, size.sample_size, size.subset_size
    net = paper_net(asked, a, min(a, Fraction(1, 4)))
    spent = ln(size.epsilon.ratio)

    def conditions(m: int) -> tuple[Interval, ...]:
        root = Interval.sqrt(8 * ln(patterns(asked, m)), BITS)
        root += Interval.sqrt(2 * ln(4 / asked.beta), BITS)
        selection = 2 * ln(patterns(asked, chosen)) / (spent * a)
        return Interval.exactly(chosen / g), selection, root * root / a**2

    return Account(
        (
            ("net", net, chosen),
            _next(chosen, net),
            *(("size", needed, n) for needed in conditions(n)),
            _next(n, max(conditions(n - 1), key=lambda needed: needed.upper)),
            ("epsilon", spent, g),
        )
    )


def printed_lemma_9(asked: SizeQuestion) -> Account:
    """Ask for the votes and the blocks of the citation, and add up their loss."""
    size = sample_complexity.realizable_private_size(
        asked.alpha, asked.beta, asked.level, asked.d,
        class_size=asked.hypotheses, constants="printed",
    )  # fmt: skip
    r, m, n, a = size.blocks, size.block_size, size.sample_size, asked.alpha / 5
    epsilon = ln(Epsilon(asked.level).ratio)
    votes = 4 * ln(1 / a) / epsilon
    net = paper_net(asked, a, min(asked.beta / r, Fraction(1, 4)))
    rounded = 1 + Fraction(1, 2**14)  # makes up for a decay that is rounded up
    return Account(
        (
            ("votes", votes, r),
            _next(r, votes * rounded),
            ("blocks", net, m),
            _next(m, net),
            ("all", r * m, n),
            ("no more", n, r * m),
        )
    )


F = Fraction
GOALS = [(F(1, 4), F(1, 4), F(1, 2)), (F(1, 20), F(1, 100), F(1, 5))]
QUESTIONS = [
    SizeQuestion(*goal, d, known) for goal in GOALS for d in (1, 7) for known in (None, 2**d)
]
LOSSES: list[Callable[[SizeQuestion], Account]] = [
    theorem_1, corollary_2, theorem_3, nets, convergence, realizable,
    disjoint_average, subset_average, exponential_learner, printed_theorem_1, printed_lemma_9,
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


@pytest.mark.parametrize(
    "account", [printed_theorem_1, printed_lemma_9, disjoint_average, subset_average]
)
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
