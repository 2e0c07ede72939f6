"""How many examples make the generic learner accurate (Sections 4.1 and 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, comb, floor
from typing import ClassVar, TypeAlias

from pac_stability.arithmetic import Constants, Epsilon, Interval
from pac_stability.books.cummings_et_al import _written
from pac_stability.claims.instances import all_classes
from pac_stability.claims.trials import Budget, Finding, OnClass, Trials, at_most, settle, trial
from pac_stability.classes import FiniteClass
from pac_stability.data import (
    Sample,
)
from pac_stability.dimensions import sauer_shelah_bound, vc_dimension
from pac_stability.papers.cummings_et_al.labelings import FiniteDomainLearner, corollary_31
from pac_stability.papers.cummings_et_al.sizes import GenericAgnosticSize

# Theorem 30.


@dataclass(frozen=True, slots=True)
class NoisyLabels:
    """A class, and labels that are 1 with probability p.

    Attributes
    ----------
    p
        Above 1/2, so that labels of 1 are best.
    alpha, gamma
        What is asked for; beta is gamma, as in the theorem.
    epsilon
        The number itself.
    """

    p: Fraction
    alpha: Fraction
    gamma: Fraction
    epsilon: Fraction

    hypotheses: ClassVar[int]

    def size(self, constants: Constants) -> int:
        """Return the sample size of Theorem 30."""
        accuracy = self.alpha, self.gamma, self.gamma
        epsilon = Epsilon(self.epsilon)
        return GenericAgnosticSize(self.hypotheses, *accuracy, epsilon, constants).sample_size


@dataclass(frozen=True, slots=True)
class LearnedCoin(NoisyLabels):
    """Two constant hypotheses, and labels of one point."""

    hypotheses: ClassVar[int] = 2

    def failure(self, n: int) -> Interval:
        """Enclose how often the worse hypothesis is output, by the formula of Algorithm 1."""
        step = self.epsilon / Interval.sqrt(2 * n * Interval.log(4 / self.gamma))
        right, wrong = self.p.numerator, self.p.denominator - self.p.numerator
        unit = 1 << 64
        lower = upper = 0
        for ones in range(n + 1):
            # 0 errs on the ones, 1 on the zeros
            worse = unit / (1 + Interval.exp(step * (2 * ones - n)))
            weight = comb(n, ones) * right**ones * wrong ** (n - ones)
            lower += weight * floor(worse.lower)
            upper += weight * ceil(worse.upper)
        total = unit * self.p.denominator**n
        return Interval(Fraction(lower, total), Fraction(upper, total))


@dataclass(frozen=True, slots=True)
class LearnedSquare(NoisyLabels):
    """All four labelings of two points, each with weight 1/2, and noise on their labels.

    Here p is above 1/2 + alpha, so that one point that is wrong is too much.
    """

    hypotheses: ClassVar[int] = 4

    def failure(self, n: int) -> Interval:
        """Enclose how often a point is wrong: given how many examples it has, they are alone."""
        step = self.epsilon / Interval.sqrt(2 * n * Interval.log(8 / self.gamma))
        one, zero = self.p.numerator, self.p.denominator - self.p.numerator
        unit = 1 << 96
        right = {
            surplus: unit / (1 + Interval.exp(-step * surplus)) for surplus in range(-n, n + 1)
        }
        ends = [(floor(chance.lower), ceil(chance.upper)) for chance in right.values()]
        lower, upper = [], []
        for m in range(n + 1):
            weights = [comb(m, k) * one**k * zero ** (m - k) for k in range(m + 1)]
            total = self.p.denominator**m
            least = sum(w * ends[n + 2 * k - m][0] for k, w in enumerate(weights))
            most = sum(w * ends[n + 2 * k - m][1] for k, w in enumerate(weights))
            lower.append(least // total)
            upper.append(-(-most // total))
        both_least = sum(comb(n, m) * lower[m] * lower[n - m] for m in range(n + 1))
        both_most = sum(comb(n, m) * upper[m] * upper[n - m] for m in range(n + 1))
        whole = unit**2 * 2**n
        return Interval(1 - Fraction(both_most, whole), 1 - Fraction(both_least, whole))


def _squares(budget: Budget) -> Iterator[LearnedSquare]:
    for gamma, alpha, epsilon in product(
        ("9/20", "1/5"), ("49/100", "9/20"), ("100", "10", "4")[: budget.pick(2, 3, 3)]
    ):
        p = Fraction(1, 2) + Fraction(alpha) + Fraction(1, 1000)
        yield LearnedSquare(p, Fraction(alpha), Fraction(gamma), Fraction(epsilon))


def _coins(epsilons: tuple[str, ...]) -> Callable[[Budget], Iterator[LearnedCoin]]:
    def instances(budget: Budget) -> Iterator[LearnedCoin]:
        alphas = budget.pick(("1/2", "9/20"), ("1/2", "9/20", "1/4"), ("1/2", "1/4", "1/10"))
        for gamma, alpha, epsilon in product(("2/5", "1/5"), alphas, epsilons):
            # just above the excess that is tolerated, where the failure counts
            p = (1 + Fraction(alpha)) / 2 + Fraction(1, 50)
            yield LearnedCoin(p, Fraction(alpha), Fraction(gamma), Fraction(epsilon))

    return instances


Size: TypeAlias = Callable[[LearnedCoin | LearnedSquare], int]


def _accurate(size: Size, coin: LearnedCoin | LearnedSquare) -> Finding:
    n = size(coin)
    failure = coin.failure(n)
    kind = "two constants" if isinstance(coin, LearnedCoin) else "all sets of two points"
    text = (
        f"{kind}, Pr[label 1] = {coin.p}, alpha = {coin.alpha}, epsilon = {coin.epsilon}: "
        f"n = {n} is stated, with which the output is worse by {2 * coin.p - 1} with probability "
        f"{float(failure):.4f}; gamma = {coin.gamma}"
    )
    return at_most(failure, coin.gamma, text)


def _paper_size(coin: LearnedCoin | LearnedSquare) -> int:
    return coin.size(Constants.PRINTED)


def _sharp_size(coin: LearnedCoin | LearnedSquare) -> int:
    return coin.size(Constants.SHARP)


def _one_example(_: LearnedCoin | LearnedSquare) -> int:
    return 1


def _parameters(budget: Budget) -> Iterator[tuple[int, Fraction, Fraction, Fraction]]:
    sizes = budget.pick((2, 10, 10**6), (2, 3, 10, 10**3, 10**6), (2, 3, 5, 10, 10**3, 10**6))
    alphas = [Fraction(a) for a in ("1/2", "1/10", "1/1000")]
    gammas = [Fraction(g) for g in ("1/2", "1/10", "1/1000")]
    yield from product(sizes, alphas, gammas, [Fraction(1), Fraction(1, 2), Fraction(1, 100)])


def _enough(factor: int, case: tuple[int, Fraction, Fraction, Fraction]) -> Finding:
    """Compare the printed condition with what a proof needs that divides alpha as is best."""
    size, alpha, gamma, epsilon = case
    log = Interval.log(2 * size / gamma)
    printed = factor * log * log * log / (epsilon * alpha) ** 2
    # alpha sqrt(n) >= sqrt(2 L) + L sqrt(2 L) / epsilon
    root = Interval.sqrt(2 * log) * (1 + log / epsilon) / alpha
    return at_most(
        root * root,
        printed,
        f"|H| = {size}, alpha = {alpha}, gamma = {gamma}, epsilon = {epsilon}: "
        f"{float(printed):.0f} stated, {float(root * root):.0f} needed",
    )


# Corollary 31.


def _domains(budget: Budget) -> Iterator[FiniteClass]:
    for m in (1, 2, 3):
        yield from all_classes(m, labels_matter=budget is not Budget.QUICK)


_THE_CLASS: OnClass[FiniteClass] = OnClass(
    lambda H: [H], "the class itself", points=12, hypotheses=64
)


def _labelings(count: Callable[[int, int], int], H: FiniteClass) -> Finding:
    m, d = len(H.domain), vc_dimension(H)
    learner = FiniteDomainLearner(H, H.domain, "1/10", 1)
    patterns = {tuple(h(x) for x in H.domain) for h in H}
    tenth = Fraction(1, 10)
    size = corollary_31(m, d, alpha=tenth, beta=tenth, gamma=tenth, epsilon=Epsilon(1))
    own = learner.sample_size(tenth, tenth)
    law = learner.law(Sample([H.domain[0]], [0]))
    told = {tuple(h(x) for x in H.domain): chance for h, chance in law.items()}
    run = learner.learner.law(Sample([H.domain[0]], [0]))
    drawn = {tuple(h(x) for x in H.domain): chance for h, chance in run.items()}
    truth = (
        len(patterns) == len(learner.labelings) <= count(m, d) == size.class_size
        and own <= size.sample_size
        and all(h in set(H) for h in law.support)
        and told == drawn
        and set(told) == patterns
    )
    return settle(
        truth,
        f"{H.table.tolist()}: {len(patterns)} labelings, at most {count(m, d)} are stated; n = "
        f"{own} for this class and {size.sample_size} for the dimension",
    )


def _largest_power(m: int, d: int) -> int:
    return int(m**d)


TRIALS: Trials = {
    "CLNRW16:theorem-30": (
        trial(
            "two constant hypotheses",
            _accurate,
            _coins(("1", "10", "100", "1000")),
            subject=_paper_size,
            universe="labels with two biases, two gammas, epsilons from 1 to 1000",
        ),
    ),
    "CLNRW16:theorem-30.repaired": (
        trial(
            "two constant hypotheses",
            _accurate,
            _coins(("1", "3", "100")),
            subject=_sharp_size,
            mutant=_one_example,
            universe="labels with two biases, two gammas, three epsilons",
        ),
        trial(
            "all sets of two points",
            _accurate,
            _squares,
            subject=_sharp_size,
            mutant=_one_example,
            universe="two uniform points with noise on the labels, two gammas, alphas and epsilons",
        ),
        trial(
            "the printed condition",
            _enough,
            _parameters,
            subject=6,
            mutant=2,
            universe="|H| up to a million, three alphas, gammas and epsilons",
        ),
        _written.THEOREM_30,
    ),
    "CLNRW16:corollary-31": (
        trial(
            "labelings",
            _labelings,
            _domains,
            subject=sauer_shelah_bound,
            mutant=_largest_power,
            universe="every class on up to three points, up to isomorphism",
            exhaustive=True,
            on_class=_THE_CLASS,
        ),
        _written.COROLLARY_31,
    ),
}
