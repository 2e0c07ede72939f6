"""The exhaustive check of Definition 14 accepts what is a scheme and refutes what is none."""

# ruff: noqa: ARG002  # wrong schemes overlook what they are given

import math
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from itertools import chain, combinations_with_replacement, product

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import BudgetExhausted, InvalidInput, Sample, classes, compression
from pac_stability.compression import any_class, geometric
from pac_stability.compression.scheme import Problem, check_scheme
from pac_stability.randomness import SYSTEM_COINS, Coins

Points = Sample[Hashable]


class TwoIndices(geometric.ThresholdScheme):
    def _compress(self, sample: Points) -> tuple[int, ...]:
        return super()._compress(sample) * 2


class BeyondTheEnd(geometric.ThresholdScheme):
    def _compress(self, sample: Points) -> tuple[int, ...]:
        return (len(sample),)


class FromTheEnd(geometric.ThresholdScheme):
    def _compress(self, sample: Points) -> tuple[int, ...]:
        return (super()._compress(sample)[0] - len(sample),)


class HalfAnIndex(geometric.ThresholdScheme):
    def _compress(self, sample: Points) -> tuple[int, ...]:
        return (0.5,)  # type: ignore[return-value]  # that is its mistake


class FirstExample(geometric.ThresholdScheme):
    def _compress(self, sample: Points) -> tuple[int, ...]:
        return (0,)


class BelowTheCut(geometric.ThresholdScheme):
    """Cuts above a positive example."""

    def reconstruct(self, kept: Points, /) -> classes.Threshold:
        h = super().reconstruct(kept)
        return classes.Threshold(h.cut + kept.labels[0])


class NoLabels(geometric.ThresholdScheme):
    def reconstruct(self, kept: Points, /) -> classes.Threshold:
        return lambda _: 2  # type: ignore[return-value]  # that is its mistake


class UndecodableNegatives(geometric.ThresholdScheme):
    def reconstruct(self, kept: Points, /) -> classes.Threshold:
        if not kept.labels[0]:
            raise KeyError("negative")
        return super().reconstruct(kept)


class TwoPoints(compression.ProperScheme[classes.UnionOfIntervals]):
    """The two extreme positive points without what is between: fits, but is no interval."""

    agnostic = False

    @property
    def family(self) -> classes.Intervals:
        return classes.Intervals()

    def size(self, n: int) -> int:
        return 2

    def _compress(self, sample: Points) -> tuple[int, ...]:
        return geometric.IntervalScheme()._compress(sample)

    def reconstruct(self, kept: Points, /) -> classes.UnionOfIntervals:
        ends = [z.point for z in kept if z.label]
        return classes.UnionOfIntervals(tuple((x, x) for x in ends))  # type: ignore[misc]  # numbers here


class OrderedInterval(geometric.IntervalScheme):
    """Takes the ends in the order in which they come, and denies it."""

    def reconstruct(self, kept: Points, /) -> classes.UnionOfIntervals:
        if 0 in kept.labels:
            return classes.UnionOfIntervals(())
        low, high = kept.points
        return classes.UnionOfIntervals(((low, high),))  # type: ignore[arg-type]  # numbers here


class DistinctInterval(geometric.IntervalScheme):
    selection = compression.Selection.SUBSET


class ObliviousThreshold(geometric.ThresholdScheme):
    selection = compression.Selection.OBLIVIOUS


class PaddedInFront(geometric.UnionOfIntervalsScheme):
    """Repeats the first end where the last is wanted."""

    def _compress(self, sample: Points) -> tuple[int, ...]:
        kept = super()._compress(sample)
        ends = list(dict.fromkeys(kept))
        return tuple(ends[:1] * (len(kept) - len(ends)) + ends)


class LowerCorners(geometric.BoxScheme):
    def reconstruct(self, kept: Points, /) -> classes.Box:
        box = super().reconstruct(kept)
        return classes.Box(box.low, box.low) if 1 in kept.labels else box


class SomeFittingRow(any_class.MaximumClassScheme):
    """Rebuilds the first row that fits, whatever the cube."""

    def reconstruct(self, kept: Points, /) -> classes.Row:
        rows = self.family.version_space(kept.points, kept.labels)
        return next(h for h in self.family if all(h(x) == rows(0, x) for x in self.family.domain))


class SaysAgnostic(any_class.MaximumClassScheme):
    agnostic = True


class Remembers(geometric.ThresholdScheme):
    """Hands the sample over behind the back of the definition."""

    seen: Points

    def _compress(self, sample: Points) -> tuple[int, ...]:
        self.seen = sample
        return (0,)

    def reconstruct(self, kept: Points, /) -> classes.Threshold:
        return geometric.ThresholdScheme().run(self.seen)


class SometimesWrong(geometric.ThresholdScheme):
    """Right with probability 99/100."""

    def compress(self, sample: Points, rng: Coins = SYSTEM_COINS) -> tuple[int, ...]:
        right = super().compress(sample, rng)
        return (0,) if rng.bernoulli(Fraction(1, 100)) else right


LINE = tuple(range(3))
PLANE = ((0, 0), (1, 1), (0, 2))

MUTANTS: list[
    tuple[compression.CompressionScheme[classes.Hypothesis], tuple[Hashable, ...], Problem, Points]
] = [
    (TwoIndices(), LINE, Problem.SIZE, Sample([0], [0])),
    (BeyondTheEnd(), LINE, Problem.RANGE, Sample([0], [0])),
    (FromTheEnd(), LINE, Problem.RANGE, Sample([0], [0])),
    (HalfAnIndex(), LINE, Problem.RAISED, Sample([0], [0])),
    # (0, 0) rebuilds 1[x >= 1].
    (FirstExample(), LINE, Problem.ERRORS, Sample([0, 1], [0, 0])),
    (BelowTheCut(), LINE, Problem.ERRORS, Sample([0], [1])),
    (NoLabels(), LINE, Problem.LABELS, Sample([0], [0])),
    (UndecodableNegatives(), LINE, Problem.RAISED, Sample([0], [0])),
    # One example more would be between the two.
    (TwoPoints(), LINE, Problem.IMPROPER, Sample([0, 2], [1, 1])),
    (OrderedInterval(), LINE, Problem.ORDER, Sample([0, 1], [1, 1])),
    (DistinctInterval(), LINE, Problem.REPEATED, Sample([0], [0])),
    # From two copies of (0, 0) the first is kept, here the second.
    (ObliviousThreshold(), LINE, Problem.OBSERVANT, Sample([0, 0], [0, 1])),
    # The ends 0, 0, 0, 2 make [0, 2]; the ends 0, 0, 2, 2 were wanted.
    (PaddedInFront(2), LINE, Problem.ERRORS, Sample([0, 1, 2], [1, 0, 1])),
    (LowerCorners(2), PLANE, Problem.ERRORS, Sample([(0, 0), (1, 1)], [1, 1])),
    # From (0, 0) the set {2} is rebuilt, the first of the rows.
    (
        SomeFittingRow(classes.subsets(3, 1).select_rows([3, 2, 1, 0])),
        LINE,
        Problem.ERRORS,
        Sample([0, 2], [0, 0]),
    ),
    (SaysAgnostic(classes.subsets(3, 1)), LINE, Problem.RAISED, Sample([0, 0], [0, 1])),
    (Remembers(), LINE, Problem.MEMORY, Sample([0, 1], [0, 0])),
    (SometimesWrong(), LINE, Problem.ERRORS, Sample([0, 1], [0, 0])),
]


@pytest.mark.parametrize(
    ("scheme", "domain", "problem", "smallest"), MUTANTS, ids=lambda value: type(value).__name__
)
def test_wrong_schemes_are_refuted(
    scheme: compression.CompressionScheme[classes.Hypothesis],
    domain: tuple[Hashable, ...],
    problem: Problem,
    smallest: Points,
) -> None:
    found = check_scheme(scheme, domain, 3)
    assert not found.valid
    assert found.counterexample is not None
    assert found.counterexample.problem is problem
    assert found.counterexample.sample == smallest
    assert problem.value in str(found.counterexample)
    n = len(smallest)
    assert found.failing[n] > 0
    assert not any(found.failing[i] for i in range(1, n))


def fewest_errors(family: classes.Family, sample: Points) -> int:
    return min(sample.count_errors(h) for h in family.representatives_on(sample.points))


@pytest.mark.parametrize(
    "scheme",
    [scheme for scheme, _, problem, _ in MUTANTS if problem is Problem.ERRORS],
    ids=lambda scheme: type(scheme).__name__,
)
def test_a_counterexample_is_one_by_the_definition(
    scheme: compression.CompressionScheme[classes.Hypothesis],
) -> None:
    domain = next(domain for mutant, domain, _, _ in MUTANTS if mutant is scheme)
    found = check_scheme(scheme, domain, 3).counterexample
    assert found is not None
    assert found.indices is not None
    kept = Sample.from_examples(found.sample[i] for i in found.indices)
    errors = found.sample.count_errors(scheme.reconstruct(kept))
    assert errors > fewest_errors(scheme.family, found.sample)


class Theorem24(geometric.ChainScheme):
    """CLNRW16, Theorem 24: the extreme positive example."""

    def _compress(self, sample: Points) -> tuple[int, ...]:
        positive = [i for i, label in enumerate(sample.labels) if label]
        return (min(positive, key=lambda i: str(sample.points[i])),)


def test_the_scheme_of_theorem_24_has_no_answer_or_a_wrong_one_on_339_samples() -> None:
    # The thresholds 1[x >= t] with t in the domain: as in the paper none of them is empty.
    H = classes.thresholds(4).select_rows(range(4))
    found = check_scheme(Theorem24(H), range(4), 5, symmetric=True)
    assert sum(found.examined.values()) == 1286
    assert sum(found.failing.values()) == 339
    assert found.counterexample is not None
    assert found.counterexample.sample == Sample([0], [0])
    assert found.counterexample.problem is Problem.RAISED

    # The definition: samples by how often each example occurs in them.
    undefined = wrong = 0
    kinds = range(8)
    for sample in chain.from_iterable(combinations_with_replacement(kinds, n) for n in range(1, 6)):
        counts = [sample.count(kind) for kind in kinds]
        negative, positive = counts[::2], counts[1::2]
        if not any(positive):
            undefined += 1
            continue
        errors = [sum(positive[:t]) + sum(negative[t:]) for t in range(4)]
        least_positive = next(x for x in range(4) if positive[x])
        wrong += errors[least_positive] > min(errors)
    assert (undefined, wrong) == (125, 214)


def test_the_repaired_scheme_is_valid_on_the_same_samples() -> None:
    for H in (classes.thresholds(4).select_rows(range(4)), classes.thresholds(4)):
        found = check_scheme(geometric.ChainScheme(H), range(4), 5, symmetric=True)
        assert found.valid
        assert sum(found.examined.values()) == 1286


def test_the_counts_are_those_of_ordered_samples_or_of_multisets() -> None:
    for symmetric in (False, True):
        found = check_scheme(geometric.ThresholdScheme(), range(2), 4, symmetric=symmetric)
        expected = {i: math.comb(i + 3, i) if symmetric else 4**i for i in range(1, 5)}
        assert found.examined == expected
        assert found.failing == dict.fromkeys(expected, 0)


def test_one_ordering_shows_nothing_about_the_others() -> None:
    class WrongUnlessSorted(geometric.ThresholdScheme):
        def _compress(self, sample: Points) -> tuple[int, ...]:
            in_order = list(sample.points) == sorted(sample.points, key=str)
            return super()._compress(sample) if in_order else (0,)

    assert check_scheme(WrongUnlessSorted(), range(3), 3, symmetric=True).valid
    found = check_scheme(WrongUnlessSorted(), range(3), 3).counterexample
    assert found is not None
    assert found.sample == Sample([1, 0], [1, 1])


def test_realizable_samples_only_for_a_scheme_that_is_not_agnostic() -> None:
    # Sets of at most one of three points: 2 * 3 samples of one example; of two, 3 * 2 with one
    # point and 2 * 3 * 3 with two.
    found = check_scheme(any_class.MaximumClassScheme(classes.subsets(3, 1)), range(3), 2)
    assert found.valid
    assert found.examined == {1: 6, 2: 6 + 18}


class AnyIndex(compression.ImproperScheme[classes.Row]):
    """Keeps an example at random; nothing depends on it."""

    selection = compression.Selection.OBLIVIOUS

    def __init__(self, family: classes.FiniteClass) -> None:
        self._family = family

    @property
    def family(self) -> classes.FiniteClass:
        return self._family

    def size(self, n: int) -> int:
        return 1

    def _compress(self, sample: Points) -> tuple[int, ...]:
        return self.compress(sample)

    def compress(self, sample: Points, rng: Coins = SYSTEM_COINS) -> tuple[int, ...]:
        return (rng.below(len(sample)),)

    def reconstruct(self, kept: Points, /) -> classes.Row:
        return self._family[0]


def test_every_outcome_of_the_coins_is_examined() -> None:
    constant = classes.FiniteClass([[0, 1]])
    assert check_scheme(AnyIndex(constant), range(2), 3).valid

    class Biased(AnyIndex):
        """The same indices can come out, with a law that depends on the examples."""

        def compress(self, sample: Points, rng: Coins = SYSTEM_COINS) -> tuple[int, ...]:
            return (rng.choose([1 + label for label in sample.labels]),)

    found = check_scheme(Biased(constant), range(2), 3).counterexample
    assert found is not None
    assert found.problem is Problem.OBSERVANT
    assert found.sample == Sample([0, 0], [0, 1])


def test_giving_up_refutes_nothing() -> None:
    class GivesUp(geometric.ThresholdScheme):
        def _compress(self, sample: Points) -> tuple[int, ...]:
            raise BudgetExhausted("no time left")

    with pytest.raises(BudgetExhausted):
        check_scheme(GivesUp(), range(2), 2)


BAD: list[tuple[Callable[[], object], str]] = [
    (lambda: check_scheme(geometric.ThresholdScheme(), [], 2), "domain: got no points"),
    (lambda: check_scheme(geometric.ThresholdScheme(), [1, 1], 2), "1 twice"),
    (lambda: check_scheme(geometric.ThresholdScheme(), ["a"], 2), "point: got 'a'"),
    (lambda: check_scheme(geometric.ThresholdScheme(), [1], 0), "n: got 0"),
    (lambda: check_scheme(geometric.ThresholdScheme(), range(4), 10**9), "max_samples"),
    (
        lambda: check_scheme(geometric.ThresholdScheme(), range(2), 2, max_samples=19),
        "n: got 20 samples",
    ),
    (
        lambda: check_scheme(
            geometric.ThresholdScheme(), range(2), 2, symmetric=True, max_samples=13
        ),
        "n: got 14 samples",  # four examples, and ten multisets of two
    ),
    (lambda: check_scheme(classes.Intervals(), range(2), 2), "scheme"),  # type: ignore[arg-type]  # none
    (
        lambda: check_scheme(AnyIndex(classes.FiniteClass([], [0, 1])), range(2), 2),
        "the empty class",
    ),
]


@pytest.mark.parametrize(("call", "message"), BAD)
def test_bad_input(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        call()


class Tables(compression.ProperScheme[classes.Row]):
    """A scheme that is two tables: of the index to keep, and of the row to rebuild."""

    def __init__(
        self,
        H: classes.FiniteClass,
        kept: Mapping[Points, int],
        rows: Mapping[Points, int],
        *,
        everywhere: bool,
    ) -> None:
        self._class = H
        self._kept = kept
        self._rows = rows
        self.agnostic = everywhere  # type: ignore[misc]  # a table can be either

    @property
    def family(self) -> classes.FiniteClass:
        return self._class

    def size(self, n: int) -> int:
        return 1

    def _compress(self, sample: Points) -> tuple[int, ...]:
        return (self._kept[sample],)

    def reconstruct(self, kept: Points, /) -> classes.Row:
        return self._class[self._rows[kept]]


@given(data=st.data(), everywhere=st.booleans())
@settings(max_examples=40)
def test_against_the_definition(data: st.DataObject, everywhere: bool) -> None:
    H = data.draw(
        st.sampled_from([classes.thresholds(2), classes.intervals(2), classes.subsets(2, 1)])
    )
    universe = [(x, y) for x in range(2) for y in range(2)]
    samples: list[Points] = [
        Sample([x for x, _ in chosen], [y for _, y in chosen])
        for length in (1, 2)
        for chosen in product(universe, repeat=length)
    ]
    kept = {sample: data.draw(st.integers(0, len(sample) - 1)) for sample in samples}
    rows = {sample: data.draw(st.integers(0, len(H) - 1)) for sample in samples if len(sample) == 1}
    examined = {1: 0, 2: 0}
    failing: list[Points] = []
    for sample in samples:
        errors = [sample.count_errors(h) for h in H]
        if everywhere or min(errors) == 0:
            examined[len(sample)] += 1
            index = kept[sample]
            if errors[rows[sample[index : index + 1]]] > min(errors):
                failing.append(sample)
    found = check_scheme(Tables(H, kept, rows, everywhere=everywhere), range(2), 2)
    assert found.examined == examined
    assert found.failing == {i: sum(len(sample) == i for sample in failing) for i in (1, 2)}
    assert found.valid == (not failing)
    if found.counterexample is not None:
        assert found.counterexample.sample == failing[0]
