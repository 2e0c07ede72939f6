"""What an answer rests on besides what was examined is said wherever the answer is."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from pac_stability import audit, data, errors, randomness
from pac_stability.audit import again
from pac_stability.audit.reports import html
from pac_stability.audit.reports.text import audit_to_text, case_of
from pac_stability.audit.results import DECLARED, LAW, MEMORY, PROGRAM
from shared_subjects import flipped_label

if TYPE_CHECKING:
    from collections.abc import Sequence


def response(sample: data.Sample[int], rng: randomness.Coins) -> int:
    return sample.labels[0] ^ rng.bernoulli(Fraction(1, 4))


def law(sample: data.Sample[int]) -> data.FiniteDistribution[int]:
    return data.FiniteDistribution.point_mass(len(sample))


class Predictor:
    symmetric = True

    def probabilities(self, sample: data.Sample[int], points: Sequence[int]) -> list[Fraction]:
        return [Fraction(sum(sample.labels), 3)] * len(points)


FAIR = data.FiniteDistribution.uniform([data.Example(0, 0), data.Example(0, 1)])


def test_a_program_is_assumed_to_draw_only_where_it_is_seen() -> None:
    assert audit.private_prediction(flipped_label, 1, 2).assumptions == (PROGRAM, MEMORY)
    assert audit.differential_privacy(response, 1, 1).assumptions == (PROGRAM, MEMORY)
    assert audit.differential_privacy(data.FromProgram(response), 1, 1).assumptions[0] == PROGRAM
    assert audit.global_stability(response, FAIR, 1).assumptions == (PROGRAM, MEMORY)


def test_an_algorithm_that_gives_its_law_is_taken_at_its_word() -> None:
    assert audit.differential_privacy(law, 1, 1).assumptions == (LAW, MEMORY)
    assert audit.differential_privacy(data.Deterministic(len), 1, 1).assumptions == (LAW, MEMORY)
    assert audit.global_stability(law, FAIR, 1).assumptions == (LAW, MEMORY)


def test_a_declared_symmetry_is_an_assumption_and_a_shown_one_is_none() -> None:
    predictor = Predictor()
    assert audit.uniform_stability(predictor, 1, 2).assumptions == (LAW, MEMORY, DECLARED)
    shown = audit.is_symmetric(predictor, 1, 2)
    result = audit.uniform_stability(predictor, 1, 2, symmetric=shown)
    assert result.assumptions == (LAW, MEMORY)


def test_an_unfinished_audit_and_an_enclosed_one_say_it_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pac_stability.audit.search.parallel.PIECE", -1.0)
    with pytest.raises(audit.AuditStopped) as stopped:
        audit.private_prediction(flipped_label, 2, 6, time_limit=1e-9)
    assert stopped.value.partial is not None
    assert stopped.value.partial.assumptions == (PROGRAM, MEMORY)


def test_nothing_examined_assumes_nothing() -> None:
    assert audit.private_prediction(flipped_label, 1, 0).assumptions == ()


def test_every_report_says_each_sentence() -> None:
    result = audit.private_prediction(flipped_label, 1, 2, claim=2)
    assert result.verdict is audit.Verdict.VERIFIED
    text = audit_to_text(result, "flipped_label")
    lines = text.splitlines()
    verdict = next(i for i, line in enumerate(lines) if line.startswith("verdict"))
    assert lines[verdict + 1] == f"assuming    {PROGRAM}"
    assert lines[verdict + 2] == f"            {MEMORY}"
    assert case_of("flipped_label", result).report == text
    page = html.audit_to_html(result, "flipped_label", "1")
    document = audit.certificates.to_report(result, "1")
    assert document["assumptions"] == [PROGRAM, MEMORY]
    story = again.explain(audit.certificates.to_document(result))
    for sentence in (PROGRAM, MEMORY):
        assert sentence in page
        assert sentence in story


def test_a_certificate_keeps_them_and_its_recheck_says_them() -> None:
    result = audit.private_prediction(flipped_label, 1, 2, claim=2)
    assert audit.certificates.from_json(audit.certificates.to_json(result)) == result
    checked = audit.recheck(audit.certificates.to_document(result))
    assert f"the search assumed: {PROGRAM}" in checked.trusted
    assert f"the search assumed: {MEMORY}" in checked.trusted


@pytest.mark.parametrize("assumptions", ["text", [1], [None], {}, None])
def test_a_certificate_with_other_assumptions_than_sentences_is_refused(
    assumptions: object,
) -> None:
    document = json.loads(audit.certificates.to_json(audit.private_prediction(flipped_label, 1, 2)))
    document["assumptions"] = assumptions
    document["sha256"] = audit.certificates.digest(document)
    with pytest.raises(errors.InvalidInput, match="assumptions"):
        audit.recheck(document)
