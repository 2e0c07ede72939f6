"""Every numbered statement of the papers whose books are installed, executable.

A claim states an item of a paper in our words, with its quantifiers, the objects of the library
that implement it, and how far a computation can settle it. :func:`check` settles one,
:func:`verify` many.
"""

from __future__ import annotations

from pac_stability._face import face

__getattr__, __dir__, __all__ = face(__name__)
