"""Hypothesis classes: finite tables, and families that enumerate their restrictions."""

from __future__ import annotations

from pac_stability.classes.finite_class import FiniteClass as FiniteClass
