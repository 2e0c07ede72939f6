"""Prediction with experts, and two simple learners beside the standard optimal algorithm (SOA).

Agnostic prediction: Hedge over experts that run SOA and sometimes flip it, with its regret as a
certified interval. Then halving, and the weighted majority with exact weights.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from pac_stability._report import Tabled
from pac_stability.arguments import as_label, as_open_unit, as_size
from pac_stability.arithmetic import Interval
from pac_stability.classes.family import TableLike, as_table, require_inhabited
from pac_stability.errors import InvalidInput
from pac_stability.online.soa import StandardOptimalAlgorithm
from pac_stability.randomness import SYSTEM_COINS, Coins


def expert_count(rounds: int, flips: int) -> int:
    """Count the sets of at most ``flips`` of ``rounds`` rounds; 0 when ``flips`` is negative.

    Parameters
    ----------
    rounds
        The number of rounds.
    flips
        The largest number of rounds in a set.

    Examples
    --------
    >>> expert_count(4, 2), expert_count(100, 2), expert_count(3, -1)
    (11, 5051, 0)
    """
    return sum(math.comb(rounds, size) for size in range(flips + 1))


@dataclass(frozen=True, slots=True, repr=False)
class RegretBound(Tabled):
    """ln N / eta + eta T / 8, for Hedge over N experts in T rounds at learning rate eta.

    For all points and labels, the expected mistakes exceed those of the best expert by at most this
    much.  At eta = sqrt(8 ln N / T) it equals sqrt(T ln N / 2), its least value.

    Attributes
    ----------
    horizon
        T, the number of rounds.
    experts
        N, the number of experts.
    beta
        e^-eta, a rational in (0, 1).

    Notes
    -----
    Source: N. Cesa-Bianchi and G. Lugosi, *Prediction, learning, and games*, 2006, Theorem 2.2.

    Examples
    --------
    >>> RegretBound(horizon=100, experts=5051, beta=Fraction(1, 2)).formula
    'ln 5051 / ln 2 + 100 ln 2 / 8'
    >>> RegretBound.tuned(horizon=100, experts=5051).beta
    Fraction(7, 16)
    """

    horizon: int
    experts: int
    beta: Fraction

    def __post_init__(self) -> None:
        as_size(self.horizon, "horizon")
        if as_size(self.experts, "experts") == 0:
            raise InvalidInput("experts", "0", "at least one")
        as_open_unit(self.beta, "beta")

    @classmethod
    def tuned(cls, horizon: int, experts: int) -> RegretBound:
        """Return the bound at a rational beta near the best, with a denominator of at most 32."""
        # A float may choose beta: the bound holds for every beta and is that of the one chosen.
        rate = math.sqrt(8 * math.log(experts) / max(1, horizon))
        beta = Fraction(math.exp(-rate)).limit_denominator(32)
        return cls(horizon, experts, min(max(beta, Fraction(1, 32)), Fraction(31, 32)))

    def interval(self, bits: int = 64) -> Interval:
        """Enclose the bound, computed with ``bits`` bits.

        Examples
        --------
        >>> bound = RegretBound(horizon=100, experts=5051, beta=Fraction(1, 2))
        >>> round(float(bound.interval()), 3), round(float(bound.least()), 3)
        (20.967, 20.649)
        """
        rate = Interval.log(1 / self.beta, bits)
        return Interval.log(self.experts, bits) / rate + rate * Fraction(self.horizon, 8)

    def least(self, bits: int = 64) -> Interval:
        """Enclose sqrt(T ln N / 2), the bound at the best real learning rate."""
        return Interval.sqrt(Interval.log(self.experts, bits) * Fraction(self.horizon, 2), bits)

    @property
    def formula(self) -> str:
        """The bound as text, with its numbers in place."""
        rate = f"ln {1 / self.beta}" if self.beta.numerator == 1 else f"ln({1 / self.beta})"
        return f"ln {self.experts} / {rate} + {self.horizon} {rate} / 8"


# Hedge over experts that run SOA and sometimes flip it


def _moved(soa: StandardOptimalAlgorithm, point: Hashable, label: int) -> StandardOptimalAlgorithm:
    """Return ``soa`` after an example, or ``soa`` itself when no hypothesis would be left."""
    moved = soa.copy()
    moved.update(point, label)
    return moved if moved.realizable else soa


class AgnosticPredictor:
    """Randomised prediction with small regret: few more expected mistakes than the best hypothesis.

    Hedge over all experts that run SOA and flip at most ``flips`` of its predictions within
    ``horizon`` rounds; an expert with m mistakes weighs beta^m.  An expert never looks at the
    labels: it takes its own predictions for them, unless one would leave no hypothesis.  For every
    h of the class and every sequence of points, the expert that flips at the (at most Ldim) rounds
    where SOA would err on h predicts as h does.

    Nothing is assumed about the labels. Experts with the same version space and the same number of
    flips so far predict alike for ever. They are kept as one group with its size, so the
    probabilities are exactly those of Hedge over all experts.

    Parameters
    ----------
    H
        The class, not empty.
    horizon
        Number of rounds T.
    flips
        Largest number of flips d; by default the Littlestone dimension of ``H``, which the regret
        bound against ``H`` needs.
    beta
        e^-eta for learning rate eta, a rational in (0, 1); by default a rational close to the
        best one.
    tie
        Tie rule of SOA.

    Raises
    ------
    InvalidInput
        An argument is not as described.

    Notes
    -----
    A round costs two SOA steps for each group of experts, and at most sum_{i <= d} C(t, i) groups
    exist after t rounds (far fewer when the version spaces meet).  Weights are integers over a
    common denominator.  Source: Ben-David, Pal and Shalev-Shwartz, 2009; the Hedge algorithm is
    that of Y. Freund and R. E. Schapire, 1997.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> predictor = AgnosticPredictor(
    ...     FiniteClass([[0], [1]]), horizon=3, beta=Fraction(1, 2)
    ... )
    >>> predictor.experts, predictor.probability(0)
    (4, Fraction(3, 4))
    >>> predictor.update(0, 0)
    >>> predictor.probability(0), predictor.expected_mistakes
    (Fraction(2, 5), Fraction(3, 4))
    """

    def __init__(
        self,
        H: TableLike,
        horizon: int,
        *,
        flips: int | None = None,
        beta: Fraction | None = None,
        tie: int = 1,
    ) -> None:
        H = as_table(H)
        require_inhabited(H)
        soa = StandardOptimalAlgorithm(H, as_label(tie, "tie"))
        self._horizon = as_size(horizon, "horizon")
        self._flips = soa.dimension if flips is None else as_size(flips, "flips")
        self._experts = expert_count(self._horizon, self._flips)
        if beta is None:
            self._beta = RegretBound.tuned(self._horizon, self._experts).beta
        else:
            self._beta = as_open_unit(beta, "beta")
        self._round = 0
        self._expected_mistakes = Fraction(0)
        # (version space, flips used) -> (SOA there, summed weight of the ways to get there).
        self._groups: dict[tuple[tuple[int, ...], int], tuple[StandardOptimalAlgorithm, int]] = {
            (soa.version_space, 0): (soa, 1)
        }

    @property
    def experts(self) -> int:
        """Number of experts, the sum of C(T, i) over i <= d."""
        return self._experts

    @property
    def groups(self) -> int:
        """Number of groups of experts now kept."""
        return len(self._groups)

    @property
    def beta(self) -> Fraction:
        """The factor by which a mistake multiplies an expert's weight."""
        return self._beta

    @property
    def expected_mistakes(self) -> Fraction:
        """Exact expected number of mistakes so far, given the points and labels."""
        return self._expected_mistakes

    @property
    def regret_bound(self) -> RegretBound:
        """A bound on the regret: expected mistakes minus those of the best expert."""
        return RegretBound(self._horizon, self._experts, self._beta)

    def _ways(self, used: int) -> int:
        """Count the sets of at most d - ``used`` later rounds at which an expert may still flip."""
        return expert_count(self._horizon - self._round - 1, self._flips - used)

    def probability(self, point: Hashable) -> Fraction:
        """Return the exact probability with which the next prediction at ``point`` is 1.

        Raises
        ------
        InvalidInput
            ``point`` is not in the domain, or the horizon is reached.
        """
        if self._round == self._horizon:
            raise InvalidInput("horizon", f"round {self._round + 1}", f"{self._horizon} rounds")
        by_label = [0, 0]
        for (_, used), (soa, weight) in self._groups.items():
            label = soa.predict(point)
            by_label[label] += weight * self._ways(used)
            by_label[1 - label] += weight * self._ways(used + 1)
        return Fraction(by_label[1], sum(by_label))

    def predict(self, point: Hashable, rng: Coins = SYSTEM_COINS) -> int:
        """Draw a prediction, 1 with :meth:`probability`."""
        return rng.bernoulli(self.probability(point))

    def update(self, point: Hashable, label: int) -> None:
        """Take in the true label of ``point``.

        Raises
        ------
        InvalidInput
            ``label`` is not 0 or 1, ``point`` not in the domain, or the horizon is reached.
        """
        label = as_label(label, "label")
        one = self.probability(point)
        self._expected_mistakes += 1 - one if label else one
        right, wrong = self._beta.denominator, self._beta.numerator
        groups: dict[tuple[tuple[int, ...], int], tuple[StandardOptimalAlgorithm, int]] = {}
        for (_, used), (soa, weight) in self._groups.items():
            kept = soa.predict(point)
            for flip in range(2 if used < self._flips else 1):
                says = 1 - kept if flip else kept
                moved = _moved(soa, point, says)
                key = moved.version_space, used + flip
                share = weight * (right if says == label else wrong)
                groups[key] = moved, share + groups[key][1] if key in groups else share
        self._groups = groups
        self._round += 1


# Halving


class Halving:
    """Predict with the majority of the version space, and never err more than log2 |H| times.

    Every mistake on a realizable sequence at least halves the version space.  On a sequence that no
    hypothesis fits, the algorithm continues as BLM20, Definition 8, continues SOA: it keeps its
    last predictor and corrects it at each new point.

    Parameters
    ----------
    H
        The class, not empty.
    tie
        The label predicted when both sides have equally many hypotheses.

    Raises
    ------
    InvalidInput
        ``H`` is empty, or ``tie`` is not 0 or 1.

    Notes
    -----
    A prediction costs O(1) and an update O(|V| |X|) for version space V.  Source: N. Littlestone,
    1988 (there from Barzdin and Freivald, 1972, and Angluin, 1988).

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> halving = Halving(FiniteClass([[0, 0], [0, 1], [1, 1]]))
    >>> halving.predict(1), halving.mistake_bound
    (1, 1)
    >>> halving.update(1, 0)
    >>> halving.mistakes, halving.version_space
    (1, (0,))
    """

    def __init__(self, H: TableLike, tie: int = 1) -> None:
        H = as_table(H)
        require_inhabited(H)
        self._class = H
        self._tie = as_label(tie, "tie")
        self._alive = np.arange(len(H))
        self._hypothesis = self._majority()
        self._realizable = True
        self._mistakes = 0

    def _majority(self) -> npt.NDArray[np.uint8]:
        twice = 2 * self._class.table[self._alive].sum(axis=0, dtype=np.int64)
        size = self._alive.size
        return np.where(twice == size, self._tie, twice > size).astype(np.uint8)

    def predict(self, point: Hashable) -> int:
        """Return the label that most hypotheses of the version space give ``point``."""
        return int(self._hypothesis[self._class.column(point)])

    def update(self, point: Hashable, label: int) -> None:
        """Take in the true label of ``point``."""
        column, label = self._class.column(point), as_label(label, "label")
        self._mistakes += int(self._hypothesis[column]) != label
        self._alive = self._alive[self._class.table[self._alive, column] == label]
        if self._alive.size:
            self._hypothesis = self._majority()
        else:
            self._realizable = False
            self._hypothesis[column] = label

    def hypothesis(self) -> npt.NDArray[np.uint8]:
        """Return the current predictor as a new 0/1 array over the domain."""
        return self._hypothesis.copy()

    @property
    def mistakes(self) -> int:
        """Number of updates whose label differed from the prediction."""
        return self._mistakes

    @property
    def realizable(self) -> bool:
        """Whether some hypothesis agrees with every example so far."""
        return self._realizable

    @property
    def version_space(self) -> tuple[int, ...]:
        """Rows of the hypotheses that agree with every example so far."""
        return tuple(int(row) for row in self._alive)

    @property
    def mistake_bound(self) -> int:
        """floor(log2 |H|), the most mistakes on a realizable sequence."""
        return len(self._class).bit_length() - 1


# Weighted majority


class WeightedMajority:
    """Predict with the weighted majority; a hypothesis that erred m times weighs beta^m.

    No hypothesis is ever discarded, so the algorithm needs no realizable sequence: with k the
    mistakes of the best hypothesis, it errs at most :meth:`mistake_bound` (k) times.

    Parameters
    ----------
    H
        The class, not empty.
    beta
        The factor by which a mistake multiplies the weight of a hypothesis, a rational in (0, 1).
    tie
        The label predicted when both sides weigh the same.

    Raises
    ------
    InvalidInput
        ``H`` is empty, ``beta`` not a Fraction in (0, 1), or ``tie`` not 0 or 1.

    Notes
    -----
    Weights are compared as integers, never rounded.  A prediction and an update cost O(|H|).
    Source: N. Littlestone and M. K. Warmuth, *The weighted majority algorithm*, 1994.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> learner = WeightedMajority(FiniteClass([[0, 0], [0, 1], [1, 1]]))
    >>> learner.update(1, 0)
    >>> learner.weights()
    (Fraction(1, 1), Fraction(1, 2), Fraction(1, 2))
    >>> learner.mistake_bound(best=0), learner.mistake_bound(best=1)
    (3, 6)
    """

    def __init__(self, H: TableLike, beta: Fraction = Fraction(1, 2), tie: int = 1) -> None:
        H = as_table(H)
        require_inhabited(H)
        self._class = H
        self._beta = as_open_unit(beta, "beta")
        self._tie = as_label(tie, "tie")
        self._errors = np.zeros(len(H), dtype=np.int64)
        self._mistakes = 0

    def _weight(self, rows: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> int:
        # The weights times denominator^most, most the largest error count: integers all.
        most = int(self._errors.max())
        power, scale = self._beta.numerator, self._beta.denominator
        counts = np.bincount(self._errors[rows])
        return sum(
            int(count) * power**errors * scale ** (most - errors)
            for errors, count in enumerate(counts)
        )

    def predict(self, point: Hashable) -> int:
        """Return the label whose hypotheses weigh more at ``point``."""
        ones = self._class.table[:, self._class.column(point)] == 1
        for_one, for_zero = self._weight(ones), self._weight(~ones)
        return self._tie if for_one == for_zero else int(for_one > for_zero)

    def update(self, point: Hashable, label: int) -> None:
        """Take in the true label of ``point``: the hypotheses that miss it lose weight."""
        label = as_label(label, "label")
        self._mistakes += self.predict(point) != label
        self._errors += self._class.table[:, self._class.column(point)] != label

    def weights(self) -> tuple[Fraction, ...]:
        """Return the weight of each hypothesis, beta to the number of its mistakes."""
        return tuple(self._beta ** int(errors) for errors in self._errors)

    @property
    def mistakes(self) -> int:
        """Number of updates whose label differed from the prediction."""
        return self._mistakes

    @property
    def best_mistakes(self) -> int:
        """Mistakes of the best hypothesis so far."""
        return int(self._errors.min())

    def mistake_bound(self, best: int) -> int:
        """Bound the mistakes when some hypothesis makes at most ``best``.

        The largest M with |H| ((1 + beta)/2)^M >= beta^best: the total weight starts at |H|, is
        multiplied by at most (1 + beta)/2 at each mistake, and is at least that of the best
        hypothesis.  This is the literature's (log |H| + best log(1/beta)) / log(2/(1 + beta)),
        rounded down and computed in integers.

        Raises
        ------
        InvalidInput
            ``best`` is not a non-negative integer.
        """
        as_size(best, "best")
        total, least = Fraction(len(self._class)), self._beta**best
        factor = (1 + self._beta) / 2
        bound = 0
        while (total := total * factor) >= least:
            bound += 1
        return bound
