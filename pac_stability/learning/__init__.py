"""What a learner is: its law, its runs, its predictions, and what it promises.

:class:`Learner` is the protocol that the learners of all papers have, and that audits take.
:class:`LawfulLearner` and :class:`PointwiseLearner` make a learner of a law or a program, and of
probabilities; :class:`PreparedPredictor` is what one has made of its sample, ready for many
answers; :class:`Mask` makes a hypothesis of an integer.
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
