"""How much private predictions err at least: formulas, linear programmes, the learner, sizes."""

import math
import pickle
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, product
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import Epsilon, Interval, InvalidInput, Sample, audit, classes, enumerate_law
from pac_stability.notions.simulator_covers import LinearProgram
from pac_stability.papers.dagan_feldman import (
    DisjointAverage,
    DworkFeldmanAggregation,
    ExponentialLearner,
    FlippedLearner,
    HardDistribution,
    PrivateVotingLearner,
    RealizablePrivateLearner,
    StableLearner,
    VotingLearner,
    hard_average_error,
    hard_chain,
    private_average_error,
    private_least_error,
    private_least_sample_size,
    private_step,
)
from pac_stability.papers.dagan_feldman.lower_bound import ExactPredictor
from pac_stability.papers.dagan_feldman.sample_complexity import private_lower_bound
from shared_examples import example

EXAMPLE = example("private_bounds")
private_minimax_error: Callable[..., Any] = EXAMPLE.private_minimax_error

F = Fraction
HALF_TO_ONE = (F(1, 2), F(2, 3), F(1))
Type: TypeAlias = tuple[tuple[int, int], ...]
"""A sample up to order: pairs of point and label, sorted."""

FACTORS = [F(1), F(11, 10), F(2), F(4), F(9)]
DELTAS = [F(0), F(1, 100), F(1, 10), F(2, 5), F(1)]
PRIVACY = [(t, delta) for t in FACTORS for delta in DELTAS]
SOME = [(F(2), F(0)), (F(4), F(1, 10)), (F(1), F(1, 5)), (F(3, 2), F(1, 50))]


def close(p: Fraction, q: Fraction, t: Fraction, delta: Fraction) -> bool:
    """(epsilon, delta)-closeness of two laws on labels, by its definition."""
    pairs = ((p, q), (q, p), (1 - p, 1 - q), (1 - q, 1 - p))
    return all(a <= t * b + delta for a, b in pairs)


@pytest.mark.parametrize(("t", "delta"), PRIVACY)
def test_a_step_is_what_closeness_permits(t: Fraction, delta: Fraction) -> None:
    epsilon, grid = Epsilon.exactly(t), [F(k, 24) for k in range(25)]
    for q in grid:
        most = private_step(q, epsilon, delta)
        assert close(most, q, t, delta)
        for p in grid:
            within = p <= most and q <= private_step(p, epsilon, delta)
            assert within == close(p, q, t, delta)
            # The symmetry that the proof needs.
            assert (p <= most) == (1 - q <= private_step(1 - p, epsilon, delta))


@pytest.mark.parametrize(("t", "delta"), PRIVACY)
def test_the_least_error_by_steps_from_one_half(t: Fraction, delta: Fraction) -> None:
    epsilon = Epsilon.exactly(t)
    for seen in range(16):
        q = F(1, 2) if seen % 2 == 0 else min(F(1), (t + delta) / (1 + t))
        for _ in range(seen // 2):
            q = private_step(q, epsilon, delta)
        assert private_least_error(seen, epsilon, delta) == 1 - q
        if not delta:
            root = F(math.isqrt(t.numerator), math.isqrt(t.denominator))
            if root * root == t:
                cosh = (root + 1 / root) / 2
                assert 1 - q == root**-seen / 2 / (cosh if seen % 2 else 1)
        if t == 1:
            assert 1 - q == max(F(0), 1 - delta * seen) / 2


def test_golden_errors() -> None:
    """e^epsilon = 2, delta = 1/10: (1/2 - 1/10)/2 = 1/5, (1/5 - 1/10)/2 = 1/20, then nothing."""
    ln2 = Epsilon.exactly(2)
    assert [private_least_error(N, ln2, "1/10") for N in (0, 2, 4, 6)] == [
        F(1, 2), F(1, 5), F(1, 20), 0
    ]  # fmt: skip
    assert [private_least_error(N, ln2, "1/10") for N in (1, 3, 5)] == [F(3, 10), F(1, 10), 0]


# Linear programmes, which know the definition only


def types(points: int, n: int) -> list[Type]:
    examples = list(product(range(points), (0, 1)))
    return list(combinations_with_replacement(examples, n))


def neighbours(one: Type, other: Type) -> bool:
    return sum((Counter(one) - Counter(other)).values()) == 1


def least_mean_error(
    kinds: Sequence[Type], weights: dict[tuple[Type, int], Fraction], t: Fraction, delta: Fraction
) -> Fraction:
    """Minimise the mean error over all private predictions at one point, exactly.

    Variables: for each type of sample the probabilities of the labels 1 and 0. Weights: from a type
    and the true label to how much its error counts.
    """
    place = {kind: 2 * index for index, kind in enumerate(kinds)}
    costs = [F(0)] * (2 * len(kinds))
    for (kind, label), weight in weights.items():
        costs[place[kind] + label] += weight  # the label 0 is at the odd place
    program = LinearProgram(costs)

    def row(**terms: Fraction | int) -> list[Fraction | int]:
        return [terms.get(f"x{index}", 0) for index in range(len(costs))]

    for at in place.values():
        program.require(row(**{f"x{at}": 1, f"x{at + 1}": 1}), 1)
        program.require(row(**{f"x{at}": -1, f"x{at + 1}": -1}), -1)
    for one, other in product(kinds, repeat=2):
        if neighbours(one, other):
            for side in (0, 1):
                terms = {f"x{place[other] + side}": t, f"x{place[one] + side}": F(-1)}
                program.require(row(**terms), -delta)
    assert program.solve()
    return program.value


@pytest.mark.parametrize(("t", "delta"), SOME)
@pytest.mark.parametrize("seen", [1, 2, 3, 5])
def test_the_least_error_is_that_of_a_linear_programme(
    seen: int, t: Fraction, delta: Fraction
) -> None:
    """All samples of N examples at one point."""
    kinds = types(1, seen)
    ends: dict[tuple[Type, int], Fraction] = {(((0, y),) * seen, y): F(1, 2) for y in (0, 1)}
    found = least_mean_error(kinds, ends, t, delta)
    assert found == private_least_error(seen, Epsilon.exactly(t), delta)


@pytest.mark.parametrize(("t", "delta"), SOME)
def test_all_numbers_of_examples_at_once(t: Fraction, delta: Fraction) -> None:
    """Two points and n = 2: the sum of the mean errors for N = 0, 1, 2 has the least sum."""
    weights: dict[tuple[Type, int], Fraction] = {}
    for seen, y in product(range(3), (0, 1)):
        kind = tuple(sorted([(0, y)] * seen + [(1, 0)] * (2 - seen)))
        weights[kind, y] = F(1, 2)
    found = least_mean_error(types(2, 2), weights, t, delta)
    errors = [private_least_error(seen, Epsilon.exactly(t), delta) for seen in range(3)]
    assert found == sum(errors)


def labelled_draws(
    masses: Sequence[Fraction], n: int
) -> Iterator[tuple[tuple[int, ...], Type, Fraction]]:
    """Targets, types of samples with their labels, and the probability of both."""
    for target in product((0, 1), repeat=len(masses)):
        for chosen in product(range(len(masses)), repeat=n):
            weight = math.prod((masses[x] for x in chosen), start=F(1, 2 ** len(masses)))
            yield target, tuple(sorted((x, target[x]) for x in chosen)), weight


@pytest.mark.parametrize(("t", "delta"), SOME)
@pytest.mark.parametrize("masses", [(F(1, 2), F(1, 2)), (F(1, 5), F(4, 5))])
def test_the_average_error_is_that_of_linear_programmes(
    masses: tuple[Fraction, ...], t: Fraction, delta: Fraction
) -> None:
    """Two points, n = 2, predictions at each of them: nothing links the points but the samples."""
    total = F(0)
    for x, mass in enumerate(masses):
        weights: dict[tuple[Type, int], Fraction] = {}
        for target, kind, weight in labelled_draws(masses, 2):
            # The programme's point is 0.
            moved = tuple(sorted((int(z != x), y) for z, y in kind))
            key = moved, target[x]
            weights[key] = weights.get(key, F(0)) + mass * weight
        total += least_mean_error(types(2, 2), weights, t, delta)
    assert total == private_average_error(masses, 2, Epsilon.exactly(t), delta)


# The learner


@pytest.mark.parametrize(("t", "delta"), [*PRIVACY[:-1], (F(9), F(99, 100))])
def test_it_spends_exactly_what_it_promises(t: Fraction, delta: Fraction) -> None:
    learner = PrivateVotingLearner(Epsilon.exactly(t), delta)
    assert (learner.guarantee.factor, learner.guarantee.delta) == (t, delta)
    for n in (1, 2, 3, 4):
        # With delta = 1 every label is right at once, and nothing is left to spend.
        least = audit.private_prediction(learner, 2, n, delta).value
        assert least == (t if delta < 1 else 1)


@pytest.mark.parametrize("gamma", [F(0), F(1, 7), F(2, 5), F(1)])
def test_without_epsilon_it_is_the_voting_learner(gamma: Fraction) -> None:
    known: Sample[Hashable] = Sample([2], [1])
    private, voting = PrivateVotingLearner(Epsilon(0), gamma, known), VotingLearner(gamma, known)
    for kind in types(3, 4):
        sample: Sample[Hashable] = Sample([x for x, _ in kind], [y for _, y in kind])
        assert private.probabilities(sample, [0, 1, 2]) == voting.probabilities(sample, [0, 1, 2])
    hard = HardDistribution.with_common_label((0, 1), 2, 1, F(1, 8))
    chain = hard_chain(private, hard, 3, gamma)
    assert chain == hard_chain(voting, hard, 3, gamma)
    light = hard.masses[:-1]
    assert chain.error == chain.truncated == private_average_error(light, 3, 0, gamma)


@pytest.mark.parametrize(("t", "delta"), SOME)
@pytest.mark.parametrize("masses", [(F(1, 2), F(1, 2)), (F(1, 5), F(1, 5), F(3, 5))])
def test_it_attains_the_bound_under_every_labelling(
    masses: tuple[Fraction, ...], t: Fraction, delta: Fraction
) -> None:
    learner = PrivateVotingLearner(Epsilon.exactly(t), delta)
    by_target: dict[tuple[int, ...], Fraction] = {}
    for target, kind, weight in labelled_draws(masses, 3):
        sample: Sample[Hashable] = Sample([x for x, _ in kind], [y for _, y in kind])
        predicted = learner.probabilities(sample, range(len(masses)))
        loss = sum(abs(y - p) * mass for y, p, mass in zip(target, predicted, masses, strict=True))
        by_target[target] = by_target.get(target, F(0)) + weight * loss * 2 ** len(masses)
    assert set(by_target.values()) == {private_average_error(masses, 3, learner.epsilon, delta)}


def test_it_draws_what_it_says() -> None:
    learner = PrivateVotingLearner(Epsilon.exactly(4), F(1, 20), Sample(["k"], [1]))
    sample: Sample[Hashable] = Sample(["a", "a", "b"], [1, 1, 0])
    for point in ("a", "b", "c", "k"):
        law = enumerate_law(partial(learner.predict, sample, point))
        assert (law.probability(1),) == learner.probabilities(sample, [point])
    assert learner.probabilities(sample, ["k"]) == (F(1),)
    assert learner.probabilities(sample, ["a", "b"])[0] > F(1, 2)
    assert pickle.loads(pickle.dumps(learner)) == learner  # noqa: S301  # our own


# No learner does better


def learners() -> list[tuple[str, ExactPredictor, int]]:
    cube = classes.cube(2)
    ln4 = Epsilon.exactly(4)
    return [
        ("voting", PrivateVotingLearner(ln4), 3),
        ("exponential", ExponentialLearner(cube, ln4), 3),
        ("flipped", FlippedLearner(StableLearner(cube, 1, Epsilon.exactly(9)), F(1, 10)), 3),
        ("soft majority", RealizablePrivateLearner(cube, 2, F(1, 3)), 2),
        ("aggregation", DworkFeldmanAggregation(cube, 2, 1), 2),
    ]


@pytest.mark.parametrize(("name", "learner", "n"), learners(), ids=[row[0] for row in learners()])
def test_private_learners_obey_the_bound(name: str, learner: ExactPredictor, n: int) -> None:
    for hard in (
        HardDistribution.shattered((0, 1), F(1, 8)),
        HardDistribution.shattered((0, 1), F(1, 4)),
    ):
        for delta in (F(0), F(1, 20)):
            factor = audit.private_prediction(learner, hard.points, n, delta).value
            assert isinstance(factor, F)
            bound = private_average_error(hard.masses, n, Epsilon.exactly(factor), delta)
            error = hard_average_error(learner, hard, n)
            assert error >= bound
            if name == "voting" and not delta:
                assert error == bound


def test_stable_learners_obey_it_with_epsilon_0() -> None:
    hard = HardDistribution.shattered((0, 1), F(1, 8))
    learner = DisjointAverage(classes.cube(2), 2)
    gamma = learner.stability(2)
    assert hard_average_error(learner, hard, 2) >= private_average_error(hard.masses, 2, 0, gamma)


# The worst distribution


def direct(masses: Sequence[Fraction], n: int, t: Fraction, delta: Fraction) -> Fraction:
    """The sum over points, from the definition of a binomial law."""
    return sum(
        (
            p
            * math.comb(n, k)
            * p**k
            * (1 - p) ** (n - k)
            * private_least_error(k, Epsilon.exactly(t), delta)
            for p in masses
            for k in range(n + 1)
        ),
        F(0),
    )


@settings(max_examples=40)
@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=4).filter(any),
    st.integers(0, 7),
    st.sampled_from(PRIVACY),
)
def test_average_errors(parts: list[int], n: int, privacy: tuple[Fraction, Fraction]) -> None:
    t, delta = privacy
    masses = [F(part, sum(parts)) for part in parts]
    found = private_average_error(masses, n, Epsilon.exactly(t), delta)
    assert found == direct(masses, n, t, delta)
    worst = private_minimax_error(len(masses), n, Epsilon.exactly(t), delta, cells=24)
    assert found <= worst.upper
    assert worst.lower == direct(worst.masses, n, t, delta) <= worst.upper
    assert sum(worst.masses) == 1


@pytest.mark.parametrize(
    ("d", "n", "t", "delta"),
    [(1, 4, 2, 0), (2, 3, 2, 0), (2, 8, 4, F(1, 20)), (3, 5, 9, 0), (3, 9, 4, 0), (4, 9, 9, 0)],
)
def test_the_minimax_error_is_enclosed(d: int, n: int, t: int, delta: Fraction) -> None:
    """Closer and closer; and the worst masses are equal but for the largest one."""
    epsilon = Epsilon.exactly(t)
    coarse, fine = (private_minimax_error(d, n, epsilon, delta, cells=c) for c in (24, 96))
    assert coarse.lower <= fine.lower <= fine.upper <= coarse.upper
    assert fine.upper - fine.lower < F(1, 500)
    assert fine.upper - fine.lower <= (coarse.upper - coarse.lower) / 4
    # The grid tells apart distributions that are one part of it away from equal masses only.
    light = fine.masses[1:]
    assert not light or max(light) - min(light) <= F(1, 96)


@pytest.mark.parametrize("cells", [3, 5, 7])
@pytest.mark.parametrize("t", [2, 4, 9])
@pytest.mark.parametrize("n", [3, 5])
def test_the_upper_bound_holds_between_the_points_of_a_coarse_grid(
    n: int, t: int, cells: int
) -> None:
    """The best masses are not multiples of 1/cells; the curvature makes up for that."""
    for d in (2, 3):
        upper = private_minimax_error(d, n, Epsilon.exactly(t), cells=cells).upper
        assert worst_of_family(d, n, F(t), F(0), 24) <= upper


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 6])
def test_the_upper_bound_is_attained_between_the_points_of_a_grid(d: int) -> None:
    """With n = 1, G is a parabola; and 1/d is about half way between multiples of 1/cells."""
    uniform = private_average_error([F(1, d)] * d, 1, Epsilon.exactly(2))
    for cells in (d + d // 2, 5 * d + d // 2):
        worst = private_minimax_error(d, 1, Epsilon.exactly(2), cells=cells)
        assert worst.upper == uniform
        assert (worst.lower < uniform) == (d > 1)


def test_one_point_is_its_least_error() -> None:
    for n in range(6):
        worst = private_minimax_error(1, n, Epsilon.exactly(2), cells=8)
        assert worst.masses == (F(1),)
        assert worst.lower == worst.upper == private_least_error(n, Epsilon.exactly(2))


def test_all_grids_are_searched() -> None:
    """Every multiple of 1/12 on three points."""
    epsilon = Epsilon.exactly(5)
    best = max(
        direct([F(a, 12), F(b, 12), F(12 - a - b, 12)], 6, F(5), F(0))
        for a in range(13)
        for b in range(13 - a)
    )
    found = private_minimax_error(3, 6, epsilon, cells=12)
    assert isinstance(found, EXAMPLE.WorstMasses)
    assert found.lower == best


# Sizes


def worst_of_family(d: int, n: int, t: Fraction, delta: Fraction, parts: int) -> Fraction:
    """The largest value at one of some masses of the light points."""
    m = d - 1
    if not m:
        return private_least_error(n, Epsilon.exactly(t), delta)
    return max(
        direct([F(k, parts * m)] * m + [1 - F(k, parts)], n, t, delta) for k in range(parts + 1)
    )


@pytest.mark.parametrize(
    ("d", "t", "delta", "alpha"),
    [
        (1, F(2), F(0), F(1, 10)), (2, F(2), F(0), F(1, 5)), (3, F(2), F(0), F(1, 5)),
        (3, F(4), F(1, 50), F(1, 6)), (2, F(1), F(1, 4), F(1, 10)), (4, F(9), F(0), F(1, 8)),
    ],
)  # fmt: skip
def test_sizes_are_the_least(d: int, t: Fraction, delta: Fraction, alpha: Fraction) -> None:
    n = private_least_sample_size(d, Epsilon.exactly(t), delta, alpha)
    assert worst_of_family(d, n - 1, t, delta, 240) > alpha >= worst_of_family(d, n, t, delta, 240)
    worst = private_minimax_error(d, n, Epsilon.exactly(t), delta, cells=60)
    assert worst.lower <= alpha  # no worse distribution on this grid


def test_a_golden_size() -> None:
    """By a search over 100 masses, with floats: 395 for d = 3, e^epsilon = 1.1, alpha = 1/50."""
    tenth = Epsilon.exactly(F(11, 10))
    assert private_least_sample_size(3, tenth, 0, F(1, 50)) == 395
    assert private_least_sample_size(3, tenth, 0, F(1, 2)) == 0
    p = F(54, 1000)  # near 1 / (394 (1 - 1.1^(-1/2)))
    assert private_average_error([p, p, 1 - 2 * p], 394, tenth) > F(1, 50)


def test_a_size_whose_worst_mass_is_close_to_one_end_of_a_cell() -> None:
    """With e^epsilon = 2 and n = 1: 1/2 - (sum of squared masses)/6, at most 4/9 for three points.

    That is at a mass of 2/3 for two of them, one third into the cell from 1/2, where the value is
    7/16, to 1, where it is 5/12. What the curvature adds to 5/12, 1/64, does not reach 4/9.
    """
    epsilon, alpha = Epsilon.exactly(2), F(11, 25)
    values = [private_average_error([m / 2, m / 2, 1 - m], 1, epsilon) for m in HALF_TO_ONE]
    assert values == [F(7, 16), F(4, 9), F(5, 12)]
    assert F(5, 12) + F(1, 64) < values[0] < alpha < values[1]
    assert private_least_sample_size(3, epsilon, 0, alpha) == 2


@pytest.mark.parametrize("t", [F(11, 10), F(2), F(4), F(6), F(20)])
@pytest.mark.parametrize("d", [2, 3, 6])
def test_closed_forms_are_below_the_exact_size(d: int, t: Fraction) -> None:
    epsilon = Epsilon.exactly(t)
    for alpha in (F(1, 8), F(1, 25)):
        exact = private_least_sample_size(d, epsilon, 0, alpha)
        assert 0 < private_lower_bound(alpha, epsilon, d) <= exact
        assert private_lower_bound(alpha, epsilon, d, beta="1/10") <= private_lower_bound(
            alpha, epsilon, d
        )


def test_which_closed_form_is_larger() -> None:
    """At alpha = 1/100, m = 10: (ln 3/4) m/(eps alpha) = 274.65/eps, 367.88/(eps cosh(eps/2))."""
    for epsilon, expected in (
        (F(1, 10), math.ceil(367.87944 / 0.1 / math.cosh(0.05))),
        (F(1), math.ceil(367.87944 / math.cosh(0.5))),
        (F(2), math.ceil(274.6530722 / 2)),
        (F(4), math.ceil(274.6530722 / 4)),
    ):
        assert private_lower_bound("1/100", epsilon, 11) == expected
    crossing = [
        private_lower_bound("1/1000000", Epsilon(e), 11) * e for e in (F(8, 5), F(161, 100))
    ]
    assert crossing[0] > F("2746530.8")
    assert abs(crossing[1] - F("2746530.7")) < 3
    # Too large an alpha for the first: only the second remains.
    assert private_lower_bound("1/5", 1, 11) == math.ceil(0.25 * math.log(3) * 50)
    assert private_lower_bound("1/100", 1, 11, beta="1/4") == math.ceil(
        0.5 * math.atanh(0.25) * 10 / (2 * 0.75 * 0.01)
    )
    assert private_lower_bound("1/100", 1, 1) == private_lower_bound("1/100", 1, 2)


def test_the_inequalities_of_the_closed_forms() -> None:
    """err(N) >= e^(-eps N/2)/(2 cosh(eps/2)) and >= 1/(1 + e^(eps N)), by certified intervals."""
    for t in (F(11, 10), F(2), F(9)):
        root = Interval.sqrt(t, 128)
        for seen in range(9):
            error = private_least_error(seen, Epsilon.exactly(t))
            power = Interval.exp(Interval.log(t, 128) * F(-seen, 2), 128)
            below = power / (root + 1 / root)
            assert below.lower <= error
            assert seen % 2 == 0 or error <= below.upper  # equal for odd N
            assert 1 / (1 + t**seen) <= error


def test_bad_input() -> None:
    two = Epsilon.exactly(2)
    wrong: list[tuple[str, Callable[[], object]]] = [
        ("seen: got -1", lambda: private_least_error(-1, two)),
        ("delta", lambda: private_least_error(1, two, 2)),
        ("q: got 2", lambda: private_step(2, two)),
        ("masses: got a sum of 5/4", lambda: private_average_error(["1/2", "3/4"], 1, two)),
        ("masses", lambda: private_average_error(F(1, 2), 1, two)),  # type: ignore[arg-type]  # on purpose
        ("d: got 0", lambda: private_minimax_error(0, 1, two)),
        ("cells: got 2", lambda: private_minimax_error(3, 1, two, cells=2)),
        ("epsilon: got 0", lambda: private_least_sample_size(2, 0, 0, "1/10")),
        ("alpha", lambda: private_least_sample_size(2, two, 0, 0)),
        ("epsilon: got 0", lambda: private_lower_bound("1/10", 0, 3)),
        ("alpha: got 1/3", lambda: private_lower_bound("1/3", two, 3)),
        ("epsilon", lambda: PrivateVotingLearner(1)),  # type: ignore[arg-type]  # on purpose
        ("known", lambda: PrivateVotingLearner(two, F(0), Sample([1, 1], [0, 1]))),
    ]
    for message, call in wrong:
        with pytest.raises(InvalidInput, match=message):
            call()
