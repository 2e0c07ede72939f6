"""Trees from thresholds and back, the regret of small online games, and Figures 1 and 2."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TypeAlias

import numpy as np

from pac_stability.arguments import as_label, as_size
from pac_stability.arithmetic import Interval
from pac_stability.classes import FiniteClass
from pac_stability.classes.family import require_inhabited
from pac_stability.data import Example, FiniteDistribution
from pac_stability.dimensions import HalfGraph, Leaf, MistakeTree, Node, shattered_tree
from pac_stability.errors import BudgetExhausted, InvalidInput
from pac_stability.online import expert_count
from pac_stability.papers.bun_livni_moran import tournaments
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
