"""Learning under perfect generalization: the generic learner (Sections 4.1 and 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, comb, floor
from random import Random
from typing import TypeAlias

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.claims.budget import Budget
from pac_stability.claims.claim import Claim, Expectation, Kind, Method
from pac_stability.claims.finding import Finding, fails, holds, settle, undecided
from pac_stability.claims.instances import all_classes
from pac_stability.claims.trial import trial
from pac_stability.classes import FiniteClass, Row
from pac_stability.data import (
    Example,
    FiniteDistribution,
    Mechanism,
    Sample,
    all_examples,
    multiset_distribution,
)
from pac_stability.dimensions import sauer_shelah_bound, vc_dimension
from pac_stability.notions.closeness import minimal_epsilon
from pac_stability.papers.cummings_et_al.generic_agnostic import GenericAgnosticLearner
from pac_stability.papers.cummings_et_al.labelings import FiniteDomainLearner, corollary_31
from pac_stability.papers.cummings_et_al.sizes import GenericAgnosticSize

Labelled: TypeAlias = Example[Hashable]
Target: TypeAlias = FiniteDistribution[Labelled]

CONSTANTS = FiniteClass([[0], [1]])
"""The two hypotheses on one point."""


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
        coins = Random(f"generic/{index}")  # noqa: S311
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
    """Compare the ratios of probabilities: they are rational, and within 2**-28 of the formula."""
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
    return settle(missed <= generic.beta, f"{generic}: the simulator misses {missed}")


def _simulator(generic: Generic) -> Mechanism[Target, Row]:
    return generic.learner.simulator(generic.n)


@dataclass(frozen=True, slots=True)
class _Sharper:
    """The simulator with a weight that is n times too steep."""

    generic: Generic

    def law(self, x: Target, /) -> FiniteDistribution[Row]:
        return self.generic.learner.simulator(self.generic.n * 40).law(x)

    def run(self, x: Target, /, rng: object = None) -> Row:  # noqa: ARG002
        return self.law(x).support[0]


def _steep_simulator(generic: Generic) -> Mechanism[Target, Row]:
    return _Sharper(generic)


# Theorem 30.


@dataclass(frozen=True, slots=True)
class Coin:
    """Two constant hypotheses, and a label that is 1 with probability p.

    Attributes
    ----------
    p
        Above 1/2, so that the hypothesis 1 is the best one.
    alpha, gamma
        What is asked for; beta is gamma, as in the theorem.
    epsilon
        The number itself.
    """

    p: Fraction
    alpha: Fraction
    gamma: Fraction
    epsilon: Fraction

    def size(self, constants: str) -> int:
        """Return the sample size of Theorem 30."""
        return GenericAgnosticSize(
            2,
            self.alpha,
            self.gamma,
            self.gamma,
            Epsilon(self.epsilon),
            "paper" if constants == "paper" else "sharp",
        ).sample_size

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


def _coins(epsilons: tuple[str, ...]) -> Callable[[Budget], Iterator[Coin]]:
    def instances(budget: Budget) -> Iterator[Coin]:
        alphas = budget.pick(("1/2", "9/20"), ("1/2", "9/20", "1/4"), ("1/2", "1/4", "1/10"))
        for gamma, alpha, epsilon in product(("2/5", "1/5"), alphas, epsilons):
            # just above the excess that is tolerated, where the failure counts
            p = (1 + Fraction(alpha)) / 2 + Fraction(1, 50)
            yield Coin(p, Fraction(alpha), Fraction(gamma), Fraction(epsilon))

    return instances


Size: TypeAlias = Callable[[Coin], int]


def _accurate(size: Size, coin: Coin) -> Finding:
    n = size(coin)
    failure = coin.failure(n)
    text = (
        f"two constants, Pr[label 1] = {coin.p}, alpha = {coin.alpha}, epsilon = {coin.epsilon}: "
        f"n = {n} is stated, with which the output is worse by {2 * coin.p - 1} with probability "
        f"{float(failure):.4f}; gamma = {coin.gamma}"
    )
    if failure.upper <= coin.gamma:
        return holds()
    return fails(text) if failure.lower > coin.gamma else undecided(text)


def _paper_size(coin: Coin) -> int:
    return coin.size("paper")


def _sharp_size(coin: Coin) -> int:
    return coin.size("sharp")


def _one_example(_: Coin) -> int:
    return 1


def _parameters(budget: Budget) -> Iterator[tuple[int, Fraction, Fraction, Fraction]]:
    sizes = budget.pick((2, 10, 10**6), (2, 3, 10, 10**3, 10**6), (2, 3, 5, 10, 10**3, 10**6))
    alphas = [Fraction(a) for a in ("1/2", "1/10", "1/1000")]
    gammas = [Fraction(g) for g in ("1/2", "1/10", "1/1000")]
    yield from product(sizes, alphas, gammas, [Fraction(1), Fraction(1, 2), Fraction(1, 100)])


def _enough(factor: int, case: tuple[int, Fraction, Fraction, Fraction]) -> Finding:
    """Compare the printed condition with what a proof needs that divides alpha as is best."""
    size, alpha, gamma, epsilon = case
    log = Interval.log(2 * size / gamma)
    printed = factor * log * log * log / (epsilon * alpha) ** 2
    # alpha sqrt(n) >= sqrt(2 L) + L sqrt(2 L) / epsilon
    root = Interval.sqrt(2 * log) * (1 + log / epsilon) / alpha
    return settle(
        root * root <= printed,
        f"|H| = {size}, alpha = {alpha}, gamma = {gamma}, epsilon = {epsilon}: "
        f"{float(printed):.0f} stated, {float(root * root):.0f} needed",
    )


# Corollary 31.


def _domains(budget: Budget) -> Iterator[FiniteClass]:
    for m in (1, 2, 3):
        yield from all_classes(m, labels_matter=budget is not Budget.QUICK)


def _labelings(count: Callable[[int, int], int], H: FiniteClass) -> Finding:
    m, d = len(H.domain), vc_dimension(H)
    learner = FiniteDomainLearner(H, H.domain, "1/10", 1)
    patterns = {tuple(h(x) for x in H.domain) for h in H}
    tenth = Fraction(1, 10)
    size = corollary_31(m, d, alpha=tenth, beta=tenth, gamma=tenth, epsilon=Epsilon(1))
    own = learner.sample_size(tenth, tenth)
    outputs = learner.law(Sample([H.domain[0]], [0])).support
    truth = (
        len(patterns) == len(learner.labelings) <= count(m, d) == size.class_size
        and own <= size.sample_size
        and all(h in set(H) for h in outputs)
    )
    return settle(
        truth,
        f"{H.table.tolist()}: {len(patterns)} labelings, at most {count(m, d)} are stated; n = "
        f"{own} for this class and {size.sample_size} for the dimension",
    )


def _largest_power(m: int, d: int) -> int:
    return int(m**d)


CLAIMS = (
    Claim(
        key="CLNRW16:definition-28",
        kind=Kind.DEFINITION,
        title="Learning under perfect generalization",
        statement="H is learnable so if one polynomial gives, for all alpha, gamma, beta, epsilon "
        "and delta in (0, 1/2), a sample size from which on a learner is (alpha, gamma)-accurate "
        "and (beta, epsilon, delta)-perfectly generalizing.",
        code=("papers.cummings_et_al.GenericAgnosticLearner",),
        method=Method.ASYMPTOTIC,
        expectation=Expectation.RECORDED,
        explicit="CLNRW16:theorem-30.repaired",
        uses=("CLNRW16:definition-3", "CLNRW16:definition-8"),
        note="A statement about all sizes at once. For finite H Algorithm 1 is such a learner, by "
        "Lemma 29 and Theorem 30, with the explicit polynomial of the latter.",
    ),
    Claim(
        key="CLNRW16:algorithm-1",
        kind=Kind.ALGORITHM,
        title="Generic agnostic learner",
        statement="On n examples a hypothesis h is output with probability in proportion to "
        "exp(-sqrt(n) epsilon err(S, h)/sqrt(2 ln(2|H|/beta))), up to a rational rounding of the "
        "exponent by a share below n 2^-26.",
        code=("papers.cummings_et_al.GenericAgnosticLearner",),
        method=Method.CERTIFIED,
        trials=(
            trial(
                "the law as written",
                _drawn_as_written,
                _generics,
                subject=_printed_weight,
                mutant=_private_weight,
                universe="classes on one and two points, random distributions, n up to 4",
            ),
        ),
    ),
    Claim(
        key="CLNRW16:lemma-29",
        kind=Kind.LEMMA,
        title="The generic learner generalizes perfectly",
        statement="For every finite H, beta in (0, 1), epsilon > 0, n and D, the law of Algorithm "
        "1 is (epsilon, 0)-close to that of the simulator with true errors in place of empirical "
        "ones, except on a beta share of the samples.",
        code=(
            "papers.cummings_et_al.GenericAgnosticSimulator",
            "papers.cummings_et_al.GenericAgnosticLearner.simulator",
        ),
        trials=(
            trial(
                "all samples",
                _imitates,
                _generics,
                subject=_simulator,
                mutant=_steep_simulator,
                universe="classes on one and two points, random distributions, n up to 4",
            ),
        ),
        uses=("CLNRW16:algorithm-1", "CLNRW16:definition-8"),
        note="The display in the proof has exp(epsilon/2) twice and Z'/Z as well; the second "
        "factor bounds that quotient.",
    ),
    Claim(
        key="CLNRW16:theorem-30",
        kind=Kind.THEOREM,
        title="The generic learner is accurate",
        statement="With beta = gamma, Algorithm 1 is (alpha, gamma)-accurate for n >= 6 "
        "(ln(2|H|/gamma))^3/(epsilon alpha)^2, for all epsilon, alpha, gamma > 0.",
        code=("papers.cummings_et_al.GenericAgnosticSize",),
        method=Method.CERTIFIED,
        expectation=Expectation.FAILS,
        repaired_by="CLNRW16:theorem-30.repaired",
        trials=(
            trial(
                "two constant hypotheses",
                _accurate,
                _coins(("1", "10", "100", "1000")),
                subject=_paper_size,
                universe="labels with two biases, two gammas, epsilons from 1 to 1000",
            ),
        ),
        uses=("CLNRW16:algorithm-1", "CLNRW16:definition-3"),
        note="For large epsilon the condition admits a single example. The printed division of "
        "alpha into thirds needs 18 for 6.",
    ),
    Claim(
        key="CLNRW16:theorem-30.repaired",
        kind=Kind.REPAIR,
        title="The generic learner is accurate, for epsilon up to 1",
        statement="Let L = ln(2|H|/gamma). For every epsilon, n >= 2 L (1 + L/epsilon)^2/alpha^2 "
        "is enough; for epsilon <= 1, |H| >= 2 and gamma <= 1/2 this is at most the printed "
        "6 L^3/(epsilon alpha)^2.",
        code=(
            "papers.cummings_et_al.GenericAgnosticSize",
            "papers.cummings_et_al.GenericAgnosticLearner.sample_size",
        ),
        method=Method.CERTIFIED,
        trials=(
            trial(
                "two constant hypotheses",
                _accurate,
                _coins(("1", "3", "100")),
                subject=_sharp_size,
                mutant=_one_example,
                universe="labels with two biases, two gammas, three epsilons",
            ),
            trial(
                "the printed condition",
                _enough,
                _parameters,
                subject=6,
                mutant=2,
                universe="|H| up to a million, three alphas, gammas and epsilons",
            ),
        ),
        uses=("CLNRW16:algorithm-1", "CLNRW16:definition-3"),
    ),
    Claim(
        key="CLNRW16:corollary-31",
        kind=Kind.COROLLARY,
        title="Finite domains",
        statement="A class of VC dimension d on a finite domain has at most sum_{i <= d} C(|X|, i) "
        "labelings; Algorithm 1 with one hypothesis of H for each is proper, and the sample size "
        "of Theorem 30 for that number suffices.",
        code=(
            "papers.cummings_et_al.FiniteDomainLearner",
            "papers.cummings_et_al.corollary_31",
            "dimensions.sauer_shelah_bound",
        ),
        method=Method.EXPLICIT,
        trials=(
            trial(
                "labelings",
                _labelings,
                _domains,
                subject=sauer_shelah_bound,
                mutant=_largest_power,
                universe="every class on up to three points, up to isomorphism",
                exhaustive=True,
            ),
        ),
        uses=("CLNRW16:lemma-29", "CLNRW16:theorem-30.repaired", "CLNRW16:definition-4"),
        note="The paper's O() hides the constant, and its beta is the gamma of Theorem 30. The "
        "domain has to be finite: see Theorem 35.",
    ),
)
