"""Privacy of the learner of Theorem 3: Section 4.1, Lemmas 18 and 19, Equation (13)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import floor

from pac_stability.arithmetic import Interval
from pac_stability.books.dagan_feldman._questions import AnyExample, AnySample, examples_on
from pac_stability.books.dagan_feldman._relabelling import (
    Relabelling,
    largest_factor,
    needed_slack,
    relabellings,
)
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    all_of,
    at_least,
    at_most,
    factor_at_most,
    fails,
    settle,
    trial,
)
from pac_stability.classes import FiniteClass
from pac_stability.data import Sample
from pac_stability.notions.domination import Domination
from pac_stability.papers.dagan_feldman import (
    FactorCheck,
    amplified_factor,
    check_replacement,
    check_subsampling,
    match_candidates,
    matching_factor,
)

# One index exchanged: Equations (6), (7) and (12), Lemma 18

Exchange = tuple[Relabelling, tuple[int, ...], int]
"""An instance, the indices of I that stay (index 0 leaves), and the index that enters."""


def exchanges(budget: Budget) -> Iterator[Exchange]:
    """Give all exchanges of the first index of small instances."""
    for instance in relabellings(budget, quick=14):
        n = len(instance.sample)
        for rest in combinations(range(1, n), instance.size - 1):
            yield from ((instance, rest, i) for i in range(1, n) if i not in rest)


Factor = Callable[[Fraction, int], Fraction]
"""From the step t and K to the factor with which h_{S,T} is at most h_{S,T'}."""


def exchanged(factor: Factor, exchange: Exchange) -> Finding:
    """Settle the factor of an exchange, and that the library finds the same."""
    instance, rest, i = exchange
    sample = instance.sample
    kept = [sample.points[j] for j in rest]
    removed, added = sample.points[0], sample.points[i]
    pairs = instance.matched(kept, removed, added)
    K = max(sum(h(x) != g(x) for x in sample.points) for h, g in pairs)
    exact = largest_factor(
        instance.given(sample, (*kept, removed)), instance.given(sample, (*kept, added))
    )
    found = match_candidates(
        instance.learner, sample, (0, *rest), removed=0, added=added, points=instance.H.domain
    )
    stated = matching_factor(instance.step, K)
    same = found.disagreements == K and found.check == FactorCheck(exact, stated)
    allowed = factor(instance.step, K)
    text = (
        f"{instance}, I = {(0, *rest)}, index {i} for 0: factor {exact}, K = {K}, bound {allowed}; "
        f"the library finds {found.check.factor} and {found.disagreements}"
    )
    return factor_at_most(exact, allowed, text) if same else fails(text)


def _near_four(copies: int) -> tuple[Relabelling, Fraction]:
    """Patterns 100, 110, 000, 001 on (u, a, b); nearly all examples at u, decays near 1."""
    H = FiniteClass([[1, 0, 0], [1, 1, 0], [0, 0, 0], [0, 0, 1]])
    rho = Fraction(copies // 11, copies // 11 + 1)
    points: list[Hashable] = [*(0 for _ in range(copies)), 1, 2]
    ones = copies * 49 // 180
    sample: AnySample = Sample(points, [1] * ones + [0] * (copies - ones + 2))
    instance = Relabelling(H, 0, 2, copies, rho, rho, sample)
    return instance, largest_factor(instance.given(sample, (0, 1)), instance.given(sample, (0, 2)))


def _approaching(below: Callable[[Fraction], Fraction], copies: int) -> Finding:
    instance, exact = _near_four(copies)
    return at_least(
        exact,
        below(instance.step),
        f"{copies + 2} examples, matched hypotheses differ on one: factor {float(exact):.4f}, t = "
        f"{float(instance.step):.4f}",
        strictly=True,
    )


def _within_four(factor: Factor, copies: int) -> Finding:
    instance, exact = _near_four(copies)
    allowed = factor(instance.step, 1)
    return factor_at_most(
        exact,
        allowed,
        f"{copies + 2} examples, matched hypotheses differ on one: factor {float(exact):.4f} > "
        f"{float(allowed):.4f}",
    )


# The constants

Constant = Callable[[Interval], Interval]
"""From kappa = 1/(eta n) to the constant of Lemma 18."""


def _sizes(budget: Budget) -> Iterator[tuple[int, Fraction]]:
    for n in (10, 37, 1000, 10**5)[: budget.pick(3, 4, 4)]:
        yield from ((n, eta) for k in range(1, 20) if (eta := Fraction(k, 20)) * n >= 1)


def _constant(constant: Constant, instance: tuple[int, Fraction]) -> Finding:
    n, eta = instance
    kappa = 1 / (eta * n)
    K = floor(eta * (n - 1)) + 1
    exact = 4 * Interval.exp(3 * kappa * K)
    allowed = constant(Interval.exactly(kappa))
    return at_most(
        exact, allowed, f"n = {n}, eta = {eta}, K = {K}: 4 e^(3 K kappa) = {float(exact):.3f}"
    )


# One example replaced: Equations (3) to (5) and (13), Lemma 19

Replaced = tuple[Relabelling, int, AnyExample]


def replacements(budget: Budget) -> Iterator[Replaced]:
    """Give the replacements of one example of small instances."""
    for count, instance in enumerate(relabellings(budget, quick=7)):
        n = len(instance.sample)
        others = examples_on(instance.H.domain)
        index = count % n
        for z in others:
            if z != instance.sample[index]:
                yield instance, index, z


def fixed_subset(step: Callable[[Fraction], Fraction], replaced: Replaced) -> Finding:
    """Settle the factor of a replacement for fixed sets of points."""
    instance, index, z = replaced
    sample, other = instance.sample, instance.sample.replace(index, z)

    def given(k: int) -> Finding:
        T = instance.H.domain[:k]
        exact = largest_factor(instance.given(sample, T), instance.given(other, T))
        check = check_replacement(instance.learner, sample, other, T, instance.H.domain)
        allowed = step(instance.step)
        text = (
            f"{instance}, example {index} becomes {z}, T = {T}: factor {exact}, bound {allowed}; "
            f"the library finds {check.factor}"
        )
        same = check == FactorCheck(exact, instance.step)
        return factor_at_most(exact, allowed, text) if same else fails(text)

    return all_of(map(given, range(1, len(instance.H.domain) + 1)))


def _step_is_small(multiple: int, replaced: Replaced) -> Finding:
    """The step is at most rho^-2 sigma^-2: e^(3/(eta n)) for sigma^2 = rho."""
    instance, _, _ = replaced
    allowed = (instance.rho * instance.sigma) ** (-multiple)
    text = f"{instance}: the step is {instance.step} > {allowed}"
    same = instance.learner.step == instance.step
    return factor_at_most(instance.step, allowed, text) if same else fails(text)


def unlucky(instance: Relabelling, index: int, limit: int) -> Fraction:
    """Of the index sets with the replaced index, find the fraction with more differences."""
    sample = instance.sample
    rest = [x for j, x in enumerate(sample.points) if j != index]
    subsets = list(combinations(rest, instance.size - 1))
    return Fraction(sum(instance.disagreements(T) > limit for T in subsets), len(subsets))


Relation = Callable[[Fraction, Fraction, int], Fraction]
"""From t, q and K_0 to the factor."""


def subsampled(relation: Relation, replaced: Replaced) -> Finding:
    """Settle the factor and the slack between h_S and the mixed average."""
    instance, index, z = replaced
    mixed = instance.mean(instance.sample, instance.sample.replace(index, z))
    return _with_slack(relation, replaced, mixed)


def wholly_replaced(relation: Relation, replaced: Replaced) -> Finding:
    """Settle the factor, after one more step, and the slack between h_S and h_S'."""
    instance, index, z = replaced
    other = instance.sample.replace(index, z)

    def after_a_step(t: Fraction, q: Fraction, limit: int) -> Fraction:
        return t * relation(t, q, limit)

    return _with_slack(after_a_step, replaced, instance.mean(other, other))


def _with_slack(relation: Relation, replaced: Replaced, there: Sequence[Fraction]) -> Finding:
    instance, index, z = replaced
    sample = instance.sample
    q = Fraction(instance.size, len(sample))
    here = instance.mean(sample, sample)

    def beyond(limit: int) -> Finding:
        factor = relation(instance.step, q, limit)
        slack = q * unlucky(instance, index, limit)
        needed = needed_slack(here, there, factor)
        return at_most(
            needed,
            slack,
            f"{instance}, example {index} becomes {z}, K_0 = {limit}: with factor {factor} the "
            f"slack is {needed} > {slack}",
            ceiling=1,
        )

    return all_of(map(beyond, range(len(sample) + 1)))


def _printed(t: Fraction, q: Fraction, limit: int) -> Fraction:
    return 1 + 4 * t**limit * q / (1 - q) if q < 1 else 4 * t**limit


def without_matching(_: Fraction, __: Fraction, ___: int) -> Fraction:
    """Pretend that other candidates change nothing: a wrong factor."""
    return Fraction(1)


def _library_chain(take_mixed: bool, replaced: Replaced) -> Finding:
    """The parts of Equation (13) that the library computes."""
    instance, index, z = replaced
    sample, other = instance.sample, instance.sample.replace(index, z)
    found = check_subsampling(instance.learner, sample, index, z, instance.H.domain)
    middle = instance.mean(sample, other if take_mixed else sample)
    parts = (
        (found.on_sample, instance.mean(sample, sample)),
        (found.mixed, middle),
        (found.on_neighbour, instance.mean(other, other)),
    )
    same = all(tuple(one.values()) == two for one, two in parts)
    q, t = Fraction(instance.size, len(sample)), instance.step

    def as_written(limit: int) -> bool:
        """Whether the factors and slacks are those of Equation (13), and of Lemma 19 after it."""
        c, slack = matching_factor(t, limit), q * unlucky(instance, index, limit)
        factor = 1 + q * (c - 1)
        exchange = Domination(factor, slack)
        paper = q == 1 or found.paper_exchange(limit) == Domination(1 + c * q / (1 - q), slack)
        after = Domination(factor * t, slack)
        return paper and (found.exchange(limit), found.privacy(limit)) == (exchange, after)

    same = same and all(map(as_written, range(len(sample))))
    return settle(same and found.holds, f"{instance}, example {index} becomes {z}")


# More than half

Share = tuple[int, int]


def _shares(budget: Budget) -> Iterator[Share]:
    for n in range(2, budget.pick(30, 100, 300)):
        yield from ((n, size) for size in range(1, n))


def _at_least_half(_: int, share: Share) -> Finding:
    n, size = share
    return at_least(
        2 * (n - size),
        n,
        f"n = {n}, n' = {size}, epsilon = {Fraction(size, n)}: n - n' = {n - size} < n/2",
    )


def _no_condition(factor: Callable[[Fraction, Fraction], Fraction], share: Share) -> Finding:
    n, size = share
    q = Fraction(size, n)
    return all_of(
        factor_at_most(
            factor(q, c),
            min(1 + c * q / (1 - q), 1 + 2 * c * q),
            f"q = {q}, c = {c}: {factor(q, c)}",
        )
        for c in (Fraction(11), Fraction(80))
    )


EXCHANGES = "seeded instances with up to four examples, all I with the first index, all exchanges"
REPLACED = "seeded instances with up to four examples, all replacements of one example"

EXCHANGED = trial(
    "factor",
    exchanged,
    exchanges,
    subject=matching_factor,
    mutant=lambda t, K: 1 + Fraction(K, 100) * (t - 1),
    universe=EXCHANGES,
)

TRIALS: Trials = {
    "DF20:lemma-18": (
        EXCHANGED,
        trial(
            "near four",
            _within_four,
            lambda budget: [budget.pick(360, 720, 1800)],
            subject=matching_factor,
            mutant=lambda t, K: 3 * t**K,
            universe="four patterns on three points, with nearly all examples at one",
        ),
        trial(
            "constant",
            _constant,
            _sizes,
            subject=lambda _: 4 * Interval.exp(6),
            mutant=lambda _: 4 * Interval.exp(3),
            universe="sample sizes, eta = 1/20, ..., 19/20 with eta n >= 1",
        ),
    ),
    "DF20:equation-12": (
        trial(
            "constant",
            _constant,
            _sizes,
            subject=lambda kappa: 4 * Interval.exp(3 * (1 + kappa)),
            mutant=lambda kappa: 4 * Interval.exp(2 * (1 + kappa)),
            universe="sample sizes, eta = 1/20, ..., 19/20 with eta n >= 1",
        ),
        trial(
            "near four",
            _approaching,
            lambda budget: [budget.pick(360, 720, 1800)],
            subject=lambda t: 3 * t,
            mutant=lambda t: 4 * t,
            universe="four patterns on three points, with nearly all examples at one",
        ),
    ),
    "DF20:appendix-c.half": (
        trial(
            "sizes",
            _at_least_half,
            _shares,
            subject=2,
            universe="all n' < n, epsilon = n'/n",
        ),
    ),
    "DF20:appendix-c.half.repaired": (
        trial(
            "sizes",
            _no_condition,
            _shares,
            subject=lambda q, c: amplified_factor(1, q, c),
            mutant=lambda q, c: 1 + c * q / (1 - q),
            universe="all n' < n, c = 11 and 80",
        ),
    ),
    "DF20:equation-13": (
        trial(
            "as printed",
            subsampled,
            replacements,
            subject=_printed,
            mutant=without_matching,
            universe=REPLACED,
        ),
        trial(
            "the library's parts",
            _library_chain,
            replacements,
            subject=True,
            mutant=False,
            universe=REPLACED,
        ),
    ),
    "DF20:lemma-19": (
        trial(
            "factor",
            fixed_subset,
            replacements,
            subject=lambda t: t,
            mutant=lambda t: 1 + (t - 1) / 9,
            universe=REPLACED,
        ),
        trial(
            "step",
            _step_is_small,
            replacements,
            subject=2,
            mutant=1,
            universe=REPLACED,
        ),
    ),
}
