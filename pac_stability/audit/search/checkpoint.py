"""An unfinished audit as a file, to go on from: the answers on the first samples."""

from __future__ import annotations

import base64
import binascii
import json
import os
import time
import zlib
from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

from pac_stability.arithmetic import Interval
from pac_stability.audit.search.asking import Answers
from pac_stability.data import EnclosedDistribution, FiniteDistribution
from pac_stability.data._json import decode_point, encode_point
from pac_stability.data._values import described
from pac_stability.errors import InvalidInput
from pac_stability.keeping import write_text
from pac_stability.reading import exact_number, exact_text, number_from, read_json

FORMAT = "pac-stability audit checkpoint"
VERSION = 1
_MAX_BYTES = 1 << 32  # a checkpoint is one's own, and of millions of samples
_EVERY = 5.0  # seconds
_SHARE = 20  # at most 1/20 of the time goes into writing


@dataclass
class Checkpoint:
    """A file that keeps up with the answers.

    Parameters
    ----------
    path
        The file; ``None`` for none.
    audit
        What identifies the audit: its instance and the name of the algorithm.
    """

    path: str | os.PathLike[str] | None
    audit: str
    _due: float = field(default_factory=lambda: time.monotonic() + _EVERY)

    def load(self, columns: int, samples: int) -> Answers:
        """Return the answers in the file, or none if there is no file.

        Parameters
        ----------
        columns, samples
            How many values an answer has, and how many answers there may be.

        Raises
        ------
        InvalidInput
            The file is of another audit, damaged, or no checkpoint.
        """
        answers = Answers(columns)
        if self.path is None or not Path(self.path).exists():
            return answers
        try:
            document = cast("dict[str, Any]", read_json(self.path, max_bytes=_MAX_BYTES))
            if document["format"] != FORMAT or document["version"] != VERSION:
                raise self._refused("another format or version")
            if document["audit"] != self.audit:
                raise self._refused(f"one of {described(document['audit'])}")
            for value in document["values"]:
                answers.place(_decoded(value))
            packed = base64.b64decode(document["places"], validate=True)
            most = answers.places.itemsize * columns * samples
            places = zlib.decompressobj().decompress(packed, most + 1)
            if len(places) > most:
                raise self._refused("more answers than there are samples")
            answers.places.frombytes(places)
            _check(answers)
        except InvalidInput as problem:
            if problem.argument == "checkpoint":
                raise
            raise self._refused(problem.given) from None
        except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, zlib.error,
                binascii.Error, RecursionError) as problem:  # fmt: skip
            raise self._refused(f"damage ({type(problem).__name__})") from None
        return answers

    def save(self, answers: Answers, *, now: bool = False) -> None:
        """Write the answers if it is time to, or now.

        Raises
        ------
        InvalidInput
            The file cannot be written, or an outcome has no form in JSON.
        """
        begun = time.monotonic()
        if self.path is None or not (now or begun >= self._due):
            return
        document = {
            "format": FORMAT,
            "version": VERSION,
            "audit": self.audit,
            "values": list(map(_encoded, answers.values)),
            "places": base64.b64encode(zlib.compress(answers.places.tobytes(), 1)).decode(),
        }
        write_text(self.path, json.dumps(document) + "\n")
        end = time.monotonic()
        self._due = end + max(_EVERY, _SHARE * (end - begun))

    def _refused(self, given: str) -> InvalidInput:
        return InvalidInput(
            "checkpoint", f"{given} in {self.path}", f"a checkpoint of {self.audit}"
        )


def _check(answers: Answers) -> None:
    if len(answers.places) % answers.columns:
        raise ValueError
    if answers.places and not 0 <= min(answers.places) <= max(answers.places) < len(answers.values):
        raise ValueError


def _encoded(value: Hashable) -> object:
    if isinstance(value, FiniteDistribution | EnclosedDistribution):
        try:
            return [[encode_point(y), _encoded(weight)] for y, weight in value.items()]
        except InvalidInput as error:
            raise InvalidInput(
                "checkpoint", f"the outcome {error.given}", f"outcomes made of {error.wanted}"
            ) from None
    if isinstance(value, Interval):
        return {"lower": exact_text(value.lower), "upper": exact_text(value.upper)}
    return exact_text(cast("Fraction", value))


def _decoded(value: object) -> Hashable:
    if isinstance(value, list):
        weights = {decode_point(y): _probability(weight) for y, weight in value}
        exact = {y: weight for y, weight in weights.items() if isinstance(weight, Fraction)}
        if len(exact) == len(weights):
            return FiniteDistribution(exact)
        return EnclosedDistribution(weights)
    return _probability(value)


def _probability(value: object) -> Fraction | Interval:
    if isinstance(value, dict):
        return Interval(_fraction(value["lower"]), _fraction(value["upper"]))
    return _fraction(value)


def _fraction(text: object) -> Fraction:
    if not isinstance(text, str):
        raise TypeError
    if "x" in text:
        return exact_number(text, "a probability")
    return number_from(text, "a probability")
