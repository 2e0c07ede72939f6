"""Certificates: nothing is lost on the way to JSON and back, and equal results give equal bytes."""

import json
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from pac_stability import Interval, audit, checker, errors
from pac_stability.audit import certificates
from pac_stability.data import (
    FiniteDistribution,
    Multiset,
    Neighbouring,
    Sample,
    all_examples,
    multiset_distribution,
)
from shared_draws import plain_values
from shared_refusals import refuses

HALF = Fraction(1, 2)
COUNTS = audit.Counts(4, 8, 0, 2)


def law_on(outcomes: list[object], weights: list[int]) -> FiniteDistribution[object]:
    positive = [1 + w for w in weights[: len(outcomes)]]
    return FiniteDistribution(
        {y: Fraction(w, sum(positive)) for y, w in zip(outcomes, positive, strict=True)}
    )


def one_step(
    law: FiniteDistribution[object],
    other: FiniteDistribution[object],
    event: tuple[object, ...],
    value: Fraction | float,
) -> audit.AuditResult:
    """An audit of differential privacy with this pair of laws for its witness."""
    instance = audit.Instance(
        audit.Notion.DIFFERENTIAL_PRIVACY, all_examples(["a", (1, Fraction(1, 3))]), 1
    )
    witness = audit.PairWitness(
        Sample(["a"], [0]), Sample([(1, Fraction(1, 3))], [1]), None, law, other, event, value
    )
    return audit.AuditResult(instance, value, audit.Verdict.VERIFIED, witness, COUNTS)


@given(
    st.lists(plain_values(), min_size=1, max_size=5, unique=True),
    st.lists(st.integers(0, 9), min_size=5, max_size=5),
)
def test_plain_outcomes_survive_exactly(outcomes: list[object], weights: list[int]) -> None:
    law = law_on(outcomes, weights)
    ratio = 1 / law.probability(outcomes[0])
    result = one_step(FiniteDistribution.point_mass(outcomes[0]), law, (outcomes[0],), ratio)
    text = certificates.to_json(result)
    back = certificates.from_json(text)
    assert back == result
    assert certificates.to_json(back) == text
    witness = back.witness
    assert isinstance(witness, audit.PairWitness)
    kept = {y: type(y) for y in witness.neighbour_law.support}
    assert all(kept[y] is type(y) for y in outcomes)


@pytest.mark.parametrize(
    ("notion", "ratio", "delta", "value"),
    [("private-prediction", 1, "1/9", math.inf), ("private-prediction-at-epsilon", "3/2", 0, HALF)],
)
def test_every_field_survives(
    notion: str, ratio: str | int, delta: str | int, value: Fraction | float
) -> None:
    instance = audit.Instance(
        audit.Notion.named(notion),
        ("r", Fraction(1, 7), None),
        2,
        points=(None, "r"),
        epsilon_ratio=Fraction(ratio),
        delta=Fraction(delta),
        relation=Neighbouring.ADD_REMOVE,
        group_size=2,
        symmetry=audit.Symmetry.SHOWN,
        distribution=FiniteDistribution(
            {"r": HALF, Fraction(1, 7): Fraction(1, 3), None: Fraction(1, 6)}
        ),
    )
    law: FiniteDistribution[object] = FiniteDistribution({0: HALF, 1: HALF})
    other: FiniteDistribution[object] = FiniteDistribution.point_mass(1)
    witness = audit.PairWitness(("r", None), ("r",), None, law, other, (0,), value)
    claim = Fraction(5, 4) if ratio == 1 else Fraction(1, 4)
    result = audit.AuditResult(
        instance, value, audit.Verdict.REFUTED, witness, audit.Counts(1, 2, 3, 4), claim, "a remark"
    )
    assert certificates.from_json(certificates.to_json(result)) == result


def test_laws_on_all_samples_survive() -> None:
    coin: FiniteDistribution[object] = FiniteDistribution.uniform([0, 1])
    types = multiset_distribution(coin, 2)
    instance = audit.Instance(audit.Notion.GLOBAL_STABILITY, (0, 1), 2, distribution=coin)
    for laws in (
        tuple((t, FiniteDistribution.point_mass(t.count(1))) for t in types.support),
        tuple((s, FiniteDistribution.point_mass(sum(s))) for s in ((0, 0), (0, 1), (1, 0), (1, 1))),
    ):
        witness = audit.LawsWitness(laws, ((1, HALF),), HALF)
        result = audit.AuditResult(instance, HALF, audit.Verdict.VERIFIED, witness, COUNTS)
        back = certificates.from_json(certificates.to_json(result))
        assert back == result
        assert isinstance(back.witness, audit.LawsWitness)
        assert isinstance(back.witness.laws[0][0], Multiset if laws[0][0] != (0, 0) else tuple)


def test_tests_of_an_adversary_survive() -> None:
    universe = all_examples("a")
    fair = FiniteDistribution.uniform(universe)
    witness = audit.LawsWitness(
        tuple(
            (Sample.from_examples([z]), FiniteDistribution.point_mass(z.label)) for z in universe
        ),
        ((0, (universe[1],)), (1, (universe[1],))),
        HALF,
    )
    instance = audit.Instance(audit.Notion.ROBUST_GENERALIZATION, universe, 1, distribution=fair)
    result = audit.AuditResult(instance, HALF, audit.Verdict.VERIFIED, witness, COUNTS)
    assert certificates.from_json(certificates.to_json(result)) == result


def test_an_enclosure_survives() -> None:
    law: FiniteDistribution[object] = FiniteDistribution.uniform([0, 1])
    result = one_step(FiniteDistribution.point_mass(0), law, (0,), Fraction(2))
    bounded = audit.AuditResult(
        result.instance, Interval(HALF, Fraction(5)), audit.Verdict.BOUNDED, result.witness, COUNTS
    )
    assert certificates.from_json(certificates.to_json(bounded)) == bounded


def test_the_order_in_which_a_law_lists_its_outcomes_does_not_matter() -> None:
    texts = set()
    for outcomes in ([0, "a", (1,), None], ["a", None, 0, (1,)], [(1,), "a", None, 0]):
        law: FiniteDistribution[object] = FiniteDistribution.uniform(outcomes)
        texts.add(certificates.to_json(one_step(law, law, ("a",), Fraction(1))))
    assert len(texts) == 1


def test_one_outcome_that_python_writes_in_two_ways_is_one_outcome() -> None:
    law: FiniteDistribution[object] = FiniteDistribution({True: HALF, (1, 2): HALF})
    other: FiniteDistribution[object] = FiniteDistribution({1: HALF, (True, Fraction(2)): HALF})
    result = one_step(law, other, (1,), Fraction(1))
    assert checker.rechecking.recheck(certificates.to_document(result)).value == 1
    assert certificates.from_json(certificates.to_json(result)) == result


def threshold(cut: int) -> Callable[[object], int]:
    return lambda point: int(point != "a" and cut > 0)


def test_objects_are_described_and_keep_their_identity() -> None:
    zero, one = threshold(0), threshold(1)
    stranger = frozenset({3})
    law: FiniteDistribution[object] = FiniteDistribution.uniform([one, zero, stranger])
    other: FiniteDistribution[object] = FiniteDistribution.uniform([zero, stranger])
    text = certificates.to_json(one_step(law, other, (one,), math.inf))
    assert " at 0x" not in text
    assert checker.rechecking.recheck(json.loads(text)).value == math.inf
    back = certificates.from_json(text)
    assert certificates.to_json(back) == text
    assert isinstance(back.witness, audit.PairWitness)
    (kept,) = back.witness.event
    assert isinstance(kept, certificates.RecordedObject)
    assert "threshold" in repr(kept)
    assert [kept("a"), kept((1, Fraction(1, 3)))] == [0, 1]
    refuses(r"a point that .* was recorded at", kept, "elsewhere")
    assert len(back.witness.law) == 3
    assert {repr(y) for y in back.witness.law.support} > {"frozenset({3})"}


def test_objects_are_numbered_alike_however_they_come() -> None:
    zero, one = threshold(0), threshold(1)
    texts = {
        certificates.to_json(
            one_step(FiniteDistribution.uniform(order), FiniteDistribution.uniform(order), (), 1)
        )
        for order in ([zero, one], [one, zero])
    }
    assert len(texts) == 1


def test_sets_are_described_in_an_order_that_does_not_change_from_run_to_run() -> None:
    letters = frozenset("stability")
    law: FiniteDistribution[object] = FiniteDistribution.uniform([letters, (1, letters)])
    described = certificates.to_document(one_step(law, law, (), Fraction(1)))["objects"]
    inside = "frozenset({'a', 'b', 'i', 'l', 's', 't', 'y'})"
    assert described == [{"repr": f"(1, {inside})"}, {"repr": inside}]


class Awkward:
    """Looks like the number 3 to Python, is equal to nothing else, and cannot be shown."""

    def __index__(self) -> int:
        return 3

    def __repr__(self) -> str:
        raise RuntimeError

    def __call__(self, point: object) -> int:
        raise KeyError(point)


def test_an_object_that_looks_like_a_number_is_no_number() -> None:
    law: FiniteDistribution[object] = FiniteDistribution.uniform([3, Awkward()])
    document = certificates.to_document(one_step(law, law, (3,), Fraction(1)))
    assert document["objects"] == [{"repr": "<Awkward>"}]
    assert checker.rechecking.recheck(document).value == 1


def test_long_numbers_are_written_in_base_sixteen() -> None:
    # Python refuses to write or read integers of more than 4300 decimal digits.
    tiny = Fraction(1, 2**20_000 + 1)
    law: FiniteDistribution[object] = FiniteDistribution({0: tiny, 1: 1 - tiny})
    result = one_step(FiniteDistribution.point_mass(0), law, (0,), 1 / tiny)
    assert certificates.from_json(certificates.to_json(result)) == result


def test_a_file_appears_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    law: FiniteDistribution[object] = FiniteDistribution.uniform([0, 1])
    result = one_step(law, law, (0,), Fraction(1))
    path = tmp_path / "audit.json"
    certificates.save(result, path)
    assert certificates.load(path) == result
    assert path.read_text() == certificates.to_json(result)
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(errors.InvalidInput, match="no space left on device"):
        certificates.save(one_step(law, law, (1,), Fraction(1)), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_what_has_no_certificate_is_refused() -> None:
    law: FiniteDistribution[object] = FiniteDistribution.uniform([0, 1])
    result = one_step(law, law, (0,), Fraction(1))
    nothing = audit.AuditResult(
        result.instance, Fraction(1), audit.Verdict.SKIPPED, None, audit.Counts(0, 0, 0, 0)
    )
    refuses("an audit without a witness", certificates.to_json, nothing)
    stranger = audit.Instance(audit.Notion.DIFFERENTIAL_PRIVACY, (frozenset(),), 1)
    with pytest.raises(errors.InvalidInput, match="points"):
        certificates.to_json(
            audit.AuditResult(stranger, Fraction(1), audit.Verdict.VERIFIED, result.witness, COUNTS)
        )


def test_a_false_certificate_is_not_read() -> None:
    law: FiniteDistribution[object] = FiniteDistribution.uniform([0, 1])
    document = certificates.to_document(one_step(law, law, (0,), Fraction(1)))
    document["value"] = "2"
    document["sha256"] = certificates.digest(document)
    refuses("the witness's 1", certificates.from_document, document)


def test_the_layout_is_that_of_the_reference_page() -> None:
    law: FiniteDistribution[object] = FiniteDistribution({0: Fraction(3, 4), 1: Fraction(1, 4)})
    lines = certificates.to_json(one_step(law, law, (0,), Fraction(1))).splitlines()
    assert ' "value": "1",' in lines
    assert '  "law": [[0, "3/4"], [1, "1/4"]],' in lines
    assert max(map(len, lines)) <= 100
