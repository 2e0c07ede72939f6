"""Dagan and Feldman, *PAC learning with stable and private predictions*, COLT 2020 (DF20).

Predictions that hardly depend on any one example: the stable learner of Theorem 1, the private
predictions of Corollary 2 and Theorem 3, the baselines they are compared with, and the lower bound.
"""

from __future__ import annotations
