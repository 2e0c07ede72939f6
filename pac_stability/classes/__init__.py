"""Hypothesis classes: finite tables, and families that enumerate their restrictions."""

from __future__ import annotations

from pac_stability.classes.finite_class import FiniteClass as FiniteClass
from pac_stability.classes.finite_class import Restriction as Restriction
from pac_stability.classes.finite_class import Row as Row
from pac_stability.classes.hypothesis import Hypothesis as Hypothesis
from pac_stability.classes.known import KnownValue as KnownValue
