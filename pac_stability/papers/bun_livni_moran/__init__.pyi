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
from pac_stability.papers.bun_livni_moran.formulas.parameters import DrawCounts as DrawCounts
from pac_stability.papers.bun_livni_moran.lemma_12 import (
    COUNTEREXAMPLES as COUNTEREXAMPLES,
    Lemma12Counterexample as Lemma12Counterexample,
    RandomContest as RandomContest,
    ReachedFrequencies as ReachedFrequencies,
    counterexample_for as counterexample_for,
    reached_frequencies as reached_frequencies,
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
    MinimaxPredictor as MinimaxPredictor,
    RegretGame as RegretGame,
    StrongSizeBound as StrongSizeBound,
    count_shattered_trees as count_shattered_trees,
    equivalence as equivalence,
    experts_regret as experts_regret,
    figure_1 as figure_1,
    figure_1_class as figure_1_class,
    figure_2 as figure_2,
    is_weak_learner as is_weak_learner,
    parts_of_sample as parts_of_sample,
    random_label_regret as random_label_regret,
    thresholds_in_tree as thresholds_in_tree,
    tree_on_thresholds as tree_on_thresholds,
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
