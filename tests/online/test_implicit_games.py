"""The mistake-bound game and Littlestone compression on classes without a table."""

import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import classes, compression, data, errors
from pac_stability.classes import FiniteClass, ImplicitClass, implicit
from pac_stability.online import GreedyAdversary, StandardOptimalAlgorithm, Transcript, play

PAIRS: list[tuple[FiniteClass, ImplicitClass]] = [
    (classes.thresholds(6), implicit.thresholds(6)),
    (classes.singletons(6), implicit.singletons(6)),
    (classes.subsets(6, 2), implicit.subsets(6, 2)),
    (classes.intervals(7), implicit.intervals(7)),
]
SEQUENCES = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 1)), max_size=12)


@settings(max_examples=60)
@given(st.sampled_from(PAIRS), st.integers(0, 1), SEQUENCES)
def test_soa_predicts_alike_after_every_sequence(
    pair: tuple[FiniteClass, ImplicitClass], tie: int, examples: list[tuple[int, int]]
) -> None:
    table, H = pair
    one, other = StandardOptimalAlgorithm(table, tie), StandardOptimalAlgorithm(H, tie)
    copy = other.copy()
    at = table.domain
    sequence = [(at[x], y) for x, y in examples]
    for x, y in sequence:
        one.update(x, y)
        other.update(x, y)
        f = other.labelling()
        assert [f(z) for z in at] == one.hypothesis().tolist()
        assert [other.predict(z) for z in at[:6]] == one.hypothesis().tolist()[:6]
        assert [one.labelling()(z) for z in at] == one.hypothesis().tolist()
        assert (one.mistakes, one.realizable) == (other.mistakes, other.realizable)
        assert (one.dimension, one.size) == (other.dimension, other.size)
        assert one.side_dimensions(x) == other.side_dimensions(x)
    fresh = StandardOptimalAlgorithm(table, tie)
    assert copy.replay(sequence) == fresh.replay(sequence)


@pytest.mark.parametrize(("table", "H"), PAIRS, ids=repr)
def test_the_game_is_the_same(table: FiniteClass, H: ImplicitClass) -> None:
    games = []
    for space in (table, H):
        soa = StandardOptimalAlgorithm(space)
        game = play(space, soa, GreedyAdversary(space))
        assert game.check(space, StandardOptimalAlgorithm(space)).accepted
        games.append(game)
    assert games[0].rounds == games[1].rounds


def test_a_game_on_all_64_bit_numbers() -> None:
    H = implicit.thresholds(2**64)
    game = play(H, StandardOptimalAlgorithm(H), GreedyAdversary(H))
    assert game.mistakes == len(game.rounds) == 64
    assert Transcript.from_json(game.to_json()).check(H, StandardOptimalAlgorithm(H)).accepted
    forged = Transcript(game.class_id, game.learner, game.rounds, 63, realizable=True)
    assert forged.check(H).reason == "mistakes: claimed 63, counted 64"
    assert "class: the transcript is about" in game.check(implicit.thresholds(2**63)).reason
    assert game.check(classes.thresholds(2)).reason.startswith("class:")


@pytest.mark.parametrize(
    ("H", "mistakes"),
    [
        (implicit.intervals(2**64), 126),
        (implicit.thresholds(2**20), 20),
        (implicit.subsets(2**64, 3), 3),
    ],
    ids=repr,
)
def test_the_soa_errs_as_often_as_the_dimension_says(H: ImplicitClass, mistakes: int) -> None:
    game = play(H, StandardOptimalAlgorithm(H), GreedyAdversary(H))
    assert game.mistakes == mistakes == H.dimension(H.whole)
    assert game.check(H, StandardOptimalAlgorithm(H)).accepted


def test_what_needs_a_table_says_so() -> None:
    soa = StandardOptimalAlgorithm(implicit.thresholds(2**64))
    with pytest.raises(errors.Unanswerable, match="it has no table"):
        _ = soa.version_space
    with pytest.raises(errors.Unanswerable, match="it has no table"):
        soa.hypothesis()
    with pytest.raises(errors.InvalidInput, match="needs no search"):
        StandardOptimalAlgorithm(implicit.thresholds(8), max_memory=10**6)
    with pytest.raises(errors.Unanswerable, match="without a list"):
        _ = compression.LittlestoneScheme(implicit.thresholds(8)).family


@settings(max_examples=60)
@given(st.sampled_from(PAIRS), SEQUENCES.filter(bool))
def test_compression_keeps_the_same_examples(
    pair: tuple[FiniteClass, ImplicitClass], examples: list[tuple[int, int]]
) -> None:
    table, H = pair
    at = table.domain
    sample = data.Sample([at[x] for x, _ in examples], [y for _, y in examples])
    one, other = compression.LittlestoneScheme(table), compression.LittlestoneScheme(H)
    if not table.version_space(sample.points, sample.labels):
        with pytest.raises(errors.NotRealizable):
            other.compress(sample)
        return
    assert other.size(len(sample)) == one.size(len(sample))
    assert other.compress(sample) == one.compress(sample)
    f, g = one.run(sample), other.run(sample)
    assert [f(x) for x in at] == [g(x) for x in at]


def test_compression_on_all_64_bit_numbers() -> None:
    H = implicit.thresholds(2**64)
    sample = data.Sample(list(range(0, 2**64, 2**56)), [0] * 100 + [1] * 156)
    scheme = compression.LittlestoneScheme(H)
    assert scheme == compression.LittlestoneScheme(implicit.thresholds(2**64))
    assert scheme.size(256) == 64
    assert sample.count_errors(scheme.run(sample)) == 0
