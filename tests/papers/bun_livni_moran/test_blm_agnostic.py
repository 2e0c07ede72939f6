"""The agnostic learner against enumeration: its law, its privacy, and the steps of its proof."""

import itertools
import math
from collections.abc import Hashable
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import arithmetic, audit, data, errors, mechanisms, notions, randomness, testing
from pac_stability.classes import FiniteClass, Row, cube, singletons, thresholds
from pac_stability.papers.bun_livni_moran import agnostic, agnostic_accuracy
from shared_refusals import refuses

HALF = Fraction(1, 2)
CLASSES = [thresholds(2), singletons(2), cube(2), FiniteClass([[0, 0], [1, 1]])]


def learner_on(
    H: FiniteClass, m: int, ratio: int, decay: Fraction = HALF
) -> agnostic.AgnosticPrivateLearner[Row]:
    base = mechanisms.exponential_learner(H, HALF)
    return agnostic.AgnosticPrivateLearner(H, base, m, base.guarantee, ratio, decay)


def literal_law(
    H: FiniteClass, sample: data.Sample[int], m: int, decay: Fraction
) -> dict[int, Fraction]:
    """The law of the row, from the box: patterns, relabelled D, sequences of m draws, the base."""
    table = [list(map(int, row)) for row in H.table]
    half = len(sample) // 2
    D, T = sample.points[:half], sample.points[half : 2 * half]
    patterns = {tuple(row[x] for x in D + T): row for row in table}
    weights = {
        key: decay ** sum(a != b for a, b in zip(key, sample.labels[:half], strict=False))
        for key in patterns
    }
    law: dict[int, Fraction] = {}
    for key, weight in weights.items():
        relabelled = list(zip(D, key, strict=False))
        for drawn in itertools.product(relabelled, repeat=m):
            scores = [HALF ** sum(row[x] != y for x, y in drawn) for row in table]
            for index, score in enumerate(scores):
                p = weight / sum(weights.values()) * score / sum(scores) / half**m
                law[index] = law.get(index, Fraction(0)) + p
    return law


@given(
    st.sampled_from(CLASSES),
    st.integers(1, 2),
    st.sampled_from([HALF, Fraction(2, 3)]),
    testing.strategies.samples(range(2), min_size=4, max_size=7),
)
@settings(max_examples=40)
def test_the_law_is_that_of_the_four_steps(
    H: FiniteClass, m: int, decay: Fraction, sample: data.Sample[int]
) -> None:
    learner = learner_on(H, m, 1, decay)
    law = learner.law(sample).map(lambda h: h.index)
    assert dict(law.items()) == literal_law(H, sample, m, decay)


def test_runs_follow_the_law() -> None:
    H = thresholds(2)
    learner = learner_on(H, 1, 2)
    sample = data.Sample([0, 1, 1, 0], [1, 0, 0, 1])
    coins, draws = randomness.SeededCoins(5), 500
    counts = [0] * len(H)
    for _ in range(draws):
        counts[learner.run(sample, coins).index] += 1
    law = learner.law(sample).map(lambda h: h.index)
    for index, count in enumerate(counts):
        p = float(law.probability(index))
        assert abs(count - draws * p) < 5 * math.sqrt(draws * p * (1 - p))


@pytest.mark.parametrize("H", CLASSES)
@pytest.mark.parametrize(("m", "ratio"), [(1, 1), (1, 2), (2, 1)])
def test_exact_audits_stay_below_the_account(H: FiniteClass, m: int, ratio: int) -> None:
    learner = learner_on(H, m, ratio)
    result = audit.differential_privacy(learner, H.domain, learner.sample_size)
    assert 1 < result.value <= learner.guarantee.factor


def adversarial(delta: Fraction) -> data.FromLaw[data.Sample[Hashable], object]:
    """A base that says with odds 3:1 whether it saw (0, 1), and tells all with probability delta.

    It is (3, delta)-private for one example replaced, in the group version of randomised response:
    the odds are 3 to the power of the number of examples (0, 1).
    """

    def law(sample: data.Sample[Hashable]) -> data.FiniteDistribution[object]:
        odds = Fraction(3) ** sum(z == data.Example(0, 1) for z in sample)
        weights: dict[object, Fraction] = {
            "more": (1 - delta) * odds / (odds + 1),
            "fewer": (1 - delta) / (odds + 1),
            sample: delta,
        }
        return data.FiniteDistribution(weights)

    return data.FromLaw(law)


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 20)])
@pytest.mark.parametrize(("m", "N"), [(1, 1), (1, 3), (2, 2), (2, 4), (3, 3)])
def test_resampling_keeps_its_guarantee(m: int, N: int, delta: Fraction) -> None:
    base = adversarial(delta)
    once = mechanisms.PrivacyGuarantee(arithmetic.Epsilon.exactly(3), delta)
    examples = [data.Example(0, 1), data.Example(1, 0)]
    # The base is as private as it is said to be.
    for z in itertools.product(examples, repeat=m):
        for i, other in itertools.product(range(m), examples):
            neighbour = (*z[:i], other, *z[i + 1 :])
            p, q = (base.law(data.Sample.from_examples(s)) for s in (z, neighbour))
            assert notions.closeness.minimal_delta(p, q, once.epsilon) <= delta
    promised = agnostic_accuracy.resampling_guarantee(once, m, N)
    resampled = mechanisms.Resampled(base, m)
    for z in itertools.product(examples, repeat=N):
        for i, other in itertools.product(range(N), examples):
            neighbour = (*z[:i], other, *z[i + 1 :])
            p, q = (resampled.law(data.Sample.from_examples(s)) for s in (z, neighbour))
            assert notions.closeness.minimal_delta(p, q, promised.epsilon) <= promised.delta


def test_a_factor_beyond_all_bounds_is_refused_by_name() -> None:
    once = mechanisms.PrivacyGuarantee(arithmetic.Epsilon(1), Fraction(1, 100))
    with pytest.raises(
        errors.InvalidInput, match=r"^population: got 10, want more, for 10,000,000 draws"
    ):
        agnostic_accuracy.resampling_guarantee(once, 10**7, 10)


def test_the_resampling_account_by_hand() -> None:
    pure = mechanisms.PrivacyGuarantee(arithmetic.Epsilon.exactly(1), Fraction(1, 100))
    # With epsilon 0 only the delta is paid, once for each of m/N draws on average.
    assert agnostic_accuracy.resampling_guarantee(pure, 3, 30) == mechanisms.PrivacyGuarantee(
        arithmetic.Epsilon.exactly(1), Fraction(1, 1000)
    )
    # (1 + 2/3)^3 = 125/27 exceeds 3, so that the group of 3 is what is left: 27, and 13 deltas.
    group = agnostic_accuracy.resampling_guarantee(
        mechanisms.PrivacyGuarantee(arithmetic.Epsilon.exactly(3), Fraction(1, 100)), 3, 3
    )
    assert group == mechanisms.PrivacyGuarantee(arithmetic.Epsilon.exactly(27), Fraction(13, 100))
    # Long resamples are rounded up, by little: also where the group is what is left.
    for size, exact in [(9000, (1 + Fraction(2, 9000)) ** 1000), (1000, Fraction(3) ** 1000)]:
        large = agnostic_accuracy.resampling_guarantee(
            mechanisms.PrivacyGuarantee(arithmetic.Epsilon.exactly(3)), 1000, size
        ).factor
        assert exact <= large <= exact * (1 + Fraction(1, 10**12))
        assert large.numerator.bit_length() < large.denominator.bit_length() + 1600
    # The ratio of 9 costs a base of epsilon = 1 less than 1.22 = e^0.2; the source pays 6/9.
    ninth = agnostic_accuracy.resampling_guarantee(
        mechanisms.PrivacyGuarantee(arithmetic.Epsilon(1.0)), 900, 8100
    ).factor
    assert Fraction(12, 10) < ninth < Fraction(122, 100)


def test_the_account_is_below_that_of_the_source() -> None:
    base = mechanisms.exponential_learner(cube(2), HALF)
    learner = agnostic.AgnosticPrivateLearner(cube(2), base, 1, base.guarantee)
    kept = agnostic_accuracy.resampling_guarantee(base.guarantee, 1, 9).factor
    # (1 + sqrt e)^2 = 7.01572..., against 4 e = 10.87.
    ratio = learner.guarantee.factor / kept
    assert Fraction(70156, 10000) < ratio < Fraction(70158, 10000)
    assert ratio < (4 * arithmetic.Interval.exp(1)).lower


def test_the_account_of_relabelling_is_nearly_attained() -> None:
    # At point 0 the pattern g of the others is open, and many patterns are settled against its
    # label; at point 1 g is settled against its label, and those are open. The event is g itself.
    k, r = 40, HALF
    g = [[a, 1] + [0] * k for a in (0, 1)]
    others = [[1, b] + [int(i == j) for j in range(k)] for i in range(k) for b in (0, 1)]
    H = FiniteClass(g + others)
    base = mechanisms.exponential_learner(H, HALF)
    learner = agnostic.AgnosticPrivateLearner(H, base, 1, base.guarantee, ratio=1, decay=r)
    common = [(2 + j, 0) for j in range(k)]
    D, D_ = [(0, 0), *common], [(1, 0), *common]
    T = [(2, 0)] * (k + 1)
    laws = [
        learner.relabelling(data.Sample([x for x, _ in half + T], [y for _, y in half + T])).map(
            lambda s: all(z.label == 0 for z in s if z.point in range(2, 2 + k))
        )
        for half in (D, D_)
    ]
    change = laws[0].probability(True) / laws[1].probability(True)
    bound = (1 + 1 / r) ** 2
    # D: g weighs 1 + r, the others r^2 each; D': g weighs r, the others r + r^2 each.
    with_D = (1 + r) / (1 + r + k * r**2)
    without = r / (r + k * (r + r**2))
    assert change == with_D / without
    assert bound * Fraction(8, 10) < change <= bound


def first_consistent(H: FiniteClass, labels: dict[int, int]) -> Row:
    return next(h for h in H if all(h(x) == y for x, y in labels.items()))


@pytest.mark.parametrize("H", [thresholds(2), cube(2)])
def test_the_expected_excess_is_below_its_bound_and_its_third_step_holds(H: FiniteClass) -> None:
    base = mechanisms.exponential_learner(H, Fraction(1, 10))
    learner = agnostic.AgnosticPrivateLearner(H, base, 1, base.guarantee, ratio=2, decay=HALF)
    target = data.FiniteDistribution(
        {
            data.Example(0, 0): Fraction(3, 10),
            data.Example(0, 1): Fraction(2, 10),
            data.Example(1, 0): Fraction(1, 10),
            data.Example(1, 1): Fraction(4, 10),
        }
    )

    def loss(h: Row) -> Fraction:
        return sum((p for z, p in target.items() if h(z.point) != z.label), Fraction(0))

    best = min(loss(h) for h in H)
    excess = seen = unseen = Fraction(0)
    for examples, p in target.power(4).items():
        sample = data.Sample.from_examples(examples)
        excess += p * (learner.law(sample).expectation(loss) - best)
        D, T = sample[:2], sample[2:]
        # f and h', jointly: the pattern decides the relabelled T.
        patterns = H.restrict(sample.points)
        for h, q in mechanisms.exponential_learner(patterns, HALF).law(D).items():
            tested = first_consistent(H, {x: h(x) for x in T.points})
            relabelled = data.Sample(D.points, [h(x) for x in D.points])
            for f, w in mechanisms.Resampled(base, 1).law(relabelled).items():
                differ = [f(x) != tested(x) for x in (0, 1)]
                seen += p * q * w * Fraction(sum(differ[x] for x in D.points), 2)
                unseen += p * q * w * Fraction(sum(differ), 2)  # both points weigh 1/2
    assert unseen <= learner.guarantee.factor * seen
    # The base errs on the one relabelled example with probability below 1: alpha = 1, beta = 0.
    assert 0 < excess <= learner.expected_excess(4, 1, 0).lower


def test_the_bound_tends_to_zero_with_the_base() -> None:
    H = thresholds(8)
    base = mechanisms.exponential_learner(H, HALF)
    learner = agnostic.AgnosticPrivateLearner(H, base, 100, base.guarantee, decay=HALF)
    tiny = Fraction(1, 10**6)
    values = [learner.expected_excess(n, tiny, tiny) for n in (10**4, 10**6, 10**10)]
    assert values[0] > values[1] > values[2]
    assert values[2] < Fraction(1, 10**4)
    # By hand at n = 10^6, |H| = 9, r = 1/2, N = 500,000; t = g (1 + 2)^2, g = (1 + 3/900)^100.
    t = 9 * (1 + 3 / 900) ** 100
    k = (2 * math.log2(9) + math.log2(500_000) + 1) / 500_000
    by_hand = (
        t * (2e-6 + k)
        + k
        + math.log(9) / math.log(2) / 500_000
        + math.sqrt(math.log(9) / 1_000_000)
    )
    assert float(values[1]) == pytest.approx(by_hand, rel=1e-12)


def test_a_random_part_of_a_larger_sample_meets_a_smaller_epsilon() -> None:
    H = FiniteClass([[0, 0], [1, 1]])
    learner = learner_on(H, 1, 1)
    asked = arithmetic.Epsilon.exactly(5)
    n = learner.population(asked)
    part = mechanisms.Subsampled(learner, learner.sample_size)
    assert part.amplified(learner.guarantee, n).factor <= 5
    assert part.amplified(learner.guarantee, n - 1).factor > 5
    # factor 36 = 9 * 4 for m = N = 1: n = ceil(2 * 35 / 4).
    assert learner.guarantee.factor == 36
    assert n == 18


def test_sizes_by_hand() -> None:
    sizes = agnostic_accuracy.agnostic_sizes(10, 3, "1/8", "1/20", gamma=2)
    assert sizes.for_base == 90
    assert sizes.for_relabelling == math.ceil(32 * math.log(20) + 240 * (math.log(160) + 1))
    assert sizes.for_release == math.ceil(640 * (3 * math.log(128) + math.log(40)))
    assert sizes.for_uniform == math.ceil(128 * (3 + math.log(20)))
    assert sizes.half == sizes.for_release
    assert sizes.sample_size * sizes.largest_delta == Fraction(1, 20)


def test_refuses_bad_input() -> None:
    H = thresholds(2)
    base = mechanisms.exponential_learner(H, HALF)
    learner = agnostic.AgnosticPrivateLearner(H, base, 1, base.guarantee)
    with pytest.raises(errors.InvalidInput, match="sample: got 17 examples, want at least 18"):
        learner.law(data.Sample([0] * 17, [0] * 17))
    with pytest.raises(errors.InvalidInput, match="the empty class"):
        agnostic.AgnosticPrivateLearner(H.select_rows([]), base, 1, base.guarantee)
    refuses("base_size: got 0", agnostic.AgnosticPrivateLearner, H, base, 0, base.guarantee)
    refuses("ratio: got 0", agnostic.AgnosticPrivateLearner, H, base, 1, base.guarantee, ratio=0)
    refuses("decay", agnostic.AgnosticPrivateLearner, H, base, 1, base.guarantee, decay=Fraction(1))
    refuses("epsilon: got 0", learner.population, 0)
    refuses("n: got 17", learner.expected_excess, 17, 0, 0)
    refuses("gamma: got 0", agnostic_accuracy.agnostic_sizes, 1, 1, "1/4", "1/4", gamma=0)
