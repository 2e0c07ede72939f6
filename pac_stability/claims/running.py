"""Settling claims in this process, in many, or on a cluster, with the same result.

Tallies can be kept on disk, by their dependencies and authenticated with the user's key. Claims
about a class can be checked on the user's own class.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import os
import secrets
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass, replace
from pathlib import Path

from pac_stability._report import Tabled
from pac_stability.audit.options import Clock, ProgressCallback
from pac_stability.claims import evidence
from pac_stability.claims.book import GROUP, books
from pac_stability.claims.claim import Claim, Expectation, Status
from pac_stability.claims.kit import Budget, Trial
from pac_stability.claims.search import get
from pac_stability.classes import FiniteClass
from pac_stability.errors import BudgetExhausted, InvalidInput
from pac_stability.keeping import write_text
from pac_stability.keeping.fingerprint import (
    HowMany,
    chosen as chosen_at_random,
    library_digest,
    platform_name,
    require_how_many,
)
from pac_stability.keeping.writing import remove_leftovers, write_bytes
from pac_stability.reading import exact_number, exact_text, read_json
from pac_stability.reading.text import reason

# Runs

_AT_ONCE = 64  # tasks that an executor holds: what is lost when a run is interrupted stays small


@dataclass(frozen=True, slots=True)
class TrialTask:
    """A part of the instances of one trial: the unit of work of a process.

    Attributes
    ----------
    key
        The claim.
    trial
        The position of the trial in the claim.
    chunk
        The index of the part; ``budget`` determines their number.
    budget
        The budget.
    """

    key: str
    trial: int
    chunk: int
    budget: Budget


def run_task(task: TrialTask) -> evidence.Tally:
    """Check the instances of a task."""
    trial, began = get(task.key).trials[task.trial], time.process_time()
    asked = trial.ask(task.budget, False, task.chunk, task.budget.chunks)
    return replace(evidence.Tally.asking(asked), seconds=time.process_time() - began)


def check(claim: Claim, budget: Budget = Budget.QUICK) -> evidence.Evidence:
    """Settle one claim in this process.

    Parameters
    ----------
    claim
        Any claim, registered or not.
    budget
        How much work.

    Examples
    --------
    >>> from pac_stability import claims
    >>> claims.check(claims.all()[0]).as_expected
    True
    """
    try:
        trials = tuple(claim.trials)
    except (Exception, SystemExit) as error:  # whatever it is, it is the answer
        return _unreadable(claim, budget, error)
    tallies = (evidence.Tally.asking(t.ask(budget, False, 0, 1)) for t in trials)
    return evidence.Evidence(claim, budget, _found_in(trials, budget, tallies))


def _found_in(
    trials: Iterable[Trial], budget: Budget, tallies: Iterable[evidence.Tally]
) -> tuple[evidence.TrialEvidence, ...]:
    return tuple(
        evidence.TrialEvidence(t.name, t.universe, budget.words(t.extent), tally)
        for t, tally in zip(trials, tallies, strict=True)
    )


def _unreadable(claim: Claim, budget: Budget, error: BaseException) -> evidence.Evidence:
    """Return what is said of a claim whose trials cannot be imported."""
    broken = evidence.Tally(broken=(0, evidence.error_in_words(error)))
    found = evidence.TrialEvidence("reading the trials", "", "", broken)
    return evidence.Evidence(claim, budget, (found,))


def notices_mutants(claim: Claim) -> tuple[str, ...]:
    """Return the names of the trials that do *not* detect their wrong subject.

    A trial that could not fail would prove nothing; the result is empty for every claim of the
    library.

    Parameters
    ----------
    claim
        The claim with the trials to check.
    """
    return tuple(
        t.name
        for t in claim.trials
        if t.has_mutant
        and evidence.Tally.of(t.findings(Budget.QUICK, mutant=True)).refuting is None
    )


def verify(
    claims: Iterable[Claim],
    budget: Budget = Budget.QUICK,
    *,
    executor: Executor | None = None,
    cache: Cache | None = None,
    progress: ProgressCallback | None = None,
    check_cache: HowMany = 0,
) -> Iterator[evidence.Evidence]:
    """Settle registered claims, and yield the evidence of each as soon as it is complete.

    Parameters
    ----------
    claims
        Registered claims.
    budget
        How much work.
    executor
        Where tasks run: any ``concurrent.futures.Executor``, or that of a ``dask.distributed``
        client; by default this process. The evidence is the same.
    cache
        Where tallies are kept, so that an interrupted run resumes, and an unchanged library is not
        checked twice.
    progress
        Called with the number of tasks done.
    check_cache
        How many tallies of the cache to compute again, which must agree: a number, or a share as a
        ``Fraction``; drawn at random.

    Yields
    ------
    Evidence
        In the order in which they are complete. Each states how much of it came from the cache.

    Raises
    ------
    InvalidInput
        A tally of the cache differs when it is computed again.
    BudgetExhausted
        A process of the executor ended before its work was done.
    """
    tasks: list[TrialTask] = []
    found = {}
    for claim in claims:
        try:
            trials = tuple(claim.trials)
        except (Exception, SystemExit) as error:  # whatever it is, it is the answer
            yield _unreadable(claim, budget, error)
            continue
        if not trials:
            yield evidence.Evidence(claim, budget, ())
        found[claim.key] = _Found(claim, budget)
        tasks += [
            TrialTask(claim.key, index, chunk, budget)
            for index in range(len(trials))
            for chunk in range(budget.chunks)
        ]
    clock = Clock(progress)
    clock.report("verifying", 0, len(tasks))
    results = _results(tasks, executor, cache, require_how_many(check_cache, "check_cache"))
    for done, (task, tally, written) in enumerate(results, 1):
        clock.report("verifying", done, len(tasks))
        whole = found[task.key].add(task, tally, written)
        if whole is not None:
            yield whole


class _Found:
    """What was found about a claim so far."""

    def __init__(self, claim: Claim, budget: Budget) -> None:
        self._claim, self._budget = claim, budget
        self._tallies = [evidence.Tally() for _ in claim.trials]
        self._parts = len(claim.trials) * budget.chunks
        self._waiting = self._parts
        self._written: list[float] = []

    def add(
        self, task: TrialTask, tally: evidence.Tally, written: float | None
    ) -> evidence.Evidence | None:
        """Add a part, and return the evidence if it was the last."""
        self._tallies[task.trial] += tally
        self._written += [] if written is None else [written]
        self._waiting -= 1
        if self._waiting:
            return None
        return evidence.Evidence(
            self._claim,
            self._budget,
            _found_in(self._claim.trials, self._budget, self._tallies),
            self._parts,
            len(self._written),
            min(self._written, default=math.inf),
        )


def _results(
    tasks: list[TrialTask], executor: Executor | None, cache: Cache | None, check: HowMany
) -> Iterator[tuple[TrialTask, evidence.Tally, float | None]]:
    """Yield each task with its tally, and when that was found if it was not now."""
    kept: dict[TrialTask, KeptTally] = {}
    if cache is not None:
        for task in tasks:
            known = cache.load(_name(task))
            if known is not None:
                kept[task] = known
    again = {list(kept)[number] for number in chosen_at_random(check, len(kept))}
    for task, known in kept.items():
        if task not in again:
            yield task, known.tally, known.written
    left = [task for task in tasks if task not in kept or task in again]
    for task, tally in _run(left, executor):
        if task in again and tally != kept[task].tally:
            given = f"another answer to {_name(task)} than the one that was kept"
            raise InvalidInput("cache", given, "a fresh start (--fresh), without the kept answers")
        if cache is not None:
            cache.store(_name(task), tally)
        yield task, tally, None


def _run(
    tasks: list[TrialTask], executor: Executor | None
) -> Iterator[tuple[TrialTask, evidence.Tally]]:
    if executor is None:
        for task in tasks:
            yield task, run_task(task)
        return
    coming = iter(tasks)
    running: dict[Future[evidence.Tally], TrialTask] = {}
    try:
        while True:
            for task in coming:
                running[executor.submit(run_task, task)] = task
                if len(running) >= _AT_ONCE:
                    break
            if not running:
                return
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                yield running.pop(future), future.result()
    except BrokenExecutor as error:
        raise BudgetExhausted(
            "a process ended before its work was done: it was killed, or ran out of memory; "
            "what was found until then is in the cache, if there is one"
        ) from error
    finally:
        for future in running:
            future.cancel()


def _name(task: TrialTask) -> str:
    trial = get(task.key).trials[task.trial].name
    return f"{task.key}/{trial}/{task.budget.value}/{task.chunk}"


# Kept on disk

_KEY = "key"
_KEY_BYTES = 32
_FIELDS = {"name", "written", "instances", "misled", "supported", "active", "tightest", "code"}


@dataclass(frozen=True, slots=True)
class KeptTally:
    """A tally from the cache.

    Attributes
    ----------
    tally
        The findings.
    written
        The time of the findings, in seconds since 1970.
    """

    tally: evidence.Tally
    written: float


class Cache:
    """A folder of tallies. Each is found again only by exactly the code that made it.

    It keeps only findings in favour of a claim, as five numbers. Every run searches again for
    counterexamples and for instances that bounds leave open. So no file can print a counterexample,
    or hide one that a run finds. At most it can prevent the check of an instance, and for that it
    needs a code made with the *key*, a random file in the folder that only its owner can read. This
    protects against accidents: damage, older versions, files of another machine. It does not
    protect against somebody with the same account, who can read the key.

    No problem with the folder ends a run: if it cannot be read or written, the run continues
    without it.

    Parameters
    ----------
    folder
        Created with the first stored tally. Files can be deleted at any time.
    fresh
        Whether to ignore and overwrite the contents of the folder.

    Attributes
    ----------
    remarks
        Remarks for the user, in words.
    """

    def __init__(self, folder: str | os.PathLike[str], *, fresh: bool = False) -> None:
        self._folder = Path(folder)
        self._fresh = fresh
        self._damaged = 0
        self._usable = True
        self._secret: bytes | None = None
        self._trouble = ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks on the folder for the user, in words."""
        found = [self._trouble] if self._trouble else []
        if self._damaged:
            files = f"{self._damaged} file{'s' if self._damaged > 1 else ''}"
            found.append(f"{files} of the cache {self._folder} had no code of its key; asked again")
        return tuple(found)

    def load(self, name: str) -> KeptTally | None:
        """Return the tally stored under a name by this code, or ``None``.

        A file that cannot be read, has other contents, or lacks the code of the key, counts as
        absent.
        """
        path = self._path(name)
        if self._fresh or not self._usable or not os.path.lexists(path):
            return None
        key = self._key(make=False)
        try:
            found = None if key is None else _decoded(read_json(path), name, key)
        except (InvalidInput, OSError):
            found = None
        if found is None and self._usable:
            self._damaged += 1
        return found

    def store(self, name: str, tally: evidence.Tally) -> None:
        """Store a tally under a name, if it settles something; the file is whole or absent."""
        lasting = tally.refuting, tally.open, tally.insensitive, tally.broken
        if any(lasting) or not self._usable:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            key = self._key(make=True)
            if key is not None:
                remove_leftovers(self._path(name))
                write_text(self._path(name), _encoded(tally, name, key))
        except OSError as problem:
            self._give_up("written", reason(problem))
        except InvalidInput as problem:
            self._give_up("written", problem.given)

    def _key(self, *, make: bool) -> bytes | None:
        """Return the key of the folder, which is made with the first file."""
        if self._secret is not None:
            return self._secret
        path = self._folder / _KEY
        try:
            if not path.exists() or not _is_secret(path.stat()):
                if not make:
                    return None
                remove_leftovers(path)
                # Of two processes that do so at once, one has its way.
                write_bytes(path, secrets.token_bytes(_KEY_BYTES), mode=0o600)
            self._secret = path.read_bytes()
        except OSError as problem:
            self._give_up("used: its key cannot be read", reason(problem))
        return self._secret

    def _give_up(self, what: str, why: str) -> None:
        self._usable = False
        self._trouble = f"the cache {self._folder} cannot be {what} ({why}); going on without it"

    def _path(self, name: str) -> Path:
        return self._folder / f"{hashlib.sha256(_context(name)).hexdigest()[:40]}.json"


def _is_secret(found: os.stat_result) -> bool:
    """Whether a key is one that only its owner could read, and so write codes with."""
    private = os.name == "nt" or (found.st_mode & 0o077 == 0 and found.st_uid == os.geteuid())
    return private and found.st_size == _KEY_BYTES


def default_folder() -> Path | None:
    """Return the user's folder for tallies, as the platform has it; ``None`` for no home."""
    base = os.environ.get("XDG_CACHE_HOME")
    if not base:
        try:
            base = str(Path.home() / ".cache")
        except RuntimeError:
            return None
    return Path(base) / "pac_stability" / "claims"


def _context(name: str) -> bytes:
    """Say what a tally depends on: the library, Python, NumPy and the machine, and its task.

    A book that is not of the library counts with its own files.
    """
    book = books().get(name.partition(":")[0])
    outside = [] if book is None or book.package.startswith(f"{GROUP}.") else [book.digest]
    return "\n".join((library_digest(), *outside, platform_name(), name)).encode()


def _encoded(tally: evidence.Tally, name: str, key: bytes) -> str:
    fields: dict[str, object] = {
        "name": name,
        "written": int(time.time()),
        "instances": tally.instances,
        "misled": exact_text(tally.misled),
        "supported": tally.supported,
        "active": tally.active,
        "tightest": tally.tightest,
    }
    return json.dumps({**fields, "code": _code(fields, key)}) + "\n"


def _decoded(document: object, name: str, key: bytes) -> KeptTally | None:
    if not isinstance(document, dict) or document.keys() != _FIELDS or document["name"] != name:
        return None
    code = document.pop("code")
    if not isinstance(code, str) or not hmac.compare_digest(
        code.encode("utf-8", "replace"), _code(document, key).encode()
    ):
        return None
    misled = exact_number(document["misled"], "misled")
    counts = (document["supported"], document["active"])
    tally = evidence.Tally(document["instances"], None, None, misled, *counts, document["tightest"])
    return KeptTally(tally, document["written"])


def _code(fields: dict[str, object], key: bytes) -> str:
    """Return the code that the key makes of what was found and what it depends on."""
    plain = json.dumps(fields, sort_keys=True).encode()
    return hmac.new(key, _context(str(fields["name"])) + b"\n" + plain, "sha256").hexdigest()


# A class of one's own


@dataclass(frozen=True, slots=True, repr=False)
class ClassEvidence(Tabled, evidence.FoundInTrials):
    """The result of a run for a claim on one class.

    Attributes
    ----------
    claim
        The claim.
    trials
        The findings of the trials that take a class of this size.
    skipped
        For the other trials that take a class, the name and why this class is too large.
    """

    claim: Claim
    trials: tuple[evidence.TrialEvidence, ...]
    skipped: tuple[tuple[str, str], ...]

    @property
    def status(self) -> Status | None:
        """Its status on this class; ``None`` if nothing there could refute it."""
        found = {trial.status for trial in self.trials} - {Status.EMPTY}
        return next((status for status in evidence.WORST_FIRST if status in found), None)

    @property
    def as_expected(self) -> bool:
        """Whether a claim that should hold is not refuted; other claims may hold or fail here."""
        if self.status is Status.REFUTED:
            return self.claim.expectation is not Expectation.HOLDS
        return self.status is not Status.INSENSITIVE

    @property
    def not_run(self) -> str | None:
        """Why the claim was not run, or ``None``."""
        if self.status is not None:
            return None
        if self.skipped:
            return "; ".join(f"{name}: {why}" for name, why in self.skipped)
        if self.instances:
            return "it cannot fail on this class"
        if any(trial.of_class is not None for trial in self.claim.trials):
            return "what it is about does not occur in this class"
        if not self.claim.trials:
            return f"{self.claim.method.value}: no instance settles it"
        return f"not about a class; it examines {self.claim.trials[0].universe}"


def check_on(claim: Claim, H: FiniteClass, *, mutant: bool = False) -> ClassEvidence:
    """Check a claim on your own class, as far as it is about a class.

    Parameters
    ----------
    claim
        Any claim. It omits trials that take no finite class.
    H
        A class. Its points are numbered 0, 1, ... in the order of its columns, also in
        counterexamples.
    mutant
        Whether to examine the wrong subjects instead.

    Returns
    -------
    ClassEvidence
        The evidence, with a reason for each trial that does not take such a large class.

    Examples
    --------
    >>> from pac_stability import claims, classes
    >>> found = claims.check_on(claims.get("BLM20:lemma-12"), classes.thresholds(3))
    >>> found.status.value, found.instances
    ('survived', 8)
    >>> claims.check_on(claims.get("DF20:appendix-a.mixtures"), classes.thresholds(3)).not_run
    'not about a class; it examines two pairs of predictions in a grid, two factors, two weights'
    """
    plain = FiniteClass(H.table)  # the table alone: no names, no closed forms
    found, skipped = [], []
    for trial in claim.trials:
        if trial.of_class is None:
            continue
        why = trial.of_class.refusal(plain)
        if why is not None:
            skipped.append((trial.name, why))
        else:
            tally = evidence.Tally.asking(trial.of_class.ask(plain, mutant))
            found.append(evidence.TrialEvidence(trial.name, trial.of_class.universe, "", tally))
    return ClassEvidence(claim, tuple(found), tuple(skipped))


def verify_on(
    claims: Iterable[Claim], H: FiniteClass, *, progress: ProgressCallback | None = None
) -> Iterator[ClassEvidence]:
    """Settle claims on a user's class, in this process, in their order.

    Parameters
    ----------
    claims
        Any claims; those that are not about a class are returned with the reason.
    H
        A class, as in :func:`check_on`.
    progress
        Called with the number of claims done.
    """
    chosen = tuple(claims)
    clock = Clock(progress)
    clock.report("verifying", 0, len(chosen))
    for done, claim in enumerate(chosen, 1):
        yield check_on(claim, H)
        clock.report("verifying", done, len(chosen))
