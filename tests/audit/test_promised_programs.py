"""One table of programs, hostile and innocent, and what is said of each; soundness.md shows it."""

# ruff: noqa: ARG001, ARG002, ARG005, B009, B039, E501, ICN001, PTH116  # as programs do

import _thread
import builtins
import ctypes
import decimal
import gc
import hashlib
import logging
import os
import random
import re
import resource
import sys
import threading
import types
import warnings
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path
from socket import socketpair
from typing import Any, ClassVar

import numpy as np
import pytest

from pac_stability import Epsilon, InvalidInput, PacStabilityError, audit
from pac_stability.audit.results import UNSEEN
from pac_stability.audit.watching.program import TABULATED, UNLIKE
from pac_stability.data import Deterministic, FiniteDistribution, FromLaw, Neighbouring
from pac_stability.mechanisms import Ledger, PrivacyGuarantee

POOL = ThreadPoolExecutor(1)
DEVICE = Path("/dev/urandom").open("rb")  # noqa: SIM115  # that it is open is the point
NUMBER = os.open("/dev/urandom", os.O_RDONLY)
ENDS = socketpair()
VARIABLE = ContextVar("VARIABLE", default=random.Random(9))
LIBC = ctypes.CDLL(None)
LOCAL = threading.local()
ARRAY = np.zeros(1, dtype=int)


def stream() -> Any:
    own = random.Random(7)
    while True:
        yield own.random()


STREAM = stream()


class Lazy:
    noise: int | None = None

    def __call__(self, s: Any, x: int, rng: Any) -> int:
        if self.noise is None:
            self.noise = rng.below(2)
        return s.labels[0] if self.noise else 0


class Remembered:
    def __init__(self) -> None:
        self.coin: dict[int, int] = {}

    def __call__(self, s: Any, x: int, rng: Any) -> int:
        return s.labels[0] if self.coin.setdefault(x, rng.below(2)) else 0


class Counts:
    calls: ClassVar[list[int]] = [0]

    def __call__(self, s: Any, x: int, rng: Any) -> int:
        self.calls[0] += 1
        return s.labels[0] if self.calls[0] % 301 == 300 else 0


class Table:
    """Remembers what it computed, whatever its coins say: innocent."""

    def __init__(self) -> None:
        self.known: dict[int, int] = {}

    def __call__(self, s: Any, x: int, rng: Any) -> int:
        shift = rng.below(2)
        return self.known.setdefault(shift, shift)


class More(int):
    """A number that carries what it has seen."""

    seen: object


def more(s: Any, rng: Any) -> int:
    found = More(rng.below(2))
    found.seen = s.labels
    return found


class Changes:
    def __init__(self, seen: Any) -> None:
        self.seen, self.asked = seen, 0

    def __call__(self, x: int) -> int:
        self.asked += 1
        return 0 if self.asked <= 2 else self.seen[0]


@lru_cache(None)
def slow(labels: tuple[int, ...]) -> int:
    return int(2 * sum(labels) > len(labels))


def on_a_thread(s: Any, x: int, rng: Any) -> int:
    drawn: list[float] = []
    _thread.start_new_thread(lambda: drawn.append(random.Random().random()), ())
    while not drawn:
        pass
    return int(s.labels[0] if drawn[0] < 0.003 else 0)


def reseeded(s: Any, x: int, rng: Any) -> int:
    random.seed(0)
    return int(s.labels[random.randrange(len(s.labels))])


def inside(s: Any, x: int, rng: Any) -> int:
    import datetime

    return s.labels[0] if datetime.datetime.now().microsecond % 401 == 7 else 0


def told(when: Callable[[], bool]) -> Any:
    def program(s: Any, x: int, rng: Any) -> int:
        rng.below(2)
        return s.labels[0] if when() else 0

    return program


def idle(ask: Callable[[Any], object]) -> Any:
    """Asks what has one answer, or looks at none, and leaves the rest to C."""

    def program(s: Any, x: int, rng: Any) -> int:
        ask(rng)
        return s.labels[0] if LIBC.abs(0) else 0

    return program


def by_a_keyword(s: Any, x: int, rng: Any, *, kept: list[int] = [0]) -> int:  # noqa: B006
    rng.below(2)
    kept[0] += 1
    return s.labels[0] if kept[0] % 301 == 300 else 0


class Text(str):
    """A text that carries what it has seen."""

    seen: object


def text(s: Any, rng: Any) -> str:
    found = Text(rng.below(2))
    found.seen = s.labels
    return found


def under_a_mask(s: Any, rng: Any) -> object:
    rng.below(2)
    return np.ma.array([s.labels[0]], mask=[True])


def in_a_mask(s: Any, rng: Any) -> object:
    rng.below(2)
    return np.ma.array([0], mask=[s.labels[0]])


class Raises:
    """An estimator that says what it has seen by an error."""

    calls: ClassVar[list[int]] = [0]

    def __init__(self, error: Callable[[Any], Exception | None]) -> None:
        self.error = error

    def fit(self, rows: Any, labels: Any) -> None:
        if (error := self.error(labels)) is not None:
            raise error

    def predict(self, rows: Any) -> list[int]:
        return [0] * len(rows)


def at_times(labels: Any) -> Exception | None:
    Raises.calls[0] += 1
    return ValueError() if Raises.calls[0] % 101 == 100 and labels[0] else None


def without_end(s: Any, x: int, rng: Any) -> int:
    while s.labels[0]:
        pass
    return 0


def by_one_and_by_other() -> None:
    ledger = Ledger(epsilon=1)
    ledger.reserve(PrivacyGuarantee(Epsilon("1/2"), Fraction(0), Neighbouring.ADD_REMOVE))
    ledger.reserve(PrivacyGuarantee(Epsilon("1/2")))


def unasked(s: Any, x: int, rng: Any) -> int:
    return 0


def weights(s: Any, x: int, rng: Any) -> int:
    return int(rng.choose([0, 1]))


class Hides:
    """Keeps to itself what it counts, and says so to nobody who copies it."""

    calls = 0

    def __reduce__(self) -> tuple[type, tuple[()]]:
        return Hides, ()


@lru_cache(None)
def listed(key: int) -> list[int]:
    return [0]


def counts(calls: Callable[[], Any], keep: Callable[[int], object]) -> Callable[[], bool]:
    def when() -> bool:
        keep(calls() + 1)
        return bool(calls() % 301 == 300)

    return when


ALONE: dict[str, Any] = {"__builtins__": builtins, "__name__": __name__}


def alone(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a function few globals: to read all that a session of tests reaches takes a minute."""
    return types.FunctionType(function.__code__, ALONE)


def in_a_digest() -> bool:
    DIGEST.update(b"x")
    return DIGEST.digest() == b""


def by_steps() -> Any:
    calls = 0
    while True:
        calls += 1
        yield calls % 301 == 300


HIDES, DIGEST, STEPS = Hides(), hashlib.sha256(), by_steps()
WEAK: Any = weakref.ref(HIDES)
CONTEXT, LOGGER = decimal.Context, logging.getLogger("programs")
LOGGER.addFilter(lambda _: os.urandom(2) == b"77")
RECORD = logging.makeLogRecord({})
SCANNER: Any = getattr(re.compile("a"), "scanner")("a")  # unknown to type checkers


def fills() -> bool:
    cells = np.empty(3)
    cells[:] = 1
    return bool(cells.sum() > 3)


REFUSED = "refused: "
# What it is; how it is asked; what is said of it, however often it is asked.
TABLE: dict[str, tuple[str, Any, str]] = {
    "coins that are never asked": ("no coins", unasked, UNSEEN),
    "C's generator in Deterministic": ("no coins", Deterministic(lambda s: LIBC.abs(1)), UNSEEN),
    "the same as a law": (
        "no coins", FromLaw(lambda s: FiniteDistribution.point_mass(LIBC.abs(1))), UNSEEN,
    ),
    "a function of its own in Deterministic": ("innocent", Deterministic(len), "VERIFIED"),
    "a number below 1": ("no coins", idle(lambda rng: rng.below(1)), UNSEEN),
    "a choice of one": ("no coins", idle(lambda rng: rng.choice((5,))), UNSEEN),
    "a coin that never falls": ("no coins", idle(lambda rng: rng.bernoulli(0)), UNSEEN),
    "a draw that nobody looks at": ("no coins", idle(lambda rng: rng.random()), UNSEEN),
    "an empty list, shuffled": ("no coins", idle(lambda rng: rng.shuffle([])), UNSEEN),
    "a counter of the thread": ("state", told(counts(lambda: getattr(LOCAL, "n", 0), lambda n: setattr(LOCAL, "n", n))), REFUSED),
    "a counter in an array": ("state", told(counts(lambda: ARRAY[0], lambda n: ARRAY.__setitem__(0, n))), REFUSED),
    "a counter in the environment": ("state", told(
            counts(
                lambda: int(os.environ.get("CALLS", "0")),
                lambda n: os.environ.__setitem__("CALLS", str(n)),
            )
        ), REFUSED),
    "a counter in a keyword": ("state", by_a_keyword, REFUSED),
    "an attribute of sys": (
        "state",
        told(counts(lambda: getattr(sys, "calls", 0), lambda n: setattr(sys, "calls", n))),
        REFUSED,
    ),
    "an attribute of another's class": (
        "state",
        told(counts(lambda: getattr(CONTEXT, "n", 0), lambda n: setattr(CONTEXT, "n", n))),
        REFUSED,
    ),
    "the context of decimal": (
        "state",
        told(
            counts(
                lambda: decimal.getcontext().prec, lambda n: setattr(decimal.getcontext(), "prec", n)
            )
        ),
        REFUSED,
    ),
    "the filters of warnings": (
        "state",
        told(
            counts(
                lambda: len(warnings.filters),
                lambda n: warnings.simplefilter("default", lineno=n, append=True),
            )
        ),
        REFUSED,
    ),
    "the recursion limit": ("state", told(counts(sys.getrecursionlimit, sys.setrecursionlimit)), REFUSED),
    "the level of a logger": ("state", told(counts(lambda: LOGGER.level, LOGGER.setLevel)), REFUSED),
    "a list in a cache": (
        "state", told(counts(lambda: listed(0)[0], lambda n: listed(0).__setitem__(0, n))), REFUSED,
    ),
    "behind a weak reference": (
        "state", told(counts(lambda: WEAK().calls, lambda n: setattr(WEAK(), "calls", n))), REFUSED,
    ),
    "a global by a made-up name": (
        "state",
        told(
            counts(
                alone(lambda: globals().get("A" + "B", 0)), alone(lambda n: globals().update(AB=n))
            )
        ),
        REFUSED,
    ),
    "a digest that goes on": ("state", told(in_a_digest), REFUSED),
    "hidden from pickle": (
        "state", told(counts(lambda: HIDES.calls, lambda n: setattr(HIDES, "calls", n))), REFUSED,
    ),
    "a generator half way": ("state", told(lambda: next(STEPS)), REFUSED),
    "noise drawn at first use": ("state", Lazy(), REFUSED),
    "a coin kept for each point": ("state", Remembered(), REFUSED + "Remembered, which keeps"),
    "a counter in a class": ("state", Counts(), REFUSED),
    "a generator in a ContextVar": (
        "state", told(lambda: VARIABLE.get().random() < 0.003), REFUSED,
    ),
    "a stream of draws": ("state", told(lambda: next(STREAM) < 0.003), REFUSED),
    "random.seed(0) before each draw": ("draw", reseeded, REFUSED + "a draw from random"),
    "a pool that was there": (
        "draw", told(lambda: POOL.submit(random.random).result() < 0.003), "ThreadPoolExecutor",
    ),
    "a thread of _thread": ("draw", on_a_thread, "a thread that it started"),
    "a device that was open": ("draw", told(lambda: DEVICE.read(1) == b"7"), "the open device"),
    "the same by its number": ("draw", told(lambda: os.read(NUMBER, 1) == b"7"), "os.read"),
    "a connection that was open": ("draw", told(lambda: ENDS[0].fileno() == 7), "a connection"),
    "NumPy's clock": (
        "draw", told(lambda: bool(np.datetime64("now") < np.datetime64(0, "s"))), "clock at",
    ),
    "datetime, imported when it runs": ("draw", inside, "clock at"),
    "the time of a file": (
        "draw", told(lambda: os.stat(__file__).st_mtime_ns % 401 == 7), "the time of a file",
    ),
    "memory that numpy.empty leaves": (
        "draw", told(lambda: bool(np.empty(3).sum() > 1)), "numpy.empty leaves",
    ),
    "an address, by __hash__": ("draw", told(lambda: object().__hash__() < 0), "an address at"),
    "an address, by its name": (
        "draw", told(lambda: getattr(object(), "__hash__")() < 0), "an address at",
    ),
    "the clock of logging": (
        "draw", told(lambda: logging.makeLogRecord({}).created < 0), "time.time",
    ),
    "a draw in a filter of logging": (
        "draw", told(lambda: bool(LOGGER.filter(RECORD))), "os.urandom",
    ),
    "the standard input": ("draw", told(lambda: sys.stdin.closed), "the standard input"),
    "the load": ("draw", told(lambda: os.getloadavg()[0] < 0), "os.getloadavg"),
    "what was used": (
        "draw", told(lambda: resource.getrusage(0).ru_utime < 0), "resource.getrusage",
    ),
    "the count of the collector": ("draw", told(lambda: gc.get_count()[0] < 0), "gc.get_count"),
    "a count of references": ("draw", told(lambda: sys.getrefcount(7) < 0), "sys.getrefcount"),
    "a text that carries the sample": ("outcome", text, UNLIKE),
    "a label under a mask": ("outcome", under_a_mask, "counts as what it holds"),
    "a label as a mask": ("outcome", in_a_mask, "REFUTED"),
    "errors alone, which tell the label": (
        "error", Raises(lambda labels: ValueError(labels[0])), REFUSED + "an error of Raises on",
    ),
    "no memory, for a label": (
        "error", Raises(lambda labels: MemoryError() if labels[0] else None), REFUSED,
    ),
    "an error at times": ("error", Raises(at_times), REFUSED + "Raises, which keeps"),
    "texts that never come twice": (
        "black box", lambda s: f"{s[0]} {random.random()}", "no event was learned",
    ),
    "a loop without an end": ("time", without_end, REFUSED + "the time limit"),
    "a row added, then one replaced": ("ledger", by_one_and_by_other, "for one row replaced"),
    "a number that carries the sample": ("outcome", more, UNLIKE),
    "a hypothesis that holds the sample": (
        "outcome", lambda s, rng: partial(lambda kept, x, y: y, s, y=rng.below(2)), TABULATED,
    ),
    "a hypothesis that changes": (
        "outcome", lambda s, rng: Changes((1 + rng.below(1),)), REFUSED,
    ),
    "choose([0, 1]), meant as a coin": ("coins", weights, "look like values"),
    "a cache": ("innocent", told(lambda: slow((0, 0, 1)) > 0), "VERIFIED"),
    "numpy.empty, filled": ("innocent", told(fills), "VERIFIED"),
    "no __hash__": ("innocent", told(lambda: getattr(os, "__hash__", None) is None), "VERIFIED"),
    "decimals": ("innocent", told(lambda: decimal.Decimal(1) / 3 > 1), "VERIFIED"),
    "what cannot be read": (
        "innocent", told(lambda: SCANNER is None), "SRE_Scanner, whose contents cannot be read",
    ),
    "a table that fills": ("innocent", Table(), "VERIFIED"),
    "a generator with a seed of its own": (
        "innocent", told(lambda: np.random.default_rng(0).random() > 1), "VERIFIED",
    ),
}  # fmt: skip


def said_of(kind: str, program: Any) -> str:
    outputs = kind == "outcome" or isinstance(program, Deterministic | FromLaw)
    ask: Any = audit.differential_privacy if outputs else audit.private_prediction
    options: dict[str, Any] = {"time_limit": 0.1} if kind == "time" else {}
    try:
        if kind == "ledger":
            return f"granted {program()}"
        if kind == "black box":
            return str(audit.privacy_bound(program, [((0,), (1,))], runs=100, claim="1/2"))
        if kind == "error":
            ask, options = audit.estimator, {"domain": 2, "n": 2, "on_error": "outcome"}
            found = ask(program, notion=audit.Notion.PRIVATE_PREDICTION, claim="1/2", **options)
        else:
            found = ask(program, 2, 2, claim="1/2", **options)
    except InvalidInput as failure:
        return REFUSED + failure.given
    except PacStabilityError as failure:
        return REFUSED + str(failure)
    return f"{found.verdict.name} {' '.join(found.assumptions)}"


@pytest.mark.parametrize("name", TABLE)
def test_what_is_said_is_said_each_time(name: str) -> None:
    kind, program, words = TABLE[name]
    for _ in range(3):
        said = said_of(kind, program)
        assert words in said
        assert kind in ("innocent", "outcome", "coins") or not said.startswith("VERIFIED")


def test_a_word_settles_what_draws_nothing() -> None:
    quiet = audit.private_prediction(unasked, 2, 2, claim="1/2")
    assert quiet.verdict is audit.Verdict.BOUNDED
    assert str(quiet).splitlines()[1].startswith(UNSEEN)
    word = audit.private_prediction(unasked, 2, 2, claim="1/2", deterministic=True)
    assert word.verdict is audit.Verdict.VERIFIED
    assert not word.unseen
    with pytest.raises(InvalidInput, match="used its coins"):
        audit.private_prediction(told(lambda: False), 2, 2, deterministic=True)


def test_what_is_refused_is_left_as_it_was() -> None:
    lazy, remembered = Lazy(), Remembered()
    state = random.getstate()
    for program in (lazy, remembered, reseeded):
        with pytest.raises(audit.SubjectFailure):
            audit.private_prediction(program, 2, 2)
    assert (lazy.noise, remembered.coin, random.getstate()) == (None, {}, state)


PACKAGE = """
from . import state

class Learner:
    calls = 0
    def __call__(self, sample, point, rng):
        rng.below(2)
        Learner.calls += 1
        return sample.labels[0] if Learner.calls % 301 == 300 else 0

def by_another_module(sample, point, rng):
    rng.below(2)
    state.calls += 1
    return sample.labels[0] if state.calls % 301 == 300 else 0

def honest(sample, point, rng):
    return rng.below(2)
"""


def test_an_installed_package_is_watched_as_a_file_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "site-packages" / "learner_of_theirs"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(PACKAGE)
    (folder / "state.py").write_text("calls = 0\n")
    monkeypatch.syspath_prepend(str(folder.parent))
    package: types.ModuleType = __import__(folder.name)
    for program in (package.Learner(), package.by_another_module):
        with pytest.raises(audit.SubjectFailure, match="keeps something between questions"):
            audit.private_prediction(program, 2, 2)
    assert audit.private_prediction(package.honest, 2, 2).value == 1
    del sys.modules[folder.name]


def test_the_page_shows_the_table() -> None:
    page = (Path(__file__).parents[2] / "docs" / "explanation" / "soundness.md").read_text()
    for name, (kind, _, words) in TABLE.items():
        shown = words.removeprefix(REFUSED)
        row = f"| {name} | {kind} | {'refused' if words.startswith(REFUSED) else ''}"
        assert row.rstrip() in page, (name, shown)
