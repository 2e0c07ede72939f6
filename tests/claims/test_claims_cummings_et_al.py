"""Every numbered item of CLNRW16 has a claim, in its place; and what is delicate about some."""

from fractions import Fraction
from types import ModuleType

import pytest

from pac_stability import Interval, Multiset, Verdict, claims, data, papers
from pac_stability.books.cummings_et_al import resampled
from pac_stability.books.cummings_et_al.settings import deviates_seldom
from pac_stability.claims import Budget, Claim, Expectation, Kind, Method, Status
from pac_stability.claims.instances import random_mechanisms

# As they come in the paper; what a proof or the running text states without a number is not here.
ITEMS = [
    f"{kind}-{number}"
    for kind, numbers in (
        ("definition", range(1, 9)), ("lemma", [9]), ("corollary", [10]), ("lemma", [11]),
        ("theorem", [12]), ("definition", [13, 14]), ("remark", [15]), ("lemma", [16, 17]),
        ("theorem", range(18, 23)), ("lemma", [23]), ("theorem", [24, 25, 26]), ("remark", [27]),
        ("definition", [28]), ("algorithm", [1]), ("lemma", [29]), ("theorem", [30]),
        ("corollary", [31]), ("algorithm", [2]), ("theorem", range(32, 36)), ("lemma", [36, 37]),
        ("theorem", [38, 39, 40]),
    )
    for number in numbers
]  # fmt: skip

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
    failing = {claim.item: claim.expectation for claim in OURS if claim.expectation.refuted}
    assert failing == {
        "lemma-16": Expectation.READING,
        "theorem-21": Expectation.RANGE,
        "theorem-24.proof": Expectation.STEP,
        "theorem-25.proper": Expectation.READING,
        "theorem-30": Expectation.RANGE,
        "theorem-32.proof": Expectation.STEP,
        "theorem-38.proof": Expectation.STEP,
        "theorem-39.any-range": Expectation.READING,
        "theorem-40.proof": Expectation.RANGE,
    }


def test_a_repair_holds_and_uses_nothing_that_fails() -> None:
    by_key = {claim.key: claim for claim in OURS}
    for claim in OURS:
        if claim.repaired_by is None:
            continue
        repair = by_key[claim.repaired_by]
        assert repair.expectation is Expectation.HOLDS
        for used in repair.uses:
            assert not by_key[used].expectation.refuted


def test_what_is_only_recorded_has_an_explicit_version() -> None:
    recorded = {claim.item: claim.explicit for claim in OURS if claim.method is Method.ASYMPTOTIC}
    # The lower bound of another paper, for all learners.
    assert [item for item, explicit in recorded.items() if explicit is None] == ["theorem-22"]
    for explicit in recorded.values():
        assert explicit is None or claims.get(explicit).expectation is Expectation.HOLDS


def test_what_is_not_proved_is_not_said_to_hold() -> None:
    """From beta = 1/8 to 1/(2e) the 4 epsilon of Theorem 32 have neither proof nor refutation."""
    claim = claims.get("CLNRW16:theorem-32")
    assert (claim.method, claim.expectation) == (Method.OPEN, Expectation.RECORDED)
    assert claims.check(claim, Budget.QUICK).status is Status.OPEN
    assert claim.explicit is not None
    assert "beta < 1/8" in claims.get(claim.explicit).statement


def test_no_mechanism_is_known_that_needs_more_where_it_is_open() -> None:
    betas = ("1/8", "9/50")
    instances = list(resampled._compiled(betas, halfway=True, least=1)(Budget.QUICK))
    assert {instance.mechanism.n for instance in instances} == {1, 2, 3, 4}
    asked = (resampled._privacy(resampled._printed, instance) for instance in instances)
    assert all(each.settle("").verdict is Verdict.VERIFIED for each in asked)


@pytest.mark.parametrize(("item", "numbers"), [
    ("theorem-21", "n = 1, beta = 61/100: by more than 0.4971 with probability 1 >"),
    ("theorem-25.proper", "labels=(0, 0, 0)): the vote (0, 0, 0, 0) is not in the class"),
    (
        "theorem-38.proof",
        "n = 3, Pr[1] = 1/3: every simulator misses samples of probability 4/27",
    ),
    ("theorem-39.any-range", "whose factor is 64, so it needs 2.0794; 2.0280 is stated"),
])  # fmt: skip
def test_the_smallest_counterexample_is_the_one_of_the_notes(item: str, numbers: str) -> None:
    evidence = claims.check(claims.get(f"CLNRW16:{item}"), Budget.QUICK)
    assert evidence.status is Status.REFUTED
    assert numbers in (evidence.counterexample or "")


@pytest.mark.parametrize(("around", "verdict"), [
    ((Fraction(1, 2), Fraction(3, 4)), Verdict.VERIFIED),
    ((Fraction(0), Fraction(1, 4)), Verdict.REFUTED),
    ((Fraction(1, 4), Fraction(3, 4)), Verdict.BOUNDED),
])  # fmt: skip
def test_a_deviation_known_roughly(around: tuple[Fraction, Fraction], verdict: Verdict) -> None:
    # The deviation is 1/2 with probability 1/3, and 0 otherwise.
    def failure(limit: Fraction) -> Fraction:
        return Fraction(1, 3) if limit < Fraction(1, 2) else Fraction(0)

    found = deviates_seldom(failure, Interval(*around), Fraction(1, 4), "a coin")
    assert found.verdict is verdict
    assert verdict is Verdict.VERIFIED or found.text.startswith("a coin: by more than")


def test_random_mechanisms_cover_all_types_and_are_the_same_again() -> None:
    made = list(random_mechanisms(6, elements=3, most=2, outcomes=4, weights=(1, 3)))
    assert [mechanism.n for mechanism in made] == [1, 1, 1, 2, 2, 2]
    for mechanism in made:
        assert list(mechanism.laws) == list(data.multisets(range(3), mechanism.n))
        assert all(len(law) == 4 for law in mechanism.laws.values())  # no weight is 0
    assert [str(mechanism) for mechanism in made] == [
        str(mechanism)
        for mechanism in random_mechanisms(6, elements=3, most=2, outcomes=4, weights=(1, 3))
    ]
    assert made[3].law_of((2, 0)) == made[3].law(Multiset.of((0, 2)))


@pytest.mark.parametrize(
    ("room", "places"), [(papers.cummings_et_al, ("papers.cummings_et_al", "compression.bounds"))]
)
def test_every_public_object_is_spoken_of(room: ModuleType, places: tuple[str, ...]) -> None:
    named = {name for claim in claims.select(["CLNRW16:*"]) for name in claim.objects}
    for name in room.__all__:
        if callable(getattr(room, name)):
            full = [f"{place}.{name}" for place in places]
            assert any(f"{found}.".startswith(f"{path}.") for found in named for path in full), name
