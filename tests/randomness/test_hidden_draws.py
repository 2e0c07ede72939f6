"""Randomness that does not come through the coins is found, whatever it comes from, with its line.

The programs draw at every run and use what they drew almost never, so a comparison of outcomes
would not find them.
"""

# ruff: noqa: PLW0108  # the line that draws is wanted in this file

from __future__ import annotations

import builtins
import datetime as dt
import logging
import os
import pickle
import random
import runpy
import secrets
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import partial
from os import urandom
from pathlib import Path
from random import Random, random as draw
from time import localtime, perf_counter
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
import pytest

from pac_stability.audit.watching.program import namespaces_of
from pac_stability.data import FiniteDistribution, FromProgram, enumerate_law
from pac_stability.errors import InvalidInput
from pac_stability.randomness import SYSTEM_COINS, Coins, SeededCoins, watch
from pac_stability.randomness.watch import READ, HiddenDraw, Watch, watched
from shared_interrupts import interrupted, moments

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).name


def helper() -> float:
    return random.gauss(0, 1)


def in_a_thread() -> None:
    thread = threading.Thread(target=lambda: None)
    thread.start()
    thread.join()


def from_a_device() -> int:
    with open("/dev/urandom", "rb") as device:  # noqa: PTH123  # as users write it
        return device.read(1)[0]


def in_a_process() -> object:
    return subprocess.run([sys.executable, "-c", ""], check=False)


def restores() -> float:
    before = random.getstate()
    random.seed(7)
    number = random.random()
    random.setstate(before)
    return number


DRAWS: dict[str, tuple[str, Callable[[], object]]] = {
    "the module": ("random", lambda: random.random()),
    "a function of the module": ("random", lambda: draw()),
    "a helper": ("random", lambda: helper()),
    "a shuffle": ("random", lambda: random.shuffle([1, 2, 3])),
    "a seed": ("random", lambda: random.seed()),
    "a state that is put back": ("random", restores),
    "numpy": ("numpy.random", lambda: np.random.random()),
    "numpy's cached normal number": ("numpy.random", lambda: np.random.normal()),
    "a generator of numpy's": ("os.urandom", lambda: np.random.default_rng().random()),
    "an old generator of numpy's": ("os.urandom", lambda: np.random.RandomState().rand()),
    "a generator": (r"random.Random\(\) without a seed", lambda: Random().random()),
    "the system": ("os.urandom", lambda: os.urandom(1)),
    "the system by name": ("os.urandom", lambda: urandom(1)),
    "secrets": ("os.urandom", lambda: secrets.token_hex()),
    "the system's generator": ("os.urandom", lambda: random.SystemRandom().random()),
    "coins of our own": ("os.urandom", lambda: SYSTEM_COINS.below(6)),
    "uuid4": ("os.urandom", lambda: uuid.uuid4()),
    "uuid1": ("uuid._generate_time_safe", lambda: uuid.uuid1()),
    "the clock": ("time.time", lambda: time.time()),
    "the clock by name": ("time.perf_counter", lambda: perf_counter()),
    "the time of day": ("time.localtime", lambda: time.localtime()),
    "the time of day by name": ("time.localtime", lambda: localtime()),
    "a date by name": ("datetime.now", lambda: datetime.now()),  # as users write it
    "a date": ("datetime.today", lambda: dt.date.today()),  # as users write it
    "the process": ("os.getpid", lambda: os.getpid()),
    "an address": (r"id\(\)", lambda: id(object())),
    "the hash of an object": (r"hash\(\)", lambda: hash(object())),
    "a thread": ("a thread that it started", in_a_thread),
    "a device": ("the device /dev/urandom", from_a_device),
    "a process": ("another process", in_a_process),
    "a temporary name": ("os.getpid", lambda: tempfile.mktemp()),  # noqa: S306  # on purpose
}
if sys.flags.hash_randomization:
    DRAWS["the hash of a text"] = (r"hash\(\)", lambda: hash(("salt", 1)))


@pytest.mark.parametrize("name", DRAWS)
def test_a_draw_is_found_with_its_line(name: str) -> None:
    culprit, question = DRAWS[name]
    tempfile._name_sequence = None  # type: ignore[attr-defined]  # as in a process that has made no name
    random.seed(1)
    np.random.seed(1)
    with pytest.raises(HiddenDraw, match=culprit) as caught:
        watched(question, namespaces_of(question))
    assert caught.value.place.startswith(f"{HERE}, line ")
    assert "lambda" in caught.value.place or "(" in caught.value.place
    line = int(caught.value.place.split("line ")[1].split()[0])
    first = question.__code__.co_firstlineno
    if name == "a helper":
        first = helper.__code__.co_firstlineno  # the line that draws, not the one that calls it
    assert first <= line <= first + 3


def only_in_audits(name: str) -> bool:
    """Whether it is found by a look at what the program holds and names."""
    culprit = DRAWS[name][0]
    looked_at = ("hash", "id", "datetime")
    return "by name" in name or any(word in culprit for word in looked_at)


@pytest.mark.parametrize("name", [name for name in DRAWS if not only_in_audits(name)])
def test_enumerating_a_law_refuses_it_too(name: str) -> None:
    culprit, question = DRAWS[name]
    tempfile._name_sequence = None  # type: ignore[attr-defined]  # as in a process that has made no name

    def program(rng: Coins) -> int:
        question()
        return rng.below(2)

    def on_anything(_: int, rng: Coins) -> int:
        return program(rng)

    with pytest.raises(HiddenDraw, match=culprit):
        enumerate_law(program)
    with pytest.raises(HiddenDraw, match=culprit):
        FromProgram(on_anything).law(0)


@dataclass(frozen=True)
class Point:
    name: str


def logs() -> None:
    logging.getLogger("quiet").warning("something")


def seeds_its_own() -> float:
    return Random(7).random() + float(np.random.default_rng(7).random())


def imports() -> object:
    sys.modules.pop("colorsys", None)
    import colorsys  # on purpose

    return colorsys.rgb_to_hsv(0, 0, 0)


HONEST: dict[str, Callable[[], object]] = {
    "nothing": lambda: 3,
    "fractions": lambda: hash(Fraction(1, 3)) + hash((1, 2.5)),
    "a set of values": lambda: len({Point("a"), Point("b")}),
    "a copy": lambda: deepcopy([Point("a"), {1: Point("b")}]),
    "a representation": lambda: repr(Point("a")),
    "a log": logs,
    "generators with seeds": seeds_its_own,
    "an import": imports,
    "a given time": lambda: time.gmtime(0),
    "a given date": lambda: datetime(2000, 1, 1, tzinfo=dt.UTC).isoformat(),
    "an array": lambda: np.arange(6).reshape(2, 3).sum(),
    "coins": lambda: enumerate_law(lambda rng: rng.below(6)),
}


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_program_is_left_alone(name: str) -> None:
    question = HONEST[name]
    watched(question, namespaces_of(question))
    with Watch(namespaces_of(question)):
        question()


def test_files_are_said_and_not_refused(tmp_path: Path) -> None:
    there = tmp_path / "table.csv"
    there.write_text("1")

    def read() -> str:
        return there.read_text()

    def write() -> int:
        return (tmp_path / "log").write_text("1")

    with Watch() as watch:
        read()
        read()
        write()
    reading, mark, writing = watch.assumed
    assert mark == f"{READ}{os.path.realpath(there)}"
    line = read.__code__.co_firstlineno + 1
    assert reading == (
        f"The file table.csv, which it reads at {HERE}, line {line} (return there.read_text()), "
        "does not change."
    )
    assert writing.startswith("No answer depends on the file log, which it writes at ")


def test_a_file_that_is_called_as_one_of_the_standard_library_is_the_users(tmp_path: Path) -> None:
    path = tmp_path / "logging" / "__init__.py"
    path.parent.mkdir()
    path.write_text("import time\ndef learner():\n    return time.time_ns() % 2\n")
    space = runpy.run_path(str(path))
    with pytest.raises(HiddenDraw, match=r"time_ns"), Watch([space]):
        space["learner"]()


def test_to_read_a_table_with_pandas_is_no_draw(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    path = tmp_path / "table.csv"
    path.write_text("a,b\n1,2\n")
    with Watch() as watch:
        assert pandas.read_csv(path).shape == (1, 2)
    assert any("table.csv" in said for said in watch.assumed)


def test_what_others_do_is_not_noticed() -> None:
    held = time.time
    with Watch():
        other = threading.local  # a name; nothing is called
        assert other is threading.local
    assert time.time is held
    random.random()
    time.time()


def test_a_thread_that_is_not_watched_may_look_at_the_clock() -> None:
    go, done = threading.Event(), threading.Event()
    seen: list[float] = []

    def clock() -> None:
        go.wait(10)
        seen.append(time.time())
        done.set()

    other = threading.Thread(target=clock)
    other.start()
    with Watch():
        go.set()
        done.wait(10)
    other.join()
    assert seen


def test_everything_is_put_back() -> None:
    names = [(time, "time"), (os, "urandom"), (builtins, "id"), (builtins, "hash")]
    before = [getattr(owner, name) for owner, name in names]
    own = "seed" in vars(Random)
    with pytest.raises(HiddenDraw):
        watched(lambda: id(time.time()))
    assert [getattr(owner, name) for owner, name in names] == before
    assert ("seed" in vars(Random)) == own
    assert vars(random.SystemRandom).get("seed") is not None
    assert sys.getprofile() is None


def test_what_someone_else_put_there_meanwhile_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    def frozen() -> float:
        return 0.0

    with Watch():
        monkeypatch.setattr(time, "time", frozen)
    assert time.time is frozen


def test_a_profile_function_is_put_back() -> None:
    def profile(*_: object) -> None:
        return None

    question = DRAWS["the clock by name"][1]
    sys.setprofile(profile)
    try:
        with pytest.raises(HiddenDraw):
            watched(question, namespaces_of(question))
        assert sys.getprofile() is profile
    finally:
        sys.setprofile(None)


def test_an_error_of_the_program_is_its_own_unless_it_drew() -> None:
    def fails() -> None:
        raise KeyError("x")

    def draws_and_fails() -> None:
        random.random()
        raise KeyError("x")

    with pytest.raises(KeyError):
        watched(fails)
    with pytest.raises(HiddenDraw) as caught:
        watched(draws_and_fails)
    assert isinstance(caught.value.__cause__, KeyError)


def test_an_interrupt_is_an_interrupt() -> None:
    def interrupted() -> None:
        random.random()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        watched(interrupted)
    assert not isinstance(sys.getprofile(), Watch)


def test_the_generators_go_on_from_where_the_program_left_them() -> None:
    random.seed(3)
    expected = [random.random() for _ in range(2)]
    random.seed(3)
    watched(lambda: 3)
    assert [random.random() for _ in range(2)] == expected


def test_the_exception_travels() -> None:
    error = HiddenDraw("program", "a draw", "none", "x.py, line 3")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301  # ours
    assert issubclass(HiddenDraw, InvalidInput)
    assert isinstance(again, HiddenDraw)
    assert (str(again), again.place) == (str(error), error.place)


def test_numpy_is_not_imported_for_it() -> None:
    code = (
        "import sys; from pac_stability.randomness.watch import watched; watched(lambda: 3); "
        "assert 'numpy' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_draw_that_coins_do_not_have_is_told_with_those_they_have() -> None:
    def program(rng: Coins) -> int:
        return int(rng.tomorrow())  # type: ignore[attr-defined]  # it is not known yet

    wanted = r"coins have no 'tomorrow': they answer exactly, by below\(n\).*bernoulli\(p\)"
    with pytest.raises(AttributeError, match=wanted):
        enumerate_law(program)
    for coins in (SYSTEM_COINS, SeededCoins(1)):
        with pytest.raises(AttributeError, match=wanted):
            program(coins)


def test_an_interrupt_at_any_line_of_the_watch_leaves_no_gate_and_keeps_none_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    space: dict[str, object] = {"__file__": "mine.py", "draw": draw, "today": datetime}
    gates = [gate for gate in watch._gates() if gate[1] in ("random", "urandom")]
    monkeypatch.setattr(watch, "_gates", lambda: gates)
    monkeypatch.setattr(watch, "_known_gates", ([], [], [], {}))
    monkeypatch.setattr(watch, "_user_modules", lambda: iter([space]))

    def standing() -> list[object]:
        free: list[bool] = []  # else every other thread would wait for ever

        def take() -> None:
            free.append(watch._lock.acquire(blocking=False))
            if free[0]:
                watch._lock.release()

        other = threading.Thread(target=take)
        other.start()
        other.join()
        return [random.random, os.urandom, sys.getprofile(), dict(space), free]

    ask, before = partial(watched, lambda: 3, [space]), standing()
    for moment in moments(ask, 160, seed=1):
        interrupted(ask, moment)
        assert standing() == before, moment
        with pytest.raises(HiddenDraw, match="a draw from random"):
            watched(lambda: space["draw"](), [space])  # type: ignore[operator]  # it is a draw
        assert standing() == before, moment


def test_gates_are_made_anew_where_another_function_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(name: str, module: ModuleType) -> int:
        return len(str(getattr(module, name)()))

    with pytest.raises(HiddenDraw, match="a draw from random"):
        watched(lambda: ask("random", random))
    # What was a draw is none, and what is new under a name of the module draws from the same.
    monkeypatch.setattr(random, "random", lambda: 1)
    assert watched(lambda: ask("random", random)) == 1
    monkeypatch.setattr(random, "thrice", random.betavariate, raising=False)
    with pytest.raises(HiddenDraw, match="a draw from random"):
        watched(lambda: random.thrice(1, 1))  # type: ignore[attr-defined]  # it is there now
    monkeypatch.setattr(os, "getpid", lambda: 7)
    with pytest.raises(HiddenDraw, match=r"os\.getpid"):
        watched(lambda: ask("getpid", os))


def test_laws_are_what_they_were() -> None:
    law = enumerate_law(lambda rng: rng.bernoulli(Fraction(1, 3)))
    assert law == FiniteDistribution({0: Fraction(2, 3), 1: Fraction(1, 3)})
