"""Recheck a counterexample to a statement about a table: compute all of it again, by definition.

A table is a class on the points 0, 1, ...: a string of labels for each hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Final

from pac_stability.checker.fields import (
    Fields,
    as_list,
    as_object,
    as_size,
    as_text,
    in_words,
    refuse,
)
from pac_stability.checker.lemma_12 import dimension, frequencies
from pac_stability.errors import InvalidInput
from pac_stability.reading import exact_number

SCHEMA: Final = "pac-stability/counterexample/1"

Row = tuple[int, ...]
Told = tuple[Fraction, Fraction, str]
"""What the instance needs, what the statement allows, and a sentence that says so."""

_COMMON = ("schema", "claim", "about", "kind", "table", "sha256")
_MOST = 4096  # hypotheses of a table
_MOST_PLAYED = 20  # hypotheses, points and examples of tournaments: their work grows fast


def check_counterexample(document: Fields) -> tuple[str, Told]:
    """Return the key of the claim, and what the counterexample shows.

    Raises
    ------
    InvalidInput
        The counterexample does not refute a statement of its kind; the message names the field.
    """
    kind = as_text(document.get("kind"), "kind", tuple(_KINDS))
    names, show = _KINDS[kind]
    fields = as_object(document, "counterexample", (*_COMMON, *names))
    as_text(fields["about"], "about")
    return as_text(fields["claim"], "claim"), show(fields, _table(fields["table"]))


def _tournaments(fields: Fields, table: list[Row]) -> Told:
    """BLM20, Lemma 12: no output of D_0, ..., D_d has probability 2**-d or more."""
    points = len(table[0])
    n, tie = as_size(fields["n"], "n", least=1), as_size(fields["tie"], "tie")
    if max(len(table), points, n) > _MOST_PLAYED:
        given = f"{len(table)} hypotheses on {points} points, n = {n}"
        raise InvalidInput("table", given, f"at most {_MOST_PLAYED} of each")
    if tie > 1:
        raise refuse("tie", tie, "0 or 1")
    weights = [as_size(w, "weights") for w in as_list(fields["weights"], "weights", points)]
    concept = _row(fields["concept"], "concept")
    if concept not in table or not any(weights):
        raise refuse("concept", fields["concept"], "a hypothesis of the table, with some weight")
    d, H = as_size(fields["dimension"], "dimension"), frozenset(table)
    if d != dimension(H):
        raise refuse("dimension", d, f"the Littlestone dimension {dimension(H)}")
    stated = [exact_number(p, "frequencies") for p in as_list(fields["frequencies"], "frequencies")]
    try:
        found = frequencies(H, concept, {x: w for x, w in enumerate(weights) if w}, n, tie)
    except ValueError:  # the program goes through so many states and no more
        raise InvalidInput("table", "4096 states of the learner, or more", "less") from None
    if stated != found:
        raise refuse("frequencies", fields["frequencies"], f"those of k = 0, ..., {d} found anew")
    stands = Fraction(1, 2**d)
    if max(found) >= stands:
        raise refuse("frequencies", fields["frequencies"], f"all below 2^-{d}")
    each = ", ".join(in_words(p) for p in found)
    told = f"d = {d}, and no output of D_k for k = 0, ..., {d} is more frequent than {each}"
    return max(found), stands, told


def _shattered(fields: Fields, table: list[Row]) -> Told:
    """An upper bound on a dimension: the class shatters one point more."""
    points = _points(fields["points"], table)
    most = as_size(fields["at_most"], "at_most")
    if len({tuple(h[x] for x in points) for h in table}) < 2 ** len(points):
        raise refuse("points", fields["points"], "points with all labellings")
    if len(points) <= most:
        raise refuse("points", fields["points"], f"more than {most} of them")
    told = f"the points {points} are shattered, and so the dimension is at least {len(points)}"
    return Fraction(len(points)), Fraction(most), told


def _net(fields: Fields, table: list[Row]) -> Told:
    """DF20, Lemma 4: the points hit every heavy hypothesis, but they are not an alpha-net."""
    points = _points(fields["points"], table)
    alpha = _alpha(fields["alpha"])
    weights = [as_size(w, "weights") for w in as_list(fields["weights"], "weights", len(table[0]))]

    def mass(labels: list[int]) -> Fraction:
        return Fraction(sum(w * y for w, y in zip(weights, labels, strict=True)), sum(weights))

    if not any(weights) or not all(any(h[x] for x in points) or mass([*h]) <= alpha for h in table):
        raise refuse("points", fields["points"], "points on each hypothesis heavier than alpha")
    apart = [
        mass([a ^ b for a, b in zip(h, g, strict=True)])
        for h, g in combinations(table, 2)
        if all(h[x] == g[x] for x in points)
    ]
    worst = max(apart, default=Fraction(0))
    if worst <= alpha:
        raise refuse("alpha", fields["alpha"], "less than two hypotheses differ that agree on them")
    told = f"two hypotheses that agree on the points {points} differ by {in_words(worst)}"
    return worst, alpha, told


def _cover(fields: Fields, table: list[Row]) -> Told:
    """DF20, Remark 14: an alpha-cover on an alpha-net is not a 2 alpha-cover on all points."""
    points = _points(fields["points"], table)
    alpha = _alpha(fields["alpha"])
    weights = [as_size(w, "weights") for w in as_list(fields["weights"], "weights", len(table[0]))]
    cover = [_row(row, "cover") for row in as_list(fields["cover"], "cover")]
    if not points or not any(weights):
        raise refuse("points", fields["points"], "some, and some weight")
    if not {*cover} <= {*table}:
        raise refuse("cover", fields["cover"], "hypotheses of the table")

    def apart(h: Row, g: Row) -> Fraction:
        return Fraction(sum(w for w, a, b in zip(weights, h, g, strict=True) if a != b))

    def near(h: Row, g: Row) -> bool:
        return sum(h[x] != g[x] for x in points) <= alpha * len(points)

    total = sum(weights)
    if any(
        apart(h, g) > alpha * total
        for h, g in combinations(table, 2)
        if all(h[x] == g[x] for x in points)
    ):
        raise refuse("points", fields["points"], "an alpha-net")
    if not all(any(near(h, g) for g in cover) for h in table):
        raise refuse("cover", fields["cover"], "one near each hypothesis on the points")
    worst = max(min(apart(h, g) for g in cover if near(h, g)) for h in table) / total
    stands = 2 * alpha
    if worst <= stands:
        raise refuse("alpha", fields["alpha"], f"less than {in_words(worst / 2)}")
    told = f"what is near a hypothesis on the points {points} differs from it by {in_words(worst)}"
    return worst, stands, told


_KINDS: dict[str, tuple[tuple[str, ...], Callable[[Fields, list[Row]], Told]]] = {
    "tournaments": (("dimension", "concept", "weights", "n", "tie", "frequencies"), _tournaments),
    "shattered": (("points", "at_most"), _shattered),
    "net": (("points", "alpha", "weights"), _net),
    "cover": (("points", "alpha", "weights", "cover"), _cover),
}


def _table(value: object) -> list[Row]:
    rows = [_row(row, "table") for row in as_list(value, "table")]
    if not rows or len(rows) > _MOST or len({*rows}) < len(rows):
        raise refuse("table", value, f"from 1 to {_MOST} different hypotheses")
    if {len(row) for row in rows} != {len(rows[0])} or not rows[0]:
        raise refuse("table", value, "a label for each point in every row")
    return rows


def _row(value: object, where: str) -> Row:
    labels = as_text(value, where)
    if not set(labels) <= {"0", "1"}:
        raise refuse(where, value, "a text of labels 0 and 1")
    return tuple(map(int, labels))


def _points(value: object, table: list[Row]) -> list[int]:
    points = [as_size(x, "points") for x in as_list(value, "points")]
    if len({*points}) < len(points) or any(x >= len(table[0]) for x in points):
        raise refuse("points", value, "different columns of the table")
    return points


def _alpha(value: object) -> Fraction:
    alpha = exact_number(value, "alpha")
    if not 0 < alpha <= 1:
        raise refuse("alpha", value, "above 0 and at most 1")
    return alpha
