"""Renyi privacy at one order, in every form in which a notion is met."""

import json
import math
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from pac_stability import arithmetic, audit, checker, cli, data, testing
from pac_stability.audit.certificates import digest, from_json, to_document, to_json
from shared_refusals import refuses

QUARTER = Fraction(1, 4)


def response(bits: tuple[int, ...]) -> data.FiniteDistribution[int]:
    """The first bit, told truly in three cases of four."""
    if not bits:
        return data.FiniteDistribution.uniform([0, 1])
    return data.FiniteDistribution({bits[0]: 1 - QUARTER, 1 - bits[0]: QUARTER})


def counted(bits: tuple[int, ...]) -> data.FiniteDistribution[int]:
    """A number that is larger the more ones there are."""
    ones = sum(bits)
    return data.FiniteDistribution({k: Fraction(1 + (k == ones), 6) for k in range(5)})


def divergence(p: Any, q: Any, order: float) -> float:
    pairs = [(float(w), float(q.probability(y))) for y, w in p.items()]
    if any(not b for _, b in pairs):
        return math.inf
    if order == 1:
        return sum(a * math.log(a / b) for a, b in pairs)
    return math.log(sum(a**order * b ** (1 - order) for a, b in pairs)) / (order - 1)


@pytest.mark.parametrize("order", ["1", "3/2", "2", "7"])
@pytest.mark.parametrize("relation", data.Neighbouring)
def test_it_is_the_largest_divergence_of_the_order(order: str, relation: data.Neighbouring) -> None:
    found = audit.renyi_privacy(counted, 2, 2, order, labelled=False, relation=relation)
    assert isinstance(found.value, arithmetic.Interval)
    sizes = (2,) if relation is data.Neighbouring.REPLACE_ONE else (1, 2, 3)
    samples = [bits for size in sizes for bits in product((0, 1), repeat=size)]
    expected = max(
        divergence(counted(a), counted(b), float(Fraction(order)))
        for a in samples
        for b in samples
        if (len(a) == len(b) and sum(x != y for x, y in zip(a, b, strict=True)) == 1)
        or (len(a) + 1 == len(b) and any(b[:i] + b[i + 1 :] == a for i in range(len(b))))
        or (len(b) + 1 == len(a) and any(a[:i] + a[i + 1 :] == b for i in range(len(a))))
        if 2 in (len(a), len(b))
        and (len(a) == len(b)) == (relation is data.Neighbouring.REPLACE_ONE)
    )
    assert float(found.value.lower) - 1e-12 <= expected <= float(found.value.upper) + 1e-12
    assert found.value.upper - found.value.lower <= Fraction(2, 1 << 30)
    assert found.witness is not None
    assert found.witness.order == Fraction(order)


@pytest.mark.parametrize(
    ("claim", "verdict"), [("0.848", audit.Verdict.VERIFIED), ("0.847", audit.Verdict.REFUTED)]
)
def test_a_claim_is_decided_and_rechecked(claim: str, verdict: audit.Verdict) -> None:
    """At order 2 it is ln(7/3) = 0.8473."""
    found = audit.renyi_privacy(response, 2, 2, 2, claim=claim, labelled=False)
    assert found.verdict is verdict
    assert from_json(to_json(found)) == found
    checked = audit.recheck(to_document(found), against=response)
    assert checked.proven
    assert checked.refutes == (verdict is audit.Verdict.REFUTED)
    assert "order 2 is at least as large" in checked.proved[1]
    assert "at least the value\n" in str(found)
    assert "order       2" in str(found)
    story = audit.explain(found)
    assert "Here order = 2." in story
    assert "The Renyi divergence of order 2 of the first law from the second" in story


def test_infinite_equal_and_refused() -> None:
    def reveals(bits: tuple[int, ...]) -> data.FiniteDistribution[int]:
        return data.FiniteDistribution.point_mass(bits[0])

    found = audit.renyi_privacy(reveals, 2, 1, 2, claim=3, labelled=False)
    assert (found.value, found.verdict) == (math.inf, audit.Verdict.REFUTED)
    assert checker.recheck(to_document(found)).refutes
    nothing = audit.renyi_privacy(lambda _: response(()), 2, 1, 2, claim=0, labelled=False)
    assert (nothing.value, nothing.verdict) == (0, audit.Verdict.VERIFIED)
    assert checker.recheck(to_document(nothing)).proven
    refuses("order: got 1/2", audit.renyi_privacy, response, 2, 1, "1/2")


def test_a_forger_is_refused() -> None:
    document = to_document(audit.renyi_privacy(response, 2, 1, 2, claim="0.8", labelled=False))
    witness: Any = document["witness"]
    instance: Any = document["instance"]
    for changed in (
        {"instance": {**instance, "order": "3"}},
        {"instance": {**instance, "order": "1/2"}},
        {"witness": {**witness, "order": "3"}},
        {"witness": {**witness, "value": "0.8474"}},
        {"witness": {k: v for k, v in witness.items() if k != "order"}},
        {"value": {"lower": "9/10", "upper": "1"}},
    ):
        forged = {**document, **changed}
        refuses("", checker.recheck, {**forged, "sha256": digest(forged)})
    # It says more than there is: some pair shows more than the claim.
    kept = to_document(audit.renyi_privacy(response, 2, 1, 2, claim="0.85", labelled=False))
    forged = {**kept, "claim": "0.84730"[:-2]}
    refuses("", checker.recheck, {**forged, "sha256": digest(forged)})


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, proof = tmp_path / "told.py", tmp_path / "proof.json"
    path.write_text(
        "from fractions import Fraction\n"
        "def learn(bits, rng):\n"
        "    return bits[0] ^ rng.bernoulli(Fraction(1, 4))\n"
    )
    asked = ["audit", f"{path}::learn", "--notion", "renyi-privacy", "--unlabelled",
             "--domain", "2", "--n", "1"]  # fmt: skip
    fixed = ["--fix", "order=2", "--claim", "0.85", "--certificate", str(proof)]
    assert cli.main([*asked, *fixed]) == 0
    assert cli.main(["recheck", str(proof), "--against", f"{path}::learn"]) == 0
    assert cli.main([*asked, *fixed, "--json"]) == 0
    printed = capsys.readouterr().out
    document = json.loads(printed[printed.index("\n{") :])
    assert document["instance"]["order"] == "2"
    for wrong in (["--fix", "orders=2"], ["--fix", "2"], ["--fix", "order=1/2"], []):
        assert cli.main([*asked, *wrong]) == 2


class Promising:
    """A learner that says what it keeps to."""

    def __init__(self, divergence: str) -> None:
        self.divergence = divergence

    def promises(self, _: int) -> dict[object, object]:
        return {audit.Notion.RENYI_PRIVACY: audit.RenyiBound(2, self.divergence)}

    def law(self, bits: tuple[int, ...]) -> data.FiniteDistribution[int]:
        return response(bits)


def test_it_is_part_of_a_contract() -> None:
    testing.check_learner(Promising("0.85"), domain=2, sizes=2, labelled=False)
    with pytest.raises(AssertionError, match="renyi"):
        testing.check_learner(Promising("0.84"), domain=2, sizes=2, labelled=False)
