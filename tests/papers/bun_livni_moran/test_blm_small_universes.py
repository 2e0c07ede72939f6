"""Observation 11 and Lemmas 13 and 14: every class on three points, every concept and tie."""

from fractions import Fraction
from functools import cache
from itertools import combinations, product

import pytest

from pac_stability import classes, data, dimensions, online
from pac_stability.papers.bun_livni_moran import formulas
from pac_stability.papers.bun_livni_moran.tournaments import TournamentDistribution

POINTS = 3
PATTERNS = list(product((0, 1), repeat=POINTS))
CLASSES = [
    [row for i, row in enumerate(PATTERNS) if subset >> i & 1] for subset in range(1, 1 << 8)
]

Pair = tuple[int, int]
Sequence = tuple[Pair, ...]


def up_to_symmetry() -> list[list[tuple[int, ...]]]:
    """One class of each kind: points exchanged. Labels are not, as ties would be as well."""
    orders = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
    kinds = {
        min(tuple(sorted(tuple(row[x] for x in order) for row in rows)) for order in orders)
        for rows in CLASSES
    }
    return [list(kind) for kind in sorted(kinds)]


def test_the_kinds_are_all_classes() -> None:
    assert len(up_to_symmetry()) == 79  # of 255: the orbits of the permutations, less the empty one


@pytest.mark.parametrize("tie", [0, 1])
def test_observation_11_on_every_sequence(tie: int) -> None:
    for rows in up_to_symmetry():
        H = classes.FiniteClass(rows)

        @cache
        def soa(sequence: Sequence, H: classes.FiniteClass = H) -> tuple[tuple[int, ...], int]:
            """What it predicts after a sequence, and how many mistakes it made on it."""
            algorithm = online.StandardOptimalAlgorithm(H, tie)
            algorithm.replay(sequence)
            return tuple(algorithm.hypothesis().tolist()), algorithm.mistakes

        for concept in rows:
            drawn = [((x, concept[x]),) for x in range(POINTS)]
            samples: set[Sequence] = {()}
            for k in range(1, dimensions.littlestone_dimension(H) + 1):
                players = [(*S, *T) for S in samples for T in drawn]
                samples = set()
                for first, second in combinations(players, 2):  # who is first is no matter
                    (f, _), (g, _) = soa(first), soa(second)
                    for x in range(POINTS):  # whatever point is picked
                        if f[x] != g[x]:
                            kept = {y: first if f[x] != y else second for y in (0, 1)}
                            samples |= {(*S, (x, y)) for y, S in kept.items()}
                for S in samples:
                    # A mistake on each of the k tournament examples; the output fits T.
                    places = range(1, 2 * k, 2)
                    assert all(soa(S[:i])[0][S[i][0]] != S[i][1] for i in places)
                    assert soa(S)[1] >= k
                    for T in drawn:
                        ((x, y),) = T
                        assert soa((*S, *T))[0][x] == y


@pytest.mark.parametrize("tie", [0, 1])
@pytest.mark.parametrize("n", [1, 2])
def test_lemmas_13_and_14_at_every_defined_level(n: int, tie: int) -> None:
    tournaments = 0
    for rows in CLASSES:
        H = classes.FiniteClass(rows)
        d = dimensions.littlestone_dimension(H)
        for concept in rows:
            target = data.FiniteDistribution.uniform(
                data.Example(x, label) for x, label in enumerate(concept)
            )
            top = TournamentDistribution(H, target, d, n, tie=tie)
            for k in range(top.last_defined + 1):
                D = top.at(k)
                assert D.expected_draws <= 4 ** (k + 1) * n
                tournaments += k
                for f, p in D.law_of_output().items():
                    loss = Fraction(sum(f >> x & 1 != concept[x] for x in range(POINTS)), POINTS)
                    assert formulas.FrequentOutputLoss(p, n).allows(loss)
                    if p >= Fraction(1, 2**d):
                        assert loss <= Fraction(d, n)
    assert tournaments > 0
