"""Answers shared by samples that agree in all that an algorithm looked at.

A sample that an audit asks about is given without its points and labels, which come when they are
first looked at (:func:`~pac_stability.data.sample.unread_sample`): all that a sample tells is made
of these two. What was looked at, in which order, makes a decision tree over samples: an algorithm
that looked at the labels alone answers alike on all samples with these labels, since its answer
depends on nothing but the sample and the coins, all of which were followed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from pac_stability.data import Example, Sample
from pac_stability.data.sample import PARTS, unread_sample

ASKED_FIRST = 1024
"""So many samples are asked about each, and tell whether sharing is worth it."""

ASKED_AGAIN = 17
"""Of the answers that are shared, one in so many is asked for again; prime, so that no
enumeration of the samples goes in step with it."""

Row: TypeAlias = tuple[Hashable, ...]
_Codes: TypeAlias = dict[str, tuple[int, ...]]


class Unlike(Exception):  # it is no error until someone words it
    """Two samples agree in all that was looked at, and have different answers."""

    def __init__(self, kept: Row, row: Row) -> None:
        super().__init__()
        self.kept = kept
        self.row = row


@dataclass(eq=False, slots=True)
class _Look:
    """What was looked at next, and how it went on for each that was seen there."""

    part: str
    seen: dict[tuple[int, ...], _Look | _SharedAnswer] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class _SharedAnswer:
    row: Row


class Sharing:
    """The answers of one algorithm, by what it looked at.

    Parameters
    ----------
    universe
        The examples that samples are made of.

    Notes
    -----
    The first 1024 samples are asked about each. If another sample foretold fewer than half of these
    answers, or one wrongly, nothing is shared. After them an answer that another sample foretells
    is taken from there, but for one in 17, which is asked for and has to be the same.
    """

    def __init__(self, universe: Sequence[Example[object]]) -> None:
        self._universe = tuple(universe)
        # Equal points may be told apart, as 1 and True: only the very same object is the same.
        number: dict[int, int] = {}
        points = [number.setdefault(id(each.point), len(number)) for each in self._universe]
        self._codes = dict(
            zip(PARTS, (points, [each.label for each in self._universe]), strict=True)
        )
        self._parts = {part: [getattr(each, part) for each in self._universe] for part in PARTS}
        self.forget()

    def __reduce__(self) -> tuple[type[Sharing], tuple[tuple[Example[object], ...]]]:
        return type(self), (self._universe,)  # what was seen stays where it was

    def forget(self) -> None:
        """Begin anew."""
        self._tree: _Look | _SharedAnswer | None = None
        self._shares = True
        self._asked = self._foretold = 0

    def row(self, places: Sequence[int], ask: Callable[[Sample[object]], Row]) -> Row:
        """Return the answer on a sample, given as places in the universe.

        Parameters
        ----------
        places
            The sample.
        ask
            What answers.

        Raises
        ------
        Unlike
            The algorithm was asked again, and the answer is another one.
        """
        if not self._shares:
            return ask(self._whole(places))
        codes: _Codes = {}
        known = self._known(places, codes)
        self._asked += 1
        settled = self._asked > ASKED_FIRST
        if settled and known is not None and self._asked % ASKED_AGAIN:
            return known
        row, looks = self._watch(places, ask)
        self._foretold += known is not None
        if known is not None and known != row:
            if settled:
                raise Unlike(known, row)
            self._shares = False
        elif self._asked == ASKED_FIRST and 2 * self._foretold < ASKED_FIRST:
            self._shares = False
        else:
            self._shares = self._learn(places, codes, looks, row)
        if not self._shares:
            self._tree = None
        return row

    def _whole(self, places: Sequence[int]) -> Sample[object]:
        return Sample.from_examples(map(self._universe.__getitem__, places))

    def _code(self, part: str, places: Sequence[int], codes: _Codes) -> tuple[int, ...]:
        """Return what is seen of a sample at a look, as numbers; they are kept."""
        if part not in codes:
            codes[part] = tuple(map(self._codes[part].__getitem__, places))
        return codes[part]

    def _known(self, places: Sequence[int], codes: _Codes) -> Row | None:
        node = self._tree
        while isinstance(node, _Look):
            node = node.seen.get(self._code(node.part, places, codes))
        return None if node is None else node.row

    def _watch(
        self, places: Sequence[int], ask: Callable[[Sample[object]], Row]
    ) -> tuple[Row, list[str]]:
        """Ask about a sample, and return what was looked at, too."""
        looks: list[str] = []

        def look(part: str) -> tuple[object, ...]:
            looks.append(part)
            return tuple(map(self._parts[part].__getitem__, places))

        sample = unread_sample(look)
        row = ask(sample)
        if sys.getrefcount(sample) > _HELD_HERE:
            # Somebody keeps it, and may look later.
            looks += [part for part in PARTS if part not in looks]
        return row, looks

    def _learn(self, places: Sequence[int], codes: _Codes, looks: Sequence[str], row: Row) -> bool:
        """Keep an answer; return whether it looked in the order that it did before."""
        answer = _SharedAnswer(row)
        if self._tree is None:
            self._tree = _Look(looks[0]) if looks else answer
        node = self._tree
        for part, after in zip(looks, (*looks[1:], ""), strict=False):
            if not isinstance(node, _Look) or node.part != part:
                return False
            code = self._code(part, places, codes)
            if code not in node.seen:
                node.seen[code] = _Look(after) if after else answer
            node = node.seen[code]
        return isinstance(node, _SharedAnswer)


_HELD_HERE = 2  # by the name, and by the count itself
