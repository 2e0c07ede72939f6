"""The check that bounds on subsamples share."""

from __future__ import annotations

from pac_stability.arguments import as_size, in_words
from pac_stability.errors import InvalidInput


def as_subsample(n: int, size: int) -> tuple[int, int]:
    """Return the size n of a sample and the number n' of its indices that are drawn."""
    n, size = as_size(n, "n"), as_size(size, "size")
    if size > n:
        raise InvalidInput("size", in_words(size), f"at most {n}, the size of the sample")
    return n, size
