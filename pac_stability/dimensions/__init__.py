"""Combinatorial dimensions of a finite class, with certificates."""

from __future__ import annotations

from pac_stability.dimensions.bounds import Bounds as Bounds
from pac_stability.dimensions.bounds import Progress as Progress
from pac_stability.dimensions.littlestone import LittlestoneBounds as LittlestoneBounds
from pac_stability.dimensions.littlestone import LittlestoneSearch as LittlestoneSearch
from pac_stability.dimensions.littlestone import littlestone as littlestone
from pac_stability.dimensions.littlestone import littlestone_dimension as littlestone_dimension
from pac_stability.dimensions.littlestone import refutation as refutation
from pac_stability.dimensions.littlestone import shattered_tree as shattered_tree
from pac_stability.dimensions.refutation import Refutation as Refutation
from pac_stability.dimensions.refutation import RefutedSide as RefutedSide
from pac_stability.dimensions.refutation import Step as Step
from pac_stability.dimensions.trees import Leaf as Leaf
from pac_stability.dimensions.trees import MistakeTree as MistakeTree
from pac_stability.dimensions.trees import Node as Node
