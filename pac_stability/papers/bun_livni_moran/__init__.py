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

from pac_stability.online.states import SoaStates as SoaStates
from pac_stability.papers.bun_livni_moran import formulas as formulas
from pac_stability.papers.bun_livni_moran.agnostic.learner import (
    AgnosticPrivateLearner as AgnosticPrivateLearner,
)
from pac_stability.papers.bun_livni_moran.agnostic.promise import (
    AgnosticPromise as AgnosticPromise,
    agnostic_promise as agnostic_promise,
)
from pac_stability.papers.bun_livni_moran.agnostic.sizes import (
    AgnosticSizes as AgnosticSizes,
    agnostic_sizes as agnostic_sizes,
    agnostic_sizes_over as agnostic_sizes_over,
    resampling_guarantee as resampling_guarantee,
)
from pac_stability.papers.bun_livni_moran.online.figures import (
    count_shattered_trees as count_shattered_trees,
    figure_1 as figure_1,
    figure_1_class as figure_1_class,
    figure_2 as figure_2,
    parts_of_sample as parts_of_sample,
)
from pac_stability.papers.bun_livni_moran.online.ladders import (
    thresholds_in_tree as thresholds_in_tree,
    tree_on_thresholds as tree_on_thresholds,
)
from pac_stability.papers.bun_livni_moran.online.regret import (
    MinimaxPredictor as MinimaxPredictor,
    RegretGame as RegretGame,
    experts_regret as experts_regret,
    random_label_regret as random_label_regret,
)
from pac_stability.papers.bun_livni_moran.private.by_level import (
    ByLevelPrivateLearner as ByLevelPrivateLearner,
)
from pac_stability.papers.bun_livni_moran.private.frequent_items import (
    SizedHistogram as SizedHistogram,
    stable_histogram as stable_histogram,
)
from pac_stability.papers.bun_livni_moran.private.generic import (
    GenericPrivateLearner as GenericPrivateLearner,
)
from pac_stability.papers.bun_livni_moran.private.learner import PrivateLearner as PrivateLearner
from pac_stability.papers.bun_livni_moran.private.theorem_6 import (
    StrongSizeBound as StrongSizeBound,
    is_weak_learner as is_weak_learner,
)
from pac_stability.papers.bun_livni_moran.stable.consistent_outputs import (
    ConsistentOutputs as ConsistentOutputs,
    OutputOfLearner as OutputOfLearner,
    proposition_5 as proposition_5,
)
from pac_stability.papers.bun_livni_moran.stable.globally_stable import (
    FrequentOutput as FrequentOutput,
    GloballyStableLearner as GloballyStableLearner,
    GlobalStability as GlobalStability,
)
from pac_stability.papers.bun_livni_moran.streams.at_size import (
    RunTally as RunTally,
    Training as Training,
    tally_on_examples as tally_on_examples,
    tally_on_target as tally_on_target,
    train_on_examples as train_on_examples,
    train_on_target as train_on_target,
)
from pac_stability.papers.bun_livni_moran.streams.examples import (
    ExampleStream as ExampleStream,
    example_codes as example_codes,
)
from pac_stability.papers.bun_livni_moran.theorem_3 import (
    Equivalence as Equivalence,
    equivalence as equivalence,
)
from pac_stability.papers.bun_livni_moran.tournaments.contest import RandomContest as RandomContest
from pac_stability.papers.bun_livni_moran.tournaments.distribution import (
    DrawsExhausted as DrawsExhausted,
    TournamentDistribution as TournamentDistribution,
)
from pac_stability.papers.bun_livni_moran.tournaments.draw_counts import DrawCounts as DrawCounts
from pac_stability.papers.bun_livni_moran.tournaments.lemma_12 import (
    COUNTEREXAMPLES as COUNTEREXAMPLES,
    Lemma12Counterexample as Lemma12Counterexample,
    ReachedFrequencies as ReachedFrequencies,
    counterexample_for as counterexample_for,
    reached_frequencies as reached_frequencies,
)
from pac_stability.papers.bun_livni_moran.tournaments.monte_carlo import (
    MonteCarloTournament as MonteCarloTournament,
)
from pac_stability.papers.bun_livni_moran.tournaments.pick_rules import Pick as Pick
from pac_stability.papers.bun_livni_moran.tournaments.record import (
    Match as Match,
    Player as Player,
    TournamentRecord as TournamentRecord,
)
from pac_stability.papers.bun_livni_moran.tournaments.target import (
    RealizableTarget as RealizableTarget,
    require_realizable as require_realizable,
)
