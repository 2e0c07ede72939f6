"""Is a dimension at least k? Decided without finding the dimension, and proved either way.

The last part checks, without a search, what a file of ``dims --certificate`` proves about a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, cast

from pac_stability._report import Face, Reported, aligned
from pac_stability.classes import FiniteClass
from pac_stability.classes.family import TableLike, as_table
from pac_stability.dimensions import vc_search
from pac_stability.dimensions.bounds import Bounds, ProgressCallback, bounds_cells
from pac_stability.dimensions.littlestone_search import LittlestoneSearch, Refutation
from pac_stability.dimensions.shattering_proofs import ChainCover, ShatteringRefutation
from pac_stability.dimensions.threshold_search import (
    HalfGraph,
    HalfGraphRefutation,
    ThresholdSearch,
)
from pac_stability.dimensions.trees import MistakeTree
from pac_stability.errors import BudgetExhausted, InvalidInput

DimensionName = Literal["littlestone", "vc", "dual-vc", "threshold"]
"""The dimensions that can be asked for."""

Witness = MistakeTree | vc_search.ShatteredSet | vc_search.DualShatteredSet | HalfGraph
_Refutation = Refutation | ShatteringRefutation | ChainCover | HalfGraphRefutation

Certificate = Witness | _Refutation
"""What proves a decision: a witness that a dimension is large, or a refutation that it is not."""


@dataclass(frozen=True, repr=False)
class Decision(Reported):
    """Whether a dimension is at least ``k`` (or less), with a proof.

    Attributes
    ----------
    dimension
        Which one.
    k
        The number k that it was compared with.
    asked
        ``"at least"`` or ``"less than"``.
    holds
        Whether the dimension is that; ``None`` when the budget ended first.
    certificate
        A tree, a set or a half graph of size ``k`` or more, or a refutation. ``None`` when it is
        not decided, and when the refutation is longer than was allowed.
    bounds
        What is certified about the dimension.
    """

    _face: ClassVar[str] = "pac_stability.dimensions.decisions:decision_face"

    dimension: DimensionName
    k: int
    asked: Literal["at least", "less than"]
    holds: bool | None
    certificate: Certificate | None
    bounds: Bounds[Witness]

    def __bool__(self) -> bool:
        """Return ``holds``; `BudgetExhausted` when it is not decided."""
        if self.holds is None:
            lower, upper = self.bounds.lower, self.bounds.upper
            about = f"not decided, with bounds {lower}..{upper}; allow more time or memory"
            raise BudgetExhausted(about, lower, upper)
        return self.holds

    def __repr__(self) -> str:
        return f"<Decision: {self.dimension} {self.asked} {self.k}: {self.holds}>"

    def is_proved_on(self, H: TableLike) -> bool:
        """Check the certificate against the table of ``H``, by code that does not search."""
        H = as_table(H)
        proof = self.certificate
        if proof is None or self.holds is None:
            return False
        large = self.holds == (self.asked == "at least")
        match self.dimension, proof:
            case "littlestone", MistakeTree():
                return large and proof.depth >= self.k and proof.is_shattered_by(H)
            case "vc", vc_search.ShatteredSet():
                return large and len(proof.points) >= self.k and proof.is_shattered_by(H)
            case "dual-vc", vc_search.DualShatteredSet():
                return large and len(proof.hypotheses) >= self.k and proof.is_shattered_by(H)
            case "threshold", HalfGraph():
                return large and len(proof.points) >= self.k and proof.is_realized_by(H)
            case "littlestone", Refutation():
                return not large and proof.level <= self.k and proof.refutes(H)
            case "threshold", HalfGraphRefutation():
                return not large and proof.k <= self.k and proof.refutes(H)
            case (("vc" | "dual-vc"), ShatteringRefutation() | ChainCover()):
                about = proof.dual == (self.dimension == "dual-vc")
                return not large and about and proof.k <= self.k and proof.refutes(H)
        return False


_AimedSearch = LittlestoneSearch | vc_search.VCSearch | vc_search.DualVCSearch | ThresholdSearch

_SEARCHES: Mapping[DimensionName, Callable[[FiniteClass, int | None], _AimedSearch]] = {
    "littlestone": LittlestoneSearch,
    "vc": vc_search.VCSearch,
    "dual-vc": vc_search.DualVCSearch,
    "threshold": ThresholdSearch,
}


def at_least(
    H: TableLike,
    k: int,
    dimension: DimensionName = "littlestone",
    *,
    time_limit: float | None = None,
    max_memory: int | None = None,
    max_steps: int = 100_000,
    progress: ProgressCallback | None = None,
) -> Decision:
    """Decide whether a dimension is at least ``k``.

    Parameters
    ----------
    H
        The class.
    k
        What to compare with.
    dimension
        ``"littlestone"``, ``"vc"``, ``"dual-vc"`` or ``"threshold"``.
    time_limit
        Seconds for the decision, without the certificate. ``None`` for no limit.
    max_memory
        Bytes that the compiled search may allocate; ``None`` for no limit.
    max_steps
        The most steps of a refutation; 0 to write none.
    progress
        Called about ten times a second.

    Returns
    -------
    Decision
        True or false as a condition, with the proof; used as a condition, it raises
        `BudgetExhausted` when the budget ended first.

    Notes
    -----
    It searches level ``k`` alone, which is exponential in the worst case. For ``k`` far from the
    dimension this takes moments, even where the dimension itself is out of reach.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> H = thresholds(100)
    >>> yes, no = at_least(H, 6), at_least(H, 7)
    >>> (yes.holds, yes.is_proved_on(H)), (no.holds, no.is_proved_on(H))
    ((True, True), (False, True))
    """
    H = as_table(H)
    search = _search_of(H, k, dimension, max_memory, max_steps)
    bounds = search.run(time_limit=time_limit, progress=progress, aim=k)
    if bounds.lower < k <= bounds.upper:
        return Decision(dimension, k, "at least", None, None, bounds)
    large = bounds.lower >= k
    proof = bounds.witness if large else refutation_below(search, k, max_steps)
    return Decision(dimension, k, "at least", large, proof, bounds)


def less_than(
    H: TableLike,
    k: int,
    dimension: DimensionName = "littlestone",
    *,
    time_limit: float | None = None,
    max_memory: int | None = None,
    max_steps: int = 100_000,
    progress: ProgressCallback | None = None,
) -> Decision:
    """Decide whether a dimension is less than ``k``: the opposite of `at_least`.

    Parameters
    ----------
    H, k, dimension, time_limit, max_memory, max_steps, progress
        As for `at_least`.

    Returns
    -------
    Decision
        True or false in a condition, with the proof.

    Examples
    --------
    >>> from pac_stability.classes import singletons
    >>> H = singletons(8)
    >>> decision = less_than(H, 2, "vc")
    >>> bool(decision), decision.is_proved_on(H)
    (True, True)
    """
    H = as_table(H)
    opposite = at_least(
        H,
        k,
        dimension,
        time_limit=time_limit,
        max_memory=max_memory,
        max_steps=max_steps,
        progress=progress,
    )
    holds = None if opposite.holds is None else not opposite.holds
    return replace(opposite, asked="less than", holds=holds)


def _search_of(
    H: FiniteClass, k: int, dimension: DimensionName, max_memory: int | None, max_steps: int
) -> _AimedSearch:
    if dimension not in _SEARCHES:
        raise InvalidInput("dimension", repr(dimension), f"one of {', '.join(_SEARCHES)}")
    if type(k) is not int:
        raise InvalidInput("k", repr(k), "an integer")
    if max_steps < 0:
        raise InvalidInput("max_steps", repr(max_steps), "0 or more")
    return _SEARCHES[dimension](H, max_memory)


def refutation_below(search: object, k: int, max_steps: int) -> _Refutation | None:
    """Prove that a dimension is below ``k``, as a search found; ``None`` beyond the limit."""
    if max_steps and k >= 0:
        with suppress(BudgetExhausted):
            if isinstance(search, LittlestoneSearch | vc_search.ShatteringLevels | ThresholdSearch):
                return search.refutation(k, max_steps)
    return None


def decision_cells(decision: Decision) -> tuple[str, str, str, str]:
    """Return the answer, whether it is proved, the sub-problems and the time, as ``dims`` does."""
    answer = {True: "yes", False: "no", None: "open"}[decision.holds]
    state = "" if decision.holds is None else "proved" if decision.certificate else "found"
    _, _, nodes, time = bounds_cells(decision.bounds)
    return answer, state, nodes, time


def decision_face(decision: Decision) -> Face:
    """Return what was decided."""
    answer, state, nodes, time = decision_cells(decision)
    value = bounds_cells(decision.bounds)[0]

    def text() -> str:
        asked = f"{decision.dimension} {decision.asked} {decision.k}"
        told = f"{answer} ({state})" if state else answer
        return aligned([(asked, told), ("value", value), ("sub-problems", nodes), ("time", time)])

    return Face(text)


# What a file of ``dims --certificate`` proves

_Form = Mapping[str, object]


def _shattering(form: _Form) -> Certificate:
    return ShatteringRefutation.from_dict(form) if "gaps" in form else ChainCover.from_dict(form)


_READERS: Mapping[
    DimensionName, tuple[Callable[[_Form], Certificate], Callable[[_Form], Certificate]]
] = {
    "littlestone": (MistakeTree.from_dict, Refutation.from_dict),
    "vc": (vc_search.ShatteredSet.from_dict, _shattering),
    "dual-vc": (vc_search.DualShatteredSet.from_dict, _shattering),
    "threshold": (HalfGraph.from_dict, HalfGraphRefutation.from_dict),
}


@dataclass(frozen=True)
class CheckedBounds:
    """Bounds on a dimension, and which of the two a certificate proves.

    Attributes
    ----------
    lower, upper
        The bounds that the certificate states.
    lower_proved, upper_proved
        Whether its witness proves the lower bound, and its refutation the upper one; false where it
        has none.
    """

    lower: int
    upper: int | None
    lower_proved: bool
    upper_proved: bool


def check_bounds(form: object, H: TableLike) -> dict[DimensionName, CheckedBounds]:
    """Check the bounds of a certificate of dimensions against the table of a class.

    Parameters
    ----------
    form
        The field ``dimensions`` of a file that ``pac-stability dims --certificate`` wrote.
    H
        The class that it is about.

    Returns
    -------
    dict
        For each dimension in the file, which of its bounds are proved.

    Raises
    ------
    InvalidInput
        The form is not that of a certificate, or a proof in it does not prove its bound.

    Notes
    -----
    It compares a witness with the table and walks through a refutation: time linear in their size,
    times the number of rows.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> form = {"vc": {"lower": 1, "upper": 1, "witness": {"points": [0], "hypotheses": [1, 0]},
    ...                "refutation": None}}
    >>> check_bounds(form, thresholds(1))["vc"].lower_proved
    True
    """
    H = as_table(H)
    if not isinstance(form, Mapping) or not form.keys() <= _READERS.keys():
        raise InvalidInput("dimensions", repr(form)[:60], f"some of {', '.join(_READERS)}")
    return {name: _checked(name, form[name], H) for name in _READERS if name in form}


def _checked(name: DimensionName, form: object, H: FiniteClass) -> CheckedBounds:
    wanted = "an object with lower, upper, witness and refutation"
    if not isinstance(form, Mapping):
        raise InvalidInput(name, repr(form)[:60], wanted)
    lower, upper = form.get("lower"), form.get("upper")
    if type(lower) is not int or not (upper is None or type(upper) is int):
        raise InvalidInput(name, repr(form)[:60], wanted)

    def proves(field: str, read: Callable[[_Form], Certificate], k: int, holds: bool) -> bool:
        proof = form.get(field)
        if proof is None:
            return False
        if not isinstance(proof, Mapping):
            raise InvalidInput(f"{name}.{field}", repr(proof)[:60], wanted)
        bounds: Bounds[Witness] = Bounds(lower, lower if upper is None else upper, None, 0, 0.0)
        asked = Decision(name, k, "at least", holds, read(cast("_Form", proof)), bounds)
        if not asked.is_proved_on(H):
            said = f"the {name} dimension is {'at least' if holds else 'less than'} {k}"
            raise InvalidInput(f"{name}.{field}", "a proof that fails", f"one that {said}")
        return True

    witness, refutation = _READERS[name]
    return CheckedBounds(
        lower,
        upper,
        lower <= 0 or proves("witness", witness, lower, holds=True),
        upper is not None and proves("refutation", refutation, upper + 1, holds=False),
    )
