"""Audits over neighbouring samples against the definitions, pair by pair."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement, product

from hypothesis import given
from hypothesis import strategies as st

from pac_stability import audit
from pac_stability.audit import AuditResult, PairWitness
from pac_stability.data import (
    FiniteDistribution,
    Neighbouring,
    Sample,
    all_examples,
    count_neighbouring_pairs,
)

Law = FiniteDistribution[object]
Value = Fraction | float


def events(p: Law, q: Law) -> Iterator[tuple[object, ...]]:
    outcomes = sorted({*p.support, *q.support}, key=repr)
    for choice in product((False, True), repeat=len(outcomes)):
        yield tuple(y for y, chosen in zip(outcomes, choice, strict=True) if chosen)


def mass(law: Law, event: tuple[object, ...]) -> Fraction:
    return sum((law.probability(y) for y in event), Fraction())


def factor(delta: Fraction) -> Callable[[Law, Law], Value]:
    """The least t >= 1 with P(E) <= t Q(E) + delta for every event E."""

    def needed(p: Law, q: Law) -> Value:
        best: Value = Fraction(1)
        for event in events(p, q):
            excess, other = mass(p, event) - delta, mass(q, event)
            if excess > 0:
                best = max(best, excess / other if other else math.inf)
        return best

    return needed


def gap(p: Law, q: Law) -> Fraction:
    return max(mass(p, event) - mass(q, event) for event in events(p, q))


def is_neighbour(a: tuple[object, ...], b: tuple[object, ...], relation: Neighbouring) -> bool:
    if relation is Neighbouring.REPLACE_ONE:
        return len(a) == len(b) and sum(x != y for x, y in zip(a, b, strict=True)) == 1
    short, long = sorted((a, b), key=len)
    cuts = (long[:i] + long[i + 1 :] for i in range(len(long)))
    return len(long) == len(short) + 1 and short in cuts


def truth(
    laws: Callable[[tuple[object, ...]], list[Law]],
    universe: tuple[object, ...],
    n: int,
    needed: Callable[[Law, Law], Value],
    relation: Neighbouring = Neighbouring.REPLACE_ONE,
) -> Value:
    """The largest value over all pairs of neighbours (S, S'), one of them of size n."""
    sizes = [n] if relation is Neighbouring.REPLACE_ONE else [max(n - 1, 0), n, n + 1]
    samples = [s for size in sorted(set(sizes)) for s in product(universe, repeat=size)]
    table = {s: laws(s) for s in samples}
    best: Value = needed(*[next(iter(table.values()))[0]] * 2)
    for a, b in product(samples, repeat=2):
        if n in (len(a), len(b)) and is_neighbour(a, b, relation):
            best = max(best, *(needed(p, q) for p, q in zip(table[a], table[b], strict=True)))
    return best


@dataclass
class Predictions:
    """Probabilities looked up by the examples of the sample, in their order or not."""

    table: dict[tuple[object, ...], list[Fraction]]
    symmetric: bool = False

    def key(self, examples: tuple[object, ...]) -> tuple[object, ...]:
        return tuple(sorted(examples, key=repr)) if self.symmetric else examples

    def probabilities(self, sample: Sample[object], _points: object, /) -> list[Fraction]:
        return self.table[self.key(tuple(sample))]

    def laws(self, examples: tuple[object, ...]) -> list[Law]:
        return [FiniteDistribution({1: p, 0: 1 - p}) for p in self.table[self.key(examples)]]


@dataclass
class Outputs:
    """Laws looked up by the records, in their order or not."""

    table: dict[tuple[object, ...], Law]
    symmetric: bool = False
    asked: list[object] = field(default_factory=list)

    def law(self, records: tuple[object, ...]) -> Law:
        self.asked.append(records)
        return self.table[tuple(sorted(records, key=repr)) if self.symmetric else records]


def samples_of(
    universe: tuple[object, ...], n: int, relation: Neighbouring, symmetric: bool
) -> list[tuple[object, ...]]:
    sizes = {n} if relation is Neighbouring.REPLACE_ONE else {max(n - 1, 0), n, n + 1}
    if symmetric:
        ordered = sorted(universe, key=repr)
        return [s for size in sizes for s in combinations_with_replacement(ordered, size)]
    return [s for size in sizes for s in product(universe, repeat=size)]


probabilities = st.one_of(
    st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 2), Fraction(1, 3)]),
    st.fractions(0, 1, max_denominator=12),
)
relations = st.sampled_from(Neighbouring)
deltas = st.sampled_from([Fraction(0), Fraction(1, 12), Fraction(1, 3)])


@st.composite
def laws(draw: st.DrawFn) -> Law:
    weights = draw(st.lists(st.integers(0, 4), min_size=3, max_size=3).filter(any))
    return FiniteDistribution(
        {y: Fraction(w, sum(weights)) for y, w in zip("abc", weights, strict=True)}
    )


@st.composite
def predictions(draw: st.DrawFn) -> tuple[Predictions, int, int, Neighbouring]:
    m, n, relation = draw(st.integers(1, 2)), draw(st.integers(1, 2)), draw(relations)
    if relation is Neighbouring.ADD_REMOVE:
        m, n = 1, draw(st.integers(0, 2))
    symmetric = draw(st.booleans())
    rows = st.lists(probabilities, min_size=m, max_size=m)
    keys = samples_of(all_examples(range(m)), n, relation, symmetric)
    return Predictions({key: draw(rows) for key in keys}, symmetric), m, n, relation


@st.composite
def outputs(draw: st.DrawFn) -> tuple[Outputs, int, int, Neighbouring]:
    k, n, relation = draw(st.integers(2, 3)), draw(st.integers(1, 2)), draw(relations)
    if relation is Neighbouring.ADD_REMOVE:
        k = 2
    symmetric = draw(st.booleans())
    pool = draw(st.lists(laws(), min_size=1, max_size=4))
    keys = samples_of(tuple(range(k)), n, relation, symmetric)
    table = {key: draw(st.sampled_from(pool)) for key in keys}
    return Outputs(table, symmetric), k, n, relation


def elements(sample: object) -> tuple[object, ...]:
    assert isinstance(sample, Sample | tuple)
    return tuple(sample)


def check_witness(
    result: AuditResult,
    laws_on: Callable[[tuple[object, ...]], list[Law]],
    needed: Callable[[Law, Law], Value],
    delta: Fraction = Fraction(0),
) -> None:
    """The witness is a pair of neighbours that attains the value, by the event that it names."""
    witness = result.witness
    assert isinstance(witness, PairWitness)
    sample, neighbour = elements(witness.sample), elements(witness.neighbour)
    assert is_neighbour(sample, neighbour, result.instance.relation)
    column = 0 if witness.point is None else result.instance.points.index(witness.point)
    assert witness.law == laws_on(sample)[column]
    assert witness.neighbour_law == laws_on(neighbour)[column]
    assert needed(witness.law, witness.neighbour_law) == witness.value == result.value
    p, q = mass(witness.law, witness.event), mass(witness.neighbour_law, witness.event)
    if result.instance.notion is audit.Notion.UNIFORM_STABILITY:
        assert p - q == result.value
    elif result.value == math.inf:
        assert q == 0
        assert p > delta
    elif result.value > 1:
        assert p - delta == result.value * q


@given(predictions(), deltas)
def test_predictions_are_judged_as_defined(
    case: tuple[Predictions, int, int, Neighbouring], delta: Fraction
) -> None:
    predictor, m, n, relation = case
    universe = all_examples(range(m))
    private = audit.private_prediction(predictor, m, n, delta, relation=relation)
    assert private.value == truth(predictor.laws, universe, n, factor(delta), relation)
    check_witness(private, predictor.laws, factor(delta), delta)
    stable = audit.uniform_stability(predictor, m, n, relation=relation)
    assert stable.value == truth(predictor.laws, universe, n, gap, relation)
    check_witness(stable, predictor.laws, gap)
    for result in (private, stable):
        assert result.counts.datasets == len(predictor.table)
        assert result.counts.pairs == count_neighbouring_pairs(
            2 * m, n, relation, up_to_order=predictor.symmetric
        )


@given(outputs(), deltas)
def test_outputs_are_judged_as_defined(
    case: tuple[Outputs, int, int, Neighbouring], delta: Fraction
) -> None:
    mechanism, k, n, relation = case

    def laws_on(records: tuple[object, ...]) -> list[Law]:
        return [mechanism.law(records)]

    result = audit.differential_privacy(mechanism, k, n, delta, labelled=False, relation=relation)
    assert result.value == truth(laws_on, tuple(range(k)), n, factor(delta), relation)
    check_witness(result, laws_on, factor(delta), delta)
