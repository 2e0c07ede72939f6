"""Stability in total variation against its definition, and from audit to recheck."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from pac_stability import Epsilon, FiniteDistribution, audit, checker, errors, randomness, zoo
from pac_stability.audit import Verdict, certificates
from pac_stability.testing import strategies

Law = FiniteDistribution[object]


@given(
    st.lists(strategies.weighted(range(4)), min_size=4, max_size=4),
    st.sampled_from(["1/5", "1/2", "1"]),
)
def test_the_value_is_half_the_largest_distance(given_laws: list[Law], claim: str) -> None:
    """Total variation is half the sum of |P(y) - Q(y)|; neighbours differ in one of two bits."""
    found = audit.total_variation_stability(
        lambda bits: given_laws[2 * bits[0] + bits[1]], 2, 2, claim=claim, labelled=False
    )
    truth = max(
        sum((abs(p.probability(y) - q.probability(y)) for y in range(4)), Fraction(0)) / 2
        for (i, p), (j, q) in combinations(enumerate(given_laws), 2)
        if (i ^ j).bit_count() == 1
    )
    assert found.value == truth
    assert found.verdict is (Verdict.REFUTED if truth > Fraction(claim) else Verdict.VERIFIED)
    assert certificates.from_json(certificates.to_json(found)) == found
    checked = checker.recheck(certificates.to_document(found))
    says_something = truth < 1 or claim != "1"  # of every mechanism, it is at most 1
    assert (checked.value, checked.proven) == (truth, says_something)
    assert checked.exact == (found.verdict is Verdict.VERIFIED)


def test_it_is_the_left_end_of_every_curve_of_the_zoo() -> None:
    for specimen in zoo.all():
        if len(specimen.records) ** specimen.n < 100:
            found = audit.total_variation_stability(
                specimen.mechanism, specimen.records, specimen.n, labelled=False
            )
            assert found.value == specimen.frontier.minimal_delta(Epsilon(0)), specimen.name


def test_randomized_response_and_a_group() -> None:
    """True with probability 3/4: 3/4 - 1/4. Of two answers the event of two ones: (9 - 1)/16; at
    least one: (15 - 7)/16. The outcomes 11, 10, 01, 00 have 9, 3, 3, 1 against 1, 3, 3, 9."""

    def responses(bits: tuple[int, ...], rng: randomness.Coins) -> tuple[int, ...]:
        return tuple(bit ^ rng.bernoulli(Fraction(1, 4)) for bit in bits)

    found = audit.total_variation_stability(responses, 2, 2, claim="2/5", labelled=False)
    assert (found.value, found.verdict) == (Fraction(1, 2), Verdict.REFUTED)
    both = audit.total_variation_stability(responses, 2, 2, group_size=2, labelled=False)
    assert both.value == Fraction(9 - 1, 16)
    small = audit.shrink_counterexample(responses, found)
    assert (small.setting.points, small.setting.n) == ((0, 1), 1)
    told = audit.explain(certificates.to_document(found))
    assert "changes the probability of every set of outputs by at most gamma" in told
    assert "They differ by 1/2 (0.5), so the least possible value is gamma = 1/2 (0.5)." in told


def test_a_claim_is_a_probability() -> None:
    with pytest.raises(errors.InvalidInput, match="claim"):
        audit.total_variation_stability(lambda _: FiniteDistribution.point_mass(0), 2, 1, claim=2)
