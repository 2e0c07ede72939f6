"""How small delta may be at a fixed epsilon, asked of every notion that has both."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, strategies as st

from pac_stability import Epsilon, audit, checker, data, errors, notions, randomness, zoo
from pac_stability.audit import AuditResult, Notion, Verdict, certificates
from pac_stability.testing import strategies

Law = data.FiniteDistribution[object]

QUARTER = Fraction(1, 4)
TWO = Epsilon.exactly(2)


factors = st.sampled_from(
    [Fraction(1), Fraction(5, 4), Fraction(2), Fraction(7), Fraction(2**1100)]
)


def excess(p: Law, q: Law, t: Fraction) -> Fraction:
    """The largest P(E) - t Q(E), from the definition."""
    outcomes = sorted({*p.support, *q.support}, key=repr)
    events = (e for k in range(len(outcomes) + 1) for e in combinations(outcomes, k))
    return max(
        sum((p.probability(y) - t * q.probability(y) for y in event), Fraction(0))
        for event in events
    )


def rechecks(result: AuditResult) -> bool:
    """Whether the certificate proves the verdict, and comes back as it was."""
    assert certificates.from_json(certificates.to_json(result)) == result
    checked = checker.recheck(certificates.to_document(result))
    assert checked.value == result.value
    return checked.proven


@given(st.lists(strategies.weighted(range(3)), min_size=3, max_size=3), factors, st.booleans())
def test_of_outputs(given_laws: list[Law], t: Fraction, comes: bool) -> None:
    kind = data.Neighbouring.ADD_REMOVE if comes else data.Neighbouring.REPLACE_ONE
    found = audit.differential_privacy(
        lambda records: given_laws[records[0] if records else 2],
        2, 1, epsilon=Epsilon.exactly(t), claim="1/3", labelled=False, relation=kind,
    )  # fmt: skip
    p, q, none = given_laws
    pairs = [(p, q), (q, p)]
    if comes:  # to the empty sample; no two records are compared
        pairs = [(p, none), (none, p), (q, none), (none, q)]
    truth = max(excess(*pair, t) for pair in pairs)
    assert found.value == truth
    assert found.verdict is (Verdict.REFUTED if truth > Fraction(1, 3) else Verdict.VERIFIED)
    assert found.instance.epsilon_ratio == t
    assert rechecks(found)


@given(st.lists(st.fractions(0, 1), min_size=4, max_size=4), factors)
def test_of_predictions(ones: list[Fraction], t: Fraction) -> None:
    class Predicts:
        def probabilities(self, S: data.Sample[int], points: Sequence[int]) -> list[Fraction]:
            return [ones[2 * x + S.labels[0]] for x in points]

    found = audit.private_prediction(Predicts(), 2, 1, epsilon=Epsilon.exactly(t))
    truth = max(
        abs(p - t * q) if p > t * q else Fraction(0)
        for x, y in product((0, 1), (0, 1))
        for p, q in [
            (ones[2 * x + y], ones[2 * x + 1 - y]),
            (1 - ones[2 * x + y], 1 - ones[2 * x + 1 - y]),
        ]
    )
    assert (found.value, found.parameter.name, found.parameter.is_factor) == (truth, "delta", False)
    assert rechecks(found)


def test_it_is_the_curve_of_the_zoo() -> None:
    for specimen in zoo.all():
        if len(specimen.records) ** specimen.n < 100:
            for t in (Fraction(1), Fraction(3, 2), Fraction(4)):
                epsilon = Epsilon.exactly(t)
                found = audit.differential_privacy(
                    specimen.mechanism, specimen.records, specimen.n, epsilon=epsilon,
                    labelled=False,
                )  # fmt: skip
                assert found.value == specimen.frontier.minimal_delta(epsilon), specimen.name


def response(bits: tuple[int, ...], rng: randomness.Coins) -> int:
    return bits[0] ^ rng.bernoulli(QUARTER)


def labelled_response(S: data.Sample[int], _: int, rng: randomness.Coins) -> int:
    return response(S.labels, rng)


COIN = data.FiniteDistribution.uniform([0, 1])


def test_of_perfect_generalization() -> None:
    """Laws 1/4 and 3/4: the fair coin is off by 3/4 - 1/2 t, or 1/2 - t/4; at t = 3/2 by 1/8."""
    t = Epsilon.exactly(Fraction(3, 2))
    for claim, verdict in (("1/8", Verdict.VERIFIED), ("1/9", Verdict.REFUTED)):
        found = audit.perfect_generalization(response, COIN, 1, 0, epsilon=t, claim=claim)
        # Another simulator with 1 at q is off by 3/4 - 3q/2 and by 3/4 - 3(1 - q)/2.
        by_definition = notions.perfect_generalization.minimal_delta(
            {(0,): law_of(0), (1,): law_of(1)}, COIN.power(1), 0, t
        )
        assert by_definition.lower == by_definition.upper == found.value
        assert found.verdict is verdict
        assert rechecks(found)


def law_of(bit: int) -> data.FiniteDistribution[int]:
    return data.FiniteDistribution({bit: 1 - QUARTER, 1 - bit: QUARTER})


def test_of_robust_generalization() -> None:
    """Three fair bits are told: all equal in 1 case of 4, and then the test {1} is off by 1/2."""
    tell: data.Deterministic[object, object] = data.Deterministic(lambda sample: sample)
    for epsilon, delta in (("1/6", QUARTER), ("1/7", Fraction(1)), ("1/2", Fraction(0))):
        found = audit.robust_generalization(tell, COIN, 3, epsilon=epsilon, claim=QUARTER)
        assert found.value == delta
        assert found.verdict is (Verdict.REFUTED if delta > QUARTER else Verdict.VERIFIED)
        assert dict(found.instance.own) == {"deviation": Fraction(epsilon)}
        assert rechecks(found)


def test_a_simulator_is_held_against_the_fixed_factor() -> None:
    found = audit.perfect_generalization(response, COIN, 1, 0, epsilon=TWO, claim=0)
    assert (found.value, found.verdict) == (0, Verdict.VERIFIED)
    document = certificates.to_document(found)
    assert "at the delta 0, on samples of probability 1" in checker.recheck(document).proved[1]


def test_delta_and_epsilon_are_not_both_fixed() -> None:
    with pytest.raises(errors.InvalidInput, match="delta: got 1/4, want none beside an epsilon"):
        audit.differential_privacy(response, 2, 1, "1/4", epsilon=1, labelled=False)
    with pytest.raises(errors.InvalidInput, match="delta: got 1/4, want none beside an epsilon"):
        audit.robust_generalization(response, COIN, 1, "1/4", epsilon=1)


@pytest.mark.parametrize("ask", [
    lambda: audit.differential_privacy(response, 2, 2, epsilon=TWO, claim=0, labelled=False),
    lambda: audit.private_prediction(labelled_response, 2, 2, epsilon=TWO, claim=0),
    lambda: audit.perfect_generalization(response, COIN, 2, 0, epsilon=0, claim=0),
    lambda: audit.robust_generalization(response, COIN, 2, epsilon="1/5", claim=0),
])  # fmt: skip
def test_its_refutations_are_told_and_made_smaller(ask: Callable[[], AuditResult]) -> None:
    found = ask()
    told = audit.explain(certificates.to_document(found))
    assert "The claim: delta at most 0." in told
    assert f"delta = {found.value}" in told
    subject = (
        response if found.instance.points == () else (lambda S, _, rng: response(S.labels, rng))
    )
    small = audit.shrink_counterexample(subject, found)
    assert small.setting.n == 1
    assert small.result.instance.notion is found.instance.notion
    assert rechecks(small.result)


def test_labels_as_groups() -> None:
    """Two of three bits are flipped back: (3/4)^2 - 2 (1/4)^2 = 7/16 at the factor 2."""

    def responses(S: data.Sample[int], rng: randomness.Coins) -> tuple[int, ...]:
        return tuple(label ^ rng.bernoulli(QUARTER) for label in S.labels)

    found = audit.differential_privacy(responses, 1, 3, epsilon=TWO, group_size=2)
    # Outcomes in pairs of bits: 9/16 against 1/16, 3 against 3 twice, 1 against 9.
    assert found.value == Fraction(9 - 2, 16)
    assert rechecks(found)
    assert data.all_examples([0]) == found.instance.universe
    assert found.instance.notion is Notion.DIFFERENTIAL_PRIVACY.at_epsilon
