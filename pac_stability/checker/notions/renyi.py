"""Renyi privacy at one order: only the divergence of that order counts."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from pac_stability.checker.fields import Asked, Case, Judge, Law
from pac_stability.checker.notions.zero_concentrated import Ratios, diverges


def _shows(p: Law, q: Law, order: Fraction, least: Fraction, case: Case) -> bool:
    """Return whether the order is the fixed one, and the divergence certainly so large."""
    right = order == case.instance.own["order"]
    return right and diverges(p, q, order, least / order, case.limits)


def _keeps(p: Law, q: Law, bound: Fraction, case: Case) -> bool:
    """Return whether the divergence is certainly no larger than the bound."""
    if p.keys() - q.keys():
        return False
    divergence = Ratios.of(p, q, case.limits).divergence(case.instance.own["order"], case.limits)
    return divergence[1] <= bound


NOTIONS: Mapping[str, Asked] = {
    "renyi-privacy": Asked(
        fixed=("order",),
        least=1,
        divergence=Judge(
            _shows, _keeps, "the Renyi divergence of order {order} is at least as large"
        ),
    )
}
