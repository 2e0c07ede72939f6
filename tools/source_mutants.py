"""Break what the papers say, one line at a time, and prove that ``verify`` notices.

``python -m tools.source_mutants [PATTERN ...]`` reads ``tools/source_mutants.toml``.  Each entry
names a file of the library, the text of one line in it, the wrong text that replaces it, and the
claims that are not found as they are known then, with the budget quick.  A mutant survives when one
of these claims does not notice; any survivor makes the run fail: then a statement is examined on
instances in which that line plays no part.  An error is noticed, too, and so is not ending.

``--all`` asks all claims that reach the line, the quickest first, until two notice, and prints
the entries with those two: so an entry finds its claims, which a ``--list`` may lack.
``--sample K`` judges every K-th mutant, beginning at another one for each commit.

``--missing`` judges nothing: it lists the public functions and classes of these rooms that compute
something, have no wrong line, and no reason in ``tools/without_source_mutants.toml`` why not.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import fnmatch
import importlib
import json
import math
import os
import pkgutil
import resource
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import CodeType, FunctionType

from tools.mutator.changes import ROOT, Change, Source
from tools.mutator.children import Gone, be_quiet, child, children, patience
from tools.mutator.replacing import HIT, Functions, caches, changes_imports, load_changed, marked
from tools.sampling import sampled

LIST = ROOT / "tools" / "source_mutants.toml"
REASONS = ROOT / "tools" / "without_source_mutants.toml"
ROOMS = ("papers", "notions", "mechanisms", "compression")
_ENOUGH = 2  # claims that notice, for an entry that looks for its claims
_PATIENCE = 15.0  # seconds of processor for one claim


@dataclass(frozen=True)
class Entry:
    """One wrong line, and the claims that must notice it."""

    change: Change
    claims: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.change.file}: {self.change.line}  ->  {self.change.wrong}"


@dataclass(frozen=True)
class Answer:
    """What was found of one claim: ``how`` it noticed, or nothing if all was as known."""

    key: str
    how: str
    seconds: float
    reached: frozenset[int] = frozenset()


_Send = Callable[[Answer], None]


def read(path: Path, *, claims: bool = True) -> list[Entry]:
    """All mutants of the file, each checked to fit its source and, if so, to name claims."""
    found, lost = [], []
    for one in tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]:
        source = Source(one["file"])
        lines = [line.strip() for line in source.lines]
        count = lines.count(one["line"])
        if count != 1 or not one["file"].startswith(tuple(f"pac_stability/{r}/" for r in ROOMS)):
            lost.append(f"{one['file']}: want the line once, found it {count} times: {one['line']}")
            continue
        change = Change(
            one["file"], "", lines.index(one["line"]) + 1, one["line"], one["wrong"], "listed"
        )
        found.append(Entry(change, tuple(one.get("claims", ()))))
    if claims:
        lost += [f"which claims notice? {entry}" for entry in found if not entry.claims]
    changes = [entry.change for entry in found]
    lost += [f"twice: {entry}" for entry in found if changes.count(entry.change) > 1]
    if lost:
        raise SystemExit("\n".join(f"{path.name}: {each}" for each in lost))
    return found


def written(entry: Entry) -> str:
    """An entry as text of the list."""
    change = entry.change
    fields = {"file": change.file, "line": change.line, "wrong": change.wrong}
    lines = [f"{name} = {json.dumps(text, ensure_ascii=False)}" for name, text in fields.items()]
    return "\n".join(["[[mutant]]", *lines, f"claims = {json.dumps(list(entry.claims))}", ""])


def missing(entries: Sequence[Entry]) -> list[str]:
    """What has neither a wrong line nor a reason, and which reasons are not needed."""
    reasons: dict[str, str] = {}
    for one in tomllib.loads(REASONS.read_text(encoding="utf-8"))["without"]:
        for name in one["names"]:
            if reasons.setdefault(name, one["reason"]) is not one["reason"]:
                raise SystemExit(f"{REASONS.name}: twice: {name}")
    lines: dict[str, set[int]] = {}
    for entry in entries:
        lines.setdefault(entry.change.file, set()).add(entry.change.number)
    found, used = [], set[str]()
    for name, file, part in _parts():
        if lines.get(file, set()).isdisjoint(range(part.lineno, (part.end_lineno or 0) + 1)):
            known = {reason for reason in reasons if f"{name}.".startswith(f"{reason}.")}
            used |= known
            if not known:
                found.append(name)
    idle = sorted(reasons.keys() - used)
    return found + [f"a reason that is not needed: {name}" for name in idle]


def _parts() -> Iterator[tuple[str, str, ast.FunctionDef | ast.ClassDef]]:
    """Public functions, and public classes that do more than hold values."""
    for room in ROOMS:
        for path in sorted((ROOT / "pac_stability" / room).rglob("*.py")):
            file = path.relative_to(ROOT)
            module = ".".join(file.with_suffix("").parts[1:]).removesuffix(".__init__")
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.FunctionDef | ast.ClassDef) and _computes(node):
                    yield f"{module}.{node.name}", str(file), node


def _computes(node: ast.FunctionDef | ast.ClassDef) -> bool:
    if node.name.startswith("_"):
        return False
    decorators = [ast.unparse(one).rpartition(".")[2] for one in node.decorator_list]
    if isinstance(node, ast.FunctionDef):
        # A body of a text alone is a declaration: of an overload, or of a protocol.
        return not {"overload", "abstractmethod"}.intersection(decorators) and any(
            not isinstance(statement, ast.Expr) for statement in node.body
        )
    return any(
        isinstance(part, ast.FunctionDef)
        and (not part.name.startswith("_") or part.name == "__call__")
        and any(not isinstance(statement, ast.Expr) for statement in part.body)
        for part in node.body
    )


# In children that import the library


def _import_everything() -> list[str]:
    """Import what a wrong line may be in, and all trials; return the keys of the claims."""
    import pac_stability  # noqa: PLC0415  # imported in children only
    from pac_stability import claims  # noqa: PLC0415

    for room in ROOMS:
        place = f"pac_stability.{room}."
        for module in pkgutil.walk_packages([f"{pac_stability.__path__[0]}/{room}"], place):
            importlib.import_module(module.name)
    for claim in claims.all():
        for _ in claim.trials:
            pass
    return [claim.key for claim in claims.all()]


def _ask(
    keys: Sequence[str], send: _Send, *, limit: float = _PATIENCE, enough: float = math.inf
) -> None:
    """Settle claims as the command does, and say of each whether all is as known.

    So many that are not are enough.
    """
    from pac_stability import claims  # noqa: PLC0415  # imported in children only

    reached: set[int] = getattr(builtins, HIT, set())
    kept = caches() if hasattr(builtins, HIT) else []
    for key in keys:
        if enough == 0:
            break
        reached.clear()
        for forget in kept:  # what another claim has left there would not be reached by this one
            forget()
        patience(limit)
        began = time.process_time()
        try:
            (found,) = claims.verify([claims.get(key)], claims.Budget.QUICK)
            how = "" if found.as_expected else found.status.value
        except Exception as error:  # whatever a wrong line leads to
            how = type(error).__name__
        patience(0)
        enough -= bool(how)
        send(Answer(key, how, time.process_time() - began, frozenset(reached)))


def _answers(keys: Sequence[str], work: Callable[[_Send], None]) -> dict[str, Answer]:
    """Ask in a child; the claim at which it ends noticed, too."""
    found: dict[str, Answer] = {}
    for message in child(work):
        match message:
            case Answer(key):
                found[key] = message
            case Gone(status) if status and len(found) < len(keys):
                key = keys[len(found)]
                found[key] = Answer(key, message.how, 0.0)
    return found


class _Warm:
    """A child that has imported everything, whose own children judge mutants."""

    def __init__(self, entries: Sequence[Entry], *, everything: bool) -> None:
        self._entries = entries
        self._everything = everything

    def run(self, send: Callable[[tuple[Entry, dict[str, Answer]]], None]) -> None:
        every = _import_everything()
        functions = Functions()
        unchanged = self._unchanged(every, functions)
        for number, entry in enumerate(self._entries):
            keys = list(entry.claims)
            if self._everything:
                always = changes_imports(entry.change)
                reaching = [one for one in unchanged.values() if always or number in one.reached]
                keys = [one.key for one in sorted(reaching, key=lambda one: one.seconds)]
            source = Source(entry.change.file)
            put = functions.put(entry.change.file, source.text, source.with_change(entry.change))
            found: dict[str, Answer] = {}
            enough: float = _ENOUGH if self._everything else math.inf
            while (left := [key for key in keys if key not in found]) and enough > 0:
                new = _answers(left, _Changed(entry.change, put, left, enough).run)
                enough -= sum(bool(one.how) for one in new.values())
                found |= new
            send((entry, found))

    def _unchanged(self, every: Sequence[str], functions: Functions) -> dict[str, Answer]:
        """Ask as things are: all must be as known; and in marked code, who reaches which line."""
        keys = [
            key for key in every if self._everything or any(key in e.claims for e in self._entries)
        ]
        lost = {key for entry in self._entries for key in entry.claims} - set(every)
        if lost:
            raise SystemExit(f"no such claims: {', '.join(sorted(lost))}")
        marks = self._marks(functions) if self._everything else []

        def work(send: _Send) -> None:
            setattr(builtins, HIT, set())
            for function, code in marks:
                function.__code__ = code
            be_quiet()
            _ask(keys, send, limit=600)

        found = _answers(keys, work)
        wrong = [f"{one.key} ({one.how})" for one in found.values() if one.how]
        if wrong or len(found) < len(keys):
            raise SystemExit(f"not as known, though nothing is wrong: {', '.join(wrong)}")
        return found

    def _marks(self, functions: Functions) -> list[tuple[FunctionType, CodeType]]:
        by_file: dict[str, list[tuple[int, Change]]] = {}
        for number, entry in enumerate(self._entries):
            if not changes_imports(entry.change):
                by_file.setdefault(entry.change.file, []).append((number, entry.change))
        marks: list[tuple[FunctionType, CodeType]] = []
        for file, numbered in by_file.items():
            text = Source(file).text
            marks += functions.put(file, text, marked(text, numbered)) or []
        return marks


@dataclass(frozen=True)
class _Changed:
    """Claims that are asked with a change: put into what is imported, or else imported so."""

    change: Change
    put: Sequence[tuple[FunctionType, CodeType]] | None
    keys: Sequence[str]
    enough: float

    def run(self, send: _Send) -> None:
        be_quiet()
        if self.put is None:
            for name in [name for name in sys.modules if name.split(".")[0] == "pac_stability"]:
                del sys.modules[name]
            load_changed(self.change)
        else:
            for function, code in self.put:
                function.__code__ = code
        _ask(self.keys, send, enough=self.enough)


# The parent


def judged(
    entries: Sequence[Entry], *, everything: bool, jobs: int
) -> Iterator[tuple[Entry, dict[str, Answer]]]:
    """Judge the mutants, a share of them in each of some processes."""
    shares = [entries[job::jobs] for job in range(jobs) if entries[job::jobs]]
    for message in children([_Warm(share, everything=everything).run for share in shares]):
        if not isinstance(message, Gone):
            yield message
        elif message.status:
            raise SystemExit("the claims could not be asked")


def main() -> int:
    """Judge the mutants; 1 when any survives."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.source_mutants",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("only", nargs="*", help="patterns for the files whose mutants are judged")
    parser.add_argument("--list", type=Path, default=LIST)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--all", action="store_true", help="ask every claim that reaches the line")
    parser.add_argument("--sample", type=int, default=1, help="judge every so-many-th mutant")
    parser.add_argument("--missing", action="store_true", help="list what has no wrong line")
    arguments = parser.parse_args()
    if arguments.missing:
        names = missing(read(arguments.list, claims=not arguments.all))
        print(*names, sep="\n", end="\n" if names else "")
        return int(bool(names))
    patterns = [f"*{pattern}*" for pattern in arguments.only] or ["*"]
    entries = [
        entry
        for entry in read(arguments.list, claims=not arguments.all)
        if any(fnmatch.fnmatch(entry.change.file, pattern) for pattern in patterns)
    ]
    entries = sampled(entries, arguments.sample)
    if not entries:
        raise SystemExit(f"{arguments.list}: no mutants, so nothing would be shown")
    began = time.monotonic()
    survived = 0
    for entry, found in judged(entries, everything=arguments.all, jobs=arguments.jobs):
        noticed = [answer for answer in found.values() if answer.how]
        if arguments.all:
            said = ", ".join(f"{answer.key} ({answer.how})" for answer in noticed)
            said = said or f"none of {', '.join(found) or 'no claim'}"
            print(f"# {len(noticed)} of the first {len(found)} that reach it: {said}")
            print(
                written(replace(entry, claims=tuple(answer.key for answer in noticed))), flush=True
            )
            survived += not noticed
            continue
        late = [answer.key for answer in found.values() if not answer.how]
        survived += bool(late)
        words = f"by {', '.join(late)}" if late else f"({noticed[0].how})"
        print("SURVIVED" if late else "noticed ", words, entry, flush=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"{'# ' if arguments.all else ''}{len(entries)} mutants, {len(entries) - survived} "
        f"noticed, {survived} survived, in {time.monotonic() - began:.0f} s, "
        f"{used.ru_utime + used.ru_stime:.0f} s of processor"
    )
    return int(survived > 0)


if __name__ == "__main__":
    raise SystemExit(main())
