"""Runs of algorithm G: the jump chain has the law of literal draws, and so has the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from pac_stability.papers.bun_livni_moran.streams.cells import Cells, WaitingCells, WeightedCells
from pac_stability.papers.bun_livni_moran.streams.engine import StreamEngine, Words

from pac_stability.classes import FiniteClass, singletons, thresholds
from pac_stability.data import Example, FiniteDistribution, Sample, enumerate_law
from pac_stability.errors import InvalidInput
from pac_stability.online import StandardOptimalAlgorithm
from pac_stability.online.states import SoaStates
from pac_stability.papers.bun_livni_moran.stable.globally_stable import GloballyStableLearner
from pac_stability.papers.bun_livni_moran.streams.examples import as_codes, decoded, example_codes
from pac_stability.papers.bun_livni_moran.streams.rules import Chain, Drawn, FromCoins, Given, Rules
from pac_stability.papers.bun_livni_moran.tournaments.pick_rules import as_pick_rule
from pac_stability.papers.bun_livni_moran.tournaments.target import require_realizable
from pac_stability.randomness import BitCoins, Coins, SeededCoins
from pac_stability.testing import strategies
from shared_classes import labelled

FAIL = None


def rules_of(H: FiniteClass, block: int, blocks: int, fresh: int | None = None) -> Rules:
    states = SoaStates(H)
    last = block if fresh is None else fresh
    return Rules(states, as_pick_rule("lowest", states.spaces), block, blocks, last)


def soa(H: FiniteClass, examples: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    learner = StandardOptimalAlgorithm(H, tie=1)
    for x, y in examples:
        learner.update(x, y)
    return tuple(learner.hypothesis().tolist())


class TooManyDraws(Exception):
    """More than N draws."""


def literal(
    H: FiniteClass,
    target: FiniteDistribution[Example[int]],
    top: int,
    sizes: tuple[int, int],
    rng: Coins,
) -> tuple[int, ...] | None:
    """SOA(S o T) as the paper writes it: recursive, example by example."""
    block, blocks = sizes
    drawn = 0

    def draw() -> list[tuple[int, int]]:
        examples = [target.sample(rng) for _ in range(block)]
        return [(z.point, z.label) for z in examples]

    def sample(k: int) -> list[tuple[int, int]]:
        nonlocal drawn
        if k == 0:
            return []
        while True:
            players = []
            for _ in range(2):
                before = sample(k - 1)
                drawn += block
                if drawn > block * blocks:
                    raise TooManyDraws
                players.append(before + draw())
            first, second = (soa(H, player) for player in players)
            if first != second:
                break
        x = min(x for x in range(len(first)) if first[x] != second[x])
        y = rng.below(2)
        return [*(players[0] if first[x] != y else players[1]), (x, y)]

    try:
        return soa(H, sample(top) + draw())
    except TooManyDraws:
        return FAIL


INSTANCES = [
    (thresholds(3), 1, (1, 2, 0), 1, 2, 3),
    (thresholds(3), 1, (1, 2, 0), 1, 1, 5),
    (thresholds(3), 1, (1, 1, 1), 1, 2, 2),
    (thresholds(3), 2, (1, 2, 0), 2, 1, 7),
    (thresholds(3), 1, (1, 2, 0), 0, 4, 0),
    (singletons(3), 0, (2, 1, 0), 1, 3, 2),
    (singletons(3), 0, (1, 0, 0), 1, 1, 4),  # all players agree
    (singletons(3), 2, (1, 0, 1), 2, 1, 8),
]


class TestLaws:
    @pytest.mark.parametrize("most_cells", [2, 1024])
    @pytest.mark.parametrize("most_states", [0, 100])
    @pytest.mark.parametrize(("H", "row", "weights", "top", "block", "blocks"), INSTANCES)
    def test_the_jump_chain_is_literal(
        self,
        *,
        H: FiniteClass,
        row: int,
        weights: tuple[int, ...],
        top: int,
        block: int,
        blocks: int,
        most_states: int,
        most_cells: int,
    ) -> None:
        target = labelled(H, row, weights)
        rules = rules_of(H, block, blocks)
        chain = Chain(
            rules,
            require_realizable(H, target),
            most_states=most_states,
            most_cells=most_cells,
        )

        def jumping(rng: Coins) -> tuple[int, ...] | None:
            coins = FromCoins(rng)
            state = rules.run(top, Drawn(chain, coins), coins)
            if state is None:
                return FAIL
            predictor = rules.states.predictor(state)
            return tuple(predictor >> x & 1 for x in range(rules.points))

        law = enumerate_law(lambda rng: literal(H, target, top, (block, blocks), rng))
        assert enumerate_law(jumping) == law

    def test_given_examples_are_the_draws(self) -> None:
        H = thresholds(2)
        target = labelled(H, 0, (1, 2))
        G = GloballyStableLearner(H, 1, n=1, blocks=2)

        def program(rng: Coins) -> tuple[int, ...]:
            end = literal(H, target, rng.below(2), (1, 2), rng)
            return soa(H, []) if end is None else end

        samples = target.power(G.sample_size).map(Sample.from_examples)
        law = samples.bind(G.law).map(lambda f: tuple(f >> x & 1 for x in range(2)))
        assert law == enumerate_law(program)


class ScriptedCoins(BitCoins):
    """Coins that read given words first, then those of a seed."""

    def __init__(self, script: Sequence[int], seed: int) -> None:
        self._script = list(script)
        self._rest = SeededCoins(seed)

    def bits(self, count: int, /) -> int:
        """Return the next words, lowest first."""
        words = [
            self._script.pop(0) if self._script else self._rest.bits(64)
            for _ in range(-(-count // 64))
        ]
        return sum(word << 64 * i for i, word in enumerate(words)) & ((1 << count) - 1)


class FromWords:
    """The chooser that reads the same words as the kernel."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def fair(self) -> int:
        return self._words.take() & 1

    def cell(self, cells: Cells, /) -> int:
        return cells.settle(self._words.take(), self._words.take)


def test_a_word_is_64_bits_of_the_coins_and_each_is_taken_once() -> None:
    # The first refills are of 64, 128 and 256 words; what follows the script is of the seed.
    script = [SeededCoins(2).spawn(str(i)).bits(64) for i in range(64 + 128)]
    coins = ScriptedCoins(script, seed=1)
    words = Words(coins)
    assert [words.take() for _ in script] == script
    assert words.take() == SeededCoins(1).bits(64)


CLASSES = strategies.finite_classes(max_points=5, min_hypotheses=2, max_hypotheses=6)
SIZES = st.tuples(st.integers(1, 6), st.integers(0, 40))


class TestKernel:
    @settings(max_examples=60)
    @given(
        strategies.classes_with_targets(CLASSES, max_weight=5),
        SIZES,
        st.data(),
        st.integers(0, 2**32),
    )
    def test_drawn(
        self,
        drawn: tuple[FiniteClass, int, FiniteDistribution[Example[int]]],
        sizes: tuple[int, int],
        data: st.DataObject,
        seed: int,
    ) -> None:
        H, _, target = drawn
        rules = rules_of(H, *sizes, fresh=data.draw(st.integers(0, 4)))
        chain = Chain(
            rules,
            require_realizable(H, target),
            most_states=data.draw(st.sampled_from([0, 100])),
            most_cells=data.draw(st.sampled_from([1, 2, 1024])),
        )
        # Words on the borders of cells, or beside them, and others.
        borders = {0, 1 << 63, (1 << 64) - 1}
        chances = chain.chances(rules.states.start)
        seen: list[Cells | None] = [chances.waiting, chances.moves]
        if (opening := chain.opening()) is not None:
            seen += [opening.ties, opening.moves]
        for cells in seen:
            if cells is not None:
                borders.update(*(array.tolist() for array in cells.words()))
        script = data.draw(st.lists(st.sampled_from(sorted(borders)), max_size=40))
        engine = StreamEngine(rules, chain)
        ours, kernels = (Words(ScriptedCoins(script, seed)) for _ in range(2))
        chooser = FromWords(ours)
        for top in (0, 1, 2, 3, 1):
            state = rules.run(top, Drawn(chain, chooser), chooser)
            assert engine.sampled(top, kernels) == state

    @settings(max_examples=40)
    @given(CLASSES, SIZES, st.data(), st.integers(0, 2**32))
    def test_given(
        self, H: FiniteClass, sizes: tuple[int, int], data: st.DataObject, seed: int
    ) -> None:
        rules = rules_of(H, *sizes, fresh=data.draw(st.integers(0, 4)))
        count = rules.blocks * rules.block + rules.fresh
        sample = data.draw(strategies.samples(range(rules.points), min_size=count, max_size=count))
        examples = [(x, y) for x, y in sample]
        codes = as_codes(np.array([2 * x + y for x, y in examples], dtype=np.int64), H)
        cuts = sorted(data.draw(st.lists(st.integers(0, count), max_size=4)))
        engine = StreamEngine(rules)
        ours, kernels = (Words(SeededCoins(seed)) for _ in range(2))
        for top in (0, 1, 2, 3):
            state = rules.run(top, Given(rules.states, examples), FromWords(ours))
            chunks = iter([codes[a:b] for a, b in zip([0, *cuts], [*cuts, count], strict=True)])
            assert engine.given(top, kernels, chunks) == state

    def test_long_work_is_done_in_pieces(self) -> None:
        # A million players who all agree: more than the kernel does before it looks at signals.
        H = singletons(2)
        rules = rules_of(H, 1, 10**6)
        chain = Chain(rules, require_realizable(H, labelled(H, 0, (1, 0))), most_states=0)
        words = Words(SeededCoins(1))
        assert StreamEngine(rules, chain).sampled(1, words) is None
        codes = iter([np.full(100, 1, dtype=np.uint8)] * 10_001)
        assert StreamEngine(rules).given(1, words, codes) is None
        assert len(list(codes)) == 1

    def test_tables_that_grew_too_large_are_emptied(self, monkeypatch: pytest.MonkeyPatch) -> None:
        H = singletons(6)
        rules = rules_of(H, 3, 20)
        chain = Chain(rules, require_realizable(H, labelled(H, 2, (1, 2, 3, 4, 5, 6))))
        words = [Words(SeededCoins(3)) for _ in range(2)]
        kept = StreamEngine(rules, chain)
        monkeypatch.setattr("pac_stability.papers.bun_livni_moran.streams.engine._MOST_STEPS", 0)
        emptied = StreamEngine(rules, chain)
        for top in (1, 2, 2, 0, 1):
            assert kept.sampled(top, words[0]) == emptied.sampled(top, words[1])


class TestCells:
    @given(st.lists(st.integers(1, 20), min_size=1, max_size=6), st.data())
    def test_weighted(self, weights: list[int], data: st.DataObject) -> None:
        total = sum(weights)
        borders = [Fraction(sum(weights[:i]), total) for i in range(1, len(weights))]
        check_settling(WeightedCells(weights), borders, data)

    @settings(max_examples=50)
    @given(
        st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=100),
        st.integers(1, 40),
        st.data(),
    )
    def test_waiting(self, stay: Fraction, limit: int, data: st.DataObject) -> None:
        cells = WaitingCells(stay, limit)
        borders = [1 - stay ** (i + 1) for i in range(limit)]
        check_settling(cells, borders, data)
        total = cells.weights.total
        assert [Fraction(w, total) for w in cells.weights] == [
            *(stay**i * (1 - stay) for i in range(limit)),
            stay**limit,
        ]


def check_settling(cells: Cells, borders: list[Fraction], data: st.DataObject) -> None:
    """A number given by its words lies in the cell between the exact borders around it."""
    near = [int(border * 2**64) for border in borders] or [0]
    word = data.draw(st.one_of(st.sampled_from(near), st.integers(0, 2**64 - 1)))
    tail = data.draw(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=3))
    number = Fraction(word, 2**64) + sum(
        Fraction(w, 2 ** (64 * (i + 2))) for i, w in enumerate(tail)
    )
    rest = iter([*tail, *[0] * 20])
    assert cells.settle(word, lambda: next(rest)) == sum(b <= number for b in borders)


def test_codes() -> None:
    H = FiniteClass([[0, 1, 1]], domain="abc")
    sample = Sample("cab", [1, 0, 1])
    assert example_codes(H, sample).tolist() == [5, 0, 3]
    assert decoded(example_codes(H, sample), H.domain.__getitem__) == sample
    with pytest.raises(InvalidInput, match="codes from 0 to 6"):
        as_codes(np.array([0, 6]), H)
    with pytest.raises(InvalidInput, match="integers"):
        as_codes(np.array([0.5]), H)
