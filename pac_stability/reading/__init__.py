"""Reads what somebody else wrote: one meaning, bounded work, or :class:`InvalidInput`.

The library reads every file through this subpackage: text, JSON and arrays, and the numbers in
them. It is the lowest layer and imports only the exceptions, so the checker of certificates can
depend on it and on nothing else. :mod:`pac_stability.reading.npy` reads arrays, and needs NumPy.

Every error names the file and the place. Time and memory stay in proportion to the size of the
input: a number of sixty characters cannot demand a hundred million digits, and a header cannot
demand an array that the file does not hold.
"""

from pac_stability.reading.text import (
    MAX_BITS as MAX_BITS,
    MAX_BYTES as MAX_BYTES,
    MAX_DEPTH as MAX_DEPTH,
    MAX_DIGITS as MAX_DIGITS,
    exact_number as exact_number,
    exact_text as exact_text,
    integer_from as integer_from,
    number_from as number_from,
    parse_json as parse_json,
    read_bytes as read_bytes,
    read_json as read_json,
    read_text as read_text,
    require_shallow as require_shallow,
)
