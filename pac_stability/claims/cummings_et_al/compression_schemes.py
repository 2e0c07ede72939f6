"""Compression schemes, and what is guaranteed of what they keep (Section 3.1)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import TypeAlias

from pac_stability.arithmetic import Interval
from pac_stability.claims.budget import Budget
from pac_stability.claims.claim import Claim, Expectation, Kind, Method
from pac_stability.claims.cummings_et_al._deviations import deviates_seldom
from pac_stability.claims.finding import Finding, holds, settle
from pac_stability.claims.instances import all_classes
from pac_stability.claims.trial import trial
from pac_stability.classes import FiniteClass, Hypothesis, cube, subsets
from pac_stability.classes import thresholds as finite_thresholds
from pac_stability.compression import CompressionScheme, ProperScheme
from pac_stability.compression.agnostic_reduction import agnostic
from pac_stability.compression.approximations import smallest_approximation
from pac_stability.compression.bounds import HoeffdingBound, Lemma16, Lemma17
from pac_stability.compression.chains import ChainScheme
from pac_stability.compression.intervals import IntervalScheme
from pac_stability.compression.littlestone_scheme import LittlestoneScheme
from pac_stability.compression.maximum_classes import MaximumClassScheme
from pac_stability.compression.thresholds import ThresholdScheme
from pac_stability.compression.validity import check_scheme
from pac_stability.data import FiniteDistribution, Sample, all_examples, multiset_distribution
from pac_stability.notions.robust_generalization import optimal_adversary

Scheme: TypeAlias = CompressionScheme[Hypothesis]

# Definition 14.


class _FirstExample(ChainScheme):
    """Keeps the first example, whatever it is."""

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:  # noqa: ARG002
        return (0,)


class _TwoExamples(ChainScheme):
    """Keeps one more example than it says."""

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        return (*super()._compress(sample), 0)


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
    """

    name: str
    scheme: Scheme
    labelings: FiniteClass
    n: int


def _candidates(budget: Budget) -> Iterator[Candidate]:
    n = budget.pick(3, 4, 5)
    chain, sets = finite_thresholds(2), subsets(2, 1)
    line = FiniteClass([[0, 0], [0, 1], [1, 1]])
    yield Candidate("nested sets", ChainScheme(chain), chain, n)
    yield Candidate("thresholds on the line", ThresholdScheme(), line, n)
    yield Candidate("intervals on the line", IntervalScheme(), cube(2), n)
    yield Candidate("a maximum class", MaximumClassScheme(sets), sets, n)
    yield Candidate("the same, agnostic", agnostic(MaximumClassScheme(sets)), sets, n)
    yield Candidate("mistakes of the SOA", LittlestoneScheme(sets), sets, n)
    yield Candidate("the first example", _FirstExample(chain), chain, n)
    yield Candidate("two for one", _TwoExamples(chain), chain, n)
    yield Candidate("the last of three", _Contrary(chain), chain, n)


def _is_scheme(candidate: Candidate) -> tuple[Sample[Hashable], str] | None:
    """Go through all samples as Definition 14 says; return the first that is at fault."""
    scheme, H = candidate.scheme, candidate.labelings
    rows = {tuple(row) for row in H.table.tolist()}
    examples = all_examples(H.domain)
    for n in range(1, candidate.n + 1):
        for chosen in product(examples, repeat=n):
            sample = Sample.from_examples(chosen)
            least = min(sample.count_errors(h) for h in H)
            if least and not scheme.agnostic:
                continue
            kept = scheme.compress(sample)
            if len(kept) != scheme.size(n) or not all(0 <= i < n for i in kept):
                return sample, f"keeps {kept}, and its size is {scheme.size(n)}"
            h = scheme.reconstruct(Sample.from_examples(sample[i] for i in kept))
            errors = sample.count_errors(h)
            if errors > least:
                return sample, f"{errors} errors, where {least} would do"
            if isinstance(scheme, ProperScheme) and tuple(map(h, H.domain)) not in rows:
                return sample, "a hypothesis outside the class"
    return None


def _decided(check: Callable[[Scheme, FiniteClass, int], bool], candidate: Candidate) -> Finding:
    found = check(candidate.scheme, candidate.labelings, candidate.n)
    fault = _is_scheme(candidate)
    return settle(
        found == (fault is None),
        f"{candidate.name}, samples of up to {candidate.n}: judged {found}; by the definition "
        f"{'no fault' if fault is None else f'at fault on {fault[0]}: {fault[1]}'}",
    )


def _checked(scheme: Scheme, H: FiniteClass, n: int) -> bool:
    return check_scheme(scheme, H.domain, n).valid


def _checked_on_two(scheme: Scheme, H: FiniteClass, n: int) -> bool:  # noqa: ARG001
    return check_scheme(scheme, H.domain, 2).valid


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


def _whole(H: FiniteClass, sample: Sample[Hashable], accuracy: Fraction) -> tuple[int, ...]:  # noqa: ARG001
    return tuple(range(len(sample)))


# Lemma 16.


@dataclass(frozen=True, slots=True)
class Kept:
    """n draws of a bit, of which one 1 is kept, or a 0 if there is none; delta."""

    n: int
    p: Fraction
    delta: Fraction


def _kept(budget: Budget) -> Iterator[Kept]:
    sizes = budget.pick((20, 63, 80), (20, 63, 80, 200), (20, 63, 80, 400))
    for n, p, delta in product(sizes, ("1/2", "9/10", "1"), ("1/20", "1/2")):
        yield Kept(n, Fraction(p), Fraction(delta))


Unselected: TypeAlias = Callable[[int, int, int], tuple[int, int]]
"""From n, the number of ones and the kept bit to the zeros and the ones of V."""


def _by_value(n: int, ones: int, kept: int) -> tuple[int, int]:
    return (n - ones, 0) if kept else (0, ones)


def _by_index(n: int, ones: int, kept: int) -> tuple[int, int]:
    return (n - ones, ones - 1) if kept else (n - ones - 1, ones)


@cache
def _lemma_16(n: int, delta: Fraction, mean: Fraction) -> Interval:
    return Lemma16(n, 1, delta, mean).value()


def _near_the_rest(unselected: Unselected, kept: Kept) -> Finding:
    """Let the adversary name the worst of the four tests of a bit for each kept bit."""
    n, p, delta = kept.n, kept.p, kept.delta
    off: dict[tuple[int, int, int], Fraction] = {}
    for ones in range(n + 1):
        weight = comb(n, ones) * p**ones * (1 - p) ** (n - ones)
        if not weight:
            continue
        bit = int(ones > 0)
        rest = unselected(n, ones, bit)
        for low, high in product((0, 1), (0, 1)):
            mean = Fraction(low * rest[0] + high * rest[1], n - 1)
            truth = low * (1 - p) + high * p
            if not abs(mean - truth) <= _lemma_16(n, delta, mean):
                off[bit, low, high] = off.get((bit, low, high), Fraction(0)) + weight
    named = (
        [off.get((bit, low, high), Fraction(0)) for low, high in product((0, 1), (0, 1))]
        for bit in (0, 1)
    )
    failure = sum(map(max, named), Fraction(0))
    return settle(
        failure <= delta,
        f"n = {n} bits with Pr[1] = {p}, one of them kept, delta = {delta}: a test deviates from "
        f"its mean on the others by more than stated with probability {float(failure):.4f}",
    )


# Lemma 17.


def _formulas(budget: Budget) -> Iterator[tuple[int, int, Fraction]]:
    sizes = budget.pick((1, 2, 3, 10, 10**3, 10**6), (1, 2, 3, 7, 10, 50, 10**3, 10**6, 10**9), ())
    sizes = sizes or tuple(range(1, 400))
    for n, k in product(sizes, (1, 2, 5, 40)):
        for delta in ("1/10000000", "1/20", "1/2", "99/100"):
            yield n, k, Fraction(delta)


Stated: TypeAlias = Callable[[int, int, Fraction], Interval]


def _no_less_than_proved(stated: Stated, given: tuple[int, int, Fraction]) -> Finding:
    n, k, delta = given
    value = stated(n, k, delta)
    if value.lower >= 1:
        return holds()
    proved = HoeffdingBound(n, k, delta).value()
    return settle(
        value.lower >= proved.upper,
        f"n = {n}, k = {k}, delta = {delta}: {float(value):.5f} stated, {float(proved):.5f} proved",
    )


def _lemma_17(n: int, k: int, delta: Fraction) -> Interval:
    return Lemma17(n, k, delta).value()


def _without_constants(n: int, k: int, delta: Fraction) -> Interval:
    return Interval.sqrt(k * Interval.log(n / delta) / (4 * n))


@dataclass(frozen=True, slots=True)
class Revealed:
    """Draws from three elements of which the rule keeps k, in the order of the elements.

    Attributes
    ----------
    source
        D.
    n, k
        The sizes.
    rarest
        Whether the examples that are rare in the sample are kept first, or the frequent ones.
    delta
        The probability of failure that is allowed.
    """

    source: FiniteDistribution[int]
    n: int
    k: int
    rarest: bool
    delta: Fraction


def _revealed(budget: Budget) -> Iterator[Revealed]:
    sources = (
        FiniteDistribution.uniform(range(3)),
        FiniteDistribution({0: Fraction(1, 2), 1: Fraction(1, 3), 2: Fraction(1, 6)}),
    )
    sizes = budget.pick((4, 8, 12), (4, 8, 12, 20), (4, 8, 12, 20, 30))
    for n, source, k, rarest in product(sizes, sources, (1, 2), (False, True)):
        for delta in ("1/10", "1/2", "9/10"):
            yield Revealed(source, n, k, rarest, Fraction(delta))


def _what_is_kept(stated: Stated, revealed: Revealed) -> Finding:
    n, k = revealed.n, revealed.k
    types = multiset_distribution(revealed.source, n)
    laws = {}
    for kind in types.support:
        by_count = sorted(kind.elements(), key=lambda x: (kind.count(x), x))
        kept = by_count[:k] if revealed.rarest else by_count[-k:]
        laws[kind] = FiniteDistribution.point_mass(tuple(kept))
    return deviates_seldom(
        lambda epsilon: optimal_adversary(laws, types, epsilon).failure,
        stated(n, k, revealed.delta),
        revealed.delta,
        revealed,
    )


def _hoeffding(n: int, k: int, delta: Fraction) -> Interval:
    return HoeffdingBound(n, k, delta).value()


def _nothing_kept(n: int, k: int, delta: Fraction) -> Interval:  # noqa: ARG001
    return Interval.sqrt(Interval.log(1 / delta) / (2 * n))


CLAIMS = (
    Claim(
        key="CLNRW16:definition-13",
        kind=Kind.DEFINITION,
        title="Learning under robust generalization",
        statement="H is learnable so if one polynomial gives, for all alpha, beta, epsilon and "
        "delta in (0, 1/2), a sample size from which on a learner is (alpha, beta)-accurate and "
        "(epsilon, delta)-robustly generalizing.",
        code=("papers.cummings_et_al.Theorem18",),
        method=Method.ASYMPTOTIC,
        expectation=Expectation.RECORDED,
        explicit="CLNRW16:theorem-18.explicit",
        uses=("CLNRW16:definition-2", "CLNRW16:definition-3", "CLNRW16:definition-5"),
        note="A statement about all sizes at once. Compression learners are such learners.",
    ),
    Claim(
        key="CLNRW16:definition-14",
        kind=Kind.DEFINITION,
        title="Compression scheme",
        statement="(A, B) is a compression scheme of size k for H exactly when on every sample of "
        "n examples A keeps a sequence of k(n) of them, from which B rebuilds a hypothesis of H "
        "with the fewest errors: the library's check says so.",
        code=(
            "compression.CompressionScheme",
            "compression.ProperScheme",
            "compression.validity.check_scheme",
        ),
        trials=(
            trial(
                "schemes and others",
                _decided,
                _candidates,
                subject=_checked,
                mutant=_checked_on_two,
                universe="six schemes and three that are none, on two points, every sample of up "
                "to three examples",
            ),
        ),
        note="Schemes for realizable samples only, and improper ones, say so in their types; they "
        "are checked for what they say.",
    ),
    Claim(
        key="CLNRW16:remark-15",
        kind=Kind.REMARK,
        title="Approximate compression",
        statement="For every sample S, finite H and e > 0 there are at most ln(2|H|)/(2 e^2) + 1 "
        "examples of S on which every loss is within e of that on S; the best hypothesis on them "
        "has at most 2e more loss on S than the best one.",
        code=(
            "compression.approximations.smallest_approximation",
            "compression.subsampling_scheme.SubsamplingScheme",
        ),
        method=Method.EXPLICIT,
        trials=(
            trial(
                "all parts of a sample",
                _approximates,
                _approximated,
                subject=_smallest,
                mutant=_whole,
                universe="classes on two points, samples of up to four examples, three accuracies",
            ),
        ),
        uses=("CLNRW16:definition-14",),
        note="The paper has O(d/e^2) for VC dimension d, with an unspecified constant.",
    ),
    Claim(
        key="CLNRW16:lemma-16",
        kind=Kind.LEMMA,
        title="A test and the examples not selected, by value",
        statement="For V the examples that differ from all k' selected ones, h(V) their sum over n "
        "- k', |h(V) - h(D)| <= sqrt(h(V) 4k' ln(2n/delta)/n) + 8k' ln(2n/delta)/n except with "
        "probability delta, for n >= 2k'.",
        code=("papers.cummings_et_al.Lemma16",),
        method=Method.CERTIFIED,
        expectation=Expectation.FAILS,
        repaired_by="CLNRW16:lemma-16.repaired",
        trials=(
            trial(
                "one bit kept",
                _near_the_rest,
                _kept,
                subject=_by_value,
                universe="20 to 80 draws of a bit, three biases, one bit kept, all tests",
            ),
        ),
        note="For a distribution on one example V is empty.",
    ),
    Claim(
        key="CLNRW16:lemma-16.repaired",
        kind=Kind.REPAIR,
        title="A test and the examples not selected, by index",
        statement="The same for V the examples at the indices that are not selected.",
        code=("papers.cummings_et_al.Lemma16", "compression.bounds.unselected_mean"),
        method=Method.CERTIFIED,
        trials=(
            trial(
                "one bit kept",
                _near_the_rest,
                _kept,
                subject=_by_index,
                mutant=_by_value,
                universe="20 to 80 draws of a bit, three biases, one bit kept, all tests",
            ),
        ),
        note="When indices repeat, the mean is over |V|.",
    ),
    Claim(
        key="CLNRW16:lemma-17",
        kind=Kind.LEMMA,
        title="Whatever keeps few examples generalizes robustly",
        statement="For k' >= 1, selecting any sequence of k' of n examples is (epsilon, delta)-"
        "robustly generalizing, epsilon = sqrt(4k' ln(n/delta)/n) + 8k' ln(2n/delta)/n + k'/n: it "
        "is at least 1, or at least the bound of CLNRW16:lemma-17.sharp.",
        code=("papers.cummings_et_al.Lemma17",),
        method=Method.CERTIFIED,
        trials=(
            trial(
                "beside a bound that is proved",
                _no_less_than_proved,
                _formulas,
                subject=_lemma_17,
                mutant=_without_constants,
                universe="n up to a million, k' up to 40, four deltas",
            ),
        ),
        uses=("CLNRW16:definition-5", "CLNRW16:lemma-16.repaired", "CLNRW16:lemma-17.sharp"),
        note="With k' = 0 the formula is 0, and a fixed test deviates. The proof has ln(2n/delta) "
        "in the first term.",
    ),
    Claim(
        key="CLNRW16:lemma-17.sharp",
        kind=Kind.LEMMA,
        title="Whatever keeps few examples generalizes robustly, by Hoeffding's inequality",
        statement="Selecting any sequence of k of n examples, k < n, is (epsilon, delta)-robustly "
        "generalizing, epsilon = ((n-k)/n) sqrt((k ln n + ln(2/delta))/(2(n-k))) + k/n.",
        code=("compression.bounds.HoeffdingBound",),
        method=Method.CERTIFIED,
        trials=(
            trial(
                "the best adversary",
                _what_is_kept,
                _revealed,
                subject=_hoeffding,
                mutant=_nothing_kept,
                universe="up to twelve draws from three elements, the rarest or most frequent one "
                "or two kept",
            ),
        ),
        uses=("CLNRW16:definition-5",),
    ),
)
