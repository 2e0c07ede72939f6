"""Theorem 3 for one class: what online learning and private learning cost, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber, as_open_unit, as_size
from pac_stability.arithmetic import Constants, ConstantsLike, Epsilon, Interval, floor_log2
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.classes import FiniteClass
from pac_stability.dimensions import (
    HalfGraph,
    MistakeTree,
    shattered_tree,
    threshold,
    vc_dimension,
)
from pac_stability.online import StandardOptimalAlgorithm, TreeAdversary, play
from pac_stability.online.game import require_playable
from pac_stability.papers.bun_livni_moran.agnostic.promise import AgnosticPromise
from pac_stability.papers.bun_livni_moran.agnostic.sizes import agnostic_sizes_over
from pac_stability.papers.bun_livni_moran.formulas import PrivateLearnerSizes
from pac_stability.papers.bun_livni_moran.online.ladders import (
    thresholds_in_tree,
    tree_on_thresholds,
)
from pac_stability.papers.bun_livni_moran.online.regret import experts_regret, random_label_regret


@dataclass(frozen=True, slots=True, repr=False)
class Equivalence(Tabled):
    """The quantities that Theorem 3 ties together, for one class.

    Made by :func:`equivalence`. As text it is a table.

    Attributes
    ----------
    tree
        A shattered tree of depth d, the Littlestone dimension.
    thresholds
        The most thresholds in the class, as a half graph of size k.
    thresholds_from_tree
        Thresholds extracted from the tree: at least floor(log2(d + 1)).
    tree_from_thresholds
        A shattered tree built on the thresholds, of depth floor(log2 k); ``None`` for k = 0.
    vc
        The VC dimension.
    mistakes
        Mistakes of the SOA in a game against the adversary that walks down the tree.
    horizon
        T, the rounds of the agnostic game.
    regret
        Bounds on the minimax regret for T rounds.
    private
        Examples of the private learner M for realizable targets, with explicit constants.
    agnostic
        Examples of the agnostic private learner over M: sharp, with which it keeps its promise,
        over M by level
        (:class:`AgnosticPromise`); otherwise by the conditions of its source.
    """

    _kind: ClassVar[str] = "online and private learning of one class"

    tree: MistakeTree
    thresholds: HalfGraph
    thresholds_from_tree: HalfGraph
    tree_from_thresholds: MistakeTree | None
    vc: int
    mistakes: int
    horizon: int
    regret: tuple[Fraction, Interval]
    private: int
    agnostic: int

    @property
    def littlestone(self) -> int:
        """The Littlestone dimension d."""
        return self.tree.depth

    @property
    def threshold(self) -> int:
        """The threshold dimension k."""
        return len(self.thresholds.points)

    @property
    def threshold_bound(self) -> int:
        """floor(log2(d + 1)), at most k: trees contain thresholds."""
        return floor_log2(self.littlestone + 1)

    @property
    def littlestone_bound(self) -> int:
        """floor(log2 k), at most d: thresholds carry trees; 0 for k = 0."""
        return floor_log2(self.threshold) if self.threshold else 0

    def _rows(self) -> Mapping[str, object]:
        low, high = self.regret
        return {
            "Littlestone dimension d": self.littlestone,
            "  at least, from k thresholds": self.littlestone_bound,
            "threshold dimension k": self.threshold,
            "  at least, from depth d": self.threshold_bound,
            "  extracted from the tree": len(self.thresholds_from_tree.points),
            "VC dimension": self.vc,
            "online, realizable: mistakes played": self.mistakes,
            f"online, agnostic: regret in {self.horizon} rounds": (
                f"{float(low):.2f} to {float(high):.2f}"
            ),
            "private, realizable: examples": self.private,
            "private, agnostic: examples": self.agnostic,
        }


def equivalence(
    H: FiniteClass,
    *,
    horizon: int = 100,
    alpha: AnyNumber = "1/4",
    beta: AnyNumber = "1/10",
    epsilon: Epsilon | AnyNumber = 1,
    delta: AnyNumber = "1/1000000",
    constants: ConstantsLike = Constants.SHARP,
) -> Equivalence:
    """Return what online and private learning of one class cost, with witnesses.

    Parameters
    ----------
    H
        The class, not empty, and without the point ``None``.
    horizon
        T, the rounds of the agnostic game.
    alpha, beta, epsilon, delta
        Accuracy, confidence and privacy of the private learners, all above 0; alpha, beta and delta
        below 1.
    constants
        Printed: the frequency of Lemma 12 as it stands there, which is proved for d = 1 only.
        Proved and sharp: what is proved, see :class:`PrivateLearnerSizes`.

    Returns
    -------
    Equivalence
        The table, and its trees and thresholds, which can be checked without a search.

    Raises
    ------
    InvalidInput
        An argument is not as described.

    Notes
    -----
    Theorem 3 is about classes for which these numbers may be infinite; on a finite class all are
    finite, and what can be shown is how each bounds the others. Online from private goes through
    thresholds: a private learner for k thresholds needs a number of examples that grows with
    log* k, hence for a class of dimension d one that grows with log* d (Alon, Livni, Malliaris and
    Moran 2019). This is an asymptotic statement without a number to show here. Private from
    online is algorithm M.

    The agnostic size, sharp, is that of :func:`agnostic_promise`: with probability 1 - beta the
    loss is at most alpha above the least, and all that is spent is epsilon and delta. Printed and
    proved, it is that of :meth:`AgnosticPrivateLearner.of_class`, for M with delta at most beta/n,
    as that transformation needs; what is promised there is an order, and its epsilon is that of
    :attr:`AgnosticPrivateLearner.guarantee`, which is at least ``2 ln(1 + sqrt(e))``, about 1.95.

    Source: BLM20 Theorem 3, Corollary 2.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> print(equivalence(thresholds(3)), end="")
    online and private learning of one class
    Littlestone dimension d                 2
      at least, from k thresholds           1
    threshold dimension k                   3
      at least, from depth d                1
      extracted from the tree               2
    VC dimension                            1
    online, realizable: mistakes played     2
    online, agnostic: regret in 100 rounds  5.61 to 20.65
    private, realizable: examples           106,539
    private, agnostic: examples             681,757
    """
    require_playable(H)
    T = as_size(horizon, "horizon")
    tree = shattered_tree(H)
    half_graph = threshold(H).witness or HalfGraph((), ())
    d, vc = tree.depth, vc_dimension(H)
    a, b = as_open_unit(alpha, "alpha"), as_open_unit(beta, "beta")
    budget, spared = as_epsilon(epsilon), as_open_unit(delta, "delta")
    private = agnostic = 0  # a class of dimension 0 has one hypothesis, which needs no examples
    if d:
        M = PrivateLearnerSizes(d, a, b, budget, spared, constants)
        private = M.sample_size
        if M.constants is Constants.SHARP:
            agnostic = AgnosticPromise(d, vc, a, b, budget, spared, len(H)).sample_size
        else:
            agnostic = agnostic_sizes_over(M, vc)[0].sample_size
    return Equivalence(
        tree=tree,
        thresholds=half_graph,
        thresholds_from_tree=thresholds_in_tree(H, tree),
        tree_from_thresholds=tree_on_thresholds(H, half_graph) if half_graph.points else None,
        vc=vc,
        mistakes=play(H, StandardOptimalAlgorithm(H), TreeAdversary(H, tree)).mistakes,
        horizon=T,
        regret=(random_label_regret(d, T), experts_regret(d, T)),
        private=private,
        agnostic=agnostic,
    )
