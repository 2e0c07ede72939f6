"""The statements of CLNRW16."""

from __future__ import annotations

from pac_stability.claims.claim import Claim

CLAIMS: tuple[Claim, ...] = ()
