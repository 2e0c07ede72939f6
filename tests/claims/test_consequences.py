"""What follows from a guarantee is true of every tiny mechanism that has it, by the definitions."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import pytest
from hypothesis import example, given, settings, strategies as st

from pac_stability import Epsilon, claims, data, errors
from pac_stability.claims.consequences import in_short, rules, what_follows
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.notions import (
    closeness,
    differential_privacy,
    group_privacy,
    perfect_generalization,
    robust_generalization,
)
from pac_stability.papers.bun_livni_moran import formulas, theorems as blm
from pac_stability.papers.cummings_et_al import implications as im
from pac_stability.papers.cummings_et_al.implications import group_guarantee, resampled
from pac_stability.papers.dagan_feldman import stable as df
from pac_stability.papers.guarantees import (
    FrequencyGuarantee,
    OutputCount,
    PredictionGuarantee,
    StabilityGuarantee,
    Wanted,
)

T = TypeVar("T")
Bits = tuple[int, ...]
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
SOURCES = [data.FiniteDistribution({0: 1 - p, 1: p}) for p in (HALF, Fraction(1, 5), Fraction(1))]


@dataclass(frozen=True)
class Mechanism:
    """Samples of n bits to one of the outputs 0 and 1; its output is also its predicted label."""

    n: int
    ones: tuple[Fraction, ...]

    @property
    def samples(self) -> list[Bits]:
        return list(itertools.product((0, 1), repeat=self.n))

    @property
    def pairs(self) -> list[tuple[Bits, Bits]]:
        return list(group_privacy.group_pairs(self.samples, 1))

    def law(self, sample: Bits) -> data.FiniteDistribution[int]:
        one = self.ones[self.samples.index(sample)]
        return data.FiniteDistribution({1: one, 0: 1 - one})

    def after_a_flip(self, z: Fraction) -> Mechanism:
        return Mechanism(self.n, tuple(p + z * (1 - 2 * p) for p in self.ones))

    def resampled(self) -> Mechanism:
        drawn = list(itertools.product(range(self.n), repeat=self.n))
        return Mechanism(
            self.n,
            tuple(
                sum(self.law(tuple(sample[i] for i in where)).probability(1) for where in drawn)
                / Fraction(len(drawn))
                for sample in self.samples
            ),
        )

    def delta(self, epsilon: Epsilon) -> Fraction:
        return differential_privacy.minimal_delta(self.law, self.pairs, epsilon)

    def private(self, epsilon: Epsilon) -> PrivacyGuarantee:
        return PrivacyGuarantee(epsilon, self.delta(epsilon))

    def has(self, found: object) -> bool:
        """Whether a conclusion is true, on a few distributions, by the definitions."""
        match found:
            case PrivacyGuarantee() | PredictionGuarantee():
                return self.delta(found.epsilon) <= found.delta
            case StabilityGuarantee():
                return self.delta(Epsilon.exactly(1)) <= found.gamma
            case df.FlippedGuarantee():
                return self.after_a_flip(found.probability).has(found.privacy)
            case im.ResampledGuarantee():
                return self.resampled().has(found.privacy)
            case im.GroupGuarantee():
                least = group_privacy.minimal_delta(
                    self.law, self.samples, found.size, found.epsilon
                )
                return least <= found.delta
            case OutputCount():
                return found.outputs >= 2
            case _:
                return all(self._has(found, source) for source in SOURCES)

    def _has(self, found: object, source: data.FiniteDistribution[int]) -> bool:
        samples = source.power(self.n)
        laws = {s: self.law(s) for s in samples.support}
        match found:
            case im.RobustGuarantee():
                adversary = robust_generalization.optimal_adversary(laws, samples, found.epsilon)
                return adversary.failure <= found.delta
            case im.PerfectGuarantee():
                least = perfect_generalization.minimal_beta(
                    laws, samples, found.epsilon, found.delta
                )
                return least.lower <= found.beta
            case im.ClosePair():
                both = samples.product(samples).condition(lambda _: True)
                close = both.expectation(
                    lambda st: int(
                        closeness.are_close(laws[st[0]], laws[st[1]], found.epsilon, found.delta)
                    )
                )
                return close >= found.probability
            case FrequencyGuarantee():
                output = samples.bind(self.law)
                return max(p for _, p in output.items()) >= found.eta
        raise AssertionError(found)


def of(kind: type[T], found: Iterable[claims.Consequence]) -> list[T]:
    return [c.conclusion for c in found if isinstance(c.conclusion, kind)]


def mechanisms(n: int, unit: int, low: int) -> st.SearchStrategy[Mechanism]:
    """Probabilities of 1 that are multiples of one over the unit, moved towards 1/2."""
    one = st.integers(0, unit).map(lambda k: Fraction(k + low * unit, unit + 2 * low * unit))
    return st.tuples(*[one] * 2**n).map(lambda ones: Mechanism(n, ones))


MECHANISMS = st.tuples(
    st.integers(1, 3), st.sampled_from([8, 40]), st.sampled_from([0, 1, 1, 9])
).flatmap(lambda drawn: mechanisms(*drawn))
factors = st.sampled_from([Fraction(k, 8) for k in (8, 9, 12, 16, 24)])
failures = st.sampled_from([Fraction(k, 20) for k in (1, 8, 15, 19)])
randomized_response = Mechanism(1, (QUARTER, Fraction(3, 4)))


def guarantees(found: Mechanism, factor: Fraction) -> Iterator[object]:
    pure = differential_privacy.minimal_epsilon(found.law, found.pairs)
    if isinstance(pure, Fraction):
        yield PrivacyGuarantee(Epsilon.exactly(pure))
    yield found.private(Epsilon.exactly(factor))
    yield PredictionGuarantee(Epsilon.exactly(factor), found.delta(Epsilon.exactly(factor)))
    yield StabilityGuarantee(found.delta(Epsilon.exactly(1)))


@given(MECHANISMS, factors, failures, st.sampled_from([Fraction(1, 20), Fraction(1, 3)]))
@settings(max_examples=25)
@example(randomized_response, Fraction(2), Fraction(19, 20), Fraction(1, 3))
def test_what_follows_is_true(
    found: Mechanism, factor: Fraction, failure: Fraction, flip: Fraction
) -> None:
    wanted = Wanted(failure=failure, outputs=2, group=2, flip=flip)
    for guarantee in guarantees(found, factor):
        for consequence in what_follows(guarantee, found.n, wanted):
            assert found.has(consequence.conclusion), (guarantee, str(consequence))


def test_what_follows_is_attained() -> None:
    # Randomized response, t = 3: stability (t-1)/(t+1) = 1/2, and no less; after a flip with
    # probability 1/4 the labels are right in 5 cases of 8, so the factor is 5/3; two such bits,
    # told together, are a group of two, with the factor 9.
    found = what_follows(PrivacyGuarantee(Epsilon.exactly(3)), 2, Wanted(group=2, flip=QUARTER))
    assert of(StabilityGuarantee, found)[0] == StabilityGuarantee(HALF)
    assert randomized_response.delta(Epsilon.exactly(1)) == HALF
    flipped = of(df.FlippedGuarantee, found)[0]
    assert flipped.privacy.epsilon.ratio == Fraction(5, 3)
    after = randomized_response.after_a_flip(QUARTER)
    assert differential_privacy.minimal_epsilon(after.law, after.pairs) == Fraction(5, 3)
    (group,) = of(im.GroupGuarantee, found)
    assert group.epsilon.ratio == 9


def test_every_rule_has_a_claim_that_holds() -> None:
    for rule in rules():
        assert not claims.get(rule.claim).expectation.refuted, rule.claim


def test_every_rule_concludes_something() -> None:
    reached: set[str] = set()
    wanted = Wanted(
        outputs=2, elements=2, group=2, flip=HALF, consistent=True,
        private=PrivacyGuarantee(Epsilon(1), Fraction(1, 10**6)),
    )  # fmt: skip
    for guarantee in (
        PrivacyGuarantee(Epsilon("1/50")),
        PrivacyGuarantee(Epsilon("1/50"), Fraction(1, 10**9)),
        im.PerfectGuarantee(Fraction(1, 100), Epsilon(1), Fraction(1, 1000)),
        StabilityGuarantee(Fraction(1, 10)),
    ):
        for found in what_follows(guarantee, 50_000, wanted):
            reached.update(found.claims)
    assert reached == {rule.claim for rule in rules()}


def test_a_frequent_output_of_a_consistent_learner() -> None:
    # eta <= (1 - loss)^n: with eta = 1/4 and n = 2 the loss is at most 1/2. It is attained: of two
    # equally likely points a learner errs on the second unless it has seen it.
    spent = PrivacyGuarantee(Epsilon(1), Fraction(1, 10**6))
    wanted = Wanted(consistent=True, private=spent, failure=Fraction(1, 10))
    found = what_follows(FrequencyGuarantee(QUARTER), 2, wanted)
    (frequent,) = of(blm.AccurateOutput, found)
    assert HALF <= frequent.loss <= HALF + Fraction(1, 2**60)
    assert not of(formulas.PrivateFromStable, found)  # an error of at most 1 is none
    found = what_follows(FrequencyGuarantee(QUARTER), 8, wanted)
    (frequent,) = of(blm.AccurateOutput, found)
    assert of(formulas.PrivateFromStable, found) == [
        formulas.PrivateFromStable(
            8,
            frequent.eta,
            2 * frequent.loss,
            Fraction(1, 10),
            spent.epsilon,
            spent.delta,
            "proved",
        )
    ]
    alone = tuple(what_follows(FrequencyGuarantee(Fraction(1, 4)), 8))
    assert alone == ()  # nothing is known of a learner that may disagree with its sample


def test_stronger_conclusions_come_first() -> None:
    private = PrivacyGuarantee(Epsilon("1/100"))
    found = what_follows(private, 500, Wanted(outputs=3))
    for kind in (im.RobustGuarantee, im.PerfectGuarantee, PredictionGuarantee):
        alike = [c for c in found if isinstance(c.conclusion, kind)]
        assert len(alike) > 1
        assert [c.rank for c in alike] == list(range(1, len(alike) + 1))
        assert [c.beaten for c in alike] == sorted(c.beaten for c in alike)
        assert not alike[0].beaten
    robust = of(im.RobustGuarantee, found)
    assert robust == sorted(robust, key=lambda g: g.epsilon)


def test_a_statement_that_fails_as_printed_is_named() -> None:
    (found,) = (
        c for c in what_follows(OutputCount(2), 50) if isinstance(c.conclusion, im.RobustGuarantee)
    )
    assert found.claims == ("CLNRW16:theorem-21.repaired",)
    assert found.notes == (
        "CLNRW16:theorem-21 fails outside the intended range; CLNRW16:theorem-21.repaired is used",
    )
    assert found.conclusion == im.finite_range_to_robust(2, 50, Fraction(1, 20))
    assert found.conclusion != im.finite_range_to_robust(
        2, 50, Fraction(1, 20), constants="printed"
    )


def test_nothing_empty_is_concluded() -> None:
    # One example, much privacy lost: no deviation below 1, no delta below 1.
    weak = PrivacyGuarantee(Epsilon(3), Fraction(1, 2))
    found = what_follows(weak, 40)
    assert {type(c.conclusion) for c in found} == {PredictionGuarantee, StabilityGuarantee}


def test_what_is_chosen_is_used() -> None:
    private = PrivacyGuarantee(Epsilon("1/10"))
    found = what_follows(private, 5000, Wanted(failure=Fraction(1, 7), reading="split"))
    robust = of(im.RobustGuarantee, found)
    assert {(g.delta, g.reading) for g in robust} == {(Fraction(1, 7), "split")}
    chosen = Wanted(beta=Fraction(1, 9), delta=Fraction(1, 11), outputs=3)
    perfect = of(im.PerfectGuarantee, what_follows(private, 50, chosen))
    assert im.private_to_perfect(private, 50, "1/9", 3) in perfect
    assert im.private_to_perfect_any_range(private, 50, "1/9", "1/11") in perfect
    assert im.group_to_perfect(private, 50) in perfect


def test_groups_of_many_examples_are_rounded_up() -> None:
    private = PrivacyGuarantee(Epsilon("1/100"), Fraction(1, 10**9))
    for elements in (None, 3):
        found = what_follows(private, 100, Wanted(elements=elements))
        (rounded,) = of(im.PerfectGuarantee, found)
        exact = im.group_to_perfect(private, 100, elements=elements)
        assert exact.epsilon <= rounded.epsilon
        assert rounded.epsilon.ratio <= exact.epsilon.ratio + Fraction(1, 1 << 50)
        assert exact.delta <= rounded.delta <= exact.delta * (1 + Fraction(1, 1 << 40))
    assert not of(
        im.PerfectGuarantee, what_follows(private, 10_000)
    )  # e**100, and no delta below 1
    nothing = PrivacyGuarantee(Epsilon(0), Fraction(1, 1000))
    (sums,) = of(im.PerfectGuarantee, what_follows(nothing, 100))
    assert (sums.epsilon.ratio, sums.delta) == (Fraction(1), Fraction(1, 10))


def test_bounds_are_rounded_to_the_safe_side() -> None:
    for eta, n in ((Fraction(1, 3), 3), (Fraction(2, 7), 5)):
        loss = blm.frequent_to_accurate(FrequencyGuarantee(eta), n).loss
        assert formulas.FrequentOutputLoss(eta, n).sharp().upper <= loss <= Fraction(999, 1000)
    private = PrivacyGuarantee(Epsilon.exactly(2), Fraction(1, 100))
    assert group_guarantee(private, 3).delta == Fraction(7, 100)
    assert group_guarantee(private, 20).delta == 1
    (group,) = of(im.GroupGuarantee, what_follows(private, 2, Wanted(group=5)))
    assert group.size == 2  # no sample has more examples
    # 2 beta is below (1 - 1/n)^n for n = 1000, but not for 64, which is looked at: six links.
    perfect = im.PerfectGuarantee(Fraction(183, 1000), Epsilon.exactly(2))
    assert resampled(perfect, 1000).privacy.factor == 2**6
    rarer = im.PerfectGuarantee(Fraction(1, 10), Epsilon.exactly(2))
    assert resampled(rarer, 1000).privacy.factor == 2**4


def test_implications_are_their_bounds_rounded_up() -> None:
    private = PrivacyGuarantee(Epsilon("1/50"))
    perfect = im.private_to_perfect(private, 1000, "1/20", 2)
    bound = im.private_to_perfect.bound(private, 1000, "1/20", 2)
    assert bound.upper <= perfect.epsilon.interval().upper
    assert perfect.epsilon.interval().lower <= bound.upper + Fraction(1, 1 << 40)
    assert im.private_to_perfect.claim == "CLNRW16:theorem-39"
    assert im.private_to_perfect(private, 1000, 0.05, 2) == perfect  # as the decimal that it prints
    assert im.private_to_robust(private, 1000, 0.05).delta == Fraction(1, 20)
    assert im.private_to_perfect_any_range(private, 9, 0.1, 0.3).delta == Fraction(3, 10)
    deviation = im.finite_range_to_robust.bound(2, 50, HALF)
    found = im.finite_range_to_robust(2, 50, HALF).epsilon
    assert deviation.upper <= found <= deviation.upper + Fraction(1, 1 << 60)
    deviation = im.perfect_to_robust.bound(perfect, 1000, HALF)
    found = im.perfect_to_robust(perfect, 1000, HALF).epsilon
    assert deviation.upper <= found <= deviation.upper + Fraction(1, 1 << 60)


def test_bad_arguments_are_named() -> None:
    for argument, call in (
        ("guarantee", lambda: what_follows(0.1, 3)),
        ("n", lambda: what_follows(OutputCount(2), 0)),
        ("wanted", lambda: what_follows(OutputCount(2), 3, "all")),  # type: ignore[arg-type]  # what is tested
        ("flip", lambda: Wanted(flip=Fraction(2, 3))),
        ("failure", lambda: Wanted(failure=Fraction(1))),
        ("outputs", lambda: OutputCount(0)),
        ("eta", lambda: FrequencyGuarantee(Fraction(0))),
        ("gamma", lambda: StabilityGuarantee(Fraction(2))),
    ):
        with pytest.raises(errors.InvalidInput, match=f"^{argument}: "):
            call()


def test_short_words_round_to_the_safe_side() -> None:
    third = Fraction(1, 3)
    assert in_short(FrequencyGuarantee(third)) == "global stability: eta = 0.3333"
    assert in_short(StabilityGuarantee(third)) == "uniform stability: gamma = 0.3334"
    said = in_short(PredictionGuarantee(Epsilon.exactly(2), third))
    assert said == "private prediction: epsilon = 0.6932, delta = 0.3334"
    assert math.log(2) < 0.6932
