"""Samples and targets over the points of a small class."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import product

from pac_stability.classes import FiniteClass
from pac_stability.data import Example, FiniteDistribution, Sample, all_examples
from pac_stability.notions.covering import grid


def all_labelled_samples(H: FiniteClass, n: int) -> Iterator[Sample[Hashable]]:
    """Give every ordered sample of n examples on the domain of a class: (2|X|)^n of them.

    Examples
    --------
    >>> sum(1 for _ in all_labelled_samples(FiniteClass([[0, 1]]), 2))
    16
    """
    for examples in product(all_examples(H.domain), repeat=n):
        yield Sample.from_examples(examples)


def realizable_distributions(
    H: FiniteClass, denominator: int
) -> Iterator[FiniteDistribution[Example[Hashable]]]:
    """Give every distribution of examples that a hypothesis fits, with probabilities in a grid.

    Parameters
    ----------
    H
        A finite class.
    denominator
        Every probability is a multiple of one over it.

    Examples
    --------
    >>> sum(1 for _ in realizable_distributions(FiniteClass([[0, 0], [0, 1]]), 2))
    5
    """
    seen: set[FiniteDistribution[Example[Hashable]]] = set()
    for marginal in grid(H.domain, denominator):
        for hypothesis in H:
            target = FiniteDistribution(
                {Example(x, hypothesis(x)): weight for x, weight in marginal.items()}
            )
            if target not in seen:
                seen.add(target)
                yield target
