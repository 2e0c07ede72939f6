"""The formulas of CLNRW16's statements, written out once more and held against the library's."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from math import ceil, comb
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

from pac_stability import Epsilon, Interval, data, errors, notions
from pac_stability.compression import Selection, any_class, bounds
from pac_stability.dimensions import sauer_shelah_bound
from pac_stability.mechanisms import PrivacyGuarantee
from pac_stability.papers import cummings_et_al
from pac_stability.papers.cummings_et_al import algorithm_1, implications

C = TypeVar("C")
Pair = tuple[Interval | Fraction | int, Interval | Fraction | int]
"""What the library says, and what is written."""

_NEAR = Fraction(1, 1 << 24)


def _ends(value: Interval | Fraction | int) -> tuple[Fraction, Fraction]:
    if isinstance(value, Interval):
        return value.lower, value.upper
    return Fraction(value), Fraction(value)


def _numbers(*texts: str) -> list[Fraction]:
    return [Fraction(text) for text in texts]


_DELTAS = _numbers("1/1000", "1/20", "9/10")
_KEPT = [(n, k, delta) for n, k in ((7, 2), (150, 3), (10**6, 40)) for delta in _DELTAS]
log, sqrt = Interval.log, Interval.sqrt

# Section 3.


def _lemma_16(case: tuple[int, int, Fraction]) -> Iterator[Pair]:
    n, k, delta = case
    for mean in _numbers("0", "1/7", "1"):
        over = k * log(2 * n / delta) / n
        yield bounds.Lemma16(n, k, delta, mean).value(), sqrt(mean * 4 * over) + 8 * over
    # Kept are the first and the third of five; two of the others have the label 1.
    sample: data.Sample[Hashable] = data.Sample("abcab", [1, 1, 0, 1, 0])
    yield bounds.unselected_mean(sample, (0, 2, 0), lambda z: z.label), Fraction(2, 3)


def _lemma_17(case: tuple[int, int, Fraction]) -> Iterator[Pair]:
    n, k, delta = case
    printed = sqrt(4 * k * log(n / delta) / n) + 8 * k * log(2 * n / delta) / n + Fraction(k, n)
    yield bounds.Lemma17(n, k, delta).value(), printed


def _theorem_18(case: tuple[int, int, Fraction]) -> Iterator[Pair]:
    n, k, delta = case
    printed, fixed = bounds.Lemma17(n, k, delta).value(), sqrt(log(1 / delta) / (2 * n))
    yield bounds.Theorem18(n, k, delta, "printed").value(), printed + fixed
    sharp = bounds.HoeffdingBound(n, k, delta, Selection.SUBSET).value()
    yield bounds.Theorem18(n, k, delta, "sharp", Selection.SUBSET).value(), sharp + fixed
    yield bounds.Theorem18(n, k, delta).failure, 2 * delta
    yield bounds.Theorem18(n, k, delta).applies, n >= 8 * k * log(2 * n / delta)
    yield bounds.Theorem18(n, k, delta).order(), sqrt(k * log(n / delta) / n)


def _theorem_19(case: tuple[int, int, Fraction]) -> Iterator[Pair]:
    n, k, delta = case
    rounds = bounds.Theorem19(n, (1,) * k, delta)
    yield rounds.printed.value(), bounds.Lemma17(n, k, delta).value()
    yield rounds.order(), sqrt(k * log(n / delta) / n)
    yield rounds.applies, n >= 8 * k * log(2 * n / delta)
    yield (
        bounds.Theorem19(n, (k, 1), delta).sharp.value(),
        bounds.HoeffdingBound(n, k + 1, delta).value(),
    )


def _hoeffding(case: tuple[int, int, Fraction]) -> Iterator[Pair]:
    n, k, delta = case
    counts = {
        Selection.SEQUENCE: n**k,
        Selection.SUBSET: comb(n, k),
        Selection.MULTISET: comb(n + k - 1, k),
        Selection.OBLIVIOUS: 1,
    }
    for selection, count in counts.items():
        tail = log(2 * count / delta) / (2 * (n - k))
        epsilon = sqrt(tail) * Fraction(n - k, n) + Fraction(k, n)
        yield bounds.HoeffdingBound(n, k, delta, selection).value(), epsilon


def _theorem_26(case: tuple[int, int, Fraction]) -> Iterator[Pair]:
    n, d, delta = case
    rounds = next(T for T in range(1, 10**4) if n**2 * 8**T < 9**T)
    patterns = sum(comb(n, i) for i in range(d + 1))
    counted = next(m for m in range(1, 10**4) if patterns * 2**m < 3**m)
    # 2 Phi(2m) 2**(-m/6) < 1, from m = 24 on
    net = next(m for m in range(24, 10**4) if (2 * sauer_shelah_bound(2 * m, d)) ** 6 < 2**m)
    yield any_class.boosting_rounds(n), rounds
    yield any_class.counting_group(patterns), counted
    yield any_class.net_group(d), net
    promise = cummings_et_al.Theorem26(n, d, delta)
    yield promise.kept, rounds * min(counted, net)
    yield promise.learner.value(), bounds.Theorem18(n, rounds * min(counted, net), delta).value()


def _remark_27(case: tuple[int, int, Fraction]) -> Iterator[Pair]:
    n, d, delta = case
    order = sqrt(sqrt(d * log(n / delta) / n))
    yield bounds.remark_27(n, d, delta), order
    k = next(k for k in range(1, n + 1) if k**3 >= d * n**2)
    yield bounds.balanced_subsample(n, d), k


_FEW = list(product((1, 3, 50), (2, 100), _DELTAS))
_PRIVATE = list(product(_numbers("11/10", "2"), (3, 100), _numbers("1/100", "1/3")))


def _theorem_20(case: tuple[Fraction, int, Fraction]) -> Iterator[Pair]:
    factor, n, failure = case
    root = sqrt(log(1 / failure)) + log(factor) * sqrt(Interval.exactly(Fraction(n, 8)))
    private = PrivacyGuarantee(Epsilon.exactly(factor))
    found = implications.pure_privacy_deviation(private, n, failure)
    yield found, sqrt((root * root + log(2)) / (2 * n))
    g, delta = Fraction(1, 2), Fraction(1, 100)
    rough = implications.posterior_failure(PrivacyGuarantee(Epsilon.exactly(factor), delta), g)
    yield rough, delta / (g - (factor - 1) * (1 - g) ** 2 / 4)
    # A number and the next one, with the same noise: what the law of the one has more.
    release = implications.Release(2 + n % 5, Fraction(3, 4))
    r, ends = release.decay, range(-release.width, release.width + 1)
    whole = sum((r ** abs(z) for z in ends), Fraction(0))
    noise = data.FiniteDistribution({z: r ** abs(z) / whole for z in ends})
    moved = noise.map(lambda z: z + 1)
    yield release.guarantee.delta, notions.closeness.hockey_stick_at(noise, moved, 1 / r)
    # A deviation beyond 2 w / n, of which the posterior leaves a share of all that fails.
    spent = PrivacyGuarantee(Epsilon.exactly(factor), failure / 1000)
    width = implications.Release(max(1, n // 8), Fraction(9, 10))
    rest = implications.released_deviation(spent, n, failure, width) - Fraction(2 * width.width, n)
    lost = 1 - (1 - spent.delta) * (1 - width.guarantee.delta)
    share = min(Fraction(1), lost / failure)
    if share < 1:
        both = factor / width.decay
        yield rest - (both - 1) * (1 - rest) * (1 - rest) / 4, share


def _quoted(case: tuple[Fraction, Fraction]) -> Iterator[Pair]:
    """What Bassily et al. state: 18 epsilon and delta/epsilon, from ln(4 epsilon/delta)/eps^2."""
    factor, delta = case
    private, epsilon = PrivacyGuarantee(Epsilon.exactly(factor), delta), log(factor)
    least = ceil((log(4 * epsilon / delta) / (epsilon * epsilon)).upper)
    found = implications.theorem_20(private, least)
    yield found.epsilon, 18 * epsilon
    yield found.delta, delta / epsilon
    try:
        implications.theorem_20(private, least - 1)
    except errors.InvalidInput:
        yield 1, 1
    else:
        yield 1, 2


def _theorem_21(case: tuple[int, int, Fraction]) -> Iterator[Pair]:
    outputs, n, beta = case
    yield (
        implications.finite_range_deviation(outputs, n, beta),
        sqrt(log(2 * outputs / beta) / (2 * n)),
    )
    split = implications.finite_range_deviation(outputs, n, beta, reading="split")
    yield split, sqrt(log(4 * outputs / beta**2) / (2 * n))
    once = implications.finite_range_failure(1, 2, Fraction(3, 5))
    yield (
        implications.finite_range_failure(outputs, 2, Fraction(3, 5)),
        min(Fraction(1), outputs * once),
    )


# Section 4.

_ASKED = list(
    product((2, 7, 10**6), _numbers("1/2", "1/100"), _numbers("2/5", "1/100"), _numbers("1/3", "5"))
)


def _theorem_30(case: tuple[int, Fraction, Fraction, Fraction]) -> Iterator[Pair]:
    size, alpha, gamma, epsilon = case
    L = log(2 * size / gamma)
    asked = (size, alpha, gamma, gamma, Epsilon(epsilon))
    cube = L * L * L / (epsilon * alpha) ** 2
    root = 1 + L / epsilon
    hoeffding = 9 * log(4 * size / gamma) / (2 * alpha**2)
    yield _least(cummings_et_al.GenericAgnosticSize(*asked, "printed"), 6 * cube)
    yield _least(
        cummings_et_al.GenericAgnosticSize(*asked, "sharp"), 2 * L * root * root / alpha**2
    )
    thirds = cummings_et_al.GenericAgnosticSize(*asked, "proved").sample_size
    yield _least_above(thirds, 18 * cube if (18 * cube).lower > hoeffding.upper else hoeffding)


def _corollary_31(case: tuple[int, Fraction, Fraction, Fraction]) -> Iterator[Pair]:
    points, alpha, gamma, epsilon = case
    for d in (1, 3):
        size = algorithm_1.corollary_31(
            points, d, alpha=alpha, beta=gamma, gamma=gamma, epsilon=Epsilon(epsilon)
        )
        L = log(2 * sum(comb(points, i) for i in range(d + 1)) / gamma)
        root = 1 + L / epsilon
        yield _least(size, 2 * L * root * root / alpha**2)


def _least(size: cummings_et_al.GenericAgnosticSize, written: Interval) -> Pair:
    return _least_above(size.sample_size, written)


def _least_above(found: int, written: Interval) -> Pair:
    """Compare an integer with the reals that it may be the least integer above of."""
    return Interval(Fraction(found - 1), Fraction(found)), written


def _theorem_32(case: tuple[Fraction, Fraction, Fraction]) -> Iterator[Pair]:
    t, beta, delta = case
    paper = cummings_et_al.ResamplingPrivacy(9, beta, Epsilon.exactly(t), delta, "paper").guarantee
    yield paper.factor, t**4
    yield paper.delta, 16 * delta + 2 * beta
    ours = cummings_et_al.ResamplingPrivacy(9, beta, Epsilon.exactly(t), delta).guarantee
    chained = delta * (1 + t + t**2 + t**3)
    yield ours.factor, t**4
    yield ours.delta, 1 - (1 - beta) * (1 - chained)


def _six_links(case: tuple[Fraction, Fraction, Fraction]) -> Iterator[Pair]:
    t, beta, delta = case
    ours = cummings_et_al.ResamplingPrivacy(
        9, beta + Fraction(1, 5), Epsilon.exactly(t), delta
    ).guarantee
    chained = delta * sum(t**i for i in range(6))
    yield ours.factor, t**6
    yield ours.delta, 1 - (1 - beta - Fraction(1, 5)) * (1 - chained)
    # For n = 2, (1 - 1/n)**n is 1/4 and (1 - 1/(2n))**n is 9/16.
    for share, links in (("249/2000", 4), ("1/8", 6), ("9/32", 0)):
        found = cummings_et_al.ResamplingPrivacy(2, Fraction(share), Epsilon.exactly(t), delta)
        yield found.links, links
    # Two draws take index i twice, once or never with 1/4, 1/2, 1/4; halfway 4, 2, 1 times as rare.
    halves = (("1/32", "1/8"), ("1/16", "1/4"), ("3/16", "1/2"), ("5/16", "3/4"), ("1/2", "15/16"))
    for share, most in halves:
        found = cummings_et_al.ResamplingPrivacy(
            2, Fraction(share), Epsilon.exactly(t), delta, "halfway"
        )
        yield found.shifted_beta, Fraction(most)
        yield found.guarantee.factor, t**2
        yield found.guarantee.delta, 1 - (1 - Fraction(most)) * (1 - delta * (1 + t))


def _theorem_33(case: tuple[int, int, Fraction]) -> Iterator[Pair]:
    size, n, gamma = case
    alpha = Fraction(1, 17)
    found = cummings_et_al.ResamplingAccuracy(n, size, alpha, gamma)
    yield found.excess(), alpha + 2 * sqrt(log(size / gamma) / (2 * n))
    yield found.failure, 2 * gamma
    paper = cummings_et_al.ResamplingAccuracy(n, size, alpha, gamma, "printed")
    yield paper.excess(), alpha + 2 * sqrt(log(2 * size / gamma) / (2 * n))


def _theorem_34(case: tuple[int, int, Fraction]) -> Iterator[Pair]:
    size, n, gamma = case
    found, alpha = cummings_et_al.UniformConvergence(size, gamma), Fraction(1, n)
    yield found.deviation(n), sqrt(log(2 * size / gamma) / (2 * n))
    yield _least_above(found.sample_size(alpha), log(2 * size / gamma) / (2 * alpha**2))


def _theorem_35(n: int) -> Iterator[Pair]:
    proved, thirds = (
        cummings_et_al.ThresholdSideCondition(n),
        cummings_et_al.ThresholdSideCondition(n, "proved"),
    )
    allowed, needed = Fraction(1, 10_000 * n * n), Fraction(1, 1500 * n * n)
    powers = sum((Interval.exp(Fraction(k, 8)) for k in range(4)), Interval.exactly(1))
    yield proved.allowed, allowed
    yield proved.needed, needed
    yield proved.reached(), allowed * powers
    yield cummings_et_al.ThresholdSideCondition(n, "paper").reached(), 18 * allowed
    yield thirds.reached(), needed


# Section 5.


def _lemma_36(case: tuple[Fraction, int, Fraction]) -> Iterator[Pair]:
    factor, n, beta = case
    delta = Fraction(1, 40)
    perfect = implications.PerfectGuarantee(beta, Epsilon.exactly(factor), delta)
    inside = log(2 * (2 * log(factor) + 1) / (beta + delta))
    yield implications.perfect_deviation(perfect, n, constants="paper"), sqrt(inside * 2 / n)
    slack = 2 * (beta + delta) - (beta + delta - beta * delta)
    yield implications.perfect_deviation(perfect, n), sqrt(log(2 * factor / slack) / (2 * n))
    split = beta + delta  # what is left for samples that are off
    found = implications.perfect_deviation(perfect, n, reading="split")
    yield found, sqrt(log(4 * factor / split**2) / (2 * n))


def _theorem_39(case: tuple[Fraction, int, Fraction]) -> Iterator[Pair]:
    factor, n, beta = case
    private, epsilon = PrivacyGuarantee(Epsilon.exactly(factor)), log(factor)
    for outputs in (2, 30):
        tau = epsilon * sqrt(log(2 * outputs / beta) * Fraction(n, 2))
        printed = implications.private_to_perfect_epsilon(
            private, n, beta, outputs, constants="paper"
        )
        yield printed, epsilon * sqrt(2 * n * log(2 * outputs / beta))
        squared = epsilon * epsilon * Fraction(n, 8)
        once = tau if tau.upper < squared.lower else squared
        both = tau + once
        least = both if both.upper < (epsilon * n).lower else epsilon * n
        yield implications.private_to_perfect_epsilon(private, n, beta, outputs), least


def _any_range(case: tuple[Fraction, int, Fraction]) -> Iterator[Pair]:
    factor, n, beta = case
    private, epsilon, delta = PrivacyGuarantee(Epsilon.exactly(factor)), log(factor), Fraction(1, 9)
    written = epsilon * epsilon * Fraction(n, 8)
    written += epsilon * sqrt(log(2 / (beta * delta)) * Fraction(n, 2))
    least = written if written.upper < (epsilon * n).lower else epsilon * n
    yield implications.any_range_epsilon(private, n, beta, delta), least


def _theorem_40(case: tuple[Fraction, int, Fraction]) -> Iterator[Pair]:
    root, n, _ = case
    for zeros in (4, 10):
        beta, size = Fraction(1, 10**zeros), 40 * n
        found = cummings_et_al.NoisyMajority(size, Epsilon.exactly(root)).tightness(beta)
        epsilon = 2 * log(root)
        yield found.theorem_39, epsilon * sqrt(2 * size * log(4 / beta))
        yield 2 * found.exact, log(found.optimum.squared_factor)
        k = sqrt(log(1 / (900 * beta)) / 2) / (4 * sqrt(Interval.exactly(size)))
        if found.repaired is not None and found.printed is not None and found.direct is not None:
            yield found.repaired, k * size * epsilon / 2
            yield found.printed + Fraction(1, 2), k * size * epsilon / 2
            yield found.direct, epsilon * sqrt(size * log(1 / (15 * beta))) / 4


def _groups(case: tuple[Fraction, int, Fraction]) -> Iterator[Pair]:
    factor, n, delta = case[0], min(case[1], 5), case[2] / 1000
    private = PrivacyGuarantee(Epsilon.exactly(factor), delta)
    printed = implications.group_to_perfect(private, n, constants="paper")
    yield printed.epsilon.ratio, factor**n
    yield printed.delta, n * factor ** (n - 1) * delta
    sharp = implications.group_to_perfect(private, n)
    yield sharp.epsilon.ratio, factor**n
    yield sharp.delta, delta * sum(factor**i for i in range(n))
    # On two elements a central sample is at most ceil(n/2) places away.
    central = implications.group_to_perfect(private, n, elements=2)
    yield central.epsilon.ratio, factor ** (n - n // 2)
    yield central.delta, delta * sum(factor**i for i in range(n - n // 2))


_CHAINED = list(product(_numbers("1", "9/8", "2"), _numbers("0", "1/50"), _numbers("1/1000", "0")))


def _noticed(pairs: Iterator[Pair], scale: Fraction) -> bool:
    """Whether something said, times a number, is not what is written.

    They may differ by a share of 2**-24, for what is rounded on the way to a guarantee.
    """
    compared = [(_ends(found), _ends(written)) for found, written in pairs]
    assert compared
    return not all(
        high * scale >= least * (1 - _NEAR) and low * scale <= most * (1 + _NEAR)
        for (low, high), (least, most) in compared
    )


def _statement(pairs: Callable[[C], Iterator[Pair]], cases: Iterable[C]) -> ParameterSet:
    return pytest.param([partial(pairs, case) for case in cases], id=pairs.__name__[1:])


@pytest.mark.parametrize("written", [
    _statement(_lemma_16, _KEPT),
    _statement(_lemma_17, _KEPT),
    _statement(_hoeffding, _KEPT),
    _statement(_theorem_18, [*_KEPT, *((n, 1, _DELTAS[2]) for n in (45, 50, 60, 70))]),
    _statement(_theorem_19, [*_KEPT, *((n, 1, _DELTAS[2]) for n in (45, 50, 60, 70))]),
    _statement(
        _theorem_26, [(n, d, Fraction(1, 20)) for n in (2, 30, 10**7) for d in (1, 2, 5)]
    ),
    _statement(_remark_27, [case for case in _KEPT if case[0] < 10**6]),
    _statement(_theorem_20, _PRIVATE),
    _statement(_quoted, list(product(_numbers("11/10", "5/4"), _numbers("1/100", "1/10000")))),
    _statement(_theorem_21, _FEW),
    _statement(_theorem_30, _ASKED),
    _statement(_corollary_31, _ASKED[12:24]),
    _statement(_theorem_32, _CHAINED),
    _statement(_six_links, _CHAINED),
    _statement(_theorem_33, _FEW),
    _statement(_theorem_34, _FEW),
    _statement(_theorem_35, (2, 10, 10**6)),
    _statement(_lemma_36, _PRIVATE),
    _statement(_theorem_39, _PRIVATE),
    _statement(_any_range, _PRIVATE),
    _statement(_theorem_40, _PRIVATE),
    _statement(_groups, _PRIVATE),
])  # fmt: skip
def test_what_is_said_is_what_is_written(written: list[Callable[[], Iterator[Pair]]]) -> None:
    assert not any(_noticed(pairs(), Fraction(1)) for pairs in written)
    assert any(_noticed(pairs(), Fraction(99, 100)) for pairs in written)
