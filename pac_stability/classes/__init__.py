"""Hypothesis classes: finite tables, and families that enumerate their restrictions."""

from __future__ import annotations

from pac_stability.classes.counting import (
    ErrorCounter as ErrorCounter,
    Labeller as Labeller,
    least_errors as least_errors,
    relabelled as relabelled,
)
from pac_stability.classes.families.affine import (
    AffineSubspace as AffineSubspace,
    AffineSubspaces as AffineSubspaces,
    affine_lines as affine_lines,
    affine_planes as affine_planes,
    affine_subspaces as affine_subspaces,
)
from pac_stability.classes.families.boxes import Box as Box, Boxes as Boxes, boxes as boxes
from pac_stability.classes.families.combinations import (
    Product as Product,
    ProductHypothesis as ProductHypothesis,
    Union as Union,
    product as product,
    union as union,
)
from pac_stability.classes.families.conjunctions import (
    Conjunction as Conjunction,
    Conjunctions as Conjunctions,
    MonotoneConjunctions as MonotoneConjunctions,
    conjunctions as conjunctions,
    monotone_conjunctions as monotone_conjunctions,
)
from pac_stability.classes.families.halfspaces import (
    Halfspace as Halfspace,
    Halfspaces as Halfspaces,
    halfspaces as halfspaces,
)
from pac_stability.classes.families.intervals import (
    Intervals as Intervals,
    UnionOfIntervals as UnionOfIntervals,
    UnionsOfIntervals as UnionsOfIntervals,
    intervals as intervals,
    unions_of_intervals as unions_of_intervals,
)
from pac_stability.classes.families.parities import (
    Parities as Parities,
    Parity as Parity,
    parities as parities,
)
from pac_stability.classes.families.stumps import Stump as Stump, Stumps as Stumps, stumps as stumps
from pac_stability.classes.families.subsets import (
    AllSubsets as AllSubsets,
    FiniteSet as FiniteSet,
    Singletons as Singletons,
    Subsets as Subsets,
    cube as cube,
    singletons as singletons,
    subsets as subsets,
)
from pac_stability.classes.families.thresholds import (
    SignedThresholds as SignedThresholds,
    Threshold as Threshold,
    Thresholds as Thresholds,
    signed_thresholds as signed_thresholds,
    thresholds as thresholds,
)
from pac_stability.classes.family import EnumeratingFamily as EnumeratingFamily, Family as Family
from pac_stability.classes.files import MAX_BYTES as MAX_BYTES, read_points as read_points
from pac_stability.classes.finite_class import (
    FiniteClass as FiniteClass,
    Restriction as Restriction,
    Row as Row,
)
from pac_stability.classes.hypothesis import Hypothesis as Hypothesis
from pac_stability.classes.implicit import ImplicitClass as ImplicitClass
from pac_stability.classes.known import KnownValue as KnownValue
from pac_stability.classes.limits import MAX_CELLS as MAX_CELLS
from pac_stability.classes.random_classes import random_class as random_class
from pac_stability.classes.rules.codes import CodedSample as CodedSample
from pac_stability.classes.rules.pruned_trees import (
    DecisionLeaf as DecisionLeaf,
    DecisionSplit as DecisionSplit,
    DecisionTree as DecisionTree,
    PrunedTrees as PrunedTrees,
)
from pac_stability.classes.rules.sparse_halfspaces import (
    SparseHalfspace as SparseHalfspace,
    SparseHalfspaces as SparseHalfspaces,
)
from pac_stability.classes.specs import (
    SPECS as SPECS,
    Spec as Spec,
    from_spec as from_spec,
    playable_from_spec as playable_from_spec,
)
from pac_stability.classes.version_spaces import VersionSpaces as VersionSpaces
