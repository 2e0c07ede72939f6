"""The words of a report: numbers, samples, outcomes and verdicts, short enough to be read."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from itertools import product

from pac_stability.arithmetic import Interval
from pac_stability.arithmetic.interval import LONGEST_NUMBER, decimal, digits, exact, logarithm
from pac_stability.audit.notions.notion import OWN, Notion, Symmetry
from pac_stability.audit.results import AuditResult, Counts, PairWitness, Value, Verdict
from pac_stability.data import Example, FiniteDistribution, Multiset, Neighbouring, Sample
from pac_stability.errors import printable

_LONGEST_NAME = 60


def value_in_words(notion: Notion, value: Value) -> str:
    """Return the value of a notion: exactly, and as people state it.

    Examples
    --------
    >>> value_in_words(Notion.PRIVATE_PREDICTION, Fraction(3, 2))
    'e^epsilon = 3/2 (1.5), epsilon = 0.405465'
    >>> value_in_words(Notion.UNIFORM_STABILITY, Interval(Fraction(1, 3), Fraction(1, 2)))
    'gamma between 1/3 (0.333333) and 1/2 (0.5)'
    """
    parameter = notion.parameter
    name = f"e^{parameter.name}" if parameter.is_factor else parameter.name
    if isinstance(value, Interval):
        ends = f"{exact(value.lower)} and {exact(value.upper)}"
        if not parameter.is_factor:
            return f"{name} between {ends}"
        low, high = (f"{logarithm(end):.6g}" for end in (value.lower, value.upper))
        return f"{name} between {ends}, {parameter.name} between {low} and {high}"
    if value == math.inf:
        return f"{parameter.name} infinite: no finite one is enough"
    if not parameter.is_factor:
        return f"{name} = {exact(value)}"
    return f"{name} = {exact(value)}, {parameter.name} = {logarithm(value):.6g}"


def answer_in_words(result: AuditResult) -> str:
    """Return the value of an audit: what an unfinished one found is a lower bound."""
    told = value_in_words(result.instance.notion, result.value)
    if result.verdict is Verdict.BOUNDED and isinstance(result.value, Fraction):
        return f"at least: {told}"
    return told


def claim_in_words(notion: Notion, claim: Fraction | float) -> str:
    """Return a claim as people state it.

    Examples
    --------
    >>> claim_in_words(Notion.DIFFERENTIAL_PRIVACY, Fraction(3))
    'epsilon at most 1.09861 (a factor of 3)'
    >>> claim_in_words(Notion.GLOBAL_STABILITY, Fraction(1, 3))
    'eta at least 1/3 (0.333333)'
    """
    parameter = notion.parameter
    bound = "at least" if parameter.larger_is_better else "at most"
    if not parameter.is_factor:
        return f"{parameter.name} {bound} {exact(claim)}"
    factor = exact(claim)
    if isinstance(claim, Fraction) and len(digits(claim)) > LONGEST_NUMBER:
        factor = decimal(claim)  # e**epsilon, rounded down
    return f"{parameter.name} {bound} {logarithm(claim):.6g} (a factor of {factor})"


def conclusion(result: AuditResult) -> str:
    """Return in a few words what the verdict says."""
    if result.verdict is Verdict.VERIFIED and result.claim is None:
        return "the value is exact, and no claim was made"
    return {
        Verdict.VERIFIED: "everything was examined, and the claim holds",
        Verdict.REFUTED: "the claim fails, as the witness shows",
        Verdict.BOUNDED: "the value lies between certified bounds, and no claim was made"
        if result.claim is None and isinstance(result.value, Interval)
        else "inconclusive: the bounds are certified but do not settle it",
        Verdict.SUPPORTED: "inconclusive: statistics support the claim but do not prove it",
        Verdict.SKIPPED: "inconclusive: nothing was examined",
    }[result.verdict]


def examined(counts: Counts, symmetry: Symmetry) -> str:
    """Return how much was examined.

    Examples
    --------
    >>> examined(Counts(datasets=3, pairs=4, points=1, outcomes=2), Symmetry.SHOWN)
    '3 samples up to order (shown not to matter), 4 pairs of neighbours, 1 point, 2 outcomes'
    """
    order = {
        Symmetry.NONE: "",
        Symmetry.DECLARED: " up to order (declared not to matter)",
        Symmetry.SHOWN: " up to order (shown not to matter)",
    }[symmetry]
    parts = [f"{_plural(counts.datasets, 'sample')}{order}"]
    if counts.pairs:
        parts.append(f"{_plural(counts.pairs, 'pair')} of neighbours")
    if counts.points:
        parts.append(_plural(counts.points, "point"))
    return ", ".join([*parts, _plural(counts.outcomes, "outcome")])


def _plural(count: int, one: str) -> str:
    return f"{count:,} {one}" if count == 1 else f"{count:,} {one}s"


def fixed_parameters(result: AuditResult) -> tuple[tuple[str, str], ...]:
    """Return what was fixed in the instance, as pairs (name, value) for a table."""
    instance = result.instance
    rows = [
        ("samples of", _listed(map(in_words, instance.universe))),
        ("n", str(instance.n)),
    ]
    if instance.points:
        rows.append(("points", _listed(map(in_words, instance.points))))
    if instance.distribution is not None:
        weights = instance.distribution.items()
        rows.append(
            ("distribution", _listed(f"{in_words(z)}: {digits(weight)}" for z, weight in weights))
        )
    if instance.relation is not Neighbouring.REPLACE_ONE:
        rows.append(("neighbours", instance.relation.value))
    if instance.group_size > 1:
        rows.append(("groups of", str(instance.group_size)))
    if instance.epsilon_ratio != 1:
        rows.append(("e^epsilon", exact(instance.epsilon_ratio)))
    rows += [
        (name, exact(number))
        for name, number in (
            ("delta", instance.delta),
            ("beta", instance.beta),
            ("optimum", instance.optimum),
        )
        if number
    ]
    rows += [(OWN[name], exact(value)) for name, value in instance.own]
    return tuple(rows)


def _listed(parts: Iterable[str], most: int = 12) -> str:
    kept = tuple(parts)
    shown = "  ".join(kept[:most])
    return shown if len(kept) <= most else f"{shown}  ... ({len(kept):,})"


def in_words(value: object) -> str:
    """Return a value of the user's on one line: an example as ``(point, label)``, else its repr.

    Examples
    --------
    >>> in_words(Example("a", 1)), in_words(Fraction(1, 3)), in_words("x" * 90)[-9:]
    ("('a', 1)", '1/3', 'xxxxxxxx…')
    """
    text = whole(value)
    return text if len(text) <= _LONGEST_NAME else f"{text[: _LONGEST_NAME - 1]}…"


def whole(value: object) -> str:
    """Return a value of the user's as text that is not cut."""
    if isinstance(value, Example):
        return f"({whole(value.point)}, {value.label})"
    if isinstance(value, Sample | Multiset):
        return "  ".join(map(whole, elements(value)))
    try:
        text = digits(value) if type(value) in {int, Fraction} else repr(value)  # type: ignore[arg-type]  # just looked at
    except Exception:  # a repr of the user's may do anything
        text = f"a value of type {type(value).__name__}"
    return printable(text)


def choice_in_words(what: object) -> str:
    """Return what a strategy chooses: a number, a value of the user's, or a list of these."""
    if isinstance(what, tuple):
        return "  ".join(map(in_words, what)) or "nothing"
    return exact(what) if isinstance(what, Fraction) else in_words(what)


def law_in_words(law: FiniteDistribution[object], most: int = 4) -> str:
    """Return the first outcomes of a law, in order, with their probabilities."""
    weights = law.items()
    shown = ", ".join(f"{in_words(outcome)}: {exact(weight)}" for outcome, weight in weights[:most])
    return shown if len(weights) <= most else f"{shown}, ... ({len(weights):,} outcomes)"


def elements(sample: object) -> tuple[object, ...]:
    """Return what a sample consists of, in order; anything else is one element."""
    if isinstance(sample, Sample | tuple):
        return tuple(sample)
    if isinstance(sample, Multiset):
        return tuple(sample.elements())
    return (sample,)


def differing(first: object, second: object) -> tuple[frozenset[int], frozenset[int]]:
    """Return the positions of either sample that the other does not share.

    Examples
    --------
    >>> differing(("a", "b", "a"), ("a", "c", "a"))
    (frozenset({1}), frozenset({1}))
    >>> differing(("a", "b"), ("a",))
    (frozenset({1}), frozenset())
    """
    left, right = elements(first), elements(second)
    if len(left) == len(right):
        places = frozenset(
            i for i, pair in enumerate(zip(left, right, strict=True)) if pair[0] != pair[1]
        )
        return places, places
    # The longest common subsequence, by the lengths of those of all tails.
    tails = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, j in product(reversed(range(len(left))), reversed(range(len(right)))):
        same = left[i] == right[j]
        tails[i][j] = tails[i + 1][j + 1] + 1 if same else max(tails[i + 1][j], tails[i][j + 1])
    alone: tuple[set[int], set[int]] = (set(range(len(left))), set(range(len(right))))
    i = j = 0
    while tails[i][j]:
        if left[i] == right[j]:
            alone[0].remove(i)
            alone[1].remove(j)
            i, j = i + 1, j + 1
        elif tails[i + 1][j] == tails[i][j]:
            i += 1
        else:
            j += 1
    return frozenset(alone[0]), frozenset(alone[1])


def event_in_words(witness: PairWitness, notion: Notion | None = None) -> str:
    """Return the event of a witness and its two probabilities, or the order it has in its place.

    Examples
    --------
    >>> from pac_stability.data import FiniteDistribution
    >>> p, q = FiniteDistribution({0: 1}), FiniteDistribution.uniform([0, 1])
    >>> event_in_words(PairWitness((1,), (2,), None, p, q, (0,), Fraction(2)))
    '{0}: probability 1 on the sample, 1/2 (0.5) on its neighbour'
    """
    if witness.order is not None:
        order = exact(witness.order)
        at_least = "what the value asks" if notion is None else notion.by_order.format(order=order)
        return (
            f"{order}: the Renyi divergence of that order, of the law on the sample "
            f"from that on its neighbour, is at least {at_least}"
        )
    first, second = witness.probabilities
    shown = ", ".join(in_words(outcome) for outcome in witness.event[:12])
    more = f", ... ({len(witness.event):,} outcomes)" if len(witness.event) > 12 else ""
    return (
        f"{{{shown}{more}}}: probability {exact(first)} on the sample, "
        f"{exact(second)} on its neighbour"
    )


def outcomes_of(witness: PairWitness) -> tuple[object, ...]:
    """Return the outcomes of both laws: those of the event first."""
    union = dict.fromkeys((*witness.law.support, *witness.neighbour_law.support))
    event = set(witness.event)
    return tuple(sorted(union, key=lambda outcome: outcome not in event))
