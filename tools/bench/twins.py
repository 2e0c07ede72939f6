"""The readable twins of the searches, which the tests keep."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests" / "shared"))

from shared_dimensions import *  # noqa: F403 - all that the tests share about dimensions
