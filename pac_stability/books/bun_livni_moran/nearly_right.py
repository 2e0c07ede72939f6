"""How large a loss the private choice leaves: two hypotheses are listed, and one is nearly right.

The target and a hypothesis that differs from it at one rare point are output about as often, so
that both are listed; then the choice between them is by their errors alone. The one that is wrong
at a point of mass e is chosen with probability at least E[r^B]/2 = (1 - e (1 - r))^n'/2, where B is
the number of its errors on n' examples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import floor
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.bun_livni_moran.literal import TournamentSetting
from pac_stability.books.bun_livni_moran.numbers_of_m import Numbers
from pac_stability.claims.trials import Budget, Finding, at_most, undecided
from pac_stability.classes import FiniteClass
from pac_stability.papers.bun_livni_moran import GloballyStableLearner
from pac_stability.papers.bun_livni_moran.formulas import PrivateFromStable, PrivateLearnerSizes

Accuracy: TypeAlias = tuple[Fraction, Fraction, Fraction]
"""alpha, beta and the decay of the choice."""

_GRID = 1 << 40


def accuracies(budget: Budget) -> Iterator[Accuracy]:
    """Give parameters, with epsilons of about 1 and of about 1/10."""
    alphas = (Fraction(1, 4), Fraction(1, 16))[: budget.pick(1, 2, 2)]
    betas = (Fraction(1, 10), Fraction(1, 10**6), Fraction(1, 10**12))
    yield from product(alphas, betas, (Fraction(61, 100), Fraction(19, 20)))


def loss_left(size: int, decay: Fraction, beta: Fraction) -> Fraction:
    """Return a loss with which the choice from so many examples is left with more than beta."""
    least = Interval.exp(Interval.log(2 * beta) / size).upper
    return Fraction(floor(max(Fraction(0), 1 - least) / (1 - decay) * _GRID), _GRID)


def chosen_wrongly(
    size: Callable[[int, Fraction, Fraction, Fraction], int], it: Accuracy
) -> Finding:
    """The generic private learner over the two: its loss is to be at most twice alpha."""
    alpha, beta, r = it
    n = size(2, alpha, beta, r)
    loss = loss_left(n, r, beta)
    text = f"alpha = {alpha}, beta = {beta}, decay {r}, n = {n}: a loss of {float(loss):.5f}"
    return at_most(loss, 2 * alpha, f"{text} is left with more than beta")


def _epsilon(decay: Fraction) -> Epsilon:
    return Epsilon.exactly(decay**-2)


def few_kept(sizes: PrivateFromStable) -> Numbers:
    """Return numbers with so few examples for the choice that its loss is too large."""
    k, noise = sizes.runs, sizes.noise
    return Numbers(k, noise, sizes.cutoff, sizes.decay, max(1, sizes.choice_size // 80))


def listed_both(numbers: Callable[[PrivateFromStable], Numbers], it: Accuracy) -> Finding:
    """Algorithm M over a G that outputs either of the two with probability 1/2."""
    alpha, beta, r = it
    sizes = PrivateFromStable(
        1, Fraction(1, 2), alpha, beta, _epsilon(r), Fraction(1, 10**6), "proved"
    )
    M = numbers(sizes)
    return _loss_of(M, alpha, beta, Fraction(1, 2), f"G outputs either with probability 1/2, {M}")


def _loss_of(M: Numbers, alpha: Fraction, beta: Fraction, seen: Fraction, text: str) -> Finding:
    # With that many runs what is output with probability `seen` is listed except with beta / 100.
    share = (M.cutoff + M.noise) / Fraction(M.runs)
    gap = seen - share
    if gap <= 0 or Interval.exp(-2 * gap**2 * M.runs).upper > beta / 100:
        return undecided(f"{text}: whether what is nearly right is listed")
    loss = loss_left(M.choice_size, M.decay, beta * Fraction(101, 100))
    return at_most(loss, alpha, f"{text}: a loss of {float(loss):.5f} is left with more than beta")


def whole_learner(numbers: Callable[[PrivateFromStable], Numbers], it: Accuracy) -> Finding:
    """The learner of Theorem 1 on two hypotheses, of which the SOA prefers the one that errs."""
    alpha, beta, r = it
    sizes = PrivateLearnerSizes(1, alpha, beta, _epsilon(r), Fraction(1, 10**6), "proved")
    M = numbers(sizes.private)
    loss = loss_left(M.choice_size, M.decay, beta * Fraction(101, 100))
    loss = Fraction(floor(loss * 10**6), 10**6)
    rare = loss.numerator, loss.denominator - loss.numerator
    setting = TournamentSetting(FiniteClass([[0, 0], [1, 0]]), 0, rare, 1, 1)
    G = GloballyStableLearner(setting.H, alpha / 2, constants="proved", tie=1)
    seen = G.enclosed_law_of_output(setting.target)
    wrong = sum((p.lower for f, p in seen.items() if setting.loss(f)), Fraction(0))
    text = f"two hypotheses that differ at a point of mass {loss}, {M}"
    return _loss_of(M, alpha, beta, wrong, text)
