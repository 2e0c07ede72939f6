"""Section II: the overview of the proof, its count of mistakes and its random contest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from pac_stability.books.bun_livni_moran.literal import (
    Sequence,
    TournamentSetting,
    hypotheses_of,
    label_string,
)
from pac_stability.books.bun_livni_moran.settings import (
    own_settings,
    random_settings,
    uniform_settings,
)
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    all_of,
    at_least,
    fails,
    idle,
    settle,
    trial,
)
from pac_stability.classes import FiniteClass, affine_lines
from pac_stability.papers.bun_livni_moran import RandomContest

Run: TypeAlias = tuple[Sequence, Fraction, int, int]
"""A sample with its probability, the mistakes of the SOA on it and the predictor after it."""


def _settings(budget: Budget) -> Iterator[TournamentSetting]:
    yield from uniform_settings((1, 2), (1, 2), least=1)
    H = FiniteClass(affine_lines(3).table)
    yield TournamentSetting(H, min(hypotheses_of(H)), (1,) * 9, budget.pick(2, 3, 3))
    many = random_settings(budget.pick(80, 800, 8000), points=5, rows=9, n=3, seed="overview")
    yield from (setting for setting in many if setting.dimension >= 1)


def _runs(setting: TournamentSetting) -> list[Run]:
    soa = setting.soa
    return [(T, p, soa.mistakes(T), soa(T)) for T, p in setting.blocks()]


def _mass(runs: list[Run], mistakes: int) -> Fraction:
    return sum((p for _, p, M, _ in runs if mistakes == M), Fraction(0))


def _some_number(least: Callable[[int], Fraction], setting: TournamentSetting) -> Finding:
    d, runs = setting.dimension, _runs(setting)
    found = [_mass(runs, i) for i in range(d + 1)]
    text = (
        f"{setting}: M = 0, ..., {d} with probabilities {', '.join(map(str, found))}; none is "
        f"{least(d)}, or they are not all"
    )
    return at_least(max(found), least(d), text) if sum(found) == 1 else fails(text)


def _identified(slack: int, setting: TournamentSetting) -> Finding:
    d = setting.dimension
    return all_of(
        settle(
            f == setting.concept,
            f"{setting}: after {M} mistakes on {T} the SOA predicts "
            f"{label_string(f, setting.points)}",
        )
        for T, _, M, f in _runs(setting)
        if d - slack <= M
    )


def _agreement(share: Callable[[Fraction], Fraction], setting: TournamentSetting) -> Finding:
    d, runs = setting.dimension, _runs(setting)
    q = _mass(runs, d - 1)
    law, collision = _given(runs, d - 1)
    if not q or collision < Fraction(1, 4):
        return idle()  # the other case of the overview
    most = max(sum((p for _, p, _, g in runs if g == f), Fraction(0)) for f in law)
    return at_least(
        most,
        share(q),
        f"{setting}: Pr[M = {d - 1}] = {q}, Pr[f_1 = f_2] = {collision}, and no output has "
        f"frequency {share(q)}; the largest is {most}",
    )


def _given(runs: list[Run], mistakes: int) -> tuple[dict[int, Fraction], Fraction]:
    """The law of the predictor given the number of mistakes, and how often two agree."""
    q, law = _mass(runs, mistakes), dict[int, Fraction]()
    for _, p, M, f in runs:
        if mistakes == M:
            law[f] = law.get(f, Fraction(0)) + p / q
    return law, sum((p * p for p in law.values()), Fraction(0))


def _won(setting: TournamentSetting) -> Fraction:
    """The probability that the contest takes place and outputs the target, pair by pair."""
    d, soa = setting.dimension, setting.soa
    ready = [(T, p, f) for T, p, M, f in _runs(setting) if d - 1 == M]
    frequencies: dict[int, Fraction] = {}
    for _, p, f in ready:
        frequencies[f] = frequencies.get(f, Fraction(0)) + p
    won = Fraction(0)
    for T, p, f in ready:
        # Each player wins against all others with probability 1/2, first or second in the pair.
        for g, q in frequencies.items():
            if f != g:
                x = setting.pick(f, g)
                output = soa((*T, (x, 1 - (f >> x & 1))))
                won += p * q * (output == setting.concept)
    return won


def _contest(
    formula: Callable[[Fraction, Fraction], Fraction], setting: TournamentSetting
) -> Finding:
    d, runs = setting.dimension, _runs(setting)
    q = _mass(runs, d - 1)
    collision = _given(runs, d - 1)[1] if q else Fraction(1)
    won, said = _won(setting), formula(q, collision)
    text = (
        f"{setting}: Pr[M = {d - 1}] = {q}, Pr[f_1 = f_2] = {collision}, the target wins with "
        f"probability {won}, said {said}"
    )
    return settle(won == said, text)


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


def _often_won(share: Fraction, setting: TournamentSetting) -> Finding:
    d, runs = setting.dimension, _runs(setting)
    q = _mass(runs, d - 1)
    if not q or _given(runs, d - 1)[1] >= Fraction(1, 4):
        return idle()
    won = _won(setting)
    text = f"{setting}: Pr[M = {d - 1}] = {q}, and the target wins with probability {won}"
    return at_least(won, share * q * q, text)


def _of_the_library(
    win: Callable[[TournamentSetting], Fraction], setting: TournamentSetting
) -> Finding:
    won, found = _won(setting), win(setting)
    return settle(won == found, f"{setting}: the target wins with probability {won}, not {found}")


def _contest_of(setting: TournamentSetting) -> RandomContest:
    return RandomContest(
        setting.H,
        setting.target,
        setting.n,
        tie=setting.tie,
        pick="highest" if setting.highest else "lowest",
    )


def _success(setting: TournamentSetting) -> Fraction:
    return _contest_of(setting).success


Outputs: TypeAlias = dict[int | None, Fraction]
"""How likely the contest outputs what; ``None`` where it does not take place."""


def _outputs(setting: TournamentSetting) -> Outputs:
    return dict(_contest_of(setting).law_of_contest().items())


def _of_one_run(setting: TournamentSetting) -> Outputs:
    return dict(_contest_of(setting).law_of_output().items())


def _as_listed(law: Callable[[TournamentSetting], Outputs], setting: TournamentSetting) -> Finding:
    """Pairs of runs with d - 1 mistakes, with either label."""
    d, soa = setting.dimension, setting.soa
    ready = [(T, p, f) for T, p, M, f in _runs(setting) if d - 1 == M]
    meant: Outputs = {}
    for (S, p, f), (T, q, g) in product(ready, repeat=2):
        if f != g:
            x = setting.pick(f, g)
            for y in (0, 1):
                output = soa((*(S if f >> x & 1 != y else T), (x, y)))
                meant[output] = meant.get(output, Fraction(0)) + p * q / 2
    if missing := 1 - sum(meant.values(), Fraction(0)):
        meant[None] = missing
    found = law(setting)
    return settle(found == meant, f"{setting}: the contest has the law {found}, not {meant}")


def _reason(share: int, setting: TournamentSetting) -> Finding:
    """Which of the three cases it is, and what is frequent by it."""
    d, runs = setting.dimension, _runs(setting)
    q, least = _mass(runs, d - 1), Fraction(1, d + 1)
    outputs: dict[int, Fraction] = {}
    for _, p, _, f in runs:
        outputs[f] = outputs.get(f, Fraction(0)) + p
    if _mass(runs, d) >= least:
        meant = "identified", max(outputs.values()), least
    elif q < least:
        return idle()
    elif _given(runs, d - 1)[1] >= Fraction(1, 4):
        meant = "collision", max(outputs.values()), q / 4
    else:
        meant = "contest", _won(setting), 3 * q * q / 8
    case, value, bound = _contest_of(setting).frequent_output()
    text = f"{setting}: by {case} frequency {value}, at least {bound}; by listing {meant}"
    return at_least(value, bound * share, text) if (case, value, bound) == meant else fails(text)


def _all_cases(budget: Budget) -> Iterator[TournamentSetting]:
    yield from _settings(budget)
    yield from _spread(Budget.QUICK)


_UNIVERSE = (
    "every class on up to 2 points with every concept and n up to 2, the lines over GF(3), then "
    "seeded classes on up to 5 points"
)

TRIALS: Trials = {
    "BLM20:overview-mistakes": (
        trial(
            "some number is likely",
            _some_number,
            _settings,
            subject=lambda d: Fraction(1, d + 1),
            mutant=lambda d: Fraction(1, d),
            universe=_UNIVERSE,
            on_class=own_settings(least=1),
        ),
        trial(
            "d mistakes identify",
            _identified,
            _settings,
            subject=0,
            mutant=1,
            universe=_UNIVERSE,
            on_class=own_settings(least=1),
        ),
    ),
    "BLM20:overview-agreement": (
        trial(
            "the most frequent output",
            _agreement,
            _settings,
            subject=lambda q: q / 4,
            mutant=lambda q: q,
            universe=_UNIVERSE,
            on_class=own_settings(least=1),
        ),
    ),
    "BLM20:overview-contest": (
        trial(
            "pair by pair",
            _contest,
            _settings,
            subject=lambda q, collision: q * q * (1 - collision) / 2,
            mutant=lambda q, collision: q * q * (1 - collision),
            universe=_UNIVERSE,
            on_class=own_settings(least=1),
        ),
        trial(
            "at least 3 q^2/8",
            _often_won,
            _spread,
            subject=Fraction(3, 8),
            mutant=Fraction(9, 20),
            universe="five and six points with as many predictors after one mistake, n up to 2",
        ),
        trial(
            "what the library finds",
            _of_the_library,
            _settings,
            subject=_success,
            mutant=lambda setting: 2 * _success(setting),
            universe=_UNIVERSE,
            on_class=own_settings(least=1),
        ),
        trial(
            "the law of the contest",
            _as_listed,
            _settings,
            subject=_outputs,
            mutant=_of_one_run,
            universe=_UNIVERSE,
            on_class=own_settings(least=1),
        ),
        trial(
            "what is frequent, and why",
            _reason,
            _all_cases,
            subject=1,
            mutant=2,
            universe=_UNIVERSE + ", and five and six points with as many predictors after one "
            "mistake",
            on_class=own_settings(least=1),
        ),
    ),
}
