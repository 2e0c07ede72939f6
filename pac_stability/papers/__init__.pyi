from pac_stability.papers import (
    bun_livni_moran as bun_livni_moran,
    counterexamples as counterexamples,
    cummings_et_al as cummings_et_al,
    dagan_feldman as dagan_feldman,
)
from pac_stability.papers.needed_sizes import (
    NeededSize as NeededSize,
    sizes_of_class as sizes_of_class,
)
