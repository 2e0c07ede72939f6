"""Draw mutants, list the directed roundings, and ask the tests about them.

``python -m tools.mutator draw --seed 1 --count 20 pac_stability/data``
    prints twenty wrong lines as entries of ``tools/mutants.toml``.  With ``--judge`` the tests of
    the rooms are asked, and an entry names the file of the test that noticed; what nothing noticed
    is printed as an entry of ``tools/survivors.toml``, whose reason somebody has to write, unless
    somebody writes a test.
``python -m tools.mutator judge LIST``
    asks the tests that a list of entries names.
``python -m tools.mutator every FILE --tests TEST``
    asks the tests about every change of every line that the operators know, and compares what
    survives with ``tools/survivors.toml``: 1 when a survivor has no reason there, or when a test
    notices what is listed as a survivor.
``python -m tools.mutator survivors``
    shows that each listed survivor is still in the source.
``python -m tools.mutator roundings``
    compares ``tools/roundings.toml`` with the source: a directed rounding that is not in it, or
    neither noticed nor explained there, is an error.  ``--judge new`` asks the tests about those
    that are not settled and writes the file again; ``--judge all`` asks about every one.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from tools.mutator import records
from tools.mutator.changes import ROOT, Change, Source
from tools.mutator.judging import Judgement, judge
from tools.mutator.operators import changes, draw, listed
from tools.mutator.records import ROUNDINGS, SURVIVORS, Record
from tools.mutator.roundings import all_places


def room(file: str) -> str:
    """Return the folder of tests for a file of the library."""
    parts = Path(file).with_suffix("").parts[1:]
    depth = 2 if parts[0] == "papers" else 1
    folder = Path("tests", *parts[:depth])
    return str(folder) if (ROOT / folder).is_dir() else "tests/package"


def judged(
    tests: Mapping[Change, Sequence[str]],
    arguments: argparse.Namespace,
    first: Mapping[Change, str] = MappingProxyType({}),
) -> dict[Change, Judgement]:
    """Ask tests about changes, those with the same tests together, and say each verdict."""
    groups: dict[tuple[str, ...], list[Change]] = {}
    for change, asked in tests.items():
        groups.setdefault(tuple(asked), []).append(change)
    found: dict[Change, Judgement] = {}
    for names, group in groups.items():
        budget, fresh = arguments.budget, arguments.fresh
        for one in judge(group, names, first=first, budget=budget, fresh=fresh):
            found[one.change] = one
            say = "SURVIVED" if one.test is None else "noticed "
            print(say, f"({one.test or one.how})", one.change, file=sys.stderr, flush=True)
    return found


def drawing(arguments: argparse.Namespace) -> int:
    """Print drawn mutants; 1 when some survive."""
    changes = draw(arguments.files, arguments.count, arguments.seed)
    print(f"# seed {arguments.seed}: {len(changes)} mutants of {' '.join(arguments.files)}\n")
    tests = {change: arguments.tests or [room(change.file)] for change in changes}
    if not arguments.judge:
        print("\n".join(records.entry(change, tests[change]) for change in changes))
        return 0
    verdicts = judged(tests, arguments)
    survivors = [change for change in changes if verdicts[change].test is None]
    for change in changes:
        test = verdicts[change].test
        if test is not None:
            noticing = [test.partition("::")[0]] if "::" in test else tests[change]
            print(records.entry(change, noticing))
    for change in survivors:
        print(records.place(Record(change)))
    print(f"# {len(changes) - len(survivors)} of {len(changes)} noticed")
    return int(bool(survivors))


def judging(arguments: argparse.Namespace) -> int:
    """Ask the tests about the entries of a list; 1 when some survive."""
    entries = tomllib.loads(arguments.list.read_text(encoding="utf-8"))["mutant"]
    tests: dict[Change, Sequence[str]] = {}
    for one in entries:
        if not one["file"].endswith(".py"):
            raise SystemExit(f"{one['file']}: compiled files are for python -m tools.mutants")
        lines = [line.strip() for line in Source(one["file"]).lines]
        if lines.count(one["line"]) != 1:
            raise SystemExit(f"want the line once: {one['file']}: {one['line']}")
        number = lines.index(one["line"]) + 1
        change = Change(one["file"], "", number, one["line"], one["wrong"], "listed")
        tests[change] = arguments.tests or one["tests"]
    found = judged(tests, arguments)
    survivors = sum(one.test is None for one in found.values())
    print(f"{len(found)} mutants, {len(found) - survivors} noticed, {survivors} survived")
    return int(survivors > 0)


def every(arguments: argparse.Namespace) -> int:
    """Judge all changes of some files; 1 when those that survive are not those with a reason."""
    files = listed(arguments.files)
    pool = [change for file in files for change in changes(Source(file))]
    if arguments.lines:
        pool = [change for change in pool if change.number in arguments.lines]
    tests = {change: arguments.tests or [room(change.file)] for change in pool}
    verdicts = judged(tests, arguments)
    survivors = [change for change in pool if verdicts[change].test is None]
    wrong = unexplained(pool, survivors, records.read(SURVIVORS))
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{len(pool)} changes, {len(pool) - len(survivors)} noticed, {len(survivors)} survived")
    return int(bool(wrong))


def unexplained(
    pool: Sequence[Change], survivors: Sequence[Change], known: Sequence[Record]
) -> list[str]:
    """Return an entry for each survivor without a reason, and which reasons are not needed."""
    reasons = {record.key for record in known if record.reason}
    alive = {Record(change).key: change for change in survivors}
    asked = {Record(change).key for change in pool}
    entries = [records.place(Record(one)) for key, one in alive.items() if key not in reasons]
    dead = [one for one in known if one.key in asked - alive.keys()]
    return entries + [f"a test notices what is listed as a survivor: {one.change}" for one in dead]


def surviving(_: argparse.Namespace) -> int:
    """Compare the listed survivors with the source; 1 when something is not so."""
    known = records.read(SURVIVORS)
    wrong = records.gone(known) + [
        f"want a reason: {one.change}" for one in known if not one.reason
    ]
    print(*wrong, f"{len(known)} survivors, each with its reason", sep="\n")
    return int(bool(wrong))


def rounding(arguments: argparse.Namespace) -> int:
    """Compare the recorded roundings with the source, and judge some; 1 when one is open."""
    here = records.numbered(all_places())
    if arguments.judge:
        verdicts = _asked(_known(here), arguments)
        # Read again: other runs may have written in the meantime.
        records.write(ROUNDINGS, [_settled(one, verdicts) for one in _known(here)])
    written = {record.key: record for record in records.read(ROUNDINGS)}
    present = {one.key for one in here}
    wrong = [f"not listed: {one.change}" for one in here if one.key not in written]
    wrong += [f"no longer in the source: {written[key].change}" for key in written.keys() - present]
    listed = _known(here)
    wrong += records.complaints(one for one in listed if one.key in written)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(_table(listed))
    if wrong:
        print("python -m tools.mutator roundings --judge new  asks the tests about what is open")
    return int(bool(wrong))


def _known(here: Sequence[Record]) -> list[Record]:
    """Return the places of the source with what is written of them."""
    written = {record.key: record for record in records.read(ROUNDINGS)}
    return [
        replace(one, test=written[one.key].test, reason=written[one.key].reason)
        if one.key in written
        else one
        for one in here
    ]


def _asked(listed: Sequence[Record], arguments: argparse.Namespace) -> dict[Change, Judgement]:
    """Ask the tests about all places of some files, or about those that are open."""
    asked = [
        one
        for one in listed
        if one.change.file.startswith(tuple(arguments.files))
        and (arguments.judge == "all" or not (one.test or one.reason))
    ]
    by_room: dict[str, list[Record]] = {}
    for one in asked:
        by_room.setdefault(room(one.change.file), []).append(one)
    tests: dict[Change, Sequence[str]] = {}
    for folder, group in by_room.items():
        known = sorted({one.test for one in group if one.test})
        # Where a test is known for each, nothing else has to be collected.
        others = [] if all(one.test for one in group) else [folder]
        names = others + [test for test in known if not test.startswith(tuple(others))]
        tests.update({one.change: arguments.tests or names for one in group})
    first = {one.change: one.test for one in asked if one.test and not arguments.tests}
    return judged(tests, arguments, first)


def _settled(one: Record, verdicts: Mapping[Change, Judgement]) -> Record:
    verdict = verdicts.get(one.change)
    if verdict is None:
        return one
    if verdict.test is None:
        return replace(one, test="")
    return replace(one, test=verdict.test if "::" in verdict.test else one.test, reason="")


def _table(listed: Sequence[Record]) -> str:
    rooms: Counter[tuple[str, str]] = Counter()
    for one in listed:
        kind = "noticed" if one.test else "explained" if one.reason else "open"
        for name in (room(one.change.file).removeprefix("tests/"), "all"):
            rooms[name, kind] += 1
            rooms[name, "places"] += 1
    columns = ("places", "noticed", "explained", "open")
    names = [*sorted({name for name, _ in rooms} - {"all"}), "all"]
    rows = [f"{'':26}" + "".join(f"{column:>11}" for column in columns)]
    rows += [f"{name:26}" + "".join(f"{rooms[name, c]:11}" for c in columns) for name in names]
    return "\n".join(rows)


def main() -> int:
    """Run one of the commands."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.mutator",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("draw", help="print mutants drawn at random")
    one.add_argument("files", nargs="+", metavar="FILE", help="files or folders of the library")
    one.add_argument("--seed", type=int, required=True)
    one.add_argument("--count", type=int, default=20)
    one.add_argument("--judge", action="store_true", help="ask the tests")
    one.set_defaults(run=drawing)
    two = commands.add_parser("judge", help="ask the tests about listed mutants")
    two.add_argument("list", type=Path, nargs="?", default=ROOT / "tools" / "mutants.toml")
    two.set_defaults(run=judging)
    five = commands.add_parser("every", help="judge every change of some files")
    five.add_argument("files", nargs="+", metavar="FILE", help="files or folders of the library")
    five.add_argument("--lines", nargs="+", type=int, help="only the changes of these lines")
    five.set_defaults(run=every)
    three = commands.add_parser("survivors", help="check the list of survivors")
    three.set_defaults(run=surviving)
    four = commands.add_parser("roundings", help="check the list of directed roundings")
    four.add_argument("files", nargs="*", metavar="FILE", default=["pac_stability"])
    four.add_argument("--judge", choices=["new", "all"], help="ask the tests")
    four.set_defaults(run=rounding)
    for command in (one, two, four, five):
        command.add_argument("--budget", type=float, default=60.0, help="seconds for a survivor")
        command.add_argument("--fresh", action="store_true", help="import anew for each change")
    for command in (one, two, four, five):
        command.add_argument("--tests", nargs="+", help="ask these, not those of the room")
    arguments = parser.parse_args()
    result: int = arguments.run(arguments)
    return result


if __name__ == "__main__":
    raise SystemExit(main())
