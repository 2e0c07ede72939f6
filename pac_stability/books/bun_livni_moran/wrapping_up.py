"""Section VI: Theorem 1 with its constants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon
from pac_stability.books.bun_livni_moran.literal import TournamentSetting
from pac_stability.books.bun_livni_moran.nearly_right import accuracies, few_kept, whole_learner
from pac_stability.books.bun_livni_moran.numbers_of_m import Numbers, never_released, numbers_of
from pac_stability.books.bun_livni_moran.private_learner import Point, failure, points, within
from pac_stability.books.bun_livni_moran.settings import (
    counterexample,
    random_settings,
    uniform_settings,
)
from pac_stability.books.bun_livni_moran.stated_numbers import (
    follows,
    parameters,
    printed_sizes,
    sizes_of_theorem_1,
)
from pac_stability.books.bun_livni_moran.two_stages import measured
from pac_stability.claims.trials import Budget, Finding, Trials, at_least, settle, trial, undecided
from pac_stability.errors import Undecided
from pac_stability.papers.bun_livni_moran import (
    COUNTEREXAMPLES,
    GloballyStableLearner,
    PrivateLearner,
)
from pac_stability.papers.bun_livni_moran.formulas import (
    PrivateFromStable,
    PrivateLearnerSizes,
    theorem_1_order,
)

Whole: TypeAlias = tuple[TournamentSetting, Fraction, Fraction]
"""A setting, alpha and beta."""


def _wholes(budget: Budget) -> Iterator[Whole]:
    tenth, quarter = Fraction(1, 10), Fraction(1, 4)
    for setting in uniform_settings((1, 2), (1,), least=1, most=budget.pick(1, 2, 2)):
        yield setting, quarter, tenth
    yield counterexample("pairs"), quarter, tenth
    many = random_settings(budget.pick(4, 40, 400), points=4, rows=5, seed="theorem-1")
    for setting in many:
        if 1 <= setting.dimension <= budget.pick(1, 2, 2):
            yield setting, quarter, Fraction(1, 100)


def _classes(budget: Budget) -> Iterator[TournamentSetting]:
    names = ("pairs", "dimension-three") if budget is Budget.QUICK else COUNTEREXAMPLES
    yield from uniform_settings((1, 2), (1,), least=1)
    yield from map(counterexample, names)


def _as_made(setting: TournamentSetting) -> Numbers:
    epsilon, delta = Epsilon(1.0), Fraction(1, 10**6)
    M = PrivateLearner.of_class(setting.H, "1/4", "1/10", epsilon, delta, constants="proved")
    noise = M.histogram
    return Numbers(M.runs, noise.truncation, noise.threshold, M.decay, M.choice_size)


def _half_the_noise(setting: TournamentSetting) -> Numbers:
    M = _as_made(setting)
    return replace(M, noise=M.noise // 2)


def _spends(numbers: Callable[[TournamentSetting], Numbers], setting: TournamentSetting) -> Finding:
    return measured(numbers(setting), Epsilon(1.0), Fraction(1, 10**6))


def _theorem_1(numbers: Callable[[PrivateFromStable], Numbers], it: Whole) -> Finding:
    setting, alpha, beta = it
    epsilon, delta = Epsilon(1.0), Fraction(1, 10**6)
    M = PrivateLearner.of_class(
        setting.H,
        alpha,
        beta,
        epsilon,
        delta,
        constants="proved",
        tie=setting.tie,
        pick="highest" if setting.highest else "lowest",
    )
    sizes = PrivateLearnerSizes(setting.dimension, alpha, beta, epsilon, delta, "proved")
    spent = M.guarantee
    if spent.epsilon > epsilon or spent.delta > delta or sizes.sample_size != M.sample_size:
        return settle(False, f"{setting}: M spends {spent}, on {M.sample_size} examples")
    G = GloballyStableLearner(
        setting.H,
        alpha / 2,
        constants="proved",
        tie=setting.tie,
        pick="highest" if setting.highest else "lowest",
    )
    law = G.enclosed_law_of_output(setting.target)
    frequencies: dict[int, Fraction] = {f: p.lower for f, p in law.items()}
    low, high = failure(numbers(sizes.private), setting, frequencies, alpha)
    text = f"{setting}, alpha = {alpha}, {M.sample_size:,} examples"
    return within(low, high, beta, text)


def _order_of_theorem_1(constant: int, it: Point) -> Finding:
    d, alpha, beta, epsilon, delta = it
    alpha /= 2  # below 1/2
    n = PrivateLearnerSizes(d, alpha, beta, Epsilon(epsilon), delta, "proved").sample_size
    order = theorem_1_order(d, alpha, beta, epsilon, delta, constants="proved")
    text = f"d = {d}, alpha = {alpha}, beta = {beta}, epsilon = {epsilon}, delta = {delta}"
    try:
        return at_least(order * constant, n, f"{text}: n = {n}, above {constant} * {order}")
    except Undecided:
        return undecided(text)


TRIALS: Trials = {
    "BLM20:theorem-1.explicit": (
        trial(
            "privacy and accuracy at the stated size",
            _theorem_1,
            _wholes,
            subject=numbers_of,
            mutant=never_released,
            universe="every class of dimension 1 (and 2, from the standard budget on) on up to "
            "2 points with every concept and tie, a counterexample to Lemma 12, then seeded "
            "settings; epsilon = 1, delta = 10^-6",
        ),
        trial(
            "privacy of the learner as it is made",
            _spends,
            _classes,
            subject=_as_made,
            mutant=_half_the_noise,
            universe="classes of dimension 1, 2 and 3: every one on up to 2 points and "
            "counterexamples to Lemma 12; epsilon = 1, delta = 10^-6: the laws of two items at "
            "counts around the cutoff, and of a choice of two, written out",
        ),
        trial(
            "the numbers as stated",
            follows,
            parameters,
            subject=sizes_of_theorem_1,
            mutant=printed_sizes,
            universe="d up to 4, a grid of alpha and beta, epsilon = 1, delta = 10^-6; algorithm G "
            "for alpha/2 is written out",
        ),
        trial(
            "the order",
            _order_of_theorem_1,
            points,
            subject=2000,
            mutant=10,
            universe="d up to 4, powers of two for alpha, beta = delta and epsilon",
        ),
        trial(
            "the loss that is left",
            whole_learner,
            accuracies,
            subject=numbers_of,
            mutant=few_kept,
            universe="two hypotheses that differ at a point whose mass is chosen, alpha = 1/4 (and "
            "1/16), three betas, epsilon about 1 and 1/10",
        ),
    ),
}
