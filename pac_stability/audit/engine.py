"""Every pair of neighbouring samples, compared exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product

from pac_stability.audit.claimed import verdict_on
from pac_stability.audit.measures import Measure
from pac_stability.audit.results import (
    AuditResult,
    Counts,
    Instance,
    PairWitness,
    Symmetry,
    Verdict,
)
from pac_stability.data import Example, FiniteDistribution, Sample
from pac_stability.data.neighbours import _neighbours

Laws = Callable[[object], tuple[FiniteDistribution[object], ...]]


def sample_of(elements: tuple[object, ...]) -> object:
    """Return a sample as the algorithm sees it: a ``Sample``, or a tuple of records."""
    if elements and isinstance(elements[0], Example):
        return Sample.from_examples(e for e in elements if isinstance(e, Example))
    return elements


def sweep(instance: Instance, laws: Laws, measure: Measure, claim: Fraction | None) -> AuditResult:
    """Compare the laws on every pair of neighbours."""
    known: dict[tuple[object, ...], tuple[FiniteDistribution[object], ...]] = {}
    symmetric = instance.symmetry is not Symmetry.NONE
    universe = instance.universe
    places = {element: place for place, element in enumerate(universe)}

    def laws_on(elements: tuple[object, ...]) -> tuple[FiniteDistribution[object], ...]:
        if symmetric:
            elements = tuple(sorted(elements, key=places.__getitem__))
        if elements not in known:
            known[elements] = laws(sample_of(elements))
        return known[elements]

    sequences: Iterator[tuple[object, ...]] = (
        combinations_with_replacement(universe, instance.n)
        if symmetric
        else product(universe, repeat=instance.n)
    )
    best: PairWitness | None = None
    pairs = 0
    for elements in sequences:
        for other in _neighbours(elements, universe, instance.relation):
            pairs += 1
            columns = zip(
                laws_on(elements), laws_on(other), instance.points or (None,), strict=True
            )
            for law, neighbour_law, point in columns:
                for a, b, p, q in (
                    (elements, other, law, neighbour_law),
                    (other, elements, neighbour_law, law),
                ):
                    value = max(measure.floor, measure.directed(p, q))
                    if best is None or value > best.value:
                        best = PairWitness(sample_of(a), sample_of(b), point, p, q, (), value)
    outcomes = {y for row in known.values() for law in row for y in law.support}
    counts = Counts(len(known), pairs, len(instance.points), len(outcomes))
    if best is None:
        note = "no pair of neighbouring samples"
        return AuditResult(instance, measure.floor, Verdict.SKIPPED, None, counts, claim, note)
    best = replace(best, event=measure.event(best.law, best.neighbour_law))
    return AuditResult(instance, best.value, verdict_on(best.value, claim), best, counts, claim)
