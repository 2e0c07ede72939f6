from pac_stability.online.experts import (
    AgnosticPredictor as AgnosticPredictor,
    Halving as Halving,
    RegretBound as RegretBound,
    WeightedMajority as WeightedMajority,
    expert_count as expert_count,
)
from pac_stability.online.game import (
    Adversary as Adversary,
    GreedyAdversary as GreedyAdversary,
    OnlineLearner as OnlineLearner,
    PlayedGame as PlayedGame,
    Round as Round,
    Transcript as Transcript,
    TranscriptCheck as TranscriptCheck,
    TreeAdversary as TreeAdversary,
    class_digest as class_digest,
    play as play,
)
from pac_stability.online.soa import (
    SoaStates as SoaStates,
    StandardOptimalAlgorithm as StandardOptimalAlgorithm,
)
