"""What the trials are asked of: small universes, seeded draws, counterexamples, contested settings.

*Contested* are settings in which D_0 does not settle Lemma 12: no output is frequent without a
tournament. With n = 1 the predictor depends on one example, and so on which hypotheses agree with
the target at one point. So many points, at which different sets of hypotheses agree, and even
weights make all outputs of D_0 rare, and few hypotheses are enough for that: of six, the sets that
agree at a point are up to 32. All that D_1 can reach are then intersections of them, and exact laws
stay small.

Last stands how the guarantees that the paper defines read, for what follows by it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, count, islice, permutations, product
from random import Random
from typing import TypeVar

from pac_stability.arithmetic import Constants, ConstantsLike
from pac_stability.books.bun_livni_moran.literal import TournamentSetting, dimension, hypotheses_of
from pac_stability.claims.consequences import DOWN, Reading, reading, rounded
from pac_stability.claims.instances import all_classes
from pac_stability.claims.kit import Budget, Climb, Genes, OnClass, universe
from pac_stability.classes import FiniteClass
from pac_stability.papers import bun_livni_moran as blm
from pac_stability.papers.bun_livni_moran import theorems
from pac_stability.papers.bun_livni_moran.formulas import FrequencyThreshold, PrivateFromStable
from pac_stability.papers.bun_livni_moran.theorems import AccurateOutput

# Classes

THE_CLASS: OnClass[FiniteClass] = OnClass(
    lambda H: [H], "the class itself", points=16, hypotheses=64
)
"""For questions that go through all version spaces of a class."""


@universe(
    "every class on up to 3 points (4 from the standard budget on), one of each kind",
    extent="classes on up to {3, 4, 4} points",
)
def _small_classes(budget: Budget) -> Iterator[FiniteClass]:
    for m in range(1, budget.pick(3, 4, 4) + 1):
        yield from all_classes(m)


@universe(
    "every class on up to 3 points (4 with the deep budget), one of each kind",
    extent="classes on up to {3, 3, 4} points",
)
def _tiny_classes(budget: Budget) -> Iterator[FiniteClass]:
    for m in range(1, budget.pick(3, 3, 4) + 1):
        yield from all_classes(m)


SMALL_CLASSES = _small_classes.and_on(THE_CLASS)
TINY_CLASSES = _tiny_classes.and_on(THE_CLASS)

# Settings of tournaments

OWN_SETTINGS = "every concept of the class as the target, equal weights, n = 1, both ties"


def own_settings(*, least: int = 0, most: int = 3) -> OnClass[TournamentSetting]:
    """Return how to check a statement about tournaments on one class.

    Parameters
    ----------
    least, most
        Bounds on the Littlestone dimension. A class below them has no instances; a class above
        them is refused.
    """

    def instances(H: FiniteClass) -> Iterator[TournamentSetting]:
        rows, m = hypotheses_of(H), len(H.domain)
        if dimension(rows) >= least:
            for c, tie in product(sorted(rows), (0, 1)):
                yield TournamentSetting(H, c, (1,) * m, 1, tie)

    return OnClass(instances, OWN_SETTINGS, points=9, hypotheses=40, dimension=most)


def uniform_settings(
    points: Sequence[int], sizes: Sequence[int], *, least: int = 0, most: int = 64
) -> Iterator[TournamentSetting]:
    """Give every class on so many points with every concept and tie, under equal weights.

    Parameters
    ----------
    points
        Numbers of points.
    sizes
        The values of n.
    least, most
        Bounds on the Littlestone dimension.
    """
    for m in points:
        for H in all_classes(m):
            rows = hypotheses_of(H)
            if least <= dimension(rows) <= most:
                for c, n, tie in product(sorted(rows), sizes, (0, 1)):
                    yield TournamentSetting(H, c, (1,) * m, n, tie)


def random_settings(
    number: int, *, points: int = 5, rows: int = 8, n: int = 2, seed: str = "settings"
) -> Iterator[TournamentSetting]:
    """Give random classes with a target, an n, a tie rule and a way of picking."""
    for coins in islice(_seeded(seed), number):
        m = coins.randint(2, points)
        masks = coins.sample(range(1 << m), coins.randint(2, min(rows, 1 << m)))
        weights = [coins.randint(0, 3) for _ in range(m)]
        weights[coins.randrange(m)] += 1
        H = FiniteClass([[mask >> x & 1 for x in range(m)] for mask in masks])
        highest = bool(coins.getrandbits(1))
        yield TournamentSetting(
            H, masks[0], tuple(weights), coins.randint(1, n), coins.getrandbits(1), highest
        )


def _seeded(name: str) -> Iterator[Random]:
    for index in count():
        yield Random(f"{name}/{index}")  # instances, not secrets


_KEPT = {
    "contested": (
        *(1, 2, 9, 14, 15, 17, 29, 32, 42, 44, 45, 47, 50, 51, 76, 82, 84, 85, 87, 99, 103, 107),
        *(108, 111, 114, 116, 124, 133, 136, 137, 140, 144, 149, 157, 162, 164, 166, 180, 186, 191),
    ),
    "contested-three": (0, 1, 2),
    "contested-twice": (14, 271, 435, 537, 675, 1055, 1212, 1274, 1608, 1678, 1683, 1776),
    "contested-three-twice": (0,),
    "twin": (
        *(10, 14, 19, 23, 44, 61, 67, 119, 133, 139, 159, 162, 182, 203, 216, 218, 299, 312, 314),
        335,
    ),
}
"""Which seeds pass, as far as is kept: to look for them takes longer than to ask about them."""


T = TypeVar("T")


def _passing(
    name: str,
    setting: Callable[[Random], T],
    passes: Callable[[T], bool],
    kept: Mapping[str, tuple[int, ...]] = _KEPT,
) -> Iterator[T]:
    """Give the seeded settings that pass; a list may record which of the first do."""
    known = kept.get(name, ())
    for index, coins in enumerate(_seeded(name)):
        if index in known or (index > max(known, default=-1) and passes(setting(coins))):
            yield setting(Random(f"{name}/{index}"))


def where_the_pick_counts() -> Iterator[TournamentSetting]:
    """Give two classes in which outputs depend on whether the first or the last point is picked."""
    for rows, weights in (("000 011 111", (2, 1, 3)), ("000 110 001 101 011", (1, 2, 1))):
        H = FiniteClass([list(map(int, row)) for row in rows.split()])
        for highest in (False, True):
            yield TournamentSetting(H, 0, weights, 1, 1, highest)


def counterexample(name: str) -> TournamentSetting:
    """Return a counterexample of the catalogue as a setting."""
    return as_setting(blm.COUNTEREXAMPLES[name])


def counterexamples() -> list[TournamentSetting]:
    """Return all counterexamples, those with few points and hypotheses first."""
    found = sorted(blm.COUNTEREXAMPLES.values(), key=lambda it: (it.points, len(it.hypotheses)))
    return [as_setting(it) for it in found]


def as_setting(it: blm.Lemma12Counterexample) -> TournamentSetting:
    """Return a counterexample to Lemma 12 as a setting."""
    weights = dict(it.weights)
    concept = sum(1 << x for x in it.concept)
    return TournamentSetting(
        it.H, concept, tuple(weights.get(x, 0) for x in range(it.points)), it.n, it.tie
    )


def tournament_settings(
    name: str, *, n: int, dimensions: Container[int] = range(64)
) -> Climb[TournamentSetting]:
    """Return how a search moves among them: up to eight rows on up to five points, and so on.

    Parameters
    ----------
    name
        Of the climb.
    n
        The largest n.
    dimensions
        The Littlestone dimensions of the classes.
    """

    def instance(genes: Genes) -> TournamentSetting | None:
        points, size, tie, highest, *more = genes
        rows = [row % (1 << points) for row in more[:8]]
        weights = tuple(more[8 : 8 + points])
        masks = sorted(set(rows))
        if not any(weights) or len(masks) < 2:
            return None
        H = FiniteClass([[mask >> x & 1 for x in range(points)] for mask in masks])
        setting = TournamentSetting(H, rows[0], weights, size, tie, bool(highest))
        return setting if setting.dimension in dimensions else None

    genes = (range(2, 6), range(1, n + 1), range(2), range(2), *[range(32)] * 8, *[range(6)] * 5)
    return Climb(name, genes, instance)


# What the library makes of a setting


def tournaments(
    setting: TournamentSetting, k: int, threshold: Fraction | None = Fraction(1)
) -> blm.TournamentDistribution:
    """Return D_k of a setting, as the library has it.

    Parameters
    ----------
    setting
        The setting.
    k
        The number of tournaments.
    threshold
        The frequency from which on the next level is undefined. The default 1 defines all levels
        whose rounds end; ``None`` means the printed 2^-d.
    """
    bits = [setting.concept >> x & 1 for x in range(setting.points)]
    return blm.TournamentDistribution(
        setting.H,
        setting.target,
        k,
        setting.n,
        pick=setting.order,
        tie=setting.tie,
        threshold=threshold,
        concept=setting.H.table.tolist().index(bits),
    )


def learner_of(
    setting: TournamentSetting,
    alpha: Fraction = Fraction(1),
    constants: ConstantsLike = Constants.SHARP,
    *,
    n: int | None = None,
    blocks: int | None = None,
    level: int | None = None,
    fresh: bool = True,
) -> blm.GloballyStableLearner:
    """Return algorithm G for a setting, by default with the n and the blocks that alpha needs."""
    return blm.GloballyStableLearner(
        setting.H,
        alpha,
        constants=constants,
        pick=setting.order,
        tie=setting.tie,
        n=n,
        blocks=blocks,
        level=level,
        fresh=fresh,
    )


# Contested settings

Columns = tuple[int, ...]
"""For each point, the set of hypotheses that differ from the target there, as bits."""

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


def contested(budget: Budget) -> Iterator[TournamentSetting]:
    """Give the settings of which :data:`CONTESTED` says what they are."""
    yield from of_dimension_two(budget)
    yield from first_settings(of_dimension_three, budget.pick(3, 100, 300))
    yield from first_settings(of_dimension_three_twice, budget.pick(1, 6, 20))


def of_dimension_two(budget: Budget, thinned: int = 1) -> Iterator[TournamentSetting]:
    """Give those of dimension 2, or one of so many of each sort."""
    yield from first_settings(five_hypotheses, 900)[:: budget.pick(21, 1, 1) * thinned]
    yield from first_settings(more_hypotheses, budget.pick(40, 200, 2000))[::thinned]
    yield from first_settings(two_tournaments, budget.pick(12, 60, 600))[::thinned]


@cache
def first_settings(
    settings: Callable[[], Iterator[TournamentSetting]], number: int
) -> tuple[TournamentSetting, ...]:
    """Return the first settings of a sequence that several trials share in parts."""
    return tuple(islice(settings(), number))


def first_frequency(setting: TournamentSetting) -> Fraction:
    """Return the highest frequency of an output of D_0: of the SOA on n examples."""
    soa, found = setting.soa, defaultdict[int, Fraction](Fraction)
    for T, p in setting.blocks():
        found[soa(T)] += p
    return max(found.values())


def is_contested(setting: TournamentSetting, d: int) -> bool:
    """Whether the dimension is d, and no output of D_0 reaches the frequency proved for d."""
    return setting.dimension == d and first_frequency(setting) < _proved(d)


def _contested_twice(setting: TournamentSetting, d: int) -> bool:
    return is_contested(setting, d) and tournaments(setting, 1).highest_frequency < _proved(d)


def _proved(d: int) -> Fraction:
    return FrequencyThreshold(d, "proved").value


def five_hypotheses() -> Iterator[TournamentSetting]:
    """Give every one of a target and four hypotheses, on 11 different columns and more."""
    for size in range(16, 10, -1):
        for columns, highest in product(_up_to_order(4, size), (False, True)):
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

    def drawn(coins: Random) -> TournamentSetting:
        n = coins.choice((1, 1, 1, 2))
        others = coins.randint(4, 6) if n == 1 else coins.randint(5, 6)
        # The larger n, the more hypotheses have to be left: few may differ at a point.
        pool = [c for c in range(1 << others) if n == 1 or 1 <= c.bit_count() <= 2]
        points = coins.randint(12, 16) if n == 1 else coins.randint(10, 12)
        columns = tuple(coins.sample(pool, points))
        concept = coins.getrandbits(points) if n == 1 else 0
        weights = tuple(coins.choice((3, 3, 4)) for _ in columns)
        highest = bool(coins.getrandbits(1))
        return _setting(columns, others, concept, weights, n=n, highest=highest)

    yield from _passing("contested", drawn, lambda setting: is_contested(setting, 2))


def two_tournaments() -> Iterator[TournamentSetting]:
    """Give seeded edits of a class, without end, that leave outputs of D_1 rare as well.

    A local search over classes and weights found the class.
    """
    words = "38 12 14 33 46 36 32 2 40 0 5 18 48 4 26 10 13 3"
    concept = sum(1 << x for x in (0, 1, 2, 5, 7, 8, 9, 10, 12, 13, 14, 16, 17))

    def edited(coins: Random) -> TournamentSetting:
        columns = [int(word) for word in words.split()]
        for _ in range(coins.randint(1, 3)):
            columns[coins.randrange(len(columns))] ^= 1 << coins.randrange(6)
        weights = tuple(coins.choice((3, 3, 4)) for _ in columns)
        return _setting(tuple(columns), 6, concept, weights, tie=0)

    yield from _passing("contested-twice", edited, lambda setting: _contested_twice(setting, 2))


def of_dimension_one() -> Iterator[TournamentSetting]:
    """Give seeded ones of dimension 1 without end: every output of D_0 is rarer than 1/2."""
    for coins in _seeded("contested-one"):
        others, points = coins.randint(2, 4), coins.randint(3, 7)
        columns = tuple(coins.randrange(1 << others) for _ in range(points))
        concept = coins.getrandbits(points)
        weights = tuple(coins.randint(1, 3) for _ in columns)
        n, tie = coins.choice((1, 2)), coins.getrandbits(1)
        setting = _setting(columns, others, concept, weights, n=n, tie=tie)
        if is_contested(setting, 1):
            yield setting


def with_a_twin() -> Iterator[TournamentSetting]:
    """Give seeded ones without end where 2^-d is not reached by D_0, and the target has a twin.

    The twin differs from the target at one rare point, so that D_1 outputs what has a loss; most of
    the weight is at a point where all agree, so that n can be larger than d.
    """

    def drawn(coins: Random) -> TournamentSetting:
        others, points = coins.randint(4, 6), coins.randint(5, 9)
        columns = (0, 1 << others, *(coins.randrange(1, 1 << others) for _ in range(points)))
        weights = tuple(coins.randint(1, 5) for _ in range(points + 1))
        weights = (coins.randint(3 * points, 6 * points), *weights)
        return _setting(columns, others + 1, weights=weights, n=coins.randint(3, 5))

    def passes(setting: TournamentSetting) -> bool:
        d = setting.dimension
        return d >= 2 and tournaments(setting, 0).highest_frequency < Fraction(1, 2**d)

    yield from _passing("twin", drawn, passes)


def of_dimension_three() -> Iterator[TournamentSetting]:
    """Give seeded ones of dimension 3 without end: a target and eight hypotheses, n = 1."""

    def drawn(coins: Random) -> TournamentSetting:
        columns = tuple(coins.sample(range(1, 1 << 8), coins.randint(142, 150)))
        return _setting(columns, 8, highest=bool(coins.getrandbits(1)))

    yield from _passing("contested-three", drawn, lambda setting: is_contested(setting, 3))


def of_dimension_three_twice() -> Iterator[TournamentSetting]:
    """Give seeded ones of dimension 3, without end, that leave outputs of D_1 rare as well.

    A target and 14 hypotheses: the dimension is at most 3, whatever the points are.  At the points
    with a weight three hypotheses differ from the target, so that many agree with it after three
    examples, and hardly two triples of points leave the same ones.  At points of weight zero, with
    the lowest indices, half of them do: there predictors of different version spaces differ.
    """
    triples = [sum(1 << i for i in three) for three in combinations(range(14), 3)]
    halves = [sum(1 << i for i in seven) for seven in combinations(range(14), 7)]

    def drawn(coins: Random) -> TournamentSetting:
        columns = (*coins.sample(halves, 60), *coins.sample(triples, 145))
        return _setting(columns, 14, weights=(0,) * 60 + (1,) * 145)

    yield from _passing("contested-three-twice", drawn, lambda found: _contested_twice(found, 3))


def _setting(
    columns: Columns,
    others: int,
    concept: int = 0,
    weights: tuple[int, ...] | None = None,
    *,
    n: int = 1,
    tie: int = 1,
    highest: bool = False,
) -> TournamentSetting:
    """Return the setting of a target and other hypotheses, by where they differ from it."""
    labels = [concept >> x & 1 for x in range(len(columns))]
    rows = [[c >> i & 1 ^ y for c, y in zip(columns, labels, strict=True)] for i in range(others)]
    H, equal = FiniteClass([labels, *rows]), (1,) * len(columns)
    return TournamentSetting(H, concept, weights or equal, n, tie, highest)


# What follows by this paper

RULES = theorems.RULES


@reading.register
def _(g: AccurateOutput) -> Reading:
    words = f"frequency {rounded(g.eta, DOWN)}, loss at most {rounded(g.loss)}"
    return Reading("an accurate frequent output", words, (g.loss, 1 - g.eta), g.loss == 1)


@reading.register
def _(g: PrivateFromStable) -> Reading:
    error, failure = rounded(g.alpha), rounded(g.beta)
    words = f"{g.sample_size} examples, error at most {error}, failure {failure}"
    return Reading("a private learner", words, (Fraction(g.sample_size), g.alpha))
