"""Robust and perfect generalization from privacy and from few outputs (Sections 3.2 and 5.2)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any, NamedTuple, TypeAlias

from pac_stability import data
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.cummings_et_al.settings import (
    MechanismSetting,
    deviates_seldom,
    settings,
    steep_mechanisms,
)
from pac_stability.claims import kit
from pac_stability.claims.instances import TabledMechanism, counting, random_mechanisms, steep
from pac_stability.claims.kit import at_least, at_most, kept_counterexample
from pac_stability.data import FiniteDistribution
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.notions import closeness, differential_privacy
from pac_stability.notions.group_privacy import hamming_distance, simpler_delta
from pac_stability.notions.perfect_generalization import minimal_epsilon
from pac_stability.notions.robust_generalization import optimal_adversary
from pac_stability.notions.simulators import arithmetic_mean, coverage, geometric_mean
from pac_stability.notions.split_reading import split_bounds
from pac_stability.papers import counterexamples
from pac_stability.papers.cummings_et_al import implications
from pac_stability.papers.cummings_et_al.separations import NoisyMajority

TRIALS = kit.Table("CLNRW16")

# Theorem 20.

Private: TypeAlias = Callable[[PrivacyGuarantee, int, Fraction], Fraction]
"""From the guarantee, n and the probability of failure to the deviation."""


@kit.universe(
    "random mechanisms with two outputs on three elements, n <= 6, each with its least epsilon"
)
def _private_settings(budget: kit.Budget) -> Iterator[MechanismSetting]:
    failures = tuple(Fraction(d) for d in ("2/3", "4/5", "9/10"))
    count = budget.pick(40, 300, 3000)
    mechanisms = random_mechanisms(count, elements=3, most=3, weights=(4, 6), seed="private")
    yield from settings(mechanisms, failures)
    larger = random_mechanisms(4, elements=3, most=budget.pick(6, 8, 9), weights=(20, 24))
    yield from settings(larger, failures)


def _private_is_robust(deviation: Private, setting: MechanismSetting) -> kit.Finding:
    mechanism, allowed = setting.mechanism, setting.first
    pairs = data.neighbouring_multisets(range(mechanism.elements), mechanism.n)
    factor = Fraction(differential_privacy.minimal_epsilon(mechanism.law, pairs))
    guarantee = PrivacyGuarantee(Epsilon.exactly(factor))
    return deviates_seldom(
        lambda epsilon: optimal_adversary(mechanism.law, setting.types, epsilon).failure,
        deviation(guarantee, mechanism.n, allowed),
        allowed,
        f"{setting}, private with the factor {factor}",
    )


def _proved(guarantee: PrivacyGuarantee, n: int, failure: Fraction) -> Fraction:
    return implications.private_to_robust(guarantee, n, failure).epsilon


def _without_sampling_error(guarantee: PrivacyGuarantee, n: int, failure: Fraction) -> Fraction:
    return guarantee.epsilon.interval().upper / 4


TRIALS.add(
    "theorem-20.explicit", "the best adversary", _private_is_robust, _private_settings, _proved,
    _without_sampling_error
)  # fmt: skip


def _stated_deviation(factor: Fraction, n: int, J: Fraction) -> Interval:
    epsilon = Interval.log(factor)
    root = Interval.sqrt(Interval.log(1 / J)) + epsilon * Interval.sqrt(Fraction(n, 8))
    return Interval.sqrt((root * root + Interval.log(2)) / (2 * n))


def _pure(factor: Fraction) -> PrivacyGuarantee:
    return PrivacyGuarantee(Epsilon.exactly(factor))


TRIALS.states(
    "theorem-20.explicit",
    lambda factor, n, J: implications.pure_privacy_deviation(_pure(factor), n, J),
    _stated_deviation,
    (Fraction(3, 2), 10, Fraction(1, 100)), (Fraction(11, 10), 1000, Fraction(1, 3)),
)  # fmt: skip


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


def _few_outputs(budget: kit.Budget) -> Iterator[FewOutputs]:
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


_FEW = kit.Universe(
    "no output and a coin, the constant one of two bits, random outputs", _few_outputs
)


_FEW_SPLIT = kit.Universe(
    "the same, the worst mixture of tests found, in the split reading", _few_outputs
)


Deviation: TypeAlias = Callable[[FewOutputs], Interval]


def _few_is_robust(deviation: Deviation, few: FewOutputs) -> kit.Finding:
    samples = few.source.power(few.n)
    return deviates_seldom(
        lambda epsilon: optimal_adversary(few.law, samples, epsilon).failure,
        deviation(few),
        few.beta,
        few,
    )


def _few_is_split_robust(deviation: Deviation, few: FewOutputs) -> kit.Finding:
    samples = few.source.power(few.n)
    return deviates_seldom(
        lambda epsilon: split_bounds(few.law, samples, epsilon, mixed=2).lower,
        deviation(few),
        few.beta,
        f"in the split reading, {few}",
    )


def _printed_range(few: FewOutputs) -> Interval:
    return implications.finite_range_deviation(few.outputs, few.n, few.beta, constants="paper")


TRIALS.add("theorem-21", "the best adversary", _few_is_robust, _FEW, _printed_range)


def _repaired_range(few: FewOutputs) -> Interval:
    return implications.finite_range_deviation(few.outputs, few.n, few.beta)


TRIALS.add(
    "theorem-21.repaired", "the best adversary", _few_is_robust, _FEW, _repaired_range,
    _printed_range
)  # fmt: skip


def _split_range(few: FewOutputs) -> Interval:
    return implications.finite_range_deviation(few.outputs, few.n, few.beta, reading="split")


TRIALS.keeps("theorem-21", kept_counterexample("CLNRW16:theorem-21"))
TRIALS.add(
    "theorem-21.repaired", "adversaries that toss coins", _few_is_split_robust, _FEW_SPLIT,
    _split_range, _printed_range
)  # fmt: skip


# Where Theorem 21 holds as printed. The failure f(a) of one test does not grow with the deviation
# a, and neither does exp(-2na^2), which is beta/|R| for the printed a. So f(a) <= exp(-2nb^2)
# settles all deviations from a to b.

_DECIDES = {1: Fraction(1, 2), 2: Fraction(1, 2), 3: Fraction(1, 2), 4: Fraction(1, 4)}


@kit.universe("sizes from 1 on, all deviations")
def _sizes(budget: kit.Budget) -> Iterator[int]:
    yield from range(1, budget.pick(8, 12, 20) + 1)


def _decides(n: int) -> Fraction:
    """Return the deviation a for which q_n is exp(-2na^2): half a step for n from 5 on."""
    return _DECIDES.get(n, Fraction(1, 2 * n))


def _printed_holds(
    decides: Callable[[int], Fraction], n: int
) -> Iterator[kit.Comparison | kit.Finding]:
    reached = decides(n)
    above = Interval.exp(-2 * n * reached**2).upper + Fraction(1, 10**6)
    printed = implications.finite_range_deviation(1, n, above, constants="printed")
    found = implications.finite_range_failure(1, n, printed.upper)
    yield kit.settle(found > above, f"n = {n}, beta = {float(above):.6f}: holds there, too")
    least = Interval.exp(-2 * n).lower
    found = implications.finite_range_failure(1, n, reached)
    while found > least:
        yield kit.within(found, Interval.exp(-2 * n * reached**2))
        further = Interval.sqrt(-Interval.log(found) / (2 * n)).lower
        further = Fraction(int(further * 10**6), 10**6)
        if further <= reached:
            yield kit.undecided(f"n = {n}, by more than {reached} with probability {found}")
            return
        reached = further
        found = implications.finite_range_failure(1, n, reached)


TRIALS.add(
    "theorem-21.range", "the worst test", _printed_holds, _sizes, _decides,
    lambda n: _decides(n) / 2
)  # fmt: skip


BETAS = tuple(Fraction(b) for b in ("1/100", "1/10", "1/4"))

# Theorem 39.


def _noisy(n: int, root: Fraction) -> TabledMechanism:
    law = NoisyMajority(n, Epsilon.exactly(root)).law
    return TabledMechanism(2, n, {kind: law(kind) for kind in data.multisets([0, 1], n)})


@kit.universe(
    "random mechanisms with two and three outputs on up to three bits, noisy "
    "majorities of up to seven, three betas, delta = 1/1000"
)
def _private_mechanisms(budget: kit.Budget) -> Iterator[MechanismSetting]:
    count = budget.pick(24, 400, 4000)
    yield from settings(random_mechanisms(count, weights=(2, 7), seed="private"), BETAS)
    yield from settings(random_mechanisms(count, outcomes=3, weights=(2, 7), seed="3"), BETAS)
    for n in range(1, budget.pick(7, 14, 20) + 1):
        for root, beta in product(("3/2", "9/8"), BETAS):
            yield MechanismSetting(
                _noisy(n, Fraction(root)), FiniteDistribution.uniform([0, 1]), beta, Fraction(0)
            )


@kit.universe(
    "where group privacy gives less: random mechanisms with two and three "
    "outputs on up to 14 bits and eight of three elements, noisy majorities, and rare "
    "outputs that grow steadily with up to 40 bits"
)
def _beyond_groups(budget: kit.Budget) -> Iterator[MechanismSetting]:
    """Give settings in which what is stated is below what group privacy gives without it.

    That is so for n > 2 ln(2|R|/beta).
    """
    count = budget.pick(6, 60, 600)
    betas = tuple(Fraction(b) for b in ("1/10", "1/4", "1/2"))
    for outcomes, seed in ((2, "beyond"), (3, "beyond 3")):
        mild = random_mechanisms(
            count, most=14, least=9, outcomes=outcomes, weights=(20, 24), seed=seed
        )
        yield from settings(mild, betas if outcomes == 2 else betas[1:])
    three = random_mechanisms(count, elements=3, most=8, least=6, weights=(20, 24), seed="wide")
    yield from settings(three, betas[1:])
    fair, uneven = (FiniteDistribution({0: 1 - p, 1: p}) for p in (Fraction(1, 2), Fraction(1, 3)))
    for n in range(6, budget.pick(10, 16, 24) + 1):
        yield MechanismSetting(_noisy(n, Fraction(9, 8)), fair, Fraction(1, 4), Fraction(0))
    sizes = ((12, "1/10"), (16, "1/100"), (24, "1/1000"), (40, "1/1000000"), (80, "1/10000000000"))
    for n, beta in sizes[: budget.pick(4, 5, 5)]:
        for directions, source in product(("1", "10"), (fair, uneven)):
            mechanism = steep(n, Fraction(9, 8), directions)
            yield MechanismSetting(mechanism, source, Fraction(beta), Fraction(0))


Loss: TypeAlias = Callable[[Epsilon, int, Fraction, int], Interval]
"""From the epsilon of privacy, n, beta and the number of outputs to that of generalization."""


def _perfect(loss: Loss, setting: MechanismSetting) -> Iterator[kit.Comparison]:
    """Ask the best simulator for what is stated, and the printed one for beta."""
    mechanism, beta = setting.mechanism, setting.first
    pairs = data.neighbouring_multisets(range(mechanism.elements), mechanism.n)
    private = Fraction(differential_privacy.minimal_epsilon(mechanism.law, pairs))
    outputs = {y for law in mechanism.laws.values() for y in law.support}
    stated = loss(Epsilon.exactly(private), mechanism.n, beta, len(outputs))
    needed = Interval.log(
        Fraction(minimal_epsilon(mechanism.law, setting.types, beta, max_steps=200).lower)
    )
    if stated.upper == 0:  # one law for all samples
        yield kit.within(needed.lower, 0)
        return
    # Group privacy alone gives n epsilon, whatever the simulator.
    group = Interval.log(private) * mechanism.n
    yield kit.within(needed.lower, stated.upper, ceiling=group)
    simulator = geometric_mean(mechanism.law, setting.types)
    rounded = Epsilon.exactly(Interval.exp(stated).upper)
    yield kit.within(1 - coverage(simulator, mechanism.law, setting.types, rounded), beta)


def _printed_loss(epsilon: Epsilon, n: int, beta: Fraction, outputs: int) -> Interval:
    private = PrivacyGuarantee(epsilon)
    return implications.private_to_perfect_epsilon(private, n, beta, outputs, constants="paper")


def _no_loss(epsilon: Epsilon, n: int, beta: Fraction, outputs: int) -> Interval:
    return epsilon.interval()


TRIALS.states(
    "theorem-39",
    lambda factor, n, beta, R: _printed_loss(Epsilon.exactly(factor), n, beta, R),
    lambda t, n, beta, R: Interval.log(t) * Interval.sqrt(Interval.log(2 * R / beta) * 2 * n),
    (Fraction(3, 2), 10, Fraction(1, 100), 2), (Fraction(11, 10), 1000, Fraction(1, 3), 7),
)  # fmt: skip
TRIALS.add(
    "theorem-39", "beside the best simulator", _perfect, _beyond_groups, _printed_loss, _no_loss,
    steep_mechanisms("clnrw16-theorem-39")
)  # fmt: skip


class Response(NamedTuple):
    """The number of bits, the factor with which each is told, beta."""

    n: int
    t: Fraction
    beta: Fraction


@kit.universe("up to six bits, e^epsilon = 2, beta = 1/10 and 49/100")
def _responses(budget: kit.Budget) -> Iterator[Response]:
    sizes = range(1, budget.pick(6, 7, 8) + 1)
    for n, beta in product(sizes, (Fraction(1, 10), Fraction(49, 100))):
        yield Response(n, Fraction(2), beta)


def _told(sample: tuple[int, ...], t: Fraction) -> FiniteDistribution[tuple[int, ...]]:
    total = (1 + t) ** len(sample)
    return FiniteDistribution(
        {
            said: t ** sum(a == b for a, b in zip(said, sample, strict=True)) / total
            for said in product((0, 1), repeat=len(sample))
        }
    )


def _any_range(loss: Loss, response: Response) -> kit.Finding:
    """Among more than half of all samples there are a sample and its complement."""
    n, t, beta = response
    samples = list(product((0, 1), repeat=n))[: 2 ** (n - 1)]
    apart = min(
        closeness.minimal_epsilon(_told(x, t), _told(tuple(1 - b for b in x), t)) for x in samples
    )
    needed, stated = Interval.log(Fraction(apart)) / 2, loss(Epsilon.exactly(t), n, beta, 2**n)
    text = (
        f"{n} fair bits, each told with the factor {t}, beta = {beta}: every simulator covers a "
        f"sample and its complement, whose factor is {apart}, so it needs {float(needed):.4f}; "
        f"{float(stated):.4f} is stated"
    )
    return at_most(needed.lower, stated.lower, text)


def _without_range(epsilon: Epsilon, n: int, beta: Fraction, outputs: int) -> Interval:
    return epsilon.interval() * Interval.sqrt(2 * n * Interval.log(1 / beta))


TRIALS.add("theorem-39.any-range", "randomised response", _any_range, _responses, _without_range)


Noted: TypeAlias = Callable[[Epsilon, int, Fraction, Fraction], Interval]
"""From the epsilon of privacy, n, beta and delta to the epsilon of perfect generalization."""


def _with_delta(stated: Noted, setting: MechanismSetting) -> Iterator[kit.Comparison | kit.Finding]:
    """Ask the best simulator for what is stated, and the mean of the laws for beta."""
    mechanism, beta, delta = setting.mechanism, setting.first, Fraction(1, 1000)
    pairs = data.neighbouring_multisets(range(mechanism.elements), mechanism.n)
    private = Fraction(differential_privacy.minimal_epsilon(mechanism.law, pairs))
    found = minimal_epsilon(mechanism.law, setting.types, beta, delta, max_steps=200)
    needed = Interval.log(Fraction(found.lower))
    allowed = stated(Epsilon.exactly(private), mechanism.n, beta, delta)
    mean = arithmetic_mean(mechanism.law, setting.types)
    if mean != FiniteDistribution.mixture((w, mechanism.law(s)) for s, w in setting.types.items()):
        yield kit.fails(f"{setting}: {mean} is not the mean of the laws")
    yield kit.within(needed.lower, allowed.upper)
    rounded = Epsilon.exactly(Interval.exp(allowed).upper)
    yield kit.within(1 - coverage(mean, mechanism.law, setting.types, rounded, delta), beta)


def _any_outputs(epsilon: Epsilon, n: int, beta: Fraction, delta: Fraction) -> Interval:
    return implications.any_range_epsilon(PrivacyGuarantee(epsilon), n, beta, delta)


def _as_private(epsilon: Epsilon, n: int, beta: Fraction, delta: Fraction) -> Interval:
    return epsilon.interval()


TRIALS.add(
    "theorem-39.any-range.repaired", "beside the best simulator", _with_delta, _private_mechanisms,
    _any_outputs, _as_private
)  # fmt: skip


# Theorem 40.


@dataclass(frozen=True, slots=True)
class Noise:
    """The noisy majority of n fair bits with e**(epsilon/2) = root, and beta."""

    n: int
    root: Fraction
    beta: Fraction

    @property
    def mechanism(self) -> NoisyMajority:
        """The mechanism."""
        return NoisyMajority(self.n, Epsilon.exactly(self.root))

    @property
    def needed(self) -> Fraction:
        """The least factor on a fair coin, by the search for the best simulator."""
        types = data.multiset_distribution(FiniteDistribution.uniform([0, 1]), self.n)
        return Fraction(minimal_epsilon(self.mechanism.law, types, self.beta).lower)


Bound: TypeAlias = Callable[[Noise], Interval | None]


@kit.universe("up to eight bits, beta down to 10^-100, two epsilons")
def _small_samples(budget: kit.Budget) -> Iterator[Noise]:
    for n in range(1, budget.pick(8, 12, 20) + 1):
        for zeros, root in product((4, 10, 30, 100), ("9/8", "2")):
            yield Noise(n, Fraction(root), Fraction(1, 10**zeros))


@kit.universe("6 to 40 fair bits, three betas, two epsilons")
def _large_samples(budget: kit.Budget) -> Iterator[Noise]:
    for n in budget.pick((6, 12, 25, 40), (6, 12, 25, 40, 80), (6, 12, 25, 40, 80, 160, 320)):
        for beta, root in product(("1/20", "1/1000", "1/100000"), ("9/8", "2")):
            yield Noise(n, Fraction(root), Fraction(beta))


def _not_below(bound: Bound, noise: Noise) -> kit.Finding:
    stated = bound(noise)
    if stated is None:
        return kit.idle()
    needed = Interval.log(noise.needed)
    text = (
        f"n = {noise.n}, e**epsilon = {noise.root**2}, beta = {float(noise.beta):.3g}: at least "
        f"{float(stated):.4f} is stated, {float(needed):.4f} serves for a fair coin"
    )
    if stated.upper <= needed.upper:
        return at_least(needed.upper, stated.upper, text)
    # With a central sample as the simulator this serves for every coin, by group privacy.
    central = -(-noise.n // 2) * Interval.log(noise.root**2)
    if stated.lower > central.upper:
        return kit.fails(f"{text}, and {float(central):.4f} for every coin, even with beta = 0")
    return kit.undecided(text)


def _for_all_sizes(noise: Noise) -> Interval | None:
    """Return (K n epsilon - 1)/2 wherever K is defined."""
    inside = Interval.log(1 / noise.beta) / 2 - Interval.log(30)
    if inside.lower <= 0:
        return None
    k = Interval.sqrt(inside / noise.n) / 4
    return (k * noise.n * Interval.log(noise.root**2) - 1) / 2


TRIALS.add("theorem-40.proof", "small samples", _not_below, _small_samples, _for_all_sizes)


def _repaired(noise: Noise) -> Interval | None:
    return noise.mechanism.tightness(noise.beta).repaired


def _direct(noise: Noise) -> Interval | None:
    return noise.mechanism.tightness(noise.beta).direct


def _upper_bound(noise: Noise) -> Interval | None:
    return noise.mechanism.tightness(noise.beta).theorem_39


TRIALS.add(
    "theorem-40.repaired", "by the proof", _not_below, _large_samples, _repaired, _upper_bound
)
TRIALS.add("theorem-40.repaired", "directly", _not_below, _large_samples, _direct, _upper_bound)


def _optimum(squared: Callable[[Noise], Fraction], noise: Noise) -> kit.Comparison:
    return kit.same(squared(noise), noise.needed**2)


def _closed_form(noise: Noise) -> Fraction:
    return noise.mechanism.optimum(noise.beta).squared_factor


def _whole(noise: Noise) -> Fraction:
    return noise.root ** (2 * noise.n)


TRIALS.add(
    "theorem-40.repaired", "the exact optimum", _optimum, _large_samples, _closed_form, _whole
)


# Group privacy.


@kit.universe(
    "random mechanisms with three outputs on up to three bits, each with its "
    "least delta for three epsilons, and a count of up to five bits"
)
def _group_settings(budget: kit.Budget) -> Iterator[MechanismSetting]:
    factors = tuple(Fraction(t) for t in ("1", "5/4", "2"))
    mechanisms = random_mechanisms(budget.pick(40, 400, 4000), outcomes=3, seed="group")
    yield from settings(mechanisms, factors)
    # Nothing is lost from one to n places that differ, but for what the simpler delta rounds up.
    fair = FiniteDistribution.uniform([0, 1])
    for n, factor in product(range(2, budget.pick(5, 6, 7) + 1), factors):
        delta = Fraction(1, 2) / sum(factor**i for i in range(n))
        yield MechanismSetting(counting(n, factor, delta), fair, factor, Fraction(0))


Groups: TypeAlias = Callable[[Epsilon, Fraction, int], Fraction]


def _group(stated: Groups, setting: MechanismSetting) -> Iterator[kit.Comparison]:
    mechanism, t = setting.mechanism, setting.first
    samples = list(product(range(mechanism.elements), repeat=mechanism.n))
    distances = {(x, y): hamming_distance(x, y) for x in samples for y in samples}

    def needed(k: int) -> Fraction:
        return max(
            closeness.hockey_stick_at(mechanism.law_of(x), mechanism.law_of(y), t**k)
            for (x, y), distance in distances.items()
            if distance == k
        )

    delta = max(needed(1), Fraction(0))

    # For one place it is the definition of delta.
    return (
        kit.within(needed(k), stated(Epsilon.exactly(t), delta, k), ceiling=1)
        for k in range(2, mechanism.n + 1)
    )


def _plain_multiple(epsilon: Epsilon, delta: Fraction, k: int) -> Fraction:
    return delta


TRIALS.states(
    "group-privacy",
    lambda t, delta, k: simpler_delta(Epsilon.exactly(t), delta, k),
    lambda t, delta, k: k * t ** (k - 1) * delta,
    (Fraction(3, 2), Fraction(1, 100), 3), (Fraction(2), Fraction(1, 7), 1),
)  # fmt: skip
TRIALS.add(
    "group-privacy", "all pairs of samples", _group, _group_settings, simpler_delta, _plain_multiple
)
