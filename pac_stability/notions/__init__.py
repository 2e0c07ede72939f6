"""The definitions of stability, privacy, generalization and learning, one module each."""

from __future__ import annotations
