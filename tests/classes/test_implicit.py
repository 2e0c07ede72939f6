"""Classes without a table answer as their tables do: version spaces, dimensions, predictions."""

import pickle
import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import classes
from pac_stability.classes import FiniteClass, ImplicitClass, implicit
from pac_stability.classes.implicit.line_and_sets import pieces_dimension
from pac_stability.dimensions.table_spaces import TableSpaces
from shared_implicit import reached_spaces
from shared_refusals import refuses

PAIRS: list[tuple[FiniteClass, ImplicitClass]] = [
    *((classes.thresholds(n), implicit.thresholds(n)) for n in (1, 2, 5, 8)),
    *((classes.singletons(n), implicit.singletons(n)) for n in (1, 2, 3, 5)),
    *((classes.subsets(n, k), implicit.subsets(n, k)) for n in (1, 4) for k in (0, 1, 2, 4)),
    (classes.subsets(3, 1), implicit.point_functions(3)),
    *((classes.intervals(n), implicit.intervals(n)) for n in (1, 2, 3, 6, 8)),
]
HUGE: list[ImplicitClass] = [
    implicit.thresholds(2**64),
    implicit.singletons(2**64),
    implicit.subsets(2**64, 3),
    implicit.intervals(2**64),
]


@pytest.mark.parametrize(("table", "H"), PAIRS, ids=repr)
def test_every_version_space_answers_as_the_rows_do(table: FiniteClass, H: ImplicitClass) -> None:
    reached, refused = reached_spaces(table, H, 10**6)
    assert not refused
    labels = table.table.tolist()
    for space, rows in reached.items():
        # The member is the first of the rows.
        member = H.member(space)
        assert [H.label(member, x) for x in range(H.points)] == labels[rows[0]]
    assert H.dimension(0) == -1
    assert H.part(0, 0, 1) == H.size(0) == 0
    assert H.split(0) is None


def dimension_of_pieces(
    pieces: tuple[int, ...], known: dict[tuple[int, ...], int] | None = None
) -> int:
    """Ldim of the intervals inside of gaps, by the recursion; a piece has a point less."""
    known = {} if known is None else known
    if pieces not in known:
        best = 0
        for i, piece in enumerate(pieces):
            for left in range(1, piece // 2 + 1):
                one = left.bit_length() + (piece - left).bit_length() - 2
                rest = (*pieces[:i], *pieces[i + 1 :], left, piece - left)
                zero = dimension_of_pieces(tuple(sorted(p for p in rest if p > 1)), known)
                best = max(best, 1 + min(one, zero))
        known[pieces] = best
    return known[pieces]


def partitions(total: int, largest: int) -> Iterator[tuple[int, ...]]:
    """Numbers from 2 on with at most that sum, not increasing."""
    yield ()
    for first in range(2, min(total, largest) + 1):
        yield from ((first, *rest) for rest in partitions(total - first, first))


def test_the_dimension_of_gaps_is_that_of_the_two_largest() -> None:
    known: dict[tuple[int, ...], int] = {}
    for pieces in partitions(20, 20):
        largest, second = (*pieces, 1, 1)[:2]
        assert pieces_dimension(largest, second) == dimension_of_pieces(pieces[::-1], known)
    assert len(known) > 500


def test_intervals_on_long_lines_are_labelled_as_their_sides_say() -> None:
    coins = random.Random(1)
    for n in (65, 70, 127, 128, 129, 200, 333, 500) * 3:
        H = implicit.intervals(n)
        space = H.whole
        for _ in range(coins.randrange(5)):
            space = H.part(space, coins.randrange(coins.choice([n, n // 8])), 0)
        sides = [H.sides(space, x) for x in range(n)]
        best = max(map(min, sides))
        assert best == H.dimension(space) - 1
        assert H.split(space) == next(x for x in range(n) if min(sides[x]) == best)
        for tie in (0, 1):
            f = H.optimal(space, tie)
            assert H.is_labelling(f)
            wanted = [tie if zero == one else int(one > zero) for zero, one in sides]
            assert [H.label(f, x) for x in range(n)] == wanted


@settings(max_examples=60)
@given(st.integers(1, 9), st.lists(st.integers(0, 8)), st.lists(st.integers(0, 8)))
def test_a_labelling_is_the_function_that_flips_made(
    n: int, one: list[int], other: list[int]
) -> None:
    H = implicit.subsets(n, n)
    labellings, functions = [], []
    for flips in (one, other):
        f, labels = 0, [0] * n
        for x in flips:
            f, labels[x % n] = H.flipped(f, x % n), 1 - labels[x % n]
        assert [H.label(f, x) for x in range(n)] == labels
        assert H.ones(tuple(x for x in range(n) if labels[x])) == f
        assert [x for low, high in H.runs(f) for x in range(low, high + 1)] == [
            x for x in range(n) if labels[x]
        ]
        assert H.is_labelling(f)
        labellings.append(f)
        functions.append(labels)
    assert (labellings[0] == labellings[1]) == (functions[0] == functions[1])
    apart = [x for x in range(n) if functions[0][x] != functions[1][x]]
    if apart:
        assert H.first_difference(*labellings) == apart[0]
        assert H.last_difference(*labellings) == apart[-1]


def test_labellings_of_a_table_are_its_masks() -> None:
    spaces = TableSpaces(classes.thresholds(4))
    points = len(spaces.H.domain)
    assert [f for f in range(-2, 2 * 2**points) if spaces.is_labelling(f)] == [*range(2**points)]


def test_not_every_integer_is_a_labelling() -> None:
    H = implicit.thresholds(5)  # three bits a digit, digits from 1 to 5
    assert [f for f in range(-3, 80) if H.is_labelling(f)] == [
        f for f in range(64) if f in {0, 1, 2, 3, 4, 5} or _rising(f)
    ]
    refuses("a labelling of the points of thresholds:5", H.labelling, 7)


def _rising(f: int) -> bool:
    low, high = f & 7, f >> 3
    return 1 <= low < high <= 5


@pytest.mark.parametrize("H", HUGE, ids=repr)
def test_what_has_no_table_is_a_value_and_small(H: ImplicitClass) -> None:
    assert pickle.loads(pickle.dumps(H)) == H  # noqa: S301  # our own bytes
    assert hash(H) == hash(type(H)(*_parameters(H)))
    assert H.point(2**64 - 1) == 2**64 - 1
    for bad in (2**64, -1, "a", 1.5):
        refuses("one of the 18446744073709551616 points", H.column, bad)
    refuses("a column below", H.point, 2**64)


def _parameters(H: ImplicitClass) -> tuple[int, ...]:
    return (H.points, H.k) if isinstance(H, implicit.ImplicitSubsets) else (H.points,)


def test_hypotheses_are_called_at_any_point() -> None:
    H = implicit.thresholds(2**64)
    cut = H.hypothesis(2**40)
    assert [cut(x) for x in (0, 2**40 - 1, 2**40, 2**64 - 1)] == [0, 0, 1, 1]
    assert repr(H.hypothesis(2**64)) == "<Labelling 0 everywhere>"
    assert pickle.loads(pickle.dumps(cut)) == cut  # noqa: S301  # our own bytes
    sets = implicit.subsets(2**64, 2)
    assert repr(sets.hypothesis([7, 2**64 - 1])) == "<Labelling 1 at 7, 18446744073709551615>"
    refuses("at most 2", sets.hypothesis, [1, 2, 3])


def test_a_target_is_of_a_hypothesis_of_the_class() -> None:
    H, other = implicit.thresholds(8), implicit.thresholds(9)
    refuses("a hypothesis of thresholds:8", H.target, other.hypothesis(1))
    refuses("one that is in thresholds:8", H.target, H.labelling(H.ones((2,))))
    listed = H.target(H.hypothesis(3), [1, 5])
    assert {(z.point, z.label) for z in listed.support} == {(1, 0), (5, 1)}  # type: ignore[union-attr]  # listed


def test_a_large_table_is_not_built_for_a_name() -> None:
    made = classes.playable_from_spec
    assert isinstance(made("thresholds:2^11"), FiniteClass)
    assert made("thresholds:4096") == implicit.thresholds(2**12)
    assert made("subsets:2^64,2") == implicit.subsets(2**64, 2)
    assert made("singletons:2^64") == implicit.singletons(2**64)
    assert made("intervals:2^64") == implicit.intervals(2**64)
    assert isinstance(made("affine_subspaces:2,3,1"), FiniteClass)
    refuses("an exponent from 0 to 1024", made, "thresholds:2^1000000")
    refuses("one of thresholds", made, "nothing:3")
