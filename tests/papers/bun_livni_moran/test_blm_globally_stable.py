"""Algorithm G: on given samples word by word, on targets exactly, and against its promise."""

import math
import pickle
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, product

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import arithmetic, audit, classes, dimensions, online
from pac_stability.classes import FiniteClass, bits, singletons, thresholds
from pac_stability.data import Example, FiniteDistribution, Sample, all_examples, enumerate_law
from pac_stability.errors import BudgetExhausted, InvalidInput, NotRealizable
from pac_stability.papers.bun_livni_moran import lemma_12
from pac_stability.papers.bun_livni_moran.stable import GloballyStableLearner, drawn
from pac_stability.randomness import Coins, SeededCoins
from pac_stability.testing import strategies
from shared_classes import labelled
from shared_refusals import refuses

THREE = FiniteClass([[0, 0], [0, 1], [1, 1]])  # dimension 1
CUBE = FiniteClass([[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 0]])  # dimension 2
FIVE = FiniteClass([[mask >> x & 1 for x in range(3)] for mask in (0, 1, 3, 5, 6)])  # as well
FIVE_TARGET = FiniteDistribution({Example(0, 0): Fraction(2, 3), Example(1, 0): Fraction(1, 3)})


def soa(G: GloballyStableLearner, sample: list[Example[int]]) -> int:
    algorithm = online.StandardOptimalAlgorithm(G.H, G.tie)
    algorithm.replay((z.point, z.label) for z in sample)
    return bits.as_mask(algorithm.hypothesis())


def literally(G: GloballyStableLearner, left: Iterator[Example[int]], rng: Coins) -> int:
    """One run, as in the paper: the draws are the examples that are left, in order."""
    budget = G.blocks * G.n
    drawn = 0

    class Fail(Exception):
        pass

    def draw() -> list[Example[int]]:
        nonlocal drawn
        drawn += G.n
        if drawn > budget:
            raise Fail
        return [next(left) for _ in range(G.n)]

    def tournament(k: int) -> list[Example[int]]:
        if k == 0:
            return []
        while True:
            first = [*tournament(k - 1), *draw()]
            second = [*tournament(k - 1), *draw()]
            f, g = soa(G, first), soa(G, second)
            if f != g:
                x = next(x for x in range((f ^ g).bit_length()) if (f ^ g) >> x & 1)
                y = rng.below(2)
                return [*(first if f >> x & 1 != y else second), Example(x, y)]

    k = rng.below(dimensions.littlestone_dimension(G.H) + 1) if G.level is None else G.level
    try:
        S = tournament(k)
    except Fail:
        return soa(G, [])
    return soa(G, S + [next(left) for _ in range(G.n)])


@pytest.mark.parametrize(
    ("blocks", "tie", "universe", "every"),
    [(2, 1, all_examples([0, 1]), 1), (4, 0, all_examples([0, 1])[1:], 5)],
)
def test_on_every_sample_the_law_is_that_of_the_literal_runs(
    blocks: int, tie: int, universe: tuple[Example[int], ...], every: int
) -> None:
    # All samples, whether or not a hypothesis fits them: here both points have both labels, or one
    # has, and of these a fifth.
    G = GloballyStableLearner(THREE, 1, n=1, blocks=blocks, tie=tie)
    assert G.sample_size == blocks + 1
    failing = 0
    for examples in islice(product(universe, repeat=G.sample_size), 0, None, every):
        sample = Sample.from_examples(examples)
        law = G.law(sample)
        assert law == enumerate_law(lambda rng, sample=sample: literally(G, iter(sample), rng))  # type: ignore[misc]  # bound now
        failing += law.probability(G.default) >= Fraction(1, 2)
    assert failing > 0


@settings(max_examples=40)
@given(
    st.lists(st.sampled_from(all_examples(range(3))), min_size=14, max_size=17),
    st.sampled_from([(1, 8), (2, 6)]),
    st.integers(0, 1),
)
def test_with_two_tournaments_as_well(
    examples: list[Example[int]], sizes: tuple[int, int], tie: int
) -> None:
    G = GloballyStableLearner(CUBE, 1, n=sizes[0], blocks=sizes[1], tie=tie)
    sample = Sample.from_examples(examples)
    law = G.law(sample)
    assert law == enumerate_law(lambda rng: literally(G, iter(sample), rng))
    assert law == G.law(sample[: G.sample_size])  # what comes after is not looked at
    assert G.run(sample, SeededCoins(1)) in law.support


RUNS = [
    (thresholds(3), 1, (1, 2, 0), 1, 2, 3),
    (thresholds(3), 1, (1, 2, 0), 1, 1, 5),
    (thresholds(3), 1, (1, 1, 1), 1, 2, 2),
    (thresholds(3), 2, (1, 2, 0), 2, 1, 7),
    (thresholds(3), 1, (1, 2, 0), 0, 4, 0),
    (singletons(3), 0, (2, 1, 0), 1, 3, 2),
    (singletons(3), 0, (1, 0, 0), 1, 1, 4),  # all players agree
]


@pytest.mark.parametrize(("H", "row", "weights", "level", "n", "blocks"), RUNS)
def test_a_run_on_drawn_examples_is_literal(
    *, H: FiniteClass, row: int, weights: tuple[int, ...], level: int, n: int, blocks: int
) -> None:
    target = labelled(H, row, weights)
    G = GloballyStableLearner(H, 1, n=n, blocks=blocks, level=level)
    rules = G.rules()

    def run(rng: Coins) -> int:
        state = rules.run(level, drawn(rules.states, target, rng), rng)
        return rules.states.predictor(rules.states.start if state is None else state)

    def literal(rng: Coins) -> int:
        return literally(G, iter(lambda: target.sample(rng), None), rng)

    assert enumerate_law(run) == enumerate_law(literal)


@pytest.mark.parametrize(("H", "target", "blocks"), [
    (THREE, FiniteDistribution.uniform([Example(0, 0), Example(1, 1)]), 2),
    (THREE, FiniteDistribution.uniform([Example(0, 0), Example(1, 1)]), 6),
    (FIVE, FIVE_TARGET, 6),
])  # fmt: skip
def test_the_audit_over_all_samples_finds_the_same_stability(
    H: FiniteClass, target: FiniteDistribution[Example[object]], blocks: int
) -> None:
    # The audit asks for the law on every sample of size m; the laws here are carried over states.
    G = GloballyStableLearner(H, 1, n=1, blocks=blocks)
    law = G.law_of_output(target)
    found = audit.global_stability(G, target, G.sample_size)
    assert isinstance(found.value, Fraction)
    assert found.value == max(p for _, p in law.items())
    whole = target.power(G.sample_size).bind(lambda examples: G.law(Sample.from_examples(examples)))
    assert whole == law
    assert G.enclosed_law_of_output(target).encloses(law)
    stable = G.global_stability(target).most_frequent
    assert found.value in stable.frequency
    assert law.probability(stable.hypothesis) == found.value


def test_theorem_10_as_printed_has_a_counterexample() -> None:
    # d = 2 and alpha = 2, so that n = 1, N = 512, and 1/24 is promised.
    instance = lemma_12.COUNTEREXAMPLES["theorem-10"]
    printed = GloballyStableLearner(instance.H, 2, constants="paper", tie=instance.tie)
    assert (printed.n, printed.blocks, printed.sample_size) == (1, 512, 513)
    law = printed.law_of_output(instance.target)
    most = max(p for _, p in law.items())
    assert round(float(most), 7) == 0.0394716
    assert most < Fraction(1, 24) == printed.parameters.eta
    found = printed.global_stability(instance.target)
    assert most in found.most_frequent.frequency
    assert found.most_frequent.hypothesis == sum(1 << x for x in instance.concept)
    assert not found.is_as_promised


@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_sizes_are_those_of_theorem_10(d: int) -> None:
    H = classes.thresholds(2**d)
    G = GloballyStableLearner(H, "1/5", constants="paper")
    assert G.dimension == d
    assert G.n == 5 * d
    assert G.sample_size == (8 ** (d + 1) + 1) * 5 * d
    assert G.parameters.eta == Fraction(1, (d + 1) * 2 ** (d + 1))


@settings(max_examples=30)
@given(
    strategies.classes_with_targets(
        strategies.finite_classes(max_points=7, min_hypotheses=2, max_hypotheses=12), max_weight=5
    ),
    st.sampled_from([1, Fraction(1, 2), Fraction(2, 5)]),
    st.integers(0, 1),
    st.sampled_from(["proved", "sharp"]),
)
def test_the_repaired_promise_is_kept(
    drawn: tuple[FiniteClass, int, FiniteDistribution[Example[int]]],
    alpha: Fraction,
    tie: int,
    constants: arithmetic.ConstantsLike,
) -> None:
    H, _, target = drawn
    G = GloballyStableLearner(H, alpha, tie=tie, constants=constants)
    found = G.global_stability(target)
    assert found.is_as_promised
    assert found.most_frequent_accurate is not None
    assert found.most_frequent_accurate.loss <= alpha
    for f, p in G.enclosed_law_of_output(target).items():
        # Lemma 13, sharpened: T is consistent with the output unless the run has failed. That has
        # probability below tau/2 at the level of Theorem 10, but can be certain at others.
        wrong = sum(q for z, q in target.items() if f >> H.column(z.point) & 1 != z.label)
        if f != G.default:
            assert p <= (1 - wrong) ** G.n + Fraction(1, 2**100)


def test_one_dimension_has_the_printed_constants() -> None:
    H = classes.singletons(5)
    printed = GloballyStableLearner(H, "1/8", constants="paper")
    repaired = GloballyStableLearner(H, "1/8", constants="proved")
    assert (printed.n, printed.blocks, printed.sample_size) == (
        repaired.n,
        repaired.blocks,
        repaired.sample_size,
    )
    assert printed.parameters.eta == repaired.parameters.eta == Fraction(1, 8)


def test_runs_of_the_stated_size_have_the_law() -> None:
    # By Hoeffding's inequality and a union bound over the outputs, a frequency is further off than
    # the margin for at most one seed in a million.
    H = classes.singletons(4)
    G = GloballyStableLearner(H, "1/2", constants="proved")
    target = FiniteDistribution.uniform(Example(x, H(2, x)) for x in H.domain)
    rng, trials = SeededCoins("stable"), 1000
    counted = Counter(
        G.run(Sample.from_examples(target.sample(rng) for _ in range(G.sample_size)), rng)
        for _ in range(trials)
    )
    law = G.law_of_output(target)
    assert len(law) > 3
    assert set(counted) <= set(law.support)
    margin = math.sqrt(math.log(2 * len(law) * 10**6) / (2 * trials))
    for f in law.support:
        assert abs(counted[f] / trials - law.probability(f)) < margin


def test_where_all_players_agree_the_default_is_the_output() -> None:
    # One example alone: D_0 always has the same output, and every tournament fails.
    H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    G = GloballyStableLearner(H, "1/2")
    target = FiniteDistribution.point_mass(Example(1, 0))
    right, default = 0b00, soa(G, [])
    assert G.default == default == 0b10
    half = Fraction(1, 2)
    assert G.law_of_output(target) == FiniteDistribution({right: half, default: half})
    assert G.global_stability(target).is_as_promised
    sample = Sample([1] * G.sample_size, [0] * G.sample_size)
    assert {G.run(sample, SeededCoins(s)) for s in range(20)} == {0, 0b10}


def test_budgets_of_three_tournaments_are_enclosed() -> None:
    H = classes.thresholds(8)
    target = FiniteDistribution.uniform(Example(x, H(4, x)) for x in range(8))
    G = GloballyStableLearner(H, "1/4", constants="proved")
    assert (G.dimension, G.n, G.blocks, G.sample_size) == (3, 29, 71680, 2078749)
    with pytest.raises(BudgetExhausted, match="ask for an enclosure"):
        G.law_of_output(target)
    found = G.global_stability(target)
    assert found.most_frequent.frequency.width <= Fraction(1, 2**120)
    assert found.is_as_promised
    assert found.promised == Fraction(1, 1120)


def test_bad_input_is_named() -> None:
    with pytest.raises(InvalidInput, match="H: got a class of Littlestone dimension 0, want"):
        GloballyStableLearner(FiniteClass([[0, 1]]), "1/2")
    refuses("H: got the empty class", GloballyStableLearner, FiniteClass(THREE.table[:0]), "1/2")
    for name, value, message in [
        ("alpha", 0, "alpha: got 0, want a number above 0"),
        ("alpha", -1, "alpha: got -1"),
        ("alpha", float("nan"), "alpha: got nan"),
        ("constants", "other", "constants: got 'other', want 'printed', 'proved' or 'sharp'"),
        ("tie", 2, "tie: got 2"),
        ("pick", "middle", "pick: got 'middle'"),
        ("n", 0, "n: got 0"),
        ("max_states", 0, "max_states: got 0"),
        ("blocks", 5, "blocks: got 5, want at least 6: 2 tournaments take so many players"),
    ]:
        arguments = {"alpha": 1, name: value}
        with pytest.raises(InvalidInput, match=message):
            GloballyStableLearner(CUBE, **arguments)  # type: ignore[arg-type]  # what is refused
    G = GloballyStableLearner(THREE, "1/2", constants="proved")
    refuses("sample: got 129 examples, want at least 130", G.run, Sample([0] * 129, [1] * 129))
    refuses("sample: got 3, want a Sample", G.law, 3)  # type: ignore[arg-type]  # what is refused
    refuses("point: got 7", G.run, Sample([0] * 129 + [7], [1] * 130))
    assert G.run(Sample([0] * 130 + [7], [1] * 131)) in range(4)  # what comes after is not read
    contradiction = FiniteDistribution.uniform([Example(0, 1), Example(1, 0)])
    for method in (G.law_of_output, G.enclosed_law_of_output, G.global_stability):
        with pytest.raises(NotRealizable, match=r"\(0, 1\), \(1, 0\)"):
            method(contradiction)


def test_a_learner_is_a_value() -> None:
    G = GloballyStableLearner(CUBE, "1/2", pick=[2, 1, 0], tie=0)
    same = GloballyStableLearner(CUBE, Fraction(1, 2), pick=(2, 1, 0), tie=0)
    assert same == G
    assert hash(same) == hash(G)
    assert GloballyStableLearner(CUBE, Fraction(1, 2), tie=0) != G
    returned = pickle.loads(pickle.dumps(G))  # noqa: S301  # our own bytes
    assert returned == G
    sample = Sample([0, 1, 2] * G.sample_size, [0, 1, 0] * G.sample_size)
    assert returned.run(sample, SeededCoins(3)) == G.run(sample, SeededCoins(3))
