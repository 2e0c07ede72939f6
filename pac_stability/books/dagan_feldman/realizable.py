"""Private predictions where some hypothesis fits: Lemma 9 and Remark 16."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import ceil, comb
from operator import itemgetter

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.dagan_feldman import lemma_accounts, size_accounts
from pac_stability.books.dagan_feldman._questions import AnySample, factor_between, neighbours_of
from pac_stability.books.dagan_feldman.learning_tasks import reached
from pac_stability.books.dagan_feldman.nets import disagreement
from pac_stability.claims.instances import all_classes, all_labelled_samples
from pac_stability.claims.trials import (
    Budget,
    Finding,
    OnClass,
    Trials,
    all_of,
    at_most,
    factor_at_most,
    idle,
    settle,
    trial,
)
from pac_stability.classes import FiniteClass, cube, thresholds
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.papers.dagan_feldman import (
    DrawnNets,
    RealizablePrivateLearner,
    markov_vote_error,
    sample_complexity,
    vote_error,
)

# No sample is small enough for a large epsilon


def _without_examples(constant: int, factor: int) -> Finding:
    # d = 1, alpha = beta = 1/4: constant * d / (alpha epsilon), and d / (alpha epsilon) examples.
    epsilon = 8 * constant * factor
    n = int(Fraction(constant * 4 * factor, epsilon))
    least = min(max(p, 1 - p) for p in (Fraction(k, 100) for k in range(101)))
    return settle(
        n >= 1 or least <= Fraction(1, 4),
        f"both constants on one point, alpha = 1/4, epsilon = {epsilon}: {constant * factor} d/"
        f"(alpha epsilon) is below 1, and without an example every prediction has error at least "
        f"{least} for one of the two",
    )


# The learner

Case = tuple[FiniteClass, AnySample, int, Fraction]
"""A class, a sample, a number of blocks, e^epsilon."""


def _cases(budget: Budget) -> Iterator[Case]:
    for n in range(1, budget.pick(4, 5, 6)):
        samples = list(all_labelled_samples(thresholds(2), n))
        for sample in samples[:: budget.pick(n, 1, 1)]:
            for r in range(1, n + 1):
                yield thresholds(2), sample, r, Fraction(9)
    for sample in list(all_labelled_samples(cube(2), 3))[:: budget.pick(4, 1, 1)]:
        yield cube(2), sample, 3, Fraction(9, 4)


@cache
def _predictions(H: FiniteClass, sample: AnySample, r: int, t: Fraction) -> tuple[Fraction, ...]:
    return RealizablePrivateLearner(H, r, Epsilon.exactly(t)).probabilities(sample, H.domain)


Allowed = Callable[[int, Fraction], Fraction]
"""From r and e^epsilon to the factor of predictions."""


def _private(factor: Allowed, case: Case) -> Finding:
    H, sample, r, t = case
    here, allowed = _predictions(*case), factor(r, t)
    worst: tuple[Fraction | float, AnySample] = (Fraction(1), sample)
    for other in neighbours_of(sample, H.domain):
        there = _predictions(H, other, r, t)
        factors = (factor_between(p, q) for p, q in zip(here, there, strict=True))
        worst = max(worst, (max(factors), other), key=itemgetter(0))
    found, other = worst
    return factor_at_most(
        found, allowed, f"{sample} and {other}, r = {r}, e^epsilon = {t}: {found} > {allowed}"
    )


def _own_factor(r: int, t: Fraction) -> Fraction:
    return RealizablePrivateLearner(thresholds(2), r, Epsilon.exactly(t)).factor


def _soft_majority(shift: Fraction, case: Case) -> Finding:
    """The definition: minimisers of the blocks vote, with log odds epsilon (v - r/2)."""
    H, sample, r, t = case
    size = len(sample) // r
    blocks = [Sample.from_examples(list(sample)[i * size : (i + 1) * size]) for i in range(r)]
    wanted: list[Fraction | None] = []
    for x in H.domain:
        chosen = []
        for block in blocks:
            consistent = [h(x) for h in H if block.count_errors(h) == 0]
            if len(set(consistent)) != 1:
                break
            chosen.append(consistent[0])
        if len(chosen) < r:
            wanted.append(None)
            continue
        s = Fraction(round(t.numerator**0.5), round(t.denominator**0.5))
        v = sum(chosen)
        wanted.append(s ** (2 * v) / (s ** (2 * v) + s**r * shift))
    for p, q in zip(_predictions(*case), wanted, strict=True):
        if q is not None and p != q:
            return settle(False, f"{sample}, r = {r}, e^epsilon = {t}: {p}, by definition {q}")
    return settle(True, "")


# The error of a soft majority

Vote = tuple[int, Fraction, Fraction]
VoteError = Callable[[int, Fraction, Fraction], Fraction]


def _votes(budget: Budget) -> Iterator[Vote]:
    for r in range(1, budget.pick(9, 16, 40)):
        decays = (Fraction(1, 2), Fraction(5, 6))
        errors = [Fraction(k, 24) for k in range(0, 25, budget.pick(4, 1, 1))]
        yield from product([r], decays, errors)


def _loss(r: int, sigma: Fraction, w: int) -> Fraction:
    return sigma ** (r - w) / (sigma ** (r - w) + sigma**w)


def _largest(error: VoteError, vote: Vote) -> Finding:
    """The worst law of the number of wrong votes has two values, by linear programming."""
    r, sigma, a = vote
    mean = r * a
    worst = Fraction(0)
    for low, high in product(range(r + 1), repeat=2):
        if low <= mean <= high:
            share = Fraction(0) if low == high else (mean - low) / (high - low)
            worst = max(worst, _loss(r, sigma, low) * (1 - share) + _loss(r, sigma, high) * share)
    return settle(error(*vote) == worst, f"r, sigma, a = {vote}: {error(*vote)}, not {worst}")


def _above(error: VoteError, vote: Vote) -> Finding:
    exact, bound = vote_error(*vote), error(*vote)
    return at_most(exact, bound, f"r, sigma, a = {vote}: {exact} > {bound}")


# Sizes

Promise = tuple[Fraction, Fraction, Fraction, Fraction]
"""alpha, beta, epsilon, and the mass of the point where the two hypotheses differ."""

_TWO = FiniteClass([[0, 0], [1, 0]])
Sized = Callable[[Fraction, Fraction, Fraction], RealizablePrivateLearner]


def _promises(budget: Budget) -> Iterator[Promise]:
    masses = (Fraction(1, 20), Fraction(1, 5), Fraction(1, 3), Fraction(1, 2), Fraction(19, 20))
    goals = [
        (Fraction(1, 10), Fraction(1, 4), Fraction(2)),
        (Fraction(1, 4), Fraction(1, 10), Fraction(1)),
    ]
    if budget is not Budget.QUICK:
        goals.append((Fraction(1, 20), Fraction(1, 20), Fraction(1, 2)))
    yield from ((*goal, mass) for goal, mass in product(goals, masses))


@cache
def _sized(alpha: Fraction, beta: Fraction, epsilon: Fraction) -> RealizablePrivateLearner:
    size = sample_complexity.realizable_private_size(alpha, beta, epsilon, 2, class_size=4)
    return size.learner(cube(2))


@cache
def _small_blocks(alpha: Fraction, beta: Fraction, epsilon: Fraction) -> RealizablePrivateLearner:
    full = _sized(alpha, beta, epsilon)
    return RealizablePrivateLearner(cube(2), full.blocks, full.epsilon, full.blocks)


def _accurate(sized: Sized, promise: Promise) -> Finding:
    """Exactly: what a block votes for depends on which of the two points it has."""
    alpha, beta, epsilon, mass = promise
    learner = sized(alpha, beta, epsilon)
    n, r = learner.least_sample_size, learner.blocks
    m = n // r
    first, second = mass**m, (1 - mass) ** m  # that a block has the point 0 only, or 1 only
    needed = Fraction(0)
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
            ways = comb(r, i) * comb(r - i, j)
            both = (1 - first - second) ** (r - i - j) if m > 1 or i + j == r else 0
            found.append((loss, ways * first**i * second**j * both))
        needed = max(needed, reached(found, beta))
    text = (
        f"all labellings of two points of mass {mass} and {1 - mass}, r = {r} blocks of {m}, "
        f"epsilon = {epsilon}: an error of {float(needed):.4g} is reached with a probability above "
        f"{beta}"
    )
    return all_of(
        (
            at_most(needed, alpha, text),
            factor_at_most(learner.factor, Epsilon(epsilon).ratio, f"factor {learner.factor}"),
        )
    )


# All hypotheses at once, and the size of a block

All = tuple[FiniteClass, tuple[int, ...], Fraction]


def _blocks(budget: Budget) -> Iterator[All]:
    for m in range(1, budget.pick(4, 5, 5)):
        for H in all_classes(m, labels_matter=False):
            for k in range(m + 1):
                for U in combinations(range(m), k):
                    yield from (
                        (H, U, alpha) for alpha in (Fraction(0), Fraction(1, 3), Fraction(1, 2))
                    )


_OWN_BLOCKS: OnClass[All] = OnClass(
    lambda H: (
        (H, U, Fraction(alpha))
        for k in range(len(H.domain) + 1)
        for U in combinations(range(len(H.domain)), k)
        for alpha in ("0", "1/3", "1/2")
    ),
    "the class, all sets of its points, three alphas",
    points=7,
    hypotheses=48,
)

IsNet = Callable[[FiniteClass, tuple[int, ...], Fraction], bool]


def _for_all_targets(net: IsNet, instance: All) -> Finding:
    H, U, alpha = instance
    if not net(H, U, alpha):
        return idle()
    m = len(H.domain)
    wrong = max(
        Fraction(sum(h(x) != g(x) for x in range(m)), m)
        for h, g in product(H, repeat=2)
        if all(h(x) == g(x) for x in U)
    )
    return at_most(
        wrong,
        alpha,
        f"H = {H.table.tolist()}, block {U}: a hypothesis consistent with it differs from the "
        f"target on {wrong} > {alpha}",
        ceiling=1,
    )


def _is_net(H: FiniteClass, U: tuple[int, ...], alpha: Fraction) -> bool:
    return not disagreement(H, frozenset(U), (1,) * len(H.domain), alpha)


def _block_size(alpha: Fraction) -> int:
    """The least number of draws that are an alpha-net for two hypotheses, for beta = 1/20."""
    mass = alpha + Fraction(1, 10**6)
    law: FiniteDistribution[Hashable] = FiniteDistribution({0: mass, 1: 1 - mass})
    return DrawnNets(_TWO, law, alpha).least_size(Fraction(1, 20))


def _quadratic(C: int, k: int) -> Finding:
    alpha = Fraction(1, 10**k)
    votes = 4 * Interval.log(5 / alpha)  # times 1/epsilon
    total = votes / alpha**2
    log = Interval.log(1 / alpha)
    claimed = C * log * log * log / alpha
    return at_most(
        total,
        claimed,
        f"d = 1, alpha = 10^-{k}: (4/epsilon) ln(5/alpha) blocks of 1/alpha^2 are "
        f"{float(total):.3g}/epsilon examples, and {C} ln(1/alpha)^3/(epsilon alpha) are only "
        f"{float(claimed):.3g}/epsilon",
    )


def _linear(size: Callable[[Fraction], int], alpha: Fraction) -> Finding:
    failure = (1 - alpha - Fraction(1, 10**6)) ** size(alpha)
    exact = _block_size(alpha)
    return settle(
        failure <= Fraction(1, 20) and exact * alpha <= 4,
        f"alpha = {alpha}: {size(alpha)} draws miss the difference with {float(failure):.3f}",
    )


def _inverses(budget: Budget) -> Iterator[Fraction]:
    for k in range(budget.pick(8, 9, 11)):
        yield Fraction(1, 5 * 2**k)


TRIALS: Trials = {
    "DF20:lemma-9": (
        trial(
            "large epsilon",
            _without_examples,
            lambda _: [10**k for k in range(7)],
            subject=1,
            universe="values 1 to 10^6 of C times the logarithms, for alpha = beta = 1/4",
        ),
    ),
    "DF20:lemma-9.repaired": (
        trial(
            "definition",
            _soft_majority,
            _cases,
            subject=Fraction(1),
            mutant=Fraction(2),
            universe="samples of up to three examples of small classes",
        ),
        trial(
            "privacy",
            _private,
            _cases,
            subject=_own_factor,
            mutant=lambda r, t: 1 + (_own_factor(r, t) - 1) / 2,
            universe="samples of up to three examples of small classes, all neighbours",
        ),
        trial(
            "sizes",
            _accurate,
            _promises,
            subject=_sized,
            mutant=_small_blocks,
            universe="all labellings of two points, distributions on these: all laws of the blocks",
        ),
        size_accounts.steps(lemma_accounts.realizable, lemma_accounts.without_votes),
    ),
    "DF20:lemma-9.vote": (
        trial(
            "exactly",
            _largest,
            _votes,
            subject=vote_error,
            mutant=lambda r, sigma, a: _loss(r, sigma, int(r * a)),
            universe="up to 8 votes, two decays, errors in a grid",
        ),
        trial(
            "by Markov's inequality",
            _above,
            _votes,
            subject=markov_vote_error,
            mutant=lambda r, sigma, a: markov_vote_error(r, sigma, a) - 3 * a,
            universe="up to 8 votes, two decays, errors in a grid",
        ),
    ),
    "DF20:equation-10": (
        trial(
            "blocks",
            _for_all_targets,
            _blocks,
            subject=_is_net,
            mutant=lambda _, U, __: len(U) > 0,
            universe="all 28 classes on up to three points (429 up to four: standard), all blocks",
            exhaustive=True,
            on_class=_OWN_BLOCKS,
        ),
    ),
    "DF20:remark-16": (
        trial(
            "small alpha",
            _quadratic,
            lambda budget: range(1, budget.pick(9, 12, 20)),
            subject=100,
            universe="alpha = 1/10, 1/100, ...",
        ),
    ),
    "DF20:remark-16.repaired": (
        trial(
            "two hypotheses",
            _linear,
            _inverses,
            subject=lambda alpha: ceil(3 / alpha),
            mutant=lambda alpha: ceil(2 / alpha),
            universe="alpha = 1/5, 1/10, 1/20, ...",
        ),
    ),
}
