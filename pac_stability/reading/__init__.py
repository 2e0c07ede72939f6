"""Reading what somebody else wrote: one meaning, bounded work, or :class:`InvalidInput`.

Every file that the library reads goes through this room: text, JSON and arrays, and the numbers in
them. It stands on the ground floor and imports the exceptions alone, so that the checker of
certificates can stand on it and on nothing else. Arrays need NumPy and are read by
:mod:`pac_stability.reading.npy`.

What is refused always names the file and the place. Nothing here takes time or memory out of
proportion to the bytes that came: a number of sixty letters cannot ask for a hundred million
digits, nor a header for an array that the file does not hold.
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
