"""How much of a claim is used, in the units in which people state it."""

import math
from fractions import Fraction
from typing import Any

from pac_stability import arithmetic, audit, data, randomness
from shared_examples import example
from shared_refusals import refuses

tightness = example("tightness")
compare_with_claim = tightness.compare_with_claim
HALF = Fraction(1, 2)
QUARTER = Fraction(1, 4)


def response(S: data.Sample[int], x: int, rng: randomness.Coins) -> int:
    """The first label, flipped with probability 1/4: the exact factor is 3."""
    return S.labels[x] ^ rng.bernoulli(QUARTER)


def response_against(claim: arithmetic.Epsilon, delta: Fraction = Fraction(0)) -> Any:
    return compare_with_claim(audit.private_prediction(response, 1, 1, delta, claim=claim))


def value(
    result: audit.AuditResult, changed: Fraction | arithmetic.Interval, claim: Fraction
) -> audit.AuditResult:
    return audit.AuditResult(
        result.instance, changed, audit.Verdict.BOUNDED, result.witness, result.counts, claim
    )


def test_epsilons_are_compared_not_factors() -> None:
    row = response_against(arithmetic.Epsilon.exactly(9))
    assert row.value == 3
    assert (row.n, row.claim) == (1, Fraction(9))
    assert isinstance(row.used, arithmetic.Interval)
    assert HALF in row.used  # ln 3 / ln 9
    assert row.used.width < Fraction(1, 10**15)
    assert isinstance(row.slack, arithmetic.Interval)
    assert abs(float(row.slack) - math.log(3)) < 1e-12
    assert row.witness is not None
    assert row.witness.event in {(0,), (1,)}


def test_a_tight_claim_is_exactly_tight() -> None:
    row = response_against(arithmetic.Epsilon.exactly(3))
    assert (row.used, row.slack, row.verdict) == (1, 0, audit.Verdict.VERIFIED)
    assert response_against(arithmetic.Epsilon.exactly(1), HALF).used == 1  # 3/4 - 1/2 = 1/4


def test_a_claim_that_fails_has_negative_slack() -> None:
    row = response_against(arithmetic.Epsilon.exactly(2))
    assert row.verdict is audit.Verdict.REFUTED
    assert isinstance(row.used, arithmetic.Interval)
    assert isinstance(row.slack, arithmetic.Interval)
    assert row.used.lower > 1
    assert row.slack.upper < 0
    nothing = response_against(arithmetic.Epsilon.exactly(1))  # epsilon 0 was claimed
    assert nothing.used == math.inf
    assert isinstance(nothing.slack, arithmetic.Interval)
    assert abs(float(nothing.slack) + math.log(3)) < 1e-12


def test_an_infinite_value_uses_any_claim_up() -> None:
    def tells(S: data.Sample[int], x: int, rng: randomness.Coins) -> int:
        return S.labels[x + rng.below(1)]

    row = compare_with_claim(audit.private_prediction(tells, 1, 1, claim=7))
    assert (row.value, row.used, row.slack) == (math.inf, math.inf, -math.inf)


def test_stability_is_compared_as_it_is() -> None:
    row = compare_with_claim(audit.uniform_stability(response, 1, 1, claim="0.8"))
    assert (row.value, row.used, row.slack) == (HALF, Fraction(5, 8), Fraction(3, 10))
    zero = compare_with_claim(audit.uniform_stability(response, 1, 1, claim=0))
    assert (zero.used, zero.slack) == (math.inf, -HALF)
    found = audit.uniform_stability(response, 1, 1, claim=1)
    enclosed = compare_with_claim(value(found, arithmetic.Interval(QUARTER, HALF), Fraction(1, 3)))
    assert enclosed.used == arithmetic.Interval(Fraction(3, 4), Fraction(3, 2))
    assert enclosed.slack == arithmetic.Interval(Fraction(-1, 6), Fraction(1, 12))


def test_global_stability_claims_a_floor() -> None:
    coin: data.FiniteDistribution[object] = data.FiniteDistribution.uniform([0, 1])
    instance = audit.Instance(audit.Notion.GLOBAL_STABILITY, (0, 1), 1, distribution=coin)
    witness = audit.LawsWitness((), ((0, HALF),), HALF)
    counts = audit.Counts(2, 0, 0, 2)
    row = compare_with_claim(
        audit.AuditResult(instance, HALF, audit.Verdict.VERIFIED, witness, counts, QUARTER)
    )
    assert (row.used, row.slack, row.witness) == (HALF, QUARTER, None)


def test_a_table_has_a_row_for_each_size_and_delta() -> None:
    """One label of n at random, flipped with probability 1/4, on one point.

    The probability of the label 1 is between 1/4 and 3/4 and moves by 1/(2n); the worst pair is at
    the bottom: (1/4 + 1/(2n) - delta) / (1/4) = 1 + 2/n - 4 delta.
    """

    def one_of(S: data.Sample[int], x: int, rng: randomness.Coins) -> int:
        return S.labels[x + rng.below(len(S))] ^ rng.bernoulli(QUARTER)

    deltas = (Fraction(0), Fraction(1, 40))
    rows = tightness.tightness_table(
        lambda n, delta: audit.private_prediction(
            one_of, 1, n, delta, claim=arithmetic.Epsilon.exactly(1 + Fraction(2, n))
        ),
        [1, 2, 3],
        deltas,
    )
    assert [(row.n, row.delta, row.value) for row in rows] == [
        (n, delta, 1 + Fraction(2, n) - 4 * delta) for n in (1, 2, 3) for delta in deltas
    ]
    text = tightness.tightness_to_text(rows).splitlines()
    assert text[0].split() == ["n", "delta", "claimed", "exact", "used", "slack", "event"]
    assert text[1].startswith("1  0             ln 3 (1.09861)     ln 3 (1.09861)       1   ")
    latex = tightness.tightness_to_latex(rows).splitlines()
    assert len(latex) == 4 + len(rows)
    assert latex[3].startswith(r"1 & 0 & ln 3 (1.09861) & ln 3 (1.09861) & 1 & 0 & \{")
    assert latex[3].endswith(r"\} \\")


def test_only_claims_about_something_are_compared() -> None:
    refuses("without a claim", compare_with_claim, audit.private_prediction(response, 1, 1))
    instance = audit.Instance(audit.Notion.UNIFORM_STABILITY, (), 0)
    skipped = audit.AuditResult(
        instance, Fraction(0), audit.Verdict.SKIPPED, None, audit.Counts(0, 0, 0, 0), Fraction(1)
    )
    refuses("examined nothing", compare_with_claim, skipped)
