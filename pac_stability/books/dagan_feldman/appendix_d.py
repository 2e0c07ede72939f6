"""The proof of Theorem 11, line by line (Appendix D)."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import cache
from math import comb

from pac_stability.books.dagan_feldman._questions import AnySample
from pac_stability.books.dagan_feldman.lower_bound import (
    Setting,
    drawn,
    one_dimension,
    shattered,
    stability,
)
from pac_stability.claims.trials import Finding, Trial, Trials, at_least, settle, trial
from pac_stability.data import Sample
from pac_stability.papers.dagan_feldman import (
    VotingLearner,
    hard_average_error,
    hard_chain,
)

_LINES = ("error", "on_light_points", "flipped", "combined", "separated", "linear")


def _flip_at(sample: AnySample, k: Hashable) -> AnySample:
    labels = [y ^ (x == k) for x, y in zip(sample.points, sample.labels, strict=True)]
    return Sample(sample.points, labels)


def defined_lines(setting: Setting, gamma: Fraction) -> dict[str, Fraction]:
    """Return what each line of the proof is worth, with S^flip(k) built from S."""
    learner, hard, n = setting
    lines = dict.fromkeys(_LINES, Fraction(0))
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
    found = dict(zip((*_LINES[:-1], "truncated", _LINES[-1]), chain.lines, strict=True))
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


def _equation(step: Step, wrong: Step) -> tuple[Trial, ...]:
    return (
        trial(
            "learners",
            _step,
            shattered,
            subject=step,
            mutant=wrong,
            universe="nine learners on two or three shattered points, two or three examples",
        ),
    )


TRIALS: Trials = {
    "DF20:equation-14": _equation(("error", "flipped"), ("linear", "flipped")),
    "DF20:equation-15": _equation(("flipped", "combined"), ("linear", "combined")),
    "DF20:equation-16": _equation(("combined", "separated"), ("separated", "combined")),
    "DF20:equation-17": _equation(("separated", "linear"), ("linear", "separated")),
    "DF20:appendix-d.equality": (
        trial(
            "voting",
            _voting,
            one_dimension,
            subject=lambda gamma: gamma,
            mutant=lambda gamma: gamma / 2,
            universe="a light and a heavy point with a known label, few examples",
        ),
    ),
}
