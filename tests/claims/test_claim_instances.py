"""Universes of instances are complete, and without repetitions."""

from fractions import Fraction
from itertools import permutations, product

import pytest

from pac_stability import arithmetic, classes, data
from pac_stability.claims import instances
from pac_stability.notions import closeness, differential_privacy, perfect_generalization


def patterns(H: classes.FiniteClass) -> frozenset[tuple[int, ...]]:
    return frozenset(tuple(row) for row in H.table.tolist())


def orbit(H: classes.FiniteClass, m: int, labels_matter: bool) -> set[frozenset[tuple[int, ...]]]:
    flips = [(0,) * m] if labels_matter else list(product((0, 1), repeat=m))
    return {
        frozenset(tuple(row[x] ^ flip[x] for x in order) for row in patterns(H))
        for order in permutations(range(m))
        for flip in flips
    }


@pytest.mark.parametrize("labels_matter", [True, False])
@pytest.mark.parametrize("m", [1, 2, 3])
def test_every_class_is_isomorphic_to_exactly_one(m: int, labels_matter: bool) -> None:
    orbits = [
        orbit(H, m, labels_matter) for H in instances.all_classes(m, labels_matter=labels_matter)
    ]
    everything = [kind for orbit in orbits for kind in orbit]
    assert len(everything) == len(set(everything)) == 2 ** (2**m) - 1


def test_the_smallest_come_first() -> None:
    sizes = [len(H) for H in instances.all_classes(3)]
    assert sizes == sorted(sizes)


def test_realizable_distributions_are_fitted_and_distinct() -> None:
    H = classes.FiniteClass([[0, 0], [0, 1], [1, 1]])
    found = list(instances.realizable_distributions(H, 3))
    assert len(found) == len(set(found))
    for target in found:
        assert any(all(h(z.point) == z.label for z in target.support) for h in H)
    # by hand: marginals (3,0) and (0,3) have 2 labelings each, (2,1) and (1,2) have 3 each
    assert len(found) == 2 + 2 + 3 + 3


def test_seeded_laws_are_the_same_again() -> None:
    assert list(instances.random_laws(5, outcomes=4)) == list(instances.random_laws(5, outcomes=4))
    assert list(instances.random_laws(5, outcomes=4)) != list(
        instances.random_laws(5, outcomes=4, seed="other")
    )


def test_tight_mechanisms_need_what_they_are_made_for() -> None:
    fair, one = (
        data.multiset_distribution(data.FiniteDistribution.uniform([0, 1]), 4),
        arithmetic.Epsilon.exactly(1),
    )
    told = instances.telling(2, 4, Fraction(1, 8)).law
    assert perfect_generalization.minimal_beta(told, fair, one, Fraction(1, 8)).upper == 0
    assert perfect_generalization.minimal_beta(told, fair, one, Fraction(1, 20)).lower > 0
    # two of four fair bits are ones with probability 6/16
    even = perfect_generalization.minimal_beta(instances.telling_one(2, 4).law, fair, one, 0)
    assert even.lower == even.upper == Fraction(3, 8)
    counted = instances.counting(3, Fraction(5, 4), Fraction(1, 16)).law
    pairs = list(data.neighbouring_multisets([0, 1], 3))
    worst = max(closeness.hockey_stick_at(counted(a), counted(b), "5/4") for a, b in pairs)
    assert worst == Fraction(1, 16)
    rare = instances.steep(3, Fraction(9, 8), "10").law
    factor = Fraction(differential_privacy.minimal_epsilon(rare, pairs))
    assert Fraction(9, 8) < factor < Fraction(9, 8) * Fraction(1001, 1000)
