"""The class that a command is about: a table in a file, or a named family."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pac_stability.classes import (
    MAX_BYTES,
    FiniteClass,
    ImplicitClass,
    from_spec,
    playable_from_spec,
    read_points,
)
from pac_stability.errors import InvalidInput

Made = TypeVar("Made")

_FORMATS = ("csv", "npy", "json")


def load_class(options: argparse.Namespace) -> tuple[FiniteClass, str]:
    """Return the class that the options name, and how to call it in a report.

    Raises
    ------
    InvalidInput
        The options name no class or two, or what they name cannot be read.
    """
    if (options.table is None) == (options.family is None):
        given = "neither" if options.table is None else "both"
        raise InvalidInput("TABLE or --family", given, "one of them")
    for option, needed in (
        ("points", "family"),
        ("columns", "points"),
        ("table_format", "table"),
        ("names", "table"),
    ):
        if getattr(options, option) is not None and getattr(options, needed) is None:
            wanted = "TABLE" if needed == "table" else f"--{needed}"
            raise InvalidInput(f"--{option.replace('_', '-')}", f"no {wanted}", f"{wanted} with it")
    if options.family is None:
        return _table(options), options.table
    return _from_family(options)


def load_playable(options: argparse.Namespace) -> tuple[FiniteClass | ImplicitClass, str]:
    """Return the class that the options name, without a table where that would be large.

    Raises
    ------
    InvalidInput
        As for :func:`load_class`.
    """
    if options.family is None or options.points is not None or options.table is not None:
        return load_class(options)
    for option in ("columns", "table_format", "names"):
        if getattr(options, option) is not None:
            return load_class(options)  # which says what is missing
    return _named(options.family, playable_from_spec), options.family


def _table(options: argparse.Namespace) -> FiniteClass:
    return class_from_file(
        options.table,
        extension=options.table_format,
        names=options.names,
        limit=options.max_bytes or MAX_BYTES,
    )


def class_from_file(
    path: str, *, extension: str | None = None, names: bool | None = None, limit: int = MAX_BYTES
) -> FiniteClass:
    """Return the class of a table in a file, by its extension unless another one is given."""
    extension = extension or Path(path).suffix.removeprefix(".").lower()
    if extension not in _FORMATS:
        given = f"the extension {extension!r}" if extension else "no extension"
        raise InvalidInput(path, given, "csv, npy or json; or give --table-format")
    try:
        if extension == "csv":
            H = FiniteClass.from_csv(path, names=names, max_bytes=limit)
        elif names is not None:
            raise InvalidInput("--names", f"a table in {extension}", "one in csv")
        elif extension == "npy":
            H = FiniteClass.from_npy(path, max_bytes=limit)
        else:
            H = FiniteClass.from_json(path, max_bytes=limit)
    except InvalidInput as error:
        if error.given == "a larger file":
            wanted = f"{error.wanted}, or a larger --max-bytes"
            raise InvalidInput(path, error.given, wanted) from None
        raise _naming(path, error) from None
    if not len(H) or not H.domain:
        given = f"an empty table ({len(H)} rows of 0 and 1, {len(H.domain)} columns)"
        raise InvalidInput(path, given, "at least one hypothesis and one point")
    return H


def _from_family(options: argparse.Namespace) -> tuple[FiniteClass, str]:
    family: str = options.family
    path: str | None = options.points
    columns: str | None = options.columns
    points, source = None, family
    if path is not None:
        names = None if columns is None else [name.strip() for name in columns.split(",")]
        try:
            points, source = (
                read_points(path, columns=names, max_bytes=options.max_bytes or MAX_BYTES),
                f"{family} on {path}",
            )
        except InvalidInput as error:
            raise _naming(path, error) from None
        if not points:
            raise InvalidInput(path, "no rows", "at least one point")
    return _named(family, lambda spec: from_spec(spec, points)), source


def _named(family: str, make: Callable[[str], Made]) -> Made:
    # affine-lines will do for affine_lines, but a parameter may be negative.
    name, colon, parameters = family.partition(":")
    try:
        return make(name.replace("-", "_") + colon + parameters)
    except InvalidInput as error:
        short = family if len(family) <= 60 else f"{family[:57]}..."
        raise _naming(f"--family {short}", error) from None


def _naming(what: str, error: InvalidInput) -> InvalidInput:
    """Say which file or option is at fault, not only which parameter of the library."""
    if error.argument.startswith(what):
        return error
    return InvalidInput(f"{what}: {error.argument}", error.given, error.wanted)
