"""Section I-A: Theorem 3, and what is remarked on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb
from typing import TypeAlias

from pac_stability import classes
from pac_stability.arithmetic import Constants, Epsilon, Interval, floor_log2
from pac_stability.books.bun_livni_moran.literal import class_string, dimension, hypotheses_of
from pac_stability.books.bun_livni_moran.settings import THE_CLASS, TINY_CLASSES, tiny_classes
from pac_stability.claims.instances import catalogue
from pac_stability.claims.trials import (
    Budget,
    Finding,
    Trials,
    at_least,
    at_most,
    fails,
    idle,
    settle,
    trial,
)
from pac_stability.classes import FiniteClass
from pac_stability.dimensions import (
    littlestone_dimension,
    shattered_tree,
    threshold,
    threshold_dimension,
    vc_dimension,
)
from pac_stability.papers.bun_livni_moran import (
    Equivalence,
    agnostic_sizes,
    equivalence,
    experts_regret,
    random_label_regret,
    thresholds_in_tree,
    tree_on_thresholds,
)
from pac_stability.papers.bun_livni_moran.formulas import PrivateLearnerSizes


def _thresholds_from_trees(bound: Callable[[int], int], H: FiniteClass) -> Finding:
    d, k = dimension(hypotheses_of(H)), threshold_dimension(H)
    graph = thresholds_in_tree(H, shattered_tree(H))
    rows = [H.table[i].tolist() for i in graph.hypotheses]
    realized = all(
        rows[i][x] == (i <= j) for i in range(len(rows)) for j, x in enumerate(graph.points)
    )
    text = (
        f"class {class_string(H)}: dimension {d}, {k} thresholds, {len(graph.points)} of them from "
        f"the tree, not at least {bound(d)}"
    )
    shown = realized and k >= len(graph.points)
    return at_least(len(graph.points), bound(d), text) if shown else fails(text)


def _trees_from_thresholds(bound: Callable[[int], int], H: FiniteClass) -> Finding:
    rows, graph = hypotheses_of(H), threshold(H).witness
    if graph is None or not graph.points:
        return idle()
    d, k, tree = dimension(rows), len(graph.points), tree_on_thresholds(H, graph)
    paths = [path for path, _ in tree.leaves()]
    realized = all(any(all(h >> x & 1 == y for x, y in path) for h in rows) for path in paths)
    text = (
        f"class {class_string(H)}: {k} thresholds, dimension {d}, a tree of depth {tree.depth} on "
        f"them, not at least {bound(k)}"
    )
    shown = d >= tree.depth and realized and len(paths) == 2**tree.depth
    return at_least(tree.depth, bound(k), text) if shown else fails(text)


def _catalogue(_: Budget) -> Iterator[FiniteClass]:
    yield from (H for _, H in catalogue() if len(H.domain) <= 7)


_ACCURACY, _SURE, _DELTA = Fraction(1, 4), Fraction(1, 10), Fraction(1, 10**6)
"""What equivalence takes where nothing else is said; its epsilon is 1."""


def _private(d: int, constants: Constants, delta: Fraction) -> int:
    if not d:
        return 0
    return PrivateLearnerSizes(d, _ACCURACY, _SURE, Epsilon(1), delta, constants).sample_size


def _agnostic(H: FiniteClass, d: int, n: int) -> int:
    """What n has to be, where M may spend beta/n of delta at most: itself."""
    if not (d and n):
        return 0
    m = _private(d, Constants.PROVED, min(_DELTA, _SURE / n))
    return agnostic_sizes(m, vc_dimension(H), _ACCURACY, _SURE).sample_size


Table: TypeAlias = Callable[[FiniteClass, Constants], Equivalence]


def _table(table: Table, H: FiniteClass) -> Finding:
    found, proved = table(H, Constants.SHARP), table(H, Constants.PROVED)
    d = dimension(hypotheses_of(H))
    k = len(found.thresholds.points)
    meant = d, threshold_dimension(H), d, floor_log2(d + 1), floor_log2(k) if k else 0
    shown = (
        found.littlestone,
        found.threshold,
        found.mistakes,
        found.threshold_bound,
        found.littlestone_bound,
    )
    # What fact-regret.explicit, theorem-1.explicit and corollary-2.explicit are about.
    low, high = found.regret
    numbers = (
        low == random_label_regret(d, 100) <= high.lower,
        high.upper == experts_regret(d, 100).upper,
        found.private == _private(d, Constants.SHARP, _DELTA) <= found.agnostic,
        proved.private == _private(d, Constants.PROVED, _DELTA),
        proved.agnostic == _agnostic(H, d, proved.agnostic),
    )
    return settle(
        meant == shown and all(numbers),
        f"class {class_string(H)}: dimension, thresholds, mistakes and bounds {shown}, not {meant}",
    )


def _equivalence(H: FiniteClass, constants: Constants) -> Equivalence:
    return equivalence(H, constants=constants)


def _of_half_the_class(H: FiniteClass, constants: Constants) -> Equivalence:
    return equivalence(H.select_rows(range((len(H) + 1) // 2)), constants=constants)


def _domains(budget: Budget) -> Iterator[int]:
    yield from range(1, budget.pick(5, 6, 7) + 1)


def _thresholds(dimension_of: Callable[[FiniteClass], int], d: int) -> Finding:
    H = classes.thresholds(2**d)
    found = dimension_of(FiniteClass(H.table))
    return settle(
        found == d == dimension(hypotheses_of(H)),
        f"thresholds on 2^{d} points: dimension {found}, not {d}",
    )


# The rate of agnostic private learning

_ALPHA, _BETA, _FACTOR = Fraction(1, 4), Fraction(1, 4), Fraction(4)
_PURE = 120
"""Examples on which the exponential mechanism over two constants is accurate, for all targets."""


def _labels(budget: Budget) -> Iterator[Fraction]:
    q = budget.pick(20, 100, 500)
    yield from (Fraction(i, q) for i in range(q + 1))


def _pure_failure(n: int, p: Fraction) -> Fraction:
    """How often the worse of the constants 0 and 1 is chosen, when label 1 has probability p."""
    r = 1 / Fraction(2)  # e^epsilon = r^-2 = 4
    worse = 1 if p < Fraction(1, 2) else 0
    failure = Fraction(0)
    for ones in range(n + 1):
        errors = n - ones if worse else ones  # of the constant that is worse
        weights = r**errors, r ** (n - errors)
        failure += comb(n, ones) * p**ones * (1 - p) ** (n - ones) * weights[0] / sum(weights)
    return failure


def _pure(n: int, p: Fraction) -> Finding:
    if abs(1 - 2 * p) <= _ALPHA:
        return idle()  # both constants are within alpha
    failure = _pure_failure(n, p)
    return at_most(
        failure,
        _BETA,
        f"labels 1 with probability {p}, n = {n}, e^epsilon = {_FACTOR}, delta = 0: the loss is "
        f"more than alpha = {_ALPHA} above the least with probability {float(failure):.4f}",
    )


def _constants(_: Budget) -> Iterator[tuple[Fraction, ...]]:
    yield Fraction(1), Fraction(1, 100), Fraction(1, 10**6)


def _rate(n: int, constants: tuple[Fraction, ...]) -> Finding:
    """Whether some c has n >= c log2(1/(beta delta))/(alpha^2 epsilon) for every delta = 2^-j."""
    unit = 1 / (_ALPHA**2 * Interval.log(_FACTOR))
    found = []
    for c in constants:
        j = 1
        while (Interval.log2(1 / _BETA) + j) * unit * c <= n:
            j *= 2
        least = (Interval.log2(1 / _BETA) + j) * unit * c
        found.append(f"for c = {c} and delta = 2^-{j} the rate is {float(least):.1f}")
    return settle(
        False,
        f"the class of the two constants on one point, alpha = beta = 1/4, e^epsilon = 4: {n} "
        f"examples are enough with delta = 0, but {'; '.join(found)}",
    )


TRIALS: Trials = {
    "BLM20:theorem-3.finite": (
        trial(
            "thresholds in trees",
            _thresholds_from_trees,
            tiny_classes,
            subject=lambda d: floor_log2(d + 1),
            mutant=lambda d: d,
            universe=TINY_CLASSES,
            exhaustive=True,
            on_class=THE_CLASS,
        ),
        trial(
            "trees on thresholds",
            _trees_from_thresholds,
            tiny_classes,
            subject=floor_log2,
            mutant=lambda k: k,
            universe=TINY_CLASSES,
            exhaustive=True,
            on_class=THE_CLASS,
        ),
        trial(
            "the table",
            _table,
            _catalogue,
            subject=_equivalence,
            mutant=_of_half_the_class,
            universe="known classes on up to 7 points, with sharp and with proved constants",
            on_class=THE_CLASS,
        ),
    ),
    "BLM20:remark-agnostic-rate": (
        trial(
            "two constants",
            _rate,
            _constants,
            subject=_PURE,
            universe="the class of two constants on one point, c = 1, 1/100 and 10^-6",
        ),
    ),
    "BLM20:remark-agnostic-rate.repaired": (
        trial(
            "exact probabilities",
            _pure,
            _labels,
            subject=_PURE,
            mutant=2,
            universe="probabilities of the label 1 in a grid",
        ),
    ),
    "BLM20:remark-thresholds": (
        trial(
            "the dimension",
            _thresholds,
            _domains,
            subject=littlestone_dimension,
            mutant=vc_dimension,
            universe="d from 1 on",
        ),
    ),
}
