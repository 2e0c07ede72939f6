"""Privacy of the learner of Theorem 3: Section 4.1, Lemmas 18 and 19, Equation (13).

Private predictions where some hypothesis fits: Lemma 9, Equation (10) and Remark 16.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import ceil, comb, floor
from typing import NamedTuple

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.dagan_feldman import learning_tasks, private, size_accounts
from pac_stability.books.dagan_feldman.nets import disagreement
from pac_stability.claims import kit
from pac_stability.claims.instances import all_classes, all_labelled_samples
from pac_stability.classes import FiniteClass, cube, thresholds
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.notions.domination import Domination
from pac_stability.papers import dagan_feldman as df

F = Fraction
TRIALS = kit.Table("DF20")

# One index exchanged: Equations (6), (7) and (12), Lemma 18


class Exchange(NamedTuple):
    """An instance, the indices of I that stay (index 0 leaves), and the index that enters."""

    instance: private.Relabelling
    rest: tuple[int, ...]
    i: int

    @property
    def kept(self) -> list[Hashable]:
        """The points that stay."""
        return [self.instance.sample.points[j] for j in self.rest]

    @property
    def matched(self) -> list[tuple[Callable[[Hashable], int], Callable[[Hashable], int]]]:
        """The matched pairs of candidates."""
        points = self.instance.sample.points
        return [*self.instance.matched(self.kept, points[0], points[self.i])]


@kit.universe(
    "seeded instances with up to four examples, all I with the first index, all exchanges"
)
def _exchanges(budget: kit.Budget) -> Iterator[Exchange]:
    """Give all exchanges of the first index of small instances."""
    for instance in private.relabellings(budget, quick=14):
        n = len(instance.sample)
        for rest in combinations(range(1, n), instance.size - 1):
            yield from (Exchange(instance, rest, i) for i in range(1, n) if i not in rest)


Factor = Callable[[F, int], F]
"""From the step t and K to the factor with which h_{S,T} is at most h_{S,T'}."""


def _exchanged(factor: Factor, it: Exchange) -> kit.Comparison | kit.Finding:
    """Settle the factor of an exchange, and that the library finds the same."""
    instance, sample, kept = it.instance, it.instance.sample, it.kept
    removed, added = sample.points[0], sample.points[it.i]
    K = max(sum(h(x) != g(x) for x in sample.points) for h, g in it.matched)
    exact = private.above_by(
        instance.given(sample, (*kept, removed)), instance.given(sample, (*kept, added))
    )
    found = df.match_candidates(
        instance.learner, sample, (0, *it.rest), removed=0, added=added, points=instance.H.domain
    )
    stated = df.FactorCheck(exact, df.matching_factor(instance.step, K))
    if found.disagreements != K or found.check != stated:
        return kit.fails(f"{it}: factor {exact}, K = {K}, the library finds {found}")
    return kit.factor_within(exact, factor(instance.step, K))


for item in ("equation-6", "lemma-18"):
    TRIALS.add(
        item, "factor", _exchanged, _exchanges,
        df.matching_factor, lambda t, K: 1 + F(K, 100) * (t - 1),
    )  # fmt: skip


def _partners(most: int, it: Exchange) -> kit.Comparison | kit.Finding:
    pairs = it.matched
    first, second = [h for h, _ in pairs], [g for _, g in pairs]
    counts = [*map(first.count, set(first)), *map(second.count, set(second))]
    candidates = it.instance.family.representatives_on((*it.kept, it.instance.sample.points[0]))
    if len(set(first)) != len(candidates):
        return kit.fails(f"{it}: numbers of partners {counts}, and some have none")
    return kit.within(max(counts), most)


TRIALS.add("equation-6", "partners", _partners, _exchanges, 2, 1)


def _few_disagreements(limit: Callable[[F, int], int], it: Exchange) -> kit.Comparison:
    """Whenever I without its first index is an eta-net for the other n - 1 examples."""
    points, n, kept = it.instance.sample.points, len(it.instance.sample), it.kept
    largest = max(
        sum(h(x) != g(x) for x in points[1:])
        for h, g in product(it.instance.H, repeat=2)
        if all(h(x) == g(x) for x in kept)
    )
    eta = F(max(1, largest), n - 1)  # the least eta with which it is a net
    return kit.reaches(limit(eta, n), max(sum(h(x) != g(x) for x in points) for h, g in it.matched))


TRIALS.add(
    "equation-7", "exchanges", _few_disagreements, _exchanges,
    df.net_disagreements, lambda eta, n: df.net_disagreements(eta, n) - 1,
)  # fmt: skip


# The constants


@kit.universe("four patterns on three points, with nearly all examples at one")
def _copies(budget: kit.Budget) -> list[int]:
    return [budget.pick(360, 720, 1800)]


def _near_four(copies: int) -> tuple[private.Relabelling, F]:
    """Patterns 100, 110, 000, 001 on (u, a, b); nearly all examples at u, decays near 1."""
    H = FiniteClass([[1, 0, 0], [1, 1, 0], [0, 0, 0], [0, 0, 1]])
    rho = F(copies // 11, copies // 11 + 1)
    ones = copies * 49 // 180
    points: list[Hashable] = [*[0] * copies, 1, 2]
    sample: learning_tasks.AnySample = Sample(points, [1] * ones + [0] * (copies - ones + 2))
    it = private.Relabelling(H, 0, 2, copies, rho, rho, sample)
    return it, private.above_by(it.given(sample, (0, 1)), it.given(sample, (0, 2)))


def _within_four(factor: Factor, copies: int) -> kit.Comparison:
    instance, exact = _near_four(copies)
    return kit.factor_within(exact, factor(instance.step, 1))


TRIALS.add(
    "lemma-18", "near four", _within_four, _copies, df.matching_factor, lambda t, K: 3 * t**K
)


def _approaching(below: Callable[[F], F], copies: int) -> kit.Comparison:
    instance, exact = _near_four(copies)
    return kit.reaches(exact, below(instance.step), strictly=True)


@kit.universe("sample sizes, eta = 1/20, ..., 19/20 with eta n >= 1")
def _sizes(budget: kit.Budget) -> Iterator[tuple[int, F]]:
    for n in (10, 37, 1000, 10**5)[: budget.pick(3, 4, 4)]:
        yield from ((n, eta) for k in range(1, 20) if (eta := F(k, 20)) * n >= 1)


def _constant(constant: Callable[[Interval], Interval], it: tuple[int, F]) -> kit.Comparison:
    """For kappa = 1/(eta n)."""
    n, eta = it
    kappa = 1 / (eta * n)
    exact = 4 * Interval.exp(3 * kappa * (floor(eta * (n - 1)) + 1))
    return kit.within(exact, constant(Interval.exactly(kappa)))


TRIALS.add(
    "lemma-18", "constant", _constant, _sizes,
    lambda _: 4 * Interval.exp(6), lambda _: 4 * Interval.exp(3),
)  # fmt: skip
TRIALS.add(
    "equation-12", "constant", _constant, _sizes,
    lambda kappa: 4 * Interval.exp(3 * (1 + kappa)),
    lambda kappa: 4 * Interval.exp(2 * (1 + kappa)),
)  # fmt: skip
TRIALS.add("equation-12", "near four", _approaching, _copies, lambda t: 3 * t, lambda t: 4 * t)


# One example replaced: Equations (3) to (5) and (13), Lemma 19


class Replaced(NamedTuple):
    """An instance, and the place and the new value of the example that is replaced."""

    instance: private.Relabelling
    place: int
    z: learning_tasks.AnyExample

    @property
    def samples(self) -> tuple[learning_tasks.AnySample, learning_tasks.AnySample]:
        """The sample, and its neighbour."""
        sample = self.instance.sample
        return sample, sample.replace(self.place, self.z)


@kit.universe("seeded instances with up to four examples, all replacements of one example")
def _replacements(budget: kit.Budget) -> Iterator[Replaced]:
    """Give the replacements of one example of small instances."""
    for count, instance in enumerate(private.relabellings(budget, quick=7)):
        place = count % len(instance.sample)
        for z in learning_tasks.examples_on(instance.H.domain):
            if z != instance.sample[place]:
                yield Replaced(instance, place, z)


def _fixed_subset(step: Callable[[F], F], it: Replaced) -> Iterator[kit.Comparison | kit.Finding]:
    """Settle the factor of a replacement for fixed sets of points."""
    instance, (sample, other) = it.instance, it.samples
    points = instance.H.domain
    for T in (points[: k + 1] for k in range(len(points))):
        exact = private.above_by(instance.given(sample, T), instance.given(other, T))
        check = df.check_replacement(instance.learner, sample, other, T, points)
        if check == df.FactorCheck(exact, instance.step):
            yield kit.factor_within(exact, step(instance.step))
        else:
            yield kit.fails(f"{it}, T = {T}: factor {exact}, the library finds {check}")


for item, name in (("equation-5", "neighbours"), ("lemma-19", "factor")):
    TRIALS.add(item, name, _fixed_subset, _replacements, lambda t: t, lambda t: 1 + (t - 1) / 9)


def _step_is_small(multiple: int, it: Replaced) -> kit.Comparison | kit.Finding:
    """The step is at most rho^-2 sigma^-2: e^(3/(eta n)) for sigma^2 = rho."""
    instance = it.instance
    if instance.learner.step != instance.step:
        return kit.fails(f"{instance}: the step is {instance.step}, not {instance.learner.step}")
    return kit.factor_within(instance.step, (instance.rho * instance.sigma) ** (-multiple))


TRIALS.add("lemma-19", "step", _step_is_small, _replacements, 2, 1)

Relation = Callable[[F, F, int], F]
"""From t, q and K_0 to the factor."""


def _slack(relation: Relation, it: Replaced, there: Sequence[F]) -> Iterator[kit.Comparison]:
    instance, (sample, _) = it.instance, it.samples
    q = F(instance.size, len(sample))
    here = instance.mean(sample, sample)
    for limit in range(len(sample) + 1):
        needed = private.needed_slack(here, there, relation(instance.step, q, limit))
        yield kit.within(needed, q * instance.unlucky(it.place, limit), ceiling=1)


def _subsampled(relation: Relation, it: Replaced) -> Iterator[kit.Comparison]:
    """Settle the factor and the slack between h_S and the mixed average."""
    return _slack(relation, it, it.instance.mean(*it.samples))


def _wholly_replaced(relation: Relation, it: Replaced) -> Iterator[kit.Comparison]:
    """Settle the factor, after one more step, and the slack between h_S and h_S'."""
    _, other = it.samples
    there = it.instance.mean(other, other)
    return _slack(lambda t, q, limit: t * relation(t, q, limit), it, there)


def _sharp(t: F, q: F, limit: int) -> F:
    return df.amplified_factor(1, q, df.matching_factor(t, limit))


def _printed(t: F, q: F, limit: int) -> F:
    return 1 + 4 * t**limit * q / (1 - q) if q < 1 else 4 * t**limit


def _without_matching(_: F, __: F, ___: int) -> F:
    """Pretend that other candidates change nothing: a wrong factor."""
    return F(1)


TRIALS.add("equation-3", "neighbours", _wholly_replaced, _replacements, _sharp, lambda *_: F(1, 2))
TRIALS.add("equation-4", "neighbours", _subsampled, _replacements, _sharp, _without_matching)
TRIALS.add("equation-13", "as printed", _subsampled, _replacements, _printed, _without_matching)


def _library_chain(take_mixed: bool, it: Replaced) -> kit.Finding:
    """The parts of Equation (13) that the library computes."""
    instance, (sample, other) = it.instance, it.samples
    found = df.check_subsampling(instance.learner, sample, it.place, it.z, instance.H.domain)
    middle = instance.mean(sample, other if take_mixed else sample)
    right = [tuple(part.values()) for part in (found.on_sample, found.mixed, found.on_neighbour)]
    right_parts = right == [instance.mean(sample, sample), middle, instance.mean(other, other)]
    q, t = F(instance.size, len(sample)), instance.step

    def as_written(limit: int) -> bool:
        """Whether the factors and slacks are those of Equation (13), and of Lemma 19 after it."""
        c, slack = df.matching_factor(t, limit), q * instance.unlucky(it.place, limit)
        factor = 1 + q * (c - 1)
        paper = q == 1 or found.paper_exchange(limit) == Domination(1 + c * q / (1 - q), slack)
        chain = Domination(factor, slack), Domination(factor * t, slack)
        return paper and (found.exchange(limit), found.privacy(limit)) == chain

    right_parts = right_parts and all(map(as_written, range(len(sample))))
    return kit.settle(right_parts and found.holds, f"{it}")


TRIALS.add("equation-13", "the library's parts", _library_chain, _replacements, True, False)


# More than half


def _all_sizes(budget: kit.Budget) -> Iterator[tuple[int, int]]:
    for n in range(2, budget.pick(30, 100, 300)):
        yield from ((n, size) for size in range(1, n))


def _at_least_half(_: int, it: tuple[int, int]) -> kit.Finding:
    n, size = it
    return kit.reaches(2 * (n - size), n).settle(
        f"n = {n}, n' = {size}, epsilon = {F(size, n)}: n - n' = {n - size} < n/2"
    )


TRIALS.add(
    "appendix-c.half", "sizes", _at_least_half,
    kit.universe("all n' < n, epsilon = n'/n")(_all_sizes), 2,
)  # fmt: skip


def _no_condition(factor: Callable[[F, F], F], it: tuple[int, int]) -> Iterator[kit.Comparison]:
    q = F(it[1], it[0])
    for c in (F(11), F(80)):
        yield kit.factor_within(factor(q, c), min(1 + c * q / (1 - q), 1 + 2 * c * q))


TRIALS.add(
    "appendix-c.half.repaired", "sizes", _no_condition,
    kit.universe("all n' < n, c = 11 and 80")(_all_sizes),
    lambda q, c: df.amplified_factor(1, q, c), lambda q, c: 1 + c * q / (1 - q),
)  # fmt: skip


# Private predictions where some hypothesis fits: Lemma 9, Equation (10) and Remark 16

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
    sample: learning_tasks.AnySample
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
def _predictions(H: FiniteClass, sample: learning_tasks.AnySample, r: int, t: F) -> tuple[F, ...]:
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
    others = (
        _predictions(H, other, r, t) for other in learning_tasks.neighbours_of(sample, H.domain)
    )
    needed = max(learning_tasks.largest_factor(_predictions(*it), there) for there in others)
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
            sample: learning_tasks.AnySample = Sample(points, [target(x) for x in points])
            p, q = learner.probabilities(sample, [0, 1])
            loss = mass * abs(p - target(0)) + (1 - mass) * abs(q - target(1))
            both = (1 - first - second) ** (r - i - j) if m > 1 or i + j == r else 0
            found.append((loss, comb(r, i) * comb(r - i, j) * first**i * second**j * both))
        needed = max(needed, learning_tasks.reached(found, beta))
    yield kit.within(needed, alpha)
    yield kit.factor_within(learner.factor, Epsilon(epsilon).ratio)


TRIALS.add("lemma-9.repaired", "sizes", _accurate, _promises, _sized, _small_blocks)
TRIALS.add(
    "equation-10", "the sizes for all targets", size_accounts.balanced, size_accounts.questions,
    size_accounts.for_all_targets, size_accounts.for_one_target,
)  # fmt: skip


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
    "all 28 classes on up to three points (429 up to four: standard), all blocks",
    extent="classes on up to {3, 4, 4} points",
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


@kit.universe("alpha = 10^-6, then 1/10, 1/100, ...")
def _decades(budget: kit.Budget) -> Iterator[int]:
    yield 6
    yield from range(1, budget.pick(9, 12, 20))


def _quadratic(C: int, k: int) -> kit.Finding:
    alpha = F(1, 10**k)
    blocks = df.sample_complexity.realizable_private_size(alpha, F(1, 20), 1, 1, constants="paper")
    total = Interval.exactly(blocks.blocks / alpha**2)
    log = Interval.log(1 / alpha)
    claimed = C * log * log * log / alpha
    return kit.within(total, claimed).settle(
        f"d = 1, alpha = 10^-{k}, epsilon = 1: {blocks.blocks} blocks of 1/alpha^2 are "
        f"{float(total):.3g} examples, and {C} ln(1/alpha)^3/(epsilon alpha) are only "
        f"{float(claimed):.3g}"
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
