from pac_stability.compression import bounds as bounds
from pac_stability.compression.any_class import (
    ApproximateScheme as ApproximateScheme,
    BoostingScheme as BoostingScheme,
    LittlestoneScheme as LittlestoneScheme,
    MajorityVote as MajorityVote,
    MaximumClassScheme as MaximumClassScheme,
    SubsamplingScheme as SubsamplingScheme,
    agnostic as agnostic,
    boosting_rounds as boosting_rounds,
    counting_group as counting_group,
    net_group as net_group,
    smallest_group as smallest_group,
)
from pac_stability.compression.geometric import (
    BoxScheme as BoxScheme,
    ChainScheme as ChainScheme,
    HalfspaceScheme as HalfspaceScheme,
    IntervalScheme as IntervalScheme,
    NotSeparable as NotSeparable,
    ThresholdScheme as ThresholdScheme,
    UnionOfIntervalsScheme as UnionOfIntervalsScheme,
)
from pac_stability.compression.scheme import (
    CompressionScheme as CompressionScheme,
    Counterexample as Counterexample,
    ImproperScheme as ImproperScheme,
    Problem as Problem,
    ProperScheme as ProperScheme,
    SchemeCheck as SchemeCheck,
    Selection as Selection,
    check_scheme as check_scheme,
    subsample as subsample,
)
from pac_stability.compression.session import (
    AdaptiveSession as AdaptiveSession,
    Answer as Answer,
    Query as Query,
    Task as Task,
    replay as replay,
)
from pac_stability.compression.smallest import (
    Approximation as Approximation,
    ImproperTable as ImproperTable,
    ProperTable as ProperTable,
    smallest_approximation as smallest_approximation,
    smallest_scheme as smallest_scheme,
)
from pac_stability.compression.transcript import (
    SessionTranscript as SessionTranscript,
    load_transcript as load_transcript,
    save_transcript as save_transcript,
)
