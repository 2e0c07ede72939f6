"""Tournaments, G and M on classes without a table: as on the table, and where there is none."""

import pickle
from collections.abc import Hashable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from pac_stability import Example, FiniteDistribution, Sample, classes, enumerate_law, randomness
from pac_stability.classes import FiniteClass, ImplicitClass, implicit
from pac_stability.errors import InvalidInput, NotRealizable
from pac_stability.papers import bun_livni_moran
from pac_stability.papers.bun_livni_moran import stable
from pac_stability.papers.bun_livni_moran.tournament_laws import require_realizable

PAIRS: list[tuple[FiniteClass, ImplicitClass, int]] = [
    (classes.thresholds(5), implicit.thresholds(5), 2),
    (classes.singletons(5), implicit.singletons(5), 3),
    (classes.subsets(4, 2), implicit.subsets(4, 2), 6),
    (classes.intervals(3), implicit.intervals(3), 5),
]
WEIGHTS = (1, 2, 1, 3, 1)


def labels_of(H: FiniteClass | ImplicitClass, f: int, n: int) -> tuple[int, ...]:
    if isinstance(H, ImplicitClass):
        return tuple(H.label(f, x) for x in range(n))
    return tuple(f >> x & 1 for x in range(n))


def on_few_points(table: FiniteClass, row: int) -> FiniteDistribution[Example[Hashable]]:
    """The first five points of a class, labelled by a row."""
    named = list(zip(table.domain, WEIGHTS, strict=False))
    total = sum(weight for _, weight in named)
    return FiniteDistribution({Example(x, table(row, x)): Fraction(w, total) for x, w in named})


@pytest.mark.parametrize("pick", ["lowest", "highest"])
@pytest.mark.parametrize(("table", "H", "row"), PAIRS, ids=repr)
def test_the_laws_of_tournaments_are_equal(
    table: FiniteClass, H: ImplicitClass, row: int, pick: str
) -> None:
    n = len(table.domain)
    target = on_few_points(table, row)
    laws = []
    for space in (table, H):
        D = bun_livni_moran.TournamentDistribution(space, target, 2, 2, pick=pick, threshold=1)
        found = [
            {labels_of(space, f, n): p for f, p in D.at(k).law_of_output().items()}
            for k in range(D.last_defined + 1)
        ]
        last = D.at(D.last_defined)
        laws.append((found, last.collision, last.expected_draws, last.all_labels_agree))
        assert D.at(0).run(randomness.SeededCoins(1)).draws == 0
    assert laws[0] == laws[1]


@settings(max_examples=30)
@given(
    st.sampled_from(PAIRS),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1)), min_size=27, max_size=27),
    st.integers(0, 10**6),
)
def test_equal_coins_give_equal_outputs_of_g(
    pair: tuple[FiniteClass, ImplicitClass, int], examples: list[tuple[int, int]], seed: int
) -> None:
    table, H, _ = pair
    n = len(table.domain)
    at = table.domain
    sample = Sample([at[x % n] for x, _ in examples], [y for _, y in examples])
    outputs = []
    for space in (table, H):
        G = bun_livni_moran.GloballyStableLearner(space, "1/4", n=3, blocks=8)
        f = G.run(sample, randomness.SeededCoins(seed))
        outputs.append(labels_of(space, f, n))
        assert tuple(map(f, at)) == outputs[-1]
    assert outputs[0] == outputs[1]


@pytest.mark.parametrize(("table", "H", "row"), PAIRS, ids=repr)
def test_runs_on_drawn_examples_have_one_law(
    table: FiniteClass, H: ImplicitClass, row: int
) -> None:
    n = len(table.domain)
    target = on_few_points(table, row)

    def law(space: FiniteClass | ImplicitClass) -> object:
        rules = bun_livni_moran.GloballyStableLearner(space, "1/4", n=1, blocks=3, level=1).rules()

        def one_by_one(rng: randomness.Coins) -> tuple[int, ...] | None:
            state = rules.run(1, stable.drawn(rules.states, target, rng), rng)
            return None if state is None else labels_of(space, rules.states.predictor(state), n)

        return enumerate_law(one_by_one)

    assert law(table) == law(H)


def test_m_runs_whole_on_all_64_bit_keys() -> None:
    H = implicit.singletons(2**64)
    M = bun_livni_moran.ByLevelPrivateLearner.of_class(H, "1/4", "1/10", 1.0, "1/1000000")
    assert M.sample_size == 1130
    keys = [7, *range(2**40, 2**40 + 3)]
    h = bun_livni_moran.train_on_target(M, H.target(H.hypothesis(7), keys), seed=1).hypothesis
    assert [h(x) for x in keys] == [1, 0, 0, 0]
    assert bun_livni_moran.train_on_target(M, H.target(H.hypothesis(7)), seed=1).hypothesis(0) == 0
    sample = Sample([keys[i % 4] for i in range(M.sample_size)], [i % 4 == 0 for i in range(1130)])
    read = bun_livni_moran.train_on_examples(
        M, bun_livni_moran.ExampleStream([bun_livni_moran.example_codes(H, sample)], H), seed=1
    )
    assert [read.hypothesis(x) for x in keys] == [1, 0, 0, 0]
    assert M.run(sample, randomness.SeededCoins(2))(7) == 1
    assert pickle.loads(pickle.dumps(M)) == M  # noqa: S301  # our own bytes


def test_g_on_thresholds_of_dimension_16() -> None:
    H = implicit.thresholds(2**16)
    G = bun_livni_moran.GloballyStableLearner(
        H, "1/4", constants="printed", n=4, blocks=2 * (2**16 - 1) + 400
    )
    assert G.dimension == 16
    assert G.promises(G.sample_size) == {}
    tally = bun_livni_moran.tally_on_target(G, H.target(H.hypothesis(12345)), 2, seed=3)
    assert sum(tally.outputs.values()) == 2
    assert all(H.is_labelling(f) for f in tally.outputs)


@pytest.mark.parametrize(
    ("points", "kind"),
    [(128, "uint8"), (129, "uint16"), (2**15 + 1, "uint32"), (2**31 + 1, "uint64")],
)
def test_codes_are_of_the_smallest_type(points: int, kind: str) -> None:
    H = implicit.singletons(points)
    codes = bun_livni_moran.example_codes(H, Sample([points - 1, 0], [1, 0]))
    assert codes.dtype == kind
    assert codes.tolist() == [2 * points - 1, 0]


def test_codes_beyond_every_type_are_integers_of_python() -> None:
    H = implicit.singletons(2**64)
    stream = bun_livni_moran.ExampleStream(
        [bun_livni_moran.example_codes(H, Sample([2**64 - 1], [1])), np.array([3])], H
    )
    assert stream.take(2).tolist() == [2**65 - 1, 3]
    for bad in (np.array([2**65], dtype=object), np.array(["3"], dtype=object), np.array([1.5])):
        with pytest.raises(InvalidInput, match="chunks"):
            bun_livni_moran.ExampleStream([bad], H).take(1)


def test_what_does_not_fit_is_refused() -> None:
    H, other = implicit.singletons(2**64), implicit.singletons(8)
    G = bun_livni_moran.GloballyStableLearner(H, "1/4")
    with pytest.raises(NotRealizable, match=r"no hypothesis fits the examples \(3, 1\), \(9, 1\)"):
        require_realizable(H, FiniteDistribution.uniform([Example(3, 1), Example(9, 1)]))
    with pytest.raises(InvalidInput, match="a target of <ImplicitSingletons"):
        bun_livni_moran.tally_on_target(G, other.target(other.hypothesis(1)), 3)
    with pytest.raises(InvalidInput, match="every point of the domain once"):
        bun_livni_moran.GloballyStableLearner(H, "1/4", pick=[1, 2])
    target = FiniteDistribution.uniform([Example(3, 1), Example(4, 0)])
    D = bun_livni_moran.TournamentDistribution(H, target, 0, 1)
    assert H.labelling(D.concept) == H.hypothesis(3)
    with pytest.raises(InvalidInput, match="a hypothesis of loss zero"):
        bun_livni_moran.TournamentDistribution(H, target, 0, 1, concept=H.hypothesis(4))
    assert D.law_of_hypothesis().probability(H.hypothesis(3)) == Fraction(1, 2)
