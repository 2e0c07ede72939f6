"""The papers: one package each, with the paper's objects under the paper's own names."""

from __future__ import annotations
