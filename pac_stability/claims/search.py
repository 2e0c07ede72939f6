"""Search of all claims: by key, by a person's words, by a text, by an object of the library.

First what a person's name for an item means: Lemma 12, BLM20 lemma 12, Thm. 3 of DF20.
"""

from __future__ import annotations

import difflib
import importlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from types import MappingProxyType, ModuleType

from pac_stability.claims.book import Item, books
from pac_stability.claims.claim import Claim
from pac_stability.errors import InvalidInput

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


def keys_meant(text: str, keys: Sequence[str]) -> tuple[str, ...]:
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


def keys_of_family(text: str, keys: Sequence[str]) -> tuple[str, ...]:
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


# Search of all claims


def all() -> tuple[Claim, ...]:  # noqa: A001  # read as claims.all()
    """Return every claim, paper by paper, in the order of the paper.

    Examples
    --------
    >>> from pac_stability import claims
    >>> len(claims.all()) == len({claim.key for claim in claims.all()})
    True
    """
    return tuple(_by_key().values())


every = all


def get(key: str) -> Claim:
    """Return the claim with a key.

    Parameters
    ----------
    key
        Such as ``"BLM20:lemma-12"``.

    Raises
    ------
    InvalidInput
        There is none; the message names the nearest ones.
    """
    found = _by_key().get(key)
    if found is None:
        others = keys_meant(key, tuple(_by_key()))
        wanted = ", ".join(others[:3]) or unknown(key, tuple(_by_key()))
        raise InvalidInput("key", quoted(key), f"the key of a claim: {wanted}")
    return found


def meant(text: str) -> tuple[Claim, ...]:
    """Return the claims that a text means, in the order of :func:`every`.

    Parameters
    ----------
    text
        A key; a pattern of keys or items, where ``*`` and ``?`` match any text and any character;
        an item in words, with its paper or, for all papers, without; or a paper.

    Raises
    ------
    InvalidInput
        It means none; the message names the nearest, or the items of a paper with that number.

    Examples
    --------
    >>> from pac_stability import claims
    >>> [claim.key for claim in claims.meant("Lemma 12")]
    ['BLM20:lemma-12']
    >>> [claim.key for claim in claims.meant("Theorem 3")]
    ['DF20:theorem-3', 'BLM20:theorem-3']
    """
    found = keys_meant(text, tuple(_by_key()))
    if not found:
        raise InvalidInput("item", quoted(text), unknown(text, tuple(_by_key())))
    return tuple(_by_key()[key] for key in found)


def select(patterns: Iterable[str]) -> tuple[Claim, ...]:
    """Return the claims that one of some texts means, in the order of :func:`every`.

    Parameters
    ----------
    patterns
        As in :func:`meant`.

    Raises
    ------
    InvalidInput
        A text means no claim.
    """
    chosen = {claim.key for pattern in patterns for claim in meant(pattern)}
    return tuple(claim for claim in every() if claim.key in chosen)


def in_order_of_use(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Return claims in an order where each comes after those that it uses.

    Parameters
    ----------
    claims
        The claims, in any order.

    Raises
    ------
    InvalidInput
        A claim uses itself, perhaps through others.
    """
    chosen = {claim.key: claim for claim in claims}
    done: dict[str, Claim] = {}
    path: list[str] = []

    def visit(claim: Claim) -> None:
        if claim.key in done:
            return
        if claim.key in path:
            raise InvalidInput("uses", " -> ".join([*path, claim.key]), "no circle")
        path.append(claim.key)
        for key in claim.uses:
            if key in chosen:
                visit(chosen[key])
        path.pop()
        done[claim.key] = claim

    for claim in chosen.values():
        visit(claim)
    return tuple(done.values())


def require_relations(claims: Mapping[str, Claim]) -> None:
    """Refuse claims, by key, that name a missing one, or use one another in a cycle.

    Raises
    ------
    InvalidInput
        The message names the claim and its field.
    """
    for claim in claims.values():
        named = {"repaired_by": claim.repaired_by, "explicit": claim.explicit}
        for field, key in [*(("uses", key) for key in claim.uses), *named.items()]:
            if key is not None and key not in claims:
                raise InvalidInput(f"{claim.key}: {field}", repr(key), "the key of a claim")
    in_order_of_use(claims.values())


@cache
def _by_key() -> Mapping[str, Claim]:
    found = {key: claim for book in books().values() for key, claim in book.claims.items()}
    require_relations(found)
    return MappingProxyType(found)


def find(text: str) -> tuple[Claim, ...]:
    """Return the claims that match a text.

    Parameters
    ----------
    text
        An item, as in :func:`meant`, which also finds related claims such as its repair; or words
        that must all occur in the key, title, statement or note of a claim.

    Returns
    -------
    tuple of Claim
        In the order of :func:`every`; at least one.

    Raises
    ------
    InvalidInput
        There is none; the message names the nearest, or the items of a paper with that number.

    Examples
    --------
    >>> [claim.item for claim in find("Theorem 38")]
    ['theorem-38', 'theorem-38.proof', 'theorem-38.repaired']
    >>> [claim.key for claim in find("affine subspaces repaired")]
    ['BLM20:fact-affine-subspaces.repaired']
    """
    known = every()
    keys = tuple(claim.key for claim in known)
    named = set(keys_of_family(text, keys))
    words = text.lower().split()

    def has_them(claim: Claim) -> bool:
        return not any(word not in _text(claim) for word in words)

    numbered = read_item(text).number is not None
    found = tuple(
        claim
        for claim in known
        if claim.key in named or (not named and not numbered and words and has_them(claim))
    )
    if not found:
        raise InvalidInput("text", quoted(text), unknown(text, keys))
    return found


def about(thing: object) -> tuple[Claim, ...]:
    """Return the claims about an object of the library.

    Parameters
    ----------
    thing
        A function, class, method or module of the library, an instance of one of its classes, or
        its dotted name; the last part is enough. A claim about a method is also about its class,
        and a claim about an object also about its module.

    Returns
    -------
    tuple of Claim
        In the order of :func:`every`; perhaps none.

    Raises
    ------
    InvalidInput
        A name that is not one of the library.

    Examples
    --------
    >>> from pac_stability.papers.bun_livni_moran.formulas import FrequencyThreshold
    >>> [claim.key for claim in about(FrequencyThreshold)]
    ['BLM20:lemma-12.repaired']
    >>> about("FrequencyThreshold") == about(FrequencyThreshold)
    True
    """
    if isinstance(thing, str):
        wanted = _objects(thing)
    elif isinstance(thing, ModuleType) or callable(thing):
        wanted = [thing]
    else:
        wanted = [type(thing)]
    return tuple(
        claim
        for claim in every()
        if any(_is_in(name, one) for name in claim.objects for one in wanted)
    )


def _text(claim: Claim) -> str:
    return f"{claim.key} {claim.title} {claim.statement} {claim.note}".lower()


def _is_in(name: str, thing: object) -> bool:
    """Whether what a claim names is an object, a part of it, or defined in it, if a module."""
    path = path_to(name)
    thing = getattr(thing, "__func__", thing)  # a method that is bound
    if any(part is thing for part in path):
        return True
    home = getattr(path[-1], "__module__", "")
    return isinstance(thing, ModuleType) and f"{home}.".startswith(f"{thing.__name__}.")


@cache
def path_to(name: str) -> tuple[object, ...]:
    """Return the objects from the subpackage to the named one, below ``pac_stability`` or in full.

    Raises
    ------
    InvalidInput
        It leads nowhere.

    Examples
    --------
    >>> [each.__name__ for each in path_to("audit.recheck")]
    ['pac_stability.audit', 'recheck']
    """
    room = name.partition(".")[0]
    for book in books().values():
        if room == book.package.partition(".")[0]:  # of a book that is not the library's own
            return _path("", name)
    return _path("pac_stability.", name)


def _path(place: str, name: str) -> tuple[object, ...]:
    path: list[object] = [importlib.import_module("pac_stability")]
    for part in name.split("."):
        place += part
        above = path[-1]
        try:
            path.append(
                getattr(above, part) if hasattr(above, part) else importlib.import_module(place)
            )
        except (ImportError, ValueError):
            wanted = "the name of an object below pac_stability"
            raise InvalidInput("code", quoted(name), wanted) from None
        place += "."
    return tuple(path[1:])


def _objects(name: str) -> list[object]:
    """What a name says: a full one, or the last parts of one that claims name."""
    short = name.removeprefix("pac_stability.").removeprefix("ps.")
    try:
        return [path_to(short)[-1]]
    except InvalidInput:
        pass
    known = {code for claim in every() for code in claim.objects}
    parts = {
        ".".join(code.split(".")[: i + 1]) for code in known for i in range(code.count(".") + 1)
    }
    found = [part for part in sorted(parts) if f".{part}".endswith(f".{short}")]
    if not found or not short:
        near = difflib.get_close_matches(short, {p.rpartition(".")[2]: p for p in parts}, 3, 0.4)
        such = f", such as {', '.join(near)}" if near else ""
        raise InvalidInput("object", quoted(name), f"one of the library{such}")
    return [path_to(part)[-1] for part in found]
