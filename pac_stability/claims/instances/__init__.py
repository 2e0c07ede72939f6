"""Instances that claims are settled on: small universes gone through whole, and seeded draws."""

from __future__ import annotations

from pac_stability.claims.instances.classes import (
    all_classes as all_classes,
    catalogue as catalogue,
)
from pac_stability.claims.instances.draws import (
    random_classes as random_classes,
    random_distributions as random_distributions,
    random_laws as random_laws,
)
from pac_stability.claims.instances.samples import (
    all_labelled_samples as all_labelled_samples,
    realizable_distributions as realizable_distributions,
)
