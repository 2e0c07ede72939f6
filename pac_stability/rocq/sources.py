"""The theories: files of Rocq that exported ones rest on."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from pac_stability.errors import InvalidInput

THEORIES = Path(__file__).parent / "theories"
"""The folder of the theories; ``coqc -Q FOLDER PacStability`` finds them."""

_NEEDS = re.compile(r"^From PacStability Require Import (.*)\.\n", re.MULTILINE)
_PROVED = re.compile(r"^(?:Theorem|Corollary) (\w+)", re.MULTILINE)


@cache
def source(name: str) -> str:
    """Return the text of a theory.

    Raises
    ------
    InvalidInput
        There is none of that name.
    """
    names = sorted(file.stem for file in THEORIES.glob("*.v"))
    if name not in names:
        raise InvalidInput("theory", repr(name), f"one of {', '.join(names)}")
    return (THEORIES / f"{name}.v").read_text(encoding="ascii")


def needs(name: str) -> tuple[str, ...]:
    """Return a theory and all that it rests on, each after what it needs.

    Examples
    --------
    >>> needs("Witness")
    ('Ldim', 'Witness')
    """
    found: dict[str, None] = {}
    for line in _NEEDS.findall(source(name)):
        for needed in line.split():
            found.update(dict.fromkeys(needs(needed)))
    return (*found, name)


def theorems() -> tuple[str, ...]:
    """Return the main theorems of all theories, as FILE.THEOREM.

    Examples
    --------
    >>> [name for name in theorems() if name.startswith("Soa")]
    ['Soa.SOA_mistakes', 'Soa.every_learner_errs']
    """
    files = sorted(THEORIES.glob("*.v"))
    return tuple(
        f"{file.stem}.{name}" for file in files for name in _PROVED.findall(source(file.stem))
    )


def prelude(name: str, *, inline: bool) -> str:
    """Return how an exported file begins: what it rests on, in full or by name."""
    if not inline:
        return f"From PacStability Require Import {' '.join(needs(name))}.\n"
    parts = []
    for needed in needs(name):
        text = _NEEDS.sub("", source(needed))
        parts.append(
            f"(* ==== {needed}.v of pac_stability ==== *)\n{text}(* ==== its end ==== *)\n"
        )
    return "".join(parts)
