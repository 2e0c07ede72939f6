"""Exhibits that answer: they predict a label, choose by weights, or toss the wrong coins.

The mistakes: stability taken for privacy, representatives that depend on the data, weights in
floats, shared coins, two answers to one question.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from pac_stability import mechanisms
from pac_stability.arguments import described
from pac_stability.arithmetic import Epsilon
from pac_stability.audit import Notion
from pac_stability.classes import FiniteClass
from pac_stability.data import (
    Deterministic,
    FiniteDistribution,
    FromLaw,
    FromProgram,
    Sample,
    compose,
    then,
)
from pac_stability.errors import InvalidInput
from pac_stability.randomness import SYSTEM_COINS, Coins
from pac_stability.zoo.museum.exhibit import Exhibit
from pac_stability.zoo.specimens import Records, bits, first, of

_HALF = Fraction(1, 2)
_QUARTER = Fraction(1, 4)


@dataclass(frozen=True, slots=True)
class VotingPredictor:
    """One voter for each of the first examples: each sees one, and votes for its label everywhere.

    Parameters
    ----------
    voters
        The number of voters, and the least size of a sample; further examples are ignored.
    one
        The probability of label 1 as a function of the votes.
    """

    voters: int
    one: Callable[[tuple[int, ...]], Fraction]

    def probabilities(self, sample: Sample[object], points: Sequence[object], /) -> list[Fraction]:
        """Return the probability of label 1 at each point."""
        if len(sample) < self.voters:
            raise InvalidInput("sample", described(sample), f"at least {self.voters} examples")
        return [self.one(sample.labels[: self.voters]) for _ in points]


def average(votes: tuple[int, ...]) -> Fraction:
    """Return the share of votes for label 1."""
    return Fraction(sum(votes), len(votes))


def soft_majority(votes: tuple[int, ...]) -> Fraction:
    """Return the probability of label 1 by the exponential mechanism on the two labels."""
    return mechanisms.SoftMajorityVote(_HALF).law(votes).probability(1)


def flipped(p: Fraction, probability: Fraction) -> Fraction:
    """Return p after a flip of the label: alpha + (1 - 2 alpha) p, for any alpha at all."""
    return probability + (1 - 2 * probability) * p


def flipped_in_doubt(votes: tuple[int, ...]) -> Fraction:
    """Return the average after a flip with probability 1/4, but keep a unanimous vote unchanged."""
    return average(votes) if len(set(votes)) == 1 else flipped(average(votes), _QUARTER)


@dataclass(frozen=True, slots=True)
class SubsampledClass:
    """DF20's stable learner A^sta on a tiny class: an exponential mechanism on H_T, T a subsample.

    H_T holds one representative for each labelling of the points of T; the errors of a
    representative are counted on all of S.

    Parameters
    ----------
    rows
        H: the labels at the points 0, 1, ...
    size
        n', the size of T; the law is the average over all choices of T.
    representative
        A function that picks the representative of some rows, given the sample S.
    """

    rows: tuple[tuple[int, ...], ...]
    size: int
    representative: Callable[[list[tuple[int, ...]], Sample[int]], tuple[int, ...]]

    def probabilities(self, sample: Sample[int], points: Sequence[int], /) -> list[Fraction]:
        """Return the probability of label 1 at each point."""
        laws = [dict(self._law(sample, part)) for part in combinations(sample.points, self.size)]
        return [
            sum((weight for law in laws for row, weight in law.items() if row[point]), Fraction(0))
            / len(laws)
            for point in points
        ]

    def _law(
        self, sample: Sample[int], part: tuple[int, ...]
    ) -> Iterator[tuple[tuple[int, ...], Fraction]]:
        """Yield the representatives on the points of one subsample, with their probabilities."""
        alike: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
        for row in self.rows:
            alike.setdefault(tuple(row[point] for point in part), []).append(row)
        chosen = [self.representative(rows, sample) for rows in alike.values()]
        weights = [_HALF ** sample.count_errors(row.__getitem__) for row in chosen]
        for row, weight in zip(chosen, weights, strict=True):
            yield row, weight / sum(weights)


def first_row(rows: list[tuple[int, ...]], sample: Sample[int]) -> tuple[int, ...]:  # noqa: ARG001  # that is the point
    """Return the first of some rows: a function of nothing else."""
    return rows[0]


def fittest_row(rows: list[tuple[int, ...]], sample: Sample[int]) -> tuple[int, ...]:
    """Return the first of some rows with the fewest errors on the sample."""
    return min(rows, key=lambda row: sample.count_errors(row.__getitem__))


_CONSTANTS = FiniteClass([[0], [1]])


def _constants_errors(sample: Sample[Hashable]) -> Sequence[int]:
    return [int(count) for count in mechanisms.error_counts(_CONSTANTS, sample)]


PREDICTIONS = (
    Exhibit(
        name="averaging-as-privacy",
        notion=Notion.PRIVATE_PREDICTION,
        domain=(0,),
        claim=Fraction(3),
        wrong=VotingPredictor(3, average),
        right=VotingPredictor(3, soft_majority),
        value=math.inf,
        sample=Sample((0, 0, 0), (0, 0, 1)),
        neighbour=Sample((0, 0, 0), (0, 0, 0)),
        point=0,
        event=(1,),
    ),
    Exhibit(
        name="missing-flip",
        notion=Notion.PRIVATE_PREDICTION,
        domain=(0,),
        claim=Fraction(5, 3),
        wrong=VotingPredictor(3, flipped_in_doubt),
        right=VotingPredictor(3, lambda votes: flipped(average(votes), _QUARTER)),
        value=math.inf,
        sample=Sample((0, 0, 0), (0, 0, 1)),
        neighbour=Sample((0, 0, 0), (0, 0, 0)),
        point=0,
        event=(1,),
    ),
    Exhibit(
        name="flip-beyond-one-half",
        notion=Notion.PRIVATE_PREDICTION,
        domain=(0,),
        claim=Fraction(1743, 1000),  # e**(gamma/alpha) = e**(5/9), rounded up
        wrong=VotingPredictor(2, lambda votes: flipped(average(votes), Fraction(9, 10))),
        right=VotingPredictor(2, lambda votes: flipped(average(votes), Fraction(1, 2))),
        value=Fraction(5),
        sample=Sample((0, 0), (0, 1)),
        neighbour=Sample((0, 0), (0, 0)),
        point=0,
        event=(0,),
    ),
    Exhibit(
        name="representatives-that-see-the-sample",
        notion=Notion.UNIFORM_STABILITY,
        # q + (1 - q) (1 - rho)/(1 + rho) with q = n'/n = 1/2 and rho = 1/2.
        claim=Fraction(2, 3),
        wrong=SubsampledClass(((0, 0), (0, 1)), 1, fittest_row),
        right=SubsampledClass(((0, 0), (0, 1)), 1, first_row),
        value=Fraction(5, 6),
        sample=Sample((0, 1), (0, 1)),
        neighbour=Sample((0, 0), (0, 0)),
        point=1,
        event=(1,),
    ),
    Exhibit(
        name="range-of-permute-and-flip",
        notion=Notion.UNIFORM_STABILITY,
        domain=(0,),
        claim=Fraction(1, 3),
        wrong=mechanisms.PermuteAndFlip(tuple(_CONSTANTS), _constants_errors, _HALF),
        right=mechanisms.exponential_learner(_CONSTANTS, _HALF),
        value=Fraction(1, 2),
        sample=Sample((0,), (1,)),
        neighbour=Sample((0,), (0,)),
        point=0,
        event=(1,),
    ),
)


# Choices by weights

_SMALLEST_EXPONENT = 1074
"""2**-1074 is the least positive float; 2**-1075 becomes 0."""


def errors_of_rare(data: Records) -> list[int]:
    """Return the errors of a candidate that is far behind, by one more if the record is 1."""
    return [0, _SMALLEST_EXPONENT + first(data)]


def weighted_in_floats(data: Records) -> FiniteDistribution[object]:
    """Return the exact law of a choice whose weights 2**-errors are floats."""
    weights = [2.0**-errors for errors in errors_of_rare(data)]
    whole = sum(map(Fraction, weights))
    return FiniteDistribution(
        {
            name: Fraction(weight) / whole
            for name, weight in zip(("common", "rare"), weights, strict=True)
        }
    )


def votes_among_those_voted_for(data: Records) -> FiniteDistribution[object]:
    """Return the law of the exponential mechanism on the candidates with a vote."""
    candidates = tuple(sorted(map(str, set(data))))
    weights = {name: 2 ** data.count(name) for name in candidates}
    return FiniteDistribution(
        {name: Fraction(weight, sum(weights.values())) for name, weight in weights.items()}
    )


def votes_against(data: Records) -> list[int]:
    """Return for a and b how many votes went elsewhere."""
    return [sum(vote != candidate for vote in data) for candidate in ("a", "b")]


SELECTION = (
    Exhibit(
        name="tail-of-zeros",
        claim=Fraction(2),
        wrong=FromLaw(weighted_in_floats),
        right=mechanisms.ExponentialMechanism(
            ("common", "rare"), errors_of_rare, _HALF, monotone=True
        ),
        value=math.inf,
        sample=(0,),
        neighbour=(1,),
        event=("rare",),
    ),
    Exhibit(
        name="candidates-from-the-data",
        domain=("a", "b"),
        claim=Fraction(4),
        wrong=FromLaw(votes_among_those_voted_for),
        right=mechanisms.ExponentialMechanism(("a", "b"), votes_against, _HALF),
        value=math.inf,
        sample=("a",),
        neighbour=("b",),
        event=("a",),
    ),
)


# Coins and samples


@dataclass(frozen=True, slots=True)
class PatternResponse:
    """Output 1 with probability 1/2, divided by e**epsilon for each place that does not fit.

    Parameters
    ----------
    pattern
        For each place of the input, the records that fit it.
    factor
        t = e**epsilon, at least 1.

    Notes
    -----
    Private with exactly t: replacing one record changes the number of places by at most one, and
    the probability of 0 by a factor of at most ``2 - 1/t <= t``. It depends on the order of its
    input.

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
    """Return whether the bit is flipped, and the result: the labels of two points."""
    flip = rng.bernoulli(_QUARTER)
    return flip, first(data) ^ flip


def coin_and_flipped(data: Records, rng: Coins) -> object:
    """Return an irrelevant coin, and the bit with a flip of its own."""
    return rng.bernoulli(_QUARTER), first(data) ^ rng.bernoulli(_QUARTER)


_ALTERNATING = PatternResponse(((0,), (1,)), Fraction(2))
_ASKED = of(first, mechanisms.RandomizedResponse((0, 1), Epsilon.exactly(2)))

SAMPLING = (
    Exhibit(
        name="order-of-a-subsample",
        claim=Fraction(5, 3),  # 1 + (2/3)(2 - 1), the exact value for symmetric mechanisms
        wrong=mechanisms.Subsampled(_ALTERNATING, 2, order="index"),
        right=mechanisms.Subsampled(_ALTERNATING, 2, order="random"),
        value=Fraction(7, 4),
        sample=(0, 1, 0),
        neighbour=(1, 1, 0),
        event=(1,),
    ),
    Exhibit(
        name="shared-coins",
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
        notion=Notion.TOTAL_VARIATION_STABILITY,
        claim=Fraction(1, 2),
        wrong=FromProgram(flip_and_flipped),
        right=FromProgram(coin_and_flipped),
        value=Fraction(1),
        sample=(0,),
        neighbour=(1,),
        event=((0, 0), (1, 1)),
    ),
)
