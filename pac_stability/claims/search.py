"""Search of all claims: by key, by a person's words, by a text, by an object of the library."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType, ModuleType

from pac_stability.claims import naming
from pac_stability.claims.book import books
from pac_stability.claims.claim import Claim
from pac_stability.errors import InvalidInput


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
        others = naming.meant(key, tuple(_by_key()))
        wanted = ", ".join(others[:3]) or naming.unknown(key, tuple(_by_key()))
        raise InvalidInput("key", naming.quoted(key), f"the key of a claim: {wanted}")
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
    found = naming.meant(text, tuple(_by_key()))
    if not found:
        raise InvalidInput("item", naming.quoted(text), naming.unknown(text, tuple(_by_key())))
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
    named = set(naming.family(text, keys))
    words = text.lower().split()

    def has_them(claim: Claim) -> bool:
        return not any(word not in _text(claim) for word in words)

    numbered = naming.read_item(text).number is not None
    found = tuple(
        claim
        for claim in known
        if claim.key in named or (not named and not numbered and words and has_them(claim))
    )
    if not found:
        raise InvalidInput("text", naming.quoted(text), naming.unknown(text, keys))
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
            raise InvalidInput("code", naming.quoted(name), wanted) from None
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
        raise InvalidInput("object", naming.quoted(name), f"one of the library{such}")
    return [path_to(part)[-1] for part in found]
