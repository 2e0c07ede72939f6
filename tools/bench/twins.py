"""The readable twins of the searches, which the tests keep."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "shared"))

from shared_dimensions import (  # noqa: E402  # where tests keep what they share
    bitset_search as bitset_search,
    first_pair_search as first_pair_search,
    informed_search as informed_search,
    plain_recursion as plain_recursion,
    threshold_by_definition as threshold_by_definition,
    vc_by_definition as vc_by_definition,
)
