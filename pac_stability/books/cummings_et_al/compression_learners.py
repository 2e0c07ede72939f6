"""Compression learners, alone and one after another (Section 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from pac_stability.arithmetic import Interval
from pac_stability.books.cummings_et_al import _written
from pac_stability.books.cummings_et_al._deviations import deviates_seldom
from pac_stability.books.cummings_et_al._named import Named, named
from pac_stability.books.cummings_et_al._rounds import rounds, stays_together
from pac_stability.claims.trials import Budget, Finding, Trials, at_most, fails, trial
from pac_stability.classes import FiniteClass, Row, cube, subsets, thresholds as finite_thresholds
from pac_stability.compression import CompressionScheme, Selection, agnostic
from pac_stability.compression.bounds import HoeffdingBound, Lemma17, Theorem18, Theorem19
from pac_stability.compression.chains import ChainScheme
from pac_stability.compression.maximum_classes import MaximumClassScheme
from pac_stability.data import (
    Example,
    FiniteDistribution,
    Multiset,
    Sample,
    all_examples,
    multiset_distribution,
)
from pac_stability.notions.robust_generalization import optimal_adversary

Labelled: TypeAlias = Example[Hashable]
Type: TypeAlias = Multiset[Labelled]
Excess: TypeAlias = Callable[[CompressionScheme[Row], int, Fraction], Interval]
"""From a scheme, n and delta to the excess."""

Together: TypeAlias = Callable[[int, tuple[int, ...], Fraction], Interval]
"""From n, what the rounds keep, and delta to epsilon."""

LINE = finite_thresholds(2)

# Theorem 18.


def _regime(budget: Budget) -> Iterator[tuple[int, int, Fraction]]:
    for k, delta in product((1, 2, 1000), ("1/1000000", "1/20", "99/100")):
        first = 8 * k
        while not first >= 8 * k * Interval.log(2 * first / Fraction(delta)):
            first += -(-first // 50)
        for times in budget.pick((1, 3, 100), (1, 2, 3, 10, 100, 1000), (1, 2, 3, 10, 100, 10**6)):
            yield first * times, k, Fraction(delta)


def _of_the_order(constant: Fraction, given: tuple[int, int, Fraction]) -> Finding:
    n, k, delta = given
    value = Lemma17(n, k, delta).value()
    order = Interval.sqrt(k * Interval.log(n / delta) / n)
    return at_most(
        value,
        constant * order,
        f"n = {n}, k = {k}, delta = {delta}: epsilon = {float(value):.4f}, which is "
        f"{float(value / order):.3f} times the order",
    )


@dataclass(frozen=True, slots=True)
class Learned:
    """A scheme, the law of an example, the size of samples, and delta."""

    scheme: CompressionScheme[Row]
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
        return multiset_distribution(self.target, self.n)

    def __str__(self) -> str:
        return (
            f"{self.family.table.tolist()}, D = {self.target}, n = {self.n}, delta = {self.delta}"
        )


def _learned(budget: Budget) -> Iterator[Learned]:
    """Give labels with so little noise that a wrong hypothesis exceeds what is allowed."""
    chain, squares = ChainScheme(LINE), agnostic(MaximumClassScheme(cube(2)))
    near: tuple[tuple[CompressionScheme[Row], int, str, str], ...] = (
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
        coin: dict[Labelled, Fraction] = {Example(0, label): p, Example(0, 1 - label): 1 - p}
        yield Learned(scheme, FiniteDistribution(coin), n, Fraction(delta))
    # Classes of dimension 2 and long chains, where more than one hypothesis can be wrong.
    law: dict[Labelled, Fraction] = {
        Example(1, 1): Fraction(4, 5),
        Example(1, 0): Fraction(3, 20),
        Example(0, 1): Fraction(1, 20),
    }
    pairs = agnostic(MaximumClassScheme(subsets(3, 2)))
    chain = ChainScheme(finite_thresholds(6))
    for scheme, n in product((pairs, chain), budget.pick((30,), (30, 45), (30, 45, 60))):
        yield Learned(scheme, FiniteDistribution(law), n, Fraction(49, 100))


def _sample(kind: Type) -> Sample[Hashable]:
    return Sample.from_examples(kind.elements())


def _accurate(excess: Excess, learned: Learned) -> Finding:
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
    return at_most(
        failure,
        2 * learned.delta,
        f"{learned}: worse than OPT by more than {float(allowed):.4f} with probability "
        f"{float(failure):.4f}",
    )


def _excess(scheme: CompressionScheme[Row], n: int, delta: Fraction) -> Interval:
    return Theorem18(n, scheme.size(n), delta, "sharp", scheme.selection).value()


def _none(scheme: CompressionScheme[Row], n: int, delta: Fraction) -> Interval:
    return Interval.exactly(0)


# Definition 13.


@dataclass(frozen=True, slots=True)
class AskedLearner:
    """What is asked of a learner for thresholds on two points, and the law of an example."""

    target: FiniteDistribution[Labelled]
    alpha: Fraction
    beta: Fraction
    epsilon: Fraction
    delta: Fraction


def _asked(budget: Budget) -> Iterator[AskedLearner]:
    examples = all_examples(LINE.domain)
    targets = [
        FiniteDistribution({z: Fraction(w, 6) for z, w in zip(examples, weights, strict=True) if w})
        for weights in ((3, 3, 0, 0), (2, 4, 0, 0), (2, 2, 0, 2), (2, 0, 1, 3), (1, 2, 3, 0))
    ]
    wishes = (("1/4", "49/100"), ("1/4", "1/4"), ("1/3", "1/4"), ("9/20", "9/20"), ("1/5", "1/20"))
    near = Fraction(49, 100)
    for target, (off, often) in product(targets, wishes[: budget.pick(3, 4, 5)]):
        yield AskedLearner(target, near, near, Fraction(off), Fraction(often))


Sizes: TypeAlias = Callable[[AskedLearner], int]


def _learns_robustly(sizes: Sizes, asked: AskedLearner) -> Finding:
    n, scheme = sizes(asked), ChainScheme(LINE)
    types = multiset_distribution(asked.target, n)
    outputs = {kind: scheme.run(_sample(kind)) for kind in types.support}
    errors = {
        h: sum((p for z, p in asked.target.items() if h(z.point) != z.label), Fraction(0))
        for h in LINE
    }
    limit = min(errors.values()) + asked.alpha
    inaccurate = sum((w for kind, w in types.items() if errors[outputs[kind]] > limit), Fraction(0))
    if inaccurate > asked.beta:
        return fails(
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


# Theorem 19.


def _together(n: int, sizes: tuple[int, ...], delta: Fraction) -> Interval:
    return Theorem19(n, sizes, delta).sharp.value()


def _unselected(n: int, _: tuple[int, ...], delta: Fraction) -> Interval:
    """Take a single test that does not depend on the sample, and one sign."""
    return Interval.sqrt(Interval.log(1 / delta) / (8 * n))


def _told_in_rounds(budget: Budget) -> Iterator[Named]:
    yield from named(budget, 2)
    yield from named(budget, 3)


def _in_rounds(formula: Together, told: Named) -> Finding:
    """Let each of k rounds keep one example, chosen by the names that the earlier ones kept."""
    return deviates_seldom(
        told.failure, formula(told.n, (1,) * told.k, told.delta), told.delta, told
    )


TRIALS: Trials = {
    "CLNRW16:definition-13.explicit": (
        trial(
            "both at once",
            _learns_robustly,
            _asked,
            subject=_enough,
            mutant=_single,
            universe="five distributions on two and three examples, alpha = beta = 49/100, "
            "three pairs of epsilon and delta",
        ),
    ),
    "CLNRW16:theorem-18.explicit": (
        trial(
            "the printed order",
            _of_the_order,
            _regime,
            subject=Fraction(26, 5),
            mutant=Fraction(4),
            universe="k up to 1000, three deltas, n from the least allowed on",
        ),
        trial(
            "accuracy",
            _accurate,
            _learned,
            subject=_excess,
            mutant=_none,
            universe="labels of one point with noise, n from 11 to 61, for thresholds and for "
            "all sets; thresholds on six points and sets of at most two of three points, three "
            "examples, n = 30; exactly",
        ),
        _written.THEOREM_18,
    ),
    "CLNRW16:theorem-19.explicit": (
        trial(
            "rounds of learners",
            stays_together,
            rounds,
            subject=_together,
            mutant=_unselected,
            universe="two and three rounds on three and four elements, n = 8 and 12, exactly: "
            "thresholds chosen by the last one, a class of dimension 2, and learners to which "
            "all hypotheses are alike and that tell the sample",
        ),
        trial(
            "a test for every choice",
            _in_rounds,
            _told_in_rounds,
            subject=_together,
            mutant=_unselected,
            universe="two and three rounds that each keep an example by its name, one of "
            "10,000, and an independent bit for each two or three names; n from 5 to 10, "
            "exactly",
        ),
        _written.THEOREM_19,
    ),
}
