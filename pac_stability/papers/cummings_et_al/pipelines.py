"""Theorem 32 on finite instances: its premise, its conclusion, and what is true, all exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Generic, TypeVar

from pac_stability.arguments import (
    AnyNumber,
    as_number,
    as_probability,
    as_size,
    distinct,
)
from pac_stability.arithmetic import Constants, Epsilon
from pac_stability.data import (
    FiniteDistribution,
    Multiset,
    multiset_distribution,
    multisets,
    neighbouring_multisets,
)
from pac_stability.errors import InvalidInput
from pac_stability.notions import differential_privacy
from pac_stability.notions.by_type import laws_by_type
from pac_stability.notions.perfect_generalization import MAX_STEPS, minimal_epsilon
from pac_stability.papers.cummings_et_al.resampling import empirical
from pac_stability.papers.cummings_et_al.resampling_privacy import (
    ResamplingPrivacy,
    StatementLike,
)

E = TypeVar("E")
O = TypeVar("O")  # noqa: E741  # an outcome


@dataclass(frozen=True)
class ResamplingPipeline(Generic[E, O]):
    """What Theorem 32 says of one mechanism on one finite universe, and what is the case.

    Made by :func:`resampling_pipeline`.

    Attributes
    ----------
    n
        The size of the samples.
    beta, delta
        Two of the parameters of perfect generalization of M.
    lower, upper
        Certified bounds on the third, as a factor ``e**epsilon``: the least with which M is (beta,
        epsilon, delta)-perfectly generalizing on each of the distributions of the premise; perhaps
        infinite.
    hardest
        The distribution that needs ``upper``.
    compiled
        The law of Algorithm 2 on each type of sample.
    """

    n: int
    beta: Fraction
    delta: Fraction
    lower: Fraction | float
    upper: Fraction | float
    hardest: FiniteDistribution[E]
    compiled: dict[Multiset[E], FiniteDistribution[O]]

    def stated(self, constants: StatementLike = Constants.SHARP) -> ResamplingPrivacy:
        """Return Theorem 32 for the parameters that were found.

        Parameters
        ----------
        constants
            As for :class:`ResamplingPrivacy`.

        Raises
        ------
        InvalidInput
            The factor is infinite: M is not perfectly generalizing with this beta and delta.
        """
        if not isinstance(self.upper, Fraction):
            raise InvalidInput("beta", "parameters that need an infinite epsilon", "larger ones")
        epsilon = Epsilon.exactly(self.upper)
        return ResamplingPrivacy(self.n, self.beta, epsilon, self.delta, constants)

    def private_delta(self, epsilon: Epsilon) -> Fraction:
        """Return the least delta with which Algorithm 2 is (epsilon, delta)-private.

        Parameters
        ----------
        epsilon
            The privacy parameter.
        """
        return differential_privacy.minimal_delta(self._law, self._neighbours(), epsilon)

    def private_factor(self, delta: AnyNumber = 0) -> Fraction | float:
        """Return the factor of the least epsilon with which Algorithm 2 is private.

        Parameters
        ----------
        delta
            A probability.
        """
        return differential_privacy.minimal_epsilon(self._law, self._neighbours(), delta)

    def holds(self, constants: StatementLike = Constants.SHARP) -> bool:
        """Return whether what Theorem 32 states is true here.

        Parameters
        ----------
        constants
            As for :meth:`stated`.

        Raises
        ------
        InvalidInput
            As for :meth:`stated`, or the statement does not apply.
        """
        stated = self.stated(constants).guarantee
        return self.private_delta(stated.epsilon) <= stated.delta

    def _law(self, kind: Multiset[E]) -> FiniteDistribution[O]:
        return self.compiled[kind]

    def _neighbours(self) -> Iterator[tuple[Multiset[E], Multiset[E]]]:
        universe = dict.fromkeys(element for kind in self.compiled for element in kind.support)
        return neighbouring_multisets(universe, self.n)


def resampling_pipeline(
    law: Callable[[tuple[E, ...]], FiniteDistribution[O]],
    universe: Iterable[E],
    n: int,
    beta: AnyNumber,
    delta: AnyNumber = 0,
    *,
    symmetric: bool = False,
    halfway: bool = False,
    max_steps: int = MAX_STEPS,
) -> ResamplingPipeline[E, O]:
    """Find how well a mechanism generalizes on empirical distributions, and compile it.

    The proof of Theorem 32 has simulators for the empirical distributions of samples of n examples
    only. On a finite universe these are finitely many, so its premise can be decided.

    Parameters
    ----------
    law
        The law of M on a sample, a tuple of n elements; for a learner,
        ``lambda z: learner.law(Sample.from_examples(z))``.
    universe
        The elements: at least two, distinct.
    n
        The size of the samples, at least 1.
    beta, delta
        Two of the parameters of perfect generalization.
    symmetric
        Whether M is known to ignore the order of the sample.
    halfway
        Whether the premise includes the distributions halfway between two neighbouring empirical
        ones, as the statements with six links and ``"halfway"`` ask for.
    max_steps
        The budget of the search for each simulator, when there are three outcomes and more.

    Returns
    -------
    ResamplingPipeline

    Raises
    ------
    InvalidInput
        A parameter is out of range, or M has no law on some sample.

    Notes
    -----
    For N types (or, when M is not symmetric, sequences) of samples the premise takes N simulators
    for N laws each, and the laws of Algorithm 2 take N^2 multiplications for each outcome. CLNRW16
    Theorem 32.

    Examples
    --------
    A noisy majority of four bits:

    >>> def noisy(bits: tuple[int, ...]) -> FiniteDistribution[int]:
    ...     p = Fraction(2 + sum(bits), 8)
    ...     return FiniteDistribution({1: p, 0: 1 - p})
    >>> found = resampling_pipeline(noisy, [0, 1], 4, "1/10", symmetric=True)
    >>> round(float(found.upper), 4), found.hardest.probability(1)
    (1.6, Fraction(1, 2))
    >>> stated = found.stated().guarantee
    >>> round(float(stated.factor), 4), stated.delta
    (6.5536, Fraction(1, 10))
    >>> found.private_factor(), found.private_delta(stated.epsilon)
    (Fraction(3, 2), Fraction(0, 1))
    """
    elements = distinct(universe, "universe")
    if len(elements) < 2:
        raise InvalidInput("universe", f"{len(elements)} elements", "at least two")
    size = as_size(n, "n", least=1)
    missed, d = as_number(beta, "beta"), as_probability(delta, "delta")
    asked = cache(law)
    by_type = laws_by_type(asked, elements, size, symmetric=symmetric)

    def bounds(one: FiniteDistribution[E]) -> tuple[Fraction | float, Fraction | float]:
        if symmetric:
            types = multiset_distribution(one, size)
            best = minimal_epsilon(by_type.laws, types, missed, d, max_steps=max_steps)
            return best.lower, best.upper
        found = minimal_epsilon(asked, one.power(size), missed, d, max_steps=max_steps)
        return found.lower, found.upper

    types = list(multisets(elements, size))
    premise = [empirical(kind) for kind in types]
    if halfway:
        pairs = neighbouring_multisets(elements, size)
        both = dict.fromkeys(Multiset.of((*s.elements(), *other.elements())) for s, other in pairs)
        premise += map(empirical, both)
    found = [bounds(one) for one in premise]
    worst = max(range(len(found)), key=lambda place: found[place][1])
    return ResamplingPipeline(
        size,
        missed,
        d,
        max(lower for lower, _ in found),
        found[worst][1],
        premise[worst],
        {kind: by_type.output_law(empirical(kind)) for kind in types},
    )
