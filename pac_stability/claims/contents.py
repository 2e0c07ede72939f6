"""What the papers contain: their numbered items, and where these stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

VERSIONS = {"DF20": "COLT 2020", "BLM20": "FOCS 2020", "CLNRW16": "COLT 2016"}
"""The version whose numbers and sections the claims have, where they name no other."""


@dataclass(frozen=True, slots=True)
class Item:
    """A numbered item of a paper.

    Attributes
    ----------
    kind, number
        What the paper calls it: Lemma 12.
    section
        Where it stands.
    """

    kind: str
    number: int
    section: str

    def __str__(self) -> str:
        return f"{self.kind.capitalize()} {self.number}"


# In each paper all these share one count; figures, algorithms and equations have their own.
_NUMBERED: Mapping[str, tuple[tuple[str, str], ...]] = {
    "DF20": (
        ("Section 1.1", "T C T"),
        ("Section 2.1", "L L L L L L"),
        ("Section 3", "T T"),
        ("Section 4", "T"),
        ("Appendix B", "L R"),
        ("Appendix C", "L R L L L"),
    ),
    "BLM20": (
        ("Section I-A", "T C T D P T"),
        ("Section III-A", "D"),
        ("Section III-B", "D"),
        ("Section III-C", "D"),
        ("Section IV-A", "T"),
        ("Section IV-B", "O L L"),
        ("Section IV-C", "L"),
        ("Section V-A", "L L"),
        ("Section V-B", "T"),
    ),
    "CLNRW16": (
        ("Section 2.1", "D D D D"),
        ("Section 2.2", "D D D D"),
        ("Section 2.3", "L C L T"),
        ("Section 3", "D"),
        ("Section 3.1", "D R L L T T"),
        ("Section 3.2", "T T"),
        ("Section 3.3", "T L T"),
        ("Section 3.4", "T T R"),
        ("Section 4", "D"),
        ("Section 4.1", "L T"),
        ("Section 4.2", "C"),
        ("Section 4.3", "T T T T"),
        ("Section 5.1", "L L"),
        ("Section 5.2", "T T T"),
    ),
}
_KINDS = (
    "definition", "lemma", "proposition", "theorem", "corollary", "observation", "remark"
)  # fmt: skip
_LETTERS = {kind[0].upper(): kind for kind in _KINDS}


def _items(paper: str) -> tuple[Item, ...]:
    places = [(section, letter) for section, row in _NUMBERED[paper] for letter in row.split()]
    return tuple(
        Item(_LETTERS[letter], number, section)
        for number, (section, letter) in enumerate(places, 1)
    )


ITEMS: Mapping[str, tuple[Item, ...]] = MappingProxyType(
    {paper: _items(paper) for paper in VERSIONS}
)
"""The numbered items of each paper, in the order of their numbers, which begin with 1."""
