"""What a certificate of each notion is about: a table of the checker's own.

The library says what a notion is where it measures it. That this is written down again is wanted:
whoever doubts the one can hold the other against the definitions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Asked:
    """What a certificate of a notion is about.

    Attributes
    ----------
    pairs
        Whether its witness has two laws, on neighbouring samples; otherwise the laws on all samples
        of draws from a distribution.
    points
        Whether the laws are those of a label that is predicted at a point.
    factor
        Whether the parameter is a factor e**epsilon, at a fixed delta; otherwise, for a pair, it is
        what a fixed factor leaves: P(E) less ``epsilon_ratio`` times Q(E).
    at_least
        Whether a claim says "at least".
    from_above
        Whether the witness bounds the parameter from above, not from below.
    divergence
        Whether the parameter is the largest Renyi divergence, each divided by its order.
    fixed
        What of an instance is fixed for the notion; the others are 0, and the factor 1. A factor
        that is not in a notion would otherwise make it another one, which is easier to keep.
    least
        The least that a parameter of its own may be.
    """

    pairs: bool = False
    points: bool = False
    factor: bool = False
    at_least: bool = False
    from_above: bool = False
    divergence: bool = False
    fixed: tuple[str, ...] = ()
    least: int = 0


NOTIONS: Mapping[str, Asked] = {
    "uniform-stability": Asked(pairs=True, points=True),
    "private-prediction": Asked(pairs=True, points=True, factor=True, fixed=("delta",)),
    "differential-privacy": Asked(pairs=True, factor=True, fixed=("delta",)),
    "total-variation-stability": Asked(pairs=True),
    "zero-concentrated-privacy": Asked(pairs=True, divergence=True),
    "renyi-privacy": Asked(pairs=True, divergence=True, fixed=("renyi_order",), least=1),
    "private-prediction-at-epsilon": Asked(pairs=True, points=True, fixed=("epsilon_ratio",)),
    "differential-privacy-at-epsilon": Asked(pairs=True, fixed=("epsilon_ratio",)),
    "perfect-generalization": Asked(factor=True, from_above=True, fixed=("delta", "beta")),
    "perfect-generalization-at-epsilon": Asked(from_above=True, fixed=("epsilon_ratio", "beta")),
    "robust-generalization": Asked(fixed=("delta",)),
    "robust-generalization-at-epsilon": Asked(fixed=("deviation",)),
    "global-stability": Asked(at_least=True),
    "generalization": Asked(fixed=("beta",)),
    "accuracy": Asked(fixed=("beta", "optimum")),
}
