"""A file as its tokens and the functions that hold them, and one wrong place in it.

Tables name a place by its function and the tokens that change, so this chapter reads Python, Cython
and C alike: what a token is, which function holds it, and where its statement ends.
"""

from __future__ import annotations

import ast
import bisect
import functools
import re
import subprocess
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[2]
REST = "…"
"""In a pattern: what is left of the statement."""

_TOKEN = re.compile(
    r'''(?P<string>[rbfuRBFU]{0,2}(?:"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))'''
    r"|(?P<comment>\#[^\n]*|/\*[\s\S]*?\*/)"
    r"|(?P<end>\n)|(?P<space>\\\n|[ \t\r\f]+)"
    r"|(?P<word>[$@]\d|…|\d\w*(?:\.\d+)?(?:(?<=[eE])-?\d+)?|\w+)"
    r"|(?P<sign>\*\*=?|//=?|<<=?|>>=?|->|&&|\|\||\+\+|--|[-+*/%&|^<>=!:]=|\.\.\.|[^\w\s])"
)
_NAME = re.compile(r"[^\W\d]\w*\Z")
OPEN, CLOSE = frozenset("([{"), frozenset(")]}")
# Keywords of the three languages, which no rename touches.
_WORDS = frozenset(
    re.findall(
        r"\w+",
        "and as assert break case cdef class const continue cpdef def del elif else except False "
        "finally for from global if import in is lambda match None nonlocal not or pass raise "
        "return static True try while with yield self cls int long double char void struct",
    )
)


@dataclass(frozen=True)
class Token:
    """A word, a number, a string or a sign, the number of its statement, and its function."""

    text: str
    start: int
    stop: int
    statement: int = 0
    within: str = ""


@dataclass(frozen=True)
class Change:
    """A stretch of a file, in characters, the wrong text that replaces it, and what was done."""

    file: str
    start: int
    stop: int
    instead: str
    kind: str = "listed"

    def __str__(self) -> str:
        source = read(self.file)
        line, wrong = source.line(self)
        return f"{self.file}:{source.number(self.start)} ({self.kind}): {line}  ->  {wrong}"

    @property
    def compiled(self) -> bool:
        """Whether it is one of the compiled core."""
        return not self.file.endswith(".py")


def is_gap(text: str) -> bool:
    """Say whether a token of a pattern stands for others."""
    return len(text) == 2 and text[0] in "$@" and text[1].isdigit()


def is_name(text: str) -> bool:
    """Say whether a token is a name that somebody chose."""
    return _NAME.match(text) is not None and text not in _WORDS


def tokens(text: str, *, c: bool = False) -> list[Token]:
    """Return the tokens of a text, with neither comments nor ends of lines."""
    found: list[Token] = []
    depth = statement = 0
    # In C a hash begins a directive, and two strokes a comment.
    text = re.sub(r"#|//[^\n]*", lambda one: " " * len(one[0]), text) if c else text
    for one in _TOKEN.finditer(text):
        kind = one.lastgroup
        if kind == "end":
            statement += depth == 0
        elif kind not in {"space", "comment"}:
            found.append(Token(one[0], one.start(), one.end(), statement))
            if (c and one[0] in {"{", "}", ";"}) or one[0] == REST:
                statement += 1
            elif not (c and one[0] == "{"):
                depth = max(0, depth + (one[0] in OPEN) - (one[0] in CLOSE))
    return found


class Source:
    """The text of one file, with what tables and operators ask about it."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self._starts = [0, *(one.end() for one in re.finditer("\n", text))]

    @functools.cached_property
    def tree(self) -> ast.Module:
        """The syntax tree of a file of Python."""
        return ast.parse(self.text)

    @functools.cached_property
    def parent(self) -> dict[ast.AST, ast.AST]:
        """What each node is a part of."""
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    @functools.cached_property
    def tokens(self) -> list[Token]:
        """The tokens of the file, each with its innermost function or class."""
        spans = sorted(self._spans(), key=lambda span: (span[0], -span[1]))
        found: list[Token] = []
        around: list[tuple[int, int, str]] = []
        for token in tokens(self.text, c=self.file.endswith(".h")):
            while spans and spans[0][0] <= token.start:
                around.append(spans.pop(0))
            while around and around[-1][1] <= token.start:
                around.pop()
            within = around[-1][2] if around else ""
            found.append(Token(token.text, token.start, token.stop, token.statement, within))
        return found

    @functools.cached_property
    def functions(self) -> dict[str, list[Token]]:
        """The tokens of each function or class that are in no other one inside it."""
        found: dict[str, list[Token]] = {name: [] for _, _, name in self._spans()}
        for token in self.tokens:
            found.setdefault(token.within, []).append(token)
        return found

    def _spans(self) -> Iterator[tuple[int, int, str]]:
        if self.file.endswith((".py", ".pyi")):
            yield from self._below(self.tree, "")
        elif self.file.endswith(".h"):
            # A function ends with a brace in the first column, a macro where no line goes on.
            for one in re.finditer(
                r"^#define (\w+)\((?:.*\\\n)*.*\n|^\w[^;={}]*?(\w+)\((?:[^;{}]*)\)\s*\{[\s\S]*?^\}",
                self.text,
                re.MULTILINE,
            ):
                yield one.start(), one.end(), one[1] or one[2]
        else:
            yield from self._indented()

    def _below(self, node: ast.AST, around: str) -> Iterator[tuple[int, int, str]]:
        for child in ast.iter_child_nodes(node):
            name = around
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{around}.{child.name}".lstrip(".")
                first = min([child.lineno, *(one.lineno for one in child.decorator_list)])
                yield self._starts[first - 1], self.span(child)[1], name
            yield from self._below(child, name)

    def _indented(self) -> Iterator[tuple[int, int, str]]:
        """Yield functions and classes of Cython, which end where the indentation does."""
        head = re.compile(
            r"( *)(?:cdef |cpdef |def |class )[^=\n]*?(\w+)(?:\([^\n]*|:)\s*(?:#.*)?$"
        )
        around: list[tuple[int, int, str]] = []
        for start, line in zip(self._starts, self.text.split("\n"), strict=True):
            indent = len(line) - len(line.lstrip())
            while line.strip() and around and around[-1][0] >= indent and line.strip()[0] != ")":
                yield around[-1][1], start, around.pop()[2]
            found = head.match(line)
            if found:
                name = f"{around[-1][2]}.{found[2]}" if around else found[2]
                around.append((indent, start, name))
        for _, start, name in around:
            yield start, len(self.text), name

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Return where a node begins and ends, in characters."""
        places = []
        for number, offset in (
            (getattr(node, "lineno", 1), getattr(node, "col_offset", 0)),
            (getattr(node, "end_lineno", 1), getattr(node, "end_col_offset", 0)),
        ):
            start = self._starts[number - 1]
            stop = self._starts[number] if number < len(self._starts) else len(self.text)
            places.append(start + len(self.text[start:stop].encode()[:offset].decode()))
        return places[0], places[1]

    def segment(self, node: ast.AST) -> str:
        """Return the text of a node."""
        start, stop = self.span(node)
        return self.text[start:stop]

    def number(self, place: int) -> int:
        """Return the number of the line of a place."""
        return self.text.count("\n", 0, place) + 1

    def line(self, change: Change) -> tuple[str, str]:
        """Return the line or lines of a change, and what it makes of them."""
        start = self.text.rfind("\n", 0, change.start) + 1
        stop = self.text.find("\n", change.stop)
        stop = len(self.text) if stop < 0 else stop
        wrong = self.text[start : change.start] + change.instead + self.text[change.stop : stop]
        return self.text[start:stop].strip(), wrong.strip()

    def with_change(self, change: Change) -> str:
        """Return the wrong text."""
        return self.text[: change.start] + change.instead + self.text[change.stop :]

    def compiles(self, change: Change) -> bool:
        """Say whether the wrong text can be compiled: by its statement at the top of the module."""
        if change.compiled and not self.file.endswith(".pyi"):
            return True  # the compiler of the core says
        lines = (
            min([one.lineno, *(x.lineno for x in getattr(one, "decorator_list", ()))])
            for one in self.tree.body
        )
        starts = [*(self._starts[line - 1] for line in lines), len(self.text)]
        begin = starts[max(bisect.bisect_right(starts, change.start) - 1, 0)]
        end = starts[min(bisect.bisect_left(starts, change.stop), len(starts) - 1)]
        text = self.text[begin : change.start] + change.instead + self.text[change.stop : end]
        try:
            with warnings.catch_warnings(action="ignore"):
                compile(text, self.file, "exec")
        except SyntaxError:
            return False
        return True

    def key(self, change: Change) -> tuple[str, int, int, tuple[str, ...], bool]:
        """Return what two changes share that make the same tokens wrong in the same way.

        Where tokens are only put in at the end of a statement, it is told from the next one's.
        """
        stops = bisect.bisect_right(self.tokens, change.start, key=lambda one: one.stop)
        begins = bisect.bisect_left(self.tokens, change.stop, key=lambda one: one.start)
        here = self.tokens[stops:begins]
        # Whole tokens, where a change begins or ends inside one.
        start = min([change.start, *(one.start for one in here)])
        stop = max([change.stop, *(one.stop for one in here)])
        text = self.text[start : change.start] + change.instead + self.text[change.stop : stop]
        old, new = [one.text for one in here], [one.text for one in tokens(text)]
        same = 0
        while same < min(len(old), len(new)) and old[same] == new[same]:
            same += 1
        while old[same:] and new[same:] and old[-1] == new[-1]:
            old.pop()
            new.pop()
        first, removed = stops + same, len(old) - same
        ends = False
        if not removed and 0 < first < len(self.tokens):
            before, after = self.tokens[first - 1 : first + 1]
            apart = "\n" in self.text[before.stop : max(before.stop, change.start)]
            ends = before.statement != after.statement and (same > 0 or not apart)
        return self.file, first, removed, tuple(new[same:]), ends


@functools.cache
def read(file: str, root: Path = ROOT) -> Source:
    """Return the source of a file."""
    return Source(file, (root / file).read_text(encoding="utf-8"))


@functools.cache
def read_at(file: str, revision: str) -> Source | None:
    """Return the source of a file as it was in a revision."""
    done = git("show", f"{revision}:{file}")
    return None if done is None else Source(file, done)


def git(*arguments: str) -> str | None:
    """Return what git says, if it does."""
    done = subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout if done.returncode == 0 else None


def changed_files() -> set[str]:
    """Return the files that the commit changes."""
    return set((git("diff", "--name-only", "HEAD^") or "").splitlines())


def sampled(things: Sequence[T], every: int, touched: Callable[[T], bool]) -> list[T]:
    """Return one part of so many, another for another commit, and as much that the commit touches.

    A commit that moves the whole house touches everything: not more of that than another part.
    """
    share = things[int((git("rev-parse", "HEAD") or "0").strip(), 16) % every :: every]
    also = [one for one in things if one not in share and touched(one)]
    return [*share, *also[:: -(-len(also) // max(len(share), 1)) or 1]]
