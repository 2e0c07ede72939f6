"""Answers as theorems that the kernel of the proof assistant Rocq (Coq) accepts, without axioms.

`to_rocq` writes a file that states an answer, with its data, and proves it from its certificate.
`check` lets an installed ``coqc`` judge such a file, against a statement that `check` writes. The
theories in ``theories/`` hold the definitions that such files need, and theorems on all classes.
"""

from __future__ import annotations

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
