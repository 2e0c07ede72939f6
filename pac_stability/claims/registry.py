"""All claims, by key."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from functools import cache
from types import MappingProxyType

from pac_stability.claims.claim import PAPERS, Claim
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
        near = ", ".join(_nearest(key))
        raise InvalidInput("key", repr(key), f"the key of a claim, such as {near}")
    return found


def select(patterns: Iterable[str]) -> tuple[Claim, ...]:
    """Return the claims whose keys match one of the patterns, in the order of :func:`all`.

    Parameters
    ----------
    patterns
        Keys in which ``*`` and ``?`` stand for any text and any character.

    Raises
    ------
    InvalidInput
        A pattern matches no claim.
    """
    wanted = tuple(patterns)
    for pattern in wanted:
        if not any(fnmatchcase(key, pattern) for key in _by_key()):
            near = ", ".join(_nearest(pattern))
            raise InvalidInput("only", repr(pattern), f"a pattern that matches a key, as {near}")
    return tuple(c for c in all() if any(fnmatchcase(c.key, pattern) for pattern in wanted))


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


@cache
def _by_key() -> Mapping[str, Claim]:
    found: dict[str, Claim] = {}
    for package in PAPERS.values():
        for claim in importlib.import_module(f"pac_stability.claims.{package}").CLAIMS:
            if claim.key in found:
                raise InvalidInput("key", claim.key, "a key of one claim only")
            found[claim.key] = claim
    for claim in found.values():
        for key in (*claim.uses, claim.repaired_by, claim.explicit):
            if key is not None and key not in found:
                raise InvalidInput("uses", f"{key} in {claim.key}", "the key of a claim")
    in_order_of_use(found.values())
    return MappingProxyType(found)


def _nearest(key: str) -> list[str]:
    import difflib  # noqa: PLC0415  # for messages only

    return difflib.get_close_matches(key, _by_key(), 3, 0) or list(_by_key())[:3]
