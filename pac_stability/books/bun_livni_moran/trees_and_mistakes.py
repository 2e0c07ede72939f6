"""Section III-B: the Littlestone dimension, the mistake bound, the SOA and its extension."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import TypeAlias

from pac_stability.books.bun_livni_moran.literal import (
    Hypotheses,
    Sequence,
    Soa,
    class_string,
    dimension,
    hypotheses_of,
    label_string,
    optimal_predictor,
    side,
)
from pac_stability.books.bun_livni_moran.settings import (
    SMALL_CLASSES,
    THE_CLASS,
    TINY_CLASSES,
    small_classes,
    tiny_classes,
)
from pac_stability.claims.instances import all_classes
from pac_stability.claims.trials import Budget, Finding, OnClass, Trials, at_most, settle, trial
from pac_stability.classes import FiniteClass
from pac_stability.dimensions import (
    MistakeTree,
    littlestone_dimension,
    shattered_tree,
    vc_dimension,
)
from pac_stability.online import StandardOptimalAlgorithm
from pac_stability.online.states import SoaStates


@cache
def _shatters(rows: Hypotheses, points: int, depth: int) -> bool:
    """Whether some complete tree is shattered: its root, and a subtree on each side."""
    if depth == 0:
        return bool(rows)
    return any(
        _shatters(side(rows, x, 0), points, depth - 1)
        and _shatters(side(rows, x, 1), points, depth - 1)
        for x in range(points)
    )


def _largest_depth(dimension_of: Callable[[FiniteClass], int], H: FiniteClass) -> Finding:
    rows, points = hypotheses_of(H), len(H.domain)
    deepest = max(depth for depth in range(points + 1) if _shatters(rows, points, depth))
    found = dimension_of(H)
    return settle(
        found == deepest,
        f"class {class_string(H)}: trees of depth {deepest} are shattered, not {found}",
    )


def _tree_realized(tree_of: Callable[[FiniteClass], MistakeTree], H: FiniteClass) -> Finding:
    rows, depth = hypotheses_of(H), dimension(hypotheses_of(H))
    paths = [path for path, _ in tree_of(H).leaves()]
    realized = all(any(all(h >> x & 1 == y for x, y in path) for h in rows) for path in paths)
    return settle(
        realized
        and sorted(tuple(y for _, y in path) for path in paths)
        == list(product((0, 1), repeat=depth)),
        f"class {class_string(H)}: the paths {paths} are not all realized, or not all of depth "
        f"{depth}",
    )


def _without_an_answer(H: FiniteClass) -> MistakeTree:
    """The tree over a part of the class: too shallow, in general."""
    return shattered_tree(H.select_rows(range((len(H) + 1) // 2)))


@cache
def _game(rows: Hypotheses, points: int) -> int:
    """The mistakes of the best deterministic learner against the worst realizable adversary."""
    worst = 0
    for x in range(points):
        zero, one = side(rows, x, 0), side(rows, x, 1)
        if zero and one:  # elsewhere every learner may predict the label that is left
            answers = [
                max((guess != y) + _game(left, points) for y, left in enumerate((zero, one)))
                for guess in (0, 1)
            ]
            worst = max(worst, min(answers))
    return worst


def _game_value(dimension_of: Callable[[FiniteClass], int], H: FiniteClass) -> Finding:
    value, found = _game(hypotheses_of(H), len(H.domain)), dimension_of(H)
    return settle(value == found, f"class {class_string(H)}: {value} mistakes, dimension {found}")


def _most_mistakes(predictor: Callable[[Hypotheses, int], int], H: FiniteClass) -> Finding:
    points, d = len(H.domain), dimension(hypotheses_of(H))

    # For a rule that may be wrong for ever on one side this is a lower bound, which is enough.
    @cache
    def most(rows: Hypotheses) -> int:
        f = predictor(rows, points)
        sides = ((x, y, side(rows, x, y)) for x in range(points) for y in (0, 1))
        costs = [
            (f >> x & 1 != y) + (0 if left == rows else most(left)) for x, y, left in sides if left
        ]
        return max(costs, default=0)

    found = most(hypotheses_of(H))
    return at_most(found, d, f"class {class_string(H)}: {found} mistakes, dimension {d}")


def _soa_rule(rows: Hypotheses, points: int) -> int:
    labels = 0
    H = FiniteClass([[h >> x & 1 for x in range(points)] for h in sorted(rows)])
    for x, y in enumerate(StandardOptimalAlgorithm(H).hypothesis()):
        labels |= int(y) << x
    return labels


def _contrary_rule(rows: Hypotheses, points: int) -> int:
    return ~_soa_rule(rows, points) & (1 << points) - 1


Run: TypeAlias = Callable[[FiniteClass, int, Sequence], int]
"""From a class, a label at ties and a sequence to the predictor after it."""


def _run(H: FiniteClass, tie: int, sequence: Sequence) -> int:
    soa = StandardOptimalAlgorithm(H, tie)
    soa.replay(sequence)
    return sum(int(y) << x for x, y in enumerate(soa.hypothesis()))


def _other_ties(H: FiniteClass, tie: int, sequence: Sequence) -> int:
    return _run(H, 1 - tie, sequence)


def _unpatched(H: FiniteClass, tie: int, sequence: Sequence) -> int:
    return Soa(hypotheses_of(H), len(H.domain), tie, patches=False)(sequence)


def _sequences(
    H: FiniteClass, most: int, *, realizable: bool
) -> Iterator[tuple[FiniteClass, int, Sequence]]:
    rows = hypotheses_of(H)
    examples = list(product(range(len(H.domain)), (0, 1)))
    for length in range(most + 1):
        for sequence in product(examples, repeat=length):
            fits = any(all(h >> x & 1 == y for x, y in sequence) for h in rows)
            if fits == realizable:
                yield H, 0, sequence
                yield H, 1, sequence


def _realizable_sequences(budget: Budget) -> Iterator[tuple[FiniteClass, int, Sequence]]:
    for m in (1, 2, 3):
        for H in all_classes(m):
            most = budget.pick(1, 3, 3) if m == 3 else 3
            yield from _sequences(H, most, realizable=True)


def _other_sequences(budget: Budget) -> Iterator[tuple[FiniteClass, int, Sequence]]:
    for m in (1, 2) if budget is Budget.QUICK else (1, 2, 3):
        for H in all_classes(m):
            most = budget.pick(3, 4, 5) if m < 3 else 3
            yield from _sequences(H, most, realizable=False)


_OWN_REALIZABLE: OnClass[tuple[FiniteClass, int, Sequence]] = OnClass(
    lambda H: _sequences(H, 2, realizable=True),
    "all realizable sequences of up to 2 examples, both ties",
    points=8,
    hypotheses=64,
)
_OWN_OTHERS: OnClass[tuple[FiniteClass, int, Sequence]] = OnClass(
    lambda H: _sequences(H, 2, realizable=False),
    "all sequences of up to 2 examples that no hypothesis fits, both ties",
    points=8,
    hypotheses=64,
)


def _as_written(run: Run, instance: tuple[FiniteClass, int, Sequence]) -> Finding:
    H, tie, sequence = instance
    m = len(H.domain)
    meant, found = Soa(hypotheses_of(H), m, tie)(sequence), run(H, tie, sequence)
    return settle(
        meant == found,
        f"class {class_string(H)}, tie {tie}, examples {sequence}: predictor "
        f"{label_string(found, m)}, by the definition {label_string(meant, m)}",
    )


def _consistent(empty: int, instance: tuple[FiniteClass, int, Sequence]) -> Finding:
    H, tie, sequence = instance
    space, m = hypotheses_of(H), len(H.domain)
    for x, y in sequence:
        space = side(space, x, y)
    f = optimal_predictor(space, m, tie, empty)
    return settle(
        all(f >> x & 1 == y for x, y in sequence),
        f"class {class_string(H)}, tie {tie}, Ldim of the empty class {empty}: after {sequence} "
        f"the predictor is {label_string(f, m)}",
    )


def _machine(H: FiniteClass, tie: int, sequence: Sequence) -> int:
    states = SoaStates(H, tie)
    return states.predictor(states.run(states.start, sequence))


TRIALS: Trials = {
    "BLM20:definition-littlestone-dimension": (
        trial(
            "the largest depth",
            _largest_depth,
            small_classes,
            subject=littlestone_dimension,
            mutant=vc_dimension,
            universe=SMALL_CLASSES,
            exhaustive=True,
            on_class=THE_CLASS,
        ),
        trial(
            "every path of the tree is realized",
            _tree_realized,
            small_classes,
            subject=shattered_tree,
            mutant=_without_an_answer,
            universe=SMALL_CLASSES,
            exhaustive=True,
            on_class=THE_CLASS,
        ),
    ),
    "BLM20:fact-optimal-mistakes": (
        trial(
            "the value of the game",
            _game_value,
            small_classes,
            subject=littlestone_dimension,
            mutant=vc_dimension,
            universe=SMALL_CLASSES,
            exhaustive=True,
            on_class=THE_CLASS,
        ),
        trial(
            "the SOA on all realizable sequences",
            _most_mistakes,
            tiny_classes,
            subject=_soa_rule,
            mutant=_contrary_rule,
            universe=TINY_CLASSES + ", all realizable sequences",
            exhaustive=True,
            on_class=THE_CLASS,
        ),
    ),
    "BLM20:algorithm-soa": (
        trial(
            "the predictor",
            _as_written,
            _realizable_sequences,
            subject=_run,
            mutant=_other_ties,
            universe="every class on up to 3 points, both ties, all realizable sequences of "
            "up to 3 examples (one on 3 points with the quick budget)",
            exhaustive=True,
            on_class=_OWN_REALIZABLE,
        ),
        trial(
            "the empty side has dimension -1",
            _consistent,
            _realizable_sequences,
            subject=-1,
            mutant=0,
            universe="the same",
            exhaustive=True,
            on_class=_OWN_REALIZABLE,
        ),
    ),
    "BLM20:definition-8": (
        trial(
            "the algorithm",
            _as_written,
            _other_sequences,
            subject=_run,
            mutant=_unpatched,
            universe="every class on up to 2 points (3 from the standard budget on), both "
            "ties, all sequences that no hypothesis fits of up to 3 examples (more, on 2 "
            "points, with the budget)",
            exhaustive=True,
            on_class=_OWN_OTHERS,
        ),
        trial(
            "the machine of states",
            _as_written,
            _other_sequences,
            subject=_machine,
            mutant=_unpatched,
            universe="the same",
            exhaustive=True,
        ),
    ),
}
