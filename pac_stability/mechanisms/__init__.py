"""Randomised building blocks with exact laws and exact samplers."""

from __future__ import annotations
