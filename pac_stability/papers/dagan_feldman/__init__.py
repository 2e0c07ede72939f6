"""Dagan and Feldman, *PAC learning with stable and private predictions*, COLT 2020 (DF20).

Predictions that hardly depend on any one example. The page docs/reference/dagan-feldman.md goes
through the paper item by item; in short:

============================  =====================================================================
`StableLearner`               A^sta of Theorem 1: the exponential mechanism on a random cover
`FlippedLearner`              Corollary 2: private predictions from stable ones
`RealizablePrivateLearner`    Lemma 9: the soft majority of consistent hypotheses
`PrivatePredictionLearner`    Theorem 3: h_S, phi_S and the flip
`baselines`                   what the paper compares with
`sample_complexity`           how many examples each of them needs, explicitly
`HardDistribution`            Theorem 11: how many every stable learner needs
`private_least_error`         Section 1.1: how much private predictions err at least
============================  =====================================================================
"""

from __future__ import annotations

from pac_stability._face import face

__getattr__, __dir__, __all__ = face(__name__)
