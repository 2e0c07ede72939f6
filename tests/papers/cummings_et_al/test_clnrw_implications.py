"""Every implication on small random mechanisms, whose parameters and conclusions are exact."""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import Epsilon, FiniteDistribution, arithmetic, data, errors
from pac_stability.compression.bounds import Reading
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.notions import (
    closeness,
    differential_privacy,
    perfect_generalization,
    robust_generalization,
    simulators,
    split_reading,
)
from pac_stability.papers.cummings_et_al import implications as im
from pac_stability.testing import strategies

Law = FiniteDistribution[int]
Sample = tuple[int, ...]

HALF = Fraction(1, 2)


class Instance:
    """A mechanism on all samples of n elements, a distribution, and its exact privacy."""

    def __init__(
        self, drawn: tuple[int, data.FromLaw[Sample, int]], masses: FiniteDistribution[int]
    ) -> None:
        self.n, mechanism = drawn
        self.samples = masses.power(self.n)
        every = list(product(masses.support, repeat=self.n))
        self.laws: dict[Sample, Law] = {sample: mechanism.law(sample) for sample in every}
        self.outputs = len(self.laws[every[0]])
        self.neighbours = [
            (one, other)
            for one in every
            for other in every
            if one < other and sum(a != b for a, b in zip(one, other, strict=True)) == 1
        ]

    def factor(self) -> Fraction:
        return Fraction(
            differential_privacy.minimal_epsilon(self.laws.__getitem__, self.neighbours)
        )

    def pure(self) -> PrivacyGuarantee:
        return PrivacyGuarantee(Epsilon.exactly(self.factor()))

    def private(self, epsilon: Epsilon) -> PrivacyGuarantee:
        delta = differential_privacy.minimal_delta(self.laws.__getitem__, self.neighbours, epsilon)
        return PrivacyGuarantee(epsilon, delta)

    def perfect(self, epsilon: Epsilon, delta: Fraction) -> im.PerfectGuarantee:
        beta = perfect_generalization.minimal_beta(
            self.laws, self.samples, epsilon, delta, max_steps=50
        ).upper
        return im.PerfectGuarantee(Fraction(beta), epsilon, delta)

    def failure(self, epsilon: Fraction) -> Fraction:
        return robust_generalization.optimal_adversary(self.laws, self.samples, epsilon).failure

    def holds(self, guarantee: im.RobustGuarantee) -> bool:
        """No adversary that is tried does worse than the guarantee says."""
        if guarantee.reading == "joint":
            return self.failure(guarantee.epsilon) <= guarantee.delta
        found = split_reading.split_bounds(self.laws, self.samples, guarantee.epsilon, mixed=3)
        return found.lower <= guarantee.delta


def instances(smallest: int, largest: int) -> st.SearchStrategy[Instance]:
    """Mechanisms with 2 or 3 outputs, on samples of 2 or 3 elements; weights in a range."""

    def of(elements: int, outputs: int) -> st.SearchStrategy[Instance]:
        laws = strategies.weighted(range(outputs), largest, min_weight=smallest)
        mechanisms = strategies.mechanisms_on_datasets(range(elements), laws, max_size=3)
        masses = strategies.weighted(range(elements), 4, min_weight=1)
        return st.builds(Instance, mechanisms, masses)

    return st.tuples(st.integers(2, 3), st.integers(2, 3)).flatmap(lambda sizes: of(*sizes))


nearly_uniform = instances(8, 12)
rough = instances(1, 12)
deltas = st.sampled_from([Fraction(k, 20) for k in (2, 5, 8, 12, 16, 19)])
factors = st.sampled_from([Fraction(1), Fraction(5, 4), Fraction(3, 2), Fraction(2), Fraction(3)])
readings = st.sampled_from(["joint", "split"])


class TestGuarantees:
    @given(st.integers(1, 40).map(lambda k: Fraction(k, 80)))
    def test_the_split_reading_costs_at_most_a_square_root(self, delta: Fraction) -> None:
        split = im.RobustGuarantee(Fraction(1, 5), delta).as_split().delta
        assert 2 * delta <= split**2 < 2 * delta + Fraction(1, 1 << 50) or split == 1

    def test_the_split_reading_implies_the_joint_one(self) -> None:
        split = im.RobustGuarantee(Fraction(1, 5), HALF, "split")
        assert split.as_split() == split
        assert split.as_joint() == im.RobustGuarantee(Fraction(1, 5), HALF)

    def test_vacuous(self) -> None:
        assert im.PerfectGuarantee(Fraction(1), Epsilon(1)).is_vacuous
        assert im.PerfectGuarantee(Fraction(0), Epsilon(1), Fraction(1)).is_vacuous
        assert not im.PerfectGuarantee(Fraction(0), Epsilon(1)).is_vacuous
        assert im.RobustGuarantee(Fraction(1), Fraction(0)).is_vacuous
        assert not im.RobustGuarantee(HALF, HALF).is_vacuous

    @pytest.mark.parametrize(("argument", "make"), [
        ("beta", lambda: im.PerfectGuarantee(Fraction(-1, 2), Epsilon(1))),
        ("epsilon", lambda: im.PerfectGuarantee(HALF, 1.0)),  # type: ignore[arg-type]  # refused
        ("delta", lambda: im.PerfectGuarantee(HALF, Epsilon(1), Fraction(2))),
        ("epsilon", lambda: im.RobustGuarantee(Fraction(-1), HALF)),
        ("delta", lambda: im.RobustGuarantee(HALF, Fraction(3))),
        ("reading", lambda: im.RobustGuarantee(HALF, HALF, "both")),  # type: ignore[arg-type]  # refused
        ("outputs", lambda: im.finite_range_deviation(0, 3, HALF)),
        ("n", lambda: im.finite_range_deviation(2, 0, HALF)),
        ("delta", lambda: im.finite_range_deviation(2, 3, 0)),
        ("constants", lambda: im.finite_range_deviation(2, 3, HALF, constants="other")),  # type: ignore[arg-type]  # refused
        ("delta", lambda: im.perfect_to_robust(im.PerfectGuarantee(HALF, Epsilon(1)), 3, HALF)),
        ("delta", lambda: im.perfect_to_robust(im.PerfectGuarantee(HALF, Epsilon(1)), 3)),
        (
            "guarantee",
            lambda: im.perfect_to_robust(
                im.PerfectGuarantee(Fraction(1, 9), Epsilon(2)), 3, constants="paper"
            ),
        ),
        (
            "delta",
            lambda: im.perfect_to_robust(
                im.PerfectGuarantee(Fraction(1, 9), Epsilon(1)), 3, HALF, constants="paper"
            ),
        ),
        (
            "guarantee",
            lambda: im.private_to_perfect(PrivacyGuarantee(Epsilon(1), HALF), 3, HALF, 2),
        ),
        ("beta", lambda: im.private_to_perfect(PrivacyGuarantee(Epsilon(1)), 3, 0, 2)),
        (
            "guarantee",
            lambda: im.pure_privacy_deviation(PrivacyGuarantee(Epsilon(1), HALF), 3, HALF),
        ),
        ("guarantee", lambda: im.theorem_20(PrivacyGuarantee(Epsilon(1)), 100)),
        ("n", lambda: im.theorem_20(PrivacyGuarantee(Epsilon("1/10"), Fraction(1, 999)), 100)),
        ("deviation", lambda: im.posterior_failure(PrivacyGuarantee(Epsilon(1)), 0)),
        ("n", lambda: im.private_to_perfect(PrivacyGuarantee(Epsilon(99)), 10**9, HALF, 2)),
        (
            "release",
            lambda: im.released_deviation(PrivacyGuarantee(Epsilon(1)), 3, HALF, 3),  # type: ignore[arg-type]  # refused
        ),
        ("simulator", lambda: im.processed_simulator("ab", FiniteDistribution.point_mass)),  # type: ignore[arg-type]  # refused
        ("width", lambda: im.Release(0, HALF)),
        ("decay", lambda: im.Release(1, Fraction(1))),
        ("guarantee", lambda: im.compose_perfect([PrivacyGuarantee(Epsilon(1))])),  # type: ignore[list-item]  # refused
        ("guarantee", lambda: im.post_process(HALF)),  # type: ignore[type-var]  # refused
        (
            "epsilon",
            lambda: im.close_pair(
                im.PerfectGuarantee(HALF, Epsilon.exactly(2)), constants="paper"
            ),
        ),
    ])  # fmt: skip
    def test_bad_input_names_the_argument(self, argument: str, make: Callable[[], object]) -> None:
        with pytest.raises(errors.InvalidInput) as refused:
            make()
        assert refused.value.argument == argument


class TestFormulas:
    """The intervals, against floats from the formulas as they are written down."""

    @staticmethod
    def close(found: arithmetic.Interval, expected: float) -> bool:
        return found.width < Fraction(1, 10**12) and math.isclose(float(found), expected)

    @given(st.integers(1, 99), st.integers(1, 999), deltas)
    def test_theorem_21(self, outputs: int, n: int, delta: Fraction) -> None:
        d, bound = float(delta), im.finite_range_deviation
        for found, ratio in (
            (bound(outputs, n, delta, constants="paper"), outputs / d),
            (bound(outputs, n, delta), 2 * outputs / d),
            (bound(outputs, n, delta, reading="split"), 4 * outputs / d**2),
        ):
            assert self.close(found, math.sqrt(math.log(ratio) / (2 * n)))

    @given(st.integers(1, 999), factors, st.integers(0, 9), st.integers(1, 9), st.integers(1, 50))
    def test_lemma_36(self, n: int, factor: Fraction, beta: int, lost: int, slack: int) -> None:
        b, d, s = beta / 100, lost / 100, slack / 100
        perfect = im.PerfectGuarantee(
            Fraction(beta, 100), Epsilon.exactly(factor), Fraction(lost, 100)
        )
        both = perfect.beta + perfect.delta
        joint = both - perfect.beta * perfect.delta + Fraction(slack, 100)
        t = float(factor)
        found = im.perfect_deviation(perfect, n, joint)
        assert self.close(found, math.sqrt(math.log(2 * t / s) / (2 * n)))
        found = im.perfect_deviation(perfect, n, both + Fraction(slack, 100), reading="split")
        assert self.close(found, math.sqrt(math.log(4 * t / s**2) / (2 * n)))
        if factor < 2:
            found = im.perfect_deviation(perfect, n, constants="paper")
            ratio = 2 * (2 * math.log(t) + 1) / (b + d)
            assert self.close(found, math.sqrt(2 / n * math.log(ratio)))

    @given(st.integers(1, 999), factors.filter(lambda t: t > 1), deltas, st.integers(1, 99))
    def test_from_pure_privacy(
        self, n: int, factor: Fraction, beta: Fraction, outputs: int
    ) -> None:
        private = PrivacyGuarantee(Epsilon.exactly(factor))
        e, b = math.log(factor), float(beta)
        root = math.sqrt(math.log(1 / b)) + e * math.sqrt(n / 8)
        found = im.pure_privacy_deviation(private, n, beta)
        assert self.close(found, math.sqrt((root**2 + math.log(2)) / (2 * n)))
        tau = e * math.sqrt(n / 2 * math.log(2 * outputs / b))
        a = n * e**2 / 8
        found = im.private_to_perfect_epsilon(private, n, beta, outputs, constants="paper")
        assert self.close(found, 2 * tau)
        found = im.private_to_perfect_epsilon(private, n, beta, outputs)
        assert self.close(found, min(tau + min(tau, a), n * e))
        found = im.any_range_epsilon(private, n, beta, Fraction(1, 7))
        assert self.close(found, min(a + e * math.sqrt(n / 2 * math.log(2 / (b / 7))), n * e))


class TestFiniteRange:
    @given(rough, deltas, readings)
    @settings(max_examples=25)
    def test_the_repaired_statement(
        self, found: Instance, delta: Fraction, reading: Reading
    ) -> None:
        assert found.holds(
            im.finite_range_to_robust(found.outputs, found.n, delta, reading=reading)
        )

    @given(rough, deltas)
    @settings(max_examples=25)
    def test_the_exact_union_bound(self, found: Instance, epsilon: Fraction) -> None:
        bound = im.finite_range_failure(found.outputs, found.n, epsilon)
        assert found.failure(epsilon) <= bound

    @given(st.integers(1, 9), deltas)
    @settings(max_examples=15)
    def test_one_output_attains_the_exact_form(self, n: int, epsilon: Fraction) -> None:
        # One test, its mass on a fine grid: binomial tails written out.
        tails = [
            sum(
                (
                    math.comb(n, k) * p**k * (1 - p) ** (n - k)
                    for k in range(n + 1)
                    if abs(Fraction(k, n) - p) > epsilon
                ),
                Fraction(),
            )
            for p in (Fraction(j, 97) for j in range(98))
        ]
        bound = im.finite_range_failure(1, n, epsilon)
        assert max(tails) <= bound <= 2 * arithmetic.Interval.exp(-2 * n * epsilon**2).upper


class TestPerfectToRobust:
    @given(rough, factors, st.sampled_from([0, Fraction(1, 20), Fraction(1, 5)]), deltas, readings)
    @settings(max_examples=25)
    def test_the_sharp_statement(
        self, found: Instance, factor: Fraction, lost: Fraction, delta: Fraction, reading: Reading
    ) -> None:
        perfect = found.perfect(Epsilon.exactly(factor), Fraction(lost))
        try:
            robust = im.perfect_to_robust(perfect, found.n, delta, reading=reading)
        except errors.InvalidInput:
            assert delta <= perfect.beta + perfect.delta
            return
        assert found.holds(robust)

    @given(rough, factors.filter(lambda t: t < 2), readings)
    @settings(max_examples=25)
    def test_the_printed_statement_in_both_readings(
        self, found: Instance, factor: Fraction, reading: Reading
    ) -> None:
        perfect = found.perfect(Epsilon.exactly(factor), Fraction(1, 50))
        if perfect.beta < Fraction(2, 5):
            robust = im.perfect_to_robust(perfect, found.n, reading=reading, constants="paper")
            assert found.holds(robust)

    @given(
        st.fractions(0, Fraction(1, 5), max_denominator=50),
        st.fractions(Fraction(1, 1000), Fraction(1, 5), max_denominator=1000),
        st.fractions(1, Fraction(27, 10), max_denominator=50),
        st.integers(1, 1000),
    )
    @settings(max_examples=30)
    def test_the_printed_deviation_is_more_than_twice_what_its_proof_needs(
        self, beta: Fraction, delta: Fraction, factor: Fraction, n: int
    ) -> None:
        perfect = im.PerfectGuarantee(beta, Epsilon.exactly(factor), delta)
        printed = im.perfect_deviation(perfect, n, constants="paper")
        assert 2 * im.perfect_deviation(perfect, n).lower <= printed.upper
        assert im.perfect_deviation(perfect, n, reading="split").lower <= printed.upper
        # exp(-2 alpha**2 n) is the fourth power of (beta + delta) / (2 (2 epsilon + 1)).
        written = (beta + delta) / (2 * (2 * perfect.epsilon.interval() + 1))
        power = arithmetic.Interval.exp(-2 * n * printed * printed)
        fourth = written * written * written * written
        assert power.lower <= fourth.upper
        assert fourth.lower <= power.upper


class TestPrivacyToPerfect:
    @given(nearly_uniform, deltas)
    @settings(max_examples=12)
    def test_theorem_39_and_its_sharper_form(self, found: Instance, beta: Fraction) -> None:
        best = perfect_generalization.minimal_epsilon(found.laws, found.samples, beta, max_steps=20)
        for constants in ("paper", "sharp"):
            perfect = im.private_to_perfect(
                found.pure(), found.n, beta, found.outputs, constants=constants
            )
            assert perfect.delta == 0
            assert best.lower <= perfect.epsilon.ratio

    @given(nearly_uniform, deltas)
    @settings(max_examples=50)
    def test_the_geometric_mean_shows_it(self, found: Instance, beta: Fraction) -> None:
        epsilon = im.private_to_perfect(found.pure(), found.n, beta, found.outputs).epsilon
        tau = im.private_to_perfect(
            found.pure(), found.n, beta, found.outputs, constants="paper"
        ).epsilon
        if epsilon.ratio < min(found.factor() ** found.n, tau.ratio):  # not by group privacy
            mean = simulators.geometric_mean(found.laws, found.samples)
            rounded = Epsilon.exactly(epsilon.ratio * (1 + Fraction(1, 1 << 50)))
            assert simulators.coverage(mean, found.laws, found.samples, rounded) >= 1 - beta

    @given(nearly_uniform, deltas, st.sampled_from([Fraction(1, k) for k in (3, 10, 50)]))
    @settings(max_examples=50)
    def test_any_range(self, found: Instance, beta: Fraction, delta: Fraction) -> None:
        perfect = im.private_to_perfect_any_range(found.pure(), found.n, beta, delta)
        mean = simulators.arithmetic_mean(found.laws, found.samples)
        if perfect.epsilon.ratio < found.factor() ** found.n:
            covered = simulators.coverage(
                mean, found.laws, found.samples, perfect.epsilon, perfect.delta
            )
            assert covered >= 1 - beta

    @given(rough, factors)
    @settings(max_examples=25)
    def test_group_privacy(self, found: Instance, factor: Fraction) -> None:
        private = found.private(Epsilon.exactly(factor))
        perfect = im.group_to_perfect(private, found.n)
        printed = im.group_to_perfect(private, found.n, constants="paper")
        assert perfect.beta == 0
        assert perfect.delta <= printed.delta
        assert perfect.epsilon == printed.epsilon
        for fixed in found.laws.values():
            assert all(
                closeness.minimal_delta(law, fixed, perfect.epsilon) <= perfect.delta
                for law in found.laws.values()
            )

    @given(st.integers(1, 6), st.integers(1, 4))
    def test_a_central_multiset(self, n: int, elements: int) -> None:
        # Types as count vectors; the distance of two is the sum of the positive differences.
        types = [c for c in product(range(n + 1), repeat=elements) if sum(c) == n]
        radius = min(
            max(sum(max(a - b, 0) for a, b in zip(t, s, strict=True)) for t in types) for s in types
        )
        private = PrivacyGuarantee(Epsilon.exactly(2))
        assert im.group_to_perfect(private, n, elements=elements).epsilon.ratio == 2**radius


class TestPrivacyToRobust:
    @given(nearly_uniform, deltas, readings)
    @settings(max_examples=25)
    def test_the_pure_statement(self, found: Instance, delta: Fraction, reading: Reading) -> None:
        assert found.holds(im.private_to_robust(found.pure(), found.n, delta, reading=reading))

    @given(rough, st.integers(2, 4))
    @settings(max_examples=25)
    def test_the_moments(self, found: Instance, k: int) -> None:
        # (E m**k)**(1/k) <= exp((k - 1) n epsilon**2 / 8) E m, the heart of the proof.
        epsilon = found.pure().epsilon.interval()
        limit = arithmetic.Interval.exp(k * (k - 1) * found.n * epsilon * epsilon / 8)
        for y in range(found.outputs):
            m = [(weight, found.laws[s].probability(y)) for s, weight in found.samples.items()]
            mean = sum((w * p for w, p in m), Fraction())
            assert sum((w * p**k for w, p in m), Fraction()) <= limit.upper * mean**k

    @given(rough, factors, deltas)
    @settings(max_examples=25)
    def test_the_mean_given_the_output(
        self, found: Instance, factor: Fraction, deviation: Fraction
    ) -> None:
        private = found.private(Epsilon.exactly(factor))
        far = Fraction()
        for y in range(found.outputs):
            joint = {s: w * found.laws[s].probability(y) for s, w in found.samples.items()}
            mass = sum(joint.values(), Fraction())
            tests = product([0, 1], repeat=1 + max(max(s) for s in joint))
            off = max(
                abs(
                    sum(
                        (
                            w / mass * Fraction(sum(h[x] for x in s), found.n)
                            for s, w in joint.items()
                        ),
                        Fraction(),
                    )
                    - sum((w * h[s[0]] for s, w in found.samples.items()), Fraction())
                )
                for h in tests
            )
            far += mass if off >= deviation else 0
        assert far <= im.posterior_failure(private, deviation)

    @pytest.mark.parametrize("root", [2, 3, 5])
    def test_the_mean_given_the_output_is_off_by_tanh(self, root: int) -> None:
        # t = root**2; a bit of probability 1/(root + 1), told truly with odds t to 1.
        t, p = Fraction(root**2), Fraction(1, root + 1)
        told = p * t / (p * t + (1 - p))
        assert told - p == Fraction(root - 1, root + 1)
        private = PrivacyGuarantee(Epsilon.exactly(t))
        assert im.posterior_failure(private, Fraction(root - 1, root + 1)) == 1
        just_above = Fraction(root - 1, root + 1) + Fraction(1, 10**9)
        assert im.posterior_failure(private, just_above) == 0

    @given(st.integers(1, 6), st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20))
    def test_the_release_is_as_private_as_it_says(self, width: int, decay: Fraction) -> None:
        weights = {z: decay ** abs(z) for z in range(-width, width + 1)}
        total = sum(weights.values())
        noise = FiniteDistribution({z: w / total for z, w in weights.items()})
        promised = im.Release(width, decay).guarantee
        moved = noise.map(lambda z: z + 1)
        exact = closeness.minimal_delta(noise, moved, promised.epsilon)
        assert exact <= promised.delta <= exact * (1 + Fraction(1, 1 << 40))

    @given(st.integers(2, 400), deltas, st.integers(1, 8), st.integers(1, 9), readings)
    def test_a_release_is_solved_for_the_deviation(
        self, n: int, delta: Fraction, width: int, decay: int, reading: Reading
    ) -> None:
        private = PrivacyGuarantee(Epsilon.exactly(Fraction(9, 8)), Fraction(1, 500))
        release = im.Release(width, Fraction(decay, 10))
        found = im.released_deviation(private, n, delta, release, reading=reading)
        joint = delta if reading == "joint" else delta**2 / 2
        lost = 1 - (1 - private.delta) * (1 - release.guarantee.delta)
        total = PrivacyGuarantee(private.epsilon + release.guarantee.epsilon, lost)
        mean = found.upper - Fraction(2 * width, n)
        if lost >= joint:
            assert found == arithmetic.Interval.exactly(1)
        else:
            assert im.posterior_failure(total, mean) <= joint * (1 + Fraction(1, 1 << 40))
            smaller = max(mean - Fraction(1, 10**6), Fraction(1, 10**9))
            assert im.posterior_failure(total, smaller) > joint

    @pytest.mark.parametrize("delta", [Fraction(1, 4), Fraction(2, 5), Fraction(3, 5)])
    def test_naming_the_most_frequent_element(self, delta: Fraction) -> None:
        # A mechanism made to overfit: it names elements in proportion to decay**(-count), and now
        # and then the whole sample.
        n, decay, leak = 30, Fraction(19, 20), Fraction(1, 1000)
        samples = data.multiset_distribution(FiniteDistribution.uniform("abc"), n)

        def law(sample: data.Multiset[str]) -> FiniteDistribution[object]:
            weights = {x: decay ** (-sample.count(x)) for x in "abc"}
            total = sum(weights.values())
            named = {x: (1 - leak) * w / total for x, w in weights.items()}
            return FiniteDistribution({**named, sample: leak})

        private = PrivacyGuarantee(Epsilon.exactly(decay**-2), leak)
        robust = im.private_to_robust(private, n, delta)
        assert robust.epsilon < 1
        found = robust_generalization.optimal_adversary(law, samples, robust.epsilon)
        assert found.failure <= delta
        pure = im.private_to_robust(PrivacyGuarantee(private.epsilon), n, delta)
        assert pure.epsilon < robust.epsilon

    @pytest.mark.parametrize("epsilon", ["1/100", "1/20", "1/5", "33/100"])
    @pytest.mark.parametrize("share", [Fraction(6, 25), Fraction(1, 100), Fraction(1, 10**9)])
    @pytest.mark.parametrize("times", [1, 10])
    def test_less_than_a_fifth_of_the_deviation_of_the_source(
        self, epsilon: str, share: Fraction, times: int
    ) -> None:
        private = PrivacyGuarantee(Epsilon(epsilon), Fraction(epsilon) * share)
        n = times * (2 + math.floor(math.log(4 / share) / float(Fraction(epsilon)) ** 2))
        quoted = im.theorem_20(private, n)
        proved = im.private_to_robust(private, n, quoted.delta)
        assert 5 * proved.epsilon < quoted.epsilon

    def test_failures_of_any_size(self) -> None:
        private = PrivacyGuarantee(Epsilon("1/10"), Fraction(1, 10**900))
        assert not im.private_to_robust(private, 10**6, Fraction(1, 10**600)).is_vacuous
        assert im.private_to_robust(private, 1, Fraction(1, 10**950)).is_vacuous

    def test_samples_of_any_size(self) -> None:
        private = PrivacyGuarantee(Epsilon("1/1000"), Fraction(1, 10**12))
        found = im.private_to_robust(private, 10**14, Fraction(1, 10**6))
        # epsilon/4 + delta'/J + sqrt(2 ln(n/J)/n), and not much more.
        assert Fraction(25, 10**5) < found.epsilon < Fraction(26, 10**5)


class TestComposition:
    @given(rough, rough, factors, factors)
    @settings(max_examples=25)
    def test_theorem_12(self, first: Instance, second: Instance, t: Fraction, u: Fraction) -> None:
        if set(second.laws) != set(first.laws):
            second = first
        found = [
            perfect_generalization.minimal_beta(
                one.laws, first.samples, Epsilon.exactly(factor), Fraction(1, 10), max_steps=20
            )
            for one, factor in ((first, t), (second, u))
        ]
        total = im.compose_perfect(
            im.PerfectGuarantee(Fraction(one.upper), Epsilon.exactly(factor), Fraction(1, 10))
            for one, factor in zip(found, (t, u), strict=True)
        )
        both = {s: first.laws[s].product(second.laws[s]) for s in first.laws}
        simulator = im.product_simulator([one.simulator for one in found])
        covered = simulators.coverage(simulator, both, first.samples, total.epsilon, total.delta)
        assert covered >= 1 - total.beta
        assert total.delta == Fraction(19, 100)

    @given(
        rough,
        st.lists(
            st.lists(st.integers(0, 5), min_size=2, max_size=2).filter(any), min_size=3, max_size=3
        ),
    )
    @settings(max_examples=25)
    def test_lemma_11(self, found: Instance, kernel: list[list[int]]) -> None:
        def processing(y: int) -> Law:
            a, b = kernel[y]
            return FiniteDistribution({0: Fraction(a, a + b), 1: Fraction(b, a + b)})

        epsilon, delta = Epsilon.exactly(Fraction(5, 4)), Fraction(1, 20)
        best = perfect_generalization.minimal_beta(found.laws, found.samples, epsilon, delta)
        perfect = im.post_process(im.PerfectGuarantee(Fraction(best.upper), epsilon, delta))
        processed = {s: im.processed_simulator(law, processing) for s, law in found.laws.items()}
        simulator = im.processed_simulator(best.simulator, processing)
        covered = simulators.coverage(simulator, processed, found.samples, epsilon, delta)
        assert covered >= 1 - perfect.beta
        for deviation in (Fraction(1, 10), Fraction(1, 3)):
            adversary = robust_generalization.optimal_adversary(processed, found.samples, deviation)
            robust = im.post_process(im.RobustGuarantee(deviation, found.failure(deviation)))
            assert adversary.failure <= robust.delta

    @given(rough, factors)
    @settings(max_examples=25)
    def test_corollary_10(self, found: Instance, factor: Fraction) -> None:
        perfect = found.perfect(Epsilon.exactly(factor), Fraction(1, 20))
        pairs = [im.close_pair(perfect)]
        if factor < 2:
            pairs.append(im.close_pair(perfect, constants="paper"))
            assert pairs[0].probability >= pairs[1].probability
            assert pairs[0].delta <= pairs[1].delta
        for pair in pairs:
            close = sum(
                (
                    v * w
                    for s, v in found.samples.items()
                    for z, w in found.samples.items()
                    if closeness.minimal_delta(found.laws[s], found.laws[z], pair.epsilon)
                    <= pair.delta
                ),
                Fraction(),
            )
            assert close >= pair.probability
