"""All wrong places of the compiled core in one build: each behind a switch.

A line becomes "the wrong one if ``pac_mutant`` is 7, else the right one", in the grammar of its
file.  ``pac_mutant`` is a variable of each compiled module, read from the environment variable
``PAC_MUTANT`` when the module is loaded, and turned by ``turn`` where it is loaded already.
Without either every line is the right one.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tools.mutator.source import ROOT, Change, read

VARIABLE = "PAC_MUTANT"
HEADER = "mutant_switch.h"
READS_THE_SWITCH = f"""\
#ifndef PAC_MUTANT_SWITCH
#define PAC_MUTANT_SWITCH
#include <stdlib.h>
__attribute__((weak, visibility("default"))) int pac_mutant = 0;
__attribute__((constructor)) static void pac_read_switch(void) {{
    const char* text = getenv("{VARIABLE}");
    if (text) pac_mutant = atoi(text);
}}
#endif
"""
IN_CYTHON = f'cdef extern from "{HEADER}" nogil:\n    int pac_mutant\n\n'
IN_C = f'#include "{HEADER}"\n'
COPIED = ("docs", "ext", "pac_stability", "tests", "tools")


class NoSwitch(ValueError):
    """The line has a form that no switch can hold."""


def turn(number: int) -> None:
    """Turn a switch in this process, and in those that it starts."""
    os.environ[VARIABLE] = str(number)
    for name, module in list(sys.modules.items()):
        if name.startswith("pac_stability._core.") and (module.__file__ or "").endswith(".so"):
            with contextlib.suppress(ValueError):  # a module without a switch
                ctypes.c_int.in_dll(ctypes.CDLL(module.__file__), "pac_mutant").value = number


def built(place: Path, changes: Mapping[Change, int]) -> Path:
    """Return a copy of the project, built with a switch for every change."""
    ignored = shutil.ignore_patterns("__pycache__")
    for path in ROOT.iterdir():
        if path.name in COPIED:
            shutil.copytree(path, place / path.name, ignore=ignored)
        elif path.is_file():
            shutil.copy2(path, place / path.name)
    for compiled in place.glob("pac_stability/_core/*.so"):  # newer than what it is made of
        compiled.touch()
    (place / "ext" / HEADER).write_text(READS_THE_SWITCH, encoding="utf-8")
    for file in {change.file for change in changes}:
        here = {change: number for change, number in changes.items() if change.file == file}
        (place / file).write_text(switched(file, here), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
        cwd=place,
        env={**os.environ, "PAC_STABILITY_BUILD": "quick"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"the project with switches does not build:\n{done.stderr[-5000:]}")
    return place


def has_switch(change: Change) -> bool:
    """Say whether a switch can hold the line of a change."""
    try:
        switched(change.file, {change: 1})
    except NoSwitch:
        return False
    return True


def switched(file: str, changes: Mapping[Change, int]) -> str:
    """Return the source of one file with a switch at the line of every change."""
    source = read(file)
    cython = file.endswith((".pyx", ".pxi", ".pxd"))
    wrong: dict[int, dict[int, str]] = {}
    for change, number in changes.items():
        wrong.setdefault(source.number(change.start), {})[number] = source.line(change)[1]
    out: list[str] = []
    for number, line in enumerate(source.text.splitlines(), start=1):
        if number in wrong:
            indent = line[: len(line) - len(line.lstrip())]
            new = (cython_line if cython else c_line)(line.strip(), wrong[number])
            out += [indent + each for each in new]
        else:
            out.append(line)
    return _declared("\n".join(out) + "\n", cython=cython)


def _declared(source: str, *, cython: bool) -> str:
    """Return the source that knows the switch."""
    if not cython:
        return IN_C + source
    first = re.search(r'\A(?:#.*\n|\s*\n)*(?:""".*?"""\s*\n)?', source, re.DOTALL)
    at = first.end() if first else 0
    return source[:at] + IN_CYTHON + source[at:]


def cython_line(right: str, wrong: Mapping[int, str]) -> list[str]:
    """Return the lines of Cython that do what one of the given lines says."""
    header = re.compile(r"(if|elif|while) (.+):\s*(?:#.*)?$")
    found = header.match(right)
    if found:
        word, condition = found.groups()
        for number, text in wrong.items():
            other = header.match(text)
            if other is None or other[1] != word:
                raise NoSwitch(f"want a line that begins with {word!r} in the place of")
            # Both as truth values, whatever their types.
            condition = (
                f"(pac_mutant == {number} and ({other[2]}))"
                f" or (pac_mutant != {number} and ({condition}))"
            )
        return [f"{word} {condition}:"]
    declaration = re.match(r"cdef (.+?) = (.+)$", right)
    if declaration:
        return [f"cdef {_chosen(declaration, 'cdef ', wrong, '(({1}) if {0} else ({2}))')}"]
    if _balance(right) or right.endswith((":", "\\", ",")):
        raise NoSwitch("want a whole statement, or a line that begins a block, in the place of")
    lines: list[str] = []
    for number, text in wrong.items():
        lines += [f"{'elif' if lines else 'if'} pac_mutant == {number}:", f"    {text}"]
    return [*lines, "else:", f"    {right}"]


def c_line(right: str, wrong: Mapping[int, str]) -> list[str]:
    """Return the lines of C that do what one of the given lines says."""
    if right.startswith("if (") and not _balance(right) and right.endswith(")"):
        condition = right.removeprefix("if ")
        for number, text in wrong.items():
            if not text.startswith("if (") or not text.endswith(")"):
                raise NoSwitch("want a condition in the place of")
            condition = f"(pac_mutant == {number} ? {text.removeprefix('if ')} : {condition})"
        return [f"if {condition}"]
    declaration = re.match(r"((?:const )?\w+ \*?\w+) = (.+);$", right)
    if declaration:
        return [f"{_chosen(declaration, '', wrong, '({0} ? ({1}) : ({2}))')};"]
    if _balance(right) or not right.endswith(";"):
        raise NoSwitch("want a whole statement or a condition in the place of")
    tests = [f"if (pac_mutant == {number}) {{ {text} }} else" for number, text in wrong.items()]
    return [f"{{ {' '.join(tests)} {{ {right} }} }}"]


def _chosen(declaration: re.Match[str], prefix: str, wrong: Mapping[int, str], form: str) -> str:
    """Return a declaration whose value the switch chooses; it cannot stand in a branch."""
    name, value = declaration.groups()
    value = value.rstrip()
    for number, text in wrong.items():
        start = f"{prefix}{name} = "
        if not text.startswith(start):
            raise NoSwitch(f"want {start.strip()!r} before the value that takes the place of")
        other = text.removeprefix(start).rstrip(";")
        value = form.format(f"pac_mutant == {number}", other, value)
    return f"{name} = {value}"


def _balance(text: str) -> int:
    """Return how many brackets are open at the end of the line."""
    return sum(text.count(each) for each in "([{") - sum(text.count(each) for each in ")]}")
