"""What an exact answer assumes, in sentences: what no audit can see, and what it was only told.

What no audit can exclude is said with every verdict; so is what was declared and only spot-checked.
"""

from __future__ import annotations

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
