"""The compiled walk against exact rationals, and what is read off its bounds."""

import math
from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings, strategies as st

from pac_stability import BudgetExhausted, Example, FiniteDistribution, InvalidInput, Sample
from pac_stability.classes import FiniteClass, Hypothesis, Thresholds
from pac_stability.papers.dagan_feldman import selection
from pac_stability.papers.dagan_feldman.additive_walks import EnclosedLaw
from pac_stability.testing import strategies
from shared_draws import Subset, with_subset_size
from shared_refusals import refuses

HALF = Fraction(1, 2)
NARROW = Fraction(1, 2**50)


def widest(sample: Sample[Hashable], size: int) -> Fraction:
    """The documented bound of the slack, with a table of every number used and every step."""
    copies = Counter(sample.points).values()
    entries = (size + 1) * (1 + sum(min(count, size) + 1 for count in copies))
    return Fraction(entries + len(copies) + 8, 1 << 62)


def check(subset: Subset, decay: Fraction) -> EnclosedLaw:
    """The exact law must lie within the bounds, and these as close together as documented."""
    exact = selection.exact_selection(*subset, decay)
    found = selection.enclosed_selection(*subset, decay)
    assert found.slack <= widest(subset[1], subset[2]) <= NARROW
    law = found.law()
    assert law.encloses(exact)
    assert all(law.probability(h).width <= found.slack for h in exact.support)
    return found


def decays() -> st.SearchStrategy[Fraction]:
    ordinary = strategies.probabilities(100).filter(bool)
    return st.one_of(
        ordinary,
        st.just(Fraction(1)),
        st.integers(2, 2000).map(lambda bits: Fraction(1, 2**bits)),
        st.integers(2, 2000).map(lambda bits: Fraction(1, 3**bits)),
        st.integers(2, 2000).map(lambda bits: Fraction(3**bits - 1, 3**bits)),
    )


SUBSETS = with_subset_size(
    strategies.classes_with_samples(max_points=6, max_hypotheses=20, max_size=20)
)


@given(SUBSETS, decays())
@settings(max_examples=200)
@example((FiniteClass([[0], [1]]), Sample([0], [0]), 1), Fraction(1))
@example((FiniteClass([[0, 1]]), Sample([0, 1, 1], [0, 0, 0]), 2), HALF)
def test_bounds_enclose_the_exact_law(subset: Subset, decay: Fraction) -> None:
    check(subset, decay)


@pytest.mark.parametrize("seed", range(12))
def test_larger_classes(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    choice = np.random.default_rng(seed)
    width = int(choice.integers(5, 9))
    density = [0.1, 0.3, 0.5][seed % 3]
    H = FiniteClass((choice.random((60, width)) < density).astype(np.uint8))
    points = choice.integers(0, width, 2 * width).tolist()
    sample = Sample(points, choice.integers(0, 2, 2 * width))
    size = int(choice.integers(1, 2 * width))
    check((H, sample + Sample(points[:3], [0, 1, 0]), size), Fraction(7, 10))
    found = check((H, sample, size), Fraction(7, 10))  # on the same points, which are remembered
    monkeypatch.setattr(selection, "_SMALL", 0)
    again = selection.enclosed_selection(H, sample, size, Fraction(7, 10))
    assert again.lowers.tolist() == found.lowers.tolist()


@given(
    st.lists(st.sampled_from([1, 2, 50, 1000, 10**4]), min_size=1, max_size=4),
    st.integers(1, 40),
    st.integers(0, 2**30),
)
@settings(max_examples=40)
def test_points_that_are_as_good_as_always_hit(copies: list[int], size: int, seed: int) -> None:
    size = min(size, sum(copies))
    choice = np.random.default_rng(seed)
    H = FiniteClass(choice.integers(0, 2, (6, len(copies))))
    points = np.repeat(np.arange(len(copies)), copies)
    labels = (choice.random(len(points)) < 0.5).astype(np.uint8)
    sample = Sample(points.tolist(), labels)
    exact = law_of_long_sample(H, copies, labels, size)
    law = selection.enclosed_selection(H, sample, size, HALF).law()
    for row, probability in enumerate(exact):
        interval = law.probability(H[row])
        assert interval.width <= NARROW
        assert interval.lower <= probability <= interval.upper


def law_of_long_sample(
    H: FiniteClass, copies: list[int], labels: np.ndarray[tuple[int], np.dtype[np.uint8]], size: int
) -> list[Fraction]:
    """The sum over sets of points at decay 1/2, shares below 2**-200 left out."""
    m, n = len(copies), sum(copies)
    ends = np.cumsum(copies)
    ones = [int(labels[end - count : end].sum()) for end, count in zip(ends, copies, strict=True)]
    errors = [
        sum(copies[j] - ones[j] if row[j] else ones[j] for j in range(m))
        for row in H.table.tolist()
    ]
    law = [Fraction(0)] * len(H)
    for code in range(1, 2**m):
        members = [j for j in range(m) if code >> j & 1]
        ways = sum(
            (-1) ** (len(members) - part.bit_count())
            * math.comb(sum(copies[j] for i, j in enumerate(members) if part >> i & 1), size)
            for part in range(2 ** len(members))
        )
        if not ways:
            continue
        chosen = H.representative_rows(members)
        best = min(errors[row] for row in chosen)
        near = [row for row in chosen if errors[row] - best <= 200]
        whole = sum(Fraction(1, 2 ** (errors[row] - best)) for row in near)
        for row in near:
            share = Fraction(1, 2 ** (errors[row] - best)) / whole
            law[row] += share * Fraction(ways, math.comb(n, size))
    return law


def test_a_weight_beyond_any_fixed_scale() -> None:
    # Row 0 errs 3000 times more than row 1, which only the sets with point 1 tell from it.
    H = FiniteClass([[0, 0], [0, 1]])
    sample = Sample([0] * 3000 + [1] * 3000, [0] * 3000 + [1] * 3000)
    # One index: point 0 leaves row 0 alone, point 1 has both, of odds 2**-60000.
    found = selection.enclosed_selection(H, sample, 1, Fraction(1, 2**20))
    assert found.slack <= NARROW
    first, second = (p for _, p in found.law().items())
    assert first.lower <= HALF <= first.upper
    assert second.lower <= HALF <= second.upper


@pytest.mark.parametrize("errors", [1, 61, 62, 63, 64, 65, 94, 95, 126, 127, 300])
def test_a_weight_that_hardly_counts(errors: int) -> None:
    # The only numbers to be rounded are the normaliser and the quotient: one in the wrong direction
    # would exceed 1 / (1 + 2**-errors).
    H = FiniteClass([[0], [1]])
    found = selection.enclosed_selection(H, Sample([0] * errors, [0] * errors), 1, HALF)
    odds = Fraction(1, 2**errors)
    best, other = (p for _, p in found.law().items())
    assert best.lower <= 1 / (1 + odds) <= best.upper
    assert other.lower <= odds / (1 + odds) <= other.upper
    assert found.slack <= Fraction(1, 2**60)


def test_twenty_points_no_two_alike() -> None:
    # Singletons and the empty set: a row represents exactly on the sets that contain its point, and
    # the empty set always. Without errors, a set of k points gives each of k + 1 rows 1/(k + 1).
    m, size = 20, 6
    H = FiniteClass(np.vstack([np.zeros((1, m), dtype=np.uint8), np.eye(m, dtype=np.uint8)]))
    sample = Sample(range(m), [0] * m)
    found = selection.enclosed_selection(H, sample, size, Fraction(1))
    law = found.law()
    # Every point is in 6/20 of the sets.
    for row in range(m + 1):
        share = Fraction(1, 7) * (1 if row == 0 else Fraction(6, 20))
        interval = law.probability(H[row])
        assert interval.lower <= share <= interval.upper
    total = sum((p.lower for _, p in law.items()), Fraction(0))
    assert total >= 1 - NARROW


def test_probabilities_and_losses_are_those_of_the_exact_law() -> None:
    choice = np.random.default_rng(5)
    H = FiniteClass(choice.integers(0, 2, (30, 7)))
    sample = Sample(choice.integers(0, 5, 9).tolist(), choice.integers(0, 2, 9))
    exact = selection.exact_selection(H, sample, 4, Fraction(2, 3))
    found = check((H, sample, 4), Fraction(2, 3))
    # Points 5 and 6 are not in the sample.
    for point, interval in zip(H.domain, found.probabilities(H.domain), strict=True):
        one = sum((p for h, p in exact.items() if h(point)), Fraction(0))
        assert interval.lower <= one <= interval.upper
        assert interval.width <= found.slack <= NARROW
    other = Sample([6, 5, 5], [0, 1, 0])
    law = FiniteDistribution({Example(6, 0): Fraction(1, 3), Example(5, 1): Fraction(2, 3)})
    for data in (sample, other):
        loss = sum((p * data.loss(h) for h, p in exact.items()), Fraction(0))
        assert found.loss(data).lower <= loss <= found.loss(data).upper
        assert found.loss(data).width <= NARROW
    loss = sum(
        (p * q for h, p in exact.items() for z, q in law.items() if h(z.point) != z.label),
        Fraction(0),
    )
    assert found.loss(law).lower <= loss <= found.loss(law).upper
    value: dict[Hypothesis, Fraction] = {h: Fraction(h.index, h.index + 1) for h in H}
    mean = sum((exact.probability(h) * value[h] for h in H), Fraction(0))
    interval = found.expectation(lambda h: value[h])
    assert interval.lower <= mean <= interval.upper
    assert interval.width <= NARROW


def test_what_is_certain_is_a_point() -> None:
    # All hypotheses label point 1 alike, so its probability and its loss are exact.
    H = FiniteClass([[0, 1], [1, 1]])
    found = selection.enclosed_selection(H, Sample([0, 0], [0, 1]), 1, Fraction(1, 3))
    assert found.loss(Sample([1], [1])).width == 0
    assert found.expectation(lambda h: h(1)).lower == 1


def test_time_limit_leaves_certified_bounds() -> None:
    choice = np.random.default_rng(1)
    H = FiniteClass(choice.integers(0, 2, (300, 40)))
    sample = Sample(range(40), choice.integers(0, 2, 40))
    found = selection.enclosed_selection(H, sample, 20, HALF, time_limit=1e-9)
    assert Fraction(0) < found.slack < 1
    # On one point alone the first row represents, so it is never impossible.
    assert found.lowers[0] > 0


def test_memory_limit() -> None:
    choice = np.random.default_rng(1)
    H = FiniteClass(choice.integers(0, 2, (300, 20)))
    sample = Sample(range(20), choice.integers(0, 2, 20))
    with pytest.raises(BudgetExhausted, match="the walk needs"):
        selection.enclosed_selection(H, sample, 3, HALF, max_memory=1000)


GOOD: tuple[object, ...] = (FiniteClass([[0, 1], [1, 1]]), Sample([0, 1], [0, 1]), 1, HALF)


@pytest.mark.parametrize(
    ("position", "value", "argument"),
    [
        (0, FiniteClass([], [0, 1]), "H"), (0, Thresholds(), "H"), (1, Sample([], []), "sample"),
        (1, [(0, 1)], "sample"), (1, Sample([0, 7], [0, 1]), "point"), (2, 0, "subset_size"),
        (2, 3, "subset_size"), (2, True, "subset_size"), (2, 1.0, "subset_size"),
        (3, Fraction(0), "decay"), (3, Fraction(3, 2), "decay"), (3, float("nan"), "decay"),
    ],
)  # fmt: skip
def test_bad_input(position: int, value: object, argument: str) -> None:
    arguments: list[Any] = list(GOOD)  # wrong on purpose
    arguments[position] = value
    with pytest.raises(InvalidInput) as caught:
        selection.enclosed_selection(*arguments)
    assert caught.value.argument == argument


def test_bad_options_and_questions() -> None:
    H, sample = FiniteClass([[0, 1], [1, 1]]), Sample[Hashable]([0, 1], [0, 1])
    refuses("time_limit", selection.enclosed_selection, H, sample, 1, HALF, time_limit=0)
    refuses("max_memory", selection.enclosed_selection, H, sample, 1, HALF, max_memory=0)
    found = selection.enclosed_selection(H, sample, 1, HALF)
    refuses("point", found.probabilities, [2])
    refuses("data", found.loss, {0: 1})  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(InvalidInput, match="value"):
        found.expectation(lambda h: h(0) / 2)  # type: ignore[arg-type, return-value]  # wrong on purpose


def test_bounds_of_sum_above_one_are_refused() -> None:
    found = selection.enclosed_selection(FiniteClass([[0], [1]]), Sample([0], [0]), 1, HALF)
    with pytest.raises(RuntimeError, match="more than one"):
        EnclosedLaw(found.hypotheses, np.array([2**126, 1], dtype=object), 126, found.labels)
