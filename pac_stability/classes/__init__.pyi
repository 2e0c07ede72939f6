from pac_stability.classes.counting import (
    ErrorCounter as ErrorCounter,
    Labeller as Labeller,
    least_errors as least_errors,
    relabelled as relabelled,
)
from pac_stability.classes.families.boolean_and_affine import (
    AffineSubspace as AffineSubspace,
    AffineSubspaces as AffineSubspaces,
    Conjunction as Conjunction,
    Conjunctions as Conjunctions,
    MonotoneConjunctions as MonotoneConjunctions,
    Parities as Parities,
    Parity as Parity,
    affine_lines as affine_lines,
    affine_planes as affine_planes,
    affine_subspaces as affine_subspaces,
    conjunctions as conjunctions,
    monotone_conjunctions as monotone_conjunctions,
    parities as parities,
)
from pac_stability.classes.families.line_and_sets import (
    AllSubsets as AllSubsets,
    FiniteSet as FiniteSet,
    Intervals as Intervals,
    SignedThresholds as SignedThresholds,
    Singletons as Singletons,
    Subsets as Subsets,
    Threshold as Threshold,
    Thresholds as Thresholds,
    UnionOfIntervals as UnionOfIntervals,
    UnionsOfIntervals as UnionsOfIntervals,
    cube as cube,
    intervals as intervals,
    signed_thresholds as signed_thresholds,
    singletons as singletons,
    subsets as subsets,
    thresholds as thresholds,
    unions_of_intervals as unions_of_intervals,
)
from pac_stability.classes.families.space import (
    Box as Box,
    Boxes as Boxes,
    Halfspace as Halfspace,
    Halfspaces as Halfspaces,
    Stump as Stump,
    Stumps as Stumps,
    boxes as boxes,
    halfspaces as halfspaces,
    stumps as stumps,
)
from pac_stability.classes.family import (
    Complement as Complement,
    EnumeratingFamily as EnumeratingFamily,
    Family as Family,
    Product as Product,
    ProductHypothesis as ProductHypothesis,
    Union as Union,
    intersection as intersection,
    product as product,
    union as union,
)
from pac_stability.classes.finite_class import (
    FiniteClass as FiniteClass,
    Hypothesis as Hypothesis,
    KnownValue as KnownValue,
    Restriction as Restriction,
    Row as Row,
    random_class as random_class,
)
from pac_stability.classes.implicit import ImplicitClass as ImplicitClass
from pac_stability.classes.implicit.base import VersionSpaces as VersionSpaces
from pac_stability.classes.rules import (
    CodedSample as CodedSample,
    DecisionLeaf as DecisionLeaf,
    DecisionSplit as DecisionSplit,
    DecisionTree as DecisionTree,
    PrunedTrees as PrunedTrees,
    SparseHalfspace as SparseHalfspace,
    SparseHalfspaces as SparseHalfspaces,
)
from pac_stability.classes.specs import (
    SPECS as SPECS,
    Spec as Spec,
    from_spec as from_spec,
    playable_from_spec as playable_from_spec,
)
from pac_stability.classes.tables.points import read_points as read_points
from pac_stability.classes.tables.sheets import (
    MAX_BYTES as MAX_BYTES,
    TABLE_FORMATS as TABLE_FORMATS,
    TableOptions as TableOptions,
)
from pac_stability.classes.tables.values import TableReading as TableReading
from pac_stability.classes.validation import MAX_CELLS as MAX_CELLS
