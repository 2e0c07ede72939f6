"""Counting the errors of many hypotheses on a large sample."""

from __future__ import annotations

from pac_stability.classes.counting.counter import (
    ErrorCounter as ErrorCounter,
    Labeller as Labeller,
)
from pac_stability.classes.counting.minimisers import least_errors as least_errors
from pac_stability.classes.counting.relabelling import relabelled as relabelled
