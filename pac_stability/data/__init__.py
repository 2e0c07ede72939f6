"""Examples, samples, neighbours, multisets, finite distributions, mechanisms and the tape."""

from __future__ import annotations

from pac_stability.data.array_sample import AnySample as AnySample
from pac_stability.data.array_sample import ArraySample as ArraySample
from pac_stability.data.distribution import FiniteDistribution as FiniteDistribution
from pac_stability.data.enclosed import EnclosedDistribution as EnclosedDistribution
from pac_stability.data.mechanisms import Deterministic as Deterministic
from pac_stability.data.mechanisms import FromLaw as FromLaw
from pac_stability.data.mechanisms import FromProgram as FromProgram
from pac_stability.data.mechanisms import Mechanism as Mechanism
from pac_stability.data.mechanisms import compose as compose
from pac_stability.data.mechanisms import compose_adaptively as compose_adaptively
from pac_stability.data.mechanisms import then as then
from pac_stability.data.multisets import Multiset as Multiset
from pac_stability.data.multisets import count_multisets as count_multisets
from pac_stability.data.multisets import multiset_distribution as multiset_distribution
from pac_stability.data.multisets import multisets as multisets
from pac_stability.data.neighbours import Neighbouring as Neighbouring
from pac_stability.data.neighbours import (
    count_neighbouring_multisets as count_neighbouring_multisets,
)
from pac_stability.data.neighbours import count_neighbouring_pairs as count_neighbouring_pairs
from pac_stability.data.neighbours import multiset_neighbours as multiset_neighbours
from pac_stability.data.neighbours import neighbouring_multisets as neighbouring_multisets
from pac_stability.data.neighbours import neighbouring_pairs as neighbouring_pairs
from pac_stability.data.neighbours import neighbours as neighbours
from pac_stability.data.sample import Example as Example
from pac_stability.data.sample import Hypothesis as Hypothesis
from pac_stability.data.sample import Sample as Sample
from pac_stability.data.sample import all_examples as all_examples
from pac_stability.data.sample import label_from_sign as label_from_sign
from pac_stability.data.tape import Draw as Draw
from pac_stability.data.tape import Path as Path
from pac_stability.data.tape import TapeExhausted as TapeExhausted
from pac_stability.data.tape import enumerate_law as enumerate_law
from pac_stability.data.tape import enumerate_paths as enumerate_paths
