"""Certificates of runs: what follows from the counts is computed anew, nothing else is proved."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

import pytest

from pac_stability import audit
from pac_stability.audit import run_certificates
from pac_stability.audit.certificates import digest
from pac_stability.checker import recheck
from pac_stability.checker.recheck_runs import _seldom
from pac_stability.checker.recheck_values import Limits
from pac_stability.data import Example, Sample
from pac_stability.errors import InvalidInput

PAIR = ((0, 0), (1, 0))


def mostly_first(counter: list[int]) -> Callable[[tuple[int, ...]], int]:
    """A black box without luck: of five answers one is 0, and the others are the first bit."""

    def run(bits: tuple[int, ...]) -> int:
        counter[0] += 1
        return bits[0] if counter[0] % 5 else 0

    return run


def refuting() -> dict[str, Any]:
    found = audit.privacy_bound(mostly_first([0]), [PAIR], runs=400, delta="1/100", claim=1)
    return run_certificates.to_document(found)


def signed(document: dict[str, Any]) -> dict[str, Any]:
    return {**document, "sha256": digest(document)}


def test_a_refutation_follows_from_its_counts() -> None:
    document = refuting()
    assert document["evidence"]["successes"] == 160
    assert document["evidence"]["neighbour_successes"] == 0
    checked = recheck(document)
    assert (checked.verdict, checked.refutes, checked.proven) == ("refuted", True, True)
    assert checked.value == Fraction(document["bound"]) > 3
    assert "the two samples differ in one place" in checked.proved
    assert checked.proved[-1].endswith("fails, at this confidence")
    assert not checked.exact
    assert len(checked.trusted) == 2


def test_support_is_never_proved() -> None:
    constant = audit.stability_bound(lambda _: 1, [PAIR], runs=20, claim="1/2")
    checked = recheck(run_certificates.to_document(constant))
    assert (checked.verdict, checked.proven, checked.refutes) == ("supported", False, False)
    assert checked.proved == ()
    assert "that the parameter is not larger: runs can show that it is, and no more" in (
        checked.trusted
    )


def test_samples_and_points_are_written() -> None:
    def first_label(asked: tuple[Sample[str], str]) -> int:
        return asked[0].labels[0]

    zero, one = ((Sample.from_examples([Example("a", y)]), "a") for y in (0, 1))
    found = audit.privacy_bound(
        first_label,
        [(zero, one)],
        runs=100,
        notion=audit.Notion.PRIVATE_PREDICTION,
    )
    evidence: Any = run_certificates.to_document(found)["evidence"]
    assert (evidence["sample"], evidence["point"]) == (["('a', 0)"], "'a'")
    document = run_certificates.to_document(found)
    assert recheck(document).value == found.bound
    document["evidence"] = {**evidence, "point": 3}
    with pytest.raises(InvalidInput, match="point: got 3"):
        recheck(signed(document))


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("bound", "100", "bound"),
        ("verdict", "supported", "verdict"),
        ("claim", "1000", "verdict"),
        ("confidence", "1", "confidence"),
        ("confidence", "0", "confidence"),
        ("confidence", "-1/2", "confidence"),
        ("runs", 0, "runs"),
        ("runs", "many", "runs"),
        ("confidence", "9999/10000", "probability_above"),
        ("multiplicity", 8, "probability_above"),
        ("multiplicity", 3, "multiplicity"),
        ("delta", "0", "bound"),
        ("notion", "accuracy", "notion"),
        ("notion", "uniform-stability", "delta"),
        ("evidence", None, "bound"),
    ],
)
def test_what_does_not_follow_is_refused(field: str, value: object, named: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        recheck(signed({**refuting(), field: value}))
    assert caught.value.argument == named


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("successes", 159, "probability_above"),
        ("successes", 201, "successes"),
        ("neighbour_successes", 1, "neighbour_probability_below"),
        ("probability_above", "19/25", "probability_above"),
        ("neighbour_probability_below", "1/100", "neighbour_probability_below"),
        ("runs", 150, "successes"),
        ("event", [1], "event"),
    ],
)
def test_evidence_that_does_not_show_it_is_refused(field: str, value: object, named: str) -> None:
    document = refuting()
    document["evidence"] = {**document["evidence"], field: value}
    with pytest.raises(InvalidInput) as caught:
        recheck(signed(document))
    assert caught.value.argument == named


def test_a_claim_that_is_reached_is_not_refuted() -> None:
    document = refuting()
    with pytest.raises(InvalidInput) as caught:
        recheck(signed({**document, "claim": document["bound"]}))
    assert caught.value.argument == "verdict"
    reached = recheck(signed({**document, "claim": document["bound"], "verdict": "supported"}))
    without = recheck(signed({**document, "claim": None, "verdict": "supported"}))
    assert reached.value == without.value == Fraction(document["bound"])
    assert not reached.refutes
    assert not without.refutes
    assert any(said.startswith("so e^epsilon is at least") for said in without.proved)


def test_a_difference_of_probabilities_is_computed_anew() -> None:
    found = audit.stability_bound(mostly_first([0]), [PAIR], runs=400, claim="1/10")
    document = run_certificates.to_document(found)
    checked = recheck(document)
    evidence: Any = document["evidence"]
    above, below = evidence["probability_above"], evidence["neighbour_probability_below"]
    assert checked.refutes
    assert checked.value == Fraction(above) - Fraction(below) > Fraction(1, 10)
    assert any(said.startswith("so gamma is at least") for said in checked.proved)


@pytest.mark.parametrize(
    ("pair", "known"),
    [(((0, 0, 0), (1, 0, 0)), True), (((0, 0, 0), (1, 1, 0)), False), (((0,), (1, 0)), False)],
)
def test_who_is_a_neighbour_is_seen(pair: tuple[Any, Any], known: bool) -> None:
    found = audit.privacy_bound(lambda bits: bits[0], [pair], runs=100, claim=1)
    checked = recheck(run_certificates.to_document(found))
    assert ("the two samples differ in one place" in checked.proved) == known
    assert ("that the two inputs are neighbours" in checked.trusted) != known


def test_an_altered_file_is_noticed() -> None:
    with pytest.raises(InvalidInput, match="altered"):
        recheck({**refuting(), "runs": 7})


def test_inputs_that_are_no_neighbours_are_left_to_trust() -> None:
    found = audit.privacy_bound(lambda bits: bits[0], [((0, 0), (1, 1))], runs=100, claim=1)
    checked = recheck(run_certificates.to_document(found))
    assert checked.trusted[-1] == "that the two inputs are neighbours"


@pytest.mark.parametrize("n", [1, 2, 7, 30])
def test_tails_are_those_of_the_binomial_law(n: int) -> None:
    """Against the sum, term by term, on a grid of probabilities and errors."""
    for k in range(n + 1):
        for p in (Fraction(0), Fraction(1, 100), Fraction(1, 3), Fraction(9, 10)):
            terms = (comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1))
            tail = sum(terms, Fraction(0))
            near = (tail * (1 + share) for share in (Fraction(1, 10**12), Fraction(-1, 10**12)))
            for error in (Fraction(1, 10**30), Fraction(1, 1000), tail * 2, tail / 2, *near):
                if 0 < error < Fraction(1, 2) and k:
                    expected = p * n <= k and tail <= error
                    assert _seldom(k, n, p, error, Limits(1024, 10**7)) == expected


def test_what_is_never_seen_bounds_nothing_but_0() -> None:
    limits = Limits(1024, 10**7)
    assert _seldom(0, 5, Fraction(0), Fraction(1, 100), limits)
    assert not _seldom(0, 5, Fraction(1, 1000), Fraction(1, 100), limits)
    assert not _seldom(0, 5, Fraction(1), Fraction(1, 100), limits)


def test_work_is_limited() -> None:
    with pytest.raises(InvalidInput, match="max_steps"):
        recheck(refuting(), max_steps=100)


def test_only_exact_audits_have_laws() -> None:
    with pytest.raises(InvalidInput, match="only an exact audit has laws"):
        audit.recheck(refuting(), against=lambda S: S)


def test_runs_are_explained_in_the_words_of_their_notion() -> None:
    text = str(audit.explain(refuting()))
    assert text.startswith("What runs show of differential privacy.")
    assert "is seen 160 times of 200, or more often" in text
    assert "so the claim about 2.718 fails, at this confidence" in text
