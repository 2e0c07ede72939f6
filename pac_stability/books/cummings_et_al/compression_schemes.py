"""Compression schemes, and what is guaranteed of what they keep (Section 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from pac_stability.arithmetic import Interval
from pac_stability.claims.instances import all_classes
from pac_stability.claims.trials import Budget, Finding, Trials, settle, trial
from pac_stability.classes import (
    FiniteClass,
    Hypothesis,
    Row,
    cube,
    subsets,
    thresholds as finite_thresholds,
)
from pac_stability.compression import CompressionScheme, ProperScheme
from pac_stability.compression.agnostic_reduction import agnostic
from pac_stability.compression.approximations import smallest_approximation
from pac_stability.compression.chains import ChainScheme
from pac_stability.compression.intervals import IntervalScheme, UnionOfIntervalsScheme
from pac_stability.compression.littlestone_scheme import LittlestoneScheme
from pac_stability.compression.maximum_classes import MaximumClassScheme
from pac_stability.compression.thresholds import ThresholdScheme
from pac_stability.compression.validity import check_scheme
from pac_stability.data import Sample, all_examples

Scheme: TypeAlias = CompressionScheme[Hypothesis]

# Definition 14.


class _FirstExample(ChainScheme):
    """Keeps the first example, whatever it is."""

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:  # noqa: ARG002  # the parameters of what it stands in for
        return (0,)


class _TwoExamples(ChainScheme):
    """Keeps one more example than it says."""

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        return (*super()._compress(sample), 0)


class _NoExample(ChainScheme):
    """Keeps nothing of samples of one example, and then rebuilds the first hypothesis."""

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        return super()._compress(sample) if len(sample) > 1 else ()

    def reconstruct(self, kept: Sample[Hashable], /) -> Row:
        return super().reconstruct(kept) if len(kept) else finite_thresholds(2)[0]


class _Foreign(ChainScheme):
    """Rebuilds a hypothesis outside the class, which may be right on the sample."""

    def reconstruct(self, kept: Sample[Hashable], /) -> Row:
        return FiniteClass([[1, 0]])[0] if kept == Sample([0], [1]) else super().reconstruct(kept)


class _Contrary(ChainScheme):
    """Rebuilds another hypothesis from longer samples."""

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        (best,) = super()._compress(sample)
        return (best if len(sample) < 3 else len(sample) - 1,)


@dataclass(frozen=True, slots=True)
class Candidate:
    """What may be a compression scheme.

    Attributes
    ----------
    name
        What it is.
    scheme
        It.
    labelings
        The labelings of the domain by its class.
    n
        The largest size of samples.
    valid
        Whether it is one.
    """

    name: str
    scheme: Scheme
    labelings: FiniteClass
    n: int
    valid: bool = True


def _candidates(budget: Budget) -> Iterator[Candidate]:
    n = budget.pick(3, 4, 5)
    chain, sets = finite_thresholds(2), subsets(2, 1)
    line = FiniteClass([[0, 0], [0, 1], [1, 1]])
    yield Candidate("nested sets", ChainScheme(chain), chain, n)
    yield Candidate("thresholds on the line", ThresholdScheme(), line, n)
    yield Candidate("intervals on the line", IntervalScheme(), cube(2), n)
    yield Candidate("a maximum class", MaximumClassScheme(sets), sets, n)
    yield Candidate("the same, agnostic", agnostic(MaximumClassScheme(sets)), sets, n)
    pairs = FiniteClass((1 - subsets(3, 2).table)[::-1].tolist())
    yield Candidate("one of dimension 2", MaximumClassScheme(pairs), pairs, budget.pick(3, 3, 4))
    yield Candidate("unions of two intervals", UnionOfIntervalsScheme(2), cube(3), 3)
    # An update makes wrong what was right before, so that once around is not enough.
    again = FiniteClass(
        [
            [1, 1, 0, 0],
            [1, 1, 1, 1],
            [0, 1, 1, 0],
            [1, 0, 0, 0],
            [1, 0, 0, 1],
            [1, 0, 1, 1],
            [0, 0, 1, 0],
        ]
    )
    yield Candidate("mistakes of the SOA, on four points", LittlestoneScheme(again), again, 3)
    # No hypothesis has a 1 at the first point.
    zero = FiniteClass([[0, 0], [0, 1]])
    yield Candidate("mistakes of the SOA, agnostic", agnostic(LittlestoneScheme(zero)), zero, n)
    yield Candidate("mistakes of the SOA", LittlestoneScheme(sets), sets, n)
    yield Candidate("the first example", _FirstExample(chain), chain, n, valid=False)
    yield Candidate("two for one", _TwoExamples(chain), chain, n, valid=False)
    yield Candidate("nothing of one example", _NoExample(chain), chain, n, valid=False)
    yield Candidate("outside the class", _Foreign(chain), chain, n, valid=False)
    yield Candidate("the last of three", _Contrary(chain), chain, n, valid=False)


Checked: TypeAlias = tuple[dict[int, int], dict[int, int]]
"""How many samples of each size are examined, and how many the scheme fails on."""


def _is_scheme(candidate: Candidate) -> tuple[Checked, str]:
    """Go through all samples as Definition 14 says; return the first that is at fault as well."""
    scheme, H = candidate.scheme, candidate.labelings
    rows = {tuple(row) for row in H.table.tolist()}
    examples = all_examples(H.domain)
    examined, failing = (dict.fromkeys(range(1, candidate.n + 1), 0) for _ in range(2))
    first = ""
    for n in examined:
        for chosen in product(examples, repeat=n):
            sample = Sample.from_examples(chosen)
            least = min(sample.count_errors(h) for h in H)
            if least and not scheme.agnostic:
                continue
            examined[n] += 1
            fault = _fault(candidate, rows, sample, least)
            failing[n] += bool(fault)
            first = first or (f"at fault on {sample}: {fault}" if fault else "")
    return (examined, failing), first


def _fault(
    candidate: Candidate, rows: set[tuple[int, ...]], sample: Sample[Hashable], least: int
) -> str:
    scheme, n = candidate.scheme, len(sample)
    kept = scheme.compress(sample)
    if len(kept) != scheme.size(n) or not all(0 <= i < n for i in kept):
        return f"keeps {kept}, and its size is {scheme.size(n)}"
    h = scheme.reconstruct(Sample.from_examples(sample[i] for i in kept))
    errors = sample.count_errors(h)
    if errors > least:
        return f"{errors} errors, where {least} would do"
    if isinstance(scheme, ProperScheme) and tuple(map(h, candidate.labelings.domain)) not in rows:
        return "a hypothesis outside the class"
    return ""


def _decided(check: Callable[[Scheme, FiniteClass, int], Checked], candidate: Candidate) -> Finding:
    found = check(candidate.scheme, candidate.labelings, candidate.n)
    meant, fault = _is_scheme(candidate)
    return settle(
        found == meant and candidate.valid == (not fault),
        f"{candidate.name}, samples of up to {candidate.n}: examined and failing by size {found}; "
        f"by the definition {meant}, {fault or 'no fault'}",
    )


def _checked(scheme: Scheme, H: FiniteClass, n: int) -> Checked:
    found = check_scheme(scheme, H.domain, n)
    return found.examined, found.failing


def _checked_on_two(scheme: Scheme, H: FiniteClass, n: int) -> Checked:
    found = check_scheme(scheme, H.domain, 2)
    return found.examined, found.failing


# Remark 15.

Approximated: TypeAlias = tuple[FiniteClass, Sample[Hashable], Fraction]


def _approximated(budget: Budget) -> Iterator[Approximated]:
    kinds = [H for H in all_classes(2, labels_matter=False) if len(H) > 1]
    for n in range(1, budget.pick(4, 7, 9) + 1):
        for H in kinds:
            examples = all_examples(H.domain)
            whole = Sample.from_examples(examples[(i * i + len(H)) % 4] for i in range(n))
            for accuracy in ("0", "1/6", "1/3"):
                yield H, whole, Fraction(accuracy)


Smallest: TypeAlias = Callable[[FiniteClass, Sample[Hashable], Fraction], tuple[int, ...]]


def _approximates(smallest: Smallest, given: Approximated) -> Finding:
    H, sample, accuracy = given

    def deviation(indices: tuple[int, ...]) -> Fraction:
        part = Sample.from_examples(sample[i] for i in indices)
        return max(abs(part.loss(h) - sample.loss(h)) for h in H)

    n = len(sample)
    found = smallest(H, sample, accuracy)
    fewest = min(
        sum(taken)
        for taken in product((0, 1), repeat=n)
        if any(taken) and deviation(tuple(i for i in range(n) if taken[i])) <= accuracy
    )
    part = Sample.from_examples(sample[i] for i in found)
    best = min(part.loss(h) for h in H)
    losses = [sample.loss(h) for h in H if part.loss(h) == best]
    excess = max(losses) - min(sample.loss(h) for h in H)
    # some k draws of examples do when 2 |H| exp(-2 k accuracy**2) < 1
    enough = Interval.log(2 * len(H)) / (2 * accuracy**2) + 1 if accuracy else None
    return settle(
        deviation(found) <= accuracy
        and len(found) == fewest
        and excess <= 2 * accuracy
        and (enough is None or len(found) <= enough.upper),
        f"{H.table.tolist()}, {sample}, e = {accuracy}: {found} is off by {deviation(found)}, "
        f"{fewest} examples suffice; the best on them errs {excess} more",
    )


def _smallest(H: FiniteClass, sample: Sample[Hashable], accuracy: Fraction) -> tuple[int, ...]:
    return smallest_approximation(H, sample, accuracy).indices


def _whole(H: FiniteClass, sample: Sample[Hashable], accuracy: Fraction) -> tuple[int, ...]:
    return tuple(range(len(sample)))


TRIALS: Trials = {
    "CLNRW16:definition-14": (
        trial(
            "schemes and others",
            _decided,
            _candidates,
            subject=_checked,
            mutant=_checked_on_two,
            universe="ten schemes and five that are none, on two to four points, every sample "
            "of up to three examples",
        ),
    ),
    "CLNRW16:remark-15": (
        trial(
            "all parts of a sample",
            _approximates,
            _approximated,
            subject=_smallest,
            mutant=_whole,
            universe="classes on two points, samples of up to four examples, three accuracies",
        ),
    ),
}
