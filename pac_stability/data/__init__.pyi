from pac_stability.data.distribution import (
    EnclosedDistribution as EnclosedDistribution,
    FiniteDistribution as FiniteDistribution,
    Law as Law,
)
from pac_stability.data.mechanisms import (
    Deterministic as Deterministic,
    FromLaw as FromLaw,
    FromProgram as FromProgram,
    Mechanism as Mechanism,
    compose as compose,
    compose_adaptively as compose_adaptively,
    then as then,
)
from pac_stability.data.neighbouring import (
    Adjacency as Adjacency,
    Multiset as Multiset,
    Neighbouring as Neighbouring,
    count_multisets as count_multisets,
    count_neighbouring_multisets as count_neighbouring_multisets,
    count_neighbouring_pairs as count_neighbouring_pairs,
    multiset_distribution as multiset_distribution,
    multiset_neighbours as multiset_neighbours,
    multisets as multisets,
    neighbouring_multisets as neighbouring_multisets,
    neighbouring_pairs as neighbouring_pairs,
    neighbours as neighbours,
)
from pac_stability.data.sample import (
    AnySample as AnySample,
    ArraySample as ArraySample,
    Example as Example,
    Hypothesis as Hypothesis,
    Sample as Sample,
    all_examples as all_examples,
    label_from_sign as label_from_sign,
)
from pac_stability.data.tape import (
    Draw as Draw,
    Path as Path,
    TapeExhausted as TapeExhausted,
    enumerate_law as enumerate_law,
    enumerate_paths as enumerate_paths,
    explored_law as explored_law,
)
