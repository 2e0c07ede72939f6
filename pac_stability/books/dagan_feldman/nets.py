"""Nets, and how many random points are one (Section 2.1, Lemma 4)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import ceil, comb

from pac_stability.arithmetic import Interval
from pac_stability.books.dagan_feldman._climbs import sampled_nets
from pac_stability.claims.instances import all_classes, random_classes, random_distributions
from pac_stability.claims.trials import (
    Budget,
    Finding,
    OnClass,
    Trials,
    at_least,
    at_most,
    fails,
    idle,
    kept_counterexample,
    settle,
    trial,
)
from pac_stability.classes import FiniteClass, cube, intervals, singletons, thresholds
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.dimensions import is_alpha_net, vc_dimension
from pac_stability.papers.dagan_feldman import (
    DrawnNets,
    IndexNets,
    drawn_net_bound,
    index_net_bound,
)

Weights = tuple[int, ...]
Net = Callable[[FiniteClass, tuple[int, ...], Fraction, Weights], bool]


def disagreement(H: FiniteClass, points: frozenset[int], weights: Weights, alpha: Fraction) -> bool:
    """Return whether hypotheses that agree on the points differ by more than alpha, by definition.

    The points are columns; their weights are integers.
    """
    columns, total = range(len(weights)), sum(weights)
    for h, g in combinations(H.table.tolist(), 2):
        if all(h[x] == g[x] for x in points):
            differing = sum(weights[x] for x in columns if h[x] != g[x])
            if differing > alpha * total:
                return True
    return False


# The definition

NetInstance = tuple[FiniteClass, tuple[int, ...], Fraction, Weights]


def _net_instances(budget: Budget) -> Iterator[NetInstance]:
    for m in range(1, budget.pick(4, 5, 5)):
        laws = [(1,) * m, tuple(range(1, m + 1))][: budget.pick(1, 2, 2)]
        for H in all_classes(m, labels_matter=False):
            subsets = [A for k in range(m + 1) for A in combinations(range(m), k)]
            alphas = (Fraction(0), Fraction(1, 3), Fraction(1, 2))
            yield from product([H], subsets, alphas, laws)


def _own_nets(H: FiniteClass) -> Iterator[NetInstance]:
    m = len(H.domain)
    for points in (A for k in range(m + 1) for A in combinations(range(m), k)):
        yield from ((H, points, Fraction(alpha), (1,) * m) for alpha in ("0", "1/3", "1/2"))


_OWN_NETS: OnClass[NetInstance] = OnClass(
    _own_nets, "the class, all sets of points, three alphas, equal weights", points=8, hypotheses=48
)


def _net(net: Net, instance: NetInstance) -> Finding:
    H, points, alpha, weights = instance
    defined = not disagreement(H, frozenset(points), weights, alpha)
    return settle(
        net(H, points, alpha, weights) == defined,
        f"{H.table.tolist()}, A = {points}, alpha = {alpha}: by definition {defined}",
    )


def _hits_heavy_hypotheses(
    H: FiniteClass, points: tuple[int, ...], alpha: Fraction, weights: Weights
) -> bool:
    rows = H.table.tolist()
    heavy = [
        h
        for h in rows
        if sum(w for w, y in zip(weights, h, strict=True) if y) > alpha * sum(weights)
    ]
    return all(any(h[x] for x in points) for h in heavy)


# Lemma 4 for alpha near 1

_MOST = 100


def small_or_cosmall(points: int) -> FiniteClass:
    """Return all sets of at most one of the points, and their complements."""
    small = [[0] * points, *([int(x == y) for x in range(points)] for y in range(points))]
    return FiniteClass([*small, *([1 - y for y in row] for row in small)])


def _near_one(constants: range, _: str) -> Finding:
    H, alpha = small_or_cosmall(10), Fraction(79, 100)
    d = vc_dimension(H)
    asked = (d * Interval.log(1 / alpha) + Interval.log(2)) / alpha
    drawn = DrawnNets(H, FiniteDistribution.uniform(range(10)), alpha)
    refuted = bool(asked <= 2) and drawn.failure(2) == 1
    for C in constants:
        s = C
        N = 4 * C * (2 * s + 1) ** 2
        near = 1 - Fraction(2 * s + 1, N)
        draws = C * ((2 * s + 1) * Interval.log(1 / near) + Interval.log(2)) / near
        # 2s points leave two hypotheses that agree on them and differ on the N - 2s others: half of
        # the points, and the complement of the other half.
        refuted &= bool(draws < 2 * s) and Fraction(N - 2 * s, N) > near
    if not refuted:
        return settle(True, "")
    return fails(
        f"the sets of at most one of 10 points and their complements, d = {d}, alpha = 79/100, "
        f"beta = 1/2: 2 draws exceed (d ln(1/alpha) + ln(1/beta))/alpha = {float(asked):.3f} and "
        f"are a net with probability 0; for each constant C from {constants[0]} to {constants[-1]} "
        "the sets of at most C of 4 C (2C + 1)^2 points fail alike"
    )


def _one_sided(net: Net, instance: NetInstance) -> Finding:
    H, points, alpha, weights = instance
    if not net(H, points, alpha, weights):
        return idle()
    return settle(
        not disagreement(H, frozenset(points), weights, alpha),
        f"H = {H.table.tolist()}, alpha = {alpha}: {points or 'no point'} hits each hypothesis "
        "heavier than alpha, but two that agree on it differ by more than alpha",
    )


# Repaired: how often random points are no net

Sampled = tuple[FiniteClass, Weights, Fraction, int]
"""A class, how often each of its points occurs, alpha, and the size n'."""


def _sampled(budget: Budget) -> Iterator[Sampled]:
    few = (m for m in range(1, budget.pick(4, 4, 5)))
    classes = [H for m in few for H in all_classes(m, labels_matter=False)]
    for table in (thresholds(4), intervals(4), cube(3), singletons(4), small_or_cosmall(6)):
        classes.append(table)
    classes.extend(random_classes(budget.pick(2, 40, 1500), rows=9, points=5, seed="nets"))
    alphas = (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(4, 5))
    for H in classes:
        m = len(H.domain)
        weights = [(1,) * m, (2, *(1,) * (m - 1))]
        for counts, alpha in product(weights, alphas):
            for size in range(sum(counts) + 1)[:: budget.pick(2, 1, 1)]:
                yield H, counts, alpha, size


def _own_samples(H: FiniteClass) -> Iterator[Sampled]:
    m = len(H.domain)
    for alpha in (Fraction(0), Fraction(1, 4), Fraction(1, 2)):
        yield from ((H, (1,) * m, alpha, size) for size in range(m + 1))


_OWN_SAMPLES: OnClass[Sampled] = OnClass(
    _own_samples, "each point once, every n', three alphas", points=7, hypotheses=48
)


def _points(counts: Weights) -> list[Hashable]:
    return [x for x, count in enumerate(counts) for _ in range(count)]


def index_failure(instance: Sampled) -> Fraction:
    """Return how often n' indices are no net, by going through all sets of them."""
    return _index_failure(instance)


@lru_cache(maxsize=4096)
def _index_failure(instance: Sampled) -> Fraction:
    H, counts, alpha, size = instance
    points = [x for x, count in enumerate(counts) for _ in range(count)]
    known: dict[frozenset[int], bool] = {}
    bad = 0
    for subset in combinations(points, size):
        members = frozenset(subset)
        if members not in known:
            known[members] = disagreement(H, members, counts, alpha)
        bad += known[members]
    return Fraction(bad, comb(len(points), size))


def drawn_failure(instance: Sampled) -> Fraction:
    """Return how often n' draws are no net: sets of points, by how many sequences have them."""
    return _drawn_failure(instance)


@lru_cache(maxsize=4096)
def _drawn_failure(instance: Sampled) -> Fraction:
    H, counts, alpha, size = instance
    m, total = len(counts), sum(counts)
    inside = {
        frozenset(A): sum(counts[x] for x in A) ** size
        for k in range(m + 1)
        for A in combinations(range(m), k)
    }
    bad = 0
    for A in inside:
        exactly = sum((-1) ** (len(A) - len(B)) * w for B, w in inside.items() if B <= A)
        if exactly and disagreement(H, A, counts, alpha):
            bad += exactly
    return Fraction(bad, total**size)


Bound = Callable[[FiniteClass, Sampled], Fraction]


def _describe(instance: Sampled) -> str:
    H, counts, alpha, size = instance
    return f"{len(H)} hypotheses on {counts} examples a point, alpha = {alpha}, n' = {size}"


def _indices_within(bound: Bound, instance: Sampled) -> Finding:
    exact = index_failure(instance)
    allowed = bound(instance[0], instance)
    return at_most(
        exact, allowed, f"{_describe(instance)}: fails with {exact} > {allowed}", ceiling=1
    )


def _index_bound(H: FiniteClass, instance: Sampled) -> Fraction:
    _, counts, alpha, size = instance
    return index_net_bound(len(H), sum(counts), size, alpha)


def _for_one_difference(H: FiniteClass, instance: Sampled) -> Fraction:
    return min(Fraction(1), _index_bound(H, instance) / max(1, comb(len(H), 2)))


def _draws_within(bound: Bound, instance: Sampled) -> Finding:
    if instance[2] == 0:
        return idle()
    exact, allowed = drawn_failure(instance), bound(instance[0], instance)
    return at_most(
        exact, allowed, f"{_describe(instance)}: fails with {exact} > {allowed}", ceiling=1
    )


def _double_sample(H: FiniteClass, instance: Sampled) -> Fraction:
    _, _, alpha, size = instance
    ghost = max(1, size)
    return drawn_net_bound(len(H), size, alpha, ghost=ghost, threshold=max(1, ceil(alpha * ghost)))


def _double_sample_once(H: FiniteClass, instance: Sampled) -> Fraction:
    return _double_sample(H, instance) / (2 * max(1, comb(len(H), 2)))


Failure = Callable[[Sampled], Fraction]


def _exactly(failure: Failure, instance: Sampled) -> Finding:
    exact = index_failure(instance)
    return settle(
        failure(instance) == exact, f"{_describe(instance)}: {failure(instance)}, not {exact}"
    )


def _exactly_drawn(failure: Failure, instance: Sampled) -> Finding:
    exact = drawn_failure(instance)
    return settle(
        failure(instance) == exact, f"{_describe(instance)}: {failure(instance)}, not {exact}"
    )


def _by_indices(instance: Sampled) -> Fraction:
    H, counts, alpha, size = instance
    points = _points(counts)
    return IndexNets(H, Sample(points, [0] * len(points)), alpha).failure(size)


def _by_draws(instance: Sampled) -> Fraction:
    H, counts, alpha, size = instance
    n = sum(counts)
    law: FiniteDistribution[Hashable] = FiniteDistribution(
        {x: Fraction(c, n) for x, c in enumerate(counts)}
    )
    return DrawnNets(H, law, alpha).failure(size)


def _never_worse(failures: tuple[Failure, Failure], instance: Sampled) -> Finding:
    without, independent = failures[0](instance), failures[1](instance)
    return at_most(
        without,
        independent,
        f"{_describe(instance)}: indices fail with {without}, draws with {independent}",
    )


def _redrawn(n_distinct: int, law: FiniteDistribution[int]) -> Finding:
    return at_least(
        len(law.support),
        n_distinct,
        f"D on {len(law.support)} point: draws never have {n_distinct} distinct elements",
    )


def _distributions(budget: Budget) -> Iterator[FiniteDistribution[int]]:
    yield FiniteDistribution.point_mass(0)
    yield from random_distributions(budget.pick(5, 20, 50), 4)


# Sizes


# With a closed form, for indices

Closed = Callable[[int, Fraction, Fraction], Interval]


def _closed_form(patterns: int, alpha: Fraction, beta: Fraction) -> Interval:
    return (2 * Interval.log(patterns) + Interval.log(1 / (2 * beta))) / alpha


def _closed_instances(budget: Budget) -> Iterator[tuple[int, int, Fraction, Fraction]]:
    alphas = [Fraction(1, 20), Fraction(1, 4), Fraction(4, 5)]
    sizes = (20, 100, 500)[: budget.pick(2, 3, 3)]
    yield from product((2, 5, 50, 10**6), sizes, alphas, (Fraction(1, 2), Fraction(1, 50)))


def _closed(closed: Closed, instance: tuple[int, int, Fraction, Fraction]) -> Finding:
    patterns, n, alpha, beta = instance
    size = ceil(closed(patterns, alpha, beta).upper)
    if size >= n:
        return idle()
    worst = index_net_bound(patterns, n, size, alpha)
    return at_most(
        worst,
        beta,
        f"tau = {patterns}, n = {n}, alpha = {alpha}: n' = {size} leaves {float(worst)}",
    )


_SMALL = (
    "all 28 classes on up to three points (all 429 on up to four: standard), all sets of them, "
    "three alphas"
)
_SAMPLED = (
    "all 28 classes on up to three points (429 on up to four: deep), classes of the literature and "
    "seeded ones"
)

TRIALS: Trials = {
    "DF20:definition-net": (
        trial(
            "sets of points",
            _net,
            _net_instances,
            subject=is_alpha_net,
            mutant=_hits_heavy_hypotheses,
            universe=_SMALL,
            exhaustive=True,
            on_class=_OWN_NETS,
        ),
    ),
    "DF20:lemma-4": (
        trial(
            "small sets and their complements",
            _near_one,
            lambda _: ["alpha near 1"],
            subject=range(1, _MOST + 1),
            universe="for each constant, sets of few points and their complements",
        ),
    ),
    "DF20:lemma-4.source": (
        trial(
            "sets of points",
            _one_sided,
            _net_instances,
            subject=_hits_heavy_hypotheses,
            universe=_SMALL,
            exhaustive=True,
            on_class=_OWN_NETS,
        ),
        kept_counterexample("DF20:lemma-4.source"),
    ),
    "DF20:lemma-4.redrawing": (
        trial(
            "finite distributions",
            _redrawn,
            _distributions,
            subject=2,
            universe="a point mass, and seeded distributions on four points",
        ),
    ),
    "DF20:lemma-4.without-replacement": (
        trial(
            "samples with repeated points",
            _never_worse,
            _sampled,
            subject=(index_failure, drawn_failure),
            mutant=(drawn_failure, index_failure),
            universe=_SAMPLED,
        ),
    ),
    "DF20:lemma-4.repaired": (
        trial(
            "bound for indices",
            _indices_within,
            _sampled,
            subject=_index_bound,
            mutant=_for_one_difference,
            universe=_SAMPLED,
            on_class=_OWN_SAMPLES,
        ),
        trial(
            "bound for draws",
            _draws_within,
            _sampled,
            subject=_double_sample,
            mutant=_double_sample_once,
            universe=_SAMPLED,
            on_class=_OWN_SAMPLES,
            climb=sampled_nets("df20-lemma-4-draws"),
        ),
        trial(
            "closed form",
            _closed,
            _closed_instances,
            subject=_closed_form,
            mutant=lambda patterns, alpha, beta: _closed_form(patterns, alpha, beta) / 2,
            universe="numbers of patterns, sample sizes, alpha and beta",
        ),
        trial(
            "exactly, for indices",
            _exactly,
            _sampled,
            subject=_by_indices,
            mutant=drawn_failure,
            universe=_SAMPLED,
            on_class=_OWN_SAMPLES,
        ),
        trial(
            "exactly, for draws",
            _exactly_drawn,
            _sampled,
            subject=_by_draws,
            mutant=index_failure,
            universe=_SAMPLED,
            on_class=_OWN_SAMPLES,
        ),
    ),
}
