"""Values keep their laws of equality in other processes, and cannot be changed."""

import pickle
import subprocess
import sys

import pytest

from pac_stability.data import FiniteDistribution, Multiset


def test_a_cached_hash_is_not_carried_to_a_process_that_hashes_strings_otherwise() -> None:
    values = (FiniteDistribution.uniform("abc"), Multiset.of("abc"))
    assert len(set(map(hash, values))) == 2  # computed, and kept inside the values
    code = (
        "import pickle; from pac_stability.data import FiniteDistribution, Multiset;"
        f"values = pickle.loads({pickle.dumps(values)!r});"
        "assert set(values) == {FiniteDistribution.uniform('abc'), Multiset.of('abc')}"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_is_cached_cannot_be_replaced() -> None:
    with pytest.raises(AttributeError):
        FiniteDistribution.uniform("ab").support = ("c",)  # type: ignore[misc]  # what is tested
    with pytest.raises(AttributeError):
        Multiset.of("ab").orderings = 7  # type: ignore[misc]  # what is tested
