"""Examples, samples, neighbours, multisets, finite distributions, mechanisms and the tape."""

from __future__ import annotations

from pac_stability.data.distribution import FiniteDistribution as FiniteDistribution
from pac_stability.data.labels import as_label as as_label
from pac_stability.data.labels import label_from_sign as label_from_sign
from pac_stability.data.mechanism import Deterministic as Deterministic
from pac_stability.data.mechanism import LawMechanism as LawMechanism
from pac_stability.data.mechanism import Mechanism as Mechanism
from pac_stability.data.mechanism import ProgramMechanism as ProgramMechanism
from pac_stability.data.mechanism import compose as compose
from pac_stability.data.mechanism import compose_adaptively as compose_adaptively
from pac_stability.data.mechanism import then as then
from pac_stability.data.multiset import Multiset as Multiset
from pac_stability.data.multiset import count_multisets as count_multisets
from pac_stability.data.multiset import multisets as multisets
from pac_stability.data.neighbours import Neighbouring as Neighbouring
from pac_stability.data.neighbours import count_replacement_pairs as count_replacement_pairs
from pac_stability.data.neighbours import neighbours as neighbours
from pac_stability.data.neighbours import replacement_neighbours as replacement_neighbours
from pac_stability.data.neighbours import replacement_pairs as replacement_pairs
from pac_stability.data.sample import Example as Example
from pac_stability.data.sample import Hypothesis as Hypothesis
from pac_stability.data.sample import Sample as Sample
from pac_stability.data.tape import Path as Path
from pac_stability.data.tape import enumerate_law as enumerate_law
from pac_stability.data.tape import enumerate_paths as enumerate_paths
