"""The mistake-bound game: transcripts, players, adversaries, and a whole game.

A transcript holds a game round by round: it can be saved, replayed and checked by itself.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, ClassVar, Protocol

import numpy as np

from pac_stability._report import Face, Reported, Tabled, aligned, html_table, latex_table
from pac_stability.arguments import as_label, as_size
from pac_stability.classes import FiniteClass, ImplicitClass, family
from pac_stability.dimensions import LittlestoneSearch, version_spaces
from pac_stability.dimensions.trees import Leaf, MistakeTree, Node
from pac_stability.errors import LONGEST, InvalidInput, printable, shortened
from pac_stability.keeping import write_text
from pac_stability.online.soa import StandardOptimalAlgorithm
from pac_stability.reading import read_json

SCHEMA = "pac-stability/transcript/1"


def class_digest(H: family.PlayableLike) -> str:
    """SHA-256 of the table of ``H``, its shape and order of rows and columns included.

    For a class without a table it is the digest of its name and parameters.

    Parameters
    ----------
    H
        A finite class, or one without a table.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> class_digest(FiniteClass([[0], [1]]))[:15]
    'sha256:8541f082'
    """
    H = family.as_playable(H)
    if isinstance(H, ImplicitClass):
        return f"sha256:{hashlib.sha256(f'implicit {H.spec}'.encode()).hexdigest()}"
    rows, columns = H.table.shape
    digest = hashlib.sha256(f"{rows}x{columns}\n".encode())
    digest.update(np.packbits(H.table, axis=1).tobytes())
    return f"sha256:{digest.hexdigest()}"


@dataclass(frozen=True, slots=True)
class Round:
    """One round: the column of the point, the prediction made, the label revealed."""

    point: int
    prediction: int
    label: int


@dataclass(frozen=True, slots=True, repr=False)
class TranscriptCheck(Tabled):
    """The outcome of checking a transcript.

    Attributes
    ----------
    reason
        Why the transcript is rejected, in one line; empty when it is accepted.
    witness
        Row of the first hypothesis that agrees with every round, or ``None``; without a table, the
        labelling of one.
    """

    reason: str
    witness: int | None

    @property
    def accepted(self) -> bool:
        """Whether nothing in the transcript was found wrong."""
        return not self.reason


@dataclass(frozen=True, slots=True, repr=False)
class Transcript(Reported):
    """The rounds of one game, and what is claimed about them.

    Points are column indices, as in a mistake tree, so that a transcript can be checked against
    the table alone.

    Attributes
    ----------
    class_id
        :func:`class_digest` of the class of the game.
    learner
        Name of the learner.
    rounds
        The rounds, in order.
    mistakes
        Claimed number of rounds whose prediction was wrong.
    realizable
        Claim: some hypothesis of the class agrees with every round.
    domain
        The points of the columns, where they are known; neither compared nor saved.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> transcript = Transcript.of(H, "constant 1", [Round(0, 1, 0), Round(1, 1, 1)])
    >>> transcript.mistakes, transcript.check(H)
    (1, <TranscriptCheck: reason '', witness 1>)
    """

    class_id: str
    learner: str
    rounds: tuple[Round, ...]
    mistakes: int
    realizable: bool
    domain: tuple[Hashable, ...] | None = field(default=None, compare=False, repr=False)

    _face: ClassVar[str] = "pac_stability.online.game:transcript_face"

    def point_name(self, column: int) -> str:
        """Return what a point is called, by default ``#`` and its column."""
        return f"#{column}" if self.domain is None else str(self.domain[column])

    @classmethod
    def of(cls, H: family.PlayableLike, learner: str, rounds: Sequence[Round]) -> Transcript:
        """Record ``rounds``, with claims that are true of them."""
        H = family.as_playable(H)
        return cls(
            class_id=class_digest(H),
            learner=learner,
            rounds=tuple(rounds),
            mistakes=sum(played.prediction != played.label for played in rounds),
            realizable=_witness(H, rounds) is not None,
            domain=None if isinstance(H, ImplicitClass) else tuple(H.domain),
        )

    def replay(self, H: family.PlayableLike, learner: OnlineLearner) -> tuple[int, ...]:
        """Return the predictions of a fresh ``learner`` shown the same points and labels."""
        H = family.as_playable(H)
        predictions = []
        for played in self.rounds:
            point = version_spaces(H).point(played.point)
            predictions.append(learner.predict(point))
            learner.update(point, played.label)
        return tuple(predictions)

    def check(
        self, H: family.PlayableLike, learner: OnlineLearner | None = None
    ) -> TranscriptCheck:
        """Check every claim of the transcript against the table of ``H``.

        Parameters
        ----------
        H
            The class that the game was played on.
        learner
            A fresh copy of the learner that played; when given, its predictions must be those
            recorded.

        Returns
        -------
        TranscriptCheck
            Accepted, or rejected with the first reason found.

        Notes
        -----
        O(rounds |H|), apart from the learner's own work.
        """
        H = family.as_playable(H)
        fault = self._malformed(H)
        if fault:
            return TranscriptCheck(shortened(printable(fault), LONGEST), None)
        witness = _witness(H, self.rounds)
        mistakes = sum(played.prediction != played.label for played in self.rounds)
        if self.mistakes != mistakes:
            fault = f"mistakes: claimed {self.mistakes}, counted {mistakes}"
        elif self.realizable and witness is None:
            fault = (
                f"realizable: no hypothesis agrees with rounds 1..{self._last_realizable(H) + 1}"
            )
        elif not self.realizable and witness is not None:
            fault = f"realizable: claimed false, but hypothesis {witness} agrees with every round"
        elif learner is not None:
            for number, (played, prediction) in enumerate(
                zip(self.rounds, self.replay(H, learner), strict=True), start=1
            ):
                if played.prediction != prediction:
                    fault = (
                        f"round {number}: prediction {played.prediction} recorded, "
                        f"the learner predicts {prediction}"
                    )
                    break
        return TranscriptCheck(shortened(printable(fault), LONGEST), witness)

    def _malformed(self, H: FiniteClass | ImplicitClass) -> str:
        """Why the rounds cannot even be read against ``H``; empty when they can."""
        expected = class_digest(H)
        if self.class_id != expected:
            return f"class: the transcript is about {self.class_id}, the class given is {expected}"
        points = H.points if isinstance(H, ImplicitClass) else len(H.domain)
        for number, played in enumerate(self.rounds, start=1):
            if not 0 <= played.point < points:
                return f"round {number}: point {played.point} is no column of the class"
            if played.prediction not in (0, 1):
                return f"round {number}: prediction {played.prediction} is not 0 or 1"
            if played.label not in (0, 1):
                return f"round {number}: label {played.label} is not 0 or 1"
        return ""

    def _last_realizable(self, H: FiniteClass | ImplicitClass) -> int:
        """Length of the longest realizable prefix."""
        lengths = range(len(self.rounds), -1, -1)
        return next(n for n in lengths if _witness(H, self.rounds[:n]) is not None)

    def to_json(self) -> dict[str, object]:
        """Return plain JSON values, under the schema ``pac-stability/transcript/1``."""
        return {
            "schema": SCHEMA,
            "class": self.class_id,
            "learner": self.learner,
            "mistakes": self.mistakes,
            "realizable": self.realizable,
            "rounds": [
                {"point": r.point, "prediction": r.prediction, "label": r.label}
                for r in self.rounds
            ],
        }

    @classmethod
    def from_json(cls, value: object, source: str = "transcript") -> Transcript:
        """Read what :meth:`to_json` wrote; ``source`` names it in error messages.

        Raises
        ------
        InvalidInput
            A field is missing, superfluous or of the wrong kind, or the schema is another one.
        """
        wanted = {
            "schema": str, "class": str, "learner": str, "mistakes": int, "realizable": bool,
            "rounds": list,
        }  # fmt: skip
        fields = _fields(value, wanted, source)
        if fields["schema"] != SCHEMA:
            raise InvalidInput(f"{source}: schema", repr(fields["schema"]), repr(SCHEMA))
        rounds = []
        for number, entry in enumerate(fields["rounds"], start=1):
            where = f"{source}: round {number}"
            played = _fields(entry, {"point": int, "prediction": int, "label": int}, where)
            rounds.append(Round(played["point"], played["prediction"], played["label"]))
        return cls(
            fields["class"],
            fields["learner"],
            tuple(rounds),
            fields["mistakes"],
            fields["realizable"],
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the transcript as JSON; an interrupted save leaves no partial file.

        Raises
        ------
        InvalidInput
            The file cannot be written.
        """
        write_text(path, json.dumps(self.to_json(), indent=1) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Transcript:
        """Read a saved transcript; :meth:`check` then says whether it is true.

        Raises
        ------
        InvalidInput
            The file cannot be read, or is not a transcript of this version.
        """
        return cls.from_json(read_json(path, wanted="a transcript"), os.fspath(path))


@dataclass(frozen=True, slots=True, repr=False)
class PlayedGame(Reported):
    """A game on a class, finished or not; its text is the last output of ``play``.

    Attributes
    ----------
    H
        The class.
    transcript
        What was played.
    dimension
        The Littlestone dimension of the class.

    Examples
    --------
    >>> from pac_stability.classes import FiniteClass
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> game = PlayedGame(H, Transcript.of(H, "constant 1", [Round(0, 1, 0), Round(1, 1, 1)]), 1)
    >>> print(game, end="")
    1 mistake in 2 rounds; Littlestone dimension 1. Hypothesis h1 agrees with every label: 01
    """

    _face: ClassVar[str] = "pac_stability.online.game:game_face"

    H: FiniteClass | ImplicitClass = field(repr=False)
    transcript: Transcript
    dimension: int

    @property
    def agreeing(self) -> int | None:
        """The first hypothesis that agrees with every label, by its row; ``None`` without any.

        Without a table it is the labelling of one.
        """
        return _witness(self.H, self.transcript.rounds)


def _witness(H: FiniteClass | ImplicitClass, rounds: Sequence[Round]) -> int | None:
    """Return a hypothesis that gives every point of ``rounds`` its label: the first row.

    The check of a transcript reads the table itself.
    """
    if isinstance(H, ImplicitClass):
        space = H.whole
        for played in rounds:
            space = H.part(space, played.point, played.label)
        return H.member(space) if space else None
    alive = np.arange(len(H))
    for played in rounds:
        alive = alive[H.table[alive, played.point] == played.label]
    return int(alive[0]) if alive.size else None


def _fields(value: object, wanted: dict[str, type], source: str) -> dict[str, Any]:
    """``value`` as an object with exactly the keys of ``wanted`` and values of those types."""
    if not isinstance(value, dict):
        raise InvalidInput(source, type(value).__name__, "a JSON object")
    for key in value.keys() ^ wanted.keys():
        state = "missing" if key in wanted else "unknown"
        raise InvalidInput(f"{source}: {key}", f"{state} field", "exactly " + ", ".join(wanted))
    for key, kind in wanted.items():
        # JSON's true is an int to Python, and no count.
        if type(value[key]) is not kind:
            raise InvalidInput(f"{source}: {key}", repr(value[key]), f"a JSON {kind.__name__}")
    return value


# What a game and its transcript say

_HEAD = ("round", "point", "prediction", "label", "")


def game_face(game: PlayedGame) -> Face:
    """Return how a game ended; the HTML and LaTeX forms list its rounds."""
    H, played, row = game.H, game.transcript.report(), game.agreeing
    count, mistakes = len(game.transcript.rounds), game.transcript.mistakes
    told = (
        f"{mistakes:,} mistake{'s' * (mistakes != 1)} in {count:,} round{'s' * (count != 1)}; "
        f"Littlestone dimension {game.dimension}. "
    )
    if row is None:
        told += "No hypothesis agrees with every label"
    else:
        if isinstance(H, ImplicitClass):
            name, labels = "A hypothesis", H.shown(row)
        else:
            name, labels = f"Hypothesis {printable(H.name(row))}", "".join(map(str, H.table[row]))
            labels = labels if len(labels) <= 60 else f"{labels[:57]}..."
        told += f"{name} agrees with every label: {labels}"
    rounds = played.text if played.html is None else played.html
    return Face(
        lambda: f"{told}\n", html=lambda: f"{rounds()}\n<p>{escape(told)}</p>", latex=played.latex
    )


def transcript_face(transcript: Transcript) -> Face:
    """Return a game round by round, and its sum."""
    rows = [
        (
            str(number),
            transcript.point_name(played.point),
            str(played.prediction),
            str(played.label),
            "right" if played.prediction == played.label else "a mistake",
        )
        for number, played in enumerate(transcript.rounds, start=1)
    ]
    count = len(transcript.rounds)
    total = (
        f"{transcript.learner}: {transcript.mistakes} mistake{'s' * (transcript.mistakes != 1)} in "
        f"{count} round{'s' * (count != 1)}"
        f"{'' if transcript.realizable else '; no hypothesis agrees with every label'}\n"
    )
    return Face(
        lambda: total + (f"\n{aligned([_HEAD, *rows])}" if rows else ""),
        html=lambda: f"<p>{total.strip()}</p>\n{html_table(rows, _HEAD)}",
        latex=lambda: latex_table(rows, _HEAD),
    )


# Who plays


class OnlineLearner(Protocol):
    """Learns in the mistake-bound game, one example after the other.

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
    """Chooses the points and, after each prediction, the label."""

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
        The class, not empty, and without the point ``None``. Without a table it considers one point
        a round, the first whose smaller side has the largest dimension. That is the same choice
        against SOA and against a player who cannot be consulted, and it forces Ldim(H) mistakes on
        anyone.
    search
        A search of ``H`` to continue, whose results are reused; by default a new one.

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

    def __init__(self, H: family.PlayableLike, *, search: LittlestoneSearch | None = None) -> None:
        H = family.as_playable(H)
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
            Consulted at every point; ``None`` for a player who cannot be consulted; the adversary
            then chooses the point whose worse side keeps the largest dimension.
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

    It forces as many mistakes as the depth of the tree on any learner, deterministic or not, and
    never consults the learner in advance.

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

    def __init__(self, H: family.TableLike, tree: MistakeTree) -> None:
        H = family.as_table(H)
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
    family.require_inhabited(H)
    if None in H.domain:
        raise InvalidInput("H", "the point None", "other points: None ends a game")


# One whole game


def play(
    H: family.PlayableLike, learner: OnlineLearner, adversary: Adversary, rounds: int | None = None
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
    H = family.as_playable(H)
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
