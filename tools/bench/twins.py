"""The readable twins of the searches, which the tests keep."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "shared"))

from shared_dimensions import (  # where tests keep what they share
    bitset_search,
    first_pair_search,
    growth_by_definition,
    informed_search,
    plain_recursion,
    star_by_definition,
    threshold_by_definition,
    vc_by_definition,
)

__all__ = [
    "bitset_search",
    "first_pair_search",
    "growth_by_definition",
    "informed_search",
    "plain_recursion",
    "star_by_definition",
    "threshold_by_definition",
    "vc_by_definition",
]
