"""Lemmas 15 and 16: what the stable histogram and the generic private learner promise, exactly."""

import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import FiniteClass, audit, classes, data, errors, mechanisms
from pac_stability.arithmetic import Epsilon, Interval, certified_ceiling
from pac_stability.papers.bun_livni_moran import private
from pac_stability.papers.bun_livni_moran.formulas import sizes
from shared_refusals import refuses

HALF = Fraction(1, 2)


def failure(histogram: private.SizedHistogram, items: tuple[str, ...]) -> Fraction:
    """The probability that a heavy item is missed or an estimate is off by more than eta."""
    frequencies = {x: Fraction(count, len(items)) for x, count in Counter(items).items()}

    def fails(released: frozenset[tuple[str, Fraction]]) -> bool:
        estimates = dict(released)
        missed = any(f >= histogram.eta and x not in estimates for x, f in frequencies.items())
        return missed or any(abs(a - frequencies[x]) > histogram.eta for x, a in estimates.items())

    law = histogram.law(items)
    return sum((p for released, p in law.items() if fails(released)), Fraction(0))


def data_sets(n: int) -> Iterator[tuple[str, ...]]:
    return combinations_with_replacement("abc", n)


class TestStableHistogram:
    def test_bounded_noise_never_fails_from_its_size_on(self) -> None:
        histogram = private.stable_histogram(HALF, Epsilon.exactly(4), HALF)
        assert histogram.size == 8
        for n in (8, 9):
            assert all(failure(histogram, items) == 0 for items in data_sets(n))

    def test_fewer_items_are_refused_and_would_not_do(self) -> None:
        histogram = private.stable_histogram(HALF, Epsilon.exactly(4), HALF)
        refuses(r"7 items, want at least 8", histogram.run, "a" * 7)
        smaller = private.SizedHistogram(histogram.histogram, HALF, Fraction(0), 6)
        assert failure(smaller, tuple("aaabbb")) > 0

    def test_laplace_noise_fails_as_rarely_as_promised(self) -> None:
        histogram = private.stable_histogram(HALF, Epsilon.exactly(4), Fraction(1, 3), beta=HALF)
        assert isinstance(histogram.histogram, mechanisms.LaplaceHistogram)
        # r = 1/2, t = 2: (2**(1-g) + 2 (g+1) 2**-(g+1)) / (1/2 * 3/2) is 7/12 at g = 4, 1/3 at 5.
        assert histogram.size == 10
        pairs = [tuple("a" * i + "b" * (10 - i)) for i in range(6)]
        worst = max(failure(histogram, items) for items in [*pairs, tuple("aaaabbbccc")])
        assert 0 < worst <= HALF

    def test_the_logarithm_needs_epsilon_under_laplace_noise(self) -> None:
        # n = 4 ln(1/(eta beta delta)) / (eta epsilon) distinct items, eta = beta = delta = 1/10:
        # some noise exceeds eta n with probability above beta, at epsilon = 1/10000.
        eta, epsilon = Fraction(1, 10), Fraction(1, 10_000)
        n = math.ceil((4 * Interval.log(1000) / (eta * epsilon)).upper)
        r = mechanisms.decay_for(epsilon)
        tail = 2 * Interval.exp(Interval.log(r) * (math.floor(eta * n) + 1)) / (1 + r)
        assert 1 - Interval.exp(-(tail * n)) > Fraction(1, 10)
        assert private.stable_histogram(eta, epsilon, "1/10", "1/10").size > n

    @settings(max_examples=25)
    @given(
        st.fractions(Fraction(1, 50), 1),
        st.fractions(Fraction(11, 10), 8),
        st.fractions(Fraction(1, 10**6), Fraction(1, 2)),
    )
    def test_no_more_privacy_is_spent_than_asked(
        self, eta: Fraction, factor: Fraction, delta: Fraction
    ) -> None:
        for beta in (Fraction(0), Fraction(1, 10)):
            histogram = private.stable_histogram(eta, Epsilon.exactly(factor), delta, beta)
            assert histogram.guarantee.factor <= factor
            assert histogram.guarantee.delta <= delta

    def test_audit(self) -> None:
        histogram = private.stable_histogram(1, Epsilon.exactly(4), HALF)
        guarantee = histogram.guarantee
        result = audit.differential_privacy(
            histogram, "abc", 4, guarantee.delta, claim=guarantee.epsilon, labelled=False
        )
        assert result.verdict is audit.Verdict.VERIFIED

    @pytest.mark.parametrize(("argument", "values"), [
        ("eta", (0, 1.0, HALF)), ("eta", ("3/2", 1.0, HALF)), ("delta", (HALF, 1.0, 0)),
        ("delta", (HALF, 1.0, 1)),
    ])  # fmt: skip
    def test_parameters_out_of_range(
        self, argument: str, values: tuple[str | int, float, Fraction]
    ) -> None:
        eta, epsilon, delta = values
        refuses(argument, private.stable_histogram, eta, epsilon, delta)
        refuses("beta", private.stable_histogram, HALF, 1.0, HALF, beta=1)


class TestGenericPrivateLearner:
    def test_audit(self) -> None:
        learner = private.GenericPrivateLearner(classes.singletons(3), Epsilon.exactly(4))
        result = audit.differential_privacy(learner, 3, 2, claim=learner.guarantee.epsilon)
        assert result.verdict is audit.Verdict.VERIFIED
        refuted = audit.differential_privacy(learner, 3, 2, claim=Epsilon.exactly(2))
        assert refuted.verdict is audit.Verdict.REFUTED

    @settings(max_examples=40)
    @given(
        st.integers(1, 10**9),
        st.fractions(Fraction(1, 100), Fraction(99, 100)),
        st.fractions(Fraction(1, 10**9), Fraction(99, 100)),
        st.fractions(Fraction(1, 10), Fraction(99, 100)),
    )
    def test_the_size_is_the_largest_of_the_three_bounds(
        self, hypotheses: int, alpha: Fraction, beta: Fraction, decay: Fraction
    ) -> None:
        a, b, r = float(alpha), float(beta), float(decay)
        bound = max(
            36 / a * math.log(4 * hypotheses / b),
            27 / a * math.log(4 / b),
            3 / a * math.log(2 * hypotheses / b) / -math.log(r),
        )
        size = sizes.generic_size(hypotheses, alpha, beta, decay)
        assert bound * (1 - 1e-9) <= size < bound * (1 + 1e-9) + 1

    def test_exact_failure_with_two_hypotheses(self) -> None:
        # On points 0, 1, 2 of mass 1/4, 1/2, 1/4 labelled 0, h* errs on 0 (loss 1/4) and g on 1 and
        # half of the time beyond (loss above 1/2). Only D = errors of g - errors of h* matters.
        alpha, beta, epsilon = Fraction(1, 4), HALF, Epsilon.exactly(Fraction(9, 4))
        learner = private.GenericPrivateLearner(FiniteClass([[1, 0, 0], [0, 1, 1]]), epsilon)
        n = learner.sample_size(alpha, beta)
        step = {-1: 30, +1: 61, 0: 29}  # g has loss 61/120
        law = {0: 1}
        for _ in range(n):
            after: dict[int, int] = {}
            for d, weight in law.items():
                for move, factor in step.items():
                    after[d + move] = after.get(d + move, 0) + weight * factor
            law = after
        r = learner.decay
        total = 120**n
        # An upper bound on the choice of g, exact up to the rounding of r**d / (1 + r**d) to 1.
        bad = sum(
            weight * (r**d / (1 + r**d) if -40 < d < 40 else int(d < 0))
            for d, weight in law.items()
            if d < 40
        ) + sum(weight * r**40 for d, weight in law.items() if d >= 40)
        assert 0 < bad / total <= beta

    def test_bad_input(self) -> None:
        refuses("hypotheses", private.GenericPrivateLearner, FiniteClass([], domain=["a"]), 1.0)
        refuses("epsilon", private.GenericPrivateLearner, classes.singletons(2), 0)
        for alpha, beta, argument in ((0, HALF, "alpha"), (1, HALF, "alpha"), (HALF, 1, "beta")):
            with pytest.raises(errors.InvalidInput, match=argument):
                private.GenericPrivateLearner(classes.singletons(2), 1.0).sample_size(alpha, beta)


def test_a_ceiling_that_cannot_be_certified_is_undecided() -> None:
    assert certified_ceiling(lambda bits: Interval.log(8, bits)) == 3
    assert certified_ceiling(lambda bits: Interval.exactly(3)) == 3  # noqa: ARG005
    with pytest.raises(errors.Undecided):
        certified_ceiling(lambda bits: Interval.sqrt(2, bits) * Interval.sqrt(2, bits), 256)


def test_the_estimates_are_frequencies() -> None:
    histogram = private.stable_histogram(1, Epsilon.exactly(4), HALF)
    law: data.FiniteDistribution[frozenset[tuple[str, Fraction]]] = histogram.law("aaaa")
    estimates = {a for released in law.support for _, a in released}
    assert estimates == {Fraction(3, 4), Fraction(1)}
