"""What is no class, no sample, no list of points: refused by name, wherever it is handed in."""

from collections.abc import Callable, Hashable
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from pac_stability import classes, data
from pac_stability.papers import dagan_feldman as df
from pac_stability.papers.dagan_feldman import baselines, sample_complexity as sizes
from shared_refusals import refuses

HALF = Fraction(1, 2)
H = classes.thresholds(4)
SAMPLE: data.Sample[Hashable] = data.Sample([0, 1, 1, 3, 2, 0], [0, 1, 0, 1, 1, 0])
STABLE = df.StableLearner(H, 2, 1.0)
PRIVATE = df.PrivatePredictionLearner(H, 2, HALF, blocks=2)
HARD = df.HardDistribution.shattered("abc", Fraction(1, 8))

# Deliberately wrong types are handed in, which is what the Any are for.
ON_POINTS: dict[str, Callable[[Any], object]] = {
    "stable": lambda x: STABLE.probabilities(SAMPLE, x),
    "conditioned": STABLE.conditioned_on,
    "flipped": lambda x: df.FlippedLearner(STABLE, HALF).probabilities(SAMPLE, x),
    "realizable": lambda x: df.RealizablePrivateLearner(H, 2, 1.0).probabilities(SAMPLE, x),
    "private": lambda x: PRIVATE.probabilities(SAMPLE, x),
    "private, enclosed": lambda x: PRIVATE.enclosed(SAMPLE, x),
    "relabelled": lambda x: PRIVATE.at(6).relabelled(SAMPLE, H[0], x),
    "selection": lambda x: STABLE.enclosed(SAMPLE).probabilities(x),
    "additive": lambda x: df.additive_selection(H, SAMPLE, 2, HALF).probabilities(x),
    "disjoint": lambda x: baselines.DisjointAverage(H, 2).probabilities(SAMPLE, x),
    "subsets": lambda x: baselines.SubsetAverage(H, 2).probabilities(SAMPLE, x),
    "aggregation": lambda x: baselines.DworkFeldmanAggregation(H, 2, 1).probabilities(SAMPLE, x),
    "laplace": lambda x: baselines.LaplaceAggregation(H, 2, 1).probabilities(SAMPLE, x),
    "exponential": lambda x: baselines.ExponentialLearner(H, 1).probabilities(SAMPLE, x),
    "walk": lambda x: baselines.ThresholdWalk(1, 2).probabilities(SAMPLE, x),
    "voting": lambda x: df.VotingLearner(HALF).probabilities(SAMPLE, x),
    "hard": lambda x: df.HardDistribution.shattered(x, Fraction(1, 8)),
}


@pytest.mark.parametrize("use", ON_POINTS.values(), ids=ON_POINTS)
@pytest.mark.parametrize("point", [None, 1, 0.5, object()])
def test_one_point_where_a_list_is_wanted(use: Callable[[Any], object], point: object) -> None:
    refuses(r"^points: got .*, want several points", use, point)


ON_CLASSES: dict[str, Callable[[Any], object]] = {
    "learner": lambda c: df.StableLearner(c, 2, 1.0),
    "exact": lambda c: df.exact_selection(c, SAMPLE, 2, HALF),
    "draw": lambda c: df.stable_draw(c, SAMPLE, 2, HALF),
    "minimiser": lambda c: df.empirical_risk_minimiser(c, SAMPLE),
    "minimisers": lambda c: df.block_minimisers(c, SAMPLE, 2),
    "hard": lambda c: df.hard_distribution(c, Fraction(1, 8)),
}


@pytest.mark.parametrize("use", ON_CLASSES.values(), ids=ON_CLASSES)
@pytest.mark.parametrize("given", [None, 7, "thresholds", classes.Thresholds, [[0, 1]]])
def test_what_is_no_class(use: Callable[[Any], object], given: object) -> None:
    """Not even the type ``Thresholds`` where ``Thresholds()`` is meant."""
    refuses(r"^H: got ", use, given)


ON_SAMPLES: dict[str, Callable[[Any], object]] = {
    "subset": lambda s: df.random_subset(s, 1),
    "blocks": lambda s: df.index_blocks(s, 1),
    "minimisers": lambda s: df.block_minimisers(H, s, 1),
    "relabelled": lambda s: PRIVATE.at(6).relabelled(s, H[0], [0]),
    "relabelling": lambda s: PRIVATE.at(6).relabelling_loss(s),
    "conditioned": lambda s: PRIVATE.at(6).conditioned_on([0], s, [0]),
}


@pytest.mark.parametrize("use", ON_SAMPLES.values(), ids=ON_SAMPLES)
@pytest.mark.parametrize("given", [None, 3, [(0, 1)], MappingProxyType({0: 1})])
def test_what_is_no_sample(use: Callable[[Any], object], given: object) -> None:
    refuses(r"^sample: got ", use, given)


@pytest.mark.parametrize("limit", ["1", 1j, None])
def test_other_arguments(limit: Any) -> None:
    wrong: list[tuple[str, Callable[[], object]]] = [
        ("base", lambda: df.least_flip_probability(limit, 1.0, 6)),
        ("learner", lambda: df.hard_chain(limit, HARD, 2)),
        ("hard", lambda: df.hard_average_error(df.VotingLearner(HALF), limit, 2)),
        ("target", lambda: HARD.labelled(limit)),
        ("bits", lambda: df.exponential_excess(2, HALF, limit)),
        ("bits", lambda: df.paper_excess(2, HALF, limit)),
        ("h", lambda: PRIVATE.at(6).relabelled(SAMPLE, limit, [0])),
    ]
    if limit is not None:
        wrong += [
            ("time_limit", lambda: df.enclosed_selection(H, SAMPLE, 2, HALF, time_limit=limit)),
            ("growth", lambda: sizes.theorem_1(HALF, HALF, HALF, 1, growth=limit)),
        ]
    for argument, use in wrong:
        refuses(f"^{argument}: got ", use)


def test_an_array_where_a_word_is_wanted() -> None:
    words: Any = np.array(["paper", "sharp"])
    for argument, use in (
        ("constants", lambda: sizes.theorem_1(HALF, HALF, HALF, 1, constants=words)),
        ("constants", lambda: df.least_sample_size(1, HALF, Fraction(1, 8), constants=words)),
        ("targets", lambda: sizes.realizable_private_size(HALF, HALF, 1, 1, targets=words)),
        ("setting", lambda: sizes.disjoint_average_size(HALF, HALF, HALF, 1, setting=words)),
    ):
        refuses(f"^{argument}: got ", use)


def test_a_labelling_has_a_label_for_each_point() -> None:
    refuses(r"^target: got 2 labels, want 3 labels", HARD.labelled, (0, 1))


def test_a_memory_limit_beyond_the_machine_is_no_limit() -> None:
    found = df.enclosed_selection(H, SAMPLE, 2, HALF, max_memory=10**30)
    assert found.lowers.tolist() == df.enclosed_selection(H, SAMPLE, 2, HALF).lowers.tolist()


@pytest.mark.parametrize("kind", [np.int64, np.uint8])
def test_sizes_may_be_integers_of_numpy(kind: type[np.integer[Any]]) -> None:
    n: Any = kind(200)
    assert df.StableLearner.from_stability(H, HALF, n) == df.StableLearner.from_stability(
        H, HALF, 200
    )
    assert PRIVATE.guarantee(n, 2, HALF) == PRIVATE.guarantee(200, 2, HALF)
    assert PRIVATE.factor(n, 2, 0) == PRIVATE.factor(200, 2, 0)
