"""The boosting scheme on every realizable sample of tiny classes, and its sizes by logarithms."""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, strategies as st

from pac_stability import Multiset, Sample, classes, errors
from pac_stability.compression import ImproperScheme, any_class as boosting, subsample
from shared_refusals import refuses


def realizable(H: classes.FiniteClass, n: int) -> Iterator[Sample[int]]:
    """Every realizable sample of n examples, once for each multiset."""
    seen = set()
    for row in H.table.tolist():
        for points in product(range(len(row)), repeat=n):
            S = Sample(points, [row[x] for x in points])
            if (kind := Multiset.of(S)) not in seen:
                seen.add(kind)
                yield S


def test_rounds_and_groups_are_the_floors_of_their_logarithms() -> None:
    """The formulas with logarithms in floats, where these are far from integers."""
    checked = 0
    for eta in (Fraction(1, 3), Fraction(1, 10), Fraction(2, 5)):
        for n in range(2, 300):
            for found, real in (
                (
                    boosting.boosting_rounds(n, eta),
                    math.log(n) / -math.log(2 * math.sqrt(eta * (1 - eta))),
                ),
                (boosting.counting_group(n, eta), math.log(n) / -math.log(1 - eta)),
            ):
                if abs(real - round(real)) > 1e-9:
                    checked += 1
                    assert found == math.floor(real) + 1
    assert checked > 1700
    assert boosting.boosting_rounds(1) == boosting.counting_group(1) == 1


def test_net_groups_by_the_definition() -> None:
    for d, eta in product((0, 1, 2, 3), (Fraction(1, 3), Fraction(1, 4))):
        sizes = range(math.ceil(8 / eta), 400)
        patterns = {m: sum(math.comb(2 * m, i) for i in range(d + 1)) for m in sizes}
        # ln of 2 Sauer 2^(-eta m / 2), which is never within 1e-6 of 0 here.
        logs = {m: math.log(2 * patterns[m]) - eta * m / 2 * math.log(2) for m in sizes}
        assert boosting.net_group(d, eta) == next(m for m in sizes if logs[m] < 0)
        assert all(abs(value) > 1e-6 for value in logs.values())


def test_every_small_sample_with_the_groups_that_always_suffice() -> None:
    checked = 0
    for seed in range(3):
        H = classes.random_class(4 + 3 * seed, 5, seed=seed)
        scheme = boosting.BoostingScheme(H, eta="1/10")
        for n in (1, 2, 3):
            for S in realizable(H, n):
                indices = scheme.compress(S)
                assert len(indices) == scheme.size(n) == scheme.rounds(n) * scheme.group_size(n)
                assert S.count_errors(scheme.reconstruct(subsample(S, indices))) == 0
                checked += 1
    assert checked > 100


def test_the_least_groups_that_work_are_small() -> None:
    checked = 0
    for seed in range(2):
        H = classes.random_class(6 + 2 * seed, 4, seed=seed)
        group = boosting.smallest_group(H, 3)
        assert group <= 3
        scheme = boosting.BoostingScheme(H, group=group)
        for n in (1, 2, 3):
            for S in realizable(H, n):
                kept = scheme.keep(S)
                assert len(kept) == scheme.rounds(n) * group
                assert S.count_errors(scheme.reconstruct(kept)) == 0
                checked += 1
        if group > 1:
            smaller = boosting.BoostingScheme(H, group=group - 1)
            failures = 0
            for S in (S for n in (1, 2, 3) for S in realizable(H, n)):
                try:
                    smaller.compress(S)
                except errors.InvalidInput as error:
                    failures += error.argument == "group"
            assert failures > 0
    assert checked > 100


def test_the_least_group_is_for_samples_of_the_largest_size_too() -> None:
    # One example teaches itself. Of two points with label 0 the singleton that is 0 at one is that
    # of the other: it errs on half of the weight, and a third is allowed.
    assert [boosting.smallest_group(classes.singletons(3), n) for n in (1, 2)] == [1, 2]


def test_the_vote_may_lie_outside_the_class() -> None:
    """Why Theorem 25 is improper: its hypothesis need not belong to the class."""
    H = classes.random_class(20, 8, seed=0)
    S = Sample([0, 1, 2, 3], [0, 1, 0, 1])
    vote = boosting.BoostingScheme(H, group=2).run(S)
    assert S.count_errors(vote) == 0
    assert [vote(x) for x in H.domain] not in H.table.tolist()
    # The smallest example: of the singletons {0}, {1}, {2} the majority is the empty set.
    three = boosting.MajorityVote(tuple(classes.singletons(4))[:3])
    assert [three(x) for x in range(4)] == [0, 0, 0, 0]
    assert [boosting.MajorityVote((H[0], H[1]))(x) for x in H.domain] == (
        H.table[0] & H.table[1]
    ).tolist()


def test_the_number_kept_tells_where_the_groups_end() -> None:
    """Sizes n with equal numbers of kept examples have equal groups, for a default group."""
    scheme = boosting.BoostingScheme(classes.Thresholds())
    shapes: dict[int, set[tuple[int, int]]] = {}
    for n in range(1, 3000):
        shapes.setdefault(scheme.size(n), set()).add((scheme.rounds(n), scheme.group_size(n)))
    assert all(len(shape) == 1 for shape in shapes.values())
    assert len(shapes) > 40
    S = Sample(range(40), [int(x >= 11) for x in range(40)])
    kept = scheme.keep(S)
    m = scheme.group_size(40)
    vote = scheme.reconstruct(kept)
    assert len(vote.hypotheses) == scheme.rounds(40)
    for start, h in zip(range(0, len(kept), m), vote.hypotheses, strict=True):
        assert kept[start : start + m].count_errors(h) == 0


@given(st.data())
def test_intervals_with_repeated_points_in_any_order(data: st.DataObject) -> None:
    points = data.draw(st.lists(st.integers(0, 12), min_size=1, max_size=12))
    low, high = data.draw(st.integers(0, 12)), data.draw(st.integers(0, 12))
    S = Sample(points, [int(low <= x <= high) for x in points])
    scheme = boosting.BoostingScheme(classes.Intervals(), eta="1/4")
    vote = scheme.run(S)
    assert S.count_errors(vote) == 0
    assert scheme.run(Sample(S.points[::-1], S.labels[::-1])) == vote


def test_weights_beyond_machine_integers() -> None:
    """An eta near 1/2 takes a thousand rounds; weights then have hundreds of bits."""
    H = classes.FiniteClass(
        [[x in set(two) for x in range(6)] for two in combinations(range(6), 2)]
    )
    scheme = boosting.BoostingScheme(H, eta="9/20", group=1)
    S = Sample(range(6), [1, 1, 0, 0, 0, 0])
    assert scheme.rounds(6) == 357  # ln 6 / -ln(2 sqrt(99/400)) = 356.5
    assert S.count_errors(scheme.run(S)) == 0


def test_the_weight_of_errors_is_exact_beyond_machine_integers() -> None:
    """Of the singletons {0}, {1}, {2} on these examples only the last never errs."""
    weak = boosting.WeakGroups(classes.singletons(3), Sample([0, 1, 2], [0, 0, 1]), 1)
    large = 10**40
    # {0} errs on weight 10^40, {1} on one more. Whoever tells them apart contradicts {1} alone.
    assert weak.find([large, large + 1, 0], large) == (1,)
    # Now both weigh too much, and example 2 contradicts both.
    assert weak.find([large, large + 1, 0], large - 1) == (2,)
    # What was learned first is good enough by equality.
    assert [weak.errs((1,)), weak.errs((2,))] == [[1, 0, 1], [0, 0, 0]]
    assert weak.find([large, large + 1, 0], large) == (1,)


def test_a_group_that_is_too_small_is_refused() -> None:
    # Of the eight labellings of three points, one kept example fixes one label; the first
    # hypothesis that fits it errs on two of the three points for some labelling.
    scheme = boosting.BoostingScheme(classes.cube(3), group=1)
    refused = 0
    for labels in product((0, 1), repeat=3):
        try:
            scheme.compress(Sample(range(3), labels))
        except errors.InvalidInput as error:
            refused += error.argument == "group"
    assert 0 < refused < 8


def test_too_many_groups_to_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boosting, "MAX_GROUPS", 2)
    with pytest.raises(errors.BudgetExhausted, match="groups"):
        boosting.BoostingScheme(classes.cube(3), group=1).compress(Sample(range(3), [1, 1, 1]))


def test_bad_input() -> None:
    scheme = boosting.BoostingScheme(classes.singletons(4))
    assert isinstance(scheme, ImproperScheme)
    assert not scheme.agnostic
    for points, labels in (([0, 1], [1, 1]), ([2, 2], [0, 1])):
        with pytest.raises(errors.NotRealizable):
            scheme.compress(Sample(points, labels))
    with pytest.raises(errors.NotRealizable):
        scheme.reconstruct(Sample([0, 1] * (scheme.size(2) // 2), [1, 1] * (scheme.size(2) // 2)))
    refuses("kept", scheme.reconstruct, Sample([0], [1]) + scheme.keep(Sample([0], [1])))
    refuses("kept", scheme.reconstruct, Sample([], []))
    for eta in (0, "1/2", "3/4", -1, "1/1001"):
        refuses("eta", boosting.BoostingScheme, classes.singletons(4), eta=eta)
    refuses("infinite", boosting.BoostingScheme, classes.AllSubsets())
    refuses("group", boosting.BoostingScheme, classes.singletons(4), group=0)
    refuses("family", boosting.BoostingScheme, classes.FiniteClass([]))
