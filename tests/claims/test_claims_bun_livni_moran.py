"""The claims of BLM20: nothing of the paper is left out, and what they compare with is right."""

from fractions import Fraction
from itertools import pairwise, product
from math import comb
from types import ModuleType

import pytest

from pac_stability import claims, classes, papers
from pac_stability.books.bun_livni_moran import literal, settings, sizes_of_m
from pac_stability.papers.bun_livni_moran import formulas

ITEMS = (
    # I. Introduction
    "fact-finite-classes", "fact-affine-subspaces", "fact-regret", "theorem-1", "corollary-2",
    "theorem-2",  # of the arXiv version, where it is no corollary
    "theorem-3", "remark-agnostic-rate", "remark-thresholds", "definition-4", "remark-averaging",
    "proposition-5", "theorem-6", "remark-sampling",
    # II. Proof overview
    "overview-mistakes", "overview-agreement", "overview-contest",
    # III. Preliminaries
    "definition-7", "definition-realizable", "figure-1", "definition-littlestone-dimension",
    "fact-optimal-mistakes", "algorithm-soa", "definition-8", "definition-indistinguishability",
    "definition-9", "definition-privately-learnable",
    # IV. Globally stable learning
    "definition-tournaments", "remark-termination", "remark-sizes", "figure-2", "observation-11",
    "lemma-12", "lemma-13", "definition-monte-carlo", "lemma-14", "algorithm-g", "theorem-10",
    # V. From global stability to privacy
    "lemma-15", "lemma-16", "algorithm-m", "theorem-17",
)  # fmt: skip
"""The paper from its first page to its last: numbered items, boxes, figures, named facts."""

REPAIRS = {
    "fact-affine-subspaces": "fact-affine-subspaces.repaired",
    "remark-agnostic-rate": "remark-agnostic-rate.repaired",
    "remark-sampling": "remark-sampling.repaired",
    "lemma-12.independence": "lemma-12.agreement",
    "lemma-12": "lemma-12.repaired",
    "lemma-14.indices": "lemma-14.indices-repaired",
    "theorem-10.proof": "theorem-10.repaired",
    "theorem-17.all-frequencies": "theorem-17.stable-frequency",
}

OURS = {claim.item: claim for claim in claims.all() if claim.paper == "BLM20"}


def test_every_item_of_the_paper_has_a_claim_in_its_order() -> None:
    assert tuple(item for item in OURS if item in ITEMS) == ITEMS


def test_what_the_paper_does_not_state_is_a_repair_or_belongs_to_an_item() -> None:
    for item, claim in OURS.items():
        if item not in ITEMS:
            assert item.partition(".")[0] in ITEMS
        if claim.kind is claims.Kind.REPAIR:
            assert item not in ITEMS


def test_the_numbered_items_are_all_there() -> None:
    # Theorems 1 to 17 share one count; 2 is a corollary in the proceedings.
    numbers = {item.rpartition("-")[2] for item in ITEMS if not item.startswith("figure")}
    assert {str(i) for i in range(1, 18)} <= numbers
    assert {"figure-1", "figure-2", "algorithm-soa", "algorithm-g", "algorithm-m"} <= set(ITEMS)


def test_what_does_not_hold_and_what_holds_instead() -> None:
    failing = {item: claim.repaired_by for item, claim in OURS.items() if claim.expectation.refuted}
    assert failing == {item: f"BLM20:{repair}" for item, repair in REPAIRS.items()}
    assert all(OURS[repair].expectation is claims.Expectation.HOLDS for repair in REPAIRS.values())


def test_the_repair_of_lemma_12_is_carried_through_to_theorem_1() -> None:
    path = ["theorem-1.explicit", "theorem-10.repaired", "lemma-12.repaired", "lemma-12.agreement"]
    for above, below in pairwise(path):
        assert f"BLM20:{below}" in OURS[above].uses
    assert "BLM20:lemma-14.repaired" in OURS["theorem-10.repaired"].uses
    assert "BLM20:theorem-17.explicit" in OURS["theorem-1.explicit"].uses
    # What holds rests on nothing that fails.
    failing = {f"BLM20:{item}" for item in REPAIRS}
    for claim in OURS.values():
        if claim.expectation is claims.Expectation.HOLDS:
            assert not failing & set(_all_uses(claim)), claim.key


def _all_uses(claim: claims.Claim) -> set[str]:
    found = set(claim.uses)
    for key in claim.uses:
        found |= _all_uses(claims.get(key))
    return found


def test_what_is_only_recorded_has_an_explicit_version() -> None:
    recorded = [c for c in OURS.values() if c.expectation is claims.Expectation.RECORDED]
    assert recorded
    for claim in recorded:
        assert claim.explicit is not None
        assert claims.get(claim.explicit).trials


def test_every_public_object_is_used() -> None:
    used = {part for claim in OURS.values() for name in claim.objects for part in name.split(".")}
    for room in (papers.bun_livni_moran, formulas):
        names = set(room.__all__)
        modules = {name for name in names if isinstance(getattr(room, name), ModuleType)}
        assert len(names - modules) > 10
        assert names - modules <= used


@pytest.mark.parametrize(("item", "numbers"), [
    # Derived by listing samples in tests/papers/bun_livni_moran/test_blm_lemma_12.py.
    ("lemma-12", ["4/17", "33/136", "14124/61387", "all below 1/4"]),
    ("lemma-12.independence", ["167/1256", "not 1/4"]),
    # The points and lines of a plane: two points are shattered, as a line has both.
    ("fact-affine-subspaces", ["Littlestone dimension 2, not 1"]),
    # One of two examples: 1 + (4 - 1)/2, and the square root of 4.
    ("remark-sampling", ["5/2 > factor about 2"]),
    # (0.118415...)/3 from the law of each level; eta = 1/(3 * 8).
    ("theorem-10.proof", ["0.0394716", "eta = 1/24"]),
])  # fmt: skip
def test_the_counterexample_is_the_one_that_is_derived(item: str, numbers: list[str]) -> None:
    found = claims.check(OURS[item]).counterexample
    assert found is not None
    assert all(number in found for number in numbers)


class TestWhatIsWrittenOut:
    """The definitions that the claims compare the library with."""

    def test_dimension_of_known_classes(self) -> None:
        assert literal.dimension(frozenset()) == -1
        assert literal.dimension(frozenset(range(8))) == 3  # all labelings of three points
        assert literal.dimension(frozenset({1, 2, 4, 8})) == 1  # singletons
        assert literal.dimension(frozenset({0, 1, 3, 7})) == 2  # thresholds: halving four twice

    def test_the_soa_depends_on_the_order_when_nothing_fits(self) -> None:
        # {1, 2, 7} as sets {0}, {1}, {0, 1, 2}. After (1, 1) the sets {1} and {0, 1, 2} are left;
        # ties at 0 and 2 are labelled 1, so {0, 1, 2}. Then (1, 0) fits nothing and takes 1 away:
        # {0, 2}, and (2, 0) leaves {0}. In the other order (2, 0) leaves {1} alone, which is
        # predicted, and (1, 0) takes 1 away: the empty set.
        soa = literal.Soa(frozenset({1, 2, 7}), 3, 1)
        assert soa(((1, 1), (1, 0), (2, 0))) == 0b001
        assert soa(((1, 1), (2, 0), (1, 0))) == 0b000

    def test_the_first_tournament_of_two_hypotheses(self) -> None:
        # The sets {} and {0} on two equally likely points, target {}, n = 1, ties labelled 1.
        # T = (0, 0) is a mistake and identifies {}; T = (1, 0) leaves {0} predicted. So both have
        # frequency 1/2, and a pair differs at point 0 with probability 1/2. If y = 0, the player
        # with {0} is wrong and kept: (1, 0), (0, 0). If y = 1 the one with {}: (0, 0), (0, 1).
        setting = literal.TournamentSetting(classes.FiniteClass([[0, 0], [1, 0]]), 0, (1, 1), 1)
        D = literal.Tournaments(setting)
        assert D.outputs(0) == {0b00: Fraction(1, 2), 0b01: Fraction(1, 2)}
        assert D.level(1) == {((1, 0), (0, 0)): Fraction(1, 2), ((0, 0), (0, 1)): Fraction(1, 2)}
        assert D.agreement(1) == Fraction(1, 2)
        assert literal.Tournaments(setting, loser=True).level(1) != D.level(1)

    def test_a_budget_lets_it_fail(self) -> None:
        # On the same setting a round costs 2 draws and is a tie with probability 1/2: 4 draws are
        # enough with probability 3/4. After (1, 0), (0, 0), {} is predicted for good. After (0, 0),
        # (0, 1), which nothing fits, {0} is, until T = (0, 0) overwrites it.
        setting = literal.TournamentSetting(classes.FiniteClass([[0, 0], [1, 0]]), 0, (1, 1), 1)
        assert literal.Budgeted(setting, 4).outputs(1) == {
            None: Fraction(1, 4),
            0b00: Fraction(9, 16),
            0b01: Fraction(3, 16),
        }

    def test_a_counterexample_is_the_same_as_a_setting(self) -> None:
        setting = settings.counterexample("pairs")
        # By hand in the tests of Lemma 12: five predictors of frequency 1/5.
        assert set(literal.Tournaments(setting).outputs(0).values()) == {Fraction(1, 5)}
        assert setting.dimension == 2


@pytest.mark.parametrize("p", [Fraction(1, 8), Fraction(1, 2), Fraction(9, 10), Fraction(1)])
@pytest.mark.parametrize("k", [5, 40])
def test_the_bound_on_binomial_tails(k: int, p: Fraction) -> None:
    for most in range(k):
        tail = sum((comb(k, i) * p**i * (1 - p) ** (k - i) for i in range(most + 1)), Fraction(0))
        assert tail <= sizes_of_m.tail_bound(k, p, most) <= 1
    assert sizes_of_m.tail_bound(1000, Fraction(1, 2), 250) < Fraction(1, 10**50)


def test_the_bound_on_a_wrong_choice() -> None:
    # Points 0, 1; hypotheses 0 (right) and 1 (wrong at point 0, which has probability 3/4).
    law, r, n = (Fraction(3, 4), Fraction(0), Fraction(1, 4), Fraction(0)), Fraction(1, 4), 3
    exact = Fraction(0)
    for points in product((0, 1), repeat=n):
        p = Fraction(3, 4) ** points.count(0) * Fraction(1, 4) ** points.count(1)
        exact += p * r ** points.count(0) / (1 + r ** points.count(0))
    bound = sizes_of_m.beaten(0, 1, law, r, n)
    assert exact <= bound
    # (1 - 3/4 + 3/4 r)^3 = (7/16)^3, the smaller of the two moments.
    assert abs(bound - Fraction(7, 16) ** 3) < Fraction(1, 10**15)
