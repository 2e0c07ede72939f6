"""From perfect generalization to privacy, by resampling (Section 4.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain, permutations, product
from math import factorial
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.cummings_et_al import _written
from pac_stability.claims.instances import TabledMechanism, random_mechanisms, telling, telling_one
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    at_most,
    fails,
    holds,
    settle,
    trial,
)
from pac_stability.data import (
    FiniteDistribution,
    FromLaw,
    Mechanism,
    Multiset,
    multiset_distribution,
    multisets,
    neighbouring_multisets,
)
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.notions import closeness
from pac_stability.notions.perfect_generalization import minimal_epsilon
from pac_stability.papers.cummings_et_al import (
    ResamplingCompiler,
    ResamplingPipeline,
    ResamplingPrivacy,
    resampling_pipeline,
    untouched,
)

Ints: TypeAlias = tuple[int, ...]
Law: TypeAlias = FiniteDistribution[int]
Compiler: TypeAlias = Callable[[Mechanism[Ints, int]], Mechanism[Ints, int]]


def _drawn_again(mechanism: TabledMechanism, sample: Ints) -> Law:
    """Draw an index n times, as Algorithm 2 says."""
    n = len(sample)
    return FiniteDistribution.mixture(
        (Fraction(1, n**n), mechanism.law_of(tuple(sample[i] for i in chosen)))
        for chosen in product(range(n), repeat=n)
    )


def _mechanisms(budget: Budget) -> Iterator[TabledMechanism]:
    count = budget.pick(12, 100, 1000)
    yield from random_mechanisms(count, outcomes=3, seed="compiled")
    yield from random_mechanisms(count, elements=3, outcomes=3, seed="compiled")


def _compiles(compiler: Compiler, mechanism: TabledMechanism) -> Finding:
    made = compiler(FromLaw(mechanism.law_of))
    for sample in product(range(mechanism.elements), repeat=mechanism.n):
        found, written = made.law(sample), _drawn_again(mechanism, sample)
        if found != written:
            return fails(f"{mechanism} on {sample}: {found}, by all draws {written}")
    return holds()


def _with_replacement(mechanism: Mechanism[Ints, int]) -> Mechanism[Ints, int]:
    return ResamplingCompiler(mechanism)


def _without_replacement(mechanism: Mechanism[Ints, int]) -> Mechanism[Ints, int]:
    def law(sample: Ints) -> Law:
        return FiniteDistribution.uniform(permutations(range(len(sample)))).bind(
            lambda order: mechanism.law(tuple(sample[i] for i in order))
        )

    return FromLaw(law)


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
        pairs = neighbouring_multisets(range(m), n) if self.halfway else ()
        both = (Multiset.of((*s.elements(), *other.elements())) for s, other in pairs)
        largest: Fraction | float = Fraction(1)
        for kind in dict.fromkeys(chain(multisets(range(m), n), both)):
            size = len(kind)
            source = FiniteDistribution({x: Fraction(c, size) for x, c in kind.items()})
            types = multiset_distribution(source, n)
            found = minimal_epsilon(self.mechanism.law, types, self.beta, self.delta)
            largest = max(largest, found.upper)
        return largest

    def private_delta(self, factor: Fraction) -> Fraction:
        """Return the least delta with which Algorithm 2 is private."""
        m, n = self.mechanism.elements, self.mechanism.n
        laws = {
            kind: _drawn_again(self.mechanism, kind.elements()) for kind in multisets(range(m), n)
        }
        return max(
            closeness.hockey_stick_at(laws[kind], laws[other], factor)
            for kind, other in neighbouring_multisets(range(m), n)
        )


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
    betas: tuple[str, ...], *, halfway: bool, least: int, share: int = 1
) -> Callable[[Budget], Iterator[Compiled]]:
    def instances(budget: Budget) -> Iterator[Compiled]:
        count = budget.pick(30, 150, 1500) // share
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
        if share == 1:
            yield from _tight(max(map(Fraction, betas)), halfway)

    return instances


Pipeline: TypeAlias = Callable[[Compiled], ResamplingPipeline[int, int]]


def _found_alike(pipeline: Pipeline, compiled: Compiled) -> Finding:
    found = pipeline(compiled)
    factor, delta = compiled.factor, compiled.private_delta(Fraction(2))
    resampled = found.private_delta(Epsilon.exactly(2))
    return settle(
        found.upper == factor and resampled == delta,
        f"{compiled.mechanism}, beta = {compiled.beta}, delta = {compiled.delta}: the pipeline "
        f"finds the factor {found.upper} and the delta {resampled}, by the definitions {factor} "
        f"and {delta}",
    )


def _whole_pipeline(compiled: Compiled) -> ResamplingPipeline[int, int]:
    mechanism = compiled.mechanism
    return resampling_pipeline(
        mechanism.law_of,
        range(mechanism.elements),
        mechanism.n,
        compiled.beta,
        compiled.delta,
        symmetric=True,
        halfway=compiled.halfway,
    )


def _lavish_pipeline(compiled: Compiled) -> ResamplingPipeline[int, int]:
    """Allow twice the beta, and a tenth more."""
    return _whole_pipeline(replace(compiled, beta=2 * compiled.beta + Fraction(1, 10)))


Stated: TypeAlias = Callable[[int, Fraction, Fraction, Fraction], tuple[Fraction, Fraction]]
"""From n, beta, the factor and delta to the factor and the delta of privacy."""


def _privacy(stated: Stated, compiled: Compiled) -> Finding:
    t = Fraction(compiled.factor)
    factor, allowed = stated(compiled.mechanism.n, compiled.beta, t, compiled.delta)
    found = compiled.private_delta(factor)
    return at_most(
        found,
        allowed,
        f"{compiled.mechanism}, beta = {compiled.beta}, delta = {compiled.delta}, perfect with the "
        f"factor {t}: with the factor {factor} the resampled one needs {found}, {allowed} stated",
    )


def _printed(n: int, beta: Fraction, t: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    return _guarantee(ResamplingPrivacy(n, beta, Epsilon.exactly(t), delta, "paper").guarantee)


def _links(n: int, beta: Fraction, t: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    return _guarantee(ResamplingPrivacy(n, beta, Epsilon.exactly(t), delta).guarantee)


def _halfway(n: int, beta: Fraction, t: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    return _guarantee(ResamplingPrivacy(n, beta, Epsilon.exactly(t), delta, "halfway").guarantee)


def _guarantee(guarantee: PrivacyGuarantee) -> tuple[Fraction, Fraction]:
    return guarantee.factor, guarantee.delta


def _one_link(
    n: int,
    beta: Fraction,
    t: Fraction,
    delta: Fraction,
) -> tuple[Fraction, Fraction]:
    return t, delta


def _overlap(n: int) -> Fraction:
    """Return the common mass of E_S^n and E_S'^n for samples of distinct elements."""
    one = FiniteDistribution.uniform(range(n)).power(n)
    other = FiniteDistribution.uniform(range(1, n + 1)).power(n)
    return sum((min(p, other.probability(T)) for T, p in one.items()), Fraction(0))


def _sizes(first: int) -> Callable[[Budget], Iterator[int]]:
    def instances(budget: Budget) -> Iterator[int]:
        yield from range(first, budget.pick(4, 5, 6) + 1)

    return instances


def _just_below_its_limit() -> Interval:
    return Interval.exp(-1) * Fraction(99, 100)


def _enough_in_common(twice_beta: Fraction | Interval, n: int) -> Finding:
    common = _overlap(n)
    text = (
        f"n = {n}: resamples of neighbours have {common} in common, and 2 beta may be "
        f"{float(twice_beta):.4f}"
    )
    return at_most(twice_beta, common, text) if common == untouched(n) else fails(text)


COMPILED = (
    "random mechanisms with two outputs on two and three elements, n <= 3, each with its least "
    "epsilon; then mechanisms that tell the sample with chance delta, and one that tells if it has "
    "{} elements once"
)


TRIALS: Trials = {
    "CLNRW16:algorithm-2": (
        trial(
            "all draws of indices",
            _compiles,
            _mechanisms,
            subject=_with_replacement,
            mutant=_without_replacement,
            universe="random mechanisms on two and three elements, n up to 3, all samples",
        ),
    ),
    "CLNRW16:theorem-32.small-beta": (
        trial(
            "the printed numbers",
            _privacy,
            _compiled(("0", "1/10", "3/25"), halfway=True, least=1),
            subject=_printed,
            mutant=_one_link,
            universe=COMPILED.format("four"),
        ),
        trial(
            "the premise and the law, decided by the library",
            _found_alike,
            _compiled(("0", "1/10", "9/50"), halfway=True, least=2, share=3),
            subject=_whole_pipeline,
            mutant=_lavish_pipeline,
            universe="a third as many, from n = 2 on",
        ),
        _written.THEOREM_32,
    ),
    "CLNRW16:theorem-32.six-links": (
        trial(
            "six links",
            _privacy,
            _compiled(("9/50", "1/5", "6/25"), halfway=True, least=1),
            subject=_links,
            mutant=_one_link,
            universe=COMPILED.format("three or four"),
        ),
        trial(
            "simulators halfway",
            _privacy,
            _compiled(("9/50", "1/5", "6/25"), halfway=True, least=1),
            subject=_halfway,
            mutant=_one_link,
            universe="the same, with simulators between two neighbouring empirical distributions",
        ),
        _written.SIX_LINKS,
    ),
    "CLNRW16:theorem-32.proof": (
        trial(
            "common resamples",
            lambda bound, n: _enough_in_common(bound(), n),
            _sizes(1),
            subject=_just_below_its_limit,
            universe="samples of distinct elements, sizes from 1 on, 2 beta = 0.99/e",
        ),
    ),
    "CLNRW16:theorem-32.repaired": (
        trial(
            "four links",
            _privacy,
            _compiled(("0", "1/20", "3/25"), halfway=False, least=2),
            subject=_links,
            mutant=_one_link,
            universe=COMPILED.format("four"),
        ),
        trial(
            "common resamples",
            _enough_in_common,
            _sizes(2),
            subject=Fraction(1, 4),
            mutant=Fraction(1, 3),
            universe="samples of distinct elements, sizes from 2 on",
        ),
    ),
}
