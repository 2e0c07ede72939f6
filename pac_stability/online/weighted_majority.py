"""The weighted majority algorithm, with exact weights and an exact mistake bound."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

import numpy as np

from pac_stability.arguments import as_label, as_open_unit, as_size
from pac_stability.classes import FiniteClass
from pac_stability.classes.required import require_inhabited


class WeightedMajority:
    """Predict with the weighted majority; a hypothesis that erred m times weighs beta^m.

    No hypothesis is ever discarded, so the algorithm needs no realizable sequence: with k the
    mistakes of the best hypothesis, it errs at most :meth:`mistake_bound` (k) times.

    Parameters
    ----------
    H
        The class, not empty.
    beta
        What a mistake multiplies the weight of a hypothesis by, a rational in (0, 1).
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

    def __init__(self, H: FiniteClass, beta: Fraction = Fraction(1, 2), tie: int = 1) -> None:
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
        hypothesis.  The literature's (log |H| + best log(1/beta)) / log(2/(1 + beta)), rounded
        down, decided here in integers.

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
