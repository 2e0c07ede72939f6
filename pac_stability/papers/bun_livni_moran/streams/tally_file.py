"""A file that a long run of M keeps its tallies in, so that it can be stopped and gone on with."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import final

from pac_stability.arguments import described
from pac_stability.errors import InvalidInput
from pac_stability.keeping.writing import FilePath, write_bytes
from pac_stability.papers.bun_livni_moran.streams.tally import NO_RUNS, RunTally
from pac_stability.reading import read_json

SCHEMA = "pac-stability/run-tallies/1"

_MAX_BYTES = 1 << 30
_EVERY = 5.0  # seconds


@final
class TallyFile:
    """Keeps the tallies of a run in a file: what to give as ``checkpoint``, and what to resume.

    The file is written now and then, whole or not at all, and once more when the block is left, by
    an interruption too. With the same learner, target and seed the run goes on from there, and ends
    as it would have. It tells what the runs gave, and so is *not private*: nobody but its owner may
    read it.

    Parameters
    ----------
    path
        The file; it need not exist.
    every
        So many seconds at least are between two writings.

    Attributes
    ----------
    tallies
        For each stage of the run (each level, for M by level) its tally so far.

    Raises
    ------
    InvalidInput
        The file is another one, or cannot be read; on use, it cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from pac_stability.classes import singletons
    >>> from pac_stability.papers.bun_livni_moran import PrivateLearner, train_on_target
    >>> H = singletons(4)
    >>> M = PrivateLearner.of_class(H, "1/4", "1/10", 1, "1/1000000")
    >>> path = Path(tempfile.mkdtemp()) / "runs.json"
    >>> with TallyFile(path) as kept:
    ...     first = train_on_target(M, H.target(2), seed=1, checkpoint=kept, resume=kept.tally)
    >>> with TallyFile(path) as kept:  # nothing is left to be run
    ...     again = train_on_target(M, H.target(2), seed=1, checkpoint=kept, resume=kept.tally)
    >>> again == first, kept.tally.runs == M.runs
    (True, True)
    """

    def __init__(self, path: FilePath, *, every: float = _EVERY) -> None:
        self.path = Path(path)
        self.tallies: tuple[RunTally, ...] = ()
        self._every = every
        if self.path.exists():
            self.tallies = _tallies(read_json(self.path, max_bytes=_MAX_BYTES), str(self.path))
        self._written, self._due = self.tallies, time.monotonic() + every

    @property
    def tally(self) -> RunTally:
        """The tally of a run of one stage.

        Raises
        ------
        InvalidInput
            The run that was kept has more stages: resume its :attr:`tallies`.
        """
        if len(self.tallies) > 1:
            given = f"tallies of {len(self.tallies)} stages"
            raise InvalidInput(str(self.path), given, "a run of one stage")
        return self.tallies[0] if self.tallies else NO_RUNS

    def __call__(self, tallies: RunTally | Sequence[RunTally]) -> None:
        """Take the tallies so far, and write them if the last time was long ago."""
        self.tallies = (tallies,) if isinstance(tallies, RunTally) else tuple(tallies)
        if time.monotonic() >= self._due:
            self.write()

    def write(self) -> None:
        """Write the tallies so far."""
        if self.tallies == self._written:
            return
        document = {"schema": SCHEMA, "tallies": [tally.to_dict() for tally in self.tallies]}
        write_bytes(self.path, (json.dumps(document) + "\n").encode(), mode=0o600)
        self._written, self._due = self.tallies, time.monotonic() + self._every

    def __enter__(self) -> TallyFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.write()


def _tallies(document: object, name: str) -> tuple[RunTally, ...]:
    found = document.get("tallies") if isinstance(document, Mapping) else None
    if not isinstance(document, Mapping) or document.get("schema") != SCHEMA:
        raise InvalidInput(name, described(document), f"a file of schema {SCHEMA}")
    if set(document) != {"schema", "tallies"} or not isinstance(found, list):
        raise InvalidInput(name, "other fields", "schema and tallies")
    return tuple(map(RunTally.from_dict, found))
