"""What a file of ``dims --certificate`` proves about a table, by code that does not search."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from pac_stability.classes import FiniteClass
from pac_stability.dimensions import vc_search
from pac_stability.dimensions.bounds import Bounds
from pac_stability.dimensions.decisions import Certificate, Decision, DimensionName, Witness
from pac_stability.dimensions.littlestone_search import Refutation
from pac_stability.dimensions.shattering_proofs import ChainCover, ShatteringRefutation
from pac_stability.dimensions.threshold_search import HalfGraph, HalfGraphRefutation
from pac_stability.dimensions.trees import MistakeTree
from pac_stability.errors import InvalidInput

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
        Whether its witness, and its refutation, prove them; false where there is none.
    """

    lower: int
    upper: int | None
    lower_proved: bool
    upper_proved: bool


def check_bounds(form: object, H: FiniteClass) -> dict[DimensionName, CheckedBounds]:
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
        For each dimension in the file what is proved.

    Raises
    ------
    InvalidInput
        The form is not that of a certificate, or a proof in it does not show what it is there for.

    Notes
    -----
    A witness is compared with the table, a refutation is gone through: linear in their size, times
    the rows of the table.

    Examples
    --------
    >>> from pac_stability.classes import thresholds
    >>> form = {"vc": {"lower": 1, "upper": 1, "witness": {"points": [0], "hypotheses": [1, 0]},
    ...                "refutation": None}}
    >>> check_bounds(form, thresholds(1))["vc"].lower_proved
    True
    """
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
