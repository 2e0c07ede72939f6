"""Search of all claims: by key, by a person's words, by a text, by an object of the library.

And claims as they are shown: all that a command needs that lists claims and runs none. No trial is
imported here.
"""

from __future__ import annotations

import difflib
import importlib
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from html import escape
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING

from pac_stability._report import Face, tex
from pac_stability.claims import naming
from pac_stability.claims.book import books
from pac_stability.claims.claim import Claim, Expectation
from pac_stability.errors import InvalidInput

if TYPE_CHECKING:
    from pac_stability.claims.trials import Trial


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


# Claims as they are, whatever a run finds

CLAIMS_SCHEMA = "pac-stability/claims/2"


def claims_to_text(claims: Iterable[Claim], width: int = 100) -> str:
    """Return a line for each claim: its key, its source, its known status, and its title.

    A title that would be mostly cut gets a line of its own.
    """
    chosen = tuple(claims)
    keys = max((len(claim.key) for claim in chosen), default=0)
    between = "  " if keys + 50 <= width else f"\n{4 * ' '}"
    rows = (
        f"{claim.key:<{keys}}  {claim.whose.value:<7}  {_known(claim):<12}{between}{claim.title}"
        for claim in chosen
    )
    return "".join(f"{fitted(line, width)}\n" for row in rows for line in row.splitlines())


def claim_to_text(claim: Claim, width: int = 100) -> str:
    """Return everything about a claim.

    Examples
    --------
    >>> from pac_stability import claims
    >>> print(claim_to_text(claims.get("DF20:appendix-a.mixtures")).splitlines()[1])
    source      proof: COLT 2020, Appendix A
    """
    lines = [f"{claim.key}: {claim.title}"]
    for label, text in _fields(claim):
        first, indent = f"{label:<12}", 12 * " "
        lines += textwrap.wrap(
            text, width, initial_indent=first, subsequent_indent=indent, break_long_words=False
        )
    return "\n".join([*lines, ""])


def claims_to_latex(claims: Iterable[Claim]) -> str:
    r"""Return a paragraph in LaTeX for each claim, with its key and place.

    Examples
    --------
    >>> from pac_stability import claims
    >>> print(claims_to_latex([claims.get("DF20:appendix-d.equality")]).splitlines()[0])
    % DF20:appendix-d.equality (ours)
    """
    return "\n".join(
        f"% {claim.key} ({claim.place or claim.whose.value})\n"
        f"\\paragraph{{{tex(claim.title)}.}} {claim.latex}\n"
        for claim in claims
    )


def claims_document(claims: Iterable[Claim], version: str) -> dict[str, object]:
    """Return claims as a dictionary that ``json.dumps`` accepts."""
    return {
        "schema": CLAIMS_SCHEMA,
        "version": version,
        "claims": [
            claim_fields(claim)
            | {
                "used_by": list(_used_by(claim)),
                "trials": [
                    {
                        "name": trial.name,
                        "universe": trial.universe,
                        "exhaustive": bool(trial.extent),
                        "on_class": None if trial.of_class is None else trial.of_class.universe,
                    }
                    for trial in claim.trials
                ],
            }
            for claim in claims
        ],
    }


def _known(claim: Claim) -> str:
    if claim.expectation is Expectation.RECORDED:
        return str(claim.method.value)
    return claim.expectation.word_for("refuted" if claim.expectation.refuted else "holds")


def _fields(claim: Claim) -> Iterator[tuple[str, str]]:
    yield "source", f"{claim.whose.value}: {claim.place}" if claim.place else claim.whose.value
    yield "statement", claim.statement
    yield "known", f"{claim.expectation.value} ({claim.method.value})"
    if claim.repaired_by is not None:
        yield "instead", claim.repaired_by
    if claim.explicit is not None:
        yield "explicit", claim.explicit
    for trial in claim.trials:
        yield "instances", _instances(trial)
        if trial.of_class is not None:
            yield "on a class", f"{trial.name}: {trial.of_class.universe}"
    for label, names in (
        ("in Rocq", claim.rocq),
        ("examined", claim.code),
        ("see also", claim.see),
        ("uses", claim.uses),
        ("used by", tuple(_used_by(claim))),
    ):
        if names:
            yield label, ", ".join(names)
    if claim.note:
        yield "note", claim.note
    if claim.erratum is not None:
        yield "literally", claim.erratum.literally
        yield "true is", claim.erratum.instead
        yield "changes", claim.erratum.changes
    for slip in claim.corrections:
        yield "a slip", f"{slip.where}: printed {slip.printed}; meant {slip.meant}"


def _instances(trial: Trial) -> str:
    return f"{trial.name}: {'all of ' if trial.extent else ''}{trial.universe}"


def _used_by(claim: Claim) -> Iterator[str]:
    return (other.key for other in every() if claim.key in other.uses)


def claim_fields(claim: Claim) -> dict[str, object]:
    """Return the fields of a claim for a document, without its trials."""
    return words_of(claim) | relations_of(claim)


def words_of(claim: Claim) -> dict[str, object]:
    """Return its words, for a document."""
    return {
        "key": claim.key,
        "kind": claim.kind.value,
        "title": claim.title,
        "statement": claim.statement,
        "whose": claim.whose.value,
        "place": claim.place or None,
        "method": claim.method.value,
        "expectation": claim.expectation.value,
    }


def relations_of(claim: Claim) -> dict[str, object]:
    """Return what it is tied to, for a document."""
    return {
        "repaired_by": claim.repaired_by,
        "explicit": claim.explicit,
        "uses": list(claim.uses),
        "code": list(claim.code),
        "see": list(claim.see),
        "rocq": list(claim.rocq),
        "basis": None if claim.basis is None else claim.basis.value,
        "note": claim.note,
    }


def fitted(line: str, width: int) -> str:
    """Return a line of at most a given width, with dots for words that are cut off.

    Examples
    --------
    >>> fitted("one two three", 13), fitted("one two three", 12), fitted("onetwothree", 6)
    ('one two three', 'one two...', 'one...')
    """
    if len(line) <= width:
        return line.rstrip()
    cut = line[: width - 3]
    return f"{(cut if line[width - 3] == ' ' else cut.rpartition(' ')[0] or cut).rstrip()}..."


def claim_face(claim: Claim) -> Face:
    """Return everything about a claim."""
    return Face(
        lambda: claim_to_text(claim),
        html=lambda: (
            f"<p><b>{escape(claim.key)}: {escape(claim.title)}</b></p>\n"
            f"<pre>{escape(claim_to_text(claim).partition(chr(10))[2])}</pre>"
        ),
        latex=lambda: claims_to_latex([claim]),
    )
