"""The explicit constant of Theorem 6 against the exact totals of M."""

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability.arithmetic import ConstantsLike, Epsilon
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.papers.bun_livni_moran.formulas import PrivateLearnerSizes
from pac_stability.papers.bun_livni_moran.theorems import StrongSizeBound, is_weak_learner
from shared_refusals import refuses

CONSTANTS: list[ConstantsLike] = ["paper", "repaired"]
HALVES = st.integers(1, 60).map(lambda k: Fraction(1, 2**k))


@given(
    st.integers(1, 3),
    st.sampled_from(CONSTANTS),
    st.tuples(
        st.fractions(Fraction(1, 1000), Fraction(999, 1000), max_denominator=1000),
        HALVES,
        st.integers(50, 1000).map(lambda k: Fraction(k, 1000)),
        HALVES,
    ),
)
@settings(max_examples=15)
def test_the_constant_covers_the_total_of_m(
    d: int, constants: ConstantsLike, parameters: tuple[Fraction, Fraction, Fraction, Fraction]
) -> None:
    alpha, beta, epsilon, delta = parameters
    total = PrivateLearnerSizes(d, alpha, beta, Epsilon(epsilon), delta, constants).sample_size
    assert total <= StrongSizeBound(d, constants).sample_size(alpha, beta, epsilon, delta)


@pytest.mark.parametrize("constants", CONSTANTS)
@pytest.mark.parametrize("d", [1, 2, 3])
def test_no_constant_ten_times_smaller_would_do(d: int, constants: ConstantsLike) -> None:
    alpha, beta, epsilon, delta = (
        Fraction(1, 10),
        Fraction(1, 2),
        Fraction(1, 10),
        Fraction(1, 2**30),
    )
    total = PrivateLearnerSizes(d, alpha, beta, Epsilon(epsilon), delta, constants).sample_size
    assert 10 * total > StrongSizeBound(d, constants).sample_size(alpha, beta, epsilon, delta)


def test_the_constant_by_hand() -> None:
    # d = 1: tau = 1/2, B = 2 * 16 / (1/2) = 64, eta = 1/8.
    by_hand = 27.1 * 8 * 65 * 3 + 72 * (1 + math.log(256) / math.log(4)) + 1
    assert StrongSizeBound(1).constant == StrongSizeBound(1, "paper").constant
    assert 0 <= StrongSizeBound(1).constant - math.ceil(by_hand) <= 1


def test_weak_learners_are_recognized_at_the_edge() -> None:
    # log2 1024 = 10: delta may be 1 / (10 * 2^20).
    edge = Fraction(1, 10 * 2**20)
    good = PrivacyGuarantee(Epsilon("0.1"), edge * Fraction(999, 1000))
    assert is_weak_learner(good, 1024, "1/16", "1/16", 1)
    assert not is_weak_learner(good, 1024, "1/15", "1/16", 1)
    assert not is_weak_learner(good, 1024, "1/16", "1/15", 1)
    assert not is_weak_learner(good, 1024, "1/16", "1/16", "1/2")
    worse = PrivacyGuarantee(Epsilon("0.1"), edge * Fraction(1001, 1000))
    assert not is_weak_learner(worse, 1024, "1/16", "1/16", 1)
    assert not is_weak_learner(PrivacyGuarantee(Epsilon("0.11")), 1024, "1/16", "1/16", 1)


def test_a_tenth_is_a_tenth_however_it_is_written() -> None:
    for tenth in ("0.1", 0.1, Fraction(1, 10), "1/10"):
        assert is_weak_learner(PrivacyGuarantee(Epsilon(tenth)), 1024, "1/16", "1/16", 1)
    for more in ("0.10001", 0.1000001, "1/9"):
        assert not is_weak_learner(PrivacyGuarantee(Epsilon(more)), 1024, "1/16", "1/16", 1)


@pytest.mark.parametrize("value", [-1, "-1/16", "17/16", 2, float("nan")])
def test_what_is_no_probability_is_no_weak_learner(value: Any) -> None:
    good = PrivacyGuarantee(Epsilon("0.1"))
    refuses("alpha", is_weak_learner, good, 1024, value, "1/16", 1)
    refuses("beta", is_weak_learner, good, 1024, "1/16", value, 1)
    # Also where another condition fails first.
    refuses("beta", is_weak_learner, PrivacyGuarantee(Epsilon(1)), 1024, "1/2", value, 1)


def test_refuses_what_the_constant_is_not_proved_for() -> None:
    bound = StrongSizeBound(1)
    for arguments, message in (
        (("1", "1/2", 1, "1/2"), "alpha: got 1, want above 0 and below 1"),
        (("1/2", "2/3", 1, "1/2"), "beta: got 2/3, want above 0 and at most 1/2"),
        (("1/2", "1/2", 2, "1/2"), "epsilon: got 2, want from 2"),
        (("1/2", "1/2", 1, "0"), "delta: got 0"),
    ):
        refuses(message, bound.sample_size, *arguments)
    refuses("dimension", StrongSizeBound, 0)
