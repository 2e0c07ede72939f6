"""Answers from the sample that a drawn hypothesis labels."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from pac_stability.classes import Hypothesis, relabelled
from pac_stability.data import AnySample
from pac_stability.learning import PreparedPredictor
from pac_stability.papers.dagan_feldman._answering import Answering, DrawingAnswers
from pac_stability.papers.dagan_feldman.realizable import RealizablePrivateLearner
from pac_stability.randomness import SYSTEM_COINS, Coins

_REMEMBERED = 4096


@dataclass(frozen=True, eq=False)
class RelabelledAnswers(Answering):
    """Draw a hypothesis, label the sample by it, and answer privately from these labels.

    Parameters
    ----------
    learner, n
        As for :class:`Answering`.
    sample
        S.
    selector
        Draws h.
    private
        Answers from the sample labelled by h.
    """

    sample: AnySample = field(repr=False)
    selector: DrawingAnswers
    private: RealizablePrivateLearner
    _known: dict[Hypothesis, PreparedPredictor[Hashable]] = field(default_factory=dict, repr=False)

    def answer(self, point: Hashable, /, rng: Coins = SYSTEM_COINS) -> int:
        """Return one label for a point, with fresh coins."""
        h = self.selector.draw(rng)
        found = self._known.get(h)
        if found is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            found = self._known[h] = self.private.prepare(relabelled(self.sample, h))
        return found.answer(point, rng)
