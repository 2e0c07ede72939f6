"""The generic learner: its law, its simulator, its sizes, and thresholds (Sections 3.3 and 4)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import ceil, comb, floor
from random import Random
from typing import ClassVar, NamedTuple, TypeAlias

from pac_stability import data
from pac_stability.arithmetic import Constants, Epsilon, Interval
from pac_stability.claims import kit
from pac_stability.claims.instances import all_classes
from pac_stability.claims.kit import at_most, holds
from pac_stability.classes import FiniteClass, Row, cube, thresholds
from pac_stability.compression.geometric import ChainScheme
from pac_stability.dimensions import sauer_shelah_bound, vc_dimension
from pac_stability.notions.closeness import minimal_epsilon
from pac_stability.papers.cummings_et_al import algorithm_1

TRIALS = kit.Table("CLNRW16")

Labelled: TypeAlias = data.Example[Hashable]
Target: TypeAlias = data.FiniteDistribution[Labelled]


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
    def learner(self) -> algorithm_1.GenericAgnosticLearner[Row]:
        """The learner."""
        return algorithm_1.GenericAgnosticLearner(self.H, self.beta, Epsilon(self.epsilon))

    def __str__(self) -> str:
        return (
            f"H = {self.H.table.tolist()}, beta = {self.beta}, epsilon = {self.epsilon}, "
            f"n = {self.n}, D = {self.target}"
        )


@kit.universe(
    "classes on one and two points, random distributions, n up to 4; two "
    "constants, thresholds and all sets, n up to 16"
)
def _generics(budget: kit.Budget) -> Iterator[Generic]:
    kinds = [H for m in (1, 2) for H in all_classes(m)]
    for index in range(budget.pick(28, 280, 2800)):
        coins = Random(f"generic/{index}")
        H = kinds[index % len(kinds)]
        examples = data.all_examples(H.domain)
        weights = [coins.randint(0, 3) for _ in examples]
        weights[coins.randrange(len(weights))] += 1
        target = data.FiniteDistribution(
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
            data.Example(0, 1): Fraction(p),
            data.Example(0, 0): 1 - Fraction(p),
        }
        law = data.FiniteDistribution(coin)
        for beta in ("1/2", "19/20"):
            yield Generic(constants, Fraction(beta), Fraction(epsilon), n, law)
    # More hypotheses, up to all of two points.
    uneven: dict[Labelled, Fraction] = {
        data.Example(0, 1): Fraction(1, 2),
        data.Example(0, 0): Fraction(1, 4),
        data.Example(1, 1): Fraction(1, 4),
    }
    for H, n in product((thresholds(2), cube(2)), budget.pick((9, 16), (9, 16, 25), (9, 16, 36))):
        law = data.FiniteDistribution(uneven)
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


def _samples(generic: Generic) -> Iterator[data.Sample[Hashable]]:
    for kind in data.multiset_distribution(generic.target, generic.n).support:
        yield data.Sample.from_examples(kind.elements())


def _drawn_as_written(weight: Weight, generic: Generic) -> kit.Finding:
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
                return kit.fails(
                    f"{generic}, sample {sample}: Pr[{h}] / Pr[{first}] is {float(found):.6f}, "
                    f"and {float(written):.6f} as written"
                )
    return holds()


TRIALS.add(
    "algorithm-1", "the law as written", _drawn_as_written, _generics, _printed_weight,
    _private_weight
)  # fmt: skip


# Lemma 29.

Imitated: TypeAlias = Callable[[Generic], data.Mechanism[Target, Row]]


def _imitates(simulator: Imitated, generic: Generic) -> kit.Comparison:
    simulated = simulator(generic).law(generic.target)
    factor = Epsilon(generic.epsilon).ratio
    missed = Fraction(0)
    for kind, weight in data.multiset_distribution(generic.target, generic.n).items():
        law = generic.learner.law(data.Sample.from_examples(kind.elements()))
        if minimal_epsilon(law, simulated) > factor:
            missed += weight
    return kit.within(missed, generic.beta)


def _simulator(generic: Generic) -> data.Mechanism[Target, Row]:
    return generic.learner.simulator(generic.n)


@dataclass(frozen=True, slots=True)
class _Sharper:
    """The simulator with a weight that is n times too steep."""

    generic: Generic

    def law(self, x: Target, /) -> data.FiniteDistribution[Row]:
        return self.generic.learner.simulator(self.generic.n * 40).law(x)

    def run(self, x: Target, /, rng: object = None) -> Row:  # noqa: ARG002  # the parameters of what it stands in for
        return self.law(x).support[0]


TRIALS.add("lemma-29", "all samples", _imitates, _generics, _simulator, _Sharper)


def _imitates_as_written(scale: int, generic: Generic) -> kit.Finding:
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
            return kit.fails(
                f"{generic}: Pr[{h}] / Pr[{first}] is {found}, {float(written)} as written"
            )
    return holds()


TRIALS.add("lemma-29", "the simulator as written", _imitates_as_written, _generics, 1, 2)


# Theorem 30.


@dataclass(frozen=True, slots=True)
class NoisyLabels:
    """A class, and labels that are 1 with probability p.

    Attributes
    ----------
    p
        Above 1/2, so that labels of 1 are best.
    alpha, gamma
        What is asked for; beta is gamma, as in the theorem.
    epsilon
        The number itself.
    """

    p: Fraction
    alpha: Fraction
    gamma: Fraction
    epsilon: Fraction

    hypotheses: ClassVar[int]

    def size(self, constants: Constants) -> int:
        """Return the sample size of Theorem 30."""
        accuracy = self.alpha, self.gamma, self.gamma
        epsilon = Epsilon(self.epsilon)
        return algorithm_1.GenericAgnosticSize(
            self.hypotheses, *accuracy, epsilon, constants
        ).sample_size


@dataclass(frozen=True, slots=True)
class LearnedCoin(NoisyLabels):
    """Two constant hypotheses, and labels of one point."""

    hypotheses: ClassVar[int] = 2

    def failure(self, n: int) -> Interval:
        """Enclose how often the worse hypothesis is output, by the formula of Algorithm 1."""
        step = self.epsilon / Interval.sqrt(2 * n * Interval.log(4 / self.gamma))
        right, wrong = self.p.numerator, self.p.denominator - self.p.numerator
        unit = 1 << 64
        lower = upper = 0
        for ones in range(n + 1):
            # 0 errs on the ones, 1 on the zeros
            worse = unit / (1 + Interval.exp(step * (2 * ones - n)))
            weight = comb(n, ones) * right**ones * wrong ** (n - ones)
            lower += weight * floor(worse.lower)
            upper += weight * ceil(worse.upper)
        total = unit * self.p.denominator**n
        return Interval(Fraction(lower, total), Fraction(upper, total))


@dataclass(frozen=True, slots=True)
class LearnedSquare(NoisyLabels):
    """All four labelings of two points, each with weight 1/2, and noise on their labels.

    Here p is above 1/2 + alpha, so that one point that is wrong is too much.
    """

    hypotheses: ClassVar[int] = 4

    def failure(self, n: int) -> Interval:
        """Enclose how often a point is wrong: given how many examples it has, they are alone."""
        step = self.epsilon / Interval.sqrt(2 * n * Interval.log(8 / self.gamma))
        one, zero = self.p.numerator, self.p.denominator - self.p.numerator
        unit = 1 << 96
        right = {
            surplus: unit / (1 + Interval.exp(-step * surplus)) for surplus in range(-n, n + 1)
        }
        ends = [(floor(chance.lower), ceil(chance.upper)) for chance in right.values()]
        lower, upper = [], []
        for m in range(n + 1):
            weights = [comb(m, k) * one**k * zero ** (m - k) for k in range(m + 1)]
            total = self.p.denominator**m
            least = sum(w * ends[n + 2 * k - m][0] for k, w in enumerate(weights))
            most = sum(w * ends[n + 2 * k - m][1] for k, w in enumerate(weights))
            lower.append(least // total)
            upper.append(-(-most // total))
        both_least = sum(comb(n, m) * lower[m] * lower[n - m] for m in range(n + 1))
        both_most = sum(comb(n, m) * upper[m] * upper[n - m] for m in range(n + 1))
        whole = unit**2 * 2**n
        return Interval(1 - Fraction(both_most, whole), 1 - Fraction(both_least, whole))


@kit.universe("two uniform points with noise on the labels, two gammas, alphas and epsilons")
def _squares(budget: kit.Budget) -> Iterator[LearnedSquare]:
    for gamma, alpha, epsilon in product(
        ("9/20", "1/5"), ("49/100", "9/20"), ("100", "10", "4")[: budget.pick(2, 3, 3)]
    ):
        p = Fraction(1, 2) + Fraction(alpha) + Fraction(1, 1000)
        yield LearnedSquare(p, Fraction(alpha), Fraction(gamma), Fraction(epsilon))


def _coins(epsilons: tuple[str, ...]) -> Callable[[kit.Budget], Iterator[LearnedCoin]]:
    def instances(budget: kit.Budget) -> Iterator[LearnedCoin]:
        alphas = budget.pick(("1/2", "9/20"), ("1/2", "9/20", "1/4"), ("1/2", "1/4", "1/10"))
        for gamma, alpha, epsilon in product(("2/5", "1/5"), alphas, epsilons):
            # just above the excess that is tolerated, where the failure counts
            p = (1 + Fraction(alpha)) / 2 + Fraction(1, 50)
            yield LearnedCoin(p, Fraction(alpha), Fraction(gamma), Fraction(epsilon))

    return instances


_FEW_COINS = kit.Universe(
    "labels with two biases, two gammas, epsilons from 1 to 1000",
    _coins(("1", "10", "100", "1000")),
)


_ALL_COINS = kit.Universe(
    "labels with two biases, two gammas, three epsilons", _coins(("1", "3", "100"))
)


Size: TypeAlias = Callable[[LearnedCoin | LearnedSquare], int]


def _accurate(size: Size, coin: LearnedCoin | LearnedSquare) -> kit.Finding:
    n = size(coin)
    failure = coin.failure(n)
    kind = "two constants" if isinstance(coin, LearnedCoin) else "all sets of two points"
    text = (
        f"{kind}, Pr[label 1] = {coin.p}, alpha = {coin.alpha}, epsilon = {coin.epsilon}: "
        f"n = {n} is stated, with which the output is worse by {2 * coin.p - 1} with probability "
        f"{float(failure):.4f}; gamma = {coin.gamma}"
    )
    return at_most(failure, coin.gamma, text)


def _paper_size(coin: LearnedCoin | LearnedSquare) -> int:
    return coin.size(Constants.PRINTED)


TRIALS.add("theorem-30", "two constant hypotheses", _accurate, _FEW_COINS, _paper_size)


def _sharp_size(coin: LearnedCoin | LearnedSquare) -> int:
    return coin.size(Constants.SHARP)


def _one_example(_: LearnedCoin | LearnedSquare) -> int:
    return 1


TRIALS.add(
    "theorem-30.repaired", "two constant hypotheses", _accurate, _ALL_COINS, _sharp_size,
    _one_example
)  # fmt: skip
TRIALS.add(
    "theorem-30.repaired", "all sets of two points", _accurate, _squares, _sharp_size, _one_example
)


class Asked(NamedTuple):
    """How many hypotheses, and the parameters."""

    hypotheses: int
    alpha: Fraction
    gamma: Fraction
    epsilon: Fraction


@kit.universe("|H| up to a million, three alphas, gammas and epsilons")
def _parameters(budget: kit.Budget) -> Iterator[Asked]:
    sizes = budget.pick((2, 10, 10**6), (2, 3, 10, 10**3, 10**6), (2, 3, 5, 10, 10**3, 10**6))
    alphas = [Fraction(a) for a in ("1/2", "1/10", "1/1000")]
    gammas = [Fraction(g) for g in ("1/2", "1/10", "1/1000")]
    epsilons = [Fraction(e) for e in ("1", "1/2", "1/100")]
    yield from map(Asked._make, product(sizes, alphas, gammas, epsilons))


def _enough(factor: int, case: Asked) -> kit.Comparison:
    """Compare the printed condition with what a proof needs that divides alpha as is best."""
    size, alpha, gamma, epsilon = case
    log = Interval.log(2 * size / gamma)
    printed = factor * log * log * log / (epsilon * alpha) ** 2
    # alpha sqrt(n) >= sqrt(2 L) + L sqrt(2 L) / epsilon
    root = Interval.sqrt(2 * log) * (1 + log / epsilon) / alpha
    return kit.within(root * root, printed)


TRIALS.add("theorem-30.repaired", "the printed condition", _enough, _parameters, 6, 2)


# Corollary 31.


@kit.universe(
    "every class on up to three points, up to isomorphism", extent="classes on up to 3 points"
)
def _domains(budget: kit.Budget) -> Iterator[FiniteClass]:
    for m in (1, 2, 3):
        yield from all_classes(m, labels_matter=budget is not kit.Budget.QUICK)


_THE_CLASS: kit.OnClass[FiniteClass] = kit.OnClass(
    lambda H: [H], "the class itself", points=12, hypotheses=64
)


def _labelings(count: Callable[[int, int], int], H: FiniteClass) -> kit.Finding:
    m, d = len(H.domain), vc_dimension(H)
    learner = algorithm_1.FiniteDomainLearner(H, H.domain, "1/10", 1)
    patterns = {tuple(h(x) for x in H.domain) for h in H}
    tenth = Fraction(1, 10)
    size = algorithm_1.corollary_31(m, d, alpha=tenth, beta=tenth, gamma=tenth, epsilon=Epsilon(1))
    own = learner.sample_size(tenth, tenth)
    law = learner.law(data.Sample([H.domain[0]], [0]))
    told = {tuple(h(x) for x in H.domain): chance for h, chance in law.items()}
    run = learner.learner.law(data.Sample([H.domain[0]], [0]))
    drawn = {tuple(h(x) for x in H.domain): chance for h, chance in run.items()}
    truth = (
        len(patterns) == len(learner.labelings) <= count(m, d) == size.class_size
        and own <= size.sample_size
        and all(h in set(H) for h in law.support)
        and told == drawn
        and set(told) == patterns
    )
    return kit.settle(
        truth,
        f"{H.table.tolist()}: {len(patterns)} labelings, at most {count(m, d)} are stated; n = "
        f"{own} for this class and {size.sample_size} for the dimension",
    )


def _largest_power(m: int, d: int) -> int:
    return int(m**d)


TRIALS.add(
    "corollary-31.explicit", "labelings", _labelings, _domains.and_on(_THE_CLASS),
    sauer_shelah_bound, _largest_power
)  # fmt: skip


Placed: TypeAlias = tuple[int, int]
"""A point and its label."""


def downward(m: int) -> FiniteClass:
    """Return the thresholds of the paper on 0, ..., m - 1: 1 up to a point."""
    return FiniteClass([[int(y <= x) for y in range(m)] for x in range(m)])


# Lemma 23.

Range: TypeAlias = tuple[int, tuple[int, ...]]
"""The number of points, and the thresholds that may be output."""


@kit.universe(
    "every proper subset of the thresholds on two to seven points",
    extent="thresholds on 2 to 7 points",
)
def _ranges(budget: kit.Budget) -> Iterator[Range]:
    for m in range(2, budget.pick(7, 9, 11) + 1):
        for size in range(1, m):
            for outputs in combinations(range(m), size):
                yield m, outputs


Bad: TypeAlias = Callable[[int, tuple[int, ...]], data.FiniteDistribution[data.Example[int]]]


def _hard(bad: Bad, given: Range) -> kit.Finding:
    m, outputs = given
    source = bad(m, outputs)
    targets = [c for c in range(m) if all((z.point <= c) == bool(z.label) for z in source.support)]
    errors = [
        sum((p for z, p in source.items() if (z.point <= h) != bool(z.label)), Fraction(0))
        for h in outputs
    ]
    return kit.settle(
        bool(targets) and min(errors) >= Fraction(1, 2),
        f"{m} points, outputs {outputs}: on {source}, labelled by {targets}, the least error is "
        f"{min(errors)}",
    )


def _worst_source(m: int, outputs: tuple[int, ...]) -> data.FiniteDistribution[data.Example[int]]:
    return algorithm_1.FiniteRangeThresholds(m, outputs).worst


def _after_the_first(
    m: int, outputs: tuple[int, ...]
) -> data.FiniteDistribution[data.Example[int]]:
    """Take the two points after the first output, as in the proof for a dense order."""
    y = min(outputs[0] + 1, m - 2)
    return data.FiniteDistribution.uniform([data.Example(y, 1), data.Example(y + 1, 0)])


TRIALS.add("lemma-23", "all ranges", _hard, _ranges, _worst_source, _after_the_first)


# Theorem 24.


def _threshold_samples(budget: kit.Budget) -> Iterator[tuple[int, tuple[Placed, ...]]]:
    for n in range(1, budget.pick(4, 5, 6) + 1):
        for m in (2, 3, 4):
            examples = [(x, y) for x in range(m) for y in (0, 1)]
            for sample in combinations_with_replacement(examples, n):
                yield m, sample


_EVERY_SAMPLE = kit.Universe(
    "every multiset of up to four examples on two, three and four points",
    _threshold_samples,
    extent="up to 4 examples on 2 to 4 points",
)


@kit.universe("every multiset of up to four examples that a threshold fits, on up to four points")
def _fitted(budget: kit.Budget) -> Iterator[tuple[int, tuple[Placed, ...]]]:
    for m, sample in _threshold_samples(budget):
        if any(all((x <= c) == bool(y) for x, y in sample) for c in range(m)):
            yield m, sample


Cut: TypeAlias = Callable[[int, tuple[Placed, ...]], int | None]
"""From the number of points and a sample to the threshold, or none."""


def _fewest_errors(cut: Cut, given: tuple[int, tuple[Placed, ...]]) -> kit.Finding:
    m, sample = given
    errors = [sum((x <= c) != bool(y) for x, y in sample) for c in range(m)]
    found = cut(m, sample)
    if found is None:
        return kit.fails(f"{m} points, sample {sample}: no positive example, and so no threshold")
    return kit.settle(
        errors[found] == min(errors),
        f"{m} points, sample {sample}: {errors[found]} errors, where {min(errors)} would do",
    )


def _largest_positive(m: int, sample: tuple[Placed, ...]) -> int | None:
    return max((x for x, y in sample if y), default=None)


TRIALS.add("theorem-24.proof", "realizable samples", _fewest_errors, _fitted, _largest_positive)


def _largest_positive_or_first(m: int, sample: tuple[Placed, ...]) -> int | None:
    found = _largest_positive(m, sample)
    return 0 if found is None else found


def _of_one_example(m: int, sample: tuple[Placed, ...]) -> int | None:
    """Keep one example with the scheme, and rebuild the threshold from it alone."""
    scheme = ChainScheme(downward(m))
    (index,) = scheme.compress(data.Sample(*zip(*sample, strict=True)))
    point: Hashable = sample[index][0]
    h = scheme.reconstruct(data.Sample([point], [sample[index][1]]))
    return sum(h(x) for x in range(m)) - 1


TRIALS.add(
    "theorem-24.explicit", "all samples", _fewest_errors, _EVERY_SAMPLE, _of_one_example,
    _largest_positive_or_first
)  # fmt: skip
