"""Sparse halfspaces: which rules there are, in what order, with what prior."""

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

from pac_stability.classes import SparseHalfspace, SparseHalfspaces
from pac_stability.data import ArraySample, Sample
from pac_stability.errors import InvalidInput


def test_every_rule_is_there_once() -> None:
    rules = SparseHalfspaces(3, 4, sparsity=2, cuts=3)
    listed = list(rules)
    assert len(listed) == len(set(listed)) == len(rules) == 3 * 2 * 3 + 3 * 4 * 3
    assert [rules[-1], rules[len(rules) - 1]] == [listed[-1]] * 2
    # Cuts divide 0 .. 4 and 0 .. 8 into four; subtracting moves them down by 4 a feature.
    assert {h.cut for h in listed if len(h.features) == 1} == {1, 2, 3}
    assert {h.cut for h in listed if h.signs == (1, 1)} == {2, 4, 6}
    assert {h.cut for h in listed if h.signs == (1, -1)} == {-2, 0, 2}
    with pytest.raises(IndexError):
        rules[len(rules)]


@pytest.mark.parametrize("cuts", [2, 3, 50])
def test_no_rule_is_constant_and_few_values_have_all_cuts(cuts: int) -> None:
    rules = SparseHalfspaces(2, 3, sparsity=2, cuts=cuts)
    points = list(product(range(4), repeat=2))
    assert all(0 < sum(map(h, points)) < len(points) for h in rules)
    singles = {h.cut for h in rules if len(h.features) == 1}
    assert len(singles) == min(cuts, 3)


def test_the_prior_is_even_over_numbers_of_features() -> None:
    rules = SparseHalfspaces(4, 5, sparsity=3, cuts=2)
    share: Counter[int] = Counter()
    for h, mass in zip(rules, rules.prior.tolist(), strict=True):
        share[len(h.features)] += mass
    assert {Fraction(mass, rules.total) for mass in share.values()} == {Fraction(1, 3)}
    assert math.gcd(*rules.prior.tolist()) == 1
    # No more features than there are.
    assert max(len(h.features) for h in SparseHalfspaces(2, 3, sparsity=5)) == 2


def test_equal_classes() -> None:
    assert SparseHalfspaces(2, 3) == SparseHalfspaces(2, 3, 3, 15) != SparseHalfspaces(3, 2)
    assert len({SparseHalfspaces(2, 3), SparseHalfspaces(2, 3)}) == 1
    assert repr(SparseHalfspaces(2, 3)) == "SparseHalfspaces(2, 3, sparsity=3, cuts=15)"
    assert repr(SparseHalfspace(3, (0, 2), (-1, 1), 4, upward=False)) == (
        "SparseHalfspace(-x0 + x2 < 4)"
    )


@pytest.mark.parametrize(("make", "argument"), [
    (lambda: SparseHalfspaces(0, 3), "dimension"),
    (lambda: SparseHalfspaces(2, 0), "largest"),
    (lambda: SparseHalfspaces(2, 1 << 24), "largest"),
    (lambda: SparseHalfspaces(2, 3, sparsity=9), "sparsity"),
    (lambda: SparseHalfspaces(2, 3, cuts=0), "cuts"),
    (lambda: SparseHalfspaces(1000, 100, sparsity=3), "sparsity"),
    (lambda: SparseHalfspaces(2, 3).errors(Sample([(0, 4)], [0])), "sample"),
    (lambda: SparseHalfspaces(2, 3).errors(Sample([(0, -1)], [0])), "sample"),
    (lambda: SparseHalfspaces(2, 3).errors(Sample([(0, 1, 2)], [0])), "sample"),
    (lambda: SparseHalfspaces(2, 3).errors(Sample([5], [0])), "sample"),
    (lambda: SparseHalfspaces(2, 3).errors(Sample(["ab"], [0])), "sample"),
    (lambda: SparseHalfspaces(2, 3).errors(ArraySample([[0.5, 1.0]], [0])), "sample"),
])  # fmt: skip
def test_bad_input(make: Callable[[], object], argument: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        make()
    assert caught.value.argument == argument
