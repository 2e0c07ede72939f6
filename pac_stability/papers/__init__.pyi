from pac_stability.papers import bun_livni_moran as bun_livni_moran
from pac_stability.papers import cummings_et_al as cummings_et_al
from pac_stability.papers import dagan_feldman as dagan_feldman
