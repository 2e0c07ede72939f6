"""The zoo calibrates our own statistical auditor: never above the truth, and not far below it."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest

from pac_stability import arithmetic, audit, notions, randomness, zoo
from pac_stability.zoo import Specimen

SURE = 1 - Fraction(1, 10**9)
FINITE = [
    pytest.param(specimen, delta, truth, id=f"{specimen.name} at {delta}")
    for specimen in zoo.all()
    for delta in (Fraction(0), Fraction(1, 5))
    for truth in [specimen.frontier.minimal_epsilon(delta)]
    if isinstance(truth, Fraction)
]


def audited(
    specimen: Specimen,
    delta: Fraction,
    claim: arithmetic.Epsilon | None = None,
    events: Sequence[Callable[[object], bool]] | None = None,
) -> audit.statistics.StatisticalResult[tuple[object, ...], object]:
    coins = randomness.SeededCoins(20)
    laws = {data: specimen.mechanism.law(data) for pair in specimen.pairs for data in pair}
    return audit.statistics.privacy_bound(
        lambda data: laws[data].sample(coins),
        specimen.pairs,
        runs=2000,
        delta=delta,
        claim=claim,
        confidence=SURE,
        events=events,
    )


@pytest.mark.parametrize(("specimen", "delta", "truth"), FINITE)
def test_the_truth_is_never_refuted(specimen: Specimen, delta: Fraction, truth: Fraction) -> None:
    result = audited(specimen, delta, arithmetic.Epsilon.exactly(truth))
    assert result.bound <= truth
    assert result.verdict is audit.Verdict.SUPPORTED


@pytest.mark.parametrize(
    "name", ["randomized-response", "clamped-laplace", "one-hot-response", "leaky-response"]
)
def test_the_best_event_shows_most_of_the_truth(name: str) -> None:
    specimen = zoo.get(name)
    delta = Fraction(1, 10) if name == "leaky-response" else Fraction(0)
    truth = specimen.frontier.minimal_epsilon(delta)
    event = set(notions.closeness.best_event_for_delta(specimen.law(0), specimen.law(1), delta))
    found = audited(specimen, delta, events=[event.__contains__])
    # Six standard deviations of 2000 runs are at most 0.28 in the logarithm of a ratio like 2/3 to
    # 1/3, and the frequencies may be as far off: two fifths of log 2 are safe.
    assert 0.4 * math.log(truth) < math.log(found.bound) < math.log(truth)


def test_what_gives_the_input_away_is_found() -> None:
    for name in ("identity", "random-record", "one-sided-noise"):
        assert audited(zoo.get(name), Fraction(0)).bound > 10


def test_a_claim_of_half_the_epsilon_is_refuted() -> None:
    for name in ("randomized-response", "one-hot-response"):
        specimen = zoo.get(name)
        truth = specimen.frontier.minimal_epsilon()
        assert isinstance(truth, Fraction)
        claim = arithmetic.Epsilon.exactly(truth) / 2  # the factor is the root of 3, or 3 for 9
        assert audited(specimen, Fraction(0), claim).verdict is audit.Verdict.REFUTED
