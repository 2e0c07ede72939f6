"""Section I-A: Theorem 1 and Corollary 2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from itertools import product
from math import prod
from typing import TypeAlias

import numpy as np

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.bun_livni_moran.generic_learner import share_of_bad
from pac_stability.books.bun_livni_moran.literal import class_string
from pac_stability.claims.instances import all_classes, all_labelled_samples
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
from pac_stability.classes import FiniteClass, Row
from pac_stability.data import Example, FiniteDistribution, Sample, enumerate_law
from pac_stability.mechanisms import PrivacyGuarantee, exponential_learner, occurrences
from pac_stability.notions import closeness
from pac_stability.papers.bun_livni_moran import (
    AgnosticPrivateLearner,
    agnostic_sizes,
)
from pac_stability.papers.bun_livni_moran.agnostic.sizes import agnostic_sizes_over
from pac_stability.papers.bun_livni_moran.formulas import PrivateLearnerSizes, corollary_2_order
from pac_stability.papers.bun_livni_moran.streams.at_size import Counts, relabelled_target

Halves: TypeAlias = tuple[FiniteClass, int, Sample[Hashable]]
"""A class, the ratio of a half of the sample to the base learner's, and the sample."""

Relabelled: TypeAlias = FiniteDistribution[FiniteDistribution[Example[Hashable]]]
"""The law of the relabelled half, as a distribution of examples."""

_BASE = Fraction(1, 2)


def _halves(budget: Budget) -> Iterator[Halves]:
    for ratio in (1, 2):
        for m in budget.pick((1,), (1, 2), (1, 2)):
            for H in all_classes(m):
                if m * ratio <= 2:
                    for S in all_labelled_samples(H, 2 * ratio):
                        yield H, ratio, S


def _agnostic(H: FiniteClass, ratio: int, decay: Fraction = _BASE) -> AgnosticPrivateLearner[Row]:
    base = exponential_learner(H, decay)
    return AgnosticPrivateLearner(H, base, 1, base.guarantee, ratio=ratio, decay=_BASE)


def _private(
    guarantee: Callable[[AgnosticPrivateLearner[Row]], PrivacyGuarantee], it: Halves
) -> Finding:
    H, ratio, S = it
    learner = _agnostic(H, ratio)
    allowed, law = guarantee(learner), learner.law(S)

    def beside(i: int, x: Hashable, y: int) -> Finding:
        other = S.replace(i, Example(x, y))
        needed = closeness.minimal_epsilon(law, learner.law(other), allowed.delta)
        return factor_at_most(
            needed,
            allowed.factor,
            f"class {class_string(H)}, {S} and {other}: e^epsilon = {needed}, {allowed.factor} "
            "allowed",
        )

    return all_of(beside(*place) for place in product(range(len(S)), H.domain, (0, 1)))


LongHalves: TypeAlias = tuple[int, int, int, Fraction]
"""The size of a half, m, how many labels in the half are 1, and the decay of the base learner."""


def _long_halves(budget: Budget) -> Iterator[LongHalves]:
    for half in budget.pick((4, 12), (4, 12, 24), (4, 12, 24, 48)):
        for decay in (Fraction(1, 2), Fraction(1, 8), Fraction(1, 50)):
            for ones in range(half):
                yield half, 1, ones, decay
    # A base learner of little epsilon that is sure on m equal labels: the pattern is what counts.
    for half, m, decay in ((120, 30, Fraction(3, 4)), (600, 60, Fraction(9, 10))):
        for lead in budget.pick((2, 4), (0, 2, 4, 6), (0, 1, 2, 3, 4, 5, 6, 8)):
            yield half, m, (half + lead) // 2, decay


def _private_on_one_point(
    guarantee: Callable[[AgnosticPrivateLearner[Row]], PrivacyGuarantee], it: LongHalves
) -> Finding:
    """Labels of the second half are never read, and the order of the first plays no part."""
    half, m, ones, decay = it
    base = exponential_learner(_CONSTANTS, decay)
    learner = AgnosticPrivateLearner(_CONSTANTS, base, m, base.guarantee, half // m, _BASE)
    allowed = guarantee(learner)

    def written(k: int) -> FiniteDistribution[int]:
        """A pattern by its errors on the half, then the base learner on m labels of it."""
        weight, right = _BASE ** (half - 2 * k), 1 / (1 + decay**m)
        one = weight / (1 + weight) * right + (1 - right) / (1 + weight)
        return FiniteDistribution({0: 1 - one, 1: one})

    text = f"one point, halves of {half}, m = {m}, {ones} labels 1, decay {decay} of the base"
    if learner.sample_size != 2 * half:
        return fails(f"{text}: asks for {learner.sample_size} examples")
    if half**m <= 100:  # that many resamples
        S = Sample([0] * 2 * half, [1] * ones + [0] * (2 * half - ones))
        found = learner.law(S).map(lambda h: h(0))
        if found != written(ones):
            return fails(f"{text}: law {found}, not {written(ones)}")
    needed = closeness.minimal_epsilon(written(ones), written(ones + 1), allowed.delta)
    return factor_at_most(
        needed,
        allowed.factor,
        f"{text}, and one more: e^epsilon = {needed}, {allowed.factor} allowed",
    )


# The halves as counts


def _relabelled_from_counts(H: FiniteClass, S: Sample[Hashable], decay: Fraction) -> Relabelled:
    D, T = _counts(H, S[: len(S) // 2]), _counts(H, S[len(S) // 2 :])
    return enumerate_law(lambda rng: relabelled_target(H, D, T, decay, rng))


def _without_errors(H: FiniteClass, S: Sample[Hashable], _: Fraction) -> Relabelled:
    return _relabelled_from_counts(H, S, Fraction(1))


def _counts(H: FiniteClass, S: Sample[Hashable]) -> Counts:
    counts: Counts = np.zeros((len(H.domain), 2), dtype=np.int64)
    for z in S:
        counts[H.column(z.point), z.label] += 1
    return counts


def _as_relabelled(
    law: Callable[[FiniteClass, Sample[Hashable], Fraction], Relabelled], it: Halves
) -> Finding:
    """A pattern on all points by its errors on D, and how often each point is in D."""
    H, _, S = it
    D = S[: len(S) // 2]
    seen = sorted({H.column(z.point) for z in S})
    meant: dict[FiniteDistribution[Example[Hashable]], Fraction] = {}
    for row in {tuple(int(row[x]) for x in seen) for row in H.table}:
        label = dict(zip(seen, row, strict=True))
        wrong = sum(label[H.column(z.point)] != z.label for z in D)
        examples = Counter(Example(z.point, label[H.column(z.point)]) for z in D)
        target = FiniteDistribution({z: Fraction(k, len(D)) for z, k in examples.items()})
        meant[target] = meant.get(target, Fraction(0)) + _BASE**wrong
    total = sum(meant.values(), Fraction(0))
    found = dict(law(H, S, _BASE).items())
    return settle(
        found == {target: weight / total for target, weight in meant.items()},
        f"class {class_string(H)}, {S}: relabelled with the law {found}",
    )


Drawing: TypeAlias = tuple[tuple[int, ...], int]
"""Integer weights, and how many are drawn."""


def _drawings(budget: Budget) -> Iterator[Drawing]:
    for weights in ((1, 1), (3, 1), (1, 2, 1), (2, 1, 1), (1, 2, 1, 4)):
        yield from ((weights, size) for size in range(1, budget.pick(4, 5, 6)))


def _counts_drawn(weights: tuple[int, ...], size: int) -> FiniteDistribution[tuple[int, ...]]:
    return enumerate_law(lambda rng: tuple(occurrences(weights, size, rng)))


def _independent(
    law: Callable[[tuple[int, ...], int], FiniteDistribution[tuple[int, ...]]], it: Drawing
) -> Finding:
    weights, size = it
    total, meant = sum(weights), dict[tuple[int, ...], Fraction]()
    for places in product(range(len(weights)), repeat=size):
        counts = tuple(places.count(i) for i in range(len(weights)))
        p = Fraction(prod(weights[i] for i in places), total**size)
        meant[counts] = meant.get(counts, Fraction(0)) + p
    found = dict(law(weights, size).items())
    return settle(found == meant, f"{size} draws with weights {weights}: law of the counts {found}")


_CONSTANTS = FiniteClass([[0], [1]])

Excess: TypeAlias = tuple[int, int, Fraction, Fraction, Fraction]
"""The size of a half, m, the decays of the base learner and of the choice of a pattern, and how
likely the label 1 is."""


_NO_LOSS = Fraction(1, 10**9)
"""alpha; on one point a base learner that is right has no loss."""


def _excesses(budget: Budget) -> Iterator[Excess]:
    for half in budget.pick((1000,), (1000, 4000), (1000, 4000, 16000)):
        for m, decay in product((4, 30), (Fraction(1, 2), Fraction(9, 10))):
            for p in (Fraction(1, 2), Fraction(51, 100), Fraction(3, 5), Fraction(99, 100)):
                yield half, m, decay, _BASE, p
        # A pattern is chosen with so little epsilon that it is often the wrong one.
        for p in (Fraction(3, 5), Fraction(3, 4), Fraction(9, 10)):
            yield half, 60, Fraction(9, 10), 1 - Fraction(1, half), p


def _excess_on_one_point(
    bound: Callable[[AgnosticPrivateLearner[Row], int, Fraction], Interval], it: Excess
) -> Finding:
    """The loss above the least is |2p - 1| where the wrong constant is output."""
    half, m, r, chosen, p = it
    base = exponential_learner(_CONSTANTS, r)
    learner = AgnosticPrivateLearner(_CONSTANTS, base, m, base.guarantee, half // m, chosen)
    # On m examples with the same label the base learner errs so often, and then about all.
    beta = r**m / (1 + r**m)
    # Label 0 is the rarer; it is chosen over 1 if the labels of D and the coins have it so.
    worse = 1 - share_of_bad(1, p, chosen, half)
    right = (1 - worse) * (1 - beta) + worse * beta
    text = f"one point, halves of {half}, m = {m}, decay {r}, label 1 with probability {p}"
    return at_most((1 - right) * (2 * p - 1), bound(learner, 2 * half, beta), text, ceiling=1)


def _too_little(_: AgnosticPrivateLearner[Row]) -> PrivacyGuarantee:
    """Less than is spent on one point, where a label survives with probability 5/9."""
    return PrivacyGuarantee(Epsilon.exactly(Fraction(6, 5)))


Sizes: TypeAlias = tuple[int, int, Fraction, Fraction]
"""The base learner's sample size, the VC dimension, alpha and beta."""


def _sizes(budget: Budget) -> Iterator[Sizes]:
    grid = product(range(1, budget.pick(5, 9, 14)), repeat=2)
    for i, j in (*grid, *product([16], (1, 2, 3, 5))):
        for m, vc in product((1, 520, 10**6), (1, 2, 7)):
            yield m, vc, Fraction(1, 2**i), Fraction(1, 3**j)


def _source_conditions(share: Fraction, it: Sizes) -> Finding:
    """Claim 26, the bound for hypotheses that agree on T, and uniform convergence."""
    m, vc, alpha, beta = it
    n = int(agnostic_sizes(m, vc, alpha, beta).sample_size * share)
    half, delta = n // 2, beta / n
    log = Interval.log
    conditions = (
        half >= 9 * m,
        log(1 / beta) * 4 / alpha + (log(20 / alpha) + 1) * 10 * vc / alpha <= half,
        (log(16 / alpha) * vc + log(2 / beta)) * 80 / alpha <= half,
        (log(1 / beta) + vc) / alpha**2 <= half,
        n * delta <= beta,
    )
    return settle(
        all(conditions),
        f"m = {m}, VC = {vc}, alpha = {alpha}, beta = {beta}: n = {n} meets {conditions}",
    )


Order: TypeAlias = tuple[int, int, Fraction, Fraction]
"""The Littlestone and the VC dimension, alpha, and beta, which is delta as well."""


def _orders(budget: Budget) -> Iterator[Order]:
    powers = budget.pick((2, 8), (2, 4, 12), (2, 4, 8, 16))
    for d, vc, i, j in product((1, 3), (1, 3, 1000), powers, powers):
        yield d, vc, Fraction(1, 2**i), Fraction(1, 2**j)


def _order(constant: int, it: Order) -> Finding:
    """The printed order, with delta/n in place of delta, for epsilon = 1."""
    d, vc, alpha, beta = it
    M = PrivateLearnerSizes(d, alpha, beta, Epsilon(1), beta, "proved")
    n = agnostic_sizes_over(M, vc)[0].sample_size
    order = corollary_2_order(
        d, vc, alpha=alpha, beta=beta, epsilon=1, delta=beta, constants="proved"
    )
    text = f"d = {d}, VC = {vc}, alpha = {alpha}, beta = delta = {beta}: n = {n}"
    return at_least(order * constant, n, f"{text}, above {constant} * {order}")


TRIALS: Trials = {
    "BLM20:corollary-2.explicit": (
        trial(
            "privacy",
            _private,
            _halves,
            subject=lambda learner: learner.guarantee,
            mutant=_too_little,
            universe="every class on one point (two, with halves of one example, from the "
            "standard budget on), halves of 1 and 2 examples, all neighbouring samples; r = "
            "1/2 and the exponential mechanism as the base learner",
            exhaustive=True,
        ),
        trial(
            "privacy on one point",
            _private_on_one_point,
            _long_halves,
            subject=lambda learner: learner.guarantee,
            mutant=_too_little,
            universe="two constants, halves of 4 and 12 examples (more with the budget), three "
            "base learners, all neighbouring samples up to what is never read; halves of 120 and "
            "600, and base learners on 30 and 60 examples of these, where labels are nearly even",
        ),
        trial(
            "expected excess on one point",
            _excess_on_one_point,
            _excesses,
            subject=lambda learner, n, beta: learner.expected_excess(n, _NO_LOSS, beta),
            mutant=lambda learner, n, beta: learner.expected_excess(n, _NO_LOSS, beta) / 50,
            universe="two constants, halves of 1000 examples (more with the budget), base learners "
            "on 4, 30 and 60 examples, four laws of the label, and three where patterns are chosen "
            "with little epsilon; exact sums",
        ),
        trial(
            "the relabelling, from counts",
            _as_relabelled,
            _halves,
            subject=_relabelled_from_counts,
            mutant=_without_errors,
            universe="every class on one point (two, with halves of one example, from the "
            "standard budget on), halves of 1 and 2 examples; r = 1/2, all coins",
            exhaustive=True,
        ),
        trial(
            "examples drawn as counts",
            _independent,
            _drawings,
            subject=_counts_drawn,
            mutant=lambda weights, size: _counts_drawn(weights[::-1], size),
            universe="up to four examples whose weights have a power of two as their sum, up to 3 "
            "draws (4, 5), all coins",
        ),
        trial(
            "the conditions",
            _source_conditions,
            _sizes,
            subject=Fraction(1),
            mutant=Fraction(3, 4),
            universe="a grid of base sizes, VC dimensions, alpha and beta",
        ),
        trial(
            "the order",
            _order,
            _orders,
            subject=60_000,
            mutant=10,
            universe="d = 1 and 3, VC dimensions up to 1000, powers of two for alpha and beta = "
            "delta; epsilon = 1",
        ),
    ),
}
