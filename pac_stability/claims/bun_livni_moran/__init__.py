"""The statements of BLM20."""

from __future__ import annotations

from pac_stability.claims.claim import Claim

CLAIMS: tuple[Claim, ...] = ()
