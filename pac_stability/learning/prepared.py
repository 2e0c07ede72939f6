"""A learner that has seen its sample, and answers questions about points."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import as_points
from pac_stability.data import Sample
from pac_stability.learning.learner import P_contra, Promises
from pac_stability.randomness import SYSTEM_COINS, Coins

ManyPoints: TypeAlias = Iterable[P_contra] | npt.NDArray[Any]
"""Points one after the other, or in an array of shape (k,), numbers, or (k, p), vectors."""


class PreparedPredictor(ABC, Generic[P_contra]):
    """What a learner makes of one sample, so that the next answer costs little.

    ``learner.prepare(sample)`` returns one. All that does not depend on coins, such as the errors
    of hypotheses, is computed then, once; all that does is drawn anew for each answer, so that an
    answer has exactly the law of ``learner.predict(sample, point)``, and answers are independent.

    Notes
    -----
    What is proved of the learner, :attr:`promises`, is said of *one* answer. Who asks k questions
    spends k times as much, or what a composition theorem says; a
    :class:`~pac_stability.mechanisms.Ledger` keeps count. The object itself is as private as the
    sample, which it holds.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> from pac_stability.papers.dagan_feldman import RealizablePrivateLearner
    >>> sample = Sample([0, 2, 1, 2, 0, 1], [0, 1, 0, 1, 0, 0])
    >>> prepared = RealizablePrivateLearner(thresholds(3), 3, 1).prepare(sample)
    >>> prepared.answer(2) in (0, 1), prepared.answers([0, 1, 2]).shape
    (True, (3,))

    A prepared learner is audited as the program that it is:

    >>> from pac_stability.data import enumerate_law
    >>> law = enumerate_law(lambda rng: prepared.answer(0, rng))
    >>> law.probability(1) == 1 - law.probability(0)
    True
    """

    __slots__ = ()

    @property
    @abstractmethod
    def promises(self) -> Promises:
        """What is proved of one answer, by notion; several spend more."""

    @abstractmethod
    def answer(self, point: P_contra, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return one label for a point, with fresh coins.

        Parameters
        ----------
        point
            A point of the domain.
        rng
            Where the coins come from; the operating system's entropy by default.

        Raises
        ------
        InvalidInput
            The point is outside the domain; no coins were drawn.
        """

    def answers(
        self, points: ManyPoints[P_contra], /, rng: Coins = SYSTEM_COINS
    ) -> npt.NDArray[np.uint8]:
        """Return one label for each point, all independent.

        Parameters
        ----------
        points
            Points of the domain, repeated or not: each is a question, and has an answer of its own.
        rng
            Where the coins come from; the operating system's entropy by default.

        Returns
        -------
        array of uint8, shape (number of points,)

        Raises
        ------
        InvalidInput
            A point is outside the domain.
        """
        at = listed_points(points)
        return np.fromiter((self.answer(x, rng) for x in at), dtype=np.uint8, count=len(at))


class _Predicts(Protocol[P_contra]):
    def predict(self, sample: Sample[P_contra], point: P_contra, /, rng: Coins = ...) -> int: ...


@dataclass(frozen=True, slots=True, eq=False)
class HeldSample(PreparedPredictor[P_contra]):
    """A learner of which nothing can be computed ahead, with its sample.

    Parameters
    ----------
    learner
        What predicts.
    sample
        S.
    """

    learner: _Predicts[P_contra]
    sample: Sample[P_contra]

    @property
    def promises(self) -> Promises:
        """What is proved of one answer, by notion; nothing where the learner says nothing."""
        said = getattr(self.learner, "promises", None)
        return cast("Promises", said(len(self.sample))) if callable(said) else {}

    def answer(self, point: P_contra, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return one label for a point, with fresh coins."""
        return self.learner.predict(self.sample, point, rng)


def listed_points(points: ManyPoints[P_contra]) -> tuple[P_contra, ...]:
    """Return points as a tuple of Python values.

    Examples
    --------
    >>> listed_points(np.array([[1, 2], [3, 4]])), listed_points("ab")
    (((1, 2), (3, 4)), ('a', 'b'))
    """
    if isinstance(points, np.ndarray):
        rows = points.tolist()
        return as_points(map(tuple, rows) if points.ndim > 1 else rows)
    return as_points(points)
