"""Learners that see a sample drawn anew from their own (Section 4.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import chain, permutations, product
from math import comb, factorial
from typing import NamedTuple, TypeAlias

from pac_stability import data
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.audit import Verdict
from pac_stability.claims import kit
from pac_stability.claims.instances import (
    TabledMechanism,
    all_classes,
    random_mechanisms,
    telling,
    telling_one,
)
from pac_stability.claims.kit import at_most, holds
from pac_stability.classes import FiniteClass
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.notions import closeness
from pac_stability.notions.perfect_generalization import minimal_epsilon
from pac_stability.papers import cummings_et_al as clnrw

TRIALS = kit.Table("CLNRW16")

Ints: TypeAlias = tuple[int, ...]
Law: TypeAlias = data.FiniteDistribution[int]
Compiler: TypeAlias = Callable[[data.Mechanism[Ints, int]], data.Mechanism[Ints, int]]


def _drawn_again(mechanism: TabledMechanism, sample: Ints) -> Law:
    """Draw an index n times, as Algorithm 2 says."""
    n = len(sample)
    return data.FiniteDistribution.mixture(
        (Fraction(1, n**n), mechanism.law_of(tuple(sample[i] for i in chosen)))
        for chosen in product(range(n), repeat=n)
    )


@kit.universe("random mechanisms on two and three elements, n up to 3, all samples")
def _mechanisms(budget: kit.Budget) -> Iterator[TabledMechanism]:
    count = budget.pick(12, 100, 1000)
    yield from random_mechanisms(count, outcomes=3, seed="compiled")
    yield from random_mechanisms(count, elements=3, outcomes=3, seed="compiled")


def _compiles(compiler: Compiler, mechanism: TabledMechanism) -> kit.Finding:
    made = compiler(data.FromLaw(mechanism.law_of))
    for sample in product(range(mechanism.elements), repeat=mechanism.n):
        found, written = made.law(sample), _drawn_again(mechanism, sample)
        if found != written:
            return kit.fails(f"{mechanism} on {sample}: {found}, by all draws {written}")
    return holds()


def _without_replacement(mechanism: data.Mechanism[Ints, int]) -> data.Mechanism[Ints, int]:
    def law(sample: Ints) -> Law:
        return data.FiniteDistribution.uniform(permutations(range(len(sample)))).bind(
            lambda order: mechanism.law(tuple(sample[i] for i in order))
        )

    return data.FromLaw(law)


TRIALS.add(
    "algorithm-2", "all draws of indices", _compiles, _mechanisms, clnrw.ResamplingCompiler,
    _without_replacement
)  # fmt: skip


# Theorem 32.


@dataclass(frozen=True)
class Compiled:
    """A mechanism that generalizes perfectly on the distributions that the proof uses.

    Attributes
    ----------
    mechanism
        M.
    beta, delta
        Two of its parameters.
    halfway
        Whether the distributions halfway between two neighbouring empirical ones are among them.
    """

    mechanism: TabledMechanism
    beta: Fraction
    delta: Fraction
    halfway: bool

    @cached_property
    def factor(self) -> Fraction | float:
        """The least factor with which M is perfectly generalizing on these distributions."""
        m, n = self.mechanism.elements, self.mechanism.n
        pairs = data.neighbouring_multisets(range(m), n) if self.halfway else ()
        both = (data.Multiset.of((*s.elements(), *other.elements())) for s, other in pairs)
        largest: Fraction | float = Fraction(1)
        for kind in dict.fromkeys(chain(data.multisets(range(m), n), both)):
            size = len(kind)
            source = data.FiniteDistribution({x: Fraction(c, size) for x, c in kind.items()})
            types = data.multiset_distribution(source, n)
            found = minimal_epsilon(self.mechanism.law, types, self.beta, self.delta)
            largest = max(largest, found.upper)
        return largest

    def private_delta(self, factor: Fraction) -> Fraction:
        """Return the least delta with which Algorithm 2 is private."""
        neighbours = data.neighbouring_multisets(range(self.mechanism.elements), self.mechanism.n)
        return max(
            closeness.hockey_stick_at(self._laws[kind], self._laws[other], factor)
            for kind, other in neighbours
        )

    @cached_property
    def _laws(self) -> dict[data.Multiset[int], Law]:
        """The law of the output of Algorithm 2 on each sample."""
        kinds = data.multisets(range(self.mechanism.elements), self.mechanism.n)
        return {kind: _drawn_again(self.mechanism, kind.elements()) for kind in kinds}


def _tight(beta: Fraction, halfway: bool) -> Iterator[Compiled]:
    """Give mechanisms all of whose beta, or all of whose delta, the resampled one needs."""
    # Resampling makes the sample with one of each of n elements with probability n!/n**n.
    for n in (3, 4):
        often = Fraction(factorial(n), n**n)
        if often <= beta:
            yield Compiled(telling_one(n, n), often, Fraction(0), halfway)
    for elements, n, delta in product((2, 3), (2, 3), (Fraction(1, 8), Fraction(1, 40))):
        yield Compiled(telling(elements, n, delta), Fraction(0), delta, halfway)


def _compiled(
    betas: tuple[str, ...], *, halfway: bool, least: int
) -> Callable[[kit.Budget], Iterator[Compiled]]:
    def instances(budget: kit.Budget) -> Iterator[Compiled]:
        count = budget.pick(30, 150, 1500)
        mild = random_mechanisms(count, weights=(3, 9), seed="mild")
        rare = random_mechanisms(count // 3, weights=(0, 30), seed="rare")
        wide = random_mechanisms(count // 3, elements=3, most=2, weights=(2, 5), seed="wide")
        for index, mechanism in enumerate(chain(mild, rare, wide)):
            if mechanism.n >= least:
                beta = Fraction(betas[index % len(betas)])
                delta = Fraction(("0", "1/20", "1/8")[index // 3 % 3])
                compiled = Compiled(mechanism, beta, delta, halfway)
                if compiled.factor <= 2:  # epsilon <= ln 2
                    yield compiled
        yield from _tight(max(map(Fraction, betas)), halfway)

    @cache  # several statements are asked about the same ones, and their factors take longest
    def listed(budget: kit.Budget) -> tuple[Compiled, ...]:
        return tuple(instances(budget))

    return lambda budget: iter(listed(budget))


COMPILED = (
    "random mechanisms with two outputs on two and three elements, n <= 3, each with its least "
    "epsilon; then mechanisms that tell the sample with chance delta, and one that tells if it has "
    "{} elements once"
)


_FOUR_LINKS = kit.Universe(
    COMPILED.format("four"), _compiled(("0", "1/10", "3/25"), halfway=True, least=1)
)


_six_links = _compiled(("9/50", "1/5", "6/25"), halfway=True, least=1)
_SIX_LINKS = kit.Universe(COMPILED.format("three or four"), _six_links)


_NOT_HALFWAY = kit.Universe(
    COMPILED.format("four"), _compiled(("0", "1/20", "3/25"), halfway=False, least=2)
)


_HALFWAY = kit.Universe(
    "the same, with simulators between two neighbouring empirical distributions", _six_links
)


Stated: TypeAlias = Callable[[int, Fraction, Fraction, Fraction], tuple[Fraction, Fraction]]
"""From n, beta, the factor and delta to the factor and the delta of privacy."""


def _privacy(stated: Stated, compiled: Compiled) -> kit.Comparison:
    t = Fraction(compiled.factor)
    factor, allowed = stated(compiled.mechanism.n, compiled.beta, t, compiled.delta)
    return kit.within(compiled.private_delta(factor), allowed)


def _printed(n: int, beta: Fraction, t: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    return _guarantee(
        clnrw.ResamplingPrivacy(n, beta, Epsilon.exactly(t), delta, "paper").guarantee
    )


def _links(n: int, beta: Fraction, t: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    return _guarantee(clnrw.ResamplingPrivacy(n, beta, Epsilon.exactly(t), delta).guarantee)


def _halfway(n: int, beta: Fraction, t: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    return _guarantee(
        clnrw.ResamplingPrivacy(n, beta, Epsilon.exactly(t), delta, "halfway").guarantee
    )


def _guarantee(guarantee: PrivacyGuarantee) -> tuple[Fraction, Fraction]:
    return guarantee.factor, guarantee.delta


def _one_link(n: int, beta: Fraction, t: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    return t, delta


TRIALS.add(
    "theorem-32.small-beta", "the printed numbers", _privacy, _FOUR_LINKS, _printed, _one_link
)
TRIALS.add("theorem-32.six-links", "six links", _privacy, _SIX_LINKS, _links, _one_link)
TRIALS.add("theorem-32.repaired", "four links", _privacy, _NOT_HALFWAY, _links, _one_link)
TRIALS.add("theorem-32.six-links", "simulators halfway", _privacy, _HALFWAY, _halfway, _one_link)


def _overlap(n: int) -> Fraction:
    """Return the common mass of E_S^n and E_S'^n for samples of distinct elements."""
    one = data.FiniteDistribution.uniform(range(n)).power(n)
    other = data.FiniteDistribution.uniform(range(1, n + 1)).power(n)
    return sum((min(p, other.probability(T)) for T, p in one.items()), Fraction(0))


def _sizes(first: int) -> Callable[[kit.Budget], Iterator[int]]:
    def instances(budget: kit.Budget) -> Iterator[int]:
        yield from range(first, budget.pick(4, 5, 6) + 1)

    return instances


_SIZES_2 = kit.Universe("samples of distinct elements, sizes from 2 on", _sizes(2))


def _just_below_its_limit() -> Interval:
    return Interval.exp(-1) * Fraction(99, 100)


def _enough_in_common(twice_beta: Fraction | Interval, n: int) -> kit.Finding:
    common = _overlap(n)
    text = (
        f"n = {n}: resamples of neighbours have {common} in common, and 2 beta may be "
        f"{float(twice_beta):.4f}"
    )
    return at_most(twice_beta, common, text) if common == clnrw.untouched(n) else kit.fails(text)


@kit.universe("samples of distinct elements of all sizes from 1 on, 2 beta = 0.99/e")
def _every_size(budget: kit.Budget) -> Iterator[range]:
    yield range(1, budget.pick(4, 5, 6) + 1)


def _never_enough(limit: Callable[[], Interval], sizes: range) -> kit.Finding:
    twice_beta = limit()
    if any(_enough_in_common(twice_beta, n).verdict is not Verdict.REFUTED for n in sizes):
        return kit.settle(True, "")
    found = ", ".join(str(_overlap(n)) for n in sizes)
    return kit.fails(
        f"n = 1, ..., {sizes[-1]}: resamples of neighbours have {found} in common, which is (1 - "
        f"1/n)^n, below 1/e = 0.3679 for every n; 2 beta may be {float(twice_beta):.4f}"
    )


TRIALS.add(
    "theorem-32.proof", "common resamples", _never_enough, _every_size, _just_below_its_limit
)
TRIALS.add(
    "theorem-32.repaired", "common resamples", _enough_in_common, _SIZES_2, Fraction(1, 4),
    Fraction(1, 3)
)  # fmt: skip


# Theorems 33 and 34.


@dataclass(frozen=True, slots=True)
class Vote:
    """The majority of n labels as a learner for the two constants, and gamma."""

    n: int
    gamma: Fraction

    def wrong(self, ones: Fraction) -> Fraction:
        """Return how often it errs for labels that are 1 with such a probability above 1/2."""
        n = self.n
        rest = (comb(n, k) * ones**k * (1 - ones) ** (n - k) for k in range(n // 2 + 1))
        return sum(rest, Fraction(0))

    @property
    def alpha(self) -> Fraction:
        """The least excess that it keeps to, with probability 1 - gamma, on samples."""
        n = self.n
        far = [Fraction(k, n) for k in range(n // 2 + 1, n + 1)]
        far += [Fraction(k, n) for k in range((n + 1) // 2)]
        missed = [
            abs(2 * q - 1)
            for q in far
            if (self.wrong(q) if 2 * q > 1 else 1 - self.wrong(q)) > self.gamma
        ]
        return max(missed, default=Fraction(1, 1000))

    def resampled(self, p: Fraction) -> Fraction:
        """Return how often Algorithm 2 over it errs, for p > 1/2."""
        n = self.n
        return sum(
            (
                comb(n, k) * p**k * (1 - p) ** (n - k) * self.wrong(Fraction(k, n))
                for k in range(n + 1)
            ),
            Fraction(0),
        )


@kit.universe("15 and 31 labels, three gammas, Pr[label 1] in hundredths")
def _votes(budget: kit.Budget) -> Iterator[Vote]:
    for n in budget.pick((15, 31), (15, 31, 51), (15, 31, 51, 101)):
        for gamma in ("1/20", "1/10", "1/5"):
            yield Vote(n, Fraction(gamma))


Accuracy: TypeAlias = Callable[[Vote], tuple[Interval, Fraction]]


def _stays_accurate(stated: Accuracy, vote: Vote) -> Iterator[kit.Comparison]:
    excess, allowed = stated(vote)

    chances = (Fraction(i, 100) for i in range(51, 100, 2))
    return (
        kit.within(vote.resampled(p), allowed, ceiling=1) for p in chances if excess < 2 * p - 1
    )


def _finite_accuracy(vote: Vote) -> tuple[Interval, Fraction]:
    found = clnrw.ResamplingAccuracy(vote.n, 2, vote.alpha, vote.gamma)
    return found.excess(), found.failure


def _same_accuracy(vote: Vote) -> tuple[Interval, Fraction]:
    return Interval.exactly(vote.alpha), vote.gamma


TRIALS.add(
    "theorem-33.finite", "majority of labels", _stays_accurate, _votes, _finite_accuracy,
    _same_accuracy
)  # fmt: skip


class Sampled(NamedTuple):
    """A class, weights of the examples, the size of samples, and gamma."""

    H: FiniteClass
    weights: tuple[int, ...]
    n: int
    gamma: Fraction


@kit.universe(
    "every class on one or two points, n = 2 and 5; uniform examples, uneven ones, and such as a "
    "hypothesis fits"
)
def _sampled(budget: kit.Budget) -> Iterator[Sampled]:
    kinds = [H for m in (1, 2) for H in all_classes(m)]
    for H, n in product(kinds, budget.pick((2, 5), (2, 5, 8), (2, 5, 8, 12))):
        examples = data.all_examples(H.domain)
        fitted = tuple(int(next(iter(H))(z.point) == z.label) for z in examples)
        laws = [(1,) * len(examples), tuple(range(1, len(examples) + 1)), fitted]
        for weights, gamma in product(laws, ("1/10", "1/2")):
            yield Sampled(H, weights, n, Fraction(gamma))


Deviation: TypeAlias = Callable[[int, int, Fraction], Interval]


def _uniform(deviation: Deviation, sampled: Sampled) -> kit.Comparison:
    H, weights, n, gamma = sampled
    examples = data.all_examples(H.domain)
    allowed, total = deviation(len(H), n, gamma).lower, sum(weights)
    shares = zip(examples, weights, strict=True)
    source = data.FiniteDistribution({z: Fraction(w, total) for z, w in shares if w})
    errors = [[int(h(z.point) != z.label) for z in examples] for h in H]
    means = [
        Fraction(sum(e * w for e, w in zip(row, weights, strict=True)), total) for row in errors
    ]
    missed = Fraction(0)
    for kind, weight in data.multiset_distribution(source, n).items():
        counts = [kind.count(z) for z in examples]
        gaps = (
            abs(Fraction(sum(e * c for e, c in zip(row, counts, strict=True)), n) - mean)
            for row, mean in zip(errors, means, strict=True)
        )
        if max(gaps) > allowed:
            missed += weight
    return kit.within(missed, gamma)


def _for_all(size: int, n: int, gamma: Fraction) -> Interval:
    return clnrw.UniformConvergence(size, gamma).deviation(n)


def _without_class(size: int, n: int, gamma: Fraction) -> Interval:
    return Interval.sqrt(Interval.log(1 / gamma) / (4 * n))


TRIALS.add(
    "theorem-34.finite", "examples of three laws", _uniform, _sampled, _for_all, _without_class
)


# Theorem 35.


@kit.universe("sample sizes from 2 on, the largest delta and beta")
def _up_to(budget: kit.Budget) -> Iterator[int]:
    yield from range(2, budget.pick(50, 500, 5000))


Condition: TypeAlias = Callable[[int], clnrw.ThresholdSideCondition]


def _affordable(condition: Condition, n: int) -> kit.Finding:
    found, needed = condition(n), Fraction(1, 1500 * n * n)
    reached = found.reached()
    text = (
        f"n = {n}, delta = beta = {found.allowed}: privacy with delta up to {float(reached):.3e}, "
        f"and Theorem 22 is for at most {float(needed):.3e}"
    )
    same = found.allowed == Fraction(1, 10_000 * n * n)
    return at_most(reached, needed, text) if same else kit.fails(text)


def _as_stated(n: int) -> clnrw.ThresholdSideCondition:
    return clnrw.ThresholdSideCondition(n, "paper")


def _as_proved(n: int) -> clnrw.ThresholdSideCondition:
    return clnrw.ThresholdSideCondition(n, "sharp")


TRIALS.add("theorem-35.budget", "four links", _affordable, _up_to, _as_proved, _as_stated)
