"""How stable the stable learner is, over every pair of neighbouring samples of small instances."""

from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import product
from typing import TypeAlias

import pytest

from pac_stability import Epsilon, Example, Sample, audit, classes
from pac_stability.classes import Family, FiniteClass
from pac_stability.papers.dagan_feldman.stable import StableLearner
from shared_dagan_feldman import learner_of

SampleOf: TypeAlias = Sample[Hashable]
Labelling: TypeAlias = dict[Hashable, int]

HALF, TWO_THIRDS = Fraction(1, 2), Fraction(2, 3)


@pytest.mark.parametrize("decay", [HALF, Fraction(9, 10)])
@pytest.mark.parametrize(
    ("H", "n", "size"),
    [
        (classes.thresholds(3), 4, 1), (classes.thresholds(3), 5, 2), (classes.thresholds(2), 9, 3),
        (classes.cube(2), 7, 2), (classes.cube(3), 4, 1), (classes.cube(3), 5, 2),
        (classes.singletons(3), 5, 2), (classes.singletons(4), 4, 1), (classes.intervals(3), 4, 3),
        (FiniteClass([[0, 1, 1], [1, 0, 0], [1, 1, 0], [0, 0, 0]]), 5, 1),
    ],
)  # fmt: skip
def test_no_neighbours_exceed_the_bound(
    chosen: Callable[[FiniteClass, int], Family], H: FiniteClass, n: int, size: int, decay: Fraction
) -> None:
    for family in (H, chosen(H, 1)):
        learner = learner_of(family, size, decay)
        result = audit.uniform_stability(
            learner, len(H.domain), n, claim=learner.stability(n), symmetric=True
        )
        assert result.verdict is audit.Verdict.VERIFIED
        assert isinstance(result.value, Fraction)
        assert 0 < result.value <= learner.stability(n) < learner.paper_stability(n)


@pytest.mark.parametrize("n", [5, 6])
def test_no_neighbours_exceed_what_a_constructor_promises(n: int) -> None:
    H, gamma = classes.thresholds(3), Fraction(7, 10)
    for learner in (
        StableLearner.from_stability(H, gamma, n),
        StableLearner.from_outline(H, gamma, n),
        StableLearner.from_lemma_13(H, gamma / 3, n),
    ):
        result = audit.uniform_stability(learner, 3, n, claim=gamma)
        assert result.verdict is audit.Verdict.VERIFIED


def test_the_order_of_the_sample_does_not_matter(
    chosen: Callable[[FiniteClass, int], Family],
) -> None:
    learner = learner_of(chosen(classes.thresholds(2), 4), 2, HALF)
    assert audit.is_symmetric(learner, 2, 4)
    ordered = audit.uniform_stability(learner, 2, 4, symmetric=False)
    assert ordered.value == audit.uniform_stability(learner, 2, 4).value


@pytest.mark.parametrize("decay", [HALF, TWO_THIRDS, Fraction(99, 100)])
@pytest.mark.parametrize(
    ("n", "size", "extra"),
    [(1, 1, 0), (3, 1, 0), (3, 2, 0), (5, 1, 0), (5, 3, 0), (9, 4, 0), (4, 2, 1), (6, 3, 1)],
)
def test_the_bound_is_attained(
    attaining: Family, n: int, size: int, extra: int, decay: Fraction
) -> None:
    """For odd n, and for even n with one example at v if subsets have two examples or more.

    S has one example (a, 1), S' has (b, 0) in its place, and the others are at u, equally many of
    each label. Without the replaced index, the two constant hypotheses are compared. They err
    equally often on the others, and h = 1 errs on the replaced example in S' only: h(x) = 1 has the
    probabilities 1/(1 + rho) and rho/(1 + rho). With it, all candidates have h(x) = 1 given S,
    and h(x) = 0 given S'. An even n leaves one example over; at v all hypotheses agree, and no
    subset of two or more has v alone.
    """
    balanced = (n - 1 - extra) // 2
    rest = Sample("u" * 2 * balanced + "v" * extra, [0] * balanced + [1] * balanced + [0] * extra)
    sample: SampleOf = Sample("a", [1]) + rest
    neighbour = sample.replace(0, Example("b", 0))
    learner = learner_of(attaining, size, decay)
    ((p,), (q,)) = (learner.probabilities(given, ["x"]) for given in (sample, neighbour))
    part = Fraction(size, n)
    assert p == part + (1 - part) / (1 + decay)
    assert q == (1 - part) * decay / (1 + decay)
    assert p - q == learner.stability(n)


def test_the_audit_finds_the_bound_attained(attaining: Family) -> None:
    learner = learner_of(attaining, 1, HALF)
    result = audit.uniform_stability(learner, "uab", 3, points="x", symmetric=True)
    assert result.value == learner.stability(3) == Fraction(1, 3) + Fraction(2, 3) * Fraction(1, 3)


@pytest.mark.parametrize("points", [(), (0,), (0, 2), (0, 1, 2)])
def test_the_hypothesis_of_a_fixed_set_of_points(
    chosen: Callable[[FiniteClass, int], Family], points: tuple[int, ...]
) -> None:
    """Lemma 7 (i): h_{S,T} is private as a function of S, and (1 - rho)/(1 + rho)-stable."""
    rho, n = TWO_THIRDS, 3
    for family in (classes.thresholds(3), chosen(classes.cube(3), 5)):
        selection = learner_of(family, 1, rho).conditioned_on(points)
        private = audit.differential_privacy(
            selection, 3, n, claim=Epsilon.exactly(rho**-2), symmetric=True
        )
        stable = audit.uniform_stability(
            selection, 3, n, claim=(1 - rho) / (1 + rho), symmetric=True
        )
        assert private.verdict is stable.verdict is audit.Verdict.VERIFIED


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_the_exponential_mechanism_alone(n: int) -> None:
    """Two opposite hypotheses on one point: the majority of n labels, softly.

    With k errors of one and n - k of the other, its probability is 1/(1 + rho**(n - 2k)). One
    example replaced moves n - 2k by two: most from 1 to -1, for odd n, by (1 - rho)/(1 + rho); for
    even n from 2 to 0, by half of tanh(g/2). The subset always has the point.
    """
    rho = TWO_THIRDS
    result = audit.uniform_stability(learner_of(FiniteClass([[0], [1]]), 1, rho), 1, n)
    odd = (1 - rho) / (1 + rho)
    even = 1 / (1 + rho**2) - HALF
    assert even == odd * (1 + rho) ** 2 / (1 + rho**2) / 2 < odd
    assert result.value == (odd if n % 2 else even)


def best_of_each_pattern(sample: SampleOf, x: Hashable, decay: Fraction) -> Fraction:
    """Predict 1 at x as the stable learner does with n' = 1, but represent patterns otherwise.

    A pattern is represented by the labelling of the two points a and b that has it and errs least
    on the sample; in case of a tie, by the first.
    """
    labellings: list[Labelling] = [{"a": a, "b": b} for a, b in product((0, 1), repeat=2)]
    total = Fraction(0)
    for point in sample.points:
        patterns: dict[int, Labelling] = {}
        errors = [sample.count_errors(h) for h in labellings]
        for _, index in sorted(zip(errors, range(4), strict=True)):
            patterns.setdefault(labellings[index][point], labellings[index])
        weights = {label: decay ** sample.count_errors(h) for label, h in patterns.items()}
        ones = sum((weights[label] for label, h in patterns.items() if h[x]), Fraction(0))
        total += ones / sum(weights.values(), Fraction(0))
    return total / len(sample)


@pytest.mark.parametrize(("n", "gap"), [(4, Fraction(13, 20)), (10, Fraction(43, 50))])
def test_representatives_must_not_depend_on_the_sample(n: int, gap: Fraction) -> None:
    """DF20 leaves the choice of representatives free; the proofs need a function of the points.

    To represent a pattern by the best hypothesis with it seems natural. But let all examples be at
    a, except (b, 0) and (b, 1), and relabel (b, 0). When the subset is at a, with probability
    (n-2)/n, the prediction at b is the better label of b, which jumps from 0 (a tie) to 1. When it
    is at b, the probability moves from 1/2 to 1/(1 + rho**2) = 4/5, for rho = 1/2.
    """
    n_a = n - 2
    sample: SampleOf = Sample("a" * n_a + "bb", [0] * n_a + [0, 1])
    neighbour = sample.replace(n_a, Example("b", 1))
    moved = best_of_each_pattern(neighbour, "b", HALF) - best_of_each_pattern(sample, "b", HALF)
    assert moved == gap == Fraction(n - 2, n) + Fraction(2, n) * Fraction(3, 10)
    # More than the learner with fixed representatives guarantees, and moves.
    H = FiniteClass([[0, 0], [0, 1], [1, 0], [1, 1]], domain="ab")
    learner = learner_of(H, 1, HALF)
    ((p,), (q,)) = (learner.probabilities(given, ["b"]) for given in (neighbour, sample))
    assert abs(p - q) <= learner.stability(n) < moved


def test_the_promise_of_lemma_13_needs_it_too() -> None:
    """With gamma = 1/10, n = 10 and n' = 1, predictions should be 3/10-stable."""
    n, gamma = 10, Fraction(1, 10)
    learner = StableLearner.from_lemma_13(classes.cube(2), gamma, n)
    assert learner.subset_size == 1
    sample: SampleOf = Sample("a" * 8 + "bb", [0] * 9 + [1])
    neighbour = sample.replace(8, Example("b", 1))
    p, q = (best_of_each_pattern(given, "b", learner.decay) for given in (neighbour, sample))
    assert p - q > Fraction(8, 10) > 3 * gamma >= learner.paper_stability(n)
