"""The tools that the tests import; the library stays the installed one, as it comes first."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2]))

from tools import blueprint, claim_pages

__all__ = ["blueprint", "claim_pages"]
