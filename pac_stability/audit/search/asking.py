"""Querying an algorithm on many samples, and keeping each distinct answer once."""

from __future__ import annotations

import math
import pickle
from array import array
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from time import perf_counter  # itself: it is looked at while clocks are watched
from typing import Any, cast

import numpy as np

from pac_stability.audit.results import SubjectFailure, shown
from pac_stability.audit.search.neighbour_ranks import Ids, Neighbourhood
from pac_stability.audit.subjects import Source
from pac_stability.audit.watching.program import AllTold, Forms, Told, Twice, Unsettled, Watching
from pac_stability.data import Example, Sample
from pac_stability.errors import PacStabilityError
from pac_stability.randomness.watch import HiddenDraw

_BLOCK = 1024
_FRACTIONS = frozenset([Fraction])
_RATIO: Callable[[Any], tuple[int, int]] = Fraction.as_integer_ratio


def as_sample(elements: Iterable[object], labelled: bool) -> object:
    """Return elements as algorithms see them: a ``Sample`` of examples, or a tuple of records."""
    if labelled:
        return Sample.from_examples(cast("Iterable[Example[object]]", elements))
    return tuple(elements)


@dataclass(frozen=True)
class Questions:
    """All samples of an instance, as queries to an algorithm.

    Attributes
    ----------
    source
        What is asked.
    neighbourhood
        The samples, as numbers.
    universe
        The elements that samples are made of.
    symmetric
        Whether answers are supposed not to depend on the order of the sample.
    alone
        Whether no other thread draws in the process that runs them.
    """

    source: Source
    neighbourhood: Neighbourhood
    universe: tuple[object, ...]
    symmetric: bool
    alone: bool = True

    @cached_property
    def watching(self) -> Watching:
        """The watch over the algorithm."""
        # An algorithm that knows its law is not run, and may keep what it likes.
        return Watching(self.source, self.source.name, self.alone, keeps=self.source.run)

    @cached_property
    def _examples(self) -> tuple[Example[object], ...] | None:
        """The universe, where samples are made of examples."""
        examples = tuple(each for each in self.universe if isinstance(each, Example))
        return examples if len(examples) == len(self.universe) else None

    def neighbours(self, first: int, second: int) -> tuple[object, object]:
        """Return two neighbouring samples, in orders in which they visibly differ as neighbours.

        Up to order, these may be other orders than the sorted ones: 0, 1, 1 and 1, 1, 2 differ in
        one example when the second is written 2, 1, 1.
        """
        ours, theirs = (self.neighbourhood.entries(k, k + 1)[0] for k in (first, second))
        if self.symmetric and len(ours) == len(theirs):
            entering = Counter(theirs) - Counter(ours)
            leaving = Counter(ours) - Counter(theirs)
            new = entering.elements()
            written = []
            for place in ours:
                replaced = leaving[place] > 0
                leaving[place] -= replaced
                written.append(next(new) if replaced else place)
            theirs = tuple(written)
        return self._sample(ours), self._sample(theirs)

    def _sample(self, places: Sequence[int]) -> object:
        return as_sample(map(self.universe.__getitem__, places), self._examples is not None)

    def _ordered(self, places: tuple[int, ...]) -> tuple[int, ...]:
        """Return a sample in the order in which it is asked about: by labels, if none matters."""
        if not self.symmetric or self._examples is None:
            return places
        return tuple(sorted(places, key=self._label_first.__getitem__))

    @cached_property
    def _label_first(self) -> list[int]:
        """The rank of each element, by labels."""
        examples = self._examples or ()
        order = sorted(range(len(examples)), key=lambda place: examples[place].label)
        return sorted(range(len(order)), key=order.__getitem__)

    def sample(self, number: int) -> object:
        """Return a sample, given its number."""
        (places,) = self.neighbourhood.entries(number, number + 1)
        return self._sample(places)

    def tell(self, told: Told) -> None:
        """Send the answers to the first interpreter of an audit in two."""
        samples = self.neighbourhood.samples

        def row(number: int) -> tuple[Hashable, ...]:
            (places,) = self.neighbourhood.entries(number, number + 1)
            return self.source.row(self._sample(self._ordered(places)))

        self.watching.during(lambda: told.tell(samples, row), self.sample(0))
        raise AllTold

    def require_told(self, answers: Answers, twice: Twice) -> None:
        """Compare all answers with those that a second interpreter gives.

        Raises
        ------
        SubjectFailure
            One is another there.
        """
        name = self.source.name
        number = twice.first_that_differs(name, map(answers.row, range(answers.count)))
        if number is not None:
            sample = self.sample(number)
            raise SubjectFailure(
                "mechanism",
                f"two different answers from {name} on the sample {shown(sample)}: the second in "
                "another interpreter, with another hash seed and in reverse order",
                "answers that depend on nothing but the sample and the coins",
                sample,
            )

    def ask(self, answers: Answers, start: int, stop: int, seconds: float) -> None:
        """Append the answers on samples number start, ..., stop - 1, as far as time permits.

        It queries at least one. It queries those numbered 0, 1, 2, 4, 8, ... a second time, and in
        reverse order if that should make no difference. If a program has changed its state, it
        queries all again: see :class:`~pac_stability.audit.watching.program.Watching`.
        """
        begun = answers.count

        def work() -> array[int]:
            # A second time if something was drawn besides the coins, or is kept: as far as before,
            # and with all the time that takes. No sample further, which would be news to remember,
            # unless that one raised.
            nonlocal stop, seconds
            answers.forget(count=begun)
            raised = 1
            try:
                self._ask(answers, start, stop, perf_counter() + seconds)
                raised = 0
            finally:
                answered = answers.count - begun
                stop, seconds = start + answered + raised, math.inf
            return answers.since(begun)

        def anew() -> None:
            self.source.row(self.sample(self.neighbourhood.samples - 1))
            self.require_same(begun, answers.row(begun))

        try:
            self.watching.during(work, self.sample(start), answers.assumed, anew)
        except (HiddenDraw, Unsettled) as failure:
            answers.forget(begun)  # any of them may be spoilt
            answers.failure = failure
        except PacStabilityError as failure:
            answers.failure = failure
        except BaseException:  # an interrupt: what was not watched to its end may be spoilt
            answers.forget(count=begun)
            raise

    def _ask(self, answers: Answers, start: int, stop: int, end: float) -> None:
        for first in range(start, stop, _BLOCK):
            block = self.neighbourhood.entries(first, min(first + _BLOCK, stop))
            for number, places in enumerate(block, first):
                row = self.source.row(self._sample(self._ordered(places)))
                if number & (number - 1) == 0:
                    self.require_same(number, row)
                answers.add(row)
                if perf_counter() > end:
                    return

    def require_all_same(self, rows: Mapping[int, tuple[Hashable, ...]], *, kept: str = "") -> None:
        """Query several samples again, given their answers; see :meth:`require_same`."""

        def work() -> None:
            for number, row in rows.items():
                self.require_same(number, row, kept=kept)

        self.watching.during(work, self.sample(min(rows)))

    def require_same(self, number: int, row: tuple[Hashable, ...], *, kept: str = "") -> None:
        """Query a sample again, and in reverse order if that should make no difference.

        Parameters
        ----------
        number
            Of the sample.
        row
            The first answer.
        kept
            The file that kept the answer, if any.

        Raises
        ------
        SubjectFailure
            The answers differ.
        """
        (places,) = self.neighbourhood.entries(number, number + 1)
        places = self._ordered(places)
        sample = self._sample(places)
        again = self.source.row(sample)
        if again != row:
            where = f", the first of which was kept in {kept}" if kept else ""
            fresh = "; or a fresh start (--fresh), without the kept answers" if kept else ""
            raise SubjectFailure(
                "mechanism",
                f"two different answers from {self.source.name} on the sample {shown(sample)}: "
                f"{_difference(row, again)}{where}",
                f"the same law each time, with outcomes that compare by value{fresh}",
                sample,
            )
        if self.symmetric and self.source.row(self._sample(places[::-1])) != row:
            raise SubjectFailure(
                "symmetric",
                f"True, but {self.source.name} answers differently on the sample {shown(sample)} "
                "and on the same in reverse order",
                "an algorithm that does not depend on the order of the sample",
                sample,
            )


@dataclass
class Answers:
    """The answers on samples number 0, 1, ..., or on a later range of samples.

    Attributes
    ----------
    columns
        The number of values of an answer.
    values
        The distinct values, in the order of their first appearance.
    places
        For each sample and column, the place of the value.
    failure
        The error on the next sample, if it failed.
    assumed
        Facts about the algorithm on which the answers rest, in sentences.
    forms
        The written forms of the outcomes.
    """

    columns: int
    values: list[Hashable] = field(default_factory=list)
    places: array[int] = field(default_factory=lambda: array("i"))
    failure: PacStabilityError | None = None
    assumed: dict[str, None] = field(default_factory=dict)
    forms: Forms = field(default_factory=Forms)
    _known: dict[Hashable, int] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many samples were answered."""
        return len(self.places) // self.columns

    @property
    def cells(self) -> Ids:
        """The places as a table, one sample a row."""
        return np.frombuffer(self.places, dtype=np.int32).reshape(-1, self.columns)

    def row(self, number: int) -> tuple[Hashable, ...]:
        """Return the answer on a sample."""
        start = number * self.columns
        return tuple(self.values[place] for place in self.places[start : start + self.columns])

    def since(self, count: int) -> array[int]:
        """Return the places of the answers after the first so many."""
        return self.places[count * self.columns :]

    def forget(self, count: int) -> None:
        """Drop the answers after the first so many."""
        del self.places[count * self.columns :]

    def begin_again(self) -> None:
        """Drop all answers and their errors."""
        self.values.clear()
        self._known.clear()
        self.failure = None
        del self.places[:]

    def place(self, value: Hashable) -> int:
        """Return the place of a value; a new value gets a new place."""
        # Pairs of integers are hashed and compared faster than the fraction itself.
        key = value.as_integer_ratio() if type(value) is Fraction else value
        place = self._known.get(key)
        if place is None:
            place = len(self.values)
            self.values.append(value)
            self._known[key] = place
        return place

    def add(self, row: tuple[Hashable, ...]) -> None:
        """Append the answer on the next sample."""
        if _FRACTIONS.issuperset(map(type, row)):
            known = zip(map(self._known.get, map(_RATIO, row)), row, strict=True)
            places = [self.place(value) if place is None else place for place, value in known]
        else:
            self._note(row)
            places = list(map(self.place, row))
        self.places.extend(places)  # at once, should an interrupt come

    def to_bytes(self) -> bytes:
        """Return the answers in a form to send; nothing if they would not arrive unchanged.

        An outcome may not be picklable, or may compare by something that exists only in this
        process.
        """
        # How outcomes are written is found again there.
        sent = Answers(self.columns, self.values, self.places, self.failure, self.assumed)
        try:
            written = pickle.dumps(sent, 5)
            arrived = Answers.from_bytes(written).values == self.values
        except Exception:  # of a stranger's objects
            return b""
        return written if arrived else b""

    @classmethod
    def from_bytes(cls, written: bytes) -> Answers:
        """Return what :meth:`to_bytes` wrote."""
        return cast("Answers", pickle.loads(written))  # noqa: S301  # our own bytes

    def _note(self, values: Iterable[Hashable]) -> None:
        for sentence in filter(None, map(self.forms.note_law, values)):
            self.assumed[sentence] = None

    def extend(self, other: Answers) -> None:
        """Append the answers on the samples that follow."""
        moved = [self.place(value) for value in other.values]
        places = [moved[place] for place in other.places]
        self.places.extend(places)
        self.failure = other.failure
        self.assumed |= other.assumed
        self._note(value for value in other.values if type(value) is not Fraction)


def _difference(first: tuple[Hashable, ...], second: tuple[Hashable, ...]) -> str:
    a, b = next((a, b) for a, b in zip(first, second, strict=True) if a != b)
    return f"{a!r} and {b!r}"
