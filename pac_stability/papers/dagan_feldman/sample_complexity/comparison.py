"""Sizes side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Final, Literal, Protocol, TypeAlias, TypeVar, Unpack

from pac_stability._report import Tabled
from pac_stability.arguments import (
    AnyNumber,
    as_number,
    as_open_unit,
    described,
)
from pac_stability.arithmetic import Constants, ConstantsLike, Epsilon, as_constants
from pac_stability.errors import InvalidInput
from pac_stability.papers.dagan_feldman.sample_complexity.asking import Ask, Known, Size
from pac_stability.papers.dagan_feldman.sample_complexity.baselines import (
    aggregation_size,
    disjoint_average_size,
    subset_average_size,
)
from pac_stability.papers.dagan_feldman.sample_complexity.flipped import corollary_2
from pac_stability.papers.dagan_feldman.sample_complexity.private_prediction import theorem_3
from pac_stability.papers.dagan_feldman.sample_complexity.selection import (
    exponential_learner_size,
)
from pac_stability.papers.dagan_feldman.sample_complexity.stable import theorem_1

Goal: TypeAlias = Literal["stable", "private"]


Level_contra = TypeVar("Level_contra", contravariant=True)


class _Sizing(Protocol[Level_contra]):
    def __call__(
        self,
        alpha: Fraction,
        beta: Fraction,
        level: Level_contra,
        vc_dimension: int,
        /,
        **known: Unpack[Known],
    ) -> Size[object]: ...


def _exponential(
    alpha: Fraction,
    beta: Fraction,
    level: Fraction | Epsilon,
    vc_dimension: int,
    /,
    **known: Unpack[Known],
) -> Size[object]:
    size = known.get("class_size")
    if size is None:
        raise InvalidInput("class_size", "None", "the size of the class, for 'exponential'")
    whose = known.get("constants", Constants.SHARP)
    return exponential_learner_size(alpha, beta, level, vc_dimension, size, constants=whose)


STABLE: Final[Mapping[str, _Sizing[Fraction]]] = MappingProxyType(
    {
        "theorem-1": theorem_1,
        "disjoint-average": disjoint_average_size,
        "subset-average": subset_average_size,
    }
)
"""Names of the stable learners; their level is gamma."""

PRIVATE: Final[Mapping[str, _Sizing[Fraction | Epsilon]]] = MappingProxyType(
    {
        "corollary-2": corollary_2,
        "theorem-3": theorem_3,
        "aggregation": aggregation_size,
        "exponential": _exponential,
    }
)
"""Names of the learners with private predictions; their level is epsilon. ``"exponential"``, whose
hypothesis is private, needs the size of the class."""


def answer(learner: str, ask: Ask) -> Size[object]:
    """Return how many examples a learner needs for what is asked.

    Parameters
    ----------
    learner
        A name in ``STABLE``, which is asked for gamma, or in ``PRIVATE``, for epsilon.
    ask
        What is asked.

    Returns
    -------
    Size
        That of the function behind the name: :func:`theorem_1` for ``"theorem-1"``, and so on.

    Raises
    ------
    InvalidInput
        The name is unknown, or what it needs is not given.

    Examples
    --------
    >>> ask = Ask("1/10", "1/20", gamma="1/10", vc_dimension=1)
    >>> for name in STABLE:
    ...     size = answer(name, ask)
    ...     print(name, size.sample_size, size.binding, *size.parameters)
    theorem-1 8219 subset subset_size epsilon
    disjoint-average 22520 blocks blocks block_size
    subset-average 22520 subset subset_size
    """
    _named(learner)
    patterns = ask.patterns
    known: Known = {
        "constants": ask.constants,
        "class_size": patterns.class_size,
        "growth": patterns.function,
    }
    a, b, d = ask.alpha, ask.beta, patterns.vc_dimension
    if learner in STABLE:
        return STABLE[learner](a, b, ask.stability, d, **known)
    return PRIVATE[learner](a, b, ask.privacy, d, **known)


@dataclass(frozen=True, slots=True, repr=False)
class ComparisonRow(Tabled):
    """A learner, what is asked of it, and how many examples are enough.

    Attributes
    ----------
    learner : str
        One of the names in ``STABLE`` and ``PRIVATE``.
    goal : str
        ``"stable"`` or ``"private"``.
    alpha : Fraction
        The excess loss.
    level : Fraction
        gamma, or epsilon.
    constants : Constants
        Whose constants.
    sample_size : int
        n.
    """

    learner: str
    goal: Goal
    alpha: Fraction
    level: Fraction
    constants: Constants
    sample_size: int


def compare(
    learners: Iterable[str],
    alphas: Iterable[AnyNumber],
    levels: Iterable[AnyNumber],
    *,
    beta: AnyNumber,
    vc_dimension: int,
    constants: Iterable[ConstantsLike] = tuple(Constants),
    class_size: int | None = None,
) -> tuple[ComparisonRow, ...]:
    """Return a row for each learner, alpha, level and kind of constants, in this order.

    Parameters
    ----------
    learners
        Names in ``STABLE`` or ``PRIVATE``.
    alphas
        Values of the excess loss, above 0 and below 1.
    levels
        Values of gamma for stable learners and of epsilon for private ones.
    beta
        The probability of failure.
    vc_dimension
        d, at least 1.
    constants
        Which ones: by default printed, then proved, which is the paper's accounting with the best
        lemmas, then sharp.
    class_size
        The number of hypotheses, if it is finite and known.

    Returns
    -------
    tuple of ComparisonRow
        Certified sizes, up to half a second for each.

    Raises
    ------
    InvalidInput
        A name is unknown, or a parameter out of range.

    Examples
    --------
    >>> for row in compare(["theorem-1", "disjoint-average"], ["1/10", "1/100"], ["1/10"],
    ...                       beta="1/20", vc_dimension=1, constants=["sharp"]):
    ...     print(row.learner, row.alpha, row.sample_size)
    theorem-1 1/10 8219
    theorem-1 1/100 650057
    disjoint-average 1/10 22520
    disjoint-average 1/100 3453450
    """
    alphas, levels = tuple(alphas), tuple(levels)
    kinds = tuple(as_constants(kind) for kind in constants)
    named, b = {learner: _named(learner) for learner in learners}, as_open_unit(beta, "beta")
    return tuple(
        ComparisonRow(
            learner,
            "stable" if learner in STABLE else "private",
            a,
            level,
            kind,
            size(a, b, level, vc_dimension, constants=kind, class_size=class_size).sample_size,
        )
        for learner, size in named.items()
        for a in (as_open_unit(alpha, "alphas") for alpha in alphas)
        for level in (as_number(given, "levels") for given in levels)
        for kind in kinds
    )


def _named(learner: str) -> _Sizing[Fraction]:
    size = STABLE.get(learner) or PRIVATE.get(learner)
    if size is None:
        raise InvalidInput("learner", described(learner), f"one of {[*STABLE, *PRIVATE]}")
    return size
