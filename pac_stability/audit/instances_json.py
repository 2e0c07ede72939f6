"""Instances of audits as JSON: the universe and its elements, samples, and the parameters."""

from __future__ import annotations

from typing import cast

from pac_stability.audit.notions.notion import OWN, Instance, Notion, Symmetry
from pac_stability.data import Example, FiniteDistribution, Neighbouring, Sample
from pac_stability.data.sample import decode_point, encode_point
from pac_stability.reading import exact_number, exact_text


def encode_instance(instance: Instance) -> dict[str, object]:
    """Return the form of an instance, less its notion, which a certificate says itself."""
    distribution = instance.distribution
    return {
        "labelled": any(isinstance(element, Example) for element in instance.universe),
        "universe": [encode_element(element) for element in instance.universe],
        "distribution": None
        if distribution is None
        else [[encode_element(element), exact_text(p)] for element, p in distribution.items()],
        "n": instance.n,
        "points": [encode_point(point) for point in instance.points],
        "epsilon_ratio": exact_text(instance.epsilon_ratio),
        "delta": exact_text(instance.delta),
        "beta": exact_text(instance.beta),
        "optimum": exact_text(instance.optimum),
        "relation": instance.relation.value,
        "group_size": instance.group_size,
        "symmetry": instance.symmetry.value,
        **{name: exact_text(value) for name, value in instance.own},
    }


def decode_instance(fields: dict[str, object], notion: object) -> Instance:
    """Return the instance of a rechecked form, and of the notion of that name."""
    labelled = cast("bool", fields["labelled"])
    weights = cast("list[tuple[object, str]] | None", fields["distribution"])
    return Instance(
        notion=Notion.named(notion),
        universe=tuple(decode_elements(fields["universe"], labelled)),
        n=cast("int", fields["n"]),
        points=tuple(map(decode_point, cast("list[object]", fields["points"]))),
        epsilon_ratio=exact_number(fields["epsilon_ratio"], "epsilon_ratio"),
        delta=exact_number(fields["delta"], "delta"),
        beta=exact_number(fields["beta"], "beta"),
        optimum=exact_number(fields["optimum"], "optimum"),
        own=tuple((name, exact_number(fields[name], name)) for name in fields if name in OWN),
        relation=Neighbouring(fields["relation"]),
        group_size=cast("int", fields["group_size"]),
        symmetry=Symmetry(fields["symmetry"]),
        distribution=None
        if weights is None
        else FiniteDistribution(
            {
                _decode_element(form, labelled): exact_number(p, "distribution")
                for form, p in weights
            }
        ),
    )


def encode_element(element: object) -> object:
    """Return the form of an example, or of a record."""
    if isinstance(element, Example):
        return [encode_point(element.point), element.label]
    return encode_point(element)


def _decode_element(form: object, labelled: bool) -> object:
    if labelled:
        point, label = cast("tuple[object, int]", form)
        return Example(decode_point(point), label)
    return decode_point(form)


def decode_elements(forms: object, labelled: bool) -> list[object]:
    """Return the examples, or the records, of a list of forms."""
    return [_decode_element(form, labelled) for form in cast("list[object]", forms)]


def decode_sample(forms: object, labelled: bool) -> object:
    """Return the sample of these forms, as an algorithm sees it."""
    return sample_of(tuple(decode_elements(forms, labelled)))


def sample_of(elements: tuple[object, ...]) -> object:
    """Return a sample as an algorithm sees it: a ``Sample``, or a tuple of records."""
    if elements and isinstance(elements[0], Example):
        return Sample.from_examples(cast("tuple[Example[object], ...]", elements))
    return elements
