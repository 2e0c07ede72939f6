"""How a search moves among the instances of the claims about CLNRW16."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pac_stability.claims.climbing import Climb, Genes
from pac_stability.claims.cummings_et_al._settings import MechanismSetting
from pac_stability.claims.instances.mechanisms import TabledMechanism
from pac_stability.data import FiniteDistribution, multisets


def coin_mechanisms(
    name: str, *, n: range, least: int, firsts: Sequence[Fraction], seconds: Sequence[Fraction]
) -> Climb[MechanismSetting]:
    """Describe a mechanism on n bits with two outputs by a weight for each number of ones.

    Parameters
    ----------
    name
        Of the climb.
    n
        The sizes of samples.
    least
        The least weight of an output, of 40.
    firsts, seconds
        The parameters of the setting.
    """

    def instance(genes: Genes) -> MechanismSetting:
        size, ninths, first, second, *weights = genes
        laws = {
            kind: FiniteDistribution(
                {y: w for y, w in ((0, Fraction(40 - a, 40)), (1, Fraction(a, 40))) if w}
            )
            for kind, a in zip(multisets((0, 1), size), weights, strict=False)
        }
        source = FiniteDistribution({0: Fraction(ninths, 10), 1: Fraction(10 - ninths, 10)})
        mechanism = TabledMechanism(2, size, laws)
        return MechanismSetting(mechanism, source, firsts[first], seconds[second])

    parameters = range(1, 10), range(len(firsts)), range(len(seconds))
    weights = tuple(range(least, 41 - least) for _ in range(n[-1] + 1))
    return Climb(name, (n, *parameters, *weights), instance)


Coin = tuple[int, int, Fraction]
"""The size of samples, the number p of tenths, gamma."""


def coins(name: str) -> Climb[Coin]:
    """Describe a coin by the size of samples, p in tenths, and gamma in hundredths."""
    genes = range(1, 41), range(1, 10), range(1, 151)
    return Climb(name, genes, lambda g: (g[0], g[1], Fraction(g[2], 100)))
