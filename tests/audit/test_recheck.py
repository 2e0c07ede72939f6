"""The recheck accepts what is true, refuses what is not, and shares no code with the search."""

import ast
import copy
import json
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import chain, combinations
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, strategies as st

from pac_stability import Coins, InvalidInput, audit, checker, testing
from pac_stability.audit import (
    AuditResult,
    Counts,
    Instance,
    LawsWitness,
    Notion,
    PairWitness,
    Verdict,
)
from pac_stability.audit.again import recheck
from pac_stability.audit.certificates import Document, from_document, save, to_document, to_json
from pac_stability.checker.fields import Key, Limits
from pac_stability.checker.notions.perfect_generalization import no_simulator
from pac_stability.data import (
    Deterministic,
    FiniteDistribution,
    Neighbouring,
    Sample,
    all_examples,
    multiset_distribution,
)
from shared_certificates import sealed
from shared_refusals import refuses
from shared_subjects import errs

COUNTS = Counts(datasets=16, pairs=96, points=1, outcomes=2)
HALF = Fraction(1, 2)
THIRD = Fraction(1, 3)
# Laws on some of so many outcomes.
TWO, THREE, FOUR = (testing.strategies.weighted(range(k), 6) for k in (2, 3, 4))


def events(law: FiniteDistribution[object]) -> Iterator[tuple[object, ...]]:
    outcomes = law.support
    return chain.from_iterable(combinations(outcomes, k) for k in range(len(outcomes) + 1))


def least_factor(
    event: tuple[object, ...],
    p: FiniteDistribution[object],
    q: FiniteDistribution[object],
    delta: Fraction,
) -> Fraction | float:
    """The least t >= 1 with p(E) <= t q(E) + delta, from the definition."""
    here = p.expectation(lambda y: int(y in event)) - delta
    there = q.expectation(lambda y: int(y in event))
    if here <= there:
        return Fraction(1)
    return here / there if there else math.inf


def private(
    p: FiniteDistribution[object],
    q: FiniteDistribution[object],
    delta: Fraction = Fraction(0),
    claim: Fraction | None = None,
    notion: Notion = Notion.DIFFERENTIAL_PRIVACY,
) -> AuditResult:
    """What an audit would say of two laws: the event is found by trying all."""
    event = max(events(p), key=lambda e: least_factor(e, p, q, delta))
    value = least_factor(event, p, q, delta)
    points = () if notion is Notion.DIFFERENTIAL_PRIVACY else ("x",)
    instance = Instance(notion, all_examples(["x", "y"]), 2, points, delta=delta)
    samples = Sample("xx", [0, 1]), Sample("xy", [0, 1])
    witness = PairWitness(*samples, "x" if points else None, p, q, event, value)
    verdict = Verdict.VERIFIED if claim is None or value <= claim else Verdict.REFUTED
    return AuditResult(instance, value, verdict, witness, COUNTS, claim)


def refuted() -> AuditResult:
    """Laws 2/3, 1/3 against 1/3, 2/3 on the labels: the factor is 2, and 3/2 was claimed."""
    p: FiniteDistribution[object] = FiniteDistribution({0: THIRD, 1: 2 * THIRD})
    q: FiniteDistribution[object] = FiniteDistribution({0: 2 * THIRD, 1: THIRD})
    return private(p, q, claim=Fraction(3, 2), notion=Notion.PRIVATE_PREDICTION)


@given(FOUR, FOUR, st.sampled_from([Fraction(0), Fraction(1, 8), Fraction(1)]))
def test_what_the_witness_shows_is_what_the_definition_says(
    p: FiniteDistribution[object], q: FiniteDistribution[object], delta: Fraction
) -> None:
    result = recheck(to_document(private(p, q, delta, claim=Fraction(2))))
    truth = max(least_factor(event, p, q, delta) for event in events(p))
    assert (result.value, result.refutes) == (truth, truth > 2)
    assert result.exact == (truth == math.inf)  # nothing is larger
    assert result.proven == (truth > 2)  # two laws refute a claim, and verify none
    assert result.trusted[0].startswith("that the laws are those of the mechanism")


@given(TWO, TWO)
def test_uniform_stability_is_a_difference_of_probabilities(
    p: FiniteDistribution[object], q: FiniteDistribution[object]
) -> None:
    gap = max(Fraction(0), p.probability(1) - q.probability(1))
    instance = Instance(Notion.UNIFORM_STABILITY, all_examples("x"), 1, ("x",))
    witness = PairWitness(Sample("x", [0]), Sample("x", [1]), "x", p, q, (1,), gap)
    document = to_document(AuditResult(instance, gap, Verdict.VERIFIED, witness, COUNTS))
    assert recheck(document).value == gap
    document["witness"]["event"] = [0]  # type: ignore[index]  # the opposite event
    if gap:
        refuses("what the event shows", recheck, sealed(document))


def test_no_event_makes_the_factor_smaller_than_one() -> None:
    p: FiniteDistribution[object] = FiniteDistribution({0: THIRD, 1: 2 * THIRD})
    q: FiniteDistribution[object] = FiniteDistribution({0: 2 * THIRD, 1: THIRD})
    document = to_document(private(p, q))
    changed = altered(document, ("witness", "event"), [0])  # 1/3 against 2/3
    for value, accepted in (("1", True), ("1/2", False)):
        claimed = altered(altered(changed, ("value",), value), ("witness", "value"), value)
        if accepted:
            assert recheck(sealed(claimed)).value == 1
        else:
            refuses("what the event shows", recheck, sealed(claimed))


def test_a_refutation_says_what_it_proves() -> None:
    result = recheck(to_document(refuted()))
    assert (result.notion, result.verdict, result.refutes) == (
        "private-prediction",
        "refuted",
        True,
    )
    assert (result.value, result.claim) == (2, Fraction(3, 2))
    assert result.proved[-1] == "so the claim 3/2 (1.5) fails"
    assert "probability 2/3 (0.6667) on one sample and 1/3 (0.3333) on the" in result.proved[1]
    assert "96 pairs" in result.trusted[-1]
    assert "so the parameter is at least 2" in result.proved[1]


def paths(value: object, prefix: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    """The path of every value inside a document."""
    if prefix:
        yield prefix
    entries: Iterator[tuple[object, object]] = iter(())
    if isinstance(value, dict):
        entries = iter(value.items())
    elif isinstance(value, list):
        entries = iter(enumerate(value))
    for key, entry in entries:
        yield from paths(entry, (*prefix, key))


OTHERS: tuple[object, ...] = (
    None, True, 0, 1, 7, -1, 1 << 70, 0.5, "", "0", "1", "2", "1/2", "-1/2", "2/4", "1/0",
    "infinity", "verified", "refuted", "bounded", "differential-privacy", "add-remove", [], [0],
    [[0, "1"]], {}, {"fraction": "1/2"}, {"object": 0}, {"lower": "0", "upper": "9"},
)  # fmt: skip


def altered(document: Document, path: tuple[object, ...], other: object) -> Document:
    changed = copy.deepcopy(document)
    place: object = changed
    for key in path[:-1]:
        place = place[key]  # type: ignore[index]  # the path was found in this document
    place[path[-1]] = other  # type: ignore[index]  # as above
    return changed


def same(a: object, b: object) -> bool:
    return json.dumps(a) == json.dumps(b)


def at(document: Document, path: tuple[object, ...]) -> object:
    place: object = document
    for key in path:
        place = place[key]  # type: ignore[index]  # the path was found in this document
    return place


def robust_identity() -> AuditResult:
    """The mechanism that publishes two fair bits.

    They agree with probability 1/2, and then the test {1} is off by 1/2; so that is the value for
    every delta below 1/2.
    """
    coin: FiniteDistribution[object] = FiniteDistribution.uniform([0, 1])
    samples = coin.power(2)
    witness = LawsWitness(
        tuple((s, FiniteDistribution.point_mass(s)) for s in samples.support),
        tuple((s, (1,)) for s in samples.support),
        HALF,
    )
    instance = Instance(
        Notion.ROBUST_GENERALIZATION, (0, 1), 2, delta=Fraction(1, 4), distribution=coin
    )
    return AuditResult(instance, HALF, Verdict.REFUTED, witness, COUNTS, Fraction(1, 4))


RESULTS: dict[str, Callable[[], AuditResult]] = {"pair": refuted, "laws": robust_identity}


@pytest.mark.parametrize("name", RESULTS)
def test_every_field_that_is_altered_is_noticed(name: str) -> None:
    document = to_document(RESULTS[name]())
    for path in paths(document):
        for other in OTHERS:
            if not same(at(document, path), other):
                refuses("", recheck, altered(document, path, other))


def number(outcome: object) -> object:
    """Truth values are numbers, as Python has it."""
    return int(outcome) if isinstance(outcome, bool) else outcome


def is_true(document: Document) -> bool:
    """Whether a pair of laws shows what the document says, computed from its JSON alone."""
    witness, claim = document["witness"], document["claim"]
    assert isinstance(witness, dict)
    p = {json.dumps(number(y)): Fraction(w) for y, w in witness["law"]}
    q = {json.dumps(number(y)): Fraction(w) for y, w in witness["neighbour_law"]}
    event = {json.dumps(number(y)) for y in witness["event"]}
    here, there = (sum((law.get(y, Fraction(0)) for y in event), Fraction(0)) for law in (p, q))
    apart = sum(a != b for a, b in zip(witness["sample"], witness["neighbour"], strict=True))
    instance = document["instance"]
    assert isinstance(instance, dict)
    value, delta = Fraction(witness["value"]), Fraction(instance["delta"])
    exceeds = claim is None or not isinstance(claim, str) or value > Fraction(claim)
    return (
        sum(p.values()) == sum(q.values()) == 1
        and 1 <= apart <= instance["group_size"]
        and here == value * there + delta
        and (document["verdict"] != "refuted" or exceeds)
    )


def test_a_field_that_is_altered_by_a_forger_makes_nothing_false_pass() -> None:
    document = to_document(refuted())
    passed = 0
    for path in paths(document):
        for other in OTHERS:
            changed = sealed(altered(document, path, other))
            try:
                result = recheck(changed)
            except InvalidInput:
                continue
            passed += 1
            assert is_true(changed), (path, other)
            assert result.value == Fraction(str(changed["value"]))
    assert passed > 20  # such as the note, the counts, and claims that fail too


WRONG: dict[str, tuple[tuple[object, ...], object, str]] = {
    "another version": (("schema",), "pac-stability/audit-certificate/1", "the version"),
    "a notion that nobody knows": (("notion",), "fairness", "notion: got 'fairness'"),
    "samples that are too short": (("instance", "n"), 3, "want 3 elements"),
    "samples that are the same": (("witness", "neighbour"), [["x", 0], ["x", 1]], "neighbour of"),
    "samples two steps apart": (("witness", "neighbour"), [["y", 0], ["y", 1]], "neighbour of"),
    "samples of different lengths": (("witness", "neighbour"), [["x", 0]], "neighbour of"),
    "elements from elsewhere": (("witness", "sample", 0), ["z", 0], "elements of the universe"),
    "a label that is none": (("witness", "sample", 0), ["x", True], "the label 0 or 1"),
    "a point from elsewhere": (("witness", "point"), "y", "one of the points"),
    "a sum below one": (("witness", "law"), [[0, "1/3"], [1, "1/2"]], "a sum of exactly 1"),
    "a negative weight": (("witness", "law"), [[0, "-1/3"], [1, "4/3"]], "positive"),
    "an outcome twice": (("witness", "law"), [[1, "1/3"], [True, "2/3"]], "each outcome once"),
    "a float": (("witness", "law"), [[0, 0.5], [1, "1/2"]], "lowest terms"),
    "terms that are not lowest": (("witness", "law"), [[0, "2/6"], [1, "2/3"]], "lowest terms"),
    "an event twice": (("witness", "event"), [1, 1], "distinct outcomes"),
    "another event": (("witness", "event"), [0], "what the event shows"),
    "an object without a table": (("witness", "event"), [{"object": 0}], "an object of the table"),
    "another value": (("value",), "3", "the witness's 2"),
    "a claim that holds": (("claim",), "2", "what follows"),
    "no claim": (("claim",), None, "without a claim"),
    "verified nevertheless": (("verdict",), "verified", "what follows"),
    "bounded nevertheless": (("verdict",), "bounded", "what follows"),
    "bounds beside the value": (("value",), {"lower": "3", "upper": "4"}, "bounds around"),
    "a delta below zero": (("instance", "delta"), "-1", "from 0 to 1"),
    "a universe with repetitions": (("instance", "universe"), [["x", 0], ["x", 0]], "distinct"),
    "points with repetitions": (("instance", "points"), ["x", "x"], "distinct points"),
    "an infinite outcome": (("witness", "event"), [math.inf], "JSON"),
    "a witness of another kind": (("witness", "kind"), "laws", "one of pair"),
    "an unknown relation": (("instance", "relation"), "hamming", "one of replace-one"),
    "a group of nobody": (("instance", "group_size"), 0, "at least 1"),
    "a huge fraction": (("witness", "point"), {"fraction": "1e999999999"}, "at most 4300 digits"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_named(case: str) -> None:
    path, other, message = WRONG[case]
    changed = altered(to_document(refuted()), path, other)
    refuses(message, recheck, changed if case == "an infinite outcome" else sealed(changed))


def test_missing_and_unknown_fields_are_refused() -> None:
    document = to_document(refuted())
    for path in paths(document):
        if isinstance(path[-1], str):
            changed = copy.deepcopy(document)
            place = at(changed, path[:-1])
            assert isinstance(place, dict)
            place["extra"] = place.pop(path[-1])
            refuses("", recheck, sealed(changed))


def test_every_truncation_is_refused(tmp_path: Path) -> None:
    text = to_json(refuted())
    file = tmp_path / "certificate.json"
    for length in range(len(text) - 1):  # the last letter is a newline
        file.write_text(text[:length])
        refuses("truncated", recheck, file)


BROKEN: dict[str, tuple[Callable[[str], str], str]] = {
    "a key twice": (lambda text: text.replace('"n": 2', '"n": 2, "n": 3'), "the key 'n' twice"),
    "not a number": (lambda text: text.replace('"n": 2', '"n": NaN'), "JSON without NaN"),
    "infinity": (lambda text: text.replace('"n": 2', '"n": -Infinity'), "JSON without NaN"),
    "a float without end": (lambda text: text.replace('"n": 2', '"n": 1e999'), "JSON"),
    "an enormous integer": (lambda text: text.replace('"n": 2', f'"n": {"9" * 5000}'), "enormous"),
    "lists without end": (lambda _: "[" * 1_000_000, "too deeply"),
    "deep lists": (lambda text: text.replace('"n": 2', f'"n": {"[" * 70}{"]" * 70}'), "too deeply"),
    "no object": (lambda _: "[]", "an object with the keys"),
    "a text that is no UTF-8": (lambda text: text.replace('"x"', '"\udcff"'), "no UTF-8"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_broken_files_are_refused(case: str, tmp_path: Path) -> None:
    breaking, message = BROKEN[case]
    file = tmp_path / "certificate.json"
    file.write_bytes(breaking(to_json(refuted())).encode("utf-8", "surrogateescape"))
    refuses(message, recheck, file)


def test_a_large_file_is_refused_unless_the_limit_is_raised(tmp_path: Path) -> None:
    file = tmp_path / "certificate.json"
    save(refuted(), file)
    size = file.stat().st_size
    assert recheck(file, max_bytes=size).refutes
    refuses(f"a larger file, want at most {size - 1} bytes", recheck, file, max_bytes=size - 1)
    refuses("no such file", recheck, tmp_path / "nowhere.json")


def test_long_numbers_are_refused_unless_the_limit_is_raised() -> None:
    # 1/a + 1/b + the rest, with a and b coprime: the common denominator has as many bits as both.
    a, b = Fraction(1, 3**400), Fraction(1, 5**300)
    p: FiniteDistribution[object] = FiniteDistribution({0: a, 1: b, 2: 1 - a - b})
    document = to_document(private(p, FiniteDistribution({0: HALF, 1: HALF})))
    assert recheck(document, max_bits=1400).value == math.inf
    refuses(r"at most 1300 bits|more max_bits", recheck, document, max_bits=1300)


def test_long_work_is_refused_unless_the_limit_is_raised() -> None:
    laws_document = to_document(robust_identity())
    for document in (inserted(Sample("xx", [0, 0]), 1), laws_document):
        assert recheck(document, max_steps=8).notion == document["notion"]
        refuses("more max_steps", recheck, document, max_steps=5)


def inserted(neighbour: Sample[str], group_size: int, n: int = 4) -> Document:
    """A certificate for the sample (x, y, x), its neighbour found by adding and removing."""
    law: FiniteDistribution[object] = FiniteDistribution.point_mass(0)
    other: FiniteDistribution[object] = FiniteDistribution.uniform([0, 1])
    instance = Instance(
        Notion.DIFFERENTIAL_PRIVACY,
        all_examples("xy"),
        n,
        relation=Neighbouring.ADD_REMOVE,
        group_size=group_size,
    )
    sample = Sample("xyx", [0, 1, 0])
    witness = PairWitness(sample, neighbour, None, law, other, (0,), Fraction(2))
    return to_document(AuditResult(instance, Fraction(2), Verdict.VERIFIED, witness, COUNTS))


def test_sizes_are_stated_and_old_certificates_have_one_more_or_less() -> None:
    found = audit.differential_privacy(
        Deterministic(lambda records: len(records) > 9), 2, range(1, 4), claim=0,
        labelled=False, relation=Neighbouring.ADD_REMOVE,
    )  # fmt: skip
    document = cast("dict[str, Any]", to_document(found))
    assert (document["schema"][-2:], document["instance"]["sizes"]) == ("/3", [1, 3])
    assert from_document(document) == found

    def forged(schema: str, n: int, **sizes: object) -> Document:
        instance = {k: v for k, v in document["instance"].items() if k != "sizes"}
        changed = document | {"schema": schema, "instance": instance | {"n": n} | sizes}
        return sealed(changed)

    version_2 = forged(document["schema"][:-1] + "2", 2)
    assert recheck(version_2).proven
    assert from_document(version_2).instance.sizes == range(1, 4)
    for sizes in ([0, 2], [1, 2], [4, 3], [3], "1..3", [-1, 3], None):
        refuses(r"sizes|answers", recheck, forged(document["schema"], 3, sizes=sizes))
    refuses("only the keys", recheck, forged(document["schema"][:-1] + "2", 3, sizes=[1, 3]))


def test_adding_and_removing_is_another_relation() -> None:
    assert recheck(inserted(Sample("xx", [0, 0]), 1)).value == 2
    assert recheck(inserted(Sample("xyyx", [0, 1, 0, 0]), 1)).value == 2
    assert recheck(inserted(Sample("yxx", [1, 0, 0]), 2)).value == 2  # one out, one in
    for wrong in (Sample("yx", [0, 0]), Sample("x", [0]), Sample("xyx", [0, 1, 0])):
        refuses("a neighbour of the sample", recheck, inserted(wrong, 1))
    with pytest.raises(InvalidInput, match=r"witness\.neighbour: .* want 0 to 3 elements"):
        recheck(inserted(Sample("xyyx", [0, 1, 0, 0]), 1, n=3))
    with pytest.raises(InvalidInput, match=r"witness\.sample: .* want 0 or 1 or 2 elements"):
        recheck(inserted(Sample("xyyx", [0, 1, 0, 0]), 1, n=2))


def test_groups_may_differ_in_so_many_places() -> None:
    document = to_document(refuted())
    far = altered(document, ("witness", "neighbour"), [["y", 0], ["y", 1]])
    assert recheck(sealed(altered(far, ("instance", "group_size"), 2))).value == 2


def test_the_mechanism_is_asked_again() -> None:
    def honest(S: Sample[int], x: int, rng: Coins) -> int:
        return rng.bernoulli(Fraction(1 + S.labels[x], 3))

    def idle(S: Sample[int], x: int, rng: Coins) -> int:
        return rng.bernoulli(Fraction(1 + S.points[x], 2))

    document = to_document(audit.private_prediction(honest, 1, 1))
    result = recheck(document, against=honest)
    assert result.value == 2
    assert "the laws are those of the given mechanism" in result.proved[-1]
    assert all("mechanism" not in sentence for sentence in result.trusted)
    refuses(r"against: got the law .* on the sample", recheck, document, against=idle)


class Constant:
    """A hypothesis without a JSON form, equal to another with the same label."""

    def __init__(self, label: int) -> None:
        self.label = label

    def __call__(self, point: object) -> int:
        assert point == 0  # the domain that it is audited on
        return self.label

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constant) and self.label == other.label

    def __hash__(self) -> int:
        return hash(self.label)


def test_a_learner_of_objects_is_asked_again() -> None:
    def learner(bias: Fraction) -> Callable[[Sample[int]], FiniteDistribution[Constant]]:
        def law(S: Sample[int]) -> FiniteDistribution[Constant]:
            y = S.labels[0]
            return FiniteDistribution({Constant(y): bias, Constant(1 - y): 1 - bias})

        return law

    document = to_document(audit.differential_privacy(learner(2 * THIRD), 1, 1))
    assert recheck(document).value == 2
    assert recheck(document, against=learner(2 * THIRD)).value == 2
    refuses("against", recheck, document, against=learner(HALF))


def stable(frequency: Fraction, claim: Fraction, verdict: Verdict) -> AuditResult:
    """The first of two fair bits is published: both outputs have frequency 1/2."""
    coin: FiniteDistribution[object] = FiniteDistribution.uniform([0, 1])
    witness = LawsWitness(
        tuple((s, FiniteDistribution.point_mass(s[0])) for s in coin.power(2).support),
        ((0, frequency),),
        frequency,
    )
    instance = Instance(Notion.GLOBAL_STABILITY, (0, 1), 2, distribution=coin)
    return AuditResult(instance, frequency, verdict, witness, COUNTS, claim)


def test_global_stability_is_recomputed_and_claims_a_floor() -> None:
    result = recheck(to_document(stable(HALF, Fraction(3, 4), Verdict.REFUTED)))
    assert (result.value, result.refutes, result.exact) == (HALF, True, True)
    assert recheck(to_document(stable(HALF, HALF, Verdict.VERIFIED))).refutes is False
    refuses("what follows", recheck, to_document(stable(HALF, HALF, Verdict.REFUTED)))
    refuses(r"witness\.value", recheck, to_document(stable(THIRD, HALF, Verdict.REFUTED)))


def test_samples_that_are_missing_or_repeated_are_noticed() -> None:
    document = to_document(stable(HALF, HALF, Verdict.VERIFIED))
    rows = at(document, ("witness", "laws"))
    assert isinstance(rows, list)
    refuses("want all samples", recheck, sealed(altered(document, ("witness", "laws"), rows[1:])))
    with pytest.raises(InvalidInput, match="each sample once"):
        recheck(sealed(altered(document, ("witness", "laws"), [*rows, rows[0]])))
    refuses("want all samples", recheck, sealed(altered(document, ("witness", "laws"), [])))


def test_the_optimal_adversary_is_recomputed() -> None:
    result = recheck(to_document(robust_identity()))
    assert (result.value, result.refutes, result.exact) == (HALF, True, True)
    assert "probability 1/2 (0.5), where delta is 1/4" in result.proved[1]
    # 3/4 is never reached, and 1/4 is exceeded with probability 1/2, more than delta.
    for wrong in ("3/4", "1/4"):
        document = to_document(robust_identity())
        changed = altered(altered(document, ("value",), wrong), ("witness", "value"), wrong)
        refuses(r"witness\.value", recheck, sealed({**changed, "claim": "1/5"}))


def test_an_adversary_proves_a_lower_bound_when_all_are_too_many() -> None:
    document = to_document(robust_identity())
    result = recheck(document, max_steps=10)
    assert (result.refutes, result.exact) == (True, False)
    idle = altered(document, ("witness", "strategy"), [])
    assert recheck(sealed(idle)).refutes
    lazy = recheck(sealed(idle), max_steps=10)
    assert not lazy.refutes
    assert "that another adversary attains it" in lazy.trusted


def test_multisets_stand_for_all_their_orderings() -> None:
    """The sum of two bits, 1 with probability 1/2: its frequency needs the multinomials."""
    coin: FiniteDistribution[object] = FiniteDistribution.uniform([0, 1])
    types = multiset_distribution(coin, 2)
    witness = LawsWitness(
        tuple((t, FiniteDistribution.point_mass(t.count(1))) for t in types.support),
        ((1, HALF),),
        HALF,
    )
    instance = Instance(Notion.GLOBAL_STABILITY, (0, 1), 2, distribution=coin)
    document = to_document(AuditResult(instance, HALF, Verdict.VERIFIED, witness, COUNTS))
    assert recheck(document).value == HALF
    with pytest.raises(InvalidInput, match="want all samples"):
        recheck(sealed(altered(document, ("witness", "up_to_order"), False)))


def perfect(simulator: dict[object, Fraction], factor: Fraction, beta: Fraction) -> AuditResult:
    """One fair bit, published with probability 3/4: laws (3/4, 1/4) and (1/4, 3/4)."""
    coin: FiniteDistribution[object] = FiniteDistribution.uniform([0, 1])
    witness = LawsWitness(
        tuple(
            ((b,), FiniteDistribution({b: Fraction(3, 4), 1 - b: Fraction(1, 4)})) for b in (0, 1)
        ),
        tuple(simulator.items()),
        factor,
    )
    instance = Instance(Notion.PERFECT_GENERALIZATION, (0, 1), 1, beta=beta, distribution=coin)
    claim = Fraction(3, 2)
    verdict = Verdict.REFUTED if factor > claim else Verdict.VERIFIED
    return AuditResult(instance, factor, verdict, witness, COUNTS, claim)


def test_a_simulator_is_held_against_the_laws() -> None:
    # The fair coin is at the factor 2 from both: 1/2 = 2 * 1/4. A claim of 3/2 fails because the
    # two laws are at the factor 3 from one another, more than (3/2)^2.
    fair: dict[object, Fraction] = {0: HALF, 1: HALF}
    result = recheck(to_document(perfect(fair, Fraction(2), Fraction(0))))
    assert (result.value, result.refutes, result.exact) == (2, True, False)
    assert "that no simulator has a smaller factor" in result.trusted
    with pytest.raises(InvalidInput, match="a simulator that is close with probability 0"):
        recheck(to_document(perfect(fair, Fraction(7, 4), Fraction(0))))
    # With beta = 1/2 one of the laws is a simulator at the factor 1.
    first: dict[object, Fraction] = {0: Fraction(3, 4), 1: Fraction(1, 4)}
    assert recheck(to_document(perfect(first, Fraction(1), HALF))).value == 1
    refuses("probability 1/2", recheck, to_document(perfect(first, Fraction(1), THIRD)))
    # Then the claim of 3/2 does not fail, although the fair coin does not keep it.
    result = recheck(to_document(perfect(fair, Fraction(2), HALF)))
    assert not result.refutes
    assert "that no simulator has a smaller factor, and so that the claim fails" in result.trusted
    half: dict[object, Fraction] = {0: HALF}
    refuses("a sum of exactly 1", recheck, to_document(perfect(half, Fraction(2), Fraction(0))))


def test_an_enclosed_factor_without_a_simulator_is_a_bound_to_trust() -> None:
    none = perfect({0: Fraction(1)}, Fraction(2), Fraction(0))
    assert isinstance(none.witness, LawsWitness)
    witness = LawsWitness(none.witness.laws, none.witness.strategy, math.inf)
    stopped = AuditResult(
        none.instance, Fraction(4), Verdict.BOUNDED, witness, COUNTS, note="a lower bound"
    )
    result = recheck(to_document(stopped))
    assert (result.value, result.refutes) == (math.inf, False)
    with pytest.raises(InvalidInput, match="the witness's infinity"):
        recheck(sealed({**to_document(stopped), "verdict": "verified"}))


FACTORS = st.sampled_from([Fraction(1), Fraction(5, 4), Fraction(3, 2), Fraction(2)])
SMALL = st.sampled_from([Fraction(0), Fraction(1, 10), Fraction(1, 3)])


def keyed(law: FiniteDistribution[object]) -> dict[Key, Fraction]:
    return {str(y): p for y, p in law.items()}


def covered(
    rows: list[FiniteDistribution[object]], q: dict[Key, Fraction], t: Fraction, delta: Fraction
) -> Fraction:
    """How many of the laws are close to q, every event tried."""

    def close(p: FiniteDistribution[object]) -> bool:
        outcomes = [*q, *(str(y) for y in p.support)]
        mine = keyed(p)
        for size in range(4):
            for event in combinations(dict.fromkeys(outcomes), size):
                a = sum((mine.get(y, Fraction(0)) for y in event), Fraction(0))
                b = sum((q.get(y, Fraction(0)) for y in event), Fraction(0))
                if a > t * b + delta or b > t * a + delta:
                    return False
        return True

    return Fraction(sum(map(close, rows)), len(rows))


@given(st.lists(TWO, min_size=2, max_size=4), FACTORS, SMALL, SMALL)
def test_with_two_outcomes_it_is_known_whether_there_is_a_simulator(
    rows: list[FiniteDistribution[object]], t: Fraction, delta: Fraction, beta: Fraction
) -> None:
    # The simulators close to a law form a closed interval, so an end of one of them is best.
    ps = [row.probability(0) for row in rows]
    ends = {e for p in ps for e in (
        (p - delta) / t, 1 - delta - t * (1 - p), t * p + delta, 1 - (1 - p - delta) / t
    )} | {Fraction(0), Fraction(1)}  # fmt: skip
    simulators: list[dict[Key, Fraction]] = [{"0": q, "1": 1 - q} for q in ends if 0 <= q <= 1]
    best = max(covered(rows, q, t, delta) for q in simulators)
    weighted = [(Fraction(1, len(rows)), keyed(row)) for row in rows]
    limits = Limits(1 << 16, 10**6)
    assert no_simulator(weighted, t, delta, beta, limits) == (best < 1 - beta)


@given(st.lists(THREE, min_size=2, max_size=4), THREE, FACTORS, SMALL, SMALL)
def test_no_simulator_means_none(
    rows: list[FiniteDistribution[object]],
    other: FiniteDistribution[object],
    t: Fraction,
    delta: Fraction,
    beta: Fraction,
) -> None:
    weighted = [(Fraction(1, len(rows)), keyed(row)) for row in rows]
    if no_simulator(weighted, t, delta, beta, Limits(1 << 16, 10**6)):
        mean = FiniteDistribution.mixture([(Fraction(1, len(rows)), row) for row in rows])
        for simulator in (other, mean, *rows):
            assert covered(rows, keyed(simulator), t, delta) < 1 - beta


def test_three_outcomes_leave_no_room() -> None:
    """Three laws, each sure of its own outcome.

    Without delta a simulator gives nothing to what is impossible under one of them. With delta 1/4
    and the factor 1 it gives at least 3/4 to each outcome; with delta 2/3, the uniform law will do.
    """
    sure: list[FiniteDistribution[object]] = [FiniteDistribution.point_mass(y) for y in range(3)]
    weighted = [(Fraction(1, 3), keyed(law)) for law in sure]
    limits = Limits(1 << 16, 10**6)
    assert no_simulator(weighted, Fraction(9), Fraction(0), Fraction(0), limits)
    assert no_simulator(weighted, Fraction(1), Fraction(1, 4), Fraction(1, 4), limits)
    assert not no_simulator(weighted, Fraction(1), Fraction(2, 3), Fraction(0), limits)
    assert not no_simulator(weighted, Fraction(9), Fraction(0), Fraction(0), Limits(1 << 16, 8))


def test_the_recheck_shares_no_code_with_the_search() -> None:
    folder = Path(checker.rechecking.__file__).parent
    own = {path.relative_to(folder).with_suffix("") for path in folder.rglob("*.py")}
    names = {".".join(path.parts).removesuffix(".__init__") for path in own}
    for name in own:
        tree = ast.parse((folder / name).with_suffix(".py").read_text())
        imported = {
            node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
        } | {
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.Import)
            for alias in node.names
        }
        ours = {module for module in imported if module.startswith("pac_stability")}
        allowed = {f"pac_stability.checker.{other}" for other in names} | {
            "pac_stability.checker",
            "pac_stability.errors",
            "pac_stability.reading",
        }
        assert ours <= allowed, name


COIN: FiniteDistribution[object] = FiniteDistribution({0: THIRD, 1: 2 * THIRD})
SUBSETS: tuple[tuple[object, ...], ...] = ((), (0,), (1,), (0, 1))


def deviation(test: tuple[object, ...], sample: tuple[object, ...]) -> Fraction:
    frequency = Fraction(sum(z in test for z in sample), len(sample))
    return abs(frequency - sum((COIN.probability(z) for z in test), Fraction(0)))


@given(st.lists(TWO, min_size=4, max_size=4), st.sampled_from([Fraction(0), THIRD, HALF]))
def test_exactly_one_deviation_is_the_right_one(
    rows: list[FiniteDistribution[object]], delta: Fraction
) -> None:
    """Every adversary against two outputs on two draws of a biased coin."""
    samples = COIN.power(2)
    joint = [(S, y, samples.probability(S) * p)
             for S, law in zip(samples.support, rows, strict=True)
             for y, p in law.items()]  # fmt: skip
    candidates = {Fraction(0)} | {deviation(t, S) for t in SUBSETS for S in samples.support}

    def fails(adversary: tuple[tuple[object, ...], ...], bound: Fraction) -> bool:
        lost = [w for S, y, w in joint if deviation(adversary[int(str(y))], S) > bound]
        return sum(lost, Fraction(0)) > delta

    adversaries = [(a, b) for a in SUBSETS for b in SUBSETS]
    truth = min(c for c in candidates if not any(fails(a, c) for a in adversaries))
    instance = Instance(Notion.ROBUST_GENERALIZATION, (0, 1), 2, delta=delta, distribution=COIN)
    for value in candidates:
        witness = LawsWitness(tuple(zip(samples.support, rows, strict=True)), (), value)
        document = to_document(AuditResult(instance, value, Verdict.VERIFIED, witness, COUNTS))
        if value == truth:
            assert recheck(document).exact
        else:
            refuses("which is reached with probability", recheck, document)


def majority(notion: Notion, value: Fraction, beta: Fraction, optimum: Fraction) -> AuditResult:
    """The majority of two fair labels, 0 when they are equal; it errs with probability 1/2.

    On the sample it errs never when the labels agree, and half the time when they do not.
    """
    universe = all_examples("a")
    fair: FiniteDistribution[object] = FiniteDistribution.uniform(universe)
    samples = [Sample("aa", labels) for labels in ((0, 0), (0, 1), (1, 0), (1, 1))]
    witness = LawsWitness(
        tuple((S, FiniteDistribution.point_mass(int(sum(S.labels) == 2))) for S in samples),
        ((0, (universe[1],)), (1, (universe[0],))),
        value,
    )
    instance = Instance(notion, universe, 2, beta=beta, distribution=fair, optimum=optimum)
    return AuditResult(instance, value, Verdict.VERIFIED, witness, COUNTS, HALF)


def test_generalization_compares_the_error_with_that_on_the_sample() -> None:
    # They differ by 1/2 when the labels agree, which has probability 1/2.
    for beta, value in ((Fraction(1, 4), HALF), (HALF, Fraction(0))):
        right = recheck(to_document(majority(Notion.GENERALIZATION, value, beta, Fraction(0))))
        assert (right.value, right.exact) == (value, True)
        wrong = to_document(majority(Notion.GENERALIZATION, HALF - value, beta, Fraction(0)))
        refuses(r"witness\.value", recheck, wrong)


def test_accuracy_is_measured_against_the_best_of_the_class() -> None:
    for optimum, value in ((Fraction(0), HALF), (HALF, Fraction(0)), (THIRD, Fraction(1, 6))):
        result = recheck(to_document(majority(Notion.ACCURACY, value, Fraction(0), optimum)))
        assert result.value == value
        assert any("smallest error in the class" in s for s in result.trusted) == bool(optimum)
    with pytest.raises(InvalidInput, match=r"witness\.value"):
        recheck(to_document(majority(Notion.ACCURACY, THIRD, Fraction(0), Fraction(0))))


def test_mistakes_are_those_of_the_hypotheses_where_these_are_known() -> None:
    universe = all_examples([0])
    fair: FiniteDistribution[object] = FiniteDistribution.uniform(universe)
    zero = Constant(0)

    def certificate(mistakes: tuple[tuple[object, object], ...]) -> Document:
        witness = LawsWitness(
            tuple((Sample([0], [y]), FiniteDistribution.point_mass(zero)) for y in (0, 1)),
            mistakes,
            HALF,
        )
        instance = Instance(Notion.ACCURACY, universe, 1, distribution=fair)
        return to_document(AuditResult(instance, HALF, Verdict.VERIFIED, witness, COUNTS))

    assert recheck(certificate(((zero, (universe[1],)),))).value == HALF
    refuses("those of the hypothesis", recheck, certificate(((zero, (universe[0],)),)))
    refuses("an output without its mistakes", recheck, certificate(()))


BITS: FiniteDistribution[object] = FiniteDistribution.uniform([0, 1])
FAIR = FiniteDistribution.uniform(all_examples("a"))
REVEAL: Deterministic[object, object] = Deterministic(lambda sample: sample)
FIRST: Deterministic[Sample[str], int] = Deterministic(lambda S: S.labels[0])


def noisy(sample: tuple[int, ...], rng: Coins) -> int:
    return sample[0] ^ rng.bernoulli(Fraction(1, 5))


AUDITS: dict[str, tuple[Callable[[], AuditResult], object]] = {
    "perfect": (lambda: audit.perfect_generalization(noisy, BITS, 2, 0, claim=0.2), noisy),
    "perfect but for beta": (lambda: audit.perfect_generalization(noisy, BITS, 2, HALF), noisy),
    "perfect for nobody": (lambda: audit.perfect_generalization(FIRST, FAIR, 2, THIRD), FIRST),
    "robust": (lambda: audit.robust_generalization(REVEAL, BITS, 3, "1/4", claim="1/7"), REVEAL),
    "robust but for all": (lambda: audit.robust_generalization(REVEAL, BITS, 3, 1), REVEAL),
    "global": (lambda: audit.global_stability(noisy, BITS, 2, claim="2/3"), noisy),
    "general": (lambda: audit.generalization(FIRST, FAIR, 2, "1/4", errs=errs), FIRST),
    "accurate": (lambda: audit.accuracy(FIRST, FAIR, 1, 0, errs=errs, hypotheses=[0, 1]), FIRST),
    "private": (lambda: audit.differential_privacy(noisy, 2, 2, labelled=False, claim=1), noisy),
    "group": (lambda: audit.group_privacy(noisy, 2, 2, 2, labelled=False), noisy),
}


@pytest.mark.parametrize("name", AUDITS)
def test_what_the_audits_find_is_confirmed(name: str) -> None:
    run, mechanism = AUDITS[name]
    found = run()
    result = recheck(to_document(found), against=mechanism)
    assert result.value == found.value
    assert result.verdict == found.verdict.value
    assert result.refutes == (found.verdict is Verdict.REFUTED)
    assert from_document(to_document(found)) == found
    refuted = found.verdict is Verdict.REFUTED
    simulated = found.instance.notion is Notion.PERFECT_GENERALIZATION
    assert result.exact != (simulated or (refuted and isinstance(found.witness, PairWitness)))
    assert result.proven == (refuted or not simulated)
