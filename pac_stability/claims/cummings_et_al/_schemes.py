"""Schemes, sessions and shares beside definitions that are spelt out, on a few points."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from fractions import Fraction
from itertools import combinations, product
from math import comb

from pac_stability.arithmetic import Interval
from pac_stability.claims.as_defined import Computed, as_defined
from pac_stability.classes import (
    FiniteClass,
    Threshold,
    Thresholds,
    cube,
    singletons,
    subsets,
    thresholds,
)
from pac_stability.compression import (
    AdaptiveSession,
    BoostingScheme,
    BoxScheme,
    HalfspaceScheme,
    Selection,
    SubsamplingScheme,
    ThresholdScheme,
    check_scheme,
    smallest_group,
    smallest_scheme,
)
from pac_stability.compression.bounds import (
    AnytimeBound,
    HoeffdingBound,
    UnionBound,
    anytime_delta,
    ranked_bounds,
)
from pac_stability.data import Example, Sample

AnySample = Sample[Hashable]
_THRESHOLDS = [Threshold(cut) for cut in range(5)]


def _samples(points: tuple[Hashable, ...], n: int) -> Iterator[AnySample]:
    for chosen in product([(x, y) for x in points for y in (0, 1)], repeat=n):
        yield Sample([x for x, _ in chosen], [y for _, y in chosen])


def _fitted(H: FiniteClass, sample: AnySample) -> bool:
    return any(sample.count_errors(h) == 0 for h in H)


def _in_boxes(sample: AnySample) -> bool:
    """Whether some box holds the positive points alone."""
    inside = [x for x, y in zip(sample.points, sample.labels, strict=True) if y]
    outside = [x for x, y in zip(sample.points, sample.labels, strict=True) if not y]
    if not inside:
        return True
    axes = list(zip(*inside, strict=True))
    return not any(
        all(min(axis) <= u <= max(axis) for u, axis in zip(x, axes, strict=True))  # type: ignore[call-overload]
        for x in outside
    )


def _planar() -> Iterator[Computed]:
    square: tuple[Hashable, ...] = ((0, 0), (0, 1), (1, 0), (2, 1))
    box, half = BoxScheme(2), HalfspaceScheme(2)
    yield Computed("sizes", (box.size(9), half.size(2), half.size(9)), (4, 2, 3))
    for n in (1, 2, 3):
        for sample in _samples(square, n):
            if _in_boxes(sample):
                kept = box.keep(sample)
                rebuilt = box.reconstruct(kept)
                yield Computed(
                    f"a box for {sample}",
                    (len(kept), set(kept) <= set(sample), sample.count_errors(rebuilt)),
                    (4, True, 0),
                )
    fits = 0
    for sample in _samples(square, 3):
        line = _line(sample)
        if line:
            kept = half.keep(sample)
            fits += 1
            yield Computed(
                f"a halfspace for {sample}",
                (len(kept), set(kept) <= set(sample), sample.count_errors(half.reconstruct(kept))),
                (3, True, 0),
            )
    yield Computed("some are fitted", fits > 100, True)


def _line(sample: AnySample) -> bool:
    """Whether a halfspace with small integers fits: all do that there are on these points."""
    return any(
        all(
            (a * x[0] + b * x[1] >= c) == bool(y)  # type: ignore[index]  # points are pairs
            for x, y in zip(sample.points, sample.labels, strict=True)
        )
        for a, b in product(range(-2, 3), repeat=2)
        for c in (Fraction(k, 2) for k in range(-7, 8))
    )


def _tables() -> Iterator[Computed]:
    for H, points in ((thresholds(3), 3), (cube(2), 2), (subsets(3, 1), 3)):
        for ordered in (True, False):
            scheme = smallest_scheme(H, ordered=ordered)
            found = check_scheme(scheme, range(points), 3)
            yield Computed(
                f"a table for {points} points, {'ordered' if ordered else 'sets'}",
                (found.valid, found.counterexample, scheme.family == H),
                (True, None, True),
            )
    # One of six examples cannot name one of eight hypotheses.
    yield Computed("a least size", smallest_scheme(cube(3), ordered=False).size(9), 2)
    for H, n in ((singletons(3), 2), (thresholds(3), 3)):
        least = smallest_group(H, n)
        for sample in _samples(tuple(H.domain), n):
            if _fitted(H, sample):
                scheme_of = BoostingScheme(H, group=least)
                yield Computed(
                    f"the least group boosts {sample}",
                    sample.count_errors(scheme_of.run(sample)),
                    0,
                )


PLANAR = as_defined(
    "boxes and halfspaces", _planar, "four points of the plane, up to three examples, all of them"
)
TABLES = as_defined("tables and groups", _tables, "small classes, up to three examples")


# Lemma 17, Theorem 19: counted selections, shares, sessions


def _equal(one: Interval, other: Interval) -> bool:
    return max((one - other).upper, (other - one).upper) < Fraction(1, 10**9)


def _counted() -> Iterator[Computed]:
    for n, k in ((4, 2), (5, 1), (3, 3)):
        ways = (
            (Selection.SEQUENCE, [n**j for j in range(k + 1)]),
            (Selection.SUBSET, [comb(n, j) for j in range(k + 1)]),
            (Selection.OBLIVIOUS, [1] * (k + 1)),
        )
        for selection, counts in ways:
            yield Computed(
                f"{selection.name}, {k} of {n}",
                (list(selection.counts(n, k)), selection.count(n, k)),
                (counts, counts[-1]),
            )
            delta = Fraction(1, 20)
            bound = HoeffdingBound(100, k, delta, selection, bits=2)
            whole = {Selection.SEQUENCE: 100**k, Selection.SUBSET: comb(100, k)}.get(selection, 1)
            union = UnionBound(100, k, delta, choices=4 * whole)
            yield Computed(
                f"choices and bound, {selection.name}, {k} of 100",
                (bound.choices, _equal(bound.value(), union.value())),
                (4 * whole, True),
            )
            # (100 - k)/100 sqrt(ln(2N/delta)/(2 (100 - k))) + k/100
            log = Interval.log(2 * 4 * whole / delta) / (2 * (100 - k))
            written = Interval.sqrt(log) * Fraction(100 - k, 100) + Fraction(k, 100)
            yield Computed(
                f"written out, {selection.name}, {k} of 100", _equal(written, bound.value()), True
            )
    delta = Fraction(1, 20)
    shares = [anytime_delta(delta, step) for step in range(1, 30)]
    yield Computed("shares", sum(shares), delta * Fraction(29, 30))
    for k in (1, 3):
        anytime = AnytimeBound(1000, k, delta).value()
        share = HoeffdingBound(1000, k, anytime_delta(delta, k)).value()
        yield Computed(f"for every length, {k} kept", _equal(anytime, share), True)
    ranked = ranked_bounds(1000, 3, delta)
    values = [float(one.bound.value()) for one in ranked]
    yield Computed(
        "ranked",
        (values == sorted(values), min(values) <= float(HoeffdingBound(1000, 3, delta).value())),
        (True, True),
    )


COUNTED = as_defined(
    "choices and shares", _counted, "selections of up to three of five examples; bounds for 100"
)


def _sessions() -> Iterator[Computed]:
    S: AnySample = Sample([2, 1, 1, 2], [1, 1, 0, 1])
    session = AdaptiveSession(S, Fraction(1, 20), budget=3, bits=1)
    first = session.ask(ThresholdScheme())
    turned = session.ask(ThresholdScheme(), relabel=lambda z: Example(z.point, 1 - z.label))
    counted = session.query(lambda sample: int(sum(sample.labels) >= 3))
    told = session.transcript
    best = min(map(S.count_errors, _THRESHOLDS))
    yield Computed("the first answer errs least", S.count_errors(first.output), best)
    opposite = Sample(S.points, [1 - y for y in S.labels])
    yield Computed(
        "the second errs least on the turned sample",
        opposite.count_errors(turned.output),
        min(map(opposite.count_errors, _THRESHOLDS)),
    )
    yield Computed("the bit", counted.output, 1)
    yield Computed("what was kept", (len(told.kept), set(told.kept) <= set(S)), (2, True))
    promised = session.promise()
    yield Computed(
        "the promise counts all that the budget allows",
        (promised.k, promised.bits, promised.n),
        (3, 1, 4),
    )
    resumed = AdaptiveSession.resume(S, told)
    yield Computed("resumed", resumed.transcript, told)
    session.close()
    yield Computed("closed", session.transcript.kept, told.kept)


SESSIONS = as_defined("a session", _sessions, "two thresholds and a count on four examples")


def _subsampled() -> Iterator[Computed]:
    scheme = SubsamplingScheme(Thresholds(), 2)
    for labels in product((0, 1), repeat=3):
        S: AnySample = Sample([1, 2, 3], labels)
        law = scheme.law(S)
        parts = list(combinations(range(3), 2))
        chances: dict[object, Fraction] = {}
        for part in parts:
            h = scheme.reconstruct(Sample([S.points[i] for i in part], [labels[i] for i in part]))
            chances[h] = chances.get(h, Fraction(0)) + Fraction(1, len(parts))
        yield Computed(f"the law on labels {labels}", dict(law.items()), chances)
        for part in parts:
            kept: AnySample = Sample([S.points[i] for i in part], [labels[i] for i in part])
            yield Computed(
                f"least errors on {kept}",
                kept.count_errors(scheme.reconstruct(kept)),
                min(map(kept.count_errors, _THRESHOLDS)),
            )
    yield Computed("sizes", (scheme.size(1), scheme.size(9)), (1, 2))


SUBSAMPLED = as_defined("subsamples", _subsampled, "two of three examples, all labels")
