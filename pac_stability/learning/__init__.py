"""What a learner is: its law, its runs, its predictions, and its promises.

:class:`Learner` is the protocol that the learners of all papers have, and that audits take.
:class:`LawfulLearner` makes a learner from a law or a program, :class:`PointwiseLearner` from
probabilities; :class:`PreparedPredictor` is a learner that has seen its sample and is ready for
many answers; :class:`Mask` makes a hypothesis of an integer.
"""

from __future__ import annotations

from pac_stability.classes import Hypothesis as Hypothesis
from pac_stability.classes.finite_class import Mask as Mask
from pac_stability.learning.learner import (
    Accuracy as Accuracy,
    AnyData as AnyData,
    BaseLearner as BaseLearner,
    FittedClassifier as FittedClassifier,
    LawfulLearner as LawfulLearner,
    Learner as Learner,
    PerfectGeneralization as PerfectGeneralization,
    PointwiseLearner as PointwiseLearner,
    Predictor as Predictor,
    PreparedPredictor as PreparedPredictor,
    Probability as Probability,
    Promises as Promises,
    RobustGeneralization as RobustGeneralization,
    as_counter as as_counter,
    as_listed as as_listed,
    as_sample as as_sample,
)
