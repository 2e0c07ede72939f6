"""diffprivlib: mechanisms, statistics and a model, at epsilon = 1."""

import warnings

import numpy as np
from diffprivlib import mechanisms, models, tools

from pac_stability import Sample
from pac_stability.audit.black_box import estimator, measurement

warnings.simplefilter("ignore")

geometric = measurement(mechanisms.Geometric(epsilon=1, sensitivity=1).randomise, takes=sum)
laplace = measurement(mechanisms.Laplace(epsilon=1, sensitivity=1).randomise, takes=sum)
mean = measurement(lambda rows: tools.mean(rows, epsilon=1, bounds=(0, 1)), takes=np.array)
histogram = measurement(
    lambda rows: tools.histogram(rows, epsilon=1, bins=2, range=(0, 1)),
    takes=np.array,
    release=lambda found: found[0],
)


def naive_bayes():
    """Return a classifier, not fitted."""
    return models.GaussianNB(epsilon=1, bounds=(0, 1))


def with_both_classes(sample):
    """Return what is published of a table that has more rows, of either class."""
    published = estimator(naive_bayes, release=lambda model: (model.theta_, model.class_count_))
    return published(Sample([*sample.points, 0, 1, 0, 1], [*sample.labels, 0, 1, 1, 0]))


def classes(sample):
    """Return the classes of a model of a table that has more rows, all of class 0."""
    published = estimator(naive_bayes, release=lambda model: model.classes_)
    return published(Sample([*sample.points, 0, 1], [*sample.labels, 0, 0]))
