"""Mechanisms: laws given by a table, and programs that draw from the tape."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from pac_stability.arguments import as_size, described, distinct
from pac_stability.data import FiniteDistribution, FromLaw, FromProgram
from pac_stability.errors import InvalidInput
from pac_stability.randomness import Coins
from pac_stability.testing.strategies.laws import Values, distributions, drawn_from

In = TypeVar("In", bound=Hashable)
Out = TypeVar("Out", bound=Hashable)
V = TypeVar("V")


@dataclass(frozen=True)
class Table(Generic[In, V]):
    """A function of finitely many inputs, as a table that prints itself.

    Attributes
    ----------
    values
        The value for each input.
    """

    values: Mapping[In, V]

    def __call__(self, x: In, /) -> V:
        """Return the value for an input."""
        if x not in self.values:
            raise InvalidInput("x", described(x), f"one of {described(tuple(self.values))}")
        return self.values[x]


@dataclass(frozen=True)
class Toss(Generic[Out]):
    """One draw of a program, and what it goes on with after each answer.

    Attributes
    ----------
    weights
        The weights of the answers: ``choose(weights)`` in general; where they are all 1
        ``below(n)`` is asked instead, and ``bernoulli(p)`` where there are two.
    branches
        After each answer: another draw, or the output.
    """

    weights: tuple[int, ...]
    branches: tuple[Toss[Out] | CoinLeaf[Out], ...]

    def __call__(self, rng: Coins) -> Out:
        """Make the draws, and return the output."""
        if set(self.weights) == {1}:
            answer = rng.below(len(self.weights))
        elif len(self.weights) == 2:
            answer = rng.bernoulli(Fraction(self.weights[1], sum(self.weights)))
        else:
            answer = rng.choose(self.weights)
        return self.branches[answer](rng)


@dataclass(frozen=True)
class CoinLeaf(Generic[Out]):
    """The output of a program that tosses no more coins."""

    output: Out

    def __call__(self, rng: Coins) -> Out:  # noqa: ARG002  # tosses no coin
        """Return the output."""
        return self.output


@dataclass(frozen=True)
class CoinProgram(Generic[In, Out]):
    """A program that follows a tree of tosses, one for each input.

    Attributes
    ----------
    trees
        The tree for each input.
    """

    trees: Table[In, Toss[Out] | CoinLeaf[Out]]

    def __call__(self, x: In, rng: Coins, /) -> Out:
        """Run on an input with some coins."""
        return self.trees(x)(rng)


def mechanisms(
    inputs: Iterable[In], outputs: Values[Out], *, max_size: int = 3, max_denominator: int = 12
) -> SearchStrategy[FromLaw[In, Out]]:
    """Return the strategy of the mechanisms on finitely many inputs, each law in a table.

    Shrinks towards one output for all inputs.

    Parameters
    ----------
    inputs
        The inputs, such as all samples of one size.
    outputs
        The outputs, or a strategy for one.
    max_size, max_denominator
        The largest support of a law, and its largest denominator, both at least 1.

    Raises
    ------
    InvalidInput
        Inputs repeat, there are no outputs, or a number is below 1. On use: another input came.

    Examples
    --------
    >>> from hypothesis import find
    >>> M = find(mechanisms([0, 1], "ab"), lambda M: M.law(0) != M.law(1))
    >>> M.law(0), M.law(1)
    (FiniteDistribution({'a': 1}), FiniteDistribution({'b': 1}))
    """
    law = distributions(outputs, max_size=max_size, max_denominator=max_denominator)
    kept = distinct(inputs, "inputs")
    made: SearchStrategy[Table[In, FiniteDistribution[Out]]] = st.fixed_dictionaries(
        dict.fromkeys(kept, law)
    ).map(Table)
    return made.map(FromLaw)


def programs(
    inputs: Iterable[In], outputs: Values[Out], *, max_draws: int = 2, max_weight: int = 3
) -> SearchStrategy[FromProgram[In, Out]]:
    """Return the strategy of the programs that draw only through their coins.

    Their laws come from the tape. Shrinks towards no draws, and one output for all inputs.

    Parameters
    ----------
    inputs
        The inputs.
    outputs
        The outputs, or a strategy for one.
    max_draws
        The largest number of draws on one path; each has at most three answers.
    max_weight
        The largest weight of an answer, at least 1.

    Raises
    ------
    InvalidInput
        Inputs repeat, there are no outputs, or a number is out of range. On use: another input
        came.

    Examples
    --------
    >>> from hypothesis import find
    >>> find(programs([0], "ab"), lambda M: len(M.law(0)) == 2).law(0)
    FiniteDistribution({'a': 1/2, 'b': 1/2})
    """
    draws = as_size(max_draws, "max_draws")
    heaviest = as_size(max_weight, "max_weight", least=1)
    leaves: SearchStrategy[Toss[Out] | CoinLeaf[Out]] = drawn_from(outputs, "outputs").map(CoinLeaf)
    tree = leaves
    for _ in range(draws):
        tree = st.one_of(leaves, _tosses(tree, heaviest))
    trees = st.fixed_dictionaries(dict.fromkeys(distinct(inputs, "inputs"), tree))
    return trees.map(lambda drawn: FromProgram(CoinProgram(Table(drawn))))


def _tosses(
    branch: SearchStrategy[Toss[Out] | CoinLeaf[Out]], max_weight: int
) -> SearchStrategy[Toss[Out]]:
    weight = st.integers(1, max_weight)
    answers = st.lists(st.tuples(weight, branch), min_size=2, max_size=3)
    return answers.map(lambda drawn: Toss(*map(tuple, zip(*drawn, strict=True))))
