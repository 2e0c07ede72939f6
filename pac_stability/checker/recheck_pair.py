"""Recheck what is shown by the laws on two neighbouring samples."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from pac_stability.checker.recheck_every_pair import Answers, law_on, none_is_worse
from pac_stability.checker.recheck_values import (
    Case,
    Fields,
    Key,
    Law,
    Number,
    Shown,
    StatedInstance,
    TooLongError,
    as_element,
    as_key,
    as_law,
    as_list,
    as_object,
    as_parameter,
    as_text,
    in_words,
    mass,
    refuse,
)
from pac_stability.errors import InvalidInput


def check_pair(value: object, answers: Answers | None, case: Case) -> Shown:
    """Check two laws on neighbouring samples, and the event that tells them apart.

    Where the answers on all samples are given, they must have these two laws, and every other pair
    of neighbours is looked at as well, if that is not too long.
    """
    instance, count = case.instance, len(case.objects)
    about_points = case.asked.points
    keys = ["kind", "sample", "neighbour", "law", "neighbour_law", "event", "value"]
    keys += ["point"] * about_points
    keys += ["order"] * (
        case.asked.divergence is not None and isinstance(value, dict) and "order" in value
    )
    fields = as_object(value, "witness", keys)
    as_text(fields["kind"], "witness.kind", ("pair",))
    sample = _sample(fields["sample"], "witness.sample", instance)
    neighbour = _sample(fields["neighbour"], "witness.neighbour", instance)
    if instance.n not in (len(sample), len(neighbour)):
        raise refuse("witness.sample", fields["sample"], f"{instance.n} elements")
    inserted = instance.relation == "add-remove"
    if inserted:
        case.limits.spend(len(sample) * len(neighbour), "witness.sample")
    steps = _steps_apart(sample, neighbour, instance.relation)
    if not 1 <= steps <= instance.group_size:
        wanted = f"a neighbour of the sample ({instance.relation}, up to {instance.group_size})"
        raise refuse("witness.neighbour", fields["neighbour"], wanted)
    column = 0
    if about_points:
        point = as_key(fields["point"], "witness.point")
        if point not in instance.points:
            raise refuse("witness.point", fields["point"], "one of the points of the instance")
        column = instance.points.index(point)
    law = as_law(fields["law"], "witness.law", count, case.limits)
    other = as_law(fields["neighbour_law"], "witness.neighbour_law", count, case.limits)
    event = [
        as_key(outcome, "witness.event", objects=count)
        for outcome in as_list(fields["event"], "witness.event")
    ]
    if len(set(event)) < len(event):
        raise InvalidInput("witness.event", "an outcome twice", "distinct outcomes")
    here, there = mass(event, law, case.limits), mass(event, other, case.limits)
    if case.asked.divergence is not None:
        return _divergence(fields, (law, other), (sample, neighbour), steps, answers, case)
    if not case.asked.factor:
        shown: Number = max(Fraction(0), here - instance.epsilon_ratio * there)
    else:
        # The smallest factor f >= 1 with here <= f * there + delta.
        over = here - instance.delta
        factor = over / there if there else (math.inf if over > 0 else Fraction(1))
        shown = max(Fraction(1), factor)
    if as_parameter(fields["value"], "witness.value", case.limits) != shown:
        raise refuse("witness.value", fields["value"], f"{in_words(shown)}, what the event shows")
    bound = "is infinite" if shown == math.inf else f"is at least {in_words(shown)}"
    proved = (
        f"the two samples are neighbours ({instance.relation}, {steps} of at most "
        f"{instance.group_size} steps), and their laws are probability distributions",
        f"with these laws an event has probability {in_words(here)} on one sample and "
        f"{in_words(there)} on the other, so the parameter {bound}",
    )
    result = Shown(shown, refutes=case.claim_fails(shown), exact=False, proved=proved)
    return _against_all(result, None, ((sample, law), (neighbour, other)), answers, column, case)


def _divergence(  # noqa: PLR0917  # what was read so far
    fields: Fields,
    laws: tuple[Law, Law],
    samples: tuple[list[Key], list[Key]],
    steps: int,
    answers: Answers | None,
    case: Case,
) -> Shown:
    """Check that a divergence of two laws is as large as written, and that none is over the claim.

    Without an order the laws are equal in what is shown, or one has an outcome that the other has
    not: then the parameter is 0 at least, or infinite.
    """
    law, other = laws
    shown = as_parameter(fields["value"], "witness.value", case.limits)
    if shown < 0:  # the least that there is, which a pair of equal laws is not asked to exceed
        raise refuse("witness.value", fields["value"], "a number of at least 0")
    if "order" in fields:
        order = case.limits.number(fields["order"], "witness.order")
        if order < 1:
            raise refuse("witness.order", fields["order"], "an order of at least 1")
        judge = case.asked.divergence
        if (
            judge is None
            or isinstance(shown, float)
            or not judge.shows(law, other, order, shown, case)
        ):
            raise refuse("witness.value", fields["value"], "what the divergence shows")
        how = judge.words.format(order=in_words(order))
    else:
        wanted = math.inf if law.keys() - other.keys() else Fraction(0)
        if shown != wanted:
            raise refuse("witness.value", fields["value"], in_words(wanted))
        how = "an outcome of the one law is none of the other" if shown else "nothing is shown"
    proved = (
        f"the two samples are neighbours ({case.instance.relation}, {steps} of at most "
        f"{case.instance.group_size} steps), and their laws are probability distributions",
        f"with these laws the parameter is at least {in_words(shown)}: {how}",
    )
    result = Shown(shown, refutes=case.claim_fails(shown), exact=False, proved=proved)
    pairs = (samples[0], law), (samples[1], other)
    return _against_all(result, case.claim, pairs, answers, 0, case)


def _against_all(  # noqa: PLR0917  # what was read so far
    result: Shown,
    claim: Fraction | None,
    pair: Iterable[tuple[list[Key], Law]],
    answers: Answers | None,
    column: int,
    case: Case,
) -> Shown:
    """Hold all answers that there are against a claim, or against what the pair shows."""
    instance = case.instance
    for mine, written in pair:
        if answers is not None and law_on(answers, mine, column, case) != written:
            raise InvalidInput("witness.law", "another law than in the answers", "that law")
    if isinstance(result.value, float):  # nothing is larger than infinity
        return replace(result, exact=True)
    if answers is None:
        return result
    bound = result.value if claim is None else claim
    try:
        all_pairs = none_is_worse(answers, case, bound)
    except TooLongError as limit:
        trusted = f"that nothing else is worse: to compare all pairs takes {limit.given}"
        return replace(result, trusted=(trusted,))
    order = f"that the order of a sample makes no difference, as was {instance.symmetry}"
    trusts = (order,) if instance.symmetry != "none" else ()
    proved = (*result.proved, all_pairs)
    return replace(result, exact=bound == result.value, keeps=True, proved=proved, trusted=trusts)


def _sample(value: object, where: str, instance: StatedInstance) -> list[Key]:
    elements = [
        as_element(element, where, labelled=instance.labelled) for element in as_list(value, where)
    ]
    if not set(elements) <= set(instance.universe):
        raise refuse(where, value, "elements of the universe")
    return elements


def _steps_apart(sample: list[Key], neighbour: list[Key], relation: str) -> int:
    """Return how many steps of the relation lead from one sample to the other; 0 if none do."""
    if relation == "replace-one":
        if len(sample) != len(neighbour):
            return 0
        return sum(a != b for a, b in zip(sample, neighbour, strict=True))
    # Insertions and deletions: all but a longest common subsequence.
    row = [0] * (len(neighbour) + 1)
    for a in sample:
        before = row
        row = [0]
        for place, b in enumerate(neighbour):
            row.append(before[place] + 1 if a == b else max(before[place + 1], row[-1]))
    return len(sample) + len(neighbour) - 2 * row[-1]
