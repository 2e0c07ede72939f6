"""Audits on a given distribution against brute force over ordered samples."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import AuditResult, Interval, InvalidInput, Verdict, audit, data, notions
from pac_stability.testing import strategies
from shared_refusals import refuses
from shared_subjects import errs, zero

Elements = tuple[object, ...]
Law = data.FiniteDistribution[object]


COINS: list[Law] = [
    data.FiniteDistribution({0: Fraction(a, a + b), 1: Fraction(b, a + b)})
    for a, b in [(1, 0), (0, 1), (1, 2), (3, 1)]
]


@dataclass
class Table:
    """Laws looked up by the elements of the sample, in their order or not."""

    mechanism: data.FromLaw[Elements, object]
    datasets: int
    symmetric: bool

    def law(self, sample: object, /) -> Law:
        assert isinstance(sample, data.Sample | tuple)
        return self.mechanism.law(tuple(sample))


Case = tuple[Table, data.FiniteDistribution[object], int]


def tabulated(
    distribution: data.FiniteDistribution[object], *, symmetric: bool
) -> st.SearchStrategy[Case]:
    """A mechanism on all samples of up to three elements of the support."""

    def case(drawn: tuple[int, data.FromLaw[Elements, object]]) -> Case:
        n, mechanism = drawn
        k = len(distribution)
        datasets = comb(k + n - 1, n) if symmetric else k**n
        return Table(mechanism, datasets, symmetric), distribution, n

    return strategies.mechanisms_on_datasets(
        distribution.support, COINS, max_size=3, symmetric=symmetric, max_values=3
    ).map(case)


INSTANCES: st.SearchStrategy[Case] = st.tuples(
    st.one_of(
        [
            strategies.distributions(universe, max_size=2, max_denominator=6)
            for universe in (data.all_examples("ab"), range(3))
        ]
    ),
    st.booleans(),
).flatmap(lambda drawn: tabulated(drawn[0], symmetric=drawn[1]))


def draws(
    mechanism: Table, distribution: data.FiniteDistribution[object], n: int
) -> Iterator[tuple[Fraction, Elements, Law]]:
    for sample, weight in distribution.power(n).items():
        yield weight, sample, mechanism.law(sample)


def frequency(sample: Elements, test: Elements) -> Fraction:
    return Fraction(sum(z in test for z in sample), len(sample))


def check(result: AuditResult, mechanism: Table, n: int) -> audit.LawsWitness:
    witness = result.witness
    assert isinstance(witness, audit.LawsWitness)
    distribution = result.instance.distribution
    assert distribution is not None
    assert result.counts.datasets == len(witness.laws) == mechanism.datasets
    for sample, law in witness.laws:
        elements: object = sample
        if isinstance(sample, data.Multiset):
            elements = sample.elements()
        else:
            assert isinstance(sample, data.Sample) is isinstance(
                distribution.support[0], data.Example
            )
        assert law == mechanism.law(elements)
    assert result.instance.n == n
    return witness


@settings(max_examples=50)
@given(INSTANCES, st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1)]))
def test_robust_generalization(case: Case, delta: Fraction) -> None:
    mechanism, distribution, n = case
    result = audit.robust_generalization(mechanism, distribution, n, delta)
    witness = check(result, mechanism, n)
    adversary = dict(witness.strategy)
    epsilon = result.value
    mass: dict[Elements, Fraction] = {(): Fraction(0), distribution.support: Fraction(1)}
    for z in distribution.support:
        mass[z,] = distribution.probability(z)

    def failure(bound: Fraction | float, *, strictly: bool, best: bool) -> Fraction:
        total = Fraction(0)
        for output in (0, 1):
            by_test = {
                test: sum(
                    (
                        weight * law.probability(output)
                        for weight, sample, law in draws(mechanism, distribution, n)
                        if (gap := abs(frequency(sample, test) - mass[test])) > bound
                        or (not strictly and gap == bound)
                    ),
                    Fraction(0),
                )
                for test in mass
            }
            named = adversary.get(output, ())
            assert isinstance(named, tuple)
            total += max(by_test.values()) if best else by_test[named]
        return total

    assert isinstance(epsilon, Fraction)
    best = failure(epsilon, strictly=True, best=True)
    assert best <= delta
    assert failure(epsilon, strictly=True, best=False) == best
    # Nothing smaller will do: failures at least as large as epsilon are too many.
    assert epsilon == 0 or failure(epsilon, strictly=False, best=True) > delta
    assert (
        audit.robust_generalization(mechanism, distribution, n, delta, claim=epsilon).verdict
        is Verdict.VERIFIED
    )


@given(
    INSTANCES,
    st.sampled_from([Fraction(0), Fraction(1, 5)]),
    st.sampled_from([Fraction(0), Fraction(1, 8)]),
)
def test_perfect_generalization(case: Case, beta: Fraction, delta: Fraction) -> None:
    mechanism, distribution, n = case
    result = audit.perfect_generalization(mechanism, distribution, n, beta, delta)
    witness = check(result, mechanism, n)

    def missed(simulator: Law, factor: Fraction | float) -> Fraction:
        return sum(
            (
                weight
                for weight, _, law in draws(mechanism, distribution, n)
                if notions.closeness.minimal_epsilon(law, simulator, delta) > factor
            ),
            Fraction(0),
        )

    value = result.value
    low, high = (value.lower, value.upper) if isinstance(value, Interval) else (value, value)
    assert (result.instance.beta, result.instance.delta) == (beta, delta)
    simulator = data.FiniteDistribution(
        {y: p for y, p in witness.strategy if isinstance(p, Fraction)}
    )
    if high < math.inf:
        assert missed(simulator, high) <= beta
    # No simulator on a grid does with less.
    for k in range(13):
        other: Law = data.FiniteDistribution({0: Fraction(k, 12), 1: Fraction(12 - k, 12)})
        if low > 1:
            below = Fraction(low) - Fraction(1, 10**9) if low < math.inf else Fraction(10**9)
            assert missed(other, below) > beta


@settings(max_examples=50)
@given(INSTANCES)
def test_global_stability(case: Case) -> None:
    mechanism, distribution, n = case
    result = audit.global_stability(mechanism, distribution, n)
    witness = check(result, mechanism, n)
    frequencies = [
        sum(
            (w * law.probability(y) for w, _, law in draws(mechanism, distribution, n)), Fraction(0)
        )
        for y in (0, 1)
    ]
    assert result.value == max(frequencies)
    ((output, probability),) = witness.strategy
    assert probability == max(frequencies) == frequencies[1 if output == 1 else 0]


def test_global_stability_is_claimed_from_below() -> None:
    die = data.FiniteDistribution.uniform([1, 2, 3])
    largest: data.Deterministic[tuple[int, ...], int] = data.Deterministic(max)
    # 1 - (2/3)^2.
    verdicts = {
        claim: audit.global_stability(largest, die, 2, claim=claim).verdict
        for claim in ("1/2", "5/9", "0.56")
    }
    assert list(verdicts.values()) == [Verdict.VERIFIED, Verdict.VERIFIED, Verdict.REFUTED]


@settings(max_examples=50)
@given(INSTANCES, st.sampled_from([Fraction(0), Fraction(1, 4)]))
def test_generalization_and_accuracy(case: Case, beta: Fraction) -> None:
    mechanism, distribution, n = case
    if not isinstance(distribution.support[0], data.Example):
        with pytest.raises(InvalidInput, match="distribution: got one not on examples"):
            audit.accuracy(mechanism, distribution, n, beta)  # type: ignore[arg-type]  # refused
        return
    examples = data.FiniteDistribution(
        {z: p for z, p in distribution.items() if isinstance(z, data.Example)}
    )

    def error(label: int) -> Fraction:
        return sum((p for z, p in examples.items() if z.label != label), Fraction(0))

    def least(gap_of: dict[tuple[Elements, int], Fraction]) -> Fraction:
        """The smallest alpha that is exceeded with probability at most beta."""
        for alpha in sorted({Fraction(0), *gap_of.values()}):
            exceeded = sum(
                (
                    weight * law.probability(label)
                    for weight, sample, law in draws(mechanism, distribution, n)
                    for label in (0, 1)
                    if gap_of[sample, label] > alpha
                ),
                Fraction(0),
            )
            if exceeded <= beta:
                return alpha
        raise AssertionError

    samples = distribution.power(n).support
    gaps = {
        (sample, label): abs(
            error(label)
            - Fraction(sum(errs(label, z) for z in sample if isinstance(z, data.Example)), n)
        )
        for sample in samples
        for label in (0, 1)
    }
    result = audit.generalization(mechanism, examples, n, beta, errs=errs)
    check(result, mechanism, n)
    assert result.value == least(gaps)
    excess = {(sample, label): error(label) for sample in samples for label in (0, 1)}
    assert audit.accuracy(mechanism, examples, n, beta, errs=errs).value == least(excess)
    best = min(error(0), error(1))
    agnostic = {key: value - best for key, value in excess.items()}
    result = audit.accuracy(mechanism, examples, n, beta, hypotheses=[0, 1], errs=errs)
    assert result.value == least(agnostic)
    assert result.instance.beta == beta


def test_hypotheses_need_no_judge() -> None:
    fair = data.FiniteDistribution.uniform([data.Example("a", 0), data.Example("b", 1)])

    def learner(sample: data.Sample[str]) -> data.FiniteDistribution[object]:
        return data.FiniteDistribution.point_mass({"a": zero, "b": is_b}[sample.points[0]])

    # The constant 0 errs on b; it is the output half of the time.
    assert audit.accuracy(learner, fair, 1, "1/2").value == 0
    result = audit.accuracy(learner, fair, 1, "2/5", claim="1/3")
    assert (result.value, result.verdict) == (Fraction(1, 2), Verdict.REFUTED)


def is_b(point: str) -> int:
    return int(point == "b")


def test_laws_must_be_exact() -> None:
    def enclosed(_sample: object) -> data.EnclosedDistribution[int]:
        return data.EnclosedDistribution.in_proportion({0: Interval.exp(-1), 1: 1})

    with pytest.raises(InvalidInput, match="want exact laws for this notion"):
        audit.global_stability(enclosed, data.FiniteDistribution.uniform([0, 1]), 1)


def test_bad_arguments_are_refused() -> None:
    coin = data.FiniteDistribution.uniform([0, 1])
    largest: data.Deterministic[tuple[int, ...], int] = data.Deterministic(max)
    with pytest.raises(InvalidInput, match="distribution"):
        audit.global_stability(largest, 3, 1)  # type: ignore[arg-type]  # refused
    refuses("n: got 0", audit.global_stability, largest, coin, 0)
    refuses("delta", audit.robust_generalization, largest, coin, 1, 2)
    refuses("beta", audit.perfect_generalization, largest, coin, 1, 1)
    with pytest.raises(audit.SubjectFailure, match="symmetric"):
        audit.global_stability(data.Deterministic(first), coin, 2, symmetric=True)
    fair = data.FiniteDistribution.uniform([data.Example("a", 0), data.Example("a", 1)])
    for ask in (audit.generalization, audit.accuracy):
        with pytest.raises(InvalidInput, match="beta: got 2, want an exact number from 0 to 1"):
            ask(lambda _: data.FiniteDistribution.point_mass(0), fair, 1, 2)


def first(sample: tuple[int, ...]) -> int:
    return sample[0]
