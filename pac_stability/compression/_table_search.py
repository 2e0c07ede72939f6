"""Exhaustive search for the tables of a compression scheme with words of k examples."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import TypeAlias

from pac_stability.errors import BudgetExhausted

Members: TypeAlias = frozenset[int]
"""A set of examples, each as twice its column plus its label."""

Slot: TypeAlias = tuple[Members, int]
"""The kept examples as a set, and which of the words with that set."""


class TableSearch:
    """Backtracking over which kept examples each realizable set chooses.

    A set of labelings is an integer, one bit for each.

    Parameters
    ----------
    rows
        The hypotheses of the class, which say what sets are realizable.
    labelings
        What may be rebuilt.
    ordered
        Whether words of the same examples in another order are other words.
    max_nodes
        Partial tables that may be looked at.
    """

    def __init__(
        self,
        rows: Sequence[tuple[int, ...]],
        labelings: Sequence[tuple[int, ...]],
        ordered: bool,
        max_nodes: int,
    ) -> None:
        self._ordered = ordered
        self._nodes = self._max_nodes = max_nodes
        self._points = len(rows[0])
        columns = range(self._points)
        self._fitting: dict[Members, int] = {}
        for row in rows:
            for count in range(1, self._points + 1):
                for chosen in combinations(columns, count):
                    members = frozenset(2 * column + row[column] for column in chosen)
                    if members in self._fitting:
                        continue
                    self._fitting[members] = sum(
                        1 << index
                        for index, labels in enumerate(labelings)
                        if all(labels[column] == row[column] for column in chosen)
                    )
        self._left: dict[Members, list[int]] = {}
        self._inside: dict[Members, list[Members]] = {}
        self._room: dict[Members, int] = {}

    def fill(self, k: int) -> bool:
        """Fill a table with words of k examples, if there is one."""
        self._k = k
        small = [members for members in self._fitting if len(members) <= k]
        self._room = {members: self._words_of(len(members)) for members in small}
        self._left = {members: [] for members in small}
        self._inside = {
            members: [part for part in small if part <= members] for members in self._fitting
        }
        return self._extend(list(self._fitting))

    def _words_of(self, count: int) -> int:
        if not self._ordered:
            return 1
        return sum(
            (-1) ** missing * math.comb(count, missing) * (count - missing) ** self._k
            for missing in range(count + 1)
        )

    def _options(self, members: Members) -> list[tuple[Members, int, int]] | None:
        """Return the slots that may serve a set, and what that leaves; ``None`` if one does."""
        fitting = self._fitting[members]
        options = []
        for part in self._inside[members]:
            left = self._left[part]
            for index, candidates in enumerate(left):
                common = candidates & fitting
                if common == candidates:
                    return None
                if common:
                    options.append((part, index, common))
            if len(left) < self._room[part]:
                options.append((part, len(left), fitting))
        return options

    def _extend(self, waiting: Sequence[Members]) -> bool:
        if self._nodes == 0:
            message = f"more than {self._max_nodes} partial tables"
            raise BudgetExhausted(message, self._k, self._points)
        self._nodes -= 1
        open_sets = []
        fewest: list[tuple[Members, int, int]] | None = None
        hardest: Members | None = None
        for members in waiting:
            options = self._options(members)
            if options is None:
                continue
            open_sets.append(members)
            if fewest is None or len(options) < len(fewest):
                fewest, hardest = options, members
        if fewest is None:
            return True
        rest = [members for members in open_sets if members is not hardest]
        for part, index, common in sorted(fewest, key=lambda option: -option[2].bit_count()):
            left = self._left[part]
            before = left[index:]
            left[index:] = [common, *before[1:]]
            if self._extend(rest):
                return True
            left[index:] = before
        return False

    def words(self, k: int) -> dict[Slot, tuple[int, ...]]:
        """Return the word of each slot in use."""
        return {
            (members, index): word
            for members, left in self._left.items()
            for index, word in zip(range(len(left)), self._all_words(members, k), strict=False)
        }

    def _all_words(self, members: Members, k: int) -> Iterator[tuple[int, ...]]:
        if not self._ordered:
            return iter([padded(members, k)])
        words = product(sorted(members), repeat=k)
        return (word for word in words if len(set(word)) == len(members))

    def choices(self) -> dict[Members, Slot]:
        """Return for each realizable set a slot that serves it."""
        return {
            members: next(
                (part, index)
                for part in parts
                for index, candidates in enumerate(self._left[part])
                if not candidates & ~self._fitting[members]
            )
            for members, parts in self._inside.items()
        }

    def decoded(self) -> dict[Slot, int]:
        """Return for each slot in use the first labeling that is left."""
        return {
            (members, index): (candidates & -candidates).bit_length() - 1
            for members, left in self._left.items()
            for index, candidates in enumerate(left)
        }


def padded(members: set[int] | Members, k: int) -> tuple[int, ...]:
    """Write a set of examples as k of them, the last one repeated."""
    *early, last = sorted(members)
    return (*early, *[last] * (k - len(early)))
