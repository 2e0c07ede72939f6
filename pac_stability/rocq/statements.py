"""What an exported file states: written for Rocq, read back from a file, and said in words.

A statement that is read from a file is written anew from what was read. So a reader and the kernel
judge the same sentence, whatever else the file contains.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pac_stability.errors import InvalidInput

_CELLS = 100_000
"""Larger tables are numbers in hexadecimal: a text takes a node for every bit of a letter."""

OPENING = """\
From Coq Require Import String List NArith QArith.
Import ListNotations.
"""
"""What the definitions and the theorem of a file need, beside the theories."""


@dataclass(frozen=True, slots=True)
class RocqStatement:
    """A closed sentence of Rocq, with the data that it is about.

    Attributes
    ----------
    theory
        Where its notions are defined.
    definitions
        The data, as definitions.
    proposition
        What is said of them.
    words
        The same in words.
    rows
        The table that it is about, if it is about one: a number for each row, bit x its label at x.
    """

    theory: str
    definitions: str
    proposition: str
    words: str
    rows: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class _About:
    """A statement about a class and a number."""

    theory: str
    proposition: str
    words: str


OF_CLASSES = {
    "littlestone": _About("Ldim", "Littlestone H {}", "has Littlestone dimension {}"),
    "at-least": _About("Ldim", "Ldim_ge H {}", "has Littlestone dimension {} or more"),
    "below": _About("Ldim", "~ Ldim_ge H {}", "has Littlestone dimension below {}"),
    "vc": _About("Witness", "VC_ge H {}", "has VC dimension {} or more"),
    "threshold": _About("Witness", "Threshold_ge H {}", "has threshold dimension {} or more"),
}
"""What can be said of a class, by name."""


def about_class(kind: str, rows: Sequence[int], points: int, number: int) -> RocqStatement:
    """State something of a class.

    Parameters
    ----------
    kind
        A key of `OF_CLASSES`.
    rows
        A number for each hypothesis, bit x its label at x.
    points
        The number of points.
    number
        The dimension, or its bound.
    """
    about = OF_CLASSES[kind]
    if len(rows) * points <= _CELLS:
        entries = [f'"{_labels(row, points)}"' for row in rows]
        table, scope = "rows [\n{}]", "string"
    else:
        entries, table, scope = [*map(hex, rows)], "[\n{}]", "N"
    listed = ";\n".join(entries)
    counted = f"the class H of {len(rows)} hypotheses on {points} points"
    return RocqStatement(
        about.theory,
        f"Definition H : class := ({table.format(listed)})%{scope}.\n",
        about.proposition.format(number),
        f"{counted} {about.words.format(number)}",
        tuple(rows),
    )


def about_laws(
    law: Sequence[Fraction], neighbour: Sequence[Fraction], ratio: Fraction, delta: Fraction
) -> RocqStatement:
    """State that two laws are further apart than a ratio and a delta allow."""
    laws = "".join(
        f"Definition {name} : law := ([{'; '.join(map(_rational, each))}])%Q.\n"
        for name, each in (("P", law), ("P'", neighbour))
    )
    far = f"~ indistinguishable ({_rational(ratio)}) ({_rational(delta)}) P P'"
    return RocqStatement(
        "Private",
        laws,
        f"is_law P /\\ is_law P' /\\ {far}",
        f"the laws P and P' on {len(law)} outcomes are not indistinguishable with the factor "
        f"{ratio} and delta {delta}",
    )


_NAME = r"(?P<name>[A-Za-z]\w*)"
# Of each place one alternative at most can go on, so that no text takes more than linear time.
_TABLE = re.compile(r'Definition H : class := \(rows \[ ?((?:"[01]*"(?:; |))*) ?\]\)%string')
_NUMBERS = re.compile(r"Definition H : class := \(\[([0-9a-fx;\s]*)\]\)%N")
_LAW = re.compile(r"Definition (P'?) : law := \(\[([0-9#;\s]*)\]\)%Q")
_NOT_PRIVATE = re.compile(
    rf"Theorem {_NAME} : is_law P /\\ is_law P' /\\ "
    r"~ indistinguishable \((?P<ratio>\d+ # \d+)\) \((?P<delta>\d+ # \d+)\) P P'"
)


def read_statement(sentences: Sequence[str]) -> tuple[RocqStatement, str]:
    """Return what the last theorem of a file states, and its name.

    Parameters
    ----------
    sentences
        The sentences of the file after what it rests on, without comments.

    Raises
    ------
    InvalidInput
        It is not a statement that this library writes.
    """
    theorems = [sentence for sentence in sentences if sentence.startswith("Theorem ")]
    if not theorems:
        raise InvalidInput("file", "no theorem", "one")
    said = theorems[-1]
    wanted = "a statement that to_rocq, at_least or below writes"
    private = _NOT_PRIVATE.fullmatch(said)
    if private is not None:
        laws = [match for match in map(_LAW.fullmatch, sentences) if match is not None]
        if [match[1] for match in laws] != ["P", "P'"]:
            raise InvalidInput("file", "no definition of the laws", "one of P, and one of P'")
        law, neighbour = ([*map(_fraction, filter(None, re.split(r"\s*;\s*", m[2])))] for m in laws)
        ratio, delta = _fraction(private["ratio"]), _fraction(private["delta"])
        return about_laws(law, neighbour, ratio, delta), private["name"]
    for kind, about in OF_CLASSES.items():
        match = re.fullmatch(
            rf"Theorem {_NAME} : "
            + re.escape(about.proposition).replace(r"\{\}", r"(?P<d>\d{1,6})"),
            said,
        )
        if match is not None:
            rows, points = _read_table(sentences)
            return about_class(kind, rows, points, int(match["d"])), match["name"]
    raise InvalidInput("file", said[:80], wanted)


def _read_table(sentences: Sequence[str]) -> tuple[list[int], int]:
    tables = [match for match in map(_TABLE.fullmatch, sentences) if match is not None]
    numbers = [match for match in map(_NUMBERS.fullmatch, sentences) if match is not None]
    if len(tables) + len(numbers) != 1:
        raise InvalidInput("file", "no definition of H, or several", "one")
    if tables:
        rows = re.findall(r'"([01]*)"', tables[0][1])
        return [int(f"0{row[::-1]}", 2) for row in rows], max(map(len, rows), default=0)
    found = [int(each, 16) for each in filter(None, re.split(r"\s*;\s*", numbers[0][1].strip()))]
    return found, max((number.bit_length() for number in found), default=0)


def _labels(row: int, points: int) -> str:
    return f"{row:0{points}b}"[::-1] if points else ""


def _rational(value: Fraction) -> str:
    return f"{value.numerator} # {value.denominator}"


def _fraction(text: str) -> Fraction:
    numerator, _, denominator = text.strip().partition(" # ")
    try:
        return Fraction(int(numerator), int(denominator))
    except (ValueError, ZeroDivisionError):
        raise InvalidInput("file", text[:80], "a rational number, 3 # 4") from None
