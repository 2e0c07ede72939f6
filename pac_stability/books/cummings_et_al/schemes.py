"""Compression schemes, and the guarantees for a few kept examples (Section 3.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import ceil, comb, factorial, perm, prod
from typing import TypeAlias

from pac_stability.arithmetic import Interval
from pac_stability.books.cummings_et_al.settings import KeptSize, deviates_seldom
from pac_stability.claims import kit
from pac_stability.claims.instances import all_classes
from pac_stability.claims.kit import at_most
from pac_stability.classes import (
    FiniteClass,
    Hypothesis,
    Row,
    cube,
    subsets,
    thresholds as finite_thresholds,
)
from pac_stability.compression import CompressionScheme, ProperScheme, geometric
from pac_stability.compression.any_class import LittlestoneScheme, MaximumClassScheme, agnostic
from pac_stability.compression.bounds import HoeffdingBound, Lemma16, Lemma17
from pac_stability.compression.scheme import check_scheme
from pac_stability.compression.smallest import smallest_approximation
from pac_stability.data import FiniteDistribution, Sample, all_examples, multiset_distribution
from pac_stability.notions.robust_generalization import optimal_adversary

TRIALS = kit.Table("CLNRW16")

Scheme: TypeAlias = CompressionScheme[Hypothesis]

# Definition 14.


class _FirstExample(geometric.ChainScheme):
    """Keeps the first example, whatever it is."""

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:  # noqa: ARG002  # the parameters of what it stands in for
        return (0,)


class _TwoExamples(geometric.ChainScheme):
    """Keeps one more example than it says."""

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        return (*super()._compress(sample), 0)


class _NoExample(geometric.ChainScheme):
    """Keeps nothing of samples of one example, and then rebuilds the first hypothesis."""

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        return super()._compress(sample) if len(sample) > 1 else ()

    def reconstruct(self, kept: Sample[Hashable], /) -> Row:
        return super().reconstruct(kept) if len(kept) else finite_thresholds(2)[0]


class _Foreign(geometric.ChainScheme):
    """Rebuilds a hypothesis outside the class, which may be right on the sample."""

    def reconstruct(self, kept: Sample[Hashable], /) -> Row:
        return FiniteClass([[1, 0]])[0] if kept == Sample([0], [1]) else super().reconstruct(kept)


class _Contrary(geometric.ChainScheme):
    """Rebuilds another hypothesis from longer samples."""

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        (best,) = super()._compress(sample)
        return (best if len(sample) < 3 else len(sample) - 1,)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate for a compression scheme.

    Attributes
    ----------
    name
        A description.
    scheme
        It.
    labelings
        The labelings of the domain by its class.
    n
        The largest size of samples.
    valid
        Whether it is a compression scheme.
    """

    name: str
    scheme: Scheme
    labelings: FiniteClass
    n: int
    valid: bool = True


@kit.universe(
    "ten schemes and five that are none, on two to four points, every sample "
    "of up to three examples"
)
def _candidates(budget: kit.Budget) -> Iterator[Candidate]:
    n = budget.pick(3, 4, 5)
    chain, sets = finite_thresholds(2), subsets(2, 1)
    line = FiniteClass([[0, 0], [0, 1], [1, 1]])
    yield Candidate("nested sets", geometric.ChainScheme(chain), chain, n)
    yield Candidate("thresholds on the line", geometric.ThresholdScheme(), line, n)
    yield Candidate("intervals on the line", geometric.IntervalScheme(), cube(2), n)
    yield Candidate("a maximum class", MaximumClassScheme(sets), sets, n)
    yield Candidate("the same, agnostic", agnostic(MaximumClassScheme(sets)), sets, n)
    pairs = FiniteClass((1 - subsets(3, 2).table)[::-1].tolist())
    yield Candidate("one of dimension 2", MaximumClassScheme(pairs), pairs, budget.pick(3, 3, 4))
    yield Candidate("unions of two intervals", geometric.UnionOfIntervalsScheme(2), cube(3), 3)
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


def _decided(
    check: Callable[[Scheme, FiniteClass, int], Checked], candidate: Candidate
) -> kit.Finding:
    found = check(candidate.scheme, candidate.labelings, candidate.n)
    meant, fault = _is_scheme(candidate)
    return kit.settle(
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


TRIALS.add("definition-14", "schemes and others", _decided, _candidates, _checked, _checked_on_two)


# Remark 15.

Approximated: TypeAlias = tuple[FiniteClass, Sample[Hashable], Fraction]


@kit.universe("classes on two points, samples of up to four examples, three accuracies")
def _approximated(budget: kit.Budget) -> Iterator[Approximated]:
    kinds = [H for H in all_classes(2, labels_matter=False) if len(H) > 1]
    for n in range(1, budget.pick(4, 7, 9) + 1):
        for H in kinds:
            examples = all_examples(H.domain)
            whole = Sample.from_examples(examples[(i * i + len(H)) % 4] for i in range(n))
            for accuracy in ("0", "1/6", "1/3"):
                yield H, whole, Fraction(accuracy)


Smallest: TypeAlias = Callable[[FiniteClass, Sample[Hashable], Fraction], tuple[int, ...]]


def _approximates(smallest: Smallest, given: Approximated) -> kit.Finding:
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
    return kit.settle(
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


TRIALS.add(
    "remark-15.explicit", "all parts of a sample", _approximates, _approximated, _smallest, _whole
)


# What k kept examples can tell at most.


@dataclass(frozen=True, slots=True)
class Named:
    """n examples, each with a name and, for every sequence of k names, a bit of its own.

    The names are uniform on so many, the bits are 1 with probability ``bit``, and all of them are
    independent. The test of a sequence of names is whether an example has one of these names, or 1
    as its bit for them. Whoever keeps k examples names a sequence, so whoever sees the sample keeps
    one whose test deviates too far, if there is any: nearly n**k tests, nearly independent, each of
    which contains what is kept. This is what the union bound over selections fears.

    Attributes
    ----------
    n, k
        The sizes.
    names
        The number of names.
    bit
        The probability of a 1.
    delta
        The probability of failure that is allowed.
    """

    n: int
    k: int
    names: int
    bit: Fraction
    delta: Fraction

    def failure(self, deviation: Fraction) -> Fraction:
        """Return the probability that the test of some k kept examples deviates by more."""

        @cache
        def misses(inside: int, distinct: int) -> Fraction:
            """Return how likely a test stays near, with so many examples of its so many names."""
            named = Fraction(distinct, self.names)
            mean = named + (1 - named) * self.bit
            rest = self.n - inside
            return sum(
                (
                    comb(rest, ones) * self.bit**ones * (1 - self.bit) ** (rest - ones)
                    for ones in range(rest + 1)
                    if abs(Fraction(inside + ones, self.n) - mean) <= deviation
                ),
                Fraction(0),
            )

        # Given the names, the bits of different sequences are independent.
        near = Fraction(0)
        for counts in _partitions(self.n, self.n):
            blocks = Counter(
                (sum(counts[i] for i in set(chosen)), len(set(chosen)))
                for chosen in product(range(len(counts)), repeat=self.k)
            )
            near += self._likely(counts) * prod(
                misses(*block) ** often for block, often in blocks.items()
            )
        return 1 - near

    def failure_apart(self, far: Callable[[int, Fraction], bool]) -> Fraction:
        """Return at most the probability that some test of k examples is far, for large n.

        Parameters
        ----------
        far
            From the number of the other examples in a test, and its probability, to whether it
            deviates too far, where all examples have different names.
        """
        share = Fraction(self.k, self.names)
        mean, rest = share + (1 - share) * self.bit, self.n - self.k
        one, zero = self.bit.numerator, self.bit.denominator - self.bit.numerator
        found = sum(
            comb(rest, ones) * one**ones * zero ** (rest - ones)
            for ones in range(rest + 1)
            if far(ones, mean)
        )
        each, tests = Fraction(found, self.bit.denominator**rest), perm(self.n, self.k)
        # 1 - (1 - q)**N is at least N q - (N q)**2 / 2, which is near it for small N q.
        some = max(each, tests * each * (1 - tests * each / 2), 1 - _power(1 - each, tests))
        return Fraction(perm(self.names, self.n), self.names**self.n) * some

    def __str__(self) -> str:
        return (
            f"{self.n} examples, {self.k} of them kept, each with one of {self.names} names and a "
            f"bit for each {self.k} names that is 1 with probability {self.bit}"
        )

    def _likely(self, counts: tuple[int, ...]) -> Fraction:
        """Return how likely the names occur so often, the most frequent one first."""
        ways = factorial(self.n) // prod(map(factorial, counts))
        alike = prod(map(factorial, Counter(counts).values()))
        return Fraction(ways * perm(self.names, len(counts)), alike * self.names**self.n)


@lru_cache
def _often_reached(told: Named) -> int:
    """Return a number of other examples that some test has, or more, with more than delta.

    It is the largest for which that follows from the tests of examples with different names.
    """
    rest, tests = told.n - told.k, perm(told.n, told.k)
    different = 1 - Fraction(told.n * (told.n - 1), 2 * told.names)
    # Some of the tests have so many with probability at least 1 - e^(-N q).
    needed = Interval.log(1 / (1 - told.delta / different)).upper / tests
    one, zero = told.bit.numerator, told.bit.denominator - told.bit.numerator
    ones, term, least = rest, one**rest, ceil(needed * told.bit.denominator**rest)
    total = term
    while total <= least and ones:
        term = term * ones * zero // ((rest - ones + 1) * one)
        total, ones = total + term, ones - 1
    return ones


_NEARLY_MET = {
    1: ((3, 14, "1/2"), (3, 20, "9/10"), (4, 24, "1/2"), (8, 35, "9/10"), (12, 28, "1/2")),
    2: ((6, 14, "1/2"), (5, 11, "99/100"), (6, 17, "9/10"), (7, 19, "1/2"), (10, 23, "9/10")),
    3: ((8, 10, "9/10"), (10, 16, "1/2"), (10, 18, "9/10"), (12, 22, "1/2")),
}


def named(budget: kit.Budget, k: int) -> Iterator[Named]:
    """Give settings with bits for which the bound for k kept examples is as nearly met as it is.

    The chances of a 1, in hundredths, were searched for.
    """
    for n, percent, delta in _NEARLY_MET[k][: budget.pick(3, 4, 5)]:
        yield Named(n, k, 10_000, Fraction(percent, 100), Fraction(delta))


@kit.universe(
    "80 to 1000 examples of which one or two are kept, each with a name and an independent bit for "
    "each choice of names, exactly for different names"
)
def many_named(budget: kit.Budget) -> Iterator[Named]:
    """Give settings with so many examples that the bounds of Lemmas 16 and 17 are below 1."""
    sizes = (
        (80, 1, 51, "99/100"),
        (200, 1, 27, "1/2"),
        (1000, 1, 28, "99/100"),
        (200, 2, 49, "99/100"),
        (1000, 2, 33, "1/2"),
        (3000, 1, 22, "99/100"),
    )
    for n, k, percent, delta in sizes[: budget.pick(4, 5, 6)]:
        yield Named(n, k, 10**9, Fraction(percent, 100), Fraction(delta))


@kit.universe(
    "one or two of 20,000 examples kept (40,000, 100,000), each with a name and an independent bit "
    "for each choice of names; bounds of binomial tails"
)
def very_many_named(budget: kit.Budget) -> Iterator[Named]:
    """Give settings with so many examples that the tails are those of a normal law."""
    n = budget.pick(20_000, 40_000, 100_000)
    for k, bit in ((1, Fraction(1, 2)), (1, Fraction(1, 8)), (2, Fraction(1, 8))):
        yield Named(n, k, 10**15, bit, Fraction(1, 2))


def _power(base: Fraction, exponent: int) -> Fraction:
    """Return no less than a power of a number in [0, 1], within 2**-100 or so."""
    unit = 1 << 160
    power, square = unit, ceil(base * unit)
    while exponent:
        if exponent & 1:
            power = -(-power * square // unit)
        square = -(-square * square // unit)
        exponent >>= 1
    return Fraction(power, unit)


def _partitions(n: int, largest: int) -> Iterator[tuple[int, ...]]:
    if n == 0:
        yield ()
    for first in range(min(n, largest), 0, -1):
        yield from ((first, *rest) for rest in _partitions(n - first, first))


# Lemma 16.


@dataclass(frozen=True, slots=True)
class Kept:
    """n draws of a bit, of which one 1 is kept, or a 0 if there is none; delta."""

    n: int
    p: Fraction
    delta: Fraction


@kit.universe("20 to 80 draws of a bit, three biases, one bit kept, all tests")
def _kept(budget: kit.Budget) -> Iterator[Kept]:
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


def _near_the_rest(unselected: Unselected, kept: Kept) -> kit.Finding:
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
    return at_most(
        failure,
        delta,
        f"n = {n} bits with Pr[1] = {p}, one of them kept, delta = {delta}: a test deviates from "
        f"its mean on the others by more than stated with probability {float(failure):.4f}",
    )


TRIALS.add("lemma-16", "one bit kept", _near_the_rest, _kept, _by_value)
TRIALS.add("lemma-16.repaired", "one bit kept", _near_the_rest, _kept, _by_index, _by_value)


Size: TypeAlias = Callable[[int, int, Fraction, Fraction], Interval]
"""From n, k, delta and h(V) to what h(V) may be off by."""


def _near_the_others(size: Size, told: Named) -> kit.Comparison:
    """Let what is kept name the test that is furthest off on the rest, one for each choice."""
    rest = told.n - told.k

    def far(ones: int, mean: Fraction) -> bool:
        share = Fraction(ones, rest)
        return not abs(share - mean) <= size(told.n, told.k, told.delta, share)

    return kit.within(told.failure_apart(far), told.delta)


def _printed_size(n: int, k: int, delta: Fraction, mean: Fraction) -> Interval:
    return Lemma16(n, k, delta, mean).value()


def _small_size(n: int, k: int, delta: Fraction, mean: Fraction) -> Interval:
    return Interval.sqrt(mean * k * Interval.log(n / delta) / (4 * n))


TRIALS.add(
    "lemma-16.repaired", "a test for every choice", _near_the_others, many_named, _printed_size,
    _small_size
)  # fmt: skip


def _off_by(size: Size, told: Named) -> kit.Comparison:
    """Some test has a mean on the others that is off by so much, with more than delta.

    What it may be off by grows less than the mean does, so that larger ones are off by more, too.
    """
    share, others = Fraction(told.k, told.names), Fraction(_often_reached(told), told.n - told.k)
    needed = others - share - (1 - share) * told.bit
    return kit.within(needed, size(told.n, told.k, told.delta, others))


TRIALS.add(
    "lemma-16.repaired", "how much tests are off", _off_by, very_many_named, _printed_size,
    _small_size
)  # fmt: skip


# Lemma 17.


@kit.universe("n up to a million, k' up to 40, four deltas")
def _formulas(budget: kit.Budget) -> Iterator[KeptSize]:
    sizes = budget.pick((1, 2, 3, 10, 10**3, 10**6), (1, 2, 3, 7, 10, 50, 10**3, 10**6, 10**9), ())
    sizes = sizes or tuple(range(1, 400))
    for n, k in product(sizes, (1, 2, 5, 40)):
        for delta in ("1/10000000", "1/20", "1/2", "99/100"):
            yield KeptSize(n, k, Fraction(delta))


Stated: TypeAlias = Callable[[int, int, Fraction], Interval]


def _no_less_than_proved(stated: Stated, given: KeptSize) -> kit.Comparison | kit.Finding:
    n, k, delta = given
    value = stated(n, k, delta)
    if value.lower >= 1:
        return kit.idle()
    return kit.within(HoeffdingBound(n, k, delta).value().upper, value.lower)


def _lemma_17(n: int, k: int, delta: Fraction) -> Interval:
    return Lemma17(n, k, delta).value()


def _without_constants(n: int, k: int, delta: Fraction) -> Interval:
    return Interval.sqrt(k * Interval.log(n / delta) / (4 * n))


TRIALS.add(
    "lemma-17", "beside a bound that is proved", _no_less_than_proved, _formulas, _lemma_17,
    _without_constants
)  # fmt: skip


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


@kit.universe("up to twelve draws from three elements, the rarest or most frequent one or two kept")
def _revealed(budget: kit.Budget) -> Iterator[Revealed]:
    sources = (
        FiniteDistribution.uniform(range(3)),
        FiniteDistribution({0: Fraction(1, 2), 1: Fraction(1, 3), 2: Fraction(1, 6)}),
    )
    sizes = budget.pick((4, 8, 12), (4, 8, 12, 20), (4, 8, 12, 20, 30))
    for n, source, k, rarest in product(sizes, sources, (1, 2), (False, True)):
        for delta in ("1/10", "1/2", "9/10"):
            yield Revealed(source, n, k, rarest, Fraction(delta))


def _what_is_kept(stated: Stated, revealed: Revealed) -> kit.Finding:
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


def _tells_one_of_many(stated: Stated, told: Named) -> kit.Finding:
    return deviates_seldom(told.failure, stated(told.n, told.k, told.delta), told.delta, told)


@kit.universe(
    "one to three of up to ten examples kept, each with one of 10,000 names "
    "and an independent bit for each choice of names, exactly"
)
def _all_choices(budget: kit.Budget) -> Iterator[Named]:
    for k in (1, 2, 3):
        yield from named(budget, k)


def _tells_much(stated: Stated, told: Named) -> kit.Comparison:
    value = stated(told.n, told.k, told.delta)

    def far(ones: int, mean: Fraction) -> bool:
        return not abs(Fraction(told.k + ones, told.n) - mean) <= value

    return kit.within(told.failure_apart(far), told.delta)


TRIALS.add(
    "lemma-17", "a test for every choice", _tells_much, many_named, _lemma_17, _without_constants
)


def _tells_so_much(stated: Stated, told: Named) -> kit.Comparison:
    """Some test is off by so much on the sample, with more than delta."""
    share, ones = Fraction(told.k, told.names), told.k + _often_reached(told)
    needed = Fraction(ones, told.n) - share - (1 - share) * told.bit
    return kit.within(needed, stated(told.n, told.k, told.delta), ceiling=1)


TRIALS.add(
    "lemma-17", "how much tests are off", _tells_so_much, very_many_named, _lemma_17,
    _without_constants
)  # fmt: skip


def _hoeffding(n: int, k: int, delta: Fraction) -> Interval:
    return HoeffdingBound(n, k, delta).value()


def _nothing_kept(n: int, k: int, delta: Fraction) -> Interval:
    return Interval.sqrt(Interval.log(1 / delta) / (2 * n))


TRIALS.add(
    "lemma-17.sharp", "the best adversary", _what_is_kept, _revealed, _hoeffding, _nothing_kept
)
TRIALS.add(
    "lemma-17.sharp", "a test for every choice", _tells_one_of_many, _all_choices, _hoeffding,
    _nothing_kept
)  # fmt: skip
TRIALS.add(
    "lemma-17.sharp", "how much tests are off", _tells_so_much, very_many_named, _hoeffding,
    _nothing_kept
)  # fmt: skip
