"""What follows by this paper, and how the guarantees that it defines read."""

from __future__ import annotations

from pac_stability.claims import consequences
from pac_stability.papers.cummings_et_al import implications
from pac_stability.papers.cummings_et_al.implications import (
    ClosePair,
    GroupGuarantee,
    PerfectGuarantee,
    ResampledGuarantee,
    RobustGuarantee,
)

RULES = implications.RULES


@consequences.reading.register
def _(g: RobustGuarantee) -> consequences.Reading:
    deviation, failure = map(consequences.rounded, (g.epsilon, g.delta))
    words = f"deviation {deviation}, failure {failure} ({g.reading})"
    return consequences.Reading("robust generalization", words, (g.epsilon, g.delta), g.is_vacuous)


@consequences.reading.register
def _(g: PerfectGuarantee) -> consequences.Reading:
    words = f"beta = {consequences.rounded(g.beta)}, {consequences.closeness(g.epsilon, g.delta)}"
    numbers = (g.epsilon.ratio, g.delta, g.beta)
    return consequences.Reading("perfect generalization", words, numbers, g.is_vacuous)


@consequences.reading.register
def _(g: ClosePair) -> consequences.Reading:
    probability = consequences.rounded(g.probability, consequences.DOWN)
    words = f"{consequences.closeness(g.epsilon, g.delta)}, with probability {probability}"
    numbers = (g.epsilon.ratio, g.delta, 1 - g.probability)
    nothing = g.delta >= 1 or g.probability == 0
    return consequences.Reading("close laws on two samples", words, numbers, nothing)


@consequences.reading.register
def _(g: GroupGuarantee) -> consequences.Reading:
    return consequences.of_closeness(f"privacy of groups of {g.size}", g.epsilon, g.delta)


@consequences.reading.register
def _(g: ResampledGuarantee) -> consequences.Reading:
    kind = "differential privacy on a sample drawn anew"
    return consequences.of_closeness(kind, g.privacy.epsilon, g.privacy.delta)
