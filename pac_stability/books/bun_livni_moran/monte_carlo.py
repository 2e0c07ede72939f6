"""Section IV-C: the variant of D_k with a budget of draws, and Lemma 14."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from pac_stability.books.bun_livni_moran.climbs import tournament_settings
from pac_stability.books.bun_livni_moran.contested import CONTESTED, of_dimension_two
from pac_stability.books.bun_livni_moran.literal import Sequence, TournamentSetting
from pac_stability.books.bun_livni_moran.settings import (
    counterexample,
    counterexamples,
    own_settings,
    random_settings,
    tournaments,
    uniform_settings,
    where_the_pick_counts,
)
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    all_of,
    at_least,
    at_most,
    fails,
    idle,
    settle,
    trial,
)
from pac_stability.classes import FiniteClass
from pac_stability.papers.bun_livni_moran import MonteCarloTournament
from pac_stability.papers.bun_livni_moran.formulas import ExpectedDraws, expected_draws


class Budgeted:
    """The tournaments with a budget of N draws, by listing samples together with their draws."""

    def __init__(self, setting: TournamentSetting, budget: int) -> None:
        self._setting, self._budget = setting, budget
        self._levels: list[dict[tuple[Sequence, int], Fraction]] = [{((), 0): Fraction(1)}]

    def _players(self, k: int) -> list[tuple[Sequence, int, Fraction, int]]:
        """Yield S o T, how much has been drawn for it, its probability and its predictor."""
        soa, n, blocks = self._setting.soa, self._setting.n, list(self._setting.blocks())
        return [
            (S + T, drawn + n, p * q, soa(S + T))
            for (S, drawn), p in self._level(k).items()
            for T, q in blocks
        ]

    def _level(self, k: int) -> dict[tuple[Sequence, int], Fraction]:
        while len(self._levels) <= k:
            self._levels.append(self._won(self._players(len(self._levels) - 1)))
        return self._levels[k]

    def _won(
        self, players: list[tuple[Sequence, int, Fraction, int]]
    ) -> dict[tuple[Sequence, int], Fraction]:
        costs: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
        for _, drawn, p, f in players:
            costs[f, drawn] += p
        tie: dict[int, Fraction] = defaultdict(Fraction)
        for ((f, a), p), ((g, b), q) in product(costs.items(), repeat=2):
            if f == g:
                tie[a + b] += p * q
        # How much has been drawn in rounds that were ties, as long as the budget lasts.
        before: dict[int, Fraction] = {0: Fraction(1)}
        for spent in range(self._budget + 1):
            for cost, p in tie.items():
                if spent in before and spent + cost <= self._budget:
                    later = spent + cost
                    before[later] = before.get(later, Fraction(0)) + before[spent] * p
        law: dict[tuple[Sequence, int], Fraction] = defaultdict(Fraction)
        for ST, a, p, f in players:
            for (g, b), q in costs.items():
                if f != g:
                    x = self._setting.pick(f, g)
                    S = (*ST, (x, 1 - (f >> x & 1)))
                    for spent, r in before.items():
                        if spent + a + b <= self._budget:
                            law[S, spent + a + b] += p * q * r
        return dict(law)

    def outputs(self, k: int) -> dict[int | None, Fraction]:
        """Return the law of SOA(S o T), with ``None`` for "Fail"."""
        law: dict[int | None, Fraction] = defaultdict(Fraction)
        for _, _, p, f in self._players(k):
            law[f] += p
        if (fail := 1 - sum(law.values(), Fraction(0))) > 0:
            law[None] = fail
        return dict(law)


class Counted:
    """The tournaments without a budget, by listing samples with the draws that they take.

    That draws and samples are independent is not used: of each sample its probability is known, and
    the mean of its draws, counted where it is the one that is made.
    """

    def __init__(self, setting: TournamentSetting) -> None:
        self._setting = setting
        zero = Fraction(0)
        self._levels: list[dict[Sequence, tuple[Fraction, Fraction]]] = [{(): (1 + zero, zero)}]

    def mean(self, k: int) -> Fraction | None:
        """Return E[M_k]; ``None`` if the rounds never end."""
        while len(self._levels) <= k:
            self._levels.append(self._won(self._levels[-1]))
        level = self._levels[k].values()
        return sum((draws for _, draws in level), Fraction(0)) if level else None

    def _won(
        self, below: dict[Sequence, tuple[Fraction, Fraction]]
    ) -> dict[Sequence, tuple[Fraction, Fraction]]:
        setting, zero = self._setting, Fraction(0)
        blocks = list(setting.blocks())
        players = [
            (S + T, p * q, (draws + setting.n * p) * q, setting.soa(S + T))
            for (S, (p, draws)), (T, q) in product(below.items(), blocks)
        ]
        outputs: dict[int, tuple[Fraction, Fraction]] = {}
        for _, p, draws, f in players:
            before = outputs.get(f, (zero, zero))
            outputs[f] = before[0] + p, before[1] + draws
        tie = sum((p * p for p, _ in outputs.values()), zero)
        if tie == 1:
            return {}
        wasted = sum((2 * p * draws for p, draws in outputs.values()), zero)
        law: dict[Sequence, tuple[Fraction, Fraction]] = {}
        for ST, p, draws, f in players:
            for g, (q, others) in outputs.items():
                if f != g:
                    S = (*ST, (setting.pick(f, g), 1 - (f >> setting.pick(f, g) & 1)))
                    won, spent = p * q, draws * q + p * others
                    # Of the rounds before, j with probability tie^j, each wastes the same.
                    spent = spent / (1 - tie) + won * wasted / (1 - tie) ** 2
                    before = law.get(S, (zero, zero))
                    law[S] = before[0] + won / (1 - tie), before[1] + spent
        return law


Limited: TypeAlias = tuple[TournamentSetting, int, int]
"""A setting, a number of tournaments and a budget in blocks of n draws."""


def _limited(budget: Budget) -> Iterator[Limited]:
    yield from product([counterexample("equal-weights")], [1], [2, 4, 8])
    for setting in uniform_settings((1, 2), (1,)):
        yield from product([setting], [0, 1], [2, 4, 6])
        yield from product([setting], [2], [6, 8])
    # With twelve blocks a tie of two winners of D_1 can be followed by another round.
    yield from product(where_the_pick_counts(), [2], [6, 12])
    for setting in random_settings(budget.pick(20, 200, 2000), points=3, rows=5, n=2):
        yield from product([setting], [1], [2, 5, 8])


def _library_variant(it: Limited) -> dict[int | None, Fraction]:
    setting, k, blocks = it
    D = MonteCarloTournament(
        setting.H,
        setting.target,
        k,
        setting.n,
        blocks * setting.n,
        pick="highest" if setting.highest else "lowest",
        tie=setting.tie,
    )
    return dict(D.law_of_output().items())


def _budget_of_one_more(it: Limited) -> dict[int | None, Fraction]:
    return _library_variant((it[0], it[1], it[2] + 2))


def _same_variant(variant: Callable[[Limited], dict[int | None, Fraction]], it: Limited) -> Finding:
    setting, k, blocks = it
    meant, found = Budgeted(setting, blocks * setting.n).outputs(k), variant(it)
    return settle(
        meant == found,
        f"{setting}, k = {k}, N = {blocks * setting.n}: law {found}, by listing {meant}",
    )


# Lemma 14


def _settings(budget: Budget) -> Iterator[TournamentSetting]:
    yield from uniform_settings((1, 2), (1, 2), least=1)
    yield from _nearly_two_outputs()
    for _, setting in counterexamples():
        yield setting
    yield from of_dimension_two(budget, thinned=budget.pick(3, 9, 9))
    many = random_settings(budget.pick(80, 800, 8000), points=6, rows=9, n=3, seed="lemma-14")
    yield from (setting for setting in many if setting.dimension >= 1)


def _nearly_two_outputs() -> Iterator[TournamentSetting]:
    """Three hypotheses; D_0 has two outputs of nearly 1/2, so that most rounds are ties."""
    H = FiniteClass([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    for n, rare in ((1, 499), (1, 400)):
        for highest in (False, True):
            yield TournamentSetting(H, 0, (rare, 499, 1001 - rare - 499), n, 1, highest)


_SETTINGS = (
    "every class of dimension at least 1 on up to 2 points with every concept and tie, three "
    "hypotheses that make nearly two outputs, the counterexamples to Lemma 12, then seeded "
    "settings on up to 6 points, and one of three (of nine, from the standard budget on) "
    f"{CONTESTED}; samples are listed with their draws "
    "where they are few"
)

Draws: TypeAlias = Callable[[int, int, Fraction], Fraction]
"""From k, n and the threshold to a bound on E[M_k]."""


def _mean_draws(bound: Draws, setting: TournamentSetting) -> Finding:
    d, n = setting.dimension, setting.n
    listed = Counted(setting) if sum(map(bool, setting.weights)) ** n <= 5 else None

    def means(tau: Fraction) -> Iterator[Finding]:
        D = tournaments(setting, d, tau)
        for k in range(D.last_defined + 1):
            found = D.at(k).expected_draws
            mean = found if listed is None or k > 2 else listed.mean(k)
            text = (
                f"{setting}: E[M_{k}] = {mean}, the library says {found}, bound {bound(k, n, tau)} "
                f"for threshold {tau}"
            )
            formula = expected_draws((D.at(i).collision for i in range(k)), n)
            same = mean == found == formula
            yield at_most(found, bound(k, n, tau), text) if same else fails(text)

    return all_of(found for tau in (Fraction(1, 2**d), Fraction(1, 2)) for found in means(tau))


def _sums(_: Budget) -> Iterator[tuple[int, int, Fraction]]:
    yield from product(range(5), (1, 7), (Fraction(1, 2), Fraction(1, 4), Fraction(1, 140)))


def _ordered(
    bounds: Callable[[int, int, Fraction], ExpectedDraws], it: tuple[int, int, Fraction]
) -> Finding:
    k, n, tau = it
    found, g = bounds(k, n, tau), 2 / (1 - tau)
    meant = sum((g**j for j in range(1, k + 1)), Fraction(0)) * n
    summed, printed = (2 ** (2 * k + 2) - 4) // 3 * n, 2 ** (2 * k + 2) * n
    text = f"k = {k}, n = {n}, tau = {tau}: {found}, not {meant} <= {summed} <= {printed}"
    right = found.from_threshold == meant and found.summed == summed < printed == found.printed
    return at_most(meant, summed, text) if right else fails(text)


def _by_the_law(share: Fraction, it: Limited) -> Finding:
    setting, k, blocks = it
    D = tournaments(setting, k)
    if not D.is_defined:
        return idle()
    N, outputs = blocks * setting.n, Budgeted(setting, blocks * setting.n).outputs(k)
    fail, mean = outputs.get(None, Fraction(0)), D.expected_draws
    exact = all(outputs.get(f, Fraction(0)) == p * (1 - fail) for f, p in D.law_of_output().items())
    text = (
        f"{setting}, k = {k}, N = {N}: fails with probability {fail}, more than {share} E[M]/N "
        f"with E[M] = {mean}; or outputs depend on the draws"
    )
    return at_most(fail * N, share * mean, text, ceiling=N) if exact else fails(text)


def _below_threshold(step: int, setting: TournamentSetting) -> Finding:
    d = setting.dimension
    tau = Fraction(1, 2**d)
    D = tournaments(setting, d, None)
    return all_of(
        at_least(
            tau,
            D.at(i).highest_frequency,
            f"{setting}: D_{i + step} is defined, and an output of D_{i} has frequency "
            f"{D.at(i).highest_frequency} >= 2^-{d}",
            strictly=True,
        )
        for i in range(D.last_defined + 1 - step)
    )


_LIMITED = (
    "a counterexample to Lemma 12, every class on up to 2 points with every concept "
    "and tie and k up to 2, two classes on 3 points with k = 2, then seeded settings on up to 3 "
    "points; budgets up to 12 n"
)

TRIALS: Trials = {
    "BLM20:definition-monte-carlo": (
        trial(
            "the law of the output",
            _same_variant,
            _limited,
            subject=_library_variant,
            mutant=_budget_of_one_more,
            universe=_LIMITED,
        ),
    ),
    "BLM20:lemma-14.indices": (
        trial(
            "the highest frequency",
            _below_threshold,
            _settings,
            subject=0,
            universe=_SETTINGS,
            on_class=own_settings(least=1),
        ),
    ),
    "BLM20:lemma-14.indices-repaired": (
        trial(
            "the highest frequency",
            _below_threshold,
            _settings,
            subject=1,
            mutant=0,
            universe=_SETTINGS,
            on_class=own_settings(least=1),
        ),
    ),
    "BLM20:lemma-14": (
        trial(
            "the mean, from how often players differ",
            _mean_draws,
            _settings,
            subject=lambda k, n, _: Fraction(4 ** (k + 1) * n),
            mutant=lambda k, n, _: Fraction(2 * (2**k - 1) * n),
            universe=_SETTINGS,
            on_class=own_settings(least=1),
            climb=tournament_settings("blm20-lemma-14", n=3, dimensions=(1, 2)),
        ),
        trial(
            "Markov's inequality against the law",
            _by_the_law,
            _limited,
            subject=Fraction(1),
            mutant=Fraction(1, 4),
            universe=_LIMITED,
        ),
    ),
    "BLM20:lemma-14.repaired": (
        trial(
            "the three bounds",
            _ordered,
            _sums,
            subject=ExpectedDraws,
            mutant=lambda k, n, tau: ExpectedDraws(k, n, tau / 2),
            universe="k up to 4, n = 1 and 7, tau = 1/2, 1/4 and 1/140",
        ),
        trial(
            "the mean, from how often players differ",
            _mean_draws,
            _settings,
            subject=lambda k, n, tau: ExpectedDraws(k, n, tau).from_threshold,
            mutant=lambda k, n, tau: ExpectedDraws(k, n, tau).from_threshold * (1 - tau),
            universe=_SETTINGS,
            on_class=own_settings(least=1),
        ),
    ),
}
