"""How a search moves among the instances of the claims about CLNRW16."""

from __future__ import annotations

from fractions import Fraction

from pac_stability.books.cummings_et_al._settings import MechanismSetting
from pac_stability.claims.instances import steep, telling
from pac_stability.claims.trials import Climb, Genes
from pac_stability.data import FiniteDistribution


def telling_mechanisms(name: str) -> Climb[MechanismSetting]:
    """Describe a mechanism that tells the sample by its sizes, weights of elements and delta."""

    def instance(genes: Genes) -> MechanismSetting | None:
        elements, n, fortieths, twentieths, *weights = genes
        few = weights[:elements]
        if n**elements > 600:
            return None
        source = FiniteDistribution({x: Fraction(w, sum(few)) for x, w in enumerate(few)})
        delta = Fraction(fortieths, 40)
        return MechanismSetting(
            telling(elements, n, delta), source, 1 + Fraction(twentieths, 20), delta
        )

    sizes = range(2, 5), range(3, 17), range(1, 20), range(21)
    return Climb(name, (*sizes, *(range(1, 6) for _ in range(4))), instance)


def steep_mechanisms(name: str) -> Climb[MechanismSetting]:
    """Describe a mechanism with rare outputs by n, its factor, their directions, p and beta."""

    def instance(genes: Genes) -> MechanismSetting:
        n, part, ones, zeros, tenths, power, digit = genes
        source = FiniteDistribution({0: 1 - Fraction(tenths, 10), 1: Fraction(tenths, 10)})
        mechanism = steep(n, 1 + Fraction(1, part), "1" * ones + "0" * zeros)
        return MechanismSetting(mechanism, source, Fraction(digit, 10**power), Fraction(0))

    sizes = range(4, 41), range(1, 33), range(1, 4), range(3)
    return Climb(name, (*sizes, range(1, 10), range(1, 11), range(1, 10)), instance)


Coin = tuple[int, int, Fraction]
"""The size of samples, the number p of tenths, gamma."""


def coins(name: str) -> Climb[Coin]:
    """Describe a coin by the size of samples, p in tenths, and gamma in hundredths."""
    genes = range(1, 41), range(1, 10), range(1, 151)
    return Climb(name, genes, lambda g: (g[0], g[1], Fraction(g[2], 100)))
