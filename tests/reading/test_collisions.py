"""Numbers chosen to have one hash are refused before a dictionary compares each with all others."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from pac_stability import audit
from pac_stability.audit.certificates import digest, to_document
from pac_stability.audit.search.asking import Answers
from pac_stability.audit.search.checkpoint import Checkpoint
from pac_stability.classes import FiniteClass, read_points
from pac_stability.cli.instances import distribution_from, points_from
from pac_stability.data import Deterministic, FiniteDistribution, Sample
from pac_stability.data.points_json import decode_point
from pac_stability.errors import InvalidInput
from pac_stability.reading import require_spread
from pac_stability.reading.collisions import MAX_MET, _gather

PRIME = sys.hash_info.modulus
ALIKE = [i * PRIME + 5 for i in range(1, 500)]


class Counted(int):
    """An integer that counts how often it is compared."""

    compared = 0

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return int.__eq__(self, other)

    __hash__ = int.__hash__


@pytest.fixture(autouse=True)
def _counter() -> Iterator[None]:
    Counted.compared = 0
    yield
    Counted.compared = 0


def in_a_dictionary(values: list[int]) -> int:
    Counted.compared = 0
    dict.fromkeys(map(Counted, values))
    return Counted.compared


@pytest.mark.parametrize("count", [1_000, 4_000])
def test_the_work_is_linear_where_a_dictionary_is_quadratic(count: int) -> None:
    collide = [i * PRIME + 5 for i in range(1, count + 1)]
    assert in_a_dictionary(collide) >= count * (count - 1) // 2
    Counted.compared = 0
    with pytest.raises(InvalidInput, match="chosen to have one hash"):
        require_spread(list(map(Counted, collide)), "it")
    assert Counted.compared <= MAX_MET * count


@pytest.mark.parametrize("group", [2, 2 * MAX_MET, 2 * MAX_MET + 1, 2 * MAX_MET + 2])
def test_what_is_let_through_costs_a_dictionary_no_more(group: int) -> None:
    values = [i * PRIME + j for j in range(5, 25) for i in range(1, group + 1)]
    try:
        require_spread(values, "it")
    except InvalidInput:
        assert group > 2 * MAX_MET + 1
    else:
        assert in_a_dictionary(values) <= MAX_MET * len(values)
        assert group <= 2 * MAX_MET + 1


def test_the_limit_is_met_to_the_comparison() -> None:
    """128 values of one hash meet 128 * 127 / 2 = 32 * 254; the list itself may be a point, too."""
    collide = [i * PRIME + 5 for i in range(1, 129)]
    others = [PRIME + number for number in range(200, 325)]
    require_spread([*collide, *others], "it")
    with pytest.raises(InvalidInput, match="chosen to have one hash"):
        require_spread([*collide, *others[1:]], "it")


@pytest.mark.parametrize(
    "values",
    [
        [5] * 10_000 + [5 + PRIME] * 10_000,
        [Fraction(1, 3)] * 10_000,
        [0.5, {"fraction": "1/2"}] * 1_000,
        list(range(-10_000, 10_000)),
        [2**k for k in range(1_800)],
        list(itertools.product((-2, -1, 0, 1, 2), repeat=6)),
        [[0, 1] * 100] * 1_000,
        [str(number) for number in ALIKE],
        [{"fraction": "1/0"}, {"fraction": 1}, {"other": [None, True, "x"]}] * 100,
        [[{"object": number}, "1/2"] for number in range(500)],
        [[FiniteDistribution({number: 1}), 0.5] for number in range(500)],
    ],
)
def test_honest_values_pass(values: list[object]) -> None:
    require_spread(values, "it")


INVERSE = [Fraction(1, number) for number in ALIKE]
SHORT = [
    f"{17**14 * q % PRIME}/{q}"
    for q in range(10**17, 10**17 + 10**15, 10**12)
    if 17**14 * q % PRIME < 10**18
]
SAME_TUPLES: list[object] = [[number, 3] for number in ALIKE]


@pytest.mark.parametrize(
    "values",
    [
        ALIKE,
        [-number for number in ALIKE],
        INVERSE,
        [{"fraction": str(number)} for number in INVERSE],
        [float(2 ** (61 * i)) for i in range(16)] * 3 + ALIKE,
        SAME_TUPLES,
        [[index, number] for index, number in enumerate(ALIKE)],
        [["a", [number]] for number in ALIKE],
        {"a": [{"b": number} for number in ALIKE]},
        {"fraction": "1/2", "more": ALIKE},
        list(itertools.product((-2, -1), repeat=9)),
    ],
)
def test_colliding_values_are_refused(values: object) -> None:
    with pytest.raises(InvalidInput, match=r"^it: got numbers that were chosen to have one hash"):
        require_spread(values, "it")


@pytest.mark.parametrize(
    "form",
    [
        [-1], [[-1, -2], "a", None], [0.5, [{"fraction": "1/3"}, -1.0]], [True, [False, [1 << 70]]],
        [[ALIKE[0], [ALIKE[1]]], -PRIME, PRIME, PRIME - 1], [], [[]], ["-1", [-2.0]], 1e300,
    ],
)  # fmt: skip
def test_the_hash_that_is_counted_is_that_of_the_point(form: object) -> None:
    found: list[tuple[int, object]] = []
    _gather(form, found)
    assert found[-1] == (hash(decode_point(form)), form)


def law(_: object) -> FiniteDistribution[object]:
    return FiniteDistribution({0: 1})


def explained(_: Path) -> object:
    document = to_document(audit.differential_privacy(Deterministic(len), 2, 1, labelled=False))
    document["instance"]["universe"] += ALIKE  # type: ignore[index]  # an object of JSON
    document["claim"], document["verdict"], document["answers"] = None, "bounded", None
    return audit.explain({**document, "sha256": digest(document)})


def written(path: Path, document: object) -> str:
    path.write_text(json.dumps(document))
    return str(path)


READERS: dict[str, Callable[[Path], object]] = {
    "table": lambda folder: FiniteClass.from_json(
        written(folder / "x.json", {"table": [[0] * len(ALIKE)], "domain": ALIKE})
    ),
    "table of tuples": lambda folder: FiniteClass.from_json(
        written(folder / "x.json", {"table": [[0] * len(ALIKE)], "domain": SAME_TUPLES})
    ),
    "sample": lambda _: Sample.from_dict({"points": ALIKE, "labels": [0] * len(ALIKE)}),
    "domain": lambda folder: points_from(written(folder / "x.json", ALIKE), "--domain"),
    "domain in the command": lambda _: points_from(",".join(SHORT), "--domain"),
    "distribution": lambda folder: distribution_from(
        written(
            folder / "x.json",
            [{"point": point, "probability": f"1/{len(ALIKE)}"} for point in ALIKE],
        ),
        None,
        labelled=False,
    ),
    "explain": explained,
}


@pytest.mark.parametrize("reader", READERS)
def test_every_reader_of_points_refuses_them(reader: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="chosen to have one hash"):
        READERS[reader](tmp_path)


def test_outcomes_of_a_checkpoint_are_asked_again(tmp_path: Path) -> None:
    path = str(tmp_path / "kept.json")
    small: list[Hashable] = [FiniteDistribution.uniform(range(499)), Fraction(1, 3)]
    outcomes: list[Hashable] = [FiniteDistribution.uniform(ALIKE)]
    probabilities: list[Hashable] = [*map(Fraction, SHORT)]
    for values, kept in ((small, 2), (outcomes, 0), (probabilities, 0)):
        answers = Answers(1)
        for value in values:
            answers.place(value)
        Checkpoint(path, "an audit").load(1, 1)
        writer = Checkpoint(path, "an audit", fresh=True)
        writer.load(1, 1)
        writer.save(answers, now=True)
        reader = Checkpoint(path, "an audit")
        assert len(reader.load(1, 1).values) == kept
        assert ("is damaged" in reader.remark) is (kept == 0)


def test_points_from_tables_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("".join(f"{number},0.5\n" for number in ALIKE))
    with pytest.raises(InvalidInput, match=r"x\.csv: got numbers that were chosen"):
        read_points(path)
    path = tmp_path / "x.npy"
    rows = list(itertools.product((-2, -1), repeat=9))
    np.save(path, np.array(rows))
    with pytest.raises(InvalidInput, match=r"x\.npy: got numbers that were chosen"):
        read_points(path)


def test_a_header_of_many_names_is_looked_through_once(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    width = 200_000
    names = ",".join(f"n{i}" for i in range(width))
    path.write_text(f"{names}\n{','.join('0' * width)}\n")
    assert len(FiniteClass.from_csv(path).domain) == width
