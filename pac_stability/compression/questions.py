"""What can be asked in an adaptive session, and what is answered."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from pac_stability.arguments import as_size, described
from pac_stability.classes import Hypothesis
from pac_stability.compression.bounds import DeviationBound
from pac_stability.compression.scheme import CompressionScheme, H_co
from pac_stability.compression.transcript import Round
from pac_stability.data import Example, Sample
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms.weights import as_function

O_co = TypeVar("O_co", covariant=True)

Relabelling: TypeAlias = Callable[[Example[Hashable]], Example[Hashable]]
"""What a scheme sees in place of an example: a function of the example, which tosses no coins."""

Filter: TypeAlias = Callable[[Example[Hashable]], bool]
"""Whether a scheme sees an example at all."""


@dataclass(frozen=True)
class Task(Generic[H_co]):
    """A scheme, and the view of the sample that it is run on.

    Parameters
    ----------
    scheme
        A scheme that compresses every sample.
    relabel
        What the scheme sees in place of an example.
    where
        Which examples it sees; without it, all of them.

    Raises
    ------
    InvalidInput
        The scheme is none, or compresses realizable samples only: its refusal would tell of the
        sample what no kept example tells. Or what it sees is not given by functions.
    """

    scheme: CompressionScheme[H_co]
    relabel: Relabelling | None = None
    where: Filter | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.scheme, CompressionScheme):
            raise InvalidInput("scheme", described(self.scheme), "a CompressionScheme")
        if not self.scheme.agnostic:
            given = f"{type(self.scheme).__name__}, for realizable samples only"
            raise InvalidInput("scheme", given, "an agnostic scheme")
        for function, name in ((self.relabel, "relabel"), (self.where, "where")):
            if function is not None:
                as_function(function, name)

    def charge(self, n: int) -> int:
        """Return how many examples are charged for n: the size, or the largest under a filter."""
        if self.where is None:
            return as_size(self.scheme.size(n), "scheme", least=1)
        return max(as_size(self.scheme.size(m), "scheme", least=1) for m in range(1, n + 1))

    def seen(self, example: Example[Hashable]) -> Example[Hashable]:
        """Return what the scheme sees in place of an example."""
        if self.relabel is None:
            return example
        shown = self.relabel(example)
        if not isinstance(shown, Example):
            raise InvalidInput("relabel", described(shown), "an Example")
        return shown

    def rebuild(self, kept: Sample[Hashable]) -> H_co | None:
        """Return the hypothesis of the kept examples; ``None`` if the filter left no example."""
        if not len(kept):
            return None
        return self.scheme.reconstruct(Sample.from_examples(map(self.seen, kept)))


@dataclass(frozen=True)
class Query:
    """A statistic of the whole sample, answered by a few bits.

    Parameters
    ----------
    statistic
        A function of the sample to integers from 0 to ``2**bits - 1``; it may toss coins.
    bits
        At least 1.

    Raises
    ------
    InvalidInput
        The statistic is no function, or ``bits`` no such integer.
    """

    statistic: Callable[[Sample[Hashable]], int]
    bits: int = 1

    def __post_init__(self) -> None:
        as_function(self.statistic, "statistic")
        object.__setattr__(self, "bits", as_size(self.bits, "bits", least=1))


@dataclass(frozen=True)
class Answer(Generic[O_co]):
    """What an analyst gets to see of a round.

    Attributes
    ----------
    output
        The hypothesis (``None`` if a filter left no example), or the answer of a query.
    round
        What the transcript has of it.
    bound
        What is guaranteed to an analyst who stops here.
    """

    output: O_co
    round: Round
    bound: DeviationBound


Analyst: TypeAlias = Callable[[tuple[Answer[object], ...]], Task[Hypothesis] | Query | None]
"""What decides, from the answers so far, what to ask next; ``None`` ends it.

Its coins are its own: to be replayed, it must toss the same ones again.
"""
