"""The specimens that choose by votes or add noise to a number, and all specimens by name."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from pac_stability import mechanisms
from pac_stability.arguments import described
from pac_stability.data import Deterministic, Mechanism, then
from pac_stability.errors import InvalidInput
from pac_stability.mechanisms.noise import Released
from pac_stability.zoo import specimens

# Choices by votes

_HALF = Fraction(1, 2)
_CANDIDATES = ("a", "b", "c")


def _votes_against(data: specimens.Records) -> list[int]:
    return [sum(vote != candidate for vote in data) for candidate in _CANDIDATES]


CHOICES = (
    specimens.Specimen(
        "exponential-mechanism",
        mechanisms.ExponentialMechanism(_CANDIDATES, _votes_against, _HALF),
        ((("a", "b"), ("a", "a")),),
        # Weights 2, 2, 1 of 5 against 4, 1, 1 of 6. Chosen b; chosen b or c.
        specimens.curve(("2/5", "1/6"), ("3/5", "1/3")),
        records=_CANDIDATES,
    ),
    specimens.Specimen(
        "permute-and-flip",
        mechanisms.PermuteAndFlip(_CANDIDATES, _votes_against, _HALF),
        ((("a",), ("b",)),),
        # The favourite is first, second or third in turn: (1 + 1/2 + 1/4)/3 = 7/12, and each other
        # has half of the rest.
        specimens.curve(("7/12", "5/24")),
        records=_CANDIDATES,
    ),
    specimens.Specimen(
        "soft-majority",
        specimens.of(specimens.bits, mechanisms.SoftMajorityVote(_HALF)),
        (((0, 0, 1), (0, 0, 0)), ((0, 1, 1), (0, 0, 1))),
        # Label 1 has probability 1/9, 1/3, 2/3, 8/9 with 0, 1, 2, 3 votes.
        specimens.curve(("1/3", "1/9"), ("2/3", "1/3")),
    ),
)


# Noise that is added to a number


def _sorted(released: Released[object]) -> specimens.Records:
    return tuple(sorted((str(item), count) for item, count in released))


_HISTOGRAM: Mechanism[specimens.Records, object] = then(
    mechanisms.StableHistogram(_HALF, truncation=1, threshold=3), Deterministic(_sorted)
)

NOISE = (
    specimens.Specimen(
        "clamped-laplace",
        specimens.of(specimens.total, mechanisms.DiscreteLaplace(_HALF, 0, 2)),
        (((0, 0), (0, 1)),),
        # Shown 0: P(Z <= 0) = 2/3 against P(Z <= -1) = 1/3.
        specimens.curve(("2/3", "1/3")),
    ),
    specimens.Specimen(
        "truncated-laplace",
        specimens.noisy(specimens.first, -2, 1, 2, 4, 2, 1),
        (((0,), (1,)),),
        # Shown -2; shown at most 0: 1 + 2 + 4 against 0 + 1 + 2.
        specimens.curve(("1/10", "0"), ("7/10", "3/10")),
    ),
    specimens.Specimen(
        "discrete-gaussian",
        specimens.noisy(specimens.first, -2, 1, 8, 16, 8, 1),
        (((0,), (1,)),),
        # Shown at most -2, -1, 0: likelihood ratios infinite, 8, 2.
        specimens.curve(("1/34", "0"), ("9/34", "1/34"), ("25/34", "9/34")),
    ),
    specimens.Specimen(
        "one-sided-noise",
        specimens.noisy(specimens.first, 0, 8, 4, 2, 1),
        (((0,), (1,)),),
        # Shown 0, which a 1 never gives. The other way: at most 1 - t * 7/15 or 1/15, both below.
        specimens.curve(("8/15", "0")),
    ),
    specimens.Specimen(
        "stable-histogram",
        _HISTOGRAM,
        ((("a", "a", "a"), ("a", "a", "b")),),
        # With noise -1, 0, 1 of weights 1, 2, 1, the item b is never shown, and a with 4 in 1 case
        # of 4 against none, with 3 or 4 in 3 cases against 1.
        specimens.curve(("1/4", "0"), ("3/4", "1/4")),
        records=("a", "b"),
    ),
    specimens.Specimen(
        "large-histogram",
        _HISTOGRAM,
        ((tuple("aaaaabbbb"), tuple("aaaabbbbb")),),
        # Each count has values of weights 1, 2, 1, 0 against 0, 1, 2, 1. Impossible for one of the
        # two: 7/16. Also both in the middle with the ratio 2 each: 1/4 against 1/16.
        specimens.curve(("7/16", "0"), ("11/16", "1/16")),
        records=("a", "b"),
    ),
)


# All of them, by name

SCHEMA = "pac-stability/zoo/1"

_SPECIMENS = tuple(
    replace(each, about=specimens.TOLD["specimens"][each.name])
    for each in (*specimens.ANSWERS, *NOISE, *CHOICES)
)


def all() -> tuple[specimens.Specimen, ...]:  # noqa: A001  # read as zoo.all()
    """Return every specimen.

    Examples
    --------
    >>> from pac_stability import zoo
    >>> len(zoo.all())
    20
    """
    return _SPECIMENS


def get(name: str) -> specimens.Specimen:
    """Return a specimen by its name.

    Parameters
    ----------
    name
        Such as ``"randomized-response"``.

    Raises
    ------
    InvalidInput
        There is none with this name.

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
    """Return all specimens with their curves, as a dictionary for ``json.dumps``.

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
