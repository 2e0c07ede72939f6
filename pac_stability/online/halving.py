"""The halving algorithm: predict as most hypotheses of the version space do."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import numpy.typing as npt

from pac_stability.arguments import as_label
from pac_stability.classes import FiniteClass
from pac_stability.classes.required import require_inhabited


class Halving:
    """Predict with the majority of the version space, and never err more than log2 |H| times.

    Every mistake on a realizable sequence at least halves the version space.  On a sequence that
    no hypothesis agrees with, the algorithm goes on as BLM20, Definition 8, lets SOA go on: it
    keeps its last predictor and corrects it at each new point.

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

    def __init__(self, H: FiniteClass, tie: int = 1) -> None:
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
