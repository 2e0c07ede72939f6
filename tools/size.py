"""How large the project is, beside what it may be.

``python tools/size.py``        prints lines and files of each part, and fails where there are more
                                than ``tools/size.toml`` allows
``python tools/size.py --set``  allows what there is now

Lines of the library and of ``ext`` are lines of code: neither blank, nor comment, nor docstring.
In ``tests`` and ``tools`` every line of every file counts, tables too.  Who raises a number says
why behind it, and ``--set`` leaves these words where they are.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUDGETS = Path("tools/size.toml")
LIBRARY = "pac_stability"
KERNELS = {".pyx", ".pxd", ".pxi", ".h", ".c"}
NOT_CODE = re.compile(r'"""(?:.|\n)*?"""|/\*(?:.|\n)*?\*/|//.*')
DIRECTIVES = "define|elif|else|endif|if|include|pragma|undef"
ENTRY = re.compile(r"^(\w+) = \{.*?\}(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Size:
    """Lines and files of a part; of the lines, those that import."""

    lines: int = 0
    files: int = 0
    imports: int = 0

    def __add__(self, other: Size) -> Size:
        """Both together."""
        return Size(
            self.lines + other.lines, self.files + other.files, self.imports + other.imports
        )


def of_python(text: str) -> Size:
    """The lines of code of a module."""
    tree, words, imports = ast.parse(text), set[int](), set[int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if ast.get_docstring(node, clean=False) is not None:
                said = node.body[0]
                words.update(range(said.lineno, (said.end_lineno or said.lineno) + 1))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            imports.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    code = set(_written(text)) - words
    return Size(len(code), 1, len(code & imports))


def of_kernel(text: str) -> Size:
    """The lines of code of a file in Cython or C."""
    return Size(len(_written(NOT_CODE.sub("", text), f"#(?!{DIRECTIVES})")), 1)


def _written(text: str, comment: str = "#") -> list[int]:
    """The numbers of the lines that are neither blank nor a comment."""
    return [
        number
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip() and not re.match(rf"\s*{comment}", line)
    ]


def sizes(root: Path) -> dict[str, Size]:
    """The size of each part of a project."""
    found: dict[str, Size] = {}
    for path in sorted((root / LIBRARY).rglob("*.py")):
        room, *inside = path.relative_to(root / LIBRARY).parts
        part = room if inside else "top"
        found[part] = found.get(part, Size()) + of_python(path.read_text("utf-8"))
    kernels = [path for path in (root / "ext").iterdir() if path.suffix in KERNELS]
    found["ext"] = sum((of_kernel(path.read_text("utf-8")) for path in kernels), Size())
    for part in ("tests", "tools"):
        files = [
            p for p in (root / part).rglob("*") if p.is_file() and "__pycache__" not in p.parts
        ]
        found[part] = sum((Size(path.read_bytes().count(b"\n"), 1) for path in files), Size())
    return found


def table(found: dict[str, Size], allowed: dict[str, Size]) -> str:
    """Lines and files of each part, and what is allowed; the library first, as a whole."""
    rooms = [name for name in found if name not in ("ext", "tests", "tools")]
    whole = sum((found[name] for name in rooms), Size())
    lines = [
        f"library: {whole.lines:,} lines of code in {whole.files} files, "
        f"{100 * whole.imports / max(1, whole.lines):.1f} % of them imports",
        f"{'part':<16} {'lines':>7} {'allowed':>8} {'files':>6} {'allowed':>8}",
    ]
    for name in [*sorted(rooms, key=lambda name: -found[name].lines), "ext", "tests", "tools"]:
        most = allowed.get(name, Size())
        lines.append(
            f"{name:<16} {found[name].lines:>7,} {most.lines:>8,}"
            f" {found[name].files:>6} {most.files:>8}"
        )
    return "\n".join(lines)


def read(path: Path) -> dict[str, Size]:
    """What is allowed."""
    return {name: Size(**kept) for name, kept in tomllib.loads(path.read_text("utf-8")).items()}


def written(found: dict[str, Size], before: str) -> str:
    """The file that allows what there is, with the words that stand in the one before."""
    said = dict(ENTRY.findall(before))
    return ENTRY.split(before, maxsplit=1)[0] + "".join(
        f"{name} = {{ lines = {size.lines}, files = {size.files} }}{said.get(name, '')}\n"
        for name, size in found.items()
    )


def main(arguments: list[str], root: Path = ROOT) -> int:
    """Print the table; 1 where a part is larger than it may be."""
    found = sizes(root)
    if arguments == ["--set"]:
        for _ in range(2):  # the file is a part of what it counts
            (root / BUDGETS).write_text(
                written(found, (root / BUDGETS).read_text("utf-8")), "utf-8"
            )
            found = sizes(root)
    allowed = read(root / BUDGETS)
    print(table(found, allowed))
    wrong = 0
    for name, size in found.items():
        most = allowed.get(name)
        if most is None or size.lines > most.lines or size.files > most.files:
            wrong = 1
            print(f"{name}: larger than {BUDGETS} allows" if most else f"{name}: not in {BUDGETS}")
    for name in allowed.keys() - found.keys():
        wrong = 1
        print(f"{name}: in {BUDGETS}, and not there")
    return wrong


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
