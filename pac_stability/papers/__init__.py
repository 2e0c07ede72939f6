"""The papers: one package each, with the paper's objects under the paper's own names.

=====================  ============================================================================
``bun_livni_moran``    BLM20: what is learned online can be learned privately
``counterexamples``    files, each settled by the checker alone
``cummings_et_al``     CLNRW16: generalization that survives post-processing and adaptivity
``dagan_feldman``      DF20: predictions that hardly depend on any one example
=====================  ============================================================================
"""

from __future__ import annotations

from pac_stability._face import face

__getattr__, __dir__, __all__ = face(__name__)
