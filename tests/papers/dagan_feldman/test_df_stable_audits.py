"""How stable the stable learner is, over every pair of neighbouring samples of small instances."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TypeAlias

import pytest

from pac_stability import audit, classes
from pac_stability.arithmetic import Epsilon
from pac_stability.classes import Family, FiniteClass, KnownValue, Restriction, Row
from pac_stability.data import Example, Sample
from pac_stability.papers.dagan_feldman.stable import StableLearner

SampleOf: TypeAlias = Sample[Hashable]
Labelling: TypeAlias = dict[Hashable, int]

HALF, TWO_THIRDS = Fraction(1, 2), Fraction(2, 3)


def learner_of(H: Family, size: int, decay: Fraction) -> StableLearner:
    return StableLearner(H, size, Epsilon.exactly(decay**-2))


@pytest.mark.parametrize("decay", [HALF, Fraction(9, 10)])
@pytest.mark.parametrize(
    ("H", "n", "size"),
    [
        (classes.thresholds(3), 4, 1),
        (classes.thresholds(3), 5, 2),
        (classes.thresholds(2), 9, 3),
        (classes.cube(2), 7, 2),
        (classes.cube(3), 4, 1),
        (classes.cube(3), 5, 2),
        (classes.singletons(3), 5, 2),
        (classes.singletons(4), 4, 1),
        (classes.intervals(3), 4, 3),
        (FiniteClass([[0, 1, 1], [1, 0, 0], [1, 1, 0], [0, 0, 0]]), 5, 1),
    ],
)
def test_no_neighbours_exceed_the_bound(
    chosen: Callable[[FiniteClass, int], Family],
    H: FiniteClass,
    n: int,
    size: int,
    decay: Fraction,
) -> None:
    for family in (H, chosen(H, 1)):
        learner = learner_of(family, size, decay)
        result = audit.uniform_stability(
            learner, len(H.domain), n, claim=learner.stability(n), symmetric=True
        )
        assert result.verdict is audit.Verdict.VERIFIED
        assert isinstance(result.value, Fraction)
        assert 0 < result.value <= learner.stability(n) < learner.paper_stability(n)


def test_the_order_of_the_sample_does_not_matter(
    chosen: Callable[[FiniteClass, int], Family],
) -> None:
    learner = learner_of(chosen(classes.thresholds(2), 4), 2, HALF)
    assert audit.is_symmetric(learner, 2, 4)
    ordered = audit.uniform_stability(learner, 2, 4, symmetric=False)
    assert ordered.value == audit.uniform_stability(learner, 2, 4).value


LABELLINGS = FiniteClass(
    [[u, 0, a, b, x] for u, a, b, x in product((0, 1), repeat=4)], domain="uvabx"
)


@dataclass(frozen=True)
class Attaining:
    """Two opposite hypotheses, and representatives that follow two of the points.

    On points u, v, a, b, x the class has all labellings with h(v) = 0. A set with a and without b
    is represented by hypotheses with h(x) = 1; one with b, by hypotheses with h(x) = 0; the
    patterns on {u} and {u, v}, by the hypothesis that is constant but for v.
    """

    @property
    def known(self) -> Mapping[str, KnownValue]:
        return {}

    def restrict(self, points: Iterable[Hashable]) -> Restriction:
        kept = tuple(dict.fromkeys(points))
        found = self.representatives_on(kept)
        return Restriction([[h(x) for x in kept] for h in found], kept, found)

    def representatives_on(self, points: Iterable[Hashable]) -> tuple[Row, ...]:
        asked = frozenset(points)
        patterns: dict[tuple[int, ...], Row] = {}
        for h in sorted(LABELLINGS, key=lambda h: self._rank(h, asked)):
            patterns.setdefault(tuple(h(x) for x in sorted(asked, key=str)), h)
        return tuple(patterns.values())

    @staticmethod
    def _rank(h: Row, points: frozenset[Hashable]) -> int:
        if "b" in points:
            return h("x")
        if "a" in points:
            return 1 - h("x")
        return int(len({h(x) for x in "uabx"}) > 1)


@pytest.mark.parametrize("decay", [HALF, TWO_THIRDS, Fraction(99, 100)])
@pytest.mark.parametrize(
    ("n", "size", "extra"),
    [(1, 1, 0), (3, 1, 0), (3, 2, 0), (5, 1, 0), (5, 3, 0), (9, 4, 0), (4, 2, 1), (6, 3, 1)],
)
def test_the_bound_is_attained(n: int, size: int, extra: int, decay: Fraction) -> None:
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
    learner = learner_of(Attaining(), size, decay)
    ((p,), (q,)) = (learner.probabilities(given, ["x"]) for given in (sample, neighbour))
    part = Fraction(size, n)
    assert p == part + (1 - part) / (1 + decay)
    assert q == (1 - part) * decay / (1 + decay)
    assert p - q == learner.stability(n)


def test_the_audit_finds_the_bound_attained() -> None:
    learner = learner_of(Attaining(), 1, HALF)
    result = audit.uniform_stability(learner, "uab", 3, points="x", symmetric=True)
    assert result.value == learner.stability(3) == Fraction(1, 3) + Fraction(2, 3) * Fraction(1, 3)


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
