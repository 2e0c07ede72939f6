"""Windows of laws on two outcomes, against a search for the common law itself."""

from fractions import Fraction

from hypothesis import given, settings, strategies as st

from pac_stability.arithmetic import Epsilon, Interval
from pac_stability.notions import closeness, simulator_covers
from pac_stability.testing import strategies
from shared_laws import coin

probabilities = strategies.probabilities()
factors = st.fractions(1, 4, max_denominator=5)
TINY = Fraction(1, 10**12)


def common(points: list[Fraction], t: Fraction, delta: Fraction) -> bool:
    """Whether one law is close to all: if so, one at an end of the interval of some point is."""
    ends = [Fraction(0), Fraction(1)]
    for p in points:
        ends += [(p - delta) / t, t * p + delta]
        ends += [1 - (1 - p - delta) / t, 1 - t * (1 - p) - delta]
    epsilon = Epsilon.exactly(t)
    return any(
        0 <= q <= 1 and all(closeness.are_close(coin(p), coin(q), epsilon, delta) for p in points)
        for q in ends
    )


@settings(max_examples=50)
@given(probabilities, probabilities, factors, probabilities)
def test_what_two_laws_need(p: Fraction, q: Fraction, t: Fraction, delta: Fraction) -> None:
    low, high = min(p, q), max(p, q)
    needed = simulator_covers.needed_delta(low, high, t)
    assert 0 <= needed <= 1
    assert common([low, high], t, needed)
    if needed:
        assert not common([low, high], t, needed - min(needed, TINY))
    assert common([low, high], t, delta) == (needed <= delta)
    factor = simulator_covers.needed_factor(low, high, delta)
    if factor is None:
        assert simulator_covers.needed_delta(low, high, Fraction(10**9)) > delta
        return
    assert common([low, high], factor.upper, delta)
    assert factor.width < Fraction(1, 2**100)
    if factor.lower > 1:
        assert not common([low, high], factor.lower - TINY, delta)
    q = simulator_covers.stabber(
        simulator_covers.Window(low, high, Fraction(1)), factor.upper, delta
    )
    epsilon = Epsilon.exactly(factor.upper)
    assert closeness.are_close(coin(low), coin(q), epsilon, delta)
    assert closeness.are_close(coin(high), coin(q), epsilon, delta)


@settings(max_examples=25)
@given(st.sets(probabilities, min_size=1, max_size=5), st.randoms(), factors, probabilities)
def test_windows_are_as_good_as_any_set(
    found: set[Fraction], rng: object, t: Fraction, delta: Fraction
) -> None:
    values = sorted(found)
    weights = [rng.randint(1, 5) for _ in values]  # type: ignore[attr-defined]  # a random.Random
    total = sum(weights)
    points = [(p, Fraction(w, total)) for p, w in zip(values, weights, strict=True)]

    subsets = [
        [pair for i, pair in enumerate(points) if mask >> i & 1]
        for mask in range(1, 1 << len(points))
    ]
    coverable = [s for s in subsets if common([p for p, _ in s], t, delta)]
    best = simulator_covers.heaviest_window(points, t, delta)
    assert best.weight == max(sum(w for _, w in s) for s in coverable)
    assert best.weight == sum(w for p, w in points if best.low <= p <= best.high)
    assert common([best.low, best.high], t, delta)

    target = Fraction(rng.randint(1, total), total)  # type: ignore[attr-defined]  # as above
    windows = list(simulator_covers.minimal_windows(points, target))
    assert all(
        w.weight == sum(v for p, v in points if w.low <= p <= w.high) >= target for w in windows
    )
    cheapest = min(simulator_covers.needed_delta(w.low, w.high, t) for w in windows)
    assert cheapest == min(
        simulator_covers.needed_delta(s[0][0], s[-1][0], t)
        for s in subsets
        if sum(w for _, w in s) >= target
    )


@settings(max_examples=40)
@given(st.sets(probabilities, min_size=1, max_size=8), st.randoms(), factors, probabilities)
def test_the_cheapest_window_is_found_without_pricing_all(
    found: set[Fraction], rng: object, t: Fraction, delta: Fraction
) -> None:
    values = sorted(found)
    weights = [rng.randint(1, 5) for _ in values]  # type: ignore[attr-defined]  # a random.Random
    total = sum(weights)
    points = [(p, Fraction(w, total)) for p, w in zip(values, weights, strict=True)]
    target = Fraction(rng.randint(1, total), total)  # type: ignore[attr-defined]  # as above
    windows = list(simulator_covers.minimal_windows(points, target))

    least, window = simulator_covers.least_delta(points, target, t)
    assert window in windows
    assert least == simulator_covers.needed_delta(window.low, window.high, t)
    assert least == min(simulator_covers.needed_delta(w.low, w.high, t) for w in windows)

    for allowed in (delta, Fraction(0)):
        every = [simulator_covers.needed_factor(w.low, w.high, allowed) for w in windows]
        possible = [factor for factor in every if factor is not None]
        cheapest = simulator_covers.least_factor(points, target, allowed)
        if cheapest is None:
            assert not possible
            continue
        factor, window = cheapest
        assert window in windows
        assert simulator_covers.needed_delta(window.low, window.high, factor.upper) <= allowed
        assert factor.lower == min(f.lower for f in possible)
        assert factor.upper == min(f.upper for f in possible)


def test_either_outcome_can_be_what_keeps_laws_apart() -> None:
    """With t = 2, laws 1/2 and 1 are close to no common law: it would give outcome 0 no weight, and
    at least 1/4. Laws 1/4 and 3/4 have 1/2. And the same with the outcomes exchanged.
    """
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    for ends in ((half, Fraction(1)), (Fraction(0), half)):
        points = [(p, half) for p in ends]
        assert simulator_covers.heaviest_window(points, Fraction(2), Fraction(0)).weight == half
        assert simulator_covers.heaviest_window(points, Fraction(2), Fraction(1, 6)).weight == 1
        assert simulator_covers.least_delta(points, Fraction(1), Fraction(2))[0] == Fraction(1, 6)
    points = [(quarter, half), (3 * quarter, half)]
    assert simulator_covers.heaviest_window(points, Fraction(2), Fraction(0)).weight == 1


def test_one_certain_law_needs_nothing_also_at_the_end() -> None:
    """Laws 0 and 1 alone weigh enough; windows between them are met first."""
    for certain in (0, 1):
        others = [Fraction(k, 10) for k in range(1, 10)]
        points = sorted(
            [(Fraction(certain), Fraction(1, 4)), *((p, Fraction(1, 12)) for p in others)]
        )
        found = simulator_covers.least_factor(points, Fraction(1, 4), Fraction(0))
        alone = simulator_covers.Window(Fraction(certain), Fraction(certain), Fraction(1, 4))
        assert found == (Interval.exactly(1), alone)


@given(probabilities, probabilities, factors, probabilities)
def test_what_is_close_is_an_interval(
    p: Fraction, q: Fraction, t: Fraction, delta: Fraction
) -> None:
    least, most = simulator_covers.close_to(q, t, delta)
    assert (least <= p <= most) == closeness.are_close(coin(p), coin(q), Epsilon.exactly(t), delta)


@given(st.fractions(0, 50))
def test_square_roots_are_exact_when_rational(x: Fraction) -> None:
    assert (
        simulator_covers.square_root(x * x).lower == simulator_covers.square_root(x * x).upper == x
    )
    around = simulator_covers.square_root(x)
    assert around.lower**2 <= x <= around.upper**2
