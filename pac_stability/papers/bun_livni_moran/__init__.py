"""Bun, Livni and Moran, *An Equivalence Between Private Classification and Online Prediction*.

FOCS 2020 (BLM20): classes of finite Littlestone dimension can be learned privately. The page
docs/reference/bun-livni-moran.md goes through the paper item by item; in short:

============================  =====================================================================
`TournamentDistribution`      D_k: samples that won k tournaments; the exact law of SOA(S o T)
`MonteCarloTournament`        the same with a budget of draws, and "Fail"
`GloballyStableLearner`       algorithm G of Theorem 10: one output is frequent
`stable_histogram`            Lemma 15: frequent items, released privately
`GenericPrivateLearner`       Lemma 16: the exponential mechanism on a finite class
`PrivateLearner`              algorithm M of Theorems 17 and 1
`train_on_target`             any of them at the size it states; `train_on_examples`
`ByLevelPrivateLearner`       the same with a number of runs for each level, half as many examples
`tally_on_target`             the runs of G, all at once from the exact law of one
`AgnosticPrivateLearner`      Corollary 2: without a hypothesis that fits
`agnostic_promise`            with how many examples its excess is at most alpha, surely enough
`equivalence`                 Theorem 3 for one class, side by side
`StrongSizeBound`             Theorem 6: from weak private learners to strong ones
`formulas`                    every parameter, as printed and as repaired
`COUNTEREXAMPLES`             classes on which Lemma 12 fails as printed
============================  =====================================================================
"""

from __future__ import annotations

from pac_stability._face import face

__getattr__, __dir__, __all__ = face(__name__)
