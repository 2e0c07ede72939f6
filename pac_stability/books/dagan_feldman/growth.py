"""H_T, the growth function, uniform convergence, covers (Section 2.1: Lemmas 5, 6; Remark 14)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, product
from math import comb
from typing import NamedTuple

from pac_stability.arithmetic import Interval
from pac_stability.books.dagan_feldman import learning_tasks
from pac_stability.books.dagan_feldman.nets import disagreement
from pac_stability.claims import instances, kit
from pac_stability.claims.kit import Genes, kept_counterexample
from pac_stability.classes import FiniteClass, Hypothesis, cube, intervals, thresholds
from pac_stability.data import Example, FiniteDistribution
from pac_stability.dimensions import growth_function, sauer_shelah_bound, vc_dimension
from pac_stability.papers import dagan_feldman as df

F = Fraction
TRIALS = kit.Table("DF20")

# H_T


class Restricted(NamedTuple):
    """A class, and a set of its points."""

    H: FiniteClass
    T: tuple[int, ...]


def _own_subsets(H: FiniteClass) -> Iterator[Restricted]:
    m = len(H.domain)
    yield from (Restricted(H, T) for k in range(m + 1) for T in combinations(range(m), k))


@kit.universe(
    "all 93 classes on up to three points (deep: and all on four, one of those that differ by an "
    "exchange of labels), all T",
    extent="classes on up to {3, 3, 4} points",
)
def _restricted(budget: kit.Budget) -> Iterator[Restricted]:
    for m in range(1, budget.pick(4, 4, 5)):
        # On four points classes that differ by an exchange of labels say nothing more.
        for H in instances.all_classes(m, labels_matter=m < 4):
            yield from _own_subsets(H)


_restricted = _restricted.and_on(
    kit.OnClass(_own_subsets, "the class on every set of its points", points=7, hypotheses=48)
)


def _patterns(hypotheses: Iterable[Hypothesis], T: Iterable[int]) -> list[tuple[int, ...]]:
    points = list(T)
    return [tuple(h(x) for x in points) for h in hypotheses]


def _one_of_each(
    chosen: Callable[[Restricted], Iterable[Hypothesis]], it: Restricted
) -> kit.Comparison:
    return kit.same(sorted(_patterns(chosen(it), it.T)), sorted(set(_patterns(it.H, it.T))))


TRIALS.add(
    "definition-h-t", "representatives", _one_of_each, _restricted,
    lambda it: learning_tasks.with_chosen(it.H, 1).representatives_on(it.T),
    lambda it: learning_tasks.with_chosen(it.H, 1).representatives_on(it.T[:1]),
)  # fmt: skip


def _equivalent(
    classes_of: Callable[[FiniteClass, tuple[int, ...]], tuple[tuple[int, ...], ...]],
    it: Restricted,
) -> kit.Comparison:
    found = {row: index for index, rows in enumerate(classes_of(*it)) for row in rows}
    patterns = _patterns(it.H, it.T)
    pairs = list(product(range(len(it.H)), repeat=2))
    agree = [patterns[i] == patterns[j] for i, j in pairs]
    return kit.same([found[i] == found[j] for i, j in pairs], agree)


TRIALS.add(
    "definition-h-t", "equivalence", _equivalent, _restricted,
    df.agreement_classes, lambda H, T: df.agreement_classes(H, T[:1]),
)  # fmt: skip


# Growth


class Sized(NamedTuple):
    """A class, and a number of points."""

    H: FiniteClass
    n: int


def _own_sizes(wanted: Callable[[int, int], bool] = lambda _, __: True) -> kit.OnClass[Sized]:
    def instances(H: FiniteClass) -> Iterator[Sized]:
        d = vc_dimension(H)
        yield from (Sized(H, n) for n in range(len(H.domain) + 2) if wanted(n, d))

    return kit.OnClass(instances, "every n up to |X| + 1", points=10, hypotheses=128)


@kit.universe(
    "all classes on up to three points (four: standard), n up to |X| + 1",
    extent="classes on up to {3, 4, 4} points",
)
def _sized(budget: kit.Budget) -> Iterator[Sized]:
    for m in range(1, budget.pick(4, 5, 5)):
        for H in instances.all_classes(m, labels_matter=False):
            yield from (Sized(H, n) for n in range(m + 2))


def _most_patterns(H: FiniteClass, sizes: Iterable[int]) -> int:
    sets = (A for k in sizes for A in combinations(range(len(H.domain)), k))
    return max((len(set(_patterns(H, A))) for A in sets), default=-1)


def _exactly_n(growth: Callable[[FiniteClass, int], int], it: Sized) -> kit.Finding:
    return kit.settle(
        growth(*it) == _most_patterns(it.H, [it.n]),
        f"{len(it.H.domain)} points, n = {it.n}: there is no set of n points",
    )


TRIALS.add("definition-growth", "finite classes", _exactly_n, _sized, growth_function)


def _grows(growth: Callable[[FiniteClass, int], int], it: Sized) -> kit.Comparison:
    m = len(it.H.domain)
    return kit.same(growth(*it), _most_patterns(it.H, [it.n] if it.n <= m else range(m + 1)))


TRIALS.add(
    "definition-growth.repaired", "finite classes", _grows, _sized.and_on(_own_sizes()),
    growth_function, lambda H, n: len(set(_patterns(H, range(min(n, len(H.domain)))))),
)  # fmt: skip


def _with_larger(
    wanted: Callable[[int, int], bool], least: int
) -> Callable[[kit.Budget], Iterator[Sized]]:
    def instances(budget: kit.Budget) -> Iterator[Sized]:
        yield from (it for it in _sized.instances(budget) if wanted(it.n, vc_dimension(it.H)))
        for H in (thresholds(6), intervals(6)):
            yield from (Sized(H, n) for n in range(least, 7))

    return instances


def _sauer(bound: Callable[[int, int], int], it: Sized) -> kit.Comparison:
    return kit.within(growth_function(*it), bound(it.n, vc_dimension(it.H)))


def _numbers(least: int) -> Callable[[kit.Budget], Iterator[tuple[int, int]]]:
    def pairs(budget: kit.Budget) -> Iterator[tuple[int, int]]:
        for d in range(1, budget.pick(9, 25, 60)):
            yield from ((n, d) for n in range(d + least, d + least + budget.pick(12, 40, 200)))

    return pairs


_sauer_power: Callable[[int, int], Interval] = df.sauer_power_bound


def _power(power: Callable[[int, int], Interval], it: tuple[int, int]) -> kit.Comparison:
    n, d = it
    return kit.within(sum(comb(n, i) for i in range(d + 1)), power(n, d))


def _half(n: int, d: int) -> Interval:
    return Interval.exp(d * (1 + Interval.log(n) - Interval.log(2 * d)))


def _lemma_5(item: str, wanted: Callable[[int, int], bool], least: int, beyond: int) -> None:
    patterns = kit.universe("all classes on up to three points (four: standard), and two on six")(
        _with_larger(wanted, least)
    ).and_on(_own_sizes(wanted))
    TRIALS.add(
        item, "patterns", _sauer, patterns,
        sauer_shelah_bound, lambda n, d: sauer_shelah_bound(n, d) - 1,
    )  # fmt: skip
    from_d = f"d + {beyond}" if beyond else "d"
    numbers = kit.universe(f"d from 1 on, n from {from_d} on")(_numbers(beyond))
    TRIALS.add(item, "power", _power, numbers, _sauer_power, _half)


_lemma_5("lemma-5", lambda n, d: n > d + 1, 4, 2)
_lemma_5("lemma-5.wider", lambda n, d: n >= d >= 1, 2, 0)


# Losses on a sample against losses on its distribution: Lemma 6


class Deviation(NamedTuple):
    """A class on two points, a distribution of examples, n and alpha."""

    H: FiniteClass
    D: FiniteDistribution[learning_tasks.AnyExample]
    n: int
    alpha: F


@cache
def _three() -> FiniteDistribution[learning_tasks.AnyExample]:
    return FiniteDistribution({Example(x, y): F(1, 3) for x, y in ((0, 1), (1, 0), (1, 1))})


@kit.universe(
    "three classes, seeded distributions on two points, few examples; all labellings of two points "
    "with up to 36"
)
def _deviations(budget: kit.Budget) -> Iterator[Deviation]:
    examples = learning_tasks.examples_on((0, 1))
    classes = [FiniteClass(t) for t in ([[0, 0]], [[0, 0], [1, 1]], [[0, 1], [1, 1], [0, 0]])]
    laws = instances.random_distributions(budget.pick(6, 40, 400), 4, seed="deviation")
    for law, H in product(laws, classes):
        D = law.map(lambda index: examples[index])
        for n in (1, 3, budget.pick(6, 9, 14)):
            yield from (Deviation(H, D, n, alpha) for alpha in (F(1, 4), F(1, 2)))
    for n in (24, 36, 48)[: budget.pick(2, 3, 3)]:
        yield from (Deviation(cube(2), _three(), n, alpha) for alpha in (F(1, 3), F(1, 2)))


def _climb(name: str, most: int) -> kit.Climb[Deviation]:
    """Describe a deviation by three rows, four weights, n and the twentieths of alpha."""

    def instance(genes: Genes) -> Deviation | None:
        rows, (*weights, n, twentieths) = sorted(set(genes[:3])), genes[3:]
        total = sum(weights)
        if not total:
            return None
        law = {
            z: F(w, total)
            for z, w in zip(learning_tasks.examples_on((0, 1)), weights, strict=True)
            if w
        }
        H = FiniteClass([[row & 1, row >> 1] for row in rows])
        return Deviation(H, FiniteDistribution(law), n, F(twentieths, 20))

    genes = [range(4)] * 3 + [range(7)] * 4 + [range(1, most + 1), range(1, 20)]
    return kit.Climb(name, tuple(genes), instance)


@lru_cache(maxsize=4096)
def _deviates(it: Deviation) -> F:
    """Return the failure probability by going through all sequences of draws, run by run."""
    wrong = [tuple(int(h(z.point) != z.label) for z in it.D.support) for h in it.H]
    chances = [p for _, p in it.D.items()]
    losses = [sum((p * e for p, e in zip(chances, row, strict=True)), F(0)) for row in wrong]
    states: dict[tuple[int, ...], F] = {(0,) * len(wrong): F(1)}
    for _ in range(it.n):
        after: dict[tuple[int, ...], F] = {}
        for counts, chance in states.items():
            for index, p in enumerate(chances):
                place = tuple(c + row[index] for c, row in zip(counts, wrong, strict=True))
                after[place] = after.get(place, F(0)) + chance * p
        states = after

    def far(counts: tuple[int, ...]) -> bool:
        pairs = zip(counts, losses, strict=True)
        return any(abs(F(c, it.n) - loss) > it.alpha for c, loss in pairs)

    return sum((chance for counts, chance in states.items() if far(counts)), F(0))


def _bounded(bound: Callable[[int, int, F], Interval], it: Deviation) -> kit.Comparison:
    return kit.within(_deviates(it), bound(len(it.H), it.n, it.alpha), ceiling=1)


TRIALS.add(
    "lemma-6.explicit", "union bound", _bounded, _deviations, df.union_deviation_bound,
    lambda patterns, n, alpha: patterns * Interval.exp(-2 * n * alpha**2) / 8,
    _climb("df20-lemma-6-union", 12),
)  # fmt: skip
TRIALS.add(
    "lemma-6.explicit", "bound by growth", _bounded, _deviations,
    df.deviation_bound, lambda tau, n, alpha: df.deviation_bound(tau, 40 * n, alpha),
)  # fmt: skip


@kit.universe("both constants, three coins, alpha and beta")
def _coins(budget: kit.Budget) -> Iterator[tuple[F, F, F]]:
    alphas = (F(1, 2), F(1, 3), F(1, 5))[: budget.pick(2, 3, 3)]
    yield from product(alphas, (F(1, 2), F(1, 20)), [F(1, 2), F(2, 3), F(1, 10)])


def _enough(size: Callable[[F, F], int], it: tuple[F, F, F]) -> kit.Comparison:
    alpha, beta, bias = it
    one, zero = learning_tasks.examples_on((0,))
    D = FiniteDistribution({one: bias, zero: 1 - bias})
    return kit.within(
        _deviates(Deviation(FiniteClass([[0], [1]]), D, size(alpha, beta), alpha)), beta
    )


def _convergence_size(alpha: F, beta: F) -> int:
    size = df.sample_complexity.uniform_convergence_size(alpha, beta, 1, class_size=2)
    return size.sample_size


TRIALS.add(
    "lemma-6.explicit", "sizes", _enough, _coins,
    _convergence_size, lambda alpha, beta: max(1, _convergence_size(alpha, beta) // 6),
)  # fmt: skip


# Covers in place of all patterns: Remark 14


@kit.universe("numbers n' <= n; two hypotheses that differ once on S_I and on the rest")
def _two_hypotheses(_: kit.Budget) -> Iterator[tuple[int, int]]:
    """The numbers n of points and n' of those drawn; the hypotheses differ at the last of these."""
    for n in range(1, 20):
        yield from ((n, size) for size in range(1, n + 1))


def _cover_from_a_net(multiple: int, it: tuple[int, int]) -> kit.Finding:
    n, size = it
    alpha, differing = F(1, size), n - size + 1
    H = FiniteClass([[0] * n, [0] * (size - 1) + [1] * differing])
    part = tuple(range(size))
    if disagreement(H, frozenset(part), (1,) * n, alpha):
        return kit.idle()
    kept = df.greedy_cover(H, part, alpha)
    far = max(min(sum(h(x) != g(x) for x in range(n)) for g in kept) for h in H)
    return kit.within(F(far, n), multiple * alpha).settle(
        f"two hypotheses that differ at {differing} of {n} points, S_I the first {size}, where "
        f"they differ once, alpha = {alpha}: S_I is an alpha-net, and one of them is alpha-close "
        f"to both on S_I; but at distance {F(far, n)} on S"
    )


TRIALS.add("remark-14", "two hypotheses", _cover_from_a_net, _two_hypotheses, 2)
TRIALS.keeps("remark-14", kept_counterexample("DF20:remark-14"))


class Part(NamedTuple):
    """A class, how many of its points are kept, and alpha."""

    H: FiniteClass
    size: int
    alpha: F


def _own_parts(H: FiniteClass) -> Iterator[Part]:
    yield from map(Part._make, product([H], range(1, len(H.domain) + 1), (F(1, 6), F(1, 4))))


def _parts(budget: kit.Budget) -> Iterator[Part]:
    drawn = instances.random_classes(budget.pick(4, 40, 400), rows=7, points=7)
    for H in (thresholds(6), intervals(6), cube(4), *drawn):
        sizes = range(1, len(H.domain) + 1, budget.pick(2, 1, 1))
        yield from map(Part._make, product([H], sizes, (F(1, 6), F(1, 4))))


_covers = kit.universe("classes of the literature and seeded ones")(_parts).and_on(
    kit.OnClass(_own_parts, "its first points, two alphas", points=16, hypotheses=256)
)


def _is_a_cover(
    cover: Callable[[FiniteClass, tuple[int, ...], F], list[Hypothesis]], it: Part
) -> kit.Comparison | kit.Finding:
    part = tuple(range(it.size))
    kept = cover(it.H, part, it.alpha)
    far = max(min(sum(h(x) != g(x) for x in part) for g in kept) for h in it.H)
    if far > it.alpha * it.size:
        return kit.fails(f"{it.H.table.tolist()}, {part}: a hypothesis is at distance {far}")
    return kit.within(len(kept), df.cover_size_bound(vc_dimension(it.H), it.alpha))


def _greedy(H: FiniteClass, part: tuple[int, ...], alpha: F) -> list[Hypothesis]:
    return [*df.greedy_cover(H, part, alpha)]


TRIALS.add(
    "remark-14.repaired", "covers", _is_a_cover, _covers,
    _greedy, lambda H, part, alpha: _greedy(H, part, alpha)[:1],
)  # fmt: skip


_transfers = kit.universe("classes of the literature and seeded ones, all subsets of each size")(
    _parts
).and_on(kit.OnClass(_own_parts, "each point once, every n', two alphas", points=8, hypotheses=48))


def _transfer(bound: Callable[[int, int, int, F], F], it: Part) -> kit.Comparison:
    H, size, alpha = it
    n, rows = len(H.domain), H.table.tolist()
    failures = sum(
        any(
            sum(h[x] != g[x] for x in part) <= alpha * size
            and sum(h[x] != g[x] for x in range(n)) > 2 * alpha * n
            for h, g in combinations(rows, 2)
        )
        for part in combinations(range(n), size)
    )
    return kit.within(F(failures, comb(n, size)), bound(len(H), n, size, alpha), ceiling=1)


TRIALS.add(
    "remark-14.repaired", "closeness", _transfer, _transfers,
    df.cover_transfer_bound, lambda _, n, size, alpha: df.cover_transfer_bound(2, n, size, alpha),
)  # fmt: skip
