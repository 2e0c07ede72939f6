"""Votes: laws, and the exact effect of one voter, over all votes."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import cast

import pytest

from pac_stability import Epsilon, FiniteDistribution, InvalidInput, Mechanism, audit
from pac_stability.mechanisms import GeometricVote, NoisyMeanVote, SoftMajorityVote
from pac_stability.papers.dagan_feldman import private_least_error
from shared_refusals import refuses

Law = FiniteDistribution[object]
Factor = Callable[[Law, Law], Fraction | float]
Runs = Callable[[Mechanism[object, object], object], bool]
Vote = SoftMajorityVote | NoisyMeanVote | GeometricVote

DECAYS = [Fraction(1, 2), Fraction(3, 4), Fraction(1, 10)]
VOTES = [SoftMajorityVote, NoisyMeanVote, GeometricVote]


def noisy_mean(votes: tuple[int, ...], q: Fraction) -> Fraction:
    """The expectation of the clamped noisy share, the noise summed value by value."""
    v, r = sum(votes), len(votes)

    def pmf(z: int) -> Fraction:
        return (1 - q) / (1 + q) * q ** abs(z)

    def tail(z: int) -> Fraction:  # of the noise at z >= 1; it is symmetric
        return (1 - sum((pmf(k) for k in range(1 - z, z)), Fraction(0))) / 2

    inside = sum((pmf(k - v) * Fraction(k, r) for k in range(1, r)), Fraction(0))
    return inside + (tail(r - v) if v < r else 1 - tail(1))


def noisy_majority(votes: tuple[int, ...], q: Fraction) -> Fraction:
    """The probability of label 1 as the majority after noise, added up value by value."""
    v, r = sum(votes), len(votes)
    # Noise -2r .. 2r decides; what lies beyond is on both sides alike, and decides for that side.
    inside = {z: (1 - q) / (1 + q) * q ** abs(z) for z in range(-2 * r, 2 * r + 1)}
    beyond = (1 - sum(inside.values(), Fraction(0))) / 2
    above = sum((p for z, p in inside.items() if 2 * (v + z) > r), Fraction(0))
    tied = sum((p for z, p in inside.items() if 2 * (v + z) == r), Fraction(0))
    return beyond + above + tied / 2


@pytest.mark.parametrize("decay", DECAYS)
@pytest.mark.parametrize("voters", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", VOTES)
def test_law_and_the_effect_of_one_voter(
    runs_as_stated: Runs, least_factor: Factor, kind: type[Vote], voters: int, decay: Fraction
) -> None:
    vote = kind(decay)
    laws = {votes: vote.law(votes) for votes in product((0, 1), repeat=voters)}
    for votes, law in laws.items():
        assert runs_as_stated(cast("Mechanism[object, object]", vote), votes)
        if isinstance(vote, SoftMajorityVote):
            weights = [decay ** votes.count(1 - label) for label in (0, 1)]
            assert law.probability(1) == weights[1] / sum(weights)
        elif isinstance(vote, GeometricVote):
            assert law.probability(1) == noisy_majority(votes, decay)
        else:
            assert law.probability(1) == noisy_mean(votes, decay)
    neighbours = [
        (law, laws[(*votes[:i], 1 - votes[i], *votes[i + 1 :])])
        for votes, law in laws.items()
        for i in range(voters)
    ]
    moved = max(abs(p.probability(1) - q.probability(1)) for p, q in neighbours)
    assert moved == vote.stability(voters)
    worst = max(least_factor(p, q) for p, q in neighbours)
    if isinstance(vote, SoftMajorityVote):
        assert worst == vote.factor(voters) <= vote.guarantee.factor == decay**-2
    else:
        assert worst == vote.guarantee.factor == 1 / decay


@pytest.mark.parametrize("ratio", [Fraction(1), Fraction(27, 10), Fraction(4)])
@pytest.mark.parametrize("voters", [1, 2, 7, 12])
def test_the_geometric_vote_meets_the_lower_bound_at_every_lead(
    ratio: Fraction, voters: int
) -> None:
    vote, soft = GeometricVote(1 / ratio), SoftMajorityVote(Fraction(1, 2))
    for ones in range(voters // 2 + 1):
        votes = (1,) * ones + (0,) * (voters - ones)
        least = private_least_error(voters - 2 * ones, Epsilon.exactly(ratio))
        assert vote.law(votes).probability(1) == least
        if ratio == 4:
            assert vote.guarantee == soft.guarantee
            assert soft.law(votes).probability(1) >= least


def test_many_voters() -> None:
    # An exact audit up to order; every step but the middle one multiplies by 1/q exactly.
    vote = GeometricVote(Fraction(2, 3))
    for voters in (9, 10):
        found = audit.differential_privacy(vote.law, 2, voters, labelled=False, symmetric=True)
        assert found.value == Fraction(3, 2)


def test_from_epsilon_spends_it() -> None:
    assert GeometricVote.from_epsilon(Epsilon.exactly(Fraction(3, 2))).decay == Fraction(2, 3)
    assert SoftMajorityVote.from_epsilon(Epsilon.exactly(Fraction(9, 4))).decay == Fraction(2, 3)
    assert NoisyMeanVote.from_epsilon(Epsilon.exactly(Fraction(3, 2))).decay == Fraction(2, 3)
    asked = Epsilon(1.0).ratio
    for spent in (
        SoftMajorityVote.from_epsilon(1.0).guarantee.factor,
        NoisyMeanVote.from_epsilon(1.0).guarantee.factor,
        GeometricVote.from_epsilon(1.0).guarantee.factor,
    ):
        assert Fraction(9999, 10000) * asked < spent <= asked


def test_a_vote_without_decay_is_a_coin() -> None:
    for vote in (SoftMajorityVote(Fraction(1)), GeometricVote(Fraction(1))):
        assert vote.law((1, 1, 1)).probability(1) == Fraction(1, 2)
    refuses("decay", NoisyMeanVote, Fraction(1))


@pytest.mark.parametrize("kind", VOTES)
@pytest.mark.parametrize("votes", [(), (2,), (0.5,), "01", None, 3])
def test_bad_votes(kind: type[Vote], votes: object) -> None:
    vote = kind(Fraction(1, 2))
    for use in (vote.law, vote.run):
        with pytest.raises(InvalidInput) as caught:
            use(cast("tuple[int, ...]", votes))
        assert caught.value.argument == "x"


@pytest.mark.parametrize("kind", VOTES)
def test_bad_parameters(kind: type[Vote]) -> None:
    for wrong in (0, float("nan"), -1, 2):
        refuses("decay", kind, cast("Fraction", wrong))
    refuses("voters", kind(Fraction(1, 2)).stability, 0)
