"""What claims name and ask of no other instance: the library beside definitions that are spelt out.

Samples of two to four examples on one or two points, all of them, and all their neighbours.
"""

from __future__ import annotations


# Uniform stability of learners and of votes, and the privacy of walks


# Private lower bounds


# Theorem 1: label noise; Theorem 11: hard distributions; Lemma 18: matched candidates


# Definition of the relation; flips


# Sizes in closed form, and by counting
