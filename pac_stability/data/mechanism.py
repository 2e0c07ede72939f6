"""Mechanisms: randomised maps that know their exact law, and how to put them together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from pac_stability.data.distribution import FiniteDistribution
from pac_stability.data.tape import enumerate_law
from pac_stability.randomness import SYSTEM_COINS, Coins

In = TypeVar("In")
In_contra = TypeVar("In_contra", contravariant=True)
Mid = TypeVar("Mid")
Out = TypeVar("Out")
Out_co = TypeVar("Out_co", covariant=True)
Second = TypeVar("Second")


class Mechanism(Protocol[In_contra, Out_co]):
    """A randomised map: it gives its exact law on an input, and it can be run."""

    def law(self, x: In_contra, /) -> FiniteDistribution[Out_co]:
        """Return the exact law of the output on an input."""
        ...

    def run(self, x: In_contra, /, rng: Coins = ...) -> Out_co:
        """Draw an output with exactly that law."""
        ...


@dataclass(frozen=True)
class LawMechanism(Generic[In, Out]):
    """The mechanism of a function that returns a law; running it draws from that law.

    Examples
    --------
    >>> keep_or_flip = LawMechanism(
    ...     lambda bit: FiniteDistribution.proportional({bit: 3, 1 - bit: 1})
    ... )
    >>> keep_or_flip.law(1).probability(1)
    Fraction(3, 4)
    """

    function: Callable[[In], FiniteDistribution[Out]]

    def law(self, x: In, /) -> FiniteDistribution[Out]:
        """Return the law on an input."""
        return self.function(x)

    def run(self, x: In, /, rng: Coins = SYSTEM_COINS) -> Out:
        """Draw from the law on an input."""
        return self.function(x).sample(rng)


@dataclass(frozen=True)
class ProgramMechanism(Generic[In, Out]):
    """The mechanism of a program that draws only through its coins; the tape finds its law.

    Examples
    --------
    >>> noisy = ProgramMechanism(lambda bit, rng: bit ^ (rng.below(4) == 0))
    >>> noisy.law(1).probability(1)
    Fraction(3, 4)
    """

    program: Callable[[In, Coins], Out]
    max_paths: int = 1_000_000
    max_depth: int = 1_000

    def law(self, x: In, /) -> FiniteDistribution[Out]:
        """Enumerate every path; raises as :func:`~pac_stability.data.enumerate_law` does."""
        return enumerate_law(
            lambda rng: self.program(x, rng), max_paths=self.max_paths, max_depth=self.max_depth
        )

    def run(self, x: In, /, rng: Coins = SYSTEM_COINS) -> Out:
        """Run the program."""
        return self.program(x, rng)


@dataclass(frozen=True)
class Deterministic(Generic[In, Out]):
    """A function as a mechanism: it flips no coins."""

    function: Callable[[In], Out]

    def law(self, x: In, /) -> FiniteDistribution[Out]:
        """Return the point mass at the value."""
        return FiniteDistribution.point_mass(self.function(x))

    def run(self, x: In, /, rng: Coins = SYSTEM_COINS) -> Out:  # noqa: ARG002
        """Return the value."""
        return self.function(x)


@dataclass(frozen=True)
class _Then(Generic[In, Mid, Out]):
    first: Mechanism[In, Mid]
    second: Mechanism[Mid, Out]

    def law(self, x: In, /) -> FiniteDistribution[Out]:
        return self.first.law(x).bind(self.second.law)

    def run(self, x: In, /, rng: Coins = SYSTEM_COINS) -> Out:
        return self.second.run(self.first.run(x, rng), rng)


@dataclass(frozen=True)
class _Adaptive(Generic[In, Out, Second]):
    first: Mechanism[In, Out]
    second: Mechanism[tuple[In, Out], Second]

    def law(self, x: In, /) -> FiniteDistribution[tuple[Out, Second]]:
        return self.first.law(x).bind(lambda a: self.second.law((x, a)).map(lambda b: (a, b)))

    def run(self, x: In, /, rng: Coins = SYSTEM_COINS) -> tuple[Out, Second]:
        a = self.first.run(x, rng)
        return a, self.second.run((x, a), rng)


@dataclass(frozen=True)
class _Pair(Generic[In, Out, Second]):
    first: Mechanism[In, Out]
    second: Mechanism[In, Second]

    def law(self, x: In, /) -> FiniteDistribution[tuple[Out, Second]]:
        return self.first.law(x).product(self.second.law(x))

    def run(self, x: In, /, rng: Coins = SYSTEM_COINS) -> tuple[Out, Second]:
        return self.first.run(x, rng), self.second.run(x, rng)


def then(first: Mechanism[In, Mid], second: Mechanism[Mid, Out]) -> Mechanism[In, Out]:
    """Return post-processing: the second mechanism is run on the output of the first.

    Examples
    --------
    >>> die = ProgramMechanism(lambda faces, rng: rng.below(faces))
    >>> then(die, Deterministic(lambda face: face % 2)).law(5).probability(0)
    Fraction(3, 5)
    """
    return _Then(first, second)


def compose(
    first: Mechanism[In, Out], second: Mechanism[In, Second]
) -> Mechanism[In, tuple[Out, Second]]:
    """Return the pair of two mechanisms run independently on the same input."""
    return _Pair(first, second)


def compose_adaptively(
    first: Mechanism[In, Out], second: Mechanism[tuple[In, Out], Second]
) -> Mechanism[In, tuple[Out, Second]]:
    """Return the pair of two mechanisms of which the second also sees the output of the first."""
    return _Adaptive(first, second)
