"""Strategies of what several tests draw and other projects have no use for."""

from collections.abc import Hashable
from typing import TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from pac_stability import FiniteClass, Sample

ClassAndSample: TypeAlias = tuple[FiniteClass, Sample[Hashable]]
Subset: TypeAlias = tuple[FiniteClass, Sample[Hashable], int]


def plain_values() -> SearchStrategy[Hashable]:
    """What files of the library keep: points, outcomes and elements of every plain type."""
    plain = (
        st.none()
        | st.booleans()
        | st.integers()
        | st.integers(10**300, 10**310)
        | st.fractions()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text()
    )
    return st.recursive(plain, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=5)


def with_subset_size(pairs: SearchStrategy[ClassAndSample]) -> SearchStrategy[Subset]:
    """A class, a sample, and the size of a subset of its indices."""
    return pairs.flatmap(lambda pair: st.tuples(*map(st.just, pair), st.integers(1, len(pair[1]))))
