"""Cummings, Ligett, Nissim, Roth and Wu, *Adaptive Learning with Robust Generalization Guarantees*.

COLT 2016 (CLNRW16): guarantees of generalization that survive post-processing and adaptivity. The
page docs/reference/cummings-et-al.md goes through the paper item by item; in short:

============================  =====================================================================
`GenericAgnosticLearner`      Algorithm 1: perfect generalization for finite classes (Lemma 29)
`GenericAgnosticSize`         Theorem 30: from how many examples on it is accurate
`FiniteDomainLearner`         Corollary 31: the labelings of a finite domain
`ResamplingCompiler`          Algorithm 2: from perfect generalization to differential privacy
`resampling_pipeline`         Theorem 32 on an instance, exactly
`ResamplingAccuracy`          Theorem 33: what is accurate stays accurate
`ThresholdSideCondition`      Theorem 35: its numbers
`simulate`, `advantage`       simulators as mechanisms over distributions, and how good they are
`CoordinateAdversary`         Definition 5 has two readings
`Majority`                    Lemma 37: robust, but neither private nor perfect
`StrangeNormal`               Theorem 38: perfect, but not private
`NoisyMajority`               Theorem 40: private, and perfect with a larger parameter only
`FiniteRangeThresholds`       Lemma 23: a finite range cannot learn
`OrderAsKey`                  robust generalization does not compose
`implications`                one guarantee from another: Theorems 12, 20, 21, 39, Lemmas 9, 11, 36
============================  =====================================================================

Compression schemes, their bounds and adaptive sessions (Section 3) are in
:mod:`pac_stability.compression`, definitions in :mod:`pac_stability.notions`.
"""

from __future__ import annotations

from pac_stability._face import face

__getattr__, __dir__, __all__ = face(__name__)
