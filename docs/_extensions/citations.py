"""Items of the papers that a text cites, such as BLM20 Lemma 12."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pac_stability.claims import Kind, books

_WORDS = {f"{kind.value}s".replace("ys", "ies"): kind.value for kind in Kind}
_WORDS |= {kind.value: kind.value for kind in Kind}
_CITED = re.compile(rf"\b({'|'.join(_WORDS)})\s+(\d+)\b", re.IGNORECASE)
_PLACE = re.compile(r"(?:Section|Appendix)\s+\w+(?:[.-]\w+)*", re.IGNORECASE)
_NUMBER = re.compile(r"\d+\b")
_SEPARATOR = re.compile(r"\s*(?:,\s+and|,|\band|\bor)\s+|\s+\(?|,?\s+\(")
_TO = re.compile(r"\s+to\s+(\d+)\b")
_KEY = re.compile(r":([a-z]+-\d+(?:\.[a-z]+)*)(?![\w*?])")


@dataclass(frozen=True, slots=True)
class Reference:
    """A numbered item that a text cites.

    Attributes
    ----------
    key
        The key of the claim of that number: ``"BLM20:lemma-12"``.
    start, end
        Where the text names it.
    """

    key: str
    start: int
    end: int

    def is_among(self, keys: Iterable[str]) -> bool:
        """Whether one of these keys is the item's, perhaps with a suffix."""
        return any(key == self.key or key.startswith(f"{self.key}.") for key in keys)


def references(text: str) -> tuple[Reference, ...]:
    """Find the items that a text cites after the key of their paper.

    Parameters
    ----------
    text
        Any text; lines may break within a citation.

    Returns
    -------
    tuple of Reference
        In the order of the text. Sections and appendices may stand between a paper and its items;
        a number that follows no such chain is not the paper's.

    Examples
    --------
    >>> [r.key for r in references("See BLM20 (Section IV, Theorem 17 and Lemmas 15 and 16).")]
    ['BLM20:theorem-17', 'BLM20:lemma-15', 'BLM20:lemma-16']
    >>> [r.key for r in references("DF20, Theorem 11; by Lemma 4 here and DF20:remark-14.")]
    ['DF20:theorem-11', 'DF20:remark-14']
    """
    found: list[Reference] = []
    for paper in re.finditer(rf"\b({'|'.join(books())})(?:'s)?(?!\w)", text):
        key = _KEY.match(text, paper.end())
        if key is not None:
            found.append(Reference(f"{paper[1]}:{key[1]}", paper.start(), key.end()))
        else:
            found += _chain(paper[1], text, paper.end())
    return tuple(found)


def _chain(paper: str, text: str, end: int) -> Iterator[Reference]:
    """Items that follow one another from a position on."""
    kind: str | None = None
    while (separator := _SEPARATOR.match(text, end)) is not None:
        start = separator.end()
        item, number = _CITED.match(text, start), _NUMBER.match(text, start)
        if item is not None:
            kind, first, end = _WORDS[item[1].lower()], int(item[2]), item.end()
            yield Reference(f"{paper}:{kind}-{first}", start, end)
        elif number is not None and kind is not None:
            first, end = int(number[0]), number.end()
            yield Reference(f"{paper}:{kind}-{first}", start, end)
        else:
            place = _PLACE.match(text, start)
            if place is None:
                return
            kind, end = None, place.end()
            continue
        upto = _TO.match(text, end)
        if upto is not None:
            end = upto.end()
            for each in range(first + 1, int(upto[1]) + 1):
                yield Reference(f"{paper}:{kind}-{each}", upto.start(1), end)
