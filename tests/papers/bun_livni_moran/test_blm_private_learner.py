"""Algorithm M: its sizes, its privacy, its law."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import Epsilon, arithmetic, audit, classes, mechanisms, randomness
from pac_stability.data import FiniteDistribution, FromProgram, Sample, enumerate_law
from pac_stability.papers.bun_livni_moran.formulas import PrivateLearnerSizes
from pac_stability.papers.bun_livni_moran.private import PrivateLearner
from shared_refusals import refuses

HALF = Fraction(1, 2)


def majority_or_guess(sample: Sample[int], rng: randomness.Coins) -> int:
    """A learner of one bit for two points, which tosses a coin at a tie."""
    ones = 2 * sum(sample.labels) - len(sample)
    return int(ones > 0) if ones else 3 * rng.below(2)


def tiny(run_size: int, runs: int, decay: Fraction = HALF) -> PrivateLearner[int]:
    histogram = mechanisms.StableHistogram(HALF, 1, 3)
    return PrivateLearner(
        (0, 1), FromProgram(majority_or_guess), run_size, runs, histogram, decay, 1, default=2
    )


def sizes_of(d: int, constants: arithmetic.ConstantsLike = "repaired") -> PrivateLearnerSizes:
    quarter, tenth, millionth = Fraction(1, 4), Fraction(1, 10), Fraction(1, 10**6)
    return PrivateLearnerSizes(d, quarter, tenth, Epsilon(1.0), millionth, constants)


class TestSizes:
    def test_dimension_one(self) -> None:
        # tau = 1/2, a = 1/8: n = 8, B = 2*16*2 = 64, m = 65*8 = 520, eta = 1/8.  A = 27, so that
        # k = max(8 ln 20, 8*27) * 8 = 1728; list <= 32; n' = ceil(288 ln 2560) = 2261.
        sizes = sizes_of(1)
        stable, private = sizes.stable, sizes.private
        assert (stable.n, stable.blocks, stable.sample_size) == (8, 64, 520)
        assert (private.runs, private.list_size, private.choice_size) == (1728, 32, 2261)
        assert private.histogram.threshold == 81  # 3/8 * 1728/8
        assert sizes.sample_size == 1728 * 520 + 2261 == 900_821

    @pytest.mark.parametrize(("d", "constants", "size"), [
        (2, "paper", 4.26e7), (2, "repaired", 4.48e8), (3, "paper", 1.36e9), (3, "repaired", 1e12),
    ])  # fmt: skip
    def test_sample_sizes(self, d: int, constants: arithmetic.ConstantsLike, size: float) -> None:
        sizes = sizes_of(d, constants)
        assert sizes.sample_size == pytest.approx(size, rel=0.02)

    @settings(max_examples=25)
    @given(
        st.integers(1, 4),
        st.fractions(Fraction(1, 100), Fraction(9, 10)),
        st.fractions(Fraction(1, 10**6), Fraction(9, 10)),
        st.fractions(Fraction(11, 10), 20),
        st.fractions(Fraction(1, 10**9), Fraction(9, 10)),
        st.sampled_from(["paper", "repaired"]),
    )
    def test_what_the_proof_needs(  # noqa: PLR0917  # hypothesis passes them by position
        self,
        d: int,
        alpha: Fraction,
        beta: Fraction,
        factor: Fraction,
        delta: Fraction,
        constants: arithmetic.ConstantsLike,
    ) -> None:
        sizes = PrivateLearnerSizes(d, alpha, beta, Epsilon.exactly(factor), delta, constants)
        stable, private = sizes.stable, sizes.private
        often = stable.eta * private.runs
        histogram = private.histogram
        noise = histogram.truncation
        assert math.exp(-often / 8) <= beta / 2 * (1 + Fraction(1, 10**9))
        # Occurring often/2 times suffices to be released, and occurring often/4 times is necessary.
        assert math.ceil(often / 2) - noise >= histogram.threshold
        assert histogram.threshold - noise >= often / 4
        assert private.list_size * (often / 4) <= private.runs
        assert stable.blocks * stable.threshold.value >= 2 * 4 ** (d + 1)
        assert private.guarantee.factor <= factor
        assert private.guarantee.delta <= delta

    @pytest.mark.parametrize(("argument", "values"), [
        ("alpha", (0, HALF, 1.0, HALF)),
        ("alpha", (1, HALF, 1.0, HALF)),
        ("beta", (HALF, 0, 1.0, HALF)),
        ("epsilon", (HALF, HALF, 0, HALF)),
        ("epsilon", (HALF, HALF, -1, HALF)),
        ("delta", (HALF, HALF, 1.0, 0)),
        ("delta", (HALF, HALF, 1.0, 1)),
    ])  # fmt: skip
    def test_parameters_out_of_range(
        self, argument: str, values: tuple[Fraction, Fraction, float, Fraction]
    ) -> None:
        refuses(argument, PrivateLearner.of_class, classes.singletons(2), *values)  # type: ignore[arg-type]  # of its overloads


class TestPrivateLearner:
    @pytest.mark.parametrize(("run_size", "runs"), [(1, 4), (2, 4), (1, 5)])
    def test_audit(self, run_size: int, runs: int) -> None:
        learner = tiny(run_size, runs)
        guarantee = learner.guarantee
        result = audit.differential_privacy(
            lambda sample: learner.law(Sample([0] * len(sample), sample)),
            (0, 1),
            learner.sample_size,
            guarantee.delta,
            claim=guarantee.epsilon,
            labelled=False,
        )
        assert result.verdict is audit.Verdict.VERIFIED

    @pytest.mark.parametrize("run_size", [1, 3])
    def test_the_choice_may_spend_all_of_epsilon(self, run_size: int) -> None:
        # Four runs say 1 and four say 0, so that both may be listed; then the last example decides
        # with odds of 3 to 1, and to exchange the labels exchanges the outputs.
        learner = tiny(run_size, 8, decay=Fraction(1, 3))
        assert learner.guarantee.factor == 9
        labels = [1] * (4 * run_size) + [0] * (4 * run_size)
        points = [0] * (8 * run_size + 1)
        ones = learner.law(Sample(points, [*labels, 1]))
        zeros = learner.law(Sample(points, [*labels, 0]))
        assert ones.probability(1) == zeros.probability(0) > zeros.probability(1)

    def test_the_law_is_that_of_the_runs(self) -> None:
        learner = tiny(2, 4)
        sample = Sample([0, 1, 0, 0, 1, 1, 0, 1, 0], [1, 0, 1, 1, 1, 1, 0, 1, 1])
        assert enumerate_law(lambda rng: learner.run(sample, rng)) == learner.law(sample)

    def test_nothing_frequent_gives_the_default(self) -> None:
        # Each output occurs once, which with noise 1 is not the 3 that are needed.
        assert tiny(1, 2).law(Sample([0, 0, 0], [1, 0, 1])) == FiniteDistribution.point_mass(2)

    def test_a_smaller_sample_is_refused_with_the_size(self) -> None:
        refuses(r"8 examples, want at least 9", tiny(2, 4).run, Sample([0] * 8, [0] * 8))
        refuses(r"8 examples, want at least 9", tiny(2, 4).law, Sample([0] * 8, [0] * 8))

    def test_bad_parameters(self) -> None:
        stable = FromProgram(majority_or_guess)
        histogram = mechanisms.StableHistogram(HALF, 1, 3)
        refuses("default", PrivateLearner, (0,), stable, 1, 1, histogram, HALF, 1, default=2)
        refuses("runs", PrivateLearner, (0,), stable, 1, 0, histogram, HALF, 1, default=0)
        refuses("decay", PrivateLearner, (0,), stable, 1, 1, histogram, Fraction(2), 1, default=0)
