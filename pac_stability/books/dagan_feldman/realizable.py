"""Private predictions where some hypothesis fits: Lemma 9, Equation (10) and Remark 16."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import ceil, comb
from typing import NamedTuple

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.dagan_feldman.as_written import AnySample, largest_factor, neighbours_of
from pac_stability.books.dagan_feldman.learning_tasks import reached
from pac_stability.books.dagan_feldman.nets import disagreement
from pac_stability.claims import kit
from pac_stability.claims.instances import all_classes, all_labelled_samples
from pac_stability.classes import FiniteClass, cube, thresholds
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.papers import dagan_feldman as df

F = Fraction
TRIALS = kit.Table("DF20")

# No sample is small enough for a large epsilon


@kit.universe("values 1 to 10^6 of C times the logarithms, for alpha = beta = 1/4")
def _factors(_: kit.Budget) -> list[int]:
    return [10**k for k in range(7)]


def _without_examples(constant: int, factor: int) -> kit.Finding:
    # d = 1, alpha = beta = 1/4: constant * d / (alpha epsilon), and d / (alpha epsilon) examples.
    epsilon = 8 * constant * factor
    n = constant * 4 * factor // epsilon
    least = min(max(p, 1 - p) for p in (F(k, 100) for k in range(101)))
    return kit.settle(
        n >= 1 or least <= F(1, 4),
        f"both constants on one point, alpha = 1/4, epsilon = {epsilon}: {constant * factor} d/"
        f"(alpha epsilon) is below 1, and without an example every prediction has error at least "
        f"{least} for one of the two",
    )


TRIALS.add("lemma-9", "large epsilon", _without_examples, _factors, 1)


# The learner


class Case(NamedTuple):
    """A class, a sample, a number of blocks, e^epsilon."""

    H: FiniteClass
    sample: AnySample
    r: int
    t: F


def _small_samples(budget: kit.Budget) -> Iterator[Case]:
    for n in range(1, budget.pick(4, 5, 6)):
        samples = list(all_labelled_samples(thresholds(2), n))
        for sample in samples[:: budget.pick(n, 1, 1)]:
            yield from (Case(thresholds(2), sample, r, F(9)) for r in range(1, n + 1))
    for sample in list(all_labelled_samples(cube(2), 3))[:: budget.pick(4, 1, 1)]:
        yield Case(cube(2), sample, 3, F(9, 4))


_SMALL = "samples of up to three examples of small classes"


@cache
def _predictions(H: FiniteClass, sample: AnySample, r: int, t: F) -> tuple[F, ...]:
    return df.RealizablePrivateLearner(H, r, Epsilon.exactly(t)).probabilities(sample, H.domain)


def _soft_majority(shift: F, it: Case) -> kit.Comparison:
    """The definition: minimisers of the blocks vote, with log odds epsilon (v - r/2)."""
    H, sample, r, t = it
    m = len(sample) // r
    blocks = [Sample.from_examples(list(sample)[i * m : (i + 1) * m]) for i in range(r)]
    consistent = [[h for h in H if block.count_errors(h) == 0] for block in blocks]
    s = F(round(t.numerator**0.5), round(t.denominator**0.5))
    found, wanted = [], []
    for x, p in zip(H.domain, _predictions(*it), strict=True):
        votes = [{h(x) for h in voters} for voters in consistent]
        if all(len(labels) == 1 for labels in votes):  # whatever voters represent the blocks
            v = sum(map(sum, votes))
            found.append(p)
            wanted.append(s ** (2 * v) / (s ** (2 * v) + s**r * shift))
    return kit.same(found, wanted)


TRIALS.add(
    "lemma-9.repaired",
    "definition",
    _soft_majority,
    kit.universe(_SMALL)(_small_samples),
    F(1),
    F(2),
)


def _private(factor: Callable[[int, F], F], it: Case) -> kit.Comparison:
    H, sample, r, t = it
    others = (_predictions(H, other, r, t) for other in neighbours_of(sample, H.domain))
    needed = max(largest_factor(_predictions(*it), there) for there in others)
    return kit.factor_within(needed, factor(r, t))


def _own_factor(r: int, t: F) -> F:
    return df.RealizablePrivateLearner(thresholds(2), r, Epsilon.exactly(t)).factor


TRIALS.add(
    "lemma-9.repaired", "privacy", _private,
    kit.universe(f"{_SMALL}, all neighbours")(_small_samples), _own_factor,
    lambda r, t: 1 + (_own_factor(r, t) - 1) / 2,
)  # fmt: skip


# Its size


class Promise(NamedTuple):
    """The goals alpha, beta and epsilon, and the mass of the point where two hypotheses differ."""

    alpha: F
    beta: F
    epsilon: F
    mass: F


@kit.universe("all labellings of two points, distributions on these: all laws of the blocks")
def _promises(budget: kit.Budget) -> Iterator[Promise]:
    goals = [(F(1, 10), F(1, 4), F(2)), (F(1, 4), F(1, 10), F(1))]
    goals += [(F(1, 20), F(1, 20), F(1, 2))][: budget.pick(0, 1, 1)]
    masses = (F(1, 20), F(1, 5), F(1, 3), F(1, 2), F(19, 20))
    yield from (Promise(*goal, mass) for goal, mass in product(goals, masses))


def _sized(alpha: F, beta: F, epsilon: F) -> df.RealizablePrivateLearner:
    size = df.sample_complexity.realizable_private_size(alpha, beta, epsilon, 2, class_size=4)
    return size.learner(cube(2))


def _small_blocks(alpha: F, beta: F, epsilon: F) -> df.RealizablePrivateLearner:
    full = _sized(alpha, beta, epsilon)
    return df.RealizablePrivateLearner(cube(2), full.blocks, full.epsilon, full.blocks)


def _accurate(
    sized: Callable[[F, F, F], df.RealizablePrivateLearner], it: Promise
) -> Iterator[kit.Comparison]:
    """Exactly: what a block votes for depends on which of the two points it has."""
    alpha, beta, epsilon, mass = it
    learner = sized(alpha, beta, epsilon)
    r = learner.blocks
    m = learner.least_sample_size // r
    first, second = mass**m, (1 - mass) ** m  # that a block has the point 0 only, or 1 only
    needed = F(0)
    for target in cube(2):
        found = []
        for i, j in product(range(r + 1), repeat=2):
            if i + j > r:
                continue
            points: list[Hashable] = [*[0] * (i * m), *[1] * (j * m)]
            points.extend(([0, 1] * m)[:m] * (r - i - j))
            sample: AnySample = Sample(points, [target(x) for x in points])
            p, q = learner.probabilities(sample, [0, 1])
            loss = mass * abs(p - target(0)) + (1 - mass) * abs(q - target(1))
            both = (1 - first - second) ** (r - i - j) if m > 1 or i + j == r else 0
            found.append((loss, comb(r, i) * comb(r - i, j) * first**i * second**j * both))
        needed = max(needed, reached(found, beta))
    yield kit.within(needed, alpha)
    yield kit.factor_within(learner.factor, Epsilon(epsilon).ratio)


TRIALS.add("lemma-9.repaired", "sizes", _accurate, _promises, _sized, _small_blocks)


# The error of a soft majority


class Vote(NamedTuple):
    """The number of voters, the decay, and how often a voter errs on average."""

    r: int
    sigma: F
    a: F


VoteError = Callable[[int, F, F], F]


@kit.universe("up to 8 votes, two decays, errors in a grid")
def _votes(budget: kit.Budget) -> Iterator[Vote]:
    errors = [F(k, 24) for k in range(0, 25, budget.pick(4, 1, 1))]
    for r in range(1, budget.pick(9, 16, 40)):
        yield from map(Vote._make, product([r], (F(1, 2), F(5, 6)), errors))


def _loss(r: int, sigma: F, w: int) -> F:
    return sigma ** (r - w) / (sigma ** (r - w) + sigma**w)


def _largest(error: VoteError, it: Vote) -> kit.Comparison:
    """The worst law of the number of wrong votes has two values, by linear programming."""
    r, sigma, a = it
    mean, worst = r * a, F(0)
    for low, high in product(range(r + 1), repeat=2):
        if low <= mean <= high:
            share = F(0) if low == high else (mean - low) / (high - low)
            worst = max(worst, _loss(r, sigma, low) * (1 - share) + _loss(r, sigma, high) * share)
    return kit.same(error(*it), worst)


TRIALS.add(
    "lemma-9.vote", "exactly", _largest, _votes,
    df.vote_error, lambda r, sigma, a: _loss(r, sigma, int(r * a)),
)  # fmt: skip


def _above(error: VoteError, it: Vote) -> kit.Comparison:
    return kit.within(df.vote_error(*it), error(*it))


TRIALS.add(
    "lemma-9.vote", "by Markov's inequality", _above, _votes,
    df.markov_vote_error, lambda r, sigma, a: df.markov_vote_error(r, sigma, a) - 3 * a,
)  # fmt: skip


# All hypotheses at once, and the size of a block


class Block(NamedTuple):
    """A class, the points of a block, and alpha."""

    H: FiniteClass
    U: tuple[int, ...]
    alpha: F


def _own_blocks(H: FiniteClass) -> Iterator[Block]:
    m = len(H.domain)
    sets = (U for k in range(m + 1) for U in combinations(range(m), k))
    yield from map(Block._make, product([H], sets, (F(0), F(1, 3), F(1, 2))))


@kit.universe(
    "all 28 classes on up to three points (429 up to four: standard), all blocks", exhaustive=True
)
def _blocks(budget: kit.Budget) -> Iterator[Block]:
    for m in range(1, budget.pick(4, 5, 5)):
        for H in all_classes(m, labels_matter=False):
            yield from _own_blocks(H)


def _for_all_targets(
    net: Callable[[FiniteClass, tuple[int, ...], F], bool], it: Block
) -> kit.Comparison | kit.Finding:
    """A hypothesis that is consistent with the block differs from the target on alpha at most."""
    H, U, alpha = it
    if not net(*it):
        return kit.idle()
    m = len(H.domain)
    wrong = max(
        F(sum(h(x) != g(x) for x in range(m)), m)
        for h, g in product(H, repeat=2)
        if all(h(x) == g(x) for x in U)
    )
    return kit.within(wrong, alpha, ceiling=1)


TRIALS.add(
    "equation-10", "blocks", _for_all_targets,
    _blocks.and_on(
        kit.OnClass(
            _own_blocks, "the class, all sets of its points, three alphas", points=7, hypotheses=48
        )
    ),
    lambda H, U, alpha: not disagreement(H, frozenset(U), (1,) * len(H.domain), alpha),
    lambda _, U, __: len(U) > 0,
)  # fmt: skip


@kit.universe("alpha = 1/10, 1/100, ...")
def _decades(budget: kit.Budget) -> range:
    return range(1, budget.pick(9, 12, 20))


def _quadratic(C: int, k: int) -> kit.Finding:
    alpha = F(1, 10**k)
    total = 4 * Interval.log(5 / alpha) / alpha**2  # times 1/epsilon
    log = Interval.log(1 / alpha)
    claimed = C * log * log * log / alpha
    return kit.within(total, claimed).settle(
        f"d = 1, alpha = 10^-{k}: (4/epsilon) ln(5/alpha) blocks of 1/alpha^2 are "
        f"{float(total):.3g}/epsilon examples, and {C} ln(1/alpha)^3/(epsilon alpha) are only "
        f"{float(claimed):.3g}/epsilon"
    )


TRIALS.add("remark-16", "small alpha", _quadratic, _decades, 100)


@kit.universe("alpha = 1/5, 1/10, 1/20, ...")
def _inverses(budget: kit.Budget) -> Iterator[F]:
    yield from (F(1, 5 * 2**k) for k in range(budget.pick(8, 9, 11)))


def _linear(size: Callable[[F], int], alpha: F) -> kit.Finding:
    """Draws that are an alpha-net for two hypotheses, for beta = 1/20."""
    mass = alpha + F(1, 10**6)
    law: FiniteDistribution[Hashable] = FiniteDistribution({0: mass, 1: 1 - mass})
    least = df.DrawnNets(FiniteClass([[0, 0], [1, 0]]), law, alpha).least_size(F(1, 20))
    failure = (1 - mass) ** size(alpha)
    return kit.settle(
        failure <= F(1, 20) and least * alpha <= 4,
        f"alpha = {alpha}: {size(alpha)} draws miss the difference with {float(failure):.3f}",
    )


TRIALS.add(
    "remark-16.repaired", "two hypotheses", _linear, _inverses,
    lambda alpha: ceil(3 / alpha), lambda alpha: ceil(2 / alpha),
)  # fmt: skip
