"""Proposition 5: what a consistent learner outputs often has small loss."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from pac_stability.arithmetic import Interval
from pac_stability.books.bun_livni_moran.literal import (
    TournamentSetting,
    hypotheses_of,
    label_string,
)
from pac_stability.books.bun_livni_moran.settings import random_settings, uniform_settings
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    all_of,
    at_most,
    idle,
    settle,
    trial,
)
from pac_stability.data import FiniteDistribution, FromLaw, Sample
from pac_stability.papers.bun_livni_moran import proposition_5
from pac_stability.papers.bun_livni_moran.formulas import FrequentOutputLoss

Learner: TypeAlias = str
"""``soa``, ``first`` (the least hypothesis that fits) or ``any`` (one that fits, uniformly)."""


def _instances(budget: Budget) -> Iterator[tuple[TournamentSetting, Learner]]:
    for setting in uniform_settings((1, 2), (1, 2)):
        for learner in ("soa", "first", "any"):
            yield setting, learner
    for setting in random_settings(budget.pick(30, 500, 5000), points=4, rows=6, n=3):
        for learner in ("soa", "first", "any"):
            yield setting, learner


def _outputs(setting: TournamentSetting, learner: Learner) -> dict[int, Fraction]:
    """Pr[A(S) = h] over all samples, for a learner that is consistent."""
    rows = sorted(hypotheses_of(setting.H))
    frequencies: dict[int, Fraction] = {}
    for T, p in setting.blocks():
        if learner == "soa":
            found = [setting.soa(T)]
        else:
            found = [h for h in rows if all(h >> x & 1 == y for x, y in T)]
            found = found[:1] if learner == "first" else found
        for h in found:
            frequencies[h] = frequencies.get(h, Fraction(0)) + p / len(found)
    return frequencies


def _bounded(
    bound: Callable[[Fraction, int], Interval], it: tuple[TournamentSetting, Learner]
) -> Finding:
    setting, learner = it

    def bounded(h: int, eta: Fraction) -> Finding:
        loss, most = setting.loss(h), bound(eta, setting.n)
        if loss == 0:
            return idle()
        return at_most(
            loss,
            most,
            f"{setting}, learner {learner}: output {label_string(h, setting.points)} of frequency "
            f"{eta} has loss {loss}, bound {most}",
            ceiling=1,
        )

    return all_of(bounded(h, eta) for h, eta in _outputs(setting, learner).items())


def _sharp(exponent: Callable[[int], int], it: tuple[TournamentSetting, Learner]) -> Finding:
    setting, learner = it

    def limited(h: int, eta: Fraction) -> Finding:
        most = (1 - setting.loss(h)) ** exponent(setting.n)
        return at_most(
            eta,
            most,
            f"{setting}, learner {learner}: output {label_string(h, setting.points)} of loss "
            f"{setting.loss(h)} has frequency {eta} > {most}",
            ceiling=1,
        )

    return all_of(limited(h, eta) for h, eta in _outputs(setting, learner).items())


Frequencies: TypeAlias = Callable[[TournamentSetting, Learner], dict[int, Fraction]]


@dataclass(frozen=True, slots=True)
class _Labels:
    """A predictor as a function of the point, for the library."""

    mask: int

    def __call__(self, point: Hashable) -> int:
        return self.mask >> int(str(point)) & 1


def _by_the_library(setting: TournamentSetting, learner: Learner) -> dict[int, Fraction]:
    rows = sorted(hypotheses_of(setting.H))

    def law(S: Sample[Hashable]) -> FiniteDistribution[_Labels]:
        pairs = tuple((int(str(z.point)), z.label) for z in S)
        fitting = [h for h in rows if all(h >> x & 1 == y for x, y in pairs)]
        chosen = {"soa": [setting.soa(pairs)], "first": fitting[:1], "any": fitting}[learner]
        return FiniteDistribution.uniform([_Labels(h) for h in chosen])

    found = proposition_5(FromLaw(law), setting.H, setting.target, setting.n)
    # What it calls a violation is one.
    return {output.hypothesis.mask: output.frequency for output in found.outputs if found.holds}


def _one_example_more(setting: TournamentSetting, learner: Learner) -> dict[int, Fraction]:
    return _outputs(replace(setting, n=setting.n + 1), learner)


def _found(frequencies: Frequencies, it: tuple[TournamentSetting, Learner]) -> Finding:
    meant, found = _outputs(*it), frequencies(*it)
    return settle(meant == found, f"{it[0]}, learner {it[1]}: frequencies {found}, not {meant}")


_UNIVERSE = (
    "every class on up to 2 points with every concept and n up to 2, then seeded ones on up to "
    "4 points; the SOA, and two learners that output hypotheses that fit"
)

TRIALS: Trials = {
    "BLM20:proposition-5": (
        trial(
            "ln(1/eta)/n",
            _bounded,
            _instances,
            subject=lambda eta, n: FrequentOutputLoss(eta, n).proposition_5(),
            mutant=lambda eta, n: FrequentOutputLoss(eta, n).proposition_5() / 2,
            universe=_UNIVERSE,
        ),
        trial(
            "the power",
            _sharp,
            _instances,
            subject=lambda n: n,
            mutant=lambda n: n + 1,
            universe=_UNIVERSE,
        ),
        trial(
            "what the library finds",
            _found,
            _instances,
            subject=_by_the_library,
            mutant=_one_example_more,
            universe=_UNIVERSE,
        ),
    ),
}
