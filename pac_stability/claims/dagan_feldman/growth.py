"""H_T, the growth function, Sauer and Shelah, and uniform convergence (Section 2.1)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import comb

from pac_stability.arithmetic import Interval
from pac_stability.claims.budget import Budget
from pac_stability.claims.claim import Claim, Expectation, Kind, Method
from pac_stability.claims.dagan_feldman._questions import (
    AnyExample,
    AnySample,
    at_most,
    examples_on,
    exponential_law,
    label_one,
    mean_over_subsets,
    neighbours_of,
    with_chosen,
)
from pac_stability.claims.finding import Finding, settle
from pac_stability.claims.instances import all_classes, all_labelled_samples, random_distributions
from pac_stability.claims.trial import trial
from pac_stability.classes import FiniteClass, Hypothesis, intervals, thresholds
from pac_stability.data import FiniteDistribution
from pac_stability.dimensions import growth_function, sauer_shelah_bound, vc_dimension
from pac_stability.papers.dagan_feldman import (
    agreement_classes,
    deviation_bound,
    deviation_failure,
    sample_complexity,
    sauer_power_bound,
    union_deviation_bound,
)

# H_T

Restricted = tuple[FiniteClass, tuple[int, ...]]


def _restricted(budget: Budget) -> Iterator[Restricted]:
    for m in range(1, budget.pick(4, 4, 5)):
        for H in all_classes(m):
            for k in range(m + 1):
                yield from ((H, T) for T in combinations(range(m), k))


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
    for n in range(1, budget.pick(5, 5, 5)):
        for H in (FiniteClass([[0, 0], [0, 1]]), FiniteClass([[0, 0], [0, 1], [1, 0], [1, 1]])):
            yield H, n


# Growth

Growth = Callable[[FiniteClass, int], int]


def _sized_classes(budget: Budget) -> Iterator[tuple[FiniteClass, int]]:
    for m in range(1, budget.pick(4, 5, 5)):
        for H in all_classes(m, labels_matter=False):
            yield from ((H, n) for n in range(m + 2))


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
    return settle(
        patterns <= bound(n, d), f"H = {H.table.tolist()}, n = {n}: {patterns} > {bound(n, d)}"
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

Deviation = tuple[FiniteClass, FiniteDistribution[AnyExample], int, Fraction]


def _deviations(budget: Budget) -> Iterator[Deviation]:
    universe = examples_on((0, 1))
    classes = [
        FiniteClass([[0, 0]]),
        FiniteClass([[0, 0], [1, 1]]),
        FiniteClass([[0, 1], [1, 1], [0, 0]]),
    ]
    laws = random_distributions(budget.pick(6, 40, 400), 4, seed="deviation")
    for law, H in product(laws, classes):
        D = law.map(lambda index: universe[index])
        for n in (1, 3, budget.pick(6, 9, 14)):
            yield from ((H, D, n, alpha) for alpha in (Fraction(1, 4), Fraction(1, 2)))


@lru_cache(maxsize=4096)
def _deviates(instance: Deviation) -> Fraction:
    """Return the failure probability by going through all sequences of draws, run by run."""
    H, D, n, alpha = instance
    wrong = [tuple(int(h(z.point) != z.label) for z in D.support) for h in H]
    chances = [p for _, p in D.items()]
    losses = [sum((p * e for p, e in zip(chances, row, strict=True)), Fraction(0)) for row in wrong]
    states: dict[tuple[int, ...], Fraction] = {(0,) * len(wrong): Fraction(1)}
    for _ in range(n):
        after: dict[tuple[int, ...], Fraction] = {}
        for counts, chance in states.items():
            for index, p in enumerate(chances):
                place = tuple(c + row[index] for c, row in zip(counts, wrong, strict=True))
                after[place] = after.get(place, Fraction(0)) + chance * p
        states = after
    return sum(
        (
            chance
            for counts, chance in states.items()
            if any(
                abs(Fraction(c, n) - loss) > alpha for c, loss in zip(counts, losses, strict=True)
            )
        ),
        Fraction(0),
    )


def _exact_failure(failure: Callable[[Deviation], Fraction], instance: Deviation) -> Finding:
    defined = _deviates(instance)
    return settle(
        failure(instance) == defined, f"{instance}: {failure(instance)}, by definition {defined}"
    )


def _one_sided_failure(instance: Deviation) -> Fraction:
    H, D, n, alpha = instance
    return max(deviation_failure(FiniteClass([[h(x) for x in H.domain]]), D, n, alpha) for h in H)


DeviationBound = Callable[[int, int, Fraction], Interval]


def _bounded(bound: DeviationBound, instance: Deviation) -> Finding:
    H, _, n, alpha = instance
    exact, allowed = _deviates(instance), bound(len(H), n, alpha)
    return at_most(exact, allowed, f"{instance}: fails with {exact}, bound {float(allowed):.4g}")


def _one_side(patterns: int, n: int, alpha: Fraction) -> Interval:
    return patterns * Interval.exp(-2 * n * alpha**2) / 8


def _sizes_of_convergence(
    budget: Budget,
) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    alphas = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 5))[: budget.pick(2, 3, 3)]
    biases = [Fraction(1, 2), Fraction(2, 3), Fraction(1, 10)]
    yield from product(alphas, (Fraction(1, 2), Fraction(1, 20)), biases)


def _enough(
    size: Callable[[Fraction, Fraction], int], instance: tuple[Fraction, Fraction, Fraction]
) -> Finding:
    alpha, beta, bias = instance
    one, zero = examples_on((0,))
    D = FiniteDistribution({one: bias, zero: 1 - bias})
    n = size(alpha, beta)
    failure = _deviates((FiniteClass([[0], [1]]), D, n, alpha))
    return settle(
        failure <= beta,
        f"both constants, bias {bias}, alpha = {alpha}: n = {n} fails with {float(failure):.4g} > "
        f"{beta}",
    )


def _convergence_size(alpha: Fraction, beta: Fraction) -> int:
    return sample_complexity.uniform_convergence_size(alpha, beta, 1, class_size=2).sample_size


# As functions of their first arguments only
_growth: Growth = growth_function
_sauer_power: Power = sauer_power_bound
_by_growth: DeviationBound = deviation_bound
_by_union: DeviationBound = union_deviation_bound

CLAIMS = (
    Claim(
        key="DF20:definition-h-t",
        kind=Kind.DEFINITION,
        title="H_T: one hypothesis for each labelling of T",
        statement="h ~_T g when h and g agree on the points of T; H_T has exactly one "
        "representative of each class, chosen by a function of the set of points of T.",
        code=(
            "papers.dagan_feldman.agreement_classes",
            "papers.dagan_feldman.ChosenRepresentatives",
            "classes.FiniteClass.representatives_on",
        ),
        trials=(
            trial(
                "representatives",
                _one_of_each,
                _restricted,
                subject=_of_the_library,
                mutant=_on_the_first_point,
                universe="all classes on up to three points (four: deep), all T",
                exhaustive=True,
            ),
            trial(
                "equivalence",
                _equivalent,
                _restricted,
                subject=agreement_classes,
                mutant=lambda H, T: agreement_classes(H, T[:1]),
                universe="all classes on up to three points (four: deep), all T",
                exhaustive=True,
            ),
        ),
    ),
    Claim(
        key="DF20:definition-h-t.arbitrary",
        kind=Kind.DEFINITION,
        title="Representatives chosen arbitrarily",
        statement="The stability that the proof of Lemma 13 gives, q + (1 - q) (1 - rho)/(1 + rho) "
        "with q = n'/n, holds however representatives are chosen, even by looking at S.",
        code=("papers.dagan_feldman.ChosenRepresentatives", "papers.dagan_feldman.StableLearner"),
        trials=(
            trial(
                "the best of each pattern",
                _arbitrary,
                _small_classes,
                subject=_sees_errors,
                universe="two classes on two points, 1 to 4 examples, subsets of one",
            ),
        ),
        expectation=Expectation.FAILS,
        repaired_by="DF20:definition-h-t",
        note="The proof compares S and S' for the same T, and needs the same H_T: the choice is to "
        "be read as a function of the set of points of T.",
    ),
    Claim(
        key="DF20:definition-growth",
        kind=Kind.DEFINITION,
        title="Growth function, on exactly n points",
        statement="tau_n(H) is the maximum over all sets A of exactly n points of the number of "
        "patterns of H on A, for every n.",
        code=("dimensions.growth_function",),
        trials=(
            trial(
                "finite classes",
                _exactly_n,
                _sized_classes,
                subject=growth_function,
                universe="all classes on up to three points (four: standard), n up to |X| + 1",
                exhaustive=True,
            ),
        ),
        expectation=Expectation.FAILS,
        repaired_by="DF20:definition-growth.repaired",
        note="A finite domain has no larger sets, and the points of S_I may repeat.",
    ),
    Claim(
        key="DF20:definition-growth.repaired",
        kind=Kind.REPAIR,
        title="Growth function, on at most n points",
        statement="tau_n(H) is the maximum over all sets A of at most n points of the number of "
        "patterns of H on A; where there are sets of n points, these are enough.",
        code=("dimensions.growth_function",),
        trials=(
            trial(
                "finite classes",
                _grows,
                _sized_classes,
                subject=_growth,
                mutant=_first_points,
                universe="all classes on up to three points (four: standard), n up to |X| + 1",
                exhaustive=True,
            ),
        ),
    ),
    Claim(
        key="DF20:lemma-5",
        kind=Kind.LEMMA,
        title="Sauer and Shelah",
        statement="For H of VC dimension d >= 1 and n > d + 1: tau_n(H) <= sum_{i <= d} C(n, i) <= "
        "(en/d)^d.",
        code=("dimensions.sauer_shelah_bound", "papers.dagan_feldman.sauer_power_bound"),
        method=Method.CERTIFIED,
        trials=(
            trial(
                "patterns",
                _sauer,
                _large_samples,
                subject=sauer_shelah_bound,
                mutant=lambda n, d: sauer_shelah_bound(n, d) - 1,
                universe="all classes on up to three points (four: standard), and two on six",
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
        uses=("DF20:definition-growth.repaired",),
        note="Lemma 2 of the arXiv version. Both print (em/d)^d, where m is n.",
    ),
    Claim(
        key="DF20:lemma-5.wider",
        kind=Kind.REPAIR,
        title="Sauer and Shelah, for all n >= d >= 1",
        statement="For H of VC dimension d and n >= d >= 1: tau_n(H) <= sum_{i <= d} C(n, i) <= "
        "(en/d)^d. (For n = 1 and d = 2 the last inequality fails.)",
        code=("dimensions.sauer_shelah_bound", "papers.dagan_feldman.sauer_power_bound"),
        method=Method.CERTIFIED,
        trials=(
            trial(
                "patterns",
                _sauer,
                _any_samples,
                subject=sauer_shelah_bound,
                mutant=lambda n, d: sauer_shelah_bound(n, d) - 1,
                universe="all classes on up to three points (four: standard), and two on six",
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
        uses=("DF20:lemma-5",),
    ),
    Claim(
        key="DF20:lemma-6",
        kind=Kind.LEMMA,
        title="Uniform convergence",
        statement="With probability at least 1 - beta over S ~ D^n, |L_D(h) - L_S(h)| <= alpha for "
        "all h in H at once, for the explicit n of the size function; for every n the failure is "
        "at most 2 |H| e^(-2 n alpha^2), and at most e^(-2 n (alpha - r)^2) with r = sqrt(2 ln(2 "
        "tau_n)/n) where r < alpha.",
        code=(
            "papers.dagan_feldman.deviation_failure",
            "papers.dagan_feldman.deviation_bound",
            "papers.dagan_feldman.union_deviation_bound",
            "papers.dagan_feldman.sample_complexity.uniform_convergence_size",
        ),
        method=Method.EXPLICIT,
        trials=(
            trial(
                "failure",
                _exact_failure,
                _deviations,
                subject=lambda instance: deviation_failure(*instance),
                mutant=_one_sided_failure,
                universe="three classes, seeded distributions on two points, few examples",
            ),
            trial(
                "union bound",
                _bounded,
                _deviations,
                subject=_by_union,
                mutant=_one_side,
                universe="three classes, seeded distributions on two points, few examples",
            ),
            trial(
                "bound by growth",
                _bounded,
                _deviations,
                subject=_by_growth,
                mutant=lambda tau, n, alpha: deviation_bound(tau, 40 * n, alpha),
                universe="three classes, seeded distributions on two points, few examples",
            ),
            trial(
                "sizes",
                _enough,
                _sizes_of_convergence,
                subject=_convergence_size,
                mutant=lambda alpha, beta: max(1, _convergence_size(alpha, beta) // 6),
                universe="both constants, three coins, alpha and beta",
            ),
        ),
        uses=("DF20:definition-losses",),
        note="Lemma 3 of the arXiv version. The lemma hides a constant; the form without ln n in "
        "ln tau_n, by chaining, is better for astronomical n only. It reads n >= Omega(...), for "
        "n >= C (...).",
    ),
)
