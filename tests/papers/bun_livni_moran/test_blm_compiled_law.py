"""The compiled law of the tournaments against the listed one, and where it ends."""

import pickle
from collections.abc import Hashable, Mapping
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import Example, FiniteClass, FiniteDistribution, classes, errors
from pac_stability.online import soa
from pac_stability.papers.bun_livni_moran import compiled_laws, tournament_laws
from pac_stability.papers.bun_livni_moran.tournaments import TournamentDistribution
from pac_stability.testing import strategies

Target = FiniteDistribution[Example[Hashable]]


def laws(
    H: FiniteClass,
    target: Target,
    n: int,
    *,
    tie: int = 1,
    pick: tournament_laws.Pick = "lowest",
    row: int = 0,
) -> tuple[tournament_laws.ListedLaw, compiled_laws.CompiledLaw]:
    """Both laws, each on states of its own."""
    known = tournament_laws.require_realizable(H, target)
    listed, compiled = soa.SoaStates(H, tie), soa.SoaStates(H, tie)
    rule = tournament_laws.as_pick_rule(pick, compiled.spaces)
    assert isinstance(rule, tournament_laws.FirstInOrder)
    concept = listed.spaces.member(1 << row)
    return (
        tournament_laws.ListedLaw(
            listed, known, n, tournament_laws.as_pick_rule(pick, listed.spaces), concept=concept
        ),
        compiled_laws.CompiledLaw(compiled, known, n, rule, concept=concept),
    )


def shares(weights: Mapping[int, int]) -> dict[int, Fraction]:
    total = sum(weights.values())
    return {key: Fraction(weight, total) for key, weight in weights.items()}


def facts(level: tournament_laws.TournamentLevel) -> list[object]:
    return [
        shares(level.start), shares(level.outputs), level.state_count, level.highest,
        level.collision, level.all_labels_agree, level.expected_draws,
    ]  # fmt: skip


def agree(listed: tournament_laws.ListedLaw, compiled: compiled_laws.CompiledLaw, k: int) -> None:
    for j in range(k + 1):
        expected = listed.level(j)
        found = compiled.level(j)
        assert facts(found) == facts(expected)
        assert sum(found.start.values()) == found.started
        assert sum(found.outputs.values()) == found.total
        if expected.squares == expected.total**2:
            for law in (listed, compiled):
                with pytest.raises(errors.InvalidInput, match=f"at most {j}, where all players"):
                    law.level(j + 1)
            return


def shuffled(points: int) -> st.SearchStrategy[tournament_laws.Pick]:
    names: list[tournament_laws.Pick] = ["lowest", "highest"]
    return st.one_of(st.sampled_from(names), st.permutations(range(points)))


@settings(max_examples=60)
@given(
    strategies.classes_with_targets(
        strategies.finite_classes(max_points=9, min_hypotheses=2, max_hypotheses=24),
        max_weight=2**40,
    ),
    st.integers(0, 4),
    st.integers(0, 1),
    st.sampled_from([1, 50, 10**6]),
    st.data(),
)
def test_the_compiled_law_is_the_listed_one(
    instance: tuple[FiniteClass, int, Target], n: int, tie: int, work: int, data: st.DataObject
) -> None:
    # Weights of 2^40 make numbers of many limbs, and a work of 1 stops the core at every state.
    H, row, target = instance
    pick = data.draw(shuffled(len(H.domain)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled_laws, "_WORK", work)
        agree(*laws(H, target, n, tie=tie, pick=pick, row=row), 3)


def uniform(H: FiniteClass, row: int) -> Target:
    return FiniteDistribution.uniform([Example(x, H(row, x)) for x in H.domain])


@pytest.mark.parametrize("points", [64, 65, 130])
def test_labellings_of_several_words(points: int) -> None:
    # A few thresholds, and points that are never asked: they keep what they say.
    H = FiniteClass(classes.thresholds(points).table[:: points // 4])
    support = [Example(x, H(2, x)) for x in range(1, points - 1)]
    agree(*laws(H, FiniteDistribution.uniform(support), 1, pick="highest", row=2), 2)


def test_a_target_with_a_single_point_leaves_no_weight_behind() -> None:
    # A predictor that errs at the one point of the target keeps nothing of its weight.
    H = FiniteClass([[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 0], [0, 1, 1]])
    agree(*laws(H, FiniteDistribution.point_mass(Example(0, 0)), 2), 3)


def test_where_the_law_is_compiled() -> None:
    H = classes.thresholds(8)
    D = TournamentDistribution(H, uniform(H, 4), 1, 1)
    assert isinstance(D._law, compiled_laws.CompiledLaw)
    tiny = FiniteDistribution({Example(x, H(4, x)): w for x, w in WEIGHTS.items()})
    for other in (
        TournamentDistribution(H, uniform(H, 4), 1, 1, pick=lambda f, g: (f ^ g).bit_length() - 1),
        TournamentDistribution(H, tiny, 1, 1),
        TournamentDistribution(classes.thresholds(6), uniform(classes.thresholds(6), 3), 1, 1),
    ):
        law: tournament_laws.TournamentLaw[tournament_laws.TournamentLevel] = other._law  # type: ignore[assignment]  # either kind
        assert isinstance(law, tournament_laws.ListedLaw)


WEIGHTS = {0: Fraction(1, 2**64), 3: 1 - Fraction(1, 2**64)}


def test_the_law_is_found_again_after_its_memory_was_too_small() -> None:
    H = classes.thresholds(24)
    for memory in (100, 20_000, 100_000):
        D = TournamentDistribution(H, uniform(H, 12), 2, 2, threshold=1, max_memory=memory)
        for _ in range(2):
            with pytest.raises(errors.BudgetExhausted, match="more than max_memory"):
                D.law_of_output()
    enough = TournamentDistribution(H, uniform(H, 12), 2, 2, threshold=1)
    assert enough.state_count == enough.at(2).state_count == 4873
    returned = pickle.loads(pickle.dumps(enough))  # noqa: S301  # our own bytes
    assert returned.state_count == 4873


def test_states_are_counted_whoever_keeps_them() -> None:
    H = classes.thresholds(24)
    D = TournamentDistribution(H, uniform(H, 12), 2, 2, threshold=1, max_states=4873)
    assert D.state_count == 4873
    E = TournamentDistribution(H, uniform(H, 12), 2, 2, threshold=1, max_states=4872)
    with pytest.raises(errors.BudgetExhausted, match="more than 4872 states"):
        E.law_of_output()


def test_a_level_that_was_interrupted_is_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    H = classes.thresholds(16)
    listed, compiled = laws(H, uniform(H, 8), 2, row=8)
    compiled.level(1)
    drawn = compiled._watch

    def stopped(law: object) -> None:
        del law
        raise KeyboardInterrupt

    monkeypatch.setattr(compiled, "_watch", stopped)
    with pytest.raises(KeyboardInterrupt):
        compiled.level(2)
    monkeypatch.setattr(compiled, "_watch", drawn)
    assert facts(compiled.level(2)) == facts(listed.level(2))


def test_sixty_four_points_are_within_reach() -> None:
    # 1,088 states after one draw of two, 15,763 a level on.
    H = classes.thresholds(64)
    D = TournamentDistribution(H, uniform(H, 32), 1, 2, threshold=1)
    assert [D.at(k).state_count for k in range(2)] == [1088, 15763]
