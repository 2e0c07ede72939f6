"""Version spaces of a class without a table, beside the rows of its table."""

import random
from itertools import product

from pac_stability.classes import FiniteClass, ImplicitClass
from pac_stability.dimensions import LittlestoneSearch
from pac_stability.errors import Unanswerable


def reached_spaces(
    table: FiniteClass, H: ImplicitClass, most: int
) -> tuple[dict[int, tuple[int, ...]], int]:
    """Compare version spaces with their rows, all or some; return them, and how many refused."""
    search, labels = LittlestoneSearch(table), table.table.tolist()
    columns, coins = range(len(table.domain)), random.Random(1)
    assert [H.point(x) for x in columns] == list(table.domain)
    known: dict[int, tuple[int, ...]] = {}
    waiting, refused = [(H.whole, tuple(range(len(table))))], 0
    while waiting and len(known) < most:
        space, rows = waiting.pop(coins.randrange(len(waiting)))
        if space in known:
            assert known[space] == rows
            continue
        known[space] = rows
        sides = [
            [tuple(row for row in rows if labels[row][x] == y) for y in (0, 1)] for x in columns
        ]
        depths = [[search.dimension_of(side) for side in pair] for pair in sides]
        assert H.size(space) == len(rows)
        assert H.dimension(space) == search.dimension_of(rows)
        for tie in (0, 1):
            f = H.optimal(space, tie)
            assert H.is_labelling(f)
            wanted = [tie if a == b else int(b > a) for a, b in depths]
            assert [H.label(f, x) for x in columns] == wanted
        best = max(min(pair) for pair in depths)
        first = next(x for x in columns if min(depths[x]) == best)
        assert H.split(space) == (first if best >= 0 else None)
        member = H.member(space)
        assert H.contains(member)
        assert labels.index([H.label(member, x) for x in columns]) in rows
        assert type(H.label(member, 0)) is int
        for x, y in product(columns, (0, 1)):
            try:
                part = H.part(space, x, y)
            except Unanswerable:
                refused += 1
                continue
            assert bool(part) == bool(sides[x][y])
            if part:
                waiting.append((part, sides[x][y]))
    assert len(set(known.values())) == len(known)  # equal version spaces are equal integers
    return known, refused
