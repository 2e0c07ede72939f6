"""Verifies certificates with code that shares nothing with the search.

This subpackage imports the exceptions and `reading`, and nothing else of the library: no definition
of a notion, no enumeration, no distribution class. It is written for readers who doubt a
certificate. It cannot tell whether a certificate is about *your* mechanism. That takes the
mechanism: :func:`pac_stability.audit.recheck`.
"""

from pac_stability.checker.rechecking import (
    MAX_STEPS as MAX_STEPS,
    Recheck as Recheck,
    recheck as recheck,
    require_unaltered as require_unaltered,
)
