"""Exhibits about coins and samples: order, shared coins, and answering twice."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from pac_stability.arithmetic import Epsilon
from pac_stability.audit import Notion
from pac_stability.data import Deterministic, FiniteDistribution, FromProgram, compose, then
from pac_stability.mechanisms import RandomizedResponse, Subsampled
from pac_stability.randomness import SYSTEM_COINS, Coins
from pac_stability.zoo._parts import bits, first, of
from pac_stability.zoo.museum.exhibit import Exhibit
from pac_stability.zoo.specimen import Records

_QUARTER = Fraction(1, 4)


@dataclass(frozen=True, slots=True)
class PatternResponse:
    """Say 1 with probability 1/2, divided by e**epsilon for each place that does not fit.

    Parameters
    ----------
    pattern
        For each place of the input, the records that fit there.
    factor
        t = e**epsilon, at least 1.

    Notes
    -----
    Private with exactly t: one record replaced changes the number of places by at most one, and the
    probability of 0 by a factor of at most ``2 - 1/t <= t``. It depends on the order of its input.

    Examples
    --------
    >>> PatternResponse((("a",), ("b", "c")), Fraction(2)).law(("b", "b"))
    FiniteDistribution({1: 1/4, 0: 3/4})
    """

    pattern: tuple[tuple[object, ...], ...]
    factor: Fraction

    def law(self, x: Records, /) -> FiniteDistribution[int]:
        """Return the law of the answer."""
        one = self._one(x)
        return FiniteDistribution({1: one, 0: 1 - one})

    def run(self, x: Records, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return an answer."""
        return rng.bernoulli(self._one(x))

    def _one(self, x: Records) -> Fraction:
        misfits = sum(record not in fit for record, fit in zip(x, self.pattern, strict=True))
        return Fraction(1, 2) / self.factor**misfits


def one_coin_for_all(data: Records, rng: Coins) -> object:
    """Answer for every bit, flipping all or none."""
    flip = rng.bernoulli(_QUARTER)
    return tuple(bit ^ flip for bit in bits(data))


def a_coin_for_each(data: Records, rng: Coins) -> object:
    """Answer for every bit, flipping each with a coin of its own."""
    return tuple(bit ^ rng.bernoulli(_QUARTER) for bit in bits(data))


def flip_and_flipped(data: Records, rng: Coins) -> object:
    """Return whether the bit is flipped, and what comes of it: the labels of two points."""
    flip = rng.bernoulli(_QUARTER)
    return flip, first(data) ^ flip


def coin_and_flipped(data: Records, rng: Coins) -> object:
    """Return a coin that says nothing, and the bit with a flip of its own."""
    return rng.bernoulli(_QUARTER), first(data) ^ rng.bernoulli(_QUARTER)


_ALTERNATING = PatternResponse(((0,), (1,)), Fraction(2))
_ASKED = of(first, RandomizedResponse((0, 1), Epsilon.exactly(2)))

SAMPLING = (
    Exhibit(
        name="order-of-a-subsample",
        bug="A mechanism with e**epsilon = 2 sees two of three records, at random, in the order in"
        " which they stand in the sample; amplification is claimed for it.",
        temptation="Subsampling amplifies privacy, and the proof exchanges the replaced record for"
        " another one. In index order that exchange also shifts the records in between,"
        " so a mechanism that looks at positions sees more than one change.",
        remedy="Hand the subsample over in a uniformly random order, or run a symmetric mechanism.",
        notion=Notion.DIFFERENTIAL_PRIVACY,
        domain=(0, 1),
        n=3,
        claim=Fraction(5, 3),  # 1 + (2/3)(2 - 1), the exact value for symmetric mechanisms
        wrong=Subsampled(_ALTERNATING, 2, order="index"),
        right=Subsampled(_ALTERNATING, 2, order="random"),
        value=Fraction(7, 4),
        sample=(0, 1, 0),
        neighbour=(1, 1, 0),
        event=(1,),
    ),
    Exhibit(
        name="shared-coins",
        bug="Two people answer by randomised response, and both use the same coin: a seed is"
        " reused.",
        temptation="Each answer taken by itself has exactly the right law, so every test of one"
        " answer passes. Their exclusive or has no noise.",
        remedy="A coin for each answer.",
        notion=Notion.DIFFERENTIAL_PRIVACY,
        domain=(0, 1),
        n=2,
        claim=Fraction(3),
        wrong=FromProgram(one_coin_for_all),
        right=FromProgram(a_coin_for_each),
        value=math.inf,
        sample=(0, 0),
        neighbour=(0, 1),
        event=((0, 0), (1, 1)),
    ),
    Exhibit(
        name="asked-twice",
        bug="A randomised response with e**epsilon = 2 that answers again, with a fresh coin,"
        " whenever it is asked. It is asked twice.",
        temptation="Each answer keeps to epsilon, and the epsilon is in the settings, so it is"
        " reported. Two answers cost twice as much.",
        remedy="Remember the answer and repeat it.",
        notion=Notion.DIFFERENTIAL_PRIVACY,
        domain=(0, 1),
        n=1,
        claim=Fraction(2),
        wrong=compose(_ASKED, _ASKED),
        right=then(_ASKED, Deterministic(lambda answer: (answer, answer))),
        value=Fraction(4),
        sample=(0,),
        neighbour=(1,),
        event=((0, 0),),
    ),
    Exhibit(
        name="stable-at-every-point",
        bug="A hypothesis on two points: at the second the bit of the data, flipped with"
        " probability 1/4, at the first the coin that flipped it. Claimed stable in total"
        " variation with gamma = 1/2.",
        temptation="The label at the first point does not depend on the data, that at the second"
        " moves by 1/2, so predictions are 1/2-stable, and a hypothesis is only its"
        " predictions. But it is all of them together, and one says what the other hides.",
        remedy="Draw the labels with coins of their own, or publish one prediction alone.",
        notion=Notion.TOTAL_VARIATION_STABILITY,
        domain=(0, 1),
        n=1,
        claim=Fraction(1, 2),
        wrong=FromProgram(flip_and_flipped),
        right=FromProgram(coin_and_flipped),
        value=Fraction(1),
        sample=(0,),
        neighbour=(1,),
        event=((0, 0), (1, 1)),
    ),
)
