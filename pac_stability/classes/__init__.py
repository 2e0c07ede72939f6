"""Hypothesis classes: finite tables, and families that enumerate their restrictions."""

from __future__ import annotations

from pac_stability.classes.counting import ErrorCounter as ErrorCounter
from pac_stability.classes.counting import Labeller as Labeller
from pac_stability.classes.counting import least_errors as least_errors
from pac_stability.classes.counting import relabelled as relabelled
from pac_stability.classes.families.affine import AffineSubspace as AffineSubspace
from pac_stability.classes.families.affine import AffineSubspaces as AffineSubspaces
from pac_stability.classes.families.affine import affine_lines as affine_lines
from pac_stability.classes.families.affine import affine_planes as affine_planes
from pac_stability.classes.families.affine import affine_subspaces as affine_subspaces
from pac_stability.classes.families.boxes import Box as Box
from pac_stability.classes.families.boxes import Boxes as Boxes
from pac_stability.classes.families.boxes import boxes as boxes
from pac_stability.classes.families.combinations import Product as Product
from pac_stability.classes.families.combinations import ProductHypothesis as ProductHypothesis
from pac_stability.classes.families.combinations import Union as Union
from pac_stability.classes.families.combinations import product as product
from pac_stability.classes.families.combinations import union as union
from pac_stability.classes.families.conjunctions import Conjunction as Conjunction
from pac_stability.classes.families.conjunctions import Conjunctions as Conjunctions
from pac_stability.classes.families.conjunctions import MonotoneConjunctions as MonotoneConjunctions
from pac_stability.classes.families.conjunctions import conjunctions as conjunctions
from pac_stability.classes.families.conjunctions import (
    monotone_conjunctions as monotone_conjunctions,
)
from pac_stability.classes.families.halfspaces import Halfspace as Halfspace
from pac_stability.classes.families.halfspaces import Halfspaces as Halfspaces
from pac_stability.classes.families.halfspaces import halfspaces as halfspaces
from pac_stability.classes.families.intervals import Intervals as Intervals
from pac_stability.classes.families.intervals import UnionOfIntervals as UnionOfIntervals
from pac_stability.classes.families.intervals import UnionsOfIntervals as UnionsOfIntervals
from pac_stability.classes.families.intervals import intervals as intervals
from pac_stability.classes.families.intervals import unions_of_intervals as unions_of_intervals
from pac_stability.classes.families.parities import Parities as Parities
from pac_stability.classes.families.parities import Parity as Parity
from pac_stability.classes.families.parities import parities as parities
from pac_stability.classes.families.stumps import Stump as Stump
from pac_stability.classes.families.stumps import Stumps as Stumps
from pac_stability.classes.families.stumps import stumps as stumps
from pac_stability.classes.families.subsets import AllSubsets as AllSubsets
from pac_stability.classes.families.subsets import FiniteSet as FiniteSet
from pac_stability.classes.families.subsets import Singletons as Singletons
from pac_stability.classes.families.subsets import Subsets as Subsets
from pac_stability.classes.families.subsets import cube as cube
from pac_stability.classes.families.subsets import singletons as singletons
from pac_stability.classes.families.subsets import subsets as subsets
from pac_stability.classes.families.thresholds import SignedThresholds as SignedThresholds
from pac_stability.classes.families.thresholds import Threshold as Threshold
from pac_stability.classes.families.thresholds import Thresholds as Thresholds
from pac_stability.classes.families.thresholds import signed_thresholds as signed_thresholds
from pac_stability.classes.families.thresholds import thresholds as thresholds
from pac_stability.classes.family import EnumeratingFamily as EnumeratingFamily
from pac_stability.classes.family import Family as Family
from pac_stability.classes.files import MAX_BYTES as MAX_BYTES
from pac_stability.classes.files import read_points as read_points
from pac_stability.classes.finite_class import FiniteClass as FiniteClass
from pac_stability.classes.finite_class import Restriction as Restriction
from pac_stability.classes.finite_class import Row as Row
from pac_stability.classes.hypothesis import Hypothesis as Hypothesis
from pac_stability.classes.known import KnownValue as KnownValue
from pac_stability.classes.limits import MAX_CELLS as MAX_CELLS
from pac_stability.classes.random_class import random_class as random_class
from pac_stability.classes.specs import SPECS as SPECS
from pac_stability.classes.specs import Spec as Spec
from pac_stability.classes.specs import from_spec as from_spec
