"""What is written down: which test notices a change, or why none can."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tools.mutator.changes import ROOT, Change, Source

ROUNDINGS = ROOT / "tools" / "roundings.toml"
SURVIVORS = ROOT / "tools" / "survivors.toml"

_ABOUT = {
    ROUNDINGS: "Every directed rounding of the library: the test that notices it turned, or why\n"
    "# nothing can.  python -m tools.mutator roundings compares this with the source.",
    SURVIVORS: "Wrong lines that no test can notice, and why.\n"
    "# python -m tools.mutator survivors shows that they are still in the source.",
}


@dataclass(frozen=True)
class Record:
    """A change, and what is known of it.

    Attributes
    ----------
    change
        The change; its number is zero where only the file was read.
    copy
        How many changes of the same text stand before it in the same function.
    test
        A test that fails when the line is changed; empty when there is none.
    reason
        Why no test can fail; empty when one does.
    """

    change: Change
    copy: int = 0
    test: str = ""
    reason: str = ""

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """What says which change it is, wherever in the file its line has moved."""
        change = self.change
        return change.file, change.within, change.line, change.wrong, self.copy


def numbered(changes: Iterable[Change]) -> list[Record]:
    """Return records of changes, with nothing known, in which copies are told apart."""
    seen: Counter[tuple[str, str, str, str, int]] = Counter()
    records = []
    for change in changes:
        record = Record(change)
        records.append(replace(record, copy=seen[record.key]))
        seen[record.key] += 1
    return records


def read(path: Path) -> list[Record]:
    """Return the records of a file; none when there is no file."""
    if not path.exists():
        return []
    return [
        Record(
            Change(entry["file"], entry.get("within", ""), 0, entry["line"], entry["wrong"], ""),
            entry.get("copy", 0),
            entry.get("test", ""),
            entry.get("reason", ""),
        )
        for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("place", [])
    ]


def write(path: Path, records: Iterable[Record]) -> None:
    """Replace a file by records, in the order given."""
    parts = [f"# {_ABOUT[path]}\n"]
    parts += map(place, records)
    temporary = path.with_suffix(".new")
    temporary.write_text("\n".join(parts), encoding="utf-8")
    temporary.replace(path)


def place(record: Record) -> str:
    """Return a record as an entry of a file of places."""
    lines = ["[[place]]", f"file = {_text(record.change.file)}"]
    if record.change.within:
        lines.append(f"within = {_text(record.change.within)}")
    lines += [f"line = {_text(record.change.line)}", f"wrong = {_text(record.change.wrong)}"]
    if record.copy:
        lines.append(f"copy = {record.copy}")
    known = "test" if record.test or not record.reason else "reason"
    lines.append(f"{known} = {_text(record.test or record.reason)}")
    return "\n".join(lines) + "\n"


def entry(change: Change, tests: Sequence[str]) -> str:
    """Return a change as an entry of ``tools/mutants.toml``."""
    listed = ", ".join(_text(test) for test in tests)
    return (
        f"[[mutant]]\nfile = {_text(change.file)}\nline = {_text(change.line)}\n"
        f"wrong = {_text(change.wrong)}\ntests = [{listed}]\n"
    )


def _text(value: str) -> str:
    # A string of JSON is one of TOML; what differs, control characters, is in no line of source.
    return json.dumps(value, ensure_ascii=False)


def complaints(records: Iterable[Record]) -> list[str]:
    """Say what of the records is not so: lines and tests that are gone, or nothing said."""
    found = []
    tests: dict[str, str] = {}
    for record in records:
        if bool(record.test) is bool(record.reason):
            found.append(f"want a test or a reason: {record.change}")
        elif record.test and not _is_there(record.test, tests):
            found.append(f"no such test: {record.test}")
    return found


def _is_there(test: str, texts: dict[str, str]) -> bool:
    """Say whether a file has a test of a name; its parameters are not looked at."""
    file, _, name = test.partition("::")
    if file not in texts:
        path = ROOT / file
        texts[file] = path.read_text(encoding="utf-8") if path.is_file() else ""
    bare = re.escape(re.sub(r"\[.*", "", name, flags=re.DOTALL).rpartition("::")[2])
    return re.search(rf"\bdef {bare}\(", texts[file]) is not None


def gone(records: Iterable[Record]) -> list[str]:
    """Return the survivors whose line is no longer in its file exactly once."""
    return [
        f"want the line once: {record.change}"
        for record in records
        if not Source(record.change.file).once(record.change)
    ]
