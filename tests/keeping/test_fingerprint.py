"""The fingerprint of code: what changes it, what does not, and that it is the same elsewhere."""

import functools
import importlib
import itertools
import os
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from textwrap import dedent
from types import ModuleType

import numpy as np
import pytest

from pac_stability.classes import thresholds
from pac_stability.data import FiniteDistribution, FromProgram
from pac_stability.errors import InvalidInput
from pac_stability.keeping import Fingerprint, fingerprint_of
from pac_stability.keeping.fingerprint import library_digest

Load = Callable[..., ModuleType]


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Load]:
    """Write and import the module ``kept_learner``, beside ``kept_helper`` if there is one."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def loaded(code: str, name: str = "kept_learner") -> ModuleType:
        (tmp_path / f"{name}.py").write_text(dedent(code))
        sys.modules.pop(name, None)
        importlib.invalidate_caches()
        return importlib.import_module(name)

    yield loaded
    for name in ("kept_learner", "kept_helper"):
        sys.modules.pop(name, None)


def code(subject: object) -> str:
    """What a fingerprint says without the bytes of the files."""
    return fingerprint_of(subject).code


BASE = """
    RATE = 2
    TABLE = {"a": [1, 2]}

    def scaled(x, by=3):
        return x * by * RATE

    class Base:
        bias = 0

        def shift(self, x):
            return x + self.bias

    class Learner(Base):
        size = 1

        def law(self, sample):
            def inner(z):
                return scaled(z) + TABLE["a"][0]
            return [inner(z) for z in sample] + [self.shift(0)]

    def learn(sample):
        return Learner().law(sample)
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("RATE = 2", "RATE = 4"), ("[1, 2]", "[1, 3]"), ("by=3", "by=5"), ("x * by", "x + by"),
        ("bias = 0", "bias = 1"), ("x + self.bias", "x - self.bias"), ("size = 1", "size = 2"),
        ("self.shift(0)", "self.shift(1)"), ("class Learner(Base)", "class Learner(Base, int)"),
        ('TABLE["a"][0]', 'TABLE["a"][1]'),
    ],
)  # fmt: skip
def test_a_change_anywhere_below_a_function_is_seen(load: Load, old: str, new: str) -> None:
    assert BASE.count(old) == 1
    before = load(BASE)
    first, third = code(before.learn), code(before.Learner())
    assert code(load(BASE).learn) == first
    after = load(BASE.replace(old, new))
    assert code(after.learn) != first
    assert code(after.Learner()) != third


def test_values_that_are_set_after_the_import_are_seen(load: Load) -> None:
    module = load(BASE)
    first = fingerprint_of(module.learn)
    module.__dict__["RATE"] = 7
    again = fingerprint_of(module.learn)
    assert first.modules == again.modules
    assert again.differences(first) == ("the code, or what it refers to",)
    module.__dict__["RATE"] = 2
    assert fingerprint_of(module.learn) == first


@pytest.mark.parametrize("use", [
    "import kept_helper\ndef learn(s):\n    return kept_helper.rate(s)\n",
    "from kept_helper import rate\ndef learn(s):\n    return rate(s)\n",
    "def learn(s):\n    import kept_helper\n    return kept_helper.rate(s)\n",
    "def learn(s):\n    from kept_helper import rate\n    return rate(s)\n",
])  # fmt: skip
def test_modules_that_the_code_uses_are_read(load: Load, use: str) -> None:
    load("RATE = 1\ndef rate(s):\n    return RATE\n", "kept_helper")
    first = fingerprint_of(load(use).learn)
    assert set(first.modules) == {"kept_learner", "kept_helper"}
    load("RATE = 2\ndef rate(s):\n    return RATE\n", "kept_helper")
    second = fingerprint_of(load(use).learn)
    assert second.code != first.code
    assert second.differences(first) == ("the module kept_helper",)


def test_what_a_file_says_counts_even_where_the_code_does_not_show_it(load: Load) -> None:
    dynamic = 'RATE = {}\ndef learn(s):\n    return globals()["RA" + "TE"]\n'
    first = fingerprint_of(load(dynamic.format(1)).learn)
    assert fingerprint_of(load(dynamic.format(2)).learn) != first


def test_closures_defaults_and_attributes() -> None:
    def make(held: object, attribute: object = None) -> Callable[[], object]:
        def inner() -> object:
            return held

        inner.note = attribute  # type: ignore[attr-defined]  # any function may have some
        return inner

    assert code(make(1)) == code(make(1))
    others: list[object] = [
        *(make(2), make(True), make(1.0), make("1"), make(b"1"), make((1,)), make([1]), make({1})),
        *(make({1: 1}), make(Fraction(1, 2)), make(make), make(None), make(1, 2), make(10**5000)),
        *(make(np.arange(2)), make(np.arange(2.0)), make(OrderedDict(a=1)), make(range(3))),
        *(make(thresholds(2)), make(thresholds(3)), make(functools.partial(make, 2)), make(len)),
        *(make(FiniteDistribution.uniform([0, 1])), make(FromProgram(make)), make(make(3))),
    ]
    digests = {code(each) for each in others}
    assert len(digests) == len(others)
    assert code(make(1)) not in digests


def test_the_state_of_an_object_counts_but_not_what_it_remembers() -> None:
    @dataclass(frozen=True)
    class Learner:
        rate: int
        hidden: list[int] = field(default_factory=list, compare=False)

        @cached_property
        def slow(self) -> int:
            return self.rate + 1

    @functools.cache
    def square(x: int) -> int:
        return x * x

    learner = Learner(1)
    first, remembered = code(learner), code(square)
    assert learner.slow + square(3) == 11
    assert (code(learner), code(square)) == (first, remembered)
    learner.hidden.append(1)
    assert code(learner) != first

    class Table:
        @cached_property
        def known(self) -> dict[int, int]:
            return {}

    table = Table()
    empty = code(table)
    table.known[0] = 1
    assert code(table) == empty
    assert code(Learner(2)) != first


def test_circles_end() -> None:
    def even(n: int) -> bool:
        return n == 0 or odd(n - 1)

    def odd(n: int) -> bool:
        return n != 0 and even(n - 1)

    circle: list[object] = [1]
    circle.append(circle)
    longer: list[object] = [2]
    longer.append(longer)
    assert code(even) == code(even) != code(odd)
    assert code(circle) == code(circle) != code(longer)


def test_what_cannot_be_read_is_named() -> None:
    found = fingerprint_of(threading.Lock(), (n for n in range(3)), itertools.count())
    assert found.unread == (
        "an object of type generator, whose contents cannot be read",
        "an object of type lock, whose contents cannot be read",
    )
    assert fingerprint_of(len, str.upper, np.sum, Fraction.limit_denominator).unread == ()
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert fingerprint_of(deep).unread == ("values that are nested too deeply to be read",)
    assert fingerprint_of(deep).code != fingerprint_of(deep).code
    while deep:  # the interpreter would end it by recursion
        (deep,) = deep  # type: ignore[assignment]  # lists to the end


@pytest.mark.parametrize("seed", ["0", "1", "2"])
def test_another_process_reads_the_same(seed: str) -> None:
    here = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parent)}
    program = "from test_fingerprint import example, code; print(code(example))"
    done = subprocess.run(
        [sys.executable, "-c", program], env=here, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == code(example)


def example(sample: object, names: frozenset[str] = frozenset({"a", "b", "c"})) -> object:
    """Refers to sets, whose order differs from process to process, and to classes."""
    return (sample, names, {"x", "y", "z"}, Load, thresholds(3), list("pq"))


@pytest.mark.parametrize("name", ["epsilon.py", "statements.toml"])
def test_the_library_is_told_apart_by_its_files(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = fingerprint_of(len)
    read = Path.read_bytes
    library_digest.cache_clear()
    with monkeypatch.context() as patched:
        # As if one file of the library had been edited.
        patched.setattr(Path, "read_bytes", lambda self: read(self) + b" " * (self.name == name))
        edited = fingerprint_of(len)
    library_digest.cache_clear()
    assert edited.differences(first) == ("pac_stability",)
    assert fingerprint_of(len) == first


def test_installed_packages_are_told_apart_by_their_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fingerprint_of(np.sum, np.arange(3)).modules == {}
    assert {"pytest", "_pytest"} < fingerprint_of(pytest.raises).modules.keys()
    # Also where a path leads to the packages of another environment.
    elsewhere = tmp_path / "site-packages"
    elsewhere.mkdir()
    (elsewhere / "kept_package.py").write_text('__version__ = "1"\ndef rate():\n    return 1\n')
    monkeypatch.syspath_prepend(elsewhere)
    package = importlib.import_module("kept_package")
    first = fingerprint_of(package.rate, package)
    assert [*first.modules] == ["kept_package"]
    # Edited under the same version, as one does whose learner is installed.
    (elsewhere / "kept_package.py").write_text('__version__ = "1"\ndef rate():\n    return 2\n')
    again = fingerprint_of(package.rate, package)
    assert again.differences(first) == ("the module kept_package",)
    monkeypatch.setattr(package, "__version__", "2")
    assert fingerprint_of(package.rate, package).code != first.code
    monkeypatch.delitem(sys.modules, "kept_package")


def test_a_fingerprint_travels_as_a_document() -> None:
    found = fingerprint_of(code)
    assert Fingerprint.from_dict(found.to_dict()) == found
    assert len(found.digest) == 64
    other = Fingerprint(found.code, found.modules, found.library, "CPython 2.7")
    assert found.digest != other.digest
    assert found.differences(other) == ("the platform (CPython 2.7)",)
    edits: list[dict[str, object]] = [{"code": 1}, {"x": 1}, {"modules": {"a": 1}}, {"unread": 1}]
    documents: list[object] = [None, [], {}, *({**found.to_dict(), **edit} for edit in edits)]
    for document in documents:
        with pytest.raises(InvalidInput, match="fingerprint"):
            Fingerprint.from_dict(document)


def test_classes_whose_objects_have_modules_are_read() -> None:
    # Of these types __module__ is a descriptor, not a name.
    kinds = (type(functools.lru_cache(len)), type(len), type(lambda: 0))
    for kind in kinds:
        assert fingerprint_of(kind) == fingerprint_of(kind)


def test_global_names_of_a_function_that_was_typed_in_are_read() -> None:
    # As in a doctest: its module is another one than its global names are of.
    names: dict[str, object] = {"__name__": "pytest", "calls": 0}
    exec("def count():\n    global calls\n    calls += 1", names)  # noqa: S102  # as a doctest does
    count = names["count"]
    before = fingerprint_of(count)
    assert callable(count)
    count()
    assert fingerprint_of(count) != before


def test_code_with_constants_of_any_kind_is_read() -> None:
    """A list put among the constants has no hash, and may change; all others are read once."""

    def one() -> object:
        return "a text"

    def read() -> str:
        return fingerprint_of(one).code

    before, held = read(), [1]
    code = one.__code__
    one.__code__ = code.replace(co_consts=(*code.co_consts, held))
    with_list = read()
    held.append(2)
    assert len({before, with_list, read()}) == 3
    one.__code__ = code
    assert read() == before
