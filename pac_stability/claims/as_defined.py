"""Trials of what the library computes beside the same by its definition, one case after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pac_stability.claims.finding import Finding, settle
from pac_stability.claims.trials import Trial, trial


@dataclass(frozen=True)
class Computed:
    """One thing that the library computes.

    Attributes
    ----------
    words
        What it is, and where.
    found, defined
        What the library says; and what the definition says, written out.
    """

    words: str
    found: object
    defined: object


def as_defined(name: str, cases: Callable[[], Iterable[Computed]], universe: str) -> Trial:
    """Return the trial that compares the library with definitions.

    Parameters
    ----------
    name
        Of the trial.
    cases
        The cases, the same for every budget.
    universe
        What they are, in words.
    """
    return trial(
        name,
        _agree,
        lambda _: cases(),
        subject=_as_it_is,
        mutant=_nothing,
        universe=universe,
    )


def _as_it_is(value: object) -> object:
    return value


def _nothing(_: object) -> object:
    return None


def _agree(read: Callable[[object], object], case: Computed) -> Finding:
    found = read(case.found)
    return settle(
        found == case.defined, f"{case.words}: {found}, and by the definition {case.defined}"
    )
