"""Certificates in words: the numbers are those of the certificate, the story fits the notion."""

from fractions import Fraction
from pathlib import Path

import pytest

from pac_stability import audit, data, errors, randomness
from pac_stability.audit import again, certificates

THIRD = Fraction(1, 3)


def response(S: data.Sample[str], x: str, rng: randomness.Coins) -> int:
    """The first label at its point, flipped with probability 1/3; a fair coin elsewhere."""
    if S.points[0] != x:
        return rng.bernoulli(Fraction(1, 2))
    return S.labels[0] ^ rng.bernoulli(THIRD)


def test_a_refutation_is_told_from_the_claim_to_what_is_left_to_trust(tmp_path: Path) -> None:
    file = tmp_path / "certificate.json"
    certificates.save(audit.private_prediction(response, ["a"], 1, claim=Fraction(1, 2)), file)
    story = again.explain(file)
    paragraphs = story.split("\n\n")
    assert paragraphs[0].startswith("Private prediction promises that replacing one example")
    assert "The claim: epsilon at most 0.5" in paragraphs[0]
    assert "differ in the marked places" in paragraphs[1]
    assert {line.split("=")[1].strip() for line in paragraphs[1].splitlines()[1:]} == {
        "[('a', 0)]",
        "[('a', 1)]",
    }
    assert "2/3 (0.666667) against 1/3 (0.333333)" in paragraphs[2]
    assert "is 2 times the second, so the least possible value is e^epsilon = 2" in paragraphs[3]
    assert "so the claim fails" in paragraphs[4]
    assert paragraphs[5].startswith("What the certificate proves:")
    assert "- that the laws are those of the mechanism" in paragraphs[6]


def pair(
    notion: audit.Notion, event: tuple[object, ...], value: Fraction | float, **more: object
) -> str:
    """The story of two laws: (1/3, 2/3) and a point mass on 1."""
    p: data.FiniteDistribution[object] = data.FiniteDistribution({0: THIRD, 1: 2 * THIRD})
    q: data.FiniteDistribution[object] = data.FiniteDistribution.point_mass(1)
    points = () if notion is audit.Notion.DIFFERENTIAL_PRIVACY else ("a",)
    instance = audit.Instance(notion, data.all_examples("ab"), 2, points, **more)  # type: ignore[arg-type]  # fields of Instance
    samples = data.Sample("aa", [0, 1]), data.Sample("ab", [0, 0])
    witness = audit.PairWitness(*samples, "a" if points else None, p, q, event, value)
    result = audit.AuditResult(
        instance, value, audit.Verdict.VERIFIED, witness, audit.Counts(1, 1, 1, 2)
    )
    return again.explain(certificates.to_document(result))


def test_each_notion_about_pairs_has_its_own_arithmetic() -> None:
    gap = pair(audit.Notion.UNIFORM_STABILITY, (0,), THIRD)
    assert "They differ by 1/3 (0.333333), so the least possible value is gamma = 1/3" in gap
    assert "The output at the point 'a' has one law" in gap
    never = pair(audit.Notion.DIFFERENTIAL_PRIVACY, (0,), float("inf"))
    assert "and the second is 0: epsilon infinite" in never
    assert "at the point" not in never.split("What")[0]
    equal = pair(audit.Notion.DIFFERENTIAL_PRIVACY, (0,), Fraction(1), delta=THIRD)
    assert "The first less delta is at most the second" in equal
    assert "Here delta = 1/3 (0.333333). It makes no claim." in equal
    group = pair(audit.Notion.DIFFERENTIAL_PRIVACY, (0,), float("inf"), group_size=3)
    assert "replacing up to 3 examples changes" in group
    other = pair(
        audit.Notion.DIFFERENTIAL_PRIVACY, (0,), float("inf"), group_size=2,
        relation=data.Neighbouring.ADD_REMOVE,
    )  # fmt: skip
    assert "adding or removing up to 2 examples changes" in other


def test_laws_on_all_samples_are_told_with_the_strategy() -> None:
    coin: data.FiniteDistribution[object] = data.FiniteDistribution.uniform([0, 1])
    half = Fraction(1, 2)
    rows = tuple((data.Multiset.of([b]), data.FiniteDistribution.point_mass(b)) for b in (0, 1))
    instance = audit.Instance(
        audit.Notion.ROBUST_GENERALIZATION, (0, 1), 1, delta=Fraction(1, 4), distribution=coin
    )
    witness = audit.LawsWitness(rows, ((0, (1,)), (1, (1,))), half)
    result = audit.AuditResult(
        instance, half, audit.Verdict.REFUTED, witness, audit.Counts(2, 0, 0, 2), THIRD
    )
    story = again.explain(certificates.to_document(result))
    assert "law of the output on all 2 samples up to order" in story
    assert "a set of elements:\n  0: {1}\n  1: {1}" in story
    assert "Together they give epsilon = 1/2 (0.5)." in story
    assert "so the claim fails" in story


def test_what_is_false_has_no_story() -> None:
    result = audit.private_prediction(response, ["a"], 1)
    document = {**certificates.to_document(result), "value": "5"}
    with pytest.raises(errors.InvalidInput):
        again.explain(document)
