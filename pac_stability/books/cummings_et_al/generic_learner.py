"""Learning under perfect generalization: the generic learner (Section 4.1)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from random import Random
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.claims.instances import all_classes
from pac_stability.claims.trials import Budget, Finding, Trials, at_most, fails, holds, trial
from pac_stability.classes import FiniteClass, Row, cube, thresholds
from pac_stability.data import (
    Example,
    FiniteDistribution,
    Mechanism,
    Sample,
    all_examples,
    multiset_distribution,
)
from pac_stability.notions.closeness import minimal_epsilon
from pac_stability.papers.cummings_et_al.generic_agnostic import GenericAgnosticLearner

Labelled: TypeAlias = Example[Hashable]
Target: TypeAlias = FiniteDistribution[Labelled]


@dataclass(frozen=True, slots=True)
class Generic:
    """Algorithm 1 on one distribution.

    Attributes
    ----------
    H
        The class.
    beta, epsilon
        Its parameters; epsilon is the number itself.
    n
        The size of the samples.
    target
        D, the law of an example.
    """

    H: FiniteClass
    beta: Fraction
    epsilon: Fraction
    n: int
    target: Target

    @property
    def learner(self) -> GenericAgnosticLearner[Row]:
        """The learner."""
        return GenericAgnosticLearner(self.H, self.beta, Epsilon(self.epsilon))

    def __str__(self) -> str:
        return (
            f"H = {self.H.table.tolist()}, beta = {self.beta}, epsilon = {self.epsilon}, "
            f"n = {self.n}, D = {self.target}"
        )


def _generics(budget: Budget) -> Iterator[Generic]:
    kinds = [H for m in (1, 2) for H in all_classes(m)]
    for index in range(budget.pick(28, 280, 2800)):
        coins = Random(f"generic/{index}")
        H = kinds[index % len(kinds)]
        examples = all_examples(H.domain)
        weights = [coins.randint(0, 3) for _ in examples]
        weights[coins.randrange(len(weights))] += 1
        target = FiniteDistribution(
            {z: Fraction(w, sum(weights)) for z, w in zip(examples, weights, strict=True) if w}
        )
        beta, epsilon = coins.choice(("1/100", "1/10", "1/2")), coins.choice(("1/4", "1", "3"))
        n = coins.choice(budget.pick((1, 2, 4), (1, 3, 7), (1, 3, 9, 12)))
        yield Generic(H, Fraction(beta), Fraction(epsilon), n, target)
    # With beta = 1/2 the simulator does miss samples from n = 9 on.
    constants = FiniteClass([[0], [1]])
    sizes = budget.pick((9, 16), (9, 16, 25), (9, 16, 25, 49, 100))
    for n, p, epsilon in product(sizes, ("1/2", "1/3", "1/5"), ("1/4", "1", "3")):
        coin: dict[Labelled, Fraction] = {
            Example(0, 1): Fraction(p),
            Example(0, 0): 1 - Fraction(p),
        }
        law = FiniteDistribution(coin)
        for beta in ("1/2", "19/20"):
            yield Generic(constants, Fraction(beta), Fraction(epsilon), n, law)
    # More hypotheses, up to all of two points.
    uneven: dict[Labelled, Fraction] = {
        Example(0, 1): Fraction(1, 2),
        Example(0, 0): Fraction(1, 4),
        Example(1, 1): Fraction(1, 4),
    }
    for H, n in product((thresholds(2), cube(2)), budget.pick((9, 16), (9, 16, 25), (9, 16, 36))):
        law = FiniteDistribution(uneven)
        yield Generic(H, Fraction(19, 20), Fraction(1), n, law)


# Algorithm 1.

Weight: TypeAlias = Callable[[Generic, int], Interval]
"""What a hypothesis with so many errors weighs, up to a common factor."""


def _exponent(generic: Generic) -> Interval:
    """Return c/n, by which one error lowers the logarithm of a weight."""
    logarithm = Interval.log(2 * len(generic.H) / generic.beta)
    return generic.epsilon / Interval.sqrt(2 * generic.n * logarithm)


def _printed_weight(generic: Generic, errors: int) -> Interval:
    return Interval.exp(-_exponent(generic) * errors)


def _private_weight(generic: Generic, errors: int) -> Interval:
    """Weigh as the exponential mechanism does that is epsilon-private."""
    return Interval.exp(-generic.epsilon * Fraction(errors, 2))


def _samples(generic: Generic) -> Iterator[Sample[Hashable]]:
    for kind in multiset_distribution(generic.target, generic.n).support:
        yield Sample.from_examples(kind.elements())


def _drawn_as_written(weight: Weight, generic: Generic) -> Finding:
    """Compare the ratios of probabilities: rational, within n 2**-26 of the formula."""
    weights = [weight(generic, errors) for errors in range(generic.n + 1)]
    slack = Fraction(generic.n, 1 << 26)
    for sample in _samples(generic):
        law = generic.learner.law(sample)
        errors = {h: sum(h(z.point) != z.label for z in sample) for h in generic.H}
        first = generic.H[0]
        for h in generic.H:
            found = law.probability(h) / law.probability(first)
            written = weights[errors[h]] / weights[errors[first]]
            if not (1 - slack) * written.lower <= found <= (1 + slack) * written.upper:
                return fails(
                    f"{generic}, sample {sample}: Pr[{h}] / Pr[{first}] is {float(found):.6f}, "
                    f"and {float(written):.6f} as written"
                )
    return holds()


# Lemma 29.

Imitated: TypeAlias = Callable[[Generic], Mechanism[Target, Row]]


def _imitates(simulator: Imitated, generic: Generic) -> Finding:
    simulated = simulator(generic).law(generic.target)
    factor = Epsilon(generic.epsilon).ratio
    missed = Fraction(0)
    for kind, weight in multiset_distribution(generic.target, generic.n).items():
        law = generic.learner.law(Sample.from_examples(kind.elements()))
        if minimal_epsilon(law, simulated) > factor:
            missed += weight
    return at_most(missed, generic.beta, f"{generic}: the simulator misses {missed}")


def _simulator(generic: Generic) -> Mechanism[Target, Row]:
    return generic.learner.simulator(generic.n)


def _imitates_as_written(scale: int, generic: Generic) -> Finding:
    """Compare the ratios of probabilities of the simulator: true errors in place of empirical."""
    law, first = _simulator(generic).law(generic.target), generic.H[0]
    slack = Fraction(generic.n, 1 << 24)
    errors = {
        h: sum((p for z, p in generic.target.items() if h(z.point) != z.label), Fraction(0))
        for h in generic.H
    }
    for h in generic.H:
        more = errors[h] - errors[first]
        found = law.probability(h) / law.probability(first)
        written = Interval.exp(-_exponent(generic) * generic.n * scale * more)
        if not (1 - slack) * written.lower <= found <= (1 + slack) * written.upper:
            return fails(
                f"{generic}: Pr[{h}] / Pr[{first}] is {found}, {float(written)} as written"
            )
    return holds()


@dataclass(frozen=True, slots=True)
class _Sharper:
    """The simulator with a weight that is n times too steep."""

    generic: Generic

    def law(self, x: Target, /) -> FiniteDistribution[Row]:
        return self.generic.learner.simulator(self.generic.n * 40).law(x)

    def run(self, x: Target, /, rng: object = None) -> Row:  # noqa: ARG002  # the parameters of what it stands in for
        return self.law(x).support[0]


def _steep_simulator(generic: Generic) -> Mechanism[Target, Row]:
    return _Sharper(generic)


TRIALS: Trials = {
    "CLNRW16:algorithm-1": (
        trial(
            "the law as written",
            _drawn_as_written,
            _generics,
            subject=_printed_weight,
            mutant=_private_weight,
            universe="classes on one and two points, random distributions, n up to 4; two "
            "constants, thresholds and all sets, n up to 16",
        ),
    ),
    "CLNRW16:lemma-29": (
        trial(
            "all samples",
            _imitates,
            _generics,
            subject=_simulator,
            mutant=_steep_simulator,
            universe="classes on one and two points, random distributions, n up to 4; two "
            "constants, thresholds and all sets, n up to 16",
        ),
        trial(
            "the simulator as written",
            _imitates_as_written,
            _generics,
            subject=1,
            mutant=2,
            universe="the same",
        ),
    ),
}
