"""interpret: the private explainable boosting machine, at epsilon = 1 and delta = 1/100,000."""

import warnings

import numpy as np
from interpret.privacy import DPExplainableBoostingClassifier

from pac_stability import Sample
from pac_stability.audit.black_box import estimator

warnings.simplefilter("ignore")


def machine():
    """Return a small one, not fitted."""
    return DPExplainableBoostingClassifier(
        epsilon=1, delta=1e-5, max_rounds=2, max_bins=4, n_jobs=1,
        privacy_bounds=np.array([[0.0, 1.0]]), feature_types=["continuous"],
    )  # fmt: skip


def with_both_classes(sample):
    """Return what is published of a table that has more rows, of either class."""
    published = estimator(machine, release=lambda model: (model.term_scores_[0], model.intercept_))
    return published(Sample([*sample.points, *[0, 1] * 4], [*sample.labels, *[0, 1, 1, 0] * 2]))


def classes(sample):
    """Return the classes of a model of a table that has more rows, all of class 0."""
    published = estimator(machine, release=lambda model: model.classes_)
    return published(Sample([*sample.points, *[0, 1] * 4], [*sample.labels, *[0] * 8]))
