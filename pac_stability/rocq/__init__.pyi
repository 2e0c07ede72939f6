from pac_stability.rocq.checking import (
    Judgement as Judgement,
    check as check,
    check_theorem as check_theorem,
)
from pac_stability.rocq.export import (
    THEORIES as THEORIES,
    RocqFile as RocqFile,
    at_least as at_least,
    below as below,
    exactly as exactly,
    far_apart as far_apart,
    theorems as theorems,
    to_rocq as to_rocq,
)
