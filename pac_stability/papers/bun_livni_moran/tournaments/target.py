"""Target distributions: laws of examples that some hypothesis of the class fits with no loss."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from pac_stability.arguments import described
from pac_stability.classes import FiniteClass, ImplicitClass, VersionSpaces
from pac_stability.data import Example, FiniteDistribution
from pac_stability.dimensions import version_spaces
from pac_stability.errors import InvalidInput, NotRealizable

P = TypeVar("P", bound=Hashable)


@dataclass(frozen=True, slots=True)
class RealizableTarget:
    """A realizable distribution over a class, in the columns of its points.

    Attributes
    ----------
    columns, labels, weights
        The support, one entry an example: column of its point, its label, and its probability
        times ``denominator``.
    denominator
        The sum of the weights.
    concepts
        The version space of the hypotheses of loss zero, not empty; for a table, bit ``i`` is set
        when row ``i`` is one of them.
    """

    columns: tuple[int, ...]
    labels: tuple[int, ...]
    weights: tuple[int, ...]
    denominator: int
    concepts: int


def require_realizable(
    H: FiniteClass | ImplicitClass, target: FiniteDistribution[Example[P]]
) -> RealizableTarget:
    """Return a target in the columns of H, or refuse it.

    Parameters
    ----------
    H
        The class, not empty.
    target
        The distribution D of the paper: examples over the domain of H.

    Returns
    -------
    RealizableTarget
        The support in columns, and the hypotheses of loss zero.

    Raises
    ------
    InvalidInput
        The class is empty, or the target is no distribution of examples over its domain.
    NotRealizable
        Every hypothesis errs with positive probability. The message names examples of the support
        that no hypothesis fits together, none of which could be left out.

    Notes
    -----
    m steps of version spaces for a support of m examples, ``O(m^2)`` to name a witness [BLM20,
    Section II].

    Examples
    --------
    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]])
    >>> require_realizable(H, FiniteDistribution.uniform([Example(0, 0)])).concepts
    3
    >>> require_realizable(H, FiniteDistribution.uniform([Example(0, 1), Example(1, 0)]))
    Traceback (most recent call last):
        ...
    pac_stability.errors.NotRealizable: no hypothesis fits the examples (0, 1), (1, 0) of the target
    """
    spaces = version_spaces(H)
    columns, labels = example_columns(spaces, target)
    examples = list(zip(columns, labels, strict=True))
    concepts = _agreeing(spaces, examples)
    if not concepts:
        named = (target.support[index] for index in _contradiction(spaces, examples))
        shown = ", ".join(f"({described(z.point)}, {z.label})" for z in named)
        raise NotRealizable(f"no hypothesis fits the examples {shown} of the target")
    return RealizableTarget(
        tuple(columns),
        tuple(labels),
        tuple(target.numerators.values()),
        target.denominator,
        concepts,
    )


def example_columns(
    spaces: VersionSpaces, target: FiniteDistribution[Example[P]]
) -> tuple[list[int], list[int]]:
    """Return the columns and the labels of a target's examples, realizable or not.

    Raises
    ------
    InvalidInput
        The target is no distribution of examples over the domain.
    """
    if not isinstance(target, FiniteDistribution):
        raise InvalidInput("target", described(target), "a FiniteDistribution of examples")
    columns, labels = [], []
    for example in target.support:
        if not isinstance(example, Example):
            raise InvalidInput("target", f"the outcome {described(example)}", "Example objects")
        try:
            column = spaces.column(example.point)
        except InvalidInput as error:
            raise InvalidInput(
                "target", f"an example at {described(example.point)}", "points of the domain of H"
            ) from error
        columns.append(column)
        labels.append(example.label)
    return columns, labels


def _agreeing(spaces: VersionSpaces, examples: Iterable[tuple[int, int]]) -> int:
    """Return the version space of the hypotheses that agree with some examples."""
    space = spaces.whole
    for column, label in examples:
        space = spaces.part(space, column, label)
    return space


def _contradiction(spaces: VersionSpaces, examples: list[tuple[int, int]]) -> list[int]:
    """Return indices of examples that no hypothesis fits, none of which can be left out."""
    kept = list(range(len(examples)))
    for index in range(len(examples)):
        rest = [other for other in kept if other != index]
        if not _agreeing(spaces, (examples[other] for other in rest)):
            kept = rest
    return kept
