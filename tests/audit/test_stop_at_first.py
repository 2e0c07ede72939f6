"""An audit that ends with the first counterexample: a refutation like any other."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from pac_stability import audit, data, errors, randomness
from pac_stability.audit import Verdict, certificates
from pac_stability.audit.reports import text
from pac_stability.audit.search import parallel


@pytest.fixture(autouse=True)
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A piece of work is one sample, however fast the machine is."""
    monkeypatch.setattr(parallel, "PIECE", 0)


def chosen(sample: data.Sample[int], point: int, rng: randomness.ExactGenerator) -> int:  # noqa: ARG001
    return rng.choice(sample.labels)


def smoothed(sample: data.Sample[int], point: int) -> Fraction:  # noqa: ARG001
    return Fraction(1 + sum(sample.labels), 2 + len(sample))


def test_it_ends_early_with_a_witness_that_a_certificate_proves(tmp_path: Path) -> None:
    result = audit.private_prediction(chosen, 2, 3, claim=1, stop_at_first=True)
    assert result.verdict is Verdict.REFUTED
    assert result.value == float("inf")
    # 000 and 001, of the two points and labels, are neighbours, and among the first two samples.
    assert result.counts.datasets < 64
    assert f"after {result.counts.datasets} of 64 samples" in result.note
    assert "stopped at a counterexample" in text.audit_to_text(result, "chosen")
    file = tmp_path / "proof.json"
    certificates.save(result, file)
    checked = audit.recheck(file, against=chosen)
    assert checked.refutes
    assert checked.proved[-1] == "the laws are those of the given mechanism on these samples"
    file.write_text(json.dumps({**json.loads(file.read_text()), "verdict": "verified"}))
    with pytest.raises(errors.InvalidInput):
        audit.recheck(file)


def test_its_value_is_that_of_the_witness_and_no_more() -> None:
    result = audit.private_prediction(smoothed, 1, 4, claim="1/10", stop_at_first=True)
    whole = audit.private_prediction(smoothed, 1, 4, claim="1/10")
    assert (result.verdict, whole.verdict) == (Verdict.REFUTED, Verdict.REFUTED)
    # Labels 0000 and 0001: label 1 has 1/6 and 2/6, and no pair is further apart.
    assert result.value == whole.value == 2
    # One label more or less is one sixth, whatever the others are.
    one = audit.uniform_stability(smoothed, 1, 4, claim="1/100", stop_at_first=True)
    assert one.witness is not None
    assert one.value == one.witness.value == Fraction(1, 6)


def test_a_claim_that_holds_is_verified_as_ever() -> None:
    for stop in (False, True):
        result = audit.private_prediction(smoothed, 1, 3, claim=1, stop_at_first=stop)
        assert (result.verdict, result.value, result.note) == (Verdict.VERIFIED, 2, "")
        assert result.counts == audit.Counts(datasets=8, pairs=24, points=1, outcomes=2)


def test_what_is_refuted_late_is_refuted() -> None:
    def late(bits: tuple[int, ...]) -> data.FiniteDistribution[int]:
        return data.FiniteDistribution.point_mass(int(bits == (1, 1, 1)))

    result = audit.differential_privacy(late, 2, 3, labelled=False, claim=1, stop_at_first=True)
    assert result.verdict is Verdict.REFUTED
    assert result.witness is not None
    assert (1, 1, 1) in {result.witness.sample, result.witness.neighbour}


def test_without_a_claim_there_is_nothing_to_refute() -> None:
    with pytest.raises(errors.InvalidInput, match="stop_at_first: got True without a claim"):
        audit.private_prediction(smoothed, 1, 1, stop_at_first=True)
