"""Does a program answer by its sample and its coins alone? What an audit holds while it asks.

A :class:`Watching` sees three things. Draws besides the coins pass a gate or move a generator
(:mod:`pac_stability.randomness.watch`). What the program keeps is read before and after
(:mod:`~pac_stability.audit.watching.memory`); where it has changed the same is asked once more, and
then nothing may change: what is computed when it is first needed, or remembers answers, settles.
And equal outcomes that are written differently are said
(:mod:`~pac_stability.audit.watching.sameness`). What none of these sees may show in a second
interpreter (:mod:`~pac_stability.audit.watching.twice`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from pac_stability.audit.failures import SubjectFailure
from pac_stability.audit.watching.memory import changed, memory_of, namespaces_of
from pac_stability.randomness.watch import HiddenDraw, Watch, is_watched

T = TypeVar("T")


class Unsettled(SubjectFailure):
    """What a program keeps changes again when it is asked the same."""


@dataclass(frozen=True)
class Watching:
    """A watch over a program while many questions are put to it.

    Attributes
    ----------
    program
        What is asked; ``None`` for an algorithm that is not run, which may keep what it likes.
    name
        How messages speak of it.
    alone
        Whether no other thread draws where it is asked.
    """

    program: object
    name: str
    alone: bool = True

    def during(
        self, work: Callable[[], T], sample: object, assumed: dict[str, None] | None = None
    ) -> T:
        """Do work that asks many questions, a second time if what the program keeps has changed.

        Parameters
        ----------
        work
            What is called.
        sample
            The first one that it asks about, for messages.
        assumed
            Where to add what was done that is no draw by itself, in sentences.

        Raises
        ------
        HiddenDraw
            Something was drawn that did not come through the coins.
        Unsettled
            What the program keeps changed again, or the work has another result.

        Examples
        --------
        >>> def count():
        ...     count.calls = getattr(count, "calls", 0) + 1
        >>> try:
        ...     Watching(count, "count").during(count, ())
        ... except Unsettled as unsettled:
        ...     print(unsettled.given)
        count, which keeps something between questions that the same questions change again: \
the attribute calls of count
        """
        if is_watched():
            return work()
        spaces = tuple(namespaces_of(self.program))
        kept, watch = memory_of(self.program), Watch(spaces, assumed, alone=self.alone)
        try:
            with watch:
                first = work()
        except HiddenDraw as found:
            if not found.place:  # question by question, to say which
                watch.rewind()
                with Watch(spaces, alone=self.alone, careful=True):
                    work()
            raise
        now = memory_of(self.program)
        if now == kept:
            return first
        with Watch(spaces, assumed, alone=self.alone):
            again = work()
        names = changed(now, memory_of(self.program))
        if names or again != first:
            raise self._unsettled(names or ("something that it refers to",), sample)
        return again

    def _unsettled(self, names: tuple[str, ...], sample: object) -> Unsettled:
        return Unsettled(
            "mechanism",
            f"{self.name}, which keeps something between questions that the same "
            f"questions change again: {', '.join(names)}",
            "answers that depend on nothing but the sample and the coins (what only remembers "
            "answers settles)",
            sample,
        )
