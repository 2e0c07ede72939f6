"""Combinatorial dimensions of a finite class, with certificates."""

from __future__ import annotations

from pac_stability.dimensions.bounds import Bounds as Bounds
from pac_stability.dimensions.bounds import Progress as Progress
from pac_stability.dimensions.bounds import ProgressCallback as ProgressCallback
from pac_stability.dimensions.growth import growth_function as growth_function
from pac_stability.dimensions.growth import sauer_shelah_bound as sauer_shelah_bound
from pac_stability.dimensions.littlestone_search import LittlestoneBounds as LittlestoneBounds
from pac_stability.dimensions.littlestone_search import LittlestoneSearch as LittlestoneSearch
from pac_stability.dimensions.littlestone_search import littlestone as littlestone
from pac_stability.dimensions.littlestone_search import (
    littlestone_dimension as littlestone_dimension,
)
from pac_stability.dimensions.littlestone_search import refutation as refutation
from pac_stability.dimensions.littlestone_search import shattered_tree as shattered_tree
from pac_stability.dimensions.nets import NetViolation as NetViolation
from pac_stability.dimensions.nets import is_alpha_net as is_alpha_net
from pac_stability.dimensions.nets import net_violation as net_violation
from pac_stability.dimensions.ranks import rank_gf2 as rank_gf2
from pac_stability.dimensions.ranks import rank_gf3 as rank_gf3
from pac_stability.dimensions.refutations import Refutation as Refutation
from pac_stability.dimensions.refutations import RefutedSide as RefutedSide
from pac_stability.dimensions.refutations import Step as Step
from pac_stability.dimensions.stars import Star as Star
from pac_stability.dimensions.stars import star as star
from pac_stability.dimensions.stars import star_number as star_number
from pac_stability.dimensions.teaching import minimum_teaching_set as minimum_teaching_set
from pac_stability.dimensions.teaching import teaches as teaches
from pac_stability.dimensions.teaching import teaching_dimension as teaching_dimension
from pac_stability.dimensions.threshold_search import HalfGraph as HalfGraph
from pac_stability.dimensions.threshold_search import ThresholdSearch as ThresholdSearch
from pac_stability.dimensions.threshold_search import threshold as threshold
from pac_stability.dimensions.threshold_search import threshold_dimension as threshold_dimension
from pac_stability.dimensions.trees import Leaf as Leaf
from pac_stability.dimensions.trees import MistakeTree as MistakeTree
from pac_stability.dimensions.trees import Node as Node
from pac_stability.dimensions.vc_search import DualShatteredSet as DualShatteredSet
from pac_stability.dimensions.vc_search import DualVCSearch as DualVCSearch
from pac_stability.dimensions.vc_search import ShatteredSet as ShatteredSet
from pac_stability.dimensions.vc_search import VCSearch as VCSearch
from pac_stability.dimensions.vc_search import dual_vc as dual_vc
from pac_stability.dimensions.vc_search import dual_vc_dimension as dual_vc_dimension
from pac_stability.dimensions.vc_search import vc as vc
from pac_stability.dimensions.vc_search import vc_dimension as vc_dimension
