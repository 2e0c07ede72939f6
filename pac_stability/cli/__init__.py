"""The command ``pac-stability``."""

from __future__ import annotations

from pac_stability.cli.app import main as main
