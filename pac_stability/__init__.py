"""Stable and private learning theory, exactly."""

from __future__ import annotations
