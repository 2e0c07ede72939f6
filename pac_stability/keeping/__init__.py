"""What is kept between runs: files that are whole or absent, and what they are tied to."""

from __future__ import annotations

from pac_stability.keeping.fingerprint import (
    Fingerprint as Fingerprint,
    fingerprint_of as fingerprint_of,
)
from pac_stability.keeping.writing import write_text as write_text
