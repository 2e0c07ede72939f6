"""Deliberately wrong mechanisms, each with its story, its claim, and what refutes it."""

from __future__ import annotations

from pac_stability.zoo.museum.answering import PatternResponse as PatternResponse
from pac_stability.zoo.museum.collection import (
    all as all,  # noqa: A004  # read as museum.all()
    get as get,
)
from pac_stability.zoo.museum.exhibit import Exhibit as Exhibit
