"""A small mechanism whose exact curve is known: ground truth for auditors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pac_stability.arguments import as_size
from pac_stability.data import FiniteDistribution, Mechanism
from pac_stability.data.points_json import encode_point
from pac_stability.errors import InvalidInput
from pac_stability.notions.frontier import Frontier
from pac_stability.randomness import SYSTEM_COINS, Coins

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
        What :func:`pac_stability.zoo.get` knows it by.
    about
        What it is, and what it shows of an auditor.
    mechanism
        The mechanism, with ``law`` and ``run``.
    records
        What data sets are made of.
    n
        How many records a data set has.
    pairs
        Neighbours (S, S') whose laws, P of S against Q of S' in this direction, attain the curve at
        every epsilon between them. One pair is enough in all but a few specimens.
    frontier
        The curve: the least delta for each factor t = e**epsilon over all neighbours, written down
        by hand as the largest of the lines P(E) - t Q(E).

    Examples
    --------
    >>> from pac_stability import zoo
    >>> specimen = zoo.get("randomized-response")
    >>> specimen.pairs, specimen.frontier
    ((((1,), (0,)),), Frontier([(0, 0), (3/4, 1/4)]))
    """

    name: str
    about: str
    mechanism: Mechanism[Records, object]
    records: tuple[object, ...]
    n: int
    pairs: tuple[Pair, ...]
    frontier: Frontier

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
            Where the coins come from; the operating system's entropy by default.
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
        """Return all that an auditor in another language needs, fit for ``json.dumps``.

        Returns
        -------
        dict
            ``name``, ``about``, ``records``, ``n``; ``pairs``, each with its two data sets ``of``
            and their ``laws``, lists of [outcome, probability]; ``events``, the pairs [P(E), Q(E)]
            of the curve ``max P(E) - t Q(E)``; ``vertices``, the pairs [t, delta] at t = 1 and
            where the curve bends. Numbers that must be exact are strings "p/q".

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
