"""All claims, by key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType

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


def get(key: str) -> Claim:
    """Return the claim with a key.

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
    """Return the claims that a text means, in the order of :func:`all`.

    Parameters
    ----------
    text
        A key; a pattern of keys or items, in which ``*`` and ``?`` stand for any text and any
        character; an item as a person names it, with its paper or, in all of them, without; or a
        paper.

    Raises
    ------
    InvalidInput
        It means none; the message names the nearest, or what a paper has under that number.

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
    """Return the claims that one of some texts means, in the order of :func:`all`.

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
    return tuple(claim for claim in all() if claim.key in chosen)


def in_order_of_use(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Return claims so that each comes after those that it uses.

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
    """Refuse claims, by key, that name another which is not among them, or use one another.

    Raises
    ------
    InvalidInput
        Naming the claim and its field.
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
