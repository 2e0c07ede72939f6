"""Numbers of the notions beside definitions that are spelt out, on samples of a few labels.

The learner sees up to three labels at one point and outputs one of them, by a noisy majority, so
that every sample, output and distribution of a grid can be listed.
"""

from __future__ import annotations

from typing import TypeAlias

from pac_stability.data import FiniteDistribution

Labels: TypeAlias = tuple[int, ...]
Law: TypeAlias = FiniteDistribution[int]


"""From an output, a sample and Pr[1] to the number that is to be small."""


# Definition 5, over all distributions


def _silent(_: Labels) -> Law:
    return FiniteDistribution.point_mass(0)


# Definition 6: frontiers


# Definition 8, over all distributions


# Grids and global stability
