"""H_T, the growth function, Sauer and Shelah, and uniform convergence (Section 2.1)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from itertools import combinations, product
from math import comb

from pac_stability.arithmetic import Interval
from pac_stability.books.dagan_feldman._questions import (
    AnySample,
    exponential_law,
    label_one,
    mean_over_subsets,
    neighbours_of,
    with_chosen,
)
from pac_stability.claims.instances import all_classes, all_labelled_samples
from pac_stability.claims.trials import (
    Budget,
    Finding,
    OnClass,
    Trials,
    at_most,
    kept_counterexample,
    settle,
    trial,
)
from pac_stability.classes import FiniteClass, Hypothesis, intervals, thresholds
from pac_stability.dimensions import growth_function, sauer_shelah_bound, vc_dimension
from pac_stability.papers.dagan_feldman import (
    agreement_classes,
    sauer_power_bound,
)

# H_T

Restricted = tuple[FiniteClass, tuple[int, ...]]


def _restricted(budget: Budget) -> Iterator[Restricted]:
    for m in range(1, budget.pick(4, 4, 5)):
        # On four points classes that differ by an exchange of labels say nothing more.
        for H in all_classes(m, labels_matter=m < 4):
            for k in range(m + 1):
                yield from ((H, T) for T in combinations(range(m), k))


_OWN_SUBSETS: OnClass[Restricted] = OnClass(
    lambda H: (
        (H, T) for k in range(len(H.domain) + 1) for T in combinations(range(len(H.domain)), k)
    ),
    "the class on every set of its points",
    points=7,
    hypotheses=48,
)

Representatives = Callable[[FiniteClass, tuple[int, ...]], list[Hypothesis]]


def _one_of_each(chosen: Representatives, instance: Restricted) -> Finding:
    H, T = instance
    patterns = [tuple(h(x) for x in T) for h in chosen(H, T)]
    all_patterns = {tuple(h(x) for x in T) for h in H}
    return settle(
        len(patterns) == len(set(patterns)) and set(patterns) == all_patterns,
        f"H = {H.table.tolist()}, T = {T}: patterns {patterns} of {sorted(all_patterns)}",
    )


def _of_the_library(H: FiniteClass, T: tuple[int, ...]) -> list[Hypothesis]:
    return [*with_chosen(H, 1).representatives_on(T)]


def _on_the_first_point(H: FiniteClass, T: tuple[int, ...]) -> list[Hypothesis]:
    return [*with_chosen(H, 1).representatives_on(T[:1])]


Classes = Callable[[FiniteClass, tuple[int, ...]], tuple[tuple[int, ...], ...]]


def _equivalent(classes_of: Classes, instance: Restricted) -> Finding:
    H, T = instance
    found = {row: index for index, rows in enumerate(classes_of(H, T)) for row in rows}
    for i, j in product(range(len(H)), repeat=2):
        agree = all(H[i](x) == H[j](x) for x in T)
        if (found[i] == found[j]) != agree:
            return settle(False, f"H = {H.table.tolist()}, T = {T}: rows {i} and {j}")
    return settle(True, "")


# Representatives that look at the sample

Choice = Callable[[list[Hypothesis], AnySample], Hypothesis]


def _sees_errors(group: list[Hypothesis], sample: AnySample) -> Hypothesis:
    return min(group, key=sample.count_errors)


def _arbitrary(choice: Choice, instance: tuple[FiniteClass, int]) -> Finding:
    H, n = instance
    rho, part = Fraction(1, 2), Fraction(1, n)
    bound = part + (1 - part) * (1 - rho) / (1 + rho)

    def predictions(sample: AnySample) -> list[Fraction]:
        def given(points: frozenset[Hashable]) -> dict[Hypothesis, Fraction]:
            groups: dict[tuple[int, ...], list[Hypothesis]] = {}
            for h in H:
                groups.setdefault(tuple(h(x) for x in sorted(points, key=str)), []).append(h)
            return exponential_law((choice(g, sample) for g in groups.values()), sample, rho)

        law = mean_over_subsets(sample, 1, given)
        return [label_one(law, x) for x in H.domain]

    for sample in all_labelled_samples(H, n):
        here = predictions(sample)
        for other in neighbours_of(sample, H.domain):
            moved = max(abs(p - q) for p, q in zip(here, predictions(other), strict=True))
            if moved > bound:
                return settle(
                    False,
                    f"H = {H.table.tolist()}, n' = 1, weights 2^-errors, each pattern represented "
                    f"by its best hypothesis on S: S = {sample} and S' = {other} have predictions "
                    f"{moved} apart, where the proof of Lemma 13 has {bound}",
                )
    return settle(True, "")


def _small_classes(budget: Budget) -> Iterator[tuple[FiniteClass, int]]:
    for n in range(1, budget.pick(4, 5, 6)):
        for H in (FiniteClass([[0, 0], [0, 1]]), FiniteClass([[0, 0], [0, 1], [1, 0], [1, 1]])):
            yield H, n


# Growth

Growth = Callable[[FiniteClass, int], int]


def _sized_classes(budget: Budget) -> Iterator[tuple[FiniteClass, int]]:
    for m in range(1, budget.pick(4, 5, 5)):
        for H in all_classes(m, labels_matter=False):
            yield from ((H, n) for n in range(m + 2))


def _own_sizes(
    wanted: Callable[[int, int], bool] | None = None,
) -> OnClass[tuple[FiniteClass, int]]:
    def instances(H: FiniteClass) -> Iterator[tuple[FiniteClass, int]]:
        d = vc_dimension(H)
        yield from ((H, n) for n in range(len(H.domain) + 2) if not wanted or wanted(n, d))

    return OnClass(instances, "every n up to |X| + 1", points=10, hypotheses=128)


def _patterns(H: FiniteClass, points: tuple[int, ...]) -> int:
    return len({tuple(h(x) for x in points) for h in H})


def _grows(growth: Growth, instance: tuple[FiniteClass, int]) -> Finding:
    H, n = instance
    m = len(H.domain)
    sizes = [min(n, m)] if n <= m else range(m + 1)
    defined = max(_patterns(H, A) for k in sizes for A in combinations(range(m), k))
    return settle(
        growth(H, n) == defined, f"H = {H.table.tolist()}, n = {n}: {growth(H, n)}, not {defined}"
    )


def _exactly_n(growth: Growth, instance: tuple[FiniteClass, int]) -> Finding:
    H, n = instance
    m = len(H.domain)
    sets = list(combinations(range(m), n))
    return settle(
        bool(sets) and growth(H, n) == max(_patterns(H, A) for A in sets),
        f"{m} points, n = {n}: there is no set of n points",
    )


def _first_points(H: FiniteClass, n: int) -> int:
    return _patterns(H, tuple(range(min(n, len(H.domain)))))


Sauer = Callable[[int, int], int]


def _sauer(bound: Sauer, instance: tuple[FiniteClass, int]) -> Finding:
    H, n = instance
    d = vc_dimension(H)
    patterns = growth_function(H, n)
    return at_most(
        patterns, bound(n, d), f"H = {H.table.tolist()}, n = {n}: {patterns} > {bound(n, d)}"
    )


def _large_samples(budget: Budget) -> Iterator[tuple[FiniteClass, int]]:
    for H, n in _sized_classes(budget):
        if n > vc_dimension(H) + 1:
            yield H, n
    for H in (thresholds(6), intervals(6)):
        yield from ((H, n) for n in range(4, 7))


def _any_samples(budget: Budget) -> Iterator[tuple[FiniteClass, int]]:
    for H, n in _sized_classes(budget):
        if n >= vc_dimension(H) >= 1:
            yield H, n
    for H in (thresholds(6), intervals(6)):
        yield from ((H, n) for n in range(2, 7))


Power = Callable[[int, int], Interval]


def _power(power: Power, pair: tuple[int, int]) -> Finding:
    n, d = pair
    count = sum(comb(n, i) for i in range(d + 1))
    return at_most(count, power(n, d), f"n = {n}, d = {d}: {count} > {float(power(n, d)):.6g}")


def _half(n: int, d: int) -> Interval:
    return Interval.exp(d * (1 + Interval.log(n) - Interval.log(2 * d)))


def _numbers(least: int) -> Callable[[Budget], Iterator[tuple[int, int]]]:
    def pairs(budget: Budget) -> Iterator[tuple[int, int]]:
        for d in range(1, budget.pick(9, 25, 60)):
            yield from ((n, d) for n in range(d + least, d + least + budget.pick(12, 40, 200)))

    return pairs


# Uniform convergence


# As functions of their first arguments only
_growth: Growth = growth_function
_sauer_power: Power = sauer_power_bound

TRIALS: Trials = {
    "DF20:definition-h-t": (
        trial(
            "representatives",
            _one_of_each,
            _restricted,
            subject=_of_the_library,
            mutant=_on_the_first_point,
            universe="all 93 classes on up to three points (deep: and all on four, one of those "
            "that differ by an exchange of labels), all T",
            exhaustive=True,
            on_class=_OWN_SUBSETS,
        ),
        trial(
            "equivalence",
            _equivalent,
            _restricted,
            subject=agreement_classes,
            mutant=lambda H, T: agreement_classes(H, T[:1]),
            universe="all 93 classes on up to three points (deep: and all on four, one of those "
            "that differ by an exchange of labels), all T",
            exhaustive=True,
            on_class=_OWN_SUBSETS,
        ),
    ),
    "DF20:definition-h-t.arbitrary": (
        trial(
            "the best of each pattern",
            _arbitrary,
            _small_classes,
            subject=_sees_errors,
            universe="two classes on two points, 1 to 4 examples, subsets of one",
        ),
        kept_counterexample("DF20:definition-h-t.arbitrary"),
    ),
    "DF20:definition-growth": (
        trial(
            "finite classes",
            _exactly_n,
            _sized_classes,
            subject=growth_function,
            universe="all classes on up to three points (four: standard), n up to |X| + 1",
            exhaustive=True,
        ),
    ),
    "DF20:definition-growth.repaired": (
        trial(
            "finite classes",
            _grows,
            _sized_classes,
            subject=_growth,
            mutant=_first_points,
            universe="all classes on up to three points (four: standard), n up to |X| + 1",
            exhaustive=True,
            on_class=_own_sizes(),
        ),
    ),
    "DF20:lemma-5": (
        trial(
            "patterns",
            _sauer,
            _large_samples,
            subject=sauer_shelah_bound,
            mutant=lambda n, d: sauer_shelah_bound(n, d) - 1,
            universe="all classes on up to three points (four: standard), and two on six",
            on_class=_own_sizes(lambda n, d: n > d + 1),
        ),
        trial(
            "power",
            _power,
            _numbers(2),
            subject=_sauer_power,
            mutant=_half,
            universe="d from 1 on, n from d + 2 on",
        ),
    ),
    "DF20:lemma-5.wider": (
        trial(
            "patterns",
            _sauer,
            _any_samples,
            subject=sauer_shelah_bound,
            mutant=lambda n, d: sauer_shelah_bound(n, d) - 1,
            universe="all classes on up to three points (four: standard), and two on six",
            on_class=_own_sizes(lambda n, d: n >= d >= 1),
        ),
        trial(
            "power",
            _power,
            _numbers(0),
            subject=_sauer_power,
            mutant=_half,
            universe="d from 1 on, n from d on",
        ),
    ),
}
