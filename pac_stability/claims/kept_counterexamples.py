"""Counterexamples that are kept in files, as instances of the statements that they refute."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pac_stability import checker
from pac_stability.checker import Recheck
from pac_stability.claims.finding import Finding, fails, idle
from pac_stability.claims.trials import Trial, trial
from pac_stability.papers import counterexamples


def kept_counterexample(name: str) -> Trial:
    """Return the trial that has the checker compute a counterexample of the catalogue anew.

    Parameters
    ----------
    name
        Of the file, such as ``"DF20:remark-14"``.
    """
    return trial(
        "the file of the catalogue",
        _settled,
        lambda _: [name],
        subject=checker.recheck,
        universe=f"the counterexample that is kept as {name}",
    )


def _settled(recheck: Callable[[Mapping[str, object]], Recheck], name: str) -> Finding:
    found = recheck(counterexamples.read(name))
    return fails("; ".join(found.proved)) if found.refutes else idle()
