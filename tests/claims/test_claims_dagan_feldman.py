"""Every numbered item of DF20 has a claim, in the order of the paper."""

import re
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import islice, pairwise
from typing import Any

import pytest

from pac_stability import arithmetic, audit, claims, data, mechanisms, papers
from pac_stability.books.dagan_feldman import main_results, private
from pac_stability.claims import kit
from pac_stability.claims.claim import Expectation, Kind, Method

# By going through the proceedings, beginning to end.
NUMBERED = [
    "theorem-1", "corollary-2", "theorem-3", "lemma-4", "lemma-5", "lemma-6", "lemma-7", "lemma-8",
    "lemma-9", "theorem-10", "theorem-11", "theorem-12", "lemma-13", "remark-14", "lemma-15",
    "remark-16", "lemma-17", "lemma-18", "lemma-19",
]  # fmt: skip
EQUATIONS = [f"equation-{number}" for number in range(1, 18)]
UNNUMBERED = [
    "definition-losses", "definition-pac", "definition-uniform-stability",
    "definition-private-prediction", "definition-net", "definition-h-t", "definition-growth",
    "definition-exponential-mechanism", "algorithm-section-3", "section-3.flip",
    "algorithm-appendix-b", "algorithm-appendix-c", "definition-randomized-classifier",
    "definition-relation",
]  # fmt: skip
ARXIV = {
    "Theorem 1": "theorem-1", "Corollary 1": "corollary-2", "Theorem 2": "theorem-3",
    "Lemma 1": "lemma-4", "Lemma 2": "lemma-5", "Lemma 3": "lemma-6", "Lemma 4": "lemma-7",
    "Lemma 5": "lemma-8", "Lemma 6": "lemma-9", "Theorem 3": "theorem-10",
    "Theorem 4": "theorem-11", "Lemma 7": "lemma-13", "Remark 1": "remark-14",
    "Theorem 5": "theorem-12", "Lemma 8": "lemma-15", "Remark 2": "remark-16",
    "Lemma 9": "lemma-17", "Lemma 10": "lemma-18", "Lemma 11": "lemma-19",
}  # fmt: skip
"""The numbers of the arXiv version, and the items of the proceedings that they are."""

CLAIMS = claims.select(["DF20:*"])
BY_ITEM = {claim.item: claim for claim in CLAIMS}


def base(item: str) -> str:
    return item.partition(".")[0]


@pytest.mark.parametrize("item", [*NUMBERED, *EQUATIONS, *UNNUMBERED])
def test_every_item_has_a_claim(item: str) -> None:
    assert any(found == item or found.startswith(f"{item}.") for found in BY_ITEM)


def test_no_other_number_occurs() -> None:
    numbered = re.compile(r"(theorem|lemma|corollary|remark|equation)-\d+")
    found = {match[0] for item in BY_ITEM if (match := numbered.match(item))}
    assert found == {*NUMBERED, *EQUATIONS}


@pytest.mark.parametrize(("number", "item"), ARXIV.items())
def test_the_number_of_the_arxiv_version_is_noted(number: str, item: str) -> None:
    notes = [claim.note for claim in CLAIMS if base(claim.item) == item]
    assert any(re.search(rf"\b{number} of the arXiv version", note) for note in notes)
    for claim in CLAIMS:
        if base(claim.item) != item:
            assert not re.search(rf"\b{number} of the arXiv version", claim.note)


@pytest.mark.parametrize(
    "items",
    [
        ["theorem-1", "corollary-2", "theorem-3", "definition-losses", "lemma-4", "lemma-5",
         "lemma-6", "lemma-7.privacy", "lemma-8", "lemma-9", "theorem-10", "theorem-11",
         "section-3.flip", "theorem-12", "definition-relation", "algorithm-appendix-b",
         "lemma-13.stability", "remark-14", "lemma-15", "remark-16", "lemma-17", "lemma-18",
         "lemma-19", "equation-17"],
        ["definition-uniform-stability", "definition-private-prediction", "definition-net",
         "lemma-4", "definition-h-t", "definition-growth", "lemma-5"],
        ["equation-1", "equation-2", "equation-3", "equation-7", "equation-8", "equation-9",
         "equation-10", "equation-11", "equation-12", "equation-13", "equation-14"],
    ],
)  # fmt: skip
def test_the_order_is_that_of_the_paper(items: list[str]) -> None:
    order = list(BY_ITEM)
    assert all(order.index(one) < order.index(two) for one, two in pairwise(items))


def test_what_fails_is_repaired_by_what_holds() -> None:
    failing = [claim for claim in CLAIMS if claim.expectation.refuted]
    assert failing
    for claim in failing:
        repair = BY_ITEM[str(claim.repaired_by).partition(":")[2]]
        assert repair.expectation is Expectation.HOLDS
        assert claim.note


def test_what_is_recorded_only_is_about_other_papers_or_rates() -> None:
    recorded = {claim.item for claim in CLAIMS if claim.method is Method.ASYMPTOTIC}
    assert recorded == {
        "section-1.private-thresholds", "section-1.representation-dimension",
        "section-1.1.agnostic-lower-bound", "section-1.1.private-lower-bound",
        "section-1.1.linear-thresholds",
        # With an unnamed constant; each has a version with constants.
        "theorem-1", "corollary-2", "theorem-3", "lemma-6", "theorem-10", "theorem-12", "lemma-15",
        "lemma-17",
    }  # fmt: skip


def test_every_public_object_is_spoken_of() -> None:
    named = {name for claim in CLAIMS for name in claim.objects}
    for module, prefix in (
        (papers.dagan_feldman, "papers.dagan_feldman"),
        (papers.dagan_feldman.sample_complexity, "papers.dagan_feldman.sample_complexity"),
    ):
        for name in module.__all__:
            if not callable(getattr(module, name)) or name in RESULTS:
                continue
            full = f"{prefix}.{name}"
            assert any(found == full or found.startswith(f"{full}.") for found in named), full


RESULTS = {
    "AggregationSize", "Ask", "ComparisonRow", "Constants", "DisjointAverageSize",
    "ExponentialLearnerSize", "FlippedSize", "LeastSize", "NetSize", "PrivatePredictionSize",
    "RealizableSize", "Share", "Size", "StableSize", "SubsetAverageSize", "answer",
}  # fmt: skip
"""What the functions of sizes take and return, and the one that has them by name."""


def test_repairs_say_so() -> None:
    for claim in CLAIMS:
        if claim.item == "definition-private-prediction.repaired":  # which the introduction prints
            assert claim.kind is Kind.DEFINITION
        elif claim.item.endswith(".repaired"):
            assert claim.kind is Kind.REPAIR


# Questions that compare two predictions: a slip in one half would leave the mutant noticed


def test_lemma_15_is_asked_with_and_without_a_slack() -> None:
    """No privacy at all is promised too little, by the factor alone and by the slacks."""
    refuted = [0, 0]
    nothing = mechanisms.PrivacyGuarantee(arithmetic.Epsilon.exactly(1))
    for it in islice(private.predicting.instances(kit.Budget.QUICK), 12):
        pure, *with_slack = private.predicts_privately(lambda *_: nothing, it)
        refuted[0] += pure.settle("text").verdict is audit.Verdict.REFUTED
        refuted[1] += any(one.settle("text").verdict is audit.Verdict.REFUTED for one in with_slack)
    assert min(refuted) > 6


class _Predicting:
    """Predicts the one or the other, by the first example."""

    def __init__(self, here: str, there: str) -> None:
        self.values = Fraction(here), Fraction(there)

    def enclosed(
        self, sample: data.Sample[Hashable], points: Sequence[Hashable]
    ) -> tuple[arithmetic.Interval, ...]:
        replaced = sample[0].point == points[0] and sample[0].label == 0
        return (arithmetic.Interval.exactly(self.values[replaced]),) * len(points)


@pytest.mark.parametrize(
    ("here", "there"),
    [("99/100", "999/1000"), ("999/1000", "99/100"), ("1/100", "1/1000"), ("1/1000", "1/100")],
)
def test_theorem_3_is_asked_of_both_labels_and_both_ways(here: str, there: str) -> None:
    """Of the four ratios one is 10, and the others at most 1.01."""
    learner: Any = _Predicting(here, there)
    setting = next(iter(main_results.larger_settings(kit.Budget.QUICK)))
    found = [
        one.settle("text") for one in main_results.is_private(lambda _: (40, learner), setting)
    ]
    refuted = sum(finding.verdict is audit.Verdict.REFUTED for finding in found)
    assert 0 < refuted <= len(found) / 4
