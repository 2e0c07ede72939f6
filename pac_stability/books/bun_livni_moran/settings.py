"""Settings that the claims are settled on: small universes, seeded draws, known counterexamples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from random import Random

from pac_stability.books.bun_livni_moran.literal import TournamentSetting, dimension, hypotheses_of
from pac_stability.claims.instances import all_classes
from pac_stability.claims.trials import Budget, OnClass
from pac_stability.classes import FiniteClass
from pac_stability.papers.bun_livni_moran import (
    COUNTEREXAMPLES,
    Lemma12Counterexample,
    TournamentDistribution,
)


def small_classes(budget: Budget) -> Iterator[FiniteClass]:
    """Give every class on up to three points, and on four from the standard budget on."""
    for m in range(1, budget.pick(3, 4, 4) + 1):
        yield from all_classes(m)


def tiny_classes(budget: Budget) -> Iterator[FiniteClass]:
    """Give every class on up to three points, and on four with the deep budget."""
    for m in range(1, budget.pick(3, 3, 4) + 1):
        yield from all_classes(m)


TINY_CLASSES = "every class on up to 3 points (4 with the deep budget), one of each kind"
SMALL_CLASSES = "every class on up to 3 points (4 from the standard budget on), one of each kind"


THE_CLASS: OnClass[FiniteClass] = OnClass(
    lambda H: [H], "the class itself", points=16, hypotheses=64
)
"""For questions that go through all version spaces of a class."""


def own_settings(*, least: int = 0, most: int = 3, points: int = 9) -> OnClass[TournamentSetting]:
    """Return how a question about tournaments is asked of a class.

    Parameters
    ----------
    least, most
        Between which the Littlestone dimension is; a class of another one has no instances if it is
        less, and is refused if it is more.
    points
        The most points.
    """

    def instances(H: FiniteClass) -> Iterator[TournamentSetting]:
        rows, m = hypotheses_of(H), len(H.domain)
        if dimension(rows) >= least:
            for c, tie in product(sorted(rows), (0, 1)):
                yield TournamentSetting(H, c, (1,) * m, 1, tie)

    return OnClass(instances, OWN_SETTINGS, points, hypotheses=40, dimension=most)


OWN_SETTINGS = "every concept of the class as the target, equal weights, n = 1, both ties"


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
        Between which the Littlestone dimension is.
    """
    for m in points:
        for H in all_classes(m):
            rows = hypotheses_of(H)
            if least <= dimension(rows) <= most:
                for c, n, tie in product(sorted(rows), sizes, (0, 1)):
                    yield TournamentSetting(H, c, (1,) * m, n, tie)


def random_settings(
    count: int, *, points: int = 5, rows: int = 8, n: int = 2, seed: str = "settings"
) -> Iterator[TournamentSetting]:
    """Give random classes with a target, an n, a tie rule and a way of picking."""
    for index in range(count):
        coins = Random(f"{seed}/{index}")  # instances, not secrets
        m = coins.randint(2, points)
        masks = coins.sample(range(1 << m), coins.randint(2, min(rows, 1 << m)))
        weights = [coins.randint(0, 3) for _ in range(m)]
        weights[coins.randrange(m)] += 1
        H = FiniteClass([[mask >> x & 1 for x in range(m)] for mask in masks])
        highest = bool(coins.getrandbits(1))
        yield TournamentSetting(
            H, masks[0], tuple(weights), coins.randint(1, n), coins.getrandbits(1), highest
        )


def where_the_pick_counts() -> Iterator[TournamentSetting]:
    """Give two classes in which outputs depend on whether the first or the last point is picked."""
    for rows, weights in (("000 011 111", (2, 1, 3)), ("000 110 001 101 011", (1, 2, 1))):
        H = FiniteClass([list(map(int, row)) for row in rows.split()])
        for highest in (False, True):
            yield TournamentSetting(H, 0, weights, 1, 1, highest)


def counterexample(name: str) -> TournamentSetting:
    """Return a counterexample of the catalogue as a setting."""
    return as_setting(COUNTEREXAMPLES[name])


def counterexamples() -> Iterator[tuple[str, TournamentSetting]]:
    """Give all of them with their names, those with few points and hypotheses first."""
    found = COUNTEREXAMPLES.items()
    for name, it in sorted(found, key=lambda pair: (pair[1].points, len(pair[1].hypotheses))):
        yield name, as_setting(it)


def as_setting(it: Lemma12Counterexample) -> TournamentSetting:
    """Return a counterexample to Lemma 12 as a setting."""
    weights = dict(it.weights)
    return TournamentSetting(
        it.H,
        sum(1 << x for x in it.concept),
        tuple(weights.get(x, 0) for x in range(it.points)),
        it.n,
        it.tie,
    )


def tournaments(
    setting: TournamentSetting, k: int, threshold: Fraction | None = Fraction(1)
) -> TournamentDistribution:
    """Return D_k of a setting, as the library has it.

    Parameters
    ----------
    setting
        The setting.
    k
        The number of tournaments.
    threshold
        The frequency from which on the next level is undefined: by default 1, so that levels are
        defined as long as the rounds end; ``None`` for the printed 2^-d.
    """
    bits = [setting.concept >> x & 1 for x in range(setting.points)]
    return TournamentDistribution(
        setting.H,
        setting.target,
        k,
        setting.n,
        pick="highest" if setting.highest else "lowest",
        tie=setting.tie,
        threshold=threshold,
        concept=setting.H.table.tolist().index(bits),
    )
