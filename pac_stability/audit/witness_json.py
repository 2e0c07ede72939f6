"""What shows the value of an audit as JSON: a witness, the answers on all samples, the value."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import cast

from pac_stability.arithmetic import Interval
from pac_stability.audit.instances_json import decode_elements, decode_sample, encode_element
from pac_stability.audit.notions.notion import Instance
from pac_stability.audit.outcomes_json import OutcomeTable, RecordedObject, decode_outcome
from pac_stability.audit.results import AllAnswers, LawsWitness, PairWitness, Value, Witness
from pac_stability.data import Example, FiniteDistribution, Multiset
from pac_stability.data.sample import decode_point, encode_point
from pac_stability.errors import InvalidInput
from pac_stability.reading import exact_number, exact_text


def encode_witness(witness: Witness, table: OutcomeTable, instance: Instance) -> dict[str, object]:
    """Return the form of a witness of an instance, whose outcomes have theirs in the table."""
    if isinstance(witness, PairWitness):
        return _encode_pair(witness, table, has_points=bool(instance.points))
    return _encode_laws(witness, table, instance)


def _encode_pair(
    witness: PairWitness, table: OutcomeTable, *, has_points: bool
) -> dict[str, object]:
    return {
        "kind": "pair",
        "sample": [encode_element(z) for z in cast("Iterable[object]", witness.sample)],
        "neighbour": [encode_element(z) for z in cast("Iterable[object]", witness.neighbour)],
        **({"point": encode_point(witness.point)} if has_points else {}),
        "law": table.law_form(witness.law),
        "neighbour_law": table.law_form(witness.neighbour_law),
        "event": [table.form(outcome) for outcome in sorted(witness.event, key=table.rank)],
        **({} if witness.order is None else {"order": exact_text(witness.order)}),
        "value": encode_value(witness.value),
    }


def _encode_laws(
    witness: LawsWitness, table: OutcomeTable, instance: Instance
) -> dict[str, object]:
    place = {element: index for index, element in enumerate(instance.universe)}
    up_to_order = any(isinstance(sample, Multiset) for sample, _ in witness.laws)
    laws = []
    for sample, law in witness.laws:
        if isinstance(sample, Multiset):
            elements = sorted(sample.elements(), key=place.__getitem__)
        else:
            elements = list(cast("Iterable[object]", sample))
        laws.append(([place[z] for z in elements], elements, law))
    laws.sort(key=lambda entry: entry[0])
    strategy = sorted(witness.strategy, key=lambda pair: table.rank(pair[0]))
    return {
        "kind": "laws",
        "up_to_order": up_to_order,
        "laws": [
            {"sample": [encode_element(z) for z in elements], "law": table.law_form(law)}
            for _, elements, law in laws
        ],
        "strategy": [[table.form(choice), _encode_choice(what)] for choice, what in strategy],
        "value": encode_value(witness.value),
    }


def _encode_choice(what: object) -> object:
    """Write a probability, or a set of elements."""
    if isinstance(what, Fraction | int):
        return exact_text(Fraction(what))
    return [encode_element(element) for element in cast("Iterable[object]", what)]


def decode_witness(
    fields: dict[str, object], instance: Instance, objects: Sequence[RecordedObject]
) -> Witness:
    """Return the witness of a rechecked form."""
    labelled = any(isinstance(element, Example) for element in instance.universe)
    value = cast("Fraction | float", decode_value(fields["value"]))
    if fields["kind"] == "pair":
        return PairWitness(
            sample=decode_sample(fields["sample"], labelled),
            neighbour=decode_sample(fields["neighbour"], labelled),
            point=decode_point(fields["point"]) if "point" in fields else None,
            law=_decode_law(fields["law"], objects),
            neighbour_law=_decode_law(fields["neighbour_law"], objects),
            event=tuple(
                decode_outcome(form, objects) for form in cast("list[object]", fields["event"])
            ),
            value=value,
            order=exact_number(fields["order"], "order") if "order" in fields else None,
        )
    laws = cast("list[dict[str, object]]", fields["laws"])
    strategy = cast("list[tuple[object, object]]", fields["strategy"])
    return LawsWitness(
        laws=tuple(
            (
                Multiset.of(decode_elements(entry["sample"], labelled))
                if fields["up_to_order"]
                else decode_sample(entry["sample"], labelled),
                _decode_law(entry["law"], objects),
            )
            for entry in laws
        ),
        strategy=tuple(
            (
                decode_outcome(form, objects),
                exact_number(what, "strategy")
                if isinstance(what, str)
                else tuple(decode_elements(what, labelled)),
            )
            for form, what in strategy
        ),
        value=value,
    )


def _decode_law(forms: object, objects: Sequence[RecordedObject]) -> FiniteDistribution[object]:
    items = cast("list[tuple[object, str]]", forms)
    return FiniteDistribution(
        {decode_outcome(form, objects): exact_number(p, "law") for form, p in items}
    )


def encode_answers(answers: AllAnswers, table: OutcomeTable) -> dict[str, object]:
    """Return the form of the answers on all samples."""
    return {
        "laws": [
            table.law_form(value) if isinstance(value, FiniteDistribution) else exact_text(value)
            for value in answers.values
        ],
        "rows": [list(row) for row in answers.rows],
        "levels": [[list(node) for node in level] for level in answers.levels],
        "roots": list(answers.roots),
    }


def decode_answers(form: object, objects: Sequence[RecordedObject]) -> AllAnswers | None:
    """Return the answers of a rechecked form; ``None`` where they were left out."""
    if form is None:
        return None
    fields = cast("dict[str, list[object]]", form)
    return AllAnswers(
        values=tuple(
            exact_number(value, "laws") if isinstance(value, str) else _decode_law(value, objects)
            for value in fields["laws"]
        ),
        rows=_decode_nodes(fields["rows"]),
        levels=tuple(map(_decode_nodes, fields["levels"])),
        roots=tuple(cast("list[int]", fields["roots"])),
    )


def _decode_nodes(forms: object) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, cast("list[list[int]]", forms)))


def encode_value(value: Value) -> object:
    """Return the form of a value: a number, infinity, or an enclosure."""
    if isinstance(value, Interval):
        return {"lower": exact_text(value.lower), "upper": exact_text(value.upper)}
    if isinstance(value, float):
        if value != math.inf:
            raise InvalidInput("value", repr(value), "a Fraction, math.inf or an Interval")
        return "infinity"
    return exact_text(Fraction(value))


def decode_value(form: object) -> Value:
    """Return the value of a rechecked form."""
    if isinstance(form, dict):
        return Interval(*(exact_number(form[end], end) for end in ("lower", "upper")))
    return math.inf if form == "infinity" else exact_number(form, "value")
