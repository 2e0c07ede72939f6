"""The zoo: every curve written by hand is the measured one, over all neighbours."""

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from pac_stability import FiniteDistribution, enumerate_law, randomness, zoo
from pac_stability.notions.closeness import one_sided_frontier
from pac_stability.notions.frontier import Frontier
from shared_refusals import refuses

specimens = pytest.mark.parametrize("specimen", zoo.all(), ids=lambda s: s.name)


def neighbours(specimen: zoo.Specimen) -> Iterator[tuple[tuple[object, ...], tuple[object, ...]]]:
    """Yield all ordered pairs of data sets that differ in one record."""
    for data in product(specimen.records, repeat=specimen.n):
        for index, record in product(range(specimen.n), specimen.records):
            if record != data[index]:
                yield data, (*data[:index], record, *data[index + 1 :])


@specimens
def test_written_curve_is_the_measured_one(specimen: zoo.Specimen) -> None:
    laws = {
        data: specimen.mechanism.law(data) for data in product(specimen.records, repeat=specimen.n)
    }
    # Equal laws have equal frontiers: measure each pair of laws once.
    pairs = {(laws[data], laws[other]) for data, other in neighbours(specimen)}
    measured = Frontier.maximum(one_sided_frontier(p, q) for p, q in pairs)
    assert measured == specimen.frontier


@specimens
def test_listed_pairs_are_neighbours_and_attain_the_curve(specimen: zoo.Specimen) -> None:
    assert set(specimen.pairs) <= set(neighbours(specimen))
    each = [
        one_sided_frontier(specimen.law(0, pair), specimen.law(1, pair))
        for pair in range(len(specimen.pairs))
    ]
    assert Frontier.maximum(each) == specimen.frontier
    # None is listed in vain.
    assert len(each) == 1 or all(frontier != specimen.frontier for frontier in each)


@specimens
def test_what_runs_has_the_law(specimen: zoo.Specimen) -> None:
    for side in (0, 1):
        data = specimen.pairs[0][side]

        def program(rng: randomness.Coins, data: tuple[object, ...] = data) -> object:
            return specimen.mechanism.run(data, rng)

        assert enumerate_law(program) == specimen.law(side)


@specimens
def test_draws_are_independent_draws_from_the_law(specimen: zoo.Specimen) -> None:
    drawn = enumerate_law(lambda rng: tuple(specimen.draw(1, 2, rng)))
    assert drawn == specimen.law(1).power(2)


def test_draws_of_another_pair() -> None:
    specimen = zoo.get("soft-majority")
    assert len(specimen.draw(0, 3, randomness.SeededCoins(0), pair=1)) == 3
    assert specimen.law(0, 1).probability(1) == Fraction(2, 3)
    assert specimen.law(1, 1).probability(1) == Fraction(1, 3)


def test_names_are_distinct_and_found() -> None:
    names = [specimen.name for specimen in zoo.all()]
    assert len(set(names)) == len(names)
    assert [zoo.get(name) for name in names] == list(zoo.all())
    refuses(r"'laplace', want one of coin, .*soft-majority", zoo.get, "laplace")


def test_bad_sides_pairs_and_sizes_are_refused() -> None:
    specimen = zoo.get("coin")
    refuses("side: got 2, want 0 or 1", specimen.law, 2)
    refuses("pair: got 1, want a number below 1", specimen.draw, 0, 1, pair=1)
    refuses("size: got -1", specimen.draw, 0, -1)


def test_the_export_says_everything_that_an_auditor_needs() -> None:
    document: dict[str, Any] = json.loads(json.dumps(zoo.to_dict()))
    assert document["schema"] == "pac-stability/zoo/1"
    assert [entry["name"] for entry in document["specimens"]] == [s.name for s in zoo.all()]
    for entry, specimen in zip(document["specimens"], zoo.all(), strict=True):
        events = [(Fraction(p), Fraction(q)) for p, q in entry["events"]]
        assert Frontier(events) == specimen.frontier
        # The curve follows from the laws in the document alone.
        read = [
            [
                FiniteDistribution({json.dumps(o): Fraction(w) for o, w in law})
                for law in pair["laws"]
            ]
            for pair in entry["pairs"]
        ]
        assert Frontier.maximum(one_sided_frontier(p, q) for p, q in read) == specimen.frontier
        for t, delta in entry["vertices"]:
            factor = Fraction(t)
            assert Fraction(delta) == max(Fraction(0), *(p - factor * q for p, q in events))
