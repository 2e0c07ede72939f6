"""What certificates of the tests are about, and the digest of one that was changed."""

from fractions import Fraction
from typing import Any

from pac_stability import Coins, FiniteDistribution
from pac_stability.audit.certificates import digest


def sealed(document: dict[str, Any]) -> dict[str, Any]:
    """The document with the digest that its fields have."""
    return {**document, "sha256": digest(document)}


def first(records: tuple[int, ...]) -> FiniteDistribution[object]:
    return FiniteDistribution.point_mass(records[0])


def noisy(records: tuple[int, ...]) -> FiniteDistribution[object]:
    bit = records[0]
    return FiniteDistribution({bit: Fraction(3, 4), 1 - bit: Fraction(1, 4)})


def response(bits: tuple[int, ...], rng: Coins) -> tuple[int, ...]:
    """Randomized response with the truth three times of four."""
    return tuple(bit ^ rng.bernoulli(Fraction(1, 4)) for bit in bits)
