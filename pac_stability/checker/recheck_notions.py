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
    deviation
        Whether a deviation is fixed.
    divergence
        Whether the parameter is the largest Renyi divergence, each divided by its order.
    """

    pairs: bool = False
    points: bool = False
    factor: bool = False
    at_least: bool = False
    from_above: bool = False
    deviation: bool = False
    divergence: bool = False


NOTIONS: Mapping[str, Asked] = {
    "uniform-stability": Asked(pairs=True, points=True),
    "private-prediction": Asked(pairs=True, points=True, factor=True),
    "differential-privacy": Asked(pairs=True, factor=True),
    "total-variation-stability": Asked(pairs=True),
    "zero-concentrated-privacy": Asked(pairs=True, divergence=True),
    "private-prediction-at-epsilon": Asked(pairs=True, points=True),
    "differential-privacy-at-epsilon": Asked(pairs=True),
    "perfect-generalization": Asked(factor=True, from_above=True),
    "perfect-generalization-at-epsilon": Asked(from_above=True),
    "robust-generalization": Asked(),
    "robust-generalization-at-epsilon": Asked(deviation=True),
    "global-stability": Asked(at_least=True),
    "generalization": Asked(),
    "accuracy": Asked(),
}
