"""How a search moves among the instances of a trial, and what it found there.

Random instances seldom come near a bound. A trial can say how its instances are described by
integers; then ``python -m tools.climb`` changes one integer at a time as long as the tension grows,
and keeps the best. What it found are instances of the trial like all others.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Generic, TypeAlias, TypeVar

from pac_stability.errors import InvalidInput
from pac_stability.reading import read_json

I_co = TypeVar("I_co", covariant=True)  # an instance

Genes: TypeAlias = tuple[int, ...]
"""The integers that describe an instance."""


@dataclass(frozen=True, slots=True)
class Find:
    """What a search found.

    Attributes
    ----------
    seed
        Of the search.
    genes
        What describes the instance.
    """

    seed: int
    genes: Genes


@dataclass(frozen=True, slots=True)
class Climb(Generic[I_co]):
    """The instances of a trial as vectors of integers, in which a search can go step by step.

    Parameters
    ----------
    name
        Of the file with what was found: ``finds/NAME.json`` of the book.
    genes
        The values that each integer can have; a step changes one of them to the next value, or two.
    instance
        The instance that a vector describes, or ``None`` where it describes none.

    Examples
    --------
    >>> climb = Climb("squares", (range(9), range(2)), lambda genes: genes[0] ** 2 or None)
    >>> sorted(climb.neighbours((3, 0), Random(1)))[:2]
    [(2, 0), (2, 1)]
    >>> list(climb.instances())
    []
    """

    name: str
    genes: tuple[range, ...]
    instance: Callable[[Genes], I_co | None]

    @property
    def file(self) -> Path:
        """Where what was found is kept: beside the module that says what an instance is."""
        home = sys.modules[self.instance.__module__].__file__ or ""
        return Path(home).parent / "finds" / f"{self.name}.json"

    def start(self, coins: Random) -> Genes:
        """Return random genes."""
        return tuple(coins.choice(values) for values in self.genes)

    def neighbours(self, genes: Genes, coins: Random) -> Iterator[Genes]:
        """Give all genes one step away, in a random order, then some that are two steps away."""
        single = [
            (place, value)
            for place, values in enumerate(self.genes)
            for value in (genes[place] - values.step, genes[place] + values.step)
            if value in values
        ]
        coins.shuffle(single)
        for place, value in single:
            yield _with(genes, place, value)
        for place, value in single:
            other = coins.randrange(len(genes))
            drawn = coins.choice(self.genes[other])
            yield _with(_with(genes, place, value), other, drawn)

    def finds(self) -> tuple[Find, ...]:
        """Return what was kept, in the order of the file.

        Raises
        ------
        InvalidInput
            The file is damaged, or is about instances of another form.
        """
        path = self.file
        if not path.exists():
            return ()
        document = read_json(path)
        wanted = f"a list of seeds and {len(self.genes)} genes in their ranges"
        if not isinstance(document, list):
            raise InvalidInput(path.name, "no list", wanted)
        found = []
        for entry in document:
            match entry:
                case {"seed": int(seed), "genes": list(genes)} if len(entry) == 2 and (
                    len(genes) == len(self.genes)
                    and all(
                        type(gene) is int and gene in values
                        for gene, values in zip(genes, self.genes, strict=True)
                    )
                ):
                    found.append(Find(seed, tuple(genes)))
                case _:
                    raise InvalidInput(path.name, f"{entry!r:.60}", wanted)
        return tuple(found)

    def instances(self) -> Iterator[I_co]:
        """Give the instances that were kept."""
        for find in self.finds():
            instance = self.instance(find.genes)
            if instance is None:
                raise InvalidInput(f"{self.name}.json", f"{find.genes}", "genes of an instance")
            yield instance


def _with(genes: Genes, place: int, value: int) -> Genes:
    return (*genes[:place], value, *genes[place + 1 :])
