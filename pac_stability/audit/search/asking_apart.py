"""Asking an algorithm in a process of its own, where this one is shared with threads of others."""

from __future__ import annotations

import pickle
from collections.abc import Hashable, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias, cast

from pac_stability.audit.apart import Apart
from pac_stability.audit.search.asking import Answers, Questions

_Rows: TypeAlias = dict[int, tuple[Hashable, ...]]


@dataclass(frozen=True)
class QuestionsApart(Questions):
    """Questions that are put in a child of whichever process puts them.

    Attributes
    ----------
    apart
        The child, which has a copy of the algorithm: see :class:`~pac_stability.audit.apart.Apart`.
    """

    apart: Apart

    def ask(self, answers: Answers, start: int, stop: int, seconds: float) -> None:
        """Append answers as :meth:`Questions.ask` does; here, where they would not travel."""
        written = cast("bytes", self.apart(start, stop, seconds))
        if written:
            answers.extend(Answers.from_bytes(written))
        else:
            super().ask(answers, start, stop, seconds)

    def require_all_same(self, rows: Mapping[int, tuple[Hashable, ...]], *, kept: str = "") -> None:
        """Ask again as :meth:`Questions.require_all_same` does; here, where rows do not travel."""
        if _travel(dict(rows)):
            self.apart(dict(rows), kept)
        else:
            super().require_all_same(rows, kept=kept)


def questions_for(executor: Executor | None, questions: Questions) -> Questions:
    """Return questions as they are put where an executor does the work.

    The executors of the standard library start no thread but those that do the work. Of any other
    it is not known: clients and workers of dask.distributed draw from ``random`` when they please.
    What cannot be written is asked where it is; then a draw of such a thread may be mistaken for
    one of the algorithm, which ends the audit.
    """
    if executor is None or isinstance(executor, ThreadPoolExecutor | ProcessPoolExecutor):
        return questions
    try:
        apart = Apart.of(partial(_asked, questions))
    except Exception:  # of a stranger's objects
        return questions
    return QuestionsApart(
        questions.source, questions.neighbourhood, questions.universe, questions.symmetric, apart
    )


def _asked(questions: Questions, what: int | _Rows, *given: object) -> bytes:
    """Ask, or ask again about rows that are known."""
    if isinstance(what, dict):
        questions.require_all_same(what, kept=cast("str", given[0]))
        return b""
    answers = Answers(questions.source.columns)
    stop, seconds = cast("tuple[int, float]", given)
    questions.ask(answers, what, stop, seconds)
    return answers.to_bytes()


def _travel(rows: _Rows) -> bool:
    try:
        return bool(pickle.loads(pickle.dumps(rows)) == rows)  # noqa: S301  # our own bytes
    except Exception:  # of a stranger's objects
        return False
