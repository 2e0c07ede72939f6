"""Programs that answer 0, but seldom tell the first label: none may pass an audit unnoticed.

What decides does not come through ``rng``, so no enumeration of coins meets it. An audit refuses
the programs of ``REFUSED``, with the line, and of ``CHANGED``, with what they keep; those of
``ASSUMED`` it can only answer with the
assumption that they violate.
"""

# ruff: noqa: S311  # that generators are weak is not the point here

from __future__ import annotations

import functools
import os
import random
import secrets
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import count
from pathlib import Path
from random import random as draw
from time import perf_counter_ns

import numpy as np

from pac_stability.data import Sample
from pac_stability.randomness import SYSTEM_COINS, Coins

Program = Callable[[Sample[int], int, Coins], int]

OFTEN = 500
KEPT = random.Random(159)  # they do not tell early
KEPT_BY_NUMPY = np.random.default_rng(27)
SALT = os.urandom(8)
FILE = Path(os.environ.get("LEAKS_FILE", __file__))
DEVICE = Path("/dev/urandom")


def telling(seldom: Callable[[], bool]) -> Program:
    """Return the program that tells the first label when something says so."""

    def program(sample: Sample[int], point: int, rng: Coins) -> int:  # noqa: ARG001  # for the shape
        rng.below(2)  # one that never asks is answered with "nothing random was seen"
        return sample.labels[0] if seldom() else 0

    return program


def on_a_thread() -> bool:
    """Whether another thread comes first, or draws a small number."""
    drawn: list[float] = []
    thread = threading.Thread(target=lambda: drawn.append(random.random()))
    thread.start()
    thread.join()
    return drawn[0] < 1 / OFTEN


def from_a_device() -> bool:
    """Whether two bytes of a device are small."""
    with DEVICE.open("rb") as device:
        return int.from_bytes(device.read(2), "big") < 65536 // OFTEN


REFUSED: dict[str, Program] = {
    "random": telling(lambda: random.random() < 1 / OFTEN),
    "random, by name": telling(lambda: draw() < 1 / OFTEN),
    "numpy.random": telling(lambda: np.random.random() < 1 / OFTEN),
    "numpy.random.default_rng()": telling(lambda: np.random.default_rng().random() < 1 / OFTEN),
    "random.Random()": telling(lambda: random.Random().random() < 1 / OFTEN),
    "secrets": telling(lambda: secrets.randbelow(OFTEN) == 0),
    "uuid": telling(lambda: uuid.uuid4().int % OFTEN == 0),
    "os.urandom": telling(lambda: int.from_bytes(os.urandom(2), "big") < 65536 // OFTEN),
    "SYSTEM_COINS": telling(lambda: SYSTEM_COINS.below(OFTEN) == 0),
    "the clock": telling(lambda: time.time_ns() // 1000 % OFTEN == 0),
    "the clock, by name": telling(lambda: perf_counter_ns() // 1000 % OFTEN == 0),
    "the date": telling(lambda: datetime.now().microsecond % OFTEN == 0),  # any zone
    "an address": telling(lambda: id(object()) // 16 % OFTEN == 0),
    "the hash of an object": telling(lambda: hash(object()) % OFTEN == 0),
    "the process": telling(lambda: os.getpid() % OFTEN == 0),
    "a thread": telling(on_a_thread),
    "a device": telling(from_a_device),
}


@functools.lru_cache(maxsize=1)
def looked_up(key: tuple[int, ...]) -> list[int]:  # noqa: ARG001  # the list is counted up
    """A cache of one entry, which says what was asked before."""
    return []


def counted() -> Callable[[], bool]:
    """Return a closure that counts."""
    runs = 0

    def seldom() -> bool:
        nonlocal runs
        runs += 1
        return runs % OFTEN == 0

    return seldom


def asked_before() -> bool:
    """Whether the cache has answered this often."""
    known = looked_up(())
    known.append(1)
    return len(known) % (8 * OFTEN) == 0


def numbered(numbers: Iterator[int]) -> Callable[[], bool]:
    """Return whether the next number is a round one."""
    return lambda: next(numbers) % OFTEN == OFTEN - 1


def first_of_a_set() -> bool:
    """Whether a set of texts begins with the right one, which depends on the process."""
    return next(iter({f"item {number}" for number in range(OFTEN)})) == "item 0"


def first_of_a_dictionary() -> bool:
    """Whether a dictionary that was filled from a set begins with the right text."""
    table = dict.fromkeys({f"item {number}" for number in range(OFTEN)})
    return next(iter(table)) == "item 0"


CHANGED: dict[str, Program] = {
    "a kept Random": telling(lambda: KEPT.random() < 1 / OFTEN),
    "a kept Generator": telling(lambda: KEPT_BY_NUMPY.random() < 1 / OFTEN),
    "a counter": telling(counted()),
    "an iterator": telling(numbered(count())),
    "a cache": telling(asked_before),
}
KEEPS = "Its answers depend neither on earlier questions nor on the iteration order of sets"
ASSUMED: dict[str, tuple[str, Program]] = {
    "the order of a set": (KEEPS, telling(first_of_a_set)),
    "the order of a dictionary": (KEEPS, telling(first_of_a_dictionary)),
    "drawn when it was loaded": (KEEPS, telling(lambda: SALT[0] == 0 and SALT[1] < 128)),
    "a file": (
        f"The file {FILE.name}, which it reads at",
        telling(lambda: "secret" in FILE.read_text()),
    ),
}
