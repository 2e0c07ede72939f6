"""A session that is interrupted, or asked while it answers, tells no more than it says."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from pac_stability import BudgetExhausted, InvalidInput, Sample
from pac_stability.compression import AdaptiveSession, ThresholdScheme, load_transcript
from shared_interrupts import interrupted, moments
from shared_refusals import refuses

SAMPLE = Sample([2, 1, 1, 2], [1, 1, 0, 1])
ASK: dict[str, Callable[[AdaptiveSession], object]] = {
    "query": lambda session: session.query(lambda S: S.labels[0]),
    "ask": lambda session: session.ask(ThresholdScheme()),
    "a failing query": lambda session: session.query(lambda S: S.points),  # type: ignore[arg-type,return-value]
}


@pytest.fixture(autouse=True)
def _nobody_cuts_the_power(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", lambda _: None)


@pytest.mark.parametrize("kind", ASK)
def test_no_interrupt_makes_a_session_forget(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "session.json"
    begun = AdaptiveSession(SAMPLE, Fraction(1, 20), 4, bits=4)
    begun.query(lambda S: S.labels[1])
    told: list[object] = []

    def made() -> AdaptiveSession:
        told.clear()
        begun.save(path)
        return AdaptiveSession.load(SAMPLE, path, keep=True)

    def twice(session: AdaptiveSession) -> None:
        for _ in range(2):
            told.append(ASK[kind](session))

    def failing(session: AdaptiveSession) -> None:
        refuses("", twice, session)

    use = failing if "failing" in kind else twice
    chosen = moments(partial(use, made()), 500, seed=1)
    assert len(chosen) > 100
    for moment in chosen:
        session = made()
        interrupted(partial(use, session), moment)
        known, kept = session.transcript, load_transcript(path)
        assert len(told) + 1 <= len(known.rounds) <= len(told) + 2
        # The file may be behind by what was charged or seen and not told to anybody.
        assert kept == known or (len(kept.rounds) > len(told) and not kept.failed)
        if known.closed:
            assert known.failed
            refuses("question that failed", session.bound)
        else:
            session.close()
        refuses(r"after close\(\)", session.query, len)
        assert load_transcript(path) == session.transcript


def test_what_is_asked_while_it_answers_counts(tmp_path: Path) -> None:
    """As a handler of a signal may, at any line: all that is told is charged, in the file too."""
    path = tmp_path / "session.json"

    def asks_within(session: AdaptiveSession, told: list[int], at: int) -> int:
        seen = 0

        def trace(frame: FrameType, event: str, _: object) -> Any:  # a trace function
            nonlocal seen
            if "pac_stability/compression" not in frame.f_code.co_filename:
                return None
            if event == "line":
                seen += 1
                if seen == at:
                    sys.settrace(None)
                    answer(session, told)
                    sys.settrace(trace)
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            answer(session, told)
        finally:
            sys.settrace(before)
        return seen

    def answer(session: AdaptiveSession, told: list[int]) -> None:
        with contextlib.suppress(InvalidInput, BudgetExhausted):
            told.append(session.query(lambda S: S.labels[0]).output)

    def made() -> AdaptiveSession:
        path.unlink(missing_ok=True)
        return AdaptiveSession(SAMPLE, Fraction(1, 20), 1, bits=1, path=path)

    lines = asks_within(made(), [], 10**9)
    for moment in range(1, lines + 1):
        session, told = made(), list[int]()
        asks_within(session, told, moment)
        assert len(told) <= session.transcript.used_bits <= 1
        assert load_transcript(path).used_bits == session.transcript.used_bits
