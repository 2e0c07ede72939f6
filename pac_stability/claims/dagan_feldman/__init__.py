"""The statements of DF20."""

from __future__ import annotations

from pac_stability.claims.claim import Claim
from pac_stability.claims.dagan_feldman import definitions, relation

CLAIMS: tuple[Claim, ...] = (*definitions.CLAIMS, *relation.CLAIMS)
