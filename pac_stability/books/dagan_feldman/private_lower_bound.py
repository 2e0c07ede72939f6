"""How much private predictions err at least, explicitly (Section 1.1)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, pairwise, product
from math import prod

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.dagan_feldman._programmes import Privacy, Weights, least_error
from pac_stability.books.dagan_feldman._questions import AnySample, examples_on
from pac_stability.books.dagan_feldman.lower_bound import JudgedLearner, drawn
from pac_stability.claims.trials import Budget, Finding, Trials, at_least, settle, trial
from pac_stability.classes import cube
from pac_stability.data import Sample, neighbouring_pairs
from pac_stability.papers.dagan_feldman import (
    DworkFeldmanAggregation,
    ExponentialLearner,
    FlippedLearner,
    HardDistribution,
    PrivateVotingLearner,
    RealizablePrivateLearner,
    StableLearner,
    VotingLearner,
    WorstMasses,
    private_average_error,
    private_least_error,
    private_minimax_error,
)


def _privacies(budget: Budget) -> Iterator[Privacy]:
    found = [("2", "0"), ("4", "1/10"), ("1", "1/5"), ("11/10", "0"), ("3/2", "1/50"), ("9", "0")]
    for factor, delta in found[: budget.pick(4, 6, 6)]:
        yield Fraction(factor), Fraction(delta)


# The best private prediction at a point, by linear programmes


LeastError = Callable[[int, Epsilon, Fraction], Fraction]


def _one_point(error: LeastError, instance: tuple[int, Privacy]) -> Finding:
    seen, privacy = instance
    ends: Weights = {(((0, y),) * seen, y): Fraction(1, 2) for y in (0, 1)}
    found = least_error(1, seen, ends, privacy)
    stated = error(seen, Epsilon.exactly(privacy[0]), privacy[1])
    return settle(
        found == stated,
        f"N = {seen}, e^epsilon = {privacy[0]}, delta = {privacy[1]}: the best private prediction "
        f"errs with probability {found}, not {stated}",
    )


def _seen(budget: Budget) -> Iterator[tuple[int, Privacy]]:
    for seen in range(1, budget.pick(5, 8, 12)):
        yield from ((seen, privacy) for privacy in _privacies(budget))


_RECURSION: LeastError = private_least_error


def _by_groups(seen: int, epsilon: Epsilon, _: Fraction) -> Fraction:
    """Group privacy alone, which both labels cannot attain."""
    return 1 / (1 + epsilon.ratio**seen)


Average = Callable[[Sequence[Fraction], int, Epsilon, Fraction], Fraction]
OnTwo = tuple[Fraction, int, Privacy]
"""The mass of the first of two points, n, and the privacy."""


def _two_points(average: Average, instance: OnTwo) -> Finding:
    mass, n, privacy = instance
    masses = (mass, 1 - mass)
    found = Fraction(0)
    for x in (0, 1):
        weights: Weights = {}
        for target in product((0, 1), repeat=2):
            for places in product((0, 1), repeat=n):
                # The point whose label is asked for comes first.
                kind = tuple(sorted((int(z != x), target[z]) for z in places))
                weight = prod((masses[z] for z in places), start=masses[x] / 4)
                weights[kind, target[x]] = weights.get((kind, target[x]), Fraction(0)) + weight
        found += least_error(2, n, weights, privacy)
    stated = average(masses, n, Epsilon.exactly(privacy[0]), privacy[1])
    return settle(
        found == stated,
        f"masses {masses}, n = {n}, e^epsilon = {privacy[0]}, delta = {privacy[1]}: the least mean "
        f"error is {found}, not {stated}",
    )


def _on_two(budget: Budget) -> Iterator[OnTwo]:
    for n in range(1, budget.pick(3, 3, 4)):
        for mass in (Fraction(1, 2), Fraction(1, 5)):
            yield from ((mass, n, privacy) for privacy in _privacies(budget))


def _one_more(masses: Sequence[Fraction], n: int, epsilon: Epsilon, delta: Fraction) -> Fraction:
    return private_average_error(masses, n + 1, epsilon, delta)


# Learners


@dataclass(frozen=True)
class Run:
    """A learner on hard points, the size of its samples, and a delta."""

    learner: JudgedLearner
    hard: HardDistribution
    n: int
    delta: Fraction

    @property
    def factor(self) -> Fraction | None:
        """The least e**epsilon for delta, over all neighbouring samples; ``None`` if infinite."""
        return _factor(self.learner, self.hard.points, self.n, self.delta)

    def __str__(self) -> str:
        return (
            f"{type(self.learner).__name__}, {len(self.hard.light)} light points of mass "
            f"{self.hard.mass}, n = {self.n}, e^epsilon = {self.factor}, delta = {self.delta}"
        )


@cache
def _factor(
    learner: JudgedLearner, points: tuple[Hashable, ...], n: int, delta: Fraction
) -> Fraction | None:
    answers: dict[AnySample, Sequence[Fraction]] = {}

    def asked(sample: AnySample) -> Sequence[Fraction]:
        if sample not in answers:
            answers[sample] = learner.probabilities(sample, points)
        return answers[sample]

    least = Fraction(1)
    for one, other in neighbouring_pairs(examples_on(points), n):
        for p, q in zip(asked(one), asked(other), strict=True):
            for a, b in ((p, q), (q, p), (1 - p, 1 - q), (1 - q, 1 - p)):
                if a - delta > least * b:
                    if not b:
                        return None
                    least = (a - delta) / b
    return least


@cache
def losses(
    learner: JudgedLearner, hard: HardDistribution, n: int
) -> dict[tuple[int, ...], list[tuple[Fraction, Fraction]]]:
    """From each target to the probabilities of samples, given it, and the losses on them."""
    found: dict[tuple[int, ...], list[tuple[Fraction, Fraction]]] = {}
    for target, sample, chance in drawn(hard, n):
        predicted = learner.probabilities(sample, hard.points)
        parts = zip(hard.masses, target, predicted, strict=True)
        loss = sum((mass * abs(y - p) for mass, y, p in parts), Fraction(0))
        found.setdefault(target, []).append((chance * len(hard.targets), loss))
    return found


def _learners(points: int) -> list[JudgedLearner]:
    H = cube(points)
    return [
        PrivateVotingLearner(Epsilon.exactly(Fraction(11, 10))),
        PrivateVotingLearner(Epsilon.exactly(Fraction(2))),
        PrivateVotingLearner(Epsilon.exactly(9)),
        PrivateVotingLearner(Epsilon.exactly(2), Fraction(1, 20)),
        VotingLearner(Fraction(1, 5)),
        ExponentialLearner(H, Epsilon.exactly(4)),
        ExponentialLearner(H, Epsilon.exactly(Fraction(5, 4))),
        FlippedLearner(StableLearner(H, 1, Epsilon.exactly(9)), Fraction(1, 10)),
        RealizablePrivateLearner(H, 2, Fraction(1, 3)),
        DworkFeldmanAggregation(H, 2, 1),
    ]


def _runs(budget: Budget) -> Iterator[Run]:
    """Give learners with a finite epsilon on one and two light points."""
    hard = [HardDistribution.shattered((0, 1), mass / 4) for mass in (Fraction(1, 2), Fraction(1))]
    hard.append(HardDistribution.with_common_label((1,), 0, 0, Fraction(1, 6)))
    if budget is not Budget.QUICK:
        hard.append(HardDistribution.shattered((0, 1, 2), Fraction(1, 6)))
    for h in hard:
        for n in range(2, budget.pick(4, 5, 6) - (len(h.points) > 2)):
            for learner, delta in product(_learners(len(h.points)), ("0", "1/20")):
                run = Run(learner, h, n, Fraction(delta))
                if run.factor is not None:
                    yield run


def _no_better(average: Average, run: Run) -> Finding:
    """No learner's mean error is below what its exact epsilon permits."""
    if run.factor is None:
        raise AssertionError
    # A heavy point whose label is known adds nothing.
    masses = run.hard.masses[: -1 if run.hard.heavy_label is not None else None]
    stated = average(masses, run.n, Epsilon.exactly(run.factor), run.delta)
    means = [
        sum((chance * loss for chance, loss in of), Fraction(0))
        for of in losses(run.learner, run.hard, run.n).values()
    ]
    mean = sum(means, Fraction(0)) / len(means)
    return at_least(mean, stated, f"{run}: the mean error is {mean} < {stated}")


def _one_fewer(masses: Sequence[Fraction], n: int, epsilon: Epsilon, delta: Fraction) -> Fraction:
    return private_average_error(masses, n - 1, epsilon, delta)


Made = Callable[[Epsilon, Fraction], JudgedLearner]


def _attains(made: Made, instance: tuple[HardDistribution, int, Privacy]) -> Finding:
    """The learner keeps its promise, and errs equally, as little as possible, for all targets."""
    hard, n, (factor, delta) = instance
    run = Run(made(Epsilon.exactly(factor), delta), hard, n, delta)
    least = private_average_error(hard.masses, n, Epsilon.exactly(factor), delta)
    errors = {
        sum((chance * loss for chance, loss in of), Fraction(0))
        for of in losses(run.learner, hard, n).values()
    }
    return settle(
        run.factor is not None and run.factor <= factor and errors == {least},
        f"{run}: errors {sorted(errors)}, the least is {least}",
    )


def _voted(budget: Budget) -> Iterator[tuple[HardDistribution, int, Privacy]]:
    hard = HardDistribution.shattered((0, 1), Fraction(1, 6))
    for n in range(1, budget.pick(4, 5, 6)):
        yield from ((hard, n, privacy) for privacy in _privacies(budget))


Worst = Callable[[int, int, Epsilon, Fraction], WorstMasses]


def _worst(worst: Worst, instance: tuple[int, int, Privacy]) -> Finding:
    """The learner's error is inside the bounds for the worst masses, and below them for others."""
    d, n, (factor, delta) = instance
    epsilon = Epsilon.exactly(factor)
    learner, found = PrivateVotingLearner(epsilon, delta), worst(d, n, epsilon, delta)

    def error(masses: tuple[Fraction, ...]) -> Fraction:
        total = Fraction(0)
        for places in product(range(d), repeat=n):
            predicted = learner.probabilities(Sample(places, [1] * n), range(d))
            loss = sum(mass * (1 - p) for mass, p in zip(masses, predicted, strict=True))
            total += loss * prod((masses[x] for x in places), start=Fraction(1))
        return total

    parts = 6
    others = (
        tuple(Fraction(b - a, parts) for a, b in pairwise((0, *cuts, parts)))
        for cuts in combinations_with_replacement(range(parts + 1), d - 1)
    )
    largest = max(map(error, others))
    return settle(
        error(found.masses) == found.lower <= found.upper and largest <= found.upper,
        f"d = {d}, n = {n}, e^epsilon = {factor}, delta = {delta}: bounds {found}, the learner's "
        f"error there is {error(found.masses)}, elsewhere up to {largest}",
    )


def _cubes(budget: Budget) -> Iterator[tuple[int, int, Privacy]]:
    for d, n in product((2, 3), range(1, budget.pick(4, 5, 6))):
        yield from ((d, n, privacy) for privacy in _privacies(budget))


def _bounds_for_more(d: int, n: int, epsilon: Epsilon, delta: Fraction) -> WorstMasses:
    return private_minimax_error(d, n + 1, epsilon, delta)


def _by_stability(epsilon: Epsilon, delta: Fraction) -> JudgedLearner:
    """Vote with the stability that (epsilon, delta) gives, which is not private for delta 0."""
    return VotingLearner(delta + (epsilon.ratio - 1) / (epsilon.ratio + 1))


# Sizes in closed form


@dataclass(frozen=True)
class PromisedLearner:
    """A private learner on d points with n examples, and beta."""

    learner: JudgedLearner
    points: int
    n: int
    beta: Fraction


def _promised(budget: Budget) -> Iterator[PromisedLearner]:
    for points in (2, 3)[: budget.pick(1, 2, 2)]:
        for n in range(2, budget.pick(4, 5, 6) - (points > 2)):
            for learner, beta in product(_learners(points), ("0", "1/10", "1/4")):
                if _factor(learner, tuple(range(points)), n, Fraction(0)) is not None:
                    yield PromisedLearner(learner, points, n, Fraction(beta))


Closed = Callable[[Epsilon, Fraction], tuple[Interval, Interval]]
"""From epsilon and beta to c and s: n >= c m/(epsilon alpha), from a mass of s alpha."""


def _too_few(closed: Closed, given: PromisedLearner) -> Finding:
    """With n < c m/(epsilon alpha) some target is not learned up to alpha.

    alpha is taken as large as that permits, or as a mass of 1 does; so no instance is idle.
    """
    points, n, beta = tuple(range(given.points)), given.n, given.beta
    factor = _factor(given.learner, points, n, Fraction(0))
    if factor is None:
        raise AssertionError
    epsilon = Epsilon.exactly(max(factor, Fraction(1001, 1000)))
    constant, scale = closed(epsilon, beta)
    largest = min((constant * (given.points - 1) / (n * epsilon.interval())).lower, 1 / scale.upper)
    alpha = Fraction(int(largest * 999 / 1000 * (1 << 24)), 1 << 24)
    mass = min(Fraction(1), Fraction(int(scale.lower * alpha * (1 << 24)), 1 << 24))
    hard = HardDistribution(points[:-1], points[-1], mass)
    found = losses(given.learner, hard, n).values()
    if beta:
        worst = max(sum((p for p, loss in of if loss > alpha), Fraction(0)) for of in found)
    else:
        worst = max(sum((p * loss for p, loss in of), Fraction(0)) for of in found)
    return at_least(
        worst,
        beta or alpha,
        f"{type(given.learner).__name__}, {given.points} points, n = {n}, e^epsilon = {factor}, "
        f"alpha = {float(alpha):.6f}, beta = {beta}: "
        + (f"fails with {float(worst):.6f}" if beta else f"error {float(worst):.6f}"),
        strictly=True,
    )


def _tanh(_: Epsilon, beta: Fraction) -> tuple[Interval, Interval]:
    odds = Interval.log((3 - 2 * beta) / (1 + 2 * beta)) / 2
    share = (1 - 2 * beta) / (1 - beta)
    return odds * share / 2, Interval.exactly(4 / share)


def _cosh(epsilon: Epsilon, _: Fraction) -> tuple[Interval, Interval]:
    root = Interval.sqrt(epsilon.ratio)
    e_cosh = Interval.exp(1) * (root + 1 / root) / 2
    return 1 / e_cosh, 2 * e_cosh


def _expected(budget: Budget) -> Iterator[PromisedLearner]:
    return (given for given in _promised(budget) if not given.beta)


def _times(factor: int, closed: Closed) -> Closed:
    def larger(epsilon: Epsilon, beta: Fraction) -> tuple[Interval, Interval]:
        constant, scale = closed(epsilon, beta)
        return factor * constant, scale

    return larger


_LEARNERS = "learners on two points, with few examples, their exact epsilon by enumeration"

TRIALS: Trials = {
    "DF20:section-1.1.private-lower-bound.explicit": (
        trial(
            "one point",
            _one_point,
            _seen,
            subject=_RECURSION,
            mutant=_by_groups,
            universe="N up to 4, four pairs of epsilon and delta: exact linear programmes over "
            "all private predictions",
        ),
        trial(
            "two points",
            _two_points,
            _on_two,
            subject=private_average_error,
            mutant=_one_more,
            universe="two marginals, n = 1 and 2, four pairs of epsilon and delta: the same",
        ),
        trial(
            "learners",
            _no_better,
            _runs,
            subject=private_average_error,
            mutant=_one_fewer,
            universe=_LEARNERS,
        ),
        trial(
            "equality",
            _attains,
            _voted,
            subject=PrivateVotingLearner,
            mutant=_by_stability,
            universe="two points, up to three examples, four pairs of epsilon and delta",
        ),
        trial(
            "the worst distribution",
            _worst,
            _cubes,
            subject=private_minimax_error,
            mutant=_bounds_for_more,
            universe="the voting learner on two and three points, up to three examples, masses "
            "in sixths",
        ),
        trial(
            "(ln 3/4)(d - 1)/(epsilon alpha), and with beta",
            _too_few,
            _promised,
            subject=_tanh,
            mutant=_times(2, _tanh),
            universe=f"{_LEARNERS}; the largest alpha that the bound excludes",
        ),
        trial(
            "(d - 1)/(e cosh(epsilon/2) epsilon alpha)",
            _too_few,
            _expected,
            subject=_cosh,
            mutant=_times(2, _cosh),
            universe=f"{_LEARNERS}; the largest alpha that the bound excludes",
        ),
    ),
}
