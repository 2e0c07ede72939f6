"""Every numbered item of CLNRW16 has a claim, in its place; and what is delicate about some."""

from __future__ import annotations

import pytest

from pac_stability import claims
from pac_stability.claims import Budget, Claim, Expectation, Kind, Method, Status

# As they come in the paper; what a proof or the running text states without a number is not here.
ITEMS = [
    f"{kind}-{number}"
    for kind, numbers in (
        ("definition", range(1, 9)),
        ("lemma", [9]),
        ("corollary", [10]),
        ("lemma", [11]),
        ("theorem", [12]),
        ("definition", [13, 14]),
        ("remark", [15]),
        ("lemma", [16, 17]),
        ("theorem", range(18, 23)),
        ("lemma", [23]),
        ("theorem", [24, 25, 26]),
        ("remark", [27]),
        ("definition", [28]),
        ("algorithm", [1]),
        ("lemma", [29]),
        ("theorem", [30]),
        ("corollary", [31]),
        ("algorithm", [2]),
        ("theorem", range(32, 36)),
        ("lemma", [36, 37]),
        ("theorem", [38, 39, 40]),
    )
    for number in numbers
]

OURS = [claim for claim in claims.all() if claim.paper == "CLNRW16"]


def test_every_item_has_a_claim_in_its_place() -> None:
    numbered = [claim.item for claim in OURS if claim.item in ITEMS]
    assert numbered == ITEMS


def test_the_numbers_run_from_1_to_40() -> None:
    numbers = [int(item.split("-")[1]) for item in ITEMS if not item.startswith("algorithm")]
    assert numbers == list(range(1, 41))


@pytest.mark.parametrize("claim", OURS, ids=lambda claim: claim.item)
def test_the_kind_is_that_of_the_item(claim: Claim) -> None:
    named = claim.item.partition("-")[0]
    if claim.item.endswith(".repaired"):
        assert claim.kind is Kind.REPAIR
    elif claim.kind is not Kind.FACT:
        assert claim.kind.value == named


def test_what_is_known_to_fail() -> None:
    failing = {claim.item for claim in OURS if claim.expectation is Expectation.FAILS}
    assert failing == {
        "definition-5.split",
        "composition-robust",
        "lemma-16",
        "theorem-21",
        "theorem-24",
        "theorem-25.proper",
        "theorem-30",
        "theorem-32.proof",
        "theorem-35.budget",
        "theorem-38",
        "theorem-39.any-range",
        "theorem-40",
    }


def test_a_repair_holds_and_uses_nothing_that_fails() -> None:
    by_key = {claim.key: claim for claim in OURS}
    for claim in OURS:
        if claim.repaired_by is None:
            continue
        repair = by_key[claim.repaired_by]
        assert repair.expectation is Expectation.HOLDS
        for used in repair.uses:
            assert by_key[used].expectation is not Expectation.FAILS


def test_what_is_only_recorded_has_an_explicit_version() -> None:
    recorded = {claim.item: claim.explicit for claim in OURS if claim.method is Method.ASYMPTOTIC}
    # The lower bound of another paper, for all learners.
    assert [item for item, explicit in recorded.items() if explicit is None] == ["theorem-22"]
    for explicit in recorded.values():
        assert explicit is None or claims.get(explicit).expectation is Expectation.HOLDS


@pytest.mark.parametrize(
    ("item", "numbers"),
    [
        ("definition-5.split", "1/2 in the joint reading, 3/4 in the split one"),
        ("theorem-21", "n = 1, beta = 61/100: by more than 0.4971 with probability 1 >"),
        ("theorem-25.proper", "labels=(0, 0, 0)): the vote (0, 0, 0, 0) is not in the class"),
        ("theorem-35.budget", "1/40000: privacy with delta up to 4.500e-04"),
        ("theorem-38", "n = 3, Pr[1] = 1/3: every simulator misses samples of probability 4/27"),
        ("theorem-39.any-range", "whose factor is 64, so it needs 2.0794; 2.0280 is stated"),
    ],
)
def test_the_smallest_counterexample_is_the_one_of_the_notes(item: str, numbers: str) -> None:
    evidence = claims.check(claims.get(f"CLNRW16:{item}"), Budget.QUICK)
    assert evidence.status is Status.REFUTED
    assert numbers in (evidence.counterexample or "")
