"""When no simulator is close to enough laws: against all candidates, and at each border by hand.

A simulator that the checker overlooks is a refutation that is not so.
"""

import math
from fractions import Fraction
from itertools import combinations, product

import pytest

from pac_stability.checker.fields import Law, Limits
from pac_stability.checker.notions.perfect_generalization import no_simulator
from pac_stability.checker.pairs import is_close

F = Fraction
ZERO, ONE = F(0), F(1)
NAMES = ("x", "y", "z")


def limits() -> Limits:
    return Limits(1 << 16, 10**6)


def law(*weights: int) -> Law:
    total = sum(weights)
    return {name: F(w, total) for name, w in zip(NAMES, weights, strict=False) if w}


def close(p: Law, q: Law, t: F | float, delta: F) -> bool:
    """Every event tried, in both directions."""
    for size in range(4):
        for event in combinations(NAMES, size):
            a, b = (sum((r.get(y, ZERO) for y in event), ZERO) for r in (p, q))
            for here, there in ((a, b), (b, a)):
                if isinstance(t, float):
                    if there == 0 and here > delta:
                        return False
                elif here > t * there + delta:
                    return False
    return True


LAWS = [law(*w) for w in product(range(4), repeat=3) if sum(w) == 3]
FACTORS = [ONE, F(3, 2), F(3)]
DELTAS = [ZERO, F(1, 9), F(1, 3), F(2, 3)]


def test_closeness_is_that_of_every_event() -> None:
    for p, q in product(LAWS, repeat=2):
        for t, delta in product(FACTORS, DELTAS):
            assert is_close(p, q, t, delta, limits()) == close(p, q, t, delta)
        # Without a bound only what is impossible under one of them counts, all of it together.
        lost = max(sum((r[y] for y in r if y not in s), ZERO) for r, s in ((p, q), (q, p)))
        for delta in DELTAS:
            assert is_close(p, q, math.inf, delta, limits()) == (lost <= delta)


def best_of_two(weighted: list[tuple[F, Law]], t: F, delta: F) -> F:
    """The largest probability that a simulator on two outcomes covers.

    The simulators that are close to a law are those with x between two of these borders.
    """
    ps = [p.get("x", ZERO) for _, p in weighted]
    borders = {b for p in ps for b in (
        (p - delta) / t, ONE - (ONE - p - delta) / t, t * p + delta, ONE - t * (ONE - p) - delta
    )}  # fmt: skip
    best = ZERO
    for q in {b for b in borders if 0 <= b <= 1} | {ZERO, ONE}:
        simulator = {y: w for y, w in (("x", q), ("y", 1 - q)) if w}
        covered = (w for w, p in weighted if close(p, simulator, t, delta))
        best = max(best, sum(covered, ZERO))
    return best


def test_on_two_outcomes_it_is_known() -> None:
    coins = [law(a, 4 - a) for a in range(5)]
    rows = [
        list(zip(weights, chosen, strict=True))
        for weights in ((F(1, 2), F(1, 2)), (F(1, 4), F(3, 4)))
        for chosen in combinations(coins, 2)
    ] + [
        list(zip((F(1, 2), F(1, 4), F(1, 4)), chosen, strict=True))
        for chosen in combinations(coins, 3)
    ]
    for weighted in rows:
        for t, delta in product((ONE, F(3, 2), F(3)), (ZERO, F(1, 8), F(1, 3))):
            best = best_of_two(weighted, t, delta)
            for beta in (ZERO, F(1, 5), F(1, 4), F(1, 2), F(3, 4)):
                assert no_simulator(weighted, t, delta, beta, limits()) == (best < 1 - beta)


def test_on_three_outcomes_no_simulator_is_overlooked() -> None:
    grid = [law(*w) for w in product(range(7), repeat=3) if sum(w) == 6]
    third = F(1, 3)
    for chosen in combinations(LAWS, 3):
        for t, delta in ((ONE, F(1, 3)), (F(2), F(1, 9)), (F(3), ZERO), (F(3), F(1, 9))):
            cover = max(sum(is_close(p, q, t, delta, limits()) for p in chosen) for q in grid)
            for missed in range(3):
                if no_simulator([(third, p) for p in chosen], t, delta, missed * third, limits()):
                    assert cover < 3 - missed


EQUAL = (F(1, 3), F(1, 3), F(1, 3))
FIFTHS = (F(2, 5), F(2, 5), F(1, 5))
SURE = (law(1), law(0, 1), law(0, 0, 1))
PAIRS = (law(1, 1, 0), law(1, 0, 1), law(0, 1, 1))


BORDERS = [
    # What is sure under one law is impossible under another: it must be 1/9 or more, and 0.
    (EQUAL, SURE, F(9), ZERO, ZERO, True),
    # With the factor 1 each outcome needs 1 - delta, together more than 1 below delta = 2/3.
    (EQUAL, SURE, ONE, F(1, 4), ZERO, True),
    (EQUAL, SURE, ONE, F(65, 100), ZERO, True),
    (EQUAL, SURE, ONE, F(2, 3), ZERO, False),
    # Each outcome is impossible under a law, so it gets delta at most, together less than 1.
    (EQUAL, PAIRS, F(2), F(1, 4), ZERO, True),
    (EQUAL, PAIRS, F(2), F(33, 100), ZERO, True),
    (EQUAL, PAIRS, F(2), F(1, 3), ZERO, False),
    # That is about all laws: where one may be missed it proves nothing.
    (EQUAL, PAIRS, F(2), F(1, 4), F(32, 100), True),
    (EQUAL, PAIRS, F(2), F(1, 4), F(1, 3), False),
    ((F(1, 2), F(1, 4), F(1, 4)), PAIRS, F(2), F(1, 4), F(1, 4), False),
    # Of two laws that are no neighbours one is missed: 3/8 here, and 1/2 in two pairs.
    ((F(3, 8), F(3, 8), F(1, 4)), (SURE[0], SURE[1], law(1, 1, 1)), ONE, ZERO, F(1, 4), True),
    ((F(3, 8), F(3, 8), F(1, 4)), (SURE[0], SURE[1], law(1, 1, 1)), ONE, ZERO, F(3, 8), False),
    ((F(1, 2), F(1, 4), F(1, 4)), SURE, F(9), ZERO, F(49, 100), True),
    ((F(1, 2), F(1, 4), F(1, 4)), SURE, F(9), ZERO, F(1, 2), False),
    # Two laws at 1/2 from one another, one simulator: (3/4, 1/8, 1/8) is close to both, so
    # they may be delta * (1 + t) apart, not only 2 delta.
    ((F(1, 2), F(1, 2)), (law(1, 1, 0), law(1, 0, 1)), F(3), F(1, 8), ZERO, False),
    ((F(1, 2), F(1, 2)), (law(1, 1, 0), law(1, 0, 1)), F(3), F(1, 8), F(2, 5), False),
    # And their factor is the square of the simulator's: 1/4 against 1 through 1/2.
    ((F(1, 2), F(1, 2)), (law(4, 0, 0), law(1, 3, 0)), F(2), F(1, 2), ZERO, False),
    ((F(1, 2), F(1, 2)), (law(8, 1, 1), law(2, 4, 4)), F(2), ZERO, F(1, 2), False),
    ((F(1, 2), F(1, 2)), (law(8, 1, 1), law(2, 4, 4)), F(2), ZERO, F(2, 5), True),
    ((F(1, 2), F(1, 2)), (law(9, 1, 1), law(2, 4, 5)), F(2), ZERO, F(2, 5), True),
    # They are 1 apart, and so more than 2/5 * (1 + 1), though not more than 2/5 * (2 + 1).
    (FIFTHS, (law(1), law(0, 1, 1), law(2, 1, 1)), ONE, F(2, 5), F(1, 5), True),
    # On two outcomes more is known than of pairs: of three laws one is kept, and two are missed.
    (EQUAL, (law(0, 1), law(1, 1), law(1)), ONE, ZERO, F(1, 3), True),
    # With a third outcome the first one does not tell everything: here it tells nothing.
    ((F(1, 2), F(1, 2)), (law(1, 1, 0), law(1, 0, 1)), ONE, ZERO, ZERO, True),
]  # fmt: skip


@pytest.mark.parametrize("place", range(len(BORDERS)))
def test_at_the_borders(place: int) -> None:
    weights, laws, t, delta, beta, none = BORDERS[place]
    weighted = list(zip(weights, laws, strict=True))
    assert no_simulator(weighted, t, delta, beta, limits()) == none


def test_it_is_not_begun_where_it_would_take_too_long() -> None:
    weighted = list(zip(EQUAL, SURE, strict=True))  # 3 laws, of 3 outcomes in all: 9 steps
    for steps, spent, tried in ((109, 100, True), (108, 100, False), (9, 0, True), (8, 0, False)):
        left = Limits(1 << 16, steps, spent)
        assert no_simulator(weighted, F(9), ZERO, ZERO, left) == tried
        assert left.spent == spent + 9 * tried
