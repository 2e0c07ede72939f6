"""The class H_T, one hypothesis for each labelling of T, and how large it is (DF20, Section 2.1).

``H.representatives_on(points)`` of any family is H_T for one choice of representatives. The
theorems hold for every choice, as long as it is a function of the *set of points* of T alone: two
samples with the same T must get the same H_T. :class:`ChosenRepresentatives` makes choices
explicit.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass

from pac_stability.arguments import as_size, in_words
from pac_stability.arithmetic import Interval
from pac_stability.classes import FiniteClass, KnownValue, Restriction, Row
from pac_stability.errors import InvalidInput


def agreement_classes(H: FiniteClass, points: Iterable[Hashable]) -> tuple[tuple[int, ...], ...]:
    """Return the classes of hypotheses that agree on a set of points: h ~_T g.

    Parameters
    ----------
    H
        The class.
    points
        The points of T, of which repetitions and order do not matter.

    Returns
    -------
    tuple of tuples of int
        The rows of each class, increasing; the classes in the order of their first rows.

    Raises
    ------
    InvalidInput
        A point is not in the domain.

    Examples
    --------
    >>> from pac_stability import classes
    >>> agreement_classes(classes.thresholds(3), [1])
    ((0, 1), (2, 3))
    """
    columns = sorted({H.column(point) for point in points})
    rows: dict[bytes, list[int]] = {}
    for row, pattern in enumerate(H.table[:, columns]):
        rows.setdefault(pattern.tobytes(), []).append(row)
    return tuple(map(tuple, rows.values()))


@dataclass(frozen=True, slots=True)
class ChosenRepresentatives:
    """A finite class whose H_T has the representatives that a given function chooses. A family.

    Parameters
    ----------
    H
        The class.
    choice
        From the set of points of T and the rows of one class of ``~_T``, increasing, to one of
        these rows. It must be a function: the same on every call.

    Raises
    ------
    InvalidInput
        On use, a chosen row is not of the class.

    Examples
    --------
    >>> from pac_stability import classes
    >>> last = ChosenRepresentatives(classes.thresholds(3), lambda points, rows: rows[-1])
    >>> [h.index for h in last.representatives_on([1])]
    [1, 3]
    """

    H: FiniteClass
    choice: Callable[[frozenset[Hashable], tuple[int, ...]], int]

    @property
    def known(self) -> Mapping[str, KnownValue]:
        """Dimensions known in closed form, by name."""
        return self.H.known

    def representatives_on(self, points: Iterable[Hashable], /) -> tuple[Row, ...]:
        """Hypotheses, one for each pattern on a set of points."""
        members = frozenset(points)
        return tuple(self._chosen(members, rows) for rows in agreement_classes(self.H, members))

    def restrict(self, points: Iterable[Hashable], /) -> Restriction:
        """Patterns on a set of points, with the chosen representatives."""
        patterns = self.H.restrict(points)
        return Restriction(
            patterns.table, patterns.domain, self.representatives_on(patterns.domain)
        )

    def _chosen(self, points: frozenset[Hashable], rows: tuple[int, ...]) -> Row:
        row = self.choice(points, rows)
        if row not in rows:
            raise InvalidInput("choice", f"the row {row}", f"one of the {len(rows)} in its class")
        return self.H[row]


def sauer_power_bound(m: int, d: int, bits: int = 64) -> Interval:
    """Enclose (em/d)^d, which bounds the growth function from above (DF20, Lemma 5).

    Parameters
    ----------
    m
        Number of points, at least d.
    d
        VC dimension, at least 1.
    bits
        Working precision.

    Raises
    ------
    InvalidInput
        d < 1, or m < d: there the bound can be false, as for m = 1 and d = 2.

    Notes
    -----
    :func:`pac_stability.dimensions.sauer_shelah_bound`, the sum of C(m, i) up to d, is smaller and
    an integer; it is attained, by thresholds and intervals among others.

    Examples
    --------
    >>> round(float(sauer_power_bound(10, 2)))
    185
    """
    d = as_size(d, "d", least=1)
    m = as_size(m, "m")
    if m < d:
        raise InvalidInput("m", in_words(m), f"at least {d}, the dimension")
    return Interval.exp(d * (1 + Interval.log(m, bits) - Interval.log(d, bits)), bits)
