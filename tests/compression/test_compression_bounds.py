"""The bounds of compression: their values, their inverses, and where the printed ones need care."""

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import example, given, settings, strategies as st

from pac_stability import FiniteDistribution, InvalidInput, Sample, testing
from pac_stability.arithmetic import Interval, decide_less
from pac_stability.compression.bounds import (
    AnytimeBound,
    DeviationBound,
    HoeffdingBound,
    Lemma16,
    Lemma17,
    Reading,
    Theorem18,
    Theorem19,
    UnionBound,
    anytime_delta,
    balanced_subsample,
    ranked_bounds,
    remark_27,
    unselected,
    unselected_mean,
)
from pac_stability.compression.scheme import Selection
from shared_refusals import refuses

TWENTIETH = Fraction(1, 20)
HALF = Fraction(1, 2)

deltas = st.fractions(Fraction(1, 10**4), Fraction(99, 100), max_denominator=10**4)


def close(bound: DeviationBound, expected: float) -> bool:
    value = bound.value()
    return value.width < Fraction(1, 10**12) and math.isclose(float(value), expected, rel_tol=1e-9)


class TestValues:
    """The formulas, against floats from the printed ones."""

    @given(st.integers(1, 400), st.integers(1, 60), deltas)
    def test_lemma_17(self, n: int, k: int, delta: Fraction) -> None:
        d = float(delta)
        rest = 8 * k * math.log(2 * n / d) / n + k / n
        statement = math.sqrt(4 * k * math.log(n / d) / n) + rest
        proof = math.sqrt(4 * k * math.log(2 * n / d) / n) + rest
        assert close(Lemma17(n, k, delta), statement)
        assert close(Lemma17(n, k, delta, "proof"), proof)

    @given(st.integers(2, 400), st.integers(1, 60), deltas, testing.strategies.probabilities(50))
    def test_lemma_16(self, n: int, k: int, delta: Fraction, mean: Fraction) -> None:
        if n < 2 * k:
            refuses(f"n: got {n}, want at least 2k = {2 * k}", Lemma16, n, k, delta, mean)
            return
        u = k * math.log(2 * n / float(delta)) / n
        value = math.sqrt(4 * mean * u) + 8 * u
        bound = Lemma16(n, k, delta, mean)
        assert close(bound, value)
        assert math.isclose(float(bound.on_sample()), (n - k) / n * value + k / n, rel_tol=1e-9)

    @given(st.integers(1, 200), st.integers(0, 40), deltas, st.sampled_from(Selection))
    def test_hoeffding(self, n: int, k: int, delta: Fraction, selection: Selection) -> None:
        if k >= n:
            assert HoeffdingBound(n, k, delta, selection).value().lower == Fraction(k, n)
            return
        tails = {"joint": math.log(2 / delta), "split": math.log(8 / delta**2)}
        count = selection.count(n, k)
        for bits in (0, 3):
            for reading in ("joint", "split"):
                exponent = math.log(count) + bits * math.log(2) + tails[reading]
                expected = (n - k) / n * math.sqrt(exponent / (2 * (n - k))) + k / n
                bound = HoeffdingBound(n, k, delta, selection, bits=bits, reading=reading)
                assert close(bound, expected)
                assert close(UnionBound(n, k, delta, count << bits, reading), expected)

    def test_selections_are_counted_one_by_one(self) -> None:
        for n, k in itertools.product(range(1, 5), range(4)):
            listed = {
                Selection.SEQUENCE: itertools.product(range(n), repeat=k),
                Selection.DISTINCT: itertools.permutations(range(n), k),
                Selection.MULTISET: itertools.combinations_with_replacement(range(n), k),
                Selection.SUBSET: itertools.combinations(range(n), k),
            }
            assert all(kind.count(n, k) == len([*every]) for kind, every in listed.items())

    def test_every_length_up_to_k_is_less_than_twice_as_many(self) -> None:
        for n, k in itertools.product(range(2, 12), range(1, 6)):
            choices = HoeffdingBound(n, k, HALF, any_length=True).choices
            assert choices == sum(n**length for length in range(k + 1)) <= 2 * n**k

    def test_anytime_spends_delta_once(self) -> None:
        # 1/(k(k+1)) telescopes: the first K of them sum to K/(K+1).
        spent = sum((anytime_delta(TWENTIETH, k) for k in range(1, 100)), Fraction())
        assert spent == TWENTIETH * Fraction(99, 100)
        assert close(
            AnytimeBound(100, 3, TWENTIETH),
            float(UnionBound(100, 3, TWENTIETH / 12, 10**6).value()),
        )

    def test_theorem_18_adds_what_the_best_hypothesis_deviates_by(self) -> None:
        fixed = math.sqrt(math.log(20) / 2000)
        for constants in ("paper", "sharp"):
            learner = Theorem18(1000, 3, TWENTIETH, constants, Selection.SUBSET)
            assert close(learner, float(learner.robust.value()) + fixed)
        assert Theorem18(1000, 3, TWENTIETH, "paper").robust == Lemma17(1000, 3, TWENTIETH)
        sharp = Theorem18(1000, 3, TWENTIETH, "sharp", Selection.SUBSET).robust
        assert sharp == HoeffdingBound(1000, 3, TWENTIETH, Selection.SUBSET)
        assert learner.failure == Fraction(1, 10)

    def test_theorem_19_is_lemma_17_for_the_sum(self) -> None:
        rounds = Theorem19(1000, (1, 4, 2), TWENTIETH)
        assert rounds.printed == Lemma17(1000, 7, TWENTIETH)
        assert rounds.sharp == HoeffdingBound(1000, 7, TWENTIETH)

    def test_the_condition_is_where_it_is_printed(self) -> None:
        # 8 ln(2n) <= n first at n = 34 (33.76): 33 gives 33.52.
        almost_one = 1 - Fraction(1, 10**9)
        assert [Theorem18(n, 1, almost_one).applies for n in (33, 34)] == [False, True]
        assert [Theorem19(n, (1,), almost_one).applies for n in (33, 34)] == [False, True]

    def test_it_prints(self) -> None:
        root = "sqrt(4k ln(2n/delta) / n) + 8k ln(2n/delta) / n + k/n"
        assert str(Lemma17(1000, 5, TWENTIETH, "proof")) == (
            f"{root} = 0.8892 at n = 1000, k = 5, delta = 1/20, wording = proved"
        )
        split = HoeffdingBound(1000, 5, TWENTIETH, Selection.SUBSET, reading="split")
        assert str(split) == (
            "((n-k)/n) sqrt((ln N + ln(8/delta^2)) / (2(n-k))) + k/n = 0.1422 "
            "at n = 1000, k = 5, delta = 1/20, selection = subset, reading = split"
        )
        assert str(UnionBound(10, 0, HALF, 3)).endswith(
            "= 0.3525 at n = 10, k = 0, delta = 1/2, choices = 3"
        )
        assert str(Theorem18(10, 1, HALF)).startswith(
            HoeffdingBound(10, 1, HALF).formula + " + sqrt(ln"
        )


class TestLeastN:
    """The least sample size, against a scan."""

    @settings(max_examples=30)
    @given(st.integers(1, 3), deltas, st.fractions(HALF, 3, max_denominator=20), st.data())
    def test_none_below_is_enough(
        self, k: int, delta: Fraction, epsilon: Fraction, data: st.DataObject
    ) -> None:
        bounds: list[DeviationBound] = [
            HoeffdingBound(1, k, delta, data.draw(st.sampled_from(Selection))),
            UnionBound(1, k, delta, 7, "split"),
            AnytimeBound(1, k, delta),
            Lemma16(2 * k, k, delta, data.draw(testing.strategies.probabilities(5))),
            Theorem18(1, k, delta, "sharp"),
        ]
        bound = data.draw(st.sampled_from(bounds))
        least = bound.least_n(epsilon)
        first = max(2 * k if isinstance(bound, Lemma16) else 1, least - 60)
        enough = [
            n
            for n in range(first, least + 1)
            if not decide_less(lambda _: _at(epsilon), replace(bound, n=n).value)
        ]
        assert enough == [least]

    def test_lemma_17_says_something_late(self) -> None:
        # n = 135: sqrt(4 ln 2700 / 135) + 8 ln 5400 / 135 + 1/135 = 1.0006, and 0.9945 for 136.
        assert [Lemma17(1, k, TWENTIETH).least_n(1) for k in (1, 2, 5, 10)] == [136, 296, 820, 1763]
        assert Lemma17(135, 1, TWENTIETH).is_vacuous
        assert not Lemma17(136, 1, TWENTIETH).is_vacuous

    def test_smaller_deviations_take_more(self) -> None:
        sizes = [HoeffdingBound(1, 3, TWENTIETH).least_n(Fraction(1, t)) for t in range(2, 40)]
        assert sizes == sorted(sizes)

    @pytest.mark.parametrize("epsilon", [0, -1])
    def test_no_size_is_enough_for_nothing(self, epsilon: int) -> None:
        with pytest.raises(InvalidInput, match=f"epsilon: got {epsilon}, want a number above 0"):
            Lemma17(10, 1, HALF).least_n(epsilon)


class TestPrinted:
    """Where the printed statements hold, and where they need a condition."""

    @given(st.integers(1, 60), st.integers(1, 60), deltas)
    @example(1, 1, Fraction(999, 1000))
    @example(2, 1, Fraction(999, 1000))
    @example(60, 59, Fraction(999, 1000))
    def test_the_statement_of_lemma_17_follows_from_hoeffding(
        self, n: int, k: int, delta: Fraction
    ) -> None:
        """It has ln(n/delta) where its proof has ln(2n/delta); it is true all the same."""
        statement, proof = Lemma17(n, k, delta), Lemma17(n, k, delta, "proof")
        assert decide_less(statement.value, proof.value)
        if k >= n:
            assert statement.is_vacuous
        else:
            assert decide_less(HoeffdingBound(n, k, delta).value, statement.value)
        if n >= 2 and k < n:
            split = HoeffdingBound(n, k, delta, reading="split")
            assert decide_less(split.value, statement.value)

    @pytest.mark.parametrize("reading", ["joint", "split"])
    def test_so_it_does_at_every_small_size(self, reading: Reading) -> None:
        for n in range(2, 15):
            for k in range(1, n):
                bound = HoeffdingBound(n, k, Fraction(999, 1000), reading=reading)
                assert decide_less(bound.value, Lemma17(n, k, bound.delta).value)

    def test_no_kept_example_is_no_guarantee(self) -> None:
        """With k = 0 the formula is 0, and a fair coin has never the mean 1/2 on odd samples."""
        coins = FiniteDistribution.uniform([0, 1]).power(3)
        off = sum(p for S, p in coins.items() if abs(Fraction(sum(S), 3) - HALF) > 0)
        assert off == 1
        for make in (Lemma17, Theorem18, AnytimeBound):
            refuses("k: got 0, want an integer that is at least 1", make, 3, 0, HALF)
        refuses("k: got 0", Lemma16, 3, 0, HALF, HALF)

    @pytest.mark.parametrize("n", [63, 70, 200])
    def test_lemma_16_is_about_indices_and_not_about_values(self, n: int) -> None:
        """On a distribution of one example all are equal to the one kept: none is left by value."""
        sample = Sample(["a"] * n, [1] * n)
        kept = sample[:1]
        different = [z for z in sample if z not in set(kept)]
        by_value = Fraction(sum(z.label for z in different), n - 1)
        assert by_value == 0  # and the test "label 1" has probability 1
        assert decide_less(Lemma16(n, 1, TWENTIETH, by_value).value, lambda _: _at(Fraction(1)))
        assert unselected_mean(sample, (0,), lambda z: z.label) == 1

    def test_that_is_where_the_bound_becomes_smaller_than_one(self) -> None:
        # 8 ln(40 n)/n at n = 62: 8 * 7.8160 / 62 = 1.0085; at 63: 8 * 7.8320 / 63 = 0.9945.
        assert Lemma16(2, 1, TWENTIETH, Fraction(0)).least_n(1) == 63
        assert close(Lemma16(70, 1, TWENTIETH, Fraction(0)), 8 * math.log(2800) / 70)  # .907

    def test_the_mean_is_over_what_is_left(self) -> None:
        """Repeated indices leave more than n - k examples."""
        sample = Sample("abcd", [1, 1, 1, 0])
        assert unselected(sample, (0, 0)) == sample[1:]
        assert unselected_mean(sample, (0, 0), lambda z: z.label) == Fraction(2, 3)  # not 2/2

    @given(st.integers(1, 30), st.integers(0, 10**6), deltas)
    def test_the_hidden_constant_of_theorem_18(self, k: int, extra: int, delta: Fraction) -> None:
        """From n >= 8k ln(2n/delta) on, 26/5 is enough; at n = 34 and delta near 1, 5 is not."""
        n = _first_in_regime(k, delta) + extra
        learner = Theorem18(n, k, delta, "paper")
        assert learner.applies
        assert decide_less(learner.robust.value, lambda bits: learner.order(bits) * Fraction(26, 5))

    def test_five_is_too_small_a_constant(self) -> None:
        learner = Theorem18(34, 1, 1 - Fraction(1, 10**9), "paper")
        assert learner.applies
        assert decide_less(lambda bits: learner.order(bits) * 5, learner.robust.value)
        assert learner.robust.is_vacuous

    def test_where_the_printed_condition_holds_first_nothing_is_said(self) -> None:
        for k in (1, 2, 5, 20):
            n = _first_in_regime(k, TWENTIETH)
            assert decide_less(lambda _: _at(Fraction(8, 5)), Lemma17(n, k, TWENTIETH).value)


class TestOblivious:
    """Selections that do not look need no union bound."""

    @given(st.integers(1, 10**6), st.integers(1, 50))
    def test_the_balance(self, n: int, d: int) -> None:
        if d > n:
            refuses("dimension", balanced_subsample, n, d)
            return
        k = balanced_subsample(n, d)
        # k/n >= sqrt(d/k), and not for one example fewer.
        assert k**3 >= d * n**2 > (k - 1) ** 3
        assert k <= n

    def test_it_beats_the_printed_order(self) -> None:
        for n, printed, found in ((10**4, 0.2795, 0.0924), (10**6, 0.0958, 0.0184)):
            k = balanced_subsample(n, 5)
            robust = HoeffdingBound(n, k, TWENTIETH, Selection.OBLIVIOUS).value()
            assert math.isclose(float(remark_27(n, 5, TWENTIETH)), printed, abs_tol=1e-4)
            assert math.isclose(float(robust), found, abs_tol=1e-4)


class TestRanking:
    """Which bound is best."""

    @given(st.integers(2, 3000), st.integers(1, 20), deltas, st.sampled_from(Selection), st.data())
    def test_smallest_first(
        self, n: int, k: int, delta: Fraction, selection: Selection, data: st.DataObject
    ) -> None:
        mean = data.draw(st.none() | testing.strategies.probabilities(20)) if n >= 2 * k else None
        ranked = ranked_bounds(n, k, delta, selection=selection, mean=mean)
        values = [float(entry.enclosure(64)) for entry in ranked]
        assert values == sorted(values)
        kinds = {type(entry.bound) for entry in ranked}
        assert kinds == {Lemma17, HoeffdingBound} | ({Lemma16} if mean is not None else set())

    def test_the_relative_form_wins_for_rare_tests_on_large_samples(self) -> None:
        best = [type(ranked_bounds(n, 5, TWENTIETH, mean=0)[0].bound) for n in (10**4, 10**5)]
        assert best == [HoeffdingBound, Lemma16]
        assert type(ranked_bounds(10**5, 5, TWENTIETH, mean=HALF)[0].bound) is HoeffdingBound

    def test_the_relative_form_is_joint(self) -> None:
        assert len(ranked_bounds(100, 1, TWENTIETH, reading="split")) == 2
        with pytest.raises(InvalidInput, match="mean: got a mean for the split reading"):
            ranked_bounds(100, 1, TWENTIETH, reading="split", mean=0)


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1), Fraction(-1, 2), Fraction(3, 2)])
def test_delta_is_open(delta: Fraction) -> None:
    for make in (Lemma17, HoeffdingBound, UnionBound, Theorem18):
        refuses("delta", make, 10, 1, delta)
    refuses("delta", Theorem19, 10, (1,), delta)


def test_other_bad_parameters() -> None:
    refuses("n: got 0", HoeffdingBound, 0, 1, HALF)
    refuses("choices: got 0", UnionBound, 3, 1, HALF, 0)
    with pytest.raises(InvalidInput, match="reading"):
        UnionBound(3, 1, HALF, 1, "both")  # type: ignore[arg-type]  # what is refused
    with pytest.raises(InvalidInput, match="selection"):
        HoeffdingBound(3, 1, HALF, "subset")  # type: ignore[arg-type]  # what is refused
    refuses("wording", Lemma17, 3, 1, HALF, "both")  # type: ignore[arg-type]  # what is refused
    refuses("constants", Theorem18, 3, 1, HALF, "best")  # type: ignore[arg-type]  # what is refused
    refuses("sizes: got no rounds", Theorem19, 3, (), HALF)
    refuses("sizes: got 0", Theorem19, 3, (1, 0), HALF)
    refuses("indices", unselected, Sample("ab", [0, 1]), (2,))
    refuses("every index", unselected_mean, Sample("ab", [0, 1]), (0, 1), lambda z: z.label)
    with pytest.raises(InvalidInput, match="test: got another value, want 0 or 1"):
        unselected_mean(Sample("ab", [0, 1]), (0,), lambda _: 2)


def _at(value: Fraction) -> Interval:
    return Interval.exactly(value)


def _first_in_regime(k: int, delta: Fraction) -> int:
    low, high = 1, 2
    while not Theorem18(high, k, delta).applies:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if Theorem18(middle, k, delta).applies else (middle, high)
    return high
