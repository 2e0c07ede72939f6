"""A labelling of points that nobody lists, as an integer that can be called."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from pac_stability.arguments import described
from pac_stability.classes.finite_class import FiniteClass
from pac_stability.classes.mask import Mask
from pac_stability.errors import InvalidInput

if TYPE_CHECKING:
    from pac_stability.classes.implicit.base import ImplicitClass


class Labelling(Mask):
    """The labels of all points of an implicit class, in an integer that can be called.

    It is the integer that stands for the labelling in the language of the class: equal to it, with
    its hash. There is no bit for each point, and no list of points.

    Parameters
    ----------
    code
        The integer.
    of
        The class that says what it means.

    Raises
    ------
    InvalidInput
        The integer is no labelling of the points; on use, a point is not in the domain.

    Examples
    --------
    >>> from pac_stability.classes import implicit
    >>> h = implicit.thresholds(2**64).hypothesis(2**40)
    >>> h(2**40 - 1), h(2**64 - 1), h
    (0, 1, <Labelling 1 at 1099511627776..18446744073709551615>)
    """

    of: ImplicitClass

    def __new__(cls, code: int, of: ImplicitClass) -> Labelling:
        """Return the labelling."""
        if not of.is_labelling(code):
            raise InvalidInput("code", described(code), f"a labelling of the points of {of.spec}")
        made = int.__new__(cls, code)
        made.of = of
        return made

    def __call__(self, point: Hashable, /) -> int:
        """Label of a point of the domain."""
        return self.of.label(self, self.of.column(point))

    def __repr__(self) -> str:
        return f"<Labelling {self.of.shown(self)}>"

    def __reduce__(self) -> tuple[type[Labelling], tuple[int, ImplicitClass]]:  # type: ignore[override]  # of a class, not of points
        return type(self), (int(self), self.of)


def hypothesis_of(domain: tuple[Hashable, ...] | FiniteClass | ImplicitClass, f: int) -> Mask:
    """Return a labelling that can be called, whether points are listed or not.

    Parameters
    ----------
    domain
        The points, or the class.
    f
        The labelling: a bit for each point, or in the language of a class without a table.
    """
    if isinstance(domain, tuple):
        return Mask(f, domain)
    return Mask(f, domain.domain) if isinstance(domain, FiniteClass) else Labelling(f, domain)
