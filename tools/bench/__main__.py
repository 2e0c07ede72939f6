"""Measure the compiled searches against named baselines, in one run on one machine.

``python tools/bench [SECTION ...] [--quick] [--limit SECONDS] [--json FILE]``

Sections: ``littlestone`` (against the plain memoised recursion where that finishes, and against the
informed pure-Python decision search on the hard set), ``growth`` (nodes and time as sizes double),
``vc`` (against the plain search over column sets), ``online`` (the standard optimal algorithm, warm).
A ratio says how many times longer the baseline took; ``>`` stands before it when the baseline
was stopped at the limit.  Absolute times depend on the machine; ratios and node counts are the result.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import instances
from measure import Measurement, Task, measure
from rich.console import Console
from rich.table import Table

from pac_stability import dimensions, online
from pac_stability.classes import FiniteClass
from pac_stability.dimensions import reference
