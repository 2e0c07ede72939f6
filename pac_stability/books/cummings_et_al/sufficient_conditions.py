"""Robust generalization from privacy and from few outputs (Section 3.2)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any, TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.cummings_et_al import _written
from pac_stability.books.cummings_et_al._deviations import deviates_seldom
from pac_stability.books.cummings_et_al._settings import MechanismSetting, settings
from pac_stability.claims.instances import random_mechanisms
from pac_stability.claims.trials import Budget, Finding, Trials, kept_counterexample, trial
from pac_stability.data import FiniteDistribution, neighbouring_multisets
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.notions import differential_privacy
from pac_stability.notions.robust_generalization import optimal_adversary
from pac_stability.notions.split_reading import split_bounds
from pac_stability.papers import counterexamples
from pac_stability.papers.cummings_et_al.implications import (
    finite_range_deviation,
    private_to_robust,
)

# Theorem 20.

Private: TypeAlias = Callable[[PrivacyGuarantee, int, Fraction], Fraction]
"""From the guarantee, n and the probability of failure to the deviation."""


def _private_settings(budget: Budget) -> Iterator[MechanismSetting]:
    failures = tuple(Fraction(d) for d in ("2/3", "4/5", "9/10"))
    count = budget.pick(40, 300, 3000)
    mechanisms = random_mechanisms(count, elements=3, most=3, weights=(4, 6), seed="private")
    yield from settings(mechanisms, failures)
    larger = random_mechanisms(4, elements=3, most=budget.pick(6, 8, 9), weights=(20, 24))
    yield from settings(larger, failures)


def _private_is_robust(deviation: Private, setting: MechanismSetting) -> Finding:
    mechanism, allowed = setting.mechanism, setting.first
    pairs = neighbouring_multisets(range(mechanism.elements), mechanism.n)
    factor = Fraction(differential_privacy.minimal_epsilon(mechanism.law, pairs))
    guarantee = PrivacyGuarantee(Epsilon.exactly(factor))
    return deviates_seldom(
        lambda epsilon: optimal_adversary(mechanism.law, setting.types, epsilon).failure,
        deviation(guarantee, mechanism.n, allowed),
        allowed,
        f"{setting}, private with the factor {factor}",
    )


def _proved(guarantee: PrivacyGuarantee, n: int, failure: Fraction) -> Fraction:
    return private_to_robust(guarantee, n, failure).epsilon


def _without_sampling_error(guarantee: PrivacyGuarantee, n: int, failure: Fraction) -> Fraction:
    return guarantee.epsilon.interval().upper / 4


# Theorem 21.


@dataclass(frozen=True, slots=True)
class FewOutputs:
    """A deterministic mechanism with few outputs, on samples of points.

    Attributes
    ----------
    name
        What it does.
    output
        From the sample to the output.
    source
        D.
    n
        The size of the samples.
    outputs
        How many outputs it has.
    beta
        The probability of failure that is allowed.
    """

    name: str
    output: Callable[[tuple[Hashable, ...]], int]
    source: FiniteDistribution[Hashable]
    n: int
    outputs: int
    beta: Fraction

    def law(self, sample: tuple[Hashable, ...]) -> FiniteDistribution[int]:
        """Return the law of the output."""
        return FiniteDistribution.point_mass(self.output(sample))

    def __str__(self) -> str:
        return f"{self.name}, D = {self.source}, n = {self.n}, beta = {self.beta}"


def _nothing(_: tuple[Hashable, ...]) -> int:
    return 0


def _constant_bit(sample: tuple[Hashable, ...]) -> int:
    """Say which of two bits is constant: the second if the first is not."""
    return int(len({z[0] for z in sample if isinstance(z, tuple)}) > 1)


def _random_outputs(seed: str, outputs: int) -> Callable[[tuple[Hashable, ...]], int]:
    def output(sample: tuple[Hashable, ...]) -> int:
        return Random(f"{seed}/{sorted(map(str, sample))}").randrange(outputs)

    return output


def _of_the_catalogue() -> FewOutputs:
    """Return what the counterexample to the printed bound is about."""
    about: Any = counterexamples.read("CLNRW16:theorem-21")["instance"]
    source = FiniteDistribution({z: Fraction(p) for z, p in about["distribution"]})
    return FewOutputs("no output", _nothing, source, about["n"], 1, Fraction(about["delta"]))


def _few_outputs(budget: Budget) -> Iterator[FewOutputs]:
    coin: FiniteDistribution[Hashable] = FiniteDistribution.uniform([0, 1])
    bits: FiniteDistribution[Hashable] = FiniteDistribution.uniform(list(product((0, 1), repeat=2)))
    # exp(-1/(2n)) is 0.607, 0.847, 0.905 for n = 1, 3, 5; 2/e = 0.736
    known = ((3, "17/20"), (5, "91/100"), (3, "6/25"))
    grid = product(range(1, 6), ("1/100", "1/10", "1/2", "4/5", "19/20"))
    yield _of_the_catalogue()
    for n, beta in known:
        yield FewOutputs("no output", _nothing, coin, n, 1, Fraction(beta))
    yield FewOutputs("the constant bit", _constant_bit, bits, 2, 2, Fraction(37, 50))
    for n, beta in grid:
        yield FewOutputs("no output", _nothing, coin, n, 1, Fraction(beta))
    for index in range(budget.pick(12, 100, 1000)):
        n, outputs = 1 + index % 3, 2 + index % 2
        allowed = Fraction(("1/10", "1/2", "3/4", "9/10")[index % 4])
        output = _random_outputs(str(index), outputs)
        yield FewOutputs(f"random outputs {index}", output, bits, n, outputs, allowed)


Deviation: TypeAlias = Callable[[FewOutputs], Interval]


def _few_is_robust(deviation: Deviation, few: FewOutputs) -> Finding:
    samples = few.source.power(few.n)
    return deviates_seldom(
        lambda epsilon: optimal_adversary(few.law, samples, epsilon).failure,
        deviation(few),
        few.beta,
        few,
    )


def _few_is_split_robust(deviation: Deviation, few: FewOutputs) -> Finding:
    samples = few.source.power(few.n)
    return deviates_seldom(
        lambda epsilon: split_bounds(few.law, samples, epsilon, mixed=2).lower,
        deviation(few),
        few.beta,
        f"in the split reading, {few}",
    )


def _printed_range(few: FewOutputs) -> Interval:
    return finite_range_deviation(few.outputs, few.n, few.beta, constants="paper")


def _repaired_range(few: FewOutputs) -> Interval:
    return finite_range_deviation(few.outputs, few.n, few.beta)


def _split_range(few: FewOutputs) -> Interval:
    return finite_range_deviation(few.outputs, few.n, few.beta, reading="split")


TRIALS: Trials = {
    "CLNRW16:theorem-20.explicit": (
        trial(
            "the best adversary",
            _private_is_robust,
            _private_settings,
            subject=_proved,
            mutant=_without_sampling_error,
            universe="random mechanisms with two outputs on three elements, n <= 6, each with "
            "its least epsilon",
        ),
        _written.THEOREM_20,
        _written.QUOTED_20,
    ),
    "CLNRW16:theorem-21": (
        trial(
            "the best adversary",
            _few_is_robust,
            _few_outputs,
            subject=_printed_range,
            universe="no output and a coin, the constant one of two bits, random outputs",
        ),
        kept_counterexample("CLNRW16:theorem-21"),
    ),
    "CLNRW16:theorem-21.repaired": (
        trial(
            "the best adversary",
            _few_is_robust,
            _few_outputs,
            subject=_repaired_range,
            mutant=_printed_range,
            universe="no output and a coin, the constant one of two bits, random outputs",
        ),
        trial(
            "adversaries that toss coins",
            _few_is_split_robust,
            _few_outputs,
            subject=_split_range,
            mutant=_printed_range,
            universe="the same, the worst mixture of tests found, in the split reading",
        ),
        _written.THEOREM_21,
    ),
}
