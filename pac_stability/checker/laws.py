"""Recheck what is shown by the laws on all samples at once.

The laws are complete, because the probabilities of the samples that are listed sum to one; so these
certificates prove an exact value wherever the recomputation below is not too long.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from pac_stability.checker.fields import (
    Case,
    Key,
    Law,
    Limits,
    Number,
    Shown,
    add,
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
    times,
)
from pac_stability.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class WrittenLaw:
    """One sample (or all its orderings), its probability, and the law of the output on it."""

    sample: tuple[Key, ...]
    probability: Fraction
    law: Law


@dataclass(frozen=True, slots=True)
class WrittenLaws:
    """The laws and the strategy of a certificate, read."""

    case: Case
    distribution: Law
    rows: tuple[WrittenLaw, ...]
    strategy: dict[Key, object]
    value: Number


@dataclass(frozen=True, slots=True)
class Test:
    """A set of elements, and its probability."""

    elements: frozenset[Key]
    probability: Fraction

    @classmethod
    def of(cls, elements: frozenset[Key], evidence: WrittenLaws) -> Test:
        """Return a set of elements with its probability."""
        return cls(elements, mass(elements, evidence.distribution, evidence.case.limits))

    def deviation(self, sample: tuple[Key, ...]) -> Fraction:
        """Return how far its frequency in a sample is from its probability."""
        frequency = Fraction(sum(z in self.elements for z in sample), len(sample) or 1)
        return abs(frequency - self.probability)


def check_laws(value: object, case: Case) -> Shown:
    """Check the laws on all samples, and recompute the parameter from them."""
    keys = ("kind", "up_to_order", "laws", "strategy", "value")
    fields = as_object(value, "witness", keys)
    as_text(fields["kind"], "witness.kind", ("laws",))
    up_to_order = fields["up_to_order"]
    if not isinstance(up_to_order, bool):
        raise refuse("witness.up_to_order", up_to_order, "true or false")
    distribution = case.instance.distribution
    if distribution is None:
        raise InvalidInput("instance.distribution", "none", "the distribution of an element")
    strategy: dict[Key, object] = {}
    for pair in as_list(fields["strategy"], "witness.strategy"):
        outcome, choice = as_list(pair, "witness.strategy", length=2)
        key = as_key(outcome, "witness.strategy", objects=len(case.objects))
        if key in strategy:
            raise InvalidInput("witness.strategy", "an outcome twice", "each outcome once")
        strategy[key] = choice
    rows = tuple(_rows(fields["laws"], up_to_order, case, distribution))
    work = sum(len(row.sample) * len(row.law) for row in rows)
    case.limits.spend(work, "witness.laws")
    shown = as_parameter(fields["value"], "witness.value", case.limits)
    if case.asked.laws is None:
        raise InvalidInput("notion", case.notion, "one about a distribution")
    return case.asked.laws(WrittenLaws(case, distribution, rows, strategy, shown))


def _rows(forms: object, up_to_order: bool, case: Case, distribution: Law) -> Iterator[WrittenLaw]:
    """Yield the samples with their probabilities, which must be all there are."""
    n, count = case.instance.n, len(case.objects)
    common = 1
    for p in distribution.values():
        common = math.lcm(common, p.denominator)
        if n * common.bit_length() > case.limits.bits:
            raise InvalidInput("instance.n", str(n), "shorter samples, or more max_bits")
    seen: set[object] = set()
    everything = Fraction(0)
    for form in as_list(forms, "witness.laws"):
        fields = as_object(form, "witness.laws", ("sample", "law"))
        sample = tuple(
            as_element(z, "witness.laws.sample", labelled=case.instance.labelled)
            for z in as_list(fields["sample"], "witness.laws.sample")
        )
        if len(sample) != n or not set(sample) <= distribution.keys():
            raise refuse("witness.laws.sample", fields["sample"], f"{n} elements of the universe")
        counts = Counter(sample)
        identity = frozenset(counts.items()) if up_to_order else sample
        if identity in seen:
            raise refuse("witness.laws.sample", fields["sample"], "each sample once")
        seen.add(identity)
        probability = _probability(counts, distribution, case.limits)
        if up_to_order:
            probability *= _orderings(counts.values(), case.limits)
        everything = add(everything, probability, case.limits)
        law = as_law(fields["law"], "witness.laws.law", count, case.limits)
        yield WrittenLaw(sample, probability, law)
    if everything != 1:
        given = f"samples of total probability {in_words(everything)}"
        raise InvalidInput("witness.laws", given, "all samples")


def _probability(counts: Counter[Key], distribution: Law, limits: Limits) -> Fraction:
    """Return the probability of a sample in a fixed order."""
    result = Fraction(1)
    for element, count in counts.items():
        result = times(result, distribution[element] ** count, limits)
    return result


def _orderings(multiplicities: Iterable[int], limits: Limits) -> int:
    """Return in how many orders a sample can be written."""
    so_far, orderings = 0, 1
    for multiplicity in multiplicities:
        so_far += multiplicity
        limits.spend(so_far * so_far.bit_length() ** 2 >> 9, "witness.laws.sample")
        orderings *= math.comb(so_far, multiplicity)
    return orderings


COMPLETE = "there is a law for every sample: their probabilities sum to 1"


def exactly(evidence: WrittenLaws, proved: str) -> Shown:
    """Return that the parameter is what the certificate says, and nothing else."""
    refutes = evidence.case.claim_fails(evidence.value)
    return Shown(evidence.value, refutes, exact=True, proved=(COMPLETE, proved))
