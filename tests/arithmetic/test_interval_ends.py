"""Each end of an interval: what it decides, where it is refused, and that it is the right one."""

import itertools
import operator
from collections.abc import Callable
from fractions import Fraction

import pytest

from pac_stability.arithmetic import Interval, certified_ceiling, decide_less, log_power_mean
from pac_stability.errors import InvalidInput, Undecided
from shared_refusals import refuses

# All intervals with ends among five numbers; their ends are what settles a comparison.
INTERVALS = [
    Interval(Fraction(a), Fraction(b))
    for a, b in itertools.combinations_with_replacement(range(-2, 3), 2)
]


def ends(x: Interval) -> tuple[Fraction, Fraction]:
    return x.lower, x.upper


@pytest.mark.parametrize("relation", [operator.lt, operator.le, operator.gt, operator.ge])
def test_a_comparison_answers_exactly_when_all_numbers_of_the_two_agree(
    relation: Callable[[object, object], bool],
) -> None:
    for x, y in itertools.product(INTERVALS, repeat=2):
        answers = {relation(u, v) for u, v in itertools.product(ends(x), ends(y))}
        if len(answers) == 1:
            assert relation(x, y) is answers.pop(), (x, y)
        else:
            with pytest.raises(Undecided):
                relation(x, y)


def test_compare_gives_the_sign_when_all_differences_have_it() -> None:
    for x, y in itertools.product(INTERVALS, repeat=2):
        signs = {(u > v) - (u < v) for u, v in itertools.product(ends(x), ends(y))}
        assert x.compare(y) == (signs.pop() if len(signs) == 1 else None), (x, y)


def test_an_interval_contains_its_ends_and_nothing_beyond_them() -> None:
    for x, k in itertools.product(INTERVALS, range(-5, 6)):
        number = Fraction(k, 2)
        assert (number in x) is any(u <= number <= v for u, v in [ends(x)])
        assert x.width == ends(x)[1] - ends(x)[0]
        assert float(x) == sum(ends(x)) / 2


def test_integers_around_a_number_are_the_nearest() -> None:
    for low, high in itertools.combinations_with_replacement(range(-9, 10), 2):
        for bits in range(4):
            x = Interval(Fraction(low, 4), Fraction(high, 4))
            found = x.in_units(bits)
            unit = Fraction(1, 1 << bits)
            assert found[0] * unit <= x.lower < (found[0] + 1) * unit
            assert (found[1] - 1) * unit < x.upper <= found[1] * unit


def test_arithmetic_is_as_narrow_as_it_can_be() -> None:
    for x, y in itertools.product(INTERVALS, repeat=2):
        pairs = list(itertools.product(ends(x), ends(y)))
        computed: list[tuple[Interval, list[Fraction]]] = [
            (x + y, [u + v for u, v in pairs]),
            (x - y, [u - v for u, v in pairs]),
            (x * y, [u * v for u, v in pairs]),
        ]
        if y.lower > 0 or y.upper < 0:
            computed.append((x / y, [u / v for u, v in pairs]))
        for found, corners in computed:
            assert ends(found) == (min(corners), max(corners)), (x, y)


def test_a_division_by_zero_is_refused_and_one_by_what_may_be_zero_is_undecided() -> None:
    for y in INTERVALS:
        if y.lower == 0 == y.upper:
            with pytest.raises(InvalidInput, match="divisor"):
                1 / y
        elif y.lower <= 0 <= y.upper:
            with pytest.raises(Undecided):
                1 / y


def test_ends_in_the_wrong_order_are_refused() -> None:
    assert Interval(Fraction(1), Fraction(1)).width == 0
    refuses("upper", Interval, Fraction(2), Fraction(1))


def test_the_exponential_refuses_an_exponent_too_large_at_either_end() -> None:
    limit = 1 << 20
    for low, high in ((0, limit + 1), (-limit - 1, 0), (-limit - 1, limit + 1)):
        refuses("value", Interval.exp, Interval(Fraction(low), Fraction(high)))
    assert Interval.exp(-limit).upper > 0


def test_functions_of_wide_intervals_take_each_end_to_its_side() -> None:
    wide = Interval(Fraction(1, 4), Fraction(4))
    for function in (Interval.exp, Interval.log, Interval.log2, Interval.sqrt):
        whole = function(wide)
        assert whole.lower == function(wide.lower).lower
        assert whole.upper == function(wide.upper).upper


@pytest.mark.parametrize("low", [Fraction(0), Fraction(-1)])
def test_a_sign_that_is_not_settled_is_undecided(low: Fraction) -> None:
    astride = Interval(low, Fraction(1))
    with pytest.raises(Undecided):
        Interval.log(astride)
    if low:
        with pytest.raises(Undecided):
            Interval.sqrt(astride)
    else:
        assert Interval.sqrt(astride).lower <= 0
    for bad in (Interval(Fraction(-2), Fraction(-1)), Interval(Fraction(-2), Fraction(0))):
        refuses("value", Interval.log, bad)
    refuses("value", Interval.sqrt, Interval(Fraction(-2), Fraction(-1)))


def narrowing(first: Interval, then: Interval) -> Callable[[int], Interval]:
    return lambda bits: first if bits == 64 else then


def test_a_ceiling_waits_until_both_ends_have_the_same() -> None:
    astride = Interval(Fraction(5, 2), Fraction(7, 2))
    below = Interval(Fraction(5, 2), Fraction(11, 4))
    above = Interval(Fraction(13, 4), Fraction(7, 2))
    assert certified_ceiling(narrowing(astride, below)) == 3
    assert certified_ceiling(narrowing(astride, above)) == 4
    assert certified_ceiling(lambda _: Interval(Fraction(5, 2), Fraction(3))) == 3
    assert certified_ceiling(lambda _: Interval.exactly(3)) == 3
    with pytest.raises(Undecided, match="64 bits"):
        certified_ceiling(narrowing(astride, below), max_bits=64)


def test_the_last_precision_allowed_is_tried() -> None:
    asked: list[int] = []

    def never(bits: int) -> Interval:
        asked.append(bits)
        return Interval(Fraction(0), Fraction(2))

    with pytest.raises(Undecided, match="256 bits"):
        decide_less(never, lambda _: Interval.exactly(1), max_bits=256)
    with pytest.raises(Undecided, match="300 bits"):
        certified_ceiling(never, max_bits=300)
    assert asked == [64, 128, 256] * 2
    refuses("max_bits", decide_less, never, never, max_bits=63)


MEANS = [
    [(Fraction(3), Fraction(1, 4)), (Fraction(1, 2), Fraction(3, 4))],
    [
        (Fraction(1, 7), Fraction(1, 3)),
        (Fraction(9), Fraction(1, 6)),
        (Fraction(2), Fraction(1, 2)),
    ],
    [(Fraction(2**200 + 1, 2**200), Fraction(1, 2)), (Fraction(1), Fraction(1, 2))],
    [(Fraction(5), Fraction(1))],
]


@pytest.mark.parametrize("bits", [5, 20, 64, 300])
@pytest.mark.parametrize("terms", MEANS)
def test_a_power_mean_is_enclosed(terms: list[tuple[Fraction, Fraction]], bits: int) -> None:
    """Of a power that is an integer it is a root of a rational number: its logarithm is divided."""
    mean = log_power_mean(terms, bits)
    for power in (1, 2, 7):
        exact = Interval.log(sum(weight * y**power for y, weight in terms), 2000) / power
        found = mean(Fraction(power))
        assert found.lower <= exact.upper
        assert exact.lower <= found.upper
        assert found.width <= Fraction(1, 1 << max(bits - 9, 0))
    logs = (Interval.log(y, 2000) * weight for y, weight in terms)
    exact, found = sum(logs, Interval.exactly(0)), mean(Fraction(0))
    assert found.lower <= exact.upper
    assert exact.lower <= found.upper
    assert found.width <= Fraction(1, 1 << max(bits - 9, 0))


def test_what_is_no_mean_is_refused() -> None:
    half = Fraction(1, 2)
    for terms, wanted in (
        ([(half, half)], "weights that sum to 1"),
        ([], "weights that sum to 1"),
        ([(-half, Fraction(1))], "positive"),
        ([(half, -half), (half, 3 * half)], "positive"),
    ):
        refuses(wanted, log_power_mean, terms)
    refuses("bits", log_power_mean, [(half, Fraction(1))], 1)
