"""Section IV-B: how frequent outputs of the tournaments are, and how wrong (Lemmas 12 and 13)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain, islice, product
from typing import NamedTuple

from pac_stability.arithmetic import Constants, Interval
from pac_stability.audit import Verdict
from pac_stability.books.bun_livni_moran.literal import Tournaments, TournamentSetting
from pac_stability.books.bun_livni_moran.settings import (
    CONTESTED,
    CONTESTED_THREE,
    as_setting,
    contested,
    counterexample,
    counterexamples,
    first_settings,
    of_dimension_one,
    of_dimension_two,
    own_settings,
    random_settings,
    tournament_settings,
    tournaments,
    uniform_settings,
    with_a_twin,
)
from pac_stability.claims import kit
from pac_stability.claims.kit import holds
from pac_stability.classes import FiniteClass
from pac_stability.papers.bun_livni_moran import counterexample_for, formulas, reached_frequencies

TRIALS = kit.Table("BLM20")
F = Fraction
_HIGHEST = "the highest frequencies"

Threshold = Callable[[int], Fraction]
"""From the Littlestone dimension to the frequency that some output is said to reach."""


def _printed(d: int) -> Fraction:
    return F(1, 2**d)


def _repaired(d: int) -> Fraction:
    return formulas.FrequencyThreshold(d, "proved").value


# What is asked of


def _on_classes(
    words: str, instances: Callable[[kit.Budget], Iterator[TournamentSetting]]
) -> kit.Universe[TournamentSetting]:
    return kit.Universe(words, instances, on_class=own_settings())


def _counterexamples(budget: kit.Budget) -> Iterator[TournamentSetting]:
    yield from counterexamples()[: budget.pick(6, 10, 10)]


def _common(budget: kit.Budget) -> Iterator[TournamentSetting]:
    yield from uniform_settings((1, 2), (1, 2))
    yield from random_settings(budget.pick(60, 600, 6000), points=6, rows=9, n=4, seed="lemma-12")


def _of_dimension_two_and_more(budget: kit.Budget) -> Iterator[TournamentSetting]:
    yield from _counterexamples(budget)
    if budget is kit.Budget.QUICK:
        yield counterexample("dimension-three")
    yield from _common(budget)
    yield from of_dimension_two(budget, thinned=budget.pick(3, 9, 9))


def _decisive(budget: kit.Budget) -> Iterator[TournamentSetting]:
    yield from chain(_counterexamples(kit.Budget.DEEP), _common(budget), contested(budget))


_COMMON = (
    "the counterexamples to Lemma 12, every class on up to 2 points with every concept and tie, "
    "seeded settings on up to 6 points, then"
)
_failing = _on_classes("counterexamples, those on five points first", _counterexamples)
_settings = _on_classes(
    f"{_COMMON} one of three (of nine, from the standard budget on) {CONTESTED}",
    _of_dimension_two_and_more,
)
_step_by_step = replace(_settings, words=f"{_settings.words}; k up to 3")
_decisive_settings = _on_classes(f"{_COMMON} {CONTESTED}, and {CONTESTED_THREE}", _decisive)


@kit.universe(
    "every class of dimension at most 1 on up to 2 points with every concept and tie, n up to 2, "
    "then seeded settings on up to 6 points, and 30 (300, 3000) that leave every output of D_0 "
    "rarer than 1/2"
)
def _low_dimension(budget: kit.Budget) -> Iterator[TournamentSetting]:
    yield from uniform_settings((1, 2), (1, 2), most=1)
    many = random_settings(budget.pick(400, 2000, 20000), points=6, rows=5, n=4)
    yield from (setting for setting in many if setting.dimension <= 1)
    yield from first_settings(of_dimension_one, budget.pick(30, 300, 3000))


@kit.universe(
    "every class of dimension 2 or 3 on three points, one of each kind, every concept and tie; "
    "weights up to 1 and n = 1, more with the budget",
    extent="classes on 3 points, weights up to {1, 2, 3}",
)
def _three_points(budget: kit.Budget) -> Iterator[TournamentSetting]:
    weightings = list(product(range(budget.pick(1, 2, 3) + 1), repeat=3))[1:]
    for setting in uniform_settings((3,), (1,), least=2):
        for weights, n in product(weightings, range(1, budget.pick(1, 2, 2) + 1)):
            yield replace(setting, weights=weights, n=n)


# Lemma 12: the highest frequencies


@lru_cache(maxsize=1 << 12)  # several statements are asked about the same settings
def _highest(setting: TournamentSetting, k: int) -> Fraction:
    return tournaments(setting, k).highest_frequency


def _reached(threshold: Threshold, setting: TournamentSetting) -> kit.Finding:
    """Whether some output of some D_k, k <= d, is as frequent as a threshold says."""
    d = setting.dimension
    tau, found = threshold(d), list[Fraction]()
    # The listing of samples where it is short; else the law, which BLM20:definition-tournaments
    # compares with it.
    literal = Tournaments(setting) if setting.points**setting.n <= 5 else None
    for k in range(d + 1):
        if literal is not None:
            found.append(max(literal.outputs(k).values()))
        else:
            found.append(_highest(setting, k))
        if found[-1] >= tau:
            break
    shown = ", ".join(f"{p} = {float(p):.4f}" for p in found)
    text = (
        f"{setting}: d = {d}, the highest frequencies for k = 0, ..., {d} are {shown}, "
        f"all below {tau}"
    )
    return kit.reaches(max(found), tau).settle(text)


TRIALS.add("lemma-12", _HIGHEST, _reached, _failing, _printed)
TRIALS.add(
    "lemma-12.dimension-one", _HIGHEST, _reached, _low_dimension.and_on(own_settings(most=1)),
    _printed, lambda d: F(2, 2 + d),
)  # fmt: skip
TRIALS.add(
    "lemma-12.three-points", _HIGHEST, _reached, _three_points,
    _printed, lambda d: F(3, 2 ** (d + 1)),
)  # fmt: skip
TRIALS.add(
    "lemma-12.repaired", _HIGHEST, _reached, _decisive_settings, _repaired, _printed,
    tournament_settings("blm20-lemma-12", n=3, dimensions=(2, 3)),
)  # fmt: skip
TRIALS.add(
    "lemma-12.sharper", _HIGHEST, _reached, _decisive_settings,
    lambda d: formulas.proved_frequency(d).lower, _printed,
)  # fmt: skip


@kit.universe("the family with a counterexample for each n, from n = 3 on, all at once")
def _of_every_size(budget: kit.Budget) -> Iterator[range]:
    yield range(3, budget.pick(6, 10, 20))


def _fails_for_each(threshold: Threshold, sizes: range) -> kit.Finding:
    """Refute a threshold for every n, by the family that has a counterexample for each."""
    found = [_reached(threshold, as_setting(counterexample_for(n))) for n in sizes]
    refuted = [one for one in found if one.verdict is Verdict.REFUTED]
    return refuted[0] if len(refuted) == len(found) else holds()


TRIALS.add("lemma-12", "for every n", _fails_for_each, _of_every_size, _printed)


@kit.universe("d from 1 to 8", extent="d up to 8")
def _dimensions(_: kit.Budget) -> range:
    return range(1, 9)


def _proved_thresholds(shift: int, d: int) -> kit.Finding:
    tau = F(1, _repaired(d).denominator + shift)
    r = [F(1), F(1, 2)]
    while len(r) <= d:
        r.append(r[-1] * (r[-1] - tau) / 2)
    between = d == 1 or F(1, 2 ** (2**d)) <= tau <= F(1, 2 ** (2**d - 1))
    above = all(a >= b for a, b in zip(formulas.agreement_bounds(d, tau), r, strict=True))
    return kit.settle(
        r[d] >= tau and between and formulas.proves(d, tau) and above,
        f"d = {d}: r_d(tau) is below tau = 1/{tau.denominator}, or tau is out of its range",
    )


TRIALS.add("lemma-12.repaired", "the thresholds", _proved_thresholds, _dimensions, 0, -1)


@kit.universe(
    "the root of 80 x^2 - 56 x + 5, and the counterexample with the lowest frequencies",
    extent="d = 2",
)
def _range_ends(_: kit.Budget) -> Iterator[str]:
    yield from ("proved", "not reached")


def _between(proved: Callable[[int], Interval], end: str) -> kit.Finding:
    sigma = proved(2)
    if end == "proved":
        values = [80 * x * x - 56 * x + 5 for x in (sigma.lower, sigma.upper)]
        found = values[0] >= 0 >= values[1] and F(1, 10) < sigma.lower < F(1, 8)
        return kit.settle(found, f"no root of 80 x^2 - 56 x + 5 in {sigma}")
    setting = counterexample("least-frequent")
    most = max(tournaments(setting, k).highest_frequency for k in range(3))
    return kit.settle(
        sigma.upper < most < F(1058, 10000),
        f"{setting}: an output of frequency {most}, not between {float(sigma.upper)} and 0.1058",
    )


# How often the tournament labels agree with the target


def _halves(share: Callable[[int], Fraction], setting: TournamentSetting) -> kit.Finding:
    D = tournaments(setting, setting.dimension, None)
    for k in range(D.last_defined + 1):
        found = D.at(k).all_labels_agree
        if found != share(k):
            return kit.fails(
                f"{setting}: the {k} labels agree with the target with probability {found} = "
                f"{float(found):.4f}, not {share(k)}"
            )
    return holds()


TRIALS.add(
    "lemma-12.independence", "exact probabilities", _halves,
    replace(_failing, words="counterexamples to Lemma 12"), _printed,
)  # fmt: skip

Step = Callable[[Fraction, Fraction, Fraction], Fraction]
"""From rho_k, the highest frequency and theta to a lower bound on rho_{k+1}."""


def _proved_step(rho: Fraction, tau: Fraction, theta: Fraction) -> Fraction:
    return rho * (rho - tau) / (2 * theta)


def _printed_step(rho: Fraction, tau: Fraction, theta: Fraction) -> Fraction:
    """Return half of it, as if a label were independent of the sample that is kept."""
    return rho / 2


def _sharper_step(rho: Fraction, tau: Fraction, theta: Fraction) -> Fraction:
    # Written again from the statement: as many parts of size tau as fit into rho, and the rest.
    q = squares_of_parts(rho, tau)
    return (rho**2 - q) / (2 * (1 - q)) if q < 1 else F(0)


def squares_of_parts(whole: Fraction, most: Fraction) -> Fraction:
    """Return the largest sum of squares of parts of which none is above ``most``."""
    squares = F(0)
    while whole > 0:
        part = min(whole, most)
        squares, whole = squares + part**2, whole - part
    return squares


def _agreement(step: Step, setting: TournamentSetting) -> Iterator[kit.Finding | kit.Comparison]:
    """Whether labels agree as often after each tournament as a step says."""
    D = tournaments(setting, 3)
    sequences = setting.points**setting.n
    literal = Tournaments(setting) if sequences <= 5 else None
    short = 2 if sequences <= 4 else 1  # tournaments of which the samples are listed
    for k in range(D.last_defined):
        below, rho, above = D.at(k), D.at(k).all_labels_agree, D.at(k + 1).all_labels_agree
        theta = 1 - below.collision
        listed = literal is None or k >= short or literal.agreement(k + 1) == above
        yield kit.settle(
            listed and (k > 0 or above == F(1, 2)),
            f"{setting}: rho_{k + 1} = {above}, which is not as listed, or no half",
        )
        yield kit.reaches(above, step(rho, below.highest_frequency, theta))
        yield kit.within(above, rho * (1 - rho / 2) / theta, ceiling=1)


_ONE_MORE = "one tournament more"
TRIALS.add("lemma-12.agreement", _ONE_MORE, _agreement, _step_by_step, _proved_step, _printed_step)
TRIALS.add("lemma-12.sharper", _ONE_MORE, _agreement, _step_by_step, _sharper_step, _printed_step)
TRIALS.add(
    "lemma-12.sharper", "what is proved for d = 2, and what is not reached", _between, _range_ends,
    formulas.proved_frequency, lambda d: formulas.proved_frequency(d) * 2,
)  # fmt: skip


def _target_is_frequent(factor: int, setting: TournamentSetting) -> kit.Comparison | kit.Finding:
    """Pr[SOA(S o T) = c] for S ~ D_d is at least a factor times Pr[all labels agree]."""
    D = tournaments(setting, setting.dimension)
    if not D.is_defined:
        return kit.idle()
    return kit.reaches(D.law_of_output().probability(setting.concept), factor * D.all_labels_agree)


TRIALS.add("lemma-12.target", "the frequency of the target", _target_is_frequent, _settings, 1, 2)

# What the library reports

Report = tuple[tuple[Fraction, ...], tuple[Fraction, ...], int | None]
"""The highest frequencies, how often all labels agree, and the level that reaches the threshold."""


class Asked(NamedTuple):
    """A setting, and whose threshold is meant."""

    setting: TournamentSetting
    constants: Constants


@kit.universe(
    "every class on up to 2 points with every concept and tie, two counterexamples to Lemma 12, "
    "then seeded settings of dimension up to 2 on up to 4 points, for the threshold that is proved "
    "and the printed one; n = 1, all samples"
)
def _short(budget: kit.Budget) -> Iterator[Asked]:
    many = random_settings(budget.pick(20, 100, 1000), points=4, rows=8, n=1, seed="reports")
    settings = chain(
        uniform_settings((1, 2), (1,)),
        islice(counterexamples(), 2),
        (setting for setting in many if setting.dimension <= 2),
    )
    yield from (Asked(*it) for it in product(settings, (Constants.SHARP, Constants.PRINTED)))


def _report(it: Asked) -> Report:
    H, target, n = it.setting.H, it.setting.target, it.setting.n
    tie, pick = it.setting.tie, it.setting.order
    found = reached_frequencies(H, target, n, constants=it.constants, tie=tie, pick=pick)
    return found.frequencies, found.agreement, found.level


def _next_level(it: Asked) -> Report:
    frequencies, agreement, level = _report(it)
    return frequencies, agreement, None if level is None else level + 1


def _reported(report: Callable[[Asked], Report], it: Asked) -> kit.Comparison:
    """Level after level is listed, up to the first that reaches the threshold."""
    listed, d = Tournaments(it.setting), it.setting.dimension
    tau = (_repaired if it.constants is Constants.SHARP else _printed)(d)
    highest = [max(listed.outputs(0).values())]
    while highest[-1] < tau and len(highest) <= d:
        highest.append(max(listed.outputs(len(highest)).values()))
    agreed = tuple(listed.agreement(k) for k in range(len(highest)))
    level = len(highest) - 1 if highest[-1] >= tau else None
    return kit.same(report(it), (tuple(highest), agreed, level))


TRIALS.add("lemma-12.agreement", "what is reported", _reported, _short, _report, _next_level)

# Lemma 13: the loss of what the tournaments output often


def _barely_unseen(d: int, n: int) -> TournamentSetting:
    """All labelings of d points, seen so rarely that none of them is with probability 2^-d."""
    most = max(w for w in range(1000) if (1000 - w) ** n * 2**d >= 1000**n)
    rows = [[*labels, 0] for labels in product((0, 1), repeat=d)]
    weights = [most // d] * d
    return TournamentSetting(FiniteClass(rows), 0, (*weights, 1000 - sum(weights)), n)


def _with_a_loss(budget: kit.Budget) -> Iterator[TournamentSetting]:
    """Settings where what is frequent has a loss, then all others."""
    for d, n in product((1, 2, 3), range(2, budget.pick(9, 13, 17))):
        yield _barely_unseen(d, n)
    yield from first_settings(with_a_twin, budget.pick(20, 100, 1000))
    yield from _settings.instances(budget)


_erring = _on_classes(
    "all labelings of up to 3 points that none of n examples is at with a probability of just "
    "2^-d, n up to 8 (more with the budget), seeded settings in which an output of D_1 has a loss "
    f"(20, 100, 1000), then {_settings.words}",
    _with_a_loss,
)


def _small_loss(
    bound: Callable[[int, int], Interval], setting: TournamentSetting
) -> Iterator[kit.Comparison]:
    d = setting.dimension
    D = tournaments(setting, d, None)
    for k in range(D.last_defined + 1):
        for f, p in D.at(k).law_of_output().items():
            if p >= F(1, 2**d):
                yield kit.within(setting.loss(f), bound(d, setting.n), ceiling=1)


def _power(exponent: Callable[[int], int], setting: TournamentSetting) -> Iterator[kit.Comparison]:
    D = tournaments(setting, setting.dimension)
    for k in range(D.last_defined + 1):
        most = dict[Fraction, Fraction]()  # by loss, the frequency of the most frequent output
        for f, p in D.at(k).law_of_output().items():
            loss = setting.loss(f)
            most[loss] = max(p, most.get(loss, p))
        for loss, p in most.items():
            yield kit.within(p, (1 - loss) ** exponent(setting.n), ceiling=1)


def _stated_loss(d: int, n: int) -> Interval:
    return formulas.FrequentOutputLoss(F(1, 2**d), n).lemma_13()


TRIALS.add(
    "lemma-13", "d/n", _small_loss, _erring,
    _stated_loss, lambda d, n: _stated_loss(d, n) * F(9, 20),
    tournament_settings("blm20-lemma-13", n=5),
)  # fmt: skip
TRIALS.add("lemma-13", "the power", _power, _settings, lambda n: n, lambda n: n + 1)
