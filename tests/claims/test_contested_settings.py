"""Settings in which Lemma 12 of BLM20 is not settled before a tournament: how many, and that."""

from collections import Counter
from fractions import Fraction
from itertools import islice, permutations
from random import Random

import pytest

from pac_stability.books.bun_livni_moran import settings
from pac_stability.books.bun_livni_moran.literal import TournamentSetting
from pac_stability.claims.kit import Budget
from pac_stability.dimensions import littlestone_dimension
from pac_stability.papers.bun_livni_moran import TournamentDistribution

PROVED = {2: Fraction(1, 10), 3: Fraction(1, 140)}
"""tau_d, by hand: r_2 = (1/2 - tau)/4 >= tau up to 1/10; r_3 likewise."""


def library(setting: TournamentSetting, k: int) -> TournamentDistribution:
    H, target, n = setting.H, setting.target, setting.n
    tie, pick = setting.tie, setting.order
    return TournamentDistribution(H, target, k, n, tie=tie, pick=pick, threshold=1)


def unsettled(setting: TournamentSetting, levels: int) -> bool:
    """Whether no output of so many levels is as frequent as is proved."""
    tau = PROVED[littlestone_dimension(setting.H)]
    return all(library(setting, k).highest_frequency < tau for k in range(levels))


@pytest.mark.parametrize(("budget", "least"), [(Budget.QUICK, 90), (Budget.STANDARD, 1100)])
def test_settings_of_dimension_two_need_a_tournament(budget: Budget, least: int) -> None:
    found = list(settings.of_dimension_two(budget))
    assert len(found) >= least
    # Two of them that are equal would be counted twice.
    assert len({(s.H.table.tobytes(), s.weights, s.concept, s.highest) for s in found}) == len(
        found
    )
    assert Counter(s.dimension for s in found) == {2: len(found)}
    assert all(unsettled(setting, 1) for setting in found[:: budget.pick(1, 20, 20)])


def test_some_need_two_tournaments() -> None:
    found = list(islice(settings.two_tournaments(), 30))
    assert all(unsettled(setting, 2) for setting in found)


def test_a_hundred_settings_of_dimension_three_need_a_tournament() -> None:
    found = settings.first_settings(settings.of_dimension_three, 100)
    before = len(list(settings.of_dimension_two(Budget.STANDARD)))
    assert tuple(islice(settings.contested(Budget.STANDARD), before, before + 100)) == found
    assert {setting.dimension for setting in found} == {3}
    assert all(unsettled(setting, 1) for setting in found[::10])


def test_some_of_dimension_three_need_two_tournaments() -> None:
    (setting,) = settings.first_settings(settings.of_dimension_three_twice, 1)
    assert setting in settings.contested(Budget.QUICK)
    assert unsettled(setting, 2)
    assert library(setting, 2).highest_frequency > PROVED[3]


def test_classes_of_five_hypotheses_are_all_there_are_one_of_each_kind() -> None:
    # Sets of 11 columns and more of the 16 that four hypotheses make, up to the order of these, by
    # Burnside's lemma: with c cycles of the columns, of lengths l, a set is a choice of cycles.
    count = 0
    for order in permutations(range(4)):
        moved = [sum((c >> i & 1) << order[i] for i in range(4)) for c in range(16)]
        sizes = [1] + [0] * 16
        for length in _cycles(moved):
            sizes = [sizes[k] + (sizes[k - length] if k >= length else 0) for k in range(17)]
        count += sum(sizes[11:])
    kinds = sum(1 for size in range(11, 17) for _ in settings._up_to_order(4, size))
    assert kinds == count // 24
    # All but a few leave every output of D_0 rare, for both ways of picking.
    assert sum(1 for _ in settings.five_hypotheses()) == 900


def _cycles(moved: list[int]) -> list[int]:
    lengths, seen = [], set[int]()
    for start in range(len(moved)):
        length, at = 0, start
        while at not in seen:
            seen.add(at)
            length, at = length + 1, moved[at]
        if length:
            lengths.append(length)
    return lengths


def test_what_is_kept_of_a_search_is_what_is_found_anew() -> None:
    def first(kept: dict[str, tuple[int, ...]]) -> list[float]:
        dice = settings._passing("dice", Random.random, lambda x: x < 1 / 4, kept)
        return list(islice(dice, 6))

    seeds = [i for i in range(60) if Random(f"dice/{i}").random() < 1 / 4]
    assert first({"dice": tuple(seeds[:3])}) == first({})
