"""Stable and private learning theory, exactly.

The names that most programs need are here; the subpackages hold the rest.

========================  =========================================================================
``ps.audit``              is an algorithm what it claims to be? exact answers, with certificates
``ps.notions``            the definitions: stability, privacy, generalization, learning
``ps.learning``           what a learner is: law, runs, predictions, promises; hypotheses
``ps.mechanisms``         randomised building blocks with exact laws and exact samplers
``ps.papers``             the papers' own algorithms: ``papers.dagan_feldman`` and two more
``ps.compression``        compression schemes, their bounds, adaptive sessions
``ps.claims``             every numbered statement of the papers, executable
``ps.plots``              figures (matplotlib, an extra)
``ps.estimators``         private classifiers with the interface of scikit-learn (an extra)
``ps.testing``            strategies and checks for the tests of other projects
``ps.zoo``                mechanisms with known curves, and a museum of wrong ones
``ps.classes``            hypothesis classes: finite tables, families that enumerate restrictions
``ps.dimensions``         Littlestone, VC, dual VC and threshold dimension, with certificates
``ps.online``             the mistake-bound game: SOA, adversaries, transcripts, experts
``ps.data``               samples, neighbours, types, finite distributions, mechanisms, the tape
``ps.arithmetic``         exact rationals, e^eps as a rational, certified intervals
``ps.randomness``         coins from the operating system or from a seed
``ps.arguments``          what is accepted as a number, a label, a size; how a refusal is worded
``ps.keeping``            fingerprints of code, the writer of files
``ps.checker``            certificates of audits, verified by code that shares nothing with them
``ps.reading``            files that somebody else wrote: read with one meaning, or refused
``ps.rocq``               dimensions and refuted claims as theorems for the kernel of Rocq
``ps.errors``             the exceptions, one hierarchy
``ps.cli``                the command ``pac-stability``
========================  =========================================================================

Examples
--------
>>> import pac_stability as ps
>>> H = ps.classes.thresholds(8)
>>> len(H), ps.vc_dimension(H), ps.littlestone_dimension(H)
(9, 1, 3)
>>> ps.shattered_tree(H).is_shattered_by(H)
True
"""

from __future__ import annotations

from pac_stability._face import face

__version__ = "0.1.0"

# The plugins of pytest and hypothesis live in this package, and every run of those tools would
# otherwise wait for NumPy and for all rooms.
__getattr__, __dir__, __all__ = face(__name__)
