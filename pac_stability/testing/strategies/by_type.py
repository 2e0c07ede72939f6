"""The strategy of each type of the library, for ``hypothesis.strategies.from_type``."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import cast

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from pac_stability.arithmetic import Epsilon
from pac_stability.classes import FiniteClass
from pac_stability.data import (
    Example,
    FiniteDistribution,
    FromLaw,
    FromProgram,
    Mechanism,
    Multiset,
    Sample,
)
from pac_stability.dimensions import MistakeTree
from pac_stability.testing.strategies.classes import finite_classes
from pac_stability.testing.strategies.labelled import examples, samples
from pac_stability.testing.strategies.laws import distributions, epsilons
from pac_stability.testing.strategies.randomised import mechanisms, programs
from pac_stability.testing.strategies.records import multisets
from pac_stability.testing.strategies.trees import classes_with_trees

Elements = SearchStrategy[Hashable]

_OF_ELEMENTS: dict[type, Callable[[Elements], SearchStrategy[object]]] = {
    Example: examples,
    FiniteDistribution: distributions,
    Multiset: multisets,
    Sample: samples,
}
_PLAIN: dict[type, Callable[[], SearchStrategy[object]]] = {
    Epsilon: epsilons,
    FiniteClass: finite_classes,
    MistakeTree: lambda: classes_with_trees().map(lambda pair: pair[1]),
}


def strategy_for(custom: type, arguments: tuple[object, ...]) -> SearchStrategy[object]:
    """Return the strategy of a type of the library.

    Parameters
    ----------
    custom
        One of the types that :mod:`~pac_stability.testing.hypothesis_types` lists.
    arguments
        What stands in its brackets, as in ``Sample[str]``; nothing means small integers.

    Notes
    -----
    Mechanisms take the inputs 0 and 1, since the inputs of a law must be finitely many. hypothesis
    resolves ``Mechanism``, but no protocol with brackets; ``FromLaw[...]`` is one that it does.
    """
    if custom in _PLAIN:
        return _PLAIN[custom]()
    if custom in _OF_ELEMENTS:
        return _OF_ELEMENTS[custom](_elements(arguments[0] if arguments else int))
    outputs = _elements(arguments[-1] if arguments else int)
    tables, coins = mechanisms((0, 1), outputs), programs((0, 1), outputs)
    made: dict[type, SearchStrategy[object]] = {
        FromLaw: tables,
        FromProgram: coins,
        Mechanism: st.one_of(tables, coins),
    }
    return made[custom]


def _elements(kind: object) -> Elements:
    # Any integer would do, but examples that meet one another test more.
    return st.integers(0, 3) if kind is int else st.from_type(cast("type[Hashable]", kind))
