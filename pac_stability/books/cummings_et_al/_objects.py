"""What claims name and ask of no other instance: the library beside definitions that are spelt out.

The mechanism is one with two outputs on two or three examples, so that every event, every sample
and every order of it can be listed.
"""

from __future__ import annotations


# Definition 8: simulators, and how well they can be told from the mechanism


# Theorem 39: the geometric mean


# Group privacy


# Definition 5 in two readings


# Composition


# Theorem 32


# Definition 7
