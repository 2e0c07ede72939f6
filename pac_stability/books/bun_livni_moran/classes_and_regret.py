"""Section I: which classes have small dimension, and the regret line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TypeAlias

from pac_stability import classes
from pac_stability.arithmetic import Interval, floor_log2
from pac_stability.books.bun_livni_moran.literal import (
    class_string,
    dimension,
    hypotheses_of,
)
from pac_stability.books.bun_livni_moran.settings import SMALL_CLASSES, THE_CLASS, small_classes
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    at_least,
    at_most,
    fails,
    kept_counterexample,
    settle,
    trial,
    undecided,
)
from pac_stability.classes import FiniteClass
from pac_stability.dimensions import littlestone_dimension
from pac_stability.errors import Undecided
from pac_stability.online import AgnosticPredictor
from pac_stability.papers.bun_livni_moran import (
    MinimaxPredictor,
    RegretGame,
    experts_regret,
    random_label_regret,
)

# Classes of finite dimension


def _at_most(bound: Callable[[int], int], H: FiniteClass) -> Finding:
    d = dimension(hypotheses_of(H))
    return at_most(
        d, bound(len(H)), f"class {class_string(H)}: dimension {d}, not at most {bound(len(H))}"
    )


_SHORT = 50
"""Up to how many hypotheses the recursion for the dimension is gone through as well."""

Subspaces: TypeAlias = tuple[int, int, int]
"""The field GF(p), the dimension n of the space, the largest dimension d of the subspaces."""


def _subspaces(budget: Budget) -> Iterator[Subspaces]:
    yield from ((2, 1, 0), (2, 2, 0), (3, 1, 0), (2, 2, 1), (2, 3, 1), (2, 3, 2), (3, 2, 1))
    if budget is not Budget.QUICK:
        yield from ((2, 4, 1), (5, 2, 1))


def _affine(formula: Callable[[int], int], instance: Subspaces) -> Finding:
    p, n, d = instance
    H = classes.affine_subspaces(p, n, d, at_most=True)
    found = littlestone_dimension(FiniteClass(H.table))  # the table alone: no closed form
    written_out = dimension(hypotheses_of(H)) if len(H) <= _SHORT else found
    return settle(
        found == written_out == formula(d),
        f"affine subspaces of dimension at most {d} of GF({p})^{n}, {len(H)} of them: Littlestone "
        f"dimension {found}, not {formula(d)}",
    )


# The regret line

_GAMES = (
    ("all labelings of 1 point", classes.cube(1)),
    ("singletons on 4 points", classes.singletons(4)),
    ("thresholds on 3 points", classes.thresholds(3)),
    ("all labelings of 2 points", classes.cube(2)),
)


def _games(budget: Budget) -> Iterator[tuple[str, FiniteClass, int]]:
    for T in range(1, budget.pick(3, 5, 6) + 1):
        for name, H in _GAMES:
            yield name, H, T


@cache
def _regret(H: FiniteClass, rounds: int) -> Fraction:
    """The minimax regret of T rounds: the learner's best prediction found at every corner."""
    columns = [tuple(int(y) for y in column) for column in H.table.T]

    @cache
    def value(left: int, losses: tuple[int, ...]) -> Fraction:
        if left == 0:
            return Fraction(-min(losses))
        return max(_best_prediction(*after(left - 1, losses, column)) for column in columns)

    def after(left: int, losses: tuple[int, ...], labels: tuple[int, ...]) -> list[Fraction]:
        return [
            value(left, tuple(s + (h != y) for s, h in zip(losses, labels, strict=True)))
            for y in (0, 1)
        ]

    return value(rounds, (0,) * len(H))


def _best_prediction(zero: Fraction, one: Fraction) -> Fraction:
    """The least max(p + V_0, 1 - p + V_1) over predictions p of the label 1."""
    corners = (Fraction(0), Fraction(1), min(Fraction(1), max(Fraction(0), (1 + one - zero) / 2)))
    return min(max(p + zero, 1 - p + one) for p in corners)


def _regret_at_least(
    bound: Callable[[int, int], Fraction], game: tuple[str, FiniteClass, int]
) -> Finding:
    name, H, T = game
    value, d = _regret(H, T), dimension(hypotheses_of(H))
    low = bound(d, T)
    stated = T % d != 0 or low**2 >= Fraction(d * T, 8)
    text = f"{name}, {T} rounds: regret {value}, lower bound {low}"
    return at_least(value, low, text) if stated else fails(text)


def _regret_at_most(
    bound: Callable[[int, int], Interval], game: tuple[str, FiniteClass, int]
) -> Finding:
    name, H, T = game
    value = _regret(H, T)
    high = bound(dimension(hypotheses_of(H)), T)
    try:
        return at_least(high, value, f"{name}, {T} rounds: regret {value}, upper bound {high}")
    except Undecided:
        return undecided(f"{name}, {T} rounds: regret {value}, upper bound {high}")


Play: TypeAlias = Callable[[FiniteClass, int], MinimaxPredictor | AgnosticPredictor]
"""From a class and T to a learner at its first round."""


def _optimal_learner(H: FiniteClass, T: int) -> MinimaxPredictor | AgnosticPredictor:
    return RegretGame(H, T).predictor()


def _experts(H: FiniteClass, T: int) -> MinimaxPredictor | AgnosticPredictor:
    return AgnosticPredictor(H, T)


def _experts_of_one(H: FiniteClass, T: int) -> MinimaxPredictor | AgnosticPredictor:
    return AgnosticPredictor(H.select_rows([0]), T)


def _plays(budget: Budget) -> Iterator[tuple[str, FiniteClass, int]]:
    for T in range(1, budget.pick(3, 4, 5) + 1):
        for name, H in _GAMES:
            if (2 * len(H.domain)) ** T <= 300 or budget is not Budget.QUICK:
                yield name, H, T


def _worst_regret(play: Play, H: FiniteClass, T: int) -> Fraction:
    """The largest regret on all sequences of T examples; predictions are asked one by one."""
    worst = Fraction(0)
    for sequence in product(product(H.domain, (0, 1)), repeat=T):
        learner, paid = play(H, T), Fraction(0)
        for x, y in sequence:
            one = learner.probability(x)
            paid += 1 - one if y else one
            learner.update(x, y)
        best = min(sum(H(i, x) != y for x, y in sequence) for i in range(len(H)))
        worst = max(worst, paid - best)
    return worst


def _plays_optimally(play: Play, game: tuple[str, FiniteClass, int]) -> Finding:
    name, H, T = game
    found, meant, said = _worst_regret(play, H, T), _regret(H, T), RegretGame(H, T).value
    return settle(
        found == meant == said,
        f"{name}, {T} rounds: regret {found} on the worst sequence, {meant} by the definition, the "
        f"game is said to have the value {said}",
    )


def _plays_as_bounded(play: Play, game: tuple[str, FiniteClass, int]) -> Finding:
    name, H, T = game
    found, d = _worst_regret(play, H, T), dimension(hypotheses_of(H))
    high = experts_regret(d, T)
    return at_most(found, high, f"{name}, {T} rounds: regret {found} on the worst sequence, {high}")


_PLAYS = (
    "all labelings of 1 and 2 points, singletons on 4, thresholds on 3, T from 1 to 3 where there "
    "are at most 300 sequences (all, to 4, from the standard budget on); all sequences of examples"
)

TRIALS: Trials = {
    "BLM20:fact-finite-classes": (
        trial(
            "small classes",
            _at_most,
            small_classes,
            subject=floor_log2,
            mutant=lambda size: floor_log2(size) - 1,
            universe=SMALL_CLASSES,
            exhaustive=True,
            on_class=THE_CLASS,
        ),
    ),
    "BLM20:fact-affine-subspaces": (
        trial(
            "small fields",
            _affine,
            _subspaces,
            subject=lambda d: d,
            universe="subspaces of small spaces over GF(2), GF(3), GF(5), d < n",
        ),
        kept_counterexample("BLM20:fact-affine-subspaces"),
    ),
    "BLM20:fact-affine-subspaces.repaired": (
        trial(
            "small fields",
            _affine,
            _subspaces,
            subject=lambda d: d + 1,
            mutant=lambda d: d,
            universe="subspaces of small spaces over GF(2), GF(3), GF(5), d < n",
        ),
    ),
    "BLM20:fact-regret.explicit": (
        trial(
            "from below",
            _regret_at_least,
            _games,
            subject=random_label_regret,
            mutant=lambda d, T: 2 * random_label_regret(d, T),
            universe="four classes, T from 1 on",
        ),
        trial(
            "from above",
            _regret_at_most,
            _games,
            subject=experts_regret,
            mutant=lambda d, T: experts_regret(d, T) / 2,
            universe="four classes, T from 1 on",
        ),
        trial(
            "the optimal learner plays",
            _plays_optimally,
            _plays,
            subject=_optimal_learner,
            mutant=_experts,
            universe=_PLAYS,
        ),
        trial(
            "the experts play",
            _plays_as_bounded,
            _plays,
            subject=_experts,
            mutant=_experts_of_one,
            universe=_PLAYS,
        ),
    ),
}
