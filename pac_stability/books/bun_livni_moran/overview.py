"""Section II: the overview of the proof, its count of mistakes and its random contest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import chain

from pac_stability.books.bun_livni_moran import literal, settings
from pac_stability.books.bun_livni_moran.literal import TournamentSetting
from pac_stability.claims import kit
from pac_stability.claims.kit import Budget
from pac_stability.classes import FiniteClass, affine_lines
from pac_stability.papers.bun_livni_moran import RandomContest

TRIALS = kit.Table("BLM20")
F = Fraction


class Runs:
    """The SOA on all samples of n examples: how many mistakes it makes, and what it ends with."""

    def __init__(self, setting: TournamentSetting) -> None:
        self.setting, self.d, soa = setting, setting.dimension, setting.soa
        self.all = [(T, p, soa.mistakes(T), soa(T)) for T, p in setting.blocks()]

    def mass(self, mistakes: int) -> Fraction:
        """Return Pr[M = i]."""
        return sum((p for _, p, M, _ in self.all if mistakes == M), F(0))

    @cached_property
    def ready(self) -> list[tuple[literal.Sequence, Fraction, int]]:
        """The samples with d - 1 mistakes, their probabilities, and the predictors after them."""
        return [(T, p, f) for T, p, M, f in self.all if self.d - 1 == M]

    @cached_property
    def frequencies(self) -> dict[int, Fraction]:
        """How likely each predictor comes with d - 1 mistakes."""
        law = defaultdict[int, Fraction](Fraction)
        for _, p, f in self.ready:
            law[f] += p
        return dict(law)

    @property
    def q(self) -> Fraction:
        """Pr[M = d - 1]."""
        return self.mass(self.d - 1)

    @property
    def collision(self) -> Fraction:
        """Pr[f_1 = f_2] given that both runs make d - 1 mistakes; 1 if none does."""
        squares = sum((p * p for p in self.frequencies.values()), F(0))
        return squares / self.q**2 if self.q else F(1)

    @property
    def highest(self) -> Fraction:
        """The frequency of the most frequent output, whatever the mistakes."""
        law = defaultdict[int, Fraction](Fraction)
        for _, p, _, f in self.all:
            law[f] += p
        return max(law.values())

    @property
    def won(self) -> Fraction:
        """How likely the contest takes place and outputs the target, pair by pair."""
        won, soa = F(0), self.setting.soa
        for T, p, f in self.ready:
            # Each player wins against all others with probability 1/2, first or second in the pair.
            for g, q in self.frequencies.items():
                if f != g and soa((*T, self.setting.mistake(f, g))) == self.setting.concept:
                    won += p * q
        return won


@kit.universe(
    "every class on up to 2 points with every concept and n up to 2, the lines over GF(3), then "
    "seeded classes on up to 5 points"
)
def _any_settings(budget: Budget) -> Iterator[TournamentSetting]:
    yield from settings.uniform_settings((1, 2), (1, 2), least=1)
    H = FiniteClass(affine_lines(3).table)
    yield TournamentSetting(H, min(literal.hypotheses_of(H)), (1,) * 9, budget.pick(2, 3, 3))
    many = settings.random_settings(
        budget.pick(80, 800, 8000), points=5, rows=9, n=3, seed="overview"
    )
    yield from (setting for setting in many if setting.dimension >= 1)


_settings = _any_settings.and_on(settings.own_settings(least=1))


def _some_number(
    least: Callable[[int], Fraction], setting: TournamentSetting
) -> kit.Finding | kit.Comparison:
    runs = Runs(setting)
    found = [runs.mass(i) for i in range(runs.d + 1)]
    if sum(found) != 1:
        return kit.fails(f"{setting}: M = 0, ..., d with probabilities {found}, which are not all")
    return kit.reaches(max(found), least(runs.d))


def _identified(slack: int, setting: TournamentSetting) -> Iterator[kit.Finding]:
    runs = Runs(setting)
    for T, _, M, f in runs.all:
        if runs.d - slack <= M:
            shown = literal.label_string(f, setting.points)
            text = f"{setting}: after {M} mistakes on {T} the SOA predicts {shown}"
            yield kit.settle(f == setting.concept, text)


def _agreement(
    share: Callable[[Fraction], Fraction], setting: TournamentSetting
) -> kit.Finding | kit.Comparison:
    runs = Runs(setting)
    if not runs.q or runs.collision < F(1, 4):
        return kit.idle()  # the other case of the overview
    all_with_mistakes = (
        sum((p for _, p, _, g in runs.all if g == f), F(0)) for f in runs.frequencies
    )
    return kit.reaches(max(all_with_mistakes), share(runs.q))


TRIALS.add(
    "overview-mistakes", "some number is likely", _some_number, _settings,
    lambda d: F(1, d + 1), lambda d: F(1, d),
)  # fmt: skip
TRIALS.add("overview-mistakes", "d mistakes identify", _identified, _settings, 0, 1)
TRIALS.add(
    "overview-agreement", "the most frequent output", _agreement, _settings,
    lambda q: q / 4, lambda q: q,
)  # fmt: skip

# The contest


def _pair_by_pair(
    formula: Callable[[Fraction, Fraction], Fraction], setting: TournamentSetting
) -> kit.Comparison:
    runs = Runs(setting)
    return kit.same(formula(runs.q, runs.collision), runs.won)


TRIALS.add(
    "overview-contest", "pair by pair", _pair_by_pair, _settings,
    lambda q, collision: q * q * (1 - collision) / 2, lambda q, collision: q * q * (1 - collision),
)  # fmt: skip


@kit.universe("five and six points with as many predictors after one mistake, n up to 2")
def _spread(budget: Budget) -> Iterator[TournamentSetting]:
    """Give targets whose points are as many different predictors after one mistake.

    They are the points of one set, beside which the class has each of them alone, and with one
    point outside: after a mistake at x the SOA predicts x alone.
    """
    for k in range(5, budget.pick(6, 7, 8) + 1):
        alone = [[int(x == y) for y in range(k)] for x in range(k)]
        H = FiniteClass([[1] * k + [0], *([*row, e] for row in alone for e in (0, 1))])
        for weights in ((1,) * k + (0,), (2,) * k + (1,), (2,) + (1,) * (k - 1) + (0,)):
            for n, highest in ((1, False), (1, True), (2, False)):
                yield TournamentSetting(H, (1 << k) - 1, weights, n, highest=highest)


def _often_won(share: Fraction, setting: TournamentSetting) -> kit.Finding | kit.Comparison:
    runs = Runs(setting)
    if not runs.q or runs.collision >= F(1, 4):
        return kit.idle()
    return kit.reaches(runs.won, share * runs.q**2)


TRIALS.add("overview-contest", "at least 3 q^2/8", _often_won, _spread, F(3, 8), F(9, 20))


def _reason(share: int, setting: TournamentSetting) -> kit.Finding | kit.Comparison:
    """Which of the three cases it is, and what is frequent by it."""
    runs = Runs(setting)
    q, least = runs.q, F(1, runs.d + 1)
    if runs.mass(runs.d) >= least:
        meant = "identified", runs.highest, least
    elif q < least:
        return kit.idle()
    elif runs.collision >= F(1, 4):
        meant = "collision", runs.highest, q / 4
    else:
        meant = "contest", runs.won, 3 * q * q / 8
    contest = RandomContest(
        setting.H, setting.target, setting.n, tie=setting.tie, pick=setting.order
    )
    case, value, bound = contest.frequent_output()
    if (case, value, bound) != meant:
        return kit.fails(f"{setting}: by {case} {value}, at least {bound}; by listing {meant}")
    return kit.reaches(value, bound * share)


_all_cases = replace(
    _settings,
    words=f"{_settings.words}, and five and six points with as many predictors after one mistake",
    instances=lambda budget: chain(_settings.instances(budget), _spread.instances(Budget.QUICK)),
)
TRIALS.add("overview-contest", "what is frequent, and why", _reason, _all_cases, 1, 2)
