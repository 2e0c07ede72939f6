"""Answers as theorems that the kernel of the proof assistant Rocq (Coq) accepts, without axioms.

`to_rocq` writes a file that states an answer, with its data, and proves it from its certificate.
`check` lets an installed ``coqc`` judge such a file, against a statement that `check` writes. The
theories in ``theories/`` hold the definitions that such files need, and theorems on all classes.
"""

from __future__ import annotations

from pac_stability._face import face

__getattr__, __dir__, __all__ = face(__name__)
