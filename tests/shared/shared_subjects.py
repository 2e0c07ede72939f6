"""Predictors, outcomes and pools that audits of several tests are given."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from fractions import Fraction
from typing import Any

from pac_stability.data import Example, Sample
from pac_stability.randomness import Coins


def zero(_point: object) -> int:
    return 0


def one(_point: object) -> int:
    return 1


def errs(label: object, z: Example[Any]) -> bool:
    return label != z.label


def flipped_label(sample: Sample[int], point: int, rng: Coins) -> int:
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
