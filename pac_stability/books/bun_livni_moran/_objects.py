"""Noise and histograms that claims name, beside definitions that are spelt out."""

from __future__ import annotations
