"""Examples, samples, neighbours, multisets, finite distributions, mechanisms and the tape."""

from __future__ import annotations

from pac_stability.data.sample import Example as Example
from pac_stability.data.sample import Hypothesis as Hypothesis
from pac_stability.data.sample import Sample as Sample
from pac_stability.data.sample import all_examples as all_examples
from pac_stability.data.sample import label_from_sign as label_from_sign
