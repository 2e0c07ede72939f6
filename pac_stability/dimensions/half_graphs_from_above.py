"""Is there a half graph of so many pairs? Asked of large numbers first, which are refuted soon."""

from __future__ import annotations

from pac_stability._core.half_graph import HalfGraphSearch

_FIRST = 2  # pieces for a question, besides a share of all pieces before
_SHARE = 4  # one in so many


class FromAbove:
    """Lowers the upper bound on the length of a half graph, question by question.

    Parameters
    ----------
    search
        A search that nobody else uses; it keeps what it learns of states from one question to the
        next.

    Notes
    -----
    Whether a half graph is longer than j is seen soon where j is large: few first pairs leave
    enough. So the lengths that are open are halved. A question that takes longer than a quarter of
    all before it is not left but made easier, half-way to the upper bound: what was refuted for j
    is refuted for a larger j, and more is pruned from then on. The last question, whether the upper
    bound is attained, has as long as it takes.
    """

    def __init__(self, search: HalfGraphSearch) -> None:
        self.search = search
        self._asked: int | None = None
        self._left = self._pieces = 0

    @property
    def nodes(self) -> int:
        """States entered, for all questions."""
        return self.search.nodes

    @property
    def memory(self) -> int:
        """Bytes held."""
        return self.search.memory

    def advance(self, lower: int, upper: int, work: float, *, aim: int | None = None) -> int:
        """Do a piece of work; what is longer than ``lower`` may be found by it.

        Parameters
        ----------
        lower, upper
            What is known of the longest, ``lower < upper``.
        work
            Word operations, about.
        aim
            Ask only whether there is one of so many pairs; ``None`` for what is asked best.

        Returns
        -------
        int
            The upper bound that is now known.
        """
        search = self.search
        upper = min(upper, max(lower, search.bound))
        if lower == upper:
            return upper
        asked = self._asked
        if asked is None or not lower <= asked < upper or (aim is not None and asked != aim - 1):
            asked = (lower + upper) // 2 if aim is None else aim - 1
            self._begin(asked)
        going = search.advance(work)
        self._pieces += 1
        self._left -= 1
        if search.best > asked or not going:
            self._asked = None
            return upper if search.best > asked else asked
        if self._left <= 0 and aim is None and asked < upper - 1:
            self._asked = (asked + upper) // 2
            self._left = self._allowed()
            search.raise_to(self._asked)
        return upper

    def _begin(self, asked: int) -> None:
        self.search.ask(asked)
        self._asked = asked
        self._left = self._allowed()

    def _allowed(self) -> int:
        return _FIRST + self._pieces // _SHARE
