"""Small mechanisms with known parameters, and a museum of wrong ones that must be refuted."""

from __future__ import annotations
