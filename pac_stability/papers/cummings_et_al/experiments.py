"""What a simulator has to imitate: a mechanism, and how it is given samples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pac_stability.arguments import as_size, described
from pac_stability.data import (
    Example,
    FiniteDistribution,
    Multiset,
    Sample,
    multiset_distribution,
)
from pac_stability.errors import InvalidInput

E = TypeVar("E")
O = TypeVar("O")  # noqa: E741  # an outcome
S = TypeVar("S")
X = TypeVar("X")
Y = TypeVar("Y")


@dataclass(frozen=True)
class Experiment(Generic[E, S, O]):
    """A mechanism, and how it is given samples.

    Made by :meth:`on_types`, :meth:`on_sequences` or :meth:`of_learner`.

    Attributes
    ----------
    law
        The law of the output on a sample.
    n
        The size of the samples.
    samples
        How a distribution and n give the law of the sample.

    Raises
    ------
    InvalidInput
        n is not a non-negative integer.

    Examples
    --------
    >>> def ones(T: Multiset[int]) -> FiniteDistribution[int]:
    ...     return FiniteDistribution.point_mass(T.count(1))
    >>> experiment = Experiment.on_types(ones, 2)
    >>> experiment.draws(FiniteDistribution.uniform([0, 1])).probability(Multiset.of([0, 1]))
    Fraction(1, 2)
    """

    law: Callable[[S], FiniteDistribution[O]]
    n: int
    samples: Callable[[FiniteDistribution[E], int], FiniteDistribution[S]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", as_size(self.n, "n"))

    @staticmethod
    def on_types(
        law: Callable[[Multiset[X]], FiniteDistribution[Y]], n: int
    ) -> Experiment[X, Multiset[X], Y]:
        """Return the experiment with a mechanism that ignores the order of its sample.

        Parameters
        ----------
        law
            The law of the output on a multiset.
        n
            The size of the samples.
        """
        return Experiment(law, n, multiset_distribution)

    @staticmethod
    def on_sequences(
        law: Callable[[tuple[X, ...]], FiniteDistribution[Y]], n: int
    ) -> Experiment[X, tuple[X, ...], Y]:
        """Return the experiment with a mechanism that may heed the order of its sample.

        Parameters
        ----------
        law
            The law of the output on a tuple.
        n
            The size of the samples.

        Examples
        --------
        >>> first = Experiment.on_sequences(lambda x: FiniteDistribution.point_mass(x[0]), 3)
        >>> len(first.draws(FiniteDistribution.uniform([0, 1])))
        8
        """
        return Experiment(law, n, FiniteDistribution[X].power)

    @staticmethod
    def of_learner(
        law: Callable[[Sample[X]], FiniteDistribution[Y]], n: int
    ) -> Experiment[Example[X], Multiset[Example[X]], Y]:
        """Return the experiment with a learner that ignores the order of its sample.

        Parameters
        ----------
        law
            The law of the output on a ``Sample``.
        n
            The size of the samples.

        Examples
        --------
        >>> from pac_stability.papers.cummings_et_al import ArithmeticMeanSimulator
        >>> def any_one(S: Sample[str]) -> FiniteDistribution[int]:
        ...     return FiniteDistribution.point_mass(max(S.labels))
        >>> coin = FiniteDistribution.uniform([Example("a", 0), Example("a", 1)])
        >>> ArithmeticMeanSimulator(Experiment.of_learner(any_one, 2)).law(coin)
        FiniteDistribution({1: 3/4, 0: 1/4})
        """
        return Experiment.on_types(lambda kind: law(Sample.from_examples(kind.elements())), n)

    def draws(self, distribution: FiniteDistribution[E]) -> FiniteDistribution[S]:
        """Return the law of the sample.

        Parameters
        ----------
        distribution
            D, the law of one element.

        Raises
        ------
        InvalidInput
            It is no ``FiniteDistribution``.
        """
        return self.samples(require_distribution(distribution), self.n)


def require_distribution(distribution: FiniteDistribution[E]) -> FiniteDistribution[E]:
    """Return what a simulator is given, or refuse what is no distribution."""
    if not isinstance(distribution, FiniteDistribution):
        raise InvalidInput("distribution", described(distribution), "a FiniteDistribution")
    return distribution
