"""What follows by this paper, and how the guarantees that it defines read."""

from __future__ import annotations

from fractions import Fraction

from pac_stability.claims.consequences import DOWN, Reading, reading, rounded
from pac_stability.papers.bun_livni_moran import theorems
from pac_stability.papers.bun_livni_moran.formulas import PrivateFromStable
from pac_stability.papers.bun_livni_moran.theorems import AccurateOutput

RULES = theorems.RULES


@reading.register
def _(g: AccurateOutput) -> Reading:
    words = f"frequency {rounded(g.eta, DOWN)}, loss at most {rounded(g.loss)}"
    return Reading("an accurate frequent output", words, (g.loss, 1 - g.eta), g.loss == 1)


@reading.register
def _(g: PrivateFromStable) -> Reading:
    error, failure = rounded(g.alpha), rounded(g.beta)
    words = f"{g.sample_size} examples, error at most {error}, failure {failure}"
    return Reading("a private learner", words, (Fraction(g.sample_size), g.alpha))
