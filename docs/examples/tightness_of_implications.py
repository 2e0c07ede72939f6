"""How tight the implications are: what is exactly true of a mechanism, beside what they say of it.

An implication speaks of all mechanisms with a guarantee and of all distributions. A row compares it
with the best possible value for one mechanism on one distribution, found by the best adversary or
the best simulator. A row near 1 shows that the implication can hardly be improved; a row far from 1
says something about this mechanism.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from pac_stability.arguments import AnyNumber, as_number
from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.data import FiniteDistribution, Multiset, multiset_distribution
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.notions import perfect_generalization, robust_generalization
from pac_stability.notions.by_type import independent_draws
from pac_stability.papers.cummings_et_al.implications import (
    PerfectGuarantee,
    finite_range_deviation,
    perfect_deviation,
    private_to_perfect_epsilon,
    pure_privacy_deviation,
)

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741  # an outcome


@dataclass(frozen=True, slots=True)
class KnownMechanism(Generic[S, O]):
    """A mechanism with exact laws, on the samples from one distribution.

    Parameters
    ----------
    name
        What it does.
    law
        The law of the output on a sample.
    samples
        D^n: ``distribution.power(n)`` or ``multiset_distribution(distribution, n)``.
    outputs
        How many outputs there are.
    privacy
        Its guarantee with delta = 0, or ``None`` when it is not private.
    """

    name: str
    law: Callable[[S], FiniteDistribution[O]]
    samples: FiniteDistribution[S]
    outputs: int
    privacy: PrivacyGuarantee | None = None

    @property
    def n(self) -> int:
        """The size of the samples."""
        return independent_draws(self.samples).n

    def private(self) -> PrivacyGuarantee:
        """Return the privacy guarantee, refusing a mechanism that has none."""
        if self.privacy is None:
            raise InvalidInput("exhibit", self.name, "a mechanism with a privacy guarantee")
        return self.privacy


@dataclass(frozen=True, slots=True)
class TightnessRow:
    """One implication beside the truth, for one exhibit.

    Attributes
    ----------
    implication
        The item of CLNRW16.
    mechanism
        The name of the exhibit.
    n
        The size of the samples.
    exact
        The smallest deviation, or epsilon, that is true: a number, or narrow bounds on it.
    proved
        What the implication says, with the constants that are proved here.
    printed
        What it says with the constants of the paper; ``None`` where the paper hides them.
    """

    implication: str
    mechanism: str
    n: int
    exact: Interval
    proved: Interval
    printed: Interval | None

    @property
    def ratio(self) -> Interval:
        """How many times what is proved exceeds what is true."""
        return self.proved / self.exact

    def __str__(self) -> str:
        printed = "     -" if self.printed is None else f"{float(self.printed):6.3f}"
        return (
            f"{self.implication:10} {self.mechanism:24} n = {self.n:<4} exact "
            f"{float(self.exact):6.3f} proved {float(self.proved):6.3f} printed {printed}"
        )


def finite_range_row(exhibit: KnownMechanism[S, O], delta: AnyNumber) -> TightnessRow:
    """Compare Theorem 21 with the best adversary: deviations with probability of failure delta.

    Parameters
    ----------
    exhibit
        Any mechanism.
    delta
        Above 0 and below 1.

    Examples
    --------
    >>> str(finite_range_row(constant(12), "1/10"))
    'Theorem 21 says nothing             n = 12   exact  0.250 proved  0.353 printed  0.310'
    """
    return TightnessRow(
        "Theorem 21",
        exhibit.name,
        exhibit.n,
        _deviation(exhibit, delta),
        finite_range_deviation(exhibit.outputs, exhibit.n, delta),
        finite_range_deviation(exhibit.outputs, exhibit.n, delta, constants="paper"),
    )


def private_to_robust_row(exhibit: KnownMechanism[S, O], delta: AnyNumber) -> TightnessRow:
    """Compare Theorem 20, as proved here for pure privacy, with the best adversary.

    Parameters
    ----------
    exhibit
        A private mechanism.
    delta
        Above 0 and below 1.

    Raises
    ------
    InvalidInput
        The mechanism has no privacy guarantee.

    Examples
    --------
    >>> str(private_to_robust_row(noisy_favourite(12, Fraction(4, 5)), "1/10"))
    'Theorem 20 noisy favourite 4/5      n = 12   exact  0.250 proved  0.454 printed      -'
    """
    proved = pure_privacy_deviation(exhibit.private(), exhibit.n, delta)
    exact = _deviation(exhibit, delta)
    return TightnessRow("Theorem 20", exhibit.name, exhibit.n, exact, proved, None)


def perfect_to_robust_row(
    exhibit: KnownMechanism[S, O], epsilon: Epsilon, delta: AnyNumber = 0
) -> TightnessRow:
    """Compare Lemma 36 with the best adversary, from the exact beta of perfect generalization.

    Parameters
    ----------
    exhibit
        A mechanism.
    epsilon, delta
        The parameters of perfect generalization; beta is the least there is for them, on the
        exhibit's distribution.

    Raises
    ------
    InvalidInput
        Then beta + delta is 0, or 1/2 or more: the lemma says nothing.

    Examples
    --------
    >>> row = perfect_to_robust_row(noisy_favourite(12, Fraction(4, 5)), Epsilon.exactly(2))
    >>> row.exact <= row.proved, row.printed is not None and 2 * row.proved <= row.printed
    (True, True)
    """
    lost = as_number(delta, "delta")
    beta = perfect_generalization.minimal_beta(exhibit.law, exhibit.samples, epsilon, lost).upper
    perfect = PerfectGuarantee(Fraction(beta), epsilon, lost)
    return TightnessRow(
        "Lemma 36",
        exhibit.name,
        exhibit.n,
        _deviation(exhibit, 2 * (perfect.beta + lost)),
        perfect_deviation(perfect, exhibit.n),
        perfect_deviation(perfect, exhibit.n, constants="paper"),
    )


def private_to_perfect_row(exhibit: KnownMechanism[S, O], beta: AnyNumber) -> TightnessRow:
    """Compare Theorem 39 with the best simulator: the epsilons of perfect generalization.

    Parameters
    ----------
    exhibit
        A private mechanism.
    beta
        The share of samples that may be missed, above 0 and below 1.

    Raises
    ------
    InvalidInput
        The mechanism has no privacy guarantee.

    Examples
    --------
    >>> str(private_to_perfect_row(noisy_majority(100, Fraction(99, 100)), "1/20"))
    'Theorem 39 noisy majority 99/100    n = 100  exact  0.095 proved  0.150 printed  0.298'
    """
    best = perfect_generalization.minimal_epsilon(exhibit.law, exhibit.samples, beta)
    private, n, outputs = exhibit.private(), exhibit.n, exhibit.outputs
    return TightnessRow(
        "Theorem 39",
        exhibit.name,
        n,
        Interval(
            Interval.log(Fraction(best.lower)).lower, Interval.log(Fraction(best.upper)).upper
        ),
        private_to_perfect_epsilon(private, n, beta, outputs),
        private_to_perfect_epsilon(private, n, beta, outputs, constants="paper"),
    )


def constant(n: int) -> KnownMechanism[Multiset[str], str]:
    """Return the mechanism that ignores its sample, of n fair draws from three elements.

    Parameters
    ----------
    n
        The size of the samples.
    """
    silent = FiniteDistribution.point_mass("")
    return KnownMechanism("says nothing", lambda _: silent, _thirds(n), 1, _NO_LOSS)


def reveal(n: int) -> KnownMechanism[Multiset[str], Multiset[str]]:
    """Return the mechanism that reveals its sample, of n fair draws from three elements.

    Parameters
    ----------
    n
        The size of the samples.
    """
    samples = _thirds(n)
    return KnownMechanism(
        "reveals its sample", FiniteDistribution.point_mass, samples, len(samples)
    )


def favourite(n: int) -> KnownMechanism[Multiset[str], str]:
    """Return the mechanism that names the most frequent of three elements, the first at a tie.

    Parameters
    ----------
    n
        The size of the samples, fair draws.
    """

    def law(sample: Multiset[str]) -> FiniteDistribution[str]:
        return FiniteDistribution.point_mass(max("abc", key=sample.count))

    return KnownMechanism("favourite", law, _thirds(n), 3)


def noisy_favourite(n: int, decay: Fraction) -> KnownMechanism[Multiset[str], str]:
    """Return the exponential mechanism for the most frequent of three elements.

    Parameters
    ----------
    n
        The size of the samples, fair draws.
    decay
        The weight of an element is this to the power -count; epsilon is -2 ln(decay).
    """

    def law(sample: Multiset[str]) -> FiniteDistribution[str]:
        weights = {x: decay ** -sample.count(x) for x in "abc"}
        total = sum(weights.values(), Fraction())
        return FiniteDistribution({x: weight / total for x, weight in weights.items()})

    private = PrivacyGuarantee(Epsilon.exactly(decay**-2))
    return KnownMechanism(f"noisy favourite {decay}", law, _thirds(n), 3, private)


def noisy_majority(n: int, decay: Fraction) -> KnownMechanism[Multiset[int], int]:
    """Return the majority of n fair bits with two-sided geometric noise: 1 when it exceeds n/2.

    Parameters
    ----------
    n
        The size of the samples, even.
    decay
        Noise z has weight ``decay**|z|``; epsilon is -ln(decay).

    Notes
    -----
    The mechanism of CLNRW16 Theorem 40 with discrete noise.
    """

    def law(sample: Multiset[int]) -> FiniteDistribution[int]:
        above = n // 2 + 1 - sample.count(1)  # the least noise that gives 1
        tail = decay ** max(above, 1 - above) / (1 + decay)
        one = tail if above > 0 else 1 - tail
        return FiniteDistribution({1: one, 0: 1 - one})

    samples = multiset_distribution(FiniteDistribution.uniform([0, 1]), n)
    private = PrivacyGuarantee(Epsilon.exactly(1 / decay))
    return KnownMechanism(f"noisy majority {decay}", law, samples, 2, private)


def randomized_responses(
    n: int, odds: Fraction
) -> KnownMechanism[tuple[int, ...], tuple[int, ...]]:
    """Return the mechanism that tells each of n fair bits, truly with odds to 1.

    Parameters
    ----------
    n
        The size of the samples.
    odds
        e**epsilon.
    """

    def law(sample: tuple[int, ...]) -> FiniteDistribution[tuple[int, ...]]:
        return flips.map(lambda flip: tuple(b ^ f for b, f in zip(sample, flip, strict=True)))

    flips = FiniteDistribution({0: odds / (1 + odds), 1: 1 / (1 + odds)}).power(n)
    samples = FiniteDistribution.uniform([0, 1]).power(n)
    private = PrivacyGuarantee(Epsilon.exactly(odds))
    return KnownMechanism(f"randomized answers {odds}", law, samples, 2**n, private)


def table() -> tuple[TightnessRow, ...]:
    """Return a catalogue of rows: each implication for a few mechanisms.

    Notes
    -----
    A few seconds.

    Examples
    --------
    >>> all(row.exact.lower <= row.proved.upper for row in table())
    True
    """
    tenth, twentieth = Fraction(1, 10), Fraction(1, 20)
    gentle, strong = noisy_favourite(15, Fraction(19, 20)), noisy_favourite(15, Fraction(1, 2))
    return (
        finite_range_row(constant(15), tenth),
        finite_range_row(favourite(15), tenth),
        finite_range_row(reveal(15), tenth),
        private_to_robust_row(constant(15), tenth),
        private_to_robust_row(gentle, tenth),
        private_to_robust_row(strong, tenth),
        perfect_to_robust_row(
            noisy_favourite(9, Fraction(19, 20)), Epsilon.exactly(Fraction(6, 5))
        ),
        perfect_to_robust_row(noisy_majority(30, Fraction(4, 5)), Epsilon.exactly(2)),
        private_to_perfect_row(noisy_favourite(6, Fraction(19, 20)), twentieth),
        private_to_perfect_row(noisy_majority(30, Fraction(4, 5)), twentieth),
        private_to_perfect_row(noisy_majority(100, Fraction(19, 20)), twentieth),
        private_to_perfect_row(noisy_majority(400, Fraction(99, 100)), twentieth),
        private_to_perfect_row(randomized_responses(3, Fraction(3, 2)), twentieth),
    )


_NO_LOSS = PrivacyGuarantee(Epsilon.exactly(1))


def _thirds(n: int) -> FiniteDistribution[Multiset[str]]:
    return multiset_distribution(FiniteDistribution.uniform("abc"), n)


def _deviation(exhibit: KnownMechanism[S, O], delta: AnyNumber) -> Interval:
    """Return the smallest deviation that the best adversary exceeds with probability <= delta."""
    found = robust_generalization.minimal_epsilon(exhibit.law, exhibit.samples, delta)
    return Interval.exactly(found.epsilon)
