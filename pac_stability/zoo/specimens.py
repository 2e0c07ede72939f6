"""Specimens: small mechanisms with a known exact curve, and a tiny instance of every learner.

The first are ground truth for auditors. This module has their type, common parts, and those that
answer about single records: randomised responses, leaks, and constant ones. The others, and the
lookup by name, are in :mod:`pac_stability.zoo.collection`.

Then comes every learner and compression scheme of the library, each small enough for an exhaustive
check.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias, TypeVar, cast

from pac_stability import classes, compression, mechanisms
from pac_stability.arguments import as_size
from pac_stability.arithmetic import Epsilon
from pac_stability.data import (
    Deterministic,
    Example,
    FiniteDistribution,
    FromLaw,
    FromProgram,
    Mechanism,
    compose,
    then,
)
from pac_stability.data.sample import encode_point
from pac_stability.errors import InvalidInput
from pac_stability.learning import Learner
from pac_stability.mechanisms import StableHistogram, exponential_learner
from pac_stability.notions.frontier import Frontier
from pac_stability.papers import bun_livni_moran, cummings_et_al, dagan_feldman
from pac_stability.papers.dagan_feldman import baselines
from pac_stability.randomness import SYSTEM_COINS, Coins

TOLD = tomllib.loads(Path(__file__).with_name("told.toml").read_text("utf-8"))
"""What is told of each specimen and exhibit, by its name."""

Records: TypeAlias = tuple[object, ...]
"""A data set: a tuple of records, in order."""

Pair: TypeAlias = tuple[Records, Records]
"""Two neighbouring data sets: one record replaced."""


@dataclass(frozen=True, slots=True)
class Specimen:
    """A mechanism on tuples of n records, with its exact privacy curve. Immutable.

    Attributes
    ----------
    name
        Its name for :func:`pac_stability.zoo.get`.
    mechanism
        The mechanism, with ``law`` and ``run``.
    pairs
        Pairs of neighbours (S, S') that together attain the curve at every epsilon, with the law P
        on S against Q on S' in this direction. One pair is enough for all but a few specimens.
    frontier
        The curve: the least delta for each factor t = e**epsilon over all neighbours, written down
        by hand as the largest of the lines P(E) - t Q(E).
    records
        The possible records.
    about
        Its description, and what it tests in an auditor.

    Examples
    --------
    >>> from pac_stability import zoo
    >>> specimen = zoo.get("randomized-response")
    >>> specimen.pairs, specimen.frontier
    ((((1,), (0,)),), Frontier([(0, 0), (3/4, 1/4)]))
    """

    name: str
    mechanism: Mechanism[Records, object]
    pairs: tuple[Pair, ...]
    frontier: Frontier
    records: tuple[object, ...] = (0, 1)
    about: str = ""

    @property
    def n(self) -> int:
        """The number of records of a data set."""
        return len(self.pairs[0][0])

    def law(self, side: int, pair: int = 0) -> FiniteDistribution[object]:
        """Return the exact law of the output on one side of a worst pair.

        Parameters
        ----------
        side
            0 for S or 1 for S'.
        pair
            Which of :attr:`pairs`.

        Raises
        ------
        InvalidInput
            There is no such side or pair.

        Examples
        --------
        >>> from pac_stability import zoo
        >>> zoo.get("randomized-response").law(0)
        FiniteDistribution({0: 1/4, 1: 3/4})
        """
        side, pair = as_size(side, "side"), as_size(pair, "pair")
        if side > 1:
            raise InvalidInput("side", str(side), "0 or 1")
        if pair >= len(self.pairs):
            raise InvalidInput("pair", str(pair), f"a number below {len(self.pairs)}")
        return self.mechanism.law(self.pairs[pair][side])

    def draw(
        self, side: int, size: int, rng: Coins = SYSTEM_COINS, *, pair: int = 0
    ) -> list[object]:
        """Return independent outputs on one side of a worst pair, drawn exactly.

        Parameters
        ----------
        side
            0 for S or 1 for S'.
        size
            How many.
        rng
            The source of coins; by default the operating system's entropy.
        pair
            Which of :attr:`pairs`.

        Raises
        ------
        InvalidInput
            There is no such side or pair, or the size is negative.

        Examples
        --------
        >>> from pac_stability import zoo
        >>> from pac_stability.randomness import SeededCoins
        >>> len(zoo.get("randomized-response").draw(1, 5, SeededCoins(1)))
        5
        """
        law = self.law(side, pair)
        return [law.sample(rng) for _ in range(as_size(size, "size"))]

    def to_dict(self) -> dict[str, object]:
        """Return all that an auditor in another language needs, as a dictionary for ``json.dumps``.

        Returns
        -------
        dict
            ``name``, ``about``, ``records``, ``n``; ``pairs``, each with its two data sets ``of``
            and their ``laws``, lists of [outcome, probability]; ``events``, the pairs [P(E), Q(E)]
            of the curve ``max P(E) - t Q(E)``; ``vertices``, the pairs [t, delta] at t = 1 and
            where the curve bends. Exact numbers are strings "p/q".

        Examples
        --------
        >>> from pac_stability import zoo
        >>> zoo.get("rare-leak").to_dict()["vertices"]
        [['1', '1/10']]
        """
        return {
            "name": self.name,
            "about": self.about,
            "records": [encode_point(record) for record in self.records],
            "n": self.n,
            "pairs": [
                {
                    "of": [encode_point(data) for data in pair],
                    "laws": [_written(self.mechanism.law(data)) for data in pair],
                }
                for pair in self.pairs
            ],
            "events": [[str(p), str(q)] for p, q in self.frontier.corners],
            "vertices": [[str(t), str(delta)] for t, delta in self.frontier.vertices],
        }


def _written(law: FiniteDistribution[object]) -> list[list[object]]:
    return [[encode_point(outcome), str(probability)] for outcome, probability in law.items()]


# Parts

Mid = TypeVar("Mid")


def bits(data: Records) -> tuple[int, ...]:
    """Return records that are known to be integers, as such."""
    return cast("tuple[int, ...]", data)


def first(data: Records) -> int:
    """Return the first record, known to be an integer."""
    return bits(data)[0]


def total(data: Records) -> int:
    """Return the sum of the records, known to be integers."""
    return sum(bits(data))


def of(
    query: Callable[[Records], Mid], answer: Mechanism[Mid, object]
) -> Mechanism[Records, object]:
    """Return the mechanism that answers a query of the data."""
    return then(Deterministic(query), answer)


def noisy(query: Callable[[Records], int], least: int, *weights: int) -> Mechanism[Records, object]:
    """Return the mechanism that adds noise ``least``, ``least + 1``, ... of given weights."""

    def program(data: Records, rng: Coins) -> object:
        return query(data) + least + rng.choose(weights)

    return FromProgram(program)


def curve(*events: tuple[str, str]) -> Frontier:
    """Return the frontier of events given by their two probabilities, each as "p/q"."""
    return Frontier((Fraction(p), Fraction(q)) for p, q in events)


# Answers about single records

_QUARTER = Fraction(1, 4)
_TRUTH = of(
    first, mechanisms.RandomizedResponse((0, 1), Epsilon.exactly(3))
)  # true with probability 3/4


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
        "coin", FromLaw(lambda _: FiniteDistribution.uniform((0, 1))), (((0,), (1,)),), curve()
    ),
    Specimen("identity", Deterministic(lambda data: data), (((0,), (1,)),), curve(("1", "0"))),
    Specimen("rare-leak", FromProgram(_rare_leak), (((0,), (1,)),), curve(("1/10", "0"))),
    Specimen("randomized-response", _TRUTH, (((1,), (0,)),), curve(("3/4", "1/4"))),
    Specimen(
        "four-valued-response",
        of(first, mechanisms.RandomizedResponse(tuple(range(4)), Epsilon.exactly(3))),
        (((0,), (1,)),),
        curve(("1/2", "1/6")),
        records=tuple(range(4)),
    ),
    Specimen(
        "one-hot-response",
        FromProgram(_one_hot),
        (((0,), (1,)),),
        # The event: bit 0 is set and bit 1 is not. Both were left alone, (3/4)^2, or both flipped.
        curve(("9/16", "1/16")),
        records=tuple(range(3)),
    ),
    Specimen(
        "three-responses",
        compose(compose(_TRUTH, _TRUTH), _TRUTH),
        (((1,), (0,)),),
        # All three answers 1: 27 and 1 of 64. At least two: 27 + 3 * 9 = 54 and 1 + 3 * 3 = 10.
        curve(("27/64", "1/64"), ("54/64", "10/64")),
    ),
    Specimen(
        "subsampled-response",
        mechanisms.Subsampled(_TRUTH, 1),
        (((1, 0, 0, 0), (0, 0, 0, 0)),),
        # The answer 1: (3 + 1 + 1 + 1)/16 with a one among the records, and 1/4 without.
        curve(("3/8", "1/4")),
    ),
    Specimen(
        "shuffled-response",
        FromProgram(_shuffled),
        (((0, 0, 0), (0, 0, 1)), ((0, 0, 1), (0, 1, 1))),
        # Zeros and ones shown, in 64ths: (27, 27, 9, 1) without a one, (9, 33, 19, 3) with one and
        # (3, 19, 33, 9) with two. No one is shown: 27 against 9; at most one: 42 against 22.
        curve(("27/64", "9/64"), ("42/64", "22/64")),
    ),
    Specimen(
        "random-record",
        mechanisms.Subsampled(Deterministic(first), 1),
        (((1, 0, 0), (0, 0, 0)),),
        curve(("1/3", "0")),
    ),
    Specimen(
        "leaky-response",
        FromProgram(_leaky_response),
        (((1,), (0,)),),
        # The leak alone, and with the answer 1: 1/10 + 9/10 * 3/4 against 9/10 * 1/4.
        curve(("1/10", "0"), ("31/40", "9/40")),
    ),
)


# Every learner and compression scheme of the library

_FOUR = Epsilon.exactly(4)
_HALF, _TENTH = Fraction(1, 2), Fraction(1, 10)
_PAIR = (Example(0, 0), Example(1, 1))


@dataclass(frozen=True, slots=True)
class LearnerSpecimen:
    """A tiny learner, and samples on which everything about it is computable.

    Attributes
    ----------
    learner
        The learner.
    elements
        The points of samples, or their examples.
    sizes
        The sizes of samples; the largest shows a dependence on order.
    distributions
        A distribution of examples, for the notions that need one.
    """

    learner: Learner[Hashable]
    elements: tuple[Hashable, ...]
    sizes: tuple[int, ...]
    distributions: tuple[FiniteDistribution[Example[Hashable]], ...] = ()

    @property
    def name(self) -> str:
        """The name of its class."""
        return type(self.learner).__name__

    @property
    def points(self) -> tuple[Hashable, ...]:
        """The points, without labels."""
        return tuple(dict.fromkeys(e.point if isinstance(e, Example) else e for e in self.elements))


def learners() -> tuple[LearnerSpecimen, ...]:
    """Return every learner of the papers, and every compression scheme.

    Examples
    --------
    >>> from pac_stability import zoo
    >>> len(zoo.learners()), zoo.learners()[0].name
    (36, 'StableLearner')
    """
    return (*_stable_and_private_predictions(), *_littlestone(), *_generic(), *_schemes())


def _stable_and_private_predictions() -> Iterator[LearnerSpecimen]:
    H = classes.thresholds(2)
    stable = dagan_feldman.StableLearner(H, 1, _FOUR)
    private = dagan_feldman.RealizablePrivateLearner(H, 2, _FOUR)
    short, parts = (1, 2, 3), (2, 4)
    yield LearnerSpecimen(stable, H.domain, short)
    yield LearnerSpecimen(dagan_feldman.FlippedLearner(stable, _TENTH), H.domain, short)
    yield LearnerSpecimen(private, H.domain, parts)
    yield LearnerSpecimen(dagan_feldman.RelabellingLearner(stable, private), H.domain, parts)
    yield LearnerSpecimen(
        dagan_feldman.PrivatePredictionLearner(H, 1, _HALF, blocks=2, flip_probability=_TENTH),
        H.domain,
        parts,
    )
    yield LearnerSpecimen(dagan_feldman.VotingLearner(_HALF), ("a", "b"), short)
    yield LearnerSpecimen(dagan_feldman.PrivateVotingLearner(_FOUR, _TENTH), ("a", "b"), short)
    yield LearnerSpecimen(baselines.SubsetAverage(H, 2), H.domain, (2, 3))
    yield LearnerSpecimen(baselines.DisjointAverage(H, 2), H.domain, parts)
    yield LearnerSpecimen(baselines.ExponentialLearner(H, _FOUR), H.domain, short)
    yield LearnerSpecimen(baselines.ThresholdWalk(_FOUR, 2), (0, 1), short)
    yield LearnerSpecimen(baselines.DworkFeldmanAggregation(H, 2, _FOUR), H.domain, parts)
    yield LearnerSpecimen(baselines.LaplaceAggregation(H, 2, 1.0), H.domain, parts)


def _littlestone() -> Iterator[LearnerSpecimen]:
    H = classes.thresholds(2)
    stable = bun_livni_moran.GloballyStableLearner(H, "1/4", n=1, blocks=2)
    private = bun_livni_moran.PrivateLearner(
        H.domain, stable, 3, 2, StableHistogram(_HALF, 0, 2), _HALF, 1, default=0
    )
    levels = tuple(
        (bun_livni_moran.GloballyStableLearner(H, "1/4", n=1, blocks=blocks, level=level), 1)
        for level, blocks in ((0, 0), (1, 2))
    )
    by_level = bun_livni_moran.ByLevelPrivateLearner(levels, private)
    base = exponential_learner(H, _HALF)
    targets = tuple(FiniteDistribution.uniform([Example(x, h(x)) for x in H.domain]) for h in H)
    yield LearnerSpecimen(stable, H.domain, (3,), targets)
    yield LearnerSpecimen(private, _PAIR, (7,), targets[1:2])
    yield LearnerSpecimen(by_level, _PAIR, (5,), targets[1:2])
    yield LearnerSpecimen(bun_livni_moran.GenericPrivateLearner(H, _FOUR), H.domain, (1, 2, 3))
    yield LearnerSpecimen(
        bun_livni_moran.AgnosticPrivateLearner(H, base, 1, base.guarantee, ratio=1, decay=_HALF),
        H.domain,
        (2, 3),
    )


def _generic() -> Iterator[LearnerSpecimen]:
    H = classes.thresholds(2)
    yield LearnerSpecimen(cummings_et_al.GenericAgnosticLearner(H, "1/10", 1), H.domain, (1, 2, 3))
    yield LearnerSpecimen(
        cummings_et_al.FiniteDomainLearner(classes.Thresholds(), (0, 1), "1/10", 1),
        (0, 1),
        (1, 2, 3),
    )


def _schemes() -> Iterator[LearnerSpecimen]:
    """The schemes; those that are not agnostic on samples that a hypothesis fits."""
    H = classes.thresholds(2)
    line, sizes = (0, 1), (1, 2, 3)
    yield LearnerSpecimen(compression.ThresholdScheme(), line, sizes)
    yield LearnerSpecimen(compression.ThresholdScheme(classes.SignedThresholds()), line, sizes)
    yield LearnerSpecimen(compression.IntervalScheme(), line, sizes)
    yield LearnerSpecimen(compression.UnionOfIntervalsScheme(2), line, sizes)
    yield LearnerSpecimen(compression.BoxScheme(1), ((0,), (1,)), sizes)
    yield LearnerSpecimen(compression.ChainScheme(H), line, sizes)
    yield LearnerSpecimen(compression.SubsamplingScheme(classes.Thresholds(), 2), line, sizes)
    yield LearnerSpecimen(compression.smallest_scheme(H), line, sizes)
    yield LearnerSpecimen(compression.smallest_scheme(H, proper=False), line, sizes)
    maximum, boosting = compression.MaximumClassScheme(H), compression.BoostingScheme(H)
    littlestone, halfspaces = compression.LittlestoneScheme(H), compression.HalfspaceScheme(1)
    ends = (Example((0,), 0), Example((1,), 1))
    for fitting, elements in (
        (maximum, _PAIR),
        (boosting, _PAIR),
        (littlestone, _PAIR),
        (halfspaces, ends),
    ):
        yield LearnerSpecimen(fitting, elements, sizes)
    yield LearnerSpecimen(compression.agnostic(maximum), line, sizes)
    yield LearnerSpecimen(compression.agnostic(boosting), line, (1, 2))
    yield LearnerSpecimen(compression.agnostic(littlestone), line, sizes)
