"""Examples, samples, neighbours, multisets, finite distributions, mechanisms and the tape."""

from __future__ import annotations

from pac_stability.data.array_sample import (
    AnySample,
    ArraySample,
)
from pac_stability.data.distribution import (
    FiniteDistribution,
)
from pac_stability.data.enclosed import (
    EnclosedDistribution,
)
from pac_stability.data.mechanisms import (
    Deterministic,
    FromLaw,
    FromProgram,
    Mechanism,
    compose,
    compose_adaptively,
    then,
)
from pac_stability.data.multisets import (
    Multiset,
    count_multisets,
    multiset_distribution,
    multisets,
)
from pac_stability.data.neighbours import (
    Neighbouring,
    count_neighbouring_multisets,
    count_neighbouring_pairs,
    multiset_neighbours,
    neighbouring_multisets,
    neighbouring_pairs,
    neighbours,
)
from pac_stability.data.sample import (
    Example,
    Hypothesis,
    Sample,
    all_examples,
    label_from_sign,
)
from pac_stability.data.tape import (
    Draw,
    Path,
    TapeExhausted,
    enumerate_law,
    enumerate_paths,
)

__all__ = [
    "AnySample",
    "ArraySample",
    "Deterministic",
    "Draw",
    "EnclosedDistribution",
    "Example",
    "FiniteDistribution",
    "FromLaw",
    "FromProgram",
    "Hypothesis",
    "Mechanism",
    "Multiset",
    "Neighbouring",
    "Path",
    "Sample",
    "TapeExhausted",
    "all_examples",
    "compose",
    "compose_adaptively",
    "count_multisets",
    "count_neighbouring_multisets",
    "count_neighbouring_pairs",
    "enumerate_law",
    "enumerate_paths",
    "label_from_sign",
    "multiset_distribution",
    "multiset_neighbours",
    "multisets",
    "neighbouring_multisets",
    "neighbouring_pairs",
    "neighbours",
    "then",
]
