"""How the text of an option is read, how a command is found, and with what code it ends."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable
from enum import IntEnum
from fractions import Fraction
from importlib import import_module

from pac_stability.errors import InvalidInput
from pac_stability.reading import number_from


class Exit(IntEnum):
    """Exit codes; scripts rely on them."""

    OK = 0
    REFUTED = 1
    BAD_INPUT = 2
    INCONCLUSIVE = 3
    INTERNAL = 4
    INTERRUPTED = 130  # 128 + SIGINT, as a shell reports it
    BROKEN_PIPE = 141  # 128 + SIGPIPE


def run_by(module: str, function: str = "run") -> Callable[[argparse.Namespace], int]:
    """Return what runs a command by a function of a module, which is imported when it runs.

    So ``--help`` and a wrong option wait for no command.
    """

    def run(options: argparse.Namespace) -> int:
        code: int = getattr(import_module(f"pac_stability.cli.{module}"), function)(options)
        return code

    return run


def seconds(text: str) -> float | None:
    """Read a time limit; ``none`` lifts it."""
    if text.strip().lower() == "none":
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(
            f"got {text!r}, want a positive number of seconds, or none"
        )
    return value


def memory(text: str) -> int:
    """Read a size: bytes, or with K, M or G (powers of 1024)."""
    match = re.fullmatch(
        r"([0-9]{1,18}(?:\.[0-9]{1,18})?)([KMG]?)(?:i?B)?", text.strip(), re.IGNORECASE
    )
    size = 0
    if match is not None:
        size = int(Fraction(match[1]) * 1024 ** " KMG".index(match[2].upper() or " "))
    if size < 1:
        raise argparse.ArgumentTypeError(f"got {text!r}, want a size such as 512M or 2G")
    return size


def whole(least: int) -> Callable[[str], int]:
    """Return a reader of integers that are at least ``least``; ``1_000`` and ``1,000`` are read."""

    def read(text: str) -> int:
        digits = text.strip().replace(",", "").replace("_", "")
        if not re.fullmatch(r"[0-9]{1,18}", digits) or int(digits) < least:
            raise argparse.ArgumentTypeError(f"got {text!r}, want an integer, at least {least}")
        return int(digits)

    return read


def exact_number(text: str) -> Fraction:
    """Read an exact number: ``3``, ``0.25`` or ``1/4``."""
    try:
        return number_from(text, "number")
    except InvalidInput:
        pass
    raise argparse.ArgumentTypeError(f"got {text!r}, want a number such as 1.0 or 1/4")


def named_number(text: str) -> tuple[str, Fraction]:
    """Read ``name=number``."""
    name, equals, number = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"want NAME=VALUE, got {text!r}")
    return name, exact_number(number)


def how_many(text: str) -> int | Fraction:
    """Read a number of answers, ``20``, or a share of them: ``1/10``, ``0.1`` or ``10%``.

    Examples
    --------
    >>> how_many("20"), how_many("5%"), how_many("0.5"), how_many("100%")
    (20, Fraction(1, 20), Fraction(1, 2), Fraction(1, 1))
    """
    plain = text.strip()
    if re.fullmatch(r"[0-9]{1,18}", plain):
        return int(plain)
    share = probability(plain) if not plain.endswith("%") else exact_number(plain[:-1]) / 100
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"got {text!r}, want a number, or a share of at most 100%")
    return share


def probability(text: str) -> Fraction:
    """Read an exact number between 0 and 1."""
    number = exact_number(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"got {text!r}, want a number between 0 and 1")
    return number
