"""hypothesis knows the types of the library, and does not load it to know them."""

import subprocess
import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import find, strategies as st

import pac_stability as ps
from pac_stability.data import FromLaw, FromProgram
from pac_stability.testing import hypothesis_types

Run = Callable[..., subprocess.CompletedProcess[str]]
"""The fixture of conftest.py: runs Python with arguments."""

# hypothesis, numpy and flint are loaded by the rooms, or by programs that ask for them.
ROOMS = """
import sys
print(sorted(name for name in sys.modules if name.startswith("pac_stability")))
print({"numpy", "flint"} & set(sys.modules))
"""
USE = """
from collections.abc import Sequence
kinds = [ps.FiniteClass, ps.Sample, ps.Sample[bool], ps.Example[float], ps.FiniteDistribution[bool],
         ps.Multiset[int], ps.MistakeTree, ps.Epsilon, ps.Mechanism, ps.data.FromLaw[int, bool],
         ps.data.FromProgram]
once = hypothesis.settings(phases=[hypothesis.Phase.generate], database=None)
for kind in kinds:
    values = hypothesis.strategies.from_type(kind)
    value = hypothesis.find(values, lambda value: True, settings=once)
    if kind is ps.Mechanism:
        value.law(0)
    else:
        assert isinstance(value, getattr(kind, "__origin__", kind)), kind
lists = repr(hypothesis.strategies.from_type(Sequence[int]))
assert "Sample" not in lists and "lists(integers())" in lists, lists
print(len(kinds))
"""


def test_importing_hypothesis_loads_no_room(run: Run) -> None:
    done = run("-c", "import hypothesis" + ROOMS)
    assert done.stdout.splitlines() == [
        "['pac_stability', 'pac_stability._face', 'pac_stability.testing', "
        "'pac_stability.testing.hypothesis_types']",
        "set()",
    ], done.stderr


@pytest.mark.parametrize("order", ["hypothesis, pac_stability", "pac_stability, hypothesis"])
def test_from_type_works_whichever_is_imported_first(run: Run, order: str) -> None:
    done = run("-W", "error", "-c", f"import {order}\nimport pac_stability as ps\n{USE}")
    assert (done.stdout, done.stderr) == ("11\n", "")


@pytest.mark.parametrize("before", ["", "import hypothesis; "])
def test_types_that_are_loaded_late_are_registered_from_a_test_of_pytest(
    run: Run, tmp_path: Path, before: str
) -> None:
    (tmp_path / "work" / "test_them.py").write_text(
        "import hypothesis\nimport pac_stability as ps\n"
        "@hypothesis.given(...)\n"
        "def test_classes(H: ps.FiniteClass, S: ps.Sample[int]):\n"
        "    assert len(H) >= 1 and len(H.domain) <= 4 and len(S) <= 5\n"
    )
    main = "import pytest, sys; sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider']))"
    done = run("-c", f"{before}{main}")
    assert "1 passed" in done.stdout, done.stdout


@pytest.fixture
def registered() -> Iterator[None]:
    finders = list(sys.meta_path)
    hypothesis_types.register()
    yield
    sys.meta_path[:] = finders


@pytest.mark.usefixtures("registered")
def test_registering_twice_is_registering_once() -> None:
    before = list(sys.meta_path)
    hypothesis_types.register()
    assert sys.meta_path == before


@pytest.mark.usefixtures("registered")
def test_brackets_say_what_is_inside() -> None:
    S = find(st.from_type(ps.Sample[str]), lambda S: len(S) == 1)
    assert ps.Sample([""], [0]) == S
    law = find(st.from_type(ps.FiniteDistribution[bool]), lambda law: len(law) == 2)
    assert law == ps.FiniteDistribution({False: Fraction(1, 2), True: Fraction(1, 2)})
    M = find(st.from_type(FromLaw[int, str]), lambda M: len(M.law(0)) == 1)
    assert M.law(1).support == ("",)


@pytest.mark.usefixtures("registered")
def test_numbers_that_differ_from_themselves_are_no_points() -> None:
    # A point is equal to itself; drawing NaN would raise.
    S = find(st.from_type(ps.Sample[float]), lambda S: len(S) == 1 and S.points[0] > 1e9)
    assert S.points[0] == S.points[0]


@pytest.mark.usefixtures("registered")
def test_supertypes_of_ours_stay_as_they_were() -> None:
    for kind in (Sequence[int], Sequence, Hashable):
        words = repr(st.from_type(kind))  # type: ignore[type-abstract]  # what hypothesis is for
        assert "Sample" not in words
        assert "FiniteDistribution" not in words
    assert isinstance(find(st.from_type(FromProgram), lambda _: True), FromProgram)
