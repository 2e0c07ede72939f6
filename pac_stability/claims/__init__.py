"""Every numbered statement of the papers whose books are installed, executable.

A claim says in our words, with its quantifiers, what a paper's item states, which objects of the
library implement it, and how far it can be settled by computation. :func:`check` settles one,
:func:`verify` many.
"""

from __future__ import annotations

from pac_stability._face import face

__getattr__, __dir__, __all__ = face(__name__)
