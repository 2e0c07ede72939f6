from pac_stability.dimensions.bounds import (
    Bounds as Bounds,
    ProgressCallback as ProgressCallback,
    SearchProgress as SearchProgress,
)
from pac_stability.dimensions.decisions import (
    CheckedBounds as CheckedBounds,
    Decision as Decision,
    at_least as at_least,
    check_bounds as check_bounds,
    less_than as less_than,
)
from pac_stability.dimensions.growth import (
    NetViolation as NetViolation,
    Patterns as Patterns,
    ShatteredSets as ShatteredSets,
    growth_bounds as growth_bounds,
    growth_function as growth_function,
    is_alpha_net as is_alpha_net,
    is_epsilon_net as is_epsilon_net,
    missed_by_net as missed_by_net,
    net_violation as net_violation,
    pac_lower_bound as pac_lower_bound,
    pac_size as pac_size,
    sauer_shelah_bound as sauer_shelah_bound,
    shattered_sets as shattered_sets,
)
from pac_stability.dimensions.littlestone_search import (
    LittlestoneBounds as LittlestoneBounds,
    LittlestoneSearch as LittlestoneSearch,
    Refutation as Refutation,
    RefutationTree as RefutationTree,
    RefutedSide as RefutedSide,
    Step as Step,
    littlestone as littlestone,
    littlestone_dimension as littlestone_dimension,
    refutation as refutation,
    shattered_tree as shattered_tree,
)
from pac_stability.dimensions.shattering_proofs import (
    ChainCover as ChainCover,
    ShatteringRefutation as ShatteringRefutation,
    chain_cover as chain_cover,
    refute_shattering as refute_shattering,
    sperner_bound as sperner_bound,
)
from pac_stability.dimensions.table_spaces import (
    TableSpaces as TableSpaces,
    version_spaces as version_spaces,
)
from pac_stability.dimensions.teaching import (
    RecursiveTeachingSearch as RecursiveTeachingSearch,
    Star as Star,
    TeachingPlan as TeachingPlan,
    minimum_teaching_set as minimum_teaching_set,
    recursive_teaching as recursive_teaching,
    recursive_teaching_dimension as recursive_teaching_dimension,
    star as star,
    star_number as star_number,
    teaches as teaches,
    teaching_dimension as teaching_dimension,
)
from pac_stability.dimensions.threshold_search import (
    HalfGraph as HalfGraph,
    HalfGraphRefutation as HalfGraphRefutation,
    RefutedPart as RefutedPart,
    ThresholdSearch as ThresholdSearch,
    rank_gf2 as rank_gf2,
    rank_gf3 as rank_gf3,
    refute_half_graph as refute_half_graph,
    threshold as threshold,
    threshold_dimension as threshold_dimension,
)
from pac_stability.dimensions.trees import Leaf as Leaf, MistakeTree as MistakeTree, Node as Node
from pac_stability.dimensions.vc_search import (
    DualShatteredSet as DualShatteredSet,
    DualVCSearch as DualVCSearch,
    ShatteredSet as ShatteredSet,
    VCSearch as VCSearch,
    dual_vc as dual_vc,
    dual_vc_dimension as dual_vc_dimension,
    vc as vc,
    vc_dimension as vc_dimension,
)
