"""Checks of an argument that must be a class of hypotheses."""

from __future__ import annotations

from pac_stability.arguments import described, require_instance
from pac_stability.classes.family import Family
from pac_stability.classes.finite_class import FiniteClass
from pac_stability.classes.implicit import ImplicitClass
from pac_stability.errors import InvalidInput


def require_patterns(H: object, argument: str = "H") -> None:
    """Refuse what lists no patterns on points, and so is no class of hypotheses."""
    # Thresholds where Thresholds() is meant would have the method, but nobody to ask.
    if isinstance(H, type) or not callable(getattr(H, "representatives_on", None)):
        raise InvalidInput(argument, described(H), "a class: a FiniteClass or another Family")


def require_family(H: Family, argument: str = "H") -> None:
    """Refuse what is no family of hypotheses, and the empty class."""
    require_patterns(H, argument)
    # On no point there is one pattern, unless there is no hypothesis to have it.
    if not H.representatives_on(()):
        raise InvalidInput(argument, "the empty class", "at least one hypothesis")


def require_class(H: object, argument: str = "H") -> None:
    """Refuse what is neither a table nor a class that answers without one."""
    if not isinstance(H, FiniteClass | ImplicitClass):
        raise InvalidInput(argument, described(H), "a FiniteClass or an ImplicitClass")


def require_inhabited(H: FiniteClass) -> None:
    """Refuse what is no finite class, and the empty one: nothing can be learned from it."""
    require_instance(H, FiniteClass, "H")
    if len(H) == 0:
        raise InvalidInput("H", "the empty class", "at least one hypothesis")
