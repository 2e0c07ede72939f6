"""A target from a class in one call, by the name of a hypothesis; and duplicates are told."""

from fractions import Fraction

import pytest

from pac_stability import Example, FiniteClass, FiniteDistribution, InvalidInput
from pac_stability.papers.bun_livni_moran.tournaments import TournamentDistribution
from shared_refusals import refuses

H = FiniteClass(
    [[0, 0, 1], [0, 1, 1], [1, 1, 0]],
    domain=["wings", "beak", "fur"],
    names=["dog", "platypus", "owl"],
)


def test_a_target_by_name_row_or_hypothesis() -> None:
    expected = FiniteDistribution.uniform(
        [Example("wings", 1), Example("beak", 1), Example("fur", 0)]
    )
    assert H.target("owl") == H.target(2) == H.target(H[2]) == H.target(H.named("owl")) == expected


@pytest.mark.parametrize("weights", [{"wings": 1, "fur": "1/2"}, [2, 0, 1], (1, 0, Fraction(1, 2))])
def test_points_are_drawn_by_weights(weights: object) -> None:
    law = H.target("dog", weights)  # type: ignore[arg-type]  # any of these kinds
    assert dict(law.items()) == {
        Example("wings", 0): Fraction(2, 3),
        Example("fur", 1): Fraction(1, 3),
    }


@pytest.mark.parametrize(("hypothesis", "weights", "argument"), [
    ("howl", None, "name"), (3, None, "hypothesis"), (-1, None, "hypothesis"),
    (FiniteClass([[0], [1]])[0], None, "hypothesis"), ("owl", {"tail": 1}, "weights"),
    ("owl", [1, 2], "weights"), ("owl", [1, 2, -1], "weights"), ("owl", [0, 0, 0], "weights"),
    ("owl", {}, "weights"),
])  # fmt: skip
def test_what_is_no_target_is_refused(hypothesis: object, weights: object, argument: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        H.target(hypothesis, weights)  # type: ignore[arg-type]  # what is refused
    assert caught.value.argument == argument


def test_a_negative_weight_is_named() -> None:
    refuses("got -2, want weights of at least 0", H.target, "owl", [1, 1, -2])  # they sum to 0


def test_a_name_that_is_nearly_right_is_suggested() -> None:
    refuses("such as platypus", H.named, "platypuss")
    refuses("", FiniteClass([], domain=["x"]).named, "h0")


def test_duplicates_are_told() -> None:
    assert repr(FiniteClass([[0], [1], [0], [0]])).endswith("1 points, 2 duplicate rows dropped>")
    assert repr(FiniteClass([[0], [1], [0]])).endswith("1 duplicate row dropped>")
    assert "duplicate" not in repr(H)


def test_names_reach_the_laws_of_tournaments() -> None:
    """The two laws are one: each hypothesis stands for its labels."""
    D = TournamentDistribution(H, H.target("platypus"), k=0, n=1)
    plain, named = D.law_of_output(), D.law_of_hypothesis()
    masks = {sum(h(x) << i for i, x in enumerate(H.domain)): p for h, p in named.items()}
    assert masks == dict(plain.items())
    assert any(getattr(h, "name", None) in H.names for h in named.support)  # type: ignore[operator]
