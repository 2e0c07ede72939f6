"""Settings in which D_0 does not settle Lemma 12: no output is frequent without a tournament.

With n = 1 the predictor depends on one example, and so on which hypotheses agree with the target at
one point. So many points, at which different sets of hypotheses agree, and even weights make all
outputs of D_0 rare, and few hypotheses are enough for that: of six, the sets that agree at a point
are up to 32. All that D_1 can reach are then intersections of them, and exact laws stay small.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, islice, permutations
from random import Random

from pac_stability.books.bun_livni_moran.literal import TournamentSetting
from pac_stability.books.bun_livni_moran.settings import tournaments
from pac_stability.claims.trials import Budget
from pac_stability.classes import FiniteClass
from pac_stability.papers.bun_livni_moran.formulas import FrequencyThreshold

Columns = tuple[int, ...]
"""For each point, the set of hypotheses that differ from the target there, as bits."""


def contested(budget: Budget) -> Iterator[TournamentSetting]:
    """Give the settings of which :data:`CONTESTED` says what they are."""
    yield from of_dimension_two(budget)
    yield from first(of_dimension_three, budget.pick(3, 100, 300))
    yield from first(of_dimension_three_twice, budget.pick(1, 6, 20))


def of_dimension_two(budget: Budget, thinned: int = 1) -> Iterator[TournamentSetting]:
    """Give those of dimension 2, or one of so many of each sort."""
    yield from first(five_hypotheses, 900)[:: budget.pick(21, 1, 1) * thinned]
    yield from first(more_hypotheses, budget.pick(40, 200, 2000))[::thinned]
    yield from first(two_tournaments, budget.pick(12, 60, 600))[::thinned]


@cache
def first(
    settings: Callable[[], Iterator[TournamentSetting]], count: int
) -> tuple[TournamentSetting, ...]:
    """Return the first of a sequence, which several trials go through in several parts."""
    return tuple(islice(settings(), count))


CONTESTED = (
    "settings that leave every output of D_0 rarer than is claimed: every class of a target and "
    "four hypotheses on 11 points and more with different columns, one of each kind, under equal "
    "weights, n = 1, both ways of picking (one of 21 with the quick budget), seeded ones of up to "
    "seven hypotheses, n up to 2 (40, 200, 2000), and classes near one on 18 points that "
    "leave those of D_1 rare too (12, 60, 600), all of dimension 2"
)
CONTESTED_THREE = (
    "seeded ones of dimension 3, nine hypotheses on 142 points and more (3, 100, 300), and fifteen "
    "on 205 points that leave outputs of D_1 rare too (1, 6, 20)"
)


def first_frequency(setting: TournamentSetting) -> Fraction:
    """Return the highest frequency of an output of D_0: of the SOA on n examples."""
    soa, found = setting.soa, defaultdict[int, Fraction](Fraction)
    for T, p in setting.blocks():
        found[soa(T)] += p
    return max(found.values())


def is_contested(setting: TournamentSetting, d: int) -> bool:
    """Whether the dimension is d, and no output of D_0 has the frequency that is proved for it."""
    return (
        setting.dimension == d and first_frequency(setting) < FrequencyThreshold(d, "proved").value
    )


def five_hypotheses() -> Iterator[TournamentSetting]:
    """Give every one of a target and four hypotheses, on 11 different columns and more."""
    for size in range(16, 10, -1):
        for columns in _up_to_order(4, size):
            for highest in (False, True):
                setting = _setting(columns, 4, highest=highest)
                if is_contested(setting, 2):
                    yield setting


def _up_to_order(others: int, size: int) -> Iterator[Columns]:
    """Give the sets of so many columns, one of those that differ in the order of hypotheses."""
    orders = [
        [sum((column >> i & 1) << order[i] for i in range(others)) for column in range(1 << others)]
        for order in permutations(range(others))
    ]
    for columns in combinations(range(1 << others), size):
        if all(columns <= tuple(sorted(moved[c] for c in columns)) for moved in orders):
            yield columns


def more_hypotheses() -> Iterator[TournamentSetting]:
    """Give seeded ones of dimension 2 without end, with targets of both labels, and weights."""
    index = 0
    while True:
        coins = Random(f"contested/{index}")  # instances, not secrets
        index += 1
        n = coins.choice((1, 1, 1, 2))
        others = coins.randint(4, 6) if n == 1 else coins.randint(5, 6)
        # The larger n, the more hypotheses have to be left: few may differ at a point.
        pool = range(1 << others) if n == 1 else _small_sets(others)
        points = coins.randint(12, 16) if n == 1 else coins.randint(10, 12)
        columns = coins.sample(pool, points)
        setting = _setting(
            tuple(columns),
            others,
            concept=coins.getrandbits(points) if n == 1 else 0,
            weights=tuple(coins.choice((3, 3, 4)) for _ in columns),
            n=n,
            highest=bool(coins.getrandbits(1)),
        )
        if is_contested(setting, 2):
            yield setting


def _small_sets(others: int) -> list[int]:
    """The sets of one or two hypotheses."""
    return [c for c in range(1 << others) if 1 <= c.bit_count() <= 2]


def two_tournaments() -> Iterator[TournamentSetting]:
    """Give seeded edits of a class, without end, that leave outputs of D_1 rare as well.

    A local search over classes and weights found the class.
    """
    words = "38 12 14 33 46 36 32 2 40 0 5 18 48 4 26 10 13 3"
    found = [int(word) for word in words.split()]
    concept = sum(1 << x for x in (0, 1, 2, 5, 7, 8, 9, 10, 12, 13, 14, 16, 17))
    index = 0
    while True:
        coins = Random(f"contested-twice/{index}")  # instances, not secrets
        index += 1
        columns = list(found)
        for _ in range(coins.randint(1, 3)):
            columns[coins.randrange(len(columns))] ^= 1 << coins.randrange(6)
        weights = tuple(coins.choice((3, 3, 4)) for _ in columns)
        setting = _setting(tuple(columns), 6, concept=concept, weights=weights, tie=0)
        tau = FrequencyThreshold(2, "proved").value
        if is_contested(setting, 2) and tournaments(setting, 1).highest_frequency < tau:
            yield setting


def of_dimension_one() -> Iterator[TournamentSetting]:
    """Give seeded ones of dimension 1 without end: every output of D_0 is rarer than 1/2."""
    index = 0
    while True:
        coins = Random(f"contested-one/{index}")  # instances, not secrets
        index += 1
        others, points = coins.randint(2, 4), coins.randint(3, 7)
        columns = tuple(coins.randrange(1 << others) for _ in range(points))
        setting = _setting(
            columns,
            others,
            concept=coins.getrandbits(points),
            weights=tuple(coins.randint(1, 3) for _ in columns),
            n=coins.choice((1, 2)),
            tie=coins.getrandbits(1),
        )
        if is_contested(setting, 1):
            yield setting


def with_a_twin() -> Iterator[TournamentSetting]:
    """Give seeded ones without end where 2^-d is not reached by D_0, and the target has a twin.

    The twin differs from the target at one rare point, so that D_1 outputs what has a loss; most of
    the weight is at a point where all agree, so that n can be larger than d.
    """
    index = 0
    while True:
        coins = Random(f"twin/{index}")  # instances, not secrets
        index += 1
        others, points = coins.randint(4, 6), coins.randint(5, 9)
        columns = (0, 1 << others, *(coins.randrange(1, 1 << others) for _ in range(points)))
        weights = tuple(coins.randint(1, 5) for _ in range(points + 1))
        weights = (coins.randint(3 * points, 6 * points), *weights)
        setting = _setting(columns, others + 1, weights=weights, n=coins.randint(3, 5))
        d = setting.dimension
        if d >= 2 and tournaments(setting, 0).highest_frequency < Fraction(1, 2**d):
            yield setting


def of_dimension_three() -> Iterator[TournamentSetting]:
    """Give seeded ones of dimension 3 without end: a target and eight hypotheses, n = 1."""
    index = 0
    while True:
        coins = Random(f"contested-three/{index}")  # instances, not secrets
        index += 1
        columns = tuple(coins.sample(range(1, 1 << 8), coins.randint(142, 150)))
        setting = _setting(columns, 8, highest=bool(coins.getrandbits(1)))
        if is_contested(setting, 3):
            yield setting


def of_dimension_three_twice() -> Iterator[TournamentSetting]:
    """Give seeded ones of dimension 3, without end, that leave outputs of D_1 rare as well.

    A target and 14 hypotheses: the dimension is at most 3, whatever the points are.  At the points
    with a weight three hypotheses differ from the target, so that many agree with it after three
    examples, and hardly two triples of points leave the same ones.  At points of weight zero, with
    the lowest indices, half of them do: there predictors of different version spaces differ.
    """
    triples = [sum(1 << i for i in three) for three in combinations(range(14), 3)]
    halves = [sum(1 << i for i in seven) for seven in combinations(range(14), 7)]
    tau = FrequencyThreshold(3, "proved").value
    index = 0
    while True:
        coins = Random(f"contested-three-twice/{index}")  # instances, not secrets
        index += 1
        columns = (*coins.sample(halves, 60), *coins.sample(triples, 145))
        setting = _setting(columns, 14, weights=(0,) * 60 + (1,) * 145)
        if is_contested(setting, 3) and tournaments(setting, 1).highest_frequency < tau:
            yield setting


def _setting(
    columns: Columns,
    others: int,
    *,
    concept: int = 0,
    weights: tuple[int, ...] | None = None,
    n: int = 1,
    tie: int = 1,
    highest: bool = False,
) -> TournamentSetting:
    """Return the setting of a target and other hypotheses, by where they differ from it."""
    labels = [concept >> x & 1 for x in range(len(columns))]
    rows = [[c >> i & 1 ^ y for c, y in zip(columns, labels, strict=True)] for i in range(others)]
    equal = (1,) * len(columns)
    return TournamentSetting(
        FiniteClass([labels, *rows]), concept, weights or equal, n, tie, highest
    )
