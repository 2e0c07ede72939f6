"""The example of classes of one's own: without tables they answer as their tables do."""

import doctest
import random
from functools import reduce
from itertools import product
from typing import Any

import pytest

from pac_stability import classes, data, errors, papers
from pac_stability.compression import LittlestoneScheme
from pac_stability.online import GreedyAdversary, StandardOptimalAlgorithm, play
from shared_examples import example
from shared_implicit import reached_spaces
from shared_refusals import refuses

linear = example("linear_classes")

AFFINE = [((3, 2, 1), 200), ((5, 2, 1), 60), ((3, 3, 1), 40), ((3, 3, 2), 60)]


def test_its_own_examples_are_true() -> None:
    assert doctest.testmod(linear) == (0, 18)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_parities_answer_as_the_rows_do(k: int) -> None:
    table, H = classes.parities(k), linear.parities(k)
    reached, refused = reached_spaces(table, H, 10**6)
    assert not refused
    for space, rows in reached.items():
        member = H.member(space)
        assert [H.label(member, x) for x in range(H.points)] == table.table[rows[0]].tolist()


@pytest.mark.parametrize(("parameters", "most"), AFFINE)
def test_subspaces_answer_as_the_rows_do_or_refuse(
    parameters: tuple[int, int, int], most: int
) -> None:
    table, H = classes.affine_subspaces(*parameters), linear.affine_subspaces(*parameters)
    reached, refused = reached_spaces(table, H, most)
    assert refused
    assert {H.dimension(space) for space in reached} == set(range(parameters[2] + 2))
    assert H.dimension(0) == -1
    assert H.part(0, 0, 1) == H.size(0) == 0
    assert H.split(0) is None


FLAT = [
    *(linear.parities(k) for k in (1, 2, 3, 4)),
    linear.affine_lines(3),
    linear.affine_lines(5),
    linear.affine_planes(3),
]


@pytest.mark.parametrize("H", FLAT, ids=repr)
def test_labellings_near_subspaces_are_functions(H: Any) -> None:
    coins, made = random.Random(1), dict[frozenset[int], int]()
    p, points = H.prime, set(range(H.points))
    vectors = [classes.validation.residue_vector(H.point(x), len(H.point(0)), p) for x in points]
    for _ in range(30):
        flat = linear.spanned(
            coins.choice(vectors), coins.choices(vectors, k=coins.randrange(4)), p
        )
        others = coins.random() < 0.5
        ones = {linear.column_of(x, p) for x in linear.points_of(flat)}
        ones = points - ones if others else ones
        f = H.labelling_of(linear.NearFlat(flat, others=others))
        for x in coins.choices(range(H.points), k=2 * p):
            assert H.is_labelling(f)
            assert [H.label(f, y) for y in sorted(points)] == [y in ones for y in sorted(points)]
            assert made.setdefault(frozenset(ones), f) == f
            f, ones = H.flipped(f, x), ones ^ {x}
    assert len(set(made.values())) == len(made)  # and different functions are different integers
    listed = list(made.items())
    for (one, f), (other, g) in zip(listed, listed[5:], strict=False):
        assert H.first_difference(f, g) == min(one ^ other)
        assert H.last_difference(f, g) == max(one ^ other)


def test_every_function_of_eight_bits_has_one_labelling() -> None:
    H = linear.parities(3)
    codes = set()
    for labels in product((0, 1), repeat=8):
        f = 0
        for x, label in enumerate(labels):
            f = H.flipped(f, x) if label else f
        assert [H.label(f, x) for x in range(8)] == list(labels)
        codes.add(f)
    assert len(codes) == 256
    assert {f for f in range(1 << 13) if H.is_labelling(f)} == {f for f in codes if f < 1 << 13}
    words = {H.shown(f) for f in codes}
    assert len(words) == 256
    assert {
        "0 everywhere",
        "1 everywhere",
        "1 at (0, 1, 0)",
        "1 at (0, 1, 0) + <1, 0, 1>",
        "0 only at (0, 1, 0)",
    } <= words


def test_subspaces_of_even_order_and_whole_spaces_are_refused() -> None:
    lines = linear.affine_lines(5)
    refuses("an odd prime", linear.affine_lines, 2)
    refuses("d: got 2, want", linear.affine_subspaces, 5, 2, 2)
    refuses("a span of dimension 0, want 1", lines.hypothesis, [(0, 1), (0, 1)])
    full = reduce(lambda space, x: lines.part(space, x, 0), (0, 1, 2), lines.whole)
    with pytest.raises(errors.Unanswerable, match="4 directions: closed forms are known up to 3"):
        lines.part(full, 3, 0)
    H = linear.affine_lines(1009)
    line = H.hypothesis([(0, 1), (1, 3)])
    assert [line(x) for x in ((504, 0), (2, 5), (2, 6))] == [1, 1, 0]
    assert H.contains(line)
    assert not H.contains(0)
    assert repr(line) == "<Labelling 1 at (0, 1) + <1, 2>>"


@pytest.mark.parametrize(
    ("H", "mistakes"), [(linear.parities(16), 16), (linear.affine_planes(101), 3)], ids=repr
)
def test_the_soa_errs_as_often_as_the_dimension_says(H: Any, mistakes: int) -> None:
    game = play(H, StandardOptimalAlgorithm(H), GreedyAdversary(H))
    assert game.mistakes == mistakes == H.dimension(H.whole)
    assert game.check(H, StandardOptimalAlgorithm(H)).accepted


@pytest.mark.parametrize(
    ("table", "H"),
    [(classes.parities(3), linear.parities(3)), (classes.affine_lines(7), linear.affine_lines(7))],
    ids=repr,
)
def test_games_and_compression_are_those_of_the_table(table: classes.FiniteClass, H: Any) -> None:
    games = [play(C, StandardOptimalAlgorithm(C), GreedyAdversary(C)) for C in (table, H)]
    assert games[0].rounds == games[1].rounds
    one, other = StandardOptimalAlgorithm(table), StandardOptimalAlgorithm(H)
    sequence = [(table.domain[x], y) for x, y in ((1, 1), (3, 0), (3, 1), (4, 1), (2, 0), (3, 1))]
    assert one.replay(sequence) == other.replay(sequence)
    assert [other.labelling()(x) for x in table.domain] == one.hypothesis().tolist()
    for row in range(0, len(table), 5):
        sample = data.Sample(table.domain[:5], table.table[row, :5].tolist())
        assert LittlestoneScheme(H).compress(sample) == LittlestoneScheme(table).compress(sample)


def test_the_private_learner_runs_on_lines_of_a_plane_of_a_million_points() -> None:
    lines = linear.affine_lines(1009)
    M = papers.bun_livni_moran.ByLevelPrivateLearner.of_class(
        lines, alpha="1/4", beta="1/10", epsilon=1.0, delta="1/1000000"
    )
    assert M.sample_size == 43611
