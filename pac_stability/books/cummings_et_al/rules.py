"""What follows by this paper, and how the guarantees that it defines read."""

from __future__ import annotations

from pac_stability.claims.consequences import (
    DOWN,
    Reading,
    closeness,
    of_closeness,
    reading,
    rounded,
)
from pac_stability.papers.cummings_et_al import implications
from pac_stability.papers.cummings_et_al.implications import (
    ClosePair,
    GroupGuarantee,
    PerfectGuarantee,
    ResampledGuarantee,
    RobustGuarantee,
)

RULES = implications.RULES


@reading.register
def _(g: RobustGuarantee) -> Reading:
    words = f"deviation {rounded(g.epsilon)}, failure {rounded(g.delta)} ({g.reading})"
    return Reading("robust generalization", words, (g.epsilon, g.delta), g.is_vacuous)


@reading.register
def _(g: PerfectGuarantee) -> Reading:
    words = f"beta = {rounded(g.beta)}, {closeness(g.epsilon, g.delta)}"
    numbers = (g.epsilon.ratio, g.delta, g.beta)
    return Reading("perfect generalization", words, numbers, g.is_vacuous)


@reading.register
def _(g: ClosePair) -> Reading:
    probability = rounded(g.probability, DOWN)
    words = f"{closeness(g.epsilon, g.delta)}, with probability {probability}"
    numbers = (g.epsilon.ratio, g.delta, 1 - g.probability)
    nothing = g.delta >= 1 or g.probability == 0
    return Reading("close laws on two samples", words, numbers, nothing)


@reading.register
def _(g: GroupGuarantee) -> Reading:
    return of_closeness(f"privacy of groups of {g.size}", g.epsilon, g.delta)


@reading.register
def _(g: ResampledGuarantee) -> Reading:
    kind = "differential privacy on a sample drawn anew"
    return of_closeness(kind, g.privacy.epsilon, g.privacy.delta)
