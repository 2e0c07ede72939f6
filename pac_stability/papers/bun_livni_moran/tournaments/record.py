"""What happened in a tournament: who met whom, where, and which sample came out."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from pac_stability._report import Face, Reported
from pac_stability.data import Example, Sample


@dataclass(frozen=True, slots=True, repr=False)
class TournamentRecord(Reported):
    """A sample S drawn from D_k, with the tree of tournaments that it came from.

    Attributes
    ----------
    sample
        S, of k(n + 1) examples.
    match
        The last tournament; ``None`` for the empty sample of D_0.
    draws
        How many examples were drawn from the target for S, those in S and those thrown away; M_k.

    Notes
    -----
    As text it is the tree of Figure 2 of BLM20, with the root on the left. A node is a tournament
    example, with the number of ties before it. An edge is a sample T_b, named by the way from the
    root to it, and marked ``*`` when its side was kept; the marked way from the root is S.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> from pac_stability.data import FiniteDistribution
    >>> from pac_stability.papers.bun_livni_moran.tournaments.distribution import (
    ...     TournamentDistribution,
    ... )
    >>> from pac_stability.randomness import SeededCoins
    >>> H = thresholds(8)
    >>> target = FiniteDistribution.uniform([Example(x, H(4, x)) for x in range(8)])
    >>> D_2 = TournamentDistribution(H, target, k=2, n=2, threshold="1/2")
    >>> record = D_2.run(SeededCoins(3))
    >>> print(record)
    (0, 1)
    ├─* T_0 = (5, 1) (2, 0)
    │    └─ (3, 0)
    │       ├─* T_00 = (6, 1) (0, 0)
    │       └─  T_01 = (3, 0) (5, 1)
    └─  T_1 = (5, 1) (1, 0)
         └─ (1, 1)
            ├─* T_10 = (7, 1) (7, 1)
            └─  T_11 = (7, 1) (4, 1)
    >>> record.path, record.sample.points, record.draws
    ((0, 0), (6, 0, 3, 5, 2, 0), 12)
    """

    _face: ClassVar[str] = "pac_stability.papers.bun_livni_moran.tournaments.record:record_face"

    sample: Sample[Hashable]
    match: Match | None
    draws: int

    @property
    def path(self) -> tuple[int, ...]:
        """Which side was kept, from the last tournament down to the first: the way of S."""
        if self.match is None:
            return ()
        return self.match.kept, *self.match.players[self.match.kept].record.path

    def matches(self) -> Iterator[tuple[tuple[int, ...], Match]]:
        """Yield every decided match with its place in the tree, parents before children.

        The place is the way from the root, which itself has place ``()``; ``(0, 1)`` is the match
        that decided the record of the second player of the match that decided the record of the
        first player of the root.
        """
        if self.match is not None:
            yield (), self.match
            for side, player in enumerate(self.match.players):
                for place, match in player.record.matches():
                    yield (side, *place), match


def record_face(record: TournamentRecord) -> Face:
    """Return the tree of a tournament, as lines."""
    return Face(lambda: "\n".join(_lines(record, ())))


@dataclass(frozen=True, slots=True)
class Match:
    """A decided match between two players, steps (i) to (v) of the paper.

    Attributes
    ----------
    players
        The two players with different predictors.
    example
        The tournament example (x, y), which the predictor of one of them has wrong.
    kept
        Which of them that is, 0 or 1; the example is appended to the sample of this player.
    ties
        The predictor that both players had, for each pair that was sent away before.
    """

    players: tuple[Player, Player]
    example: Example[Hashable]
    kept: int
    ties: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Player:
    """One side of a match.

    Attributes
    ----------
    record
        Where its sample S_b came from.
    drawn
        T_b, the examples drawn from the target and appended to S_b.
    predictor
        SOA(S_b o T_b); bit ``x`` is the label at column ``x``.
    """

    record: TournamentRecord
    drawn: Sample[Hashable]
    predictor: int


def _lines(record: TournamentRecord, place: tuple[int, ...]) -> Iterator[str]:
    match = record.match
    if match is None:
        yield "empty"
        return
    ties = len(match.ties)
    after = "" if ties == 0 else " after 1 tie" if ties == 1 else f" after {ties} ties"
    yield f"{_shown(match.example)}{after}"
    for side, player in enumerate(match.players):
        here = (*place, side)
        name = "T_" + "".join(map(str, here))
        examples = " ".join(map(_shown, player.drawn)) or "empty"
        mark = "*" if side == match.kept else " "
        yield f"{'└' if side else '├'}─{mark} {name} = {examples}"
        if player.record.match is not None:
            bar = " " if side else "│"
            below = _lines(player.record, here)
            yield f"{bar}    └─ {next(below)}"
            yield from (f"{bar}       {line}" for line in below)


def _shown(example: Example[Hashable]) -> str:
    return f"({example.point!r}, {example.label})"
