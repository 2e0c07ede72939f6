"""The meaning of a person's name for an item: Lemma 12, BLM20 lemma 12, Thm. 3 of DF20."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from pac_stability.claims.book import Item, books

_SHORT = {
    "thm": "theorem", "th": "theorem", "lem": "lemma", "cor": "corollary", "def": "definition",
    "defn": "definition", "prop": "proposition", "rem": "remark", "obs": "observation",
    "alg": "algorithm", "algo": "algorithm", "eq": "equation", "eqn": "equation", "fig": "figure",
    "sec": "section",
}  # fmt: skip
_ITEM = re.compile(r"([a-z]+)\.?[\s-]*([0-9]{1,4}(?:\.[0-9]{1,4})*)(?![0-9])[\s.,:-]*(.*)")
_PART = re.compile(r"([a-z]+-[0-9]+)\.(?:part-)?\(?[0-9]+")
_BETWEEN = re.compile(
    r"^(?:(?:of|in|from)\b|[\s:,.'()-])+|(?:\b(?:of|in|from|the|by)|[\s:,'()-])+$"
)


@dataclass(frozen=True, slots=True)
class AskedItem:
    """The meaning of a text.

    Attributes
    ----------
    papers
        The papers that it names, or all.
    item
        The item, as in a key: ``lemma-12``, ``lemma-12.repaired``.
    kind, number
        The digits of a numbered item, or nothing.
    """

    papers: tuple[str, ...]
    item: str
    kind: str = ""
    number: int | None = None


def read_item(text: str) -> AskedItem:
    """Read the name of an item.

    Examples
    --------
    >>> read_item("Thm. 3 of Dagan and Feldman")
    AskedItem(papers=('DF20',), item='theorem-3', kind='theorem', number=3)
    >>> read_item("BLM20:lemma-12.repaired").item, read_item("lemma 12 repaired").item
    ('lemma-12.repaired', 'lemma-12.repaired')
    """
    rest = text.lower().strip()
    named = []
    for key, book in books().items():
        rest, count = re.subn(rf"\b(?:{key.lower()}|{book.named})\b", " ", rest)
        named += [key] * bool(count)
    rest = _BETWEEN.sub("", rest)
    papers = tuple(named) or tuple(books())
    found = _ITEM.fullmatch(rest)
    if found is None:
        return AskedItem(papers, re.sub(r"[\s_]+", "-", rest))
    kind = _SHORT.get(found[1], found[1])
    singular = kind.removesuffix("s")
    kind = singular if kind not in _KINDS and singular in _KINDS else kind
    item = f"{kind}-{found[2]}"
    if found[3]:
        item += "." + re.sub(r"[\s_]+", "-", found[3])
    return AskedItem(papers, item, kind, int(found[2]) if found[2].isdigit() else None)


_LONG = 60
_KINDS = (
    "definition", "lemma", "proposition", "theorem", "corollary", "observation", "remark"
)  # fmt: skip  # what papers number in one count


def meant(text: str, keys: Sequence[str]) -> tuple[str, ...]:
    """Return the keys that a text means, in their order.

    Parameters
    ----------
    text
        A key, a pattern with ``*`` and ``?``, or an item in words. Without a paper, it searches
        all.
    keys
        All keys.

    Returns
    -------
    tuple of str
        In each paper the item of that name, or its parts if it is settled in parts.
    """
    return _matching(text, keys, family=False)


def family(text: str, keys: Sequence[str]) -> tuple[str, ...]:
    """Return the keys that a text means, and all others about the same items."""
    return _matching(text, keys, family=True)


def _matching(text: str, keys: Sequence[str], *, family: bool) -> tuple[str, ...]:
    if any(mark in text for mark in "*?"):
        return tuple(
            key
            for key in keys
            if fnmatchcase(key, text) or fnmatchcase(key.partition(":")[2], text)
        )
    asked = read_item(text)
    if not asked.item:  # a paper alone is all that is in it
        papers = asked.papers if len(asked.papers) < len(books()) else ()
        return tuple(key for key in keys if key.partition(":")[0] in papers)
    found = _named(asked, asked.item, keys, family=family)
    part = _PART.fullmatch(asked.item)
    if not found and part is not None and asked.kind in _KINDS:  # Theorem 34.2: of Theorem 34
        found = _named(asked, part[1], keys, family=family)
    return tuple(key for key in keys if key in found)


def _named(asked: AskedItem, item: str, keys: Sequence[str], *, family: bool) -> set[str]:
    found = set[str]()
    for paper in asked.papers:
        name = f"{paper}:{item}"
        parts = [key for key in keys if key.startswith(f"{name}.")]
        itself = [key for key in keys if key == name]
        itself = itself or [key for key in keys if _flat(key) == _flat(name)]
        found.update(itself + parts if family or not itself else itself)
    return found


def unknown(text: str, keys: Sequence[str]) -> str:
    """Return the message for a text that means no key.

    Examples
    --------
    >>> unknown("Theorem 13 of BLM20", ["BLM20:lemma-13"])
    'an item of the papers: Theorem 13 is not in BLM20, where 13 is Lemma 13'
    """
    asked = read_item(text)
    if asked.kind in _KINDS and asked.number is not None:
        name = f"{asked.kind.capitalize()} {asked.number}"
        numbered = [paper for paper in asked.papers if books()[paper].items]
        there = [_under(asked.number, paper) for paper in numbered]
        known = {str(item) for paper in numbered for item in books()[paper].items}
        if there and name not in known:
            if len(numbered) == 1:
                item, has = there[0]
                where = f", where {asked.number} is {item}" if has else f", which ends with {item}"
                return f"an item of the papers: {name} is not in {numbered[0]}{where}"
            others = (
                f"{asked.number} is {item} in {paper}" if has else f"{paper} ends with {item}"
                for paper, (item, has) in zip(numbered, there, strict=True)
            )
            return f"an item of the papers: {name} is in none of them; {', '.join(others)}"
    items = {key.partition(":")[2]: key for key in reversed(keys)}
    near = difflib.get_close_matches(asked.item, items, 3, 0.5)
    found = [items[item] for item in near]
    found = found or difflib.get_close_matches(text, keys, 3, 0) or list(keys[:3])
    return f"an item of the papers; the nearest are {', '.join(found)}"


def quoted(text: str) -> str:
    """Return a text for a message: no longer than a line."""
    return repr(text if len(text) <= _LONG else f"{text[: _LONG - 3]}...")


def _flat(key: str) -> str:
    return key.replace(".", "-")


def _under(number: int, paper: str) -> tuple[str, bool]:
    """What a paper has under a number, or else its last item, and whether it has."""
    items = books()[paper].items
    found: Item | None = next((item for item in items if item.number == number), None)
    return str(found or items[-1]), found is not None
