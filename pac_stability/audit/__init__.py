"""Is an algorithm what it claims to be? Exact answers on finite instances, with certificates."""

from __future__ import annotations
