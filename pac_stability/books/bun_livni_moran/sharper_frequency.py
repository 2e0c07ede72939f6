"""Section IV-B: the frequency that the proof of Lemma 12 gives when nothing is given away."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from pac_stability.arithmetic import Interval
from pac_stability.books.bun_livni_moran.frequent_hypotheses import (
    DECISIVE,
    SETTINGS,
    agreement,
    all_settings,
    decisive_settings,
    printed,
    printed_step,
    reached,
)
from pac_stability.books.bun_livni_moran.settings import counterexample, own_settings, tournaments
from pac_stability.claims.trials import Budget, Finding, Trials, settle, trial
from pac_stability.papers.bun_livni_moran.formulas import proved_frequency


def _sharper(d: int) -> Fraction:
    return proved_frequency(d).lower


def _sharper_step(rho: Fraction, tau: Fraction, theta: Fraction) -> Fraction:
    # Written again from the statement: as many parts of size tau as fit into rho, and the rest.
    parts, left = [], rho
    while left > 0:
        parts.append(min(tau, left))
        left -= parts[-1]
    q = sum((part**2 for part in parts), Fraction(0))
    return (rho**2 - q) / (2 * (1 - q)) if q < 1 else Fraction(0)


def _proved(d: int) -> Interval:
    return proved_frequency(d)


def _twice_as_much(d: int) -> Interval:
    return proved_frequency(d) * 2


def _range_ends(_: Budget) -> Iterator[str]:
    yield from ("proved", "not reached")


def _between(proved: Callable[[int], Interval], end: str) -> Finding:
    sigma = proved(2)
    if end == "proved":
        values = [80 * x * x - 56 * x + 5 for x in (sigma.lower, sigma.upper)]
        found = values[0] >= 0 >= values[1] and Fraction(1, 10) < sigma.lower < Fraction(1, 8)
        return settle(found, f"no root of 80 x^2 - 56 x + 5 in {sigma}")
    setting = counterexample("least-frequent")
    most = max(tournaments(setting, k).highest_frequency for k in range(3))
    return settle(
        sigma.upper < most < Fraction(1058, 10000),
        f"{setting}: an output of frequency {most}, not between {float(sigma.upper)} and 0.1058",
    )


TRIALS: Trials = {
    "BLM20:lemma-12.sharper": (
        trial(
            "one tournament more",
            agreement,
            all_settings,
            subject=_sharper_step,
            mutant=printed_step,
            universe=SETTINGS + "; k up to 3",
            on_class=own_settings(),
        ),
        trial(
            "the highest frequencies",
            reached,
            decisive_settings,
            subject=_sharper,
            mutant=printed,
            universe=DECISIVE,
            on_class=own_settings(),
        ),
        trial(
            "what is proved for d = 2, and what is not reached",
            _between,
            _range_ends,
            subject=_proved,
            mutant=_twice_as_much,
            universe="the root of 80 x^2 - 56 x + 5, and the counterexample with the lowest "
            "frequencies",
            exhaustive=True,
        ),
    ),
}
