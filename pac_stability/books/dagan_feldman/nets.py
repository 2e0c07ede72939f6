"""Nets, how many random points are one, and lines in the plane (Sections 1.1, 2.1; Lemma 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import ceil, comb
from typing import NamedTuple

from pac_stability.arithmetic import Interval
from pac_stability.books.dagan_feldman import size_accounts
from pac_stability.claims import kit
from pac_stability.claims.instances import all_classes, random_classes, random_distributions
from pac_stability.claims.kit import Comparison, Genes, kept_counterexample
from pac_stability.classes import FiniteClass, affine_lines, cube, intervals, singletons, thresholds
from pac_stability.data import FiniteDistribution
from pac_stability.dimensions import is_alpha_net, vc_dimension
from pac_stability.papers import dagan_feldman as df

F = Fraction
TRIALS = kit.Table("DF20")
Weights = tuple[int, ...]


def disagreement(H: FiniteClass, points: frozenset[int], weights: Weights, alpha: F) -> bool:
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


class Net(NamedTuple):
    """A class, a set A of its points, alpha, and the weights of the points."""

    H: FiniteClass
    A: tuple[int, ...]
    alpha: F
    weights: Weights


IsNet = Callable[[FiniteClass, tuple[int, ...], F, Weights], bool]


def _nets(H: FiniteClass, laws: list[Weights]) -> Iterator[Net]:
    m = len(H.domain)
    subsets = [A for k in range(m + 1) for A in combinations(range(m), k)]
    yield from map(Net._make, product([H], subsets, (F(0), F(1, 3), F(1, 2)), laws))


@kit.universe(
    "all 28 classes on up to three points (all 429 on up to four: standard), all sets of them, "
    "three alphas",
    extent="classes on up to {3, 4, 4} points",
)
def _small(budget: kit.Budget) -> Iterator[Net]:
    for m in range(1, budget.pick(4, 5, 5)):
        laws = [(1,) * m, tuple(range(1, m + 1))][: budget.pick(1, 2, 2)]
        for H in all_classes(m, labels_matter=False):
            yield from _nets(H, laws)


_small = _small.and_on(
    kit.OnClass(
        lambda H: _nets(H, [(1,) * len(H.domain)]),
        "the class, all sets of points, three alphas, equal weights",
        points=8,
        hypotheses=48,
    )
)


def _net(net: IsNet, it: Net) -> Comparison:
    return kit.same(net(*it), not disagreement(it.H, frozenset(it.A), it.weights, it.alpha))


def _hits_heavy(H: FiniteClass, A: tuple[int, ...], alpha: F, weights: Weights) -> bool:
    total = sum(weights)
    heavy = (
        h
        for h in H.table.tolist()
        if sum(w for w, y in zip(weights, h, strict=True) if y) > alpha * total
    )
    return all(any(h[x] for x in A) for h in heavy)


_is_net: IsNet = is_alpha_net
TRIALS.add("definition-net", "sets of points", _net, _small, _is_net, _hits_heavy)


# Lemma 4 for alpha near 1


def small_or_cosmall(points: int) -> FiniteClass:
    """Return all sets of at most one of the points, and their complements."""
    small = [[0] * points, *([int(x == y) for x in range(points)] for y in range(points))]
    return FiniteClass([*small, *([1 - y for y in row] for row in small)])


@kit.universe("for each constant, sets of few points and their complements")
def _near(_: kit.Budget) -> list[str]:
    return ["alpha near 1"]


def _near_one(constants: range, _: str) -> kit.Finding:
    H, alpha = small_or_cosmall(10), F(79, 100)
    d = vc_dimension(H)
    asked = (d * Interval.log(1 / alpha) + Interval.log(2)) / alpha
    drawn = df.DrawnNets(H, FiniteDistribution.uniform(range(10)), alpha)
    refuted = bool(asked <= 2) and drawn.failure(2) == 1
    for C in constants:
        s, N = C, 4 * C * (2 * C + 1) ** 2
        near = 1 - F(2 * s + 1, N)
        draws = C * ((2 * s + 1) * Interval.log(1 / near) + Interval.log(2)) / near
        # 2s points leave two hypotheses that agree on them and differ on the N - 2s others: half of
        # the points, and the complement of the other half.
        refuted &= bool(draws < 2 * s) and F(N - 2 * s, N) > near
    if not refuted:
        return kit.settle(True, "")
    return kit.fails(
        f"the sets of at most one of 10 points and their complements, d = {d}, alpha = 79/100, "
        f"beta = 1/2: 2 draws exceed (d ln(1/alpha) + ln(1/beta))/alpha = {float(asked):.3f} and "
        f"are a net with probability 0; for each constant C from {constants[0]} to {constants[-1]} "
        "the sets of at most C of 4 C (2C + 1)^2 points fail alike"
    )


TRIALS.add("lemma-4", "small sets and their complements", _near_one, _near, range(1, 101))


@kit.universe("a point mass, and seeded distributions on four points")
def _distributions(budget: kit.Budget) -> Iterator[FiniteDistribution[int]]:
    yield FiniteDistribution.point_mass(0)
    yield from random_distributions(budget.pick(5, 20, 50), 4)


def _redrawn(n_distinct: int, law: FiniteDistribution[int]) -> kit.Finding:
    return kit.reaches(len(law.support), n_distinct).settle(
        f"D on {len(law.support)} point: draws never have {n_distinct} distinct elements"
    )


TRIALS.add("lemma-4.redrawing", "finite distributions", _redrawn, _distributions, 2)


# Repaired: how often random points are no net


class Drawn(NamedTuple):
    """A class, how often each of its points occurs, alpha, and the size n'."""

    H: FiniteClass
    counts: Weights
    alpha: F
    size: int

    @property
    def points(self) -> list[int]:
        """The points of a sample, in order."""
        return [x for x, count in enumerate(self.counts) for _ in range(count)]


def _own_samples(H: FiniteClass) -> Iterator[Drawn]:
    m = len(H.domain)
    yield from (Drawn(H, (1,) * m, F(k, 4), size) for k in range(3) for size in range(m + 1))


@kit.universe(
    "all 28 classes on up to three points (429 on up to four: deep), classes of the literature and "
    "seeded ones"
)
def _sampled(budget: kit.Budget) -> Iterator[Drawn]:
    few = (m for m in range(1, budget.pick(4, 4, 5)))
    classes = [H for m in few for H in all_classes(m, labels_matter=False)]
    classes += [thresholds(4), intervals(4), cube(3), singletons(4), small_or_cosmall(6)]
    classes.extend(random_classes(budget.pick(2, 40, 1500), rows=9, points=5, seed="nets"))
    for H in classes:
        m = len(H.domain)
        alphas = (F(0), F(1, 4), F(1, 2), F(4, 5))
        for counts, alpha in product([(1,) * m, (2, *(1,) * (m - 1))], alphas):
            for size in range(sum(counts) + 1)[:: budget.pick(2, 1, 1)]:
                yield Drawn(H, counts, alpha, size)


_asked_of_one = _sampled.and_on(
    kit.OnClass(_own_samples, "each point once, every n', three alphas", points=7, hypotheses=48)
)


@lru_cache(maxsize=4096)
def index_failure(it: Drawn) -> F:
    """Return how often n' indices are not a net, by going through all sets of them."""
    known: dict[frozenset[int], bool] = {}
    bad = 0
    for subset in combinations(it.points, it.size):
        members = frozenset(subset)
        if members not in known:
            known[members] = disagreement(it.H, members, it.counts, it.alpha)
        bad += known[members]
    return F(bad, comb(sum(it.counts), it.size))


@lru_cache(maxsize=4096)
def drawn_failure(it: Drawn) -> F:
    """Return how often n' draws are not a net: sets of points, by how many sequences have them."""
    m = len(it.counts)
    inside = {
        frozenset(A): sum(it.counts[x] for x in A) ** it.size
        for k in range(m + 1)
        for A in combinations(range(m), k)
    }
    bad = 0
    for A in inside:
        exactly = sum((-1) ** (len(A) - len(B)) * w for B, w in inside.items() if B <= A)
        if exactly and disagreement(it.H, A, it.counts, it.alpha):
            bad += exactly
    return F(bad, sum(it.counts) ** it.size)


Failure = Callable[[Drawn], F]


def _never_worse(failures: tuple[Failure, Failure], it: Drawn) -> Comparison:
    return kit.within(failures[0](it), failures[1](it))


TRIALS.add(
    "lemma-4.without-replacement", "samples with repeated points", _never_worse, _sampled,
    (index_failure, drawn_failure), (drawn_failure, index_failure),
)  # fmt: skip


def _index_bound(it: Drawn) -> F:
    return df.index_net_bound(len(it.H), sum(it.counts), it.size, it.alpha)


def _indices_within(bound: Failure, it: Drawn) -> Comparison:
    return kit.within(index_failure(it), bound(it), ceiling=1)


TRIALS.add(
    "lemma-4.repaired", "bound for indices", _indices_within, _asked_of_one, _index_bound,
    lambda it: min(F(1), _index_bound(it) / max(1, comb(len(it.H), 2))),
)  # fmt: skip


def _climb(name: str) -> kit.Climb[Drawn]:
    """Describe a sample by up to six rows on up to four points, counts, alpha and n'."""

    def instance(genes: Genes) -> Drawn | None:
        points, twentieths, size, *more = genes
        rows, counts = sorted({row % (1 << points) for row in more[:6]}), more[6 : 6 + points]
        if size > sum(counts):
            return None
        H = FiniteClass([[row >> x & 1 for x in range(points)] for row in rows])
        return Drawn(H, tuple(counts), F(twentieths, 20), size)

    genes = [range(1, 5), range(1, 20), range(1, 10), *[range(16)] * 6, *[range(4)] * 4]
    return kit.Climb(name, tuple(genes), instance)


def _draw_bound(it: Drawn) -> F:
    ghost = max(1, it.size)
    threshold = max(1, ceil(it.alpha * ghost))
    return df.drawn_net_bound(len(it.H), it.size, it.alpha, ghost=ghost, threshold=threshold)


def _draws_within(bound: Failure, it: Drawn) -> Comparison | kit.Finding:
    return kit.within(drawn_failure(it), bound(it), ceiling=1) if it.alpha else kit.idle()


TRIALS.add(
    "lemma-4.repaired", "bound for draws", _draws_within, _asked_of_one, _draw_bound,
    lambda it: _draw_bound(it) / (2 * max(1, comb(len(it.H), 2))), _climb("df20-lemma-4-draws"),
)  # fmt: skip


@kit.universe("numbers of patterns, sample sizes, alpha and beta")
def _closed_forms(budget: kit.Budget) -> Iterator[tuple[int, int, F, F]]:
    sizes = (20, 100, 500)[: budget.pick(2, 3, 3)]
    alphas = [F(1, 20), F(1, 4), F(4, 5)]
    yield from product((2, 5, 50, 10**6), sizes, alphas, (F(1, 2), F(1, 50)))


def _closed_form(patterns: int, alpha: F, beta: F) -> Interval:
    return (2 * Interval.log(patterns) + Interval.log(1 / (2 * beta))) / alpha


def _closed(
    closed: Callable[[int, F, F], Interval], it: tuple[int, int, F, F]
) -> Comparison | kit.Finding:
    patterns, n, alpha, beta = it
    size = ceil(closed(patterns, alpha, beta).upper)
    return (
        kit.within(df.index_net_bound(patterns, n, size, alpha), beta) if size < n else kit.idle()
    )


TRIALS.add(
    "lemma-4.repaired", "closed form", _closed, _closed_forms,
    _closed_form, lambda patterns, alpha, beta: _closed_form(patterns, alpha, beta) / 2,
)  # fmt: skip


# How many points are a net, explicitly


@kit.universe("classes on few points, with a point just heavier than alpha")
def _goals(budget: kit.Budget) -> Iterator[tuple[FiniteClass, F, F]]:
    tables = [FiniteClass([[0, 0], [1, 0]]), thresholds(3), intervals(3), cube(3), thresholds(9)]
    alphas = [F(1, 20), F(1, 10), F(1, 3), F(9, 10)]
    yield from product(tables[: budget.pick(4, 5, 5)], alphas, (F(1, 2), F(1, 100)))


def _net_size(H: FiniteClass, alpha: F, beta: F) -> int:
    d = max(1, vc_dimension(H))
    return df.sample_complexity.net_size(alpha, beta, d, class_size=len(H)).subset_size


def _enough(size: Callable[[FiniteClass, F, F], int], it: tuple[FiniteClass, F, F]) -> Comparison:
    H, alpha, beta = it
    # A distribution that makes the lightest heavy difference just heavier than alpha.
    m, unit = len(H.domain), 10**6
    light = alpha.numerator * unit // alpha.denominator + 1
    counts = (light, *((unit - light) // (m - 1) + 1,) * (m - 1)) if m > 1 else (unit,)
    return kit.within(drawn_failure(Drawn(H, counts, alpha, size(*it))), beta)


TRIALS.add(
    "lemma-4.explicit", "sizes", _enough, _goals,
    _net_size, lambda H, alpha, beta: _net_size(H, alpha, beta) // 2,
)  # fmt: skip


TRIALS.add(
    "lemma-4.explicit", "the steps at its size", size_accounts.balanced, size_accounts.questions,
    size_accounts.nets, size_accounts.half_of_a_net,
)  # fmt: skip


@kit.universe("all sizes n' <= n on a short line, three alphas", extent="n on a short line")
def _lines(budget: kit.Budget) -> Iterator[tuple[int, int, F]]:
    for n in range(1, budget.pick(7, 11, 14)):
        yield from product([n], range(n + 1), [F(0), F(1, 5), F(1, 2)])


def _on_a_line(failure: Callable[[int, int, F], F], it: tuple[int, int, F]) -> Comparison:
    n, size, alpha = it
    return kit.same(failure(*it), index_failure(Drawn(thresholds(n), (1,) * n, alpha, size)))


def _one_gap_too_long(n: int, size: int, alpha: F) -> F:
    g = int(alpha * n)
    return 1 - F(comb(n, size) - (size + 1) * comb(max(0, n - g - 1), size), comb(n, size))


TRIALS.add(
    "lemma-4.explicit", "thresholds", _on_a_line, _lines,
    df.threshold_net_failure, _one_gap_too_long,
)  # fmt: skip


# Lines in the plane over a prime field: their dimension is two


@kit.universe("p = 5, 2, 3 (and 7: standard), with and without vertical lines")
def _planes(budget: kit.Budget) -> Iterator[tuple[int, bool]]:
    yield from product((5, 2, 3, 7)[: budget.pick(3, 4, 4)], (True, False))


def _lines_over(p: int, vertical: bool) -> FiniteClass:
    if vertical:
        return affine_lines(p)
    plane = list(product(range(p), repeat=2))
    return FiniteClass([[(a * x + b - y) % p == 0 for x, y in plane] for a, b in plane])


def _dimension_is(d: int, it: tuple[int, bool]) -> kit.Finding:
    p, vertical = it
    rows = _lines_over(p, vertical).table.tolist()

    def shattered(places: tuple[int, ...]) -> bool:
        return bool(len({tuple(row[x] for x in places) for row in rows}) == 2 ** len(places))

    found, points = 1, range(len(rows[0]))
    for size in (2, 3):
        sets = combinations(points, size)
        if found == size - 1 and any(shattered(A[:2]) and shattered(A) for A in sets):
            found = size
    return kit.settle(
        found == d,
        f"{len(rows)} lines over GF({p}), {'with' if vertical else 'without'} vertical ones, "
        f"shatter {found} points",
    )


TRIALS.add("section-1.1.lines", "small primes", _dimension_is, _planes, 1)
TRIALS.keeps("section-1.1.lines", kept_counterexample("DF20:section-1.1.lines"))


def _dimension_found(dimension: Callable[[FiniteClass], int], it: tuple[int, bool]) -> kit.Finding:
    return _dimension_is(dimension(_lines_over(*it)), it)


TRIALS.add(
    "section-1.1.lines.repaired", "small primes", _dimension_found, _planes,
    vc_dimension, lambda H: vc_dimension(H) - 1,
)  # fmt: skip


def _are_the_lines(lines: Callable[[int], FiniteClass], it: tuple[int, bool]) -> Comparison:
    p, _ = it
    others = [[(x - c) % p == 0 for x, _ in product(range(p), repeat=2)] for c in range(p)]
    found = set(map(tuple, lines(p).table.tolist()))
    return kit.same(found, set(map(tuple, [*_lines_over(p, False).table.tolist(), *others])))


TRIALS.add(
    "section-1.1.lines.repaired", "the lines", _are_the_lines, _planes,
    affine_lines, lambda p: _lines_over(p, False),
)  # fmt: skip
