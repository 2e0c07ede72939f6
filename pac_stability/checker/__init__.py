"""Verifies certificates with code that shares nothing with the search.

This room imports the exceptions and the room that reads files, and nothing else of the library: no
definition of a notion, no enumeration, no distribution class. It is meant to be read by the person
who doubts a certificate. Whether a certificate is about *this* mechanism is another question, which
takes the mechanism to answer: :func:`pac_stability.audit.recheck`.
"""

from pac_stability.checker.rechecking import (
    MAX_STEPS as MAX_STEPS,
    Recheck as Recheck,
    recheck as recheck,
    require_unaltered as require_unaltered,
)
