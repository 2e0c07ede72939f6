"""Randomness that does not come through the coins is found, and named with its line.

While a program is watched (:func:`watched`, :class:`Watch`), what it could draw from besides its
coins is either compared before and after, or goes through a gate that notices:

=====================  =============================================================================
compared               the generators of ``random`` and ``numpy.random``, and every generator that
                       the program holds on to
gates                  ``os.urandom`` and with it ``secrets``, ``uuid4`` and generators without a
                       seed; the clock; the number of the process; ``id`` and the hash of text;
                       threads; other processes, connections and devices
said, not refused      a regular file that is read or written: see :attr:`Watch.assumed`
=====================  =============================================================================

A gate takes the place of a function in the module that it comes from. If the program holds the
function itself (``from time import time``), its calls are seen by a profile function instead, which
takes time; others do not pay for that. What compiled code draws by itself is not seen.
"""

from __future__ import annotations

from pac_stability.randomness.hidden.watch import (
    HiddenDraw as HiddenDraw,
    Watch as Watch,
    assume as assume,
    is_watched as is_watched,
    report as report,
    watched as watched,
    watched_in_parts as watched_in_parts,
)
from pac_stability.randomness.hidden.world import generators_of as generators_of
