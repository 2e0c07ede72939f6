"""The fewest errors of unions of intervals, against the list of all their patterns."""

from itertools import product

import pytest

from pac_stability import classes, data


def first_of_all_patterns(H: classes.Family, sample: data.Sample[int]) -> tuple[object, int]:
    hypotheses = H.representatives_on(sample.distinct_points)
    errors = [sample.count_errors(h) for h in hypotheses]
    return hypotheses[errors.index(min(errors))], min(errors)


@pytest.mark.parametrize("k", range(5))
def test_every_labelling_of_a_few_points(k: int) -> None:
    H = classes.UnionsOfIntervals(k)
    for m in range(7):
        for labels in product((0, 1), repeat=m):
            sample = data.Sample(range(m), labels)
            assert classes.least_errors(H, sample) == first_of_all_patterns(H, sample)


@pytest.mark.parametrize("k", range(3))
def test_every_weighting_of_a_few_points(k: int) -> None:
    H = classes.UnionsOfIntervals(k)
    for surplus in product((-2, -1, 0, 1), repeat=4):
        # Copies with one label and with both: ties between the first and the last such union.
        points = [x for x, weight in enumerate(surplus) for _ in range(abs(weight) or 2)]
        labels = [
            y for weight in surplus for y in ([int(weight > 0)] * abs(weight) if weight else [0, 1])
        ]
        sample = data.Sample(points[::-1], labels[::-1])
        expected = first_of_all_patterns(H, sample)
        assert classes.least_errors(H, sample) == expected
        assert (
            classes.least_errors(H, classes.ErrorCounter(data.ArraySample(points, labels)))
            == expected
        )


def test_as_many_intervals_as_there_are_positive_points() -> None:
    # No pattern is listed: there would be more than 2^99 of them.
    sample = data.Sample(range(200), [x % 2 for x in range(200)])
    union, errors = classes.least_errors(classes.UnionsOfIntervals(1000), sample)
    assert errors == 0
    assert union == classes.UnionOfIntervals(tuple((x, x) for x in range(1, 200, 2)))
    assert classes.least_errors(classes.UnionsOfIntervals(99), sample)[1] == 1
