"""What a sample is asked for under a split of the budget, and the search for the best split."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from fractions import Fraction
from typing import NamedTuple

import pytest

from pac_stability import arithmetic, mechanisms
from pac_stability.papers.dagan_feldman.sample_complexity import (
    asking,
    baseline_sizes,
    lemma_sizes,
    private_prediction_sizes,
    stable_sizes,
)

Coarsely = Callable[..., AbstractContextManager[None]]
Asking = Callable[[asking.Split, int, asking.Ceiling], Iterable[tuple[str, int]]]
A, B = Fraction(3, 11), Fraction(2, 7)
TAU = asking.Growth(1)
EPS = arithmetic.Epsilon.exactly(3)
BITS = 256


class Search(NamedTuple):
    """The arguments of the search for the best split."""

    conditions: Asking
    rows: Sequence[asking.SplitRow]
    outline: Asking | None = None

    @property
    def splits(self) -> list[asking.Split]:
        return [row[place] for row in self.rows for place in range(len(row))]


class _Asked(Exception):
    pass


def search_of(monkeypatch: pytest.MonkeyPatch, size: Callable[[], object]) -> Search:
    """Return what a size gives to the search, without the search."""
    found: list[Search] = []

    def best_split(*arguments: object) -> object:
        found.append(Search(*arguments))  # type: ignore[arg-type]  # those of the real one
        raise _Asked

    with monkeypatch.context() as patch:
        patch.setattr(asking, "best_split", best_split)
        with pytest.raises(_Asked):
            size()
    return found[0]


SEARCHES: dict[str, Callable[[], object]] = {
    "stable": lambda: stable_sizes.theorem_1(A, B, A, 1),
    "flipped": lambda: stable_sizes.corollary_2(A, B, EPS, 1),
    "private": lambda: private_prediction_sizes.theorem_3(A, B, EPS, 1),
    "disjoint": lambda: baseline_sizes.disjoint_average_size(A, B, A, 1),
    "subset": lambda: baseline_sizes.subset_average_size(A, B, A, 1),
    "aggregation": lambda: baseline_sizes.aggregation_size(A, B, EPS, 1),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_every_part_goes_one_way_along_a_row(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    search = search_of(monkeypatch, SEARCHES[name])
    quick = search.outline or search.conditions
    for row in search.rows[:: len(search.rows) // 9 + 1]:
        splits = [row[place] for place in range(len(row))]
        for field in zip(*splits, strict=True):
            assert list(field) in (sorted(field), sorted(field, reverse=True))
        least = dict(quick(splits[0].loosened(splits[-1]), 1000, asking.float_ceiling))
        for split in splits[::9]:
            for step, size in quick(split, 1000, asking.float_ceiling):
                assert least[step] <= size


def test_the_outline_of_theorem_3_is_below_and_near(monkeypatch: pytest.MonkeyPatch) -> None:
    search = search_of(monkeypatch, SEARCHES["private"])
    assert search.outline is not None
    for split in search.splits[::149]:
        asked = dict(search.conditions(split, 10**5, asking.certified_ceiling))
        outline = dict(search.outline(split, 10**5, asking.certified_ceiling))
        assert outline["blocks"] <= asked["blocks"] < 2 * outline["blocks"]


def test_what_a_private_sample_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    search, n = search_of(monkeypatch, SEARCHES["private"]), 10**5
    z = A / 64
    K = private_prediction_sizes._disagreements(TAU, n, z, EPS, asking.certified_ceiling)
    for split in search.splits[::149]:
        asked = dict(search.conditions(split, n, asking.certified_ceiling))
        assert (asked["net"] - 2) * split.net < K <= (asked["net"] - 1) * split.net
        kappa = Fraction(9, 10) / ((1 + 2 * split.ratio) * K)
        blocks = math.ceil(split.sharpness / kappa)
        block, _ = lemma_sizes.drawn_net_size(TAU, split.block_error, B / 2 / blocks)
        assert asked["blocks"] == blocks * block
    # A class of few patterns, and many errors allowed: the least block.
    one = asking.Split(
        net=A, selection=A, generalisation=A, block_error=Fraction(99, 100), sharpness=6
    )
    with monkeypatch.context() as patch:
        patch.setattr(lemma_sizes, "drawn_net_size", lambda *_, **__: (3, ""))
        asked = dict(search.conditions(one, n, asking.certified_ceiling))
    assert asked["blocks"] % 8 == 0


@pytest.mark.parametrize("name", ["stable", "flipped"])
def test_a_subset_is_a_part_of_the_sample(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    search = search_of(monkeypatch, SEARCHES[name])
    for split in search.splits[::199]:
        asked = dict(search.conditions(split, 1000, asking.certified_ceiling))["subset"]
        chosen = stable_sizes.subset_size(TAU, 1000, split.subset, asking.certified_ceiling)
        assert (asked - 1) * split.part < chosen <= asked * split.part
        if name == "flipped":
            assert split.part <= mechanisms.Flip(split.flip).largest_stability(EPS)


def test_averages_are_asked_for_whole_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    n = 1003
    disjoint = search_of(monkeypatch, SEARCHES["disjoint"])
    subset = search_of(monkeypatch, SEARCHES["subset"])
    for split in disjoint.splits[::10]:
        # No part has more than 251 examples.
        m = baseline_sizes._mean_block_size(TAU, 251, split.parts * A, asking.certified_ceiling)
        asked = dict(disjoint.conditions(split, n, asking.certified_ceiling))
        assert asked["blocks"] == 4 * m
        asked = dict(subset.conditions(split, n, asking.certified_ceiling))
        m = baseline_sizes._mean_block_size(
            TAU, int(n * A), split.parts * A, asking.certified_ceiling
        )
        assert (asked["subset"] - 1) * A < m <= asked["subset"] * A


def test_noise_is_asked_for_enough_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    search, n = search_of(monkeypatch, SEARCHES["aggregation"]), 1003
    q = asking.rounded_up_decay(Fraction(1, 3))
    for split in search.splits[::30]:
        r = math.ceil(q / (1 - q**2) / (split.noise * A))
        asked = dict(search.conditions(split, n, asking.certified_ceiling))
        deviation = baseline_sizes._deviation_size(split.deviation * A, B, asking.certified_ceiling)
        assert asked["deviation"] == r - 1 + deviation
        largest = -(-n // r)
        m = baseline_sizes._mean_block_size(TAU, largest, split.parts * A, asking.certified_ceiling)
        assert asked["blocks"] == r * m
    found = baseline_sizes.aggregation_size(A, B, EPS, 1)
    noise = next(share.amount for share in found.budget if share.step == "noise")
    assert (found.blocks - 1) * noise < q / (1 - q**2) <= found.blocks * noise


def test_sizes_of_averages_hold_their_parts() -> None:
    # Where the deviation decides, parts of equal size leave some examples over.
    found = baseline_sizes.disjoint_average_size(A, "1/10", "1/3", 1)
    assert (found.sample_size, found.blocks, found.block_size) == (880, 3, 293)
    drawn = baseline_sizes.subset_average_size(A, B, A, 1, setting="realizable")
    assert (drawn.sample_size - 1) * A < drawn.subset_size <= drawn.sample_size * A


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Asking]:
    """What fixed points are asked of, in their order."""
    asked: list[Asking] = []
    found_before = asking.fixed_point

    def fixed_point(conditions: Asking, split: asking.Split) -> int:
        asked.append(conditions)
        return found_before(conditions, split)

    monkeypatch.setattr(asking, "fixed_point", fixed_point)
    return asked


def test_the_printed_size_of_theorem_3_meets_its_conditions(seen: list[Asking]) -> None:
    found = private_prediction_sizes.theorem_3(A, B, EPS, 1, constants="paper")
    n, part = found.sample_size, private_prediction_sizes._paper_part(EPS)
    parts = private_prediction_sizes._paper_parts(TAU, n, A / 7, B / 2, asking.certified_ceiling)
    asked = dict(seen[-1](asking.Split(), n, asking.certified_ceiling))
    assert (asked["subset"] - 1) * part < parts.subset <= asked["subset"] * part
    vote = asked["privacy of the vote"]
    assert (vote - 1) * part < parts.inverse_eta <= vote * part
    assert found.blocks == n // parts.block


def test_the_printed_size_of_theorem_1_has_the_subset_as_a_part(seen: list[Asking]) -> None:
    found = stable_sizes.theorem_1(A, B, A, 1, constants="paper")
    asked = dict(seen[-1](asking.Split(), found.sample_size, asking.certified_ceiling))["subset"]
    assert (asked - 1) * A / 3 < found.subset_size <= asked * A / 3


@pytest.mark.parametrize("constants", ["paper", "sharp"])
def test_beyond_one_half_the_size_is_that_for_one_half(constants: str) -> None:
    flips = [
        stable_sizes.corollary_2(alpha, B, EPS, 1, constants=constants)  # type: ignore[arg-type]  # either
        for alpha in ("3/4", "1/2")
    ]
    assert flips[0] == flips[1]
    if constants == "paper":
        first, second = (
            private_prediction_sizes.theorem_3(alpha, B, EPS, 1, constants="paper")
            for alpha in ("3/4", "1/2")
        )
        assert first == second


def test_the_printed_stability_is_certified(coarsely: Coarsely) -> None:
    with coarsely("log"):
        found = stable_sizes.corollary_2("1/5", B, EPS, 1, constants="paper")
    gamma = sum((share.amount for share in found.budget if share.of == "gamma"), Fraction(0))
    allowed = arithmetic.Interval.log(3, BITS) / 20
    assert allowed * Fraction(99, 100) < gamma < allowed


# --- the search itself ------------------------------------------------------------------------


@pytest.mark.parametrize("name", SEARCHES)
def test_few_splits_are_looked_at_for_the_best_of_all(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = search_of(monkeypatch, SEARCHES[name])
    asked: list[asking.Split] = []
    certified: list[int] = []

    def counted(split: asking.Split, n: int, ceiling: asking.Ceiling) -> Iterator[tuple[str, int]]:
        asked.append(split)
        certified.extend([n] * (ceiling is asking.certified_ceiling))
        yield from search.conditions(split, n, ceiling)

    least, split = asking.best_split(counted, search.rows, search.outline)
    assert len(set(asked)) < 20 + 8 * len(search.rows)
    # Certified enclosures decide next to where floats have been.
    assert min(certified) >= least - 1
    whole = [
        (asking.fixed_point(search.conditions, split, 1, asking.float_ceiling), place)
        for place, split in enumerate(search.splits)
    ]
    best, place = min(whole)
    assert (best, search.splits[place]) == (least, split)


def test_among_equal_floats_the_certified_least_is_taken() -> None:
    def conditions(
        split: asking.Split, _: int, ceiling: asking.Ceiling
    ) -> Iterator[tuple[str, int]]:
        def needed(real: asking.Reals[asking.R]) -> asking.R:
            return real.exactly(split.ratio)

        yield "itself", ceiling(needed)

    above, whole = (asking.Split(ratio=10 + more) for more in (Fraction(1, 2**70), Fraction(0)))
    assert asking.best_split(conditions, [[above, whole]]) == (10, whole)
    assert asking.nearly_least({1: 5, 2: 7, 3: 5}) == [1, 3]
    assert asking.binding_condition([("one", 1), ("three", 3), ("two", 2)]) == "three"
