"""Finite Littlestone dimension: the mistakes of the standard optimal algorithm rebuild it."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from itertools import cycle
from typing import ClassVar

from pac_stability.arguments import described
from pac_stability.classes import Family, FiniteClass, FiniteSet, Hypothesis, ImplicitClass
from pac_stability.classes.mask import Mask
from pac_stability.classes.required import require_inhabited
from pac_stability.compression.scheme import ImproperScheme
from pac_stability.data import Sample
from pac_stability.data.required import require_sample
from pac_stability.dimensions import LittlestoneSearch, version_spaces
from pac_stability.errors import NotRealizable, Unanswerable
from pac_stability.online import StandardOptimalAlgorithm


class LittlestoneScheme(ImproperScheme[Hypothesis]):
    """Keep the mistakes of the standard optimal algorithm (SOA) on a realizable sample.

    The SOA goes through the sample again and again, and takes in only the examples that it gets
    wrong, until it gets none wrong. There are at most Ldim(H) of these. Whoever plays them to a
    new SOA, in their order, brings it to the same state; its predictions are the hypothesis, which
    may be outside H. Room that is left is filled with the last mistake, or with the first example
    when there was none: the SOA gets it right and does not change.

    Parameters
    ----------
    H
        The class, not empty: a table, or one that answers without
        (:mod:`pac_stability.classes.implicit`).
    max_memory
        Bytes that the search for Littlestone dimensions may use; ``None`` for no limit.

    Raises
    ------
    InvalidInput
        The class is empty; on use, a point is not of its domain.
    NotRealizable
        On use: no hypothesis of the class fits the examples.
    BudgetExhausted
        Here and on use: ``max_memory`` is too small.

    Notes
    -----
    The hypothesis is a :class:`~pac_stability.classes.FiniteSet`: the points of the domain that it
    labels 1; without a table, a :class:`~pac_stability.classes.implicit.Labelling`. A sample of n
    examples is gone through at most Ldim(H) + 1 times. A scheme keeps what its search for
    dimensions learns, so it belongs to one thread.

    The scheme is the classical one from a mistake-bounded learner [Floyd & Warmuth 1995].

    Examples
    --------
    >>> from pac_stability.classes import singletons
    >>> scheme = LittlestoneScheme(singletons(4))
    >>> S = Sample([0, 2, 3, 0], [0, 0, 1, 0])
    >>> scheme.size(len(S)), scheme.compress(S), scheme.run(S)
    (1, (2,), FiniteSet(points=frozenset({3})))
    >>> scheme.run(S[:2])  # no singleton at all
    FiniteSet(points=frozenset())
    """

    agnostic: ClassVar[bool] = False

    def __init__(self, H: FiniteClass | ImplicitClass, *, max_memory: int | None = None) -> None:
        self._H = H
        self._max_memory = max_memory
        self._search: LittlestoneSearch | None = None
        if isinstance(H, ImplicitClass):
            self._size = max(1, H.dimension(H.whole))
            return
        require_inhabited(H)
        self._search = LittlestoneSearch(H, max_memory)
        self._search.advance()
        self._size = max(1, self._search.lower)

    def _parameters(self) -> object:
        return self._H, self._max_memory

    def __reduce__(self) -> tuple[object, ...]:
        # The search is made again: what it remembers belongs to one thread.
        return partial(type(self), max_memory=self._max_memory), (self._H,)

    @property
    def family(self) -> Family:
        """The class H.

        ``Unanswerable`` is raised without a table: its patterns on points are not listed.
        """
        if isinstance(self._H, ImplicitClass):
            raise Unanswerable(f"the patterns of {self._H!r}", "it answers without a list of them")
        return self._H

    def __hash__(self) -> int:
        return hash((type(self), self._H))

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other)

    def size(self, n: int) -> int:  # noqa: ARG002  # the same for every n
        """Return Ldim(H), or 1 when that is 0.

        Parameters
        ----------
        n
            The size of the samples.
        """
        return self._size

    def _compress(self, sample: Sample[Hashable]) -> tuple[int, ...]:
        self._require_realizable(sample)
        soa = StandardOptimalAlgorithm(self._H, search=self._search)
        mistakes: list[int] = []
        right = 0
        for index in cycle(range(len(sample))):
            example = sample[index]
            if soa.predict(example.point) == example.label:
                right += 1
            else:
                soa.update(example.point, example.label)
                mistakes.append(index)
                right = 0
            if right == len(sample):
                break
        padding = mistakes[-1] if mistakes else 0
        return (*mistakes, *[padding] * (self._size - len(mistakes)))

    def reconstruct(self, kept: Sample[Hashable], /) -> FiniteSet | Mask:
        """Return the predictions of the SOA after its mistakes among the kept examples.

        Raises
        ------
        InvalidInput
            There are no examples, or a point is not of the domain.
        NotRealizable
            No hypothesis of the class fits the examples.
        """
        require_sample(kept, 1, "kept")
        self._require_realizable(kept)
        soa = StandardOptimalAlgorithm(self._H, search=self._search)
        for example in kept:
            if soa.predict(example.point) != example.label:
                soa.update(example.point, example.label)
        if isinstance(self._H, ImplicitClass):
            return soa.labelling()
        labels = soa.hypothesis().tolist()
        return FiniteSet(frozenset(x for x, y in zip(self._H.domain, labels, strict=True) if y))

    def _require_realizable(self, sample: Sample[Hashable]) -> None:
        spaces = version_spaces(self._H)
        space = spaces.whole
        for example in sample:
            space = spaces.part(space, spaces.column(example.point), example.label)
        if not space:
            raise NotRealizable(f"no hypothesis of the class fits {described(sample)}")
