"""Mechanisms: everything random has a law and can be run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from pac_stability.arguments import described
from pac_stability.data.distribution import FiniteDistribution
from pac_stability.data.tape import MAX_DRAWS, MAX_PATHS, enumerate_law
from pac_stability.errors import InvalidInput
from pac_stability.randomness import SYSTEM_COINS, Coins

In = TypeVar("In")
Mid = TypeVar("Mid")
Out = TypeVar("Out")
First = TypeVar("First")
Second = TypeVar("Second")
In_contra = TypeVar("In_contra", contravariant=True)
Out_co = TypeVar("Out_co", covariant=True)


class Mechanism(Protocol[In_contra, Out_co]):
    """A randomised function: learners, predictors, histograms and simulators are mechanisms.

    A class is a mechanism when it has the two methods; it need not inherit. :class:`FromLaw` and
    :class:`FromProgram` supply both methods to those who have one.

    ``run`` takes its coins as ``rng``, from the operating system's entropy by default.
    """

    def law(self, x: In_contra, /) -> FiniteDistribution[Out_co]:
        """Return the exact law of the output on input ``x``."""
        ...

    def run(self, x: In_contra, /, rng: Coins = SYSTEM_COINS) -> Out_co:
        """Return one output on input ``x``, drawn with the coins ``rng`` from that law."""
        ...


@dataclass(frozen=True, slots=True)
class FromLaw(Generic[In_contra, Out_co]):
    """The mechanism whose law is given by a function. Runs by sampling from the law.

    Parameters
    ----------
    function
        The law of the output as a function of the input; called again at each use.

    Examples
    --------
    >>> die = FromLaw(lambda sides: FiniteDistribution.uniform(range(sides)))
    >>> die.law(3).probability(0)
    Fraction(1, 3)
    """

    function: Callable[[In_contra], FiniteDistribution[Out_co]]

    def law(self, x: In_contra, /) -> FiniteDistribution[Out_co]:
        """Return the law of the output.

        Parameters
        ----------
        x
            The input.

        Raises
        ------
        InvalidInput
            The function returned something else.
        """
        law = self.function(x)
        if not isinstance(law, FiniteDistribution):
            raise InvalidInput("function", f"the law {described(law)}", "a FiniteDistribution")
        return law

    def run(self, x: In_contra, /, rng: Coins = SYSTEM_COINS) -> Out_co:
        """Return one output, sampled from the law.

        Parameters
        ----------
        x
            The input.
        rng
            The source of coins; by default the operating system's entropy.

        Returns
        -------
        output
        """
        return self.law(x).sample(rng)


@dataclass(frozen=True, slots=True)
class FromProgram(Generic[In_contra, Out_co]):
    """The mechanism that runs a program; its law is found by the tape.

    Parameters
    ----------
    program
        A function of the input and the coins that takes its randomness only from these coins.
    max_paths, max_draws
        Limits on the enumeration of the law, as for :func:`enumerate_law`.

    Examples
    --------
    >>> from fractions import Fraction
    >>> def noisy(bit: int, rng: Coins) -> int:
    ...     return bit ^ rng.bernoulli(Fraction(1, 4))
    >>> FromProgram(noisy).law(1)
    FiniteDistribution({1: 3/4, 0: 1/4})
    """

    program: Callable[[In_contra, Coins], Out_co]
    max_paths: int = MAX_PATHS
    max_draws: int = MAX_DRAWS

    def law(self, x: In_contra, /) -> FiniteDistribution[Out_co]:
        """Return the law of the output, by running the program once for each path of its coins.

        Parameters
        ----------
        x
            The input; the program must not change it.

        Raises
        ------
        TapeExhausted, InvalidInput
            As for :func:`enumerate_law`.
        """
        return enumerate_law(
            lambda rng: self.program(x, rng), max_paths=self.max_paths, max_draws=self.max_draws
        )

    def run(self, x: In_contra, /, rng: Coins = SYSTEM_COINS) -> Out_co:
        """Return one output: run the program.

        Parameters
        ----------
        x
            The input.
        rng
            The source of coins; by default the operating system's entropy.

        Returns
        -------
        output
        """
        return self.program(x, rng)


@dataclass(frozen=True, slots=True)
class Deterministic(Generic[In_contra, Out_co]):
    """A function as a mechanism without coins.

    Parameters
    ----------
    function
        The function; its values must be hashable.

    Examples
    --------
    >>> Deterministic(len).law("abc")
    FiniteDistribution({3: 1})
    """

    function: Callable[[In_contra], Out_co]

    def law(self, x: In_contra, /) -> FiniteDistribution[Out_co]:
        """Return the point mass on the value of the function at ``x``."""
        return FiniteDistribution.point_mass(self.function(x))

    def run(self, x: In_contra, /, rng: Coins = SYSTEM_COINS) -> Out_co:  # noqa: ARG002  # tosses no coin
        """Return the value of the function at ``x``."""
        return self.function(x)


def _require_mechanism(value: object, argument: str) -> None:
    if not (callable(getattr(value, "law", None)) and callable(getattr(value, "run", None))):
        wanted = "a mechanism, with law and run (wrap a function in Deterministic)"
        raise InvalidInput(argument, described(value), wanted)


def then(mechanism: Mechanism[In, Mid], postprocess: Mechanism[Mid, Out]) -> Mechanism[In, Out]:
    """Return the mechanism that hands the output of one to another: post-processing.

    Parameters
    ----------
    mechanism
        What sees the input.
    postprocess
        A mechanism that sees only the output of ``mechanism``, with fresh coins. Wrap a function in
        :class:`Deterministic`.

    Returns
    -------
    Mechanism

    Raises
    ------
    InvalidInput
        An argument is not a mechanism.

    Examples
    --------
    >>> die = FromLaw(lambda sides: FiniteDistribution.uniform(range(sides)))
    >>> then(die, Deterministic(lambda k: k % 2)).law(3)
    FiniteDistribution({0: 2/3, 1: 1/3})
    """
    _require_mechanism(mechanism, "mechanism")
    _require_mechanism(postprocess, "postprocess")
    return _Then(mechanism, postprocess)


def compose(
    first: Mechanism[In, First], second: Mechanism[In, Second]
) -> Mechanism[In, tuple[First, Second]]:
    """Return the mechanism that runs both on one input, with independent coins.

    Parameters
    ----------
    first, second
        Two mechanisms on the same inputs: non-adaptive composition.

    Returns
    -------
    Mechanism
        Its output is the pair of outputs.

    Raises
    ------
    InvalidInput
        An argument is not a mechanism.

    Examples
    --------
    >>> die = FromLaw(lambda sides: FiniteDistribution.uniform(range(sides)))
    >>> compose(die, Deterministic(str)).law(2)
    FiniteDistribution({(0, '2'): 1/2, (1, '2'): 1/2})
    """
    _require_mechanism(first, "first")
    _require_mechanism(second, "second")
    return _Composed(first, second)


def compose_adaptively(
    first: Mechanism[In, First], second: Mechanism[tuple[In, First], Second]
) -> Mechanism[In, tuple[First, Second]]:
    """Return the mechanism whose second part sees the input and the output of the first part.

    Parameters
    ----------
    first
        A mechanism on the input x.
    second
        A mechanism on the pair of x and the output of ``first``.

    Returns
    -------
    Mechanism
        Its output is the pair of outputs.

    Raises
    ------
    InvalidInput
        An argument is not a mechanism.

    Examples
    --------
    >>> die = FromLaw(lambda sides: FiniteDistribution.uniform(range(1, sides + 1)))
    >>> rest = FromLaw(lambda pair: FiniteDistribution.uniform(range(pair[1], pair[0] + 1)))
    >>> compose_adaptively(die, rest).law(2)
    FiniteDistribution({(1, 1): 1/4, (1, 2): 1/4, (2, 2): 1/2})
    """
    _require_mechanism(first, "first")
    _require_mechanism(second, "second")
    return _Adaptive(first, second)


@dataclass(frozen=True, slots=True)
class _Then(Generic[In, Mid, Out]):
    mechanism: Mechanism[In, Mid]
    postprocess: Mechanism[Mid, Out]

    def law(self, x: In, /) -> FiniteDistribution[Out]:
        return self.mechanism.law(x).bind(self.postprocess.law)

    def run(self, x: In, /, rng: Coins = SYSTEM_COINS) -> Out:
        return self.postprocess.run(self.mechanism.run(x, rng), rng)


@dataclass(frozen=True, slots=True)
class _Composed(Generic[In, First, Second]):
    first: Mechanism[In, First]
    second: Mechanism[In, Second]

    def law(self, x: In, /) -> FiniteDistribution[tuple[First, Second]]:
        return self.first.law(x).product(self.second.law(x))

    def run(self, x: In, /, rng: Coins = SYSTEM_COINS) -> tuple[First, Second]:
        return self.first.run(x, rng), self.second.run(x, rng)


@dataclass(frozen=True, slots=True)
class _Adaptive(Generic[In, First, Second]):
    first: Mechanism[In, First]
    second: Mechanism[tuple[In, First], Second]

    def law(self, x: In, /) -> FiniteDistribution[tuple[First, Second]]:
        def pairs(early: First) -> FiniteDistribution[tuple[First, Second]]:
            return self.second.law((x, early)).map(lambda late: (early, late))

        return self.first.law(x).bind(pairs)

    def run(self, x: In, /, rng: Coins = SYSTEM_COINS) -> tuple[First, Second]:
        early = self.first.run(x, rng)
        return early, self.second.run((x, early), rng)
