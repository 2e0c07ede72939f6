"""Predictors, outcomes and pools that audits of several tests are given."""

import random
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from fractions import Fraction
from threading import Event
from typing import Any

from pac_stability import audit, data, randomness


def audited(mechanism: object, **options: object) -> audit.AuditResult:
    """Audit on three of two unlabelled points, at delta 1/3."""
    ask: Callable[..., audit.AuditResult] = audit.differential_privacy
    return ask(mechanism, 2, 3, "1/3", labelled=False, **options)


def zero(_point: object) -> int:
    return 0


def one(_point: object) -> int:
    return 1


def errs(label: object, z: data.Example[Any]) -> bool:
    return label != z.label


def flipped_label(sample: data.Sample[int], point: int, rng: randomness.Coins) -> int:
    """A label of the sample, flipped once in four times."""
    return sample.labels[point % len(sample)] ^ rng.bernoulli(Fraction(1, 4))


class Awkward:
    """An outcome whose ``repr`` is any string at all."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


class WorkersDie(Executor):
    """What a pool of processes does when one of them is killed."""

    def submit(self, *_: object, **__: object) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(BrokenProcessPool("terminated abruptly"))
        return future


class Cluster(Executor):
    """Works in this process, as a cluster may, where threads of its own draw from ``random``."""

    def __init__(self, work: ThreadPoolExecutor) -> None:
        self._work = work
        self.pieces = 0

    def submit(self, *work: Any, **__: object) -> Future[Any]:
        self.pieces += 1
        return self._work.submit(*work)


@contextmanager
def drawing_cluster() -> Iterator[Cluster]:
    """Yield a :class:`Cluster`, whose draws begin before and go on until the end."""
    begun, ended = Event(), Event()

    def draw() -> None:
        while not ended.wait(1e-4):  # between two there is time for others
            random.random()
            begun.set()

    with ThreadPoolExecutor(1) as work, ThreadPoolExecutor(1) as others:
        drawing = others.submit(draw)
        try:
            begun.wait()
            yield Cluster(work)
        finally:
            ended.set()
            drawing.result()
