"""A stream of random realizable examples: the library, the definition, an informed program."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from pac_stability import online
from pac_stability.classes import FiniteClass
from pac_stability.classes.bits import columns_of
from tools.bench.twins import informed_search

EXAMPLES_PER_POINT = 10
SEED = 7


def stream(hypotheses: FiniteClass) -> list[tuple[int, int]]:
    """Column indices and labels, realizable by a random hypothesis."""
    choice = random.Random(SEED)  # noqa: S311 - which examples come is no secret
    target = hypotheses.table[choice.randrange(len(hypotheses))]
    count = len(target)
    points = [choice.randrange(count) for _ in range(EXAMPLES_PER_POINT * count)]
    return [(point, int(target[point])) for point in points]


def library(hypotheses: FiniteClass) -> Callable[[], tuple[int, int]]:
    """The compiled algorithm: mistakes and examples."""
    examples = [(hypotheses.domain[point], label) for point, label in stream(hypotheses)]
    warm = online.StandardOptimalAlgorithm(hypotheses)
    warm.copy().replay(examples)

    def run() -> tuple[int, int]:
        learner = warm.copy()
        learner.replay(examples)
        return learner.mistakes, len(examples)

    return run


def literal(hypotheses: FiniteClass) -> Callable[[], tuple[int, int]]:
    """The definition: Ldim of both sides by the memoised recursion, ties to label 1."""
    columns = columns_of(hypotheses.table)
    examples = stream(hypotheses)

    @cache
    def dimension(space: int) -> int:
        best = 0 if space else -1
        for column in columns:
            one, zero = space & column, space & ~column
            if one and zero:
                best = max(best, 1 + min(dimension(zero), dimension(one)))
        return best

    def run() -> tuple[int, int]:
        space = (1 << len(hypotheses)) - 1
        mistakes = 0
        for point, label in examples:
            one, zero = space & columns[point], space & ~columns[point]
            mistakes += label != (dimension(one) >= dimension(zero))
            space = one if label else zero
        return mistakes, len(examples)

    return run


def informed(hypotheses: FiniteClass) -> Callable[[], tuple[int, int]]:
    """Ldim of both sides by the informed search, remembered by version space; both warm."""
    table, examples = hypotheses.table, stream(hypotheses)
    columns = columns_of(table)

    @cache
    def dimension(space: int) -> int:
        return informed_search(table[[h for h in range(len(table)) if space >> h & 1]])

    def play() -> int:
        space = (1 << len(table)) - 1
        mistakes = 0
        for point, label in examples:
            one, zero = space & columns[point], space & ~columns[point]
            if one and zero:
                mistakes += label != (dimension(one) >= dimension(zero))
            else:
                mistakes += label != bool(one)
            space = one if label else zero
        return mistakes

    play()
    return lambda: (play(), len(examples))
