"""The mistake-bound game: learners, adversaries, transcripts; agnostic prediction by experts."""

from __future__ import annotations

from pac_stability.online.adversaries import (
    GreedyAdversary as GreedyAdversary,
    TreeAdversary as TreeAdversary,
)
from pac_stability.online.experts import (
    AgnosticPredictor as AgnosticPredictor,
    FlippingExpert as FlippingExpert,
)
from pac_stability.online.game import play as play
from pac_stability.online.halving import Halving as Halving
from pac_stability.online.players import Adversary as Adversary, OnlineLearner as OnlineLearner
from pac_stability.online.regret import RegretBound as RegretBound, expert_count as expert_count
from pac_stability.online.soa import StandardOptimalAlgorithm as StandardOptimalAlgorithm
from pac_stability.online.states import SoaStates as SoaStates
from pac_stability.online.transcript import (
    PlayedGame as PlayedGame,
    Round as Round,
    Transcript as Transcript,
    TranscriptCheck as TranscriptCheck,
    class_digest as class_digest,
)
from pac_stability.online.weighted_majority import WeightedMajority as WeightedMajority
