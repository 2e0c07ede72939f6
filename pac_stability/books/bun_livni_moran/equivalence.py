"""Section I-A: Theorem 3 as a table, regret, the agnostic rate, and Theorem 6 with its sampling."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from operator import eq
from typing import NamedTuple

from pac_stability import classes, dimensions
from pac_stability.arithmetic import Constants, Epsilon, Interval, floor_log2
from pac_stability.books.bun_livni_moran.literal import class_string, dimension, hypotheses_of
from pac_stability.books.bun_livni_moran.littlestone_dimension import realized
from pac_stability.books.bun_livni_moran.settings import THE_CLASS, TINY_CLASSES
from pac_stability.claims import kit
from pac_stability.claims.instances import catalogue
from pac_stability.claims.kit import Finding
from pac_stability.classes import FiniteClass
from pac_stability.data import FiniteDistribution, FromLaw, Sample
from pac_stability.errors import Undecided
from pac_stability.mechanisms import PrivacyGuarantee, SoftMajorityVote, Subsampled
from pac_stability.notions import closeness
from pac_stability.papers import bun_livni_moran as blm
from pac_stability.papers.bun_livni_moran.formulas import PrivateLearnerSizes, corollary_2_order

TRIALS = kit.Table("BLM20")
F = Fraction
_HALF, _QUARTER, _TENTH, _MILLIONTH = F(1, 2), F(1, 4), F(1, 10), F(1, 10**6)

# Theorem 3, its finite part: trees and thresholds, and one class side by side


def _thresholds_from_trees(bound: Callable[[int], int], H: FiniteClass) -> Finding | kit.Comparison:
    graph = blm.thresholds_in_tree(H, dimensions.shattered_tree(H))
    rows, found = [H.table[i].tolist() for i in graph.hypotheses], len(graph.points)
    ordered = all(
        rows[i][x] == (i <= j) for i in range(len(rows)) for j, x in enumerate(graph.points)
    )
    if not ordered or dimensions.threshold_dimension(H) < found:
        return kit.fails(
            f"class {class_string(H)}: {graph} are no thresholds, or there are no more"
        )
    return kit.reaches(found, bound(dimension(hypotheses_of(H))))


def _trees_from_thresholds(bound: Callable[[int], int], H: FiniteClass) -> Finding | kit.Comparison:
    rows, graph = hypotheses_of(H), dimensions.threshold(H).witness
    if graph is None or not graph.points:
        return kit.idle()
    tree = blm.tree_on_thresholds(H, graph)
    paths = [path for path, _ in tree.leaves()]
    shattered = all(realized(rows, path) for path in paths) and len(paths) == 2**tree.depth
    if dimension(rows) < tree.depth or not shattered:
        return kit.fails(f"class {class_string(H)}: the tree {tree} on {graph} is not shattered")
    return kit.reaches(tree.depth, bound(len(graph.points)))


TRIALS.add(
    "theorem-3.finite", "thresholds in trees", _thresholds_from_trees, TINY_CLASSES,
    lambda d: floor_log2(d + 1), lambda d: d,
)  # fmt: skip
TRIALS.add(
    "theorem-3.finite", "trees on thresholds", _trees_from_thresholds, TINY_CLASSES,
    floor_log2, lambda k: k,
)  # fmt: skip


@kit.universe("known classes on up to 7 points, with sharp and with proved constants")
def _catalogue(_: kit.Budget) -> Iterator[FiniteClass]:
    yield from (H for _, H in catalogue() if len(H.domain) <= 7)


def _private(d: int, constants: Constants, delta: Fraction = _MILLIONTH) -> int:
    return d and PrivateLearnerSizes(d, _QUARTER, _TENTH, Epsilon(1), delta, constants).sample_size


def _agnostic(H: FiniteClass, d: int, n: int) -> int:
    """What n has to be, where M may spend beta/n of delta at most: itself."""
    if not (d and n):
        return 0
    m = _private(d, Constants.PROVED, min(_MILLIONTH, _TENTH / n))
    return blm.agnostic_sizes(m, dimensions.vc_dimension(H), _QUARTER, _TENTH).sample_size


def _side_by_side(
    table: Callable[[FiniteClass, Constants], blm.Equivalence], H: FiniteClass
) -> Finding:
    found, proved = table(H, Constants.SHARP), table(H, Constants.PROVED)
    d, k = dimension(hypotheses_of(H)), len(found.thresholds.points)
    meant = d, dimensions.threshold_dimension(H), d, floor_log2(d + 1), floor_log2(k) if k else 0
    shown = (
        found.littlestone, found.threshold, found.mistakes, found.threshold_bound,
        found.littlestone_bound,
    )  # fmt: skip
    # What fact-regret.explicit, theorem-1.explicit and corollary-2.explicit are about.
    low, high = found.regret
    numbers = (
        low == blm.random_label_regret(d, 100) <= high.lower,
        high.upper == blm.experts_regret(d, 100).upper,
        found.private == _private(d, Constants.SHARP) <= found.agnostic,
        proved.private == _private(d, Constants.PROVED),
        proved.agnostic == _agnostic(H, d, proved.agnostic),
    )
    return kit.settle(
        meant == shown and all(numbers),
        f"class {class_string(H)}: dimension, thresholds, mistakes and bounds {shown}, not {meant}",
    )


def _equivalence(H: FiniteClass, constants: Constants) -> blm.Equivalence:
    return blm.equivalence(H, constants=constants)


def _of_half_the_class(H: FiniteClass, constants: Constants) -> blm.Equivalence:
    return blm.equivalence(H.select_rows(range((len(H) + 1) // 2)), constants=constants)


TRIALS.add(
    "theorem-3.finite", "the table", _side_by_side, _catalogue.and_on(THE_CLASS),
    _equivalence, _of_half_the_class,
)  # fmt: skip

# The regret line


class Game(NamedTuple):
    """A class with its name, and the number of rounds."""

    name: str
    H: FiniteClass
    rounds: int

    def __str__(self) -> str:
        return f"{self.name}, {self.rounds} rounds"


_CLASSES = (
    ("all labelings of 1 point", classes.cube(1)),
    ("singletons on 4 points", classes.singletons(4)),
    ("thresholds on 3 points", classes.thresholds(3)),
    ("all labelings of 2 points", classes.cube(2)),
)


@kit.universe("four classes, T from 1 on")
def _games(budget: kit.Budget) -> Iterator[Game]:
    for T in range(1, budget.pick(3, 5, 6) + 1):
        yield from (Game(name, H, T) for name, H in _CLASSES)


@cache
def _regret(H: FiniteClass, rounds: int) -> Fraction:
    """The minimax regret of T rounds: the learner's best prediction found at every corner."""
    columns = [tuple(int(y) for y in column) for column in H.table.T]

    @cache
    def value(left: int, losses: tuple[int, ...]) -> Fraction:
        if left == 0:
            return F(-min(losses))
        return max(best_prediction(left - 1, losses, column) for column in columns)

    def best_prediction(left: int, losses: tuple[int, ...], labels: tuple[int, ...]) -> Fraction:
        """The least max(p + V_0, 1 - p + V_1) over predictions p of the label 1."""
        zero, one = (
            value(left, tuple(s + (h != y) for s, h in zip(losses, labels, strict=True)))
            for y in (0, 1)
        )
        corners = (F(0), F(1), min(F(1), max(F(0), (1 + one - zero) / 2)))
        return min(max(p + zero, 1 - p + one) for p in corners)

    return value(rounds, (0,) * len(H))


def _regret_at_least(bound: Callable[[int, int], Fraction], it: Game) -> Finding | kit.Comparison:
    d, T = dimension(hypotheses_of(it.H)), it.rounds
    low = bound(d, T)
    if T % d == 0 and low**2 < F(d * T, 8):
        return kit.fails(f"{it}: the lower bound {low} is below the one that is stated")
    return kit.reaches(_regret(it.H, T), low)


def _regret_at_most(bound: Callable[[int, int], Interval], it: Game) -> Finding:
    value, high = _regret(it.H, it.rounds), bound(dimension(hypotheses_of(it.H)), it.rounds)
    text = f"{it}: regret {value}, upper bound {high}"
    try:
        return kit.reaches(high, value).settle(text)
    except Undecided:
        return kit.undecided(text)


_REGRET = "fact-regret.explicit"
TRIALS.add(
    _REGRET, "from below", _regret_at_least, _games,
    blm.random_label_regret, lambda d, T: 2 * blm.random_label_regret(d, T),
)  # fmt: skip
TRIALS.add(
    _REGRET, "from above", _regret_at_most, _games,
    blm.experts_regret, lambda d, T: blm.experts_regret(d, T) / 2,
)  # fmt: skip


def _blocks(d: int, T: int) -> Fraction:
    """The sum of E|S_k|/2 over d blocks of T/d rounds, each by all its sequences of signs."""
    k = T // d if d else 0
    return F(d * sum(abs(sum(signs)) for signs in product((1, -1), repeat=k)), 2 * 2**k)


TRIALS.states(_REGRET, blm.random_label_regret, _blocks, (1, 5), (2, 6), (3, 3), (0, 4))


# The rate of agnostic private learning

_PURE = 30
"""Examples on which the exponential mechanism over two constants is accurate, for all targets."""
_VOTE = SoftMajorityVote(F(5, 7))
"""That mechanism: it is private with e^epsilon = 49/25. Alpha and beta are 1/4."""


@kit.universe("probabilities of the label 1 in a grid")
def _labels(budget: kit.Budget) -> Iterator[Fraction]:
    q = budget.pick(20, 100, 500)
    yield from (F(i, q) for i in range(q + 1))


def _pure_failure(n: int, p: Fraction) -> Fraction:
    """How often the worse of the constants 0 and 1 is chosen, when label 1 has probability p."""
    worse, failure = int(p < F(1, 2)), F(0)
    for ones in range(n + 1):
        chosen = _VOTE.law([1] * ones + [0] * (n - ones)).probability(worse)
        failure += comb(n, ones) * p**ones * (1 - p) ** (n - ones) * chosen
    return failure


def _pure(n: int, p: Fraction) -> Finding | kit.Comparison:
    if abs(1 - 2 * p) <= _QUARTER:
        return kit.idle()  # both constants are within alpha
    return kit.within(_pure_failure(n, p), _QUARTER)


@kit.universe("the class of two constants on one point, c = 1, 1/100 and 10^-6")
def _constants(_: kit.Budget) -> Iterator[tuple[Fraction, ...]]:
    yield F(1), F(1, 100), _MILLIONTH


def _rate(n: int, constants: tuple[Fraction, ...]) -> Finding:
    """Whether some c has n >= c log2(1/(beta delta))/(alpha^2 epsilon) for every delta = 2^-j."""
    targets = _labels.instances(kit.Budget.QUICK)
    if any(_pure_failure(n, p) > _QUARTER for p in targets if abs(1 - 2 * p) > _QUARTER):
        return kit.settle(True, "")  # so many examples are not enough
    unit = 1 / (_QUARTER**2 * Interval.log(_VOTE.decay**-2))
    found = []
    for c in constants:
        j = 1
        while (Interval.log2(4) + j) * unit * c <= n:
            j *= 2
        least = (Interval.log2(4) + j) * unit * c
        found.append(f"for c = {c} and delta = 2^-{j} the rate is {float(least):.1f}")
    return kit.fails(
        f"the class of the two constants on one point, alpha = beta = 1/4, e^epsilon = "
        f"{_VOTE.decay**-2}: {n} "
        f"examples are enough with delta = 0, but {'; '.join(found)}"
    )


TRIALS.add("remark-agnostic-rate", "two constants", _rate, _constants, _PURE)


@kit.universe("for each c and each constant C of Corollary 2, a small alpha and a smaller delta")
def _orders(budget: kit.Budget) -> Iterator[tuple[Fraction, int]]:
    yield from product((F(1), F(1, 100))[: budget.pick(1, 2, 2)], (1, 100))


def _beside_corollary_2(order: Callable[..., Interval], it: tuple[Fraction, int]) -> Finding:
    """In the order of Corollary 2, for d = 1 and VC = 1, log(1/delta) has 1/alpha beside it."""
    c, C = it
    alpha, delta = c / (10**5 * C), F(1, 2 ** int(20 * C / c))
    allowed = C * order(1, 1, alpha=alpha, beta=_QUARTER, epsilon=_HALF, delta=delta)
    rate = c * Interval.log2(4 / delta) / (alpha**2 * _HALF)
    return kit.within(rate, allowed).settle(
        f"d = 1, c = {c}, epsilon = 1/2, alpha = {alpha}, delta = 2^-{int(20 * C / c)}: "
        f"{float(rate):.3g} examples, and {C} times the order of Corollary 2 is "
        f"{float(allowed):.3g}"
    )


TRIALS.add("remark-agnostic-rate", "Corollary 2", _beside_corollary_2, _orders, corollary_2_order)
TRIALS.add("remark-agnostic-rate.repaired", "exact probabilities", _pure, _labels, _PURE, 2)

# Theorem 6: the constant, and what a weak learner is


class Point(NamedTuple):
    """What a private learner is asked."""

    d: int
    alpha: Fraction
    beta: Fraction
    epsilon: Fraction
    delta: Fraction


@kit.universe(
    "d up to 3, powers of two for the other parameters; the runs of G, the choice, and both"
)
def _points(budget: kit.Budget) -> Iterator[Point]:
    powers = budget.pick((1, 8), (1, 4, 12), (1, 2, 4, 8, 16))
    epsilons = (F(1), _QUARTER)[: budget.pick(1, 2, 2)]
    for d, i, j, k, e in product((1, 2, 3), powers, powers, powers, epsilons):
        yield Point(d, F(1, 2**i), F(1, 2**j), e, F(1, 2**k))


Bounds = tuple[Interval, Interval, int]
"""On what algorithm M takes: for its runs of G, for its choice, and in all."""


def _enough(bound: Callable[[Point], Bounds], it: Point) -> list[kit.Comparison]:
    """Each part by itself: that for the runs is so much larger that it would do for the choice."""
    d, alpha, beta, epsilon, delta = it
    needed = PrivateLearnerSizes(d, alpha, beta, Epsilon(epsilon), delta, "proved")
    M, (runs, choice, whole) = needed.private, bound(it)
    return [
        kit.within(M.runs * M.run_size, runs),
        kit.within(M.choice_size, choice),
        kit.within(needed.sample_size, whole),
    ]


def _bound(it: Point) -> Bounds:
    d, alpha, beta, epsilon, delta = it
    C, unit = blm.StrongSizeBound(d), Interval.log(1 / (beta * delta)) / (alpha * epsilon)
    return C.for_runs * unit, C.for_choice * unit, C.sample_size(alpha, beta, epsilon, delta)


def _half_the_choice(it: Point) -> Bounds:
    runs, choice, whole = _bound(it)
    return runs, choice / 2, whole


class Weak(NamedTuple):
    """What is guaranteed of a learner, on how many examples, and how good it is."""

    guarantee: PrivacyGuarantee
    examples: int
    alpha: Fraction
    beta: Fraction


@kit.universe("a grid around the printed parameters, c = 1")
def _weak(_: kit.Budget) -> Iterator[Weak]:
    # n_0 is a power of two, so that its logarithm is an integer.
    for k, e in product((1, 4, 10), (F(9, 100), _TENTH, F(11, 100))):
        exact = F(1, 4**k * k)
        for delta in (exact / 2, exact * F(999, 1000), exact * 2):
            for a, b in product((F(1, 20), F(1, 16), F(1, 15)), repeat=2):
                yield Weak(PrivacyGuarantee(Epsilon(e), delta), 2**k, a, b)


def _printed_weak(is_weak: Callable[[Weak], bool], it: Weak) -> kit.Comparison:
    private, n0, alpha, beta = it
    small = private.delta * n0**2 * (n0.bit_length() - 1) <= 1  # delta <= c/(n_0^2 log2 n_0)
    good = max(alpha, beta) <= F(1, 16)
    return kit.same(is_weak(it), private.epsilon <= Epsilon(_TENTH) and small and good)


def _is_weak(it: Weak) -> bool:
    return blm.is_weak_learner(it.guarantee, it.examples, it.alpha, it.beta, 1)


def _read_from_left(it: Weak) -> bool:
    """The bound on delta read as (c/n_0^2) log n_0."""
    spared = it.guarantee.delta / (it.examples.bit_length() - 1) ** 2
    return _is_weak(it._replace(guarantee=PrivacyGuarantee(it.guarantee.epsilon, spared)))


_THEOREM_6 = "theorem-6.explicit"
TRIALS.add(_THEOREM_6, "the constant", _enough, _points, _bound, _half_the_choice)
TRIALS.add(_THEOREM_6, "weak learners", _printed_weak, _weak, _is_weak, _read_from_left)


class Sampled(NamedTuple):
    """Pr[output 1] on the labels 0 and 1, and how many examples there are; one is drawn."""

    zero: Fraction
    one: Fraction
    examples: int


@kit.universe(
    "all output probabilities in sixths, one of up to 2 examples (more with the budget), all "
    "neighbouring samples",
    extent="probabilities in sixths, n up to {2, 3, 4}",
)
def _sampled(budget: kit.Budget) -> Iterator[Sampled]:
    grid = [F(i, 6) for i in range(7)]
    for a, b, size in product(grid, grid, range(1, budget.pick(3, 4, 5))):
        yield Sampled(a, b, size)


def _amplified(
    factor: Callable[[Fraction, Fraction], Fraction | Interval], it: Sampled
) -> Finding | list[kit.Comparison]:
    def law(S: Sample[Hashable]) -> FiniteDistribution[int]:
        p = it[S.labels[0]]
        return FiniteDistribution({f: q for f, q in ((1, F(p)), (0, 1 - F(p))) if q})

    alone = closeness.minimal_epsilon(law(Sample("x", [0])), law(Sample("x", [1])))
    if not isinstance(alone, Fraction):
        return kit.idle()  # not private at all
    n, thinned = it.examples, Subsampled(FromLaw(law), 1)
    laws = [thinned.law(Sample("x" * n, [1] * k + [0] * (n - k))) for k in range(n + 1)]
    allowed = factor(alone, F(1, n))
    needed = map(closeness.minimal_epsilon, laws, laws[1:])
    return [kit.factor_within(t, allowed) for t in needed]


TRIALS.add(
    "remark-sampling.repaired", "algorithms on one example", _amplified, _sampled,
    lambda t, p: 1 + p * (t - 1), lambda t, p: 1 + p * (t - 1) / 2,
)  # fmt: skip


@kit.universe("all but one of 3 examples (of up to 4, 5), three factors")
def _all_but_one(budget: kit.Budget) -> Iterator[tuple[int, Fraction]]:
    return product(range(3, budget.pick(4, 5, 6)), (F(3, 2), F(2), F(4)))


def _in_places(
    sampled: Callable[[FromLaw[Sample[Hashable], int], int], Subsampled[Sample[Hashable], int]],
    it: tuple[int, Fraction],
) -> kit.Comparison:
    n, t = it

    def law(T: Sample[Hashable]) -> FiniteDistribution[int]:
        yes = t ** (1 + sum(map(eq, T.points, range(1, n))) - n) / 2
        return FiniteDistribution({1: yes, 0: 1 - yes})

    thinned = sampled(FromLaw(law), n - 1)
    here, there = (thinned.law(Sample([x, *range(2, n + 1)], [0] * n)) for x in (1, 0))
    return kit.factor_within(closeness.minimal_epsilon(here, there), 1 + F(n - 1, n) * (t - 1))


TRIALS.add(
    "remark-sampling.repaired", "an algorithm that minds places", _in_places, _all_but_one,
    Subsampled, lambda mechanism, size: Subsampled(mechanism, size, order="index"),
)  # fmt: skip


@kit.universe("one of two examples, two epsilons, then one of up to 2, probabilities in sixths")
def _thinned(budget: kit.Budget) -> Iterator[Sampled]:
    yield Sampled(F(1, 6), F(2, 3), 2)  # e^epsilon = 4
    yield Sampled(F(1, 2), F(2, 3), 2)  # e^epsilon = 3/2
    yield from _sampled.instances(budget)


TRIALS.add(
    "remark-sampling", "algorithms on one example", _amplified, _thinned,
    lambda t, p: Interval.exp(p * Interval.log(t)),
)  # fmt: skip
