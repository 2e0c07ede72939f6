"""Section IV-B: Lemma 12, where it fails and what holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product

from pac_stability.arithmetic import Constants
from pac_stability.audit import Verdict
from pac_stability.books.bun_livni_moran.climbs import tournament_settings
from pac_stability.books.bun_livni_moran.contested import (
    CONTESTED,
    CONTESTED_THREE,
    contested,
    first,
    of_dimension_one,
    of_dimension_two,
)
from pac_stability.books.bun_livni_moran.literal import (
    Tournaments,
    TournamentSetting,
)
from pac_stability.books.bun_livni_moran.settings import (
    as_setting,
    counterexample,
    counterexamples,
    own_settings,
    random_settings,
    tournaments,
    uniform_settings,
)
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    all_of,
    at_least,
    at_most,
    holds,
    idle,
    settle,
    trial,
)
from pac_stability.papers.bun_livni_moran import counterexample_for, reached_frequencies
from pac_stability.papers.bun_livni_moran.formulas import (
    FrequencyThreshold,
    agreement_bounds,
    proves,
)

Threshold = Callable[[int], Fraction]
"""From the Littlestone dimension to the frequency that some output is said to reach."""


def printed(d: int) -> Fraction:
    """Return 2^-d."""
    return Fraction(1, 2**d)


def _repaired(d: int) -> Fraction:
    return FrequencyThreshold(d, "proved").value


def _failing(budget: Budget) -> Iterator[TournamentSetting]:
    """The counterexamples, those on five points first."""
    names = (setting for _, setting in counterexamples())
    yield from islice(names, budget.pick(6, 10, 10))


def _of_every_size(budget: Budget) -> Iterator[range]:
    yield range(3, budget.pick(6, 10, 20))


def _fails_for_each(threshold: Threshold, sizes: range) -> Finding:
    """Refute a threshold for every n, by the family that has a counterexample for each."""
    found = [reached(threshold, as_setting(counterexample_for(n))) for n in sizes]
    refuted = [one for one in found if one.verdict is Verdict.REFUTED]
    return refuted[0] if len(refuted) == len(found) else holds()


def all_settings(budget: Budget) -> Iterator[TournamentSetting]:
    """Give the settings of which :data:`SETTINGS` says what they are."""
    yield from _failing(budget)
    if budget is Budget.QUICK:
        yield counterexample("dimension-three")
    yield from uniform_settings((1, 2), (1, 2))
    yield from random_settings(budget.pick(60, 600, 6000), points=6, rows=9, n=4, seed="lemma-12")
    yield from of_dimension_two(budget, thinned=budget.pick(3, 9, 9))


SETTINGS = (
    "the counterexamples to Lemma 12, every class on up to 2 points with every concept and tie, "
    "seeded settings on up to 6 points, then one of three (of nine, from the standard budget on) "
    f"{CONTESTED}"
)


def decisive_settings(budget: Budget) -> Iterator[TournamentSetting]:
    """Give the settings of which :data:`DECISIVE` says what they are."""
    yield from _failing(Budget.DEEP)
    yield from uniform_settings((1, 2), (1, 2))
    yield from random_settings(budget.pick(60, 600, 6000), points=6, rows=9, n=4, seed="lemma-12")
    yield from contested(budget)


DECISIVE = (
    "the counterexamples to Lemma 12, every class on up to 2 points with every concept and tie, "
    f"seeded settings on up to 6 points, then {CONTESTED}, and {CONTESTED_THREE}"
)


def reached(threshold: Threshold, setting: TournamentSetting) -> Finding:
    """Whether some output of some D_k, k <= d, is as frequent as a threshold says."""
    d = setting.dimension
    tau, found = threshold(d), list[Fraction]()
    small = setting.points**setting.n <= 5
    literal = Tournaments(setting) if small else None
    for k in range(d + 1):
        # The listing of samples where it is short; else the law, which BLM20:definition-tournaments
        # compares with it.
        law = (
            literal.outputs(k)
            if literal is not None
            else dict(tournaments(setting, k).law_of_output().items())
        )
        found.append(max(law.values()))
        if found[-1] >= tau:
            break
    shown = ", ".join(f"{p} = {float(p):.4f}" for p in found)
    return at_least(
        max(found),
        tau,
        f"{setting}: d = {d}, the highest frequencies for k = 0, ..., {d} are {shown}, "
        f"all below {tau}",
    )


def _low_dimension(budget: Budget) -> Iterator[TournamentSetting]:
    yield from uniform_settings((1, 2), (1, 2), most=1)
    for setting in random_settings(budget.pick(400, 2000, 20000), points=6, rows=5, n=4):
        if setting.dimension <= 1:
            yield setting
    yield from first(of_dimension_one, budget.pick(30, 300, 3000))


def _three_points(budget: Budget) -> Iterator[TournamentSetting]:
    for setting in uniform_settings((3,), (1,), least=2):
        for weights in product(range(budget.pick(1, 2, 3) + 1), repeat=3):
            for n in range(1, budget.pick(1, 2, 2) + 1):
                if any(weights):
                    yield replace(setting, weights=weights, n=n)


# How often the tournament labels agree with the target


def _halves(share: Callable[[int], Fraction], setting: TournamentSetting) -> Finding:
    D = tournaments(setting, setting.dimension, None)
    for k in range(D.last_defined + 1):
        found = D.at(k).all_labels_agree
        if found != share(k):
            return settle(
                False,
                f"{setting}: the {k} labels agree with the target with probability {found} = "
                f"{float(found):.4f}, not {share(k)}",
            )
    return holds()


Step = Callable[[Fraction, Fraction, Fraction], Fraction]
"""From rho_k, the highest frequency and theta to a lower bound on rho_{k+1}."""


def agreement(step: Step, setting: TournamentSetting) -> Finding:
    """Whether labels agree as often after each tournament as a step says."""
    D = tournaments(setting, 3)
    sequences = setting.points**setting.n
    literal = Tournaments(setting) if sequences <= 5 else None
    short = 2 if sequences <= 4 else 1  # tournaments of which the samples are listed

    def after(k: int) -> Finding:
        below, rho, above = D.at(k), D.at(k).all_labels_agree, D.at(k + 1).all_labels_agree
        least = step(rho, below.highest_frequency, 1 - below.collision)
        most = rho * (1 - rho / 2) / (1 - below.collision)
        listed = literal is None or k >= short or literal.agreement(k + 1) == above
        first = k > 0 or above == Fraction(1, 2)
        text = f"{setting}: rho_{k} = {rho}, rho_{k + 1} = {above}, not between {least} and {most}"
        return all_of(
            (
                settle(listed and first, text),
                at_least(above, least, text),
                at_most(above, most, text, ceiling=1),
            )
        )

    return all_of(map(after, range(D.last_defined)))


def _proved_step(rho: Fraction, tau: Fraction, theta: Fraction) -> Fraction:
    return rho * (rho - tau) / (2 * theta)


def printed_step(rho: Fraction, tau: Fraction, theta: Fraction) -> Fraction:
    """Return half of it, as if a label were independent of the sample that is kept."""
    return rho / 2


def _target_is_frequent(factor: int, setting: TournamentSetting) -> Finding:
    d = setting.dimension
    D = tournaments(setting, d)
    if not D.is_defined:
        return idle()
    found, rho = D.law_of_output().probability(setting.concept), D.all_labels_agree
    return at_least(
        found,
        factor * rho,
        f"{setting}: Pr[SOA(S o T) = c] = {found} for S ~ D_{d}, below {factor} times {rho}, the "
        "probability that all labels agree",
    )


# What the library reports

Report = tuple[tuple[Fraction, ...], tuple[Fraction, ...], int | None]
"""The highest frequencies, how often all labels agree, and the level that reaches the threshold."""


Asked = tuple[TournamentSetting, Constants]
"""A setting, and whose threshold is meant."""


def _short(budget: Budget) -> Iterator[Asked]:
    settings = [*uniform_settings((1, 2), (1,))]
    settings += (setting for _, setting in islice(counterexamples(), 2))
    many = random_settings(budget.pick(20, 100, 1000), points=4, rows=8, n=1, seed="reports")
    settings += (setting for setting in many if setting.dimension <= 2)
    yield from product(settings, (Constants.SHARP, Constants.PRINTED))


def _report(it: Asked) -> Report:
    setting, constants = it
    found = reached_frequencies(
        setting.H,
        setting.target,
        setting.n,
        constants=constants,
        tie=setting.tie,
        pick="highest" if setting.highest else "lowest",
    )
    return found.frequencies, found.agreement, found.level


def _next_level(it: Asked) -> Report:
    frequencies, agreement, level = _report(it)
    return frequencies, agreement, None if level is None else level + 1


def _reported(report: Callable[[Asked], Report], it: Asked) -> Finding:
    """Level after level is listed, up to the first that reaches the threshold."""
    setting, constants = it
    listed, d = Tournaments(setting), setting.dimension
    tau = (_repaired if constants is Constants.SHARP else printed)(d)
    highest = [max(listed.outputs(0).values())]
    while highest[-1] < tau and len(highest) <= d:
        highest.append(max(listed.outputs(len(highest)).values()))
    agreed = tuple(listed.agreement(k) for k in range(len(highest)))
    meant = tuple(highest), agreed, len(highest) - 1 if highest[-1] >= tau else None
    return settle(report(it) == meant, f"{setting}: {report(it)}, by listing {meant}")


# The thresholds as numbers


def _dimensions(_: Budget) -> Iterator[int]:
    yield from range(1, 9)


def _proved_thresholds(shift: int, d: int) -> Finding:
    tau = Fraction(1, FrequencyThreshold(d, "proved").value.denominator + shift)
    r = [Fraction(1), Fraction(1, 2)]
    while len(r) <= d:
        r.append(r[-1] * (r[-1] - tau) / 2)
    between = d == 1 or Fraction(1, 2 ** (2**d)) <= tau <= Fraction(1, 2 ** (2**d - 1))
    return settle(
        r[d] >= tau
        and between
        and proves(d, tau)
        and all(a >= b for a, b in zip(agreement_bounds(d, tau), r, strict=True)),
        f"d = {d}: r_d(tau) is below tau = 1/{tau.denominator}, or tau is out of its range",
    )


TRIALS: Trials = {
    "BLM20:lemma-12.independence": (
        trial(
            "exact probabilities",
            _halves,
            _failing,
            subject=printed,
            universe="counterexamples to Lemma 12",
            on_class=own_settings(),
        ),
    ),
    "BLM20:lemma-12.agreement": (
        trial(
            "one tournament more",
            agreement,
            all_settings,
            subject=_proved_step,
            mutant=printed_step,
            universe=SETTINGS + "; k up to 3",
            on_class=own_settings(),
        ),
        trial(
            "what is reported",
            _reported,
            _short,
            subject=_report,
            mutant=_next_level,
            universe="every class on up to 2 points with every concept and tie, two "
            "counterexamples to Lemma 12, then seeded settings of dimension up to 2 on up to 4 "
            "points, for the threshold that is proved and the printed one; n = 1, all samples",
        ),
    ),
    "BLM20:lemma-12.target": (
        trial(
            "the frequency of the target",
            _target_is_frequent,
            all_settings,
            subject=1,
            mutant=2,
            universe=SETTINGS,
            on_class=own_settings(),
        ),
    ),
    "BLM20:lemma-12": (
        trial(
            "the highest frequencies",
            reached,
            _failing,
            subject=printed,
            universe="counterexamples, those on five points first",
            on_class=own_settings(),
        ),
        trial(
            "for every n",
            _fails_for_each,
            _of_every_size,
            subject=printed,
            universe="the family with a counterexample for each n, from n = 3 on, all at once",
        ),
    ),
    "BLM20:lemma-12.dimension-one": (
        trial(
            "the highest frequencies",
            reached,
            _low_dimension,
            subject=printed,
            mutant=lambda d: Fraction(2, 2 + d),
            universe="every class of dimension at most 1 on up to 2 points with every concept "
            "and tie, n up to 2, then seeded settings on up to 6 points, and 30 (300, 3000) that "
            "leave every output of D_0 rarer than 1/2",
            on_class=own_settings(most=1),
        ),
    ),
    "BLM20:lemma-12.three-points": (
        trial(
            "the highest frequencies",
            reached,
            _three_points,
            subject=printed,
            mutant=lambda d: Fraction(3, 2 ** (d + 1)),
            universe="every class of dimension 2 or 3 on three points, one of each kind, every "
            "concept and tie; weights up to 1 and n = 1, more with the budget",
            exhaustive=True,
        ),
    ),
    "BLM20:lemma-12.repaired": (
        trial(
            "the highest frequencies",
            reached,
            decisive_settings,
            subject=_repaired,
            mutant=printed,
            universe=DECISIVE,
            on_class=own_settings(),
            climb=tournament_settings("blm20-lemma-12", n=3, dimensions=(2, 3)),
        ),
        trial(
            "the thresholds",
            _proved_thresholds,
            _dimensions,
            subject=0,
            mutant=-1,
            universe="d from 1 to 8",
            exhaustive=True,
        ),
    ),
}
