"""Classes by name: ``thresholds:64``, ``unions_of_intervals:24,2``, ``stumps`` on given points."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType

from pac_stability.arguments import as_size
from pac_stability.classes import implicit
from pac_stability.classes.families import (
    boolean_and_affine as discrete,
    line_and_sets as plain,
    space,
)
from pac_stability.classes.family import Family
from pac_stability.classes.finite_class import FiniteClass, KnownValue, random_class
from pac_stability.classes.implicit import ImplicitClass
from pac_stability.classes.validation import Vector
from pac_stability.errors import InvalidInput, near
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
        The name, before the colon.
    names
        The names of the parameters of the finite table, separated by spaces.
    table
        A function that builds the table from the parameters.
    family_names
        The names of the parameters when the caller gives the points.
    family
        A function that builds the family to restrict, from the number of coordinates of a point and
        the parameters; ``None`` if there is only the table.
    on_line
        Whether the points of the family are numbers rather than tuples.
    optional
        How many of the last parameters of the table are optional.
    implicit
        A function that builds the implicit class, from the same parameters; ``None`` if there is
        none.
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


def _of(
    names: str,
    table: Callable[..., FiniteClass],
    family: Callable[..., Family] | None = None,
    family_names: str = "",
    implicit: Callable[..., ImplicitClass] | None = None,
) -> Spec:
    """Return the class that has the name of the function for its table."""
    return Spec(table.__name__, names, table, family, family_names, implicit=implicit)


def _on_line(
    names: str,
    table: Callable[..., FiniteClass],
    family: Callable[..., Family],
    family_names: str = "",
    implicit: Callable[..., ImplicitClass] | None = None,
) -> Spec:
    """Return a family of hypotheses about numbers, which asks for no dimension."""
    made = _of(names, table, lambda _, *given: family(*given), family_names, implicit)
    return replace(made, on_line=True)


def _affine(n: int, p: int, dimension: int) -> Family:
    return discrete.AffineSubspaces(p, n, dimension)


_ALL = (
    _on_line("n", plain.thresholds, plain.Thresholds, implicit=implicit.thresholds),
    _on_line("n", plain.signed_thresholds, plain.SignedThresholds),
    _on_line("n", plain.intervals, plain.Intervals, implicit=implicit.intervals),
    _on_line("n k", plain.unions_of_intervals, plain.UnionsOfIntervals, "k"),
    _of("n", plain.singletons, lambda _: plain.Singletons(), implicit=implicit.singletons),
    _of("n k", plain.subsets, lambda _, k: plain.Subsets(k), "k", implicit.subsets),
    _of("n", plain.cube, lambda _: plain.AllSubsets()),
    _of("k", discrete.parities, discrete.Parities),
    _of("n", discrete.monotone_conjunctions, discrete.MonotoneConjunctions),
    _of("n", discrete.conjunctions, discrete.Conjunctions),
    _of("p", discrete.affine_lines, lambda n, p: _affine(n, p, 1), "p"),
    _of("p", discrete.affine_planes, lambda n, p: _affine(n, p, 2), "p"),
    _of("p n dimension", discrete.affine_subspaces, _affine, "p dimension"),
    _of("side dimension", space.boxes, space.Boxes),
    _of("side dimension", space.stumps, space.Stumps),
    _of("side dimension", space.halfspaces, space.Halfspaces),
    Spec("random", "hypotheses points density seed", random_class, optional=2),
)

SPECS: Mapping[str, Spec] = MappingProxyType({spec.name: spec for spec in _ALL})
"""Every named class, by name."""


def spec_named(name: str) -> Spec:
    """Return the named class, its words joined by hyphens or underscores.

    Raises
    ------
    InvalidInput
        There is none; the message lists all names, and the nearest ones.

    Examples
    --------
    >>> spec_named("unions-of-intervals").name
    'unions_of_intervals'
    """
    written = name.replace("-", "_")
    if written not in SPECS:
        given = f"{name!r}{near(written, SPECS)}"
        raise InvalidInput("family", given, f"one of {', '.join(SPECS)}")
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
        If given, the family of that name is restricted to these points (tuples of numbers, as from
        :func:`read_points`), and the parameters are those of the family: ``"stumps"``,
        ``"unions_of_intervals:2"``.  A family on the line takes tuples of one number.

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
    """Build a class from its name and parameters, without a table if that would be large.

    Parameters
    ----------
    spec
        As for :func:`from_spec`; a number can be written ``2^64``.

    Returns
    -------
    FiniteClass or ImplicitClass
        An implicit class, if there is one, from 16 million entries of the table on.

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


# What is known of a class that is too large to be built


@dataclass(frozen=True, slots=True)
class Outline:
    """The facts about a named class that follow from its parameters alone.

    Attributes
    ----------
    points
        How many points there are.
    bits
        There are at most ``2**bits`` hypotheses.
    known
        The dimensions known in closed form, by name.
    """

    points: int
    bits: int
    known: Mapping[str, KnownValue]

    def bounds(self, name: str) -> tuple[int, int]:
        """Bound a dimension by the known dimensions and the counts.

        Notes
        -----
        With d the VC dimension, L the Littlestone and k the threshold dimension: d <= L,
        d <= k < 2^(L + 1), and the dual one is at least floor(log2 d) and less than 2^(d + 1)
        (Assouad 1983); 2^L hypotheses and 2^(dual) points are needed.

        Examples
        --------
        >>> outline_of("boxes:40,2").bounds("vc"), outline_of("boxes:40,2").bounds("littlestone")
        ((4, 4), (4, 20))
        """
        value = {key: int(found.value) for key, found in self.known.items()}
        if name in value:
            return value[name], value[name]
        if name == "recursive_teaching":
            return 0, self.points
        counted = min(self.points, self.bits)
        most = value.get("littlestone", counted)
        vc = value.get("vc", most)
        least = value.get("vc", int(self.points > 0 and self.bits > 0))
        if name == "dual_vc":
            upper = min(self.points.bit_length() - 1, 2 ** min(vc + 1, 64) - 1)
            return min(max(least.bit_length() - 1, 0), upper), upper
        if name == "star":
            return least, self.points
        if name == "threshold":
            return least, min(self.points, 2 ** (most + 1) - 1 if most < 64 else self.points)
        return least, max(least, min(most, counted))


def _grid(
    bits: Callable[[int, int], int], known: Callable[..., Mapping[str, KnownValue]]
) -> Callable[..., Outline]:
    def outline(side: int, p: int) -> Outline:
        side, p = as_size(side, "side", 1), as_size(p, "dimension", 1, 1024)
        return Outline(side**p, bits(side, p), known(side, p))

    return outline


def _listed(n: int, bits: int, known: Mapping[str, KnownValue]) -> Outline:
    return Outline(n, min(n, bits), known)


def _on_bits(family: Callable[[int], Family], bits: int) -> Callable[..., Outline]:
    def outline(n: int) -> Outline:
        return Outline(2 ** as_size(n, "n", most=1 << 14), n * bits, family(n).known)

    return outline


def _affine_outline(p: int, n: int, dimension: int) -> Outline:
    family = discrete.AffineSubspaces(p, as_size(n, "n", most=256), dimension)
    return Outline(p**n, family.size.bit_length(), family.known)


_OUTLINES: Mapping[str, Callable[..., Outline]] = {
    "thresholds": lambda n: _listed(n, (n + 1).bit_length(), plain.thresholds_known(n)),
    "signed_thresholds": lambda n: _listed(n, (2 * n).bit_length(), plain.signed_known(n)),
    "intervals": lambda n: _listed(n, 2 * (n + 1).bit_length(), plain.runs_known(n, 1)),
    "unions_of_intervals": lambda n, k: _listed(
        n, 2 * k * (n + 1).bit_length(), plain.runs_known(n, k)
    ),
    "singletons": lambda n: _listed(n, n.bit_length(), plain.singletons_known(n)),
    "subsets": lambda n, k: _listed(
        n, k * (n + 1).bit_length(), plain.subsets_known(min(n, k))
    ),
    "cube": lambda n: _listed(n, n, plain.cube_known(n)),
    "parities": _on_bits(discrete.Parities, 1),
    "monotone_conjunctions": _on_bits(discrete.MonotoneConjunctions, 1),
    "conjunctions": _on_bits(discrete.Conjunctions, 2),
    "affine_lines": lambda p: _affine_outline(p, 2, 1),
    "affine_planes": lambda p: _affine_outline(p, 3, 2),
    "affine_subspaces": _affine_outline,
    "boxes": _grid(
        lambda side, p: (math.comb(side + 1, 2) ** p + 1).bit_length(), space.boxes_known
    ),
    "stumps": _grid(lambda side, p: (2 * p * side).bit_length(), space.stumps_known),
    "halfspaces": _grid(
        lambda side, p: (p + 1) * (p * side.bit_length() + 1) + 1, space.halfspaces_known
    ),
}  # fmt: skip


def outline_of(spec: str) -> Outline:
    """Return the known facts about a named class from its parameters, at any size.

    Raises
    ------
    InvalidInput
        As for :func:`from_spec`; or no facts are known for the class, or its numbers are out of
        reach.

    Examples
    --------
    >>> outline_of("parities:1000").known["vc"].value
    1000
    """
    name, _, rest = spec.partition(":")
    entry = spec_named(name)
    if entry.name not in _OUTLINES:
        raise InvalidInput("family", repr(name), "a class of which something is known")
    given = [as_size(number, "family") for number in _arguments(entry, rest, on_points=False)]
    made = _OUTLINES[entry.name](*given)
    if entry.implicit is not None and "littlestone" not in made.known and made.points:
        whole = entry.implicit(*given)
        value = KnownValue(
            whole.dimension(whole.whole), "closed form: predictions of classes without a table"
        )
        return Outline(made.points, made.bits, {**made.known, "littlestone": value})
    return made


def _arguments(entry: Spec, text: str, *, on_points: bool) -> list[int | Fraction]:
    """Read the parameters of a spec."""
    names = entry.parameters(on_points=on_points)
    given = re.split(r"[,:]|(?<=\d)x(?=\d)", text) if text else []
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
