"""Keeps files between runs: each is whole or absent, and tied to the code that made it."""

from __future__ import annotations

from pac_stability.keeping.fingerprint import (
    Fingerprint as Fingerprint,
    fingerprint_of as fingerprint_of,
)
from pac_stability.keeping.writing import write_text as write_text
