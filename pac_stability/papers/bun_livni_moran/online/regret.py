"""The regret line of the introduction: the exact minimax regret of small online games."""

from __future__ import annotations

import math
from collections.abc import Hashable
from fractions import Fraction

import numpy as np

from pac_stability.arguments import as_label, as_size
from pac_stability.arithmetic import Interval
from pac_stability.classes import FiniteClass
from pac_stability.classes.family import require_inhabited
from pac_stability.errors import BudgetExhausted, InvalidInput
from pac_stability.online import expert_count

MAX_POSITIONS = 1_000_000

_LONGEST = 200  # the recursion is as deep as the game is long


class RegretGame:
    """The agnostic online game on a finite class: T rounds against an adversary, solved exactly.

    In each round the adversary chooses a point, the learner a probability of label 1, and the
    adversary the label. The learner pays its expected mistakes beyond those of the best hypothesis.

    Parameters
    ----------
    H
        The class, not empty.
    rounds
        T, at most 200.
    max_positions
        Refuse games with more positions.

    Raises
    ------
    InvalidInput
        The class is empty, or a number is not as described.
    BudgetExhausted
        From :attr:`value` and :meth:`predictor`: the game has more positions.

    Notes
    -----
    What matters of the past is how many mistakes each hypothesis has made. Let V(L) be the regret
    still to be paid at losses L, so that ``V(L) = -min L`` at the end. One more mistake of some
    hypotheses changes V by at most one, so the learner can balance the two labels: it predicts 1
    with probability ``p = (1 + a - b)/2``, where a and b are V after the labels 1 and 0, and ``V(L)
    = max_x (1 + a + b)/2``. The adversary may as well label by fair coins: the value is ``T/2 -
    E[min_h L_h]`` on the best tree of points. In particular a multiple of 2^-T.

    Only differences of losses matter, and a hypothesis that is as many mistakes behind as there are
    rounds left never becomes the best one; positions are merged accordingly. Their number is
    exponential in T at worst.

    Sources: Ben-David, Pal and Shalev-Shwartz 2009; the argument with coins is that of Rakhlin,
    Sridharan and Tewari, *Online learning via sequential complexities*, 2015. Used in BLM20,
    Section I.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> [str(RegretGame(thresholds(3), T).value) for T in (1, 2, 3, 4)]
    ['1/2', '1', '1', '5/4']
    """

    def __init__(self, H: FiniteClass, rounds: int, *, max_positions: int = MAX_POSITIONS) -> None:
        require_inhabited(H)
        self.H = H
        self.rounds: int = as_size(rounds, "rounds")
        if self.rounds > _LONGEST:
            raise InvalidInput("rounds", f"{self.rounds}", f"at most {_LONGEST}")
        self._limit = as_size(max_positions, "max_positions", least=1)
        # Columns that are equal ask the same question.
        columns = {tuple(column) for column in H.table.T.tolist()}
        self._questions = sorted(columns)
        self._values: dict[tuple[int, tuple[int, ...]], int] = {}

    @property
    def value(self) -> Fraction:
        """The minimax regret: what both sides can enforce in expectation."""
        if self.rounds and not self._questions:
            raise InvalidInput("H", "a class without points", "at least one point to play at")
        return Fraction(self._value(self.rounds, (0,) * len(self.H)), 2**self.rounds)

    def predictor(self) -> MinimaxPredictor:
        """Return a learner whose regret is at most :attr:`value` against every adversary."""
        return MinimaxPredictor(self)

    def probability(self, losses: tuple[int, ...], left: int, point: Hashable) -> Fraction:
        """Return an optimal probability of label 1 at a point.

        Parameters
        ----------
        losses
            The mistakes of each hypothesis so far.
        left
            How many rounds are left, this one among them; at least 1.
        point
            The point asked.
        """
        left = as_size(left, "left", least=1)
        if len(losses) != len(self.H):
            raise InvalidInput("losses", f"{len(losses)} numbers", "one for each hypothesis")
        labels = tuple(self.H.table[:, self.H.column(point)].tolist())
        one, zero = self._sides(left, losses, labels)
        return Fraction(2 ** (left - 1) + one - zero, 2**left)

    def _sides(
        self, left: int, losses: tuple[int, ...], labels: tuple[int, ...]
    ) -> tuple[int, int]:
        """2^(left - 1) V after the label 1, and after the label 0."""
        after_one = tuple(loss + 1 - y for loss, y in zip(losses, labels, strict=True))
        after_zero = tuple(loss + y for loss, y in zip(losses, labels, strict=True))
        return self._value(left - 1, after_one), self._value(left - 1, after_zero)

    def _value(self, left: int, losses: tuple[int, ...]) -> int:
        """2^left V, an integer."""
        least = min(losses)
        if left == 0:
            return -least
        position = tuple(min(loss - least, left) for loss in losses)
        known = self._values.get((left, position))
        if known is None:
            if len(self._values) >= self._limit:
                raise BudgetExhausted(
                    f"the game has more than {self._limit} positions; "
                    "try fewer rounds or a larger max_positions"
                )
            known = max(
                2 ** (left - 1) + sum(self._sides(left, position, labels))
                for labels in self._questions
            )
            self._values[left, position] = known
        return known - (least << left)


class MinimaxPredictor:
    """The optimal learner of a :class:`RegretGame`.

    Examples
    --------
    >>> from pac_stability.classes import cube
    >>> learner = RegretGame(cube(1), 2).predictor()
    >>> learner.probability(0)
    Fraction(1, 2)
    >>> learner.update(0, 1)
    >>> learner.probability(0), learner.expected_mistakes
    (Fraction(1, 1), Fraction(1, 2))
    """

    def __init__(self, game: RegretGame) -> None:
        self._game = game
        self._left = game.rounds
        self._losses = np.zeros(len(game.H), dtype=np.int64)
        self.expected_mistakes: Fraction = Fraction(0)

    def probability(self, point: Hashable) -> Fraction:
        """Return the probability with which the next prediction at ``point`` is 1.

        Raises
        ------
        InvalidInput
            ``point`` is not in the domain, or the game is over.
        """
        if self._left == 0:
            raise InvalidInput("point", "one more round", f"{self._game.rounds} rounds")
        return self._game.probability(tuple(self._losses.tolist()), self._left, point)

    def update(self, point: Hashable, label: int) -> None:
        """Take in the true label of ``point``."""
        y = as_label(label, "label")
        one = self.probability(point)
        self.expected_mistakes += 1 - one if y else one
        self._losses += self._game.H.table[:, self._game.H.column(point)] != y
        self._left -= 1

    @property
    def regret(self) -> Fraction:
        """Expected mistakes so far beyond those of the best hypothesis so far."""
        return self.expected_mistakes - int(self._losses.min())


def random_label_regret(dimension: int, rounds: int) -> Fraction:
    """Return a lower bound on the minimax regret of every class of a Littlestone dimension.

    Parameters
    ----------
    dimension
        d, at least 0.
    rounds
        T.

    Returns
    -------
    Fraction
        The sum of ``E|S_k| / 2`` over d blocks of k rounds, k being T/d rounded down or up, where
        S_k is a sum of k random signs. At least ``sqrt(d T / 8)`` when d divides T.

    Notes
    -----
    The adversary walks down a shattered tree. At each question it asks for a block of fair labels,
    and then takes the side of their majority, so that the hypothesis of the leaf saves ``|S_k|/2``
    mistakes in each block compared with guessing. ``E|S_k| >= sqrt(k/2)`` is Khinchine's inequality
    with the constant of S. Szarek. Source: Ben-David, Pal and Shalev-Shwartz 2009; the lower half
    of the regret line in BLM20, Section I.

    Examples
    --------
    >>> random_label_regret(1, 2), random_label_regret(2, 4), random_label_regret(0, 9)
    (Fraction(1, 2), Fraction(1, 1), Fraction(0, 1))
    """
    d, T = as_size(dimension, "dimension"), as_size(rounds, "rounds")
    if d == 0:
        return Fraction(0)
    short, longer = divmod(T, d)
    return (d - longer) * _mean_size(short) / 2 + longer * _mean_size(short + 1) / 2


def _mean_size(k: int) -> Fraction:
    """E|S_k|."""
    return Fraction(sum(math.comb(k, ones) * abs(k - 2 * ones) for ones in range(k + 1)), 2**k)


def experts_regret(dimension: int, rounds: int, bits: int = 64) -> Interval:
    """Enclose an upper bound on the minimax regret of every class of a Littlestone dimension.

    Parameters
    ----------
    dimension
        d, at least 0.
    rounds
        T.
    bits
        Working precision.

    Returns
    -------
    Interval
        ``sqrt(T ln N / 2)`` with ``N = sum_{i <= d} C(T, i)``, the number of experts of
        :class:`~pac_stability.online.AgnosticPredictor`; ``ln N <= d ln(e T / d)`` for T >= d >= 1.

    Notes
    -----
    Source: Ben-David, Pal and Shalev-Shwartz 2009; the upper half of the regret line in BLM20,
    Section I.

    Examples
    --------
    >>> round(float(experts_regret(2, 4)), 3)
    2.19
    """
    d, T = as_size(dimension, "dimension"), as_size(rounds, "rounds")
    experts = expert_count(T, min(d, T))
    return Interval.sqrt(Interval.log(experts, bits) * Fraction(T, 2), bits)
