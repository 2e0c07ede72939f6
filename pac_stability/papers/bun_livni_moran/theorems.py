"""Theorems 3 and 6, and what they rest on: trees and thresholds, regret, few and stable outputs.

Also Figures 1 and 2 of BLM20.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import ClassVar, TypeAlias

import numpy as np

from pac_stability import arguments, dimensions
from pac_stability._report import Tabled
from pac_stability.arguments import AnyNumber, as_label, as_size
from pac_stability.arithmetic import (
    Constants,
    ConstantsLike,
    Epsilon,
    EpsilonLike,
    Interval,
    floor_log2,
)
from pac_stability.arithmetic.epsilon import as_epsilon
from pac_stability.classes import FiniteClass
from pac_stability.classes.family import require_inhabited
from pac_stability.data import Example, FiniteDistribution
from pac_stability.dimensions import HalfGraph, Leaf, MistakeTree, Node, shattered_tree
from pac_stability.errors import BudgetExhausted, InvalidInput
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.online import StandardOptimalAlgorithm, TreeAdversary, expert_count, play
from pac_stability.online.game import require_playable
from pac_stability.papers import guarantees
from pac_stability.papers.bun_livni_moran import agnostic_accuracy, formulas, tournaments
from pac_stability.papers.bun_livni_moran.formulas.parameters import FrequentOutputLoss
from pac_stability.papers.bun_livni_moran.formulas.sizes import PrivateFromStable
from pac_stability.randomness import Coins, SeededCoins


def thresholds_in_tree(H: FiniteClass, tree: MistakeTree) -> HalfGraph:
    """Find floor(log2(d + 1)) thresholds in a shattered tree of depth d.

    Parameters
    ----------
    H
        The class.
    tree
        A mistake tree that it shatters.

    Returns
    -------
    HalfGraph
        At least floor(log2(d + 1)) hypotheses and as many points, ``h_i(x_j) = 1`` exactly for
        i <= j.

    Raises
    ------
    InvalidInput
        H does not shatter the tree.

    Notes
    -----
    *The step.* Take the hypothesis h of some leaf, and colour every question of the tree by the
    label that h gives to its point. A tree of depth d has, in the sense that sides are kept,
    a subtree of depth at least d/2 whose questions have one colour y: if r and b are the largest
    depths for the two colours, then r + b >= d by induction, since a question of the first colour
    adds one to the smaller r of its sides, and keeps the b of that side. Let x be the root of
    that subtree, and go on with its side 1 - y: a tree of depth at least ceil(d/2) - 1 on whose
    points h says y, and whose hypotheses say 1 - y at x. These are floor(log2(d + 1)) steps.

    *The order.* Write hypotheses and points on a line such that h(x) = 1 exactly if h is left of
    x. For y = 1 a step puts h, x left of all that is still to come, for y = 0 it puts x, h right of
    it. The last subtree is one hypothesis, in the middle. With a steps of the first kind and b
    of the second the line reads ``(h x)^a h (x h)^b``, which is a + b pairs ``h x`` and one h.

    ``O(2^d d)`` for the tree, which has 2^d leaves. Source: S. Shelah 1978; the step is that of W.
    Hodges, *A shorter model theory*, 1997; Alon, Livni, Malliaris and Moran 2019.

    Examples
    --------
    >>> from pac_stability.classes import cube
    >>> from pac_stability.dimensions import shattered_tree
    >>> H = cube(3)
    >>> found = thresholds_in_tree(H, shattered_tree(H))
    >>> len(found.points), found.is_realized_by(H)
    (3, True)
    """
    fault = tree.fault(H)
    if fault is not None:
        raise InvalidInput("tree", f"a tree with this fault: {fault}", "a tree shattered by H")
    left_hypotheses: list[int] = []
    left_points: list[int] = []
    right_hypotheses: list[int] = []
    right_points: list[int] = []
    place = tree.root
    while isinstance(place, Node):
        h = _first_hypothesis(place)
        coloured = _question(place, H, h)
        y = int(coloured.depths[1] > coloured.depths[0])
        depth = coloured.depths[y]
        root = _root(coloured, y, depth)
        if y:
            left_hypotheses.append(h)
            left_points.append(root.place.point)
        else:
            right_hypotheses.append(h)
            right_points.append(root.place.point)
        place = _subtree(root.sides[1 - y], y, depth - 1)
    right_hypotheses.append(place.hypothesis)
    # Steps of the second kind come from the right end; its last hypothesis has no point.
    return HalfGraph(
        tuple(left_hypotheses + right_hypotheses[:0:-1]), tuple(left_points + right_points[::-1])
    )


def tree_on_thresholds(H: FiniteClass, thresholds: HalfGraph) -> MistakeTree:
    """Build a shattered tree of depth floor(log2 k) on k thresholds, by binary search.

    Parameters
    ----------
    H
        The class.
    thresholds
        A half graph in it, of at least one pair.

    Raises
    ------
    InvalidInput
        H does not realize the half graph, or it has no pairs.

    Notes
    -----
    ``O(k)``. Source: Alon, Livni, Malliaris and Moran 2019, after Shelah and Hodges.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> from pac_stability.dimensions import threshold
    >>> H = thresholds(8)
    >>> tree = tree_on_thresholds(H, threshold(H).witness)
    >>> tree.depth, tree.is_shattered_by(H)
    (3, True)
    """
    k = len(thresholds.hypotheses)
    if k == 0 or not thresholds.is_realized_by(H):
        raise InvalidInput("thresholds", f"{thresholds}", "a half graph in H, of at least one pair")

    def search(low: int, size: int) -> Node | Leaf:
        """A tree for the hypotheses low, ..., low + size - 1, size being a power of two."""
        if size == 1:
            return Leaf(thresholds.hypotheses[low])
        half = size // 2
        point = thresholds.points[low + half - 1]
        return Node(point, zero=search(low + half, half), one=search(low, half))

    return MistakeTree(search(0, 1 << (k.bit_length() - 1)))


@dataclass(frozen=True, slots=True)
class _PointQuestion:
    """A question with its colour, and the depths of the largest subtrees of colours 0 and 1."""

    place: Node
    colour: int
    sides: tuple[_Coloured, _Coloured]
    depths: tuple[int, int]


_Coloured: TypeAlias = "_PointQuestion | Leaf"


def _first_hypothesis(place: Node | Leaf) -> int:
    while isinstance(place, Node):
        place = place.zero
    return place.hypothesis


def _depth(tree: _Coloured, colour: int) -> int:
    return 0 if isinstance(tree, Leaf) else tree.depths[colour]


def _coloured(place: Node | Leaf, H: FiniteClass, h: int) -> _Coloured:
    return place if isinstance(place, Leaf) else _question(place, H, h)


def _question(place: Node, H: FiniteClass, h: int) -> _PointQuestion:
    """Colour every question by the label of h."""
    zero, one = _coloured(place.zero, H, h), _coloured(place.one, H, h)
    colour = int(H.table[h, place.point])
    depths = [max(_depth(zero, c), _depth(one, c)) for c in (0, 1)]
    depths[colour] = max(depths[colour], 1 + min(_depth(zero, colour), _depth(one, colour)))
    return _PointQuestion(place, colour, (zero, one), (depths[0], depths[1]))


def _root(tree: _PointQuestion, colour: int, depth: int) -> _PointQuestion:
    """Find the first question of a complete subtree of one colour and this depth, at least 1."""
    while True:
        zero, one = tree.sides
        here = tree.colour == colour
        if here and min(_depth(zero, colour), _depth(one, colour)) >= depth - 1:
            return tree
        side = zero if _depth(zero, colour) >= depth else one
        if isinstance(side, Leaf):  # only if the tree has no such subtree
            raise InvalidInput("depth", f"{depth}", f"at most {tree.depths[colour]}")
        tree = side


def _subtree(tree: _Coloured, colour: int, depth: int) -> Node | Leaf:
    """Return a complete subtree of one colour and this depth, at most the largest."""
    if isinstance(tree, Leaf):
        return tree
    if depth == 0:
        return Leaf(_first_hypothesis(tree.place))
    root = _root(tree, colour, depth)
    zero, one = (_subtree(side, colour, depth - 1) for side in root.sides)
    return Node(root.place.point, zero, one)


# The regret line of the introduction: the exact minimax regret of small online games

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
    The past matters only through the number of mistakes of each hypothesis. Let V(L) be the regret
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
        self._questions = sorted({tuple(column) for column in H.table.T.tolist()})
        self._values: dict[tuple[int, tuple[int, ...]], int] = {}

    @property
    def value(self) -> Fraction:
        """The minimax regret, which both sides can enforce in expectation."""
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
            The number of rounds left, including this one; at least 1.
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


# Figures 1 and 2 of the paper as computed objects, and as text

_Rows: TypeAlias = frozenset[int]

_SEED = 5
"""The first seed of which the winners are those of the drawing in the paper."""


def figure_1_class() -> FiniteClass:
    """Return the thresholds of Figure 1: t_1, ..., t_8, with ``t_i(j) = 1`` exactly for i <= j.

    Examples
    --------
    >>> H = figure_1_class()
    >>> len(H), H.domain, H(2, 2), H(2, 3)
    (8, (1, 2, 3, 4, 5, 6, 7, 8), 0, 1)
    """
    return FiniteClass(np.triu(np.ones((8, 8), dtype=np.uint8)), domain=range(1, 9))


def figure_1() -> MistakeTree:
    """Return the tree of Figure 1: the only complete tree of depth 3 that these shatter.

    Examples
    --------
    >>> from pac_stability.dimensions.trees import tree_to_text
    >>> print(tree_to_text(figure_1(), figure_1_class().domain), end="")
    4
    ├─0─ 6
    │    ├─0─ 7
    │    │    ├─0─ h7
    │    │    └─1─ h6
    │    └─1─ 5
    │         ├─0─ h5
    │         └─1─ h4
    └─1─ 2
         ├─0─ 3
         │    ├─0─ h3
         │    └─1─ h2
         └─1─ 1
              ├─0─ h1
              └─1─ h0
    >>> count_shattered_trees(figure_1_class(), 3)
    1
    """
    return shattered_tree(figure_1_class())


def count_shattered_trees(H: FiniteClass, depth: int) -> int:
    """Count the complete trees of points of a given depth that a class shatters.

    Parameters
    ----------
    H
        The class.
    depth
        The depth, at least 0.

    Returns
    -------
    int
        The number of ways to write a point at each of the ``2**depth - 1`` questions such that each
        path is realized; hypotheses at the leaves are not told apart.

    Notes
    -----
    One sum over points for each version space that is met. Exponential at worst.

    Examples
    --------
    >>> from pac_stability.classes import cube
    >>> [count_shattered_trees(cube(3), depth) for depth in range(5)]
    [1, 3, 12, 12, 0]
    """
    columns = [frozenset(np.flatnonzero(column).tolist()) for column in H.table.T]

    @cache
    def count(rows: _Rows, left: int) -> int:
        if left == 0:
            return int(bool(rows))
        if len(rows) < 1 << left:
            return 0
        return sum(count(rows & ones, left - 1) * count(rows - ones, left - 1) for ones in columns)

    return count(frozenset(range(len(H))), as_size(depth, "depth"))


def figure_2(rng: Coins | None = None) -> tournaments.TournamentRecord:
    """Draw a sample from a D_3, with its tournaments, as in Figure 2.

    The class is that of Figure 1, the target t_4 under the uniform distribution, n = 2, and the
    frequency threshold 1, so that D_3 is defined.

    Parameters
    ----------
    rng
        Where the coins come from; by default a seed for which the kept sides are those of the
        paper, so that the sample is ``T_010 o (x_01, y_01) o T_01 o (x_0, y_0) o T_0 o (x, y)``.

    Examples
    --------
    >>> record = figure_2()
    >>> record.path, parts_of_sample(record)
    ((0, 1, 0), ('T_010', '(x_01, y_01)', 'T_01', '(x_0, y_0)', 'T_0', '(x, y)'))
    """
    H = figure_1_class()
    target = FiniteDistribution.uniform([Example(x, H(3, x)) for x in H.domain])
    D_3 = tournaments.TournamentDistribution(H, target, k=3, n=2, threshold=1)
    return D_3.run(SeededCoins(_SEED) if rng is None else rng)


def parts_of_sample(record: tournaments.TournamentRecord) -> tuple[str, ...]:
    """Name the parts of a sample of D_k in order, after the places where they were drawn.

    Parameters
    ----------
    record
        The record of the sample.

    Returns
    -------
    tuple of str
        A name ``T_b`` for the n examples drawn at place b, then one ``(x_b, y_b)`` for the
        tournament example of the place above, from the first tournament to the last.
    """
    parts: list[str] = []
    path = "".join(map(str, record.path))
    for end in range(len(path), 0, -1):
        below, place = path[:end], path[: end - 1]
        parts += [f"T_{below}", f"(x_{place}, y_{place})" if place else "(x, y)"]
    return tuple(parts)


@dataclass(frozen=True, slots=True, repr=False)
class Equivalence(Tabled):
    """The quantities that Theorem 3 relates, for one class.

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

    tree: dimensions.MistakeTree
    thresholds: dimensions.HalfGraph
    thresholds_from_tree: dimensions.HalfGraph
    tree_from_thresholds: dimensions.MistakeTree | None
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
    epsilon: EpsilonLike = 1,
    delta: AnyNumber = "1/1000000",
    constants: ConstantsLike = Constants.SHARP,
) -> Equivalence:
    """Return the costs of online and private learning of one class, with witnesses.

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
    thresholds: a private learner for k thresholds needs a number of examples that grows with log*
    k, hence for a class of dimension d one that grows with log* d (Alon, Livni, Malliaris and Moran
    2019). This is an asymptotic statement without explicit numbers. Private from online is
    algorithm M.

    The agnostic size, sharp, is that of :func:`agnostic_promise`: with probability 1 - beta the
    loss is at most alpha above the least, and the whole learner is (epsilon, delta)-private.
    Printed and proved, it is that of :meth:`AgnosticPrivateLearner.of_class`, for M with delta at
    most beta/n, as that transformation needs; it promises only an order, and its epsilon is that of
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
    private, realizable: examples           43,611
    private, agnostic: examples             662,886
    """
    require_playable(H)
    T = arguments.as_size(horizon, "horizon")
    tree = dimensions.shattered_tree(H)
    half_graph = dimensions.threshold(H).witness or dimensions.HalfGraph((), ())
    d, vc = tree.depth, dimensions.vc_dimension(H)
    a, b = arguments.as_open_unit(alpha, "alpha"), arguments.as_open_unit(beta, "beta")
    budget, spared = as_epsilon(epsilon), arguments.as_open_unit(delta, "delta")
    private = agnostic = 0  # a class of dimension 0 has one hypothesis, which needs no examples
    if d:
        M = formulas.PrivateLearnerSizes(d, a, b, budget, spared, constants)
        private = M.sample_size
        if M.constants is Constants.SHARP:
            agnostic = agnostic_accuracy.AgnosticPromise(
                d, vc, a, b, budget, spared, len(H)
            ).sample_size
        else:
            agnostic = agnostic_accuracy.agnostic_sizes_over(M, vc)[0].sample_size
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


# Theorem 6: from the existence of a weak private learner to one with all parameters

_SMALLEST = Fraction(1, 2**32)


@dataclass(frozen=True, slots=True, repr=False)
class StrongSizeBound(Tabled):
    """C for which ``n = ceil(C ln(1/(beta delta)) / (alpha epsilon))`` examples are enough for M.

    Theorem 6 says that a class with a weak private learner has one for all parameters, of this
    size. The weak learner gives no more than that the Littlestone dimension d is finite; the strong
    one is M, and C depends on d only.

    Parameters
    ----------
    dimension
        d, at least 1.
    constants
        Printed: the frequency of Lemma 12 as it stands there, which is proved for d = 1 only.
        Proved and sharp are the same: the accounting is that of the proved M, and the sharp M is
        no larger.

    Notes
    -----
    For 0 < alpha < 1, beta and delta at most 1/2, and epsilon at most 1. (Near beta = delta = 1 the
    logarithm tends to 0, so that the statement with one C asks for learners without examples.) Let
    ``L = ln(1/(beta delta)) >= ln 4``, and let tau, B, eta be those of algorithm G.

    - The decay r of the noise is ``e**(-epsilon/2)``, rounded up a little, and ``ln(1/r) >= 1 - r
      >= 0.39 epsilon``. A noise of at most ``ln(2/delta) / ln(1/r) + 1`` is enough, since the tail
      it cuts off weighs at most r to that power. So the number of runs is at most ``8 (1/0.39 +
      1/ln 4) L / (epsilon eta) + 1``, below ``27.1 L / (epsilon eta)``.
    - A run takes ``(B + 1) n`` examples, ``n <= (2 log2(1/tau) + 1) / alpha``.
    - The final choice takes at most ``72 (1 + ln(32/eta) / ln 4) L / (alpha epsilon) + 1``.

    Source: BLM20 Theorem 6, whose constant is not worked out.

    Examples
    --------
    >>> StrongSizeBound(1).constant
    42638
    """

    dimension: int
    constants: ConstantsLike = Constants.SHARP

    def __post_init__(self) -> None:
        d = arguments.as_size(self.dimension, "dimension", least=1)
        object.__setattr__(self, "dimension", d)
        checked = formulas.GlobalStabilityParameters(d, Fraction(1), self.constants)
        object.__setattr__(self, "constants", checked.constants)

    @property
    def constant(self) -> int:
        """C, a constant that provably suffices."""
        return math.ceil((self.for_runs + self.for_choice).upper)

    @property
    def for_runs(self) -> Interval:
        """Enclose the part of C for the runs of algorithm G."""
        G = self._stable
        run = (2 * Interval.log2(1 / G.threshold.value) + 1) * (G.blocks + 1)
        return run * (Fraction(271, 10) / G.eta)

    @property
    def for_choice(self) -> Interval:
        """Enclose the part of C for the final choice."""
        return 72 * (1 + Interval.log(32 / self._stable.eta) / Interval.log(4)) + 1

    @property
    def _stable(self) -> formulas.GlobalStabilityParameters:
        printed = self.constants == Constants.PRINTED
        accounting = Constants.PRINTED if printed else Constants.PROVED
        return formulas.GlobalStabilityParameters(self.dimension, Fraction(1), accounting)

    def sample_size(
        self, alpha: AnyNumber, beta: AnyNumber, epsilon: EpsilonLike, delta: AnyNumber
    ) -> int:
        """Return ``ceil(C ln(1/(beta delta)) / (alpha epsilon))``, never below the total of M.

        Parameters
        ----------
        alpha
            Above 0 and below 1.
        beta, delta
            Above 0 and at most 1/2.
        epsilon
            From 2^-32 to 1. (Below, the rounding of decays is no longer small.)
        """
        a = _within(alpha, "alpha", Fraction(1), strict=True)
        b = _within(beta, "beta", Fraction(1, 2))
        c = _within(delta, "delta", Fraction(1, 2))
        asked = epsilon if isinstance(epsilon, Epsilon) else Epsilon(epsilon)
        if not Epsilon(_SMALLEST) <= asked <= Epsilon(1):
            raise InvalidInput("epsilon", f"{float(asked):g}", "from 2**-32 to 1")
        wanted = Interval.log(1 / (b * c)) / asked.interval() * self.constant / a
        return math.ceil(wanted.upper)


def is_weak_learner(
    guarantee: PrivacyGuarantee, n0: int, alpha: AnyNumber, beta: AnyNumber, c: AnyNumber
) -> bool:
    """Return whether a private learner satisfies the premise of Theorem 6.

    Parameters
    ----------
    guarantee
        Its privacy.
    n0
        Its sample size, at least 2.
    alpha, beta
        Its loss exceeds alpha with probability below beta.
    c
        The constant of the theorem, which the paper does not give.

    Returns
    -------
    bool
        Whether epsilon is at most 0.1, alpha and beta at most 1/16 and delta at most
        ``c / (n0**2 log2 n0)``. Then the class has a finite Littlestone dimension. On a finite
        class it has one anyway.

    Raises
    ------
    InvalidInput
        n0 is below 2, or alpha or beta is not an exact number from 0 to 1.

    Examples
    --------
    >>> weak = PrivacyGuarantee(Epsilon("0.1"), Fraction(1, 10**9))
    >>> [is_weak_learner(weak, n0, "1/16", "1/16", 1) for n0 in (1000, 100_000)]
    [True, False]
    """
    most = formulas.THEOREM_6_WEAK["epsilon_0"]
    small = arguments.as_probability(alpha, "alpha") <= formulas.THEOREM_6_WEAK["alpha_0"]
    sure = arguments.as_probability(beta, "beta") <= formulas.THEOREM_6_WEAK["beta_0"]
    private = guarantee.epsilon <= Epsilon(most)
    return small and sure and private and formulas.theorem_6_weak_delta(n0, c) >= guarantee.delta


def _within(value: AnyNumber, argument: str, most: Fraction, *, strict: bool = False) -> Fraction:
    number = arguments.as_number(value, argument)
    if not 0 < number <= most or (strict and number == most):
        wanted = f"above 0 and {'below' if strict else 'at most'} {most}"
        raise InvalidInput(argument, arguments.in_words(number), wanted)
    return number


# What BLM20 concludes from global stability, and from few outputs

_GRID = 1 << 64  # rounded parameters are multiples of one over this


@dataclass(frozen=True, slots=True, repr=False)
class AccurateOutput(Tabled):
    """On every realizable distribution some output has this frequency, and at most this loss."""

    _kind: ClassVar[str] = "an accurate frequent output"

    eta: Fraction
    loss: Fraction


def few_outputs_to_frequent(count: guarantees.OutputCount) -> guarantees.FrequencyGuarantee:
    """Return the global stability of few outputs: one over their number, by averaging.

    Examples
    --------
    >>> few_outputs_to_frequent(guarantees.OutputCount(3)).eta
    Fraction(1, 3)
    """
    return guarantees.FrequencyGuarantee(Fraction(1, count.outputs))


def frequent_to_accurate(guarantee: guarantees.FrequencyGuarantee, n: int) -> AccurateOutput:
    """Return the loss of the frequent output of a learner that is consistent with its sample.

    Parameters
    ----------
    guarantee
        The global stability of a learner that is consistent on realizable samples.
    n
        The size of the samples, at least 1.

    Raises
    ------
    InvalidInput
        n is not a positive integer.

    Notes
    -----
    ``1 - eta**(1/n)``, rounded up; Proposition 5 prints ``ln(1/eta)/n``, which is more.

    Examples
    --------
    >>> found = frequent_to_accurate(guarantees.FrequencyGuarantee(Fraction(1, 4)), 8)
    >>> found.eta, round(float(found.loss), 4)
    (Fraction(1, 4), 0.1591)
    """
    bound = FrequentOutputLoss(guarantee.eta, n).sharp().upper
    return AccurateOutput(guarantee.eta, min(Fraction(1), Fraction(-(-bound * _GRID // 1), _GRID)))


def stable_to_private_learner(
    frequent: AccurateOutput, n: int, beta: Fraction, privacy: PrivacyGuarantee
) -> PrivateFromStable:
    """Return the sizes of a private learner (algorithm M) that runs a stable one.

    Parameters
    ----------
    frequent
        The guarantee of the stable learner on samples of size n.
    n
        At least 1.
    beta
        The probability of failure of the private learner, whose error is at most twice the loss of
        the frequent output.
    privacy
        The privacy of the private learner; its delta is above 0.

    Raises
    ------
    InvalidInput
        A parameter is out of range, or twice the loss is not above 0 and below 1.

    Examples
    --------
    >>> from pac_stability.arithmetic import Epsilon
    >>> spent = PrivacyGuarantee(Epsilon(1), Fraction(1, 10**6))
    >>> found = AccurateOutput(Fraction(1, 8), Fraction(1, 8))
    >>> stable_to_private_learner(found, 520, Fraction(1, 10), spent).sample_size
    900821
    """
    return PrivateFromStable(
        n, frequent.eta, 2 * frequent.loss, beta, privacy.epsilon, privacy.delta, "proved"
    )


RULES: tuple[guarantees.Rule, ...] = (
    guarantees.at_once(
        "BLM20:remark-averaging",
        guarantees.OutputCount,
        guarantees.FrequencyGuarantee,
        few_outputs_to_frequent,
    ),
    guarantees.Implication(
        claim="BLM20:proposition-5",
        premise=guarantees.FrequencyGuarantee,
        conclusion=AccurateOutput,
        bound=frequent_to_accurate,
        into=guarantees.itself,
        given=lambda rule, stable, n, wanted: rule(stable, n) if wanted.consistent else None,
    ),
    guarantees.Implication(
        claim="BLM20:theorem-17.explicit",
        premise=AccurateOutput,
        conclusion=PrivateFromStable,
        bound=stable_to_private_learner,
        into=guarantees.itself,
        given=lambda rule, frequent, n, wanted: (
            None if wanted.private is None else rule(frequent, n, wanted.failure, wanted.private)
        ),
    ),
)
"""In the order in which they are tried."""
