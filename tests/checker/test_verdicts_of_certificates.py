"""A certificate as a whole: how it comes in, and which verdicts follow from what it shows."""

import copy
import functools
import json
import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from pac_stability import audit, checker, data, errors
from pac_stability.audit.certificates import to_document
from shared_certificates import first, noisy, sealed
from shared_refusals import refuses

COIN: data.FiniteDistribution[object] = data.FiniteDistribution.uniform([0, 1])


@functools.cache
def written() -> tuple[dict[str, Any], dict[str, Any]]:
    leaked = audit.differential_privacy(noisy, 2, 1, labelled=False, claim=0.5)
    return to_document(leaked), to_document(audit.global_stability(first, COIN, 1))


def private() -> dict[str, Any]:
    """Two laws that show the factor 3, and nothing about others."""
    return copy.deepcopy(written()[0])


def stable() -> dict[str, Any]:
    """All laws, which show that the most frequent output has probability 1/2."""
    return copy.deepcopy(written()[1])


def test_a_file_is_read_within_the_limits(tmp_path: Path) -> None:
    file = tmp_path / "it.json"
    file.write_text(json.dumps(private()), encoding="utf-8")
    size = file.stat().st_size
    assert checker.recheck(file) == checker.recheck(str(file)) == checker.recheck(private())
    assert checker.recheck(file, max_bytes=size).refutes
    refuses("bytes", checker.recheck, file, max_bytes=size - 1)
    refuses(r"it\.json", checker.recheck, tmp_path / "no" / "it.json")


def test_what_is_nested_too_deeply_is_refused_before_anything_else() -> None:
    deep: object = 0
    for _ in range(5000):
        deep = [deep]
    for document in (deep, private() | {"note": deep}):
        refuses("certificate: got lists nested too deeply", checker.recheck, document)


LOWER = (Fraction(1), Fraction(2), Fraction(3))
UPPER = (Fraction(3), Fraction(4))
CLAIMS = (None, *(Fraction(halves, 2) for halves in (2, 4, 5, 6, 7, 8, 10)))
VERDICTS = ("refuted", "verified", "bounded")


def holds(
    verdict: str, lower: Fraction, upper: Fraction, claim: Fraction | None, *, least: bool
) -> bool:
    """What a verdict says, written out: a claim is of at least, or of at most, so much."""
    if claim is None:
        return verdict == "bounded" or (verdict == "verified" and lower == upper)
    fails_all = upper < claim if least else lower > claim
    holds_for_all = lower >= claim if least else upper <= claim
    return {"refuted": fails_all, "verified": holds_for_all, "bounded": not fails_all}[verdict]


def asked(document: dict[str, Any], **fields: object) -> checker.Recheck | str:
    try:
        return checker.recheck(sealed(document | fields))
    except errors.InvalidInput as refusal:
        return refusal.argument


@pytest.mark.parametrize("verdict", VERDICTS)
@pytest.mark.parametrize("make", [private, stable])
def test_a_verdict_follows_from_the_bounds_and_the_claim(
    make: Callable[[], dict[str, Any]], verdict: str
) -> None:
    least = make is stable
    scale = Fraction(1, 6) if least else Fraction(1)  # so that the value is 3 times that
    shown, document = 3 * scale, make()
    for low, high, given in product(LOWER, UPPER, CLAIMS):
        lower, upper, claim = low * scale, high * scale, given and given * scale
        true = holds(verdict, lower, upper, claim, least=least)
        bounds = {"lower": str(lower), "upper": str(upper)}
        claimed = None if claim is None else str(claim)
        found = asked(document, value=bounds, claim=claimed, verdict=verdict)
        if not true:
            assert found == "verdict"
        else:
            assert isinstance(found, checker.Recheck)
            fails = claim is not None and (shown < claim if least else shown > claim)
            assert (found.value, found.claim, found.exact) == (shown, claim, least)
            assert found.refutes == (verdict == "refuted")
            assert found.proven == (least or (verdict == "refuted" and fails))


@pytest.mark.parametrize("verdict", VERDICTS)
def test_a_value_is_that_of_the_witness(verdict: str) -> None:
    for value, claim in product(("2", "3", "4"), CLAIMS):
        claimed = None if claim is None else str(claim)
        found = asked(private(), value=value, claim=claimed, verdict=verdict)
        if value != "3":
            assert found == "value"
        elif holds(verdict, Fraction(3), Fraction(3), claim, least=False):
            assert isinstance(found, checker.Recheck)
            assert found.proven == (verdict != "verified")
        else:
            assert found == "verdict"


def test_bounds_are_around_the_value_of_the_witness() -> None:
    for lower, upper, around in (("1", "3", True), ("3", "9", True), ("3", "3", True),
                                 ("4", "9", False), ("1", "2", False)):  # fmt: skip
        found = asked(
            private(), value={"lower": lower, "upper": upper}, verdict="bounded", claim=None
        )
        assert (found != "value") == around


def test_a_simulator_that_shows_nothing_leaves_a_bound_to_trust() -> None:
    document: Any = copy.deepcopy(
        to_document(audit.perfect_generalization(noisy, COIN, 1, 0, claim=0))
    )
    # One that shows a factor shows no other.
    assert isinstance(asked(document), checker.Recheck)
    for verdict in ("refuted", "bounded"):
        assert asked(document, value="9", verdict=verdict, claim=None) == "value"
        assert asked(document, value="9", verdict=verdict, claim="8") == "value"
    document["witness"]["value"] = "infinity"
    trusted = asked(document, value="2", verdict="refuted")
    assert isinstance(trusted, checker.Recheck)
    assert (trusted.value, trusted.exact) == (math.inf, False)
    assert asked(document, value="2", verdict="verified", claim="2") == "value"
    # Of other notions an infinite witness has an infinite value.
    leak: Any = to_document(audit.differential_privacy(first, 2, 1, labelled=False, claim=1))
    assert isinstance(asked(leak), checker.Recheck)
    assert asked(leak, value="9") == "value"


@pytest.mark.parametrize(("field", "value", "argument"), [
    ("labelled", 1, "instance.labelled"),
    ("labelled", None, "instance.labelled"),
    ("universe", [0, 0], "instance.universe"),
    ("universe", 0, "instance.universe"),
    ("points", [1, True], "instance.points"),
    ("epsilon_ratio", "1/2", "instance.epsilon_ratio"),
    ("distribution", [[0, "1/2"], [2, "1/2"]], "instance.distribution"),
    ("distribution", [[0, "1"]], "instance.distribution"),
    ("distribution", [[0, "1/2"], [1, "1/3"]], "instance.distribution"),
    ("distribution", [[0, "1/2", 0]], "instance.distribution"),
    ("n", -1, "instance.n"),
    ("delta", "3/2", "instance.delta"),
    ("beta", "3/2", "instance.beta"),
    ("optimum", "-1/2", "instance.optimum"),
    ("relation", "other", "instance.relation"),
    ("group_size", 0, "instance.group_size"),
    ("symmetry", "claimed", "instance.symmetry"),
])  # fmt: skip
def test_a_wrong_instance_is_named(field: str, value: object, argument: str) -> None:
    document = stable()
    document["instance"][field] = value
    assert asked(document) == argument


@pytest.mark.parametrize("ratio", ["1", "2"])
def test_a_ratio_is_a_factor(ratio: str) -> None:
    found = audit.differential_privacy(first, 2, 1, epsilon=1, labelled=False)
    document: dict[str, Any] = to_document(found)
    document["instance"]["epsilon_ratio"] = ratio
    assert isinstance(asked(document), checker.Recheck)


@pytest.mark.parametrize(("objects", "argument"), [
    ([], None),
    ([{"repr": "f"}], None),
    ([{"repr": "f", "labels": [[0, 1], [1, 0]]}], None),
    ([{"labels": []}], "objects[0]"),
    ([{"repr": "f"}, "g"], "objects[1]"),
    ([{"repr": "f", "name": "f"}], "objects[0]"),
    ([{"repr": 1}], "objects[0].repr"),
    ([{"repr": "f", "labels": {}}], "objects[0].labels"),
    ([{"repr": "f", "labels": [[0]]}], "objects[0].labels"),
    ([{"repr": "f", "labels": [[0, 2]]}], "objects[0].labels"),
    ([{"repr": "f", "labels": [[0, -1]]}], "objects[0].labels"),
    ([{"repr": "f", "labels": [[0, True]]}], "objects[0].labels"),
    ([{"repr": "f", "labels": [[0, 1], [0, 1]]}], "objects[0].labels"),
])  # fmt: skip
def test_objects_are_described_as_they_must_be(objects: object, argument: str | None) -> None:
    found = asked(stable(), objects=objects)
    assert found == argument if argument else isinstance(found, checker.Recheck)


def test_claims_and_counts() -> None:
    assert asked(private(), claim="1/2") == "claim"
    kept = asked(private(), claim="1")
    assert isinstance(kept, checker.Recheck)
    assert kept.proved[-1] == "so the claim 1 fails"
    # Of a probability a claim may be anything.
    assert isinstance(asked(stable(), claim="1/3"), checker.Recheck)
    # The factor is 3: a claim of 3 is kept, and 1 is not.
    for claim, last in ((math.log(4), []), (0, ["so the claim 1 fails"])):
        found = audit.differential_privacy(noisy, 2, 1, labelled=False, claim=claim)
        proved = checker.recheck(to_document(found)).proved
        assert [sentence for sentence in proved if "claim" in sentence] == last
    counts = {"datasets": 2, "pairs": 4, "points": 1, "outcomes": 2}
    for key in counts:
        assert asked(stable(), counts={**counts, key: -1}) == f"counts.{key}"
    assert asked(stable(), counts={"datasets": 2}) == "counts"
    said = asked(private(), counts={**counts, "pairs": 77})
    assert isinstance(said, checker.Recheck)
    assert any("2 datasets and 77 pairs" in sentence for sentence in said.trusted)
    assert not any("nothing else is worse" in s for s in checker.recheck(stable()).trusted)


def test_assumptions_and_notes_are_texts_that_are_repeated() -> None:
    assert asked(stable(), note=1) == "note"
    assert asked(stable(), assumptions="x") == "assumptions"
    assert asked(stable(), assumptions=[1]) == "assumptions"
    found = asked(stable(), assumptions=["it draws nothing", "it keeps nothing"])
    assert isinstance(found, checker.Recheck)
    assert found.trusted[-2:] == (
        "the search assumed: it draws nothing", "the search assumed: it keeps nothing"
    )  # fmt: skip
    assert (found.proven, found.notion, found.verdict) == (True, "global-stability", "verified")


def deviating(epsilon: str) -> dict[str, Any]:
    """The one record is published: the test that holds it alone is 1/2 off, always."""
    found = audit.robust_generalization(first, COIN, 1, epsilon=epsilon, claim="1/2")
    document: dict[str, Any] = copy.deepcopy(to_document(found))
    return document


def test_a_deviation_is_exceeded_so_often() -> None:
    checked = checker.recheck(deviating("1/4"))
    assert (checked.value, checked.refutes, checked.exact) == (1, True, True)
    # Not more than 1/2, ever.
    document = deviating("1/2")
    document["witness"]["strategy"] = deviating("1/4")["witness"]["strategy"]
    assert checker.recheck(sealed(document)).value == 0
    document = deviating("1/4")
    document["value"] = document["witness"]["value"] = "3/4"
    refuses(r"witness\.value: got 3/4 .*as the tests do", checker.recheck, sealed(document))


def test_a_deviation_that_another_adversary_makes_more_often() -> None:
    document = deviating("1/4")
    document.update(value="0", verdict="verified")
    document["witness"].update(value="0", strategy=[])
    refuses(r"witness\.value: got 0, want 1, the largest", checker.recheck, sealed(document))
    # Where all adversaries are too many, it is not a proof.
    few = next(steps for steps in range(1, 99) if _is_read(sealed(document), steps))
    checked = checker.recheck(sealed(document), max_steps=few)
    assert (checked.value, checked.exact, checked.proven, checked.refutes) == (
        0,
        False,
        False,
        False,
    )
    assert isinstance(checked.value, Fraction)
    assert "that no adversary does so more often" in checked.trusted


def _is_read(document: dict[str, Any], steps: int) -> bool:
    try:
        checker.recheck(document, max_steps=steps)
    except errors.InvalidInput:
        return False
    return True


@pytest.mark.parametrize("name", ["predictions", "insertions", "groups"])
def test_what_a_recheck_holds_at_once_is_bounded(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = json.loads(
        (Path(__file__).parents[1] / f"corpus/certificate/verified-{name}.json").read_text()
    )
    assert checker.recheck(document).proven
    monkeypatch.setattr("pac_stability.checker.pairs.MOST_AT_ONCE", 1)
    found = checker.recheck(document)
    assert not found.proven
    assert any("more than 1 pairs of nodes to be followed at once" in s for s in found.trusted)
