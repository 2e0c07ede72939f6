"""All mutants of the compiled core in one build: each behind a switch that is set at load time.

A line becomes "the wrong one if ``pac_mutant`` is 7, else the right one", in the grammar of its
file.  ``pac_mutant`` is read from the environment variable ``PAC_MUTANT`` when a compiled module is
loaded; without it every line is the right one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tools.mutants.entries import Mutant

VARIABLE = "PAC_MUTANT"
HEADER = "mutant_switch.h"
READS_THE_SWITCH = f"""\
#ifndef PAC_MUTANT_SWITCH
#define PAC_MUTANT_SWITCH
#include <stdlib.h>
static int pac_mutant = 0;
__attribute__((constructor)) static void pac_read_switch(void) {{
    const char* text = getenv("{VARIABLE}");
    if (text) pac_mutant = atoi(text);
}}
#endif
"""
IN_CYTHON = f'cdef extern from "{HEADER}" nogil:\n    int pac_mutant\n\n'
IN_C = f'#include "{HEADER}"\n'

# Wrong lines by their number.
Wrong = Mapping[int, str]


class NoSwitch(ValueError):
    """The line has a form that no switch can hold."""


def place_switches(ext: Path, numbers: Mapping[Mutant, int]) -> None:
    """Rewrite the sources of ``ext`` so that one build holds all the mutants."""
    (ext / HEADER).write_text(READS_THE_SWITCH, encoding="utf-8")
    for file in {mutant.file for mutant in numbers}:
        path = ext.parent / file
        here = [mutant for mutant in numbers if mutant.file == file]
        path.write_text(switched(path.read_text(encoding="utf-8"), here, numbers), encoding="utf-8")


def switched(source: str, mutants: Sequence[Mutant], numbers: Mapping[Mutant, int]) -> str:
    """The source of one file with a switch at the line of every mutant."""
    compile_line = cython_line if mutants[0].file.endswith((".pyx", ".pxi")) else c_line
    wrong: dict[str, dict[int, str]] = {}
    for mutant in mutants:
        lines = wrong.setdefault(mutant.line.strip(), {})
        lines[numbers[mutant]] = mutant.wrong.strip()
    out: list[str] = []
    for line in source.splitlines():
        text = line.strip()
        if text in wrong:
            indent = line[: len(line) - len(line.lstrip())]
            try:
                new = compile_line(text, wrong[text])
            except NoSwitch as error:
                raise SystemExit(f"{mutants[0].file}: {error}: {text}") from None
            out += [indent + each for each in new]
        else:
            out.append(line)
    return declare("\n".join(out) + "\n", cython=compile_line is cython_line)


def declare(source: str, *, cython: bool) -> str:
    """The source that knows the switch."""
    if not cython:
        return IN_C + source
    first = re.search(r'\A(?:#.*\n|\s*\n)*(?:""".*?"""\s*\n)?', source, re.DOTALL)
    at = first.end() if first else 0
    return source[:at] + IN_CYTHON + source[at:]


def cython_line(right: str, wrong: Wrong) -> list[str]:
    """The lines of Cython that do what one of the given lines says."""
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
        return [f"cdef {chosen(declaration, 'cdef ', wrong, ternary_of_cython)}"]
    if balance(right) or right.endswith((":", "\\", ",")):
        raise NoSwitch("want a whole statement, or a line that begins a block, in the place of")
    lines: list[str] = []
    for number, text in wrong.items():
        lines += [f"{'elif' if lines else 'if'} pac_mutant == {number}:", f"    {text}"]
    return [*lines, "else:", f"    {right}"]


def c_line(right: str, wrong: Wrong) -> list[str]:
    """The lines of C that do what one of the given lines says."""
    if right.startswith("if (") and not balance(right) and right.endswith(")"):
        condition = right.removeprefix("if ")
        for number, text in wrong.items():
            if not text.startswith("if (") or not text.endswith(")"):
                raise NoSwitch("want a condition in the place of")
            condition = f"(pac_mutant == {number} ? {text.removeprefix('if ')} : {condition})"
        return [f"if {condition}"]
    declaration = re.match(r"((?:const )?\w+ \*?\w+) = (.+);$", right)
    if declaration:
        return [f"{chosen(declaration, '', wrong, ternary_of_c)};"]
    if balance(right) or not right.endswith(";"):
        raise NoSwitch("want a whole statement or a condition in the place of")
    tests = [f"if (pac_mutant == {number}) {{ {text} }} else" for number, text in wrong.items()]
    return [f"{{ {' '.join(tests)} {{ {right} }} }}"]


def ternary_of_cython(number: int, wrong: str, right: str) -> str:
    """The value that the switch chooses."""
    return f"(({wrong}) if pac_mutant == {number} else ({right}))"


def ternary_of_c(number: int, wrong: str, right: str) -> str:
    """The value that the switch chooses."""
    return f"(pac_mutant == {number} ? ({wrong}) : ({right}))"


def chosen(
    declaration: re.Match[str],
    prefix: str,
    wrong: Wrong,
    ternary: Callable[[int, str, str], str],
) -> str:
    """A declaration whose value the switch chooses; a declaration cannot stand in a branch."""
    name, value = declaration.groups()
    value = value.rstrip()
    for number, text in wrong.items():
        start = f"{prefix}{name} = "
        if not text.startswith(start):
            raise NoSwitch(f"want {start.strip()!r} before the value that takes the place of")
        value = ternary(number, text.removeprefix(start).rstrip(";"), value)
    return f"{name} = {value}"


def balance(text: str) -> int:
    """How many brackets are open at the end of the line."""
    return sum(text.count(each) for each in "([{") - sum(text.count(each) for each in ")]}")
