"""Alpha-nets, against the definition pair by pair."""

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability import FiniteClass, InvalidInput, Sample, classes, testing
from pac_stability.dimensions import NetViolation, is_alpha_net, net_violation
from shared_refusals import refuses


@given(
    testing.strategies.classes_with_samples(
        testing.strategies.finite_classes(max_points=5, max_hypotheses=12, points="edcba"),
        min_size=0,
        max_size=4,
    ),
    testing.strategies.probabilities(6),
    st.data(),
)
def test_definition(
    question: tuple[FiniteClass, Sample[str]], alpha: Fraction, data: st.DataObject
) -> None:
    H, S = question
    points = S.points
    m = len(H.domain)
    weights = data.draw(st.lists(st.fractions(0, 3), min_size=m, max_size=m).filter(any))
    columns = [H.domain.index(point) for point in points]
    total = sum(weights)
    expected = None
    for h, g in combinations(range(len(H)), 2):
        agree = all(H.table[h, x] == H.table[g, x] for x in columns)
        apart = sum(w for x, w in enumerate(weights) if H.table[h, x] != H.table[g, x]) / total
        if agree and apart > alpha:
            expected = NetViolation(h, g, Fraction(apart))
            break
    assert net_violation(H, points, alpha, weights) == expected
    assert is_alpha_net(H, points, alpha, weights) == (expected is None)


def test_thresholds_in_closed_form() -> None:
    # Hypotheses that agree on the net differ inside one gap between its points: a net exactly
    # when no gap is longer than alpha n.
    n = 7
    H = classes.thresholds(n)
    for size in range(n + 1):
        for chosen in combinations(range(n), size):
            ends = [-1, *chosen, n]
            gap = max(right - left - 1 for left, right in pairwise(ends))
            net = [H.domain[i] for i in chosen]
            for k in range(n + 1):
                assert is_alpha_net(H, net, Fraction(k, n)) == (gap <= k)


def test_uniform_weights_by_default_and_weights_beyond_machine_words() -> None:
    H = classes.cube(3)
    assert net_violation(H, H.domain[:2], 0) == net_violation(H, H.domain[:2], 0, [1, 1, 1])
    huge = [2**80, 1, 2**80]
    violation = net_violation(H, H.domain[:1], Fraction(1, 2), huge)
    assert violation is not None
    assert violation.disagreement == Fraction(2**80 + 1, 2**81 + 1)
    assert is_alpha_net(H, H.domain[:1], Fraction(2**80 + 1, 2**81 + 1), huge)


def test_trivial_nets() -> None:
    assert is_alpha_net(FiniteClass(np.zeros((0, 2))), [], 0)
    assert is_alpha_net(FiniteClass(np.zeros((1, 0))), [], 0)
    assert is_alpha_net(classes.cube(2), classes.cube(2).domain, 0)
    assert is_alpha_net(classes.cube(2), [], 1)


def test_bad_input() -> None:
    H = FiniteClass([[0, 1], [1, 1]], domain="ab")
    refuses(r"^point: got 'c', want one of the 2 points$", is_alpha_net, H, ["c"], 0)
    with pytest.raises(InvalidInput, match=r"^alpha: got Fraction\(-1, 2\), want a non-negative"):
        is_alpha_net(H, [], Fraction(-1, 2))
    refuses(r"^weights: got 1 of them, want one for each of the 2", is_alpha_net, H, [], 0, [1])
    refuses(r"^weights: got -1, want", is_alpha_net, H, [], 0, [1, -1])
    refuses(r"^weights: got only zeros, want a positive sum$", is_alpha_net, H, [], 0, [0, 0])
