"""The chain rule is never violated, and the laws that attain it are given."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from pac_stability import Epsilon, FiniteDistribution, InvalidInput, notions, testing
from pac_stability.notions.chain_rule import chain, chain_of_equal_links, least_chained_delta
from shared_laws import coin
from shared_refusals import refuses

Law = FiniteDistribution[int]


laws = testing.strategies.weighted(range(3), 9)
epsilons = testing.strategies.epsilons(4)
deltas = testing.strategies.probabilities(20)


@given(laws, laws, laws, epsilons, epsilons)
def test_two_links_are_never_worse(p: Law, q: Law, r: Law, one: Epsilon, two: Epsilon) -> None:
    first = (one, notions.closeness.minimal_delta(p, q, one))
    second = (two, notions.closeness.minimal_delta(q, r, two))
    total, delta = chain([first, second])
    assert total == one + two
    found = notions.closeness.minimal_delta(p, r, total)
    assert found <= least_chained_delta(first, second) <= delta


@given(epsilons, deltas, epsilons, deltas)
def test_the_least_delta_of_two_links_is_attained(
    one: Epsilon, d: Fraction, two: Epsilon, e: Fraction
) -> None:
    # Event 1 never happens under the last law, as often as allowed under the middle one, and as
    # often as that allows under the first one.
    attained = []
    for (t, delta), (_, next_delta) in (
        ((one.ratio, d), (two.ratio, e)),
        ((two.ratio, e), (one.ratio, d)),
    ):
        most = max(
            x
            for x in (Fraction(1), delta + t * next_delta, 1 - (1 - next_delta - delta) / t)
            if 0 <= x <= 1
            and notions.closeness.are_close(coin(x), coin(next_delta), Epsilon.exactly(t), delta)
        )
        attained.append(most)
    for (near, far), most, middle in (((one, two), attained[0], e), ((two, one), attained[1], d)):
        assert notions.closeness.are_close(coin(middle), coin(Fraction(0)), far, middle)
        assert notions.closeness.minimal_delta(coin(most), coin(Fraction(0)), near + far) == most
    assert least_chained_delta((one, d), (two, e)) == max(attained)


@given(st.integers(8, 32), st.integers(0, 9), st.integers(8, 32), st.integers(0, 9))
def test_small_deltas_chain_exactly(a: int, d: int, b: int, e: int) -> None:
    t, u, delta, next_delta = Fraction(a, 8), Fraction(b, 8), Fraction(d, 99), Fraction(e, 99)
    links = [(Epsilon.exactly(t), delta), (Epsilon.exactly(u), next_delta)]
    expected = max(delta + t * next_delta, next_delta + u * delta)
    assert chain(links) == (Epsilon.exactly(t * u), expected)
    # (t + 1) delta' + delta <= 1 in both directions: no other event is in the way.
    assert least_chained_delta(links[0], links[1]) == expected


@given(st.lists(laws, min_size=2, max_size=5), st.lists(epsilons, min_size=4, max_size=4))
def test_longer_chains_are_never_violated(
    chained: list[Law], given_epsilons: list[Epsilon]
) -> None:
    links = [
        (epsilon, notions.closeness.minimal_delta(p, q, epsilon))
        for (p, q), epsilon in zip(pairwise(chained), given_epsilons, strict=False)
    ]
    total, delta = chain(links)
    assert notions.closeness.minimal_delta(chained[0], chained[-1], total) <= delta
    assert chain(links[::-1]) == (total, delta)


@given(epsilons, deltas, st.integers(1, 5))
def test_equal_links_are_the_geometric_sum(epsilon: Epsilon, delta: Fraction, k: int) -> None:
    t = epsilon.ratio
    total, chained = chain_of_equal_links(epsilon, delta, k)
    assert total.ratio == t**k
    assert chained == sum(delta * t**i for i in range(k))
    assert (total, chained) == chain([(epsilon, delta)] * k)


@pytest.mark.parametrize("t", [Fraction(1), Fraction(3, 2), Fraction(2)])
def test_equal_links_are_attained(t: Fraction) -> None:
    # Event 1 has probability 0, then delta, then t delta + delta, ...: as much as each link allows.
    epsilon, delta = Epsilon.exactly(t), Fraction(1, 100)
    chained = [coin(delta * sum((t**i for i in range(k)), Fraction())) for k in range(5)]
    for p, q in pairwise(chained):
        assert notions.closeness.minimal_delta(p, q, epsilon) == delta
    for k in range(5):
        total, expected = chain_of_equal_links(epsilon, delta, k)
        assert notions.closeness.minimal_delta(chained[0], chained[k], total) == expected


def test_four_links_at_factor_two_cost_fifteen_deltas() -> None:
    assert chain_of_equal_links(Epsilon.exactly(2), Fraction(1, 100), 4)[1] == Fraction(15, 100)
    assert chain_of_equal_links(Epsilon.exactly(2), Fraction(1, 100), 6)[1] == Fraction(63, 100)


def test_bad_arguments_are_named() -> None:
    link = (Epsilon.exactly(2), Fraction(1, 2))
    refuses("links: got none", chain, [])
    refuses("delta: got 2", chain, [link, (Epsilon.exactly(2), 2)])
    with pytest.raises(InvalidInput, match="epsilon: got a value of type int"):
        least_chained_delta(link, (2, 0))  # type: ignore[arg-type]  # what is tested
    refuses("length: got -1", chain_of_equal_links, *link, -1)
