"""Compression schemes: a few kept examples rebuild a hypothesis, which guarantees generalization.

=========================  ========================================================================
`CompressionScheme`        Definition 14 of CLNRW16: a `ProperScheme` or an `ImproperScheme`
`check_scheme`             is it one? on every sample of a finite domain
`agnostic`                 from realizable samples to all samples
`ThresholdScheme`          and `ChainScheme`, `IntervalScheme`, `UnionOfIntervalsScheme`,
                           `BoxScheme`, `HalfspaceScheme`, `MaximumClassScheme`
`LittlestoneScheme`        for any finite class: by the mistakes of the SOA; `BoostingScheme`: by
                           the boosting of David, Moran and Yehudayoff
`SubsamplingScheme`        Remark 15: random examples, an approximate answer
`smallest_scheme`          the least size of a tiny class, with the scheme
`bounds`                   how far a kept hypothesis deviates: Lemmas 16 and 17, and sharper ones
`AdaptiveSession`          Theorem 19: one sample, many questions, a transcript, a bound
`replay`                   every answer again, from the kept examples alone
=========================  ========================================================================

The page docs/reference/compression.md has each scheme with its class, size and cost.
"""

from __future__ import annotations

from pac_stability._face import face

__getattr__, __dir__, __all__ = face(__name__)
