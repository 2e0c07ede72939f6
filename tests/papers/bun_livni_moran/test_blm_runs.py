"""A run of algorithm G: example by example, it has the law of the program in the paper."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from pac_stability.classes import FiniteClass, singletons, thresholds
from pac_stability.data import Example, FiniteDistribution, Sample, enumerate_law
from pac_stability.errors import InvalidInput
from pac_stability.online import StandardOptimalAlgorithm
from pac_stability.online.machine import SoaStates
from pac_stability.papers.bun_livni_moran.at_size import as_codes, decoded, example_codes
from pac_stability.papers.bun_livni_moran.stable import GloballyStableLearner, Rules, drawn
from pac_stability.papers.bun_livni_moran.tournament_laws import as_pick_rule
from pac_stability.randomness import Coins
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
    @pytest.mark.parametrize(("H", "row", "weights", "top", "block", "blocks"), INSTANCES)
    def test_a_run_is_literal(
        self,
        *,
        H: FiniteClass,
        row: int,
        weights: tuple[int, ...],
        top: int,
        block: int,
        blocks: int,
    ) -> None:
        target = labelled(H, row, weights)
        rules = rules_of(H, block, blocks)

        def one_by_one(rng: Coins) -> tuple[int, ...] | None:
            state = rules.run(top, drawn(rules.states, target, rng), rng)
            if state is None:
                return FAIL
            predictor = rules.states.predictor(state)
            return tuple(predictor >> x & 1 for x in range(len(H.domain)))

        law = enumerate_law(lambda rng: literal(H, target, top, (block, blocks), rng))
        assert enumerate_law(one_by_one) == law

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


def test_codes() -> None:
    H = FiniteClass([[0, 1, 1]], domain="abc")
    sample = Sample("cab", [1, 0, 1])
    assert example_codes(H, sample).tolist() == [5, 0, 3]
    assert decoded(example_codes(H, sample), H.domain.__getitem__) == sample
    with pytest.raises(InvalidInput, match="codes from 0 to 6"):
        as_codes(np.array([0, 6]), H)
    with pytest.raises(InvalidInput, match="integers"):
        as_codes(np.array([0.5]), H)
