"""An unfinished audit as a file, from which to resume: the answers on the first samples."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import os
import sys
import time
import zlib
from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

from pac_stability import reading
from pac_stability.arguments import described
from pac_stability.arithmetic import Interval
from pac_stability.audit.search.asking import Answers
from pac_stability.data import EnclosedDistribution, FiniteDistribution, Law
from pac_stability.data.sample import decode_point, encode_point
from pac_stability.errors import InvalidInput
from pac_stability.keeping import Fingerprint, fingerprint_of, write_text
from pac_stability.keeping.fingerprint import loaded_since
from pac_stability.keeping.writing import remove_leftovers, set_aside
from pac_stability.randomness.watch import READ

FORMAT = "pac-stability audit checkpoint"
VERSION = 2
_MAX_BYTES = 1 << 32  # a checkpoint is one's own, and of millions of samples
_EVERY = 5.0  # seconds
_SHARE = 20  # at most 1/20 of the time goes into writing
_CHECK = b', "check": "'


class _Damaged(Exception):
    """A checkpoint that is not as it was written."""


@dataclass
class Checkpoint:
    """A file that records the answers, valid only for the code that gave them.

    Parameters
    ----------
    path
        The file.
    audit
        The identity of the audit: its instance and the name of the algorithm.
    asked
        The fingerprint of what the answers depend on, the algorithm and the instance; see
        :func:`~pac_stability.keeping.fingerprint_of`.
    fresh
        Whether to ignore the answers in the file.

    Attributes
    ----------
    remark
        In words, what happened to an unusable file; empty if there was none.
    unread
        The parts of the algorithm that could not be read, which may have changed.
    """

    path: str | os.PathLike[str]
    audit: str
    asked: tuple[object, ...] = ()
    fresh: bool = False
    remark: str = ""
    unread: tuple[str, ...] = ()
    _code: dict[str, object] = field(default_factory=dict)
    _loaded: frozenset[str] = frozenset()
    _files: dict[str, str] = field(default_factory=dict)
    _due: float = field(default_factory=lambda: time.monotonic() + _EVERY)

    def load(self, columns: int, samples: int) -> Answers:
        """Return the answers in the file; none if there is no usable file.

        It renames a file that is damaged or from other code, and a :attr:`remark` says so.

        Parameters
        ----------
        columns, samples
            The number of values of an answer, and the most answers.

        Raises
        ------
        InvalidInput
            The file belongs to another audit, is not a checkpoint, or cannot be read.
        """
        answers = Answers(columns)
        self._loaded = frozenset(sys.modules)
        code = fingerprint_of(*self.asked)
        self._code, self.unread = code.to_dict(), code.unread
        remove_leftovers(self.path)
        path = Path(self.path)
        if not path.exists() or (path.is_file() and not path.stat().st_size):
            return answers
        content = reading.read_bytes(path, _MAX_BYTES)
        if FORMAT.encode() not in content[:100] and content.strip(b"\0"):
            raise self._refused("another file")
        if self.fresh:
            return answers
        try:
            document = _document(content, str(path))
            if document["audit"] != self.audit:
                raise self._refused(f"one of {described(document['audit'])}")
            changed = code.differences(Fingerprint.from_dict(document["code"]))
            if changed:
                self._set_aside(f"is of other code: {', '.join(changed)} changed since")
                return answers
            for name, digest in document.get("files", {}).items():
                if digest != _file_digest(name):
                    self._set_aside(f"rests on {Path(name).name}, which changed since")
                    return answers
            self._files |= document.get("files", {})
            return _answers(document, columns, samples)
        except _Damaged:
            self._set_aside("is damaged")
        return answers

    def save(self, answers: Answers, *, now: bool = False) -> None:
        """Write the answers if enough time has passed, or now.

        Raises
        ------
        InvalidInput
            The file cannot be written, or an outcome has no form in JSON.
        """
        begun = time.monotonic()
        if not now and begun < self._due:
            return
        document = {
            "format": FORMAT,
            "version": VERSION,
            "audit": self.audit,
            "code": self._code_with_what_came(),
            "files": self._files_read(answers),
            "assumed": list(answers.assumed),
            "values": list(map(_encoded, answers.values)),
            "places": base64.b64encode(zlib.compress(answers.places.tobytes(), 1)).decode(),
        }
        body = json.dumps(document).removesuffix("}")
        check = hashlib.sha256(body.encode()).hexdigest()
        write_text(self.path, f'{body}{_CHECK.decode()}{check}"}}\n')
        end = time.monotonic()
        self._due = end + max(_EVERY, _SHARE * (end - begun))

    def _files_read(self, answers: Answers) -> dict[str, str]:
        """Return digests of the files that were read, as they were when they were first seen."""
        for mark in answers.assumed:
            if mark.startswith(READ):
                name = mark.removeprefix(READ)
                self._files.setdefault(name, _file_digest(name))
        return self._files

    def _code_with_what_came(self) -> dict[str, object]:
        """Return the fingerprint with the modules that were loaded, or changed, while it ran.

        Answers of a program that imports more as it runs are of use to a process that has imported
        it all before it asks; any other sees that the modules are not those.
        """
        begun = cast("dict[str, str]", self._code.get("modules", {}))
        now = fingerprint_of(*self.asked).modules
        came = {**loaded_since(self._loaded), **now}
        grown = {name for name, digest in begun.items() if came.get(name, digest) != digest}
        modules = {**came, **begun, **dict.fromkeys(grown, "changed while it ran")}
        return {**self._code, "modules": dict(sorted(modules.items()))}

    def remove(self) -> None:
        """Remove the file: the audit is finished, and a new one starts from the beginning."""
        if Path(self.path).is_file():
            Path(self.path).unlink(missing_ok=True)

    def _set_aside(self, what: str) -> None:
        self.remark = (
            f"the checkpoint {what}; it is now {set_aside(self.path).name}, "
            "and everything was asked again"
        )

    def _refused(self, given: str) -> InvalidInput:
        return InvalidInput(
            "checkpoint", f"{given} in {self.path}", f"a checkpoint of {self.audit}"
        )


def _file_digest(name: str) -> str:
    try:
        return hashlib.sha256(Path(name).read_bytes()).hexdigest()
    except (OSError, ValueError):  # gone, or no name
        return ""


def _document(content: bytes, name: str) -> dict[str, Any]:
    """Return the fields of a checkpoint that is as it was written."""
    body, mark, check = content.rpartition(_CHECK)
    if not mark or check != f'{hashlib.sha256(body).hexdigest()}"}}\n'.encode():
        raise _Damaged
    try:
        document = reading.parse_json(body + b"}", name, max_bytes=_MAX_BYTES)
    except InvalidInput:
        raise _Damaged from None
    if not isinstance(document, dict) or document.get("version") != VERSION:
        raise _Damaged
    if not isinstance(document.get("files", {}), dict):
        raise _Damaged
    if not {"audit", "code", "values", "places"} <= document.keys():
        raise _Damaged
    return document


def _answers(document: dict[str, Any], columns: int, samples: int) -> Answers:
    answers = Answers(columns)
    try:
        values = list(map(_decoded, document["values"]))
        for value in values:
            answers.place(value)
        packed = base64.b64decode(document["places"], validate=True)
        most = answers.places.itemsize * columns * samples
        places = zlib.decompressobj().decompress(packed, most + 1)
        if len(places) > most:
            raise _Damaged
        answers.places.frombytes(places)
        _check(answers)
        answers.assumed |= dict.fromkeys(map(_sentence, document["assumed"]))
    except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, zlib.error,
            binascii.Error, RecursionError) as problem:  # fmt: skip
        raise _Damaged from problem
    return answers


def _check(answers: Answers) -> None:
    if len(answers.places) % answers.columns:
        raise ValueError
    if answers.places and not 0 <= min(answers.places) <= max(answers.places) < len(answers.values):
        raise ValueError


def _sentence(text: object) -> str:
    if not isinstance(text, str):
        raise TypeError
    return text


def _encoded(value: Hashable) -> object:
    if isinstance(value, Law):
        try:
            return [[encode_point(y), _encoded(weight)] for y, weight in value.items()]
        except InvalidInput as error:
            given = f"the outcome {error.given}"
            raise InvalidInput("checkpoint", given, f"outcomes made of {error.wanted}") from None
    if isinstance(value, Interval):
        return {"lower": reading.exact_text(value.lower), "upper": reading.exact_text(value.upper)}
    return reading.exact_text(cast("Fraction", value))


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
        return reading.exact_number(text, "a probability")
    return reading.number_from(text, "a probability")
