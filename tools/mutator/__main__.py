"""Make the library wrong on purpose, one place at a time, and prove that somebody notices.

``python -m tools.mutator tests [PATTERN ...]``
    the tests must notice each entry of ``wrong_lines.toml``.
``python -m tools.mutator papers [PATTERN ...]``
    ``verify``, or else a test, must notice each entry of ``wrong_formulas.toml``.
``python -m tools.mutator roundings [PATTERN ...]``
    each directed rounding of the library, turned, must be noticed or have its reason in
    ``survivors.toml``.

These judge all entries of the files that fit a pattern.  ``--sample 6`` judges every sixth, and
those of files that the commit changes: the same ones whenever the same commit is judged, other ones
for another.  Of ``papers`` it asks only whom the table names.  A survivor makes the run fail.  An
entry that fits nothing any more, or is no program, is listed at the end, and stops nothing.

``python -m tools.mutator check``
    judges nothing: it lists what fits nothing any more, and what of the papers nobody made wrong.
``python -m tools.mutator relocate``
    rewrites the entries that fitted when they were written, wherever their functions went and
    whatever they are called, and lists those that are gone; ``--drop`` takes these out.
``python -m tools.mutator draw FILE ... [--count 20 | --every]``
    makes other places wrong, and prints entries: of what was noticed for ``wrong_lines.toml``, of
    what survives for ``survivors.toml``, if somebody knows a reason and no test.
"""

from __future__ import annotations

import argparse
import ast
import os
import resource
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

from tools.mutator import core, judging, operators
from tools.mutator.entries import (
    PAPERS,
    SURVIVORS,
    TESTS,
    Entry,
    described,
    found,
    load,
    moved,
    save,
)
from tools.mutator.judging import Case, Judgement
from tools.mutator.source import ROOT, Change, Source, changed_files, git, read, read_at, sampled

TABLES = (TESTS, PAPERS, SURVIVORS)
ROOMS = ("papers", "notions", "mechanisms", "compression")
"""Where what computes must be made wrong once, or say why not."""


def room(file: str) -> str:
    """Return the folder of tests for a file of the library."""
    parts = Path(file).with_suffix("").parts[1:]
    for depth in range(len(parts), 0, -1):
        folder = Path("tests", *parts[:depth])
        if (ROOT / folder).is_dir():
            return str(folder)
    return "tests/core" if file.startswith("ext/") else "tests/package"


ROUNDS: tuple[Callable[[Case], tuple[str, ...]], ...] = (
    lambda case: case.ask,
    lambda case: (room(case.change.file),),
    lambda _: (judging.EVERY_CLAIM,),
)
"""Whom the judge asks of a case: who is named, then the tests of its room, then all claims."""


def main() -> int:
    """Run one of the commands."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.mutator",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("tests", "papers", "roundings", "draw"):
        front = commands.add_parser(name)
        front.add_argument("only", nargs="*", help="patterns of files")
        front.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
        front.add_argument("--budget", type=float, default=60.0, help="seconds for a survivor")
        front.set_defaults(run=drawing if name == "draw" else judging_front)
        if name == "draw":
            front.add_argument("--seed", type=int, default=0)
            front.add_argument("--count", type=int, default=20)
            front.add_argument("--every", action="store_true", help="every change of the files")
        else:
            front.add_argument("--sample", type=int, default=1, help="judge one part of so many")
    commands.add_parser("check").set_defaults(run=checking)
    relocate = commands.add_parser("relocate")
    relocate.add_argument("--was", help="a revision that the entries fit; when they were written")
    relocate.add_argument("--drop", action="store_true", help="take out what is gone")
    relocate.set_defaults(run=relocating)
    arguments = parser.parse_args()
    result: int = arguments.run(arguments)
    return result


# --- the three fronts ----------------------------------------------------------------------------


def judging_front(arguments: argparse.Namespace) -> int:
    """Judge a front; 1 when something survives."""
    stale: list[Entry] = []
    cases = list(_cases(arguments.command, stale))
    patterns = [f"*{pattern}*" for pattern in arguments.only] or ["*"]
    cases = [one for one in cases if any(fnmatch(one.change.file, each) for each in patterns)]
    stale = [one for one in stale if any(fnmatch(one.file, each) for each in patterns)]
    everything = len(cases)
    cases = _part(cases, arguments)
    judgements = judge(cases, arguments)
    survivors = [one.case for one in judgements if one.by is None]
    if stale:
        print(*(f"fits nothing any more: {one}" for one in stale), sep="\n")
        print("python -m tools.mutator relocate  finds where they went")
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    seconds = sum(one.ru_utime + one.ru_stime for one in used)
    print(
        f"{len(judgements)} of {everything} judged, {len(judgements) - len(survivors)} noticed,"
        f" {len(survivors)} survived, {len(stale)} stale, {seconds:.0f} s of processor"
    )
    return int(bool(survivors))


def _cases(front: str, stale: list[Entry]) -> Iterator[Case]:
    if front == "roundings":
        reasons = {read(one.file).key(one) for one in _changes(load(SURVIVORS), stale)}
        near: dict[str, dict[str, None]] = {}
        for entry in load(TESTS):
            near.setdefault(entry.file, {}).update(dict.fromkeys(entry.ask))
        for change in operators.roundings():
            if read(change.file).key(change) not in reasons:
                yield Case(change, tuple(near.get(change.file, ())))
        return
    for entry in load(TESTS if front == "tests" else PAPERS):
        ask = [name for name in entry.ask if judging.is_claim(name) or (ROOT / name).exists()]
        for change in _changes([entry], stale):
            yield Case(change, tuple(ask))


def _changes(entries: Iterable[Entry], stale: list[Entry]) -> Iterator[Change]:
    for entry in entries:
        change = found(entry)
        if change is None:
            stale.append(entry)
        else:
            yield change


def _part(cases: Sequence[Case], arguments: argparse.Namespace) -> list[Case]:
    """Return a sample: the same whenever the same commit is judged, with what it changes.

    Asking somebody how things are is what costs most, so all cases are judged of which the same
    ones are asked.  A kernel has to be built: nothing of the core is judged where it is unchanged.
    """
    if arguments.sample == 1:
        return list(cases)
    changed = changed_files()
    core_changed = any(file.startswith("ext/") for file in changed)
    groups: dict[tuple[str, ...], list[Case]] = {}
    for one in cases:
        if core_changed or not one.change.compiled:
            groups.setdefault(one.ask[:1] or (one.change.file,), []).append(one)

    def touched(name: tuple[str, ...]) -> bool:
        return any(one.change.file in changed for one in groups[name])

    return [
        one for name in sampled(sorted(groups), arguments.sample, touched) for one in groups[name]
    ]


def judge(cases: Sequence[Case], arguments: argparse.Namespace) -> list[Judgement]:
    """Ask those who noticed before and those who are named, then the room's tests, then claims."""
    known = judging.remembered()
    left = [replace(one, first=known.get(_title(one.change), "")) for one in cases]
    done: list[Judgement] = []
    # Whoever is named may be gone, or less strict than others: a sample and the whole ask the same.
    for whom in ROUNDS:
        asked = [replace(one, ask=whom(one)) for one in left]
        left = [one for one in asked if not one.ask]
        for one in _said([one for one in asked if one.ask], arguments):
            if one.by or whom is ROUNDS[-1]:
                print(one, flush=True)
                done.append(one)
            else:
                left.append(one.case)
    judging.remember({_title(one.case.change): one.by for one in done if one.by})
    return done


def _title(change: Change) -> str:
    try:
        return str(described(change))
    except ValueError:  # a rounding that no entry can say
        return str(change)


def _said(cases: Sequence[Case], arguments: argparse.Namespace) -> Iterator[Judgement]:
    library = [one for one in cases if not one.change.compiled]
    yield from judging.judge(library, jobs=arguments.jobs, budget=arguments.budget)
    yield from core.judge([one for one in cases if one.change.compiled], arguments.budget)


# --- other commands ------------------------------------------------------------------------------


def drawing(arguments: argparse.Namespace) -> int:
    """Judge drawn changes, or every one; 1 when one survives without a reason."""
    pool = [
        change
        for file in operators.listed(arguments.only)
        for change in operators.made(read(file), operators.mistakes)
    ]
    if not arguments.every:
        pool = operators.drawn(pool, arguments.count, arguments.seed)
    reasons = {read(one.file).key(one) for one in _changes(load(SURVIVORS), [])}
    judgements = judge([Case(change, ()) for change in pool], arguments)
    survived = 0
    for one in judgements:
        change = one.case.change
        explained = read(change.file).key(change) in reasons
        survived += one.by is None and not explained
        if one.by is not None and explained:
            print(f"noticed, though it has a reason why it cannot be: {change}")
        if (one.by is not None) is not explained:
            asked = {"ask": (one.by.partition("::")[0],)} if one.by else {"why": "?"}
            print(replace(described(change), **asked).written())
    print(f"{len(judgements)} judged, {survived} survived without a reason")
    return int(survived > 0)


def checking(_: argparse.Namespace) -> int:
    """List what fits nothing any more, and what of the papers nobody made wrong; 1 for these."""
    stale: list[Entry] = []
    wrong = [list(_changes(load(table), stale)) for table in TABLES]
    without = tomllib.loads(PAPERS.read_text(encoding="utf-8"))["without"]
    missing, idle = _missing(wrong[1], {name for one in without for name in one["names"]})
    print(*(f"fits nothing any more: {one}" for one in stale), sep="\n")
    print(*(f"nobody made it wrong, and no reason says why: {one}" for one in missing), sep="\n")
    print(*(f"a reason that nobody needs: {one}" for one in idle), sep="\n")
    print(f"{sum(map(len, wrong))} entries fit, {len(stale)} are stale, {len(missing)} are missing")
    return int(bool(missing or idle))


def _missing(changes: Sequence[Change], reasons: set[str]) -> tuple[list[str], list[str]]:
    """Return what has neither a wrong formula nor a reason, and which reasons nobody needs."""
    files: dict[str, list[int]] = {}
    for one in changes:
        files.setdefault(one.file, []).append(one.start)
    missing, used = [], set[str]()
    for name, source, part in _parts():
        start, stop = source.span(part)
        if not any(start <= place < stop for place in files.get(source.file, ())):
            known = {reason for reason in reasons if f"{name}.".startswith(f"{reason}.")}
            used |= known
            missing += [] if known else [name]
    return missing, sorted(reasons - used)


def _parts() -> Iterator[tuple[str, Source, ast.FunctionDef | ast.ClassDef]]:
    """Yield public functions, and public classes that do more than hold values."""
    for file in operators.listed([f"pac_stability/{room}" for room in ROOMS]):
        module = ".".join(Path(file).with_suffix("").parts[1:]).removesuffix(".__init__")
        for node in read(file).tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and _computes(node):
                yield f"{module}.{node.name}", read(file), node


def _computes(node: ast.FunctionDef | ast.ClassDef) -> bool:
    if node.name.startswith("_"):
        return False
    methods = [node] if isinstance(node, ast.FunctionDef) else node.body
    hints = {"overload", "abstractmethod"}
    return any(
        isinstance(one, ast.FunctionDef)
        and (not one.name.startswith("_") or one.name == "__call__")
        and hints.isdisjoint(ast.unparse(each).rpartition(".")[2] for each in one.decorator_list)
        # A body of a text alone is a declaration: of an overload, or of a protocol.
        and any(not isinstance(statement, ast.Expr) for statement in one.body)
        for one in methods
    )


def relocating(arguments: argparse.Namespace) -> int:
    """Rewrite the entries that fit nothing, where they can be found; 1 when one is gone."""
    listing = git("ls-files", "pac_stability/*.py", "pac_stability/*.pyi", "ext/*") or ""
    endings = (".py", ".pyi", ".pyx", ".pxi", ".pxd", ".h")
    files = [one for one in listing.splitlines() if one.endswith(endings) and (ROOT / one).exists()]
    was = arguments.was or (git("log", "-1", "--format=%H", "--", str(TESTS)) or "HEAD").strip()
    sources = [read(file) for file in files]
    gone = 0
    for table in TABLES:
        kept = []
        for entry in load(table):
            again = entry if found(entry) else None
            again = again or moved(entry, read_at(entry.file, was), sources)
            if again is None:
                gone += 1
                print(f"gone: {entry}")
            elif again != entry:
                print(f"{entry}\n    is now  {again}")
            if again is not None or not arguments.drop:
                kept.append(_asked(again or entry))
        save(table, kept)
    print(f"{gone} are gone")
    return int(gone > 0 and not arguments.drop)


def _asked(entry: Entry) -> Entry:
    """Return the entry with the files of tests where they are now."""
    ask = []
    for name in entry.ask:
        there = judging.is_claim(name) or (ROOT / name).exists()
        others = [] if there else list((ROOT / "tests").rglob(Path(name).name))
        ask += [str(others[0].relative_to(ROOT))] if len(others) == 1 else [name] * there
    return replace(entry, ask=tuple(dict.fromkeys(ask)))


if __name__ == "__main__":
    raise SystemExit(main())
