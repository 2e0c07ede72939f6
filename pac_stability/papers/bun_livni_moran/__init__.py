"""Bun, Livni and Moran, *An Equivalence Between Private Classification and Online Prediction*.

FOCS 2020 (BLM20): classes of finite Littlestone dimension can be learned privately. The page
docs/reference/bun-livni-moran.md goes through the paper item by item; in short:

============================  =====================================================================
`TournamentDistribution`      D_k: samples that won k tournaments; the exact law of SOA(S o T)
`MonteCarloTournament`        the same with a budget of draws, and "Fail"
`GloballyStableLearner`       algorithm G of Theorem 10: one output is frequent
`stable_histogram`            Lemma 15: frequent items, released privately
`GenericPrivateLearner`       Lemma 16: the exponential mechanism on a finite class
`PrivateLearner`              algorithm M of Theorems 17 and 1
`train_on_target`             any of them at the size it states; `train_on_examples`
`ByLevelPrivateLearner`       the same with a number of runs for each level, half as many examples
`tally_on_target`             the runs of G, all at once from the exact law of one
`AgnosticPrivateLearner`      Corollary 2: without a hypothesis that fits
`agnostic_promise`            with how many examples its excess is at most alpha, surely enough
`equivalence`                 Theorem 3 for one class, side by side
`StrongSizeBound`             Theorem 6: from weak private learners to strong ones
`formulas`                    every parameter, as printed and as repaired
`COUNTEREXAMPLES`             classes on which Lemma 12 fails as printed
============================  =====================================================================
"""

from __future__ import annotations

from pac_stability.online.soa import SoaStates as SoaStates
from pac_stability.papers.bun_livni_moran import formulas as formulas
from pac_stability.papers.bun_livni_moran.agnostic import (
    AgnosticPrivateLearner as AgnosticPrivateLearner,
)
from pac_stability.papers.bun_livni_moran.agnostic_accuracy import (
    AgnosticPromise as AgnosticPromise,
    AgnosticSizes as AgnosticSizes,
    agnostic_promise as agnostic_promise,
    agnostic_sizes as agnostic_sizes,
    agnostic_sizes_over as agnostic_sizes_over,
    resampling_guarantee as resampling_guarantee,
)
from pac_stability.papers.bun_livni_moran.at_size import (
    ExampleStream as ExampleStream,
    RunTally as RunTally,
    Training as Training,
    example_codes as example_codes,
    tally_on_examples as tally_on_examples,
    tally_on_target as tally_on_target,
    train_on_examples as train_on_examples,
    train_on_target as train_on_target,
)
from pac_stability.papers.bun_livni_moran.draws import DrawCounts as DrawCounts
from pac_stability.papers.bun_livni_moran.lemma_12 import (
    COUNTEREXAMPLES as COUNTEREXAMPLES,
    Lemma12Counterexample as Lemma12Counterexample,
    RandomContest as RandomContest,
    ReachedFrequencies as ReachedFrequencies,
    counterexample_for as counterexample_for,
    reached_frequencies as reached_frequencies,
)
from pac_stability.papers.bun_livni_moran.online import (
    MinimaxPredictor as MinimaxPredictor,
    RegretGame as RegretGame,
    count_shattered_trees as count_shattered_trees,
    experts_regret as experts_regret,
    figure_1 as figure_1,
    figure_1_class as figure_1_class,
    figure_2 as figure_2,
    parts_of_sample as parts_of_sample,
    random_label_regret as random_label_regret,
    thresholds_in_tree as thresholds_in_tree,
    tree_on_thresholds as tree_on_thresholds,
)
from pac_stability.papers.bun_livni_moran.private import (
    ByLevelPrivateLearner as ByLevelPrivateLearner,
    GenericPrivateLearner as GenericPrivateLearner,
    PrivateLearner as PrivateLearner,
    SizedHistogram as SizedHistogram,
    stable_histogram as stable_histogram,
)
from pac_stability.papers.bun_livni_moran.stable import (
    ConsistentOutputs as ConsistentOutputs,
    FrequentOutput as FrequentOutput,
    GloballyStableLearner as GloballyStableLearner,
    GlobalStability as GlobalStability,
    OutputOfLearner as OutputOfLearner,
    proposition_5 as proposition_5,
)
from pac_stability.papers.bun_livni_moran.theorems import (
    Equivalence as Equivalence,
    StrongSizeBound as StrongSizeBound,
    equivalence as equivalence,
    is_weak_learner as is_weak_learner,
)
from pac_stability.papers.bun_livni_moran.tournament_laws import (
    Pick as Pick,
    RealizableTarget as RealizableTarget,
    require_realizable as require_realizable,
)
from pac_stability.papers.bun_livni_moran.tournaments import (
    DrawsExhausted as DrawsExhausted,
    Match as Match,
    MonteCarloTournament as MonteCarloTournament,
    Player as Player,
    TournamentDistribution as TournamentDistribution,
    TournamentRecord as TournamentRecord,
)
