"""Schemes, sessions and shares beside definitions that are spelt out, on a few points."""

from __future__ import annotations


# Lemma 17, Theorem 19: counted selections, shares, sessions
