"""The specimens, by name."""

from __future__ import annotations

from pac_stability.arguments import described
from pac_stability.errors import InvalidInput
from pac_stability.zoo.answers import ANSWERS
from pac_stability.zoo.choices import CHOICES
from pac_stability.zoo.noise import NOISE
from pac_stability.zoo.specimen import Specimen

SCHEMA = "pac-stability/zoo/1"

_SPECIMENS = (*ANSWERS, *NOISE, *CHOICES)


def all() -> tuple[Specimen, ...]:  # noqa: A001  # read as zoo.all()
    """Return every specimen.

    Examples
    --------
    >>> from pac_stability import zoo
    >>> len(zoo.all())
    20
    """
    return _SPECIMENS


def get(name: str) -> Specimen:
    """Return a specimen by its name.

    Parameters
    ----------
    name
        Such as ``"randomized-response"``.

    Raises
    ------
    InvalidInput
        There is none of this name.

    Examples
    --------
    >>> get("clamped-laplace").frontier.minimal_epsilon()
    Fraction(2, 1)
    """
    for specimen in _SPECIMENS:
        if specimen.name == name:
            return specimen
    names = ", ".join(specimen.name for specimen in _SPECIMENS)
    raise InvalidInput("name", described(name), f"one of {names}")


def to_dict() -> dict[str, object]:
    """Return all specimens with their curves, fit for ``json.dumps``.

    Returns
    -------
    dict
        ``schema``, and ``specimens`` as :meth:`Specimen.to_dict` writes them.

    Examples
    --------
    >>> import json
    >>> from pac_stability import zoo
    >>> json.loads(json.dumps(zoo.to_dict()))["schema"]
    'pac-stability/zoo/1'
    """
    return {"schema": SCHEMA, "specimens": [specimen.to_dict() for specimen in _SPECIMENS]}
