"""What a learner is: its law, its runs, its predictions, and what it promises.

:class:`Learner` is the protocol that the learners of all papers have, and that audits take.
:class:`LawfulLearner` and :class:`PointwiseLearner` make a learner of a law or a program, and of
probabilities; :class:`PreparedPredictor` is what one has made of its sample, ready for many
answers; :class:`Mask` makes a hypothesis of an integer.
"""

from __future__ import annotations

from pac_stability.classes import Hypothesis as Hypothesis
from pac_stability.classes.mask import Mask as Mask
from pac_stability.learning.bases import (
    LawfulLearner as LawfulLearner,
    PointwiseLearner as PointwiseLearner,
)
from pac_stability.learning.fitted import (
    BaseLearner as BaseLearner,
    FittedClassifier as FittedClassifier,
)
from pac_stability.learning.given import (
    AnyData as AnyData,
    as_counter as as_counter,
    as_listed as as_listed,
    as_sample as as_sample,
)
from pac_stability.learning.learner import (
    Learner as Learner,
    Predictor as Predictor,
    Probability as Probability,
    Promises as Promises,
)
from pac_stability.learning.prepared import PreparedPredictor as PreparedPredictor
from pac_stability.learning.promises import (
    Accuracy as Accuracy,
    PerfectGeneralization as PerfectGeneralization,
    RobustGeneralization as RobustGeneralization,
)
