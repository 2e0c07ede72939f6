"""Every entry point of every kernel, called directly with arguments that do not fit.

`ENTRIES` lists all of them, with arguments that do fit; a test compares the list with what the
compiled modules offer.  Run under `tools/sanitize.py`, these calls also show that nothing outside
of an array is touched.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pytest

import pac_stability._core
from pac_stability._core import half_graph, littlestone, patched_laws, stump_answers, vc
from pac_stability._core.additive_sums import path_sums
from pac_stability._core.growth import most_patterns
from pac_stability._core.soa import SoaMemo, SoaWalk
from pac_stability._core.sparse_errors import sparse_errors
from pac_stability._core.star import find_star
from pac_stability._core.weighted_sums import SelectionWalk
from pac_stability.classes.bits import pack

Arguments = dict[str, Any]  # what does not fit has any type
REFUSED = (ValueError, TypeError, OverflowError, MemoryError)
ROWS, POINTS = 20, 10
MEMORY = 1 << 24
SHORTER, LONGER, HEADLESS = "without its last", "with one more", "without its first"


def table() -> np.ndarray[Any, np.dtype[np.uint8]]:
    values = np.random.default_rng(0).random((ROWS, POINTS)) < 0.5
    return np.unique(values.astype(np.uint8), axis=0)


def solver(
    rows: np.ndarray[Any, np.dtype[np.uint8]] | None = None,
) -> littlestone.LittlestoneSolver:
    made = littlestone.LittlestoneSolver(table() if rows is None else rows, MEMORY)
    made.run(0.0, None)
    return made


def star_table() -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Four words a row, the points in the last places, and a row of zeros."""
    wide = np.zeros((ROWS + 1, 256), np.uint8)
    wide[:ROWS, -POINTS:] = table()
    return pack(wide)


def array(values: object, dtype: type) -> np.ndarray[Any, Any]:
    return np.array(values, dtype=dtype)


def tree_arguments() -> Arguments:
    k = solver().lower
    return {
        "k": k,
        "points": np.zeros(2**k - 1, dtype=np.int64),
        "leaves": np.zeros(2**k, dtype=np.int64),
    }


def walk() -> SoaWalk:
    memo = SoaMemo(3)
    for column in range(3):
        memo.teach(0, column, 0, -1, 0)
    return SoaWalk(memo, 0)


def walk_arguments() -> Arguments:
    return {
        "codes": array([[0, 3, 2], [0, 1, 1]], np.uint32),
        "first": array([0], np.uint32),
        "members": array([1, 2], np.uint32),
        "heads": array([0, 0], np.uint32),
        "mantissas": array([2**62, 2**63, 2**62 + 5], np.uint64),
        "exponents": array([0, -3, 4], np.int64),
        "start": array([2**62, 2**61], np.uint64),
        "steps": array([2**62, 2**62, 2**63] * 2, np.uint64),
        "begins": array([[0, 2, 3], [3, 5, 6]], np.int64),
        "least": array([[0, 0], [0, 0]], np.int64),
    }


def path_arguments() -> Arguments:
    # Two layers, one example drawn; the first state is left before layer 1.
    return {
        "copies": array([1, 1], np.int32),
        "windows": array([[0, 0, 1], [0, 1, 1], [0, 1, 1], [0, 0, 0]], np.int32),
        "steps": array([0.5, 0.5, 1.0, 1.0], np.float64),
        "two_states": True,
        "leave_on_miss": True,
        "chain": 1,
        "block": 1,
        "factors": np.ones((2, 5, 2, 4)),
        "ends": np.ones((2, 4)),
        "sums": np.zeros((2, 5, 2, 4)),
        "end_sums": np.zeros((2, 4)),
        "totals": np.zeros((2, 4)),
    }


def rule_arguments() -> Arguments:
    return {
        "codes": array([[0, 3, 1, 2], [2, 2, 0, 3], [1, 0, 0, 3]], np.uint32),
        "labels": array([0, 1, 1, 0], np.uint8),
        "largest": 3,
        "choices": array([[0, 1], [0, 2], [1, 2]], np.int32),
        "cuts": array([1, 2, 3], np.int32),
    }


def stump_arguments() -> Arguments:
    # Two coordinates, three examples; two values along the first and three along the second.
    return {
        "ranks": array([[0, 1, 1], [2, 0, 1]], np.uint32),
        "begins": array([0, 2, 5], np.int64),
        "errors": array([1, 2, 1, 0, 3], np.int64),
        "size": 2,
        "powers": array([2**50, 2**49, 0], np.uint64),
        "spread": 2,
        "max_memory": MEMORY,
    }


def law_arguments() -> Arguments:
    return {
        "points": 5,
        "limbs": 2,
        "columns": array([0, 3, 4], np.int64),
        "labels": array([1, 0, 1], np.uint8),
        "factors": array([2, 1, 2**62], np.uint64),
        "max_memory": MEMORY,
    }


def weight_arguments() -> Arguments:
    return {
        "keys": array([[3], [8], [31]], np.uint64),
        "weights": array([[1, 2], [3, 0], [2**63, 0]], np.uint64),
    }


def law() -> patched_laws.PatchedLaw:
    made = patched_laws.PatchedLaw(**law_arguments())
    made.add(**weight_arguments())
    return made


def tournament_arguments() -> Arguments:
    return {
        "law": law(),
        "into": patched_laws.PatchedLaw(**law_arguments()),
        **weight_arguments(),
        "order": array([4, 0, 2, 1, 3], np.int64),
    }


def answer_arguments() -> Arguments:
    return {
        "words": array([2**40 + 5, 2**63, 7, 2**62], np.uint64),
        "places": array([[0, 3], [2, 1]], np.uint32),
        "labels": array([0, 0], np.uint8),
    }


@dataclass(frozen=True)
class Entry:
    """How to call an entry point well, and which single changes it must refuse."""

    of: Callable[[], Callable[..., object]]
    good: Callable[[], Arguments]
    wrong: Mapping[str, Sequence[object]] = field(default_factory=dict)
    any_length: frozenset[str] = frozenset()  # arrays that may have another length
    meant: frozenset[tuple[str, str]] = frozenset()  # changes that mean something, all the same


def entry(
    of: Callable[[], Callable[..., object]],
    any_length: Sequence[str] = (),
    meant: Sequence[tuple[str, str]] = (),
    **arguments: tuple[object, Sequence[object]],
) -> Entry:
    """One whose arguments stand each beside what they must not be."""

    def good() -> Arguments:
        return {name: copy(fits) for name, (fits, _) in arguments.items()}

    wrong = {name: values for name, (_, values) in arguments.items()}
    return Entry(of, good, wrong, frozenset(any_length), frozenset(meant))


def put(good: Callable[[], Arguments], name: str, place: object, *values: int) -> list[object]:
    """One array of the good arguments, with one other value each time."""
    changed = [good()[name].copy() for _ in values]
    for array_, value in zip(changed, values, strict=True):
        array_[place] = value
    return changed


ARRAYS = (walk_arguments, path_arguments, rule_arguments, stump_arguments, law_arguments)
walk_changed, path_changed, rule_changed, stump_changed, law_changed, weight_changed = (
    partial(put, good) for good in (*ARRAYS, weight_arguments)
)


NOT_ONE = np.array([[0, 1], [0, 2]], dtype=np.uint8)
BAD_TABLES = [NOT_ONE, np.full((5, 5), 255, dtype=np.uint8)]
WORK = [0.0, -1.0, float("nan")]
BIG = [-1, 2**31, 2**40, 2**62, -(2**63)]


ROW_NUMBERS = [array([0, value], np.int64) for value in (len(table()), -1, 2**40, -(2**40))]
SHATTERING = partial(vc.ShatteringSearch, table(), 3, row_level=1)
HALF_GRAPHS = partial(half_graph.HalfGraphSearch, table(), lower=1, upper=9, memo=10**4)


ENTRIES: dict[str, Entry] = {
    "littlestone.LittlestoneSolver": entry(
        lambda: littlestone.LittlestoneSolver,
        any_length=["table"],
        table=(table(), [*BAD_TABLES, np.zeros((2, 0), dtype=np.uint8)]),
        max_memory=(MEMORY, [0, 2000, -1, 2**64]),
    ),
    "littlestone.LittlestoneSolver.run": entry(
        lambda: littlestone.LittlestoneSolver(table(), MEMORY).run,
        time_limit=(0.0, [-1.0, float("nan")]),
        progress=(None, []),
        aim=(0, [-1, -(2**31)]),
    ),
    "littlestone.LittlestoneSolver.dimension_of": entry(
        lambda: solver().dimension_of, ["rows"], rows=(array([0, 3, 5, 5], np.int64), ROW_NUMBERS)
    ),
    "littlestone.LittlestoneSolver.tree": Entry(
        lambda: solver().tree, tree_arguments, {"k": [*BIG, 0, 1, 5, 20, 30]}
    ),
    "littlestone.LittlestoneSolver.refute": entry(
        lambda: solver(np.eye(8, dtype=np.uint8)).refute,
        k=(2, [*BIG, 0, 1, 4, 31, 32, 200]),
        max_steps=(100, [-1, 2**32, 0]),
    ),
    "littlestone.use_instructions": entry(
        lambda: littlestone.use_instructions,
        name=(littlestone.INSTRUCTIONS[-1], ["avx1024", "", None, 2]),
    ),
    "littlestone.LittlestoneSolver.reaches": entry(
        lambda: solver().reaches,
        ["rows"],
        rows=(array([0, 3, 5, 6], np.int64), ROW_NUMBERS),
        k=(1, [2**31, 2**40, -(2**63)]),
    ),
    "soa.SoaMemo": entry(lambda: SoaMemo, points=(3, [*BIG, 0, 2**30 + 1])),
    "soa.SoaMemo.teach": entry(
        lambda: SoaMemo(3).teach,
        space=(0, BIG),
        column=(2, [*BIG, 3]),
        zero=(1, [-2, *BIG[1:]]),
        one=(-1, [-2, *BIG[1:]]),
        label=(0, [-2, 2, *BIG[1:]]),
    ),
    "soa.SoaMemo.read": entry(
        lambda: SoaMemo(3).read,
        examples=([("a", 1), ("b", 0)], [None, 3, [("a", 1)], [([], 1), ("b", 0)]]),
        columns=(
            {"a": 2, "b": 0},
            [None, 3, {"a": -1, "b": 0}, {"a": 2**40, "b": 0}, {"a": "b", "b": 0}],
        ),
        codes=(array([0, 0], np.uint32), []),
    ),
    "soa.SoaWalk": Entry(
        lambda: SoaWalk, lambda: {"memo": SoaMemo(3), "space": 0}, {"memo": [None, 3], "space": BIG}
    ),
    "soa.SoaWalk.copy": entry(lambda: walk().copy),
    "soa.SoaWalk.patched": entry(lambda: walk().patched),
    "soa.SoaWalk.predict": entry(lambda: walk().predict, column=(2, [*BIG, 3])),
    "soa.SoaWalk.update": entry(lambda: walk().update, column=(2, [*BIG, 3]), label=(1, [])),
    "soa.SoaWalk.walk": entry(
        lambda: walk().walk,
        meant=[("predictions", "None")],
        codes=(
            array([4, 1, 5], np.uint32),
            [array([4, 1, value], np.uint32) for value in (6, 2**31, 2**32 - 1)],
        ),
        predictions=(array([7, 7, 7], np.uint8), []),
        begin=(1, [*BIG, 4]),
    ),
    "vc.ShatteringSearch": entry(
        lambda: vc.ShatteringSearch,
        ["table"],
        table=(table(), BAD_TABLES),
        k=(3, [*BIG, 0, 1, 32, 100]),
        row_level=(1, [-1, 0, 33, 2**40]),
        max_memory=(MEMORY, [0, 100, -1]),
    ),
    "vc.ShatteringSearch.advance": entry(lambda: SHATTERING().advance, work=(1e9, WORK)),
    "vc.ShatteringSearch.search_roots": entry(
        lambda: SHATTERING().search_roots, first=(1, [*BIG, -1, 5]), last=(4, [*BIG, -1, 0])
    ),
    "vc.ShatteringSearch.stop_before": entry(
        lambda: SHATTERING().stop_before, last=(4, [*BIG, -1, 0])
    ),
    "half_graph.HalfGraphSearch": entry(
        lambda: half_graph.HalfGraphSearch,
        ["table"],
        table=(table(), [*BAD_TABLES, np.zeros((2, 9), dtype=np.uint8)]),
        lower=(1, [*BIG, 6]),
        upper=(5, [*BIG, 0, 11, 10**9]),
        memo=(10**4, [-1, 2**64]),
        max_memory=(MEMORY, [0, 100, -1]),
    ),
    "half_graph.HalfGraphSearch.advance": entry(
        lambda: HALF_GRAPHS(lower=0).advance, work=(1e9, WORK)
    ),
    "half_graph.HalfGraphSearch.cap": entry(lambda: HALF_GRAPHS().cap, bound=(5, [*BIG, 0, -1])),
    "half_graph.HalfGraphSearch.raise_to": entry(
        lambda: HALF_GRAPHS().raise_to, best=(2, [*BIG, 10])
    ),
    "half_graph.HalfGraphSearch.ask": entry(lambda: HALF_GRAPHS().ask, lower=(2, [*BIG, 10])),
    "weighted_sums.SelectionWalk": Entry(
        lambda: SelectionWalk,
        walk_arguments,
        {
            "first": [*walk_changed("first", 0, 3, 2**32 - 1), array([], np.uint32)],
            "members": walk_changed("members", 1, 3, 2**32 - 1),
            "heads": walk_changed("heads", 0, 3, 2**32 - 1),
            "mantissas": walk_changed("mantissas", 1, 0, 2**62 - 1, 2**63 + 1),
            "exponents": walk_changed("exponents", 2, 2**60, -(2**60), 2**63 - 1),
            "start": walk_changed("start", 0, 2**63, 2**64 - 1),
            "steps": walk_changed("steps", 0, 2**64 - 1),
            "begins": walk_changed("begins", (0, 1), -1, 4, 7, 2**62),
            "least": walk_changed("least", (1, 0), -1, 1, 2**62),
        },
        meant=frozenset({("steps", LONGER)}),
    ),
    "weighted_sums.SelectionWalk.advance": entry(
        lambda: SelectionWalk(**walk_arguments()).advance, work=(1e9, WORK)
    ),
    "weighted_sums.SelectionWalk.stop": entry(lambda: SelectionWalk(**walk_arguments()).stop),
    "patched_laws.PatchedLaw": Entry(
        lambda: patched_laws.PatchedLaw,
        law_arguments,
        {
            "points": [*BIG, 0, 4],
            "limbs": [*BIG, 0, 2**20 + 1],
            "columns": law_changed("columns", 1, -1, 5, 2**40, 4),
            "labels": law_changed("labels", 2, 2, 255),
            "factors": [*law_changed("factors", 0, 0, 2**64 - 1)],
            "max_memory": [0, 100, -1, 2**64],
        },
    ),
    "patched_laws.PatchedLaw.add": Entry(
        lambda: law().add, weight_arguments, {"keys": weight_changed("keys", 1, 32, 2**63)}
    ),
    "patched_laws.PatchedLaw.draw": entry(lambda: law().draw, work=(1.0, WORK)),
    "patched_laws.PatchedLaw.weights": entry(
        lambda: law().weights,
        meant=[("keys", HEADLESS)],
        keys=(weight_arguments()["keys"], weight_changed("keys", 1, 32, 2**63)),
    ),
    "patched_laws.PatchedLaw.entries": entry(
        lambda: law().entries, begin=(1, [*BIG, 4]), end=(3, [*BIG, 0, 4])
    ),
    "patched_laws.PatchedLaw.summary": entry(
        lambda: law().summary, begin=(1, [*BIG, 4]), end=(3, [*BIG, 0, 4])
    ),
    "patched_laws.PatchedTournament": Entry(
        lambda: patched_laws.PatchedTournament,
        tournament_arguments,
        {
            "law": [None, 3],
            "into": [None, 3, patched_laws.PatchedLaw(**{**law_arguments(), "points": 6})],
            "keys": weight_changed("keys", 1, 32, 2**63),
            "order": put(tournament_arguments, "order", 1, -1, 5, 2**62, 4, 1),
        },
    ),
    "patched_laws.PatchedTournament.advance": entry(
        lambda: patched_laws.PatchedTournament(**tournament_arguments()).advance, work=(1.0, WORK)
    ),
    "additive_sums.path_sums": Entry(
        lambda: path_sums,
        path_arguments,
        {
            "copies": path_changed("copies", 0, -1, 2**31 - 1),
            "windows": [
                *path_changed("windows", (0, 0), -1, 1),
                *path_changed("windows", (1, 2), 2, -1, 2**31 - 1),
                *path_changed("windows", (3, 1), 2),
                *path_changed("windows", slice(None), 2**31 - 1),
            ],
            "chain": [-1, 3, 2**31 - 1, 2**40],
            "block": [0, -1, 2**40],
        },
    ),
    "growth.most_patterns": Entry(
        lambda: most_patterns,
        lambda: {
            "table": pack(table()),
            "columns": POINTS,
            "points": array([1, 4], np.int64),
            "more": 3,
            "least": 0,
        },
        {
            "table": [np.zeros((0, 1), np.uint64), np.zeros((ROWS, 0), np.uint64)],
            "columns": [0, -1, 65, 2**62],
            "points": [array([1, POINTS], np.int64), array([-1], np.int64)],
            "more": [0, -1, 6, 2**62],
        },
        # Rows and points are any.
        meant=frozenset(
            (which, how) for which in ("table", "points") for how in (SHORTER, LONGER, HEADLESS)
        ),
    ),
    "star.find_star": Entry(
        lambda: find_star,
        lambda: {
            "table": star_table(),
            "centers": np.ones(ROWS, np.uint8),
            "limits": array([251, 253, 254, 256], np.int64),
            "place": array([246, 0, 0, 0, 0, 0], np.int64),
            "shared": 2,
            "work": 10**6,
        },
        {
            "table": [np.zeros((1, 4), np.uint64), np.zeros((ROWS + 1, 3), np.uint64)],
            "limits": [array([257, 256, 256, 256], np.int64), array([-1, 2, 3, 4], np.int64)],
            "place": [array([246, 0, 0, 0, 0, -1], np.int64)],
            "shared": [0, -1, 4, 2**40],
        },
    ),
    "sparse_errors.sparse_errors": Entry(
        lambda: sparse_errors,
        rule_arguments,
        {
            "codes": rule_changed("codes", (2, 3), 4, 2**31, 2**32 - 1),
            "labels": rule_changed("labels", 3, 2, 255),
            "largest": [*BIG, 0, 2, 2**23, 2**63 - 1],
            "choices": [
                *rule_changed("choices", (1, 0), -1, 3, 2**31 - 1),
                np.zeros((1, 9), dtype=np.int32),
                np.zeros((1, 0), dtype=np.int32),
            ],
            "cuts": [*rule_changed("cuts", 1, 1, 0, -1, 3), *rule_changed("cuts", 2, 7, 2**31 - 1)],
        },
        meant=frozenset(
            {
                *(("choices", what) for what in (SHORTER, LONGER, HEADLESS)),
                *(("cuts", what) for what in (SHORTER, HEADLESS)),
            }
        ),
    ),
    "stump_answers.StumpAnswers": Entry(
        lambda: stump_answers.StumpAnswers,
        stump_arguments,
        {
            "ranks": [
                *stump_changed("ranks", (0, 2), 2, 2**31, 2**32 - 1),
                *stump_changed("ranks", (1, 0), 3),
                np.zeros((0, 3), dtype=np.uint32),
                np.zeros((2, 0), dtype=np.uint32),
            ],
            "begins": [
                *stump_changed("begins", 0, 1, -1),
                *stump_changed("begins", 1, 0, 1, 5, 6, -1, 2**62, -(2**63)),
                *stump_changed("begins", 2, 4, 6, 2**62),
            ],
            "errors": stump_changed("errors", 4, -1, 4, 2**62, -(2**63)),
            "size": [*BIG, 0, 4],
            "powers": [
                *stump_changed("powers", 0, 0, 2**61, 2**62, 2**64 - 1),
                np.zeros(0, dtype=np.uint64),
            ],
            "spread": [-1, 2**33, 2**64],
            "max_memory": [0, -1, 100],
        },
        meant=frozenset(
            {
                ("ranks", SHORTER),
                ("ranks", LONGER),
                *(("powers", what) for what in (SHORTER, LONGER, HEADLESS)),
            }
        ),
    ),
    "stump_answers.StumpAnswers.candidates": entry(
        lambda: stump_answers.StumpAnswers(**stump_arguments()).candidates,
        indices=(
            array([2, 0], np.int64),
            [array([0, value], np.int64) for value in (3, -1, 2**40, -(2**63))],
        ),
    ),
    "stump_answers.StumpAnswers.answers": Entry(
        lambda: stump_answers.StumpAnswers(**stump_arguments()).answers,
        answer_arguments,
        {"places": put(answer_arguments, "places", (0, 0), 3, 2**31, 2**32 - 1)},
        any_length=frozenset({"words"}),
    ),
}


def entry_points() -> Iterator[str]:
    """What the compiled modules let Python call, besides constructors that only refuse."""
    for module in pkgutil.iter_modules(pac_stability._core.__path__):
        loaded = importlib.import_module(f"pac_stability._core.{module.name}")
        for name, value in vars(loaded).items():
            if name.startswith("_") or getattr(value, "__module__", None) != loaded.__name__:
                continue
            if callable(value):
                yield f"{module.name}.{name}"
            if isinstance(value, type):
                for method, function in vars(value).items():
                    if not method.startswith("_") and callable(function):
                        yield f"{module.name}.{name}.{method}"


def wrong_arrays(good: np.ndarray[Any, Any], any_length: bool) -> Iterator[tuple[str, object]]:
    """An array that no kernel can mean in place of this one."""
    yield "None", None
    yield "a list", good.tolist()
    yield "another type", good.astype(np.float32)
    yield (
        "another byte order",
        good.astype(good.dtype.newbyteorder(">"))
        if (good.dtype.itemsize > 1)
        else good.astype(np.int16),
    )
    yield "one axis more", good[None]
    if good.size > 1:
        yield "every other entry", np.repeat(good, 2, axis=-1)[..., ::2]
        if not any_length:
            yield SHORTER, np.ascontiguousarray(good[..., :-1])
            yield LONGER, np.ascontiguousarray(np.append(good, good[..., -1:], axis=-1))
            yield HEADLESS, np.ascontiguousarray(good[1:])


def bad_calls() -> Iterator[tuple[str, str, str, object]]:
    for name, entry in ENTRIES.items():
        for argument, value in entry.good().items():
            if isinstance(value, np.ndarray):
                for what, wrong in wrong_arrays(value, argument in entry.any_length):
                    if (argument, what) not in entry.meant:
                        yield name, argument, what, wrong
        for argument, values in entry.wrong.items():
            for place, wrong in enumerate(values):
                shown = repr(wrong) if isinstance(wrong, int | float) else f"wrong {place}"
                yield name, argument, shown, wrong


def test_the_list_is_complete() -> None:
    assert sorted(entry_points()) == sorted(ENTRIES)


@pytest.mark.parametrize("name", ENTRIES)
def test_arguments_that_fit_are_taken(name: str) -> None:
    entry = ENTRIES[name]
    entry.of()(**entry.good())


@pytest.mark.parametrize(
    ("name", "argument", "wrong"),
    [pytest.param(n, a, w, id=f"{n}-{a}-{what}") for n, a, what, w in bad_calls()],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(
    name: str, argument: str, wrong: object
) -> None:
    entry = ENTRIES[name]
    call = entry.of()
    with pytest.raises(REFUSED):
        call(**{**entry.good(), argument: wrong})
    call(**entry.good())  # the object is as it was, and no longer claimed


def test_a_tree_deeper_than_what_is_certified_is_refused_before_it_is_sought() -> None:
    made = solver()
    k = made.lower + 1
    with pytest.raises(ValueError, match="want 0 to"):
        made.tree(k, np.zeros(2**k - 1, dtype=np.int64), np.zeros(2**k, dtype=np.int64))


EXTREMES = [-(2**63), -(2**31), -2, -1, 0, 1, 2, 3, 5, 2**31 - 1, 2**32 - 1, 2**62, 2**63 - 1]


@pytest.mark.parametrize(
    "name",
    [
        *("weighted_sums.SelectionWalk", "additive_sums.path_sums", "growth.most_patterns"),
        "star.find_star",
    ],
)
def test_any_number_in_any_place_is_refused_or_harmless(name: str) -> None:
    """Whatever passes the checks runs to its end without leaving its arrays."""
    entry = ENTRIES[name]
    taken = refused = 0
    for argument, value in entry.good().items():
        if not isinstance(value, np.ndarray) or value.dtype.kind == "f":
            continue
        limits = np.iinfo(value.dtype)
        for extreme in EXTREMES:
            for place in range(value.size):
                changed = entry.good()
                changed[argument].flat[place] = min(max(extreme, limits.min), limits.max)
                try:
                    made = entry.of()(**changed)
                except REFUSED:
                    refused += 1
                    continue
                taken += 1
                if not isinstance(made, int | tuple):
                    while made.advance(1e6):  # type: ignore[attr-defined]  # the search
                        pass
    assert taken > 10
    assert refused > 10
