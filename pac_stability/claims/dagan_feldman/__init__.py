"""The statements of DF20."""

from __future__ import annotations

from pac_stability.claims.claim import Claim
from pac_stability.claims.dagan_feldman import relation

CLAIMS: tuple[Claim, ...] = (*relation.CLAIMS,)
