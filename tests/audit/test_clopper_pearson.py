"""Confidence bounds against the equation that defines them, solved by exact tails."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, strategies as st

from pac_stability.audit.statistics import lower_bound, upper_bound
from shared_refusals import refuses

GRAIN = Fraction(1, 1 << 40)


def tail(k: int, n: int, p: Fraction) -> Fraction:
    """Pr[k or more successes in n tries], exactly."""
    good, all_ = p.numerator, p.denominator
    total = sum(comb(n, j) * good**j * (all_ - good) ** (n - j) for j in range(k, n + 1))
    return Fraction(total, all_**n)


counts = st.integers(1, 30).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
errors = st.fractions(Fraction(1, 10**6), Fraction(499, 1000))


@given(counts, errors)
def test_the_lower_bound_solves_its_equation(tries: tuple[int, int], error: Fraction) -> None:
    k, n = tries
    bound = lower_bound(k, n, error)
    if k == 0:
        assert bound == 0
        return
    assert tail(k, n, bound) <= error < tail(k, n, bound + GRAIN)


@given(counts, errors)
def test_the_upper_bound_solves_its_equation(tries: tuple[int, int], error: Fraction) -> None:
    k, n = tries
    bound = upper_bound(k, n, error)
    if k == n:
        assert bound == 1
        return
    # k or fewer successes are n - k or more failures.
    assert tail(n - k, n, 1 - bound) <= error < tail(n - k, n, 1 - bound + GRAIN)


@pytest.mark.parametrize(("k", "n"), [(1, 400), (200, 400), (399, 400), (570, 600)])
@pytest.mark.parametrize("error", [Fraction(1, 40), Fraction(1, 10**9)])
def test_many_tries(k: int, n: int, error: Fraction) -> None:
    bound = lower_bound(k, n, error)
    assert tail(k, n, bound) <= error < tail(k, n, bound + GRAIN)


def test_known_values() -> None:
    # 8 of 10 at 95% on two sides: sum over j >= 8 of C(10, j) p^j (1-p)^(10-j) is 1/40 at
    # p = 0.44390..., and the same sum with p for 1-p, j >= 2 complemented, at p = 0.97478...
    error = Fraction(1, 40)
    assert tail(8, 10, Fraction(44390, 10**5)) < error < tail(8, 10, Fraction(44391, 10**5))
    assert Fraction(44390, 10**5) < lower_bound(8, 10, error) < Fraction(44391, 10**5)
    assert tail(2, 10, Fraction(2521, 10**5)) < error < tail(2, 10, Fraction(2522, 10**5))
    assert Fraction(97478, 10**5) < upper_bound(8, 10, error) < Fraction(97479, 10**5)
    # No success: (1-p)^n = error, so 1 - bound is the n-th root, here of 1/2^20.
    assert upper_bound(0, 20, Fraction(1, 1 << 20)) == Fraction(1, 2)
    # No failure: p^n = error.
    assert lower_bound(10, 10, Fraction(1, 1024)) == Fraction(1, 2)


@pytest.mark.parametrize(("successes", "runs", "error", "words"), [
    (3, 2, Fraction(1, 20), "successes: got 3, want at most 2"),
    (-1, 2, Fraction(1, 20), "successes: got -1"),
    (0, 0, Fraction(1, 20), "runs: got 0"),
    (1, 2, Fraction(0), "error: got 0"),
    (1, 2, Fraction(1, 2), "error: got 1/2"),
])  # fmt: skip
def test_bad_input_is_refused(successes: int, runs: int, error: Fraction, words: str) -> None:
    refuses(words, lower_bound, successes, runs, error)
    refuses(words, upper_bound, successes, runs, error)
