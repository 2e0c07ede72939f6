"""Corollary 2: the agnostic learner's privacy, its excess, its sizes, and what it promises."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb
from typing import NamedTuple

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.bun_livni_moran.sizes_of_m import share_of_bad
from pac_stability.claims import kit
from pac_stability.claims.instances import all_classes, all_labelled_samples
from pac_stability.claims.kit import Comparison
from pac_stability.classes import FiniteClass, Row
from pac_stability.data import Example, Sample
from pac_stability.mechanisms import PrivacyGuarantee, exponential_learner
from pac_stability.notions import closeness
from pac_stability.papers import bun_livni_moran as blm
from pac_stability.papers.bun_livni_moran import agnostic_accuracy

TRIALS = kit.Table("BLM20")
F = Fraction
_TENTH, _QUARTER, _HALF, _MILLIONTH = F(1, 10), F(1, 4), F(1, 2), F(1, 10**6)
_ALMOST = 1 - F(1, 2**20)
_CONSTANTS = FiniteClass([[0], [1]])
Learner = blm.AgnosticPrivateLearner[Row]

# Privacy


class Halves(NamedTuple):
    """A class, the ratio of a half of the sample to the base learner's, and the sample."""

    H: FiniteClass
    ratio: int
    sample: Sample[Hashable]


@kit.universe(
    "every class on one point (two, with halves of one example, from the standard budget on), "
    "halves of 1 and 2 examples, all neighbouring samples; r = 1/2 and the exponential mechanism "
    "as the base learner",
    extent="classes on up to {1, 2, 2} points",
)
def _halves(budget: kit.Budget) -> Iterator[Halves]:
    for ratio, m in product((1, 2), budget.pick((1,), (1, 2), (1, 2))):
        for H in all_classes(m) if m * ratio <= 2 else ():
            yield from (Halves(H, ratio, S) for S in all_labelled_samples(H, 2 * ratio))


def _private(guarantee: Callable[[Learner], PrivacyGuarantee], it: Halves) -> Iterator[Comparison]:
    H, ratio, S = it
    base = exponential_learner(H, _HALF)
    learner = blm.AgnosticPrivateLearner(H, base, 1, base.guarantee, ratio=ratio, decay=_HALF)
    allowed, law = guarantee(learner), learner.law(S)
    for i, x, y in product(range(len(S)), H.domain, (0, 1)):
        other = learner.law(S.replace(i, Example(x, y)))
        yield kit.factor_within(
            closeness.minimal_epsilon(law, other, allowed.delta), allowed.factor
        )


def _too_little(_: Learner) -> PrivacyGuarantee:
    """Less than is spent on one point, where a label survives with probability 5/9."""
    return PrivacyGuarantee(Epsilon.exactly(F(6, 5)))


_EXPLICIT = "corollary-2.explicit"
TRIALS.add(_EXPLICIT, "privacy", _private, _halves, lambda learner: learner.guarantee, _too_little)

# The excess on one point

_NO_LOSS = F(1, 10**9)
"""alpha; on one point a base learner that is right has no loss."""


class Flipped(NamedTuple):
    """What a run on one point takes.

    How many examples are relabelled, m, the decays of the base learner and of the choice of a
    pattern, how likely the label 1 is, and whether there is a half T.
    """

    relabelled: int
    m: int
    r: Fraction
    chosen: Fraction
    p: Fraction
    second_half: bool = True

    @property
    def learner(self) -> Learner:
        """The learner, over the exponential mechanism."""
        base, ratio = exponential_learner(_CONSTANTS, self.r), self.relabelled // self.m
        return blm.AgnosticPrivateLearner(
            _CONSTANTS, base, self.m, base.guarantee, ratio, self.chosen,
            second_half=self.second_half,
        )  # fmt: skip

    @property
    def n(self) -> int:
        """The examples in all."""
        return self.relabelled * (1 + self.second_half)

    @property
    def mistaken(self) -> Fraction:
        """How often the base learner errs on m examples of one label, and then about all."""
        return self.r**self.m / (1 + self.r**self.m)

    @property
    def wrong(self) -> Interval:
        """How likely the rarer label 0 is output: chosen and learned, or else mistaken for 1."""
        rarer = share_of_bad(1, 1 - self.p, self.chosen, self.relabelled, bits=160)
        return rarer * (1 - self.mistaken) + (1 - rarer) * self.mistaken


@kit.universe(
    "two constants, halves of 1000 examples (more with the budget), base learners on 4, 30 and 60 "
    "examples, four laws of the label, and three where patterns are chosen with little epsilon; "
    "exact sums"
)
def _excesses(budget: kit.Budget) -> Iterator[Flipped]:
    for half in budget.pick((1000,), (1000, 4000), (1000, 4000, 16000)):
        laws = (_HALF, F(51, 100), F(3, 5), F(99, 100))
        for m, r, p in product((4, 30), (_HALF, F(9, 10)), laws):
            yield Flipped(half, m, r, _HALF, p)
        # A pattern is chosen with so little epsilon that it is often the wrong one.
        for p in (F(3, 5), F(3, 4), F(9, 10)):
            yield Flipped(half, 60, F(9, 10), 1 - F(1, half), p)


def _expected(learner: Learner, n: int, beta: Fraction) -> Interval:
    return learner.expected_excess(n, _NO_LOSS, beta)


def _excess_on_one_point(
    bound: Callable[[Learner, int, Fraction], Interval], it: Flipped
) -> Comparison:
    """The loss above the least is |2p - 1| where the wrong constant is output."""
    return kit.within(it.wrong * (2 * it.p - 1), bound(it.learner, it.n, it.mistaken), ceiling=1)


TRIALS.add(
    _EXPLICIT, "expected excess on one point", _excess_on_one_point, _excesses,
    _expected, lambda learner, n, beta: _expected(learner, n, beta) / 50,
)  # fmt: skip


class Sizes(NamedTuple):
    """The base learner's sample size, the VC dimension, alpha and beta."""

    m: int
    vc: int
    alpha: Fraction
    beta: Fraction


@kit.universe("a grid of base sizes, VC dimensions, alpha and beta")
def _sizes(budget: kit.Budget) -> Iterator[Sizes]:
    grid = product(range(1, budget.pick(5, 9, 14)), repeat=2)
    for i, j in (*grid, *product([16], (1, 2, 3, 5))):
        for m, vc in product((1, 520, 10**6), (1, 2, 7)):
            yield Sizes(m, vc, F(1, 2**i), F(1, 3**j))


Sized = Callable[[int, int, Fraction, Fraction], blm.AgnosticSizes]


def _source_conditions(sized: Sized, it: Sizes) -> Iterator[kit.Finding]:
    """Claim 26, from (2en/d)^d patterns, hypotheses that agree on T, and uniform convergence."""
    m, vc, alpha, beta = it
    found, log = sized(m, vc, alpha, beta), Interval.log
    patterns = (log(20 / alpha) + 1) * 10 * vc
    needed = (
        (found.for_base, Interval.exactly(9 * m)),
        (found.for_relabelling, (log(1 / beta) * 4 + patterns) / alpha),
        (found.for_release, (log(16 / alpha) * vc + log(2 / beta)) * 80 / alpha),
        (found.for_uniform, (log(1 / beta) + vc) / alpha**2),
    )
    for size, real in needed:
        yield kit.settle(
            size - 1 < real.upper and real.lower <= size,
            f"m = {m}, VC = {vc}, alpha = {alpha}, beta = {beta}: {size} for {real}",
        )
    n = found.sample_size
    yield kit.settle(n == 2 * max(size for size, _ in needed), f"{needed}: a half of {n}")
    yield kit.settle(n * found.largest_delta == beta, f"{n} delta = {beta}: {found.largest_delta}")


def _without_e(m: int, vc: int, alpha: Fraction, beta: Fraction) -> blm.AgnosticSizes:
    """Count (2n/d)^d patterns."""
    found = blm.agnostic_sizes(m, vc, alpha, beta)
    return replace(found, for_relabelling=found.for_relabelling - int(10 * vc / alpha))


_stated: Sized = blm.agnostic_sizes
_narrower: Sized = _without_e
TRIALS.add(_EXPLICIT, "the conditions", _source_conditions, _sizes, _stated, _narrower)

# The promise: how likely the excess is large


@kit.universe(
    "two constants, 400 and 1000 examples that are relabelled (more with the budget), with and "
    "without a half T, labels that are 1 with probability 9/16 to 15/16, and the exponential "
    "mechanism as the base learner: how likely the worse one is output, summed up and enclosed"
)
def _flipped(budget: kit.Budget) -> Iterator[Flipped]:
    most = F(9, 10)
    for T in (True, False):
        yield Flipped(1000, 50, most, most, F(9, 16), T)
        for size in budget.pick((400,), (400, 1600), (400, 1600, 6400)):
            for chosen, p in product((_HALF, most), (F(9, 16), F(5, 8))):
                yield Flipped(size, 40, _TENTH, chosen, p, T)
        for p in (F(3, 4), F(15, 16)):
            yield Flipped(400, 8, _HALF, _HALF, p, T)


Bound = Callable[[Learner, int, Fraction, Fraction], Interval]
"""From the learner, n, the excess, and how often the base learner fails, to a bound."""


def _bound(learner: Learner, n: int, excess: Fraction, failed: Fraction) -> Interval:
    return learner.excess_failure(n, excess, _NO_LOSS, failed)


def _a_thirtieth(learner: Learner, n: int, excess: Fraction, failed: Fraction) -> Interval:
    return _bound(learner, n, excess, failed) / 30


def _on_one_point(bound: Bound, it: Flipped) -> Comparison:
    excess = (2 * it.p - 1) * _ALMOST
    return kit.within(it.wrong, bound(it.learner, it.n, excess, it.mistaken), ceiling=1)


_PROMISE = "corollary-2.promise"
TRIALS.add(_PROMISE, "two constants on one point", _on_one_point, _flipped, _bound, _a_thirtieth)

# What is seen on D, and beyond


class Carried(NamedTuple):
    """What the sets are, how many, N', how many fresh points may be in a set, and its mass."""

    kind: str
    sets: int
    fresh: int
    most: int
    mass: Fraction

    @property
    def missed(self) -> Fraction:
        """How likely some set has no more fresh points than that."""
        _, sets, fresh, most, mass = self
        if sets == 1:
            seen = (comb(fresh, k) * mass**k * (1 - mass) ** (fresh - k) for k in range(most + 1))
            return sum(seen, F(0))
        # A block is empty; or, of the spacings of uniform points, one is larger (Whitworth).
        regions = sets or fresh + 1
        return -sum(
            ((-1) ** j * comb(regions, j) * (1 - j * mass) ** fresh for j in range(1, regions + 1)
             if j * mass < 1),
            F(0),
        )  # fmt: skip


@kit.universe(
    "1, 2 and 4 disjoint sets, and all intervals between uniform points, 8 to 2000 fresh points: "
    "how likely one of that mass has too few, exactly"
)
def _carried(budget: kit.Budget) -> Iterator[Carried]:
    for fresh in budget.pick((8, 30), (8, 30, 100), (8, 30, 100, 400)):
        for sets, mass in ((1, _QUARTER), (2, _HALF), (4, _QUARTER)):
            for most in (0, 1, 3) if sets == 1 else (0,):
                yield Carried("blocks", sets, fresh, most, mass)
    for fresh, mass in ((400, _QUARTER), (1000, F(1, 8)), (2000, F(1, 16))):
        yield Carried("intervals", 0, fresh, 0, mass)


Transfer = Callable[[int, int, agnostic_accuracy.Richness, Fraction, Fraction], Interval]


def _transfer(
    size: int, resample: int, richness: agnostic_accuracy.Richness, on_D: Fraction, apart: Fraction
) -> Interval:
    return agnostic_accuracy.transfer_failure(size, resample, richness, on_D, apart)


def _as_many_again(
    size: int, resample: int, richness: agnostic_accuracy.Richness, on_D: Fraction, apart: Fraction
) -> Interval:
    """A wrong bound, which takes the drawn examples for fresh ones as well."""
    return agnostic_accuracy.transfer_failure(
        2 * size - resample, resample, richness, on_D / 2, apart
    )


def _carries_over(bound: Transfer, it: Carried) -> Comparison:
    """Half of D is drawn; what is allowed on D may all lie among the fresh ones."""
    rich = agnostic_accuracy.Richness(1, it.sets) if it.sets else agnostic_accuracy.Richness(2)
    on_D = F(it.most, 2 * it.fresh)
    allowed = bound(2 * it.fresh, it.fresh, rich, on_D, it.mass * _ALMOST)
    return kit.within(it.missed, Interval.exp(allowed), ceiling=1)


TRIALS.add(
    _PROMISE, "what is seen of a set on fresh points", _carries_over, _carried,
    _transfer, _as_many_again,
)  # fmt: skip

# The sizes


@kit.universe(
    "d = 1 and 2 (and 4), with and without a number of hypotheses: each condition of the proof"
)
def _promises(budget: kit.Budget) -> Iterator[blm.AgnosticPromise]:
    one, half = Epsilon(1), Epsilon(_HALF)
    yield blm.AgnosticPromise(1, 1, _QUARTER, _TENTH, one, _MILLIONTH, 2)
    yield blm.AgnosticPromise(1, 1, _QUARTER, _TENTH, one, _MILLIONTH)
    yield blm.AgnosticPromise(2, 1, _QUARTER, _TENTH, Epsilon(3), _MILLIONTH)
    if budget is not kit.Budget.QUICK:
        for d, alpha, beta in product((1, 2, 4), (F(1, 3), F(1, 50)), (_TENTH, _MILLIONTH)):
            yield blm.AgnosticPromise(d, 1, alpha, beta, half, _MILLIONTH)


def _alike(found: Interval, written: list[Interval]) -> bool:
    """Whether a bound is the best of those that are written, but for what it rounds."""
    best = min((bound.upper for bound in written), default=F(0))
    best = min(best, F(0))  # a probability is at most 1
    return abs(found.upper - best) <= abs(best) / 2**20


def _kept(promise: Callable[[blm.AgnosticPromise], int], asked: blm.AgnosticPromise) -> kit.Finding:
    """All conditions of the proof, written out: the ratio is enough, and the privacy is kept."""
    vc, count, alpha, beta = asked.vc_dimension, asked.hypotheses, asked.alpha, asked.beta
    M, N, a, r = asked.base, promise(asked), asked.excess, asked.decay
    m, log = M.sample_size, Interval.log
    fresh, seen = N - m, F(int(M.alpha * N), N - m)

    def patterns(points: int) -> Interval:
        most = sum(comb(points, i) for i in range(vc + 1))
        return log(2 * min(most, count or most))

    def entropy(mean: Fraction) -> Interval:
        return (log(seen / mean) * seen + log((1 - seen) / (1 - mean)) * (1 - seen)) * fresh

    choice, transfer = [], []
    if count is not None:
        steep = r * r * (1 + a) >= 1 - a
        rate = log(r * (1 + a) / 2 + (1 - a) / (2 * r)) if steep else log(1 - a * a) / 2
        choice.append((log(count - 1) if count > 2 else 0) + rate * N)
    for times in (1, 3, 7, 15, 31, 63):
        s, above = F(times, times + 1), a - Interval.sqrt(2 * log(2) / (times * N))
        x = min(above.lower * s, log(1 / r).lower / s)
        choice.append(patterns((times + 1) * N) + (x * x / 2 - above * x * s) * N)
        mean = F(int((alpha - a) * times * N) + int(M.alpha * N), fresh + times * N)
        if seen < mean:
            transfer.append(patterns((times + 1) * N) - entropy(mean))
    if count is not None and seen < alpha - a:
        transfer.append(log(count) - entropy(alpha - a))
    spent, rich, left = asked.guarantee, agnostic_accuracy.Richness(vc, count), log(beta / 32).upper
    again = blm.agnostic_promise(_CONSTANTS, alpha, beta, asked.epsilon, asked.delta)
    conditions = (
        _alike(agnostic_accuracy.choice_failure(N, rich, r, a), choice),
        _alike(agnostic_accuracy.transfer_failure(N, m, rich, M.alpha, alpha - a), transfer),
        M.beta + beta / 16 <= beta,
        any(bound.upper <= left for bound in choice),
        any(bound.upper <= left for bound in transfer),
        asked.sample_size >= N,
        spent.factor <= asked.epsilon.ratio,
        spent.delta <= asked.delta,
        count != len(_CONSTANTS) or again == asked,
    )
    return kit.settle(all(conditions), f"{asked!r}: D of {N} examples meets {conditions}")


TRIALS.add(
    _PROMISE, "the sizes as stated", _kept, _promises,
    lambda asked: asked.part_size, lambda asked: asked.part_size - asked.base.sample_size,
)  # fmt: skip
