"""Numbers of the notions beside definitions that are spelt out, on samples of a few labels.

The learner sees up to three labels at one point and outputs one of them, by a noisy majority, so
that every sample, output and distribution of a grid can be listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.claims.as_defined import Computed, as_defined
from pac_stability.classes import FiniteClass
from pac_stability.data import Example, FiniteDistribution, Sample, all_examples
from pac_stability.notions import (
    accuracy,
    closeness,
    covering,
    generalization,
    global_stability,
    losses,
    perfect_generalization,
    robust_generalization,
)
from pac_stability.notions.by_type import LawsByType, laws_by_type, learner_laws_by_type
from pac_stability.notions.two_point import Extremum
from pac_stability.notions.two_point_generalization import beta_over_two_points

Labels: TypeAlias = tuple[int, ...]
Law: TypeAlias = FiniteDistribution[int]
_GRID = [Fraction(k, 24) for k in range(25)]
_ALPHAS = (Fraction(0), Fraction(1, 5), Fraction(1, 3), Fraction(1, 2))


def _noisy(labels: Labels) -> Law:
    one = Fraction(1 + sum(labels), 2 + len(labels))
    return FiniteDistribution({1: one, 0: 1 - one})


def _learner(sample: Sample[str]) -> Law:
    return _noisy(sample.labels)


def _errs(label: int, z: Example[str]) -> bool:
    return label != z.label


def _drawn(n: int, p: Fraction) -> Iterator[tuple[Labels, Fraction]]:
    """All samples of n labels with their probabilities, where Pr[1] = p."""
    for labels in product((0, 1), repeat=n):
        yield labels, prod((p if y else 1 - p for y in labels), start=Fraction(1))


def _coin(p: Fraction) -> FiniteDistribution[Example[str]]:
    zero, one = all_examples("a")
    return FiniteDistribution({zero: 1 - p, one: p})


Numbers: TypeAlias = Callable[[int, Labels, Fraction], Fraction]
"""From an output, a sample and Pr[1] to the number that is to be small."""


def _gap(output: int, labels: Labels, p: Fraction) -> Fraction:
    error = p if output == 0 else 1 - p
    on_sample = Fraction(sum(y != output for y in labels), len(labels))
    return abs(error - on_sample)


def _excess(output: int, _: Labels, p: Fraction) -> Fraction:
    return (p if output == 0 else 1 - p) - min(p, 1 - p)


def _law_of(number: Numbers, n: int, p: Fraction) -> dict[Fraction, Fraction]:
    found: dict[Fraction, Fraction] = {}
    for labels, weight in _drawn(n, p):
        for output, chance in _noisy(labels).items():
            value = number(output, labels, p)
            found[value] = found.get(value, Fraction(0)) + weight * chance
    return {value: q for value, q in found.items() if q}


def _above(law: dict[Fraction, Fraction], alpha: Fraction) -> Fraction:
    return sum((q for value, q in law.items() if value > alpha), Fraction(0))


def _least(law: dict[Fraction, Fraction], beta: Fraction) -> Fraction:
    return min(v for v in [Fraction(0), *law] if _above(law, v) <= beta)


def _supremum(found: Extremum, values: list[Fraction], at: Callable[[Fraction], Fraction]) -> bool:
    """Whether it is no less than any value of a grid, and nearly attained where it says."""
    if isinstance(found.p, Interval):
        # Two polynomials meet at an irrational p: no jump is near.
        value = found.value.upper if isinstance(found.value, Interval) else found.value
        attained = abs(at(found.p.lower) - value) <= Fraction(1, 1000)
        return attained and all(each <= value for each in values)
    if not isinstance(found.value, Fraction):
        return False
    step = Fraction(1, 10**6)
    near = [p for p in (found.p - step, found.p, found.p + step) if 0 <= p <= 1]
    attained = max(map(at, near)) >= found.value - Fraction(1, 1000)
    return attained and all(value <= found.value for value in values)


def _deviations(number: Numbers, n: int) -> Iterator[Computed]:
    laws: LawsByType[Example[str], int] = learner_laws_by_type(_learner, all_examples("a"), n)
    excess = number is _excess
    module = accuracy if excess else generalization
    both: list[int] = [0, 1]
    for p in (Fraction(1, 4), Fraction(1, 2), Fraction(5, 6)):
        law, D, where = _law_of(number, n, p), _coin(p), f"{n} labels, Pr[1] = {p}"
        if excess:
            whole = accuracy.excess_law(laws, D, hypotheses=both, errs=_errs)
        else:
            whole = generalization.gap_law(laws, D, errs=_errs)
        yield Computed(f"the law, {where}", dict(whole.items()), law)
        for alpha in _ALPHAS:
            if excess:
                beta = accuracy.minimal_beta(laws, D, alpha, hypotheses=both, errs=_errs)
            else:
                beta = generalization.minimal_beta(laws, D, alpha, errs=_errs)
                yield Computed(
                    f"{alpha} or more, {where}",
                    generalization.overfitting_probability(laws, D, alpha, errs=_errs),
                    sum((q for value, q in law.items() if value >= alpha), Fraction(0)),
                )
            yield Computed(f"beta for {alpha}, {where}", beta, _above(law, alpha))
            if excess:
                found = accuracy.minimal_alpha(laws, D, alpha, hypotheses=both, errs=_errs)
            else:
                found = generalization.minimal_alpha(laws, D, alpha, errs=_errs)
            yield Computed(f"alpha for {alpha}, {where}", found, _least(law, alpha))
    alpha = Fraction(1, 5)
    betas = [_above(_law_of(number, n, p), alpha) for p in _GRID]
    alphas = [_least(_law_of(number, n, p), alpha) for p in _GRID]
    if excess:
        over = accuracy.beta_over_grid(laws, alpha, 24, hypotheses=both, errs=_errs)
        least = accuracy.alpha_over_grid(laws, alpha, 24, hypotheses=both, errs=_errs)
        two = accuracy.beta_over_two_points(laws, alpha, hypotheses=both, errs=_errs)
    else:
        over = module.beta_over_grid(laws, alpha, 24, errs=_errs)
        least = module.alpha_over_grid(laws, alpha, 24, errs=_errs)
        two = module.beta_over_two_points(laws, alpha, errs=_errs)
    yield Computed(f"the largest beta on a grid, {n} labels", over.lower, max(betas))
    yield Computed(f"the largest alpha on a grid, {n} labels", least.lower, max(alphas))
    finer = [Fraction(k, 60) for k in range(61)]
    yield Computed(
        f"bounds over all distributions, {n} labels",
        (
            all(_above(_law_of(number, n, p), alpha) <= over.upper for p in finer),
            all(_least(_law_of(number, n, p), alpha) <= least.upper for p in finer),
            (over.mesh, least.mesh, over.grid_points),
        ),
        (True, True, (Fraction(1, 48), Fraction(1, 48), 25)),
    )
    yield Computed(
        f"the supremum over all p, {n} labels",
        _supremum(two, betas, lambda p: _above(_law_of(number, n, p), alpha)),
        True,
    )


def _gaps() -> Iterator[Computed]:
    for n in (1, 2, 3):
        yield from _deviations(_gap, n)


def _excesses() -> Iterator[Computed]:
    for n in (1, 2):
        yield from _deviations(_excess, n)
    H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    D: FiniteDistribution[Example[int]] = FiniteDistribution(
        {
            Example(0, 1): Fraction(1, 2),
            Example(1, 0): Fraction(1, 3),
            Example(1, 1): Fraction(1, 6),
        }
    )
    yield Computed(
        "the least error of three hypotheses",
        losses.optimal_error(H, D),
        min(sum((q for z, q in D.items() if h(z.point) != z.label), Fraction(0)) for h in H),
    )
    yield Computed(
        "labelled points",
        losses.labelled([0, 1], H[1]),
        (Example(0, 0), Example(1, 1)),
    )
    # One draw from two points, and the constant label that was seen.
    marginal = FiniteDistribution({0: Fraction(1, 3), 1: Fraction(2, 3)})

    def constant(sample: Sample[int]) -> FiniteDistribution[int]:
        return FiniteDistribution.point_mass(sample.labels[0])

    def wrong(label: int, z: Example[int]) -> bool:
        return label != z.label

    worst = accuracy.worst_target(constant, H, marginal, 1, Fraction(1, 2), errs=wrong)
    betas = [
        sum(
            (
                marginal.probability(x)
                for x in (0, 1)
                if sum((marginal.probability(u) for u in (0, 1) if h(x) != h(u)), Fraction(0))
                > Fraction(1, 2)
            ),
            Fraction(0),
        )
        for h in H
    ]
    yield Computed("the worst target", (worst.beta, worst.target), (max(betas), H[1]))


GAPS = as_defined(
    "the numbers of a noisy majority",
    _gaps,
    "up to three labels at one point, all samples; a grid of distributions, and their supremum",
)
EXCESSES = as_defined(
    "the numbers of a noisy majority",
    _excesses,
    "up to two labels at one point, all samples; a grid of distributions, and their supremum; one "
    "draw from two points, all targets",
)


# Definition 5, over all distributions


def _failure(n: int, p: Fraction, epsilon: Fraction, law: Callable[[Labels], Law]) -> Fraction:
    """The success of the best adversary: for each output the best of the four tests."""
    total = Fraction(0)
    for output in (0, 1):
        total += max(
            sum(
                (
                    weight * law(labels).probability(output)
                    for labels, weight in _drawn(n, p)
                    if abs(Fraction(sum(y in test for y in labels), n) - _mass(test, p)) > epsilon
                ),
                Fraction(0),
            )
            for size in range(3)
            for test in combinations((0, 1), size)
        )
    return total


def _mass(test: tuple[int, ...], p: Fraction) -> Fraction:
    return sum((p if y else 1 - p for y in test), Fraction(0))


def _silent(_: Labels) -> Law:
    return FiniteDistribution.point_mass(0)


def _robust() -> Iterator[Computed]:
    for n, p in product((1, 2), (Fraction(1, 4), Fraction(1, 2))):
        samples = FiniteDistribution({0: 1 - p, 1: p}).power(n)
        where = f"{n} bits, Pr[1] = {p}"
        reachable = sorted({abs(Fraction(k, n) - p) for k in range(n + 1)})
        for delta in (Fraction(0), Fraction(1, 4), Fraction(1, 2)):
            yield Computed(
                f"epsilon for {delta}, {where}",
                robust_generalization.minimal_epsilon(_noisy, samples, delta).epsilon,
                min(e for e in [Fraction(0), *reachable] if _failure(n, p, e, _noisy) <= delta),
            )
        for epsilon in (Fraction(1, 5), Fraction(2, 5)):
            yield Computed(
                f"what no mechanism exceeds at {epsilon}, {where}",
                robust_generalization.universal_bound(samples, epsilon),
                sum(
                    (
                        w
                        for labels, w in _drawn(n, p)
                        if abs(Fraction(sum(labels), n) - p) > epsilon
                    ),
                    Fraction(0),
                ),
            )
    epsilon = Fraction(1, 5)
    bounds = robust_generalization.for_all_distributions(
        lambda kind: _noisy(tuple(sorted(kind.elements()))), (0, 1), 2, epsilon, denominator=24
    )
    grid = [_failure(2, p, epsilon, _noisy) for p in _GRID]
    finer = [_failure(2, Fraction(k, 60), epsilon, _noisy) for k in range(61)]
    yield Computed("the largest failure on a grid", bounds.lower, max(grid))
    yield Computed("a bound on all failures", max(finer) <= bounds.upper, True)


ROBUST = as_defined(
    "all tests, all samples",
    _robust,
    "a bit with noise that depends on up to two bits; a grid of distributions",
)


# Definition 6: frontiers


def _largest(p: Law, q: Law, t: Fraction, *, both: bool) -> Fraction:
    pairs = [(p, q), (q, p)] if both else [(p, q)]
    outcomes = sorted(set(p.support) | set(q.support))
    return max(
        sum((a.probability(o) - t * b.probability(o) for o in event), Fraction(0))
        for size in range(len(outcomes) + 1)
        for event in combinations(outcomes, size)
        for a, b in pairs
    )


def _frontiers() -> Iterator[Computed]:
    p: Law = FiniteDistribution({0: Fraction(1, 2), 1: Fraction(1, 3), 2: Fraction(1, 6)})
    q: Law = FiniteDistribution({0: Fraction(1, 4), 1: Fraction(1, 4), 2: Fraction(1, 2)})
    far: Law = FiniteDistribution({0: Fraction(1, 2), 3: Fraction(1, 2)})
    for one, other in ((p, q), (q, p), (p, p), (p, far)):
        two_sided = closeness.frontier(one, other)
        one_sided = closeness.one_sided_frontier(one, other)
        highest = two_sided.maximum([two_sided, one_sided])
        for t in (Fraction(1), Fraction(5, 4), Fraction(2), Fraction(4)):
            epsilon = Epsilon.exactly(t)
            delta = _largest(one, other, t, both=True)
            directed = _largest(one, other, t, both=False)
            yield Computed(f"delta at {t}", two_sided.minimal_delta(epsilon), delta)
            yield Computed(f"in one direction at {t}", one_sided.minimal_delta(epsilon), directed)
            yield Computed(f"the larger at {t}", highest.minimal_delta(epsilon), delta)
            if 0 < delta < 1:
                factor = two_sided.minimal_epsilon(delta)
                yield Computed(
                    f"the factor for {delta}",
                    isinstance(factor, Fraction)
                    and _largest(one, other, factor, both=True) == delta
                    and factor <= t,
                    True,
                )
        for t, delta in two_sided.vertices:
            yield Computed(f"a vertex at {t}", delta, _largest(one, other, t, both=True))
        ratios = {
            a.probability(o) / b.probability(o)
            for a, b in ((one, other), (other, one))
            for o in set(one.support) & set(other.support)
        }
        yield Computed(
            "it bends at likelihood ratios",
            set(one_sided.breakpoints) <= ratios and list(one_sided.breakpoints),
            sorted(
                {
                    one.probability(o) / other.probability(o)
                    for o in set(one.support) & set(other.support)
                    if one.probability(o) > other.probability(o)
                }
            ),
        )
        for mass, against in one_sided.corners:
            yield Computed(
                "a corner is an event",
                any(
                    mass == sum((one.probability(o) for o in event), Fraction(0))
                    and against == sum((other.probability(o) for o in event), Fraction(0))
                    for size in range(4)
                    for event in combinations(sorted({*one.support, *other.support}), size)
                ),
                True,
            )


FRONTIERS = as_defined("frontiers", _frontiers, "laws on up to four outcomes; all events")


# Definition 8, over all distributions


def _leaning(labels: Labels) -> Law:
    """A noise with which the two labels are not alike."""
    one = Fraction(1 + sum(labels), 8)
    return FiniteDistribution({1: one, 0: 1 - one})


def _missed(p: Fraction, n: int, t: Fraction, noise: Callable[[Labels], Law] = _noisy) -> Fraction:
    """The least share of samples that a law of one bit misses, over the ends of their intervals."""
    laws = [(noise((1,) * j + (0,) * (n - j)).probability(1), j) for j in range(n + 1)]
    ends = {a * f for a, _ in laws for f in (1 / t, t)}
    ends |= {1 - (1 - a) * f for a, _ in laws for f in (1 / t, t)}
    return min(
        sum(
            (comb(n, j) * p**j * (1 - p) ** (n - j) for a, j in laws if not _are_close(a, q, t)),
            Fraction(0),
        )
        for q in ends
        if 0 <= q <= 1
    )


def _are_close(a: Fraction, b: Fraction, t: Fraction) -> bool:
    return all(u <= t * v for x, y in ((a, b), (b, a)) for u, v in ((x, y), (1 - x, 1 - y)))


def _perfect() -> Iterator[Computed]:
    n, t = 2, Fraction(5, 4)
    found = perfect_generalization.for_all_distributions(
        lambda kind: _noisy(tuple(sorted(kind.elements()))),
        (0, 1),
        n,
        Epsilon.exactly(t),
        denominator=24,
    )
    yield Computed("the largest beta on a grid", found.lower, max(_missed(p, n, t) for p in _GRID))
    finer = max(_missed(Fraction(k, 60), n, t) for k in range(61))
    yield Computed("a bound on all betas", finer <= found.upper, True)
    worst = beta_over_two_points(
        lambda kind: _leaning(tuple(sorted(kind.elements()))), [0, 1], 3, Epsilon.exactly(t)
    )
    betas = [_missed(p, 3, t, _leaning) for p in _GRID]
    yield Computed(
        "the supremum over all p",
        _supremum(worst, betas, lambda p: _missed(p, 3, t, _leaning)),
        True,
    )
    for p in (Fraction(1, 4), Fraction(1, 2)):
        samples = FiniteDistribution({0: 1 - p, 1: p}).power(n)
        for beta in (Fraction(0), Fraction(1, 3)):
            best = perfect_generalization.minimal_delta(_noisy, samples, beta, Epsilon.exactly(t))
            yield Computed(
                f"delta for beta = {beta}, Pr[1] = {p}",
                (best.lower, best.upper),
                (_least_delta(p, n, t, beta),) * 2,
            )


def _least_delta(p: Fraction, n: int, t: Fraction, beta: Fraction) -> Fraction:
    """By all sets of laws that are not missed; for two laws the best lies where lines cross."""
    laws = [(_noisy((1,) * j + (0,) * (n - j)).probability(1), j) for j in range(n + 1)]

    def needed(q: Fraction) -> Fraction:
        ordered = sorted(
            (_distance(a, q, t), comb(n, j) * p**j * (1 - p) ** (n - j)) for a, j in laws
        )
        weight = Fraction(0)
        for distance, share in ordered:
            weight += share
            if weight >= 1 - beta:
                return distance
        raise AssertionError

    # Each distance is the largest of lines in q: the least of all is where two of them cross.
    lines = [line for a, _ in laws for line in _lines(a, t)]
    crossings = {(d - b) / (a - c) for (a, b), (c, d) in combinations(lines, 2) if a != c}
    return min(needed(q) for q in {*crossings, Fraction(0), Fraction(1)} if 0 <= q <= 1)


def _lines(a: Fraction, t: Fraction) -> list[tuple[Fraction, Fraction]]:
    """Slopes and values at 0 of what is beyond: a - t q, q - t a, and so for the other outcome."""
    zero = Fraction(0)
    return [
        (-t, a),
        (Fraction(1), -t * a),
        (t, 1 - a - t),
        (Fraction(-1), 1 - t * (1 - a)),
        (zero, zero),
    ]


def _distance(a: Fraction, q: Fraction, t: Fraction) -> Fraction:
    return max(slope * q + start for slope, start in _lines(a, t))


PERFECT = as_defined(
    "all distributions, and delta",
    _perfect,
    "a bit with noise that depends on two bits; a grid of distributions; all simulators",
)


# Grids and global stability


def _grids() -> Iterator[Computed]:
    for m, q in ((2, 3), (3, 2), (3, 4)):
        listed = [
            FiniteDistribution({x: Fraction(k, q) for x, k in enumerate(counts) if k})
            for counts in product(range(q + 1), repeat=m)
            if sum(counts) == q
        ]
        yield Computed(f"{m} points, q = {q}", set(covering.grid(range(m), q)), set(listed))
        yield Computed(f"how many, {m}, {q}", covering.count_grid(m, q), len(listed))
        finer = [
            FiniteDistribution({x: Fraction(k, 6 * q) for x, k in enumerate(counts) if k})
            for counts in product(range(6 * q + 1), repeat=m)
            if sum(counts) == 6 * q
        ]
        distances = [min(_variation(D, C, m) for C in listed) for D in finer[:: 1 if m == 2 else 5]]
        mesh = covering.mesh(m, q)
        yield Computed(f"the mesh of {m}, {q}", max(distances) <= mesh, True)
        if m == 2:
            yield Computed(f"and attained, {m}, {q}", max(distances), mesh)
        yield Computed(
            f"the nearest, {m}, {q}",
            [_variation(D, covering.nearest(D, q), m) for D in finer[::17]],
            [min(_variation(D, C, m) for C in listed) for D in finer[::17]],
        )
        yield Computed(
            f"the denominator for {m}, {q}",
            covering.denominator_for(m, mesh),
            min(r for r in range(1, q + 1) if covering.mesh(m, r) <= mesh),
        )
    for eta, n in ((Fraction(1, 10), 1), (Fraction(1, 10), 2), (Fraction(1, 3), 3)):
        # Attained by a point mass beside (1 - eta, eta).
        other = FiniteDistribution({0: 1 - eta, 1: eta}).power(n)
        yield Computed(
            f"{n} draws at distance {eta}",
            covering.power_distance(eta, n),
            1 - other.probability((0,) * n),
        )
    for n in (1, 2):
        laws = laws_by_type(_noisy, (0, 1), n)
        found = global_stability.least_over_grid(laws, 24)
        values = [_most_frequent(n, p) for p in _GRID]
        finer_values = [_most_frequent(n, Fraction(k, 60)) for k in range(61)]
        yield Computed(f"the least frequency on a grid, {n} bits", found.upper, min(values))
        yield Computed(f"a bound below all, {n} bits", found.lower <= min(finer_values), True)
        two = global_stability.least_over_two_points(laws)
        yield Computed(f"the infimum, {n} bits", two.value, min(values))


def _variation(p: FiniteDistribution[int], q: FiniteDistribution[int], m: int) -> Fraction:
    return sum((abs(p.probability(x) - q.probability(x)) for x in range(m)), Fraction(0)) / 2


def _most_frequent(n: int, p: Fraction) -> Fraction:
    one = sum((w * _noisy(labels).probability(1) for labels, w in _drawn(n, p)), Fraction(0))
    return max(one, 1 - one)


GRIDS = as_defined(
    "grids of distributions",
    _grids,
    "grids on two and three points, and a finer one; a noisy majority of up to two bits",
)
