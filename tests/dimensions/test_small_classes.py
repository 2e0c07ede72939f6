"""Four dimensions of small textbook classes, graphs and squares modulo primes, from definitions."""

import itertools
from collections.abc import Iterator

import pytest

from pac_stability import FiniteClass, classes, dimensions
from shared_dimensions import littlestone_by_definition

Rows = frozenset[tuple[int, ...]]


def specs() -> Iterator[str]:
    for n in range(1, 13):
        yield from (f"{name}:{n}" for name in ("thresholds", "signed_thresholds", "singletons"))
    yield from (f"intervals:{n}" for n in range(1, 8))
    yield from (f"subsets:{n},{k}" for n in range(1, 7) for k in range(3) if k <= n)
    yield from (f"unions_of_intervals:{n},2" for n in range(2, 6))
    yield from (f"cube:{n}" for n in range(1, 5))
    yield from (f"parities:{n}" for n in range(1, 4))
    yield from (f"monotone_conjunctions:{n}" for n in range(1, 4))
    yield from (f"conjunctions:{n}" for n in range(1, 3))
    yield from ("affine_lines:2", "affine_lines:3", "boxes:2,2", "boxes:3,1", "stumps:3,2")


def graphs() -> Iterator[tuple[str, list[list[int]]]]:
    """Neighbourhoods of the vertices, and shifted squares modulo primes."""
    for n in range(3, 10):
        ring = [[int((i - j) % n in (1, n - 1)) for j in range(n)] for i in range(n)]
        yield f"ring {n}", ring
        yield f"path {n}", [[int(abs(i - j) == 1) for j in range(n)] for i in range(n)]
        yield f"star {n}", [[int((i == 0) != (j == 0)) for j in range(n)] for i in range(n)]
        yield f"all {n}", [[int(i != j) for j in range(n)] for i in range(n)]
        yield (
            f"closed ring {n}",
            [[e | (i == j) for j, e in enumerate(r)] for i, r in enumerate(ring)],
        )
    for p in (3, 5, 7, 11, 13, 17, 19):
        squares = {x * x % p for x in range(1, p)}
        yield f"squares {p}", [[int((i - j) % p in squares) for j in range(p)] for i in range(p)]
        yield (
            f"squares and 0, {p}",
            [[int((i - j) % p in squares | {0}) for j in range(p)] for i in range(p)],
        )


CLASSES = [
    *((spec, classes.from_spec(spec)) for spec in specs()),
    *((name, FiniteClass(rows)) for name, rows in graphs()),
]


def vc(rows: Rows) -> int:
    """The most columns on which every pattern occurs."""
    width = len(next(iter(rows)))
    found = 0
    for size in range(1, width + 1):
        chosen = itertools.combinations(range(width), size)
        if not any(len({tuple(r[c] for c in some) for r in rows}) == 1 << size for some in chosen):
            break
        found = size
    return found


def half_graph(rows: list[tuple[int, ...]]) -> int:
    """The longest h_1, x_1, ..., h_k, x_k with h_i(x_j) = 1 exactly if i <= j."""

    def longest(taken: tuple[tuple[int, ...], ...], columns: tuple[int, ...]) -> int:
        best = len(taken)
        for row in rows:
            if any(row[column] for column in columns):
                continue
            for column, label in enumerate(row):
                if label and all(other[column] for other in taken):
                    best = max(best, longest((*taken, row), (*columns, column)))
        return best

    return longest((), ())


@pytest.mark.parametrize("H", [H for _, H in CLASSES], ids=[name for name, _ in CLASSES])
def test_dimensions_of_small_classes(H: FiniteClass) -> None:
    table = [tuple(row) for row in H.table.tolist()]
    rows, turned = frozenset(table), frozenset(zip(*table, strict=True))
    assert dimensions.vc_dimension(H) == vc(rows)
    assert dimensions.dual_vc_dimension(H) == vc(turned)
    assert dimensions.littlestone_dimension(H) == littlestone_by_definition(rows)
    if len(H) * len(H.domain) <= 60:
        assert dimensions.threshold_dimension(H) == half_graph(table)


def test_there_are_enough_of_them() -> None:
    assert len(CLASSES) * 3 >= 350
    assert sum(4 if len(H) * len(H.domain) <= 60 else 3 for _, H in CLASSES) >= 400
