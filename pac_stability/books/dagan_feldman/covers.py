"""Covers in place of all patterns: Remark 14."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from math import comb

from pac_stability.books.dagan_feldman.nets import disagreement
from pac_stability.claims.instances import random_classes
from pac_stability.claims.trials import (
    Budget,
    Finding,
    OnClass,
    Trials,
    at_most,
    idle,
    kept_counterexample,
    settle,
    trial,
)
from pac_stability.classes import FiniteClass, Hypothesis, cube, intervals, thresholds
from pac_stability.dimensions import vc_dimension
from pac_stability.papers.dagan_feldman import (
    cover_size_bound,
    cover_transfer_bound,
    greedy_cover,
)


def _two_hypotheses(_: Budget) -> Iterator[tuple[int, int]]:
    """The numbers n of points and n' of those drawn; the hypotheses differ at the last of these."""
    for n in range(1, 20):
        yield from ((n, size) for size in range(1, n + 1))


def _cover_from_a_net(multiple: int, instance: tuple[int, int]) -> Finding:
    n, size = instance
    alpha, differing = Fraction(1, size), n - size + 1
    H = FiniteClass([[0] * n, [0] * (size - 1) + [1] * differing])
    part = tuple(range(size))
    kept = greedy_cover(H, part, alpha)
    far = max(min(sum(h(x) != g(x) for x in range(n)) for g in kept) for h in H)
    is_net = not disagreement(H, frozenset(part), (1,) * n, alpha)
    if not is_net:
        return idle()
    return at_most(
        Fraction(far, n),
        multiple * alpha,
        f"two hypotheses that differ at {differing} of {n} points, S_I the first {size}, where "
        f"they differ once, alpha = {alpha}: S_I is an alpha-net, and one of them is alpha-close "
        f"to both on S_I; but at distance {Fraction(far, n)} on S",
    )


Transfer = Callable[[int, int, int, Fraction], Fraction]


def _transfers(budget: Budget) -> Iterator[tuple[FiniteClass, int, Fraction]]:
    drawn = random_classes(budget.pick(4, 40, 400), rows=7, points=7)
    tables = [thresholds(6), intervals(6), cube(4), *drawn]
    for H in tables:
        m = len(H.domain)
        sizes = range(1, m + 1, budget.pick(2, 1, 1))
        yield from product([H], sizes, (Fraction(1, 6), Fraction(1, 4)))


def _own_transfers(H: FiniteClass) -> Iterator[tuple[FiniteClass, int, Fraction]]:
    yield from product([H], range(1, len(H.domain) + 1), (Fraction(1, 6), Fraction(1, 4)))


_OWN_TRANSFERS: OnClass[tuple[FiniteClass, int, Fraction]] = OnClass(
    _own_transfers, "each point once, every n', two alphas", points=8, hypotheses=48
)


def _transfer(bound: Transfer, instance: tuple[FiniteClass, int, Fraction]) -> Finding:
    H, size, alpha = instance
    n = len(H.domain)
    rows = H.table.tolist()
    failures = 0
    for part in combinations(range(n), size):
        failures += any(
            sum(h[x] != g[x] for x in part) <= alpha * size
            and sum(h[x] != g[x] for x in range(n)) > 2 * alpha * n
            for h, g in combinations(rows, 2)
        )
    exact, allowed = Fraction(failures, comb(n, size)), bound(len(H), n, size, alpha)
    return at_most(
        exact, allowed, f"{rows}, n' = {size}, alpha = {alpha}: {exact} > {allowed}", ceiling=1
    )


def _one_pair(_: int, n: int, size: int, alpha: Fraction) -> Fraction:
    return cover_transfer_bound(2, n, size, alpha)


Cover = Callable[[FiniteClass, tuple[int, ...], Fraction], list[Hypothesis]]


def _covers(budget: Budget) -> Iterator[tuple[FiniteClass, tuple[int, ...], Fraction]]:
    for H, size, alpha in _transfers(budget):
        yield H, tuple(range(size)), alpha


_OWN_COVERS: OnClass[tuple[FiniteClass, tuple[int, ...], Fraction]] = OnClass(
    lambda H: ((H, tuple(range(size)), alpha) for H, size, alpha in _own_transfers(H)),
    "its first points, two alphas",
    points=16,
    hypotheses=256,
)


def _is_a_cover(cover: Cover, instance: tuple[FiniteClass, tuple[int, ...], Fraction]) -> Finding:
    H, part, alpha = instance
    kept = cover(H, part, alpha)
    far = max(min(sum(h(x) != g(x) for x in part) for g in kept) for h in H)
    if far > alpha * len(part):
        return settle(False, f"{H.table.tolist()}, {part}: a hypothesis is at distance {far}")
    return at_most(len(kept), cover_size_bound(vc_dimension(H), alpha), f"{len(kept)} in the cover")


def _greedy(H: FiniteClass, part: tuple[int, ...], alpha: Fraction) -> list[Hypothesis]:
    return [*greedy_cover(H, part, alpha)]


def _only_the_first(H: FiniteClass, part: tuple[int, ...], alpha: Fraction) -> list[Hypothesis]:
    return _greedy(H, part, alpha)[:1]


TRIALS: Trials = {
    "DF20:remark-14": (
        trial(
            "two hypotheses",
            _cover_from_a_net,
            _two_hypotheses,
            subject=2,
            universe="numbers n' <= n; two hypotheses that differ once on S_I and on the rest",
        ),
        kept_counterexample("DF20:remark-14"),
    ),
    "DF20:remark-14.repaired": (
        trial(
            "covers",
            _is_a_cover,
            _covers,
            subject=_greedy,
            mutant=_only_the_first,
            universe="classes of the literature and seeded ones",
            on_class=_OWN_COVERS,
        ),
        trial(
            "closeness",
            _transfer,
            _transfers,
            subject=cover_transfer_bound,
            mutant=_one_pair,
            universe="classes of the literature and seeded ones, all subsets of each size",
            on_class=_OWN_TRANSFERS,
        ),
    ),
}
