"""What an exact answer assumes, in sentences: what no audit can see, and what it was only told.

An audit watches what it asks (:mod:`pac_stability.randomness.watch`). What it cannot exclude is
said with every verdict; so is what was declared and only spot-checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

PROGRAM = (
    "The program draws through its coins alone: no other draw was seen, "
    "but compiled code may draw unseen."
)
"""Of an algorithm whose law was enumerated."""

LAW = "The law that the algorithm gives is that of what it does: it was asked for it, and not run."
"""Of an algorithm that gives its law, or its probabilities, itself."""

MEMORY = (
    "What it keeps between questions, and the order of a set of texts, change none of its answers."
)
"""Of every algorithm."""

DECLARED = "The order of a sample does not matter to it: so it declares, and was only spot-checked."
"""Of an audit up to order that rests on a declaration."""


def from_a_file(kept: int, total: int, unread: Iterable[str]) -> Iterator[str]:
    """Say what an audit rests on that went on from a checkpoint.

    Parameters
    ----------
    kept, total
        How many answers came from the file, and how many there are.
    unread
        What could not be read of the algorithm.

    Examples
    --------
    >>> len(list(from_a_file(3, 8, ["draw, which is compiled and has no file"])))
    2
    """
    if kept:
        yield (
            f"{kept:,} of the {total:,} answers came from a checkpoint, "
            "which says that the same code gave them."
        )
        names = "; ".join(unread)
        if names:
            yield f"What could not be read has not changed since: {names}."
