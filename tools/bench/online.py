"""A stream of random realizable examples: the library, the definition, an informed program."""

from __future__ import annotations

import random
from functools import cache

from pac_stability.classes import FiniteClass, from_spec
from pac_stability.classes.bits import columns_of
from pac_stability.online import StandardOptimalAlgorithm
from tools.bench.job import Job, definition, informed
from tools.bench.measure import Run
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


def library(name: str) -> Run:
    """The compiled algorithm: mistakes and examples."""
    hypotheses = from_spec(name)
    examples = [(hypotheses.domain[point], label) for point, label in stream(hypotheses)]
    warm = StandardOptimalAlgorithm(hypotheses)
    warm.copy().replay(examples)

    def run() -> tuple[int, int]:
        learner = warm.copy()
        learner.replay(examples)
        return learner.mistakes, len(examples)

    return run


def literal(name: str) -> Run:
    """The definition: Ldim of both sides by the memoised recursion, ties to label 1."""
    hypotheses = from_spec(name)
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


def remembered(name: str) -> Run:
    """Ldim of both sides by the informed search, remembered by version space; both warm."""
    hypotheses = from_spec(name)
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


INSTANCES = [
    "unions_of_intervals:12,2",
    "thresholds:256",
    "random:512x64:0.5",
    "random:1024x64:0.5",
    "random:2048x128:0.25",
]
JOBS = {
    "online": Job(
        "A stream of examples labelled by a random hypothesis, ten for each point; nodes are "
        "examples. The table of the library's solver is warm, and so are the memos. Definition: "
        "Ldim of both sides by the memoised recursion. Informed: by the informed search.",
        INSTANCES,
        library,
        (definition(literal, INSTANCES[:2]), informed(remembered, INSTANCES[:4])),
    )
}
