"""Feed broken files to every reader: each is read, or refused in words, in bounded time.

The files of ``tests/corpus`` are cut, spliced, repeated and salted with what has hurt readers
before (``python tools/fuzz.py --list`` names the readers). An input is a function of the seed, the
reader and its number, so a failure can be asked for again. All runs in one process, some ten
thousand inputs a second for the cheap readers.

    python tools/fuzz.py --inputs 1000000            # all readers, the long run
    python tools/fuzz.py certificate --inputs 2000   # one of them
    python tools/fuzz.py --seconds 300               # as many as there is time for

The table that is printed goes into ``docs/explanation/soundness.md``. The exit code is 1 if a
reader let anything else than the documented exceptions out, took longer than a second for one
input, or refused a file of the corpus.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import hashlib
import io
import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest import mock

from pac_stability import audit, checker, rocq
from pac_stability.audit.certificates import digest
from pac_stability.audit.search.checkpoint import Checkpoint
from pac_stability.classes import FiniteClass, read_points
from pac_stability.cli import main as command_line
from pac_stability.cli.black_box import distribution_from, points_from
from pac_stability.compression.transcript import check_of, load_transcript
from pac_stability.data import Sample
from pac_stability.errors import InvalidInput, PacStabilityError
from pac_stability.keeping import fingerprint_of
from pac_stability.online.game import Transcript
from pac_stability.reading import exact_number, integer_from, number_from, parse_json, read_json
from pac_stability.reading.npy import array_of

CORPUS = Path(__file__).parents[1] / "tests" / "corpus"
LONGEST = 1 << 14  # bytes of an input
SLOW = 1.0  # seconds of this process; an input that takes more is a failure
TOKENS = [
    b"0", b"-1", b"1e400", b"1e99999999", b"-0", b"00", b"0x1", b"1/0", b"2/4", b"1/3", b"1_0",
    b"NaN", b"Infinity", b"-Infinity", b"null", b"true", b"false", b"[]", b"{}", b"[[", b"]]",
    b"{\"fraction\": \"1e99999999\"}", b"{\"fraction\": \"1/0\"}", b"{\"object\": 0}", b"\"\"",
    b"\\ud800", b"\\u0000", b"\xff", b"\xef\xbb\xbf", b"\x00", b"\xd9\xa1", b"9" * 30, b"9" * 5000,
    b"[" * 300, b"(" * 300, b"(0, 10000000000000000000000000000000)", b"(True, 3)", b"(1, " * 40,
    b"-" * 900, b",", b";", b"\t", b"\r\n", b"\"", b"'", b": ", b"infinity", b"verified",
    b"refuted", b"\x04\x00", b"2305843009213693956", b"\\n",
]  # fmt: skip
VALUES: list[object] = [
    None, True, False, 0, 1, -1, 7, 1 << 70, -(1 << 70), 0.5, 1e308, "", "0", "1", "2", "1/2",
    "-1/2", "2/4", "1/0", "0x1" + "0" * 400, "infinity", "verified", "refuted", "bounded",
    "private-prediction", "uniform-stability", "perfect-generalization", "add-remove", "declared",
    [], [0], [[]], [[0, "1"]], {}, {"fraction": "1/2"}, {"fraction": "1e99999999"}, {"object": 0},
    {"lower": "0", "upper": "9"}, "\x1b[2J", "two\nlines", "long" * 400,
]  # fmt: skip


def mutated(seeds: list[bytes], coins: random.Random) -> bytes:
    """Return one of the files, changed a few times."""
    content = coins.choice(seeds)
    if content[:1] in b"[{" and coins.random() < 0.7:
        with contextlib.suppress(ValueError, RecursionError):
            value = json.loads(content)
            for _ in range(coins.choice((1, 1, 1, 2, 4))):
                value = _transplanted(value, coins) if isinstance(value, dict | list) else value
            content = json.dumps(value).encode()
            if coins.random() < 0.8:
                return content
    for _ in range(coins.choice((1, 1, 2, 3, 6))):
        content = _cut(content, seeds, coins)
    return content[:LONGEST]


def _cut(content: bytes, seeds: list[bytes], coins: random.Random) -> bytes:
    start = coins.randrange(len(content) + 1)
    stop = min(len(content), start + coins.choice((0, 1, 1, 2, 4, 16, 64)))
    middle = content[start:stop]
    kind = coins.randrange(7)
    if kind == 0:
        middle = coins.choice(TOKENS)
    elif kind == 1:
        middle = bytes([coins.randrange(256)])
    elif kind == 2:
        middle = b""
    elif kind == 3:
        middle *= coins.choice((2, 3, 50))
    elif kind == 4:
        other = coins.choice(seeds)
        middle = other[coins.randrange(len(other) + 1) :][: coins.choice((1, 8, 64))]
    elif kind == 5:
        return content[:start]
    elif middle:
        middle = bytes([middle[0] ^ 1 << coins.randrange(8)]) + middle[1:]
    return content[:start] + middle + content[stop:]


def _transplanted(value: Any, coins: random.Random) -> Any:
    """Change one place of a JSON value, or put another of its parts there."""
    places: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        inner = waiting.pop()
        keys: Any = inner if isinstance(inner, dict) else range(len(inner))
        for key in keys:
            places.append((inner, key))
            if isinstance(inner[key], dict | list):
                waiting.append(inner[key])
    if not places:
        return _other(coins)
    where, key = coins.choice(places)
    kind = coins.randrange(6)
    if kind == 0 and isinstance(where, list):
        where.insert(key, json.loads(json.dumps(where[key])))
    elif kind == 1:
        del where[key]
    elif kind == 2:
        there, other = coins.choice(places)
        with contextlib.suppress(KeyError, IndexError):
            where[key] = json.loads(json.dumps(there[other]))
    elif kind == 3 and isinstance(where[key], int):
        where[key] += coins.choice((-1, 1))
    elif kind == 4 and isinstance(where, dict):
        where[str(coins.choice(VALUES))] = where.pop(key)
    else:
        where[key] = _other(coins)
    return value


def _other(coins: random.Random) -> Any:
    return json.loads(json.dumps(coins.choice(VALUES)))  # a copy, as it may be changed


def _sealed(content: bytes) -> object:
    """Return a certificate with the digest of its fields, as a forger would write it."""
    document = parse_json(content, "certificate")
    if isinstance(document, dict):
        with contextlib.suppress(ValueError, RecursionError):
            document["sha256"] = digest(document)
    return document


def _numbers(content: bytes) -> None:
    text, refusals = content.decode("utf-8", "replace"), []
    for read in (number_from, exact_number, integer_from):
        try:
            read(text, "it")
        except InvalidInput as refusal:
            refusals.append(refusal)
    if len(refusals) == 3:
        raise refusals[0]


def _checkpoint(path: Path) -> object:
    """Read a checkpoint under the digest of its content, so that more than that is looked at."""
    content = path.read_bytes()
    body, mark, _ = content.replace(b'"code": {}', _code()).rpartition(b', "check": "')
    if mark:
        path.write_bytes(body + mark + hashlib.sha256(body).hexdigest().encode() + b'"}\n')
    found = Checkpoint(str(path), "an audit")
    answers = found.load(2, 16)
    if found.remark:
        raise InvalidInput("checkpoint", found.remark, "one of use")
    return answers


@functools.cache
def _code() -> bytes:
    """Return what a checkpoint of this very library says of the code."""
    return f'"code": {json.dumps(fingerprint_of().to_dict())}'.encode()


def _session(path: Path) -> object:
    """Read a session under the digest of its content, likewise."""
    with contextlib.suppress(InvalidInput, ValueError):
        document = read_json(path)
        if isinstance(document, dict) and document.pop("check", None) is not None:
            path.write_text(json.dumps({**document, "check": check_of(document)}))
    return load_transcript(path)


def _transcript(path: Path) -> object:
    """Read a transcript, and check it against a class."""
    found = Transcript.load(path).check(FiniteClass([[0, 0], [0, 1], [1, 1]]))
    if not found.accepted:
        raise InvalidInput("transcript", "one that is refused", found.reason)
    return found


def _rocq(path: Path) -> None:
    """Read a file for Rocq as far as this library does; what the kernel says is not asked."""
    with mock.patch("pac_stability.rocq.checking.command", return_value=None):
        found = rocq.check(path)
    if found.verdict == "rejected":
        raise InvalidInput("file", found.reason, "one that states what it proves")


def _command(*arguments: object) -> None:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = command_line(list(map(str, arguments)))
    said = err.getvalue()
    if code not in (0, 1, 2, 3) or "Traceback" in said:
        raise AssertionError(f"exit code {code}: {said[-200:]}")
    if code == 2 and (said.count("\n") != 1 or len(said) > 1100):
        raise AssertionError(f"an error of {len(said)} characters: {said[:200]}")
    if code == 2:
        raise InvalidInput("command", "what it refused", "something else")


BYTES: dict[str, Callable[[bytes], object]] = {
    "numbers": _numbers,
    "json": lambda content: parse_json(content, "it"),
    "npy": lambda content: array_of(content, "it"),
    "certificate": lambda content: checker.recheck(_sealed(content), max_steps=20_000),
    "explain": lambda content: audit.explain(_sealed(content)),  # type: ignore[arg-type]  # a stranger's
    "sample": lambda content: Sample.from_dict(parse_json(content, "it")),
}
"""Readers of what has been read from a file."""

FILES: dict[str, tuple[str, Callable[[Path], object]]] = {
    "table-csv": (".csv", FiniteClass.from_csv),
    "table-json": (".json", FiniteClass.from_json),
    "table-npy": (".npy", FiniteClass.from_npy),
    "points-csv": (".csv", read_points),
    "points-npy": (".npy", read_points),
    "session": (".json", _session),
    "transcript": (".json", _transcript),
    "checkpoint": (".json", _checkpoint),
    "rocq": (".v", _rocq),
    "domain": (".json", lambda path: points_from(str(path), "--domain")),
    "distribution": (".json", lambda path: distribution_from(str(path), None, labelled=True)),
    "command-recheck": (".json", lambda path: _command("recheck", path)),
    "command-dims": (".csv", lambda path: _command("dims", path, "--time-limit", "2")),
}
"""Readers of files."""

SEEDS = {
    "explain": "certificate", "table-npy": "npy", "points-npy": "npy",
    "command-recheck": "certificate", "command-dims": "table-csv",
}  # fmt: skip
"""Whose files a reader is fed with, where not its own."""


@dataclass
class Tally:
    """What became of the inputs of a reader."""

    read: int = 0
    refused: int = 0
    slowest: float = 0.0
    failures: list[str] = field(default_factory=list)


@functools.cache
def seeds_of(reader: str) -> list[bytes]:
    """Return the files that a reader's inputs are made of."""
    folder = CORPUS / SEEDS.get(reader, reader)
    return [path.read_bytes() for path in sorted(folder.iterdir())]


def inputs_of(reader: str, seed: int, first: int, count: int) -> list[bytes]:
    """Return some of the inputs of a reader; the first ones are the files themselves."""
    seeds = seeds_of(reader)
    found = []
    for number in range(first, first + count):
        coins = random.Random(f"{seed} {reader} {number}")  # noqa: S311  # no secrets
        found.append(seeds[number] if number < len(seeds) else mutated(seeds, coins))
    return found


def feed(reader: str, content: bytes, folder: Path, tally: Tally) -> None:
    """Give one input to a reader, and see that it comes back with an answer or a refusal."""
    begun = time.process_time()
    try:
        if reader in BYTES:
            BYTES[reader](content)
        else:
            suffix, read = FILES[reader]
            path = folder / f"it{suffix}"
            path.write_bytes(content)
            read(path)
        tally.read += 1
    except PacStabilityError as refusal:
        tally.refused += 1
        if not str(refusal).isprintable() or len(str(refusal)) > 1000:
            tally.failures.append(f"a message of {len(str(refusal))} characters: {content[:60]!r}")
    except Exception as problem:
        tally.failures.append(f"{type(problem).__name__}: {str(problem)[:200]}: {content[:200]!r}")
    seconds = time.process_time() - begun
    tally.slowest = max(tally.slowest, seconds)
    if seconds > SLOW:
        tally.failures.append(f"{seconds:.1f} s: {content[:200]!r}")


def fuzz(reader: str, inputs: int, seed: int, seconds: float, first: int = 0) -> Tally:
    """Feed a reader with so many inputs, or for so long."""
    tally, end, number = Tally(), time.monotonic() + seconds, first
    own = 0 if reader in SEEDS else len(seeds_of(reader))
    with tempfile.TemporaryDirectory() as name:
        while number < first + inputs and time.monotonic() < end and len(tally.failures) < 10:
            count = min(100, first + inputs - number)
            for content in inputs_of(reader, seed, number, count):
                refused = tally.refused
                feed(reader, content, Path(name), tally)
                number += 1
                if number <= own and tally.refused > refused:
                    tally.failures.append(f"a file of the corpus is refused: {content[:60]!r}")
    return tally


def main() -> int:
    """Fuzz, and print the table."""
    names = [*BYTES, *FILES]
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("readers", nargs="*", help="all of them by default")
    parser.add_argument("--inputs", type=int, default=10_000, help="for each reader")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="for each reader")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list:
        print("\n".join(names))
        return 0
    unknown = set(options.readers) - set(names)
    if unknown:
        parser.error(f"no such reader: {', '.join(sorted(unknown))}")
    print(f"seed {options.seed}, Python {sys.version.split()[0]}\n")
    print("| reader | files | inputs | read | refused | slowest (ms of CPU) | failures |")
    print("| --- | --- | --- | --- | --- | --- | --- |", flush=True)
    failed = False
    for reader in options.readers or names:
        tally = fuzz(reader, options.inputs, options.seed, options.seconds, options.first)
        total = tally.read + tally.refused + len(tally.failures)
        print(
            f"| {reader} | {len(seeds_of(reader))} | {total:,} | {tally.read:,} | "
            f"{tally.refused:,} | {1000 * tally.slowest:.0f} | {len(tally.failures)} |",
            flush=True,
        )
        for failure in tally.failures[:3]:
            print(failure, file=sys.stderr)
        failed |= bool(tally.failures)
    peak = Fraction(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, 1024)
    print(f"\nLargest memory of the process: {float(peak):.0f} MiB.")
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
