"""Recheck what runs of a black box show: the bounds that follow from how often an event was seen.

Runs prove nothing of an algorithm. What can be settled is whether the numbers follow from the
counts: the tails of the binomial law, the bound on the parameter, and the verdict.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, isqrt
from typing import Final

from pac_stability.checker.recheck_notions import NOTIONS
from pac_stability.checker.recheck_values import (
    Fields,
    Limits,
    as_list,
    as_object,
    as_probability,
    as_size,
    as_text,
    in_words,
    refuse,
)

SCHEMA: Final = "pac-stability/black-box-certificate/1"

_FIELDS = (
    *("schema", "notion", "verdict", "claim", "delta", "bound", "confidence", "multiplicity"),
    *("runs", "evidence", "sha256"),
)
_EVIDENCE = (
    *("sample", "neighbour", "point", "event", "runs", "successes", "neighbour_successes"),
    *("probability_above", "neighbour_probability_below"),
)
_ABOUT = ("uniform-stability", "private-prediction", "differential-privacy")

Seen = tuple[str, str, Fraction, Fraction | None, tuple[str, ...], tuple[str, ...]]
"""Notion, verdict, bound, claim, what is proved and what is trusted."""


def check_runs(document: Fields, limits: Limits) -> Seen:
    """Return what a certificate of runs shows.

    Raises
    ------
    InvalidInput
        Its numbers do not follow from its counts; the message names the field.
    """
    fields = as_object(document, "certificate", _FIELDS)
    notion = as_text(fields["notion"], "notion", _ABOUT)
    verdict = as_text(fields["verdict"], "verdict", ("refuted", "supported"))
    factor = NOTIONS[notion].factor
    delta = as_probability(fields["delta"], "delta", limits)
    if delta and notion == "uniform-stability":
        raise refuse("delta", fields["delta"], "0: the notion has none")
    claim = None if fields["claim"] is None else limits.number(fields["claim"], "claim")
    sure = limits.number(fields["confidence"], "confidence")
    if not 0 < sure < 1:
        raise refuse("confidence", fields["confidence"], "a number between 0 and 1")
    bounds = as_size(fields["multiplicity"], "multiplicity", least=4)
    as_size(fields["runs"], "runs", least=1)
    bound = limits.number(fields["bound"], "bound")
    error = (1 - sure) / bounds
    proved: list[str] = []
    trusted = [
        "that the counts are those of independent runs, of the same code on the same inputs",
        f"that the audit had {bounds:,} bounds, among which the error is divided, and chose its "
        "events without a look at the runs that it counts",
    ]
    if fields["evidence"] is None:
        if bound != int(factor):
            raise refuse("bound", fields["bound"], f"{int(factor)}: there is no evidence for more")
    else:
        found, told, untold = _evidence(fields["evidence"], error, delta, factor, limits)
        if found != bound:
            raise refuse("bound", fields["bound"], f"{in_words(found)}, which the counts show")
        name = "e^epsilon" if factor else "gamma"
        proved += [*told, f"so {name} is at least {in_words(bound)}, with confidence {sure}"]
        trusted += untold
    fails = claim is not None and bound > claim
    if fails != (verdict == "refuted"):
        raise refuse("verdict", verdict, "what follows for this bound and this claim")
    if fails:
        proved.append(f"so the claim {in_words(claim or Fraction())} fails, at this confidence")
    else:
        trusted.append("that the parameter is not larger: runs can show that it is, and no more")
    return notion, verdict, bound, claim, tuple(proved), tuple(trusted)


def _evidence(
    value: object, error: Fraction, delta: Fraction, factor: bool, limits: Limits
) -> tuple[Fraction, list[str], list[str]]:
    """Return the bound that the counts of an event show, and what is proved and trusted."""
    fields = as_object(value, "evidence", _EVIDENCE)
    samples = [
        [as_text(element, name) for element in as_list(fields[name], name)]
        for name in ("sample", "neighbour")
    ]
    if fields["point"] is not None:
        as_text(fields["point"], "point")
    for outcome in as_list(fields["event"], "event"):
        as_text(outcome, "event")
    n = as_size(fields["runs"], "evidence.runs", least=1)
    seen, there = (as_size(fields[k], k) for k in ("successes", "neighbour_successes"))
    if max(seen, there) > n:
        raise refuse("successes", max(seen, there), f"at most {n}, the number of runs")
    above = as_probability(fields["probability_above"], "probability_above", limits)
    below = as_probability(
        fields["neighbour_probability_below"], "neighbour_probability_below", limits
    )
    if not _seldom(seen, n, above, error, limits):
        raise refuse("probability_above", in_words(above), "a bound that the counts show")
    if not _seldom(n - there, n, 1 - below, error, limits):
        raise refuse("neighbour_probability_below", in_words(below), "a bound that the counts show")
    told = [
        f"an event that comes with probability {in_words(above)} or less is seen {seen:,} times of "
        f"{n:,}, or more often, with probability {float(error):.3g} at most",
        f"one that comes with {in_words(below)} or more is seen {there:,} times, or less often, "
        "with no larger probability",
    ]
    changed = sum(a != b for a, b in zip(*samples, strict=False))
    if len(samples[0]) != len(samples[1]) or changed != 1:
        return _bound(above, below, delta, factor), told, ["that the two inputs are neighbours"]
    return _bound(above, below, delta, factor), [*told, "the two samples differ in one place"], []


def _bound(above: Fraction, below: Fraction, delta: Fraction, factor: bool) -> Fraction:
    if not factor:
        return above - below
    return (above - delta) / below  # no count shows that it is below 0


def _seldom(k: int, n: int, p: Fraction, error: Fraction, limits: Limits) -> bool:
    """Return whether k successes or more of n come with probability ``error`` at most, given p.

    Terms of the tail decrease beyond the mean, so the rest is at most its first term times their
    number; it is added when it is small.
    """
    if k == 0:
        return p == 0
    if p * n > k:
        return False
    # Each term is a product of a long number and short ones.
    limits.spend(n * isqrt(n) * p.denominator.bit_length() >> 6, "evidence.runs")
    a, b = p.numerator, p.denominator
    whole: int = b**n  # type checkers think of a negative n
    most = whole * error.numerator // error.denominator
    term: int = comb(n, k) * a**k * (b - a) ** (n - k)
    tail = 0
    for j in range(k, n + 1):
        rest = (n + 1 - j) * term
        if rest << 80 < most:
            return tail + rest <= most
        tail += term
        if tail > most or j == n:
            break
        term = term * (n - j) * a // ((j + 1) * (b - a))
    return tail <= most
