"""Specimens that answer about single records: randomised responses, leaks, and none at all."""

from __future__ import annotations

from fractions import Fraction

from pac_stability.arithmetic import Epsilon
from pac_stability.data import Deterministic, FiniteDistribution, FromLaw, FromProgram, compose
from pac_stability.mechanisms import RandomizedResponse, Subsampled
from pac_stability.randomness import Coins
from pac_stability.zoo._parts import bits, curve, first, of
from pac_stability.zoo.specimen import Records, Specimen

_QUARTER = Fraction(1, 4)
_TRUTH = of(first, RandomizedResponse((0, 1), Epsilon.exactly(3)))  # true with probability 3/4


def _one_hot(data: Records, rng: Coins) -> object:
    return tuple(int(value == data[0]) ^ rng.bernoulli(_QUARTER) for value in range(3))


def _shuffled(data: Records, rng: Coins) -> object:
    return sum(bit ^ rng.bernoulli(_QUARTER) for bit in bits(data))


def _rare_leak(data: Records, rng: Coins) -> object:
    return data[0] if rng.bernoulli(Fraction(1, 10)) else "nothing"


def _leaky_response(data: Records, rng: Coins) -> object:
    if rng.bernoulli(Fraction(1, 10)):
        return ("leak", first(data))
    return ("answer", first(data) ^ rng.bernoulli(_QUARTER))


ANSWERS = (
    Specimen(
        "coin",
        "A fair coin that looks at nothing: null data. An auditor must not find any loss.",
        FromLaw(lambda _: FiniteDistribution.uniform((0, 1))),
        (0, 1),
        1,
        (((0,), (1,)),),
        curve(),
    ),
    Specimen(
        "identity",
        "The data itself: delta is 1 at every epsilon.",
        Deterministic(lambda data: data),
        (0, 1),
        1,
        (((0,), (1,)),),
        curve(("1", "0")),
    ),
    Specimen(
        "rare-leak",
        "The record with probability 1/10, nothing otherwise: no finite epsilon below delta = 1/10,"
        " and none needed from there on.",
        FromProgram(_rare_leak),
        (0, 1),
        1,
        (((0,), (1,)),),
        curve(("1/10", "0")),
    ),
    Specimen(
        "randomized-response",
        "The true bit with probability 3/4: the simplest pure mechanism, e**epsilon = 3.",
        _TRUTH,
        (0, 1),
        1,
        (((1,), (0,)),),
        curve(("3/4", "1/4")),
    ),
    Specimen(
        "four-valued-response",
        "The true value of four with probability 1/2, each other with 1/6. Two of the four outcomes"
        " carry no information about the pair.",
        of(first, RandomizedResponse(tuple(range(4)), Epsilon.exactly(3))),
        tuple(range(4)),
        1,
        (((0,), (1,)),),
        curve(("1/2", "1/6")),
    ),
    Specimen(
        "one-hot-response",
        "A value of three as three bits, each flipped with probability 1/4. The loss is in the"
        " joint law of two bits: each bit alone shows e**epsilon = 3, both show 9.",
        FromProgram(_one_hot),
        tuple(range(3)),
        1,
        (((0,), (1,)),),
        # The event: bit 0 is set and bit 1 is not. Both were left alone, (3/4)^2, or both flipped.
        curve(("9/16", "1/16")),
    ),
    Specimen(
        "three-responses",
        "One bit asked three times with fresh coins: composition. The curve bends at the factor 3,"
        " where two true answers of three begin to be evidence.",
        compose(compose(_TRUTH, _TRUTH), _TRUTH),
        (0, 1),
        1,
        (((1,), (0,)),),
        # All three answers 1: 27 and 1 of 64. At least two: 27 + 3 * 9 = 54 and 1 + 3 * 3 = 10.
        curve(("27/64", "1/64"), ("54/64", "10/64")),
    ),
    Specimen(
        "subsampled-response",
        "One record of four, chosen at random, answers as in randomized-response: amplification"
        " to e**epsilon = 1 + (3 - 1)/4 = 3/2.",
        Subsampled(_TRUTH, 1),
        (0, 1),
        4,
        (((1, 0, 0, 0), (0, 0, 0, 0)),),
        # The answer 1: (3 + 1 + 1 + 1)/16 with a one among the records, and 1/4 without.
        curve(("3/8", "1/4")),
    ),
    Specimen(
        "shuffled-response",
        "Three bits answer as in randomized-response and only the number of ones is shown. The"
        " worst pair changes with epsilon: an auditor who fixed (0,0,0) misses the left of it.",
        FromProgram(_shuffled),
        (0, 1),
        3,
        (((0, 0, 0), (0, 0, 1)), ((0, 0, 1), (0, 1, 1))),
        # Zeros and ones shown, in 64ths: (27, 27, 9, 1) without a one, (9, 33, 19, 3) with one and
        # (3, 19, 33, 9) with two. No one is shown: 27 against 9; at most one: 42 against 22.
        curve(("27/64", "9/64"), ("42/64", "22/64")),
    ),
    Specimen(
        "random-record",
        "One record of three in the clear: subsampling alone. Delta is 1/3 at every epsilon.",
        Subsampled(Deterministic(first), 1),
        (0, 1),
        3,
        (((1, 0, 0), (0, 0, 0)),),
        curve(("1/3", "0")),
    ),
    Specimen(
        "leaky-response",
        "randomized-response that leaks the bit with probability 1/10: pure above delta = 1/10,"
        " infinite below. Sampling rarely sees the leak.",
        FromProgram(_leaky_response),
        (0, 1),
        1,
        (((1,), (0,)),),
        # The leak alone, and with the answer 1: 1/10 + 9/10 * 3/4 against 9/10 * 1/4.
        curve(("1/10", "0"), ("31/40", "9/40")),
    ),
)
