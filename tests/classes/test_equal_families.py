"""Families and schemes are values: a copy that another process made is the same one."""

import pickle

import pytest

from pac_stability import classes, zoo
from pac_stability.papers.dagan_feldman import StableLearner

FAMILIES = [
    classes.Thresholds(), classes.SignedThresholds(), classes.Intervals(),
    classes.UnionsOfIntervals(1), classes.UnionsOfIntervals(2), classes.Singletons(),
    classes.Subsets(1), classes.Subsets(2), classes.AllSubsets(), classes.Boxes(1),
    classes.Boxes(2), classes.Halfspaces(2), classes.Stumps(2), classes.Parities(2),
    classes.Parities(2, affine=True), classes.AffineSubspaces(3, 2, 1),
    classes.AffineSubspaces(3, 2, 1, at_most=True), classes.MonotoneConjunctions(2),
    classes.Conjunctions(2), classes.Product(classes.Thresholds(), classes.Intervals()),
    classes.Union(classes.Thresholds(), classes.Intervals()), classes.thresholds(2),
]  # fmt: skip


@pytest.mark.parametrize("place", range(len(FAMILIES)))
def test_a_copy_equals_the_family_and_no_other(place: int) -> None:
    twin = pickle.loads(pickle.dumps(FAMILIES[place]))  # noqa: S301  # made here
    assert [other == twin for other in FAMILIES] == [i == place for i in range(len(FAMILIES))]
    assert hash(twin) == hash(FAMILIES[place])
    assert {twin: "kept"}[FAMILIES[place]] == "kept"


def test_a_learner_of_a_family_equals_its_copy() -> None:
    learner = StableLearner(classes.Thresholds(), 1, 1.0)
    assert pickle.loads(pickle.dumps(learner)) == learner  # noqa: S301  # made here
    assert learner != StableLearner(classes.SignedThresholds(), 1, 1.0)


def test_no_two_learners_of_the_zoo_are_equal() -> None:
    learners = [specimen.learner for specimen in zoo.learners()]
    for i, learner in enumerate(learners):
        assert [other == learner for other in learners] == [i == j for j in range(len(learners))]
