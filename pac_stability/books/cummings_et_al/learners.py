"""Compression learners: in turn, for every learnable class, with constants (Section 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, lcm
from random import Random
from typing import ClassVar, TypeAlias

from pac_stability import compression, data
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.books.cummings_et_al.schemes import Named, named
from pac_stability.books.cummings_et_al.settings import KeptSize, deviates_seldom
from pac_stability.claims import kit
from pac_stability.claims.instances import all_classes
from pac_stability.claims.kit import at_most
from pac_stability.classes import (
    FiniteClass,
    Row,
    cube,
    intervals,
    singletons,
    subsets,
    thresholds,
    thresholds as finite_thresholds,
)
from pac_stability.compression import Selection
from pac_stability.compression.any_class import MaximumClassScheme
from pac_stability.compression.bounds import HoeffdingBound, Lemma17, Theorem18, Theorem19
from pac_stability.compression.geometric import ChainScheme
from pac_stability.data import FiniteDistribution, Sample
from pac_stability.dimensions import vc_dimension
from pac_stability.mechanisms import exponential_learner
from pac_stability.notions.robust_generalization import optimal_adversary
from pac_stability.papers.cummings_et_al import GenericAgnosticLearner, Theorem26

Analyst: TypeAlias = Callable[[tuple[Row, ...]], compression.CompressionScheme[Row]]
"""From the hypotheses so far to the next scheme."""


class Telling(compression.ProperScheme[Row]):
    """A learner to which its hypotheses are alike, and that tells a point by which one it outputs.

    The domain has points 0 to m - 1, and a mark for each of them, m to 2m - 1. The hypotheses are
    the sets of one mark, and the empty one. On a sample without marks all of them make as many
    errors. Then it outputs that of a point of the sample with which, and with those that were told
    and will be, a test deviates most.

    Parameters
    ----------
    masses
        The probabilities of the m points.
    told
        The points that are known.
    left
        How many points will be told, with this one.
    """

    def __init__(self, masses: tuple[Fraction, ...], told: tuple[int, ...], left: int) -> None:
        self.masses, self.told, self.left = masses, told, left
        self._class = _marks(len(masses))

    @property
    def family(self) -> FiniteClass:
        """The class."""
        return self._class

    def size(self, n: int) -> int:  # noqa: ARG002  # the same for every n
        """Return 1."""
        return 1

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        columns = [self._class.column(x) for x in sample.points]
        gains: dict[int, int] = {}
        for column, label in zip(columns, sample.labels, strict=True):
            if column >= len(self.masses):
                gains[column] = gains.get(column, 0) + 2 * label - 1
        if not gains:
            return (columns.index(self._best(columns)),)
        mark = max(gains, key=lambda column: gains[column])
        wanted = (mark, int(gains[mark] > 0))
        return (list(zip(columns, sample.labels, strict=True)).index(wanted),)

    def _best(self, columns: list[int]) -> int:
        # How much oftener than its mass says a point is in the sample, in units of one over both.
        whole = lcm(*(mass.denominator for mass in self.masses))
        often = [
            columns.count(x) * whole - len(columns) * int(mass * whole)
            for x, mass in enumerate(self.masses)
        ]

        def deviation(chosen: tuple[int, ...]) -> int:
            return abs(sum(often[x] for x in {*self.told, *chosen}))

        present = sorted(set(columns))
        return max(combinations_with_replacement(present, self.left), key=deviation)[0]

    def reconstruct(self, kept: Sample[Hashable], /) -> Row:
        """Return the set of the mark that is kept with a 1, or of that of the point kept."""
        column, m = self._class.column(kept.points[0]), len(self.masses)
        if column < m:
            return self._class[column]
        return self._class[column - m if kept.labels[0] else m]


@cache
def _marks(m: int) -> FiniteClass:
    marks = [[int(x == m + t) for x in range(2 * m)] for t in range(m)]
    return FiniteClass([*marks, [0] * (2 * m)])


@dataclass(frozen=True, slots=True)
class Rounds:
    """An analyst who asks one scheme after another.

    Attributes
    ----------
    name
        What is asked.
    target
        D, the law of an example.
    n
        The size of samples.
    sizes
        What the rounds keep.
    analyst
        Who asks.
    delta
        The probability of failure that is allowed.
    """

    name: str
    target: FiniteDistribution[data.Example[Hashable]]
    n: int
    sizes: tuple[int, ...]
    analyst: Analyst
    delta: Fraction

    def play(self, sample: Sample[Hashable]) -> tuple[tuple[int, ...], ...]:
        """Return the labels that the hypotheses give."""
        session = compression.AdaptiveSession(sample, self.delta, sum(self.sizes))
        seen: tuple[Row, ...] = ()
        for _ in self.sizes:
            seen = (*seen, session.ask(self.analyst(seen)).output)
        return tuple(tuple(map(h, h.hypotheses.domain)) for h in seen)

    def __str__(self) -> str:
        return f"{self.name}, D = {self.target}, n = {self.n}, delta = {self.delta}"


@kit.universe(
    "two and three rounds on three and four elements, n = 8 and 12, exactly: thresholds chosen by "
    "the last one, a class of dimension 2, and learners to which all hypotheses are alike and that "
    "tell the sample"
)
def rounds(budget: kit.Budget) -> Iterator[Rounds]:
    """Give analysts and samples so large that some test deviates by more than the bound."""
    third, often = Fraction(1, 3), Fraction(9, 10)
    noisy = _on({(x, y): Fraction(1 + 2 * (x == y), 8) for x in (0, 1) for y in (0, 1)})
    uneven = _on({(0, 0): third, (0, 1): third / 6, (1, 0): third / 3, (1, 1): third * 3 / 2})
    corners = _on({(0, 1): third, (1, 0): third, (2, 1): third * 3 / 4, (2, 0): third / 4})
    for n in (8, 12, 16)[: budget.pick(2, 3, 3)]:
        for weights in ((1, 1, 1, 1), (4, 2, 1, 1), (7, 1, 1, 1)):
            masses = tuple(Fraction(w, sum(weights)) for w in weights)
            target = _on({(x, 0): mass for x, mass in enumerate(masses)})
            for told in (2,) if n == 8 else (2, 3):
                name = f"{told} points are told"
                yield Rounds(name, target, n, (1,) * told, _tells(masses, told), often)
        for target in (noisy, uneven):
            yield Rounds("two thresholds", target, n, (1, 1), _nested, third)
        if n > 8:
            yield Rounds("three thresholds", uneven, n, (1, 1, 1), _nested, third)
            yield Rounds("at most two points, then a threshold", corners, n, (2, 1), _mixed, third)


def _on(masses: dict[tuple[int, int], Fraction]) -> FiniteDistribution[data.Example[Hashable]]:
    return FiniteDistribution({data.Example(x, y): mass for (x, y), mass in masses.items()})


def _tells(masses: tuple[Fraction, ...], rounds: int) -> Analyst:
    def ask(seen: tuple[Row, ...]) -> compression.CompressionScheme[Row]:
        return Telling(masses, tuple(h.index for h in seen), rounds - len(seen))

    return ask


def _nested(seen: tuple[Row, ...]) -> compression.CompressionScheme[Row]:
    """Ask for a threshold, in an order that depends on what the last one says at 0."""
    return ChainScheme(_TWO[not seen or seen[-1](0)])


_TWO = FiniteClass([[0, 0], [1, 0], [1, 1]]), FiniteClass([[0, 0], [0, 1], [1, 1]])


def _mixed(seen: tuple[Row, ...]) -> compression.CompressionScheme[Row]:
    """Ask for a set of at most two of three points, then for a threshold, by whether 0 is in it."""
    if not seen:
        return compression.agnostic(MaximumClassScheme(subsets(3, 2)))
    chain = thresholds(3)
    return ChainScheme(chain if seen[0](0) else FiniteClass(chain.table[:, ::-1].tolist()))


Formula: TypeAlias = Callable[[int, tuple[int, ...], Fraction], Interval]
"""From n, what the rounds keep, and delta to epsilon."""


def stays_together(formula: Formula, asked: Rounds) -> kit.Finding:
    """Find the best adversary who sees all hypotheses of a session."""
    types = data.multiset_distribution(asked.target, asked.n)
    laws = {
        kind: FiniteDistribution.point_mass(asked.play(Sample.from_examples(kind.elements())))
        for kind in types.support
    }
    return deviates_seldom(
        lambda epsilon: optimal_adversary(laws, types, epsilon).failure,
        formula(asked.n, asked.sizes, asked.delta),
        asked.delta,
        asked,
    )


TRIALS = kit.Table("CLNRW16")

Labelled: TypeAlias = data.Example[Hashable]
Type: TypeAlias = data.Multiset[Labelled]
Excess: TypeAlias = Callable[[compression.CompressionScheme[Row], int, Fraction], Interval]
"""From a scheme, n and delta to the excess."""

Together: TypeAlias = Callable[[int, tuple[int, ...], Fraction], Interval]
"""From n, what the rounds keep, and delta to epsilon."""

LINE = finite_thresholds(2)

# Theorem 18.


@kit.universe("k up to 1000, three deltas, n from the least allowed on")
def _regime(budget: kit.Budget) -> Iterator[KeptSize]:
    for k, delta in product((1, 2, 1000), ("1/1000000", "1/20", "99/100")):
        first = 8 * k
        while not first >= 8 * k * Interval.log(2 * first / Fraction(delta)):
            first += -(-first // 50)
        for times in budget.pick((1, 3, 100), (1, 2, 3, 10, 100, 1000), (1, 2, 3, 10, 100, 10**6)):
            yield KeptSize(first * times, k, Fraction(delta))


def _of_the_order(constant: Fraction, given: KeptSize) -> kit.Comparison:
    n, k, delta = given
    value = Lemma17(n, k, delta).value()
    return kit.within(value, constant * Interval.sqrt(k * Interval.log(n / delta) / n))


TRIALS.add(
    "theorem-18.explicit", "the printed order", _of_the_order, _regime, Fraction(26, 5), Fraction(4)
)


@dataclass(frozen=True, slots=True)
class Learned:
    """A scheme, the law of an example, the size of samples, and delta."""

    scheme: compression.CompressionScheme[Row]
    target: FiniteDistribution[Labelled]
    n: int
    delta: Fraction

    @property
    def family(self) -> FiniteClass:
        """The class."""
        family = self.scheme.family
        assert isinstance(family, FiniteClass)  # noqa: S101  # all schemes here have one
        return family

    @property
    def types(self) -> FiniteDistribution[Type]:
        """The law of the type of a sample."""
        return data.multiset_distribution(self.target, self.n)

    def __str__(self) -> str:
        return (
            f"{self.family.table.tolist()}, D = {self.target}, n = {self.n}, delta = {self.delta}"
        )


@kit.universe(
    "labels of one point with noise, n from 11 to 61, for thresholds and for "
    "all sets; thresholds on six points and sets of at most two of three points, three "
    "examples, n = 30; exactly"
)
def _learned(budget: kit.Budget) -> Iterator[Learned]:
    """Give labels with so little noise that a wrong hypothesis exceeds what is allowed."""
    chain, squares = ChainScheme(LINE), compression.agnostic(MaximumClassScheme(cube(2)))
    near: tuple[tuple[compression.CompressionScheme[Row], int, str, str], ...] = (
        (chain, 11, "51/100", "1/10"),
        (chain, 21, "748/1000", "49/100"),
        (chain, 31, "708/1000", "49/100"),
        (chain, 31, "4/5", "1/3"),
        (chain, 61, "652/1000", "49/100"),
        (squares, 33, "749/1000", "49/100"),
        (squares, 61, "688/1000", "49/100"),
        (chain, 101, "621/1000", "49/100"),
        (squares, 101, "650/1000", "49/100"),
        (chain, 201, "588/1000", "49/100"),
    )
    for (scheme, n, often, delta), label in product(near[: budget.pick(7, 9, 10)], (0, 1)):
        p = Fraction(often)
        coin: dict[Labelled, Fraction] = {
            data.Example(0, label): p,
            data.Example(0, 1 - label): 1 - p,
        }
        yield Learned(scheme, FiniteDistribution(coin), n, Fraction(delta))
    # Classes of dimension 2 and long chains, where more than one hypothesis can be wrong.
    law: dict[Labelled, Fraction] = {
        data.Example(1, 1): Fraction(4, 5),
        data.Example(1, 0): Fraction(3, 20),
        data.Example(0, 1): Fraction(1, 20),
    }
    pairs = compression.agnostic(MaximumClassScheme(subsets(3, 2)))
    chain = ChainScheme(finite_thresholds(6))
    for scheme, n in product((pairs, chain), budget.pick((30,), (30, 45), (30, 45, 60))):
        yield Learned(scheme, FiniteDistribution(law), n, Fraction(49, 100))


def _sample(kind: Type) -> Sample[Hashable]:
    return Sample.from_examples(kind.elements())


def _accurate(excess: Excess, learned: Learned) -> kit.Comparison:
    scheme, n = learned.scheme, learned.n

    def error(h: Row) -> Fraction:
        wrong = (p for z, p in learned.target.items() if h(z.point) != z.label)
        return sum(wrong, Fraction(0))

    least = min(map(error, learned.family))
    allowed = excess(scheme, n, learned.delta)
    failure = sum(
        (
            weight
            for kind, weight in learned.types.items()
            if not error(scheme.run(_sample(kind))) <= least + allowed
        ),
        Fraction(0),
    )
    return kit.within(failure, 2 * learned.delta)


def _excess(scheme: compression.CompressionScheme[Row], n: int, delta: Fraction) -> Interval:
    return Theorem18(n, scheme.size(n), delta, "sharp", scheme.selection).value()


def _none(scheme: compression.CompressionScheme[Row], n: int, delta: Fraction) -> Interval:
    return Interval.exactly(0)


TRIALS.add("theorem-18.explicit", "accuracy", _accurate, _learned, _excess, _none)


# Definition 13.


@dataclass(frozen=True, slots=True)
class AskedLearner:
    """What is asked of a learner for thresholds on two points, and the law of an example."""

    target: FiniteDistribution[Labelled]
    alpha: Fraction
    beta: Fraction
    epsilon: Fraction
    delta: Fraction


@kit.universe(
    "five distributions on two and three examples, alpha = beta = 49/100, "
    "three pairs of epsilon and delta"
)
def _asked(budget: kit.Budget) -> Iterator[AskedLearner]:
    examples = data.all_examples(LINE.domain)
    targets = [
        FiniteDistribution({z: Fraction(w, 6) for z, w in zip(examples, weights, strict=True) if w})
        for weights in ((3, 3, 0, 0), (2, 4, 0, 0), (2, 2, 0, 2), (2, 0, 1, 3), (1, 2, 3, 0))
    ]
    wishes = (("1/4", "49/100"), ("1/4", "1/4"), ("1/3", "1/4"), ("9/20", "9/20"), ("1/5", "1/20"))
    near = Fraction(49, 100)
    for target, (off, often) in product(targets, wishes[: budget.pick(3, 4, 5)]):
        yield AskedLearner(target, near, near, Fraction(off), Fraction(often))


Sizes: TypeAlias = Callable[[AskedLearner], int]


def _learns_robustly(sizes: Sizes, asked: AskedLearner) -> kit.Finding:
    n, scheme = sizes(asked), ChainScheme(LINE)
    types = data.multiset_distribution(asked.target, n)
    outputs = {kind: scheme.run(_sample(kind)) for kind in types.support}
    errors = {
        h: sum((p for z, p in asked.target.items() if h(z.point) != z.label), Fraction(0))
        for h in LINE
    }
    limit = min(errors.values()) + asked.alpha
    inaccurate = sum((w for kind, w in types.items() if errors[outputs[kind]] > limit), Fraction(0))
    if inaccurate > asked.beta:
        return kit.fails(
            f"{asked}, n = {n}: worse than allowed with probability {float(inaccurate):.4f}"
        )
    laws = {kind: FiniteDistribution.point_mass(h) for kind, h in outputs.items()}
    return deviates_seldom(
        lambda epsilon: optimal_adversary(laws, types, epsilon).failure,
        asked.epsilon,
        asked.delta,
        f"{asked}, n = {n}",
    )


def _enough(asked: AskedLearner) -> int:
    """Return a size that is polynomial in 1/alpha, 1/epsilon, ln(1/beta) and ln(1/delta)."""
    robust = HoeffdingBound(1, 1, asked.delta, Selection.SUBSET).least_n(asked.epsilon)
    accurate = Theorem18(1, 1, asked.beta / 2, "sharp", Selection.SUBSET).least_n(asked.alpha)
    return max(robust, accurate)


def _single(_: AskedLearner) -> int:
    return 1


TRIALS.add("definition-13.explicit", "both at once", _learns_robustly, _asked, _enough, _single)


# Theorem 19.


def _together(n: int, sizes: tuple[int, ...], delta: Fraction) -> Interval:
    return Theorem19(n, sizes, delta).sharp.value()


def _unselected(n: int, _: tuple[int, ...], delta: Fraction) -> Interval:
    """Take a single test that does not depend on the sample, and one sign."""
    return Interval.sqrt(Interval.log(1 / delta) / (8 * n))


TRIALS.add(
    "theorem-19.explicit", "rounds of learners", stays_together, rounds, _together, _unselected
)


@kit.universe(
    "two and three rounds that each keep an example by its name, one of "
    "10,000, and an independent bit for each two or three names; n from 5 to 10, "
    "exactly"
)
def _told_in_rounds(budget: kit.Budget) -> Iterator[Named]:
    yield from named(budget, 2)
    yield from named(budget, 3)


def _in_rounds(formula: Together, told: Named) -> kit.Finding:
    """Let each of k rounds keep one example, chosen by the names that the earlier ones kept."""
    return deviates_seldom(
        told.failure, formula(told.n, (1,) * told.k, told.delta), told.delta, told
    )


TRIALS.add(
    "theorem-19.explicit", "a test for every choice", _in_rounds, _told_in_rounds, _together,
    _unselected
)  # fmt: skip


Size: TypeAlias = Callable[[int, int, Fraction], Interval]
"""From n, k and delta to epsilon."""

# Theorem 25.


Realizable: TypeAlias = tuple[FiniteClass, Sample[Hashable]]


@kit.universe(
    "classes on up to three points with samples of one and two examples, singletons on up to four"
)
def _realizable(budget: kit.Budget) -> Iterator[Realizable]:
    longest = budget.pick(2, 3, 4)
    for m in range(1, 4):
        for index, H in enumerate(all_classes(m)):
            if m < 3 or index % budget.pick(16, 2, 1) == 0:
                yield from ((H, sample) for sample in _fitted(H, longest))
    yield from _without_ones(budget)


def _without_ones(budget: kit.Budget) -> Iterator[Realizable]:
    """Give samples without a 1, of which a majority of singletons may make the empty set."""
    for size in range(2, budget.pick(4, 6, 8) + 1):
        H = singletons(size)
        yield from ((H, Sample(range(n), [0] * n)) for n in range(1, size))


_WITHOUT_ONES = kit.Universe("singletons on two to four points, samples without a 1", _without_ones)


def _fitted(H: FiniteClass, longest: int) -> Iterator[Sample[Hashable]]:
    for n in range(1, longest + 1):
        for chosen in combinations_with_replacement(data.all_examples(H.domain), n):
            sample = Sample.from_examples(chosen)
            if any(sample.count_errors(h) == 0 for h in H):
                yield sample


_OWN_REALIZABLE: kit.OnClass[Realizable] = kit.OnClass(
    lambda H: ((H, sample) for sample in _fitted(H, 2)),
    "all samples of one or two examples that a hypothesis fits",
    points=5,
    hypotheses=24,
)

Boosted: TypeAlias = Callable[[FiniteClass], compression.BoostingScheme]


def _boosts(boosted: Boosted, given: Realizable) -> kit.Finding:
    H, sample = given
    scheme, n = boosted(H), len(sample)
    kept, rounds = scheme.keep(sample), scheme.rounds(n)
    errors = sample.count_errors(scheme.reconstruct(Sample.from_examples(kept)))
    # eta = 1/3: the mean of exp(-margin) falls by 2 sqrt(eta (1 - eta)) = sqrt(8/9) a round
    enough = n**2 * Fraction(8, 9) ** rounds < 1 or n == 1
    return kit.settle(
        errors == 0 and enough and len(kept) == rounds * scheme.group_size(n),
        f"{H.table.tolist()}, {sample}: {len(kept)} examples in {rounds} rounds, {errors} errors",
    )


class _OneRound(compression.BoostingScheme):
    """Boosting that is content with one weak hypothesis."""

    def rounds(self, n: int) -> int:  # noqa: ARG002  # the parameters of what it stands in for
        return 1


TRIALS.add(
    "theorem-25.explicit", "realizable samples", _boosts, _realizable.and_on(_OWN_REALIZABLE),
    compression.BoostingScheme, _OneRound
)  # fmt: skip


def _stays_inside(boosted: Boosted, given: Realizable) -> kit.Finding:
    H, sample = given
    labels = tuple(map(boosted(H).run(sample), H.domain))
    return kit.settle(
        labels in {tuple(row) for row in H.table.tolist()},
        f"{H.table.tolist()}, {sample}: the vote {labels} is not in the class",
    )


TRIALS.add(
    "theorem-25.proper", "singletons", _stays_inside, _WITHOUT_ONES.and_on(_OWN_REALIZABLE),
    compression.BoostingScheme
)  # fmt: skip


# Remark 27.


@dataclass(frozen=True, slots=True)
class SubsampledRun:
    """Draws from three elements, of which a random part of k is shown; delta."""

    source: FiniteDistribution[int]
    n: int
    k: int
    delta: Fraction


@kit.universe("up to eight draws from three elements, one to three of them shown")
def _subsampled(budget: kit.Budget) -> Iterator[SubsampledRun]:
    sources = (
        FiniteDistribution.uniform(range(3)),
        FiniteDistribution({0: Fraction(1, 2), 1: Fraction(1, 3), 2: Fraction(1, 6)}),
    )
    sizes = budget.pick((4, 8), (4, 8, 12), (4, 8, 12, 16))
    for source, n, k, delta in product(sources, sizes, (1, 2, 3), ("1/10", "1/2", "9/10")):
        yield SubsampledRun(source, n, k, Fraction(delta))


def _shown(kind: data.Multiset[int], k: int) -> FiniteDistribution[tuple[int, ...]]:
    """Return the law of a random part of k, as counts of the elements."""
    counts = [kind.count(x) for x in range(3)]
    total = comb(sum(counts), k)
    return FiniteDistribution(
        {
            (a, b, k - a - b): Fraction(
                comb(counts[0], a) * comb(counts[1], b) * comb(counts[2], k - a - b), total
            )
            for a in range(min(k, counts[0]) + 1)
            for b in range(min(k - a, counts[1]) + 1)
            if k - a - b <= counts[2]
        }
    )


def _oblivious(formula: Size, given: SubsampledRun) -> kit.Finding:
    n, k = given.n, given.k
    types = data.multiset_distribution(given.source, n)
    laws = {kind: _shown(kind, k) for kind in types.support}
    return deviates_seldom(
        lambda epsilon: optimal_adversary(laws, types, epsilon).failure,
        formula(n, k, given.delta),
        given.delta,
        given,
    )


def _no_union(n: int, k: int, delta: Fraction) -> Interval:
    return HoeffdingBound(n, k, delta, Selection.OBLIVIOUS).value()


def _of_one_test(n: int, k: int, delta: Fraction) -> Interval:
    """Take a single test that does not depend on the sample, and one sign."""
    return Interval.sqrt(Interval.log(1 / delta) / (8 * n))


TRIALS.add(
    "remark-27.explicit", "the best adversary", _oblivious, _subsampled, _no_union, _of_one_test
)


# Theorem 26.

Promise: TypeAlias = Callable[[int, int, Fraction], Theorem26]
"""From n, d and delta."""
Given: TypeAlias = tuple[FiniteClass, int, int]
"""A class, the size of a sample, and a seed for it."""


@kit.universe(
    "thresholds, singletons, intervals and a cube, seeded samples of up to 20 "
    "examples with any labels; a class whose hypotheses may all err on every example"
)
def _samples(budget: kit.Budget) -> Iterator[Given]:
    for H in (thresholds(6), singletons(5), intervals(5), cube(2)):
        for n in (1, 2, 7, 20, 60)[: budget.pick(4, 5, 5)]:
            yield from ((H, n, seed) for seed in range(budget.pick(2, 10, 40)))
    # All hypotheses agree on a point, so that all of them may err on the whole sample.
    for n in (1, 2, 3):
        yield from ((FiniteClass([[0, 0], [0, 1]]), n, seed) for seed in range(6))


def _keeps(promise: Promise, given: Given) -> kit.Finding:
    """What is kept is no more than stated, and the vote errs as little as the best hypothesis."""
    H, n, seed = given
    coins = Random(f"boosted/{seed}")
    points: list[Hashable] = [coins.choice(H.domain) for _ in range(n)]
    sample = Sample(points, [coins.randrange(2) for _ in range(n)])
    scheme = compression.agnostic(compression.BoostingScheme(H))
    stated = promise(n, vc_dimension(H), Fraction(1, 20))
    kept = scheme.compress(sample)
    errors = max(map(sample.count_errors, (scheme.run(sample), *scheme.law(sample).support)))
    least = min(sample.count_errors(h) for h in H)
    text = (
        f"{H.table.tolist()}, {sample}: {len(kept)} examples are kept, {stated.kept} stated; "
        f"{errors} errors, the least is {least}"
    )
    return at_most(len(kept), stated.kept, text) if errors <= least else kit.fails(text)


def _rounds_only(n: int, _: int, delta: Fraction) -> Theorem26:
    return _OneEach(n, 1, delta)


TRIALS.add("theorem-26.explicit", "what is kept", _keeps, _samples, Theorem26, _rounds_only)


class _OneEach(Theorem26):
    """Boosting with a single example a round."""

    @property
    def group(self) -> int:
        """One."""
        return 1


Drawn: TypeAlias = tuple[int, int, Fraction]
"""A number of points, a seed, and how often labels are wrong."""

_SIZE = 1 << 17
_NEVER = Fraction(1, 10**9)
"""What the draws below may mislead with, each."""


@kit.universe("thresholds with label noise 1/5, seeded draws; all tests, delta = 10^-9")
def _draws(budget: kit.Budget) -> Iterator[Drawn]:
    for seed in range(budget.pick(1, 2, 4)):
        for points in (2, 3)[: budget.pick(1, 2, 2)]:
            yield points, seed, Fraction(1, 5)


@cache
def _measured(drawn: Drawn) -> tuple[Fraction, Fraction, int]:
    """Return the largest deviation of all tests, the excess of the vote, and the dimension."""
    points, seed, noise = drawn
    H, coins = thresholds(points), Random(f"drawn/{seed}")
    labels = [int(x >= 1) for x in range(points)]
    wrong = [coins.random() < noise for _ in range(_SIZE)]
    places = [coins.randrange(points) for _ in range(_SIZE)]
    shown = [labels[x] ^ w for x, w in zip(places, wrong, strict=True)]
    sample: Sample[Hashable] = Sample(places, shown)
    h = compression.agnostic(compression.BoostingScheme(H)).run(sample)
    counts = Counter(zip(places, shown, strict=True))
    deviation = excess = Fraction(0)
    for x in range(points):
        for y in (0, 1):
            mass = (noise if y != labels[x] else 1 - noise) / points
            deviation += max(Fraction(counts[x, y], _SIZE) - mass, Fraction(0))
        excess += (1 - 2 * noise) / points * (h(x) != labels[x])
    return deviation, excess, vc_dimension(H)


def _stays(promise: Promise, drawn: Drawn) -> kit.Finding:
    """No test whatever deviates by more than epsilon, nor is the excess larger."""
    deviation, excess, dimension = _measured(drawn)
    learner = promise(_SIZE, dimension, _NEVER).learner
    allowed, robust = learner.value(), learner.robust.value()
    text = (
        f"thresholds on {drawn[0]} points, n = {_SIZE}, seed {drawn[1]}: excess "
        f"{float(excess):.4g} against {float(allowed):.4g}, deviation {float(deviation):.4g} "
        f"against {float(robust):.4g}"
    )
    pairs = ((excess, allowed), (deviation, robust))
    return kit.all_of(at_most(found, bound.upper, text, ceiling=1) for found, bound in pairs)


def _for_many_more(n: int, d: int, delta: Fraction) -> Theorem26:
    return Theorem26(n**3, d, delta)


TRIALS.add("theorem-26.explicit", "2^17 examples", _stays, _draws, Theorem26, _for_many_more)
TRIALS.states(
    "theorem-26.explicit",
    lambda n, d: Theorem26(n, d, Fraction(1, 20)).kept,
    lambda *_: 10_960,
    (10**7, 1),
)


# Theorem 34.2.


@dataclass(frozen=True, slots=True)
class RateCoin:
    """A learner for both constants on one point, the size of the samples, alpha and gamma."""

    name: str
    n: int
    alpha: Fraction
    gamma: Fraction
    dimension: ClassVar[int] = 1

    def one(self, ones: int) -> Fraction:
        """Return how likely it outputs the constant 1, given a number of ones."""
        if self.name == "majority":
            return Fraction((2 * ones > self.n) + (2 * ones >= self.n), 2)
        if self.name == "constant":
            return Fraction(1)
        H = FiniteClass([[0], [1]])
        sample: Sample[Hashable] = Sample([0] * self.n, [1] * ones + [0] * (self.n - ones))
        if self.name == "exponential":
            law = exponential_learner(H, Fraction(1, 2)).law(sample)
        else:
            law = GenericAgnosticLearner(H, Fraction(1, 10), Epsilon(1)).law(sample)
        return sum((p for h, p in law.items() if h(0)), Fraction(0))

    def failure(self) -> Fraction:
        """Return how often its error exceeds the least one by more than alpha, for a worst side."""
        n, bias, found = self.n, self.alpha * Fraction(1001, 1000), [Fraction(0), Fraction(0)]
        for ones in range(n + 1):
            p = self.one(ones)
            for side in (0, 1):
                up = (1 + bias if side else 1 - bias) / 2
                chance = comb(n, ones) * up**ones * (1 - up) ** (n - ones)
                found[side] += chance * abs(side - p)
        return max(found)


@dataclass(frozen=True, slots=True)
class RateCoins:
    """The majority on each of d points as a learner for all sets of them."""

    dimension: int
    n: int
    alpha: Fraction
    gamma: Fraction
    name: ClassVar[str] = "a majority on each point"

    def failure(self) -> Fraction:
        """Return how often it is wrong on some point, which is more than alpha too much."""
        d, n = self.dimension, self.n
        up = (1 + d * self.alpha * Fraction(1001, 1000)) / 2

        def right(m: int) -> Fraction:
            """Return how often a majority of m labels is right; ties are broken by a fair coin."""
            chances = (comb(m, k) * up**k * (1 - up) ** (m - k) for k in range(m + 1))
            decided = zip(chances, range(m + 1), strict=True)
            return sum(
                (p * Fraction((2 * k > m) + (2 * k >= m), 2) for p, k in decided), Fraction(0)
            )

        shares = [right(m) for m in range(n + 1)]
        # all[m]: how often the points so far are all right, with m examples among them
        all_right = shares
        for points in range(2, d + 1):
            all_right = [
                sum(
                    (
                        comb(m, i)
                        * Fraction((points - 1) ** (m - i), points**m)
                        * shares[i]
                        * all_right[m - i]
                        for i in range(m + 1)
                    ),
                    Fraction(0),
                )
                for m in range(n + 1)
            ]
        return 1 - all_right[n]


@kit.universe(
    "four learners of one coin, up to 300 examples, and the majority on each of "
    "two and three points, up to 25"
)
def _coins(budget: kit.Budget) -> Iterator[RateCoin | RateCoins]:
    for name in ("majority", "constant", "exponential", "generic"):
        for alpha, gamma in (("1/50", "1/8"), ("1/40", "1/8"), ("1/10", "1/10")):
            for n in (1, 5, 10, 18, 300)[: 5 if name == "majority" else budget.pick(2, 3, 4)]:
                yield RateCoin(name, n, Fraction(alpha), Fraction(gamma))
    for d, n in product((2, 3), (5, 25, 60)[: budget.pick(2, 3, 3)]):
        yield RateCoins(d, n, Fraction(1, 50), Fraction(1, 8))
        yield RateCoins(d, n, Fraction(1, 100), Fraction(1, 8))


def _needs(constant: Fraction, coin: RateCoin | RateCoins) -> kit.Comparison | kit.Finding:
    bound = (coin.dimension + Interval.log(1 / coin.gamma)) * (constant / coin.alpha**2)
    if coin.n >= bound.lower:
        return kit.idle()
    return kit.reaches(coin.failure(), coin.gamma, strictly=True)


TRIALS.add("theorem-34.lower", "coins", _needs, _coins, Fraction(1, 400), Fraction(1))
