"""Kill work at random moments, and see that nothing is lost and nothing is under-counted.

    python tools/kills.py --kills 500 --seed 1

Four kinds of work are begun in a process of their own, killed after a random time (by SIGKILL,
SIGTERM or SIGINT), looked at, and begun again where they were, until they are finished:

``checkpoint``
    an audit that writes its checkpoint after every few answers;
``cache``
    the verification of some claims, with a cache;
``session``
    an adaptive session that keeps a file; each answer is told through a pipe as it is returned;
``ledger``
    batches of uses that are reserved; each is told through a pipe once it may be answered.

After each kill the files are read. A file that is damaged, an answer that was there before and is
not there now, an answer that was told and is not charged, a result that is another one than
without kills: each counts, and the exit code is 1 if there is any. Temporary files that a kill
left behind are counted too; they harm nothing.
"""

from __future__ import annotations

import argparse
import os
import random
import select
import signal
import struct
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction
from pathlib import Path
from typing import Protocol

from pac_stability import audit, claims
from pac_stability.audit.search import checkpoint as checkpoints, parallel
from pac_stability.claims.running import TrialTask
from pac_stability.compression import AdaptiveSession, SessionTranscript, ThresholdScheme
from pac_stability.compression.transcript import (
    AnsweredRound,
    KeptRound,
    UnansweredRound,
    load_transcript,
)
from pac_stability.data import Example, Sample
from pac_stability.errors import BudgetExhausted, InvalidInput
from pac_stability.mechanisms import Ledger
from pac_stability.randomness import Coins

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
CLAIMS = ("DF20:fact-private-is-stable.sharp", "DF20:lemma-5*", "DF20:lemma-9.vote", "DF20:lemma-8")
PROBLEMS = ("damaged", "lost", "under-counted", "other result")


class Work(Protocol):
    """What can be begun, killed, looked at and gone on with."""

    def run(self, told: int) -> None:
        """Work until the end, in a process of its own; ``told`` is a pipe to tell answers."""
        ...

    def look(self, told: bytes, interrupted: bool) -> list[str]:
        """Return what is wrong with the files after a kill."""
        ...

    def end(self, told: bytes) -> list[str]:
        """Return what is wrong with the end."""
        ...


def flipped(sample: Sample[int], point: int, rng: Coins) -> int:
    """Return the label of a random example, flipped now and then."""
    return sample.labels[rng.below(len(sample))] ^ (rng.bernoulli(Fraction(1, 4)) & (point >= 0))


class Audit:
    """An audit with a checkpoint."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "audit.checkpoint"
        self.result = folder / "result"
        self.kept = 0

    def run(self, told: int) -> None:  # noqa: ARG002  # tells nothing
        """Work until the end."""
        parallel.PIECE = 0.005
        checkpoints._EVERY, checkpoints._SHARE = 0.0, 0  # after every piece
        found = audit.private_prediction(flipped, 2, 4, checkpoint=self.path)
        self.result.write_text(self._form(found))

    def look(self, told: bytes, interrupted: bool) -> list[str]:  # noqa: ARG002  # as for all
        """Return what is wrong with the files."""
        if not self.path.exists():
            # Killed before the first answers were written, or after the end, but before its record.
            self.kept = 0
            return []
        content = self.path.read_bytes()
        try:
            places = checkpoints._answers(checkpoints._document(content, ""), 2, 1 << 20).count
        except checkpoints._Damaged:
            return ["damaged"]
        lost = ["lost"] if places < self.kept else []
        self.kept = places
        return lost

    def end(self, told: bytes) -> list[str]:  # noqa: ARG002  # as for all
        """Return what is wrong with the end."""
        whole = self._form(audit.private_prediction(flipped, 2, 4))
        same = self.result.read_text() == whole and not self.path.exists()
        return [] if same else ["other result"]

    @staticmethod
    def _form(result: audit.AuditResult) -> str:
        return repr((result.value, result.verdict, result.counts, result.witness))


class Verification:
    """Claims with a cache."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "cache"
        self.result = folder / "result"
        self.known: set[TrialTask] = set()
        self.chosen = claims.select(CLAIMS)
        budget = claims.Budget.QUICK
        self.tasks = [
            TrialTask(c.key, i, 0, budget) for c in self.chosen for i in range(len(c.trials))
        ]

    def run(self, told: int) -> None:  # noqa: ARG002  # tells nothing
        """Work until the end."""
        self.result.write_text(self._form(claims.Cache(self.folder)))

    def look(self, told: bytes, interrupted: bool) -> list[str]:  # noqa: ARG002  # as for all
        """Return what is wrong with the files."""
        cache = claims.Cache(self.folder)
        known = {task for task in self.tasks if cache.load(claims.running._name(task))}
        found = ["damaged"] * bool(cache.remarks) + ["lost"] * bool(self.known - known)
        self.known = known
        return found

    def end(self, told: bytes) -> list[str]:  # noqa: ARG002  # as for all
        """Return what is wrong with the end."""
        return [] if self.result.read_text() == self._form(None) else ["other result"]

    def _form(self, cache: claims.Cache | None) -> str:
        found = claims.verify(self.chosen, cache=cache)
        return repr(sorted((e.claim.key, e.trials) for e in found))


SIZE, BUDGET, BITS = 40, 8, 24


class Session:
    """An adaptive session with a file; answers are told as (round, answer)."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "session.json"
        coins = random.Random(5)  # noqa: S311  # a sample that is always the same
        labels = [coins.randrange(2) for _ in range(SIZE)]
        self.sample: Sample[Hashable] = Sample(list(range(SIZE)), labels)
        self.before: SessionTranscript | None = None

    def run(self, told: int) -> None:
        """Work until the end."""
        if self.path.exists():
            session = AdaptiveSession.load(self.sample, self.path, keep=True)
        else:
            session = AdaptiveSession(self.sample, Fraction(1, 20), BUDGET, BITS, path=self.path)
        while not session.transcript.closed:
            number = len(session.transcript.rounds)
            if session.transcript.used < BUDGET and number % 2:
                answer = session.ask(ThresholdScheme(), relabel=self._mixed).output
                value = int(getattr(answer, "cut", 0))
            elif session.transcript.used_bits < BITS:
                value = session.query(lambda S, n=number: S.labels[n % SIZE]).output  # type: ignore[misc]  # a default
            else:
                session.close()
                return
            os.write(told, struct.pack("<2q", number, value))

    def look(self, told: bytes, interrupted: bool) -> list[str]:
        """Return what is wrong with the files."""
        if not self.path.exists():
            return ["under-counted"] if told else []
        try:
            transcript = load_transcript(self.path)
        except InvalidInput:
            return ["damaged"]
        found = []
        if self.before is not None:
            rounds = self.before.rounds
            kept = transcript.rounds[: len(rounds)] == rounds
            found += [] if kept and transcript.choices >= self.before.choices else ["lost"]
        for number, value in struct.iter_unpack("<2q", told[: len(told) // 16 * 16]):
            charged = transcript.rounds[number] if number < len(transcript.rounds) else None
            if isinstance(charged, AnsweredRound):
                found += [] if charged.answer == value else ["under-counted"]
            elif not isinstance(charged, KeptRound):
                found.append("under-counted")
        if transcript.failed and not interrupted:
            found.append("lost")
        self.before = transcript
        if transcript.failed:  # interrupted in the middle of a look: by the rules, the end
            self.path.unlink()
            self.before = None
        return found

    def end(self, told: bytes) -> list[str]:  # noqa: ARG002  # as for all
        """Return what is wrong with the end."""
        transcript = load_transcript(self.path)
        spent = (transcript.used, transcript.used_bits) == (BUDGET, BITS) and transcript.closed
        again = sum(isinstance(round_, UnansweredRound) for round_ in transcript.rounds)
        return [] if spent and again <= len(transcript.rounds) else ["other result"]

    @staticmethod
    def _mixed(example: Example[Hashable]) -> Example[Hashable]:
        return example


class Spending:
    """A ledger with a file; batches are told by the number of their uses."""

    BATCHES = 400

    def __init__(self, folder: Path) -> None:
        self.path = folder / "ledger"
        self.told = 0
        self.before = 0

    def _used(self) -> int:
        return sum(Ledger(self.path, epsilon=self.BATCHES * 3).spent().values())

    def run(self, told: int) -> None:
        """Work until the end."""
        ledger = Ledger(self.path, epsilon=self.BATCHES * 3)
        for number in range(self.BATCHES):
            try:
                ledger.reserve(1, times=1 + number % 3)
            except BudgetExhausted:
                return
            os.write(told, bytes([1 + number % 3]))

    def look(self, told: bytes, interrupted: bool) -> list[str]:  # noqa: ARG002  # as for all
        """Return what is wrong with the file."""
        self.told += sum(told)
        try:
            used = self._used()
        except InvalidInput:
            return ["damaged"]
        found = ["lost"] * (used < self.before) + ["under-counted"] * (used < self.told)
        self.before = used
        return found

    def end(self, told: bytes) -> list[str]:
        """Return what is wrong with the end."""
        return self.look(told, interrupted=False) + ["other result"] * (
            self._used() > self.BATCHES * 3
        )


KINDS: dict[str, Callable[[Path], Work]] = {
    "checkpoint": Audit,
    "cache": Verification,
    "session": Session,
    "ledger": Spending,
}


def begin(work: Work) -> tuple[int, int]:
    """Begin work in a process of its own; return its number and the pipe it tells through."""
    reader, writer = os.pipe()
    sys.stdout.flush()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # until the child can catch it
    child = os.fork()
    if child:
        signal.signal(signal.SIGINT, before)
        os.close(writer)
        return child, reader
    code = 1
    try:
        os.close(reader)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        work.run(writer)
        code = 0
    except KeyboardInterrupt:
        code = 130
    finally:
        os._exit(code)


def drained(reader: int) -> bytes:
    """Return what was told, after the end of who told it."""
    found = b""
    while part := os.read(reader, 1 << 16):
        found += part
    os.close(reader)
    return found


def length_of(kind: str) -> float:
    """Return how long the work takes without kills."""
    with tempfile.TemporaryDirectory() as folder:
        work = KINDS[kind](Path(folder))
        with Path(os.devnull).open("wb") as nobody:
            work.run(nobody.fileno())
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        child, reader = begin(KINDS[kind](Path(folder)))
        drained(reader)
        _, status = os.waitpid(child, 0)
        if status:
            raise SystemExit(f"{kind}: does not end without a kill")
        return time.perf_counter() - begun


def history(kind: str, kills: int, coins: random.Random, seconds: float) -> Counter[str]:
    """Kill work until it is finished, or often enough; return what happened."""
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        work = KINDS[kind](folder)
        while True:
            child, reader = begin(work)
            number = coins.choice(SIGNALS)
            if found["kills"] < kills:
                # Waits for the end of the child, but not longer than until it is killed.
                handle = os.pidfd_open(child)
                ready, _, _ = select.select([handle], [], [], coins.uniform(0, seconds))
                os.close(handle)
                if not ready:
                    os.kill(child, number)
            told = drained(reader)
            _, status = os.waitpid(child, 0)
            code = os.waitstatus_to_exitcode(status)
            if code in (0, 1):
                found["finished"] += 1
                found.update(["other result"] if code else work.end(told))
                break
            found["kills"] += 1
            found[signal.Signals(number).name] += 1
            found.update(work.look(told, number == signal.SIGINT))
        found["temporary files"] += sum(path.suffix == ".tmp" for path in folder.rglob("*"))
    return found


def main() -> int:
    """Kill, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--kills", type=int, default=500, help="in all (default: 500)")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=[*KINDS], help="of work")
    parser.add_argument("--seed", type=int, default=1, help="of the moments and the signals")
    options = parser.parse_args()
    coins = random.Random(options.seed)  # noqa: S311  # so that a run can be had again
    columns = ("kills", *(s.name for s in SIGNALS), "finished", *PROBLEMS, "temporary files")
    print(f"seed {options.seed}\n\n{'':10}  " + "  ".join(columns))
    total: Counter[str] = Counter()
    for place, kind in enumerate(options.kinds):
        kinds = len(options.kinds)
        share = options.kills * (place + 1) // kinds - options.kills * place // kinds
        seconds, found = length_of(kind), Counter[str]()
        while found["kills"] < share:
            found += history(kind, min(share - found["kills"], 12), coins, seconds)
        total += found
        print(f"{kind:10}  " + "  ".join(f"{found[c]:>{len(c)}}" for c in columns), flush=True)
    print(f"{'all':10}  " + "  ".join(f"{total[c]:>{len(c)}}" for c in columns))
    return int(any(total[problem] for problem in PROBLEMS))


if __name__ == "__main__":
    sys.exit(main())
