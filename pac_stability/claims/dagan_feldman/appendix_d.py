"""The proof of Theorem 11, line by line (Appendix D)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import cache
from math import comb

from pac_stability.claims.claim import Claim, Kind, Whose
from pac_stability.claims.comparing import at_least
from pac_stability.claims.dagan_feldman._questions import AnySample
from pac_stability.claims.dagan_feldman.lower_bound import (
    Setting,
    drawn,
    one_dimension,
    shattered,
    stability,
)
from pac_stability.claims.finding import Finding, settle
from pac_stability.claims.trials import trial
from pac_stability.data import Sample
from pac_stability.papers.dagan_feldman import (
    VotingLearner,
    hard_average_error,
    hard_chain,
)


def _flip_at(sample: AnySample, k: Hashable) -> AnySample:
    labels = [y ^ (x == k) for x, y in zip(sample.points, sample.labels, strict=True)]
    return Sample(sample.points, labels)


def defined_lines(setting: Setting, gamma: Fraction) -> dict[str, Fraction]:
    """Return what each line of the proof is worth, with S^flip(k) built from S."""
    learner, hard, n = setting
    lines = dict.fromkeys(
        ("error", "on_light_points", "flipped", "combined", "separated", "linear"), Fraction(0)
    )
    for target, sample, chance in drawn(hard, n):
        predicted = learner.probabilities(sample, hard.points)
        for x, h, p, w in zip(hard.points, target, predicted, hard.masses, strict=True):
            lines["error"] += chance * w * abs(h - p)
            if x == hard.heavy:
                continue
            (other,) = learner.probabilities(_flip_at(sample, x), [x])
            lines["on_light_points"] += chance * w * abs(h - p)
            lines["flipped"] += chance * w * (abs(h - p) + abs(1 - h - other)) / 2
            lines["combined"] += chance * w * abs(2 * h - 1 + other - p) / 2
            lines["separated"] += chance * w * (1 - abs(p - other)) / 2
            lines["linear"] += chance * w * (1 - gamma * sample.points.count(x)) / 2
    return lines


@cache
def _both(setting: Setting) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    learner, hard, n = setting
    gamma = stability(learner, hard.points, n)
    chain = hard_chain(learner, hard, n, gamma)
    found = {
        "error": chain.error,
        "on_light_points": chain.on_light_points,
        "flipped": chain.flipped,
        "combined": chain.combined,
        "separated": chain.separated,
        "linear": chain.linear,
    }
    return found, defined_lines(setting, gamma)


Step = tuple[str, str]
"""Two lines of the proof, of which the first is at least the second."""


def _step(step: Step, setting: Setting) -> Finding:
    found, defined = _both(setting)
    upper, lower = step
    learner, hard, n = setting
    where = f"{type(learner).__name__}, {len(hard.light)} light points, n = {n}"
    for name in step:
        if found[name] != defined[name]:
            return settle(False, f"{where}: {name} {found[name]}, by definition {defined[name]}")
    return at_least(
        found[upper],
        found[lower],
        f"{where}: {upper} {found[upper]} < {lower} {found[lower]}",
    )


def _voting(gamma_of: Callable[[Fraction], Fraction], setting: Setting) -> Finding:
    _, hard, n = setting
    for gamma in (Fraction(1, 4), Fraction(2, 5), Fraction(1)):
        learner = VotingLearner(gamma_of(gamma), Sample([hard.heavy], [hard.heavy_label or 0]))
        error = hard_average_error(learner, hard, n)
        p = hard.mass / len(hard.light)
        rest = sum(
            (
                comb(n, k) * p**k * (1 - p) ** (n - k) * max(Fraction(0), 1 - gamma * k)
                for k in range(n + 1)
            ),
            Fraction(0),
        )
        if error != hard.mass / 2 * rest:
            return settle(False, f"gamma = {gamma}, n = {n}: {error}, not {hard.mass / 2 * rest}")
    return settle(True, "")


def _equation(number: str, title: str, statement: str, step: Step, wrong: Step) -> Claim:
    return Claim(
        key=f"DF20:equation-{number}",
        kind=Kind.FACT,
        title=title,
        statement=statement,
        whose=Whose.PROOF,
        where="Appendix D",
        code=("papers.dagan_feldman.hard_chain", "papers.dagan_feldman.HardChain"),
        trials=(
            trial(
                "learners",
                _step,
                shattered,
                subject=step,
                mutant=wrong,
                universe="nine learners on two or three shattered points, two or three examples",
            ),
        ),
        uses=("DF20:definition-losses",),
        note="The count of k in S is printed with i in two roles.",
    )


CLAIMS = (
    _equation(
        "14",
        "Flipping the labels at k (Equation 14)",
        "The average error is at least its part on the light points, which is the average over "
        "targets of the mean of the errors at k given S and, for the flipped target, given S with "
        "the labels at k flipped.",
        ("error", "flipped"),
        ("linear", "flipped"),
    ),
    _equation(
        "15",
        "The triangle inequality (Equation 15)",
        "The sum of the two errors at k is at least |2h(k) - 1 + A' - A|.",
        ("flipped", "combined"),
        ("linear", "combined"),
    ),
    _equation(
        "16",
        "The triangle inequality again (Equation 16)",
        "|2h(k) - 1 + A' - A| >= 1 - |A - A'|.",
        ("combined", "separated"),
        ("separated", "combined"),
    ),
    _equation(
        "17",
        "Stability (Equation 17)",
        "|A(S)(k) - A(S^flip(k))(k)| <= gamma N, N being the number of examples at k; so the sum "
        "is at least mass/2 (1 - gamma E N).",
        ("separated", "linear"),
        ("linear", "separated"),
    ),
    Claim(
        key="DF20:appendix-d.equality",
        kind=Kind.REPAIR,
        title="The chain is attained by voting",
        statement="The voting learner, which moves by gamma/2 towards the label of each example at "
        "the point and knows the label of the heavy point, has the average error mass/2 E(1 - "
        "gamma N)_+: no gamma-stable learner has less.",
        whose=Whose.OURS,
        code=("papers.dagan_feldman.VotingLearner", "papers.dagan_feldman.hard_average_error"),
        trials=(
            trial(
                "voting",
                _voting,
                one_dimension,
                subject=lambda gamma: gamma,
                mutant=lambda gamma: gamma / 2,
                universe="a light and a heavy point with a known label, few examples",
            ),
        ),
        uses=("DF20:equation-17",),
    ),
)
