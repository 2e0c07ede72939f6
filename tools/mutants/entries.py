"""The list of mutants, and the wrong source that each stands for."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LIST = ROOT / "tools" / "mutants.toml"


@dataclass(frozen=True)
class Mutant:
    """One wrong line, and the tests that must notice it."""

    file: str
    line: str
    wrong: str
    tests: tuple[str, ...]

    @property
    def compiled(self) -> bool:
        """Whether the line is one of the compiled core."""
        return self.file.endswith((".pyx", ".pxd", ".pxi", ".h"))

    def __str__(self) -> str:
        return f"{self.file}: {self.line.strip()}  ->  {self.wrong.strip()}"


def read(path: Path) -> list[Mutant]:
    """All mutants of the file, each checked to fit its source."""
    mutants = []
    lost = []
    for entry in tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]:
        mutant = Mutant(entry["file"], entry["line"], entry["wrong"], tuple(entry["tests"]))
        lines = (ROOT / mutant.file).read_text(encoding="utf-8").splitlines()
        found = sum(line.strip() == mutant.line.strip() for line in lines)
        if found != 1:
            lost.append(f"{path.name}: want the line once, found it {found} times: {mutant}")
        mutants.append(mutant)
    lost += [f"{path.name}: twice: {one}" for one in set(mutants) if mutants.count(one) > 1]
    if lost:
        raise SystemExit("\n".join(lost))
    return mutants


def mutate(source: str, mutant: Mutant) -> str:
    """The source with the one line replaced, its indentation kept."""
    lines = source.splitlines(keepends=True)
    for index, line in enumerate(lines):
        if line.strip() == mutant.line.strip():
            indent = line[: len(line) - len(line.lstrip())]
            lines[index] = f"{indent}{mutant.wrong.strip()}\n"
    return "".join(lines)
