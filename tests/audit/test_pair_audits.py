"""Audits over neighbouring samples against the definitions, pair by pair."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any, cast
from unittest.mock import patch

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import AuditResult, Coins, Epsilon, Interval, InvalidInput, Verdict, audit
from pac_stability.audit.again import recheck
from pac_stability.audit.certificates import to_document
from pac_stability.data import (
    Adjacency,
    EnclosedDistribution,
    Example,
    FiniteDistribution,
    Neighbouring,
    Sample,
    all_examples,
    count_neighbouring_pairs,
)
from pac_stability.testing import strategies
from shared_certificates import sealed
from shared_laws import mass
from shared_refusals import refuses

Law = FiniteDistribution[object]
Value = Fraction | float


laws: st.SearchStrategy[Law] = strategies.weighted("abc", 4)


def events(p: Law, q: Law) -> Iterator[tuple[object, ...]]:
    outcomes = sorted({*p.support, *q.support}, key=repr)
    for choice in product((False, True), repeat=len(outcomes)):
        yield tuple(y for y, chosen in zip(outcomes, choice, strict=True) if chosen)


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
    """The largest value over all pairs of neighbours (S, S') of size n, or of at most n."""
    sizes = [n] if relation is Neighbouring.REPLACE_ONE else range(n + 1)
    samples = [s for size in sizes for s in product(universe, repeat=size)]
    table = {s: laws(s) for s in samples}
    best: Value = needed(*[next(iter(table.values()))[0]] * 2)
    for a, b in product(samples, repeat=2):
        if is_neighbour(a, b, relation):
            best = max(best, *(needed(p, q) for p, q in zip(table[a], table[b], strict=True)))
    return best


@dataclass
class Predictions:
    """Probabilities looked up by the examples of the sample, in their order or not."""

    table: Mapping[tuple[object, ...], Sequence[Fraction]]
    symmetric: bool = False

    def key(self, examples: tuple[object, ...]) -> tuple[object, ...]:
        return tuple(sorted(examples, key=repr)) if self.symmetric else examples

    def probabilities(self, sample: Sample[object], _points: object, /) -> list[Fraction]:
        return list(self.table[self.key(tuple(sample))])

    def laws(self, examples: tuple[object, ...]) -> list[Law]:
        return [FiniteDistribution({1: p, 0: 1 - p}) for p in self.table[self.key(examples)]]


@dataclass
class Outputs:
    """Laws looked up by the records, in their order or not."""

    table: Mapping[tuple[object, ...], Law]
    symmetric: bool = False
    asked: list[object] = field(default_factory=list)

    def law(self, records: tuple[object, ...]) -> Law:
        self.asked.append(records)
        return self.table[tuple(sorted(records, key=repr)) if self.symmetric else records]


def samples_of(
    universe: tuple[object, ...], n: int, relation: Neighbouring, symmetric: bool
) -> list[tuple[object, ...]]:
    sizes = [n] if relation is Neighbouring.REPLACE_ONE else range(n + 1)
    if symmetric:
        ordered = sorted(universe, key=repr)
        return [s for size in sizes for s in combinations_with_replacement(ordered, size)]
    return [s for size in sizes for s in product(universe, repeat=size)]


PROBABILITIES = st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1, 3), Fraction(1)])
deltas = st.sampled_from([Fraction(0), Fraction(1, 12), Fraction(1, 3)])
Asked = tuple[int, int, Neighbouring]


def asked(sizes: range) -> st.SearchStrategy[tuple[Asked, bool]]:
    """How many points or records there are, n and the relation; and whether order matters not."""
    replaced = st.tuples(
        st.sampled_from(sizes), st.integers(1, 2), st.just(Neighbouring.REPLACE_ONE)
    )
    added = st.tuples(st.just(sizes[0]), st.integers(1, 2), st.just(Neighbouring.ADD_REMOVE))
    return st.tuples(replaced | added, st.booleans())


def predictors(
    setting: Asked, symmetric: bool, values: st.SearchStrategy[Fraction]
) -> st.SearchStrategy[Predictions]:
    m, n, relation = setting
    keys = samples_of(all_examples(range(m)), n, relation, symmetric)
    tables = strategies.tables(keys, st.tuples(*[values] * m))
    return tables.map(lambda table: Predictions(table.values, symmetric))


def mechanisms(setting: Asked, symmetric: bool) -> st.SearchStrategy[Outputs]:
    k, n, relation = setting
    keys = samples_of(tuple(range(k)), n, relation, symmetric)
    tables = strategies.tables(keys, laws, max_values=4)
    return tables.map(lambda table: Outputs(table.values, symmetric))


PREDICTIONS = asked(range(1, 3)).flatmap(
    lambda drawn: st.tuples(
        predictors(*drawn, PROBABILITIES | strategies.probabilities()), st.just(drawn[0])
    )
)
OUTPUTS = asked(range(2, 4)).flatmap(lambda drawn: st.tuples(mechanisms(*drawn), st.just(drawn[0])))


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
    assert isinstance(witness, audit.PairWitness)
    sample, neighbour = elements(witness.sample), elements(witness.neighbour)
    assert isinstance(result.instance.relation, Neighbouring)
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


@given(PREDICTIONS, deltas)
def test_predictions_are_judged_as_defined(
    case: tuple[Predictions, Asked], delta: Fraction
) -> None:
    predictor, (m, n, relation) = case
    universe = all_examples(range(m))
    private = audit.private_prediction(predictor, m, n, delta, relation=relation)
    assert private.value == truth(predictor.laws, universe, n, factor(delta), relation)
    check_witness(private, predictor.laws, factor(delta), delta)
    stable = audit.uniform_stability(predictor, m, n, relation=relation)
    assert stable.value == truth(predictor.laws, universe, n, gap, relation)
    check_witness(stable, predictor.laws, gap)
    for result in (private, stable):
        assert result.counts.datasets == len(predictor.table)
        if relation is Neighbouring.REPLACE_ONE:
            assert result.counts.pairs == count_neighbouring_pairs(
                2 * m, n, relation, up_to_order=predictor.symmetric
            )


@given(OUTPUTS, deltas)
def test_outputs_are_judged_as_defined(case: tuple[Outputs, Asked], delta: Fraction) -> None:
    mechanism, (k, n, relation) = case

    def laws_on(records: tuple[object, ...]) -> list[Law]:
        return [mechanism.law(records)]

    result = audit.differential_privacy(mechanism, k, n, delta, labelled=False, relation=relation)
    assert result.value == truth(laws_on, tuple(range(k)), n, factor(delta), relation)
    check_witness(result, laws_on, factor(delta), delta)


def moves(a: tuple[Fraction, ...], b: tuple[Fraction, ...], relation: Adjacency) -> bool:
    by = [abs(x - y) for x, y in zip(a, b, strict=True) if x != y]
    return bool(by) and max(by) <= 1 and (relation is Adjacency.EACH_ANSWER or len(by) == 1)


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from([Fraction(k, 2) for k in range(7)]), min_size=1, max_size=3,
             unique=True),
    st.integers(1, 3),
    st.sampled_from([Adjacency.EACH_ANSWER, Adjacency.ONE_ANSWER]),
    deltas,
    st.data(),
)  # fmt: skip
def test_query_answers_are_judged_as_defined(
    domain: list[Fraction], n: int, relation: Adjacency, delta: Fraction, draw: st.DataObject
) -> None:
    samples = list(product(domain, repeat=n))
    table = draw.draw(strategies.tables(samples, laws, max_values=4)).values
    pairs = [(a, b) for a, b in product(samples, repeat=2) if moves(a, b, relation)]

    def mechanism(answers: tuple[Fraction, ...]) -> Law:
        return table[answers]

    found = audit.differential_privacy(mechanism, domain, n, delta, relation=relation)
    if not pairs:
        assert found.verdict is Verdict.SKIPPED
        return
    needed = factor(delta)
    assert found.value == max(needed(table[a], table[b]) for a, b in pairs)
    assert found.counts.pairs == len(pairs)
    assert found.witness is not None
    one, other = (elements(x) for x in (found.witness.sample, found.witness.neighbour))
    assert found.value == 1 or moves(one, other, relation)  # type: ignore[arg-type]  # numbers
    claim = None if found.value == math.inf else Epsilon.exactly(cast("Fraction", found.value))
    again = audit.differential_privacy(
        mechanism, domain, n, delta, pairs=pairs, labelled=False, claim=claim
    )
    assert (again.value, again.counts.pairs) == (found.value, 2 * len(pairs))
    assert not recheck(to_document(again)).trusted or again.verdict is Verdict.VERIFIED
    whole = audit.differential_privacy(mechanism, domain, n, delta, relation=relation, claim=claim)
    assert recheck(to_document(whole), against=mechanism).proven


def test_pairs_that_are_listed_are_all_that_is_asked() -> None:
    """Of 3^40 samples two are asked; of predictions at the points that are given."""

    def total(answers: tuple[int, ...], rng: Coins) -> int:
        return int(sum(answers) > 0) ^ rng.bernoulli(Fraction(1, 5))

    pair = ((0,) * 40, (1,) * 40)
    found = audit.differential_privacy(total, 3, 40, labelled=False, pairs=[pair], claim=1)
    assert (found.value, found.verdict, found.counts.datasets) == (4, Verdict.REFUTED, 2)
    document = to_document(found)
    assert recheck(document, against=total).proven
    document["instance"]["listed"] = [[[0] * 40, [2] * 40]]  # type: ignore[index]  # a dictionary
    refuses("a neighbour of the sample", recheck, sealed(document))
    samples = [Sample([0], [0]), Sample([0], [1])]
    first = audit.private_prediction(
        Predictions({tuple(S): [Fraction(1 + k, 3)] for k, S in enumerate(samples)}),
        1, 1, pairs=[(samples[0], samples[1])],
    )  # fmt: skip
    assert first.value == 2


@pytest.mark.parametrize(("options", "words"), [
    ({"pairs": [((0, 1), (0, 5))]}, "got 5, want elements of the domain, such as 0"),
    ({"pairs": [((0, 1), (0,))]}, r"got \(0,\), want samples of size 2"),
    ({"pairs": [((0, 1), (0, 1))]}, "two samples that differ"),
    ({"pairs": [(0, 1)]}, "samples of size 2"),
    ({"pairs": [((0, [1]), (0, 1))]}, "unhashable"),
    ({"pairs": [((0, 1),)]}, r"pairs \(sample, neighbour\)"),
    ({"pairs": 3}, r"got 3, want pairs \(sample, neighbour\)"),
    ({"pairs": [((0, 1), (1, 1))], "group_size": 2}, "for groups"),
    ({"pairs": [((0, 1), (1, 1))], "relation": Neighbouring.ADD_REMOVE}, "a relation as well"),
    ({"pairs": [((0, 1), (1, 1))], "symmetric": True}, "the order matters"),
    ({"relation": Adjacency.LISTED}, "LISTED without pairs"),
    ({"relation": Adjacency.EACH_ANSWER, "labelled": True}, "have no labels"),
    ({"relation": "each-answer"}, "a member of Neighbouring or of Adjacency"),
])  # fmt: skip
def test_pairs_and_relations_that_mean_nothing_are_refused(options: Any, words: str) -> None:
    refuses(words, audit.differential_privacy, Outputs({}), 2, 2, **{"labelled": False} | options)


def test_answers_are_numbers() -> None:
    with pytest.raises(InvalidInput, match="domain: got 'a', want exact numbers"):
        audit.differential_privacy(Outputs({}), "ab", 2, relation=Adjacency.ONE_ANSWER)


@settings(max_examples=50)
@given(asked(range(1, 3)), deltas, st.data())
def test_the_witness_is_the_first_pair(
    case: tuple[Asked, bool], delta: Fraction, data: st.DataObject
) -> None:
    """First in lexicographic order of the smaller and the larger sample, then of the points."""
    (m, n, relation), _ = case
    universe = all_examples(range(m))
    few = st.lists(PROBABILITIES | strategies.probabilities(), min_size=1, max_size=2)
    predictor = data.draw(predictors(*case, st.sampled_from(data.draw(few))))  # many ties
    # All cliques at once, or one at a time.
    with patch(
        "pac_stability.audit.search.parallel._NUMBERS", data.draw(st.sampled_from([1, 1 << 20]))
    ):
        result = audit.private_prediction(predictor, m, n, delta, relation=relation)
    witness = result.witness
    assert isinstance(witness, audit.PairWitness)

    def number(sample: object) -> tuple[int, list[int]]:
        places = [universe.index(z) for z in elements(sample) if isinstance(z, Example)]
        return len(places), sorted(places) if predictor.symmetric else places

    needed = factor(delta)
    attained = []
    samples = samples_of(universe, n, relation, symmetric=False)
    for a, b in product(samples, repeat=2):
        if is_neighbour(a, b, relation) and number(a) < number(b):
            for column, (p, q) in enumerate(zip(predictor.laws(a), predictor.laws(b), strict=True)):
                if max(needed(p, q), needed(q, p)) == result.value:
                    attained.append((number(a), number(b), column))
    pair = sorted([number(witness.sample), number(witness.neighbour)])
    assert (*pair, witness.point) == min(attained)


@settings(max_examples=50)
@given(OUTPUTS, deltas, st.integers(1, 3))
def test_groups_are_judged_as_defined(
    case: tuple[Outputs, Asked], delta: Fraction, size: int
) -> None:
    mechanism, (k, n, relation) = case
    if relation is Neighbouring.ADD_REMOVE:
        return
    result = audit.group_privacy(mechanism, k, n, size, delta, labelled=False)
    needed = factor(delta)
    worst: Value = Fraction(1)
    pairs = 0
    for a, b in product(product(range(k), repeat=n), repeat=2):
        if 0 < sum(x != y for x, y in zip(a, b, strict=True)) <= size:
            worst = max(worst, needed(mechanism.law(a), mechanism.law(b)))
            pairs += 1
    assert result.value == worst
    assert result.instance.group_size == size
    if not mechanism.symmetric:
        assert result.counts.pairs == pairs
    witness = result.witness
    assert isinstance(witness, audit.PairWitness)
    sample, neighbour = elements(witness.sample), elements(witness.neighbour)
    assert 0 < sum(x != y for x, y in zip(sample, neighbour, strict=True)) <= size


def test_groups_are_of_replaced_examples() -> None:
    with pytest.raises(InvalidInput, match="relation: got another relation"):
        audit.group_privacy(Outputs({}), 2, 2, 1, labelled=False, relation=Neighbouring.ADD_REMOVE)


# Numbers that floats cannot tell apart, or not hold at all.
TINY = Fraction(1, 10**400)
HAIR = Fraction(1, 2**60)


@pytest.mark.parametrize(("p", "q", "r", "expected"), [
    # The largest ratio is between numbers that all round to 1/2; (1/2 + HAIR) / (1/2 - HAIR).
    (
        Fraction(1, 2) + HAIR,
        Fraction(1, 2),
        Fraction(1, 2) - HAIR,
        (1 + 2 * HAIR) / (1 - 2 * HAIR),
    ),
    # Below the smallest float: 3 TINY / TINY.
    (3 * TINY, 2 * TINY, TINY, Fraction(3)),
    # Above the largest one: (1/2) / TINY.
    (Fraction(1, 2), TINY, 2 * TINY, Fraction(1, 2) / TINY),
    (Fraction(1, 2), Fraction(0), TINY, math.inf),
    # For label 0: TINY / (TINY / 2).
    (1 - TINY, 1 - TINY / 2, 1 - TINY, Fraction(2)),
])  # fmt: skip
def test_floats_never_decide(p: Fraction, q: Fraction, r: Fraction, expected: Value) -> None:
    values = (p, q, r)

    def law(record: tuple[int, ...]) -> FiniteDistribution[object]:
        return FiniteDistribution({1: values[record[0]], 0: 1 - values[record[0]]})

    class Values:
        def probabilities(self, sample: Sample[int], _points: object, /) -> list[Fraction]:
            return [values[min(sample.points[0] + sample.labels[0], 2)]]

    result = audit.private_prediction(Values(), 3, 1, points=[0])
    assert result.value == expected
    assert audit.differential_privacy(law, 3, 1, labelled=False).value == expected
    assert audit.uniform_stability(Values(), 3, 1, points=[0]).value == max(values) - min(values)
    # With a delta that is next to nothing whole laws are compared, and nothing changes much.
    small = TINY / 10**400
    needed = factor(small)
    worst = max(needed(law((a,)), law((b,))) for a in range(3) for b in range(3))
    assert audit.differential_privacy(law, 3, 1, small, labelled=False).value == worst


def test_pairs_at_delta_that_differ_by_a_hair() -> None:
    """Sixty pairs of laws with equal divergences as floats, and rounded to below delta at that."""
    laws = [
        FiniteDistribution({"a": Fraction(2, 3) + k * HAIR**2, "b": Fraction(1, 3) - k * HAIR**2})
        for k in range(60)
    ]
    base: Law = FiniteDistribution({"a": Fraction(2, 5), "b": Fraction(3, 5)})
    assert 3 / 5 - 1.5 * (1 / 3) < 1 / 10

    def law(record: tuple[int, ...]) -> Law:
        return base if record[0] == 60 else laws[record[0]]

    result = audit.differential_privacy(law, 61, 1, "1/10", labelled=False)
    # The event b: (3/5 - 1/10) / (1/3 - 59 HAIR^2), a hair above 3/2; for a about 17/12.
    assert result.value == Fraction(1, 2) / (Fraction(1, 3) - 59 * HAIR**2)
    assert isinstance(result.witness, audit.PairWitness)
    assert (result.witness.sample, result.witness.neighbour) == ((60,), (59,))


def test_the_first_of_many_unbounded_pairs() -> None:
    """Outputs tell the bits apart, at first but for 00 and 01."""

    def all_but_one(bits: tuple[int, ...]) -> FiniteDistribution[object]:
        return FiniteDistribution.point_mass(bits if sum(bits) else (0, 1))

    for delta in ("0", "1/2"):
        with patch("pac_stability.audit.search.parallel._NUMBERS", 1):
            result = audit.differential_privacy(all_but_one, 2, 2, delta, labelled=False)
        assert isinstance(result.witness, audit.PairWitness)
        # 00 and 01 have one law; 00 and 10 come before 01 and 11.
        assert (result.witness.sample, result.witness.neighbour) == ((0, 0), (1, 0))

    def everything(bits: tuple[int, ...]) -> FiniteDistribution[object]:
        return FiniteDistribution.point_mass(bits)

    for delta in ("0", "1/2"):
        with patch("pac_stability.audit.search.parallel._NUMBERS", 1):
            result = audit.differential_privacy(everything, 2, 2, delta, labelled=False)
        assert isinstance(result.witness, audit.PairWitness)
        # The clique in which the first bit is replaced comes before, but not its pair 00 and 10.
        assert (result.witness.sample, result.witness.neighbour) == ((0, 0), (0, 1))


def test_a_best_pair_stands_when_no_later_one_is_near() -> None:
    """At delta = 1/12 removals need (1/2 - 1/12) / (1/4) = 5/3, and all other pairs less."""
    half: Law = FiniteDistribution({"a": Fraction(1, 4), "b": Fraction(1, 2), "c": Fraction(1, 4)})
    other: Law = FiniteDistribution({"a": Fraction(1, 4), "b": Fraction(1, 4), "c": Fraction(1, 2)})
    table: dict[tuple[object, ...], Law] = {
        (): half,
        (0,): FiniteDistribution.uniform("abc"),
        (1,): other,
    }
    table |= {(0, 0): half, (0, 1): other, (1, 1): other}
    result = audit.differential_privacy(
        Outputs(table, symmetric=True), 2, 2, "1/12", labelled=False,
        relation=Neighbouring.ADD_REMOVE,
    )  # fmt: skip
    assert result.value == Fraction(5, 3)


def test_many_outcomes_without_room_for_a_table() -> None:
    """Each of 120 records is its own outcome half of the time: laws are compared pair by pair."""

    def law(record: tuple[int, ...]) -> FiniteDistribution[object]:
        return FiniteDistribution({record: Fraction(1, 2), "none": Fraction(1, 2)})

    for delta, expected in (("0", math.inf), ("1/2", Fraction(1)), ("2/5", math.inf)):
        result = audit.differential_privacy(law, 120, 1, delta, labelled=False, max_memory=51_000)
        assert result.value == expected
    assert result.counts.outcomes == 121


@pytest.mark.parametrize(("claim", "verdict"), [
    (Epsilon.exactly(2), Verdict.VERIFIED),
    (Epsilon.exactly(Fraction(199, 100)), Verdict.REFUTED),
    (0.7, Verdict.VERIFIED),  # e^0.7 = 2.01...
    ("0.69", Verdict.REFUTED),  # e^0.69 = 1.99...
    (1, Verdict.VERIFIED),
    (None, Verdict.VERIFIED),
])  # fmt: skip
def test_claims_of_an_epsilon(claim: Epsilon | float | str | None, verdict: Verdict) -> None:
    def lie(bit: tuple[int, ...], rng: Coins) -> int:
        return bit[0] ^ rng.bernoulli(Fraction(1, 3))

    result = audit.differential_privacy(lie, 2, 1, labelled=False, claim=claim)
    assert result.verdict is verdict
    assert (result.claim is None) == (claim is None)
    if result.claim is not None:
        assert (result.value <= result.claim) == (verdict is Verdict.VERIFIED)


def test_a_value_between_the_rounded_claim_and_the_claim_keeps_to_it() -> None:
    """e is claimed; the value is a convergent of e below it, nearer than the rounded claim."""
    near = Interval.exp(1, 256).lower
    assert Epsilon(1).ratio < near < Interval.exp(1, 512).lower
    p = 1 / (1 + near)

    def law(bit: tuple[int, ...]) -> Law:
        return FiniteDistribution({bit[0]: 1 - p, 1 - bit[0]: p})

    result = audit.differential_privacy(law, 2, 1, labelled=False, claim=1)
    assert result.value == near
    assert result.verdict is Verdict.VERIFIED
    assert result.claim is not None
    assert near <= result.claim < Interval.exp(1, 512).upper


@pytest.mark.parametrize("claim", [-1, "x", float("inf"), float("nan")])
def test_no_epsilon_is_refused_as_a_claim(claim: float | str) -> None:
    refuses("claim", audit.differential_privacy, Outputs({}), 2, 1, labelled=False, claim=claim)


def test_claims_of_a_gamma() -> None:
    predictor = Predictions({(z,): [Fraction(z.label, 3)] for z in all_examples("a")})
    verdicts = [
        audit.uniform_stability(predictor, "a", 1, claim=claim).verdict
        for claim in ("1/3", "0.33", 1)
    ]
    assert verdicts == [Verdict.VERIFIED, Verdict.REFUTED, Verdict.VERIFIED]
    for wrong in (float("nan"), -1, 2):
        refuses("claim", audit.uniform_stability, predictor, "a", 1, claim=cast("Fraction", wrong))


def test_nothing_to_examine_is_never_a_success() -> None:
    nothing = Predictions({})
    for result in (
        audit.private_prediction(nothing, 0, 3, claim=1),
        audit.private_prediction(nothing, 2, 0, claim=1),
        audit.private_prediction(nothing, 2, 1, claim=1, points=[]),
        audit.uniform_stability(nothing, 2, 0, claim=1),
        audit.differential_privacy(Outputs({}), 1, 2, labelled=False, claim=1),
    ):
        assert result.verdict is Verdict.SKIPPED
        assert result.counts.pairs == 0
        assert result.witness is None
        assert result.note


@pytest.mark.parametrize("n", [-1, 1.5, True])
def test_bad_sizes_are_refused(n: int) -> None:
    refuses("n: got", audit.private_prediction, Predictions({}), 2, n)


@pytest.mark.parametrize("delta", [-1, 2, float("nan")])
def test_bad_deltas_are_refused(delta: Fraction) -> None:
    refuses("delta: got", audit.private_prediction, Predictions({}), 2, 1, delta)


@pytest.mark.parametrize("domain", [-1, "aa", [[]], 1.5])
def test_bad_domains_are_refused(domain: int) -> None:
    refuses("domain: got", audit.private_prediction, Predictions({}), domain, 1)


class Softmax:
    """The exponential mechanism on one bit with weights e**(epsilon / 2 [y = bit]): irrational."""

    def law(self, bit: tuple[int, ...], /) -> EnclosedDistribution[int]:
        return EnclosedDistribution.in_proportion(
            {bit[0]: Interval.exp(Fraction(1, 2)), 1 - bit[0]: 1}
        )


def test_irrational_laws_are_enclosed() -> None:
    """The factor is e**(1/2), the ratio of the two weights over one normalising sum."""
    result = audit.differential_privacy(Softmax(), 2, 1, labelled=False)
    assert isinstance(result.value, Interval)
    root = Interval.exp(Fraction(1, 2), 256)
    assert result.value.lower <= root.lower
    assert root.upper <= result.value.upper
    assert result.value.width < Fraction(1, 2**50)
    assert result.verdict is Verdict.BOUNDED
    verdicts = {
        claim: audit.differential_privacy(Softmax(), 2, 1, labelled=False, claim=claim).verdict
        for claim in ("0.49", "0.5", "0.51")
    }
    # That e**0.5 is exactly what is required cannot be settled by intervals.
    assert list(verdicts.values()) == [Verdict.REFUTED, Verdict.BOUNDED, Verdict.VERIFIED]


def test_irrational_predictions_are_enclosed() -> None:
    class Logistic:
        def probabilities(self, sample: Sample[int], points: Sequence[int]) -> list[Interval]:
            return [1 / (1 + Interval.exp(-sum(sample.labels))) for _ in points]

    stable = audit.uniform_stability(Logistic(), 2, 1)
    assert isinstance(stable.value, Interval)
    assert 1 / (1 + Interval.exp(-1, 256)) - Fraction(1, 2) in Around(stable.value)
    private = audit.private_prediction(Logistic(), 1, 1, "1/10")
    assert isinstance(private.value, Interval)
    # Label 0: (1/2 - 1/10) / (1 - 0.731...) = 1.487...; label 1: (0.731... - 1/10) / (1/2).
    assert private.value > Fraction(1487, 1000)
    assert private.value < Fraction(1488, 1000)


class Around:
    """Intervals inside another one."""

    def __init__(self, outer: Interval) -> None:
        self.outer = outer

    def __contains__(self, inner: Interval) -> bool:
        return self.outer.lower <= inner.lower and inner.upper <= self.outer.upper


def test_it_may_stay_open_whether_an_epsilon_exists() -> None:
    class Perhaps:
        def law(self, bit: tuple[int, ...], /) -> EnclosedDistribution[int]:
            least = Fraction(bit[0], 3)
            return EnclosedDistribution(
                {1: Interval(least, least + HAIR), 0: Interval(1 - least - HAIR, 1 - least)}
            )

    # The probability of 1 is at most HAIR on one sample, and at least 1/3 on the other.
    for claim, verdict in ((1 / (4 * HAIR), Verdict.REFUTED), (1 / HAIR, Verdict.BOUNDED)):
        result = audit.differential_privacy(
            Perhaps(), 2, 1, labelled=False, claim=Epsilon.exactly(claim)
        )
        assert result.verdict is verdict
        assert "lower bound, and may be infinite" in result.note
