"""What claims name and ask of no other instance: the library beside definitions that are spelt out.

Samples of two to four examples on one or two points, all of them, and all their neighbours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, count, pairwise, product
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.claims.as_defined import Computed, as_defined
from pac_stability.classes import FiniteClass, Threshold, Thresholds, cube, thresholds
from pac_stability.data import Example, FiniteDistribution, Sample
from pac_stability.dimensions import vc_dimension
from pac_stability.mechanisms import Flip, GeometricVote, NoisyMeanVote, SoftMajorityVote
from pac_stability.notions import closeness, private_prediction, uniform_stability
from pac_stability.notions.domination import Domination, minimal_slack
from pac_stability.papers.dagan_feldman import (
    DisjointAverage,
    FlippedLearner,
    NoisyThreshold,
    PrivateVotingLearner,
    RealizablePrivateLearner,
    RelabellingLearner,
    StableLearner,
    SubsetAverage,
    ThresholdWalk,
    VotingLearner,
    agnostic_least_sample_size,
    hard_distribution,
    match_candidates,
    private_least_error,
    private_least_sample_size,
    private_step,
    sample_complexity,
)
from pac_stability.papers.dagan_feldman.sample_complexity import private_lower_bound
from pac_stability.randomness import SeededCoins

AnySample: TypeAlias = Sample[Hashable]
Chances: TypeAlias = Callable[[AnySample, Sequence[Hashable]], Sequence[Fraction]]
_HALF = Fraction(1, 2)


def _samples(points: Sequence[Hashable], n: int) -> list[AnySample]:
    return [
        Sample([x for x, _ in chosen], [y for _, y in chosen])
        for chosen in product([(x, y) for x in points for y in (0, 1)], repeat=n)
    ]


def _neighbours(samples: list[AnySample]) -> list[tuple[AnySample, AnySample]]:
    return [
        (s, u)
        for s, u in combinations(samples, 2)
        if sum(a != b for a, b in zip(s, u, strict=True)) == 1
    ]


def _changes(
    chances: Chances, points: Sequence[Hashable], n: int
) -> list[tuple[Fraction, Fraction]]:
    """The probabilities of label 1 on all pairs of neighbours, at all points, in both orders."""
    samples = _samples(points, n)
    found = {id(s): chances(s, points) for s in samples}
    return [
        pair
        for s, u in _neighbours(samples)
        for p, q in zip(found[id(s)], found[id(u)], strict=True)
        for pair in ((p, q), (q, p))
    ]


def _moved(changes: list[tuple[Fraction, Fraction]]) -> Fraction:
    return max(p - q for p, q in changes)


def _factor(changes: list[tuple[Fraction, Fraction]]) -> Fraction:
    return max(max(p / q, (1 - q) / (1 - p)) for p, q in changes)


def _beyond(changes: list[tuple[Fraction, Fraction]], t: Fraction) -> Fraction:
    return max(max(p - t * q, (1 - p) - t * (1 - q)) for p, q in changes)


# Uniform stability of learners and of votes, and the privacy of walks


def _stabilities() -> Iterator[Computed]:
    H = cube(2)
    for blocks, n in ((1, 2), (2, 2), (3, 3)):
        learner = DisjointAverage(H, blocks)
        yield Computed(
            f"averages over {blocks} blocks of {n} examples",
            learner.stability(n),
            _moved(_changes(learner.probabilities, (0, 1), n)),
        )
    for size, n in ((1, 2), (1, 3), (2, 3)):
        average = SubsetAverage(H, size)
        moved = _moved(_changes(average.probabilities, (0, 1), n))
        yield Computed(
            f"averages over subsets of {size} of {n} examples",
            (average.stability(n), moved <= average.stability(n)),
            (Fraction(size, n), True),
        )
    for gamma, n in ((Fraction(1, 5), 2), (Fraction(1, 2), 2), (Fraction(1, 3), 3)):
        voting = VotingLearner(gamma)
        yield Computed(
            f"voting with gamma = {gamma}, {n} examples",
            voting.stability(n),
            _moved(_changes(voting.probabilities, (0, 1), n)),
        )
    for t, limit in ((4, 1), (4, 2), (9, 2)):
        walk, n = ThresholdWalk(Epsilon.exactly(t), limit), 3
        changes = _changes(walk.probabilities, (0, 1), n)
        where = f"a walk with factor {t}, at most {limit} steps, {n} examples"
        yield Computed(f"stability, {where}", walk.stability(n), _moved(changes))
        yield Computed(f"privacy, {where}", walk.factor, _factor(changes))
        one = [(1 - 1 / (1 + Fraction(_root(t)) ** _end(s, limit))) for s in _samples((0, 1), n)]
        yield Computed(
            f"where it ends, {where}",
            [walk.probabilities(s, [1])[0] for s in _samples((0, 1), n)],
            one,
        )
    votes: tuple[SoftMajorityVote | GeometricVote | NoisyMeanVote, ...] = (
        SoftMajorityVote(_HALF),
        GeometricVote(Fraction(2, 3)),
        NoisyMeanVote(_HALF),
    )
    for vote, voters in product(votes, (1, 2, 3, 4)):
        by_ones = [
            vote.law((1,) * k + (0,) * (voters - k)).probability(1) for k in range(voters + 1)
        ]
        yield Computed(
            f"{vote} with {voters} voters",
            vote.stability(voters),
            max(abs(p - q) for p, q in pairwise(by_ones)),
        )


def _root(t: int) -> int:
    return {4: 2, 9: 3}[t]


def _end(sample: AnySample, limit: int) -> int:
    """Where the walk ends at the last point, from left to right, labels 0 first."""
    at = -limit
    for _, label in sorted(zip(sample.points, sample.labels, strict=True), key=str):
        at = max(-limit, min(limit, at + (1 if label else -1)))
    return at


STABILITIES = as_defined(
    "stability of learners and votes",
    _stabilities,
    "all samples of two or three examples on two points, all neighbours; up to four votes",
)


def _whether() -> Iterator[Computed]:
    samples, n = _samples((0,), 2), 2
    vote = SoftMajorityVote(_HALF)
    pairs = [pair for s, u in _neighbours(samples) for pair in ((s, u), (u, s))]

    def law(sample: AnySample, point: Hashable) -> FiniteDistribution[int]:
        """At a second point the sample plays no part: it is the first that decides."""
        return vote.law(sample.labels) if point == 0 else vote.law((0, 1))

    changes = _changes(
        lambda sample, points: [vote.law(sample.labels).probability(1) for _ in points], (0,), n
    )
    moved, factor = _moved(changes), _factor(changes)
    for gamma in (moved, moved - Fraction(1, 1000), Fraction(1)):
        yield Computed(
            f"whether {gamma}-stable",
            uniform_stability.holds(law, pairs, (1, 0), gamma),
            moved <= gamma,
        )
    frontier = private_prediction.frontier(law, pairs, (1, 0))
    for t in (Fraction(1), Fraction(6, 5), factor, Fraction(3)):
        epsilon = Epsilon.exactly(t)
        yield Computed(
            f"the frontier at {t}",
            frontier.minimal_delta(epsilon),
            max(Fraction(0), _beyond(changes, t)),
        )
        for delta in (Fraction(0), Fraction(1, 20)):
            yield Computed(
                f"whether ({t}, {delta})-private",
                private_prediction.holds(law, pairs, (1, 0), epsilon, delta),
                _beyond(changes, t) <= delta,
            )


WHETHER = as_defined(
    "whether, and the frontier", _whether, "soft majorities of two votes, all neighbours"
)


# Private lower bounds


def _private_bounds() -> Iterator[Computed]:
    for t, delta in product(
        (Fraction(1), Fraction(3, 2), Fraction(4)), (Fraction(0), Fraction(1, 10))
    ):
        epsilon = Epsilon.exactly(t)
        where = f"factor {t}, delta = {delta}"
        for q in (Fraction(0), Fraction(1, 5), _HALF, Fraction(4, 5), Fraction(1)):
            step = private_step(q, epsilon, delta)
            further = step + Fraction(1, 1000)
            yield Computed(
                f"one step from {q}, {where}",
                (
                    _close(step, q, epsilon, delta),
                    further <= 1 and _close(further, q, epsilon, delta),
                ),
                (True, False),
            )
        for seen in range(5):
            right = 1 - private_least_error(seen, epsilon, delta)
            yield Computed(
                f"two examples more than {seen}, {where}",
                1 - private_least_error(seen + 2, epsilon, delta),
                private_step(right, epsilon, delta),
            )
        # One example of the right label, or of the wrong one: the errors are e and 1 - e at best.
        first = 1 - private_least_error(1, epsilon, delta)
        yield Computed(f"one example, {where}", private_step(1 - first, epsilon, delta), first)
        learner = PrivateVotingLearner(epsilon, delta)
        changes = _changes(learner.probabilities, (0, 1), 2)
        yield Computed(
            f"the learner, {where}",
            (learner.guarantee.factor, learner.guarantee.delta, _beyond(changes, t) <= delta),
            (t, delta, True),
        )
    for d, spent, alpha in (
        (1, 2, Fraction(1, 10)),
        (2, 2, Fraction(1, 5)),
        (3, 3, Fraction(1, 6)),
    ):
        epsilon = Epsilon.exactly(spent)
        n = private_least_sample_size(d, epsilon, 0, alpha)
        where = f"d = {d}, factor {spent}, alpha = {alpha}"
        yield Computed(
            f"the least sample size, {where}",
            (_worst(d, n, epsilon) <= alpha, _worst(d, n - 1, epsilon) > alpha),
            (True, True),
        )
    for spent, alpha, d in (
        (2, Fraction(1, 100), 11),
        (5, Fraction(1, 100), 4),
        (3, Fraction(1, 5), 2),
    ):
        yield Computed(
            f"the closed form, d = {d}, factor {spent}, alpha = {alpha}",
            private_lower_bound(alpha, Epsilon.exactly(spent), d),
            _closed_form(alpha, spent, d),
        )


def _close(p: Fraction, q: Fraction, epsilon: Epsilon, delta: Fraction) -> bool:
    one, other = (FiniteDistribution({1: r, 0: 1 - r}) for r in (p, q))
    return closeness.are_close(one, other, epsilon, delta)


def _worst(d: int, n: int, epsilon: Epsilon) -> Fraction:
    """The minimax error with d - 1 light points of one mass, over a grid of what they weigh."""

    def expected(mass: Fraction) -> Fraction:
        """The mean of err(N), N binomial(n, mass)."""
        law, total = Fraction(1), Fraction(0)
        for seen in range(n + 1):
            law = Fraction(_choose(n, seen)) * mass**seen * (1 - mass) ** (n - seen)
            total += law * private_least_error(seen, epsilon)
        return total

    m = d - 1
    return max(
        (mass * expected(mass / m) if m else Fraction(0)) + (1 - mass) * expected(1 - mass)
        for mass in ([Fraction(k, 40) for k in range(41)] if m else [Fraction(0)])
    )


@cache
def _choose(n: int, k: int) -> int:
    """Pascal's triangle."""
    return 1 if k in (0, n) else _choose(n - 1, k) + _choose(n - 1, k - 1)


def _closed_form(alpha: Fraction, t: int, d: int) -> int:
    m, spent = max(d - 1, 1), Interval.log(t)
    tanh = Interval.log(3) * m / (spent * 4 * alpha)
    bounds = [tanh]
    # e cosh(epsilon/2), with the square root of t from logarithms.
    half = Interval.exp(spent / 2)
    e_cosh = Interval.exp(1) * (half + 1 / half) / 2
    if (e_cosh * 2 * alpha).upper <= 1:
        bounds.append(m / (e_cosh * spent * alpha))
    return max(-int(-bound.lower // 1) for bound in bounds)


PRIVATE_BOUNDS = as_defined(
    "steps, sizes and the closed form",
    _private_bounds,
    "steps of privacy from five probabilities; errors with up to six examples; sizes for up to "
    "three points, over a grid of masses",
)


# Theorem 1: label noise; Theorem 11: hard distributions; Lemma 18: matched candidates


def _noise() -> Iterator[Computed]:
    for points, cut, noise in ((4, 2, Fraction(1, 5)), (5, 0, Fraction(0)), (3, 3, Fraction(1, 3))):
        D = NoisyThreshold(points, cut, noise)

        def loss(
            ones: set[int], points: int = points, cut: int = cut, noise: Fraction = noise
        ) -> Fraction:
            wrong = sum(noise if (x in ones) == (x >= cut) else 1 - noise for x in range(points))
            return Fraction(wrong, points)

        for at, upward in product((*map(Fraction, range(-1, 5)), Fraction(3, 2)), (True, False)):
            h = Threshold(at, upward=upward)
            ones = {x for x in range(points) if h(x)}
            yield Computed(
                f"{h}, {points} points, cut {cut}, noise {noise}",
                D.excess(h),
                loss(ones) - loss(set(range(cut, points))),
            )
        drawn, clean = D.sample(30, SeededCoins(1)), set(range(cut, points))
        yield Computed(
            f"a sample, {points} points, cut {cut}, noise {noise}",
            (
                set(drawn.points) <= set(range(points)),
                noise == 0
                and any(y != (x in clean) for x, y in zip(drawn.points, drawn.labels, strict=True)),
                len(drawn),
            ),
            (True, False, 30),
        )
    D, learner = NoisyThreshold(3, 1, Fraction(1, 10)), StableLearner(Thresholds(), 2, _HALF)
    sample = D.sample(4, SeededCoins(2))
    exact = sum(
        (p * D.excess(h) for h, p in learner.law(sample).items() if isinstance(h, Threshold)),
        Fraction(0),
    )
    found = D.measured_excess(learner, 4, SeededCoins(2))
    yield Computed(
        "the expected excess",
        found.lower <= exact <= found.upper and (found - exact).upper < Fraction(1, 10**6),
        True,
    )


NOISE = as_defined(
    "thresholds with noise", _noise, "thresholds on up to five points, all losses by counting"
)


def _hard() -> Iterator[Computed]:
    chain = FiniteClass([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]])
    pairs = FiniteClass([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
    for H in (thresholds(3), cube(2), cube(3), chain, pairs):
        alpha = Fraction(1, 8)
        found = hard_distribution(H, alpha)
        rows = {tuple(h(x) for x in found.points) for h in H}
        yield Computed(
            f"targets on {found.points} are hypotheses",
            (set(found.targets) <= rows, len(found.light) >= max(vc_dimension(H) - 1, 1)),
            (True, True),
        )
        yield Computed(
            f"its points on {found.points}",
            dict(found.marginal.items()),
            {x: found.mass / len(found.light) for x in found.light} | {found.heavy: 1 - found.mass},
        )
        target = found.targets[-1]
        yield Computed(
            f"labelled points on {found.points}",
            dict(found.labelled(target).items()),
            {
                Example(x, y): found.marginal.probability(x)
                for x, y in zip(found.points, target, strict=True)
            },
        )


HARD = as_defined("hard distributions", _hard, "five classes on two and three points")


def _matched() -> Iterator[Computed]:
    H = FiniteClass([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]])
    for labels in product((0, 1), repeat=3):
        sample: AnySample = Sample([0, 1, 2], labels)
        learner = RelabellingLearner(
            StableLearner(H, 2, Epsilon.exactly(2)),
            RealizablePrivateLearner(H, 1, Epsilon.exactly(2)),
        )
        found = match_candidates(learner, sample, (0, 1), removed=0, added=2, points=H.domain)
        before, after = Counter(i for i, _ in found.pairs), Counter(j for _, j in found.pairs)
        counts = (
            tuple(before[i] for i in range(len(found.before))),
            tuple(after[j] for j in range(len(found.after))),
        )
        yield Computed(
            f"partners, labels {labels}",
            (found.partners, found.one_to_one, found.check.holds),
            (counts, set(counts[0] + counts[1]) == {1}, found.check.factor <= found.check.bound),
        )
        yield Computed(
            f"one or two each, labels {labels}",
            found.holds,
            set(counts[0] + counts[1]) <= {1, 2} and found.check.factor <= found.check.bound,
        )


MATCHED = as_defined(
    "what the library matches",
    _matched,
    "four hypotheses on three points, one index exchanged, all labels",
)


# Definition of the relation; flips


def _relations() -> Iterator[Computed]:
    grid = [Fraction(k, 4) for k in range(5)]
    t, delta, gamma = Fraction(2), Fraction(1, 4), Fraction(1, 4)
    private, stable = (
        Domination.of_privacy(Epsilon.exactly(t), delta),
        Domination.of_stability(gamma),
    )
    for p, q in product(grid, repeat=2):
        h, g = {0: p}, {0: q}
        as_private = p <= t * q + delta and 1 - p <= t * (1 - q) + delta
        yield Computed(f"{p} and {q}, private", private.holds(h, g), as_private)
        yield Computed(f"{p} and {q}, stable", stable.holds(h, g), abs(p - q) <= gamma)
        yield Computed(
            f"{p} and {q}, what is left",
            minimal_slack(h, g, t) <= delta,
            as_private,
        )
    loose = private.as_stability()
    # h - g <= (t - 1) g + delta, and g is 1 at most.
    yield Computed("with the factor 1", (loose.factor, loose.slack), (Fraction(1), t - 1 + delta))


RELATIONS = as_defined("privacy and stability", _relations, "predictions in quarters, all pairs")


def _flips() -> Iterator[Computed]:
    for z in (Fraction(0), Fraction(1, 10), _HALF):
        for label in (0, 1):
            yield Computed(
                f"{label} flipped with {z}",
                dict(Flip(z).law(label).items()),
                {y: p for y, p in ((label, 1 - z), (1 - label, z)) if p},
            )
    base = StableLearner(thresholds(2), 1, _HALF)
    for z, n in ((Fraction(1, 10), 2), (Fraction(1, 4), 3)):
        learner = FlippedLearner(base, z)
        sample = _samples((0, 1), n)[5]
        yield Computed(
            f"flipped predictions, z = {z}",
            tuple(learner.probabilities(sample, (0, 1))),
            tuple(p * (1 - z) + (1 - p) * z for p in base.probabilities(sample, (0, 1))),
        )
        changes = _changes(learner.probabilities, (0, 1), 2)
        factor = learner.factor(2)
        yield Computed(f"their privacy, z = {z}", _factor(changes) <= factor, True)
    for t, z, n in ((Fraction(2), Fraction(1, 5), 20), (Fraction(3), Fraction(1, 10), 50)):
        private = FlippedLearner.from_privacy(thresholds(2), Epsilon.exactly(t), z, n)
        larger = FlippedLearner(
            StableLearner(thresholds(2), private.base.subset_size + 1, private.base.decay), z
        )
        yield Computed(
            f"the largest subset that a flip of {z} hides, factor {t}, n = {n}",
            (private.factor(n) <= t, larger.factor(n) <= t),
            (True, False),
        )


FLIPS = as_defined(
    "flipped labels", _flips, "labels flipped; samples of two or three examples on two points"
)


# Sizes in closed form, and by counting


def _sizes() -> Iterator[Computed]:
    for alpha, t in ((Fraction(1, 10), 2), (Fraction(1, 4), 3), (Fraction(1, 50), 7)):
        where = f"alpha = {alpha}, factor {t}"
        written = Interval.log(2 / alpha) * 12 / (Interval.log(t) * alpha)
        yield Computed(
            f"the scan, {where}",
            sample_complexity.threshold_scan_size(alpha, Epsilon.exactly(t)).sample_size,
            _above(written),
        )
        for candidates in (5, 11, 1000):
            written = Interval.log(candidates) * 2 / (Interval.log(t) * alpha)
            size = sample_complexity.exponential_mechanism_size(
                alpha, Epsilon.exactly(t), candidates, constants="printed"
            )
            yield Computed(
                f"selection of {candidates}, {where}", size.sample_size, max(1, _above(written))
            )
    for n, alpha, beta in (
        (8, Fraction(1, 4), Fraction(1, 5)),
        (7, Fraction(1, 3), Fraction(1, 2)),
    ):
        yield Computed(
            f"indices that are a net for thresholds, {n} points, alpha = {alpha}, beta = {beta}",
            sample_complexity.threshold_net_size(alpha, beta, n).subset_size,
            next(size for size in range(n + 1) if _missed(n, size, alpha) <= beta),
        )


def _above(bound: Interval) -> int:
    return -int(-bound.lower // 1)


def _missed(n: int, size: int, alpha: Fraction) -> Fraction:
    """Of the sets of so many points, the share that misses a heavy interval of the line."""
    sets = list(combinations(range(n), size))
    runs = [
        range(a, b) for a in range(n) for b in range(a + 1, n + 1) if Fraction(b - a, n) > alpha
    ]
    missing = sum(any(not set(run) & set(chosen) for run in runs) for chosen in sets)
    return Fraction(missing, len(sets))


SIZES = as_defined(
    "sizes, written out",
    _sizes,
    "the scan and the selection in closed form, nets for thresholds on seven and eight points",
)


def _coin_sizes() -> Iterator[Computed]:
    for alpha, beta in ((Fraction(1, 10), Fraction(1, 5)), (Fraction(1, 6), Fraction(1, 10))):
        yield Computed(
            f"one coin, alpha = {alpha}, beta = {beta}",
            agnostic_least_sample_size(1, alpha, beta),
            next(n for n in count() if _told_wrongly(n, 2 * alpha) <= beta),
        )


def _told_wrongly(n: int, bias: Fraction) -> Fraction:
    """How often the likelier side is told wrongly after n tosses: the mean of the two errors."""
    p = (1 + bias) / 2
    return sum(
        (
            _choose(n, k) * min(p**k * (1 - p) ** (n - k), (1 - p) ** k * p ** (n - k)) / 2
            for k in range(n + 1)
        ),
        Fraction(0),
    )


COIN_SIZES = as_defined(
    "sizes, written out", _coin_sizes, "the least number of tosses, by counting sequences"
)
