"""Ask a mechanism again for the laws of a certificate."""

from __future__ import annotations
