"""Trials of what the library computes beside the same by its definition, one case after another."""

from __future__ import annotations
