"""How many examples stable learning takes (Theorem 11, Appendix D, tightness of Theorem 1)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import ceil, comb, prod
from typing import NamedTuple

from pac_stability.arithmetic import Epsilon
from pac_stability.books.dagan_feldman.learning_tasks import (
    AnySample,
    ExactLearner,
    examples_on,
    move,
)
from pac_stability.claims import kit
from pac_stability.classes import FiniteClass, cube
from pac_stability.data import Sample, neighbouring_pairs
from pac_stability.papers import dagan_feldman as df

F = Fraction
TRIALS = kit.Table("DF20")
Target = tuple[int, ...]

# Learners, and what they do on hard distributions


@dataclass(frozen=True)
class Constant:
    """Predicts label 1 with the same probability everywhere."""

    p: F

    def probabilities(self, _: AnySample, points: Sequence[Hashable], /) -> list[F]:
        """Return that probability for each point."""
        return [self.p] * len(points)


@dataclass(frozen=True)
class Memory:
    """Predicts the last label seen at a point, and 0 elsewhere."""

    def probabilities(self, sample: AnySample, points: Sequence[Hashable], /) -> list[F]:
        """Return the last label seen at each point."""
        seen = {z.point: F(z.label) for z in sample}
        return [seen.get(x, F(0)) for x in points]


@dataclass(frozen=True)
class Contrary:
    """Predicts the opposite of the last label seen at a point, and 1/2 elsewhere."""

    def probabilities(self, sample: AnySample, points: Sequence[Hashable], /) -> list[F]:
        """Return the probability of label 1 at each point."""
        seen = {z.point: F(1 - z.label) for z in sample}
        return [seen.get(x, F(1, 2)) for x in points]


class Setting(NamedTuple):
    """A learner, a hard distribution, and a number of examples."""

    learner: ExactLearner
    hard: df.HardDistribution
    n: int

    @property
    def gamma(self) -> F:
        """The least stability of the learner, over all neighbouring samples."""
        return _stability(self.learner, self.hard.points, self.n)

    def __str__(self) -> str:
        return (
            f"{type(self.learner).__name__}, {len(self.hard.light)} light points of mass "
            f"{self.hard.mass}, n = {self.n}"
        )


@cache
def _stability(learner: ExactLearner, points: tuple[Hashable, ...], n: int) -> F:
    @cache
    def asked(sample: AnySample) -> Sequence[F]:
        return learner.probabilities(sample, points)

    pairs = neighbouring_pairs(examples_on(points), n)
    return max(move(asked(sample), asked(other)) for sample, other in pairs)


def drawn(hard: df.HardDistribution, n: int) -> Iterator[tuple[Target, AnySample, F]]:
    """Give every target, and every sample that it labels, with the probability of both."""
    points, masses = hard.points, hard.masses
    heavy = (0, 1) if hard.heavy_label is None else (hard.heavy_label,)
    targets = list(product(*[(0, 1)] * len(hard.light), heavy))
    for target in targets:
        for places in product(range(len(points)), repeat=n):
            chance = prod((masses[k] for k in places), start=F(1, len(targets)))
            if chance:
                sample: AnySample = Sample([points[k] for k in places], [target[k] for k in places])
                yield target, sample, chance


@cache
def losses_of(
    learner: ExactLearner, hard: df.HardDistribution, n: int
) -> tuple[tuple[Target, F, F], ...]:
    """Return target, chance and loss of every sample."""
    found = []
    for target, sample, chance in drawn(hard, n):
        predicted = learner.probabilities(sample, hard.points)
        parts = zip(hard.masses, target, predicted, strict=True)
        found.append((target, chance, sum((w * abs(h - p) for w, h, p in parts), F(0))))
    return tuple(found)


def _settings(budget: kit.Budget, hard: Sequence[df.HardDistribution]) -> Iterator[Setting]:
    for h in hard:
        m = len(h.points)
        learners: list[ExactLearner] = [
            Constant(F(1, 3)),
            Memory(),
            Contrary(),
            df.VotingLearner(F(2, 5)),
            df.VotingLearner(F(1)),
            df.DisjointAverage(cube(m), 2),
            df.SubsetAverage(cube(m), 1),
            df.ExponentialLearner(cube(m), Epsilon.exactly(4)),
            df.StableLearner(cube(m), 1, Epsilon.exactly(9)),
        ]
        for n in range(2, budget.pick(4, 5, 6) - (m > 2)):
            yield from (Setting(learner, h, n) for learner in learners)


def _on_shattered_points(budget: kit.Budget) -> Iterator[Setting]:
    """Give learners on shattered points, as in the paper."""
    hard = [
        df.HardDistribution.shattered(range(points), F(1, inverse))
        for points, inverse in ((2, 8), (2, 4), (3, 6))
    ]
    return _settings(budget, hard)


_NINE = "nine learners on two or three shattered points"
_shattered = kit.universe(f"{_NINE}, with few examples")(_on_shattered_points)


def _on_one_point(budget: kit.Budget) -> Iterator[Setting]:
    """Give learners on a light point, and a heavy one with a common label."""
    hard = [
        df.HardDistribution.with_common_label((1,), 0, label, F(1, inverse))
        for label, inverse in ((0, 8), (1, 5))
    ]
    return _settings(budget, hard)


# Theorem 11

Bound = Callable[[int, F, F], F]
"""From the number of light points, gamma and alpha to a number of examples."""


def _theorem_11(m: int, gamma: F, alpha: F) -> F:
    """What the theorem asks for, with m = d - 1 light points."""
    return F(m) / (8 * gamma * alpha)


def _errs(bound: Bound, it: Setting, gamma: F) -> kit.Comparison | kit.Finding:
    alpha = it.hard.mass / 4
    if gamma and it.n >= bound(len(it.hard.light), gamma, alpha):
        return kit.idle()
    mean = sum((chance * loss for _, chance, loss in losses_of(*it)), F(0))
    return kit.reaches(mean, alpha, strictly=True)


def _needs(bound: Bound, it: Setting) -> kit.Comparison | kit.Finding:
    """With fewer examples, some target is learned with an expected error above alpha."""
    return _errs(bound, it, it.gamma)


def _eight_times(m: int, gamma: F, alpha: F) -> F:
    return 8 * _theorem_11(m, gamma, alpha)


TRIALS.add("theorem-11", "learners", _needs, _shattered, _theorem_11, _eight_times)


@kit.universe("voting learners on two and three light points, gamma = 1/4 and 1/6")
def _votes(budget: kit.Budget) -> Iterator[tuple[df.VotingLearner, df.HardDistribution]]:
    """Light points have all the mass."""
    for light, inverse in ((2, 4), (2, 6), (3, 4), (3, 5), (2, 8))[: budget.pick(3, 4, 5)]:
        hard = df.HardDistribution.shattered(range(light + 1), F(1, 4))
        yield df.VotingLearner(F(1, inverse)), hard


def _needs_one_more(
    bound: Bound, it: tuple[df.VotingLearner, df.HardDistribution]
) -> kit.Comparison | kit.Finding:
    """Ask the same for one example less than the bound, of a learner whose gamma is known."""
    learner, hard = it
    n = ceil(bound(len(hard.light), learner.gamma, hard.mass / 4)) - 1
    return _errs(bound, Setting(learner, hard, n), learner.gamma)


TRIALS.add(
    "theorem-11", "one example less", _needs_one_more, _votes,
    _theorem_11, lambda m, gamma, alpha: 2 * _theorem_11(m, gamma, alpha),
)  # fmt: skip
TRIALS.add(
    "theorem-11.one-dimension", "learners", _needs,
    kit.universe("nine learners on a light and a heavy point, with few examples")(_on_one_point),
    _theorem_11, _eight_times,
)  # fmt: skip


# Its proof, line by line

_LINES = ("error", "on_light_points", "flipped", "combined", "separated", "linear")


@cache
def _both_lines(it: Setting) -> tuple[dict[str, F], dict[str, F]]:
    """Return what each line of the proof is worth: the library's, and with S^flip(k) built of S."""
    learner, hard, n = it
    chain = df.hard_chain(learner, hard, n, it.gamma)
    found = dict(zip((*_LINES[:-1], "truncated", _LINES[-1]), chain.lines, strict=True))
    lines = dict.fromkeys(_LINES, F(0))
    for target, sample, chance in drawn(hard, n):
        predicted = learner.probabilities(sample, hard.points)
        for x, h, p, mass in zip(hard.points, target, predicted, hard.masses, strict=True):
            w = chance * mass
            lines["error"] += w * abs(h - p)
            if x == hard.heavy:
                continue
            labels = [y ^ (z == x) for z, y in zip(sample.points, sample.labels, strict=True)]
            (other,) = learner.probabilities(Sample(sample.points, labels), [x])
            lines["on_light_points"] += w * abs(h - p)
            lines["flipped"] += w * (abs(h - p) + abs(1 - h - other)) / 2
            lines["combined"] += w * abs(2 * h - 1 + other - p) / 2
            lines["separated"] += w * (1 - abs(p - other)) / 2
            lines["linear"] += w * (1 - it.gamma * sample.points.count(x)) / 2
    return found, lines


def _at_least(steps: tuple[str, ...], it: Setting) -> Iterator[kit.Comparison]:
    """Of the lines of the proof each is at least the next, and all are as defined."""
    found, defined = _both_lines(it)
    yield kit.same([found[name] for name in steps], [defined[name] for name in steps])
    yield from (kit.reaches(found[a], found[b]) for a, b in pairwise(steps))


_in_the_proof = kit.universe(f"{_NINE}, two or three examples")(_on_shattered_points)
for equation, lines, wrong in (
    (14, ("error", "on_light_points", "flipped", "on_light_points"), ("linear", "flipped")),
    (15, ("flipped", "combined"), ("linear", "combined")),
    (16, ("combined", "separated"), ("separated", "combined")),
    (17, ("separated", "linear"), ("linear", "separated")),
):
    TRIALS.add(f"equation-{equation}", "learners", _at_least, _in_the_proof, lines, wrong)


def _voting(gamma_of: Callable[[F], F], it: Setting) -> Iterator[kit.Comparison]:
    """The voting learner attains the last line but one."""
    _, hard, n = it
    p = hard.mass / len(hard.light)
    for gamma in (F(1, 4), F(2, 5), F(1)):
        learner = df.VotingLearner(gamma_of(gamma), Sample([hard.heavy], [hard.heavy_label or 0]))
        rest = (
            comb(n, k) * p**k * (1 - p) ** (n - k) * max(F(0), 1 - gamma * k) for k in range(n + 1)
        )
        yield kit.same(df.hard_average_error(learner, hard, n), hard.mass / 2 * sum(rest, F(0)))


TRIALS.add(
    "appendix-d.equality", "voting", _voting,
    kit.universe("a light and a heavy point with a known label, few examples")(_on_one_point),
    lambda gamma: gamma, lambda gamma: gamma / 2,
)  # fmt: skip


# With a probability beta to fail


@dataclass(frozen=True)
class TwoExamples:
    """On points 0 and 1, the label of 0 known: two examples at 1 that are trusted differently.

    The first moves the prediction by 9/50 towards label 1 or by 4/50 towards label 0, the second by
    4/50 or by 9/50; so it is 13/50-stable.
    """

    def probabilities(self, sample: AnySample, points: Sequence[Hashable], /) -> list[F]:
        """Return the probability of label 1 at each point."""
        p = F(1, 2)
        for z, up in zip(sample, (9, 4), strict=True):
            if z.point == 1:
                p += F(up if z.label else up - 13, 50)
        return [p if x == 1 else F(0) for x in points]


class Voter(NamedTuple):
    """A learner, a class on the points 0 and 1, n, and a stability gamma; alpha and beta."""

    learner: ExactLearner
    H: FiniteClass
    n: int
    gamma: F
    alpha: F
    beta: F

    def worst_failure(self) -> F:
        """Bound how often the error exceeds alpha, over all realizable distributions.

        Errors are linear in the mass of point 1, and between two masses where one of them reaches
        alpha the probability to fail is largest at an end (it falls, or is convex). There an error
        of alpha counts as too large, unless no further mass lies beyond it.
        """
        learner, H, n, _, alpha, _ = self
        ordered = isinstance(learner, TwoExamples)
        by_count = ((0,) * (n - k) + (1,) * k for k in range(n + 1))
        places = list(product((0, 1), repeat=n) if ordered else by_count)
        worst = F(0)
        for target in H:
            errors = []
            for chosen in places:
                sample: AnySample = Sample(list(chosen), [target(x) for x in chosen])
                p, q = learner.probabilities(sample, [0, 1])
                errors.append((abs(p - target(0)), abs(q - target(1))))
            ends = {
                m
                for at_0, at_1 in set(errors)
                if at_0 != at_1 and 0 <= (m := (alpha - at_0) / (at_1 - at_0)) <= 1
            }
            for m in {F(0), F(1), *ends}:
                failure = F(0)
                for chosen, (at_0, at_1) in zip(places, errors, strict=True):
                    loss = (1 - m) * at_0 + m * at_1
                    if loss > alpha or (loss == alpha and 0 < m < 1):
                        k = sum(chosen)
                        ways = 1 if ordered else comb(n, k)
                        failure += ways * m**k * (1 - m) ** (n - k)
                worst = max(worst, failure)
        return worst


WithBeta = Callable[[int, F, F, F], F]


def _tight(bound: WithBeta, it: Voter) -> kit.Finding:
    asked = bound(1, it.gamma, it.alpha, it.beta)
    if it.n >= asked:
        return kit.idle()
    failure = it.worst_failure()
    return kit.reaches(failure, it.beta, strictly=True).settle(
        f"{len(it.H)} hypotheses on two points, {type(it.learner).__name__}, {it.gamma}-stable, n "
        f"= {it.n}: on every realizable distribution the error is above {it.alpha} with "
        f"probability at most {failure} <= beta = {it.beta}; the bound asks for "
        f"{float(asked):.4f} examples"
    )


_PAIR = FiniteClass([[0, 0], [0, 1]])


def _with_beta(m: int, gamma: F, alpha: F, beta: F) -> F:
    return (1 - 2 * beta) ** 2 * m / (8 * (1 - beta) * gamma * alpha)


def _learned_at_most(scale: int, it: Setting) -> Iterator[kit.Comparison | kit.Finding]:
    """For the best alpha of each beta, on the mass that belongs to it."""
    gamma = it.gamma
    for beta in (F(1, 10), F(1, 4)):
        alpha = it.hard.mass * (1 - 2 * beta) / (4 * (1 - beta))
        asked = _with_beta(len(it.hard.light), gamma, alpha, beta) if gamma else it.n + 1
        if it.n >= asked * scale:
            yield kit.idle()
            continue
        by_target: dict[Target, F] = {}
        for target, chance, loss in losses_of(*it):
            by_target[target] = by_target.get(target, F(0)) + chance * (loss > alpha)
        yield kit.reaches(max(by_target.values()) * len(by_target), beta, strictly=True)


TRIALS.add("theorem-1.tightness", "learners", _learned_at_most, _shattered, 1, 8)


@kit.universe("the voting learner on two hypotheses, beta up to 7/16")
def _low_beta(budget: kit.Budget) -> Iterator[Voter]:
    for beta in (F(1, 10), F(1, 4), F(7, 16)):
        most = (1 - 2 * beta) / (4 * (1 - beta))
        for alpha, gamma in product((most, most / 2), (F(1, 4), F(1))):
            learner = df.VotingLearner(gamma, Sample([0], [0]))
            for n in range(1, budget.pick(5, 9, 30)):
                yield Voter(learner, _PAIR, n, gamma, alpha, beta)


def _in_whole(m: int, gamma: F, alpha: F, beta: F) -> F:
    return F(df.least_sample_size(m, gamma, alpha, beta, constants="printed"))


TRIALS.add(
    "theorem-1.tightness", "voting", _tight, _low_beta,
    _in_whole, lambda *given: 100 * _with_beta(*given),
)  # fmt: skip


class Numbers(NamedTuple):
    """The number of light points, gamma, alpha and beta."""

    m: int
    gamma: F
    alpha: F
    beta: F


@kit.universe("up to nine light points, a grid of gamma, alpha and beta")
def _numbers(_: kit.Budget) -> Iterator[Numbers]:
    betas = (F(0), F(1, 10), F(1, 4), F(7, 16))
    for m, gamma, beta in product((1, 2, 9), (F(1), F(1, 7), F(1, 500)), betas):
        most = (1 - 2 * beta) / (4 * (1 - beta))
        yield from (Numbers(m, gamma, most / k, beta) for k in (1, 2, 10))


def _least(bound: WithBeta, it: Numbers) -> kit.Finding:
    """The least integer that the statement leaves; and with more than its proof there is more."""
    found, stated, sharp = bound(*it), _with_beta(*it), df.least_sample_size(*it)
    return kit.settle(
        found - 1 < stated <= found <= sharp,
        f"{it}: {found}, not the least from {stated} on, or more than {sharp}",
    )


TRIALS.add(
    "theorem-1.tightness", "in whole numbers", _least, _numbers,
    _in_whole, lambda *given: _in_whole(*given) + 1,
)  # fmt: skip
