"""Section IV-B: Lemma 12, where it fails and what holds, and Lemma 13."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product

from pac_stability.claims.budget import Budget
from pac_stability.claims.bun_livni_moran.literal import (
    Tournaments,
    TournamentSetting,
    label_string,
)
from pac_stability.claims.bun_livni_moran.settings import (
    counterexamples,
    own_settings,
    random_settings,
    tournaments,
    uniform_settings,
)
from pac_stability.claims.claim import Claim, Expectation, Kind, Whose
from pac_stability.claims.comparing import at_least, at_most
from pac_stability.claims.finding import Finding, all_of, holds, idle, settle
from pac_stability.claims.trials import trial
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
    return FrequencyThreshold(d).value


def _failing(budget: Budget) -> Iterator[TournamentSetting]:
    """The counterexamples, those on five points first."""
    names = (setting for _, setting in counterexamples())
    yield from islice(names, budget.pick(6, 10, 10))


def all_settings(budget: Budget) -> Iterator[TournamentSetting]:
    """Give the settings of which :data:`SETTINGS` says what they are."""
    yield from _failing(budget)
    yield from uniform_settings((1, 2), (1, 2))
    yield from random_settings(budget.pick(60, 600, 6000), points=6, rows=9, n=4, seed="lemma-12")


SETTINGS = (
    "the counterexamples to Lemma 12, every class on up to 2 points with every concept and tie, "
    "then seeded settings on up to 6 points"
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


def _three_points(budget: Budget) -> Iterator[TournamentSetting]:
    for setting in uniform_settings((3,), (1,), least=2):
        for weights in product(range(budget.pick(1, 2, 5) + 1), repeat=3):
            for n in range(1, budget.pick(1, 2, 3) + 1):
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
    literal = Tournaments(setting) if setting.points**setting.n <= 5 else None

    def after(k: int) -> Finding:
        below, rho, above = D.at(k), D.at(k).all_labels_agree, D.at(k + 1).all_labels_agree
        least = step(rho, below.highest_frequency, 1 - below.collision)
        most = rho * (1 - rho / 2) / (1 - below.collision)
        listed = literal is None or k > 0 or literal.agreement(k + 1) == above
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


# The thresholds as numbers


def _dimensions(_: Budget) -> Iterator[int]:
    yield from range(1, 9)


def _proved_thresholds(shift: int, d: int) -> Finding:
    tau = Fraction(1, FrequencyThreshold(d).value.denominator + shift)
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


# Lemma 13


def _small_loss(bound: Callable[[int, int], Fraction], setting: TournamentSetting) -> Finding:
    d, n = setting.dimension, setting.n
    D = tournaments(setting, d, None)
    return all_of(
        at_most(
            setting.loss(f),
            bound(d, n),
            f"{setting}, k = {k}: {label_string(f, setting.points)} has frequency {p} and loss "
            f"{setting.loss(f)} > {bound(d, n)}",
            ceiling=1,
        )
        for k in range(D.last_defined + 1)
        for f, p in D.at(k).law_of_output().items()
        if p >= Fraction(1, 2**d)
    )


def _power(exponent: Callable[[int], int], setting: TournamentSetting) -> Finding:
    D = tournaments(setting, setting.dimension)

    def limited(k: int, f: int, p: Fraction) -> Finding:
        most = (1 - setting.loss(f)) ** exponent(setting.n)
        return at_most(
            p,
            most,
            f"{setting}, k = {k}: {label_string(f, setting.points)} of loss {setting.loss(f)} has "
            f"frequency {p} > {most}",
            ceiling=1,
        )

    return all_of(
        limited(k, f, p)
        for k in range(D.last_defined + 1)
        for f, p in D.at(k).law_of_output().items()
    )


CLAIMS = (
    Claim(
        key="BLM20:lemma-12.independence",
        kind=Kind.FACT,
        title="Proof of Lemma 12: tournament labels agree with probability 2^-k, as printed",
        statement="If D_k is defined, the labels of all k tournament examples of S ~ D_k are those "
        "of the target with probability 2^-k.",
        whose=Whose.PROOF,
        code=("papers.bun_livni_moran.TournamentDistribution.all_labels_agree",),
        trials=(
            trial(
                "exact probabilities",
                _halves,
                _failing,
                subject=printed,
                universe="counterexamples to Lemma 12",
                on_class=own_settings(),
            ),
        ),
        expectation=Expectation.STEP,
        repaired_by="BLM20:lemma-12.agreement",
        uses=("BLM20:definition-tournaments",),
        note="The label is independent of the pair of samples, but not of the sample that is kept: "
        "that one has predicted the other label. It is true for k <= 1.",
    ),
    Claim(
        key="BLM20:lemma-12.agreement",
        kind=Kind.REPAIR,
        title="How often tournament labels agree with the target",
        statement="Let rho_k be the probability that all k tournament labels are the target's. "
        "Then rho_0 = 1, rho_1 = 1/2, and if no output of level k is more frequent than tau and "
        "two players differ with probability theta > 0: rho_k (rho_k - tau) / (2 theta) <= "
        "rho_{k+1} <= rho_k (1 - rho_k/2) / theta.",
        whose=Whose.OURS,
        code=(
            "papers.bun_livni_moran.TournamentDistribution.all_labels_agree",
            "papers.bun_livni_moran.formulas.agreement_bounds",
        ),
        trials=(
            trial(
                "one tournament more",
                agreement,
                all_settings,
                subject=_proved_step,
                mutant=printed_step,
                universe=SETTINGS + "; k up to 3",
                on_class=own_settings(),
            ),
        ),
        uses=("BLM20:definition-tournaments",),
        note="If both players are good, so is the winner when the coin is the target's label.",
    ),
    Claim(
        key="BLM20:lemma-12.target",
        kind=Kind.FACT,
        title="After d agreeing tournament examples the target is predicted",
        statement="If the rounds of D_d end, Pr[SOA(S o T) = c] >= rho_d for S ~ D_d.",
        whose=Whose.PROOF,
        code=("papers.bun_livni_moran.TournamentDistribution.law_of_output",),
        trials=(
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
        uses=("BLM20:observation-11", "BLM20:fact-optimal-mistakes"),
    ),
    Claim(
        key="BLM20:lemma-12",
        kind=Kind.LEMMA,
        title="A frequent hypothesis: as printed",
        statement="For every class of dimension d, realizable D, n >= 1, tie rule and pick rule: "
        "some k <= d and some f have Pr[SOA(S o T) = f] >= 2^-d for S ~ D_k and T ~ D^n.",
        whose=Whose.PRINTED,
        code=(
            "papers.bun_livni_moran.reached_frequencies",
            "papers.bun_livni_moran.COUNTEREXAMPLES",
            "papers.bun_livni_moran.Lemma12Counterexample",
            "papers.bun_livni_moran.counterexample_for",
            "papers.bun_livni_moran.ReachedFrequencies",
        ),
        trials=(
            trial(
                "the highest frequencies",
                reached,
                _failing,
                subject=printed,
                universe="counterexamples, those on five points first",
                on_class=own_settings(),
            ),
        ),
        expectation=Expectation.FAILS,
        repaired_by="BLM20:lemma-12.repaired",
        uses=("BLM20:lemma-12.independence", "BLM20:lemma-12.target"),
        note="True for d <= 1. For d = 2 and d = 3 there are classes on which it fails, for some "
        "of them whatever the pick and tie rules; the same proof is in the arXiv version.",
    ),
    Claim(
        key="BLM20:lemma-12.dimension-one",
        kind=Kind.REPAIR,
        title="A frequent hypothesis, for d <= 1",
        statement="For every class of dimension d <= 1 Lemma 12 is true as printed.",
        whose=Whose.OURS,
        code=("papers.bun_livni_moran.reached_frequencies",),
        trials=(
            trial(
                "the highest frequencies",
                reached,
                _low_dimension,
                subject=printed,
                mutant=lambda d: Fraction(2, 2 + d),
                universe="every class of dimension at most 1 on up to 2 points with every concept "
                "and tie, n up to 2, then seeded settings on up to 6 points",
                on_class=own_settings(most=1),
            ),
        ),
        uses=("BLM20:lemma-12.agreement", "BLM20:lemma-12.target"),
    ),
    Claim(
        key="BLM20:lemma-12.three-points",
        kind=Kind.REPAIR,
        title="A frequent hypothesis, on three points",
        statement="For every class of dimension 2 or 3 on three points, every concept, tie, and "
        "small integer weights: Lemma 12 is true as printed, the first point being picked.",
        whose=Whose.OURS,
        code=("papers.bun_livni_moran.reached_frequencies",),
        trials=(
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
        uses=("BLM20:definition-tournaments",),
        note="The counterexamples that are known have five points and more. On up to d points "
        "there are at most 2^d predictors, and nothing to show.",
    ),
    Claim(
        key="BLM20:lemma-12.repaired",
        kind=Kind.REPAIR,
        title="A frequent hypothesis",
        statement="For every class of dimension d, realizable D, n >= 1, tie rule and pick rule: "
        "some k <= d and some f have Pr[SOA(S o T) = f] >= tau_d for S ~ D_k and T ~ D^n, where "
        "tau_d is the largest 1/N with r_d(1/N) >= 1/N, r_1 = 1/2 and r_k(tau) = r_{k-1} (r_{k-1} "
        "- tau)/2: 1/2, 1/10, 1/140, 1/32920, ... For 2 <= d <= 8, 2^-(2^d) <= tau_d <= 2^-(2^d - "
        "1).",
        whose=Whose.OURS,
        code=(
            "papers.bun_livni_moran.formulas.FrequencyThreshold",
            "papers.bun_livni_moran.formulas.proves",
            "papers.bun_livni_moran.reached_frequencies",
        ),
        trials=(
            trial(
                "the highest frequencies",
                reached,
                all_settings,
                subject=_repaired,
                mutant=printed,
                universe=SETTINGS,
                on_class=own_settings(),
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
        uses=("BLM20:lemma-12.agreement", "BLM20:lemma-12.target"),
        note="The largest frequency that is always reached lies between tau_d and 2^-d; for d = 2 "
        "see BLM20:lemma-12.sharper. A bound of this shape is ascribed to the authors' later "
        "version.",
    ),
    Claim(
        key="BLM20:lemma-13",
        kind=Kind.LEMMA,
        title="A frequent hypothesis has small loss",
        statement="If D_k is defined and Pr[SOA(S o T) = f] >= 2^-d, then loss_D(f) <= d/n. For "
        "every f and every k for which the rounds end, Pr[SOA(S o T) = f] <= (1 - loss_D(f))^n.",
        whose=Whose.PRINTED,
        code=("papers.bun_livni_moran.formulas.FrequentOutputLoss",),
        trials=(
            trial(
                "d/n",
                _small_loss,
                all_settings,
                subject=lambda d, n: Fraction(d) / n,
                mutant=lambda d, n: Fraction(d, 4 * n),
                universe=SETTINGS,
                on_class=own_settings(),
            ),
            trial(
                "the power",
                _power,
                all_settings,
                subject=lambda n: n,
                mutant=lambda n: n + 1,
                universe=SETTINGS,
                on_class=own_settings(),
            ),
        ),
        uses=("BLM20:observation-11",),
        note="The proof has alpha = loss(h) for loss(f), and gives away a factor ln 2. Holds for "
        "any threshold tau with log2(1/tau) in place of d.",
    ),
)
