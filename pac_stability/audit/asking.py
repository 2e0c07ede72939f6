"""Asking an algorithm about many samples, and keeping each distinct answer once."""

from __future__ import annotations

import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from pac_stability.audit.failures import SubjectFailure, shown
from pac_stability.audit.neighbour_ranks import Neighbourhood
from pac_stability.audit.number_sweep import Ids
from pac_stability.data import Example, Sample
from pac_stability.errors import PacStabilityError

_BLOCK = 1024


class Source(Protocol):
    """What answers with a row of values for each sample."""

    @property
    def name(self) -> str:
        """How messages speak of it."""
        ...

    @property
    def columns(self) -> int:
        """How many values a row has."""
        ...

    def row(self, sample: object) -> tuple[Hashable, ...]:
        """Return the answer on one sample."""
        ...


@dataclass(frozen=True)
class Questions:
    """All samples of an instance, to be put to an algorithm.

    Attributes
    ----------
    source
        What is asked.
    neighbourhood
        The samples, as numbers.
    universe
        The elements that samples are made of.
    symmetric
        Whether answers are claimed not to depend on the order of the sample.
    """

    source: Source
    neighbourhood: Neighbourhood
    universe: tuple[object, ...]
    symmetric: bool

    def sample(self, number: int) -> object:
        """Return the sample with a number."""
        return self._sample(self.neighbourhood.entries(number, number + 1)[0])

    def _sample(self, places: Sequence[int]) -> object:
        elements = tuple(self.universe[place] for place in places)
        if self.universe and isinstance(self.universe[0], Example):
            return Sample.from_examples(e for e in elements if isinstance(e, Example))
        return elements

    def ask(self, start: int, stop: int, seconds: float) -> Answers:
        """Ask about the samples number start, ..., stop - 1, as far as the time goes.

        At least one is asked about. Those numbered 0, 1, 2, 4, 8, ... are asked about a second
        time, and in reverse order if that should make no difference.
        """
        answers = Answers(self.source.columns)
        end = time.perf_counter() + seconds
        try:
            for first in range(start, stop, _BLOCK):
                block = self.neighbourhood.entries(first, min(first + _BLOCK, stop))
                for number, places in enumerate(block, first):
                    sample = self._sample(places)
                    row = self.source.row(sample)
                    if number & (number - 1) == 0:
                        self.require_same(sample, row)
                        if self.symmetric:
                            self._require_same_reversed(sample, places, row)
                    answers.add(row)
                    if time.perf_counter() > end:
                        return answers
        except PacStabilityError as failure:
            answers.failure = failure
        return answers

    def require_same(self, sample: object, row: tuple[Hashable, ...]) -> None:
        """Raise :class:`SubjectFailure` unless the algorithm gives the same answer again."""
        again = self.source.row(sample)
        if again != row:
            raise SubjectFailure(
                "mechanism",
                f"two different answers from {self.source.name} on the sample {shown(sample)}: "
                f"{_difference(row, again)}",
                "the same law each time, with outcomes that compare by value",
                sample,
            )

    def _require_same_reversed(
        self, sample: object, places: Sequence[int], row: tuple[Hashable, ...]
    ) -> None:
        if self.source.row(self._sample(places[::-1])) != row:
            raise SubjectFailure(
                "symmetric",
                f"True, but {self.source.name} answers differently on the sample {shown(sample)} "
                "and on the same in reverse order",
                "an algorithm that does not depend on the order of the sample",
                sample,
            )


@dataclass
class Answers:
    """The answers on samples number 0, 1, ..., or on some that follow those.

    Attributes
    ----------
    columns
        How many values an answer has.
    values
        The distinct values, in the order of their first appearance.
    failure
        What kept the next sample from being answered.
    """

    columns: int
    values: dict[Hashable, int] = field(default_factory=dict)
    places: list[int] = field(default_factory=list)
    failure: PacStabilityError | None = None

    @property
    def count(self) -> int:
        """How many samples were answered."""
        return len(self.places) // self.columns

    @property
    def cells(self) -> Ids:
        """For each sample and column, the place of the value."""
        return np.array(self.places, dtype=np.int32).reshape(-1, self.columns)

    def add(self, row: tuple[Hashable, ...]) -> None:
        """Append the answer on the next sample."""
        values = self.values
        self.places += [values.setdefault(value, len(values)) for value in row]

    def extend(self, other: Answers) -> None:
        """Append the answers on the samples that follow."""
        values = self.values
        moved = [values.setdefault(value, len(values)) for value in other.values]
        self.places += [moved[place] for place in other.places]
        self.failure = other.failure


def _difference(first: tuple[Hashable, ...], second: tuple[Hashable, ...]) -> str:
    a, b = next((a, b) for a, b in zip(first, second, strict=True) if a != b)
    return f"{a!r} and {b!r}"
