"""Bun, Livni and Moran, *An Equivalence Between Private Classification and Online Prediction*, FOCS 2020 (BLM20)."""  # noqa: E501

from __future__ import annotations
