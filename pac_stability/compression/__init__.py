"""Compression schemes: a few kept examples that rebuild a hypothesis, and what that guarantees."""

from __future__ import annotations

from pac_stability.compression.scheme import CompressionScheme as CompressionScheme
from pac_stability.compression.scheme import ImproperScheme as ImproperScheme
from pac_stability.compression.scheme import ProperScheme as ProperScheme
from pac_stability.compression.scheme import subsample as subsample
from pac_stability.compression.selections import Selection as Selection
