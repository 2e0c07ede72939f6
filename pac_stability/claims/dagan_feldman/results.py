"""The main results with explicit constants, and what is said of them (Section 1.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.claims.budget import Budget
from pac_stability.claims.claim import Claim, Kind, Method, Whose
from pac_stability.claims.comparing import at_most, factor_at_most
from pac_stability.claims.dagan_feldman._learning import (
    CONSTANTS,
    Predicts,
    binomial_weights,
    counted,
    learns_a_coin,
    moves_at_most,
    private_up_to,
)
from pac_stability.claims.dagan_feldman.introduction import recorded
from pac_stability.claims.finding import Finding, all_of, undecided
from pac_stability.claims.trials import trial
from pac_stability.dimensions import sauer_shelah_bound
from pac_stability.papers.dagan_feldman import (
    FlippedLearner,
    PrivatePredictionLearner,
    StableLearner,
    sample_complexity,
)

_BOTH = "both constants on one point"

Goal = tuple[Fraction, Fraction, Fraction]
"""alpha, beta, and gamma or epsilon."""
Sized = Callable[[Fraction, Fraction, Fraction], tuple[int, Predicts]]

_QUICK: Goal = (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2))


def _goals(budget: Budget) -> Iterator[Goal]:
    yield _QUICK
    if budget is not Budget.QUICK:
        yield from product((Fraction(2, 5), Fraction(1, 6)), (Fraction(1, 10),), (Fraction(1, 3),))
    if budget is Budget.DEEP:
        yield from product((Fraction(1, 10),), (Fraction(1, 20),), (Fraction(1, 5), Fraction(4, 5)))


Promise = tuple[Goal, Fraction]


def _promises(budget: Budget) -> Iterator[Promise]:
    biases = (Fraction(0), Fraction(1, 5), Fraction(1, 3), Fraction(1))
    yield from product(_goals(budget), biases)


def _learns(sized: Sized, promise: Promise) -> Finding:
    goal, bias = promise
    n, learner = sized(*goal)
    return learns_a_coin(learner, n, bias, goal[0], goal[1])


def _stable(sized: Sized, goal: Goal) -> Finding:
    n, learner = sized(*goal)
    return moves_at_most(learner, n, goal[2])


def _private(sized: Sized, goal: Goal) -> Finding:
    n, learner = sized(*goal)
    places = sorted({0, 1, n // 3, n // 2 - 1, n // 2, n - 2, n - 1, *range(0, n, max(1, n // 20))})
    return private_up_to(learner, n, Epsilon(goal[2]).ratio, places)


@cache
def _theorem_1(alpha: Fraction, beta: Fraction, gamma: Fraction) -> tuple[int, Predicts]:
    size = sample_complexity.theorem_1(alpha, beta, gamma, 1, class_size=2)
    return size.sample_size, size.learner(CONSTANTS)


@cache
def _one_example(_: Fraction, __: Fraction, gamma: Fraction) -> tuple[int, Predicts]:
    return 1, StableLearner(CONSTANTS, 1, gamma)


@cache
def _impatient(alpha: Fraction, beta: Fraction, gamma: Fraction) -> tuple[int, Predicts]:
    n, _ = _theorem_1(alpha, beta, gamma)
    return n | 1, StableLearner(CONSTANTS, 1, 8)


@cache
def _corollary_2(alpha: Fraction, beta: Fraction, epsilon: Fraction) -> tuple[int, Predicts]:
    size = sample_complexity.corollary_2(alpha, beta, epsilon, 1, class_size=2)
    return size.sample_size, size.learner(CONSTANTS)


@cache
def _always_flipped(alpha: Fraction, beta: Fraction, epsilon: Fraction) -> tuple[int, Predicts]:
    n, _ = _corollary_2(alpha, beta, epsilon)
    return n, FlippedLearner(StableLearner(CONSTANTS, 1, epsilon), Fraction(1, 2))


@cache
def _not_flipped(alpha: Fraction, beta: Fraction, epsilon: Fraction) -> tuple[int, Predicts]:
    n, _ = _corollary_2(alpha, beta, epsilon)
    return n, FlippedLearner(StableLearner(CONSTANTS, 1, 6), Fraction(0))


@cache
def _theorem_3(
    alpha: Fraction, beta: Fraction, epsilon: Fraction
) -> tuple[int, PrivatePredictionLearner]:
    size = sample_complexity.theorem_3(alpha, beta, epsilon, 1, class_size=2)
    return size.sample_size, size.learner(CONSTANTS)


@cache
def _few_examples(_: Fraction, __: Fraction, ___: Fraction) -> tuple[int, PrivatePredictionLearner]:
    return 2, PrivatePredictionLearner(CONSTANTS, 1, Fraction(99, 100), blocks=1)


@cache
def _sharp_choice(_: Fraction, __: Fraction, ___: Fraction) -> tuple[int, PrivatePredictionLearner]:
    return 40, PrivatePredictionLearner(CONSTANTS, 1, Fraction(1, 40), blocks=5)


def _larger_goals(budget: Budget) -> Iterator[Goal]:
    """Goals for Theorem 3, whose sizes are in the thousands even for two hypotheses."""
    yield (Fraction(2, 5), Fraction(1, 2), Fraction(4, 5))
    if budget is not Budget.QUICK:
        yield (Fraction(2, 5), Fraction(1, 4), Fraction(1, 2))
    if budget is Budget.DEEP:
        yield (Fraction(1, 4), Fraction(1, 4), Fraction(1, 2))


def _larger_promises(budget: Budget) -> Iterator[Promise]:
    biases = (Fraction(1, 5), Fraction(1), Fraction(0), Fraction(1, 3))[: budget.pick(2, 3, 4)]
    yield from product(_larger_goals(budget), biases)


Enclosing = Callable[[Fraction, Fraction, Fraction], tuple[int, PrivatePredictionLearner]]


def _learns_enclosed(sized: Enclosing, promise: Promise) -> Finding:
    """Like :func:`learns_a_coin`, with intervals: exact predictions have very many digits."""
    (alpha, beta, _), bias = promise
    n, learner = sized(*promise[0])
    weights = binomial_weights(n, bias)
    whole = bias.denominator**n
    good = bad = 0
    for k in sorted(range(n + 1), key=lambda k: -weights[k]):
        if good >= (1 - beta) * whole or bad > beta * whole:
            break
        (p,) = learner.enclosed(counted(n, k), [0])
        excess = bias * (1 - p) + (1 - bias) * p - min(bias, 1 - bias)
        if excess.upper <= alpha:
            good += weights[k]
        elif excess.lower > alpha:
            bad += weights[k]
        else:
            return undecided(f"n = {n}, {k} ones: excess in [{excess}], alpha = {alpha}")
    return at_most(
        Interval(Fraction(bad), Fraction(whole - good)),
        beta * whole,
        f"{_BOTH}, labels 1 with probability {bias}, n = {n}: the excess is above {alpha} with "
        f"probability {float(Fraction(bad, whole)):.4g} or more, beta = {beta}",
    )


def _private_enclosed(sized: Enclosing, goal: Goal) -> Finding:
    n, learner = sized(*goal)
    allowed = Epsilon(goal[2]).ratio

    def factors(k: int) -> Iterator[Finding]:
        p, q = (learner.enclosed(counted(n, ones), [0])[0] for ones in (k, k + 1))
        for a, b in ((p, q), (q, p), (1 - p, 1 - q), (1 - q, 1 - p)):
            text = f"{_BOTH}, n = {n}, {k} and {k + 1} ones: factor {float(a / b):.4g}"
            yield factor_at_most(a / b, allowed, text)

    return all_of(found for k in (0, n // 2) for found in factors(k))


# What Theorem 1 gains

Comparison = tuple[int, Fraction]


def _comparisons(budget: Budget) -> Iterator[Comparison]:
    yield from product((1, 3)[: budget.pick(1, 2, 2)], (Fraction(1, 10), Fraction(1, 50)))


Sizes = Callable[[int, Fraction], tuple[int, int]]
"""For d and alpha = gamma: the size of Theorem 1 and that of averaging."""


def _both_sizes(d: int, alpha: Fraction) -> tuple[int, int]:
    beta = Fraction(1, 20)
    return (
        sample_complexity.theorem_1(alpha, beta, alpha, d).sample_size,
        sample_complexity.disjoint_average_size(alpha, beta, alpha, d).sample_size,
    )


def _averaging_twice(d: int, alpha: Fraction) -> tuple[int, int]:
    return _both_sizes(d, alpha)[1], _both_sizes(d, alpha)[1]


def _gains(sizes: Sizes, instance: Comparison) -> Finding:
    d, alpha = instance
    ours, averaging = sizes(d, alpha)
    return at_most(
        2 * ours,
        averaging,
        f"d = {d}, alpha = gamma = {alpha}: Theorem 1 takes {ours} examples, averaging {averaging}",
    )


# Theorem 10

Rate = Callable[[int, Fraction], Interval]


def _cardinality(rate: Rate, instance: tuple[int, Fraction]) -> Finding:
    d, alpha = instance
    C = 8
    size = ceil((C * (d + 1) * Interval.log(1 / alpha) / alpha).upper)
    patterns = Interval.log(sauer_shelah_bound(size, d))
    return at_most(
        patterns,
        rate(d, alpha),
        f"d = {d}, alpha = {alpha}, n' = {size}: ln of the Sauer sum is {float(patterns):.4f}",
    )


def _without_dimension(d: int, alpha: Fraction) -> Interval:
    return d * Interval.log(2 * Interval.exp(1) * 8 * Interval.log(1 / alpha) / alpha)


def _halved(d: int, alpha: Fraction) -> Interval:
    return _without_dimension(d, alpha) / 2


def _dimensions(budget: Budget) -> Iterator[tuple[int, Fraction]]:
    alphas = (Fraction(1, 3), Fraction(1, 10), Fraction(1, 100))
    yield from product(range(1, budget.pick(12, 41, 120)), alphas)


# Theorem 12


# Lines over a prime field


CLAIMS = (
    Claim(
        key="DF20:theorem-1",
        kind=Kind.THEOREM,
        title="Stable learning",
        statement="For all alpha, beta, gamma in (0, 1) and H of VC dimension d, the learner of "
        "the explicit size is gamma-stable and (alpha, beta)-agnostic PAC; the size is of order d "
        "log(1/alpha)/(gamma alpha) + (d + log(1/beta))/alpha^2, up to a logarithm in the second "
        "term.",
        whose=Whose.PRINTED,
        code=(
            "papers.dagan_feldman.StableLearner.from_stability",
            "papers.dagan_feldman.sample_complexity.theorem_1",
            "papers.dagan_feldman.NoisyThreshold",
        ),
        method=Method.EXPLICIT,
        trials=(
            trial(
                "accuracy",
                _learns,
                _promises,
                subject=_theorem_1,
                mutant=_one_example,
                universe=f"{_BOTH}, four biases",
            ),
            trial(
                "stability",
                _stable,
                _goals,
                subject=_theorem_1,
                mutant=_impatient,
                universe=f"{_BOTH}, all neighbours",
            ),
            trial(
                "gain over averaging",
                _gains,
                _comparisons,
                subject=_both_sizes,
                mutant=_averaging_twice,
                universe="alpha = gamma = 1/10 and 1/50, small d",
            ),
        ),
        uses=(
            "DF20:lemma-13.approximation",
            "DF20:lemma-13.stability",
            "DF20:lemma-4.repaired",
            "DF20:lemma-6",
        ),
        note="Theorem 1 of the arXiv version. That alpha-stability comes essentially for free, "
        "with asymptotically as many examples, is up to the factor log(1/alpha).",
    ),
    Claim(
        key="DF20:corollary-2",
        kind=Kind.COROLLARY,
        title="Private prediction by flipping",
        statement="For all alpha, beta, epsilon in (0, 1) and H of VC dimension d, the flipped "
        "learner of the explicit size gives epsilon-private predictions and is (alpha, beta)-"
        "agnostic PAC; O~(d/(epsilon alpha^2)) examples, and log(1/beta)/alpha^2 besides.",
        whose=Whose.PRINTED,
        code=(
            "papers.dagan_feldman.FlippedLearner.from_privacy",
            "papers.dagan_feldman.least_flip_probability",
            "papers.dagan_feldman.sample_complexity.corollary_2",
        ),
        method=Method.EXPLICIT,
        trials=(
            trial(
                "accuracy",
                _learns,
                _promises,
                subject=_corollary_2,
                mutant=_always_flipped,
                universe=f"{_BOTH}, four biases",
            ),
            trial(
                "privacy",
                _private,
                _goals,
                subject=_corollary_2,
                mutant=_not_flipped,
                universe=f"{_BOTH}, neighbours at about twenty places",
            ),
        ),
        uses=(
            "DF20:theorem-1",
            "DF20:section-3.flip.repaired",
            "DF20:section-3.flip-error.repaired",
        ),
        note="Corollary 1 of the arXiv version. Printed as d/epsilon alpha^2, without brackets.",
    ),
    Claim(
        key="DF20:theorem-3",
        kind=Kind.THEOREM,
        title="Private prediction by relabelling",
        statement="For all alpha, beta, epsilon in (0, 1) and H of VC dimension d, the learner of "
        "Appendix C with the explicit sizes gives epsilon-private predictions and is (alpha, "
        "beta)-agnostic PAC; O~(d (d + log(1/beta))/(epsilon alpha) + (d + log(1/beta))/alpha^2).",
        whose=Whose.PRINTED,
        code=(
            "papers.dagan_feldman.PrivatePredictionLearner",
            "papers.dagan_feldman.sample_complexity.theorem_3",
        ),
        method=Method.EXPLICIT,
        trials=(
            trial(
                "accuracy",
                _learns_enclosed,
                _larger_promises,
                subject=_theorem_3,
                mutant=_few_examples,
                universe=f"{_BOTH}, biases",
            ),
            trial(
                "privacy",
                _private_enclosed,
                _larger_goals,
                subject=_theorem_3,
                mutant=_sharp_choice,
                universe=f"{_BOTH}, neighbours at a few places",
            ),
        ),
        uses=("DF20:lemma-15", "DF20:lemma-17", "DF20:section-3.flip.repaired"),
        note="Theorem 2 of the arXiv version.",
    ),
    recorded(
        "DF20:section-1.1.agnostic-lower-bound",
        "Agnostic learning takes (d + log(1/beta))/alpha^2 examples",
        "Every (alpha, beta)-agnostic PAC learner needs Omega((d + log(1/beta))/alpha^2) examples.",
        "Standard, and cited without constants.",
        "papers.dagan_feldman.sample_complexity.uniform_convergence_size",
        explicit="DF20:section-1.1.agnostic-lower-bound.explicit",
    ),
    recorded(
        "DF20:section-1.1.private-lower-bound",
        "Private prediction takes d/(epsilon alpha) examples",
        "Every epsilon-private (alpha, beta)-agnostic PAC learner needs Omega(d/(epsilon alpha) + "
        "(d + log(1/beta))/alpha^2) examples.",
        "Dwork and Feldman 2018, Theorem 2.2, cited without constants.",
        "papers.dagan_feldman.sample_complexity.theorem_3",
        explicit="DF20:section-1.1.private-lower-bound.explicit",
    ),
    recorded(
        "DF20:section-1.1.linear-thresholds",
        "Theorem 3 against private models of linear thresholds",
        "Learning linear thresholds over B^d with a private model takes Theta(d^2 log|B|/(epsilon "
        "alpha) + d/alpha^2) examples, so that the first term of Theorem 3 is smaller by log|B|.",
        "Feldman and Xiao 2015; a comparison of rates.",
        "papers.dagan_feldman.sample_complexity.compare",
        "papers.dagan_feldman.sample_complexity.crossover",
    ),
)

THEOREM_10 = (
    Claim(
        key="DF20:theorem-10",
        kind=Kind.THEOREM,
        title="Theorem 1 restated, with log(d/alpha)",
        statement="Theorem 1 with log(d/alpha) in place of log(1/alpha). With n' = 8 (d + 1) "
        "ln(1/alpha)/alpha, ln tau_n' <= d ln(16 e ln(1/alpha)/alpha): no d is needed inside the "
        "logarithm, and Theorem 1 follows as first stated.",
        whose=Whose.PRINTED,
        code=(
            "dimensions.sauer_shelah_bound",
            "papers.dagan_feldman.sample_complexity.theorem_1",
        ),
        method=Method.CERTIFIED,
        trials=(
            trial(
                "logarithm of the growth function",
                _cardinality,
                _dimensions,
                subject=_without_dimension,
                mutant=_halved,
                universe="dimensions from 1 on, alpha = 1/3, 1/10, 1/100",
            ),
        ),
        uses=("DF20:theorem-1", "DF20:lemma-5.wider"),
        note="Theorem 3 of the arXiv version.",
    ),
)
