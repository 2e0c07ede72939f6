"""Neighbouring samples: what a change of one person's data does to a sample."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import product
from typing import TypeVar

from pac_stability.data.sample import Example, Sample
from pac_stability.errors import InvalidInput

P = TypeVar("P")


class Neighbouring(Enum):
    """When two samples are neighbours; ``REPLACE_ONE`` unless something else is said."""

    REPLACE_ONE = "replace one"
    """Same length, different in exactly one place."""

    ADD_REMOVE = "add or remove one"
    """One is the other with an example inserted at some place."""


def neighbours(
    sample: Sample[P],
    universe: Sequence[Example[P]],
    relation: Neighbouring = Neighbouring.REPLACE_ONE,
) -> Iterator[Sample[P]]:
    """Yield every neighbour of a sample, each once; the sample itself is none.

    Parameters
    ----------
    sample
        Any sample; its own examples need not be in the universe.
    universe
        The examples that may come in, distinct.
    relation
        What neighbouring means.

    Raises
    ------
    InvalidInput
        The universe repeats an example.

    Notes
    -----
    For a sample of n examples of a universe of size u there are ``n (u - 1)`` under
    ``REPLACE_ONE``; under ``ADD_REMOVE``, ``n (u - 1) + u`` longer ones and one shorter one for
    each run of equal examples.

    Examples
    --------
    >>> universe = [Example("a", 0), Example("a", 1)]
    >>> [s.labels for s in neighbours(Sample("aa", [0, 0]), universe)]
    [(1, 0), (0, 1)]
    """
    if len(set(universe)) != len(universe):
        raise InvalidInput("universe", "a repeated example", "distinct examples")
    if relation is Neighbouring.REPLACE_ONE:
        return _replace_one(sample, universe)
    return _add_remove(sample, universe)


def replacement_neighbours(
    sample: Sample[P], universe: Sequence[Example[P]]
) -> Iterator[Sample[P]]:
    """Yield every sample that differs from this one in exactly one place, each once."""
    return neighbours(sample, universe)


def _replace_one(sample: Sample[P], universe: Sequence[Example[P]]) -> Iterator[Sample[P]]:
    for i, current in enumerate(sample):
        for example in universe:
            if example != current:
                yield sample.replace(i, example)


def _add_remove(sample: Sample[P], universe: Sequence[Example[P]]) -> Iterator[Sample[P]]:
    # Within a run of equal examples all places are alike: use the end to insert, the start to drop.
    size = len(sample)
    for i in range(size + 1):
        for example in universe:
            if i == size or sample[i] != example:
                yield sample[:i] + Sample.from_pairs([example]) + sample[i:]
    for i in range(size):
        if i == 0 or sample[i] != sample[i - 1]:
            yield sample[:i] + sample[i + 1 :]


def replacement_pairs(
    universe: Sequence[Example[P]], n: int, *, ordered: bool = True
) -> Iterator[tuple[Sample[P], Sample[P]]]:
    """Yield all pairs of neighbouring samples of size n over a universe, streaming.

    Parameters
    ----------
    universe
        Distinct examples.
    n
        Sample size.
    ordered
        Whether (S, S') and (S', S) both come; otherwise each pair comes once.

    Notes
    -----
    There are :func:`count_replacement_pairs` of them.
    """
    rank = {example: index for index, example in enumerate(universe)}
    if len(rank) != len(universe):
        raise InvalidInput("universe", "a repeated example", "distinct examples")
    for examples in product(universe, repeat=n):
        sample = Sample.from_pairs(examples)
        for i, current in enumerate(examples):
            for example in universe if ordered else universe[rank[current] + 1 :]:
                if example != current:
                    yield sample, sample.replace(i, example)


def count_replacement_pairs(universe_size: int, n: int, *, ordered: bool = True) -> int:
    """Return how many neighbouring pairs there are: ``u**n * n * (u - 1)``, or half of it.

    Examples
    --------
    >>> count_replacement_pairs(8, 5)
    1146880
    """
    pairs: int = universe_size**n * n * (universe_size - 1)
    return pairs if ordered else pairs // 2
