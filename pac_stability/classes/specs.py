"""Classes by name: ``thresholds:64``, ``unions_of_intervals:24,2``, ``stumps`` on given points."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from pac_stability.classes import implicit
from pac_stability.classes.families import (
    affine,
    boolean,
    line,
    sets,
    space,
)
from pac_stability.classes.family import Family
from pac_stability.classes.finite_class import FiniteClass, random_class
from pac_stability.classes.implicit import ImplicitClass
from pac_stability.classes.validation import Vector
from pac_stability.errors import InvalidInput
from pac_stability.reading import integer_from, number_from

LARGE_TABLE = 1 << 24
"""From how many entries on a class that answers without a table does so on the command line."""

_LARGEST_EXPONENT = 1024


@dataclass(frozen=True, slots=True)
class Spec:
    """A class that has a name.

    Attributes
    ----------
    name
        What stands before the colon.
    names
        What follows it, for a finite table, separated by spaces.
    table
        Builds the table from the parameters.
    family_names
        What follows the colon when the caller gives the points.
    family
        Builds the family to restrict from the number of coordinates of a point and the parameters;
        ``None`` if there is only the table.
    on_line
        Whether the points of the family are numbers rather than tuples.
    optional
        How many of the last parameters of the table may be left out.
    implicit
        Builds the class that answers without a table, from the same parameters; ``None`` if there
        is none.
    """

    name: str
    names: str
    table: Callable[..., FiniteClass]
    family: Callable[..., Family] | None = None
    family_names: str = ""
    on_line: bool = False
    optional: int = 0
    implicit: Callable[..., ImplicitClass] | None = None

    def parameters(self, *, on_points: bool) -> tuple[str, ...]:
        """What follows the colon."""
        return tuple((self.family_names if on_points else self.names).split())

    def usage(self, *, on_points: bool) -> str:
        """How to write it: ``name:PARAMETER,...``."""
        names = self.parameters(on_points=on_points)
        return ":".join((self.name, *([",".join(names)] if names else [])))


def _on_line(
    name: str,
    names: str,
    table: Callable[..., FiniteClass],
    family: Callable[..., Family],
    *,
    family_names: str = "",
    implicit: Callable[..., ImplicitClass] | None = None,
) -> Spec:
    """Return a family of hypotheses about numbers, which asks for no dimension."""
    return Spec(
        name, names, table, lambda _, *given: family(*given), family_names, True, 0, implicit
    )


def _affine(n: int, p: int, dimension: int) -> Family:
    return affine.AffineSubspaces(p, n, dimension)


_ALL = (
    _on_line(
        "thresholds",
        "n",
        line.thresholds,
        line.Thresholds,
        implicit=implicit.thresholds,
    ),
    _on_line("signed_thresholds", "n", line.signed_thresholds, line.SignedThresholds),
    _on_line(
        "intervals",
        "n",
        line.intervals,
        line.Intervals,
        implicit=implicit.intervals,
    ),
    _on_line(
        "unions_of_intervals",
        "n k",
        line.unions_of_intervals,
        line.UnionsOfIntervals,
        family_names="k",
    ),
    Spec(
        "singletons",
        "n",
        sets.singletons,
        lambda _: sets.Singletons(),
        implicit=implicit.singletons,
    ),
    Spec(
        "subsets",
        "n k",
        sets.subsets,
        lambda _, k: sets.Subsets(k),
        "k",
        implicit=implicit.subsets,
    ),
    Spec("cube", "n", sets.cube, lambda _: sets.AllSubsets()),
    Spec("parities", "k", boolean.parities, boolean.Parities),
    Spec(
        "monotone_conjunctions",
        "n",
        boolean.monotone_conjunctions,
        boolean.MonotoneConjunctions,
    ),
    Spec("conjunctions", "n", boolean.conjunctions, boolean.Conjunctions),
    Spec("affine_lines", "p", affine.affine_lines, lambda n, p: _affine(n, p, 1), "p"),
    Spec("affine_planes", "p", affine.affine_planes, lambda n, p: _affine(n, p, 2), "p"),
    Spec("affine_subspaces", "p n dimension", affine.affine_subspaces, _affine, "p dimension"),
    Spec("boxes", "side dimension", space.boxes, space.Boxes),
    Spec("stumps", "side dimension", space.stumps, space.Stumps),
    Spec("halfspaces", "side dimension", space.halfspaces, space.Halfspaces),
    Spec("random", "hypotheses points density seed", random_class, optional=2),
)

SPECS: Mapping[str, Spec] = MappingProxyType({spec.name: spec for spec in _ALL})
"""Every named class, by name."""


def spec_named(name: str) -> Spec:
    """Return the named class, its words joined by hyphens or underscores.

    Raises
    ------
    InvalidInput
        There is none; the message lists all, and what is near.

    Examples
    --------
    >>> spec_named("unions-of-intervals").name
    'unions_of_intervals'
    """
    written = name.replace("-", "_")
    if written not in SPECS:
        close = difflib.get_close_matches(written, SPECS, n=3, cutoff=0.5)
        near = f" (near it: {', '.join(close)})" if close else ""
        raise InvalidInput("family", f"{name!r}{near}", f"one of {', '.join(SPECS)}")
    return SPECS[written]


def from_spec(spec: str, points: Sequence[Vector] | None = None) -> FiniteClass:
    """Build a class from its name and parameters.

    Parameters
    ----------
    spec
        ``NAME:PARAMETERS``, the parameters separated by commas, colons or ``x``:
        ``"thresholds:64"`` or ``"thresholds:2^6"``, ``"unions_of_intervals:24,2"``,
        ``"random:2000x128:0.5:7"``.
        :data:`SPECS` lists the names.
    points
        When given, the family of that name is restricted to these points (tuples of numbers, as
        :func:`read_points` returns them), and the parameters are those of the family:
        ``"stumps"``, ``"unions_of_intervals:2"``.  A family on the line takes tuples of one number.

    Returns
    -------
    FiniteClass
        A :class:`Restriction`, with representatives, when points are given.

    Raises
    ------
    InvalidInput
        The name is unknown (the message lists all), a parameter is missing or wrong, or the points
        do not suit the family.

    Examples
    --------
    >>> from_spec("unions_of_intervals:6,2")
    <FiniteClass: 57 hypotheses on 6 points>
    >>> from_spec("stumps", [(0, 5), (1, 3), (2, 4)])
    <Restriction: 8 hypotheses on 3 points>
    """
    name, _, rest = spec.partition(":")
    entry = spec_named(name)
    if points is None:
        return entry.table(*_arguments(entry, rest, on_points=False))
    if entry.family is None:
        raise InvalidInput("family", f"{name!r} with points", "a family that can be restricted")
    dimension = len(points[0]) if points else 1
    arguments = _arguments(entry, rest, on_points=True)
    family = entry.family(dimension, *arguments)
    if not entry.on_line:
        return family.restrict(points)
    if dimension != 1:
        raise InvalidInput("points", f"{dimension} columns", f"one, for {name}")
    return family.restrict(point[0] for point in points)


def playable_from_spec(spec: str) -> FiniteClass | ImplicitClass:
    """Build a class from its name and parameters, without a table where that would be large.

    Parameters
    ----------
    spec
        As for :func:`from_spec`; a number can be written ``2^64``.

    Returns
    -------
    FiniteClass or ImplicitClass
        The latter for a class that has one, from 16 million entries of the table on.

    Raises
    ------
    InvalidInput
        As for :func:`from_spec`.

    Examples
    --------
    >>> playable_from_spec("thresholds:2^10"), playable_from_spec("thresholds:2^64")
    (<FiniteClass: 1025 hypotheses on 1024 points>, <ImplicitThresholds thresholds:2^64>)
    """
    name, _, rest = spec.partition(":")
    entry = spec_named(name)
    if entry.implicit is not None:
        given = _arguments(entry, rest, on_points=False)
        # What the closed forms are not for may have a table, or is refused there.
        with suppress(InvalidInput):
            made = entry.implicit(*given)
            if made.size(made.whole) * made.points >= LARGE_TABLE:
                return made
    return from_spec(spec)


def _arguments(entry: Spec, text: str, *, on_points: bool) -> list[int | Fraction]:
    """Read the parameters of a spec."""
    names = entry.parameters(on_points=on_points)
    given = re.split("[,:x]", text) if text else []
    least = len(names) - (0 if on_points else entry.optional)
    if not least <= len(given) <= len(names):
        wanted = entry.usage(on_points=on_points)
        raise InvalidInput("family", f"{entry.name!r} with {len(given)} parameter(s)", wanted)
    return [_argument(name, value) for name, value in zip(names, given, strict=False)]


def _argument(name: str, text: str) -> int | Fraction:
    if name == "density":
        return number_from(text, name, "a number")
    base, power, exponent = text.partition("^")
    number = integer_from(base, name)
    if not power:
        return number
    raised = integer_from(exponent, name)
    if not 0 <= raised <= _LARGEST_EXPONENT:
        raise InvalidInput(name, repr(text), f"an exponent from 0 to {_LARGEST_EXPONENT}")
    return int(number**raised)
