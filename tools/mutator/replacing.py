"""Changed code in the place of what is imported, or of what will be."""

from __future__ import annotations

import ast
import functools
import gc
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType

from tools.mutator.changes import ROOT, Change, Source

HIT = "_tests_reach_this_statement"
"""The name among the builtins under which marks are gathered."""

_OPTIMIZED = 0x0001  # the flag of code that belongs to a function, not to a module or a class
# Code that is a function of its own, but runs where it stands, with the module around it.
_AT_ONCE = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
_CACHED = type(functools.lru_cache(lambda: None))


def caches() -> list[Callable[[], None]]:
    """What empties each cache of a function of the library that is imported."""
    return [
        one.cache_clear
        for one in gc.get_objects()
        if isinstance(one, _CACHED) and one.__module__.startswith("pac_stability")
    ]


class Functions:
    """The functions that are alive, by where their code stands.

    Made when everything is imported; what is imported later is not among them.
    """

    def __init__(self) -> None:
        self._live: dict[tuple[str, int, str], list[FunctionType]] = {}
        for one in gc.get_objects():
            if isinstance(one, FunctionType):
                self._live.setdefault(_place(one.__code__), []).append(one)

    def put(
        self, file: str, text: str, changed: str | ast.Module
    ) -> list[tuple[FunctionType, CodeType]] | None:
        """Return which functions need which code for a changed text; ``None`` if that fails."""
        name = str(ROOT / file)
        was, becomes = compile(text, name, "exec"), compile(changed, name, "exec")
        if _skeleton(was) != _skeleton(becomes):
            return None
        old, new = list(_codes(was)), list(_codes(becomes))
        twice = [place for place, count in Counter(map(_place, old)).items() if count > 1]
        by_place = {_place(code): code for code in old}
        pairs: list[tuple[FunctionType, CodeType]] = []
        for code in new:
            place = _place(code)
            if place not in by_place or code == by_place[place]:
                continue
            functions = self._live.get(place, [])
            if functions and (place in twice or code.co_freevars != by_place[place].co_freevars):
                return None
            pairs += [(function, code) for function in functions]
        return pairs or None


def _place(code: CodeType) -> tuple[str, int, str]:
    return code.co_filename, code.co_firstlineno, code.co_qualname


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def _skeleton(code: CodeType) -> tuple[object, ...]:
    """Return what is done while a module is imported, but for what its functions do."""
    parts: list[object] = [code.co_code, code.co_names]
    for constant in code.co_consts:
        if not isinstance(constant, CodeType):
            parts.append(repr(constant))
        elif constant.co_flags & _OPTIMIZED and constant.co_name not in _AT_ONCE:
            parts.append(_place(constant))
        else:
            parts.append(_skeleton(constant))
    return tuple(parts)


def changes_imports(change: Change) -> bool:
    """Say whether a change is one of what happens while its module is imported."""
    source = Source(change.file)
    was, becomes = (
        compile(text, change.file, "exec") for text in (source.text, source.with_change(change))
    )
    return _skeleton(was) != _skeleton(becomes)


def load_changed(change: Change) -> None:
    """Have the changed text compiled where the file would be, whoever finds the module."""
    changed = ROOT / change.file
    code = compile(Source(change.file).with_change(change), str(changed), "exec")
    usual = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        return code if Path(self.get_filename(fullname)) == changed else usual(self, fullname)

    SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]  # here only


def marked(text: str, numbered: Sequence[tuple[int, Change]]) -> ast.Module:
    """Return the tree of a file with a mark before each statement that a change is in."""
    tree = ast.parse(text)
    marks: list[tuple[list[ast.stmt], ast.stmt, int]] = []
    for number, change in numbered:
        around = [
            (block, statement)
            for node in ast.walk(tree)
            for field in ("body", "orelse", "finalbody")
            if isinstance(block := getattr(node, field, None), list)
            for statement in block
            if statement.lineno <= change.number <= statement.end_lineno
        ]
        # The innermost one is the shortest; of two on one line it comes later in the walk.
        block, statement = min(reversed(around), key=lambda one: one[1].end_lineno - one[1].lineno)
        marks.append((block, statement, number))
    for block, statement, number in marks:
        mark = ast.parse(f"{HIT}.add({number})").body[0]
        for node in ast.walk(mark):
            ast.copy_location(node, statement)
        block.insert(block.index(statement), mark)
    return tree
