"""The implications of this paper, and the wording of the guarantees that it defines."""

from __future__ import annotations

from pac_stability.claims.consequences import Reading, closeness, reading
from pac_stability.papers.dagan_feldman import implications
from pac_stability.papers.dagan_feldman.implications import FlippedGuarantee

RULES = implications.RULES


@reading.register
def _(g: FlippedGuarantee) -> Reading:
    kind = f"private prediction after a flip with probability {g.probability}"
    words = closeness(g.privacy.epsilon, g.privacy.delta)
    return Reading(kind, words, (g.privacy.epsilon.ratio,))
