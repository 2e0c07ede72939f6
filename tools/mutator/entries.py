"""Entries of the tables: a function, the tokens that change, and what they become.

An entry names no line.  ``was`` and ``becomes`` are tokens, in which ``@1`` stands for any one
name, ``$1`` for any balanced stretch, and ``…`` for the rest of the statement; a stretch at the
beginning begins with its statement.  Where the function has several such places, ``nth`` says which
one of how many, so that an entry never slides to another place in silence.  Behind ``more`` stand
these three of other entries: those of the same function that ask the same.

An entry that fits nothing, or whose wrong text does not compile, is *stale*: it is reported, and
stops nothing.  ``moved`` finds its function again, from a source in which it fitted, by its name or
its text, wherever it went and whatever it is called.
"""

from __future__ import annotations

import builtins
import difflib
import json
import math
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from tools.mutator import source as src
from tools.mutator.source import Change, Source, Token, read

FOLDER = Path(__file__).resolve().parent
TESTS, PAPERS, SURVIVORS = (
    FOLDER / f"{name}.toml" for name in ("wrong_lines", "wrong_formulas", "survivors")
)
_CHANGE = ("was", "becomes", "nth")
# How much of its text a function must still have: of its name, and called otherwise.
_NAMED, _ALIKE = 0.3, 0.6


@dataclass(frozen=True)
class Entry:
    """One wrong place, and what is known of it.

    Attributes
    ----------
    at
        The file below the root, a space, and the qualified function or class; no function at the
        top of a module.
    was, becomes
        The tokens that change.
    nth
        Which place of how many, as in ``2/3``; empty for the only one.
    ask
        The test files or claims that are asked.
    why
        Why nothing can notice it.
    """

    at: str
    was: str
    becomes: str
    nth: str = ""
    ask: tuple[str, ...] = ()
    why: str = ""

    @property
    def file(self) -> str:
        """The file."""
        return self.at.partition(" ")[0]

    @property
    def function(self) -> str:
        """The function or class."""
        return self.at.partition(" ")[2]

    def __str__(self) -> str:
        return f"{self.at}: {self.was}  ->  {self.becomes}" + (f"  ({self.nth})" * bool(self.nth))

    def written(self, *more: Entry) -> str:
        """Return the line of the table, with other entries of the function that ask the same."""
        fields: dict[str, object] = {"at": self.at, "was": self.was, "becomes": self.becomes}
        fields |= {"nth": self.nth} if self.nth else {}
        others = [[one.was, one.becomes, one.nth] for one in more]
        fields |= {"more": others} if more else {}
        fields |= {"ask": list(self.ask)} if self.ask else {}
        fields |= {"why": self.why} if self.why else {}
        # A string of JSON is one of TOML.
        parts = (f"{name} = {json.dumps(x, ensure_ascii=False)}" for name, x in fields.items())
        return f"  {{{', '.join(parts)}}},"


def load(path: Path) -> list[Entry]:
    """Return the entries of a table."""
    found = []
    for line in tomllib.loads(path.read_text(encoding="utf-8"))["entries"]:
        more = line.pop("more", [])
        first = Entry(**{**line, "ask": tuple(line.get("ask", ()))})
        found += [first, *(replace(first, **dict(zip(_CHANGE, x, strict=True))) for x in more)]
    return found


def save(path: Path, entries: Iterable[Entry]) -> None:
    """Write the entries of a table, sorted, below what stands above them."""
    above, _, after = path.read_text(encoding="utf-8").partition("entries = [\n")
    groups: dict[object, list[Entry]] = {}
    for one in sorted(set(entries), key=Entry.written):
        groups.setdefault((one.at, one.ask, one.why), []).append(one)
    lines = sorted(first.written(*more) for first, *more in groups.values())
    rest = after.partition("\n]\n")[2]
    path.write_text("\n".join([f"{above}entries = [", *lines, f"]\n{rest}"]), encoding="utf-8")


# --- where an entry is ---------------------------------------------------------------------------


def found(entry: Entry, source: Source | None = None) -> Change | None:
    """Return the change that an entry means, or nothing if it is stale."""
    if source is None:
        if not (src.ROOT / entry.file).is_file():
            return None
        source = read(entry.file)
    here = source.functions.get(entry.function)
    if here is None:
        return None
    places = list(_places(entry.was, here))
    number, of = map(int, (entry.nth or "1/1").split("/"))
    if len(places) != of:
        return None
    first, last, gaps = places[number - 1]
    if not _names(src.tokens(entry.becomes)) <= {token.text for token in source.tokens}:
        return None  # it would be noticed for a name that there is not
    instead = re.sub(r"[$@]\d", lambda one: _text(source, gaps[one[0]]), entry.becomes)
    start, stop = here[first].start, here[last - 1].stop
    around = (
        source.text[start - 1 : start] + instead[:1],
        instead[-1:] + source.text[stop : stop + 1],
    )
    before, after = (" " * (re.fullmatch(r"\w\w", two) is not None) for two in around)
    change = Change(entry.file, start, stop, before + instead + after)
    return change if source.compiles(change) else None


def _names(becomes: Sequence[Token]) -> set[str]:
    """Return the names that must be known around a text: no attributes, none of its own."""
    texts = ["", *(token.text for token in becomes), ""]
    names, own = set[str](), set(vars(builtins))
    for before, text, after in zip(texts, texts[1:], texts[2:], strict=False):
        if src.is_name(text) and before != ".":
            (own if before in {"for", "lambda"} or after == "=" else names).add(text)
    return names - own


_Gaps: TypeAlias = dict[str, list[Token]]


def _text(source: Source, gap: Sequence[Token]) -> str:
    return source.text[gap[0].start : gap[-1].stop]


def _places(was: str, here: Sequence[Token]) -> Iterator[tuple[int, int, _Gaps]]:
    """Yield where a pattern matches: from, to, and what its gaps stand for."""
    pattern = [token.text for token in src.tokens(was)]
    begin = stop = 0
    for first, token in enumerate(here):
        if first == stop:
            begin = first
            while stop < len(here) and here[stop].statement == token.statement:
                stop += 1
        if pattern[0][0] == "$" and first != begin:
            continue
        match = _match(pattern, here[first:stop], {})
        if match is not None:
            yield first, first + match[0], match[1]


def _match(pattern: Sequence[str], here: Sequence[Token], gaps: _Gaps) -> tuple[int, _Gaps] | None:
    """Return how many tokens a pattern takes, and its gaps; each gap is as short as may be."""
    if not pattern:
        return 0, gaps
    want = pattern[0]
    if want == src.REST:
        return len(here), gaps
    if not here:
        return None
    if not src.is_gap(want):
        sizes = [1] if here[0].text == want else []
    elif want[0] == "@":
        sizes = [1] if src.is_name(here[0].text) else []
    else:
        sizes = [size for size, depth in enumerate(_depths(here), start=1) if depth == 0]
    for size in sizes:
        gap = list(here[:size])
        known = gaps.get(want, gap)
        if [one.text for one in known] == [one.text for one in gap]:
            new = {**gaps, want: gap} if src.is_gap(want) else gaps
            match = _match(pattern[1:], here[size:], new)
            if match is not None:
                return size + match[0], match[1]
    return None


def _depths(here: Sequence[Token]) -> Iterator[int]:
    """Yield how many brackets are open behind each token, until more are closed than opened."""
    depth = 0
    for token in here:
        depth += (token.text in src.OPEN) - (token.text in src.CLOSE)
        if depth < 0:
            return
        yield depth


# --- which entry says a change -------------------------------------------------------------------


def described(change: Change, source: Source | None = None) -> Entry:
    """Return an entry that means a change, with as few names in it as possible."""
    source = source or read(change.file)
    key = file, first, removed, new, ends = source.key(change)
    best, least = None, math.inf
    at = source.tokens[first - ends]
    here = source.functions[at.within]
    left = here.index(at) + ends
    statement = [i for i, one in enumerate(here) if one.statement == at.statement]
    around = range(statement[0], statement[-1] + 1)
    entry = Entry(f"{file} {at.within}".strip(), "", "")
    for was, becomes in _patterns(here, around, left, removed, list(new)):
        places = list(_places(was, here))
        cost = _cost(was, becomes, len(places))
        for number in range(1, len(places) + 1 if cost < least else 1):
            nth = f"{number}/{len(places)}" if len(places) > 1 else ""
            tried = replace(entry, was=was, becomes=becomes, nth=nth)
            again = found(tried, source)
            if again is not None and source.key(again) == key:
                least, best = cost, tried
    if best is not None:
        return best
    raise ValueError(f"no entry says this: {change.file}: {source.line(change)}")


def _patterns(
    here: Sequence[Token], statement: range, left: int, removed: int, new: list[str]
) -> Iterator[tuple[str, str]]:
    """Yield what may say that some tokens are replaced, the most general first."""
    right = left + removed
    if new == ["pass"] and range(left, right) == statement:
        heads = [here[left].text], ["$1", "="], ["$1", "("]
        yield from ((" ".join([*head, src.REST]), "pass") for head in heads)
    # With some neighbours: what is only put in has no place of its own.
    for before, after in ((0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (2, 0), (2, 2)):
        start, stop = max(left - before, statement.start), min(right + after, statement.stop)
        if start == stop:
            continue
        old = [one.text for one in here[start:stop]]
        inside = [
            *(one.text for one in here[start:left]),
            *new,
            *(one.text for one in here[right:stop]),
        ]
        for form in (_nameless(old, inside), (old, inside)):
            yield _spaced(form[0]), _spaced(form[1])


def _cost(was: str, becomes: str, places: int) -> float:
    """Say how easily an innocent edit makes an entry stale: by its names, and by other places."""
    names = _names(src.tokens(was)) | _names(src.tokens(becomes))
    return 4 * len(names) + min(places - 1, 20) + len(src.tokens(was)) / 4


def _nameless(was: list[str], becomes: list[str]) -> tuple[list[str], list[str]]:
    """Put a gap for each name that is no attribute, unless nothing else would be left."""
    names: dict[str, str] = {}
    for before, text, after in zip(["", *was], was, [*was[1:], ""], strict=False):
        if src.is_name(text) and before != "." and after != "(" and text not in vars(builtins):
            names.setdefault(text, f"@{len(names) + 1}")
    told = [names.get(text, text) for text in was]
    if all(map(src.is_gap, told)) or len(names) > 9:
        return was, becomes
    return told, [
        text if before == "." else names.get(text, text)
        for before, text in zip(["", *becomes], becomes, strict=False)
    ]


def _spaced(texts: Sequence[str]) -> str:
    """Join tokens with the spaces that a reader expects."""
    text = ""
    for before, after in zip(["", *texts], texts, strict=False):
        called = after in {"(", "["} and (
            src.is_name(before) or before in src.CLOSE or src.is_gap(before)
        )
        tight = (
            not before or before in {"(", "[", "{", "."} or after in {*src.CLOSE, *",.:;"} or called
        )
        text += after if tight else f" {after}"
    return text


# --- where a place went --------------------------------------------------------------------------


def moved(entry: Entry, old: Source | None, sources: Sequence[Source]) -> Entry | None:
    """Return the entry where its function went: by its name or, in its file, by its text."""
    was = old.functions.get(entry.function) if old else None
    if was is None or old is None or found(entry, old) is None:
        return None
    texts = [token.text for token in was]
    last = entry.function.rpartition(".")[2]
    rated: list[tuple[bool, float, Entry]] = []
    for source in sources:
        for name, now in source.functions.items():
            named = name.rpartition(".")[2] == last
            again = replace(entry, at=f"{source.file} {name}".strip())
            if (named or source.file == entry.file) and found(again, source):
                matcher = difflib.SequenceMatcher(None, texts, [t.text for t in now], False)
                rated.append((named, matcher.ratio(), again))
    named, ratio, again = max(rated, key=lambda one: one[:2], default=(False, 0.0, entry))
    return again if ratio >= (_NAMED if named else _ALIKE) else None
