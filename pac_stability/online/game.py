"""The mistake-bound game: who plays, the adversaries, and one whole game."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol

from pac_stability.arguments import as_label, as_size
from pac_stability.classes import FiniteClass, ImplicitClass
from pac_stability.classes.family import require_inhabited
from pac_stability.dimensions import LittlestoneSearch, version_spaces
from pac_stability.dimensions.trees import Leaf, MistakeTree, Node
from pac_stability.errors import InvalidInput
from pac_stability.online.soa import StandardOptimalAlgorithm
from pac_stability.online.transcript import Round, Transcript


class OnlineLearner(Protocol):
    """What learns in the mistake-bound game, one example after the other.

    A learner is deterministic: ``predict`` is a function of the examples seen so far and changes
    nothing, so that an adversary may ask it about every point before it chooses one.
    """

    def predict(self, point: Hashable, /) -> int:
        """Return the label, 0 or 1, expected at ``point``."""
        ...

    def update(self, point: Hashable, label: int, /) -> None:
        """Take in the true label of ``point``."""
        ...


class Adversary(Protocol):
    """What chooses the points and, after each prediction, the label."""

    def point(self, learner: OnlineLearner, /) -> Hashable | None:
        """Choose the next point, or ``None`` when the adversary has nothing more to gain."""
        ...

    def label(self, prediction: int, /) -> int:
        """Reveal the label of the point just chosen, decided after the learner's ``prediction``."""
        ...


# Adversaries


class GreedyAdversary:
    """Always contradicts the prediction, and keeps the largest Littlestone dimension it can.

    Of the points whose prediction can be contradicted it takes the first whose contradicted side
    of the version space has the largest dimension.  It forces at least Ldim(H) mistakes on every
    deterministic learner, one a round, and exactly Ldim(H) on SOA; it stops when no hypothesis of
    the version space contradicts the learner anywhere.

    Parameters
    ----------
    H
        The class, not empty, and without the point ``None``. Without a table only one point a round
        is looked at, the first whose smaller side has the largest dimension: that is what is
        described here for SOA and for a player who cannot be consulted, and forces Ldim(H) mistakes
        on anyone.
    search
        A search of ``H`` to go on with, so that what it knows is not searched for again; by
        default a new one.

    Raises
    ------
    InvalidInput
        ``H`` is not as described, or ``search`` is of another class.

    Notes
    -----
    A round asks for the learner's prediction at every point and for at most |X| Littlestone
    dimensions; they share the tables of one search.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> from pac_stability.online import Halving, play
    >>> H = FiniteClass([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> play(H, Halving(H), GreedyAdversary(H)).rounds
    (Round(point=0, prediction=0, label=1),)
    """

    def __init__(
        self, H: FiniteClass | ImplicitClass, *, search: LittlestoneSearch | None = None
    ) -> None:
        require_playable(H)
        self._class = H
        # SOA is the book-keeper of the version space: it knows its dimension.
        self._space = StandardOptimalAlgorithm(H, search=search)
        self._chosen: Hashable = None
        # What the learner said there when it was consulted.
        self._expected: int | None = None

    @property
    def version_space(self) -> tuple[int, ...]:
        """Rows of the hypotheses that agree with every label given so far."""
        return self._space.version_space

    @property
    def dimension(self) -> int:
        """Littlestone dimension of the version space: mistakes that can still be forced."""
        return self._space.dimension

    def point(self, learner: OnlineLearner | None) -> Hashable | None:
        """Choose the point to ask next, or ``None`` when ``learner`` can no longer be contradicted.

        Parameters
        ----------
        learner
            Consulted at every point; ``None`` for a player who cannot be consulted, who is then
            asked the point whose worse side keeps the largest dimension.
        """
        H = self._class
        if isinstance(H, ImplicitClass):
            column = H.split(self._space.space)
            self._chosen = None if column is None else H.point(column)
            self._expected = None
            if learner is not None and column is not None:
                self._expected = as_label(learner.predict(self._chosen), "prediction")
            return self._chosen
        rows = list(self.version_space)
        ones = H.table[rows].sum(axis=0, dtype=int)
        best, self._chosen, self._expected = -1, None, None
        for column, point in enumerate(H.domain):
            expected = None if learner is None else as_label(learner.predict(point), "prediction")
            labels = (0, 1) if expected is None else (1 - expected,)
            sizes = [
                int(ones[column]) if label else len(rows) - int(ones[column]) for label in labels
            ]
            # A side of s hypotheses has dimension at most log2 s, and an empty one -1.
            if min(sizes).bit_length() - 1 <= best:
                continue
            dimensions = self._space.side_dimensions(point)
            kept = min(dimensions[label] for label in labels)
            if kept > best:
                best, self._chosen, self._expected = kept, point, expected
        return self._chosen

    def label(self, prediction: int) -> int:
        """Return the label other than ``prediction`` for the point just chosen.

        Raises
        ------
        InvalidInput
            The learner did not predict what it predicted when it was consulted.
        """
        label = 1 - as_label(prediction, "prediction")
        if self._expected == label:
            raise InvalidInput(
                "learner", "another prediction when asked again", "a deterministic learner"
            )
        self._space.update(self._chosen, label)
        return label


class TreeAdversary:
    """Walks down a shattered mistake tree and contradicts every prediction.

    It forces as many mistakes as the tree is deep on anyone, deterministic or not, without ever
    asking the learner in advance.

    Parameters
    ----------
    H
        The class, not empty, and without the point ``None``.
    tree
        A mistake tree shattered by ``H``.

    Raises
    ------
    InvalidInput
        ``H`` is not as described, or does not shatter ``tree``.

    Notes
    -----
    A round costs O(1).  Source: N. Littlestone, 1988.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> from pac_stability.dimensions.trees import Leaf, MistakeTree, Node
    >>> from pac_stability.online import Halving, play
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> tree = MistakeTree(Node(0, Leaf(0), Leaf(2)))
    >>> play(H, Halving(H), TreeAdversary(H, tree)).mistakes
    1
    """

    def __init__(self, H: FiniteClass, tree: MistakeTree) -> None:
        require_playable(H)
        if not tree.is_shattered_by(H):
            raise InvalidInput("tree", "a tree with an unrealized leaf", "a tree shattered by H")
        self._class = H
        self._place: Node | Leaf = tree.root

    def point(self, learner: OnlineLearner | None) -> Hashable | None:  # noqa: ARG002  # others look at the learner
        """Return the point at the current node, ``None`` at a leaf; ``learner`` is not asked."""
        return None if isinstance(self._place, Leaf) else self._class.domain[self._place.point]

    def label(self, prediction: int) -> int:
        """Return the label other than ``prediction``."""
        label = 1 - as_label(prediction, "prediction")
        if isinstance(self._place, Node):
            self._place = self._place.one if label else self._place.zero
        return label


def require_playable(H: FiniteClass | ImplicitClass) -> None:
    """Refuse a class that an adversary cannot play on: empty, or with a point that means "stop"."""
    if isinstance(H, ImplicitClass):
        return
    require_inhabited(H)
    if None in H.domain:
        raise InvalidInput("H", "the point None", "other points: None ends a game")


# One whole game


def play(
    H: FiniteClass | ImplicitClass,
    learner: OnlineLearner,
    adversary: Adversary,
    rounds: int | None = None,
) -> Transcript:
    """Play the mistake-bound game until the adversary stops or the rounds are over.

    Parameters
    ----------
    H
        The class that the game is about; it names the columns of the transcript.
    learner
        Predicts, then learns the label.
    adversary
        Chooses the point, then the label.
    rounds
        The largest number of rounds.  By default as many as there are hypotheses: when every round
        is a mistake, a learner that always predicts with some hypothesis of the version space has
        fewer.

    Returns
    -------
    Transcript
        The rounds played, ready to be checked or saved.

    Raises
    ------
    InvalidInput
        A prediction or label other than 0 and 1, a point outside the domain of ``H``, or a
        negative number of rounds.

    Notes
    -----
    Source: the game of N. Littlestone, *Learning quickly when irrelevant attributes abound*, 1988;
    BLM20, Section II.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> from pac_stability.online import GreedyAdversary, StandardOptimalAlgorithm, play
    >>> H = FiniteClass([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]])
    >>> play(H, StandardOptimalAlgorithm(H), GreedyAdversary(H)).mistakes
    2
    """
    spaces = version_spaces(H)
    limit = spaces.size(spaces.whole) if rounds is None else as_size(rounds, "rounds")
    name = type(learner).__name__
    played: list[Round] = []
    while len(played) < limit:
        point = adversary.point(learner)
        if point is None:
            break
        column = spaces.column(point)
        prediction = learner.predict(point)
        if prediction not in (0, 1):
            raise InvalidInput(f"prediction of {name}", repr(prediction), "a label, 0 or 1")
        label = as_label(adversary.label(prediction), f"label of {type(adversary).__name__}")
        learner.update(point, label)
        played.append(Round(column, int(prediction), label))
    return Transcript.of(H, name, played)
