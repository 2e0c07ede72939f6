"""Compression learners, alone and one after another (Section 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random
from typing import TypeAlias

from pac_stability.arithmetic import Interval
from pac_stability.claims.budget import Budget
from pac_stability.claims.comparing import at_most
from pac_stability.claims.cummings_et_al._deviations import deviates_seldom
from pac_stability.claims.finding import Finding, fails
from pac_stability.claims.trials import Trials, trial
from pac_stability.classes import FiniteClass, Row, thresholds as finite_thresholds
from pac_stability.compression import Selection
from pac_stability.compression.bounds import HoeffdingBound, Lemma17, Theorem18, Theorem19
from pac_stability.compression.chains import ChainScheme
from pac_stability.compression.session import AdaptiveSession
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
Formula: TypeAlias = Callable[[int, int, Fraction], Interval]
"""From n, k and delta to epsilon."""

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
    """A class, the law of an example, the size of samples, and delta."""

    H: FiniteClass
    target: FiniteDistribution[Labelled]
    n: int
    delta: Fraction

    @property
    def types(self) -> FiniteDistribution[Type]:
        """The law of the type of a sample."""
        return multiset_distribution(self.target, self.n)

    def __str__(self) -> str:
        return f"{self.H.table.tolist()}, D = {self.target}, n = {self.n}, delta = {self.delta}"


def _learned(budget: Budget) -> Iterator[Learned]:
    sizes = budget.pick((3, 6), (3, 6, 10), (3, 6, 10, 16))
    for index, n in product(range(budget.pick(4, 12, 60)), sizes):
        coins = Random(f"learned/{index}")
        examples = all_examples(LINE.domain)
        weights = [coins.randint(0, 3) for _ in examples]
        weights[index % len(weights)] += 1
        target = FiniteDistribution(
            {z: Fraction(w, sum(weights)) for z, w in zip(examples, weights, strict=True) if w}
        )
        for delta in ("1/10", "1/3"):
            yield Learned(LINE, target, n, Fraction(delta))


def _coins(budget: Budget) -> Iterator[Learned]:
    """Labels of one point with noise, and samples so large that the bound excludes an error."""
    sizes = budget.pick((30, 60), (30, 60, 100), (30, 60, 100, 200))
    for n, p, delta in product(sizes, ("4/5", "5/6"), ("1/10", "1/3")):
        coin: dict[Labelled, Fraction] = {
            Example(0, 1): Fraction(p),
            Example(0, 0): 1 - Fraction(p),
        }
        yield Learned(LINE, FiniteDistribution(coin), n, Fraction(delta))


def _learned_and_coins(budget: Budget) -> Iterator[Learned]:
    yield from _learned(budget)
    yield from _coins(budget)


def _sample(kind: Type) -> Sample[Hashable]:
    return Sample.from_examples(kind.elements())


def _accurate(excess: Formula, learned: Learned) -> Finding:
    scheme = ChainScheme(learned.H)

    def error(h: Row) -> Fraction:
        wrong = (p for z, p in learned.target.items() if h(z.point) != z.label)
        return sum(wrong, Fraction(0))

    least = min(map(error, learned.H))
    allowed = excess(learned.n, 1, learned.delta)
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


def _excess(n: int, k: int, delta: Fraction) -> Interval:
    return Theorem18(n, k, delta, "sharp", Selection.SUBSET).value()


def _none(n: int, k: int, delta: Fraction) -> Interval:
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
        for weights in ((2, 0, 1, 3), (0, 3, 2, 1), (1, 2, 3, 0), (2, 1, 0, 3))
    ]
    wishes = budget.pick(
        (("9/20", "9/20"),), (("9/20", "9/20"), ("2/5", "1/4")), (("9/20", "9/20"), ("1/4", "1/20"))
    )
    for target, (off, often) in product(targets, wishes):
        yield AskedLearner(target, Fraction(off), Fraction(often), Fraction(off), Fraction(often))


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


def _played(budget: Budget) -> Iterator[Learned]:
    return (learned for learned in _learned(budget) if learned.delta == Fraction(1, 3))


def _second_task(first: Row) -> FiniteClass:
    """Return the class of the second round: nested the other way when the first says 1 at 0."""
    rows = [[0, 0], [0, 1], [1, 1]] if first(0) else [[0, 0], [1, 0], [1, 1]]
    return FiniteClass(rows)


def _two_rounds(formula: Formula, learned: Learned) -> Finding:
    laws = {}
    for kind in learned.types.support:
        session = AdaptiveSession(_sample(kind), learned.delta, 2)
        first = session.ask(ChainScheme(learned.H)).output
        second = session.ask(ChainScheme(_second_task(first))).output
        shown = tuple(first(x) for x in learned.H.domain), tuple(second(x) for x in (0, 1))
        laws[kind] = FiniteDistribution.point_mass(shown)
    return deviates_seldom(
        lambda epsilon: optimal_adversary(laws, learned.types, epsilon).failure,
        formula(learned.n, 2, learned.delta),
        learned.delta,
        f"two rounds, {learned}",
    )


def _together(n: int, k: int, delta: Fraction) -> Interval:
    return Theorem19(n, (1,) * k, delta).sharp.value()


def _unselected(n: int, k: int, delta: Fraction) -> Interval:
    """Take a single test that does not depend on the sample, and one sign."""
    return Interval.sqrt(Interval.log(1 / delta) / (8 * n))


TRIALS: Trials = {
    "CLNRW16:definition-13.explicit": (
        trial(
            "both at once",
            _learns_robustly,
            _asked,
            subject=_enough,
            mutant=_single,
            universe="four distributions of examples, alpha = beta = epsilon = delta = 9/20",
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
            _learned_and_coins,
            subject=_excess,
            mutant=_none,
            universe="thresholds on two points, random distributions, n = 3 and 6; and labels "
            "of one point with noise, n = 30 and 60",
        ),
    ),
    "CLNRW16:theorem-19.explicit": (
        trial(
            "two rounds",
            _two_rounds,
            _played,
            subject=_together,
            mutant=_unselected,
            universe="thresholds on two points, random distributions, n = 3 and 6",
        ),
    ),
}
