"""Target distributions: laws of examples that some hypothesis of the class fits with no loss."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from pac_stability.arguments import described
from pac_stability.classes import FiniteClass
from pac_stability.classes.required import require_inhabited
from pac_stability.data import Example, FiniteDistribution
from pac_stability.errors import InvalidInput, NotRealizable

P = TypeVar("P", bound=Hashable)


@dataclass(frozen=True, slots=True)
class RealizableTarget:
    """A realizable distribution over a finite class, in the indices of its table.

    Attributes
    ----------
    columns, labels, weights
        The support, one entry an example: column of its point, its label, and its probability
        times ``denominator``.
    denominator
        The sum of the weights.
    concepts
        Rows of the hypotheses of loss zero, increasing; at least one.
    """

    columns: tuple[int, ...]
    labels: tuple[int, ...]
    weights: tuple[int, ...]
    denominator: int
    concepts: tuple[int, ...]


def require_realizable(
    H: FiniteClass, target: FiniteDistribution[Example[Hashable]]
) -> RealizableTarget:
    """Return a target in the indices of the table of H, or refuse it.

    Parameters
    ----------
    H
        The class, not empty.
    target
        The distribution D of the paper: examples over the domain of H.

    Returns
    -------
    RealizableTarget
        The support in indices, and the hypotheses of loss zero.

    Raises
    ------
    InvalidInput
        The class is empty, or the target is no distribution of examples over its domain.
    NotRealizable
        Every hypothesis errs with positive probability. The message names examples of the support
        that no hypothesis fits together, none of which could be left out.

    Notes
    -----
    ``O(m |H|)`` bit operations for a support of m examples, ``O(m^2 |H|)`` to name a witness
    [BLM20, Section II].

    Examples
    --------
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> require_realizable(H, FiniteDistribution.uniform([Example(0, 0)])).concepts
    (0, 1)
    >>> require_realizable(H, FiniteDistribution.uniform([Example(0, 1), Example(1, 0)]))
    Traceback (most recent call last):
        ...
    pac_stability.errors.NotRealizable: no hypothesis fits the examples (0, 1), (1, 0) of the target
    """
    require_inhabited(H)
    columns, labels = example_columns(H, target)
    fitting = [H.table[:, column] == label for column, label in zip(columns, labels, strict=True)]
    concepts = np.flatnonzero(np.all(fitting, axis=0))
    if concepts.size == 0:
        witness = _contradiction([set(np.flatnonzero(rows).tolist()) for rows in fitting])
        named = (target.support[index] for index in witness)
        shown = ", ".join(f"({described(z.point)}, {z.label})" for z in named)
        raise NotRealizable(f"no hypothesis fits the examples {shown} of the target")
    return RealizableTarget(
        tuple(columns),
        tuple(labels),
        tuple(target.numerators.values()),
        target.denominator,
        tuple(concepts.tolist()),
    )


def example_columns(
    H: FiniteClass, target: FiniteDistribution[Example[P]]
) -> tuple[list[int], list[int]]:
    """Return the columns and the labels of a target's examples, realizable or not.

    Raises
    ------
    InvalidInput
        The target is no distribution of examples over the domain of H.
    """
    if not isinstance(target, FiniteDistribution):
        raise InvalidInput("target", described(target), "a FiniteDistribution of examples")
    columns, labels = [], []
    for example in target.support:
        if not isinstance(example, Example):
            raise InvalidInput("target", f"the outcome {described(example)}", "Example objects")
        try:
            column = H.column(example.point)
        except InvalidInput as error:
            raise InvalidInput(
                "target", f"an example at {described(example.point)}", "points of the domain of H"
            ) from error
        columns.append(column)
        labels.append(example.label)
    return columns, labels


def _contradiction(fitting: list[set[int]]) -> list[int]:
    """Return indices of sets without a common element, none of which can be left out."""
    kept = list(range(len(fitting)))
    for index in range(len(fitting)):
        rest = [other for other in kept if other != index]
        if rest and not _common(fitting[other] for other in rest):
            kept = rest
    return kept


def _common(sets: Iterable[set[int]]) -> set[int]:
    return set.intersection(*sets)
